//! `volta`: NVIDIA sm_70 to sm_75.

use super::{Builtin, EVERY_OP, FP32, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "volta",
    title: "NVIDIA Volta and Turing (sm_70, sm_75)",
    about: "As pascal, but sin and cos take turns: the angle is multiplied by 1/(2 pi) in binary32, rounded toward zero. Half \
            arithmetic is native, keeps denormals and is fused. Later chips have the same instructions; nobody has compared \
            their bits.",
    inherits: Some("pascal"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("trig", "turns(3e22f983).rtz")],
            tier: Tier::Measured,
            source: "bcarlet/ptx-math, src/ptxm/sincos.c, reduction 70: compared with sm_70 and sm_75 hardware over all inputs; ptxas \
                     emits FMUL.RZ by 3e22f983 before MUFU",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16"), ("round", "rne")],
            tier: Tier::Exact,
            source: "PTX ISA manual, half precision instructions: add, mul, fma round to nearest even only",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "keep"), ("denorm_out", "keep"), ("overflow", "ieee")],
            tier: Tier::Exact,
            source: "PTX ISA manual, half precision instructions: subnormal numbers are supported unless .ftz is given",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("mad", "fused"), ("dot_fused", "true")],
            tier: Tier::Exact,
            source: "PTX ISA manual, half precision fma: one rounding",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Exact,
            source: "PTX ISA manual, half precision instructions, .sat: clamps to 0..1, NaN becomes +0",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("nan_result", "default"), ("nan_bits", "7fffffff")],
            tier: Tier::Format,
            source: "PTX ISA manual, half precision fma.relu: NaN results are the canonical NaN; 7fff",
        },
        Row {
            slots: HALF,
            ops: &["min", "max"],
            set: &[("minmax_nan", "number")],
            tier: Tier::Format,
            source: "azhirnov/as-en, AE/docs/papers/bench: measured on an RTX 2080, half and full precision",
        },
    ],
};
