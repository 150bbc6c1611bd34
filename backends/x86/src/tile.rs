//! Whole tiles: one loop of code for each row of quads, which computes attributes and puts results where the pixels are.

use crate::arena;
use crate::host::Host;
use crate::layout::{self, MOST_LANES};
use crate::program::{Program, Space, pointer, pointer_mut};
use crate::thunk;
use parallax_core::OpKind;
use parallax_core::backend::{Linear, Tile};
use parallax_core::exec::{Inputs, Memory};
use parallax_lane::{Function, Op, SiteKind};
use parallax_step::Direction;

/// Exponent fields of binary32 that coefficients may have. Pixels lie on multiples of 1/16 below 2^15, so that what comes out, and
/// what comes in between, is zero or far from everything that is tiny or too large: the same bits whether code flushes or
/// not, and no NaN.
const EXPONENTS: std::ops::RangeInclusive<u32> = 127 - 60..=127 + 60;

fn is_plain(linear: &Linear) -> bool {
    [linear.a0, linear.dadx, linear.dady]
        .iter()
        .all(|number| *number == 0.0 || EXPONENTS.contains(&(number.to_bits() >> 23 & 0xff)))
}

/// Whether code can run tiles: results can go to where pixels are, and nothing is asked of the caller for each lane but attributes
/// where the pixel is.
pub(crate) fn is_for_tiles(function: &Function) -> bool {
    let is_elsewhere = |kind: SiteKind| {
        matches!(
            kind,
            SiteKind::Ir(
                OpKind::AttrAt { .. }
                    | OpKind::AttrSample { .. }
                    | OpKind::AttrOffset { .. }
                    | OpKind::AttrCentroid { .. }
            )
        )
    };
    layout::fills_rows(function)
        && !function.sites.iter().any(|site| is_elsewhere(site.kind))
        && !function.body.code.iter().any(|inst| matches!(inst.op, Op::System(_)))
}

/// Whether a function rounds to nearest wherever it reads an attribute.
pub(crate) fn rounds_to_nearest(function: &Function) -> bool {
    let mut mode = function.mode;
    function.body.code.iter().all(|inst| {
        match inst.op {
            Op::Label(_) => mode = function.mode,
            Op::Mode(other) => mode = other,
            _ => {}
        }
        !matches!(inst.op, Op::Attr(_)) || mode.direction == Direction::Nearest
    })
}

impl Program {
    /// Whether code runs a tile: everything is where it should be.
    fn fits(&self, tile: &Tile<'_, '_>) -> bool {
        let (width, rows) = (tile.xs.len() / 2, tile.ys.len());
        if rows == 0 {
            return false;
        }
        let pixels = (rows - 1) * tile.stride + width;
        let has_words = |plane: usize| {
            tile.words.get(plane).and_then(Option::as_ref).is_some_and(|words: &&mut [u32]| words.len() >= pixels)
        };
        let is_read = |plane: usize| match tile.attributes.get(plane) {
            Some(Some(linear)) => is_plain(linear),
            _ => false,
        };
        self.runs_tiles
            && tile.xs.len().is_multiple_of(4)
            && rows.is_multiple_of(2)
            && tile.stride >= width
            && tile.covered.len() >= pixels
            && (0..self.planes.len()).all(|plane| self.planes[plane].is_none() || has_words(plane))
            && self.attributes.iter().all(|&plane| is_read(plane as usize))
    }
}

/// Part of a row of quads: the upper row of pixels in the tile, lanes from one on.
#[derive(Copy, Clone)]
struct Stretch {
    row: usize,
    first: usize,
    /// Lanes that there are.
    lanes: usize,
    /// Lanes to run: those of whole blocks.
    run: usize,
}

