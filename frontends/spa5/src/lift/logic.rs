//! Moves, selections, bitwise operations, shifts, bit fields, bytes.

use super::Ctx;
use crate::fields::PT;
use crate::view::{Name, Operands};
use parallax_core::{Type, ValueId};
use parallax_num::Op;

/// Selectors of PRMT's modes by the low bits of its operand, 16 bits for each of 0 to 3: four nibbles that name bytes of
/// the pair {c, a}.
const FORWARD: u64 = 0x6543_5432_4321_3210;
const BACKWARD: u64 = 0x0123_7012_6701_5670;
const REPLICATE_BYTE: u64 = 0x3333_2222_1111_0000;
const EDGE_LEFT: u64 = 0x3333_3222_3211_3210;
const EDGE_RIGHT: u64 = 0x3210_2210_1110_0000;
const REPLICATE_HALF: u64 = 0x3232_1010_3232_1010;

impl Ctx<'_, '_> {
    /// Writes a result in those lanes of the quad that a mask names: Mesa moves the results of single lanes so (nv50_ir,
    /// `lanes` of a move).
    pub(super) fn mov(&mut self, i: Operands) {
        const ALL: u32 = 15;
        let (val, lanes) = (self.source(i.b()), i.get(Name::Lanes));
        if lanes != ALL {
            let Some(here) = self.in_lanes(lanes) else { return };
            self.guard = Some(match self.guard {
                Some(guard) => self.l.b.int(Op::Pand, &[guard, here]),
                None => here,
            });
        }
        self.result(i, val);
    }

    pub(super) fn sel(&mut self, i: Operands) {
        let (a, b) = (self.source(i.a()), self.source(i.b()));
        let chosen = match Self::literal_predicate(i.get(Name::LastPredicate)) {
            Some(first) => {
                if first {
                    a
                } else {
                    b
                }
            }
            None => {
                let pred = self.predicate(i.get(Name::LastPredicate));
                self.l.choose(pred, a, b, Type::I32)
            }
        };
        self.result(i, chosen);
    }

    fn complement(&mut self, value: ValueId, invert: bool) -> ValueId {
        if invert { self.l.b.int(Op::Inot, &[value]) } else { value }
    }

    /// AND, OR, XOR or the second operand, by number.
    fn bitwise(&mut self, code: u32, a: ValueId, b: ValueId) -> ValueId {
        match code {
            0 => self.l.b.int(Op::Iand, &[a, b]),
            1 => self.l.b.int(Op::Ior, &[a, b]),
            2 => self.l.b.int(Op::Ixor, &[a, b]),
            _ => b,
        }
    }

    /// Writes the predicate that LOP and LOP3 make of their result.
    fn test_result(&mut self, i: Operands, value: ValueId) {
        let number = i.number(Name::PredicateResult);
        if number == PT {
            return;
        }
        let zero = self.lit(0);
        let pred = match i.get(Name::Test) {
            code @ (0 | 1) => self.l.b.pred(code == 1),
            2 => self.l.b.int(Op::Ieq, &[value, zero]),
            _ => self.l.b.int(Op::Ine, &[value, zero]),
        };
        self.write_predicate(number, pred);
    }

    fn refuse_extended(&mut self, extended: bool) -> bool {
        if extended {
            self.refuse("`.X` of a bitwise operation or a shift is not executed: it is undocumented");
        }
        extended
    }

    pub(super) fn lop(&mut self, i: Operands) {
        if self.refuse_extended(i.has(Name::Extended)) {
            return;
        }
        let (a, b) = (self.source(i.a()), self.source(i.b()));
        // PASS_B of a plain operand is a move.
        let is_plain = !i.b().invert && i.number(Name::PredicateResult) == PT && !i.has(Name::SetsFlags);
        if i.get(Name::Logic) == 3 && is_plain {
            return self.result(i, b);
        }
        let (a, b) = (self.word_of(a), self.word_of(b));
        let (a, b) = (self.complement(a, i.a().invert), self.complement(b, i.b().invert));
        let value = self.bitwise(i.get(Name::Logic), a, b);
        self.word_result(i, value);
        self.test_result(i, value);
    }

    pub(super) fn lop3(&mut self, i: Operands) {
        if self.refuse_extended(i.has(Name::Extended)) {
            return;
        }
        let [a, b, c] = self.words(i);
        let table = self.lit(i.get(Name::Truth));
        let value = self.l.b.int(Op::Lop3, &[a, b, c, table]);
        self.word_result(i, value);
        self.test_result(i, value);
    }

