//! What lives over a stop and is soon computed again is: the frames of turns stay small.
//!
//! Frames of a workgroup are many; what they hold is stored and loaded for each turn, and often does not fit the first cache. Most of
//! it are addresses, which are made of the invocation's place by a few instructions.

use crate::form::{Function, Inst, Op, Part, Reg, Stream};
use crate::liveness::{Live, at_stops, read_next};
use parallax_step::Prim;

/// Most instructions that stand in for a store and a load.
const MOST: u32 = 6;

/// Whether an instruction gives the same wherever it stands, and takes no longer than a load.
fn is_cheap(op: Op) -> bool {
    use Prim::{Add, And, Bits, Const, Eq, Float, Lt, Not, Or, Shl, Shr, Sub, Xor};
    match op {
        Op::System(_) | Op::Turn => true,
        Op::Step(prim, ty, _, Part::Whole) => {
            !ty.is_wide()
                && matches!(prim, Add | And | Bits | Const | Eq | Float | Lt | Not | Or | Shl | Shr | Sub | Xor)
        }
        _ => false,
    }
}

/// Puts instructions behind stops that set again what lives over them and is read before the next one.
pub(crate) fn behind_stops(function: &mut Function) {
    if function.stops == 0 {
        return;
    }
    let live = at_stops(&function.body, &function.regs, function.stops);
    let next = read_next(&function.body, &function.regs, function.stops);
    let made = Made::of(function);
    let code = std::mem::take(&mut function.body);
    let mut body = Stream::with_room(code.code.len());
    for inst in &code.code {
        let (uses, defs) = code.parts(inst);
        body.push(inst.op, uses, defs, inst.origin);
        let Some(number) = inst.op.stop().map(|number| number as usize) else { continue };
        let mut behind = Behind { made: &made, code: &code, live: &live[number], set: Vec::new() };
        let mut again: Vec<Reg> =
            next[number].iter().filter(|&reg| behind.cost(function, reg, MOST).is_some()).collect();
        // What is made of others comes after them.
        again.sort_by_key(|&reg| made.places[reg as usize]);
        for reg in again {
            behind.set_again(function, reg, reg, &mut body);
            behind.set.push(reg);
        }
    }
    function.body = body;
}

/// Of each register that is set once, the number of the instruction.
struct Made {
    places: Vec<Option<usize>>,
}

impl Made {
    fn of(function: &Function) -> Made {
        let mut count = vec![0u32; function.regs.len()];
        let mut places = vec![None; function.regs.len()];
        for (number, inst) in function.body.code.iter().enumerate() {
            for &reg in function.body.defs(inst) {
                count[reg as usize] += 1;
                places[reg as usize] = Some(number);
            }
        }
        for (place, count) in places.iter_mut().zip(count) {
            *place = place.filter(|_| count == 1);
        }
        Made { places }
    }
}

/// What is set again behind a stop.
struct Behind<'a> {
    made: &'a Made,
    code: &'a Stream,
    /// What lives over it.
    live: &'a Live,
    /// What is set again so far.
    set: Vec<Reg>,
}

impl Behind<'_> {
    fn inst(&self, reg: Reg) -> Option<&Inst> {
        self.made.places[reg as usize].map(|number| &self.code.code[number])
    }

    /// Instructions that set a register again; nothing where they would be too many, or not possible.
    fn cost(&self, function: &Function, reg: Reg, most: u32) -> Option<u32> {
        let inst = self.inst(reg).filter(|inst| most > 0 && is_cheap(inst.op))?;
        let mut cost = 1;
        for &arg in self.code.uses(inst) {
            if function.regs[arg as usize].source.is_some() {
                continue;
            }
            match self.cost(function, arg, most - cost) {
                Some(more) => cost += more,
                // What is in the frame and never changes.
                None if self.live.contains(arg) && self.made.places[arg as usize].is_some() => {}
                None => return None,
            }
            if cost > most {
                return None;
            }
        }
        Some(cost)
    }

    /// Sets a register again, under a name.
    fn set_again(&self, function: &mut Function, reg: Reg, name: Reg, body: &mut Stream) {
        let Some(inst) = self.inst(reg) else { return };
        let mut uses = self.code.uses(inst).to_vec();
        for arg in &mut uses {
            let is_there = function.regs[*arg as usize].source.is_some() || self.set.contains(arg);
            if !is_there && self.cost(function, *arg, MOST).is_some() {
                function.regs.push(function.regs[*arg as usize]);
                let own = (function.regs.len() - 1) as Reg;
                self.set_again(function, *arg, own, body);
                *arg = own;
            }
        }
        body.push(inst.op, &uses, &[name], inst.origin);
    }
}
