//! `tgsi-mul-zero-wins`: TGSI under its MUL_ZERO_WINS property.

use super::{Builtin, EVERY_OP, EVERY_SLOT, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "tgsi-mul-zero-wins",
    title: "TGSI with the property MUL_ZERO_WINS",
    about: "As tgsi, but zero times anything is +0 in MUL, MAD, dot products and what is built from them: the arithmetic of \
            Direct3D 9 shaders.",
    inherits: Some("tgsi"),
    definition: false,
    inherited: None,
    rows: &[Row {
        slots: EVERY_SLOT,
        ops: EVERY_OP,
        set: &[("zero_mul", "zero")],
        tier: Tier::Exact,
        source: "TGSI reference 2017, property MUL_ZERO_WINS",
    }],
};
