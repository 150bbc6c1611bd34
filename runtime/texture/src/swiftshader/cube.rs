//! Cubes as SwiftShader looks them up.
//!
//! 1. The major axis is x where it is longer than y and not shorter than z, y where it is longer than z and not shorter than x, z where it is
//!    longer than x and not shorter than y. Where all three are as long there is none: the direction counts as one to the face of +x, with x
//!    and -y as its coordinates. A zero is not below zero.
//! 2. With `m = 0.5 * (1 / length)` the place is `sc * m + 0.5`, each step rounded, denormals flushed.
//! 3. Each face has a border of one texel around it: the texels of its neighbours, and at corners a third of the sum of the three around, that
//!    along s first, in the format of the image, halves and codes to nearest even.
//! 4. Steps of coordinates are multiplied by `m`: for a quad by each pixel's own before they are subtracted, given ones by that of the quad's first pixel.
//!    The level is that of the sum of the two largest magnitudes of the three, times the size: half the logarithm of the square, as in
//!    `half_log2`.

use super::{BELOW_ONE, Footprint, Lookup, codes, flushed, log2_of_pattern, mul};
use crate::cube;
use crate::grid::whole;
use crate::image::{Level, Texels, fixed_nan};
use crate::place::face_of;
use parallax_core::num::Round;

/// The face of a direction, and its place there.
pub(crate) fn on_face(direction: [f32; 3]) -> (u32, [f32; 3]) {
    let [x, y, z] = direction.map(flushed);
    let [ax, ay, az] = [x, y, z].map(f32::abs);
    // What is no number is above everything.
    let above = |a: f32, b: f32| a > b || a.is_nan() || b.is_nan();
    let (xy, yz, zx) = (above(ax, ay), above(ay, az), above(az, ax));
    let axis = match (xy && !zx, yz && !xy, zx && !yz) {
        (true, _, _) => Some(0),
        (_, true, _) => Some(1),
        (_, _, true) => Some(2),
        _ => None,
    };
    let is_negative = axis.is_some_and(|axis| [x, y, z][axis] < 0.0);
    let turned = |number: f32| if is_negative { -number } else { number };
    let s = match axis {
        Some(0) => turned(-z),
        Some(2) => turned(x),
        _ => x,
    };
    let t = if axis == Some(1) { turned(z) } else { -y };
    let m = reach(direction);
    let place = |number: f32| flushed(mul(number, m) + 0.5);
    (face_of(axis.unwrap_or(0), is_negative), [place(s), place(t), 0.0])
}

/// Half the reciprocal of the greatest magnitude.
fn reach(direction: [f32; 3]) -> f32 {
    let [x, y, z] = direction.map(|number| flushed(number).abs());
    let greater = |a: f32, b: f32| if a > b { a } else { b };
    mul(flushed(1.0 / greater(greater(x, y), z)), 0.5)
}

/// The level of a quad, or of a pixel whose derivatives are given.
pub(crate) fn level(corners: [[f32; 3]; 4], given: Option<[[f32; 3]; 2]>, size: u32) -> f32 {
    let steps: [[f32; 3]; 2] = match given {
        Some(steps) => {
            let m = reach(corners[0]);
            steps.map(|step| step.map(|number| mul(number, m)))
        }
        None => {
            let scaled = corners.map(|corner| {
                let m = reach(corner);
                corner.map(|number| mul(number, m))
            });
            [1, 2].map(|n| std::array::from_fn(|axis| flushed(scaled[n][axis] - scaled[0][axis])))
        }
    };
    let greater = |a: f32, b: f32| if a > b { a } else { b };
    let [across, down] = steps.map(|step| {
        let [u, v, s] = step.map(f32::abs);
        greater(greater(flushed(u + v), flushed(u + s)), flushed(v + s))
    });
    let longest = mul(greater(across, down), size as f32);
    // Of magnitudes a NaN has no sign, which makes it the largest.
    let square = fixed_nan(mul(longest, longest)) & 0x7fff_ffff;
    log2_of_pattern(square) * (1.0 / 16_777_216.0)
}

