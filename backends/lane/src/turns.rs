//! Which lanes may run together where memory is written or invocations wait for each other.
//!
//! The contract is an order: quad after quad, each to its end or to the next barrier. Code that takes whole blocks of lanes keeps
//! it where nobody can tell the difference: between two barriers, lanes of different quads of a block touch no word in common that
//! one of them changes, unless each lane changes it once, at one place of the code, which happens in the order of lanes, or all
//! changes are of one kind whose order is all the same. What barriers stand in has to be taken by all lanes of the block alike, so
//! that all wait at the same one.
//!
//! A subgroup of no more lanes than a block stands for the quad where it is wider. One of more lanes is several blocks
//! ([`crate::exchange`]).

mod place;
mod range;
mod ways;

use crate::form::Turns;
use parallax_core::{AtomicOp, EntityRef, OpKind};
use parallax_step::{Function as Steps, Kind};
pub(crate) use place::Facts;
use place::Place;
use ways::{Access, Found};

/// Most accesses and barriers that are looked at.
const MOST: usize = 256;

/// Whether the quads of a function run one after the other, or take turns at barriers; whether it reads or changes memory.
pub(crate) fn look(steps: &Steps) -> (bool, bool) {
    let (mut takes_turns, mut has_memory) = (false, false);
    steps.walk(|_, op| {
        if let Kind::Ir(kind) = steps.ops[op as usize].kind {
            takes_turns |= kind.writes_memory() || kind == OpKind::Barrier;
            has_memory |= kind.writes_memory() || matches!(kind, OpKind::BufferLoad { .. });
        }
    });
    (takes_turns, has_memory)
}

/// Which lanes may run together in one that does, of so many neighbours at most.
pub(crate) fn find(steps: &Steps, facts: &Facts, lanes: u32) -> Turns {
    let Some(found) = ways::follow(steps, MOST) else { return Turns::Quads };
    if !facts.barriers_are_uniform(steps) {
        return Turns::Quads;
    }
    let mut turns = Turns::Blocks;
    for together in &found.segments {
        for (n, &a) in together.iter().enumerate() {
            for &b in &together[n..] {
                match conflict(&found, (a, b), facts, lanes) {
                    Conflict::Possible => return Turns::Quads,
                    Conflict::NotInRows => turns = Turns::Rows,
                    Conflict::None => {}
                }
            }
        }
    }
    turns
}

/// Whether it is all the same in which order one kind of change is made.
fn commutes(op: AtomicOp) -> bool {
    use AtomicOp::{Add, And, MaxI, MaxU, MinI, MinU, Or, Xor};
    matches!(op, Add | MinU | MaxU | MinI | MaxI | And | Or | Xor)
}

/// Whether two accesses between the same barriers may be of one word, in lanes of different quads.
enum Conflict {
    None,
    /// None where lanes are neighbours along x.
    NotInRows,
    Possible,
}

fn conflict(found: &Found, (a, b): (usize, usize), facts: &Facts, lanes: u32) -> Conflict {
    let (first, second) = (&found.accesses[a], &found.accesses[b]);
    let reads = |access: &Access| !access.kind.writes_memory();
    if first.buffer != second.buffer || reads(first) && reads(second) || a == b && !found.repeated[a] {
        return Conflict::None;
    }
    if let (OpKind::Atomic { op: one, .. }, OpKind::Atomic { op: other, .. }) = (first.kind, second.kind)
        && one == other
        && commutes(one)
        && !facts.is_read(first.result)
        && !facts.is_read(second.result)
    {
        return Conflict::None;
    }
    let places = [first, second].map(|access| access.address.and_then(|address| facts.place(address)));
    match places {
        [Some(a), Some(b)] if Place::are_apart(a, b, lanes) => Conflict::NotInRows,
        _ => Conflict::Possible,
    }
}

/// Whether all lanes of a workgroup take control flow alike.
struct Alike {
    /// What barriers stand in.
    barriers: bool,
    /// All loops.
    loops: bool,
    /// Whether a barrier stands in a loop.
    waits_in_loop: bool,
}

impl Facts {
    /// Whether all lanes of a workgroup take what barriers stand in alike.
    fn barriers_are_uniform(&self, steps: &Steps) -> bool {
        let alike = self.alike(steps);
        // Lanes that run out of fuel, in whatever loop, leave each loop from then on by themselves.
        alike.barriers && (!alike.waits_in_loop || alike.loops)
    }

    /// Whether all lanes of a workgroup take all loops alike.
    pub(crate) fn loops_are_uniform(&self, steps: &Steps) -> bool {
        self.alike(steps).loops
    }

    fn alike(&self, steps: &Steps) -> Alike {
        let is = |number: u32, kind: OpKind| steps.ops[number as usize].kind == Kind::Ir(kind);
        let mut alike = Alike { barriers: true, loops: true, waits_in_loop: false };
        let mut open = vec![(steps.body, 0usize, None)];
        // Ops with regions around the one that is looked at.
        while let Some((region, at, owner)) = open.pop() {
            let Some(&number) = steps.regions[region as usize].ops.get(at) else { continue };
            open.push((region, at + 1, owner));
            let around = || open.iter().filter_map(|&(.., owner)| owner);
            if is(number, OpKind::Barrier) {
                alike.barriers &= around().all(|owner| self.is_taken_alike(owner));
                alike.waits_in_loop |= around().any(|owner| is(owner, OpKind::Loop));
            } else if is(number, OpKind::Loop) {
                alike.loops &= around().chain([number]).all(|op| self.is_taken_alike(op));
            }
            for inner in steps.ops[number as usize].regions() {
                // One after the other, so that what is open is what is around.
                open.push((inner, 0, Some(number)));
            }
        }
        alike
    }
}

/// The op that a `break` or `continue` aims at.
fn target(kind: &Kind) -> Option<u32> {
    match kind {
        Kind::Ir(OpKind::Break(target) | OpKind::Continue(target)) => Some(target.index() as u32),
        _ => None,
    }
}
