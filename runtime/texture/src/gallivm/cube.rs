//! Cubes as gallivm looks them up.
//!
//! 1. A direction meets its face at `sc * (0.5 / |ma|) + 0.5`, at 0.5 where `ma` is 0; where the level comes from derivatives the
//!    reciprocal is `0.5 * (1 / ma)`.
//! 2. The level by derivatives is that of the place on the face, by the rule for derivatives of quotients:
//!    `(sc' - sc * (ma' * i)) * (0.5 * i)` with `i = 1 / ma`, for each pixel; where nothing is given, `sc'` is the difference within
//!    the pixel's row or column of the quad.
//! 3. Four texels without a corner among them are blended as everywhere. With a corner the weights are products, `(1 - x) * (1 - y)` and so
//!    on; a third of the corner's weight is added to each of the others, and the products with the texels are added up, rows from the left.
//! 4. The corner that is gathered is a third of the sum of the others, of integers the texel behind the edge along s.
//!
//! Mesa computes the lookups of two quads at once, and blends all of them by 3 where one of them meets a corner. Here a quad is alone.

use super::nearest_weight;
use crate::cube;
use crate::grid::{texel_number, whole};
use crate::image::Image;
use crate::place::{TextureCoord, face, on_axes};
use crate::sample::finite;
use crate::sampler::{Mip, Sampler};
use parallax_core::num::{CubeFace, Round};

/// Where a direction meets its face; `by_reciprocal`: where the level comes from derivatives.
pub(crate) fn on_face(face: u32, direction: [f32; 3], by_reciprocal: bool) -> [f32; 3] {
    let [sc, tc, ma] = on_axes(face, direction, |number: f32| -number);
    let half = match by_reciprocal {
        true => (0.5 * (1.0 / ma)).abs(),
        false if ma == 0.0 || ma.is_nan() => 0.0,
        false => 0.5 / ma.abs(),
    };
    [sc * half + 0.5, tc * half + 0.5, 0.0]
}

/// The derivatives of the place on the face from those of a direction.
pub(crate) fn derivatives(order: CubeFace, direction: [f32; 3], steps: [[f32; 3]; 2]) -> [[f32; 3]; 2] {
    let [s, t, r] = direction;
    let side = face(s, t, r, order);
    let [sc, tc, ma] = on_axes(side, direction, |number: f32| -number);
    let i = 1.0 / ma;
    let half = 0.5 * i;
    steps.map(|step| {
        let [dsc, dtc, dma] = on_axes(side, step, |number: f32| -number);
        let along = dma * i;
        [(dsc - along * sc) * half, (dtc - along * tc) * half, 0.0]
    })
}

/// Whether a pixel of a quad meets a corner: on the levels that the pixels take, and on the next ones of blends.
pub(crate) fn weighs(places: &[TextureCoord; 4], levels: [f32; 4], image: &Image, sampler: &Sampler) -> [bool; 2] {
    let last = image.levels() - 1;
    let taken = levels.map(|level| match sampler.mip {
        // A NaN, too.
        _ if level.max(0.0) == 0.0 => [0, u32::from(level == 0.0)],
        Mip::None => [0; 2],
        Mip::Nearest => [whole(level, Round::NearestEven) as u32; 2],
        Mip::Linear => [level as u32, level as u32 + u32::from((level as u32) < last)],
    });
    [0, 1].map(|n| {
        places.iter().zip(&taken).any(|(place, taken)| {
            let size = image.size(taken[n].min(last))[0];
            Around::new(place.slice % 6, size, place.at).texels.contains(&None)
        })
    })
}

/// Four texels, rows from the top, and the weights of the right column and the lower row.
pub(crate) struct Around {
    /// Face, column, row; `None` behind a corner.
    texels: [Option<[u32; 3]>; 4],
    /// What stands for the corner where nothing is blended.
    cheap: [[u32; 3]; 4],
    weights: [f32; 2],
}

impl Around {
    /// Those around a place on a face of a cube of this size.
    pub(crate) fn new(face: u32, size: u32, at: [f32; 3]) -> Around {
        let [x, y] = [0, 1].map(|axis| {
            // A NaN is not above.
            let inside = if at[axis] > 0.0 { at[axis] } else { 0.0 };
            let v = finite(inside * size as f32) - 0.5;
            let low = v.floor();
            (texel_number(low), v - low)
        });
        let at = [[x.0, y.0], [x.0 + 1, y.0], [x.0, y.0 + 1], [x.0 + 1, y.0 + 1]];
        let inside = |number: i64| number.clamp(0, i64::from(size) - 1);
        Around {
            texels: at.map(|at| cube::texel(face, size, at)),
            cheap: at.map(|[x, y]| cube::texel(face, size, [x, inside(y)]).unwrap_or_default()),
            weights: [x.1, y.1],
        }
    }

    /// With all of the weight for the texel that has most of it.
    pub(crate) fn chosen(self, is_chosen: bool) -> Around {
        let weights = if is_chosen { self.weights.map(nearest_weight) } else { self.weights };
        Around { weights, ..self }
    }

    /// A blend of the texels.
    pub(crate) fn blended(
        &self,
        texel: impl Fn([u32; 3]) -> [f32; 4],
        blend: impl Fn([f32; 4], [f32; 4], f32) -> [f32; 4],
        weighs: bool,
    ) -> [f32; 4] {
        let colors = self.texels.map(|at| at.map(&texel));
        let [x, y] = self.weights;
        let corner = colors.iter().position(Option::is_none);
        let colors = colors.map(Option::unwrap_or_default);
        if corner.is_none() && !weighs {
            let [a, b, c, d] = colors;
            return blend(blend(a, b, x), blend(c, d, x), y);
        }
        let (left, upper) = (1.0 - x, 1.0 - y);
        let weights = [left * upper, x * upper, left * y, x * y];
        let third = corner.map_or(0.0, |corner| weights[corner] * THIRD);
        let weights: [f32; 4] = std::array::from_fn(|n| if corner == Some(n) { 0.0 } else { weights[n] + third });
        std::array::from_fn(|comp| {
            let products: [f32; 4] = std::array::from_fn(|n| weights[n] * colors[n][comp]);
            products[3] + (products[2] + (products[1] + products[0]))
        })
    }

    /// One component of each texel: from the lower left against the sense of the clock.
    pub(crate) fn gathered(&self, texel: impl Fn([u32; 3]) -> f32) -> [f32; 4] {
        let [a, b, c, d] = self.texels.map(|at| at.map_or(0.0, &texel));
        let mean = THIRD * ((a + b) + (c + d));
        let of = |n: usize, number: f32| if self.texels[n].is_none() { mean } else { number };
        [of(2, c), of(3, d), of(1, b), of(0, a)]
    }

    /// The same of integers.
    pub(crate) fn gathered_words(&self, texel: impl Fn([u32; 3]) -> u32) -> [u32; 4] {
        [2, 3, 1, 0].map(|n| texel(self.texels[n].unwrap_or(self.cheap[n])))
    }
}

/// The binary32 next to a third.
const THIRD: f32 = 1.0 / 3.0;