/// Columns and rows around a place on a face, of which those beyond its edges are -1 or the size, and the weights of the second ones.
pub(super) struct Around {
    texels: [[i64; 2]; 2],
    pub(super) weights: [f32; 2],
}

impl Around {
    pub(super) fn new(size: u32, at: [f32; 3], footprint: Footprint) -> Around {
        let mut around = Around { texels: [[0; 2]; 2], weights: [0.0; 2] };
        for (axis, &coord) in at[..2].iter().enumerate() {
            // A NaN is not above.
            let inside = if coord > 0.0 { coord.min(BELOW_ONE) } else { 0.0 };
            let texels = mul(inside, size as f32);
            let moved = if footprint == Footprint::Two { texels - 0.5 } else { texels };
            let low = whole(moved, Round::Down);
            let next = i64::from(footprint == Footprint::Two);
            around.texels[axis] = [low as i64, low as i64 + next];
            around.weights[axis] = flushed(moved - low);
        }
        around
    }

    /// The numbers of a column and a row.
    pub(super) fn at(&self, column: usize, row: usize) -> [i64; 2] {
        [self.texels[0][column], self.texels[1][row]]
    }
}

/// A texel of a face with its border.
enum Bordered {
    /// One of the cube.
    Texel([Option<u32>; 3]),
    /// A corner: the three around it.
    Corner([[Option<u32>; 3]; 3]),
}

impl Lookup<'_> {
    fn bordered(&self, level: &Level, at: [i64; 2]) -> Bordered {
        let size = level.size[0];
        let (first, face) = (self.place.slice - self.place.slice % 6, self.place.slice % 6);
        let texel =
            |at: [i64; 2]| cube::texel(face, size, at).map(|[face, x, y]| [Some(x), Some(y), Some(first + face)]);
        let inside = |number: i64| number.clamp(0, i64::from(size) - 1);
        texel(at).map_or_else(
            || {
                let [x, y] = at;
                let around = [[x, inside(y)], [inside(x), y], [inside(x), inside(y)]];
                Bordered::Corner(around.map(|at| texel(at).unwrap_or([None; 3])))
            },
            Bordered::Texel,
        )
    }

    /// The words of a texel of a face with its border.
    pub(super) fn words_around(&self, level: &Level, at: [i64; 2]) -> [u32; 4] {
        match self.bordered(level, at) {
            Bordered::Texel(at) => self.words(level, at),
            Bordered::Corner(around) => {
                let [a, b, c] = around.map(|at| self.words(level, at).map(f32::from_bits));
                let mean = std::array::from_fn(|comp| ((a[comp] + b[comp] + c[comp]) * THIRD).to_bits());
                self.image.format().rounded(mean)
            }
        }
    }

    /// The same as it is blended: bytes as 65280ths, or what its comparison gives.
    pub(super) fn texel_around(&self, level: &Level, at: [i64; 2]) -> [f32; 4] {
        let around = match self.bordered(level, at) {
            Bordered::Texel(at) => return self.texel(level, at),
            Bordered::Corner(around) => around,
        };
        if let Some(reference) = self.place.reference {
            return self.compared(reference, f32::from_bits(self.words_around(level, at)[0]));
        }
        let Texels::Rgba8(texels) = &level.texels else {
            return self.words_around(level, at).map(f32::from_bits);
        };
        let [a, b, c] = around.map(|at| match at {
            [Some(x), Some(y), Some(z)] if z < level.size[2] => texels[level.index([x, y, z])].map(f32::from),
            _ => [0.0; 4],
        });
        let byte = |comp: usize| whole((a[comp] + b[comp] + c[comp]) * THIRD, Round::NearestEven) as u8;
        codes(level, std::array::from_fn(byte)).map(f32::from)
    }
}

/// The binary32 next to a third.
const THIRD: f32 = 1.0 / 3.0;
