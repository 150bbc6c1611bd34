//! Integer arithmetic and comparisons.

use super::Ctx;
use super::flags::Left;
use super::operand::{Bits, Form, PT, immediate32, signed};
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;

/// What is added besides two words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Extra {
    Zero,
    One,
    /// The carry of the condition code.
    Carry,
}

/// A sum, and what the condition code says of it.
struct Sum {
    value: ValueId,
    carry: ValueId,
    overflow: ValueId,
}

impl Ctx<'_, '_> {
    fn inverted(&mut self, value: ValueId, invert: bool) -> ValueId {
        if invert { self.l.b.int(Op::Inot, &[value]) } else { value }
    }

    fn negated(&mut self, value: ValueId, negate: bool) -> ValueId {
        if negate { self.l.b.int(Op::Ineg, &[value]) } else { value }
    }

    /// The sum of two words and a bit, with its carries.
    fn sum(&mut self, a: ValueId, b: ValueId, extra: Extra) -> Sum {
        let part = self.l.b.int(Op::Iadd, &[a, b]);
        let mut carry = self.l.b.int(Op::Ult, &[part, a]);
        let mut value = part;
        if extra != Extra::Zero {
            let bit = match extra {
                Extra::Carry => {
                    let carry = self.carry_in();
                    self.l.convert(carry, Type::I32)
                }
                _ => self.lit(1),
            };
            value = self.l.b.int(Op::Iadd, &[part, bit]);
            let again = self.l.b.int(Op::Ult, &[value, part]);
            carry = self.l.b.int(Op::Por, &[carry, again]);
        }
        // The signs of both operands differ from that of the sum.
        let of_a = self.l.b.int(Op::Ixor, &[a, value]);
        let of_b = self.l.b.int(Op::Ixor, &[b, value]);
        let both = self.l.b.int(Op::Iand, &[of_a, of_b]);
        let zero = self.lit(0);
        let overflow = self.l.b.int(Op::Ilt, &[both, zero]);
        Sum { value, carry, overflow }
    }

    /// Adds, with the carry of the condition code and setting it as asked. A negated operand is its complement plus one;
    /// with the carry, the one is what comes in.
    fn add(
        &mut self,
        a: (ValueId, bool),
        b: (ValueId, bool),
        extended: bool,
        saturate: bool,
        flags: bool,
    ) -> Option<ValueId> {
        let both = a.1 && b.1;
        if both && extended {
            self.refuse("a sum plus one with a carry is not executed");
            return None;
        }
        if !(extended || saturate || flags) {
            let value = match (a.1, b.1) {
                (false, false) => self.l.b.int(Op::Iadd, &[a.0, b.0]),
                (false, true) => self.l.b.int(Op::Isub, &[a.0, b.0]),
                (true, false) => self.l.b.int(Op::Isub, &[b.0, a.0]),
                (true, true) => {
                    let (sum, one) = (self.l.b.int(Op::Iadd, &[a.0, b.0]), self.lit(1));
                    self.l.b.int(Op::Iadd, &[sum, one])
                }
            };
            return Some(value);
        }
        let extra = match (extended, a.1 || b.1) {
            (true, _) => Extra::Carry,
            (false, true) => Extra::One,
            (false, false) => Extra::Zero,
        };
        let (x, y) = (self.inverted(a.0, a.1 && !both), self.inverted(b.0, b.1 && !both));
        let sum = self.sum(x, y, extra);
        let mut value = sum.value;
        if saturate {
            // What overflowed to the positive side looks negative.
            let (zero, most, least) = (self.lit(0), self.lit(i32::MAX as u32), self.lit(i32::MIN as u32));
            let looks_negative = self.l.b.int(Op::Ilt, &[value, zero]);
            let limit = self.l.b.select(looks_negative, most, least);
            value = self.l.b.select(sum.overflow, limit, value);
        }
        if flags {
            self.flags_of_sum(value, sum.carry, sum.overflow);
        }
        Some(value)
    }

    pub(super) fn iadd(&mut self, word: u64) {
        let (a, b) = (self.a(word), self.b_int(word));
        let (a, b) = (self.word_of(a), self.word_of(b));
        let (extended, saturate, flags) = (word.bit(43), word.bit(50), word.bit(47));
        if let Some(value) = self.add((a, word.bit(49)), (b, word.bit(48)), extended, saturate, flags) {
            self.result(word, value);
        }
    }

