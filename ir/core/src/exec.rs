//! What an engine is given and what it gives back. Shared by every backend, so that they can be compared.

mod aligned;
mod image;
mod plane;
mod row;
mod samples;

pub use aligned::AlignedWords;
pub use image::{ImageFormat, ImageLayout, TexelKind};
pub use plane::{Plane, PlaneMut, PlaneType};
pub use row::{Row, RowMut};
pub use samples::{PositionsOnly, standard_positions};

use crate::{AtomicOp, TexOp};

/// Fuel of a lane: so many back edges of short loops ([`crate::Func::back_edge_cost`]), or about four million ops.
pub const FUEL: u32 = 65_536;

/// Inputs of one batch of lanes. `lanes` is a multiple of 4.
#[derive(Copy, Clone)]
pub struct Inputs<'a> {
    /// Number of lanes.
    pub lanes: usize,
    /// Interpolated attributes as binary32 patterns: component `c` of attribute `a` in lane `l` stands at
    /// `(a * 4 + c) * lanes + l`.
    pub attrs: &'a [u32],
    /// Constant banks as raw 32-bit words.
    pub banks: &'a [&'a [[u32; 4]]],
    /// Per-lane system values, by [`crate::SysVal`] (as `sysvals[value as usize * lanes + l]`); may be empty when the
    /// shader reads none. `HelperLane` and `QuadLane` are derived from `covered` and the lane number, not read here.
    pub sysvals: &'a [u32],
    /// Lanes covered at the start; the others run as helpers.
    pub covered: &'a [bool],
    /// Textures.
    pub textures: &'a dyn Textures,
    /// Attributes at other places of the pixel.
    pub interpolator: &'a dyn Interpolator,
    /// Fuel of each lane.
    pub fuel: u32,
}

/// Where inside its pixel an attribute is asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum InterpolateAt {
    /// At the position of the sample with this number.
    Sample(u32),
    /// This far to the right of and below the pixel centre: pixels, as binary32 patterns.
    Offset([u32; 2]),
    /// At the centroid of the covered samples.
    Centroid,
}

/// Knows the places inside a pixel: where its samples are, and what attributes are away from where [`Inputs::attrs`] has
/// them.
pub trait Interpolator: Sync {
    /// Component `comp` of attribute `attr` in lane `lane` of the batch, as a binary32 pattern; `None` where the place is
    /// not known: then [`Inputs::attrs`] counts.
    fn at(&self, attr: usize, comp: usize, lane: usize, place: InterpolateAt) -> Option<u32>;

    /// Samples of every pixel of the draw by number: to the right of and below the pixel centre, in 1/16 pixel. Without any,
    /// [`crate::OpKind::SamplePosition`] gives the centre.
    fn positions(&self) -> &[[i8; 2]] {
        &[]
    }
}

/// Knows no other place than the pixel centre.
pub struct NoInterpolator;

impl Interpolator for NoInterpolator {
    fn at(&self, _: usize, _: usize, _: usize, _: InterpolateAt) -> Option<u32> {
        None
    }
}

