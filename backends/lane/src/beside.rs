//! Whether two blocks of lanes run side by side.
//!
//! A processor sees some hundreds of instructions at a time, and most blocks are longer, so that it waits for their chains of
//! results. Where every instruction stands in the code twice, once for each of two blocks, there are twice as many chains. The
//! blocks share the registers. Where they have too few, values go to memory and back, which costs more than the waiting.

use crate::form::{Class, Function, Op, RegData};
use crate::scan::Registers;
use crate::schedule::cost;

/// Instructions of the machine below which a processor sees the next block early enough.
const LEAST: u32 = 64;
/// Share of the work at which there may be too few registers.
const CROWDED: (u32, u32) = (1, 8);
/// The same where instructions read an operand from memory as soon as from a register.
const CROWDED_IN_MEMORY: (u32, u32) = (3, 5);

/// A register at a place of the code.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Life {
    /// It is in no vector register.
    Other,
    Dead,
    Live,
}

/// Whether a second block pays: jumps would have to be taken by both, and `registers`, which are those of one of them, should
/// be enough most of the time, beside `long` values that live long ([`long_lives`](crate::long_lives)).
pub fn pays_beside(function: &Function, registers: Registers<'_>, long: i32) -> bool {
    let body = &function.body;
    let jumps = |op: Op| matches!(op, Op::Jump(_) | Op::JumpUnlessAny(_) | Op::JumpIfAny(_));
    if !function.arrays.is_empty() || body.code.iter().any(|inst| jumps(inst.op)) {
        return false;
    }
    // What lives long goes to memory, where it does no harm.
    let room = registers.vectors.len() as i32 + long;
    let is_vector = |data: &RegData| data.source.is_none() && data.class == Class::Vector;
    let fresh = |data: &RegData| if is_vector(data) { Life::Dead } else { Life::Other };
    let mut lives: Vec<Life> = function.regs.iter().map(fresh).collect();
    let (mut live, mut work, mut crowded) = (0, 0, 0);
    // There are no jumps: from behind, what is read lives until it is set.
    for inst in body.code.iter().rev() {
        work += cost(inst.op, function).1;
        crowded += u32::from(live > room);
        let (read, set) = body.parts(inst);
        for &reg in set {
            let life = &mut lives[reg as usize];
            if *life == Life::Live {
                *life = Life::Dead;
                live -= 1;
            }
        }
        for &reg in read {
            let life = &mut lives[reg as usize];
            if *life == Life::Dead {
                *life = Life::Live;
                live += 1;
            }
        }
    }
    // What has no mask registers reads operands from memory instead.
    let (most, of) = if registers.masks.is_none() { CROWDED_IN_MEMORY } else { CROWDED };
    work >= LEAST && crowded * of <= work * most
}
