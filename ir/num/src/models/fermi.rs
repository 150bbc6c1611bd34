//! `fermi`: NVIDIA Fermi and Kepler (sm_20 to sm_37).

use super::{Builtin, EVERY_SLOT, FP32, Row, nv_published};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "fermi",
    title: "NVIDIA Fermi and Kepler (sm_20 to sm_37)",
    about: "As maxwell, but the function unit is known by its published bounds alone, and what graphics drivers \
            set is in force: denormals are flushed unless the program says otherwise.",
    inherits: Some("maxwell"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: &["arith", "compare", "cvt"],
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Format,
            source: "Mesa 25.0, nouveau compiler, nvc0, handleFTZ: what graphics shaders get when the program does \
                     not say",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mad"],
            set: &[("mad", "fused")],
            tier: Tier::Exact,
            source: "PTX ISA manual, mad on sm_20 and up: fma",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["mul", "fma"],
            set: &[("zero_mul", "ieee")],
            tier: Tier::Format,
            source: "Mesa 25.0, nouveau compiler: dnz only in shaders with legacy multiplication",
        },
        Row {
            slots: FP32,
            ops: &["sqrt"],
            set: &[("sqrt", "rcp(rsq(a))")],
            tier: Tier::Format,
            source: "Mesa 25.0, nouveau compiler, handleSQRT; two functions",
        },
        nv_published::RCP,
        nv_published::RSQ,
        nv_published::EXP2,
        nv_published::LOG2,
        nv_published::SIN_COS,
        nv_published::SQRT,
        nv_published::POW_NRM,
    ],
};
