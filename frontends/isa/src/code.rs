//! The bits of an encoded instruction, complete and in the making.

use crate::field::{Bits, Field};

/// The bits of an encoded instruction: the word that rows match, of up to 128 bits, and side data that is stored
/// elsewhere: control bits, a trailing constant, operands that another part of the group names.
///
/// Fields count bits from the lowest of the word on; side data starts at bit [`Code::SIDE`].
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Code(pub(crate) [u64; 4]);

/// Number of a limb of a [`Code`]. A number would have to be checked wherever one is looked up.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Limb {
    #[default]
    Low,
    High,
    SideLow,
    SideHigh,
}

impl Limb {
    /// The limbs, in order.
    pub(crate) const ALL: [Limb; 4] = [Limb::Low, Limb::High, Limb::SideLow, Limb::SideHigh];
}

impl Code {
    /// The bits of a limb.
    #[inline(always)]
    pub(crate) const fn limb(&self, limb: Limb) -> u64 {
        self.0[limb as usize]
    }

    /// The first bit of the side data.
    pub const SIDE: u8 = 128;

    /// A word and its side data.
    #[inline(always)]
    pub const fn new(word: u128, side: u128) -> Code {
        Code([word as u64, (word >> 64) as u64, side as u64, (side >> 64) as u64])
    }

    /// The word.
    #[inline(always)]
    pub const fn word(&self) -> u128 {
        (self.0[1] as u128) << 64 | self.0[0] as u128
    }

    /// The side data.
    #[inline(always)]
    pub const fn side(&self) -> u128 {
        (self.0[3] as u128) << 64 | self.0[2] as u128
    }

    /// Whether all bits are 0.
    pub const fn is_zero(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// How many bits are 1.
    pub(crate) fn count_ones(&self) -> u32 {
        self.0.iter().map(|limb| limb.count_ones()).sum()
    }

    /// The bits both have.
    #[must_use]
    #[inline(always)]
    pub const fn and(self, other: Code) -> Code {
        let (a, b) = (self.0, other.0);
        Code([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    /// The bits either has.
    #[must_use]
    pub const fn or(self, other: Code) -> Code {
        let (a, b) = (self.0, other.0);
        Code([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// Its bits that `other` does not have.
    #[must_use]
    pub const fn without(self, other: Code) -> Code {
        let b = other.0;
        self.and(Code([!b[0], !b[1], !b[2], !b[3]]))
    }
}

impl From<u128> for Code {
    fn from(word: u128) -> Code {
        Code::new(word, 0)
    }
}

/// An instruction in the making: field values; a field set twice must agree.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    code: Code,
    set: Code,
}

impl Encoding {
    /// Nothing is set.
    pub const NOTHING: Encoding = Encoding { code: Code([0; 4]), set: Code([0; 4]) };

    /// Sets a field to the low bits of `value`. Says whether that agrees with what was set before.
    #[inline(always)]
    #[must_use]
    pub fn put(&mut self, field: &Field, value: u64) -> bool {
        let (first, more) = (field.pieces()[0], field.pieces().len() > 1);
        self.put_bits(first, value) && (!more || self.put_more(field, value))
    }

    #[inline(always)]
    fn put_bits(&mut self, bits: Bits, value: u64) -> bool {
        let shift = bits.shift();
        self.put_limb(bits.limb(), bits.ones() << shift, (value & bits.ones()) << shift)
    }

    /// Sets the bits of a mask in a limb to those of `value`, which has no others. Says whether that agrees with what was set
    /// before.
    #[inline(always)]
    pub(crate) fn put_limb(&mut self, limb: usize, mask: u64, value: u64) -> bool {
        let limb = limb & 3;
        if self.set.0[limb] & mask & (self.code.0[limb] ^ value) != 0 {
            return false;
        }
        self.code.0[limb] |= value;
        self.set.0[limb] |= mask;
        true
    }

    /// Sets all runs of a field but the first.
    #[inline(never)]
    fn put_more(&mut self, field: &Field, value: u64) -> bool {
        let mut at = 0;
        field.pieces().iter().all(|bits| {
            at += bits.len;
            at == field.pieces()[0].len || self.put_bits(*bits, value >> (at - bits.len))
        })
    }

    /// Whether any bit of a field is set already.
    #[inline(always)]
    pub fn has(&self, field: &Field) -> bool {
        let is_set = |bits: &Bits| self.set.0[bits.limb() & 3] & bits.ones() << bits.shift() != 0;
        field.pieces().iter().any(is_set)
    }

    /// The value a field holds.
    #[inline]
    pub fn get(&self, field: &Field) -> u64 {
        field.get(&self.code)
    }

    /// What was collected: the bits, and which of them are set.
    #[inline(always)]
    pub fn parts(&self) -> (Code, Code) {
        (self.code, self.set)
    }

    /// An instruction in the making for which these bits are set to those of `code`.
    #[inline(always)]
    pub fn from_parts(code: Code, set: Code) -> Encoding {
        Encoding { code: code.and(set), set }
    }

    /// What was collected, over the row's constant bits.
    pub fn finish(&self, base: u128) -> Code {
        self.code.or(Code::from(base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_be_set_twice_only_to_the_same_value() {
        const REG: Field = Field::new("reg", 4, 8);
        let mut e = Encoding::default();
        assert!(e.put(&REG, 7) && e.put(&REG, 7) && !e.put(&REG, 8));
        assert_eq!(e.finish(0x3), Code::from(0x73));
        assert!(e.has(&REG) && !e.has(&Field::new("other", 12, 1)));
    }
}
