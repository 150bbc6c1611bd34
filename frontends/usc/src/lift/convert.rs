//! PCK and UNPCK: floats and fields of words.

use super::{Ctx, Feeds};
use crate::fields;
use crate::formats::{Code, FORMATS, Format};
use crate::group::Group;
use crate::opcode::Opcode;
use crate::operation::Feed;
use crate::operation::Operation;
use crate::view::{Name, Source};
use parallax_core::{SlotId, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op, Round, Saturate, Slot};

/// All ones below bit `bits`.
const fn ones(bits: u32) -> u32 {
    if bits >= 32 { u32::MAX } else { (1 << bits) - 1 }
}

fn format_of(operation: &Operation) -> Format {
    FORMATS[operation.get(Name::Format) as usize & 31]
}

/// Why a conversion cannot be done; `None` where it can.
pub(super) fn refusal(operation: &Operation) -> Option<&'static str> {
    let (packs, scaled) = (operation.opcode() == Opcode::Pck, operation.has(Name::Scale));
    match format_of(operation).code {
        Code::Unknown => Some("its fields are undocumented"),
        _ if operation.has(Name::Programmable) => Some("its format is a value of the program"),
        Code::Offset if scaled => Some("offset binary has no normalised form"),
        Code::Symmetric if packs || !scaled => Some("only its normalised unpacking is described"),
        _ => None,
    }
}

impl Ctx<'_, '_> {
    /// The F32 slot with this rounding.
    fn rounded(&mut self, decl: Decl, to_zero: bool) -> SlotId {
        let round = to_zero.then_some(Round::Zero);
        self.l.b.slot(Slot { round, ..Slot::plain(decl) })
    }

    /// UNPCK. A repeated one reads one field after the other.
    pub(super) fn unpack(&mut self, group: &Group, operation: &Operation) -> Deferred {
        let Format { code, fields, .. } = format_of(operation);
        let iteration = std::mem::take(&mut self.iteration);
        let val = self.operand(group, operation, Source::First);
        self.iteration = iteration;
        match code {
            Code::Float => return val,
            Code::Fixed(bits) => return Deferred::word(bits),
            Code::Unknown => return Deferred::word(0),
            _ => {}
        }
        let field = (operation.get(Name::Element) as usize + usize::from(iteration)) % fields.len();
        let offset = fields[..field].iter().sum();
        let bits = fields[field];
        let signed = matches!(code, Code::Signed | Code::Symmetric);
        let word = self.l.force(val, Type::I32);
        let number = self.element(word, offset, bits, signed);
        // One bit of the encoding stands for both.
        let whole = bits == 32;
        let slot = self.rounded(Decl::F32, operation.has(Name::Scale) && whole);
        let scaled = operation.has(Name::Scale) && !whole;
        match code {
            Code::Unsigned => {
                let value = self.l.b.num(Op::U2f, slot, &[number]);
                if scaled { self.over(value, ones(bits)) } else { value }.into()
            }
            Code::Signed => {
                let value = self.l.b.num(Op::I2f, slot, &[number]);
                if !scaled {
                    return value.into();
                }
                let value = self.over(value, ones(bits - 1));
                // The least code is -1, too.
                let (least, minus_one) = (self.l.b.i32(!ones(bits - 1)), self.float_literal((-1f32).to_bits()));
                let is_least = self.l.b.int(Op::Ieq, &[number, least]);
                self.l.b.select(is_least, minus_one, value).into()
            }
            Code::Symmetric => {
                let one = self.l.b.i32(1);
                let odd = self.l.b.int(Op::Shl, &[number, one]);
                let odd = self.l.b.int(Op::Iadd, &[odd, one]);
                let value = self.l.b.num(Op::I2f, slot, &[odd]);
                self.over(value, ones(bits)).into()
            }
            Code::Offset => {
                let zero = self.l.b.i32(1 << (bits - 1));
                let number = self.l.b.int(Op::Isub, &[number, zero]);
                self.l.b.num(Op::I2f, slot, &[number]).into()
            }
            _ => {
                // Short floats are the upper bits of a half without sign.
                let number = if bits < 16 {
                    let shift = self.l.b.i32(15 - bits);
                    self.l.b.int(Op::Shl, &[number, shift])
                } else {
                    number
                };
                let half = self.l.plain(Decl::F16);
                let half = self.l.b.num(Op::BitsTo, half, &[number]);
                let slot = self.slot(false);
                self.l.b.num(Op::Cvt, slot, &[half]).into()
            }
        }
    }

    /// A value over a whole number.
    fn over(&mut self, value: ValueId, most: u32) -> ValueId {
        let slot = self.slot(false);
        let most = self.l.b.i32(most);
        let most = self.l.b.num(Op::U2f, slot, &[most]);
        self.l.b.num(Op::Div, slot, &[value, most])
    }

