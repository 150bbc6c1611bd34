//! Reads and writes of registers, constants and literals.

use super::Ctx;
use crate::fields::{PT, RZ};
use crate::view::{Content, Name, Operands, Source};
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Denormals, Op, Round, Saturate, Slot, ZeroMul};

/// What an instruction asks of the arithmetic.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Modifiers {
    /// RN RM RP RZ.
    pub(super) round: u32,
    /// None, FTZ, FMZ.
    pub(super) flush: u32,
    pub(super) saturate: bool,
    /// None D2 D4 D8 M8 M4 M2.
    pub(super) scale: u32,
}

impl Modifiers {
    pub(super) const SLOTS: usize = 4 * 3 * 2 * 7;

    /// What the modifiers of an instruction ask.
    #[inline]
    pub(super) fn by(i: Operands) -> Modifiers {
        Modifiers {
            round: i.get(Name::Round),
            saturate: i.has(Name::Saturate),
            scale: i.get(Name::Scale),
            ..Modifiers::flush(i)
        }
    }

    /// The same as far as it is about small numbers.
    pub(super) fn flush(i: Operands) -> Modifiers {
        Modifiers { flush: i.get(Name::Flush), ..Modifiers::default() }
    }

    fn number(self) -> usize {
        (((self.round * 3 + self.flush) * 2 + u32::from(self.saturate)) * 7 + self.scale) as usize
    }

    /// The slot. Rounding to nearest is what every instruction does that asks for nothing: it is left to the model.
    pub(super) fn slot(self, decl: Decl) -> Slot {
        Slot {
            round: [None, Some(Round::Down), Some(Round::Up), Some(Round::Zero)][self.round as usize & 3],
            denormals: (self.flush > 0).then_some(Denormals::Flush),
            zero_mul: (self.flush == 2).then_some(ZeroMul::Zero),
            saturate: if self.saturate { Saturate::Unsigned } else { Saturate::None },
            scale: [0, -1, -2, -3, 3, 2, 1][self.scale as usize % 7],
            ..Slot::plain(decl)
        }
    }
}

impl Ctx<'_, '_> {
    /// The slot of 32-bit floats with what the instruction asks; `None`, with an error, for reserved modifiers.
    pub(super) fn asked(&mut self, asked: Modifiers) -> Option<parallax_core::SlotId> {
        if asked.flush > 2 || asked.scale > 6 {
            self.refuse("a reserved modifier");
            return None;
        }
        let number = asked.number();
        if let Some(slot) = self.slots[number] {
            return Some(slot);
        }
        let slot = self.l.b.slot(asked.slot(Decl::F32));
        self.slots[number] = Some(slot);
        Some(slot)
    }

    // ---- reads ----

    /// What a register holds.
    #[inline]
    pub(super) fn register(&mut self, number: u8) -> Deferred {
        if number == RZ { Deferred::word(0) } else { self.l.get(self.registers.general(number)) }
    }

    /// The register `n` places after another.
    pub(super) fn register_after(&mut self, number: u8, n: u8) -> Deferred {
        if number == RZ { Deferred::word(0) } else { self.register(number.saturating_add(n)) }
    }

    /// What a source holds, a literal as an integer.
    #[inline]
    pub(super) fn source(&mut self, source: Source) -> Deferred {
        match source.content {
            Content::Register(number) => self.register(number),
            Content::Constant { bank, offset } => self.constant_word(bank, offset),
            Content::Short(_) | Content::Literal(_) => Deferred::word(source.literal().unwrap_or(0)),
        }
    }

    /// What a source holds, a literal of 20 bits as the high bits of a float.
    #[inline]
    pub(super) fn float_source(&mut self, source: Source) -> Deferred {
        match source.content {
            Content::Short(bits) => Deferred::word(bits << 12),
            _ => self.source(source),
        }
    }

    /// Word `offset` of a constant bank; in front of it there is nothing but zeros.
    pub(super) fn constant_word(&mut self, bank: u16, offset: i32) -> Deferred {
        self.known_constant_word(bank, offset).unwrap_or_else(|why| {
            self.refuse(&why);
            Deferred::word(0)
        })
    }

