//! What NVIDIA publishes of the function unit of chips whose unit nobody knows to the bit.

use super::{FP32, Row};
use crate::Tier;

pub(super) const RCP: Row = Row {
    slots: FP32,
    ops: &["rcp"],
    set: &[("accuracy", "1ulp"), ("unit", "none")],
    tier: Tier::Bounded,
    source: "PTX ISA manual, rcp.approx: 1 ulp",
};

pub(super) const RSQ: Row = Row {
    slots: FP32,
    ops: &["rsq"],
    set: &[("accuracy", "2^-22.9rel"), ("unit", "none")],
    tier: Tier::Bounded,
    source: "PTX ISA manual, rsqrt.approx: relative error 2^-22.9",
};

pub(super) const EXP2: Row = Row {
    slots: FP32,
    ops: &["exp2", "exp2.part"],
    set: &[("accuracy", "2^-22rel"), ("unit", "none")],
    tier: Tier::Bounded,
    source: "PTX ISA manual, ex2.approx: relative error 2^-22",
};

pub(super) const LOG2: Row = Row {
    slots: FP32,
    ops: &["log2", "log2.part"],
    set: &[("accuracy", "2^-22rel:0"), ("unit", "none")],
    tier: Tier::Bounded,
    source: "PTX ISA manual, lg2.approx: absolute error 2^-22 from 1/2 to 2, relative beyond",
};

pub(super) const SIN_COS: Row = Row {
    slots: FP32,
    ops: &["sin", "cos"],
    set: &[("accuracy", "2^-20.5abs<=6.2831855;2^-14.7abs<=314.15927"), ("unit", "none")],
    tier: Tier::Bounded,
    source: "PTX ISA manual, sin.approx and cos.approx: absolute error 2^-20.5 in +-2 pi, 2^-14.7 in +-100 \
              pi",
};

pub(super) const SQRT: Row = Row {
    slots: FP32,
    ops: &["sqrt"],
    set: &[("unit", "none")],
    tier: Tier::Bounded,
    source: "PTX ISA manual, sqrt.approx; the compiler emits two functions",
};

pub(super) const POW_NRM: Row = Row {
    slots: FP32,
    ops: &["pow", "nrm"],
    set: &[("unit", "none")],
    tier: Tier::Assumed,
    source: "the unit of this chip is not known to the bit",
};
