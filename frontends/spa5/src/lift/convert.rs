//! Conversions between formats and sizes.

use super::Ctx;
use super::operand::Modifiers;
use crate::view::{Content, Name, Operands, Source};
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

/// Sizes in conversions, by number.
const HALF: u32 = 1;
const SINGLE: u32 = 2;
const DOUBLE: u32 = 3;

/// To integers: signed or not, of 32 or 64 bits, for each rounding.
const TO_INTEGER: [[[Op; 4]; 2]; 2] = [
    [[Op::F2uRint, Op::F2uFloor, Op::F2uCeil, Op::F2uTrunc], [Op::F2iRint, Op::F2iFloor, Op::F2iCeil, Op::F2iTrunc]],
    [
        [Op::F2u64Rint, Op::F2u64Floor, Op::F2u64Ceil, Op::F2u64Trunc],
        [Op::F2i64Rint, Op::F2i64Floor, Op::F2i64Ceil, Op::F2i64Trunc],
    ],
];

/// The size of an integer format, and whether it has a sign.
const fn sized(format: u32) -> (u32, bool) {
    (format & 3, format > 3)
}

impl Ctx<'_, '_> {
    /// The float operand of a conversion, as a 32-bit float unless it is a double: modifiers act on what the operand holds.
    fn converted(&mut self, i: Operands, from: u32) -> Option<ValueId> {
        let source = i.b();
        if from == DOUBLE {
            return Some(self.double_of(source));
        }
        let b = self.float_source(source);
        match from {
            SINGLE => Some(self.float_of(b, source)),
            // It holds the half in its low bits, while text and other formats have the high bits of a word.
            HALF if matches!(source.content, Content::Short(_)) => {
                self.refuse("a literal that is a half is not executed");
                None
            }
            HALF => {
                let mut half = self.word_of(b);
                if i.has(Name::Half) {
                    let sixteen = self.lit(16);
                    half = self.l.b.int(Op::Ushr, &[half, sixteen]);
                }
                if source.magnitude {
                    let mask = self.lit(0x7fff);
                    half = self.l.b.int(Op::Iand, &[half, mask]);
                }
                if source.negate {
                    let bit = self.lit(0x8000);
                    half = self.l.b.int(Op::Ixor, &[half, bit]);
                }
                let plain = self.plain();
                Some(self.l.b.num(Op::UpHalf, plain, &[half]))
            }
            _ => {
                self.refuse("a reserved size");
                None
            }
        }
    }

    pub(super) fn f2f(&mut self, i: Operands) {
        let (to, from) = (i.get(Name::Types) & 3, i.get(Name::Types) >> 2);
        let (round, integral) = (i.get(Name::Round) & 3, i.get(Name::Round) > 3);
        let asked = Modifiers { round: 0, ..Modifiers::by(i) };
        let Some(mut value) = self.converted(i, from) else { return };
        if integral {
            if to != from {
                return self.refuse("a reserved rounding");
            }
            let slot = match from {
                DOUBLE => self.asked_double(0),
                _ => match self.asked(asked) {
                    Some(slot) => slot,
                    None => return,
                },
            };
            let op = [Op::Rint, Op::Floor, Op::Ceil, Op::Trunc][round as usize];
            value = self.l.b.num(op, slot, &[value]);
        }
        // Formats of one width do not round.
        let asked = Modifiers { round: if to == from { 0 } else { round }, ..asked };
        match to {
            SINGLE if integral => {}
            SINGLE => {
                let Some(slot) = self.asked(asked) else { return };
                value = self.l.b.num(Op::Cvt, slot, &[value]);
            }
            HALF => {
                if asked.flush > 0 && from == SINGLE {
                    // What is flushed are operands of 32 bits.
                    let Some(slot) = self.asked(Modifiers { flush: asked.flush, ..Modifiers::default() }) else {
                        return;
                    };
                    value = self.l.b.num(Op::Cvt, slot, &[value]);
                }
                let slot = Modifiers { flush: 0, ..asked }.slot(Decl::F16);
                let slot = self.l.b.slot(slot);
                let half = self.l.b.num(Op::Cvt, slot, &[value]);
                let bits = self.l.convert(half, Type::I32);
                return self.write_half(i, bits);
            }
            DOUBLE if asked.saturate => return self.refuse("clamped doubles are not executed: they are undocumented"),
            DOUBLE => {
                if asked.flush > 0 && from == SINGLE {
                    // What is flushed are operands of 32 bits.
                    let Some(slot) = self.asked(Modifiers { flush: asked.flush, ..Modifiers::default() }) else {
                        return;
                    };
                    value = self.l.b.num(Op::Cvt, slot, &[value]);
                }
                if from != DOUBLE {
                    let slot = self.l.plain(Decl::F64);
                    value = self.l.b.num(Op::Cvt, slot, &[value]);
                }
                return self.write_double(i, value);
            }
            _ => return self.refuse("a reserved size"),
        }
        self.write_float(i, value);
    }