    pub(super) fn iadd32(&mut self, word: u64) {
        let a = self.a(word);
        let (a, b) = (self.word_of(a), self.lit(immediate32(word)));
        if let Some(value) = self.add((a, word.bit(56)), (b, false), word.bit(53), word.bit(54), word.bit(52)) {
            self.result(word, value);
        }
    }

    /// The whole word, its low or its high half; `None` for the reserved selection.
    fn half(&mut self, value: ValueId, select: u32) -> Option<ValueId> {
        match select {
            0 => Some(value),
            1 | 2 => {
                let (at, width) = (self.lit((select - 1) * 16), self.lit(16));
                Some(self.l.b.int(Op::Ubfe, &[value, at, width]))
            }
            _ => {
                self.refuse("a reserved selection of a half");
                None
            }
        }
    }

    pub(super) fn iadd3(&mut self, word: u64) {
        let vals = [self.a(word), self.b_int(word), self.c(word)];
        let mut args = vals.map(|val| self.word_of(val));
        let has_selects = Form::of(word) == Form::Registers;
        if has_selects {
            for (arg, lo) in args.iter_mut().zip([35, 33, 31]) {
                let Some(half) = self.half(*arg, word.field(lo, 2)) else { return };
                *arg = half;
            }
        }
        let negate = [word.bit(51), word.bit(50), word.bit(49)];
        let (extended, flags) = (word.bit(48), word.bit(47));
        let shift = if has_selects { word.field(37, 2) } else { 0 };
        if shift != 0 {
            if extended || flags {
                return self.refuse("a shifted sum with a carry is not executed");
            }
            let [a, b, c] = [0, 1, 2].map(|n| self.negated(args[n], negate[n]));
            let sum = self.sum(a, b, Extra::Zero);
            let sixteen = self.lit(16);
            let shifted = match shift {
                1 => {
                    let high = self.l.convert(sum.carry, Type::I32);
                    self.l.b.int(Op::FunnelShr, &[sum.value, high, sixteen])
                }
                2 => self.l.b.int(Op::Shl, &[sum.value, sixteen]),
                _ => return self.refuse("a reserved shift"),
            };
            let value = self.l.b.int(Op::Iadd, &[shifted, c]);
            return self.result(word, value);
        }
        if !extended && !flags {
            let [a, b, c] = [0, 1, 2].map(|n| self.negated(args[n], negate[n]));
            let value = self.l.b.int(Op::Iadd, &[a, b]);
            let value = self.l.b.int(Op::Iadd, &[value, c]);
            return self.result(word, value);
        }
        // In 64 bits, where the carry is bit 32.
        let ones = if extended { 0 } else { negate.iter().filter(|negate| **negate).count() };
        let mut total = if extended {
            let carry = self.carry_in();
            let bit = self.l.convert(carry, Type::I32);
            self.l.b.int(Op::Zext64, &[bit])
        } else {
            self.l.b.i64(ones as u64)
        };
        for (arg, negate) in args.into_iter().zip(negate) {
            let part = self.inverted(arg, negate);
            let part = self.l.b.int(Op::Zext64, &[part]);
            total = self.l.b.int(Op::Iadd64, &[total, part]);
        }
        let value = self.l.b.int(Op::Low, &[total]);
        if flags {
            let high = self.l.b.int(Op::High, &[total]);
            let carry = self.test_bit(high, 0);
            let overflow = self.l.b.pred(false);
            self.flags_of_sum(value, carry, overflow);
        }
        self.result(word, value);
    }

    /// Writes a word that is no sum, and the condition code as asked.
    pub(super) fn word_result(&mut self, word: u64, value: ValueId, flags: bool) {
        self.result(word, value);
        if flags {
            self.flags_of_word(value);
        }
    }

    /// A product of 64 bits.
    fn product(&mut self, a: (ValueId, bool), b: (ValueId, bool)) -> ValueId {
        let [a, b] =
            [a, b].map(|(value, is_signed)| self.l.b.int(if is_signed { Op::Sext64 } else { Op::Zext64 }, &[value]));
        self.l.b.int(Op::Imul64, &[a, b])
    }

