//! Loops that count.

use crate::body::{CARRIED, DEPTH, Gen};
use parallax_core::{OpKind, Type, ValueId};
use parallax_num::Op;

impl Gen<'_, '_> {
    /// A few statements again and again, a number of times that is known, with some values carried from one to the next.
    pub(crate) fn counted_loop(&mut self) {
        if self.depth >= DEPTH {
            return;
        }
        let carried: Vec<Type> = (0..self.c.below(3)).map(|_| self.c.one(&CARRIED)).collect();
        let [first, step, most] = [self.c.below(3), 1 + self.c.below(2), self.c.below(7)].map(|n| self.b.i32(n as u32));
        let starts: Vec<ValueId> = carried.iter().map(|&ty| self.value(ty)).collect();
        let initial: Vec<ValueId> = carried.iter().map(|&ty| self.value(ty)).collect();
        let args: Vec<ValueId> = std::iter::once(first).chain(starts).chain(initial).collect();
        let (op, regions) = self.open(OpKind::Loop, &args, 1, &carried);
        let number = self.b.func.add_param(regions[0], Type::I32);
        let params: Vec<ValueId> = carried.iter().map(|&ty| self.b.func.add_param(regions[0], ty)).collect();
        let (visible, last) = (self.scope.len(), self.c.once_in(2));
        self.scope.push(number);
        self.scope.extend(&params);
        self.fill(regions[0], |g| {
            if g.c.once_in(2) {
                g.early_or_late(number);
            }
            let next = g.b.int(Op::Iadd, &[number, step]);
            let more = g.b.int(Op::Ilt, &[next, most]);
            let passed: Vec<ValueId> = carried.iter().map(|&ty| g.value(ty)).collect();
            let (_, arms) = g.open(OpKind::If, &[more], 2, &[]);
            for (arm, is_out) in arms.into_iter().zip([false, true]) {
                let outer = g.b.switch_to(arm);
                match (is_out, last) {
                    (true, _) => g.b.op(OpKind::Break(op), None, &passed, &[]),
                    (false, true) => g.b.op(OpKind::Yield, None, &[], &[]),
                    (false, false) => {
                        let all: Vec<ValueId> = std::iter::once(next).chain(passed.iter().copied()).collect();
                        g.b.op(OpKind::Continue(op), None, &all, &[])
                    }
                };
                g.b.switch_to(outer);
            }
            // Where both arms leave, nobody comes by here.
            let all: Vec<ValueId> = std::iter::once(next).chain(passed).collect();
            g.b.op(OpKind::Continue(op), None, &all, &[]);
        });
        self.scope.truncate(visible);
        self.scope.extend(self.b.func.ops[op].results.iter().copied());
    }

    /// Something that depends on which iteration it is, the number among it.
    fn early_or_late(&mut self, number: ValueId) {
        let most = self.b.i32(self.c.below(5) as u32);
        let is_early = self.b.int(Op::Ilt, &[number, most]);
        let ty = self.c.one(&CARRIED);
        let initial = [number, self.value(ty)];
        let (op, arms) = self.open(OpKind::If, &[[is_early].as_slice(), &initial].concat(), 2, &[Type::I32, ty]);
        for (n, arm) in arms.into_iter().enumerate() {
            self.fill(arm, |g| {
                let more = g.b.i32(n as u32);
                let passed = [g.b.int(Op::Iadd, &[number, more]), g.value(ty)];
                g.b.op(OpKind::Yield, None, &passed, &[]);
            });
        }
        let results = self.b.func.ops[op].results.clone();
        self.scope.extend(results);
    }
}
