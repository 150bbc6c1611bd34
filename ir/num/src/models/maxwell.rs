//! `maxwell`: NVIDIA SPA 5.0.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_FP64, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "maxwell",
    title: "NVIDIA Maxwell (SPA 5.0)",
    about: "IEEE 754 adds, multiplies and fused multiply-adds with the rounding of the instruction; denormals kept unless the \
            instruction says FTZ or FMZ. A NaN result is always 7fffffff. Transcendentals come from the special function \
            unit, which flushes denormals, to the bit as measured on hardware; a square root is two of its operations. With \
            [unit=none] the published error bounds of the matching PTX instructions decide instead.",
    inherits: Some("ieee"),
    definition: false,
    rows: &[
        Row {
            slots: FP32_FP64,
            ops: EVERY_OP,
            set: &[
                ("round", "rne"),
                ("denorm_in", "keep"),
                ("denorm_out", "keep"),
                ("overflow", "ieee"),
                ("zero_mul", "ieee"),
                ("nan_compare", "unordered"),
                ("mad", "fused"),
            ],
            tier: Tier::Exact,
            source: "PTX ISA manual, floating point instructions: add, mul, fma with .rn and without .ftz",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32"), ("nan_result", "default"), ("nan_bits", "7fffffff")],
            tier: Tier::Exact,
            source: "PTX ISA manual, floating point instructions: single-precision NaN results are 7fffffff",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("tininess", "before-rounding")],
            tier: Tier::Assumed,
            source: "PTX ISA manual, .ftz: subnormal results are flushed; on which side of rounding is not said",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("dot_order", "left-to-right"), ("dot_fused", "true"), ("lrp", "fma(a,b,(1-a)*c)")],
            tier: Tier::Assumed,
            source: "SPA 5.0 has no dot product and no LRP; the usual expansion into FMUL and FFMA",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Exact,
            source: "PTX ISA manual, .sat: clamps to 0..1, NaN becomes +0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Exact,
            source: "PTX ISA manual, min and max: the number if one operand is NaN",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_zero", "ordered")],
            tier: Tier::Exact,
            source: "PTX ISA manual, min and max: +0 is above -0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Exact,
            source: "PTX ISA manual, cvt: clamped to the integer's range, NaN gives 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("scale_once", "true")],
            tier: Tier::Assumed,
            source: "SPA 5.0 FMUL scale: where it rounds is not published",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq", "sqrt", "exp2", "exp2.part", "log2", "log2.part", "sin", "cos", "pow", "lit.z", "nrm"],
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Exact,
            source: "PTX ISA manual, ex2.approx.ftz and its like; ptxas for sm_50 scales operands around MUFU when denormals matter",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq", "sqrt", "exp2", "log2", "sin", "cos", "nrm", "pow"],
            set: &[("unit", "nv-sfu"), ("rsq", "direct"), ("log2", "direct")],
            tier: Tier::Measured,
            source: "bcarlet/ptx-math, src/ptxm: bit-exact models of the special function unit, compared by their author with sm_5x \
                     hardware over all inputs",
        },
        Row {
            slots: FP32,
            ops: &["exp2.part", "log2.part"],
            set: &[("unit", "nv-sfu")],
            tier: Tier::Assumed,
            source: "SPA 5.0 has no exponential or logarithm of reduced precision; MUFU.EX2 and MUFU.LG2 are used",
        },
        Row {
            slots: FP32,
            ops: &["sqrt"],
            set: &[("sqrt", "rcp(rsq(a))")],
            tier: Tier::Measured,
            source: "bcarlet/ptx-math, src/ptxm/sqrt.c, model 5x; ptxas for sm_50 emits MUFU.RSQ, MUFU.RCP",
        },
        Row {
            slots: FP32,
            ops: &["rcp"],
            set: &[("accuracy", "2^-23")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, rcp.approx: one unit in the last place",
        },
        Row {
            slots: FP32,
            ops: &["rsq"],
            set: &[("accuracy", "2^-23")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, rsqrt.approx: relative error below 2^-22.9, tightened to 2^-23 of the binade",
        },
        Row {
            slots: FP32,
            ops: &["rsq", "sqrt"],
            set: &[("rsq_negative", "nan")],
            tier: Tier::Exact,
            source: "PTX ISA manual, rsqrt.approx: NaN below zero, -infinity of -0",
        },
        Row {
            slots: FP32,
            ops: &["sqrt"],
            set: &[("accuracy", "2^-23")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, sqrt.approx: relative error below 2^-23",
        },
        Row {
            slots: FP32,
            ops: &["exp2", "exp2.part"],
            set: &[("accuracy", "2^-22")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, ex2.approx: relative error below 2^-22",
        },
        Row {
            slots: FP32,
            ops: &["log2", "log2.part"],
            set: &[("accuracy", "2^-22:0")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, lg2.approx: absolute error below 2^-22 for operands from 1/2 to 2, relative beyond",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("log_negative", "nan")],
            tier: Tier::Exact,
            source: "PTX ISA manual, lg2.approx: NaN below zero",
        },
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("accuracy", "2^-21:0")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, sin.approx and cos.approx: absolute error below 2^-20.5 in -2 pi to 2 pi, tightened to 2^-21; \
                     beyond, the manual allows more",
        },
        Row {
            slots: FP32,
            ops: &["div"],
            set: &[("accuracy", "2^-22")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, div.full: two units in the last place",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Assumed,
            source: "SPA 5.0 has no power; the usual MUFU.LG2, FMUL, MUFU.EX2",
        },
    ],
};