    /// PCK. The iterations of a repeated one fill one field after the other; fields that nobody fills are 0.
    pub(super) fn pack(&mut self, group: &Group, operation: &Operation, feeds: &mut Feeds) {
        let Format { code, fields, .. } = format_of(operation);
        if code == Code::Unknown {
            return;
        }
        let val = self.feed(group, group.selected(&fields::IS3), feeds);
        let field = usize::from(self.iteration);
        let before = self.packed;
        let Some(&bits) = fields.get(field) else {
            feeds.set(Feed::Ft2, before.unwrap_or(Deferred::word(0)));
            return;
        };
        if code == Code::Float {
            // Nothing is packed: what came in goes out.
            self.packed = Some(val);
            feeds.set(Feed::Ft2, val);
            return;
        }
        let code = match code {
            Code::Fixed(bits) => self.l.b.i32(bits),
            code => {
                let value = self.l.force(val, Type::F32);
                self.field(code, bits, operation, value)
            }
        };
        let offset = fields[..field].iter().sum();
        let placed = if offset == 0 {
            code
        } else {
            let offset = self.l.b.i32(offset);
            self.l.b.int(Op::Shl, &[code, offset])
        };
        let word = match before {
            None => placed,
            Some(before) => {
                let before = self.l.force(before, Type::I32);
                self.l.b.int(Op::Ior, &[before, placed])
            }
        };
        self.packed = Some(word.into());
        feeds.set(Feed::Ft2, word);
    }

    /// The code of a value in a field, without bits above the field.
    fn field(&mut self, code: Code, bits: u32, operation: &Operation, value: ValueId) -> ValueId {
        let slot = self.slot(false);
        let to_zero = operation.has(Name::RoundZero);
        let signed = matches!(code, Code::Signed | Code::Offset);
        if code == Code::Half {
            return self.short_float(bits, to_zero, value);
        }
        let most = ones(if signed { bits - 1 } else { bits });
        let value = if operation.has(Name::Scale) && bits < 32 {
            let saturate = if signed { Saturate::Signed } else { Saturate::Unsigned };
            let clamp = self.l.b.slot(Slot { saturate, ..Slot::plain(Decl::F32) });
            let clamped = self.l.b.num(Op::Cvt, clamp, &[value]);
            let most = self.l.b.i32(most);
            let most = self.l.b.num(Op::U2f, slot, &[most]);
            self.l.b.num(Op::Mul, slot, &[clamped, most])
        } else {
            value
        };
        let op = match (signed, to_zero) {
            (false, false) => Op::F2uRint,
            (false, true) => Op::F2uTrunc,
            (true, false) => Op::F2iRint,
            (true, true) => Op::F2iTrunc,
        };
        let number = self.l.b.num(op, slot, &[value]);
        if bits == 32 {
            return number;
        }
        let limit = self.l.b.i32(most);
        if !signed {
            return self.l.b.int(Op::Umin, &[number, limit]);
        }
        let least = self.l.b.i32(!most);
        let number = self.l.b.int(Op::Imax, &[number, least]);
        let number = self.l.b.int(Op::Imin, &[number, limit]);
        if code == Code::Offset {
            let zero = self.l.b.i32(1 << (bits - 1));
            return self.l.b.int(Op::Iadd, &[number, zero]);
        }
        let mask = self.l.b.i32(ones(bits));
        self.l.b.int(Op::Iand, &[number, mask])
    }

    /// The pattern of a half, or of a float with five bits of exponent and no sign: what is below 0 becomes 0, NaN a NaN.
    fn short_float(&mut self, bits: u32, to_zero: bool, value: ValueId) -> ValueId {
        if bits == 16 {
            let half = self.rounded(Decl::F16, to_zero);
            let value = self.l.b.num(Op::Cvt, half, &[value]);
            return self.l.convert(value, Type::I32);
        }
        let fraction = bits - 5;
        let slot = self.slot(false);
        let word = self.l.convert(value, Type::I32);
        let b = &mut self.l.b;
        // Numbers with an exponent of their own: the fraction is rounded in place and may run over into the exponent.
        let dropped = b.i32(23 - fraction);
        let half_step = b.i32(if to_zero { 0 } else { (1 << (22 - fraction)) - 1 });
        let one = b.i32(1);
        let odd = b.int(Op::Ushr, &[word, dropped]);
        let odd = b.int(Op::Iand, &[odd, one]);
        let up = b.int(Op::Iadd, &[word, half_step]);
        let up = if to_zero { up } else { b.int(Op::Iadd, &[up, odd]) };
        let normal = b.int(Op::Ushr, &[up, dropped]);
        let rebias = b.i32(112 << fraction);
        let normal = b.int(Op::Isub, &[normal, rebias]);
        // Smaller ones are counted in steps of 2^-14 / 2^fraction.
        let steps = b.float(slot, u64::from((127 + 14 + fraction) << 23));
        let small = b.num(Op::Mul, slot, &[value, steps]);
        let small = b.num(if to_zero { Op::F2uTrunc } else { Op::F2uRint }, slot, &[small]);
        let least = b.i32(113 << 23);
        let is_small = b.int(Op::Ult, &[word, least]);
        let code = b.select(is_small, small, normal);
        // Above the largest number: infinity, or without rounding up the largest; infinity stays.
        let infinity = b.i32(31 << fraction);
        let infinite = b.i32(0x7f80_0000);
        let largest = b.i32((31 << fraction) - u32::from(to_zero));
        let code = b.int(Op::Umin, &[code, largest]);
        let at_infinity = b.int(Op::Ieq, &[word, infinite]);
        let code = b.select(at_infinity, infinity, code);
        let zero = b.i32(0);
        let negative = b.int(Op::Ilt, &[word, zero]);
        let code = b.select(negative, zero, code);
        let number = b.num(Op::FEq, slot, &[value, value]);
        let nan = b.i32((31 << fraction) | 1 << (fraction - 1));
        b.select(number, code, nan)
    }
}
