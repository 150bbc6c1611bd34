//! Constant lines in the arena that the patterns of AVX2 read.

/// A line that patterns read, by its number in [`LINES`].
#[derive(Copy, Clone)]
pub(crate) enum Line {
    Zero,
    Ones,
    Sign32,
    Sign64,
    Magnitude32,
    Magnitude64,
    Denormals32,
    Denormals64,
    Quiet32,
    Quiet64,
    Amount32,
    Amount64,
    One64,
    LaneBits,
    PackWords,
    PackBytes,
    One32,
    Top32,
    Word32,
    Wide32,
    Nibble,
    NibbleOnes,
    Byte,
    Short,
    QuadLow,
    UpperOne,
}

const fn twice(word: u32) -> u64 {
    (word as u64) << 32 | word as u64
}

/// What the lines of [`Line`] hold.
pub(crate) const LINES: &[[u64; 4]] = &[
    [0; 4],
    [u64::MAX; 4],
    [twice(1 << 31); 4],
    [1 << 63; 4],
    [twice(u32::MAX >> 1); 4],
    [u64::MAX >> 1; 4],
    // Magnitudes up to these are denormal or zero.
    [twice(0x007f_ffff); 4],
    [0x000f_ffff_ffff_ffff; 4],
    [twice(1 << 22); 4],
    [1 << 51; 4],
    [twice(31); 4],
    [63; 4],
    [1; 4],
    // The bit of each lane in a byte.
    [0x2_0000_0001, 0x8_0000_0004, 0x20_0000_0010, 0x80_0000_0040],
    // The lower halves of words, and their lowest bytes, side by side in each half of a register.
    [0x0d0c_0908_0504_0100, u64::MAX, 0x0d0c_0908_0504_0100, u64::MAX],
    [0xffff_ffff_0c08_0400, u64::MAX, 0xffff_ffff_0c08_0400, u64::MAX],
    [twice(1); 4],
    // Exponent of binary32 that stands for 2^31.
    [twice(158); 4],
    [twice(32); 4],
    [32; 4],
    [0x0f0f_0f0f_0f0f_0f0f; 4],
    // How many bits are set in a number below 16.
    [0x0302_0201_0201_0100, 0x0403_0302_0302_0201, 0x0302_0201_0201_0100, 0x0403_0302_0302_0201],
    [0x0101_0101_0101_0101; 4],
    [0x0001_0001_0001_0001; 4],
    [3; 4],
    [1 << 32; 4],
];
