//! `nv-patent`: the fragment unit that US patent 7136070 describes.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FIXED, FP32, FP32_HALF, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "nv-patent",
    title: "NVIDIA fragment unit of US patent 7136070 (2001)",
    about: "Three formats, 1.8.23, 1.5.10 and two's complement 2.10, without denormals. Zero times anything is zero, and \
            comparisons, condition codes, min, max and conversion to fixed point read NaN as infinity. The direction of \
            rounding is not published; nearest even is assumed.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("mad", "separate"), ("dot_fused", "false"), ("dot_order", "left-to-right"), ("lrp", "a*b+(1-a)*c")],
            tier: Tier::Assumed,
            source: "US patent 7136070 gives formulas, not the rounding of their steps; every step is taken as one operation",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Exact,
            source: "US patent 7136070, number formats: 32-bit floating point",
        },
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush"), ("overflow", "infinity")],
            tier: Tier::Format,
            source: "US patent 7136070, number formats: no denormals, infinity exists; what becomes of tiny and huge results is ours",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Exact,
            source: "US patent 7136070, number formats: 16-bit floating point",
        },
        Row {
            slots: FIXED,
            ops: EVERY_OP,
            set: &[("fixed_wide", "true")],
            tier: Tier::Exact,
            source: "US patent 7136070, number formats: calculations are performed and then clamped",
        },
        Row {
            slots: &[crate::Decl::Fx12],
            ops: EVERY_OP,
            set: &[("format", "fx12")],
            tier: Tier::Exact,
            source: "US patent 7136070, number formats: s12 fixed point",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("zero_mul", "zero")],
            tier: Tier::Exact,
            source: "US patent 7136070, special values of MUL, MAD, DP3, DP4: zero times anything; the sign of that zero is ours",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("nan_compare", "infinity")],
            tier: Tier::Format,
            source: "US patent 7136070, number formats: NaN may be treated as infinity",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-lt-ge")],
            tier: Tier::Exact,
            source: "US patent 7136070, Tables 20 and 21",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Exact,
            source: "US patent 7136070, RSQ: the magnitude of the operand is used",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("log_negative", "magnitude")],
            tier: Tier::Exact,
            source: "US patent 7136070, LOG: the sign of the operand is ignored",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.y", "lit.z"],
            set: &[("lit_clamp", "127.99609375"), ("lit_zero_pow_zero", "true"), ("lit_keep_nan", "true")],
            tier: Tier::Exact,
            source: "US patent 7136070, LIT: exponent clamped to 127.9961, 0^0 = 1; if (t.x < 0) t.x = 0 keeps NaN",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["frac"],
            set: &[("frac_one", "below")],
            tier: Tier::Exact,
            source: "US patent 7136070, FRC: the result is at least 0 and below 1",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.z"],
            set: &[("accuracy", "correct")],
            tier: Tier::Format,
            source: "US patent 7136070, LIT: a LOG, MUL, EXP chain with at least 8 fraction bits of the exponent",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a));0^0=1")],
            tier: Tier::Assumed,
            source: "US patent 7136070 has no power; the chain of its LIT is used",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq"],
            set: &[("accuracy", "<2^-21")],
            tier: Tier::Bounded,
            source: "US patent 7136070, RCP and RSQ: error below 2^-22 for results from 1/2 to 1, scaled by the exponent",
        },
        Row {
            slots: HALF,
            ops: &["rcp", "rsq", "exp2.part", "log2.part"],
            set: &[("accuracy", "2^-10")],
            tier: Tier::Bounded,
            source: "US patent 7136070, RCP, RSQ, EXP, LOG: one unit in the last place at 16 bits",
        },
        Row {
            slots: FP32,
            ops: &["exp2.part"],
            set: &[("accuracy", "2^-11")],
            tier: Tier::Bounded,
            source: "US patent 7136070, EXP: z within 2^-11 of the binade of 2^floor(x)",
        },
        Row {
            slots: FP32,
            ops: &["log2.part"],
            // The result is below 2^8, so a bound of 2^-18 that stops shrinking at 2^7 is an absolute 2^-11.
            set: &[("accuracy", "2^-18:7")],
            tier: Tier::Bounded,
            source: "US patent 7136070, LOG: z within 2^-11",
        },
        Row {
            slots: FP32_HALF,
            ops: &["pack.unorm2x16", "pack.biased4x8", "pack.unorm4x8", "pack.snorm4x8"],
            set: &[("pack_round", "rtz")],
            tier: Tier::Format,
            source: "US patent 7136070, PK4: assigned to a byte without a rounding step",
        },
    ],
};
