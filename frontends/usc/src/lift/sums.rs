//! F16 sums of products.

use super::{Ctx, Feeds};
use crate::group::Group;
use crate::opcode::Opcode;
use crate::sums::{Factor, Operator, Sum, SumLine, Width};
use crate::view::Source;
use parallax_core::{SlotId, Type, ValueId};
use parallax_num::{Decl, Op, Saturate, Slot};

/// The pattern of 1 as a half.
const ONE: u64 = 0x3c00;

impl Ctx<'_, '_> {
    /// All sums of a group: floats, halves or bytes of its outputs, and a copy beside them. What no line gives stays as it was.
    pub(super) fn sums(&mut self, group: &Group, feeds: &mut Feeds) {
        let mut words: [Option<ValueId>; 2] = [None; 2];
        let mut written = [0u32; 2];
        for line in group.sum_lines() {
            let n = usize::from(line.output & 1);
            let value = self.line(&line.sum);
            let width = u32::from(line.width);
            if width == 32 {
                let slot = self.slot(false);
                feeds.outputs[n] = Some(self.l.b.num(Op::Cvt, slot, &[value]).into());
                continue;
            }
            // Halves of products stand in output 0, whichever line gives them.
            let is_product = matches!(line.sum, Sum::Products(..));
            if is_product && width == 16 && group.output_code(0).is_none() {
                continue;
            }
            let n = if is_product { 0 } else { n };
            let mut bits = self.bits(value, &line);
            let offset = width * u32::from(line.element) % 32;
            written[n] |= (u32::MAX >> (32 - width)) << offset;
            if offset != 0 {
                let shift = self.l.b.i32(offset);
                bits = self.l.b.int(Op::Shl, &[bits, shift]);
            }
            words[n] = Some(match words[n] {
                Some(word) => self.l.b.int(Op::Ior, &[word, bits]),
                None => bits,
            });
        }
        for n in 0..2 {
            let Some(word) = words[n] else { continue };
            let Some(register) = group.output(n).filter(|_| written[n] != u32::MAX) else {
                feeds.outputs[n] = Some(word.into());
                continue;
            };
            let old = self.register(register);
            let old = self.l.force(old, Type::I32);
            let keep = self.l.b.i32(!written[n]);
            let kept = self.l.b.int(Op::Iand, &[old, keep]);
            feeds.outputs[n] = Some(self.l.b.int(Op::Ior, &[kept, word]).into());
        }
        let copy = group.operations.iter().find(|operation| operation.opcode() == Opcode::Sopmov);
        if let Some(operation) = copy {
            feeds.outputs[1] = Some(self.operand(group, operation, Source::First));
        }
        if let Some(register) = group.wide().and_then(|sum| sum.copy) {
            feeds.outputs[1] = Some(self.register(register));
        }
    }

    /// What a line computes, as a half.
    fn line(&mut self, sum: &Sum) -> ValueId {
        match sum {
            Sum::Mad(factors) => {
                let slot = self.l.plain(Decl::F16);
                let [a, e, v] = factors.map(|factor| self.factor(&factor));
                let product = self.l.b.num(Op::Mul, slot, &[a, e]);
                self.l.b.num(Op::Add, slot, &[product, v])
            }
            Sum::Products(operator, factors, result) => {
                let factors = factors.map(|factor| self.factor(&factor));
                match result {
                    1 => factors[0],
                    2 => factors[2],
                    _ => self.products(*operator, factors),
                }
            }
        }
    }

    /// The pattern of a half, or of the byte that it becomes.
    fn bits(&mut self, mut value: ValueId, line: &SumLine) -> ValueId {
        if line.width == 16 {
            if line.clamp {
                let clamp = self.clamp();
                value = self.l.b.num(Op::Cvt, clamp, &[value]);
            }
            return self.l.convert(value, Type::I32);
        }
        let (clamped, wide) = (self.slot(true), self.slot(false));
        let value = self.l.b.num(Op::Cvt, clamped, &[value]);
        let most = self.float_literal(255f32.to_bits());
        let value = self.l.b.num(Op::Mul, wide, &[value, most]);
        self.l.b.num(Op::F2uRint, wide, &[value])
    }

    /// The slot of halves from 0 to 1.
    fn clamp(&mut self) -> SlotId {
        self.l.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(Decl::F16) })
    }

    /// (a * e) op (b * f), each rounded to a half.
    fn products(&mut self, operator: Operator, [a, e, b, f]: [ValueId; 4]) -> ValueId {
        let slot = self.l.plain(Decl::F16);
        let [first, second] = [[a, e], [b, f]].map(|factors| self.l.b.num(Op::Mul, slot, &factors));
        let (op, args) = match operator {
            Operator::Add => (Op::Add, [first, second]),
            Operator::Sub => (Op::Sub, [first, second]),
            Operator::Rsub => (Op::Sub, [second, first]),
            Operator::Min => (Op::Min, [first, second]),
            Operator::Max => (Op::Max, [first, second]),
        };
        self.l.b.num(op, slot, &args)
    }

    /// An operand as a half.
    fn factor(&mut self, factor: &Factor) -> ValueId {
        let slot = self.l.plain(Decl::F16);
        let mut value = match (factor.register, factor.width) {
            (None, _) => self.l.b.float(slot, 0),
            (Some(register), Width::F32) => {
                let val = self.register(register);
                let wide = self.l.force(val, Type::F32);
                self.l.b.num(Op::Cvt, slot, &[wide])
            }
            (Some(register), Width::F16(half)) => {
                let val = self.register(register);
                let word = self.l.force(val, Type::I32);
                let bits = self.element(word, 16 * u32::from(half & 1), 16, false);
                self.l.b.num(Op::BitsTo, slot, &[bits])
            }
            (Some(register), Width::U8(byte)) => {
                let val = self.register(register);
                let word = self.l.force(val, Type::I32);
                let byte = self.element(word, 8 * u32::from(byte & 3), 8, false);
                let wide = self.slot(false);
                let value = self.l.b.num(Op::UpUnorm8, wide, &[byte]);
                self.l.b.num(Op::Cvt, slot, &[value])
            }
        };
        if factor.floor {
            value = self.l.b.num(Op::Floor, slot, &[value]);
        }
        if factor.absolute {
            value = self.l.b.num(Op::Abs, slot, &[value]);
        }
        if factor.clamp {
            let clamp = self.clamp();
            value = self.l.b.num(Op::Cvt, clamp, &[value]);
        }
        if factor.negate {
            value = self.l.b.num(Op::Neg, slot, &[value]);
        }
        if factor.one_minus {
            let one = self.l.b.float(slot, ONE);
            if factor.register.is_none() {
                return one;
            }
            value = self.l.b.num(Op::Sub, slot, &[one, value]);
        }
        value
    }
}
