//! `nv40`: the NV40/RSX fragment unit behind its microcode.

use super::{Builtin, EVERY_OP, EVERY_SLOT, Row};
use crate::{Decl, Tier};

pub(super) const MODEL: Builtin = Builtin {
    name: "nv40",
    title: "NV40 / RSX fragment unit",
    about: "What is known of the unit behind NV40 microcode: the formats of NV_fragment_program, a second fixed format 0.8, \
            a saturate that turns NaN into 0 and an RSQ that ignores the sign. No vendor document fixes its rounding.",
    inherits: Some("nvfp"),
    definition: false,
    inherited: Some(Tier::Assumed),
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Format,
            source: "RPCS3, remarks on hardware tests in the RSX fragment program decompiler: saturate turns NaN into 0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Format,
            source: "RPCS3, remarks on hardware tests in the RSX fragment program decompiler: RSQ ignores the sign, RSQ(0) is infinity",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["log2"],
            set: &[("log_negative", "nan")],
            tier: Tier::Format,
            source: "RPCS3, remarks on hardware tests in the RSX fragment program decompiler: LG2 of a negative number is NaN",
        },
        Row {
            slots: &[Decl::Fx9],
            ops: EVERY_OP,
            set: &[("format", "fx9")],
            tier: Tier::Format,
            source: "RPCS3 and the nouveau NV40 header, precision 3: fixed point 0.8",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.y", "lit.z"],
            set: &[("lit_clamp", "127.99609375"), ("lit_zero_pow_zero", "true")],
            tier: Tier::Assumed,
            source: "US patent 7136070, LIT, taken for its successor",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("scale_once", "true")],
            tier: Tier::Assumed,
            source: "nouveau NV40 header, result scale: the field exists; where it rounds is unknown",
        },
    ],
};
