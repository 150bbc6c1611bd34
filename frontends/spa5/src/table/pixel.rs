//! Inputs of the shader, and what the rasteriser knows.

use super::{top, word};
use crate::operand::*;
use crate::{Op, Spa5};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) static ROWS: &[Row<Spa5>] = &[
    row!("IPA" "", word(0xff0000400000ff00, 0xe00000000000ff00), Op::Ipa, Observed, "section 8",
        "{guard}IPA{mode}{location}{sat} {d}, {attribute}, {b}{c}{predicate}{control}",
        [GUARD, IPA_MODE, IPA_LOCATION, SAT_51, D, ATTRIBUTE, B, IPA_OFFSET, IPA_PREDICATE, CONTROL_NONE],
        "An interpolated input."),
    row!("IPA" "indexed", word(0xff00004000000000, 0xe000004000000000), Op::Ipa, Observed, "section 8",
        "{guard}IPA.IDX{mode}{location}{sat} {d}, {attribute}, {b}{c}, {predicate}{control}",
        [GUARD, IPA_MODE, IPA_LOCATION, SAT_51, D, ATTRIBUTE_INDEXED, B, IPA_OFFSET, IPA_PREDICATE_ALWAYS, CONTROL_NONE],
        "An interpolated input, addressed by a register."),
    row!("PIXLD" "", top(0xfff8, 0xefe8), Op::Pixld, Documented, "section 2",
        "{guard}PIXLD{mode} {d}{pd}{address}{control}",
        [GUARD, PIXLD_MODE, D, PIXLD_PD, PIXLD_ADDRESS, CONTROL_NONE],
        "What the rasteriser knows of the pixel and its samples."),
    row!("KIL" "", top(0xfff0, 0xe330), Op::Kil, Observed, "section 5",
        "{guard}KIL{test}{control}",
        [GUARD, TEST_0, CONTROL_NONE],
        "The lane becomes a helper: it goes on, but its outputs are dropped."),
];
