//! `d3d9`: The Direct3D 9 rules.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FP32, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "d3d9",
    title: "The Direct3D 9 rules",
    about: "What the assembler reference fixes, with binary32 as shader model 3 asks: a common contract of many \
            chips, not one of them. ps_2 parts may have d3d9[fp32=fp24].",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Format,
            source: "Direct3D 11.3 functional specification, 7.20.2: ps_3 has 32 bits, ps_2 at least s16e7",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Format,
            source: "Direct3D 11.3 functional specification, 7.20.3.1: partial precision has 16 bits",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, rsq",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2", "pow"],
            set: &[("log_negative", "magnitude")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, log and pow",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2"],
            set: &[("infinite", "largest")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, log: -FLT_MAX of 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, pow: exp2(b * log2(abs(a)))",
        },
        Row {
            slots: FP32,
            ops: &["rcp", "rsq"],
            set: &[("accuracy", "2^-21")],
            tier: Tier::Bounded,
            source: "Direct3D 9 assembler reference, rcp and rsq: 2^-22 absolute for operands from 1 to 2 and 1 to \
                     4",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq"],
            set: &[("fixed_points", "unit")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, rcp and rsq: exactly 1 at 1",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.y", "lit.z"],
            set: &[
                ("lit_clamp", "127.99609375"),
                ("lit_keep_nan", "false"),
                ("lit_nan_clamps", "false"),
                ("lit_zero_pow_zero", "zero"),
            ],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, lit: the exponent is clamped to 127.9961, z is 0 where y is \
                     not above 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lrp"],
            set: &[("lrp", "a*b+(1-a)*c")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, lrp; the same as a*(b-c)+c, rounding open",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-lt-ge")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, min: a < b, max: a >= b",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["nrm"],
            set: &[("infinite", "largest")],
            tier: Tier::Exact,
            source: "Direct3D 9 assembler reference, nrm: the factor is the largest number where the sum is 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mul", "mad", "dot2", "dot3", "dot4", "dph", "dp2a", "lrp", "dst", "nrm"],
            set: &[("zero_mul", "zero")],
            tier: Tier::Format,
            source: "Mesa 25.0, nine_shader.c, and the Xenia emulator: what Direct3D 9 games rely on; the \
                     reference is silent",
        },
    ],
};
