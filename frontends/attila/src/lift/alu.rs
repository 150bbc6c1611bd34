//! Arithmetic, comparisons, predicates.

use super::Ctx;
use crate::{Instr, Sem};
use parallax_core::{Axis, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use smallvec::SmallVec;

const ONE: u32 = 0x3f80_0000;
const INFINITY: u32 = 0x7f80_0000;

impl Ctx<'_, '_> {
    /// Lifts one instruction; of a jump only its place.
    pub(super) fn instruction(&mut self, instr: &Instr) {
        let Some(sem) = instr.sem() else { return };
        self.index = None;
        self.guard = None;
        match sem {
            Sem::Nop | Sem::End | Sem::Jump => return,
            _ => self.guard = self.guard_of(instr),
        }
        match sem {
            Sem::Nop | Sem::End | Sem::Jump => {}
            Sem::Move => self.per_component(instr, |ctx, lane| {
                let val = ctx.moved(instr, 0, lane);
                ctx.saturated(instr, val)
            }),
            Sem::Float1(op) => self.lanewise(instr, op, 1),
            Sem::Float2(op) => self.lanewise(instr, op, 2),
            Sem::Float3(op) => self.lanewise(instr, op, 3),
            Sem::Int2(op) => self.per_component(instr, |ctx, lane| {
                let args = [ctx.int(instr, 0, lane), ctx.int(instr, 1, lane)];
                ctx.l.b.int(op, &args).into()
            }),
            Sem::Scalar(op) => {
                let slot = self.slot(instr.dst().saturate);
                let a = self.scalar(instr, 0);
                let value = self.l.b.num(op, slot, &[a]);
                self.broadcast(instr, value.into());
            }
            Sem::Dot(op) => self.dot(instr, op),
            Sem::Dst => self.distance(instr),
            Sem::Exp => self.exp(instr),
            Sem::Log => self.log(instr),
            Sem::Lit => self.lit(instr),
            Sem::Slt => self.set_less(instr, ONE, 0),
            Sem::Sge => self.set_less(instr, 0, ONE),
            Sem::Cmp => {
                self.compare(instr);
            }
            Sem::CmpKill => {
                let chosen = self.compare(instr);
                self.kill_below(&chosen);
            }
            Sem::Arl => self.address(instr),
            Sem::TestFloat(op) => {
                let slot = self.slot(false);
                let args = [self.scalar(instr, 0), self.scalar(instr, 1)];
                let pred = self.l.b.num(op, slot, &args);
                self.write_predicate(instr.predicate_result().0, pred);
            }
            Sem::TestInt(op) => {
                let op = if op == Op::Ilt && self.settings.sim { Op::Ieq } else { op };
                let args = [self.int(instr, 0, 3), self.int(instr, 1, 3)];
                let pred = self.l.b.int(op, &args);
                self.write_predicate(instr.predicate_result().0, pred);
            }
            Sem::TestIntSwapped(op) => {
                let args = [self.int(instr, 1, 3), self.int(instr, 0, 3)];
                let pred = self.l.b.int(op, &args);
                self.write_predicate(instr.predicate_result().0, pred);
            }
            Sem::Andp => {
                let args = [self.boolean(instr, 0), self.boolean(instr, 1)];
                let mut pred = self.l.b.int(Op::Pand, &args);
                let (index, invert) = instr.predicate_result();
                if invert {
                    pred = self.l.b.int(Op::Pnot, &[pred]);
                }
                self.write_predicate(index, pred);
            }
            Sem::Derivative { down } => {
                let slot = self.slot(instr.dst().saturate);
                let axis = if down { Axis::Y } else { Axis::X };
                self.per_component(instr, |ctx, lane| {
                    let value = ctx.float(instr, 0, lane);
                    ctx.l.b.deriv(OpKind::Deriv { axis, fine: true }, slot, value).into()
                });
            }
            Sem::Texture(lookup) => self.texture(instr, lookup),
            Sem::LoadAttribute => self.load_attribute(instr),
            Sem::Kill => self.kill(instr, None),
            Sem::KillSample => self.kill(instr, Some(instr.unit())),
            Sem::ExportDepth => self.export_depth(instr),
            Sem::ExportSampleDepths => self.export_sample_depths(instr),
            Sem::NextSample => self.next_sample(),
            Sem::FixedMul => self.fixed_mul(instr),
            Sem::FixedMad => self.fixed_mad(instr),
            Sem::FixedMadTo => self.fixed_mad_to(instr),
        }
    }

    fn lanewise(&mut self, instr: &Instr, op: Op, sources: usize) {
        let slot = self.slot(instr.dst().saturate);
        self.per_component(instr, |ctx, lane| {
            let a = ctx.float(instr, 0, lane);
            if sources == 1 {
                return ctx.l.b.num(op, slot, &[a]).into();
            }
            let b = ctx.float(instr, 1, lane);
            if sources == 2 {
                return ctx.l.b.num(op, slot, &[a, b]).into();
            }
            let c = ctx.float(instr, 2, lane);
            ctx.l.b.num(op, slot, &[a, b, c]).into()
        });
    }

    pub(super) fn broadcast(&mut self, instr: &Instr, val: Deferred) {
        self.write(&instr.dst(), [Some(val); 4]);
    }

    /// A float literal.
    pub(super) fn literal(&mut self, bits: u32) -> ValueId {
        let word = Deferred::word(bits);
        self.l.force(word, Type::F32)
    }

    fn dot(&mut self, instr: &Instr, op: Op) {
        let slot = self.slot(instr.dst().saturate);
        // DPH has three components of the first source and four of the second.
        let total = op.info().args.len();
        let first = total / 2;
        let mut args: SmallVec<[ValueId; 8]> = (0..first).map(|lane| self.float(instr, 0, lane)).collect();
        args.extend((0..total - first).map(|lane| self.float(instr, 1, lane)).collect::<SmallVec<[ValueId; 4]>>());
        let value = self.l.b.num(op, slot, &args);
        self.broadcast(instr, value.into());
    }

    fn distance(&mut self, instr: &Instr) {
        let slot = self.slot(instr.dst().saturate);
        self.per_component(instr, |ctx, lane| match lane {
            0 => Deferred::word(ONE),
            1 => {
                let args = [ctx.float(instr, 0, 1), ctx.float(instr, 1, 1)];
                ctx.l.b.num(Op::Dst, slot, &args).into()
            }
            _ => {
                let val = ctx.moved(instr, lane - 2, lane);
                ctx.saturated(instr, val)
            }
        });
    }

    fn exp(&mut self, instr: &Instr) {
        let slot = self.slot(instr.dst().saturate);
        self.per_component(instr, |ctx, lane| {
            let op = match lane {
                0 => Op::Exp2Floor,
                1 => Op::Frac,
                2 => Op::Exp2,
                _ => return Deferred::word(ONE),
            };
            let a = ctx.scalar(instr, 0);
            ctx.l.b.num(op, slot, &[a]).into()
        });
    }

    /// x ignores the sign of its operand, y and z do not.
    fn log(&mut self, instr: &Instr) {
        let slot = self.slot(instr.dst().saturate);
        let plain = self.l.plain(Decl::F32);
        self.per_component(instr, |ctx, lane| {
            let op = match lane {
                0 => Op::LogExp,
                1 => {
                    // a / 2^floor(log2 a): exact for positive numbers, else what the steps make of it.
                    let a = ctx.scalar(instr, 0);
                    let (zero, infinity) = (ctx.literal(0), ctx.literal(INFINITY));
                    let above = ctx.l.b.num(Op::FGt, plain, &[a, zero]);
                    let below = ctx.l.b.num(Op::FLt, plain, &[a, infinity]);
                    let regular = ctx.l.b.int(Op::Pand, &[above, below]);
                    let mantissa = ctx.l.b.num(Op::LogMant, plain, &[a]);
                    let log = ctx.l.b.num(Op::Log2, plain, &[a]);
                    let power = ctx.l.b.num(Op::Exp2Floor, plain, &[log]);
                    let quotient = ctx.l.b.num(Op::Div, plain, &[a, power]);
                    let value = ctx.l.b.select(regular, mantissa, quotient);
                    return ctx.saturated(instr, value.into());
                }
                2 => Op::Log2,
                _ => return Deferred::word(ONE),
            };
            let a = ctx.scalar(instr, 0);
            ctx.l.b.num(op, slot, &[a]).into()
        });
    }

    fn lit(&mut self, instr: &Instr) {
        let slot = self.slot(instr.dst().saturate);
        self.per_component(instr, |ctx, lane| match lane {
            1 => {
                let x = ctx.float(instr, 0, 0);
                ctx.l.b.num(Op::LitY, slot, &[x]).into()
            }
            2 => {
                let args = [ctx.float(instr, 0, 0), ctx.float(instr, 0, 1), ctx.float(instr, 0, 3)];
                ctx.l.b.num(Op::LitZ, slot, &args).into()
            }
            _ => Deferred::word(ONE),
        });
    }

    /// One pattern where the first source is less, another elsewhere; both are their own clamp.
    fn set_less(&mut self, instr: &Instr, less: u32, other: u32) {
        let slot = self.slot(false);
        self.per_component(instr, |ctx, lane| {
            let args = [ctx.float(instr, 0, lane), ctx.float(instr, 1, lane)];
            let pred = ctx.l.b.num(Op::FLt, slot, &args);
            let (less, other) = (ctx.literal(less), ctx.literal(other));
            ctx.l.b.select(pred, less, other).into()
        });
    }

    /// CMP; gives the unclamped components that were masked.
    fn compare(&mut self, instr: &Instr) -> SmallVec<[Deferred; 4]> {
        let slot = self.slot(false);
        let mut chosen = SmallVec::new();
        self.per_component(instr, |ctx, lane| {
            let a = ctx.float(instr, 0, lane);
            let zero = ctx.literal(0);
            let pred = ctx.l.b.num(Op::FLt, slot, &[a, zero]);
            let (b, c) = (ctx.moved(instr, 1, lane), ctx.moved(instr, 2, lane));
            let val = ctx.l.choose(pred, b, c, Type::F32);
            chosen.push(val);
            ctx.saturated(instr, val)
        });
        chosen
    }

    fn address(&mut self, instr: &Instr) {
        let slot = self.slot(false);
        let mut dst = instr.dst();
        dst.mask = self.settings.arl_writes(dst.mask);
        let mut vals = [None; 4];
        for (lane, val) in vals.iter_mut().enumerate().filter(|(lane, _)| dst.mask[*lane]) {
            let a = self.float(instr, 0, lane);
            *val = Some(self.l.b.num(Op::F2iFloor, slot, &[a]).into());
        }
        self.write(&dst, vals);
    }
}
