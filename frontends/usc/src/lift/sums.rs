//! F16 sums of products.

use super::{Ctx, Feeds};
use crate::operation::Operation;
use crate::sums::{Factor, Operator, Sum, WideLine, Width};
use crate::{group::Group, opcode::Opcode};
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op, Saturate, Slot};

/// What a line gives: which output, which half of it, and the value.
#[derive(Copy, Clone, Debug)]
pub(super) struct Line {
    output: u8,
    half: Option<u8>,
    value: ValueId,
}

/// The pattern of 1 as a half.
const ONE: u64 = 0x3c00;

impl Ctx<'_, '_> {
    /// A line, or the copy beside it. Lines are joined when all are known.
    pub(super) fn sum(
        &mut self,
        group: &Group,
        operation: &Operation,
        lines: &mut [Option<Line>; 2],
        feeds: &mut Feeds,
    ) {
        if operation.opcode() == Opcode::Sopmov {
            feeds.outputs[1] = Some(self.source(group, 3));
            return;
        }
        let Some(sum) = operation.sum_of_products() else { return };
        let [a, e, b, f] = sum.operands.map(|factor| self.factor(&factor));
        let value = match sum.result {
            1 => a,
            2 => b,
            _ => self.products(sum.operator, [a, e, b, f]),
        };
        lines[usize::from(sum.output & 1)] = Some(Line { output: sum.output & 1, half: sum.half, value });
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

    /// The four-fold and byte forms: halves of both outputs, or bytes of output 0. What no line gives stays as it was.
    pub(super) fn wide_sum(&mut self, group: &Group, feeds: &mut Feeds) {
        let Some(sum) = group.wide() else { return };
        let mut words: [Option<ValueId>; 2] = [None; 2];
        let mut written = [0u32; 2];
        for line in &sum.lines {
            let n = usize::from(line.output & 1);
            let (bits, width) = (self.wide_line(line), if line.byte { 8 } else { 16 });
            let offset = width * u32::from(line.element) % 32;
            written[n] |= (u32::MAX >> (32 - width)) << offset;
            let shift = self.l.b.i32(offset);
            let placed = self.l.b.int(Op::Shl, &[bits, shift]);
            words[n] = Some(match words[n] {
                Some(word) => self.l.b.int(Op::Ior, &[word, placed]),
                None => placed,
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
        if let Some(register) = sum.copy {
            feeds.outputs[1] = Some(self.register(register));
        }
    }

    /// The pattern of what a line gives.
    fn wide_line(&mut self, line: &WideLine) -> ValueId {
        let slot = self.l.plain(Decl::F16);
        let mut value = match line.sum {
            Sum::Mad(factors) => {
                let [a, e, v] = factors.map(|factor| self.factor(&factor));
                let product = self.l.b.num(Op::Mul, slot, &[a, e]);
                self.l.b.num(Op::Add, slot, &[product, v])
            }
            Sum::Products(operator, factors, result) => {
                let factors = factors.map(|factor| self.factor(&factor));
                match result {
                    1 => factors[0],
                    2 => factors[2],
                    _ => self.products(operator, factors),
                }
            }
        };
        if !line.byte {
            if line.clamp {
                let clamp = self.l.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(Decl::F16) });
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
            let clamp = self.l.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(Decl::F16) });
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

    /// Puts the lines into the outputs: whole floats, or halves of output 0 that keep the other half of its register.
    pub(super) fn join_sums(&mut self, group: &Group, lines: &[Option<Line>; 2], feeds: &mut Feeds) {
        let mut halves = [None; 2];
        for line in lines.iter().flatten() {
            match line.half {
                Some(half) => halves[usize::from(half & 1)] = Some(self.l.convert(line.value, Type::I32)),
                None => {
                    let slot = self.slot(false);
                    let wide = self.l.b.num(Op::Cvt, slot, &[line.value]);
                    feeds.outputs[usize::from(line.output)] = Some(wide.into());
                }
            }
        }
        let Some(register) = group.output(0) else { return };
        let word = match halves {
            [None, None] => return,
            [Some(low), Some(high)] => {
                let high = self.placed_high(high);
                self.l.b.int(Op::Ior, &[low, high])
            }
            [low, high] => {
                let val: Deferred = self.register(register);
                let old = self.l.force(val, Type::I32);
                let keep = self.l.b.i32(if low.is_some() { 0xffff_0000 } else { 0xffff });
                let kept = self.l.b.int(Op::Iand, &[old, keep]);
                let placed = match (low, high) {
                    (Some(low), _) => low,
                    (None, Some(high)) => self.placed_high(high),
                    (None, None) => return,
                };
                self.l.b.int(Op::Ior, &[kept, placed])
            }
        };
        feeds.outputs[0] = Some(word.into());
    }

    fn placed_high(&mut self, half: ValueId) -> ValueId {
        let shift = self.l.b.i32(16);
        self.l.b.int(Op::Shl, &[half, shift])
    }
}
