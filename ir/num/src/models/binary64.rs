//! `binary64`: the reference for error measurements.

use super::{Builtin, EVERY_OP, EVERY_SLOT, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "binary64",
    title: "The same shader in binary64",
    about: "Every declared format is computed and kept in binary64, half and fixed point included, so nothing overflows, \
            saturates or loses digits that a narrower format would. The reference for ulp errors. It takes its own decisions: \
            a comparison may fall on the other side than under any real unit.",
    inherits: Some("ieee"),
    definition: true,
    inherited: None,
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("format", "f64")],
            tier: Tier::Exact,
            source: "definition of this model",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["exp2", "log2", "exp2.part", "log2.part", "sin", "cos", "pow", "lit.z"],
            set: &[("accuracy", "correct")],
            tier: Tier::Bounded,
            source: "definition of this model: 0.5 ulp + 2^-50 ulp of binary64, the correctly rounded value in all but very rare \
                     cases",
        },
    ],
};
