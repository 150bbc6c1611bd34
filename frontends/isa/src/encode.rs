//! A word in the making.

use crate::Field;
use parallax_text::Span;

/// Collects field values; a field set twice must agree.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    word: u128,
    set: u128,
    flips: u128,
    deferred: Option<Span>,
}

/// A field was already set to something else.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The field.
    pub field: &'static str,
    /// What it holds.
    pub held: u64,
}

impl Encoding {
    /// Sets a field to the low bits of `value`.
    ///
    /// # Errors
    /// If some of its bits are set already and hold something else; nothing changes then.
    #[inline(always)]
    pub fn put(&mut self, field: &Field, value: u64) -> Result<(), Clash> {
        let mask = field.mask();
        let next = field.put(self.word, value);
        if self.set & mask & (next ^ self.word) != 0 {
            return Err(Clash { field: field.name, held: field.get(self.word) });
        }
        self.word = next;
        self.set |= mask;
        Ok(())
    }

    /// Whether any bit of a field is set already.
    pub fn has(&self, field: &Field) -> bool {
        self.set & field.mask() != 0
    }

    /// The value a field holds.
    pub fn get(&self, field: &Field) -> u64 {
        field.get(self.word)
    }

    /// Has bits inverted at the very end, for marks that carry what has no spelling.
    pub fn flip(&mut self, bits: u128) {
        self.flips ^= bits;
    }

    /// Bits that will be inverted.
    pub fn flips(&self) -> u128 {
        self.flips
    }

    /// Notes that an operand names a place in the program, such as a label, whose value is not known yet.
    pub fn defer(&mut self, name: Span) {
        self.deferred = Some(name);
    }

    /// Where the name of such a place stands.
    pub fn deferred(&self) -> Option<Span> {
        self.deferred
    }

    /// The word: what was collected, over the row's constant bits.
    pub fn finish(&self, base: u128) -> u128 {
        (self.word | base) ^ self.flips
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_be_set_twice_only_to_the_same_value() {
        const REG: Field = Field::new("reg", 4, 8);
        let mut e = Encoding::default();
        assert_eq!(e.put(&REG, 7), Ok(()));
        assert_eq!(e.put(&REG, 7), Ok(()));
        assert_eq!(e.put(&REG, 8), Err(Clash { field: "reg", held: 7 }));
        assert_eq!(e.finish(0x3), 0x73);
        e.flip(0x1);
        assert_eq!(e.finish(0x3), 0x72);
        assert!(e.has(&REG) && !e.has(&Field::new("other", 12, 1)));
    }
}
