//! `g80`: NVIDIA Tesla (sm_1x: G80, GT200).

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_HALF, Row, nv_published};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "g80",
    title: "NVIDIA Tesla (sm_1x: G80, GT200)",
    about: "As maxwell without its known function unit: denormals are flushed everywhere, the product of a \
            multiply-add is cut to 24 bits before the sum, there is no fused multiply-add.",
    inherits: Some("maxwell"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Exact,
            source: "PTX ISA manual: no half arithmetic before sm_53",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("round", "rne")],
            tier: Tier::Exact,
            source: "PTX ISA manual, add and mul; envytools, docs/hw/graph/tesla/cuda, float.rst: nearest and \
                     toward zero only",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad", "lrp"],
            set: &[("mad", "truncated:24;separate-at-0")],
            tier: Tier::Exact,
            source: "PTX ISA manual, mad on sm_1x: the product is cut to 23 stored bits, its exponent not clamped; \
                     a zero addend gives mul, then add",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["fma"],
            set: &[("mad", "truncated:24;separate-at-0"), ("fma", "mad")],
            tier: Tier::Format,
            source: "Mesa 25.0, nouveau compiler, from_nir: no fused multiply-add before sm_20",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "false")],
            tier: Tier::Format,
            source: "Mesa 25.0, nouveau compiler, from_nir: no fused multiply-add before sm_20",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Exact,
            source: "PTX ISA manual, sm_1x: subnormal operands and results are flushed, signs kept",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Exact,
            source: "PTX ISA manual, .sat: NaN becomes +0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Exact,
            source: "envytools, docs/hw/graph/tesla/cuda, float.rst; PTX ISA manual, min and max",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_zero", "ordered")],
            tier: Tier::Format,
            source: "PTX ISA manual, min and max: no target is named",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Exact,
            source: "envytools, docs/hw/graph/tesla/cuda, misc.rst: conversions always clamp; PTX ISA manual, cvt",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "sqrt"],
            set: &[("rsq_negative", "nan")],
            tier: Tier::Exact,
            source: "PTX ISA manual, rsqrt.approx: NaN below zero, -infinity of -0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2", "pow"],
            set: &[("log_negative", "nan")],
            tier: Tier::Exact,
            source: "PTX ISA manual, lg2.approx: NaN below zero",
        },
        Row {
            slots: FP32,
            ops: &["div"],
            set: &[("accuracy", "2ulp")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, div.full: 2 ulp on all targets",
        },
        Row {
            slots: FP32,
            ops: &["sqrt"],
            set: &[("sqrt", "rcp(rsq(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, nouveau compiler, nv50_ir_lowering_nv50.cpp, handleSQRT",
        },
        nv_published::RCP,
        nv_published::RSQ,
        nv_published::EXP2,
        nv_published::LOG2,
        nv_published::SIN_COS,
        nv_published::SQRT,
        nv_published::POW_NRM,
    ],
};
