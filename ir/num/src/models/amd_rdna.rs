//! `amd-rdna`: AMD RDNA (GFX10.3 up).

use super::{Builtin, EVERY_SLOT, FP32, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "amd-rdna",
    title: "AMD RDNA (GFX10.3 up)",
    about: "As amd-gcn, but multiply-adds are fused, sines need no fract, frac stays below 1 and a NaN subtrahend \
            changes its sign. GFX10.1 multiplies and adds as amd-gcn does.",
    inherits: Some("amd-gcn"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "fused")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco, aco_optimizer.cpp: only the fused form from GFX10.3 on; AMD RDNA3 \
                     instruction set reference, V_FMAC_F32",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "true")],
            tier: Tier::Format,
            source: "Mesa 25.0, radv and aco: contracted to V_FMAC_F32 where contraction is allowed",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq", "sqrt", "exp2", "log2"],
            set: &[("accuracy", "1ulp")],
            tier: Tier::Bounded,
            source: "AMD RDNA3 instruction set reference, V_RCP_F32, V_RSQ_F32, V_SQRT_F32, V_EXP_F32, V_LOG_F32: \
                     1 ulp, denormals flushed",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_zero", "ordered")],
            tier: Tier::Exact,
            source: "AMD RDNA3 instruction set reference, V_MIN_F32 and V_MAX_F32: pseudo-code",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Exact,
            source: "AMD RDNA3 instruction set reference, V_MIN_F32 and V_MAX_F32: a signalling NaN is quieted \
                     first",
        },
        Row {
            slots: FP32,
            ops: &["min", "max"],
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Exact,
            source: "AMD RDNA3 instruction set reference, V_MIN_F32, note: only the mode for operands matters",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad", "fma"],
            set: &[("zero_mul_add", "addend")],
            tier: Tier::Exact,
            source: "AMD RDNA3 instruction set reference, V_FMA_DX9_ZERO_F32: the addend itself, where zero wins",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["frac"],
            set: &[("frac_one", "below")],
            tier: Tier::Exact,
            source: "AMD RDNA3 instruction set reference, V_FRACT_F32: at most 3f7fffff",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983)")],
            tier: Tier::Exact,
            source: "AMD RDNA3 instruction set reference, V_SIN_F32: full range of turns, NaN of infinity; the \
                     constant is Mesa's",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sub"],
            set: &[("sub_nan", "negated")],
            tier: Tier::Format,
            source: "captured instruction results of gfx1200: a - b is a + (-b), NaN too",
        },
    ],
};
