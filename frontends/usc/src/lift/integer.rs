//! Integer operations of phase 0.

use super::{Ctx, Feeds};
use crate::group::Group;
use crate::opcode::Opcode;
use crate::operation::Feed;
use crate::operation::{Modifiers, Operation, Relation};
use crate::view::{Name, Source};
use parallax_core::{Type, ValueId};
use parallax_num::Op;

/// Bits of the operands of an 8- or 16-bit operation.
fn narrow_bits(operation: &Operation) -> u32 {
    if operation.has(Name::Is16Bit) { 16 } else { 8 }
}

impl Ctx<'_, '_> {
    /// An element of a word: bits from `offset` on, extended.
    pub(super) fn element(&mut self, word: ValueId, offset: u32, bits: u32, signed: bool) -> ValueId {
        if bits >= 32 {
            return word;
        }
        let op = if signed { Op::Ibfe } else { Op::Ubfe };
        let (offset, bits) = (self.l.b.i32(offset), self.l.b.i32(bits));
        self.l.b.int(op, &[word, offset, bits])
    }

    /// The magnitude of a signed integer, then its negation.
    fn integer_modified(&mut self, mut value: ValueId, modifiers: Modifiers) -> ValueId {
        if modifiers.absolute {
            value = self.l.b.int(Op::Iabs, &[value]);
        }
        if modifiers.negate {
            value = self.l.b.int(Op::Ineg, &[value]);
        }
        value
    }

    /// A source of an 8- or 16-bit operation. Its modifiers see it as signed and give it back in its own width.
    fn narrow_operand(&mut self, group: &Group, operation: &Operation, source: Source) -> ValueId {
        let (bits, signed) = (narrow_bits(operation), operation.has(Name::Signed));
        let word = self.word(group, operation, source);
        let modifiers = operation.modifiers(source as usize);
        let offset = operation.element(source as usize) * bits % 32;
        if modifiers == Modifiers::default() {
            return self.element(word, offset, bits, signed);
        }
        let value = self.element(word, offset, bits, true);
        let value = self.integer_modified(value, modifiers);
        self.element(value, 0, bits, signed)
    }

    /// 8- and 16-bit sums, products and both.
    pub(super) fn narrow(&mut self, group: &Group, operation: &Operation) -> ValueId {
        let (bits, signed) = (narrow_bits(operation), operation.has(Name::Signed));
        let [a, b] = [Source::First, Source::Second].map(|source| self.narrow_operand(group, operation, source));
        let exact = match operation.opcode() {
            Opcode::AddNarrow => self.l.b.int(Op::Iadd, &[a, b]),
            Opcode::MulNarrow => self.l.b.int(Op::Imul, &[a, b]),
            _ => {
                let c = self.narrow_operand(group, operation, Source::Third);
                let product = self.l.b.int(Op::Imul, &[a, b]);
                self.l.b.int(Op::Iadd, &[product, c])
            }
        };
        if !operation.has(Name::Saturate) {
            return self.element(exact, 0, bits, signed);
        }
        // No exact result has more than 32 bits, signed or not.
        let most = u32::MAX >> (32 - bits + u32::from(signed));
        let limit = self.l.b.i32(most);
        if !signed {
            return self.l.b.int(Op::Umin, &[exact, limit]);
        }
        let least = self.l.b.i32(!most);
        let above = self.l.b.int(Op::Imax, &[exact, least]);
        self.l.b.int(Op::Imin, &[above, limit])
    }

    /// 32- and 64-bit operations: ft0 is the low word, fte the high one.
    pub(super) fn wide(&mut self, group: &Group, operation: &Operation, feeds: &mut Feeds) {
        let opcode = operation.opcode();
        let [s0, s1, s2] = [Source::First, Source::Second, Source::Third].map(|source| {
            let word = self.word(group, operation, source);
            self.integer_modified(word, operation.modifiers(source as usize))
        });
        let carry_in = operation.has(Name::Carry).then(|| self.l.read_as(self.registers.p0, Type::Pred));
        let tested = group.operations.iter().any(|operation| operation.relation() == Some(Relation::Carry));
        if opcode == Opcode::Madd32 {
            let carry_in = carry_in.map(|pred| self.l.convert(pred, Type::I32));
            let product = self.l.b.int(Op::Imul, &[s0, s1]);
            let (sum, carry) = self.sum_of(Op::Iadd, Op::Ult, [Some(product), Some(s2), carry_in], tested);
            feeds.set(Feed::Ft0, sum);
            feeds.carry = carry;
            return;
        }
        let extend = if operation.has(Name::Signed) { Op::Sext64 } else { Op::Zext64 };
        let high = |ctx: &mut Self| {
            let val = ctx.register(group.source(group.is0()));
            ctx.l.force(val, Type::I32)
        };
        let (a, b) = match opcode {
            Opcode::Add64 => {
                let high = high(self);
                (self.l.b.int(Op::Join, &[s0, s1]), self.l.b.int(Op::Join, &[s2, high]))
            }
            Opcode::Add6432 => (self.l.b.int(Op::Join, &[s0, s1]), self.l.b.int(extend, &[s2])),
            _ => {
                let high = high(self);
                let [x, y] = [s0, s1].map(|word| self.l.b.int(extend, &[word]));
                (self.l.b.int(Op::Imul64, &[x, y]), self.l.b.int(Op::Join, &[s2, high]))
            }
        };
        let carry_in = carry_in.map(|pred| {
            let word = self.l.convert(pred, Type::I32);
            self.l.b.int(Op::Zext64, &[word])
        });
        let (sum, carry) = self.sum_of(Op::Iadd64, Op::Ult64, [Some(a), Some(b), carry_in], tested);
        feeds.set(Feed::Ft0, self.l.b.int(Op::Low, &[sum]));
        feeds.set(Feed::Fte, self.l.b.int(Op::High, &[sum]));
        feeds.carry = carry;
    }

    /// The sum of some numbers, and where it is wanted whether one of the additions ran over.
    fn sum_of(&mut self, add: Op, below: Op, terms: [Option<ValueId>; 3], carry: bool) -> (ValueId, Option<ValueId>) {
        let mut sum = None;
        let mut over = None;
        for term in terms.into_iter().flatten() {
            let Some(before) = sum else {
                sum = Some(term);
                continue;
            };
            let after = self.l.b.int(add, &[before, term]);
            if carry {
                let ran = self.l.b.int(below, &[after, before]);
                over = Some(match over {
                    None => ran,
                    Some(other) => self.l.b.int(Op::Por, &[other, ran]),
                });
            }
            sum = Some(after);
        }
        (sum.unwrap_or_else(|| self.l.b.i32(0)), over)
    }
}
