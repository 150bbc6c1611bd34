//! Inputs of the shader, and what the rasteriser knows.

use crate::operand::*;

rows! {
    "IPA" Ipa, "{guard}IPA{mode}{location}{sat} {d}, {attribute}, {b}{c}{predicate}", "An interpolated input.",
        [GUARD, IPA_MODE, IPA_LOCATION, SAT_51, RESULT, ATTRIBUTE, SECOND_REGISTER_ONCE, THIRD_REGISTER_OPTIONAL, IPA_PREDICATE] { "" word(0xff0000400000ff00, 0xe00000000000ff00) [Observed "section 8"]; }
    "IPA" Ipa, "{guard}IPA.IDX{mode}{location}{sat} {d}, {attribute}, {b}{c}, {predicate}", "An interpolated input, addressed by a register.",
        [GUARD, IPA_MODE, IPA_LOCATION, SAT_51, RESULT, ATTRIBUTE_INDEXED, SECOND_REGISTER_ONCE, THIRD_REGISTER_OPTIONAL, IPA_PREDICATE_ALWAYS] { "indexed" word(0xff00004000000000, 0xe000004000000000) [Observed "section 8"]; }
    "PIXLD" Pixld, "{guard}PIXLD{mode} {d}{pd}{address}", "What the rasteriser knows of the pixel and its samples.",
        [GUARD, PIXLD_MODE, RESULT, PIXLD_PREDICATE_RESULT, PIXLD_ADDRESS] { "" top(0xfff8, 0xefe8) [Documented "section 2"]; }
    "KIL" Kil, "{guard}KIL{test}", "The lane becomes a helper: it goes on, but its outputs are dropped.",
        [GUARD, TEST_0] { "" top(0xfff0, 0xe330); }
}
