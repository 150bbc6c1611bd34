//! `mali-bifrost`: ARM Mali-G31 to G7x (Bifrost, Valhall).

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_HALF, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "mali-bifrost",
    title: "ARM Mali-G31 to G7x (Bifrost, Valhall)",
    about: "Binary32 and half with denormals, fused multiply-adds, a clamp that makes +0 of NaN and -0.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("round", "rne")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h: nearest even by default; Mesa 25.0, \
                     panvk_physical_device.c offers toward zero too",
        },
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h: OpenGL leaves the flush mode off; Mesa \
                     25.0, panvk_physical_device.c",
        },
        Row {
            slots: FP32_HALF,
            ops: &["mad"],
            set: &[("mad", "fused")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h, FMA.f32 and FMA.v2f16: multiplication is \
                     one with an addend of -0",
        },
        Row {
            slots: FP32,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "true")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h: fuse_ffma",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero"), ("sat_zero", "positive")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h, Clamp: NaN and -0 give +0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h: NaN suppressed by default; measured on a \
                     G57 by azhirnov/as-en",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_zero", "ordered")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h, Clamp: -0 is below +0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Format,
            source: "Mesa 25.0, bifrost_compile.c: remark on clamping that is not wanted",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["compare"],
            set: &[("nan_compare", "unordered")],
            tier: Tier::Format,
            source: "Mesa 25.0, panfrost, valhall/ISA.xml and bifrost.h, Condition",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, bifrost_compile.c, bi_fpow_32",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, bifrost_compile.c: lower_fdiv",
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