/// Buffers of 32-bit words, by number. Apart from [`Inputs`], so that runs that only read can share them.
#[derive(Debug)]
pub enum Memory<'a> {
    /// For shaders that only read: stores and atomics do nothing, and atomics give 0.
    Shared(&'a [Vec<u32>]),
    /// For shaders that write: one run at a time, batches in raster order.
    Exclusive(&'a mut [Vec<u32>]),
    /// The same, from cache lines on.
    Aligned(&'a mut [AlignedWords]),
    /// The same for shaders that only read.
    AlignedShared(&'a [AlignedWords]),
}

impl Memory<'_> {
    /// No buffers.
    pub const NONE: Memory<'static> = Memory::Shared(&[]);

    /// The same memory, for one batch.
    pub fn reborrow(&mut self) -> Memory<'_> {
        match self {
            Memory::Shared(buffers) => Memory::Shared(buffers),
            Memory::Exclusive(buffers) => Memory::Exclusive(buffers),
            Memory::Aligned(buffers) => Memory::Aligned(buffers),
            Memory::AlignedShared(buffers) => Memory::AlignedShared(buffers),
        }
    }

    /// The same memory, to be read.
    pub fn shared(&self) -> Memory<'_> {
        match self {
            Memory::Shared(buffers) => Memory::Shared(buffers),
            Memory::Exclusive(buffers) => Memory::Shared(buffers),
            Memory::Aligned(buffers) => Memory::AlignedShared(buffers),
            Memory::AlignedShared(buffers) => Memory::AlignedShared(buffers),
        }
    }

    /// The words of a buffer, to be changed; `None` where nobody may.
    pub fn words_mut(&mut self, buffer: u16) -> Option<&mut [u32]> {
        match self {
            Memory::Shared(_) | Memory::AlignedShared(_) => None,
            Memory::Exclusive(buffers) => buffers.get_mut(usize::from(buffer)).map(Vec::as_mut_slice),
            Memory::Aligned(buffers) => buffers.get_mut(usize::from(buffer)).map(|words| &mut **words),
        }
    }

    /// The words of a buffer; none of one that is not there.
    pub fn words(&self, buffer: u16) -> &[u32] {
        let (number, none) = (usize::from(buffer), &[][..]);
        match self {
            Memory::Shared(buffers) => buffers.get(number).map_or(none, Vec::as_slice),
            Memory::Exclusive(buffers) => buffers.get(number).map_or(none, Vec::as_slice),
            Memory::Aligned(buffers) => buffers.get(number).map_or(none, |words| words),
            Memory::AlignedShared(buffers) => buffers.get(number).map_or(none, |words| words),
        }
    }

    /// The word at an address that may be written.
    fn word(&mut self, buffer: u16, address: u32) -> Option<&mut u32> {
        self.words_mut(buffer)?.get_mut(address as usize / 4)
    }

    /// Size of a buffer in bytes.
    pub fn size(&self, buffer: u16) -> u32 {
        u32::try_from(self.words(buffer).len()).map_or(u32::MAX, |words| words.saturating_mul(4))
    }

    /// The word at an address in bytes, 0 outside.
    pub fn load(&self, buffer: u16, address: u32) -> u32 {
        self.words(buffer).get(address as usize / 4).copied().unwrap_or(0)
    }

    /// Sets the word at an address in bytes; outside nothing happens.
    pub fn store(&mut self, buffer: u16, address: u32, value: u32) {
        if let Some(word) = self.word(buffer, address) {
            *word = value;
        }
    }

    /// Changes the word at an address in bytes and gives what it was; outside nothing happens, and 0 comes back.
    pub fn atomic(&mut self, op: AtomicOp, buffer: u16, address: u32, operand: u32, second: u32) -> u32 {
        match self.word(buffer, address) {
            Some(word) => {
                let old = *word;
                *word = op.apply(old, operand, second);
                old
            }
            None => 0,
        }
    }
}

/// Coordinates of one quad's lookup, as binary32 patterns (for `Fetch`: integers).
#[derive(Copy, Clone, Debug, Default)]
pub struct TexQuad {
    /// s, t, r, q per lane.
    pub coords: [[u32; 4]; 4],
    /// The layer per lane, for array shapes.
    pub layer: [u32; 4],
    /// The reference value per lane, for shadow shapes.
    pub reference: [u32; 4],
    /// ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy per lane, for `Grad`.
    pub grads: [[u32; 6]; 4],
    /// Texel offsets that are added per lane, where the lookup has such operands.
    pub offsets: [[u32; 3]; 4],
    /// The least level of detail per lane, where the lookup has one.
    pub least_level: [u32; 4],
}

