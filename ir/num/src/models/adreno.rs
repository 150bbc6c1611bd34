//! `adreno`: Qualcomm Adreno 5xx to 7xx.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_HALF, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "adreno",
    title: "Qualcomm Adreno 5xx to 7xx",
    about: "Binary32 and half, both without denormals; fused in binary32, not in half; conversions to half cut, so \
            that they never reach infinity.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row { slots: FP32, ops: EVERY_OP, set: &[("format", "f32")], tier: Tier::Format, source: "Mesa 25.0, ir3" },
        Row { slots: HALF, ops: EVERY_OP, set: &[("format", "f16")], tier: Tier::Format, source: "Mesa 25.0, ir3" },
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("round", "rne")],
            tier: Tier::Format,
            source: "Mesa 25.0, tu_device.cc: nearest even only",
        },
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Format,
            source: "Mesa 25.0, tu_device.cc: flush true, preserve false, 16 and 32 bits",
        },
        Row {
            slots: HALF,
            ops: &["cvt"],
            set: &[("round", "rtz"), ("overflow", "ieee")],
            tier: Tier::Format,
            source: "Mesa 25.0, ir3, instr-a3xx.h: ROUND_ZERO is the default of cov; azhirnov/as-en, \
                     AE/docs/papers, results measured on Adreno 505 and 660",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pack.half2"],
            set: &[("round", "rtz"), ("overflow", "ieee")],
            tier: Tier::Format,
            source: "Mesa 25.0, ir3, instr-a3xx.h: ROUND_ZERO is the default of cov; azhirnov/as-en, \
                     AE/docs/papers, results measured on Adreno 505 and 660",
        },
        Row {
            slots: FP32,
            ops: &["mad", "dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("mad", "fused"), ("dot_fused", "true")],
            tier: Tier::Format,
            source: "Mesa 25.0, ir3: ffma is mad.f32, whose rounding is not documented",
        },
        Row {
            slots: HALF,
            ops: &["mad", "dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("mad", "separate"), ("dot_fused", "false")],
            tier: Tier::Format,
            source: "azhirnov/as-en, AE/docs/papers, results measured on Adreno 505 and 660: a half fma is much \
                     slower than a half mad",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Format,
            source: "azhirnov/as-en, AE/docs/papers, results measured on Adreno 505 and 660",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Format,
            source: "azhirnov/as-en, AE/docs/papers, results measured on Adreno 505 and 660: clamp(NaN, 0, 1) is 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["compare"],
            set: &[("nan_compare", "unordered")],
            tier: Tier::Format,
            source: "azhirnov/as-en, AE/docs/papers, results measured on Adreno 505 and 660",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, ir3: lower_fpow",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "log2", "nrm"],
            set: &[("rsq", "direct"), ("log2", "direct")],
            tier: Tier::Format,
            source: "Mesa 25.0, ir3, category 4",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983).fract-half-radians")],
            tier: Tier::Format,
            source: "Mesa 25.0, ir3, ir3_nir_trig.py: fract(x / (2 pi) + 1/2) * 2 pi - pi",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, ir3: lower_fdiv",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq", "exp2"],
            set: &[("accuracy", "2^-22")],
            tier: Tier::Bounded,
            source: "Vulkan, precision of SPIR-V operations: 2.5 ulp for division, 2 ulp for inverse square roots, \
                     3 ulp and more for exp2, tightened to a power of two; a conformant driver maps the function to \
                     one instruction",
        },
        Row {
            slots: FP32,
            ops: &["log2"],
            set: &[("accuracy", "2^-22:0")],
            tier: Tier::Bounded,
            source: "Vulkan, precision of SPIR-V operations: 3 ulp, 2^-21 absolute from 1/2 to 2; a conformant \
                     driver maps it to one instruction",
        },
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("accuracy", "2^-11abs<=3.1415927")],
            tier: Tier::Bounded,
            source: "Vulkan, precision of SPIR-V operations: 2^-11 absolute in -pi to pi; nothing is promised \
                     beyond",
        },
    ],
};
