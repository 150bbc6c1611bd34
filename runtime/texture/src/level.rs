//! Level of detail.

use crate::gallivm;
use crate::grid::{snap, whole};
use crate::image::Image;
use crate::place::{directions, face, on_face};
use crate::sampler::{Mip, Sampler};
use crate::swiftshader;
use parallax_core::TexOp;
use parallax_core::num::{Decl, Format, Op, Round, Rule, TextureRule, TextureUnit, eval};

/// What a level of detail selects.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Detail {
    /// The largest level, magnified.
    Magnify,
    /// One level, minified.
    Level(u32),
    /// A level, and the weight of the next smaller one.
    Between(u32, f32),
}

impl Detail {
    /// Levels at or below 0 magnify. Above, the nearest level is `floor(level + 0.5)`, a blend is between `floor(level)`
    /// and the next; levels beyond the smallest are the smallest. NaN magnifies.
    pub(crate) fn of(level: f32, image: &Image, sampler: &Sampler, rule: &TextureRule) -> Detail {
        let level = snap(rule.level, level);
        if level.is_nan() || level <= 0.0 {
            return Detail::Magnify;
        }
        let last = image.levels() - 1;
        match sampler.mip {
            Mip::None => Detail::Level(0),
            Mip::Nearest => {
                let nearest = match rule.unit {
                    TextureUnit::None => whole(level + 0.5, Round::Down),
                    TextureUnit::Gallivm | TextureUnit::SwiftShader => whole(level, Round::NearestEven),
                };
                Detail::Level((nearest as u32).min(last))
            }
            Mip::Linear => {
                let low = level.floor();
                if low as u32 >= last { Detail::Level(last) } else { Detail::Between(low as u32, level - low) }
            }
        }
    }
}

/// The level that a lookup takes for a level of detail, by the levels there are: between two where it blends them. NaN is 0.
pub(crate) fn level_taken(level: f32, image: &Image, sampler: &Sampler, rule: &TextureRule) -> f32 {
    match Detail::of(level, image, sampler, rule) {
        Detail::Magnify => 0.0,
        Detail::Level(level) => level as f32,
        Detail::Between(level, weight) => level as f32 + weight,
    }
}

/// Level of a whole quad from the differences of its coordinates: right minus left in the top row, bottom minus top in the
/// left column.
pub(crate) fn quad_level(image: &Image, op: &TexOp, coords: &[[u32; 4]; 4]) -> f32 {
    let lane = |n: usize| {
        let [s, t, r, q] = coords[n].map(f32::from_bits);
        if op.project { [s / q, t / q, r / q] } else { [s, t, r] }
    };
    let mut corners = [lane(0), lane(1), lane(2)];
    if op.target.is_cube() {
        // All three are taken on the face of the first, so that edges between faces do not jump.
        let [s, t, r] = corners[0];
        let side = face(s, t, r, op.rule.face);
        corners = corners.map(|corner| on_face(side, corner));
    }
    let [origin, right, below] = corners;
    let across = std::array::from_fn(|axis| right[axis] - origin[axis]);
    let down = std::array::from_fn(|axis| below[axis] - origin[axis]);
    level(image, op, across, down)
}

/// Level of one lane from given derivatives (of s, t, r to x, then to y). A cube's are taken by projecting the direction
/// and its two neighbours on the lane's face.
pub(crate) fn lane_level(image: &Image, op: &TexOp, coords: [u32; 4], grads: [u32; 6]) -> f32 {
    let g = grads.map(f32::from_bits);
    let (across, down) = ([g[0], g[1], g[2]], [g[3], g[4], g[5]]);
    if !op.target.is_cube() {
        return level(image, op, across, down);
    }
    let [s, t, r, _] = coords.map(f32::from_bits);
    let side = face(s, t, r, op.rule.face);
    let origin = on_face(side, [s, t, r]);
    let step = |d: [f32; 3]| -> [f32; 3] {
        let moved = on_face(side, [s + d[0], t + d[1], r + d[2]]);
        std::array::from_fn(|axis| moved[axis] - origin[axis])
    };
    level(image, op, step(across), step(down))
}

/// log2 of the longer of the two steps, in texels of the largest level. Each length squared is a sum of squares in order s,
/// t, r; `log2` is correctly rounded, and halved.
fn level(image: &Image, op: &TexOp, across: [f32; 3], down: [f32; 3]) -> f32 {
    let size = image.size(0);
    let squared = |step: [f32; 3]| {
        let mut sum = 0.0f32;
        for axis in 0..directions(op.target) {
            let texels = if op.target.is_rectangle() { step[axis] } else { step[axis] * size[axis] as f32 };
            sum += texels * texels;
        }
        sum
    };
    let (a, b) = (squared(across), squared(down));
    let longer = if a > b { a } else { b };
    match op.rule.unit {
        TextureUnit::None => {}
        TextureUnit::Gallivm => return gallivm::log2(longer) * 0.5,
        TextureUnit::SwiftShader => return swiftshader::half_log2(longer),
    }
    let rule = Rule::ieee(Decl::F32, Format::F32);
    f32::from_bits(eval(Op::Log2, &rule, &[u64::from(longer.to_bits())]) as u32) * 0.5
}
