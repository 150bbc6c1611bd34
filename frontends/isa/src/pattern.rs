//! Bit patterns: the readable spelling of an encoding.

/// Which bits of a word are constant, which carry operands, which are ignored.
///
/// Spelled most significant bit first, one character a bit: `0` and `1` are constant, `-` belongs to an operand, `o`
/// and `i` are ignored by the decoder and written as 0 and 1. Blanks, `_` and `|` only group; `-{24}` repeats the
/// character before it 24 times.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The spelling; empty where the pattern was made from masks.
    pub text: &'static str,
    /// Number of bits, 1 to 128.
    pub width: u32,
    /// Constant bits.
    pub fixed: u128,
    /// Their values.
    pub value: u128,
    /// Operand bits.
    pub free: u128,
    /// Ignored bits that are written as 1.
    pub filler: u128,
}

impl Pattern {
    /// Reads a spelling.
    ///
    /// # Panics
    /// If it is malformed or longer than 128 bits. Rows are constants, so this happens while compiling.
    pub const fn new(text: &'static str) -> Pattern {
        let bytes = text.as_bytes();
        let mut out = Pattern { text, width: 0, fixed: 0, value: 0, free: 0, filler: 0 };
        let mut last = 0;
        let mut i = 0;
        while i < bytes.len() {
            let b = bytes[i];
            i += 1;
            match b {
                b' ' | b'_' | b'|' => continue,
                b'0' | b'1' | b'-' | b'o' | b'i' => {
                    out = out.push(b, 1);
                    last = b;
                }
                b'{' => {
                    let mut count = 0;
                    while i < bytes.len() && bytes[i].is_ascii_digit() {
                        count = count * 10 + (bytes[i] - b'0') as u32;
                        i += 1;
                    }
                    assert!(i < bytes.len() && bytes[i] == b'}' && count > 0 && last != 0, "malformed repeat");
                    i += 1;
                    out = out.push(last, count - 1);
                }
                _ => panic!("unknown pattern character"),
            }
        }
        assert!(out.width > 0, "empty pattern");
        out
    }

    /// The pattern of a word of `width` bits with the constant bits `fixed`, whose values are those of `value`, and the
    /// operand bits `free`. All other bits are ignored and written as 0.
    ///
    /// # Panics
    /// If a bit is constant and an operand's, or lies outside the word.
    pub const fn masked(width: u32, fixed: u128, value: u128, free: u128) -> Pattern {
        assert!(width > 0 && width <= 128 && value & !fixed == 0 && fixed & free == 0, "masks that contradict");
        let out = Pattern { text: "", width, fixed, value, free, filler: 0 };
        assert!((fixed | free) & !out.all() == 0, "masks beyond the word");
        out
    }

    /// The spelling, with long runs written as repeats.
    pub fn spelling(&self) -> String {
        if !self.text.is_empty() {
            return self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let kind = |n: u32| match (self.fixed >> n & 1, self.value >> n & 1, self.free >> n & 1, self.filler >> n & 1) {
            (1, value, ..) => b"01"[value as usize],
            (_, _, 1, _) => b'-',
            (_, _, _, filler) => b"oi"[filler as usize],
        };
        let mut out = String::new();
        let mut left = self.width;
        while left > 0 {
            let first = kind(left - 1);
            let run = (0..left).rev().take_while(|n| kind(*n) == first).count();
            // Constant bits are read one by one.
            let take = if first.is_ascii_digit() { 1 } else { run };
            if !out.is_empty() && (take > 1 || !first.is_ascii_digit() || !out.ends_with(['0', '1'])) {
                out.push(' ');
            }
            out.push(char::from(first));
            if take > 1 {
                out.push_str(&format!("{{{take}}}"));
            }
            left -= take as u32;
        }
        out
    }

    const fn push(mut self, kind: u8, count: u32) -> Pattern {
        let mut n = 0;
        while n < count {
            assert!(self.width < 128, "pattern longer than 128 bits");
            self.width += 1;
            self.fixed = self.fixed << 1 | (kind == b'0' || kind == b'1') as u128;
            self.value = self.value << 1 | (kind == b'1') as u128;
            self.free = self.free << 1 | (kind == b'-') as u128;
            self.filler = self.filler << 1 | (kind == b'i') as u128;
            n += 1;
        }
        self
    }

    /// All bits of a word of this width.
    pub const fn all(&self) -> u128 {
        if self.width == 128 { u128::MAX } else { (1 << self.width) - 1 }
    }

    /// Bits the decoder ignores.
    pub const fn ignored(&self) -> u128 {
        self.all() & !self.fixed & !self.free
    }

    /// Whether `word` has the constant bits.
    pub const fn matches(&self, word: u128) -> bool {
        word & self.fixed == self.value
    }

    /// Whether some word matches both.
    pub const fn overlaps(&self, other: &Pattern) -> bool {
        (self.value ^ other.value) & self.fixed & other.fixed == 0
    }

    /// Whether every word that matches `self` matches `other`, but not the other way round.
    pub const fn narrower_than(&self, other: &Pattern) -> bool {
        self.overlaps(other) && self.fixed & other.fixed == other.fixed && self.fixed != other.fixed
    }

    /// The word with all operand bits zero.
    pub const fn base(&self) -> u128 {
        self.value | self.filler
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_gives_masks() {
        const P: Pattern = Pattern::new("oi 01 | -{3} 1");
        assert_eq!(P.width, 8);
        assert_eq!(P.fixed, 0b0011_0001);
        assert_eq!(P.value, 0b0001_0001);
        assert_eq!(P.free, 0b0000_1110);
        assert_eq!(P.ignored(), 0b1100_0000);
        assert_eq!(P.base(), 0b0101_0001);
        assert_eq!(Pattern::new("-{128}").free, u128::MAX);
    }

    #[test]
    fn masks_spell_a_pattern() {
        const P: Pattern = Pattern::masked(16, 0xf801, 0xa801, 0x0770);
        assert_eq!(P.spelling(), "10101 -{3} o -{3} o{3} 1");
        assert_eq!(Pattern { text: "", ..Pattern::new("10101 -{3} o -{3} o{3} 1") }, P);
        assert_eq!(Pattern::new("01  -{3} 0").spelling(), "01 -{3} 0");
    }

    #[test]
    fn narrower_means_strictly_fewer_words() {
        let wide = Pattern::new("----0001");
        let narrow = Pattern::new("10--0001");
        let apart = Pattern::new("----0011");
        let crossing = Pattern::new("1-----01");
        assert!(narrow.narrower_than(&wide) && !wide.narrower_than(&narrow) && !wide.narrower_than(&wide));
        assert!(!apart.overlaps(&wide));
        assert!(crossing.overlaps(&wide) && !crossing.narrower_than(&wide) && !wide.narrower_than(&crossing));
    }
}
