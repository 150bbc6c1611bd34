//! Constants by register, local and global memory.

use crate::operand::*;

rows! {
    "LDC" Ldc, "{guard}LDC{size}{index} {d}, {address}", "A constant, addressed by a register.",
        [GUARD, SIZE_48_LDC, INDEX_MODE_44, RESULT, CONST_ADDRESS] { "" top(0xfff8, 0xef90); }
    "LDG" "global memory has no registers to come from", "{guard}LDG{e}{cache}{size} {d}, {address}", "A word of global memory.",
        [GUARD, E_45, CACHE_46_LDG, SIZE_48_LDG, RESULT, ADDRESS_24] { "" top(0xfff8, 0xeed0); }
    "STG" "global memory has no registers to come from", "{guard}STG{e}{cache}{size} {address}, {d}", "Writes a word of global memory.",
        [GUARD, E_45, CACHE_46_STG, SIZE_48, ADDRESS_24, RESULT] { "" top(0xfff8, 0xeed8); }
    "LDL" Ldl, "{guard}LDL{cache}{size} {d}, {address}", "A word of local memory.",
        [GUARD, CACHE_44_LDL, SIZE_48, RESULT, ADDRESS_24] { "" top(0xfff8, 0xef40); }
    "STL" Stl, "{guard}STL{cache}{size} {address}, {d}", "Writes a word of local memory.",
        [GUARD, CACHE_44_STL, SIZE_48, ADDRESS_24, RESULT] { "" top(0xfff8, 0xef50); }
}
