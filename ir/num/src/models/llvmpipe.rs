//! `llvmpipe`: Mesa's software renderer on an x86 host.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, Row};
use crate::Tier;

const MEASURED: &str =
    "compared with Mesa 22.3.6, llvmpipe, on an x86 host: 4400 operands per operation, every bit of every number";

pub(super) const MODEL: Builtin = Builtin {
    name: "llvmpipe",
    title: "Mesa's llvmpipe on x86 (22.3)",
    about: "The renderer of most continuous integration: binary32 with denormals flushed at both ends, no contraction, dot products \
            from the last component, polynomials for exp2, log2, sin and cos. Their multiply-adds round once where the host has \
            them; [unit_fused=false] is a host without. The driver rewrites whole programs before it runs them (a*b*c becomes \
            a*c*b, rcp(rcp(a)) becomes a), and so does this model; [rewrites=none] computes instruction by instruction. Which of two NaN \
            operands survives is up to the compiler; the first is taken.",
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
                ("denorm_in", "flush"),
                ("denorm_out", "flush"),
                ("tininess", "after-rounding"),
                ("overflow", "ieee"),
                ("nan_result", "first"),
                ("nan_bits", "ffc00000"),
                ("nan_compare", "unordered"),
                ("zero_mul", "ieee"),
                ("mad", "separate"),
                ("dot_order", "right-to-left;dph:z+w+x+y"),
                ("dot_fused", "false"),
                ("lrp", "a*(b-c)+c"),
                ("sat_nan", "zero"),
                ("sat_zero", "positive"),
                ("sat_denorm", "flush"),
            ],
            tier: Tier::Measured,
            source: MEASURED,
        },
        Row {
            slots: FP32,
            ops: &["add"],
            set: &[("rewrites", "mesa")],
            tier: Tier::Measured,
            source: "compared with Mesa 22.3.6, llvmpipe, on an x86 host: 27 short programs, 400 operands each",
        },
        Row {
            slots: FP32,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-b-or-nan")],
            tier: Tier::Measured,
            source: MEASURED,
        },
        Row { slots: FP32, ops: &["rsq", "nrm"], set: &[("rsq", "1/sqrt(a)")], tier: Tier::Measured, source: MEASURED },
        Row {
            slots: FP32,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Measured,
            source: MEASURED,
        },
        Row {
            slots: FP32,
            ops: &["rcp", "div", "sqrt"],
            set: &[("accuracy", "correct")],
            tier: Tier::Measured,
            source: MEASURED,
        },
        Row {
            slots: FP32,
            ops: &["exp2", "log2", "sin", "cos", "pow", "lit.z"],
            set: &[("unit", "gallivm"), ("unit_fused", "true"), ("log_negative", "nan"), ("log2", "direct")],
            tier: Tier::Measured,
            source: MEASURED,
        },
        Row {
            slots: FP32,
            ops: &["exp2.part", "log2.part"],
            set: &[("unit", "gallivm"), ("unit_fused", "true"), ("log2", "direct")],
            tier: Tier::Format,
            source: "Mesa 22.3.6, tgsi_to_nir: EXP and LOG use the full functions",
        },
        Row {
            slots: FP32,
            ops: &["log2", "log2.part", "sin", "cos"],
            set: &[("nan_result", "default"), ("nan_bits", "7fc00000")],
            tier: Tier::Measured,
            source: MEASURED,
        },
        Row {
            slots: FP32,
            ops: &["pow", "lit.z"],
            set: &[("pow", "exp2(b*log2(a));0^b=0")],
            tier: Tier::Measured,
            source: "compared with Mesa 22.3.6, llvmpipe, as the rest; Mesa 25.0 has an ordered comparison, so that pow(NaN, b) is NaN",
        },
        Row {
            slots: FP32,
            ops: &["lit.y", "lit.z"],
            set: &[
                ("lit_clamp", "128"),
                ("lit_keep_nan", "false"),
                ("lit_nan_clamps", "true"),
                ("lit_zero_pow_zero", "true"),
                ("lit_nan_lights", "true"),
            ],
            tier: Tier::Measured,
            source: MEASURED,
        },
        Row {
            slots: FP32,
            ops: &["to-int"],
            set: &[("to_int", "all-ones")],
            tier: Tier::Measured,
            source: "compared with Mesa 22.3.6, llvmpipe, on a host with AVX-512; other hosts give less regular words for unsigned \
                     integers",
        },
        Row {
            slots: FP32,
            ops: &["cvt"],
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Measured,
            source: "compared with Mesa 22.3.6, llvmpipe: moves hand on every bit",
        },
        Row {
            slots: FP32,
            ops: &["pack.half2", "unpack.half"],
            set: &[("denorm_in", "keep"), ("denorm_out", "keep"), ("round", "rne")],
            tier: Tier::Measured,
            source: "compared with Mesa 22.3.6, llvmpipe: packHalf2x16 to nearest even with denormal halves; the bits of its NaN differ",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("scale_once", "true")],
            tier: Tier::Assumed,
            source: "Mesa has no scaled results; written as two operations they round twice only when denormal",
        },
    ],
};
