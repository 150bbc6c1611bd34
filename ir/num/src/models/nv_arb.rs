//! `nv-arb`: ARB_fragment_program with the NV options.

use super::{Builtin, EVERY_OP, EVERY_SLOT, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "nv-arb",
    title: "ARB_fragment_program with NV_fragment_program_option",
    about: "The NV3x unit as ARB_fragment_program shows it: formats and bounds of NV_fragment_program, but RSQ takes the \
            magnitude, LIT clamps its exponent and has 0^0 = 1, MIN and MAX are plain comparisons.",
    inherits: Some("nvfp"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "magnitude")],
            tier: Tier::Exact,
            source: "ARB_fragment_program, section 3.11.5, RSQ: of the absolute value",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-greater")],
            tier: Tier::Exact,
            source: "ARB_fragment_program, section 3.11.5, MIN and MAX: pseudo-code",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.y", "lit.z"],
            set: &[("lit_zero_pow_zero", "true")],
            tier: Tier::Exact,
            source: "ARB_fragment_program, section 3.11.5, LIT: 0^0 = 1",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["lit.y", "lit.z"],
            set: &[("lit_clamp", "127.99609375")],
            tier: Tier::Format,
            source: "ARB_fragment_program, section 3.11.5, LIT: clamped a little below 128; the digits of US patent 7136070, LIT",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "keep"), ("sat_zero", "keep")],
            tier: Tier::Exact,
            source: "ARB_fragment_program, section 3.11.4.3: the clamp compares, so NaN and -0 stay",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Format,
            source: "ARB_fragment_program, section 3.11.5, POW: may be computed as EX2(b * LG2(a))",
        },
    ],
};