/// Coordinates of the lookups of many quads: rows of the words of [`TexQuad`]. Rows that are not there are empty: zeros.
#[derive(Copy, Clone, Debug, Default)]
pub struct TexRows<'a> {
    /// s, t, r, q.
    pub coords: [&'a [u32]; 4],
    /// The layer.
    pub layer: &'a [u32],
    /// The reference value.
    pub reference: &'a [u32],
    /// ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy.
    pub grads: [&'a [u32]; 6],
    /// Texel offsets.
    pub offsets: [&'a [u32]; 3],
    /// The least level of detail.
    pub least_level: &'a [u32],
}

impl<'a> TexRows<'a> {
    /// The rows of the operands of a lookup, by their numbers.
    pub fn of(op: &TexOp, row: impl Fn(usize) -> &'a [u32]) -> TexRows<'a> {
        let given = |number: Option<usize>| number.map_or(&[][..], &row);
        TexRows {
            coords: std::array::from_fn(&row),
            layer: given(op.layer()),
            reference: given(op.reference()),
            grads: std::array::from_fn(|n| given(op.gradients().map(|first| first + n))),
            offsets: std::array::from_fn(|n| given(op.offsets().map(|first| first + n))),
            least_level: given(op.least_level_operand()),
        }
    }

    /// The quad whose first lane is `first`.
    pub fn quad(&self, first: usize) -> TexQuad {
        let word = |row: &[u32], lane: usize| row.get(first + lane).copied().unwrap_or(0);
        TexQuad {
            coords: std::array::from_fn(|lane| self.coords.map(|row| word(row, lane))),
            layer: std::array::from_fn(|lane| word(self.layer, lane)),
            reference: std::array::from_fn(|lane| word(self.reference, lane)),
            grads: std::array::from_fn(|lane| self.grads.map(|row| word(row, lane))),
            offsets: std::array::from_fn(|lane| self.offsets.map(|row| word(row, lane))),
            least_level: std::array::from_fn(|lane| word(self.least_level, lane)),
        }
    }
}

/// A flat image whose lookups blend four texels of one level, with what it takes to find them. With `u = coordinate * scale`
/// (0 if that is no finite number), rounded to the places of the lookup's [`parallax_num::TextureRule::linear`], `v = u - 0.5` and `n = floor(v)` the texels along an axis are those of n and n + 1, the
/// weight of the second is `v - n`. An axis makes of n the number of the first; the second comes next: rows, and columns, hold
/// what the edges make of numbers beyond them.
#[derive(Copy, Clone, Debug)]
pub struct FlatImage<'a> {
    /// Texels as binary32 patterns, row by row; `width` of them are a row.
    pub texels: FlatTexels<'a>,
    /// Whether texels are all numbers of at most 2^126, so that no blend of them is a NaN or too large.
    pub is_moderate: bool,
    /// Texels of a row.
    pub width: u32,
    /// Place of the texel of number 0 along both axes.
    pub origin: u32,
    /// The axes of s and t.
    pub axes: [FlatAxis; 2],
}

/// The texels of a [`FlatImage`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum FlatTexels<'a> {
    /// All four components.
    Whole(&'a [[u32; 4]]),
    /// One component, and that of the texel in the next row. The last row is missing: it has none below it.
    Pairs(&'a [[u32; 2]]),
}

/// An axis of a [`FlatImage`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct FlatAxis {
    /// Texels per unit of the coordinate.
    pub scale: f32,
    /// A number n becomes `n.clamp(low, high) & mask`, for numbers of magnitude below 2^24.
    pub low: i32,
    /// See `low`.
    pub high: i32,
    /// See `low`.
    pub mask: u32,
}

/// A set of textures, and what the images in buffers are like. Lookups follow the rule that they carry ([`TexOp::rule`]).
pub trait Textures: Sync {
    /// Looks up one quad; the result is r, g, b, a as binary32 patterns per lane. A unit without texture gives zeros. The bits
    /// of a coordinate that is NaN do not matter, but for the sign of those of a cube.
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4];

    /// Width, height, depth or layers (faces of cubes count) of a unit's image on a level, and its levels or samples, as
    /// [`crate::OpKind::TextureSize`] says.
    fn size(&self, _unit: u16, _level: u32) -> [u32; 4] {
        [0; 4]
    }

    /// The image that a buffer holds. Without one every texel is outside.
    fn image(&self, _buffer: u16) -> Option<ImageLayout> {
        None
    }

    /// The image of an operation's lookups where they are as plain as [`FlatImage`] says; else [`Textures::sample`] has to be
    /// asked. `only`: the component that is wanted, in pairs, if it is one.
    fn flat(&self, _: &TexOp, _only: Option<usize>) -> Option<FlatImage<'_>> {
        None
    }

    /// Looks up many quads, to rows of r, g, b and a. The same bits as quad by quad, which is what happens if nothing else is
    /// said.
    fn sample_rows(&self, op: &TexOp, lookup: &TexRows<'_>, texels: &mut [&mut [u32]; 4]) {
        for first in (0..texels[0].len()).step_by(4) {
            for (lane, texel) in self.sample(op, &lookup.quad(first)).iter().enumerate() {
                texels.iter_mut().zip(texel).for_each(|(row, &word)| row[first + lane] = word);
            }
        }
    }
}

