//! Instructions that only concern scheduling.

use crate::operand::*;

rows! {
    "NOP" Nop, "{guard}NOP{trigger}{test}", "Nothing.",
        [GUARD, TRIG_13, NOP_OPERANDS] { "" top(0xfff8, 0x50b0); }
    "DEPBAR" Depbar, "{guard}DEPBAR.LE {barrier}, {count}{set}", "Waits for barriers; no effect on results.",
        [GUARD, SCOREBOARD_26, COUNT_20, BARRIERS_0] { ".LE" word(0xfff8000020000000, 0xf0f0000020000000); }
    "DEPBAR" Depbar, "{guard}DEPBAR{set}", "Waits for barriers; no effect on results.",
        [GUARD, BARRIERS_0_ALONE] { "" word(0xfff8000020000000, 0xf0f0000000000000) [Assumed "section 5"]; }
}
