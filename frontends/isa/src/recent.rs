//! What was written before: programs have few constants and few operands, and use them often.
//!
//! A text is looked up by everything it depends on, and copied if it was written before. The tables are allocated only after some misses:
//! for a few lines, allocating them would take longer than printing.

use crate::code::Code;
use crate::cursor::Cursor;

/// A table of 2 to the power of `BITS` texts, of which each has one place.
#[derive(Clone, Debug)]
struct Places<T, const BITS: u32> {
    all: Vec<T>,
    /// How many were not found while there was no memory.
    missed: u32,
}

impl<T, const BITS: u32> Default for Places<T, BITS> {
    fn default() -> Places<T, BITS> {
        Places { all: Vec::new(), missed: 0 }
    }
}

/// The texts of a table that were not found before there is memory for any.
const PATIENCE: u32 = 64;

impl<T: Clone + Default, const BITS: u32> Places<T, BITS> {
    /// The place of what has this hash, which is good in its highest bits.
    #[inline(always)]
    fn get(&self, hash: u64) -> Option<&T> {
        self.all.get((hash >> (64 - BITS)) as usize)
    }

    /// Keeps a text in its place.
    fn keep(&mut self, hash: u64, text: T) {
        if self.all.is_empty() {
            self.missed += 1;
            if self.missed < PATIENCE {
                return;
            }
            self.all.resize(1 << BITS, T::default());
        }
        self.all[(hash >> (64 - BITS)) as usize] = text;
    }
}

/// A number by its bits, how it is written, and its text.
#[derive(Copy, Clone, Debug, Default)]
struct Number {
    number: u64,
    /// 0 where there is none.
    way: u32,
    len: u8,
    chars: [u8; 16],
}

/// Most characters of operands that are kept.
const CHARS: usize = 48;

/// Operands by their bits, how they are written, and their text.
#[derive(Copy, Clone, Debug)]
struct Operands {
    bits: Code,
    /// 0 where there are none.
    way: u32,
    len: u8,
    chars: [u8; CHARS],
}

impl Default for Operands {
    fn default() -> Operands {
        Operands { bits: Code::default(), way: 0, len: 0, chars: [0; CHARS] }
    }
}

/// Texts that were written before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recent {
    numbers: Places<Number, 9>,
    operands: Places<Operands, 11>,
}

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn hash_of_number(number: u64, way: u32) -> u64 {
    number.wrapping_add(u64::from(way) << 32).wrapping_mul(SPREAD)
}

#[inline(always)]
fn hash_of_operands(bits: &Code, way: u32) -> u64 {
    // Odd, and unlike each other.
    const FACTORS: [u64; 4] = [SPREAD, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];
    let hash = bits
        .0
        .iter()
        .zip(FACTORS)
        .fold(u64::from(way), |hash, (limb, factor)| hash.wrapping_add(limb.wrapping_mul(factor)));
    // The high bits of a limb reach only the highest of a product.
    (hash ^ hash >> 32).wrapping_mul(SPREAD)
}

impl Cursor<'_> {
    /// Appends the text of a number that is written in this way, which is not 0, if it is known and there is room for it.
    #[inline(always)]
    pub(crate) fn try_number(&mut self, number: u64, way: u32) -> bool {
        match self.recent.numbers.get(hash_of_number(number, way)) {
            Some(&Number { number: of, way: by, len, chars }) if of == number && by == way => {
                self.try_chars(&chars, len)
            }
            _ => false,
        }
    }

    /// Appends what `print` writes for a number in this way, and keeps it.
    #[inline(always)]
    pub(crate) fn keep_number(&mut self, number: u64, way: u32, print: impl FnOnce(&mut Cursor<'_>)) {
        let (at, moved) = (self.place(), self.start.len());
        print(self);
        let written = self.at.wrapping_sub(at);
        if let (0..=16, Some(chars)) = (written, self.room[at..].first_chunk())
            && self.start.len() == moved
        {
            let known = Number { number, way, len: written as u8, chars: *chars };
            self.recent.numbers.keep(hash_of_number(number, way), known);
        }
    }

    /// Appends the text of operands with these bits that are written in this way, which is not 0, or what `print` writes for them.
    #[inline(always)]
    pub(crate) fn operands(&mut self, bits: &Code, way: u32, print: impl FnOnce(&mut Cursor<'_>)) {
        let hash = hash_of_operands(bits, way);
        let at = self.place();
        if let Some(known) = self.recent.operands.get(hash)
            && known.bits == *bits
            && known.way == way
        {
            self.room[at..at + CHARS].copy_from_slice(&known.chars);
            self.at = at + usize::from(known.len);
            return;
        }
        let moved = self.start.len();
        print(self);
        let written = self.at.wrapping_sub(at);
        if let (0..=CHARS, Some(chars)) = (written, self.room[at..].first_chunk())
            && self.start.len() == moved
        {
            let known = Operands { bits: *bits, way, len: written as u8, chars: *chars };
            self.recent.operands.keep(hash, known);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::code::Code;
    use crate::out::Out;

    /// Texts of numbers that are known already are those of the first time, wherever a long line is moved; also where another number,
    /// or another way of writing the same one, has taken the place in between.
    #[test]
    fn known_numbers_are_written_again() {
        let (mut out, mut want, mut made) = (Out::new(), String::new(), 0);
        for n in 0..400i64 {
            let values: Vec<i64> = (0..60).map(|k| ((n + k) % 1500).wrapping_mul(0x9e37_79b1) >> (k % 20)).collect();
            out.line(|line| {
                (0..n % 7).for_each(|_| line.char(b'+'));
                for value in &values {
                    let number = *value as u64;
                    if !line.try_number(number, 1) {
                        line.keep_number(number, 1, |line| line.signed(*value));
                        made += 1;
                    }
                    if !line.try_number(number, 2) {
                        line.keep_number(number, 2, |line| {
                            line.char(b',');
                            line.hex(number, 8);
                        });
                    }
                }
            });
            want += &"+".repeat(n as usize % 7);
            values.iter().for_each(|value| want += &format!("{value},{:08x}", *value as u32));
        }
        assert_eq!(out.as_str(), want);
        assert!((1_500..400 * 60).contains(&made), "{made} were not known");
    }

    /// Operands that are known already have the text of the first time, and of no others; long ones are written each time.
    #[test]
    fn known_operands_are_written_again() {
        let (mut out, mut want, mut short, mut made) = (Out::new(), String::new(), 0, 0);
        for n in 0..3_000u64 {
            let low = n * n % 700;
            let bits = Code::new(u128::from(low) << (n % 3 * 40), u128::from(low % 7) << 100);
            let way = 1 + (n % 2) as u32;
            // Some are longer than what a line holds before it is moved.
            let more = low % 60 + if low % 8 == 1 { 240 } else { 0 };
            let text = format!("{:x}:{way}{}", bits.word() ^ bits.side(), "+".repeat(more as usize));
            out.line(|line| {
                for _ in 0..2 {
                    line.operands(&bits, way, |line| {
                        line.text(&text);
                        made += usize::from(text.len() <= super::CHARS);
                    });
                }
            });
            want += &text.repeat(2);
            short += usize::from(text.len() <= super::CHARS);
        }
        assert_eq!(out.as_str(), want);
        // Each of those that fit is written twice, and known the second time.
        let most = short + super::PATIENCE as usize;
        assert!((100..=most).contains(&made), "{made} of {short} pairs were not known");
    }
}
