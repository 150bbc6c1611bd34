//! Constants by register, local and global memory.

use super::top;
use crate::operand::*;
use crate::{Op, Spa5};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) static ROWS: &[Row<Spa5>] = &[
    row!("LDC" "", top(0xfff8, 0xef90), Op::Ldc, Observed, "section 5",
        "{guard}LDC{size}{index} {d}, {address}{control}",
        [GUARD, SIZE_48_LDC, INDEX_MODE_44, D, CONST_ADDRESS, CONTROL_NONE],
        "A constant, addressed by a register."),
    row!("LDG" "", top(0xfff8, 0xeed0), "global memory has no registers to come from", Observed, "section 5",
        "{guard}LDG{e}{cache}{size} {d}, {address}{control}",
        [GUARD, E_45, CACHE_46_LDG, SIZE_48_LDG, D, ADDRESS_24, CONTROL_NONE],
        "A word of global memory."),
    row!("STG" "", top(0xfff8, 0xeed8), "global memory has no registers to come from", Observed, "section 5",
        "{guard}STG{e}{cache}{size} {address}, {d}{control}",
        [GUARD, E_45, CACHE_46_STG, SIZE_48, ADDRESS_24, D, CONTROL_NONE],
        "Writes a word of global memory."),
    row!("LDL" "", top(0xfff8, 0xef40), Op::Ldl, Observed, "section 5",
        "{guard}LDL{cache}{size} {d}, {address}{control}",
        [GUARD, CACHE_44_LDL, SIZE_48, D, ADDRESS_24, CONTROL_NONE],
        "A word of local memory."),
    row!("STL" "", top(0xfff8, 0xef50), Op::Stl, Observed, "section 5",
        "{guard}STL{cache}{size} {address}, {d}{control}",
        [GUARD, CACHE_44_STL, SIZE_48, ADDRESS_24, D, CONTROL_NONE],
        "Writes a word of local memory."),
];