    /// `value` where a shift by `amount` leaves something, else `other`.
    fn within_word(&mut self, amount: ValueId, value: ValueId, other: ValueId) -> ValueId {
        let width = self.lit(32);
        let inside = self.l.b.int(Op::Ult, &[amount, width]);
        self.l.b.select(inside, value, other)
    }

    pub(super) fn shl(&mut self, i: Operands) {
        if self.refuse_extended(i.has(Name::Extended)) {
            return;
        }
        let (a, b) = (self.source(i.a()), self.source(i.b()));
        let known = self.l.literal(b);
        let (a, b) = (self.word_of(a), self.word_of(b));
        let mut value = self.l.b.int(Op::Shl, &[a, b]);
        if !i.has(Name::Wrap) && known.is_none_or(|amount| amount > 31) {
            let zero = self.lit(0);
            value = self.within_word(b, value, zero);
        }
        self.word_result(i, value);
    }

    pub(super) fn shr(&mut self, i: Operands) {
        if self.refuse_extended(i.has(Name::Extended)) {
            return;
        }
        let (a, b) = (self.source(i.a()), self.source(i.b()));
        let known = self.l.literal(b);
        let (mut a, b) = (self.word_of(a), self.word_of(b));
        if i.has(Name::Reverse) {
            a = self.l.b.int(Op::Brev, &[a]);
        }
        let wrap = i.has(Name::Wrap) || known.is_some_and(|amount| amount < 32);
        let value = match (i.has(Name::Signed), wrap) {
            (true, true) => self.l.b.int(Op::Ishr, &[a, b]),
            (true, false) => {
                let most = self.lit(31);
                let amount = self.l.b.int(Op::Umin, &[b, most]);
                self.l.b.int(Op::Ishr, &[a, amount])
            }
            (false, true) => self.l.b.int(Op::Ushr, &[a, b]),
            (false, false) => {
                let (shifted, zero) = (self.l.b.int(Op::Ushr, &[a, b]), self.lit(0));
                self.within_word(b, shifted, zero)
            }
        };
        self.word_result(i, value);
    }

    /// SHF: a shift of the pair {c, a}.
    pub(super) fn shf(&mut self, i: Operands, left: bool) {
        let (range, part) = (i.get(Name::Range), i.get(Name::High));
        if range == 1 {
            return self.refuse("a reserved width");
        }
        if self.refuse_extended(part > 1) {
            return;
        }
        let [a, b, c] = self.words(i);
        let wrap = i.has(Name::Wrap);
        let limit = if range == 0 { if wrap { 31 } else { 32 } } else { 63 };
        let limit = self.lit(limit);
        let amount = self.l.b.int(if wrap { Op::Iand } else { Op::Umin }, &[b, limit]);
        let pair = self.l.b.int(Op::Join, &[a, c]);
        let op = match (left, range) {
            (true, _) => Op::Shl64,
            (false, 3) => Op::Ishr64,
            (false, _) => Op::Ushr64,
        };
        let shifted = self.l.b.int(op, &[pair, amount]);
        // Left gives the high word, right the low one; HI the other.
        let high = left != (part == 1);
        let value = self.l.b.int(if high { Op::High } else { Op::Low }, &[shifted]);
        self.word_result(i, value);
    }

    /// `value` without its lowest bits: all ones from bit `count` on where there are that many; `count` may be any number.
    fn ones_from(&mut self, count: ValueId) -> ValueId {
        let (ones, zero) = (self.lit(u32::MAX), self.lit(0));
        let shifted = self.l.b.int(Op::Shl, &[ones, count]);
        self.within_word(count, shifted, zero)
    }

    /// Position and length that BFE and BFI take from their second operand.
    fn bit_field(&mut self, b: ValueId) -> (ValueId, ValueId) {
        let (zero, eight) = (self.lit(0), self.lit(8));
        let at = self.l.b.int(Op::Ubfe, &[b, zero, eight]);
        let len = self.l.b.int(Op::Ubfe, &[b, eight, eight]);
        (at, len)
    }

    pub(super) fn bfe(&mut self, i: Operands) {
        let (a, b) = (self.source(i.a()), self.source(i.b()));
        let known = self.l.literal(b);
        let mut a = self.word_of(a);
        if i.has(Name::Reverse) {
            a = self.l.b.int(Op::Brev, &[a]);
        }
        let is_signed = i.has(Name::Signed);
        let value = match known.map(|b| (b & 0xff, b >> 8 & 0xff)) {
            Some((_, 0)) => self.lit(0),
            Some((at, len)) if at < 32 => {
                let (at, len) = (self.lit(at), self.lit(len.min(32 - at)));
                self.l.b.int(if is_signed { Op::Ibfe } else { Op::Ubfe }, &[a, at, len])
            }
            _ => {
                let b = self.word_of(b);
                let (at, len) = self.bit_field(b);
                if is_signed { self.signed_field(a, at, len) } else { self.unsigned_field(a, at, len) }
            }
        };
        self.word_result(i, value);
    }

