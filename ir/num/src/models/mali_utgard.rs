//! `mali-utgard`: ARM Mali-400 fragment processor.
//! Fewer than eight fields have a source (7).

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32_HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "mali-utgard",
    title: "ARM Mali-400 fragment processor",
    about: "Everything is a 16-bit float: highp has no effect. Multiplication and addition are separate units, \
            sines take turns. Nothing is known of denormals and special values.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Format,
            source: "Mesa 25.0, lima documentation and compiler: FP16 only; constants are half too \
                     (cwabbott0/mali-isa-docs, Utgard-PP.md)",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "separate")],
            tier: Tier::Format,
            source: "cwabbott0/mali-isa-docs, Utgard-PP.md: separate multiply and add units; lima lowers ffma",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["dot2", "dot3", "dot4", "dph", "dp2a", "nrm"],
            set: &[("dot_fused", "false")],
            tier: Tier::Format,
            source: "cwabbott0/mali-isa-docs, Utgard-PP.md: separate multiply and add units",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, lima documentation and compiler: lower_fpow",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq", "log2", "nrm"],
            set: &[("rsq", "direct"), ("log2", "direct")],
            tier: Tier::Format,
            source: "cwabbott0/mali-isa-docs, Utgard-PP.md, control word 14: one instruction each",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983)")],
            tier: Tier::Format,
            source: "cwabbott0/mali-isa-docs, Utgard-PP.md, control word 14; Mesa 25.0, lima documentation and \
                     compiler: the operand is x / (2 pi)",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["div"],
            set: &[("div", "a*rcp(b)")],
            tier: Tier::Format,
            source: "Mesa 25.0, lima documentation and compiler: lower_fdiv",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Assumed,
            source: "cwabbott0/mali-isa-docs, Utgard-PP.md, output modifier 0..1: NaN is not documented",
        },
    ],
};
