//! Words of the arena, by their offsets in bytes.

use crate::level::Level;

/// The 32-bit word at an offset in bytes.
pub(crate) fn word(arena: &[u64], at: usize) -> u32 {
    (arena[at / 8] >> (at % 8 * 8)) as u32
}

/// Sets the 32-bit word at an offset in bytes.
pub(crate) fn set_word(arena: &mut [u64], at: usize, word: u32) {
    let shift = at % 8 * 8;
    let old = &mut arena[at / 8];
    *old = *old & !(u64::from(u32::MAX) << shift) | u64::from(word) << shift;
}

/// The 16 bits at an offset in bytes.
pub(crate) fn half(arena: &[u64], at: usize) -> u16 {
    (arena[at / 8] >> (at % 8 * 8)) as u16
}

/// Sets the 16 bits at an offset in bytes.
pub(crate) fn set_half(arena: &mut [u64], at: usize, half: u16) {
    let shift = at % 8 * 8;
    let old = &mut arena[at / 8];
    *old = *old & !(0xffff << shift) | u64::from(half) << shift;
}

/// Sets what is the same 32 bits in all lanes.
pub(crate) fn set_uniform(level: Level, arena: &mut [u64], at: usize, bits: u32) {
    match level {
        Level::Avx2 => arena[at / 8..][..level.line() / 8].fill(u64::from(bits) << 32 | u64::from(bits)),
        Level::Avx512 => set_word(arena, at, bits),
    }
}
