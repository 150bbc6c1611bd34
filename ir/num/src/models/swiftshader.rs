//! `swiftshader`: SwiftShader on x86 with FMA.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "swiftshader",
    title: "SwiftShader on x86 with FMA",
    about: "Google's software renderer: host arithmetic with denormals flushed, fused sums, polynomials for the \
            functions, a sine that is good to 12 bits. Its logarithm is finite everywhere.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32"), ("round", "rne"), ("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Exact,
            source: "SwiftShader, SwiftConfig.cpp: flush to zero, denormals are zero",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "fused")],
            tier: Tier::Format,
            source: "SwiftShader, src/Pipeline, llvm.fmuladd: fused on hosts that have it",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_order", "left-to-right"), ("dot_fused", "true")],
            tier: Tier::Exact,
            source: "SwiftShader, src/Pipeline, FDot",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lrp"],
            set: &[("lrp", "a*(b-c)+c")],
            tier: Tier::Exact,
            source: "SwiftShader, src/Pipeline, FMix",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "nrm"],
            set: &[("rsq", "1/sqrt(a)")],
            tier: Tier::Exact,
            source: "SwiftShader, src/Pipeline, DoRcpSqrt",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "div", "sqrt"],
            set: &[("accuracy", "correct")],
            tier: Tier::Exact,
            source: "SwiftShader, src/Pipeline, OpFDiv: host operations",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-b")],
            tier: Tier::Format,
            source: "SwiftShader, src/Pipeline, Min: the host instruction",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Format,
            source: "SwiftShader, src/Pipeline, FClamp: min(max(x, 0), 1)",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "indefinite")],
            tier: Tier::Format,
            source: "SwiftShader, src/Pipeline, OpConvertFToS",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pack.half2"],
            set: &[
                ("round", "rne"),
                ("denorm_in", "keep"),
                ("denorm_out", "keep"),
                ("nan_result", "default"),
                ("nan_bits", "7fffffff"),
            ],
            tier: Tier::Exact,
            source: "SwiftShader, src/Pipeline, floatToHalfBits: NaN is 7fff",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Exact,
            source: "SwiftShader, src/Pipeline, Pow",
        },
        Row {
            slots: FP32,
            ops: &["exp2"],
            set: &[("accuracy", "2+0.5*|x|ulp")],
            tier: Tier::Bounded,
            source: "SwiftShader, exp2 evaluated from its published coefficients: 2.0 ulp in 0..1, 5.2 in 8..16, \
                     33 in 64..127",
        },
        Row {
            slots: FP32,
            ops: &["log2"],
            set: &[("accuracy", "2^-22.5rel:0")],
            tier: Tier::Bounded,
            source: "SwiftShader, log2 evaluated from its published coefficients: absolute 2^-22.5, 1.7 ulp beyond \
                     2",
        },
        Row {
            slots: FP32,
            ops: &["log2", "pow"],
            set: &[("log_special", "finite")],
            tier: Tier::Exact,
            source: "SwiftShader, src/Pipeline, Log2: log2(0) is -127; the values of negative operands and NaN are \
                     ours",
        },
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("accuracy", "2^-12.37abs"), ("trig", "turns(3e22f983)")],
            tier: Tier::Bounded,
            source: "SwiftShader, Sin5 evaluated from its published coefficients: absolute 2^-12.37; the operand \
                     is x / (2 pi)",
        },
    ],
};