impl Space<'_> {
    /// Runs a tile; false if that is not possible.
    pub(crate) fn tile(&mut self, inputs: &Inputs<'_>, memory: &Memory<'_>, tile: &mut Tile<'_, '_>) -> bool {
        let memory = &mut memory.shared();
        let program = self.program;
        if !program.fits(tile) {
            return false;
        }
        self.start(inputs, memory);
        let arena = self.arena();
        for (plane, linear) in tile.attributes.iter().enumerate() {
            let Some(linear) = linear else { continue };
            for (n, number) in [linear.a0, linear.dadx, linear.dady].into_iter().enumerate() {
                arena::set_uniform(program.layout.level, arena, program.layout.coefficient(plane, n), number.to_bits());
            }
        }
        arena::set_word(arena, layout::FLAGS, u32::from(layout::TO_ROWS | layout::PLACED));
        for at in [layout::COVERED_AT_START, layout::COVERED] {
            arena[at / 8..][..MOST_LANES / 64].fill(u64::MAX);
        }
        let pixels = (tile.ys.len() - 1) * tile.stride + tile.xs.len() / 2;
        for row in tile.covered[..pixels].chunks_mut(tile.stride.max(1)) {
            let width = row.len().min(tile.xs.len() / 2);
            row[..width].fill(true);
        }
        let (lanes, step) = (tile.xs.len(), program.step());
        let whole = lanes - lanes % step;
        for row in (0..tile.ys.len()).step_by(2) {
            let rows = [0, 1].map(|n| u64::from(tile.ys[row + n].to_bits()));
            for quad in self.arena()[layout::YS / 8..][..8].as_chunks_mut::<2>().0 {
                *quad = rows.map(|y| y << 32 | y);
            }
            let mut first = 0;
            while first < lanes {
                let run = if first < whole { (whole - first).min(MOST_LANES) } else { step };
                let stretch = Stretch { row, first, lanes: run.min(lanes - first), run };
                if run == stretch.lanes {
                    self.stretch(inputs, memory, tile, stretch);
                } else {
                    self.rest(inputs, memory, tile, stretch);
                }
                first += run;
            }
        }
        true
    }

    /// Lanes that fill blocks.
    fn stretch(&mut self, inputs: &Inputs<'_>, memory: &mut Memory<'_>, tile: &mut Tile<'_, '_>, stretch: Stretch) {
        let Stretch { row, first, lanes, .. } = stretch;
        let (program, layout) = (self.program, &self.program.layout);
        let arena = self.arena();
        for (n, words) in tile.words.iter_mut().enumerate().take(program.planes.len()) {
            let Some(words) = words else { continue };
            let (before, behind) = words.split_at_mut((row + 1) * tile.stride);
            arena[layout.outputs / 8 + n] = pointer_mut(&mut before[row * tile.stride + first / 2..][..lanes / 2]);
            arena[layout.lower / 8 + n] = pointer_mut(&mut behind[first / 2..][..lanes / 2]);
        }
        self.enter(inputs, memory, tile, pointer(&tile.xs[first..first + lanes]), stretch);
    }

    /// The last lanes of a row, which are too few for a block: the last quad is repeated, results go to memory of their own first.
    fn rest(&mut self, inputs: &Inputs<'_>, memory: &mut Memory<'_>, tile: &mut Tile<'_, '_>, stretch: Stretch) {
        let Stretch { row, first, lanes, run } = stretch;
        let (program, layout) = (self.program, &self.program.layout);
        let mut spare = std::mem::take(&mut self.padded);
        let x = |lane: usize| {
            let lane = if lane < lanes { lane } else { lanes - 4 + lane % 4 };
            u64::from(tile.xs[first + lane].to_bits())
        };
        spare[0].clear();
        spare[0].extend((0..run).step_by(2).map(|lane| x(lane + 1) << 32 | x(lane)));
        // Of each plane the upper row, then the lower one, two pixels in a word.
        spare[2].clear();
        spare[2].resize(program.planes.len() * run / 2, 0);
        let arena = self.arena();
        for (n, rows) in spare[2].chunks_exact_mut(run / 2).enumerate() {
            let (upper, lower) = rows.split_at_mut(run / 4);
            arena[layout.outputs / 8 + n] = pointer_mut(upper);
            arena[layout.lower / 8 + n] = pointer_mut(lower);
        }
        self.enter(inputs, memory, tile, pointer(&spare[0]), stretch);
        for (n, words) in tile.words.iter_mut().enumerate() {
            let (Some(words), Some(Some(_))) = (words, program.planes.get(n)) else { continue };
            for (lower, from) in spare[2][n * run / 2..][..run / 2].chunks_exact(run / 4).enumerate() {
                let to = &mut words[(row + lower) * tile.stride + first / 2..][..lanes / 2];
                for (two, &word) in to.as_chunks_mut::<2>().0.iter_mut().zip(from) {
                    *two = [word as u32, (word >> 32) as u32];
                }
            }
        }
        self.padded = spare;
    }

    /// Runs the code, which finds where results go; then says which pixels are left.
    fn enter(
        &mut self,
        inputs: &Inputs<'_>,
        memory: &mut Memory<'_>,
        tile: &mut Tile<'_, '_>,
        xs: u64,
        Stretch { row, first, lanes, run }: Stretch,
    ) {
        let program = self.program;
        let discards = program.layout.discards;
        let mut last = std::mem::take(&mut self.last);
        let arena = self.arena();
        arena[layout::LANES / 8] = run as u64;
        arena[layout::XS / 8] = xs;
        let mut host = Host { program, inputs, memory, discarded: &mut [], first, last: &mut last };
        // All pointers in the arena are set for these lanes, as `thunk::run` asks.
        thunk::run(&mut host, arena);
        let flags = arena::word(arena, layout::FLAGS) | u32::from(layout::STARTED);
        arena::set_word(arena, layout::FLAGS, flags);
        if discards {
            let words = &mut arena[layout::COVERED / 8..][..run.div_ceil(64)];
            for (n, word) in words.iter_mut().enumerate() {
                let left = std::mem::replace(word, u64::MAX);
                if left != u64::MAX {
                    let pixels = row * tile.stride + (first + 64 * n) / 2;
                    let places = [pixels, pixels + tile.stride];
                    tile.discarded += uncover(tile.covered, places, left, (lanes - 64 * n).min(64));
                }
            }
        }
        self.last = last;
    }
}

