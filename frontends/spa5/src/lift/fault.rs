//! Accesses outside of memory. Hardware stops at one. A lane notes its first one and goes on, as if the caller had asked for `robust`;
//! the kernel reports at its end what each lane has noted.

use super::Ctx;
use super::global::Address;
use crate::op::Op as Instruction;
use parallax_core::{EntityRef, OpKind, SourceId, ValueId};
use parallax_lift::{Deferred, FAULT, Fault, Lifter, VarId};
use parallax_num::Op;

/// Where a lane notes its first fault: the words that [`Fault::of_words`] reads.
#[derive(Copy, Clone, Debug)]
pub(super) struct Report(VarId);

impl Report {
    const WORDS: u32 = 3;

    pub(super) fn new(l: &mut Lifter<'_>) -> Report {
        let first = l.add_variables(Report::WORDS);
        (0..Report::WORDS).for_each(|n| l.set(first.offset(n), Deferred::word(0)));
        Report(first)
    }
}

/// How many bytes there are.
#[derive(Copy, Clone)]
pub(super) enum Size {
    Bytes(u32),
    Buffer(u16),
}

/// Memory that an access may go to.
#[derive(Copy, Clone)]
pub(super) struct Room {
    /// Whether it is meant; `None` if nothing else can be.
    pub(super) is_it: Option<ValueId>,
    /// Where in it the access begins.
    pub(super) at: ValueId,
    pub(super) size: Size,
}

/// Whether an instruction accesses memory at addresses that may be outside.
pub(super) fn may_fault(op: Instruction) -> bool {
    use Instruction::*;
    matches!(op, Ld | St | Ldg | Stg | Lds | Sts | Atom | AtomCas | Atoms | AtomsCas | Red)
}

impl Ctx<'_, '_> {
    /// Notes an access of so many bytes at an address by lanes in which it is in none of these.
    pub(super) fn note_fault(&mut self, address: Address, bytes: u32, rooms: &[Room]) {
        let Some(Report(noted)) = self.memories.fault else { return };
        let inside: Vec<ValueId> = rooms.iter().map(|room| self.is_in(room, bytes)).collect();
        let inside = inside.into_iter().reduce(|all, one| self.l.b.int(Op::Por, &[all, one]));
        let inside = inside.unwrap_or_else(|| self.l.b.pred(false));
        let outside = self.l.b.int(Op::Pnot, &[inside]);
        let outside = self.both(self.guard, outside);
        // Hardly any lane has one: nobody takes the branch.
        self.l.begin_if(outside);
        let (before, zero) = (self.l.read_bits(noted), self.lit(0));
        let is_first = self.l.b.int(Op::Ieq, &[before, zero]);
        let first = self.lit(Fault::first_word(SourceId::new(self.current), bytes, address.high.is_none()));
        let words = [first, address.low, address.high.unwrap_or(zero)];
        for (n, word) in (0..).zip(words) {
            self.l.set_if(is_first, noted.offset(n), word);
        }
        self.l.end_if();
    }

    /// Whether all bytes of an access are in memory. Of those of more than a word, the first stands at a multiple of their number.
    fn is_in(&mut self, room: &Room, bytes: u32) -> ValueId {
        let size = match room.size {
            Size::Bytes(bytes) => self.lit(bytes),
            Size::Buffer(buffer) => self.l.b.value(OpKind::BufferSize { buffer }, None, &[]),
        };
        let mut last = room.at;
        if bytes > 4 {
            let behind = self.lit(bytes - 4);
            last = self.l.b.int(Op::Ior, &[last, behind]);
        }
        let is_inside = self.l.b.int(Op::Ult, &[last, size]);
        self.both(room.is_it, is_inside)
    }

    /// Reports what each lane has noted.
    pub(super) fn report_fault(&mut self) {
        let Some(Report(noted)) = self.memories.fault else { return };
        let [first, low, high] = [0, 1, 2].map(|n| Some(self.l.read_bits(noted.offset(n)).into()));
        self.l.watch(FAULT, [first, low, high, None]);
    }
}
