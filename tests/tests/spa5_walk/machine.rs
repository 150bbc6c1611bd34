//! SPA 5.0 as a direct walk: words are taken apart by their patterns and executed one by one on the four lanes of a quad.
//!
//! Written from the description of the instruction set alone; the one thing it shares with what it judges is the reference
//! evaluation of floats in `parallax-num`.

mod convert;
mod lane;

pub(crate) use lane::Lane;
use lane::{Form, bit, extend, field, form, top};
use parallax_core::num::{Decl, Denormals, Model, Op, Round, Saturate, Slot, Storage, ZeroMul, eval};

/// Lanes of a quad.
pub(crate) const LANES: usize = 4;
/// Registers the programs use.
pub(crate) const REGISTERS: usize = 12;
/// Words of each of the two constant banks.
pub(crate) const CONSTANTS: usize = 8;
/// Instructions a lane may execute.
const MOST_STEPS: usize = 4000;

/// What programs run with.
pub(crate) struct Machine<'a> {
    pub(crate) model: &'a Model,
    pub(crate) constants: [[u32; CONSTANTS]; 2],
}

/// Bitwise and, or, exclusive or of truths.
fn boolean(code: u32, a: bool, b: bool) -> bool {
    match code {
        0 => a && b,
        1 => a || b,
        _ => a != b,
    }
}

fn slot(round: u32, flush: u32, saturate: bool) -> Slot {
    Slot {
        round: match round {
            0 => None,
            1 => Some(Round::Down),
            2 => Some(Round::Up),
            _ => Some(Round::Zero),
        },
        denormals: if flush > 0 { Some(Denormals::Flush) } else { None },
        zero_mul: if flush == 2 { Some(ZeroMul::Zero) } else { None },
        saturate: if saturate { Saturate::Unsigned } else { Saturate::None },
        ..Slot::plain(Decl::F32)
    }
}

/// Flips and clears the sign of a float.
fn sign(value: u32, negate: bool, absolute: bool) -> u32 {
    let value = if absolute { value & 0x7fff_ffff } else { value };
    if negate { value ^ 0x8000_0000 } else { value }
}

