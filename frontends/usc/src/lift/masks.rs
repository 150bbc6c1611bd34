//! Conditional groups: mask counts and the execution predicate.

use super::Ctx;
use crate::view::{Name, Source};
use crate::{group::Group, opcode::Opcode, operation::Operation};
use parallax_core::{OpKind, Type, ValueId};
use parallax_num::Op;

impl Ctx<'_, '_> {
    /// CNDST, CNDEF, CNDSM, CNDLT, CNDEND, CNDSETL.B, CNDLPC: from a mask count (0 runs) and a condition the next count and who
    /// runs.
    pub(super) fn conditional(&mut self, group: &Group, operation: &Operation) {
        let condition = operation.get(Name::Condition);
        let count = self.word(group, operation, Source::First);
        let (zero, adjust) = (self.l.b.i32(0), self.l.b.i32(operation.get(Name::Adjustment)));
        let runs = self.l.b.int(Op::Ieq, &[count, zero]);
        let (next, running) = match operation.opcode() {
            Opcode::Cndst => {
                let taken = self.with_condition(condition, runs);
                let more = self.l.b.int(Op::Iadd, &[count, adjust]);
                (self.l.b.select(taken, zero, more), taken)
            }
            Opcode::Cndef => {
                let one = self.l.b.i32(1);
                let innermost = self.l.b.int(Op::Ieq, &[count, one]);
                let taken = self.with_condition(condition, innermost);
                let waiting = self.l.b.select(taken, zero, count);
                let next = self.l.b.select(runs, adjust, waiting);
                let running =
                    if !operation.has(Name::Adjustment) { self.l.b.int(Op::Por, &[runs, taken]) } else { taken };
                (next, running)
            }
            Opcode::Cndsm => {
                let taken = self.with_condition(condition, runs);
                let with = self.word(group, operation, Source::Second);
                let next = self.l.b.select(taken, with, count);
                (next, self.l.b.int(Op::Ieq, &[next, zero]))
            }
            Opcode::Cndlt => self.loop_test(condition, adjust, count, runs),
            Opcode::CndsetlB => {
                let own = self.word(group, operation, Source::Second);
                let first = self.of_first_running(own);
                let other = self.l.b.int(Op::Ine, &[own, first]);
                let skips = self.l.b.int(Op::Pand, &[runs, other]);
                let stays = self.l.b.int(Op::Pxor, &[runs, skips]);
                let one = self.l.b.i32(1);
                (self.l.b.select(skips, one, count), stays)
            }
            Opcode::Cndlpc => {
                // What ran is done, what waited for its turn runs next.
                let [one, two] = [1, 2].map(|n| self.l.b.i32(n));
                let waited = self.l.b.int(Op::Ieq, &[count, one]);
                let kept = self.l.b.select(waited, zero, count);
                (self.l.b.select(runs, two, kept), waited)
            }
            _ => self.leave(adjust, count),
        };
        if let Some(register) = group.output(0) {
            self.write(register, next.into());
        }
        self.set(self.registers.pe, running);
    }

    /// What the first running instance of the quad has; where none runs, what each has itself.
    fn of_first_running(&mut self, value: ValueId) -> ValueId {
        let pe = self.l.read_as(self.registers.pe, Type::Pred);
        let running = self.l.convert(pe, Type::I32);
        let zero = self.l.b.i32(0);
        (0..4).rev().fold(value, |found, lane| {
            let lane = self.l.b.i32(lane);
            let [running, theirs] =
                [running, value].map(|value| self.l.b.value(OpKind::QuadShuffle, None, &[value, lane]));
            let runs = self.l.b.int(Op::Ine, &[running, zero]);
            self.l.b.select(runs, theirs, found)
        })
    }

    /// Condition code: 0 always, 1 p0, 2 never, 3 not p0; together with another predicate.
    fn with_condition(&mut self, code: u32, pred: ValueId) -> ValueId {
        match code & 3 {
            0 => pred,
            2 => self.l.b.pred(false),
            code => {
                let mut p0 = self.l.read_as(self.registers.p0, Type::Pred);
                if code == 3 {
                    p0 = self.l.b.int(Op::Pnot, &[p0]);
                }
                self.l.b.int(Op::Pand, &[p0, pred])
            }
        }
    }

    /// The count less `adjust`, and whether nothing is left of it.
    fn leave(&mut self, adjust: ValueId, count: ValueId) -> (ValueId, ValueId) {
        let zero = self.l.b.i32(0);
        let running = self.l.b.int(Op::Ule, &[count, adjust]);
        let less = self.l.b.int(Op::Isub, &[count, adjust]);
        (self.l.b.select(running, zero, less), running)
    }

    /// The end of a loop: where the condition holds in no running instance of the quad, all leave it and p0 is 0.
    fn loop_test(&mut self, code: u32, adjust: ValueId, count: ValueId, runs: ValueId) -> (ValueId, ValueId) {
        let pe = self.l.read_as(self.registers.pe, Type::Pred);
        let mut goes_on = self.with_condition(code, pe);
        if let Some(guard) = self.guard {
            goes_on = self.l.b.int(Op::Pand, &[goes_on, guard]);
        }
        let any = self.l.b.quad(OpKind::QuadAny, goes_on);
        let (left, leaves) = self.leave(adjust, count);
        // Running instances that do not satisfy the condition wait.
        let stays = self.with_condition(code, runs);
        let waits = self.l.b.int(Op::Pxor, &[runs, stays]);
        let kept = self.l.b.select(waits, adjust, count);
        self.set(self.registers.p0, any);
        (self.l.b.select(any, kept, left), self.l.b.select(any, stays, leaves))
    }
}
