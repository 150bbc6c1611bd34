//! `fermi`: NVIDIA Fermi and Kepler (sm_20 to sm_37).

use super::{Builtin, EVERY_SLOT, FP32, Row};
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
        Row {
            slots: FP32,
            ops: &["rcp"],
            set: &[("accuracy", "1ulp"), ("unit", "none")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, rcp.approx: 1 ulp",
        },
        Row {
            slots: FP32,
            ops: &["rsq"],
            set: &[("accuracy", "2^-22.9rel"), ("unit", "none")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, rsqrt.approx: relative error 2^-22.9",
        },
        Row {
            slots: FP32,
            ops: &["exp2", "exp2.part"],
            set: &[("accuracy", "2^-22rel"), ("unit", "none")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, ex2.approx: relative error 2^-22",
        },
        Row {
            slots: FP32,
            ops: &["log2", "log2.part"],
            set: &[("accuracy", "2^-22rel:0"), ("unit", "none")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, lg2.approx: absolute error 2^-22 from 1/2 to 2, relative beyond",
        },
        Row {
            slots: FP32,
            ops: &["sin", "cos"],
            set: &[("accuracy", "2^-20.5abs<=6.2831855;2^-14.7abs<=314.15927"), ("unit", "none")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, sin.approx and cos.approx: absolute error 2^-20.5 in +-2 pi, 2^-14.7 in +-100 \
                     pi",
        },
        Row {
            slots: FP32,
            ops: &["sqrt"],
            set: &[("unit", "none")],
            tier: Tier::Bounded,
            source: "PTX ISA manual, sqrt.approx; the compiler emits two functions",
        },
        Row {
            slots: FP32,
            ops: &["pow", "nrm"],
            set: &[("unit", "none")],
            tier: Tier::Assumed,
            source: "the unit of this chip is not known to the bit",
        },
    ],
};
