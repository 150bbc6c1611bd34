//! A hash of results and contents: against mix-ups, not against malice.

/// FNV-1a with 128 bits, a word at a time.
pub(crate) struct Hash(u128);

impl Hash {
    pub(crate) fn new() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    pub(crate) fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }

    /// Another hash.
    pub(crate) fn mix_print(&mut self, print: u128) {
        self.mix(print as u64);
        self.mix((print >> 64) as u64);
    }

    pub(crate) fn get(&self) -> u128 {
        self.0
    }
}
