//! `nvfp`: NV_fragment_program, revision 73.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FIXED, FP32, FP32_HALF, HALF, Row};
use crate::{Decl, Tier};

pub(super) const MODEL: Builtin = Builtin {
    name: "nvfp",
    title: "NV_fragment_program, revision 73 (NV3x)",
    about: "The OpenGL extension of the NV3x fragment unit: fp32 without denormals, fp16 with them, fx12 that clamps. NaN and \
            infinity follow IEEE 754; a clamp leaves NaN alone; LIT does not clamp its exponent. Conversions may round or \
            truncate: nearest even is used, and the low and high probes take the other neighbour.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("mad", "separate"), ("dot_fused", "false"), ("dot_order", "left-to-right")],
            tier: Tier::Assumed,
            source: "NV_fragment_program rev 73, section 3.11.5 gives formulas, not the rounding of their steps; every step is \
                     taken as one operation",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lrp"],
            set: &[("lrp", "a*b+(1-a)*c")],
            tier: Tier::Format,
            source: "NV_fragment_program rev 73, section 3.11.5, LRP: the formula, not its rounding",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32"), ("denorm_in", "flush"), ("denorm_out", "flush"), ("overflow", "infinity")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.4.1, fp32: no denormals, infinity from 2^128 up",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16"), ("denorm_in", "keep"), ("denorm_out", "keep"), ("overflow", "infinity")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.4.1, fp16: denormals down to 2^-24, infinity from 2^16 up",
        },
        Row {
            slots: &[Decl::Fx12],
            ops: EVERY_OP,
            set: &[("format", "fx12")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.4.1, fx12: -2048/1024 to 2047/1024, clamped",
        },
        Row {
            slots: FIXED,
            ops: EVERY_OP,
            set: &[("fixed_wide", "true")],
            tier: Tier::Assumed,
            source: "US patent 7136070, number formats: calculations are performed and then clamped; the extension is silent",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["cvt", "pack.half2"],
            set: &[("round", "rne")],
            tier: Tier::Bounded,
            source: "NV_fragment_program rev 73, section 3.11.4.2: a conversion gives one of the two neighbours",
        },
        Row {
            slots: FP32,
            ops: &["pack.half2"],
            set: &[("denorm_out", "keep")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, PK2H: an fp16 value, denormals included",
        },
        Row {
            slots: FP32,
            ops: &["unpack.half"],
            set: &[("denorm_in", "keep")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, UP2H: an fp16 value, denormals included",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("zero_mul", "ieee"), ("nan_compare", "unordered")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, special values of MUL and of the comparisons; NaN becomes 0 in fx12",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "nan")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, MIN and MAX: NaN if either operand is NaN",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "keep"), ("sat_zero", "keep")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.4.5: the clamp of _SAT compares, so NaN and -0 stay",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "nan")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, RSQ: NaN below zero, -infinity of -0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("log_negative", "nan")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, LG2: NaN below zero",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow", "lit.z"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, POW: EX2(b * LG2(a)), 0^0 is NaN; LIT's power is POW's",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["frac"],
            set: &[("frac_one", "below")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, FRC: the result is at least 0 and below 1",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.y", "lit.z"],
            set: &[("lit_clamp", "none"), ("lit_zero_pow_zero", "false"), ("lit_keep_nan", "true")],
            tier: Tier::Exact,
            source: "NV_fragment_program rev 73, section 3.11.5, LIT: the exponent is not clamped, the power is POW's; \
                     if (t.x < 0) t.x = 0 keeps NaN and -0",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq"],
            set: &[("accuracy", "<2^-21")],
            tier: Tier::Bounded,
            source: "NV_fragment_program rev 73, section 3.11.5, RCP and RSQ: error below 2^-22 for results from 1/2 to 1, scaled by \
                     the exponent",
        },
        Row {
            slots: FP32,
            ops: &["exp2"],
            set: &[("accuracy", "<2^-22")],
            tier: Tier::Bounded,
            source: "NV_fragment_program rev 73, section 3.11.5, EX2: error below 2^-22 * 2^floor(x)",
        },
        Row {
            slots: FP32,
            ops: &["log2"],
            // 2^-23 * 2^max(e, 1): an absolute 2^-22 up to 4, one unit in the last place beyond.
            set: &[("accuracy", "<2^-23:1")],
            tier: Tier::Bounded,
            source: "NV_fragment_program rev 73, section 3.11.5, LG2: error below 2^-22, or what fp32 can hold",
        },
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("accuracy", "2^-22abs<=6.2831855")],
            tier: Tier::Bounded,
            source: "NV_fragment_program rev 73, section 3.11.5, SIN and COS: error below 2^-22 from 0 to 2 pi; beyond, the document \
                     allows more",
        },
        Row {
            slots: FP32_HALF,
            ops: &["pack.unorm2x16", "pack.biased4x8", "pack.unorm4x8", "pack.snorm4x8"],
            set: &[("pack_round", "rne")],
            tier: Tier::Format,
            source: "NV_fragment_program rev 73, section 3.11.5, PK2US, PK4B, PK4UB: round(); ties are not described",
        },
    ],
};