    fn multiply(&mut self, high: bool, a: (ValueId, bool), b: (ValueId, bool)) -> ValueId {
        match (high, a.1, b.1) {
            (false, ..) => self.l.b.int(Op::Imul, &[a.0, b.0]),
            (true, true, true) => self.l.b.int(Op::ImulHi, &[a.0, b.0]),
            (true, false, false) => self.l.b.int(Op::UmulHi, &[a.0, b.0]),
            _ => {
                let product = self.product(a, b);
                self.l.b.int(Op::High, &[product])
            }
        }
    }

    pub(super) fn imul(&mut self, word: u64) {
        let (a, b) = (self.a(word), self.b_int(word));
        let (a, b) = (self.word_of(a), self.word_of(b));
        let value = self.multiply(word.bit(39), (a, word.bit(40)), (b, word.bit(41)));
        self.word_result(word, value, word.bit(47));
    }

    pub(super) fn imul32(&mut self, word: u64) {
        let a = self.a(word);
        let (a, b) = (self.word_of(a), self.lit(immediate32(word)));
        let value = self.multiply(word.bit(53), (a, word.bit(54)), (b, word.bit(55)));
        self.word_result(word, value, word.bit(52));
    }

    /// IMAD: carries and saturation are those of the sum, as PTX defines `mad.cc`, `madc` and `mad.sat`.
    pub(super) fn imad(&mut self, word: u64) {
        let (a, b, c) = (self.a(word), self.b_int(word), self.c(word));
        let (a, b, c) = (self.word_of(a), self.word_of(b), self.word_of(c));
        let (a, b) = ((a, word.bit(48)), (b, word.bit(53)));
        let (high, negate_c, negate) = (word.bit(54), word.bit(51), word.bit(52));
        let product = if high && negate {
            // The high half of the negated product.
            let product = self.product(a, b);
            let product = self.l.b.int(Op::Ineg64, &[product]);
            self.l.b.int(Op::High, &[product])
        } else {
            let product = self.multiply(high, a, b);
            self.negated(product, negate)
        };
        let (extended, saturate, flags) = (word.bit(49), word.bit(50), word.bit(47));
        if let Some(value) = self.add((product, false), (c, negate_c), extended, saturate, flags) {
            self.result(word, value);
        }
    }

    /// Half of a word, extended.
    fn extended_half(&mut self, value: ValueId, high: bool, is_signed: bool) -> ValueId {
        let (at, width) = (self.lit(if high { 16 } else { 0 }), self.lit(16));
        self.l.b.int(if is_signed { Op::Ibfe } else { Op::Ubfe }, &[value, at, width])
    }

    pub(super) fn xmad(&mut self, word: u64) {
        let form = Form::of(word);
        let (mode, high_b, extended, shifted, merged) = match form {
            Form::Registers => (word.field(50, 3), word.bit(35), word.bit(38), word.bit(36), word.bit(37)),
            Form::Immediate => (word.field(50, 3), false, word.bit(38), word.bit(36), word.bit(37)),
            Form::Constant => (word.field(50, 2), word.bit(52), word.bit(54), word.bit(55), word.bit(56)),
            Form::ConstantLast => (word.field(50, 2), word.bit(52), word.bit(54), false, false),
        };
        let flags = word.bit(47);
        if merged && flags {
            return self.refuse("the condition code of a merged word is not executed: no document says what it holds");
        }
        let (a, c) = (self.a(word), self.c(word));
        let b = match form {
            Form::Immediate => Deferred::word(word.field(20, 16)),
            _ => self.b_int(word),
        };
        let (a, b, c) = (self.word_of(a), self.word_of(b), self.word_of(c));
        let x = self.extended_half(a, word.bit(53), word.bit(48));
        let y = self.extended_half(b, high_b, word.bit(49));
        let mut product = self.l.b.int(Op::Imul, &[x, y]);
        let sixteen = self.lit(16);
        if shifted {
            product = self.l.b.int(Op::Shl, &[product, sixteen]);
        }
        let addend = match mode {
            0 => c,
            1 => self.extended_half(c, false, false),
            2 => self.extended_half(c, true, false),
            4 => {
                let b = self.l.b.int(Op::Shl, &[b, sixteen]);
                self.l.b.int(Op::Iadd, &[b, c])
            }
            3 => return self.refuse("CSFU is not executed: no document says what it does"),
            _ => return self.refuse("a reserved mode"),
        };
        let Some(mut value) = self.add((product, false), (addend, false), extended, false, flags) else { return };
        if merged {
            value = self.l.b.int(Op::Bfi, &[value, b, sixteen, sixteen]);
        }
        self.result(word, value);
    }