    fn unsigned_field(&mut self, a: ValueId, at: ValueId, len: ValueId) -> ValueId {
        let (shifted, zero) = (self.l.b.int(Op::Ushr, &[a, at]), self.lit(0));
        let shifted = self.within_word(at, shifted, zero);
        let above = self.ones_from(len);
        let mask = self.l.b.int(Op::Inot, &[above]);
        self.l.b.int(Op::Iand, &[shifted, mask])
    }

    /// Bits beyond the highest are copies of the sign, so that it does not matter which of them ends the field.
    fn signed_field(&mut self, a: ValueId, at: ValueId, len: ValueId) -> ValueId {
        let (most, width) = (self.lit(31), self.lit(32));
        let at = self.l.b.int(Op::Umin, &[at, most]);
        let shifted = self.l.b.int(Op::Ishr, &[a, at]);
        let len = self.l.b.int(Op::Umin, &[len, width]);
        let rest = self.l.b.int(Op::Isub, &[width, len]);
        let high = self.l.b.int(Op::Shl, &[shifted, rest]);
        let extended = self.l.b.int(Op::Ishr, &[high, rest]);
        let zero = self.lit(0);
        let is_empty = self.l.b.int(Op::Ieq, &[len, zero]);
        self.l.b.select(is_empty, zero, extended)
    }

    pub(super) fn bfi(&mut self, i: Operands) {
        let [a, b, c] = self.words(i);
        let (at, len) = self.bit_field(b);
        let zero = self.lit(0);
        let above = self.ones_from(len);
        let below = self.l.b.int(Op::Inot, &[above]);
        let mask = self.l.b.int(Op::Shl, &[below, at]);
        let mask = self.within_word(at, mask, zero);
        let moved = self.l.b.int(Op::Shl, &[a, at]);
        let value = self.insert(c, moved, mask);
        self.word_result(i, value);
    }

    pub(super) fn flo(&mut self, i: Operands) {
        let b = self.source(i.b());
        let b = self.word_of(b);
        let b = self.complement(b, i.b().invert);
        let mut value = self.l.b.int(if i.has(Name::Signed) { Op::Imsb } else { Op::Umsb }, &[b]);
        if i.has(Name::FromTop) {
            // Counted from the top; where there is none it stays all ones.
            let (top, none) = (self.lit(31), self.lit(u32::MAX));
            let is_none = self.l.b.int(Op::Ieq, &[value, none]);
            let from_top = self.l.b.int(Op::Isub, &[top, value]);
            value = self.l.b.select(is_none, none, from_top);
        }
        self.word_result(i, value);
    }

    pub(super) fn popc(&mut self, i: Operands) {
        let b = self.source(i.b());
        let b = self.word_of(b);
        let b = self.complement(b, i.b().invert);
        let value = self.l.b.int(Op::Popc, &[b]);
        self.result(i, value);
    }

    pub(super) fn prmt(&mut self, i: Operands) {
        let (a, b, c) = (self.source(i.a()), self.source(i.b()), self.source(i.c()));
        let known = self.l.literal(b);
        let selectors = match i.get(Name::Mode) {
            0 => None,
            1 => Some(FORWARD),
            2 => Some(BACKWARD),
            3 => Some(REPLICATE_BYTE),
            4 => Some(EDGE_LEFT),
            5 => Some(EDGE_RIGHT),
            6 => Some(REPLICATE_HALF),
            _ => return self.refuse("a reserved mode"),
        };
        let (a, c) = (self.word_of(a), self.word_of(c));
        let selector = match (selectors, known) {
            (None, _) => self.word_of(b),
            (Some(all), Some(at)) => self.lit((all >> (16 * (at & 3))) as u32 & 0xffff),
            (Some(all), None) => {
                let (b, all) = (self.word_of(b), self.l.b.i64(all));
                let (three, four) = (self.lit(3), self.lit(4));
                let at = self.l.b.int(Op::Iand, &[b, three]);
                let shift = self.l.b.int(Op::Shl, &[at, four]);
                let shifted = self.l.b.int(Op::Ushr64, &[all, shift]);
                self.l.b.int(Op::Low, &[shifted])
            }
        };
        let value = self.l.b.int(Op::Prmt, &[a, c, selector]);
        self.result(i, value);
    }
}
