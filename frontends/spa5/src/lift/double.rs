//! Binary64 arithmetic. A number is in a pair of registers or of words of a constant bank, the low word first.

use super::Ctx;
use super::operand::Modifiers;
use crate::view::{Content, Name, Operands, Source};
use parallax_core::{SlotId, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

impl Ctx<'_, '_> {
    /// The slot of 64-bit floats that round as the instruction asks. They are never flushed.
    pub(super) fn asked_double(&mut self, round: u32) -> SlotId {
        let slot = Modifiers { round, ..Modifiers::default() }.slot(Decl::F64);
        self.l.b.slot(slot)
    }

    /// A source, its magnitude taken and its sign flipped as it says. Literals are the high 20 bits of a number.
    pub(super) fn double_of(&mut self, source: Source) -> ValueId {
        let (low, high) = match source.content {
            Content::Register(number) => (self.register(number), self.register_after(number, 1)),
            Content::Constant { bank, offset } => {
                (self.constant_word(bank, offset), self.constant_word(bank, offset + 1))
            }
            Content::Short(bits) => (Deferred::word(0), Deferred::word(bits << 12)),
            Content::Literal(_) => (Deferred::word(0), Deferred::word(0)),
        };
        let (low, high) = (self.word_of(low), self.word_of(high));
        let pair = self.l.b.int(Op::Join, &[low, high]);
        let mut value = self.l.convert(pair, Type::Float(Decl::F64));
        let slot = self.l.plain(Decl::F64);
        if source.magnitude {
            value = self.l.b.num(Op::Abs, slot, &[value]);
        }
        if source.negate {
            value = self.l.b.num(Op::Neg, slot, &[value]);
        }
        value
    }

    /// Writes a number to the result register and the one behind it.
    pub(super) fn write_double(&mut self, i: Operands, value: ValueId) {
        if i.has(Name::SetsFlags) {
            return self.refuse("the condition code of doubles is not executed: it is undocumented");
        }
        let pair = self.l.convert(value, Type::I64);
        let (low, high) = (self.l.b.int(Op::Low, &[pair]), self.l.b.int(Op::High, &[pair]));
        self.result(i, low);
        self.write_after(i.d(), 1, high);
    }

    /// DADD and DMUL.
    pub(super) fn double_pair(&mut self, i: Operands, op: Op) {
        let args = [self.double_of(i.a()), self.double_of(i.b())];
        let slot = self.asked_double(i.get(Name::Round));
        let value = self.l.b.num(op, slot, &args);
        self.write_double(i, value);
    }

    pub(super) fn dfma(&mut self, i: Operands) {
        let args = [self.double_of(i.a()), self.double_of(i.b()), self.double_of(i.c())];
        let slot = self.asked_double(i.get(Name::Round));
        let value = self.l.b.num(Op::Mad, slot, &args);
        self.write_double(i, value);
    }

    pub(super) fn dmnmx(&mut self, i: Operands) {
        let args = [self.double_of(i.a()), self.double_of(i.b())];
        let slot = self.asked_double(0);
        let value = self.smaller_or_larger(i, slot, &args);
        self.write_double(i, value);
    }

    /// DSET and DSETP.
    pub(super) fn double_compare(&mut self, i: Operands, to_register: bool) {
        let (a, b) = (self.double_of(i.a()), self.double_of(i.b()));
        let slot = self.asked_double(0);
        let outcome = self.compare(i.get(Name::Compare), slot, a, b);
        if to_register {
            self.set_register(i, outcome);
        } else {
            self.set_predicates(i, outcome);
        }
    }
}
