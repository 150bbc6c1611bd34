//! Whole numbers of 64 bits by operations on their words, for sets that have few of their own.

use super::Select;
use super::wide::{Taken, Words};
use crate::form::Arg;
use crate::target::{Meaning, Row};
use parallax_num::{Kind, Op, Slot};

const NAN: &str = "NaN as 0 where doubles or 64 bits are converted to whole numbers: other words under rules that give something else";

impl Select<'_> {
    fn each_row(&self, op: Op) -> Option<Row> {
        self.rows.get(Meaning::Each(op))
    }

    /// What an operation on words gives.
    fn of_words(&mut self, op: Op, args: &[Arg]) -> Option<Arg> {
        let row = self.each_row(op)?;
        Some(self.word_of(row, args))
    }

    /// The first words where a condition holds, else the others.
    fn either(&mut self, condition: Arg, then: Words, other: Words) -> Option<Words> {
        let row = self.chooses()?;
        let one = |select: &mut Self, n: usize| match then[n] == other[n] {
            true => then[n],
            false => select.word_of(row, &[condition, then[n], other[n]]),
        };
        Some([one(self, 0), one(self, 1)])
    }

    /// An operation, by its words.
    pub(super) fn long_number(&mut self, num: Op, slot: Slot, taken: &[Taken]) -> Option<Words> {
        use Taken::{Wide, Word};
        let zero = Arg::imm(0);
        match (num, taken) {
            (Op::Sext64, &[Word(low)]) => {
                let low = self.unsigned_word(low);
                Some([low, self.of_words(Op::Ishr, &[low, Arg::imm(31)])?])
            }
            (Op::Ineg64, &[a]) => {
                let row = self.rows.get(Meaning::Wide(Op::Isub64, true))?;
                Some(self.instruction(row, slot, &[Wide([zero; 2]), a], true))
            }
            (Op::Imul64, &[Wide(a), Wide(b)]) => {
                let low = self.of_words(Op::Imul, &[a[0], b[0]])?;
                let mut high = self.of_words(Op::UmulHi, &[a[0], b[0]])?;
                for (x, y) in [(a[0], b[1]), (a[1], b[0])] {
                    if x != zero && y != zero {
                        let product = self.of_words(Op::Imul, &[x, y])?;
                        high = self.of_words(Op::Iadd, &[high, product])?;
                    }
                }
                Some([low, high])
            }
            // A negative factor is taken for one that is larger by 2^64.
            (Op::ImulHi64, &[Wide(a), Wide(b)]) => {
                let mut high = self.wide_number(Op::UmulHi64, slot, &[Wide(a), Wide(b)])?;
                for (of, factor) in [(a, b), (b, a)] {
                    let sign = self.of_words(Op::Ishr, &[of[1], Arg::imm(31)])?;
                    let more =
                        [self.of_words(Op::Iand, &[sign, factor[0]])?, self.of_words(Op::Iand, &[sign, factor[1]])?];
                    high = self.wide_number(Op::Isub64, slot, &[Wide(high), Wide(more)])?;
                }
                Some(high)
            }
            (Op::Shl64 | Op::Ushr64 | Op::Ishr64, &[Wide(words), Word(count)]) => {
                let count = self.unsigned_word(count);
                self.shifted(num, words, count)
            }
            (Op::Umin64 | Op::Umax64 | Op::Imin64 | Op::Imax64, &[Wide(a), Wide(b)]) => {
                let (less, swaps) = match num {
                    Op::Umin64 => (Op::Ult64, false),
                    Op::Umax64 => (Op::Ult64, true),
                    Op::Imin64 => (Op::Ilt64, false),
                    _ => (Op::Ilt64, true),
                };
                let is_less = self.compare_wide(less, slot, taken)?;
                let (then, other) = if swaps { (b, a) } else { (a, b) };
                self.either(is_less, then, other)
            }
            (Op::Iabs64, &[Wide(words)]) => {
                let sign = self.of_words(Op::Ishr, &[words[1], Arg::imm(31)])?;
                let flipped =
                    [self.of_words(Op::Ixor, &[words[0], sign])?, self.of_words(Op::Ixor, &[words[1], sign])?];
                self.wide_number(Op::Isub64, slot, &[Wide(flipped), Wide([sign; 2])])
            }
            (Op::Isign64, &[Wide(words)]) => {
                let sign = self.of_words(Op::Ishr, &[words[1], Arg::imm(31)])?;
                let bits = self.of_words(Op::Ior, &words)?;
                let is_any = self.compared(Op::Ine, bits, zero)?;
                let one = self.either(is_any, [Arg::imm(1); 2], [zero; 2])?[0];
                Some([self.of_words(Op::Ior, &[sign, one])?, sign])
            }
            // Where NaN gives the highest bit alone.
            (_, &[a]) => {
                let row = self.rows.get(Meaning::ToWhole(num, matches!(a, Wide(_))))?;
                self.notes.inexact_elsewhere(NAN);
                let words = self.instruction(row, slot, &[a], is_long(num));
                let is_nan = match a {
                    Word(word) => self.compared(Op::Funo, word, word)?,
                    Wide(_) => self.compare_wide(Op::Funo, slot, &[a, a])?,
                };
                match is_long(num) {
                    true => self.either(is_nan, [zero; 2], words),
                    false => self.either(is_nan, [zero; 2], [words[0]; 2]),
                }
            }
            _ => None,
        }
    }

    /// A number moved by up to 63 bits.
    fn shifted(&mut self, num: Op, [low, high]: Words, count: Arg) -> Option<Words> {
        let (near, funnel) = match num {
            Op::Shl64 => (Op::Shl, Op::FunnelShl),
            Op::Ushr64 => (Op::Ushr, Op::FunnelShr),
            _ => (Op::Ishr, Op::FunnelShr),
        };
        // The word that bits leave, the other one, and what fills up.
        let is_left = num == Op::Shl64;
        let from = if is_left { low } else { high };
        let fill = match num {
            Op::Ishr64 => self.of_words(Op::Ishr, &[high, Arg::imm(31)])?,
            _ => Arg::imm(0),
        };
        let ordered = |outer: Arg, inner: Arg| if is_left { [outer, inner] } else { [inner, outer] };
        // Both take the count modulo 32.
        match count.bits().map(|count| count & 63) {
            Some(0) => Some([low, high]),
            Some(32) => Some(ordered(fill, from)),
            Some(33..) => {
                let moved = self.of_words(near, &[from, count])?;
                Some(ordered(fill, moved))
            }
            known => {
                let moved = self.of_words(near, &[from, count])?;
                let both = self.of_words(funnel, &[low, high, count])?;
                if known.is_some() {
                    return Some(ordered(moved, both));
                }
                let bit = self.of_words(Op::Iand, &[count, Arg::imm(32)])?;
                let is_far = self.compared(Op::Ine, bit, Arg::imm(0))?;
                self.either(is_far, ordered(fill, moved), ordered(moved, both))
            }
        }
    }
}

/// Whether what a conversion gives has 64 bits.
fn is_long(num: Op) -> bool {
    num.info().result == Kind::I64
}