    /// Writes the bits of a 16-bit float, and the condition code as asked.
    fn write_half(&mut self, i: Operands, bits: ValueId) {
        self.result(i, bits);
        if i.has(Name::SetsFlags) {
            self.flags_of_half(bits);
        }
    }

    pub(super) fn f2i(&mut self, i: Operands) {
        let Some(value) = self.converted(i, i.get(Name::From)) else { return };
        let (size, is_signed) = sized(i.get(Name::To));
        let slot = match i.get(Name::From) {
            DOUBLE => self.asked_double(0),
            _ => match self.asked(Modifiers::flush(i)) {
                Some(slot) => slot,
                None => return,
            },
        };
        let op = TO_INTEGER[usize::from(size == 3)][usize::from(is_signed)][i.get(Name::Round) as usize];
        let source = value;
        let mut value = self.l.b.num(op, slot, &[source]);
        // Of doubles, and to 64 bits, NaN gives the highest bit alone (PTX, cvt); else 0.
        if i.get(Name::From) == DOUBLE || size == 3 {
            let is_nan = self.l.b.num(Op::Funo, slot, &[source, source]);
            let highest = match size {
                3 => {
                    let (low, high) = (self.lit(0), self.lit(1 << 31));
                    self.l.b.int(Op::Join, &[low, high])
                }
                1 => self.lit(1 << 15),
                _ => self.lit(1 << 31),
            };
            value = self.l.b.select(is_nan, highest, value);
        }
        match size {
            1 => {
                let value = if is_signed {
                    let (least, most) = (self.lit(i16::MIN as u32), self.lit(i16::MAX as u32));
                    let value = self.l.b.int(Op::Imax, &[value, least]);
                    self.l.b.int(Op::Imin, &[value, most])
                } else {
                    let most = self.lit(0xffff);
                    self.l.b.int(Op::Umin, &[value, most])
                };
                self.word_result(i, value);
            }
            2 => self.word_result(i, value),
            3 if i.has(Name::SetsFlags) => {
                self.refuse("the condition code of 64 bits is not executed: it is undocumented");
            }
            3 => {
                let (low, high) = (self.l.b.int(Op::Low, &[value]), self.l.b.int(Op::High, &[value]));
                self.result(i, low);
                self.write_after(i.d(), 1, high);
            }
            _ => self.refuse("a reserved size"),
        }
    }

    /// A part of a word by size (8, 16, 32 bits) and place (in bytes; halves begin at even ones), extended.
    fn part(&mut self, val: Deferred, size: u32, place: u32, is_signed: bool) -> ValueId {
        let value = self.word_of(val);
        let width = match size {
            0 => 8,
            1 => 16,
            _ => return value,
        };
        let (at, width) = (self.lit(place * 8 % 32), self.lit(width));
        self.l.b.int(if is_signed { Op::Ibfe } else { Op::Ubfe }, &[value, at, width])
    }

