//! `amd-terascale`: AMD TeraScale (R600 to Cayman), as Mesa drives it.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32_HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "amd-terascale",
    title: "AMD TeraScale (R600 to Cayman), as Mesa drives it",
    about: "Binary32 with flushed denormals, IEEE products, unfused multiply-adds, quotients through the \
            reciprocal, sines of turns. R600 itself takes radians: \
            amd-terascale[trig=turns(3e22f983).fract-half-radians].",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Exact,
            source: "LLVM AMDGPU, R600Instructions.td: no half arithmetic",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("round", "rne")],
            tier: Tier::Format,
            source: "Mesa 25.0, r600 driver, evergreen_state.c: SINGLE_ROUND nearest even",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Format,
            source: "Mesa 25.0, r600 driver, evergreen_state.c: ALLOW_SINGLE_DENORM_IN and OUT stay clear",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mul", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "dst", "nrm", "div"],
            set: &[("zero_mul", "ieee")],
            tier: Tier::Exact,
            source: "Mesa 25.0, r600 driver, sfn_instr_alu.cpp: MUL_IEEE, MULADD_IEEE, DOT4_IEEE",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "separate")],
            tier: Tier::Format,
            source: "LLVM AMDGPU, R600Instructions.td: MULADD_IEEE is the separately rounded multiply-add; another \
                     instruction is fused",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "false")],
            tier: Tier::Assumed,
            source: "Mesa 25.0, r600 driver, DOT4_IEEE: the rounding of its steps is not published",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Format,
            source: "Mesa 25.0, r600 driver, sfn_instr_alu.cpp: MIN_DX10 and MAX_DX10",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, r600 driver, r600_state.c and evergreen_state.c: DX10_CLAMP for all stages",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "LLVM AMDGPU, R600Instructions.td, DIV_Common; Mesa lowers fdiv",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))"), ("zero_mul", "zero")],
            tier: Tier::Format,
            source: "LLVM AMDGPU, R600Instructions.td, POW_Common: the product is the legacy one, so that x^0 is 1",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2"],
            set: &[("infinite", "largest")],
            tier: Tier::Format,
            source: "Mesa 25.0, r600 driver, sfn: LOG_CLAMPED, log2(0) is the least finite number",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq"],
            set: &[("infinite", "keep")],
            tier: Tier::Format,
            source: "LLVM AMDGPU, R600Instructions.td: RECIP_IEEE; the clamped forms give the largest number",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983).fract-half")],
            tier: Tier::Format,
            source: "Mesa 25.0, r600 driver, sfn_nir_lower_alu.cpp: fract(x / (2 pi) + 1/2) - 1/2 from R700 on",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lrp"],
            set: &[("lrp", "a*(b-c)+c")],
            tier: Tier::Assumed,
            source: "Mesa 25.0, r600 driver: lower_flrp32 only",
        },
    ],
};