    /// The same; why nobody knows what stands there.
    pub(super) fn known_constant_word(&mut self, bank: u16, offset: i32) -> Result<Deferred, String> {
        if bank == 0
            && let Some(val) = self.driver_word(offset)
        {
            return Ok(val);
        }
        if self.kernel.as_ref().is_some_and(|kernel| kernel.variables == Some(bank)) {
            return Err("it holds the address of a variable of the module, which is in no buffer".into());
        }
        if bank == 0 && self.is_unknown_driver_word(offset) {
            return Err(format!("the driver fills c[0x0][{:#x}], and no document says with what", 4 * offset));
        }
        Ok(match u32::try_from(offset) {
            Ok(offset) => self.l.constant(bank, offset / 4, (offset % 4) as u8),
            Err(_) => Deferred::word(0),
        })
    }

    pub(super) fn word_of(&mut self, val: Deferred) -> ValueId {
        self.l.force(val, Type::I32)
    }

    /// A number.
    pub(super) fn number_of(&mut self, val: Deferred) -> ValueId {
        self.l.force(val, Type::F32)
    }

    /// As a float, its magnitude taken and its sign flipped as the source says.
    pub(super) fn float_of(&mut self, val: Deferred, source: Source) -> ValueId {
        let mut value = self.number_of(val);
        if source.magnitude || source.negate {
            let slot = self.l.plain(Decl::F32);
            if source.magnitude {
                value = self.l.b.num(Op::Abs, slot, &[value]);
            }
            if source.negate {
                value = self.l.b.num(Op::Neg, slot, &[value]);
            }
        }
        value
    }

    /// A zero.
    pub(super) fn zero(&mut self) -> ValueId {
        self.number_of(Deferred::word(0))
    }

    /// The first two sources as floats.
    pub(super) fn float_pair(&mut self, i: Operands) -> [ValueId; 2] {
        let (first, second) = (i.a(), i.b());
        let (a, b) = (self.float_source(first), self.float_source(second));
        [self.float_of(a, first), self.float_of(b, second)]
    }

    /// The first two sources as words.
    pub(super) fn word_pair(&mut self, i: Operands) -> [ValueId; 2] {
        let (a, b) = (self.source(i.a()), self.source(i.b()));
        [self.word_of(a), self.word_of(b)]
    }

    /// The three sources as words.
    pub(super) fn words(&mut self, i: Operands) -> [ValueId; 3] {
        let (a, b, c) = (self.source(i.a()), self.source(i.b()), self.source(i.c()));
        [self.word_of(a), self.word_of(b), self.word_of(c)]
    }

    /// A literal word.
    pub(super) fn lit(&mut self, bits: u32) -> ValueId {
        self.l.b.i32(bits)
    }

    /// A predicate, inverted where `field` has bit 3 set.
    pub(super) fn predicate(&mut self, field: u32) -> ValueId {
        let (number, invert) = (field as u8 & 7, field & 8 != 0);
        if number == PT {
            return self.l.b.pred(!invert);
        }
        let variable = self.registers.predicate(number);
        let value = self.l.read_as(variable, Type::Pred);
        if invert { self.l.b.int(Op::Pnot, &[value]) } else { value }
    }

    /// Whether a predicate operand is PT, or !PT.
    pub(super) fn literal_predicate(field: u32) -> Option<bool> {
        (field as u8 & 7 == PT).then_some(field & 8 == 0)
    }

    // ---- writes ----

    /// Writes a register in the lanes of the guard.
    #[inline]
    pub(super) fn write(&mut self, number: u8, val: impl Into<Deferred>) {
        if number != RZ {
            let variable = self.registers.general(number);
            match self.guard {
                None => self.l.set(variable, val),
                Some(guard) => self.l.set_if(guard, variable, val),
            }
        }
    }

    /// Writes the result register.
    #[inline]
    pub(super) fn result(&mut self, i: Operands, val: impl Into<Deferred>) {
        self.write(i.d(), val);
    }

    /// Writes the register `n` places after another; there is none behind the last.
    pub(super) fn write_after(&mut self, number: u8, n: u8, val: impl Into<Deferred>) {
        if number != RZ {
            self.write(number.saturating_add(n), val);
        }
    }

    /// Writes a predicate in the lanes of the guard.
    pub(super) fn write_predicate(&mut self, number: u8, value: ValueId) {
        if number != PT {
            let variable = self.registers.predicate(number);
            match self.guard {
                None => self.l.set(variable, value),
                Some(guard) => self.l.set_if(guard, variable, value),
            }
        }
    }

    /// All bits set where a predicate holds, else none.
    pub(super) fn mask_of(&mut self, pred: ValueId) -> ValueId {
        let (ones, zero) = (self.lit(u32::MAX), self.lit(0));
        self.l.b.select(pred, ones, zero)
    }
}