/// What is left of two quads: of the upper pixels, and of the lower ones.
const PIXELS: [[[bool; 4]; 2]; 256] = {
    let mut pixels = [[[false; 4]; 2]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut lane = 0;
        while lane < 8 {
            pixels[bits][lane >> 1 & 1][lane >> 2 << 1 | lane & 1] = bits >> lane & 1 != 0;
            lane += 1;
        }
        bits += 1;
    }
    pixels
};

/// Sets the flags of pixels, which start at two places, to what is left of their lanes; how many are not.
fn uncover(covered: &mut [bool], [upper, lower]: [usize; 2], left: u64, lanes: usize) -> u64 {
    let (before, behind) = covered.split_at_mut(lower);
    let rows = [&mut before[upper..upper + lanes / 2], &mut behind[..lanes / 2]];
    for (n, row) in rows.into_iter().enumerate() {
        for (flags, bits) in row.chunks_mut(4).zip(left.to_le_bytes()) {
            let pixels = PIXELS[usize::from(bits)][n];
            match <&mut [bool; 4]>::try_from(&mut *flags) {
                Ok(flags) => *flags = pixels,
                Err(_) => flags.copy_from_slice(&pixels[..flags.len()]),
            }
        }
    }
    u64::from((!left << (64 - lanes)).count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_that_are_left_are_pixels_of_two_rows() {
        for lanes in [64, 36, 4] {
            let left = 0x9e37_79b9_7f4a_7c15u64;
            let mut covered = vec![true; 80];
            let discarded = uncover(&mut covered, [3, 43], left, lanes);
            let mut wanted = vec![true; 80];
            for lane in 0..lanes {
                wanted[[3, 43][lane >> 1 & 1] + lane / 4 * 2 + lane % 2] = left >> lane & 1 != 0;
            }
            assert_eq!(covered, wanted, "{lanes}");
            assert_eq!(discarded, wanted.iter().map(|&covered| u64::from(!covered)).sum(), "{lanes}");
        }
    }

    /// Whatever coefficients are plain: values as they are, with tiny numbers made zeros before and after each step.
    #[test]
    fn plain_attributes_do_not_depend_on_flushing() {
        let flush = |x: f32| if x.is_subnormal() { 0f32.copysign(x) } else { x };
        let ends = [0.0, -0.0, 1.0f32, -1.0, (-60f32).exp2(), -(60f32.exp2()), f32::from_bits(0x6180_0001)];
        let near = ends.map(|end| f32::from_bits(end.to_bits() ^ 1));
        let numbers: Vec<f32> = ends.into_iter().chain(near).chain([f32::NAN, f32::INFINITY, 1e-30, 1e30]).collect();
        let mut plain = 0;
        for &a0 in &numbers {
            for &dadx in &numbers {
                for &dady in &numbers {
                    if !is_plain(&Linear { a0, dadx, dady }) {
                        continue;
                    }
                    plain += 1;
                    for (x, y) in [(0.0625, 32767.5), (0.5, 0.5), (16383.5, 0.0625), (1.0, 1.0)] {
                        let inner = dadx.mul_add(x, a0);
                        let value = dady.mul_add(y, inner);
                        let inner = flush(flush(dadx).mul_add(flush(x), flush(a0)));
                        let flushed = flush(flush(dady).mul_add(flush(y), inner));
                        assert_eq!(value.to_bits(), flushed.to_bits(), "{a0:e} {dadx:e} {dady:e}");
                        assert!(value.is_finite());
                    }
                }
            }
        }
        assert!(plain > 500, "{plain}");
        assert!(!is_plain(&Linear { a0: f32::NAN, dadx: 0.0, dady: 0.0 }));
    }
}
