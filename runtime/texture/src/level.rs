//! Level of detail.

use crate::gallivm;
use crate::grid::{snap, whole};
use crate::image::Image;
use crate::place::{directions, face, on_face, projected};
use crate::sampler::{Mip, Sampler};
use crate::swiftshader;
use parallax_core::exec::TexQuad;
use parallax_core::num::{Decl, Format, LevelSteps, Op, Round, Rule, TextureRule, TextureUnit, eval};
use parallax_core::{TexMode, TexOp};

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
    if rule.unit == TextureUnit::SwiftShader {
        return swiftshader::level_asked(level, sampler.mip);
    }
    match Detail::of(level, image, sampler, rule) {
        Detail::Magnify => 0.0,
        Detail::Level(level) => level as f32,
        Detail::Between(level, weight) => level as f32 + weight,
    }
}

/// Levels of the pixels of a quad from the differences of its coordinates: right minus left in a row, bottom minus top in a column. The
/// first pixel's are those of all four, unless the rule says that each pixel has its own.
pub(crate) fn levels(image: &Image, sampler: &Sampler, op: &TexOp, coords: &[[u32; 4]; 4]) -> [f32; 4] {
    let corners = coords.map(|coords| {
        let [s, t, r, q] = coords.map(f32::from_bits);
        if op.project { projected([s, t, r], q) } else { [s, t, r] }
    });
    if op.target.is_cube() && op.rule.unit == TextureUnit::SwiftShader {
        return [swiftshader::cube::level(corners, None, image.size(0)[0]); 4];
    }
    let of = |lane: usize| {
        let (row, column) = (lane & 2, lane & 1);
        let difference = |corners: &[[f32; 3]; 4], to: usize, from: usize| -> [f32; 3] {
            std::array::from_fn(|axis| corners[to][axis] - corners[from][axis])
        };
        let steps =
            |corners: &[[f32; 3]; 4]| [difference(corners, row + 1, row), difference(corners, column + 2, column)];
        let [across, down] = match (op.target.is_cube(), op.rule.unit) {
            (true, TextureUnit::Gallivm) => gallivm::cube::derivatives(op.rule.face, corners[lane], steps(&corners)),
            (true, _) => {
                // All are taken on the face of the pixel, so that edges between faces do not jump.
                let [s, t, r] = corners[lane];
                let side = face(s, t, r, op.rule.face);
                steps(&corners.map(|corner| on_face(side, corner)))
            }
            (false, _) => steps(&corners),
        };
        level(image, sampler, op, across, down)
    };
    let each = match op.rule.steps {
        LevelSteps::Quad => false,
        // gallivm's quads share what only chooses a filter.
        LevelSteps::Cubes if op.rule.unit == TextureUnit::Gallivm && op.mode == TexMode::Implicit => {
            op.target.is_cube() && image.levels() > 1 && sampler.mip != Mip::None
        }
        LevelSteps::Cubes => op.target.is_cube(),
        LevelSteps::Pixel => true,
    };
    if each { std::array::from_fn(of) } else { [of(0); 4] }
}

/// Level of one lane from given derivatives (of s, t, r to x, then to y). A cube's are taken by projecting the direction
/// and its two neighbours on the lane's face.
pub(crate) fn given_level(image: &Image, sampler: &Sampler, op: &TexOp, quad: &TexQuad, lane: usize) -> f32 {
    let g = quad.grads[lane].map(f32::from_bits);
    let steps = [[g[0], g[1], g[2]], [g[3], g[4], g[5]]];
    let corners = quad.coords.map(|[s, t, r, _]| [s, t, r].map(f32::from_bits));
    let [across, down] = match (op.target.is_cube(), op.rule.unit) {
        (false, _) => steps,
        (true, TextureUnit::Gallivm) => gallivm::cube::derivatives(op.rule.face, corners[lane], steps),
        (true, TextureUnit::SwiftShader) => {
            return swiftshader::cube::level(corners, Some(steps), image.size(0)[0]);
        }
        (true, TextureUnit::None) => {
            let [s, t, r] = corners[lane];
            let side = face(s, t, r, op.rule.face);
            let origin = on_face(side, [s, t, r]);
            steps.map(|d| {
                let moved = on_face(side, [s + d[0], t + d[1], r + d[2]]);
                std::array::from_fn(|axis| moved[axis] - origin[axis])
            })
        }
    };
    level(image, sampler, op, across, down)
}

/// log2 of the longer of the two steps, in texels of the largest level. Each length squared is a sum of squares in order s,
/// t, r; `log2` is correctly rounded, and halved.
fn level(image: &Image, sampler: &Sampler, op: &TexOp, across: [f32; 3], down: [f32; 3]) -> f32 {
    let size = image.size(0);
    let scaled = |step: [f32; 3]| -> [f32; 3] {
        std::array::from_fn(|axis| if op.target.is_rectangle() { step[axis] } else { step[axis] * size[axis] as f32 })
    };
    let steps = [scaled(across), scaled(down)];
    let is_gallivm = op.rule.unit == TextureUnit::Gallivm;
    let [a, b] = steps.map(|step| {
        let mut sum = 0.0f32;
        for texels in &step[..directions(op.target)] {
            sum += texels * texels;
        }
        sum
    });
    let longer = match if a > b { a } else { b } {
        // Of derivatives that are given or taken on a face.
        longer if is_gallivm && !longer.is_finite() && (op.mode == TexMode::Grad || op.target.is_cube()) => 0.0,
        longer => longer,
    };
    match op.rule.unit {
        TextureUnit::None => {}
        _ if is_gallivm && sampler.mip != Mip::Linear && matches!(op.mode, TexMode::Implicit | TexMode::Grad) => {
            let is_line = directions(op.target) == 1;
            let [a, b] = steps.map(|step| step[0].abs());
            return gallivm::nearest_level(if is_line { a.max(b) } else { longer }, is_line);
        }
        TextureUnit::Gallivm => return gallivm::log2(longer) * 0.5,
        TextureUnit::SwiftShader => return swiftshader::half_log2(longer),
    }
    let rule = Rule::ieee(Decl::F32, Format::F32);
    f32::from_bits(eval(Op::Log2, &rule, &[u64::from(longer.to_bits())]) as u32) * 0.5
}