    pub(super) fn iscadd(&mut self, word: u64) {
        let (a, b) = (self.a(word), self.b_int(word));
        let b = self.word_of(b);
        let shift = word.field(39, 5);
        self.scaled_add(word, a, shift, (b, word.bit(48)), word.bit(49), word.bit(47));
    }

    pub(super) fn iscadd32(&mut self, word: u64) {
        let (a, b) = (self.a(word), self.lit(immediate32(word)));
        self.scaled_add(word, a, word.field(53, 5), (b, false), false, word.bit(52));
    }

    fn scaled_add(&mut self, word: u64, a: Deferred, shift: u32, b: (ValueId, bool), negate: bool, flags: bool) {
        let (a, shift) = (self.word_of(a), self.lit(shift));
        let a = self.l.b.int(Op::Shl, &[a, shift]);
        if let Some(value) = self.add((a, negate), b, false, false, flags) {
            self.result(word, value);
        }
    }

    /// LEA: a shifted word plus another; HI: the high half of the shifted pair {c, a}.
    pub(super) fn lea(&mut self, word: u64) {
        let in_constant_form = Form::of(word) == Form::Constant && !word.bit(62);
        let high = in_constant_form || Form::of(word) == Form::Registers && word.bit(51);
        let (shift, negate, extended) = match (high, in_constant_form) {
            (false, _) => (word.field(39, 5), word.bit(45), word.bit(46)),
            (true, false) => (word.field(28, 5), word.bit(37), word.bit(38)),
            (true, true) => (word.field(51, 5), word.bit(56), word.bit(57)),
        };
        if word.field(48, 3) as u8 != PT {
            return self.refuse("the predicate result is not executed: no document says what it holds");
        }
        let (a, b) = (self.a(word), self.b_int(word));
        let (a, b) = (self.word_of(a), self.word_of(b));
        let shift = self.lit(shift);
        let scaled = if high {
            let c = self.register(word.byte(39));
            let c = self.word_of(c);
            self.l.b.int(Op::FunnelShl, &[a, c, shift])
        } else {
            self.l.b.int(Op::Shl, &[a, shift])
        };
        if let Some(value) = self.add((scaled, negate), (b, false), extended, false, word.bit(47)) {
            self.result(word, value);
        }
    }

    pub(super) fn imnmx(&mut self, word: u64) {
        let (a, b) = (self.a(word), self.b_int(word));
        let args = [self.word_of(a), self.word_of(b)];
        if word.field(43, 2) != 0 {
            return self.wide_imnmx(word, args);
        }
        let (min, max) = if word.bit(48) { (Op::Imin, Op::Imax) } else { (Op::Umin, Op::Umax) };
        let value = match Self::literal_predicate(word.field(39, 4)) {
            Some(is_min) => self.l.b.int(if is_min { min } else { max }, &args),
            None => {
                let is_min = self.predicate(word.field(39, 4));
                let (min, max) = (self.l.b.int(min, &args), self.l.b.int(max, &args));
                self.l.b.select(is_min, min, max)
            }
        };
        self.word_result(word, value, word.bit(47));
    }

