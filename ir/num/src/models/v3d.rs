//! `v3d`: Broadcom VideoCore VI and VII (Raspberry Pi 4, 5).

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "v3d",
    title: "Broadcom VideoCore VI and VII (Raspberry Pi 4, 5)",
    about: "The opposite of vc4: nearest even, denormals, -0 and NaN kept; unfused multiply-adds; one instruction \
            per function, without correction steps.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("round", "rne")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: nearest even only",
        },
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: preserve true, flush false",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["compare"],
            set: &[("nan_compare", "unordered")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: NaN, infinities and signed zeros preserved",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "separate")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: lower_ffma16 and lower_ffma32",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "false")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: lower_ffma16 and lower_ffma32",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "log2", "nrm"],
            set: &[("rsq", "direct"), ("log2", "direct")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: one instruction, no correction step",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "half-turns(3ea2f983).rint")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv, nir_to_vir.c: x / pi less its nearest integer, the sign by \
                     its parity",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: lower_fpow",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: lower_fdiv",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, v3d compiler and v3dv: min and max before 7.1, an unpack modifier after",
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
