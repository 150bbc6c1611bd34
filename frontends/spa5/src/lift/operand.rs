//! Where operands stand in a word, reads and writes of registers.

use super::Ctx;
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Denormals, Op, Round, Saturate, Slot, ZeroMul};

/// Register 255 reads as zero and keeps nothing.
pub(super) const RZ: u8 = 255;
/// Predicate 7 is true and keeps nothing.
pub(super) const PT: u8 = 7;

/// Bits of an instruction word.
pub(super) trait Bits: Copy {
    /// `len` bits from bit `lo` on.
    fn field(self, lo: u32, len: u32) -> u32;

    /// Bit `n`.
    fn bit(self, n: u32) -> bool {
        self.field(n, 1) != 0
    }

    /// Eight bits from bit `lo` on.
    fn byte(self, lo: u32) -> u8 {
        self.field(lo, 8) as u8
    }
}

impl Bits for u64 {
    #[inline(always)]
    fn field(self, lo: u32, len: u32) -> u32 {
        (self >> lo & ((1 << len) - 1)) as u32
    }
}

/// Sign-extends the low `len` bits.
pub(super) fn signed(field: u32, len: u32) -> i32 {
    (field << (32 - len)) as i32 >> (32 - len)
}

/// Where the second and third operand come from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Registers.
    Registers,
    /// The second from a constant bank.
    Constant,
    /// The third from a constant bank; the register of the third takes the place of the second.
    ConstantLast,
    /// The second from the word itself.
    Immediate,
}

impl Form {
    /// By the opcode's highest bits: the forms of one operation differ there.
    pub(super) fn of(word: u64) -> Form {
        match (word >> 56) as u8 {
            0x51..=0x53 => Form::ConstantLast,
            0x50..=0x5f => Form::Registers,
            0x00..=0x03 | 0x18..=0x1b | 0x48..=0x4f => Form::Constant,
            _ => Form::Immediate,
        }
    }
}

/// What the low bits of an operand's sign field ask for.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sign {
    pub(super) negate: bool,
    pub(super) magnitude: bool,
}

/// What an instruction asks of the arithmetic.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// RN RM RP RZ.
    pub(super) round: u32,
    /// None, FTZ, FMZ.
    pub(super) flush: u32,
    pub(super) saturate: bool,
    /// None D2 D4 D8 M8 M4 M2.
    pub(super) scale: u32,
}

impl Asked {
    pub(super) const SLOTS: usize = 4 * 3 * 2 * 7;

    pub(super) fn ftz(flush: bool) -> Asked {
        Asked { flush: flush.into(), ..Asked::default() }
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
    pub(super) fn asked(&mut self, asked: Asked) -> Option<parallax_core::SlotId> {
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

    /// The first operand.
    #[inline]
    pub(super) fn a(&mut self, word: u64) -> Deferred {
        self.register(word.byte(8))
    }

    /// The second operand of a float instruction.
    pub(super) fn b_float(&mut self, word: u64) -> Deferred {
        match Form::of(word) {
            Form::Immediate => Deferred::word(word.field(56, 1) << 31 | word.field(20, 19) << 12),
            _ => self.b_moved(word),
        }
    }

    /// The second operand of an integer instruction.
    pub(super) fn b_int(&mut self, word: u64) -> Deferred {
        match Form::of(word) {
            Form::Immediate => Deferred::word(immediate(word)),
            _ => self.b_moved(word),
        }
    }

    fn b_moved(&mut self, word: u64) -> Deferred {
        match Form::of(word) {
            Form::Constant => self.constant(word),
            Form::ConstantLast => self.register(word.byte(39)),
            Form::Registers | Form::Immediate => self.register(word.byte(20)),
        }
    }

    /// The third operand.
    pub(super) fn c(&mut self, word: u64) -> Deferred {
        match Form::of(word) {
            Form::ConstantLast => self.constant(word),
            _ => self.register(word.byte(39)),
        }
    }

    /// The constant a word names: an offset in words, and a bank.
    fn constant(&mut self, word: u64) -> Deferred {
        let offset = signed(word.field(20, 14), 14);
        self.constant_word(word.field(34, 5) as u16, offset)
    }

    /// Word `offset` of a constant bank; in front of it there is nothing but zeros.
    pub(super) fn constant_word(&mut self, bank: u16, offset: i32) -> Deferred {
        match u32::try_from(offset) {
            Ok(offset) => self.l.constant(bank, offset / 4, (offset % 4) as u8),
            Err(_) => Deferred::word(0),
        }
    }

    pub(super) fn word_of(&mut self, val: Deferred) -> ValueId {
        self.l.force(val, Type::I32)
    }

    /// As a float, its magnitude taken and its sign flipped as asked.
    pub(super) fn float_of(&mut self, val: Deferred, sign: Sign) -> ValueId {
        let mut value = self.l.force(val, Type::F32);
        if sign != Sign::default() {
            let slot = self.l.plain(Decl::F32);
            if sign.magnitude {
                value = self.l.b.num(Op::Abs, slot, &[value]);
            }
            if sign.negate {
                value = self.l.b.num(Op::Neg, slot, &[value]);
            }
        }
        value
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

    /// Writes the result of a word.
    #[inline]
    pub(super) fn result(&mut self, word: u64, val: impl Into<Deferred>) {
        self.write(word.byte(0), val);
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

/// The 20-bit integer of a word.
pub(super) fn immediate(word: u64) -> u32 {
    word.field(20, 19).wrapping_sub(word.field(56, 1) << 19)
}

/// The 32-bit number of a word.
pub(super) fn immediate32(word: u64) -> u32 {
    (word >> 20) as u32
}
