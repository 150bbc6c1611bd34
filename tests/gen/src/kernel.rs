//! What kernels have besides what all shaders have.

use crate::body::Gen;
use crate::body::TYPES;
use parallax_core::{Access, OpKind, Reduction, Scan, SysVal, Type, ValueId};
use parallax_num::Op;

/// Words of the memory of a workgroup.
pub(crate) const SHARED_WORDS: u32 = 40;

impl Gen<'_, '_> {
    /// Memory, barriers, and loops and branches that all invocations take alike, so that barriers may stand in them.
    pub(crate) fn kernel_statement(&mut self) {
        const DEEPEST: usize = 3;
        match self.c.below(if self.exchanges { 14 } else { 10 }) {
            0..4 => self.memory(),
            4 => {
                let address = self.own_address();
                let (buffer, value) = (self.c.below(3) as u16, self.value(Type::I32));
                self.b.op(OpKind::BufferStore { buffer, atomic: false }, None, &[address, value], &[]);
            }
            5 => {
                let address = self.own_address();
                let load = OpKind::BufferLoad { buffer: self.c.below(3) as u16, access: Access::Word };
                let value = self.b.value(load, None, &[address]);
                self.scope.push(value);
            }
            6 if self.depth < DEEPEST => self.uniform_loop(),
            7 if self.depth < DEEPEST => self.uniform_branch(),
            10.. => self.exchange(),
            // In a branch that some take it is an error, which engines find alike.
            _ if self.depth == 0 || self.c.once_in(8) => {
                self.b.op(OpKind::Barrier, None, &[], &[]);
            }
            _ => self.memory(),
        }
    }

    /// Something that lanes of a subgroup exchange.
    fn exchange(&mut self) {
        let value = match self.c.below(6) {
            5 => {
                self.b.op(OpKind::GroupBarrier, None, &[], &[]);
                return;
            }
            0 => {
                let (ty, lane) = (self.c.one(&TYPES), self.value(Type::I32));
                let (value, most) = (self.value(ty), self.b.i32(self.c.one(&[3, 15, 63, 255])));
                let lane = self.b.int(Op::Iand, &[lane, most]);
                self.b.value(OpKind::GroupShuffle, None, &[value, lane])
            }
            1 => {
                let pred = self.value(Type::Pred);
                self.b.value(OpKind::GroupBallot { word: self.c.below(4) as u8 }, None, &[pred])
            }
            2 => self.b.read_bits(OpKind::Sys(self.c.one(&[SysVal::SubgroupLane, SysVal::SubgroupSize])), &[]),
            3 => {
                // A neighbour.
                let lane = self.b.read_bits(OpKind::Sys(SysVal::SubgroupLane), &[]);
                let (value, distance) = (self.value(Type::I32), self.b.i32(1 << self.c.below(6)));
                let lane = self.b.int(Op::Ixor, &[lane, distance]);
                self.b.value(OpKind::GroupShuffle, None, &[value, lane])
            }
            _ => {
                let op = self.c.one(&[Op::Iadd, Op::Ixor, Op::Umax]);
                let (held, start) = (self.value(Type::I32), self.value(Type::I32));
                let cluster = self.c.one(&[0, 0, 4, 8]);
                let reduction = Reduction { op, scan: self.c.one(&Scan::ALL), cluster };
                self.b.value(OpKind::GroupReduce(reduction), None, &[held, start])
            }
        };
        self.scope.push(value);
    }

    /// An address that most invocations of a row have alone, or all of them if they are to be apart.
    pub(crate) fn own_address(&mut self) -> ValueId {
        let lane = self.b.read_bits(OpKind::Sys(SysVal::LocalX), &[]);
        let words = self.c.below(3) as u32;
        let (shift, more) = (self.b.i32(if self.apart { 4 } else { 2 }), self.b.i32(4 * words));
        let bytes = self.b.int(Op::Shl, &[lane, shift]);
        self.b.int(Op::Iadd, &[bytes, more])
    }

    /// A few statements, once or more often, with a barrier.
    fn uniform_loop(&mut self) {
        let zero = self.b.i32(0);
        let (op, regions) = self.open(OpKind::Loop, &[zero], 1, &[]);
        let number = self.b.func.add_param(regions[0], Type::I32);
        let most = self.c.below(4) as u32;
        self.fill(regions[0], |g| {
            g.scope.push(number);
            if !g.c.once_in(3) {
                g.b.op(OpKind::Barrier, None, &[], &[]);
                g.statement();
            }
            let (one, most) = (g.b.i32(1), g.b.i32(most));
            let next = g.b.int(Op::Iadd, &[number, one]);
            let more = g.b.int(Op::Ilt, &[number, most]);
            let (_, arms) = g.open(OpKind::If, &[more], 2, &[]);
            for (arm, kind) in arms.into_iter().zip([OpKind::Yield, OpKind::Break(op)]) {
                let outer = g.b.switch_to(arm);
                g.b.op(kind, None, &[], &[]);
                g.b.switch_to(outer);
            }
            g.b.op(OpKind::Continue(op), None, &[next], &[]);
        });
    }

    /// Statements with a barrier that all invocations of a workgroup reach, or none does.
    fn uniform_branch(&mut self) {
        let group = self.b.read_bits(OpKind::Sys(SysVal::GroupX), &[]);
        let number = self.c.below(4) as u32;
        let number = self.b.i32(number);
        let pred = self.b.int(Op::Ilt, &[group, number]);
        let (_, arms) = self.open(OpKind::If, &[pred], 2, &[]);
        for arm in arms {
            self.fill(arm, |g| {
                if g.c.once_in(2) {
                    g.b.op(OpKind::Barrier, None, &[], &[]);
                    g.memory();
                }
                g.b.op(OpKind::Yield, None, &[], &[]);
            });
        }
    }
}
