//! `attila`: the 2015 ATTILA simulator.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "attila",
    title: "ATTILA simulator (2015)",
    about: "Arithmetic of the functional emulator of the ATTILA research GPU: host binary32, denormals kept, no fused \
            multiply-add, products of a dot product summed left to right. saturate turns NaN into 1, min and max give \
            the second operand on NaN and on equal operands, RSQ takes the magnitude of a negative operand but makes NaN of -0.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[
                ("format", "f32"),
                ("round", "rne"),
                ("denorm_in", "keep"),
                ("denorm_out", "keep"),
                ("tininess", "after-rounding"),
                ("overflow", "ieee"),
                ("zero_mul", "ieee"),
                ("nan_compare", "unordered"),
            ],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath: host binary32",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("nan_result", "first"), ("nan_bits", "ffc00000")],
            tier: Tier::Format,
            source: "ATTILA simulator 2015, GPUMath: NaN as the host makes it; an x86 host is taken",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("mad", "separate"), ("dot_order", "left-to-right"), ("dot_fused", "false")],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath, MAD, DP3, DP4, DPH: one host operation per step",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lrp"],
            set: &[("lrp", "a*b+(1-a)*c")],
            tier: Tier::Assumed,
            source: "ATTILA has no LRP; the usual expansion into its MUL, ADD and MAD",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-b")],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath, MIN and MAX: a < b ? a : b, a > b ? a : b",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "one"), ("sat_zero", "keep")],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, ShaderEmulator, saturation: the last branch of the comparison",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "indefinite")],
            tier: Tier::Format,
            source: "ATTILA simulator 2015, GPUMath, ARL: a C++ conversion; an x86 host is taken",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "div", "sqrt"],
            set: &[("accuracy", "correct")],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath, RCP: one host division",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude-not-zero")],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath, RSQ: the sign is changed when the operand is below zero",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "nrm"],
            set: &[("rsq", "sqrt(1/a)")],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath, RSQ: the root of a rounded reciprocal",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2", "log2.part"],
            set: &[("log_negative", "nan")],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath, LG2: the host's logarithm",
        },
        Row {
            slots: FP32,
            ops: &["exp2", "exp2.part", "log2", "log2.part", "lit.z", "pow"],
            set: &[("accuracy", "2^-23")],
            tier: Tier::Bounded,
            source: "ATTILA simulator 2015, GPUMath, EX2, LG2, EXP, LOG, LIT: the host's binary64 library rounded once, within one \
                     unit in the last place",
        },
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("accuracy", "2^-22")],
            tier: Tier::Bounded,
            source: "ATTILA simulator 2015, GPUMath, SIN and COS: the host's binary32 library, within two units in the last place",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.y", "lit.z"],
            set: &[
                ("lit_clamp", "128"),
                ("lit_keep_nan", "true"),
                ("lit_nan_clamps", "true"),
                ("lit_zero_pow_zero", "true"),
            ],
            tier: Tier::Exact,
            source: "ATTILA simulator 2015, GPUMath, LIT",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "c")],
            tier: Tier::Assumed,
            source: "ATTILA has no power; the host's pow, as its LIT uses it",
        },
    ],
};