impl Machine<'_> {
    fn num(&self, op: Op, slot: &Slot, args: &[u32]) -> u32 {
        let words: Vec<u64> = args.iter().map(|word| u64::from(*word)).collect();
        eval(op, &self.model.rule(op, slot, Storage::F32).0, &words) as u32
    }

    fn constant(&self, bank: u32, offset: i32) -> u32 {
        let bank = self.constants.get(bank as usize);
        bank.zip(usize::try_from(offset).ok()).and_then(|(bank, at)| bank.get(at)).copied().unwrap_or(0)
    }

    fn named_constant(&self, word: u64) -> u32 {
        self.constant(field(word, 34, 5), extend(field(word, 20, 14), 14))
    }

    fn b(&self, lane: &Lane, word: u64, float: bool) -> u32 {
        match form(word) {
            Form::R => lane.reg(field(word, 20, 8)),
            Form::C => self.named_constant(word),
            Form::Rc => lane.reg(field(word, 39, 8)),
            Form::I if float => field(word, 20, 19) << 12 | field(word, 56, 1) << 31,
            Form::I => (field(word, 20, 19) as i32 - ((field(word, 56, 1) as i32) << 19)) as u32,
        }
    }

    fn c(&self, lane: &Lane, word: u64) -> u32 {
        if form(word) == Form::Rc { self.named_constant(word) } else { lane.reg(field(word, 39, 8)) }
    }

    fn float_compare(&self, code: u32, ftz: bool, a: u32, b: u32) -> bool {
        let slot = slot(0, ftz.into(), false);
        let is = |op| self.num(op, &slot, &[a, b]) != 0;
        let unordered = is(Op::Funo);
        match code {
            0 => false,
            15 => true,
            7 => !unordered,
            8 => unordered,
            // Low three bits: less 1, equal 2, greater 4; bit 3: or unordered.
            _ => {
                let ordered =
                    code & 1 != 0 && is(Op::FLt) || code & 2 != 0 && is(Op::FEq) || code & 4 != 0 && is(Op::FGt);
                if unordered { code & 8 != 0 } else { ordered }
            }
        }
    }

    fn int_compare(code: u32, signed: bool, a: u32, b: u32) -> bool {
        let order = if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        match code {
            0 => false,
            7 => true,
            _ => code & 1 != 0 && order.is_lt() || code & 2 != 0 && order.is_eq() || code & 4 != 0 && order.is_gt(),
        }
    }

    /// The outcome of ISET and ISETP: extended, the words are the high ones of pairs, whose low ones left the condition
    /// code of their difference.
    fn int_outcome(&self, lane: &Lane, word: u64) -> bool {
        let (a, b) = (lane.reg(field(word, 8, 8)), self.b(lane, word, false));
        let (code, signed) = (field(word, 49, 3), bit(word, 48));
        if !bit(word, 43) {
            return Self::int_compare(code, signed, a, b);
        }
        // What the low words left: equal if nothing remained, less if they borrowed.
        let order = if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        let (equal, tied) = (order.is_eq() && lane.zero, order.is_eq());
        let less = order.is_lt() || tied && !lane.carry;
        match code {
            0 => false,
            1 => less,
            2 => equal,
            3 => less || equal,
            4 => !(less || equal),
            5 => !equal,
            6 => !less,
            _ => true,
        }
    }

    /// Whether a test of the condition code holds.
    fn test_code(lane: &Lane, code: u32) -> bool {
        let (z, s, c, o) = (lane.zero, lane.negative, lane.carry, lane.overflow);
        match code {
            0 => false,
            1 => (s && !z) != o,
            2 => z && !s,
            3 => s != (z || o),
            4 => s == o && !z,
            5 => !z,
            6 => s == o,
            7 => !(s && z),
            8 => s && z,
            9 => s != o,
            10 => z,
            11 => s != o || z,
            12 => s == (z || o),
            13 => s || !z,
            14 => (!s || z) != o,
            15 => true,
            16 => !o,
            17 => !c,
            18 => !s,
            19 => z || !c,
            20 => c && !z,
            21 => s,
            22 => c,
            23 => o,
            30 => s || z,
            31 => !s && !z,
            _ => panic!("test {code}"),
        }
    }

    /// What a word that is no sum leaves in the condition code.
    fn leave_word(lane: &mut Lane, value: u32, asked: bool) {
        if asked {
            (lane.zero, lane.negative, lane.carry, lane.overflow) = (value == 0, value >> 31 != 0, false, false);
        }
    }

    /// What a float leaves in the condition code.
    fn leave_float(lane: &mut Lane, value: u32, asked: bool) {
        if asked {
            let value = f32::from_bits(value);
            let unordered = value.is_nan();
            (lane.zero, lane.negative) = (value == 0.0 || unordered, value < 0.0 || unordered);
            (lane.carry, lane.overflow) = (false, false);
        }
    }

    /// Two predicates from an outcome.
    fn set_both(lane: &mut Lane, word: u64, outcome: bool) {
        let (with, code) = (lane.pred(field(word, 39, 4)), field(word, 45, 2));
        let (first, second) = (boolean(code, outcome, with), boolean(code, !outcome, with));
        lane.set_pred(field(word, 3, 3), first);
        lane.set_pred(field(word, 0, 3), second);
    }

    fn as_word(lane: &mut Lane, word: u64, outcome: bool, float: bool) -> u32 {
        let with = lane.pred(field(word, 39, 4));
        let value = match boolean(field(word, 45, 2), outcome, with) {
            false => 0,
            true if float => 0x3f80_0000,
            true => u32::MAX,
        };
        // 1.0 is as positive as its word.
        Self::leave_word(lane, value, bit(word, 47));
        value
    }

    /// The condition code of x + y + extra, whose low word is the result.
    fn add(lane: &mut Lane, x: u32, y: u32, extra: u32, saturate: bool, flags: bool) -> u32 {
        let wide = u64::from(x) + u64::from(y) + u64::from(extra);
        let exact = i64::from(x as i32) + i64::from(y as i32) + i64::from(extra);
        let mut value = wide as u32;
        let overflow = exact != i64::from(value as i32);
        if saturate {
            value = exact.clamp(i32::MIN.into(), i32::MAX.into()) as u32;
        }
        if flags {
            lane.carry = wide >> 32 != 0;
            lane.zero = value == 0;
            lane.negative = (value as i32) < 0;
            lane.overflow = overflow;
        }
        value
    }

    /// a + b with their signs: a negated operand is its complement plus one, or plus the carry.
    fn signed_add(lane: &mut Lane, a: (u32, bool), b: (u32, bool), x: bool, saturate: bool, flags: bool) -> u32 {
        let (both, carry) = (a.1 && b.1, u32::from(lane.carry));
        let u = if a.1 && !both { !a.0 } else { a.0 };
        let v = if b.1 && !both { !b.0 } else { b.0 };
        let extra = if x { carry } else { u32::from(a.1 || b.1) };
        Self::add(lane, u, v, extra, saturate, flags)
    }

    /// Executes a word that concerns one lane only; `false` if it is none of those known here.
    pub(crate) fn alu(&self, lane: &mut Lane, word: u64) -> bool {
        let (d, a) = (field(word, 0, 8), lane.reg(field(word, 8, 8)));
        let (b, bf, c) = (self.b(lane, word, false), self.b(lane, word, true), self.c(lane, word));
        let imm32 = (word >> 20) as u32;
        let t = top(word);
        let (flags, flags32) = (bit(word, 47), bit(word, 52));
        // The opcode without the bit that an immediate has as its sign.
        let op = match form(word) {
            Form::I => t & 0xfeff,
            _ => t,
        };
        let in_forms = |mask: u32, all: &[u32]| all.iter().any(|value| op & mask == *value & mask);
        let value = if in_forms(0xfff8, &[0x5c58, 0x4c58, 0x3858]) {
            let slot = slot(field(word, 39, 2), field(word, 44, 1), bit(word, 50));
            let (x, y) = (sign(a, bit(word, 48), bit(word, 46)), sign(bf, bit(word, 45), bit(word, 49)));
            let value = self.num(Op::Add, &slot, &[x, y]);
            Self::leave_float(lane, value, flags);
            value
        } else if t & 0xfc00 == 0x0800 {
            let (x, y) = (sign(a, bit(word, 56), bit(word, 54)), sign(imm32, bit(word, 53), bit(word, 57)));
            let value = self.num(Op::Add, &slot(0, field(word, 55, 1), false), &[x, y]);
            Self::leave_float(lane, value, flags32);
            value
        } else if in_forms(0xfff8, &[0x5c68, 0x4c68, 0x3868]) {
            let scale = [0, -1, -2, -3, 3, 2, 1][field(word, 41, 3) as usize];
            let slot = Slot { scale, ..slot(field(word, 39, 2), field(word, 44, 2), bit(word, 50)) };
            let value = self.num(Op::Mul, &slot, &[a, sign(bf, bit(word, 48), false)]);
            Self::leave_float(lane, value, flags);
            value
        } else if t & 0xff00 == 0x1e00 {
            let value = self.num(Op::Mul, &slot(0, field(word, 53, 2), bit(word, 55)), &[a, imm32]);
            Self::leave_float(lane, value, flags32);
            value
        } else if in_forms(0xff80, &[0x5980, 0x5180, 0x4980, 0x3280]) {
            let slot = slot(field(word, 51, 2), field(word, 53, 2), bit(word, 50));
            let args = [a, sign(bf, bit(word, 48), false), sign(c, bit(word, 49), false)];
            let value = self.num(Op::Mad, &slot, &args);
            Self::leave_float(lane, value, flags);
            value
        } else if t & 0xfc00 == 0x0c00 {
            let slot = slot(0, field(word, 53, 2), bit(word, 55));
            let args = [sign(a, bit(word, 56), false), imm32, sign(lane.reg(d), bit(word, 57), false)];
            let value = self.num(Op::Mad, &slot, &args);
            Self::leave_float(lane, value, flags32);
            value
        } else if in_forms(0xfff8, &[0x5c60, 0x4c60, 0x3860]) {
            let op = if lane.pred(field(word, 39, 4)) { Op::Min } else { Op::Max };
            let args = [sign(a, bit(word, 48), bit(word, 46)), sign(bf, bit(word, 45), bit(word, 49))];
            let value = self.num(op, &slot(0, field(word, 44, 1), false), &args);
            Self::leave_float(lane, value, flags);
            value
        } else if in_forms(0xff00, &[0x5800, 0x4800]) || t & 0xfe00 == 0x3000 {
            let (x, y) = (sign(a, bit(word, 43), bit(word, 54)), sign(bf, bit(word, 53), bit(word, 44)));
            let outcome = self.float_compare(field(word, 48, 4), bit(word, 55), x, y);
            Self::as_word(lane, word, outcome, bit(word, 52))
        } else if in_forms(0xfff0, &[0x5bb0, 0x4bb0, 0x36b0]) {
            let (x, y) = (sign(a, bit(word, 43), bit(word, 7)), sign(bf, bit(word, 6), bit(word, 44)));
            let outcome = self.float_compare(field(word, 48, 4), bit(word, 47), x, y);
            Self::set_both(lane, word, outcome);
            return true;
        } else if in_forms(0xfff0, &[0x5ba0, 0x53a0, 0x4ba0, 0x36a0]) {
            if self.float_compare(field(word, 48, 4), bit(word, 47), c, 0) { a } else { bf }
        } else if t & 0xfff8 == 0x5080 {
            let op = [Op::Cos, Op::Sin, Op::Exp2, Op::Log2, Op::Rcp, Op::Rsq][field(word, 20, 4) as usize];
            self.num(op, &slot(0, 0, bit(word, 50)), &[sign(a, bit(word, 48), bit(word, 46))])
        } else if in_forms(0xfff8, &[0x5c90, 0x4c90, 0x3890]) {
            sign(bf, bit(word, 45), bit(word, 49))
        } else if in_forms(0xfff8, &[0x5ca8, 0x4ca8, 0x38a8]) {
            let value = self.float_to_float(word, bf);
            let single =
                if field(word, 8, 2) == 1 { self.num(Op::UpHalf, &slot(0, 0, false), &[value]) } else { value };
            Self::leave_float(lane, single, flags);
            value
        } else if in_forms(0xfff8, &[0x5cb0, 0x4cb0, 0x38b0]) {
            let value = self.float_to_int(word, bf);
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5cb8, 0x4cb8, 0x38b8]) {
            let signed = bit(word, 13);
            let mut value = Self::part(b, field(word, 10, 2), field(word, 41, 2), signed);
            if bit(word, 49) {
                value = (value as i32).wrapping_abs() as u32;
            }
            if bit(word, 45) {
                value = value.wrapping_neg();
            }
            let slot = slot(field(word, 39, 2), 0, false);
            let value = self.num(if signed { Op::I2f } else { Op::U2f }, &slot, &[value]);
            Self::leave_float(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5ce0, 0x4ce0, 0x38e0]) {
            let value = Self::int_to_int(word, b);
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5c10, 0x4c10, 0x3810]) {
            let (x, y) = ((a, bit(word, 49)), (b, bit(word, 48)));
            Self::signed_add(lane, x, y, bit(word, 43), bit(word, 50), bit(word, 47))
        } else if t & 0xfe00 == 0x1c00 {
            let x = (a, bit(word, 56));
            Self::signed_add(lane, x, (imm32, false), bit(word, 53), bit(word, 54), bit(word, 52))
        } else if in_forms(0xfff0, &[0x5cc0, 0x4cc0, 0x38c0]) {
            Self::add_three(lane, word, [a, b, c])
        } else if in_forms(0xfff8, &[0x5c18, 0x4c18, 0x3818]) {
            let shifted = a << field(word, 39, 5);
            Self::signed_add(lane, (shifted, bit(word, 49)), (b, bit(word, 48)), false, false, bit(word, 47))
        } else if t & 0xfc00 == 0x1400 {
            let shifted = a << field(word, 53, 5);
            Self::signed_add(lane, (shifted, false), (imm32, false), false, false, bit(word, 52))
        } else if t & 0xfff8 == 0x5bd8 {
            let pair = u64::from(lane.reg(field(word, 39, 8))) << 32 | u64::from(a);
            let high = (pair << field(word, 28, 5) >> 32) as u32;
            Self::signed_add(lane, (high, bit(word, 37)), (b, false), bit(word, 38), false, bit(word, 47))
        } else if in_forms(0xfff8, &[0x5bd0, 0x4bd0, 0x36d0]) {
            let shifted = a << field(word, 39, 5);
            Self::signed_add(lane, (shifted, bit(word, 45)), (b, false), bit(word, 46), false, bit(word, 47))
        } else if in_forms(0xfff8, &[0x5c20, 0x4c20, 0x3820]) {
            Self::minimum(lane, word, a, b)
        } else if in_forms(0xfff8, &[0x5c38, 0x4c38, 0x3838]) {
            let product = Self::wide(a, bit(word, 40)).wrapping_mul(Self::wide(b, bit(word, 41)));
            let value = (if bit(word, 39) { product >> 32 } else { product }) as u32;
            Self::leave_word(lane, value, flags);
            value
        } else if t & 0xff00 == 0x1f00 {
            let product = Self::wide(a, bit(word, 54)).wrapping_mul(Self::wide(imm32, bit(word, 55)));
            let value = (if bit(word, 53) { product >> 32 } else { product }) as u32;
            Self::leave_word(lane, value, flags32);
            value
        } else if in_forms(0xff80, &[0x5a00, 0x5200, 0x4a00]) || t & 0xfe80 == 0x3400 {
            let product = Self::wide(a, bit(word, 48)).wrapping_mul(Self::wide(b, bit(word, 53)));
            let product = if bit(word, 52) { product.wrapping_neg() } else { product };
            let part = (if bit(word, 54) { product >> 32 } else { product }) as u32;
            Self::signed_add(lane, (part, false), (c, bit(word, 51)), bit(word, 49), bit(word, 50), flags)
        } else if t & 0xffc0 == 0x5b00 || t & 0xff80 == 0x5100 || t & 0xfe00 == 0x4e00 || t & 0xfec0 == 0x3600 {
            Self::half_product(lane, word, a, if form(word) == Form::I { field(word, 20, 16) } else { b }, c)
        } else if in_forms(0xfff8, &[0x5c48, 0x4c48, 0x3848]) {
            let amount = if bit(word, 39) { b & 31 } else { b };
            let value = a.checked_shl(amount).unwrap_or(0);
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5c28, 0x4c28, 0x3828]) {
            let a = if bit(word, 40) { a.reverse_bits() } else { a };
            let amount = if bit(word, 39) { b & 31 } else { b };
            let value =
                if bit(word, 48) { (a as i32 >> amount.min(31)) as u32 } else { a.checked_shr(amount).unwrap_or(0) };
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5bf8, 0x36f8, 0x5cf8, 0x38f8]) {
            let left = in_forms(0xfff8, &[0x5bf8, 0x36f8]);
            let pair = u64::from(c) << 32 | u64::from(a);
            let (range, wrap) = (field(word, 37, 2), bit(word, 50));
            let amount = match (range, wrap) {
                (0, true) => b & 31,
                (0, false) => b.min(32),
                (_, true) => b & 63,
                (_, false) => b.min(63),
            };
            let shifted = match (left, range) {
                (true, _) => pair << amount,
                (false, 3) => (pair as i64 >> amount) as u64,
                (false, _) => pair >> amount,
            };
            let value = (if left != bit(word, 48) { shifted >> 32 } else { shifted }) as u32;
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5c40, 0x4c40, 0x3840]) {
            let value = Self::bitwise(
                field(word, 41, 2),
                if bit(word, 39) { !a } else { a },
                if bit(word, 40) { !b } else { b },
            );
            lane.set(d, value);
            Self::leave_word(lane, value, flags);
            lane.set_pred(field(word, 48, 3), Self::test(field(word, 44, 2), value));
            return true;
        } else if t & 0xfc00 == 0x0400 {
            let (x, y) = (if bit(word, 55) { !a } else { a }, if bit(word, 56) { !imm32 } else { imm32 });
            let value = Self::bitwise(field(word, 53, 2), x, y);
            Self::leave_word(lane, value, flags32);
            value
        } else if t & 0xfff8 == 0x5be0 || t & 0xfe00 == 0x0200 || t & 0xfc00 == 0x3c00 {
            let by_register = t & 0xfff8 == 0x5be0;
            let table = if by_register { field(word, 28, 8) } else { field(word, 48, 8) };
            let value = (0..32).fold(0, |value, n| {
                let index = (a >> n & 1) << 2 | (b >> n & 1) << 1 | (c >> n & 1);
                value | (table >> index & 1) << n
            });
            lane.set(d, value);
            Self::leave_word(lane, value, flags);
            if by_register {
                lane.set_pred(field(word, 48, 3), Self::test(field(word, 36, 2), value));
            }
            return true;
        } else if in_forms(0xfff8, &[0x5c00, 0x4c00, 0x3800]) {
            let a = if bit(word, 40) { a.reverse_bits() } else { a };
            let (at, len) = (b & 0xff, b >> 8 & 0xff);
            let sign = bit(word, 48) && a >> 31 != 0;
            // Bit by bit: beyond the field stands the sign of its last bit, beyond the word that of the word.
            let bit_at = |n: u32| if n < 32 { a >> n & 1 } else { u32::from(sign) };
            let value = (0..32).fold(0, |value, n| match len {
                0 => 0,
                _ if n < len => value | bit_at(at + n) << n,
                _ if bit(word, 48) => value | bit_at(at + len - 1) << n,
                _ => value,
            });
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5bf0, 0x53f0, 0x4bf0, 0x36f0]) {
            let (at, len) = (b & 0xff, b >> 8 & 0xff);
            let value = (0..32).fold(0, |value, n| {
                let inside = n >= at && n - at < len;
                value | (if inside { a >> (n - at) & 1 } else { c >> n & 1 }) << n
            });
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5c30, 0x4c30, 0x3830]) {
            let b = if bit(word, 40) { !b } else { b };
            let b = if bit(word, 48) && b >> 31 != 0 { !b } else { b };
            let value = match b.checked_ilog2() {
                None => u32::MAX,
                Some(n) if bit(word, 41) => 31 - n,
                Some(n) => n,
            };
            Self::leave_word(lane, value, flags);
            value
        } else if in_forms(0xfff8, &[0x5c08, 0x4c08, 0x3808]) {
            (if bit(word, 40) { !b } else { b }).count_ones()
        } else if in_forms(0xfff0, &[0x5bc0, 0x53c0, 0x4bc0, 0x36c0]) {
            Self::permute(field(word, 48, 4), a, b, c)
        } else if in_forms(0xfff0, &[0x5b50, 0x4b50, 0x3650]) {
            let outcome = self.int_outcome(lane, word);
            Self::as_word(lane, word, outcome, bit(word, 44))
        } else if in_forms(0xfff0, &[0x5b60, 0x4b60, 0x3660]) {
            let outcome = self.int_outcome(lane, word);
            Self::set_both(lane, word, outcome);
            return true;
        } else if in_forms(0xfff0, &[0x5b40, 0x5340, 0x4b40, 0x3640]) {
            if Self::int_compare(field(word, 49, 3), bit(word, 48), c, 0) { a } else { b }
        } else if in_forms(0xfff8, &[0x5ca0, 0x4ca0, 0x38a0]) {
            if lane.pred(field(word, 39, 4)) { a } else { b }
        } else if in_forms(0xfff8, &[0x5c98, 0x4c98, 0x3898]) {
            b
        } else if t & 0xfff0 == 0x0100 {
            imm32
        } else if matches!(t & 0xfff8, 0x5088 | 0x5090) {
            let outcome = boolean(field(word, 24, 2), lane.pred(field(word, 12, 4)), lane.pred(field(word, 29, 4)));
            if t & 0xfff8 == 0x5090 {
                Self::set_both(lane, word, outcome);
                return true;
            }
            Self::as_word(lane, word, outcome, bit(word, 44))
        } else if matches!(t & 0xfff8, 0x5098 | 0x50a0) {
            let outcome = Self::test_code(lane, field(word, 8, 5));
            if t & 0xfff8 == 0x50a0 {
                Self::set_both(lane, word, outcome);
                return true;
            }
            Self::as_word(lane, word, outcome, bit(word, 44))
        } else if in_forms(0xfff8, &[0x5ce8, 0x4ce8, 0x38e8]) {
            let shift = 8 * field(word, 41, 2);
            let (all, known) = if bit(word, 40) {
                let code = [lane.zero, lane.negative, lane.carry, lane.overflow];
                (code.iter().enumerate().fold(0, |all, (n, flag)| all | u32::from(*flag) << n), 0xf)
            } else {
                ((0..7).fold(0, |all, n| all | u32::from(lane.p[n]) << n), 0xff)
            };
            let mask = (b & known) << shift;
            a & !mask | all << shift & mask
        } else if in_forms(0xfff8, &[0x5cf0, 0x4cf0, 0x38f0]) {
            let byte = a >> (8 * field(word, 41, 2));
            if bit(word, 40) {
                let flags = [&mut lane.zero, &mut lane.negative, &mut lane.carry, &mut lane.overflow];
                let chosen = flags.into_iter().enumerate().filter(|(n, _)| b >> n & 1 != 0);
                chosen.for_each(|(n, flag)| *flag = byte >> n & 1 != 0);
            } else {
                (0..7).filter(|n| b >> n & 1 != 0).for_each(|n| lane.p[n] = byte >> n & 1 != 0);
            }
            return true;
        } else if t & 0xfff8 == 0xef90 {
            return self.load_constant(lane, word);
        } else if matches!(t & 0xfff8, 0xef40 | 0xef50) {
            return Self::local(lane, word, t & 0xfff8 == 0xef50);
        } else {
            return false;
        };
        lane.set(d, value);
        true
    }

    /// IMNMX. Of a wider number, each word below the highest goes by the comparison of those above unless they are equal.
    fn minimum(lane: &mut Lane, word: u64, a: u32, b: u32) -> u32 {
        let (part, flags) = (field(word, 43, 2), bit(word, 47));
        let own = if bit(word, 48) { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        let above = match (lane.zero, lane.negative) {
            (true, _) => own,
            (false, true) => std::cmp::Ordering::Less,
            (false, false) => std::cmp::Ordering::Greater,
        };
        let order = if matches!(part, 1 | 2) { above } else { own };
        let value = if order.is_lt() == lane.pred(field(word, 39, 4)) { a } else { b };
        match part {
            0 | 1 => Self::leave_word(lane, value, flags),
            _ if flags => {
                (lane.zero, lane.negative, lane.carry, lane.overflow) =
                    (order.is_eq(), order.is_lt(), order.is_ge(), false);
            }
            _ => {}
        }
        value
    }

    fn wide(value: u32, signed: bool) -> i64 {
        if signed { i64::from(value as i32) } else { i64::from(value) }
    }

    fn bitwise(code: u32, a: u32, b: u32) -> u32 {
        [a & b, a | b, a ^ b, b][code as usize]
    }

    fn test(code: u32, value: u32) -> bool {
        [false, true, value == 0, value != 0][code as usize]
    }

    fn add_three(lane: &mut Lane, word: u64, mut args: [u32; 3]) -> u32 {
        if form(word) == Form::R {
            for (arg, lo) in args.iter_mut().zip([35, 33, 31]) {
                *arg = [*arg, *arg & 0xffff, *arg >> 16][field(word, lo, 2) as usize];
            }
        }
        let negate = [bit(word, 51), bit(word, 50), bit(word, 49)];
        let negated = |n: usize| if negate[n] { args[n].wrapping_neg() } else { args[n] };
        let shift = if form(word) == Form::R { field(word, 37, 2) } else { 0 };
        if shift != 0 {
            let sum = u64::from(negated(0)) + u64::from(negated(1));
            return ((if shift == 1 { sum >> 16 } else { sum << 16 }) as u32).wrapping_add(negated(2));
        }
        let (x, flags) = (bit(word, 48), bit(word, 47));
        let mut sum = if x { u64::from(lane.carry) } else { 0 };
        for n in 0..3 {
            sum += u64::from(if negate[n] { !args[n] } else { args[n] });
            sum += u64::from(negate[n] && !x);
        }
        if flags {
            let value = sum as u32;
            (lane.carry, lane.zero, lane.negative, lane.overflow) =
                (sum >> 32 & 1 != 0, value == 0, (value as i32) < 0, false);
        }
        sum as u32
    }

    fn half_product(lane: &mut Lane, word: u64, a: u32, b: u32, c: u32) -> u32 {
        let (mode, high_b, psl, mrg, x) = match form(word) {
            Form::R => (field(word, 50, 3), bit(word, 35), bit(word, 36), bit(word, 37), bit(word, 38)),
            Form::I => (field(word, 50, 3), false, bit(word, 36), bit(word, 37), bit(word, 38)),
            Form::C => (field(word, 50, 2), bit(word, 52), bit(word, 55), bit(word, 56), bit(word, 54)),
            Form::Rc => (field(word, 50, 2), bit(word, 52), false, false, bit(word, 54)),
        };
        let half = |value: u32, high: bool, signed: bool| {
            let half = if high { value >> 16 } else { value & 0xffff };
            if signed { extend(half, 16) as u32 } else { half }
        };
        let mut product = half(a, bit(word, 53), bit(word, 48)).wrapping_mul(half(b, high_b, bit(word, 49)));
        if psl {
            product <<= 16;
        }
        let addend = match mode {
            0 => c,
            1 => c & 0xffff,
            2 => c >> 16,
            _ => (b << 16).wrapping_add(c),
        };
        let carry = if x { u32::from(lane.carry) } else { 0 };
        let sum = Self::add(lane, product, addend, carry, false, bit(word, 47));
        if mrg { sum & 0xffff | b << 16 } else { sum }
    }

    fn permute(mode: u32, a: u32, b: u32, c: u32) -> u32 {
        let pair = u64::from(c) << 32 | u64::from(a);
        let byte = |n: u32| (pair >> (8 * (n & 7))) as u32 & 0xff;
        let low = b & 3;
        (0..4).fold(0, |value, i| {
            let picked = match mode {
                0 => {
                    let nibble = b >> (4 * i) & 15;
                    let picked = byte(nibble);
                    if nibble & 8 == 0 {
                        picked
                    } else if picked & 0x80 != 0 {
                        0xff
                    } else {
                        0
                    }
                }
                1 => byte(low + i),
                2 => byte(low.wrapping_sub(i)),
                3 => byte(low),
                4 => byte(low.max(i)),
                5 => byte(low.min(i)),
                _ => byte((low & 1) * 2 + (i & 1)),
            };
            value | picked << (8 * i)
        })
    }

    fn part_at(value: u32, size: u32, address: u32) -> u32 {
        let shift = 8 * (address & if size < 2 { 3 } else { 2 });
        let len = if size < 2 { 8 } else { 16 };
        let part = value >> shift & ((1 << len) - 1);
        if size & 1 != 0 { extend(part, len) as u32 } else { part }
    }

    fn load_constant(&self, lane: &mut Lane, word: u64) -> bool {
        let offset = extend(field(word, 20, 16), 16) as u32;
        let address = lane.reg(field(word, 8, 8)).wrapping_add(offset);
        let (size, d) = (field(word, 48, 3), field(word, 0, 8));
        let at = |n: u32| self.constant(field(word, 36, 5), address.wrapping_add(4 * n) as i32 >> 2);
        match size {
            0..4 => lane.set(d, Self::part_at(at(0), size, address)),
            4 => lane.set(d, at(0)),
            _ => {
                lane.set(d, at(0));
                lane.set(d + 1, at(1));
            }
        }
        true
    }

    fn local(lane: &mut Lane, word: u64, store: bool) -> bool {
        let address = lane.reg(field(word, 8, 8)).wrapping_add(extend(field(word, 20, 24), 24) as u32);
        let (size, d) = (field(word, 48, 3), field(word, 0, 8));
        let words = [1, 1, 1, 1, 1, 2, 4][size as usize];
        for n in 0..words {
            let at = (address >> 2).wrapping_add(n) as usize;
            match (store, size < 4) {
                (true, false) => {
                    let value = lane.reg(if d == 255 { 255 } else { d + n });
                    if let Some(place) = lane.local.get_mut(at) {
                        *place = value;
                    }
                }
                (true, true) => {
                    let value = lane.reg(d);
                    if let Some(place) = lane.local.get_mut(at) {
                        let shift = 8 * (address & if size < 2 { 3 } else { 2 });
                        let mask = (if size < 2 { 0xff } else { 0xffff }) << shift;
                        *place = *place & !mask | value << shift & mask;
                    }
                }
                (false, whole) => {
                    let loaded = lane.local.get(at).copied().unwrap_or(0);
                    let value = if whole { Self::part_at(loaded, size, address) } else { loaded };
                    lane.set(if d == 255 { 255 } else { d + n }, value);
                }
            }
        }
        true
    }

    /// Executes a word that concerns the whole quad, all of whose lanes are at it.
    pub(crate) fn quad(&self, lanes: &mut [Lane; LANES], word: u64) -> bool {
        let t = top(word);
        let active = std::array::from_fn::<bool, LANES, _>(|n| lanes[n].guarded(word));
        let before = lanes.clone();
        let d = field(word, 0, 8);
        if t & 0xfff8 == 0x50f8 {
            for (n, lane) in lanes.iter_mut().enumerate().filter(|(n, _)| active[*n]) {
                let (a, b) = (lane.reg(field(word, 8, 8)), lane.reg(field(word, 20, 8)));
                let args = match field(word, 28 + 2 * n as u32, 2) {
                    0 => [a, b],
                    1 => [sign(a, true, false), b],
                    2 => [a, sign(b, true, false)],
                    _ => [0, b],
                };
                let value = self.num(Op::Add, &slot(field(word, 39, 2), field(word, 44, 1), false), &args);
                lane.set(d, value);
                Self::leave_float(lane, value, bit(word, 47));
            }
            return true;
        }
        // A move in some lanes of the quad.
        if t & 0xfff8 == 0x5c98 || t & 0xfff0 == 0x0100 {
            let is_literal = t & 0xfff0 == 0x0100;
            let mask = if is_literal { field(word, 12, 4) } else { field(word, 39, 4) };
            for (n, lane) in lanes.iter_mut().enumerate().filter(|(n, _)| active[*n] && mask >> n & 1 != 0) {
                let value = if is_literal { (word >> 20) as u32 } else { before[n].reg(field(word, 20, 8)) };
                lane.set(d, value);
            }
            return true;
        }
        if t & 0xfff8 == 0x50d8 {
            let votes: Vec<usize> = (0..LANES).filter(|&n| active[n]).collect();
            let holds = |n: &&usize| before[**n].pred(field(word, 39, 4));
            let ballot = votes.iter().filter(holds).fold(0, |all, n| all | 1 << n);
            let yes = votes.iter().filter(holds).count();
            let outcome = match field(word, 48, 2) {
                0 => yes == votes.len(),
                1 => yes > 0,
                _ => yes == 0 || yes == votes.len(),
            };
            for n in votes {
                lanes[n].set(d, ballot);
                lanes[n].set_pred(field(word, 45, 3), outcome);
            }
            return true;
        }
        if t & 0xfff8 == 0xef10 {
            for n in (0..LANES).filter(|&n| active[n]) {
                let lane = &before[n];
                let by = if bit(word, 28) { field(word, 20, 5) } else { lane.reg(field(word, 20, 8)) & 31 } as i32;
                let mask = if bit(word, 29) { field(word, 34, 13) } else { lane.reg(field(word, 39, 8)) };
                let (clamp, segment, own) = ((mask & 31) as i32, (mask >> 8 & 31) as i32, n as i32);
                let least = own & segment;
                let last = least | clamp & !segment;
                let (from, reached) = match field(word, 30, 2) {
                    0 => (least | by & !segment, None),
                    1 => (own - by, Some(own - by >= last)),
                    2 => (own + by, None),
                    _ => (own ^ by, None),
                };
                let valid = reached.unwrap_or(from <= last) && (0..LANES as i32).contains(&from);
                let value = before[if valid { from as usize } else { n }].reg(field(word, 8, 8));
                lanes[n].set(d, value);
                lanes[n].set_pred(field(word, 48, 3), valid);
            }
            return true;
        }
        if top(word) & 0xfff8 == 0xf0c8 {
            for n in (0..LANES).filter(|&n| active[n]) {
                lanes[n].set(d, n as u32);
            }
            return true;
        }
        false
    }

    /// Runs one lane through a program with branches and stacks; every instruction is a word. `None` if it takes too long.
    pub(crate) fn walk(&self, lane: &mut Lane, words: &[u64]) -> Option<usize> {
        let mut stack: Vec<(u32, usize)> = Vec::new();
        let mut at = 0;
        let mut jumps = 0;
        // Instruction n lies behind the control word of its bundle of three.
        let address = |n: usize| (n / 3 * 32 + n % 3 * 8 + 8) as i64;
        let place = |address: i64| (address / 32 * 3 + (address % 32 / 8 - 1).max(0)) as usize;
        for _ in 0..MOST_STEPS {
            let Some(&word) = words.get(at) else { return Some(jumps) };
            let target = place(address(at) + 8 + i64::from(extend(field(word, 20, 24), 24)));
            let t = top(word) & 0xfff0;
            let pushes = matches!(t, 0xe290 | 0xe2a0 | 0xe2b0 | 0xe260 | 0xe270);
            at += 1;
            let leads = matches!(t, 0xe300 | 0xe240 | 0xf0f0 | 0xe340 | 0xe350 | 0xe320);
            let tested = !leads || Self::test_code(lane, field(word, 0, 5));
            if !(pushes || lane.guarded(word) && tested) {
                continue;
            }
            match t {
                0xe300 => return Some(jumps),
                0xe240 => at = target,
                0xe260 => {
                    stack.push((0xe320, at));
                    at = target;
                }
                // What each is popped by.
                0xe290 => stack.push((0xf0f0, target)),
                0xe2a0 => stack.push((0xe340, target)),
                0xe2b0 => stack.push((0xe350, target)),
                0xe270 => stack.push((0xe320, target)),
                0xf0f0 | 0xe340 | 0xe350 | 0xe320 => loop {
                    let (by, to) = stack.pop().expect("a balanced program");
                    if by == t {
                        at = to;
                        break;
                    }
                },
                _ => {
                    assert!(self.alu(lane, word), "{word:016x}");
                    continue;
                }
            }
            jumps += 1;
        }
        None
    }
}
