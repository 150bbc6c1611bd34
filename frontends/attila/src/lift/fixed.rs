//! The fixed-point accumulator: a magnitude and a sign per component.

use super::Ctx;
use crate::Instr;
use parallax_core::{Type, ValueId};
use parallax_num::Op;

impl Ctx<'_, '_> {
    fn fx_bits(&mut self) -> ValueId {
        let bits = self.settings.fx_bits;
        self.l.b.i32(bits)
    }

    /// Magnitude and sign of the product of the first two sources.
    fn product(&mut self, instr: &Instr, lane: usize) -> (ValueId, ValueId) {
        let (a, b) = (self.pattern(instr, 0, lane), self.pattern(instr, 1, lane));
        let bits = self.fx_bits();
        let magnitude = self.l.b.int(Op::FxMul, &[a, b, bits]);
        let signs = [self.l.b.int(Op::FxSign, &[a]), self.l.b.int(Op::FxSign, &[b])];
        (magnitude, self.l.b.int(Op::Imul, &signs))
    }

    /// Writes masked components of the accumulator; the named register stays as it is.
    fn accumulate(&mut self, instr: &Instr, compute: impl Fn(&mut Self, usize) -> (ValueId, ValueId)) {
        let mask = instr.dst().mask;
        for lane in (0..4).filter(|lane| mask[*lane]) {
            let (magnitude, sign) = compute(self, lane);
            let (m, s) = self.registers.accumulator(lane as u8);
            self.write_cell(m, magnitude);
            self.write_cell(s, sign);
        }
    }

    pub(super) fn fixed_mul(&mut self, instr: &Instr) {
        self.accumulate(instr, |ctx, lane| ctx.product(instr, lane));
    }

    pub(super) fn fixed_mad_to(&mut self, instr: &Instr) {
        self.accumulate(instr, |ctx, lane| {
            let (magnitude, sign) = ctx.product(instr, lane);
            let c = ctx.pattern(instr, 2, lane);
            let bits = ctx.fx_bits();
            let args = [magnitude, sign, c, bits];
            (ctx.l.b.int(Op::FxPlus, &args), ctx.l.b.int(Op::FxPlusSign, &args))
        });
    }

    pub(super) fn fixed_mad(&mut self, instr: &Instr) {
        self.per_component(instr, |ctx, lane| {
            let (magnitude, sign) = ctx.product(instr, lane);
            let (m, s) = ctx.registers.accumulator(lane as u8);
            let (m, s) = (ctx.l.read_as(m, Type::I64), ctx.l.read_as(s, Type::I32));
            let args = [magnitude, sign, m, s];
            let sum = [ctx.l.b.int(Op::FxSum, &args), ctx.l.b.int(Op::FxSumSign, &args)];
            let bits = ctx.l.b.int(Op::FxFloat, &sum);
            let value = ctx.l.convert(bits, Type::F32);
            ctx.saturated(instr, value.into())
        });
    }
}
