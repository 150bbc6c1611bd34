//! `intel-gen9`: Intel Gen8 and Gen9 graphics, IEEE mode.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP32_FP64, FP64, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "intel-gen9",
    title: "Intel Gen8 and Gen9 graphics, IEEE mode",
    about: "IEEE arithmetic with denormals flushed by default, kept in half; fused multiply-adds; a LRP \
            instruction; the math unit has coarse bounds, and before Kaby Lake its cosine exceeds 1 by 2.7e-5.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Exact,
            source: "Intel vISA reference, data types",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Exact,
            source: "Intel vISA reference, data types",
        },
        Row {
            slots: FP64,
            ops: EVERY_OP,
            set: &[("format", "f64")],
            tier: Tier::Exact,
            source: "Intel vISA reference, data types",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("round", "rne")],
            tier: Tier::Exact,
            source: "Intel vISA reference, control register: nearest even by default",
        },
        Row {
            slots: FP32_FP64,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Format,
            source: "Mesa 25.0, intel compiler, brw_fs_nir.cpp: the default float controls clear the preserve \
                     bits; Intel vISA reference",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa 25.0, anv_physical_device.c, which quotes the Kaby Lake manual; the vISA reference says \
                     flushed",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("overflow", "ieee")],
            tier: Tier::Exact,
            source: "Intel vISA reference, IEEE mode",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad", "dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("mad", "fused"), ("dot_fused", "true")],
            tier: Tier::Format,
            source: "Mesa 25.0, intel compiler, brw_fs_nir.cpp: ffma becomes MAD, which NIR lets round once",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lrp"],
            set: &[("lrp", "a*b+(1-a)*c")],
            tier: Tier::Format,
            source: "Intel vISA reference, LRP, Gen6 to Gen9: the rounding of its steps is not published",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Exact,
            source: "Intel vISA reference, min and max: two NaN give the second operand",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Exact,
            source: "Intel vISA reference, saturation",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Exact,
            source: "Intel vISA reference, float to integer: NaN gives 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["compare"],
            set: &[("nan_compare", "unordered")],
            tier: Tier::Format,
            source: "Direct3D 11.3 specification, 3.1.3.1, which the chip conforms to",
        },
        Row {
            slots: FP32,
            ops: &["rcp"],
            set: &[("accuracy", "1ulp")],
            tier: Tier::Bounded,
            source: "Intel ESIMD, sycl_esimd_math_ext, inv: 1 ulp",
        },
        Row {
            slots: FP32,
            ops: &["exp2", "sqrt", "rsq"],
            set: &[("accuracy", "4ulp")],
            tier: Tier::Bounded,
            source: "Intel ESIMD, sycl_esimd_math_ext, exp2, sqrt, rsqrt: 4 ulp",
        },
        Row {
            slots: FP32,
            ops: &["log2"],
            set: &[("accuracy", "2^-21rel:0")],
            tier: Tier::Bounded,
            source: "Intel ESIMD, sycl_esimd_math_ext, log2: 2^-21 absolute from 1/2 to 2, relative beyond",
        },
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("accuracy", "0.0008abs<=102941.0")],
            tier: Tier::Bounded,
            source: "Intel ESIMD, sycl_esimd_math_ext, sin and cos: 0.0008 absolute in +-32767 pi; Mesa 25.0, \
                     brw_nir_trig_workarounds.py, saw 1.000027 before Kaby Lake",
        },
    ],
};
