//! `apple-agx`: Apple G13 (M1).

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_HALF, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "apple-agx",
    title: "Apple G13 (M1)",
    about: "Binary32 without denormals, half with them, everything fused, the best documented mobile unit. Its \
            multiplication is written as fma(a, b, +0) in one description, which would lose the sign of -0; the \
            driver promises it, and IEEE is taken.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row { slots: FP32, ops: EVERY_OP, set: &[("format", "f32")], tier: Tier::Format, source: "dougallj/applegpu" },
        Row { slots: HALF, ops: EVERY_OP, set: &[("format", "f16")], tier: Tier::Format, source: "dougallj/applegpu" },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("round", "rne"), ("overflow", "ieee")],
            tier: Tier::Format,
            source: "dougallj/applegpu, fma.py; Mesa 25.0, hk_physical_device.c",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Format,
            source: "dougallj/applegpu, Float32ToRealWrapper and RoundToFloat32Wrapper: signs kept",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "dougallj/applegpu; Mesa 25.0, hk_physical_device.c",
        },
        Row {
            slots: FP32,
            ops: &["min", "max"],
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa 25.0, asahi compiler: min and max are compare-selects and do not flush",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("tininess", "before-rounding")],
            tier: Tier::Format,
            source: "dougallj/applegpu, f64_to_f32: the exponent is tested before rounding",
        },
        Row {
            slots: FP32_HALF,
            ops: &["mad", "dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("mad", "fused"), ("dot_fused", "true")],
            tier: Tier::Format,
            source: "dougallj/applegpu, fmadd32 and fmadd16; asahi fuses",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("nan_result", "default"), ("nan_bits", "7fc00000")],
            tier: Tier::Format,
            source: "dougallj/applegpu, fma.py: the choice of an emulator, untested",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero"), ("sat_zero", "positive")],
            tier: Tier::Format,
            source: "dougallj/applegpu, saturate64",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number"), ("minmax_zero", "second")],
            tier: Tier::Format,
            source: "dougallj/applegpu: NaN loses; asahi compares and selects, equal zeros give b",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Assumed,
            source: "Mesa 25.0, asahi compiler: truncation; what lies out of range is not said",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, asahi compiler: lower_fpow",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983).fract")],
            tier: Tier::Format,
            source: "dougallj/applegpu; Mesa 25.0, asahi compiler: 4 fract(x / (2 pi)), then two instructions; \
                     here one function",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sqrt"],
            set: &[("sqrt", "a*rsq(a)")],
            tier: Tier::Format,
            source: "Mesa 25.0, asahi compiler: x * rsqrt(x)",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, asahi compiler: lower_fdiv",
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
        Row {
            slots: FP32,
            ops: &["rcp"],
            set: &[("accuracy", "1ulp")],
            tier: Tier::Format,
            source: "Mesa 25.0, asahi compiler, libagx_frcp: sometimes one ulp off, by exhaustive test",
        },
    ],
};
