//! `amd-gcn`: AMD GCN (GFX6 to GFX9), graphics defaults.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, FP64, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "amd-gcn",
    title: "AMD GCN (GFX6 to GFX9), graphics defaults",
    about: "IEEE arithmetic with flushed binary32 denormals, kept half and binary64 denormals; multiply-adds of \
            graphics shaders round twice; the transcendental unit is within one ulp; quotients go through the \
            reciprocal; sines take turns. On request of the program \
            amd-gcn[fp32.denorm_in=keep,fp32.denorm_out=keep].",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("round", "rne")],
            tier: Tier::Exact,
            source: "CLRX documentation of GCN, GcnState: MODE bits 0 to 3",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32"), ("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, ac_binary.c: MODE bits 4 and 5 are clear by default",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16"), ("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, ac_binary.c: MODE bits 6 and 7 are set",
        },
        Row {
            slots: FP64,
            ops: EVERY_OP,
            set: &[("format", "f64"), ("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, ac_binary.c: MODE bits 6 and 7 are set",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq", "sqrt", "exp2", "log2", "mad"],
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Exact,
            source: "CLRX documentation of GCN: these instructions flush whatever the mode; AMD RDNA3 instruction \
                     set reference",
        },
        Row {
            slots: FP32,
            ops: &["min", "max"],
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, aco_optimizer.cpp: min and max do not flush before GFX9",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "separate")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, radv_shader.c: ffma32 is split below GFX10.3; v_fma gives fused",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "false"), ("dot_order", "left-to-right")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco: a dot product is a chain of scalar operations",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mul", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "dst", "nrm", "div"],
            set: &[("zero_mul", "ieee")],
            tier: Tier::Exact,
            source: "CLRX documentation of GCN; shadPS4, pull request 4310: outputs of a PlayStation 4 (GCN2): 0 * \
                     NaN is NaN; the legacy products give 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))"), ("zero_mul", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, ac_nir.c, lower_fpow: the product is the legacy one, so that x^0 is \
                     1",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Exact,
            source: "shadPS4, pull request 4310: outputs of a PlayStation 4 (GCN2): min and max of 0 and NaN are \
                     0; AMD RDNA3 instruction set reference",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_zero", "ordered")],
            tier: Tier::Format,
            source: "AMD RDNA3 instruction set reference, V_MIN_F32 and V_MAX_F32, taken for its predecessor",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("nan_result", "first")],
            tier: Tier::Format,
            source: "captured instruction results of gfx1200: a signalling NaN is quieted, its payload kept",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("nan_bits", "ffc00000")],
            tier: Tier::Format,
            source: "CLRX documentation of GCN: log, rsq and sqrt below zero give -NaN",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Exact,
            source: "LLVM AMDGPU, SIModeRegisterDefaults.h: DX10Clamp is on by default; with it off NaN stays",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Exact,
            source: "CLRX documentation of GCN, V_CVT_I32_F32 and V_CVT_U32_F32: clamped, NaN gives 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pack.half2"],
            set: &[("round", "rtz"), ("overflow", "ieee")],
            tier: Tier::Exact,
            source: "CLRX documentation of GCN, V_CVT_PKRTZ_F16_F32; AMD RDNA3 instruction set reference",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "sqrt"],
            set: &[("rsq_negative", "nan")],
            tier: Tier::Exact,
            source: "CLRX documentation of GCN; AMD RDNA3 instruction set reference: NaN below zero, -infinity of \
                     -0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2", "pow"],
            set: &[("log_negative", "nan")],
            tier: Tier::Exact,
            source: "CLRX documentation of GCN; AMD RDNA3 instruction set reference: NaN below zero, -infinity of \
                     both zeros",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq", "sqrt", "exp2", "log2"],
            set: &[("accuracy", "1ulp")],
            tier: Tier::Bounded,
            source: "CLRX documentation of GCN, V_RCP_F32: below one ulp; LLVM AMDGPUUsage, exp2 and log2; AMD \
                     RDNA3 instruction set reference",
        },
        Row {
            slots: HALF,
            ops: &["exp2", "log2"],
            set: &[("accuracy", "0.51ulp")],
            tier: Tier::Bounded,
            source: "LLVM AMDGPUUsage, half exp2 and log2: 0.51 ulp",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983).fract")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, ac_nir_lower_sin_cos.c and aco: x * 0.15915494 rounded, then fract \
                     before GFX9",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, ac_nir.c, lower_fdiv",
        },
    ],
};
