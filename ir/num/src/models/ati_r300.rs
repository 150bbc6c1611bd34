//! `ati-r300`: ATI R300 and R420 fragment unit.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32_HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "ati-r300",
    title: "ATI R300 and R420 fragment unit",
    about: "The first Direct3D 9 unit: every value is a 24-bit float, sums are chopped, denormal results are \
            flushed. Which NaN is the standard one is not known. Products and quotients have the measured error \
            range of the time, of which only its ends are known.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("format", "fp24")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, r300_emit.c, pack_float24: 1.7.16 with bias 63; partial precision is \
                     ignored",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, compiler/radeon_pair_translate.c: the output modifier flushes \
                     denormal results",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("nan_result", "default")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, compiler/radeon_pair_translate.c: NaN values are standardised",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["cvt"],
            set: &[("round", "rtz")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, pack_float24 drops the low fraction bits of constants",
        },
        Row {
            slots: FP32_HALF,
            ops: &["add", "sub", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp"],
            set: &[("round", "rtz")],
            tier: Tier::Format,
            source: "Hillesland and Lastra, GPU Floating-Point Paranoia, GP2 2004: sums err from -1 to 0 ulp",
        },
        Row {
            slots: FP32_HALF,
            ops: &["mul", "dst"],
            set: &[("accuracy", "[-0.99,+0.13]ulp")],
            tier: Tier::Format,
            source: "Hillesland and Lastra, GPU Floating-Point Paranoia, GP2 2004: products err from -0.99 to 0.13 \
                     ulp",
        },
        Row {
            slots: FP32_HALF,
            ops: &["mul", "dst"],
            set: &[("round", "rtz")],
            tier: Tier::Format,
            source: "Hillesland and Lastra, GPU Floating-Point Paranoia, GP2 2004: products are nearly chopped",
        },
        Row {
            slots: FP32_HALF,
            ops: &["div"],
            set: &[("accuracy", "[-2.87,+0.09]ulp")],
            tier: Tier::Format,
            source: "Hillesland and Lastra, GPU Floating-Point Paranoia, GP2 2004: quotients err from -2.87 to \
                     0.09 ulp",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mul", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "dst"],
            set: &[("zero_mul", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, r300 driver, r300_reg.h, US_CONFIG: what R500 calls the legacy mode is all R300 \
                     has",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "separate")],
            tier: Tier::Assumed,
            source: "Mesa 25.0, r300 driver, r300_reg.h: one multiply-add unit with neutral operands; where it \
                     rounds is not said",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a"],
            set: &[("dot_fused", "false")],
            tier: Tier::Assumed,
            source: "Mesa 25.0, r300 driver, r300_reg.h: one multiply-add unit; where it rounds is not said",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-lt-ge")],
            tier: Tier::Format,
            source: "Direct3D 9 assembler reference, min and max: a < b ? a : b and a >= b ? a : b",
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
            source: "Direct3D 9 assembler reference, pow; R300 has EX2 and LG2 and no power",
        },
    ],
};
