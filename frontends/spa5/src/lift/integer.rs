//! Integer arithmetic and comparisons.

use super::Ctx;
use super::flags::Left;
use crate::fields::{PT, RZ};
use crate::view::{Content, Name, Operands};
use parallax_core::{Type, ValueId};
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

/// Two factors, and whether each has a sign.
fn factors(i: Operands, [a, b]: [ValueId; 2]) -> [(ValueId, bool); 2] {
    let signs = i.get(Name::Signed);
    [(a, signs & 1 != 0), (b, signs & 2 != 0)]
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

    /// Adds two values, negated as the sources that they come from say, and writes the sum.
    fn add_sources(&mut self, i: Operands, a: (ValueId, bool), b: (ValueId, bool)) {
        let (extended, saturate) = (i.has(Name::Extended), i.has(Name::Saturate));
        if let Some(value) = self.add(a, b, extended, saturate, i.has(Name::SetsFlags)) {
            self.result(i, value);
        }
    }

    pub(super) fn iadd(&mut self, i: Operands) {
        let [a, b] = self.word_pair(i);
        self.add_sources(i, (a, i.a().negate), (b, i.b().negate));
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

    pub(super) fn iadd3(&mut self, i: Operands) {
        let mut args = self.words(i);
        let sources = [i.a(), i.b(), i.c()];
        for (arg, source) in args.iter_mut().zip(sources) {
            let Some(half) = self.half(*arg, source.half) else { return };
            *arg = half;
        }
        let negate = sources.map(|source| source.negate);
        let (extended, flags, shift) = (i.has(Name::Extended), i.has(Name::SetsFlags), i.get(Name::Shift));
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
            return self.result(i, value);
        }
        if !extended && !flags {
            let [a, b, c] = [0, 1, 2].map(|n| self.negated(args[n], negate[n]));
            let value = self.l.b.int(Op::Iadd, &[a, b]);
            let value = self.l.b.int(Op::Iadd, &[value, c]);
            return self.result(i, value);
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
        self.result(i, value);
    }

    /// Writes a word that is no sum, and the condition code as asked.
    pub(super) fn word_result(&mut self, i: Operands, value: ValueId) {
        self.result(i, value);
        if i.has(Name::SetsFlags) {
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

    pub(super) fn imul(&mut self, i: Operands) {
        let [a, b] = factors(i, self.word_pair(i));
        let value = self.multiply(i.has(Name::High), a, b);
        self.word_result(i, value);
    }

    /// IMAD: carries and saturation are those of the sum, as PTX defines `mad.cc`, `madc` and `mad.sat`.
    pub(super) fn imad(&mut self, i: Operands) {
        let [a, b, c] = self.words(i);
        let [a, b] = factors(i, [a, b]);
        let (high, negate) = (i.has(Name::High), i.a().negate);
        let product = if high && negate {
            // The high half of the negated product.
            let product = self.product(a, b);
            let product = self.l.b.int(Op::Ineg64, &[product]);
            self.l.b.int(Op::High, &[product])
        } else {
            let product = self.multiply(high, a, b);
            self.negated(product, negate)
        };
        self.add_sources(i, (product, false), (c, i.c().negate));
    }

    /// Half of a word, extended.
    fn extended_half(&mut self, value: ValueId, high: bool, is_signed: bool) -> ValueId {
        let (at, width) = (self.lit(if high { 16 } else { 0 }), self.lit(16));
        self.l.b.int(if is_signed { Op::Ibfe } else { Op::Ubfe }, &[value, at, width])
    }

    pub(super) fn xmad(&mut self, i: Operands) {
        let merged = i.has(Name::Merge);
        if merged && i.has(Name::SetsFlags) {
            return self.refuse("the condition code of a merged word is not executed: it is undocumented");
        }
        // The addend is read before the second factor.
        let (a, c) = (self.source(i.a()), self.source(i.c()));
        let b = self.source(i.b());
        let [a, b, c] = [self.word_of(a), self.word_of(b), self.word_of(c)];
        let [x, y] = factors(i, [a, b]);
        let signs = [x.1, y.1];
        let x = self.extended_half(x.0, i.a().half != 0, x.1);
        let y = self.extended_half(y.0, i.b().half != 0, y.1);
        let mut product = self.l.b.int(Op::Imul, &[x, y]);
        let sixteen = self.lit(16);
        if i.has(Name::ShiftsProduct) {
            product = self.l.b.int(Op::Shl, &[product, sixteen]);
        }
        let addend = match i.get(Name::Mode) {
            0 => c,
            1 => self.extended_half(c, false, false),
            2 => self.extended_half(c, true, false),
            4 => {
                let b = self.l.b.int(Op::Shl, &[b, sixteen]);
                self.l.b.int(Op::Iadd, &[b, c])
            }
            3 => {
                let Some(value) = self.signs_fixed_up(i, c, [(a, signs[0]), (b, signs[1])]) else { return };
                value
            }
            _ => return self.refuse("a reserved mode"),
        };
        if !merged {
            return self.add_sources(i, (product, false), (addend, false));
        }
        let extended = i.has(Name::Extended);
        let Some(value) = self.add((product, false), (addend, false), extended, false, false) else { return };
        let value = self.l.b.int(Op::Bfi, &[value, b, sixteen, sixteen]);
        self.result(i, value);
    }

    /// The addend of XMAD.CSFU. No document says what it is. The vendor's compiler multiplies the high halves of two signed words so,
    /// and then takes the sum of both mixed products shifted right without a sign: the high word of the whole product comes out if
    /// 2^16 goes away for each negative factor whose mixed product is not zero.
    fn signs_fixed_up(&mut self, i: Operands, c: ValueId, [a, b]: [(ValueId, bool); 2]) -> Option<ValueId> {
        if i.a().half == 0 || i.b().half == 0 {
            self.refuse("CSFU is executed for high halves only: for others it is undocumented");
            return None;
        }
        let (zero, mask, less) = (self.lit(0), self.lit(0xffff), self.lit(0xffff_0000));
        let mut sum = c;
        for ((factor, is_signed), (other, _)) in [(a, b), (b, a)] {
            if is_signed {
                let is_negative = self.l.b.int(Op::Ilt, &[factor, zero]);
                let low = self.l.b.int(Op::Iand, &[other, mask]);
                let is_mixed = self.l.b.int(Op::Ine, &[low, zero]);
                let both = self.l.b.int(Op::Pand, &[is_negative, is_mixed]);
                let step = self.l.b.select(both, less, zero);
                sum = self.l.b.int(Op::Iadd, &[sum, step]);
            }
        }
        Some(sum)
    }

    pub(super) fn iscadd(&mut self, i: Operands) {
        let (a, b) = (self.source(i.a()), self.source(i.b()));
        let b = self.word_of(b);
        let (a, shift) = (self.word_of(a), self.lit(i.get(Name::Shift)));
        let a = self.l.b.int(Op::Shl, &[a, shift]);
        self.add_sources(i, (a, i.a().negate), (b, i.b().negate));
    }

    /// LEA: a shifted word plus another; HI: the high half of the shifted pair {c, a}.
    pub(super) fn lea(&mut self, i: Operands) {
        let number = i.number(Name::PredicateResult);
        if number != PT {
            // Compilers give it to accesses of generic memory, where it changes nothing; and they branch on it to ATOM where it holds,
            // to ATOMS where not.
            let takes_address = i.has_c() && i.has(Name::Extended) && i.b().content == Content::Register(RZ);
            let value = if self.only_memory_reads(number) {
                self.l.b.pred(false)
            } else if self.kernel.is_some() && takes_address && i.get(Name::Shift) == 0 {
                self.is_outside_of_shared_window(i)
            } else {
                return self.refuse("the predicate result is not executed: it is undocumented");
            };
            self.write_predicate(number, value);
        }
        let [a, b] = self.word_pair(i);
        let shift = self.lit(i.get(Name::Shift));
        let scaled = if i.has_c() {
            let c = self.source(i.c());
            let c = self.word_of(c);
            self.l.b.int(Op::FunnelShl, &[a, c, shift])
        } else {
            self.l.b.int(Op::Shl, &[a, shift])
        };
        self.add_sources(i, (scaled, i.a().negate), (b, false));
    }

    pub(super) fn imnmx(&mut self, i: Operands) {
        let args = self.word_pair(i);
        if i.has(Name::Extend) {
            return self.wide_imnmx(i, args);
        }
        let (min, max) = if i.has(Name::Signed) { (Op::Imin, Op::Imax) } else { (Op::Umin, Op::Umax) };
        let value = match Self::literal_predicate(i.get(Name::LastPredicate)) {
            Some(is_min) => self.l.b.int(if is_min { min } else { max }, &args),
            None => {
                let is_min = self.predicate(i.get(Name::LastPredicate));
                let (min, max) = (self.l.b.int(min, &args), self.l.b.int(max, &args));
                self.l.b.select(is_min, min, max)
            }
        };
        self.word_result(i, value);
    }

    /// A word of a wider minimum or maximum. The vendor's compiler takes the highest word first, by XHI, whose condition code
    /// decides in the words below unless it is a tie: what passes between them is the condition code of a comparison, zero
    /// for equal and negative for less. No document says so; it is what the pair needs to give the minimum of 64 bits.
    fn wide_imnmx(&mut self, i: Operands, args: [ValueId; 2]) {
        const LOW: u32 = 1;
        const HIGH: u32 = 3;
        let part = i.get(Name::Extend);
        let mut less = self.l.b.int(if i.has(Name::Signed) { Op::Ilt } else { Op::Ult }, &args);
        let mut equal = self.l.b.int(Op::Ieq, &args);
        if part != HIGH {
            let flags = self.registers.flags;
            let (tied, above) = (self.flag(flags.zero()), self.flag(flags.negative()));
            less = self.l.b.select(tied, less, above);
            equal = self.l.b.int(Op::Pand, &[tied, equal]);
        }
        let is_min = self.predicate(i.get(Name::LastPredicate));
        let takes_b = self.l.b.int(Op::Pxor, &[less, is_min]);
        let value = self.l.b.select(takes_b, args[1], args[0]);
        self.result(i, value);
        if i.has(Name::SetsFlags) {
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
    fn iset_outcome(&mut self, i: Operands) -> ValueId {
        let [a, b] = self.word_pair(i);
        self.compare_words(i.get(Name::Compare), i.has(Name::Signed), i.has(Name::Extended), a, b)
    }

    pub(super) fn iset(&mut self, i: Operands) {
        let outcome = self.iset_outcome(i);
        self.set_register(i, outcome);
    }

    pub(super) fn isetp(&mut self, i: Operands) {
        let outcome = self.iset_outcome(i);
        self.set_predicates(i, outcome);
    }

    pub(super) fn icmp(&mut self, i: Operands) {
        let (a, b, c) = (self.source(i.a()), self.source(i.b()), self.source(i.c()));
        let (c, zero) = (self.word_of(c), self.lit(0));
        let outcome = self.compare_words(i.get(Name::Compare), i.has(Name::Signed), false, c, zero);
        let chosen = self.l.choose(outcome, a, b, Type::I32);
        self.result(i, chosen);
    }

    /// A register plus a signed offset: a local address.
    pub(super) fn address(&mut self, i: Operands) -> ValueId {
        let base = self.source(i.a());
        let (base, offset) = (self.word_of(base), self.lit(i.signed(Name::Offset) as u32));
        self.l.b.int(Op::Iadd, &[base, offset])
    }
}

/// A comparison of 64-bit integers by its code: the operation, whether its operands change places, and whether its outcome is
/// inverted; or an outcome that is always the same.
pub(super) fn compared(code: u32) -> Result<(Op, bool, bool), bool> {
    match code {
        1 => Ok((Op::Ilt64, false, false)),
        2 => Ok((Op::Ieq64, false, false)),
        3 => Ok((Op::Ile64, false, false)),
        4 => Ok((Op::Ilt64, true, false)),
        5 => Ok((Op::Ieq64, false, true)),
        6 => Ok((Op::Ile64, true, false)),
        code => Err(code == 7),
    }
}
