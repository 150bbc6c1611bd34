//! `mali-midgard`: ARM Mali-T6xx to T8xx.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_HALF, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "mali-midgard",
    title: "ARM Mali-T6xx to T8xx",
    about: "Binary32 and native half, unfused multiply-adds, NaN dropped by min and max, half functions computed \
            in binary32. Nothing is known of denormals.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler: half is native",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["arith"],
            set: &[("round", "rne")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler, midgard.h: the opcodes without suffix",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "separate")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler: lower_ffma16 and lower_ffma32; azhirnov/as-en, AE/docs/papers, \
                     results measured on a Mali-T830",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "false")],
            tier: Tier::Assumed,
            source: "Mesa 25.0, midgard compiler: native dot products exist, their rounding is not known",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler: the other operand; opcodes of their own propagate",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler, midgard_outmod: 0..1 gives +0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Assumed,
            source: "Mesa 25.0, midgard compiler: rounds toward zero; what lies out of range is not said",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "log2", "nrm"],
            set: &[("rsq", "direct"), ("log2", "direct")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler: table instructions",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler: lower_fpow",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "half-turns(3ea2f983)")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler, midgard_nir_algebraic.py: the operand is x / pi",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["compare"],
            set: &[("nan_compare", "unordered")],
            tier: Tier::Format,
            source: "azhirnov/as-en, AE/docs/papers, results measured on a Mali-T830: NaN differs from itself",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler: lower_fdiv",
        },
        Row {
            slots: HALF,
            ops: &["rcp", "rsq", "sqrt", "exp2", "log2", "sin", "cos"],
            set: &[("computed_in", "f32")],
            tier: Tier::Format,
            source: "Mesa 25.0, midgard compiler: the function tables are binary32, results are converted to half",
        },
        Row {
            slots: FP32_HALF,
            ops: &["rcp", "rsq", "exp2"],
            set: &[("accuracy", "2^-22")],
            tier: Tier::Bounded,
            source: "Vulkan, precision of SPIR-V operations: 2.5 ulp for division, 2 ulp for inverse square roots, \
                     3 ulp and more for exp2, tightened to a power of two; a conformant driver maps the function to \
                     one instruction",
        },
        Row {
            slots: FP32_HALF,
            ops: &["log2"],
            set: &[("accuracy", "2^-22:0")],
            tier: Tier::Bounded,
            source: "Vulkan, precision of SPIR-V operations: 3 ulp, 2^-21 absolute from 1/2 to 2; a conformant \
                     driver maps it to one instruction",
        },
        Row {
            slots: FP32_HALF,
            ops: &["sin", "cos"],
            set: &[("accuracy", "2^-11abs<=3.1415927")],
            tier: Tier::Bounded,
            source: "Vulkan, precision of SPIR-V operations: 2^-11 absolute in -pi to pi; nothing is promised \
                     beyond",
        },
    ],
};