/// No textures: every lookup gives zeros.
pub struct NoTextures;

impl Textures for NoTextures {
    fn sample(&self, _: &TexOp, _: &TexQuad) -> [[u32; 4]; 4] {
        [[0; 4]; 4]
    }
}

/// Results of one batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Component `c` of output `o` at `o * 4 + c`; empty for components never written.
    pub planes: Vec<Plane>,
    /// Covered lanes at the end.
    pub covered: Vec<bool>,
    /// Lanes that ran out of fuel.
    pub out_of_fuel: Vec<bool>,
    /// Samples of each lane that [`crate::OpKind::DiscardSamples`] removed, a bit each.
    pub discarded: Vec<u32>,
    /// Lanes that did not get to a barrier ([`crate::OpKind::Barrier`]) where others waited; none are true if all did. Empty
    /// without barriers.
    pub missed_barrier: Vec<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomics_give_the_old_word_and_set_the_new_one() {
        const MINUS: u32 = -5i32 as u32;
        for (op, word, operand, new) in [
            (AtomicOp::Add, u32::MAX, 2, 1),
            (AtomicOp::MinU, MINUS, 3, 3),
            (AtomicOp::MaxU, MINUS, 3, MINUS),
            (AtomicOp::MinI, MINUS, 3, MINUS),
            (AtomicOp::MaxI, MINUS, 3, 3),
            (AtomicOp::And, 0b1100, 0b1010, 0b1000),
            (AtomicOp::Or, 0b1100, 0b1010, 0b1110),
            (AtomicOp::Xor, 0b1100, 0b1010, 0b0110),
            (AtomicOp::Exchange, 7, 9, 9),
            (AtomicOp::CompareExchange, 7, 7, 100),
            (AtomicOp::CompareExchange, 7, 8, 7),
            (AtomicOp::IncWrap, 3, 4, 4),
            (AtomicOp::IncWrap, 4, 4, 0),
            (AtomicOp::IncWrap, 5, 4, 0),
            (AtomicOp::IncWrap, u32::MAX, u32::MAX, 0),
            (AtomicOp::DecWrap, 3, 4, 2),
            (AtomicOp::DecWrap, 0, 4, 4),
            (AtomicOp::DecWrap, 5, 4, 4),
            (AtomicOp::Insert, 0xffff, 0b1010, 0xff9b),
        ] {
            let mut buffers = [vec![0, word]];
            let mut memory = Memory::Exclusive(&mut buffers);
            assert_eq!(memory.atomic(op, 0, 4, operand, 100), word, "{op:?}");
            assert_eq!(buffers, [vec![0, new]], "{op:?} {word} {operand}");
        }
    }

    #[test]
    fn accesses_outside_give_zero_and_change_nothing() {
        let mut buffers = [vec![1, 2], vec![]];
        let mut memory = Memory::Exclusive(&mut buffers);
        for (buffer, address) in [(0, 8), (0, u32::MAX), (1, 0), (2, 0)] {
            memory.store(buffer, address, 9);
            assert_eq!(memory.atomic(AtomicOp::Add, buffer, address, 1, 0), 0);
            assert_eq!(memory.load(buffer, address), 0);
        }
        // The lowest two bits of an address are ignored.
        assert_eq!((memory.load(0, 4), memory.load(0, 7)), (2, 2));
        assert_eq!((memory.size(0), memory.size(1), memory.size(2)), (8, 0, 0));
        let mut shared = Memory::Shared(&buffers);
        shared.store(0, 0, 9);
        assert_eq!((shared.load(0, 0), shared.atomic(AtomicOp::Add, 0, 0, 1, 0)), (1, 0));
        assert_eq!(buffers[0], [1, 2]);
    }
}
