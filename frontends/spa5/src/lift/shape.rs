//! What the header of a pixel shader decides: inputs, outputs, local memory. A bare list of words has defaults, a kernel has no outputs.

use crate::header::{Header, Interpolation};
use parallax_lift::Kernel;

/// Local memory of a program without a header, in bytes.
const LOCAL_BYTES: u32 = 1024;
/// Most local memory of a lane, in bytes.
const MOST_LOCAL_BYTES: u32 = 1 << 16;

/// What a header says, as far as it decides results.
#[derive(Copy, Clone, Debug)]
pub(super) struct Shape {
    header: Option<Header>,
    /// Bytes of local memory of a kernel, and whether these are known.
    local: Option<(u32, bool)>,
}

impl Shape {
    pub(super) fn of(header: Option<Header>, kernel: Option<&Kernel>) -> Shape {
        let local = kernel.map(|kernel| (kernel.local_bytes(), kernel.local.is_some_and(|bytes| bytes > 0)));
        Shape { header, local }
    }

    /// Whether this is a kernel of which somebody says that it has local memory.
    pub(super) fn has_known_local(&self) -> bool {
        self.local.is_some_and(|(_, is_known)| is_known)
    }

    /// Components of each render target, bit 0 = red. A bare program draws one colour.
    pub(super) fn targets(&self) -> [u8; 8] {
        match &self.header {
            Some(header) => std::array::from_fn(|n| header.target(n)),
            None if self.local.is_some() => [0; 8],
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
        let of_pixels = self.header.map_or(LOCAL_BYTES, |header| header.local_bytes());
        self.local.map_or(of_pixels, |(bytes, _)| bytes).min(MOST_LOCAL_BYTES)
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