    /// Magnitude, then sign, of an integer.
    fn signed_as(&mut self, mut value: ValueId, source: Source) -> ValueId {
        if source.magnitude {
            value = self.l.b.int(Op::Iabs, &[value]);
        }
        if source.negate {
            value = self.l.b.int(Op::Ineg, &[value]);
        }
        value
    }

    pub(super) fn i2f(&mut self, i: Operands) {
        let (source, to) = (i.b(), i.get(Name::To));
        let (size, is_signed) = sized(i.get(Name::From));
        let slot = Modifiers::by(i);
        let slot = match to {
            HALF => slot.slot(Decl::F16),
            SINGLE => slot.slot(Decl::F32),
            DOUBLE => slot.slot(Decl::F64),
            _ => return self.refuse("a reserved size"),
        };
        let slot = self.l.b.slot(slot);
        let b = self.source(source);
        let value = if size == 3 {
            let low = self.word_of(b);
            let high = self.high_word(source, is_signed);
            let mut pair = self.l.b.int(Op::Join, &[low, high]);
            if source.magnitude {
                pair = self.l.b.int(Op::Iabs64, &[pair]);
            }
            if source.negate {
                pair = self.l.b.int(Op::Ineg64, &[pair]);
            }
            self.l.b.num(if is_signed { Op::I64ToF } else { Op::U64ToF }, slot, &[pair])
        } else {
            let value = self.part(b, size, i.get(Name::Part), is_signed);
            let value = self.signed_as(value, source);
            self.l.b.num(if is_signed { Op::I2f } else { Op::U2f }, slot, &[value])
        };
        match to {
            HALF => {
                let bits = self.l.convert(value, Type::I32);
                self.write_half(i, bits);
            }
            DOUBLE => self.write_double(i, value),
            _ => self.write_float(i, value),
        }
    }

    /// The high word of a second operand of 64 bits: the next register or constant, or the sign of an immediate.
    fn high_word(&mut self, source: Source, is_signed: bool) -> ValueId {
        let val = match source.content {
            Content::Constant { bank, offset } => self.constant_word(bank, offset + 1),
            Content::Register(number) => self.register_after(number, 1),
            _ if is_signed && source.literal().is_some_and(|bits| bits >> 31 != 0) => Deferred::word(u32::MAX),
            _ => Deferred::word(0),
        };
        self.word_of(val)
    }

    pub(super) fn i2i(&mut self, i: Operands) {
        let source = i.b();
        let ((to, to_signed), (from, from_signed)) = (sized(i.get(Name::To)), sized(i.get(Name::From)));
        if to == 3 || from == 3 {
            return self.refuse("a reserved size");
        }
        let b = self.source(source);
        let value = self.part(b, from, i.get(Name::Part), from_signed);
        let mut value = self.signed_as(value, source);
        if i.has(Name::Saturate) {
            value = self.clamped_to(value, 8 << to, to_signed, from_signed || source.negate);
        }
        let value = self.part(value.into(), to, 0, to_signed);
        self.word_result(i, value);
    }

    /// Clamps an integer to the range of another size.
    fn clamped_to(&mut self, value: ValueId, width: u32, to_signed: bool, from_signed: bool) -> ValueId {
        let most = if to_signed { u32::MAX >> (33 - width) } else { u32::MAX >> (32 - width) };
        let least = if to_signed { !most } else { 0 };
        let (most, least) = (self.lit(most), self.lit(least));
        match (from_signed, to_signed) {
            // Numbers without sign are never too small.
            (false, _) => self.l.b.int(Op::Umin, &[value, most]),
            (true, true) => {
                let value = self.l.b.int(Op::Imax, &[value, least]);
                self.l.b.int(Op::Imin, &[value, most])
            }
            (true, false) => {
                let value = self.l.b.int(Op::Imax, &[value, least]);
                self.l.b.int(Op::Umin, &[value, most])
            }
        }
    }
}
