//! What the header of a pixel shader decides: inputs, outputs, local memory. A bare list of words has defaults.

/// Words of a header.
pub(super) const HEADER_WORDS: usize = 20;

/// Local memory of a program without a header, in bytes.
const LOCAL_BYTES: u32 = 1024;
/// Most local memory of a lane, in bytes.
const MOST_LOCAL_BYTES: u32 = 1 << 16;

/// The header of a program.
pub(super) fn header_words(_: &crate::Program) -> Option<[u32; HEADER_WORDS]> {
    None
}

/// How an input is interpolated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    Constant,
    Perspective,
    Linear,
}

/// What a header says, as far as it decides results.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shape {
    /// The header.
    words: Option<[u32; HEADER_WORDS]>,
}

impl Shape {
    pub(super) fn of(words: Option<[u32; HEADER_WORDS]>) -> Shape {
        Shape { words }
    }

    /// Components of each render target, bit 0 = red. A bare program draws one colour.
    pub(super) fn targets(&self) -> [u8; 8] {
        match self.words {
            Some(words) => std::array::from_fn(|n| (words[18] >> (4 * n) & 15) as u8),
            None => [15, 0, 0, 0, 0, 0, 0, 0],
        }
    }

    pub(super) fn sample_mask(&self) -> bool {
        self.words.is_some_and(|words| words[19] & 1 != 0)
    }

    pub(super) fn depth(&self) -> bool {
        self.words.is_some_and(|words| words[19] & 2 != 0)
    }

    /// Whether KIL does anything.
    pub(super) fn kills(&self) -> bool {
        self.words.is_none_or(|words| words[0] >> 15 & 1 != 0)
    }

    /// Bytes of local memory.
    pub(super) fn local_bytes(&self) -> u32 {
        let Some(words) = self.words else { return LOCAL_BYTES };
        ((words[1] & 0xff_ffff) + (words[2] & 0xff_ffff)).min(MOST_LOCAL_BYTES)
    }

    /// Bits of the header from byte `at` on.
    fn bits(words: &[u32; HEADER_WORDS], at: usize, lo: u32, len: u32) -> u32 {
        words[at / 4] >> (8 * (at as u32 % 4) + lo) & ((1 << len) - 1)
    }

    /// How the input at a byte address is interpolated; `None` where the header has it unused.
    pub(super) fn interpolation(&self, address: u16) -> Option<Interpolation> {
        let Some(words) = &self.words else { return Some(Interpolation::Perspective) };
        let comp = u32::from(address / 4 % 4);
        let mode = |start: u16, byte: usize| Self::bits(words, byte + usize::from((address - start) / 16), 2 * comp, 2);
        let one = |lo: u32| if Self::bits(words, 0x3a, lo, 1) != 0 { 2 } else { 0 };
        let mode = match address {
            0x080..0x280 => mode(0x080, 0x18),
            0x280..0x2a0 => mode(0x280, 0x38),
            0x300..0x3a0 => mode(0x300, 0x3c),
            0x2e0 => one(8),
            0x2e4 => one(9),
            0x2e8 => one(10),
            _ => 3,
        };
        match mode {
            1 => Some(Interpolation::Constant),
            2 => Some(Interpolation::Perspective),
            3 => Some(Interpolation::Linear),
            _ => None,
        }
    }
}
