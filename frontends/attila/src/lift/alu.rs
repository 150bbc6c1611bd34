//! Arithmetic, comparisons, predicates.

use super::Ctx;
use super::operand::Sources;
use crate::{instr::Instr, sem::Sem};
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::{Form, Part, Results, SCALAR, VectorOp, clamped, compute};
use parallax_num::{Decl, Op};

const INFINITY: u32 = 0x7f80_0000;

/// What LOG leaves in x, z and w: x ignores the sign of its operand, z does not.
const LOG: VectorOp = VectorOp::Parts(&[
    Part::Num(Op::LogExp, &[(0, SCALAR)]),
    Part::Zero,
    Part::Num(Op::Log2, &[(0, SCALAR)]),
    Part::One,
]);

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
            Sem::Vector(op) => {
                let form = self.form(instr);
                let results = self.compute(instr, op, &form);
                self.write(&instr.dst(), results);
            }
            Sem::Int2(op) => self.per_component(instr, |ctx, lane| {
                let args = [ctx.int(instr, 0, lane), ctx.int(instr, 1, lane)];
                ctx.l.b.int(op, &args).into()
            }),
            Sem::Log => self.log(instr),
            Sem::CmpKill => self.compare_kill(instr),
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

    /// How an instruction computes.
    pub(super) fn form(&mut self, instr: &Instr) -> Form {
        let dst = instr.dst();
        Form { decl: Decl::F32, slot: self.slot(dst.saturate), test: self.slot(false), mask: dst.mask }
    }

    fn compute(&mut self, instr: &Instr, op: VectorOp, form: &Form) -> Results {
        compute(&mut Sources { ctx: self, instr }, op, form)
    }

    /// A float literal.
    pub(super) fn literal(&mut self, bits: u32) -> ValueId {
        let word = Deferred::word(bits);
        self.l.force(word, Type::F32)
    }

    fn log(&mut self, instr: &Instr) {
        let form = self.form(instr);
        let mut results = self.compute(instr, LOG, &form);
        if form.mask & 2 != 0 {
            // a / 2^floor(log2 a): exact for positive numbers, else what the steps make of it.
            let a = self.scalar(instr, 0);
            let (zero, infinity) = (self.literal(0), self.literal(INFINITY));
            let plain = form.test;
            let above = self.l.b.num(Op::FGt, plain, &[a, zero]);
            let below = self.l.b.num(Op::FLt, plain, &[a, infinity]);
            let regular = self.l.b.int(Op::Pand, &[above, below]);
            let mantissa = self.l.b.num(Op::LogMant, plain, &[a]);
            let log = self.l.b.num(Op::Log2, plain, &[a]);
            let power = self.l.b.num(Op::Exp2Floor, plain, &[log]);
            let quotient = self.l.b.num(Op::Div, plain, &[a, power]);
            let value = self.l.b.select(regular, mantissa, quotient);
            results[1] = Some(clamped(&mut self.l, &form, value.into()));
        }
        self.write(&instr.dst(), results);
    }

    /// Kills by what is chosen before it is clamped.
    fn compare_kill(&mut self, instr: &Instr) {
        let form = self.form(instr);
        let chosen = self.compute(instr, VectorOp::Select(Op::FLt), &Form { slot: form.test, ..form });
        let results = chosen.map(|val| val.map(|val| clamped(&mut self.l, &form, val)));
        self.write(&instr.dst(), results);
        self.kill_below(chosen);
    }

    fn address(&mut self, instr: &Instr) {
        let mut dst = instr.dst();
        dst.mask = self.settings.arl_writes(dst.mask);
        let form = Form { mask: dst.mask, slot: self.slot(false), ..self.form(instr) };
        let results = self.compute(instr, VectorOp::Componentwise(Op::F2iFloor), &form);
        self.write(&dst, results);
    }
}
