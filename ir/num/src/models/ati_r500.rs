//! `ati-r500`: ATI R500 (X1000) and Xenos.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32_HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "ati-r500",
    title: "ATI R500 (X1000) and Xenos",
    about: "Binary32 with the Direct3D 9 rules: a zero or denormal times anything is +0, denormal results are \
            flushed. With the IEEE bit of US_CONFIG it is ati-r500[zero_mul=ieee]. Two descriptions differ on mad: \
            separate rounding is taken, ati-r500[mad=fused] is the other.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Format,
            source: "Direct3D 11.3 specification, 7.20.2: shader model 3 has 32 bits",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush")],
            tier: Tier::Format,
            source: "R5xx acceleration guide, 8.7, as the Xenia emulator cites it (src/xenia/gpu/ucode.h): zero or \
                     denormal times anything is +0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("denorm_out", "flush"), ("nan_result", "default")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, compiler/radeon_pair_translate.c: the output modifier flushes \
                     denormals and standardises NaN",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max", "cvt"],
            set: &[("denorm_in", "keep"), ("denorm_out", "keep"), ("nan_result", "first")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, compiler/radeon_pair_translate.c: MAX(x, x) without output modifier \
                     copies bits",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mul", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "dst", "nrm"],
            set: &[("zero_mul", "zero")],
            tier: Tier::Exact,
            source: "Mesa 25.0, r300 driver, r300_reg.h, R500_US_CONFIG bit 1; R5xx acceleration guide, 8.7, as \
                     the Xenia emulator cites it (src/xenia/gpu/ucode.h)",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "separate")],
            tier: Tier::Format,
            source: "R5xx acceleration guide, 8.7, as the Xenia emulator cites it (src/xenia/gpu/ucode.h): \
                     multiply-adds appear not to be fused",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "false")],
            tier: Tier::Format,
            source: "R5xx acceleration guide, 8.7, as the Xenia emulator cites it (src/xenia/gpu/ucode.h): \
                     multiply-adds appear not to be fused",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_order", "left-to-right")],
            tier: Tier::Format,
            source: "R5xx acceleration guide, 8.7, as the Xenia emulator cites it (src/xenia/gpu/ucode.h): x, y, \
                     z, w in this order; the exhibit sq_alu of IPR2015-00325 has w first",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-lt-ge")],
            tier: Tier::Format,
            source: "R5xx acceleration guide, 8.7, as the Xenia emulator cites it (src/xenia/gpu/ucode.h): maxs is \
                     a >= b ? a : b, mins a < b ? a : b",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq", "log2", "exp2"],
            set: &[("fixed_points", "unit")],
            tier: Tier::Format,
            source: "R5xx acceleration guide, 8.7, as the Xenia emulator cites it (src/xenia/gpu/ucode.h), kRcp, \
                     kRsq, kLog, kExp: exact at 1 and 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983).fract")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, compiler/r300_nir_algebraic.py: fract(x / (2 pi))",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Format,
            source: "Direct3D 9 assembler reference, rsq: the absolute value is used",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2", "pow"],
            set: &[("log_negative", "magnitude")],
            tier: Tier::Format,
            source: "Direct3D 9 assembler reference, log and pow: the absolute value is used",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Direct3D 9 assembler reference, pow: the allowed expansion",
        },
    ],
};
