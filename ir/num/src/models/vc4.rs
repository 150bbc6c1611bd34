//! `vc4`: Broadcom VideoCore IV (Raspberry Pi 1 to 3).

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32_HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "vc4",
    title: "Broadcom VideoCore IV (Raspberry Pi 1 to 3)",
    about: "Binary32 chopped toward zero, without denormals, -0 or NaN: a NaN operand gives an infinity, zero wins \
            over everything.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Format,
            source: "doe300/VC4C: half only in packing",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["add", "sub", "mul", "dst", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "nrm", "from-int"],
            set: &[("round", "rtz")],
            tier: Tier::Format,
            source: "doe300/VC4C, RoundToZero; VC4CL wiki, NumericalCompliance",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["arith", "recipe", "shape", "minmax", "cvt"],
            set: &[("denorm_in", "flush-positive"), ("denorm_out", "flush-positive"), ("zero_sign", "positive")],
            tier: Tier::Format,
            source: "doe300/VC4C, Operators.h: denormals and -0 become +0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mul", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "dst", "nrm", "div"],
            set: &[("zero_mul", "zero")],
            tier: Tier::Format,
            source: "doe300/VC4C, OP_FMUL: zero beats NaN and infinity",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["arith", "recipe"],
            set: &[("nan_result", "infinity")],
            tier: Tier::Format,
            source: "doe300/VC4C: an operand NaN gives an infinity",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "ordered")],
            tier: Tier::Format,
            source: "doe300/VC4C, checkMinMaxCarry: -NaN is below -infinity, NaN above infinity",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["max"],
            set: &[("minmax_zero", "second")],
            tier: Tier::Format,
            source: "doe300/VC4C: tests have shown",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad", "dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("mad", "separate"), ("dot_fused", "false")],
            tier: Tier::Format,
            source: "Mesa 25.0, vc4_program.c: separate addition and multiplication units",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "zero")],
            tier: Tier::Format,
            source: "doe300/VC4C, FTOI: NaN, infinity and what is out of range give 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pack.half2"],
            set: &[
                ("round", "raz"),
                ("overflow", "infinity"),
                ("denorm_out", "flush-positive"),
                ("zero_sign", "positive"),
                ("nan_result", "infinity"),
            ],
            tier: Tier::Format,
            source: "doe300/VC4C, HalfType.cpp: away from zero, no half denormals",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["unpack.half"],
            set: &[("denorm_in", "flush")],
            tier: Tier::Format,
            source: "doe300/VC4C: the exponent is not corrected",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Format,
            source: "Idein/py-videocore, appendix",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2", "pow"],
            set: &[("log_negative", "magnitude")],
            tier: Tier::Format,
            source: "Idein/py-videocore, appendix",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq"],
            set: &[("rcp_zero", "positive")],
            tier: Tier::Format,
            source: "Idein/py-videocore, appendix: +infinity of zeros",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp"],
            set: &[("rcp", "r*(2-a*r)"), ("round", "rtz"), ("zero_mul", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, vc4_program.c, ntq_rcp: a step of Newton's method in chopped additions and multiplications; no bound \
                     for the function unit itself is published, and the nearest chopped value is taken",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq", "r*(1.5-0.5*(a*(r*r)))"), ("round", "rtz"), ("zero_mul", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, vc4_program.c, ntq_rsq: a step of Newton's method in chopped additions and multiplications; the sign \
                     of a negative operand, which the function unit ignores, shows in it",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983)")],
            tier: Tier::Format,
            source: "Mesa 25.0, vc4_program.c: polynomials of degree 9 and 10 in turns; here the function itself",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "one")],
            tier: Tier::Format,
            source: "Mesa 25.0, vc4_program.c: min(max(x, 0), 1) with a NaN above everything",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, vc4_program.c: lower_fpow",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, vc4_program.c: lower_fdiv",
        },
    ],
};
