//! Bit fields of a word, contiguous or split.

/// Values a field may hold in a valid instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// All.
    Any,
    /// Those whose bit is set; fields of up to 6 bits.
    Set(u64),
    /// 0 up to and including this.
    Max(u64),
}

impl Allowed {
    /// Whether `value` is among them.
    #[inline(always)]
    pub const fn holds(self, value: u64) -> bool {
        match self {
            Allowed::Any => true,
            Allowed::Set(set) => value < 64 && set >> value & 1 != 0,
            Allowed::Max(max) => value <= max,
        }
    }
}

/// A run of bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Lowest bit, from 0.
    pub lo: u8,
    /// Number of bits, 1 to 64.
    pub len: u8,
}

impl Bits {
    const fn mask(self) -> u64 {
        if self.len == 64 { u64::MAX } else { (1 << self.len) - 1 }
    }
}

/// A named field of up to 64 bits in up to three runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, as in the source document.
    pub name: &'static str,
    /// Runs, the one with the low bits of the value first.
    pieces: [Bits; 3],
    count: u8,
    /// Whether the value is two's complement.
    pub signed: bool,
    /// Valid values.
    pub allowed: Allowed,
}

impl Field {
    /// A field of `len` bits from bit `lo` on.
    pub const fn new(name: &'static str, lo: u8, len: u8) -> Field {
        assert!(len > 0 && len <= 64 && lo as u32 + len as u32 <= 128);
        Field { name, pieces: [Bits { lo, len }; 3], count: 1, signed: false, allowed: Allowed::Any }
    }

    /// Appends a run that holds the next higher bits of the value.
    #[must_use]
    pub const fn then(mut self, lo: u8, len: u8) -> Field {
        assert!(len > 0 && self.width() + len as u32 <= 64 && lo as u32 + len as u32 <= 128);
        self.pieces[self.count as usize] = Bits { lo, len };
        self.count += 1;
        self
    }

    /// Takes the value as two's complement.
    #[must_use]
    pub const fn signed(mut self) -> Field {
        self.signed = true;
        self
    }

    /// Restricts the valid values to these.
    #[must_use]
    pub const fn only(mut self, values: &[u8]) -> Field {
        let mut set = 0;
        let mut i = 0;
        while i < values.len() {
            assert!(values[i] < 64);
            set |= 1 << values[i];
            i += 1;
        }
        self.allowed = Allowed::Set(set);
        self
    }

    /// Restricts the valid values to 0 to `max`.
    #[must_use]
    pub const fn up_to(mut self, max: u64) -> Field {
        self.allowed = Allowed::Max(max);
        self
    }

    /// The runs.
    pub fn pieces(&self) -> &[Bits] {
        &self.pieces[..self.count as usize]
    }

    /// Bits of the value.
    pub const fn width(&self) -> u32 {
        let mut n = self.pieces[0].len as u32;
        let mut i = 1;
        while i < self.count as usize {
            n += self.pieces[i].len as u32;
            i += 1;
        }
        n
    }

    /// The bits of a word it occupies.
    pub const fn mask(&self) -> u128 {
        let mut mask = 0;
        let mut i = 0;
        while i < self.count as usize {
            mask |= (self.pieces[i].mask() as u128) << self.pieces[i].lo;
            i += 1;
        }
        mask
    }

    /// The value, zero-extended.
    #[inline(always)]
    pub const fn get(&self, word: u128) -> u64 {
        let mut value = (word >> self.pieces[0].lo) as u64 & self.pieces[0].mask();
        let mut at = self.pieces[0].len;
        let mut i = 1;
        while i < self.count as usize {
            value |= ((word >> self.pieces[i].lo) as u64 & self.pieces[i].mask()) << at;
            at += self.pieces[i].len;
            i += 1;
        }
        value
    }

    /// The value, sign-extended if the field is signed.
    #[inline(always)]
    pub const fn get_signed(&self, word: u128) -> i64 {
        let value = self.get(word);
        let spare = 64 - self.width();
        if self.signed { (value << spare) as i64 >> spare } else { value as i64 }
    }

    /// The word with the field set to the low bits of `value`.
    #[inline(always)]
    #[must_use]
    pub const fn put(&self, word: u128, value: u64) -> u128 {
        let mut out = word & !self.mask();
        let mut at = 0;
        let mut i = 0;
        while i < self.count as usize {
            out |= ((value >> at & self.pieces[i].mask()) as u128) << self.pieces[i].lo;
            at += self.pieces[i].len;
            i += 1;
        }
        out
    }

    /// Whether `value` fits the width, as signed or unsigned.
    pub const fn fits(&self, value: i64) -> bool {
        let width = self.width();
        if width == 64 {
            return true;
        }
        if self.signed {
            value >= -(1 << (width - 1)) && value < 1 << (width - 1)
        } else {
            value >= 0 && value < 1 << width
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_fields_join_their_runs() {
        const F: Field = Field::new("imm", 20, 19).then(56, 1).signed();
        assert_eq!(F.width(), 20);
        let word = F.put(0, (-5i64) as u64);
        assert_eq!(word, 0x0100_007f_ffb0_0000);
        assert_eq!(F.get_signed(word), -5);
        assert_eq!(F.get(word), 0xffffb);
        assert!(F.fits(-524_288) && !F.fits(524_288));
        assert_eq!(F.put(u128::MAX, 0), !F.mask());
    }

    #[test]
    fn allowed_values() {
        const BANK: Field = Field::new("bank", 17, 3).only(&[0, 2, 3]);
        assert!(BANK.allowed.holds(2) && !BANK.allowed.holds(1));
        assert!(Field::new("unit", 0, 8).up_to(15).allowed.holds(15));
        assert!(!Field::new("unit", 0, 8).up_to(15).allowed.holds(16));
    }
}
