//! What the header of a pixel shader decides: inputs, outputs, local memory. A bare list of words has defaults.

use crate::header::{Header, Interpolation};

/// Local memory of a program without a header, in bytes.
const LOCAL_BYTES: u32 = 1024;
/// Most local memory of a lane, in bytes.
const MOST_LOCAL_BYTES: u32 = 1 << 16;

/// What a header says, as far as it decides results.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shape {
    header: Option<Header>,
}

impl Shape {
    pub(super) fn of(header: Option<Header>) -> Shape {
        Shape { header }
    }

    /// Components of each render target, bit 0 = red. A bare program draws one colour.
    pub(super) fn targets(&self) -> [u8; 8] {
        match &self.header {
            Some(header) => std::array::from_fn(|n| header.target(n)),
            None => [15, 0, 0, 0, 0, 0, 0, 0],
        }
    }

    /// Whether every target has a colour of its own; else all have the first.
    pub(super) fn has_many_targets(&self) -> bool {
        self.header.is_some_and(|header| header.has_many_targets())
    }

    pub(super) fn sample_mask(&self) -> bool {
        self.header.is_some_and(|header| header.sample_mask())
    }

    pub(super) fn depth(&self) -> bool {
        self.header.is_some_and(|header| header.depth())
    }

    /// Whether KIL does anything.
    pub(super) fn kills(&self) -> bool {
        self.header.is_none_or(|header| header.kills())
    }

    /// Bytes of local memory.
    pub(super) fn local_bytes(&self) -> u32 {
        self.header.map_or(LOCAL_BYTES, |header| header.local_bytes()).min(MOST_LOCAL_BYTES)
    }

    /// How the input at a byte address is interpolated.
    pub(super) fn interpolation(&self, address: u16) -> Interpolation {
        let Some(header) = &self.header else { return Interpolation::Perspective };
        let comp = usize::from(address / 4 % 4);
        let vector = |start: u16| usize::from((address - start) / 16);
        match address {
            0x080..0x280 => header.generic(vector(0x080), comp),
            0x280..0x2a0 => header.colour(vector(0x280), comp),
            0x300..0x3a0 => header.texture_coordinate(vector(0x300), comp),
            _ => Interpolation::Perspective,
        }
    }
}
