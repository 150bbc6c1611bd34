//! `rogue`: PowerVR Rogue (Series6) unified shading clusters.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_HALF, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "rogue",
    title: "PowerVR Rogue (Series6)",
    about: "What the public instruction set reference says: binary32 operations, a 16-bit sum of products that rounds every \
            product, special values of FRCP, FRSQ, FLOG and FEXP. It gives no error bounds and does not name the rounding; \
            nearest even, kept denormals and a fused FMAD are assumed.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, floating point instructions: 32-bit registers",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, F16SOP: operands and results are 16-bit floats",
        },
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[
                ("round", "rne"),
                ("denorm_in", "keep"),
                ("denorm_out", "keep"),
                ("mad", "fused"),
                ("dot_fused", "true"),
            ],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference does not say; the plainest reading of a fused multiply-add unit",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("mad", "separate"), ("dot_order", "left-to-right"), ("dot_fused", "false"), ("lrp", "a*b+(1-a)*c")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, F16SOP: every product and the sum are 16-bit results",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference, SAT: clamps to 0..1; NaN is not mentioned",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq", "sqrt", "exp2", "exp2.part", "log2", "log2.part", "sin", "cos"],
            set: &[("nan_result", "default"), ("nan_bits", "7fc00000")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, FRCP, FRSQ, FLOG, FEXP, FSINC: positive NaN; its fraction is ours",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "nan")],
            tier: Tier::Exact,
            source: "PowerVR Rogue instruction set reference, FRSQ: NaN below zero, -infinity of -0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("log_negative", "nan")],
            tier: Tier::Exact,
            source: "PowerVR Rogue instruction set reference, FLOG: NaN below zero, -infinity of both zeros",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq", "sqrt", "exp2", "exp2.part", "log2", "log2.part", "sin", "cos"],
            set: &[("accuracy", "correct")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, FRCP, FRSQ, FLOG, FEXP, FSINC: special values only, no error bound",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference has no power; the usual FLOG, FMUL, FEXP",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, PCK.S32 and PCK.U32: saturating; NaN is not mentioned",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["compare"],
            set: &[("nan_compare", "unordered")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference, TST: NaN is not mentioned; ordered comparisons are assumed",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["packing"],
            set: &[("pack_round", "rne")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference, PCK: ROUNDZERO is a modifier, what happens without it is not said",
        },
    ],
};
