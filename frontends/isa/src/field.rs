//! Bit fields of an encoded instruction, contiguous or split.

use crate::code::Code;

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

/// A run of bits inside of one 64-bit limb of a [`Code`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Lowest bit, from 0; side data starts at [`Code::SIDE`].
    pub lo: u8,
    /// Number of bits, 1 to 64.
    pub len: u8,
}

impl Bits {
    pub(crate) const fn new(lo: u8, len: u8) -> Bits {
        assert!(len > 0 && lo as u32 % 64 + len as u32 <= 64, "a run of bits crosses a multiple of 64: split it");
        Bits { lo, len }
    }

    /// As many ones as it has bits.
    #[inline(always)]
    pub(crate) const fn ones(self) -> u64 {
        u64::MAX >> (64 - self.len)
    }

    /// Number of its limb.
    #[inline(always)]
    pub(crate) const fn limb(self) -> usize {
        (self.lo >> 6) as usize
    }

    /// Its lowest bit in the limb.
    #[inline(always)]
    pub(crate) const fn shift(self) -> u32 {
        self.lo as u32 & 63
    }
}

/// A named field of up to 64 bits in up to four runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Runs, the one with the low bits of the value first. Most fields differ here: that is compared first.
    pieces: [Bits; 4],
    count: u8,
    /// Name, as in the source document.
    pub name: &'static str,
    /// Whether the value is two's complement.
    pub signed: bool,
    /// Valid values.
    pub allowed: Allowed,
}

impl Field {
    /// A field of `len` bits from bit `lo` on.
    pub const fn new(name: &'static str, lo: u8, len: u8) -> Field {
        let bits = Bits::new(lo, len);
        Field { name, pieces: [bits; 4], count: 1, signed: false, allowed: Allowed::Any }
    }

    /// Appends a run that holds the next higher bits of the value.
    #[must_use]
    pub const fn then(mut self, lo: u8, len: u8) -> Field {
        assert!(self.width() + len as u32 <= 64);
        self.pieces[self.count as usize] = Bits::new(lo, len);
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
    #[inline(always)]
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

    /// The bits it occupies.
    pub const fn mask(&self) -> Code {
        let mut mask = Code([0; 4]);
        let mut i = 0;
        while i < self.count as usize {
            mask.0[self.pieces[i].limb()] |= self.pieces[i].ones() << self.pieces[i].shift();
            i += 1;
        }
        mask
    }

    /// The value, zero-extended.
    #[inline(always)]
    pub const fn get(&self, code: &Code) -> u64 {
        let first = self.pieces[0];
        let mut value = code.0[first.limb()] >> first.shift() & first.ones();
        let mut at = first.len;
        let mut i = 1;
        while i < self.count as usize {
            let bits = self.pieces[i];
            value |= (code.0[bits.limb()] >> bits.shift() & bits.ones()) << at;
            at += bits.len;
            i += 1;
        }
        value
    }

    /// The value, sign-extended if the field is signed.
    #[inline(always)]
    pub const fn get_signed(&self, code: &Code) -> i64 {
        self.extend(self.get(code))
    }

    /// A value as wide as the field, sign-extended if the field is signed.
    #[inline(always)]
    pub const fn extend(&self, value: u64) -> i64 {
        let spare = 64 - self.width();
        if self.signed { (value << spare) as i64 >> spare } else { value as i64 }
    }

    /// Sets the field to the low bits of `value`.
    #[inline(always)]
    pub const fn put(&self, code: &mut Code, value: u64) {
        let mut at = 0;
        let mut i = 0;
        while i < self.count as usize {
            let bits = self.pieces[i];
            let limb = &mut code.0[bits.limb()];
            *limb = *limb & !(bits.ones() << bits.shift()) | (value >> at & bits.ones()) << bits.shift();
            at += bits.len;
            i += 1;
        }
    }

    /// Whether `value` fits the width, as signed or unsigned.
    #[inline]
    pub const fn fits(&self, value: i64) -> bool {
        if self.count == 1 && !self.signed {
            return value as u64 & !self.pieces[0].ones() == 0;
        }
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
        let mut code = Code::default();
        F.put(&mut code, (-5i64) as u64);
        assert_eq!(code, Code::from(0x0100_007f_ffb0_0000));
        assert_eq!((F.get_signed(&code), F.get(&code)), (-5, 0xffffb));
        assert!(F.fits(-524_288) && !F.fits(524_288));
        let mut ones = Code([u64::MAX; 4]);
        F.put(&mut ones, 0);
        assert_eq!(ones, Code([u64::MAX; 4]).without(F.mask()));
    }

    #[test]
    fn fields_reach_the_side_data() {
        const STALL: Field = Field::new("stall", Code::SIDE, 4);
        let mut code = Code::new(5, 0xf7);
        assert_eq!(STALL.get(&code), 7);
        STALL.put(&mut code, 2);
        assert_eq!((code.word(), code.side()), (5, 0xf2));
    }

    #[test]
    fn allowed_values() {
        const BANK: Field = Field::new("bank", 17, 3).only(&[0, 2, 3]);
        assert!(BANK.allowed.holds(2) && !BANK.allowed.holds(1));
        assert!(Field::new("unit", 0, 8).up_to(15).allowed.holds(15));
        assert!(!Field::new("unit", 0, 8).up_to(15).allowed.holds(16));
    }
}
