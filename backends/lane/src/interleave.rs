//! Whether two blocks of lanes are interleaved: the code is unrolled by two.
//!
//! A processor sees some hundreds of instructions at a time, and most blocks are longer, so that it waits for their chains of
//! results. Where every instruction stands in the code twice, once for each of two blocks, there are twice as many chains. The
//! blocks share the registers. Where they have too few, values go to memory and back, which costs more than the waiting.

use crate::form::Function;
use crate::lives::Lives;
use crate::scan::Registers;

/// Instructions of the machine below which a processor sees the next block early enough.
const LEAST: u32 = 63;
/// Share of the work at which there may be too few registers.
const CROWDED: (u32, u32) = (1, 8);
/// The same where instructions read an operand from memory as soon as from a register.
const CROWDED_IN_MEMORY: (u32, u32) = (3, 5);

/// Whether a second block pays: jumps would have to be taken by both, lanes that take turns are those of one block, and `registers`, which are those of one of them, should
/// be enough most of the time, besides values that live long.
pub fn pays_to_interleave(function: &Function, registers: Registers<'_>, lives: &Lives) -> bool {
    if !function.arrays.is_empty() || lives.jumps || function.turns.is_some() {
        return false;
    }
    // What lives long goes to memory, where it does no harm.
    let (work, crowded) = lives.crowded(function, registers.vectors.len() as i32 + lives.long);
    // What has no mask registers reads operands from memory instead.
    let (most, of) = if registers.masks.is_none() { CROWDED_IN_MEMORY } else { CROWDED };
    work >= LEAST && crowded * of <= work * most
}
