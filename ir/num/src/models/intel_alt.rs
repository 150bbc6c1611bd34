//! `intel-alt`: Intel graphics, ALT mode (Direct3D 9).

use super::{Builtin, EVERY_OP, FP32, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "intel-alt",
    title: "Intel graphics, ALT mode (Direct3D 9)",
    about: "The alternative mode that OpenGL drivers use for assembly programs and Direct3D 9 drivers always: no \
            infinity, no NaN, no denormals; roots and logarithms take magnitudes; zero times anything is zero.",
    inherits: Some("intel-gen9"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("infinite", "largest"), ("overflow", "largest")],
            tier: Tier::Exact,
            source: "Intel vISA reference, ALT mode: every infinite result becomes the largest number of its sign",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Exact,
            source: "Intel vISA reference, ALT mode: no denormals, NaN or infinities are made",
        },
        Row {
            slots: FP32,
            ops: &["log2", "pow"],
            set: &[("log_negative", "magnitude")],
            tier: Tier::Exact,
            source: "Intel vISA reference, LOG in ALT mode",
        },
        Row {
            slots: FP32,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Exact,
            source: "Intel vISA reference, RSQRT in ALT mode",
        },
        Row {
            slots: FP32,
            ops: &["sqrt"],
            set: &[("sqrt_negative", "magnitude")],
            tier: Tier::Exact,
            source: "Intel vISA reference, SQRT in ALT mode",
        },
        Row {
            slots: FP32,
            ops: &["mul", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "dst", "nrm"],
            set: &[("zero_mul", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, nine_shader.c: Direct3D 9 tests on HD Graphics 4000",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq", "log2"],
            set: &[("infinite", "largest")],
            tier: Tier::Format,
            source: "Mesa 25.0, nine_shader.c: Direct3D 9 tests on HD Graphics 4000",
        },
        Row {
            slots: FP32,
            ops: &["log2", "pow"],
            set: &[("log_special", "ieee;inf=largest-exponent")],
            tier: Tier::Format,
            source: "Mesa 25.0, nine_shader.c: Direct3D 9 tests on HD Graphics 4000: log2 of infinity is 127",
        },
        Row {
            slots: FP32,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-lt-ge")],
            tier: Tier::Assumed,
            source: "Direct3D 9 assembler reference, min and max; not tested",
        },
    ],
};
