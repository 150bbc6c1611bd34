//! Numbers from 0 to 1 in 256 bits, for functions that 128 do not decide, and for tables.

/// 256 bits behind the point, the lowest word first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fraction(pub [u64; 4]);

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction([0; 4]);
    /// All that is less than 1.
    pub const MOST: Fraction = Fraction([u64::MAX; 4]);
    /// ln 2.
    pub const LN2: Fraction =
        Fraction([0x8a0d_175b_8baa_fa2b, 0x40f3_4326_7298_b62d, 0xc9e3_b398_03f2_f6af, 0xb172_17f7_d1cf_79ab]);
    /// log2(e) / 2.
    pub const LOG2E: Fraction =
        Fraction([0x8b25_166c_d1a1_3247, 0xeb57_7aa8_dd69_5a58, 0xbe87_fed0_691d_3e88, 0xb8aa_3b29_5c17_f0bb]);

    /// a + b, modulo 1.
    pub fn plus(self, other: Fraction) -> Fraction {
        let mut carry = 0;
        let mut words = [0; 4];
        for (n, word) in words.iter_mut().enumerate() {
            let sum = u128::from(self.0[n]) + u128::from(other.0[n]) + carry;
            (*word, carry) = (sum as u64, sum >> 64);
        }
        Fraction(words)
    }

    /// 1 - a, modulo 1.
    pub fn negated(self) -> Fraction {
        Fraction(self.0.map(|word| !word)).plus(Fraction([1, 0, 0, 0]))
    }

    /// The product with a word, which has one word more.
    pub fn times(self, factor: u64) -> [u64; 5] {
        let mut carry = 0;
        let mut words = [0; 5];
        for (word, own) in words.iter_mut().zip(self.0) {
            let product = u128::from(own) * u128::from(factor) + carry;
            (*word, carry) = (product as u64, product >> 64);
        }
        words[4] = carry as u64;
        words
    }

    /// The product, rounded down.
    pub fn high(self, other: Fraction) -> Fraction {
        let mut columns = [0u64; 8];
        for (j, factor) in other.0.into_iter().enumerate() {
            let row = self.times(factor);
            let mut carry = 0;
            for (column, word) in columns[j..].iter_mut().zip(row) {
                let sum = u128::from(*column) + u128::from(word) + carry;
                (*column, carry) = (sum as u64, sum >> 64);
            }
        }
        Fraction([columns[4], columns[5], columns[6], columns[7]])
    }

    /// The quotient, rounded down.
    pub fn over(self, divisor: u64) -> Fraction {
        let (mut words, mut rest) = (self.0, 0);
        for word in words.iter_mut().rev() {
            let all = rest << 64 | u128::from(*word);
            (*word, rest) = ((all / u128::from(divisor)) as u64, all % u128::from(divisor));
        }
        Fraction(words)
    }

    /// Shifted right by any amount.
    pub fn shifted(self, amount: i64) -> Fraction {
        Fraction([0, 1, 2, 3].map(|n| word_at(&self.0, amount + 64 * n)))
    }
}

/// 64 bits of a number, the lowest one at this place; zeros where it has none.
pub(crate) fn word_at(words: &[u64], place: i64) -> u64 {
    let word = |n: i64| usize::try_from(n).ok().and_then(|n| words.get(n)).copied().unwrap_or(0);
    let (n, shift) = (place.div_euclid(64), place.rem_euclid(64));
    let upper = if shift == 0 { 0 } else { word(n + 1) << (64 - shift) };
    word(n) >> shift | upper
}

impl From<u128> for Fraction {
    /// Of the first 128 bits.
    fn from(first: u128) -> Fraction {
        Fraction([0, 0, first as u64, (first >> 64) as u64])
    }
}