    /// A word of a wider minimum or maximum. The vendor's compiler takes the highest word first, by XHI, whose condition code
    /// decides in the words below unless it is a tie: what passes between them is the condition code of a comparison, zero
    /// for equal and negative for less. No document says so; it is what the pair needs to give the minimum of 64 bits.
    fn wide_imnmx(&mut self, word: u64, args: [ValueId; 2]) {
        const LOW: u32 = 1;
        const HIGH: u32 = 3;
        let part = word.field(43, 2);
        let mut less = self.l.b.int(if word.bit(48) { Op::Ilt } else { Op::Ult }, &args);
        let mut equal = self.l.b.int(Op::Ieq, &args);
        if part != HIGH {
            let flags = self.registers.flags;
            let (tied, above) = (self.flag(flags.zero()), self.flag(flags.negative()));
            less = self.l.b.select(tied, less, above);
            equal = self.l.b.int(Op::Pand, &[tied, equal]);
        }
        let is_min = self.predicate(word.field(39, 4));
        let takes_b = self.l.b.int(Op::Pxor, &[less, is_min]);
        let value = self.l.b.select(takes_b, args[1], args[0]);
        self.result(word, value);
        if word.bit(47) {
            if part == LOW {
                return self.flags_of_word(value);
            }
            let (carry, overflow) = (self.l.b.int(Op::Pnot, &[less]), self.l.b.pred(false));
            self.set_flags(Left { zero: equal, negative: less, carry, overflow });
        }
    }

    /// A comparison by its code. Extended, it is that of the high words of two pairs whose low words were subtracted before.
    fn compare_words(&mut self, code: u32, is_signed: bool, extended: bool, a: ValueId, b: ValueId) -> ValueId {
        let (less, less_or_equal) = if is_signed { (Op::Ilt, Op::Ile) } else { (Op::Ult, Op::Ule) };
        if code == 0 || code == 7 {
            return self.l.b.pred(code == 7);
        }
        if !extended {
            let (op, args) = match code {
                1 => (less, [a, b]),
                2 => (Op::Ieq, [a, b]),
                3 => (less_or_equal, [a, b]),
                4 => (less, [b, a]),
                5 => (Op::Ine, [a, b]),
                _ => (less_or_equal, [b, a]),
            };
            return self.l.b.int(op, &args);
        }
        // The low words left a carry unless they borrowed, and whether they were equal.
        let flags = self.registers.flags;
        let carry = self.carry_in();
        let zero = self.l.read_as(flags.zero(), Type::Pred);
        let equal = self.l.b.int(Op::Ieq, &[a, b]);
        if code == 2 || code == 5 {
            let both = self.l.b.int(Op::Pand, &[equal, zero]);
            return if code == 2 { both } else { self.l.b.int(Op::Pnot, &[both]) };
        }
        // a < b, or a <= b; the others are their opposites.
        let borrow = self.l.b.int(Op::Pnot, &[carry]);
        let low = if code == 1 || code == 6 { borrow } else { self.l.b.int(Op::Por, &[borrow, zero]) };
        let high = self.l.b.int(less, &[a, b]);
        let tied = self.l.b.int(Op::Pand, &[equal, low]);
        let value = self.l.b.int(Op::Por, &[high, tied]);
        if code == 1 || code == 3 { value } else { self.l.b.int(Op::Pnot, &[value]) }
    }

    /// The outcome of ISET and ISETP.
    fn iset_outcome(&mut self, word: u64) -> ValueId {
        let (a, b) = (self.a(word), self.b_int(word));
        let (a, b) = (self.word_of(a), self.word_of(b));
        self.compare_words(word.field(49, 3), word.bit(48), word.bit(43), a, b)
    }

    pub(super) fn iset(&mut self, word: u64) {
        let outcome = self.iset_outcome(word);
        if let Some(outcome) = self.combined(word, outcome) {
            self.set_result(word, outcome, word.bit(44), word.bit(47));
        }
    }

    pub(super) fn isetp(&mut self, word: u64) {
        let outcome = self.iset_outcome(word);
        self.set_predicates(word, outcome);
    }

    pub(super) fn icmp(&mut self, word: u64) {
        let (a, b, c) = (self.a(word), self.b_int(word), self.c(word));
        let (c, zero) = (self.word_of(c), self.lit(0));
        let outcome = self.compare_words(word.field(49, 3), word.bit(48), false, c, zero);
        let chosen = self.l.choose(outcome, a, b, Type::I32);
        self.result(word, chosen);
    }

    /// A register plus the signed 24-bit offset of a word: a local address.
    pub(super) fn address(&mut self, word: u64) -> ValueId {
        let offset = signed(word.field(20, 24), 24) as u32;
        let base = self.a(word);
        let (base, offset) = (self.word_of(base), self.lit(offset));
        self.l.b.int(Op::Iadd, &[base, offset])
    }
}
