//! Scheduling, barriers and traps.

use crate::operand::*;

rows! {
    "NOP" Nop, "{guard}NOP{trigger}{test}", "Nothing.",
        [GUARD, TRIG_13, NOP_OPERANDS] { "" top(0xfff8, 0x50b0); }
    "DEPBAR" Depbar, "{guard}DEPBAR.LE {barrier}, {count}{set}", "Waits for barriers; no effect on results.",
        [GUARD, SCOREBOARD_26, COUNT_20, BARRIERS_0] { ".LE" word(0xfff8000020000000, 0xf0f0000020000000); }
    "DEPBAR" Depbar, "{guard}DEPBAR{set}", "Waits for barriers; no effect on results.",
        [GUARD, BARRIERS_0_ALONE] { "" word(0xfff8000020000000, 0xf0f0000000000000) [Assumed "section 5"]; }
    "BAR" Bar, "{guard}BAR.SYNC {barrier}{b}", "Waits until all threads of the group are here.",
        [GUARD, BARRIER, SECOND] {
            "SYNC.II" word(0xfff81f8700000000, 0xf0a81b8000000000), BARRIER = BARRIER_NUMBER_8, SECOND = BARRIER_THREADS_20;
            "SYNC.IR" word(0xfff81f8700000000, 0xf0a8138000000000), BARRIER = BARRIER_NUMBER_8, SECOND = BARRIER_THREADS_REGISTER;
            "SYNC.RI" word(0xfff81f8700000000, 0xf0a80b8000000000), BARRIER = BARRIER_REGISTER, SECOND = BARRIER_THREADS_20;
            "SYNC.RR" word(0xfff81f8700000000, 0xf0a8038000000000), BARRIER = BARRIER_REGISTER, SECOND = BARRIER_THREADS_REGISTER;
        }
    "BAR" "barriers at which nobody waits are not executed: threads that only arrive go on at once", "{guard}BAR.ARV {barrier}{b}", "Tells that a thread is here.",
        [GUARD, BARRIER, SECOND] {
            "ARV.II" word(0xfff81f8700000000, 0xf0a81b8100000000), BARRIER = BARRIER_NUMBER_8, SECOND = BARRIER_THREADS_20_ALWAYS;
            "ARV.IR" word(0xfff81f8700000000, 0xf0a8138100000000), BARRIER = BARRIER_NUMBER_8, SECOND = BARRIER_THREADS_REGISTER;
            "ARV.RI" word(0xfff81f8700000000, 0xf0a80b8100000000), BARRIER = BARRIER_REGISTER, SECOND = BARRIER_THREADS_20_ALWAYS;
            "ARV.RR" word(0xfff81f8700000000, 0xf0a8038100000000), BARRIER = BARRIER_REGISTER, SECOND = BARRIER_THREADS_REGISTER;
        }
    "BAR" BarRed, "{guard}BAR.RED{mode} {barrier}{pc}", "Waits, and combines a predicate of all threads.",
        [GUARD, BARRIER_REDUCTION_35, BARRIER, THREADS_AND_PREDICATE] {
            "RED.II" word(0xfff8180700000000, 0xf0a8180200000000), BARRIER = BARRIER_NUMBER_8;
            "RED.RI" word(0xfff8180700000000, 0xf0a8080200000000), BARRIER = BARRIER_REGISTER;
        }
    "BAR" BarRed, "{guard}BAR.RED{mode} {barrier}{b}, {pc}", "Waits, and combines a predicate of all threads.",
        [GUARD, BARRIER_REDUCTION_35, BARRIER, BARRIER_THREADS_REGISTER, LAST_PREDICATE_39] {
            "RED.IR" word(0xfff8180700000000, 0xf0a8100200000000), BARRIER = BARRIER_NUMBER_8;
            "RED.RR" word(0xfff8180700000000, 0xf0a8000200000000), BARRIER = BARRIER_REGISTER;
        }
    "BAR" "barriers that count the threads before are not executed: their order is undocumented", "{guard}BAR.SCAN {barrier}{b}, {pc}", "Waits, and counts a predicate of the threads before.",
        [GUARD, BARRIER, SECOND, LAST_PREDICATE_39] {
            "SCAN.II" word(0xfff8180700000000, 0xf0a8180300000000), BARRIER = BARRIER_NUMBER_8, SECOND = BARRIER_THREADS_20_ALWAYS;
            "SCAN.IR" word(0xfff8180700000000, 0xf0a8100300000000), BARRIER = BARRIER_NUMBER_8, SECOND = BARRIER_THREADS_REGISTER;
            "SCAN.RI" word(0xfff8180700000000, 0xf0a8080300000000), BARRIER = BARRIER_REGISTER, SECOND = BARRIER_THREADS_20_ALWAYS;
            "SCAN.RR" word(0xfff8180700000000, 0xf0a8000300000000), BARRIER = BARRIER_REGISTER, SECOND = BARRIER_THREADS_REGISTER;
        }
    "B2R" BarResult, "{guard}B2R.RESULT {d}{pd}", "The result of a barrier that combined a predicate.",
        [GUARD, RESULT, BARRIER_PREDICATE_RESULT_45] { "RESULT" word(0xfff800030000ff00, 0xf0b800010000ff00); }
    "B2R" "the state of barriers is undocumented", "{guard}B2R.WARP {d}", "The state of the barriers of a warp.",
        [GUARD, RESULT] { "WARP" word(0xfff800030000ff00, 0xf0b800020000ff00); }
    "B2R" "the state of barriers is undocumented", "{guard}B2R{mode} {d}, {barrier}", "The state of a barrier.",
        [GUARD, B2R_MODE_32, RESULT, BARRIER_NUMBER_8] { "" top(0xfff8, 0xf0b8); }
    "R2B" "the state of barriers is undocumented", "{guard}R2B{mode} {barrier}, {b}", "Sets the state of a barrier.",
        [GUARD, R2B_MODE_32, BARRIER_NUMBER_28, SECOND_REGISTER_ONCE] { "" top(0xfff8, 0xf0c0); }
    "MEMBAR" Membar, "{guard}MEMBAR{level}{invalidate}", "Waits until memory holds what was written.",
        [GUARD, MEMBAR_LEVEL_8, MEMBAR_INVALIDATE_0] { "" top(0xfff8, 0xef98); }
    "BPT" "a trap ends the whole launch, and there is no debugger", "BPT{mode}{imm}", "Stops for a debugger.",
        [TRAP_6, TRAP_CODE_20] { "" top(0xfff0, 0xe3a0); }
    "RAM" "there is no debugger", "RAM", "Restores the active lanes.", [] { "" top(0xfff0, 0xe380); }
    "SAM" "there is no debugger", "SAM", "Saves the active lanes.", [] { "" top(0xfff0, 0xe370); }
}
