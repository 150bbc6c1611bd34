//! Lookup arithmetic; the formula stands at the head of the crate.

use crate::Image;
use parallax_core::exec::TexQuad;
use parallax_core::{TexMode, TexOp, TexTarget};

/// How texels make a result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The texel the coordinate falls into.
    Nearest,
    /// A blend of the two nearest texels in each direction.
    #[default]
    Linear,
}

/// What lies outside the image.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The nearest texel of the edge.
    Clamp,
    /// The border colour.
    Border,
}

/// Filter, wrapping and border of a texture unit.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// How texels make a result.
    pub filter: Filter,
    /// What lies outside, by direction s, t, r.
    pub wrap: [Wrap; 3],
    /// Border colour, binary32 patterns.
    pub border: [u32; 4],
}

/// The default NaN of filtering.
const NAN: u32 = 0xffc0_0000;

/// Whether lookups of this shape follow the formula; anything else is reported before a run.
pub(crate) fn handled(target: TexTarget) -> bool {
    matches!(target, TexTarget::D1 | TexTarget::D2 | TexTarget::Rect)
}

/// Looks up one quad. Shapes that are not [`handled`] give zeros.
pub(crate) fn sample(image: &Image, sampler: &Sampler, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
    if !handled(op.target) {
        return [[0; 4]; 4];
    }
    quad.coords.map(|coords| match op.mode {
        TexMode::Fetch => fetch(image, op, coords),
        _ => filtered(image, sampler, op, coords),
    })
}

fn fetch(image: &Image, op: &TexOp, coords: [u32; 4]) -> [u32; 4] {
    let x = i64::from(coords[0] as i32) + i64::from(op.offset[0]);
    let y = if op.target == TexTarget::D1 { 0 } else { i64::from(coords[1] as i32) + i64::from(op.offset[1]) };
    // There is one level.
    match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) if coords[3] == 0 || op.target == TexTarget::Rect => image.texel(x, y),
        _ => [0; 4],
    }
}

fn filtered(image: &Image, sampler: &Sampler, op: &TexOp, coords: [u32; 4]) -> [u32; 4] {
    let [mut s, mut t, _, q] = coords.map(f32::from_bits);
    if op.project {
        s /= q;
        t /= q;
    }
    let (width, height) = (image.width(), image.height());
    if op.target == TexTarget::D1 {
        t = 0.0;
    }
    let (u, v) = match op.target {
        TexTarget::Rect => (finite(s), finite(t)),
        _ => (finite(s * width as f32), finite(t * height as f32)),
    };
    let texel = |x: i64, y: i64| {
        let y = if op.target == TexTarget::D1 { Some(0) } else { wrap(y, height, sampler.wrap[1]) };
        match (wrap(x, width, sampler.wrap[0]), y) {
            (Some(x), Some(y)) => image.texel(x, y),
            _ => sampler.border,
        }
    };
    match sampler.filter {
        Filter::Nearest => {
            // `as` saturates; coordinates that large wrap to some texel, always the same.
            let x = (u.floor() as i64).saturating_add(i64::from(op.offset[0]));
            let y = (v.floor() as i64).saturating_add(i64::from(op.offset[1]));
            texel(x, y)
        }
        Filter::Linear => {
            let (x, wx) = split(u, op.offset[0]);
            let (y, wy) = if op.target == TexTarget::D1 { (0, 0.0) } else { split(v, op.offset[1]) };
            let top = blend(texel(x, y), texel(x + 1, y), wx);
            if op.target == TexTarget::D1 {
                return top.map(bits);
            }
            let bottom = blend(texel(x, y + 1), texel(x + 1, y + 1), wx);
            std::array::from_fn(|c| bits(lerp(top[c], bottom[c], wy)))
        }
    }
}

fn finite(u: f32) -> f32 {
    if u.is_finite() { u } else { 0.0 }
}

/// Lower texel and weight of the upper one.
fn split(u: f32, offset: i8) -> (i64, f32) {
    let v = u - 0.5;
    let floor = v.floor();
    // Beyond 2^62 every texel number is as good as any other; staying below leaves room for neighbours.
    let texel = (floor as i64).clamp(-(1 << 62), 1 << 62) + i64::from(offset);
    (texel, v - floor)
}

fn lerp(p: f32, q: f32, w: f32) -> f32 {
    p + w * (q - p)
}

fn blend(p: [u32; 4], q: [u32; 4], w: f32) -> [f32; 4] {
    std::array::from_fn(|c| lerp(f32::from_bits(p[c]), f32::from_bits(q[c]), w))
}

fn bits(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

/// The texel a number stands for; `None` for the border.
fn wrap(at: i64, size: u32, wrap: Wrap) -> Option<u32> {
    let inside = u32::try_from(at).ok().filter(|&at| at < size);
    if inside.is_some() {
        return inside;
    }
    match wrap {
        Wrap::Repeat => Some(at.rem_euclid(i64::from(size)) as u32),
        Wrap::Clamp => Some(if at < 0 { 0 } else { size - 1 }),
        Wrap::Border => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_by_two() -> Image {
        let grey = |v: f32| [v, v, v, 1.0].map(f32::to_bits);
        Image::rgba32f(2, 2, vec![grey(0.0), grey(1.0), grey(2.0), grey(4.0)]).unwrap()
    }

    fn tex(target: TexTarget) -> TexOp {
        TexOp { unit: 0, target, mode: TexMode::Implicit, project: false, offset: [0; 3] }
    }

    fn at(sampler: &Sampler, op: &TexOp, coords: [f32; 4]) -> f32 {
        let quad = TexQuad { coords: [coords.map(f32::to_bits); 4], ..TexQuad::default() };
        f32::from_bits(sample(&two_by_two(), sampler, op, &quad)[3][0])
    }

    #[test]
    fn nearest_takes_the_texel_the_coordinate_falls_into() {
        let sampler = Sampler { filter: Filter::Nearest, ..Sampler::default() };
        let op = tex(TexTarget::D2);
        assert_eq!(at(&sampler, &op, [0.49, 0.0, 0.0, 1.0]), 0.0);
        assert_eq!(at(&sampler, &op, [0.5, 0.0, 0.0, 1.0]), 1.0);
        assert_eq!(at(&sampler, &op, [0.75, 0.75, 0.0, 1.0]), 4.0);
        assert_eq!(at(&sampler, &op, [1.25, -0.25, 0.0, 1.0]), 2.0);
        let moved = TexOp { offset: [1, 0, 0], ..op };
        assert_eq!(at(&sampler, &moved, [0.25, 0.25, 0.0, 1.0]), 1.0);
    }

    #[test]
    fn linear_blends_four_texels() {
        let sampler = Sampler::default();
        let op = tex(TexTarget::D2);
        assert_eq!(at(&sampler, &op, [0.25, 0.25, 0.0, 1.0]), 0.0);
        assert_eq!(at(&sampler, &op, [0.5, 0.25, 0.0, 1.0]), 0.5);
        assert_eq!(at(&sampler, &op, [0.5, 0.5, 0.0, 1.0]), 1.75);
        // Half a texel beyond the left edge: repeat blends with the right column.
        assert_eq!(at(&sampler, &op, [0.0, 0.25, 0.0, 1.0]), 0.5);
        assert_eq!(at(&sampler, &TexOp { project: true, ..op }, [1.0, 1.0, 0.0, 2.0]), 1.75);
    }

    #[test]
    fn clamp_and_border_decide_what_lies_outside() {
        let clamp = Sampler { wrap: [Wrap::Clamp; 3], ..Sampler::default() };
        let border = Sampler { wrap: [Wrap::Border; 3], border: [8f32.to_bits(); 4], ..Sampler::default() };
        let op = tex(TexTarget::D2);
        assert_eq!(at(&clamp, &op, [-3.0, 0.25, 0.0, 1.0]), 0.0);
        assert_eq!(at(&clamp, &op, [9.0, 9.0, 0.0, 1.0]), 4.0);
        assert_eq!(at(&border, &op, [-3.0, 0.25, 0.0, 1.0]), 8.0);
        assert_eq!(at(&border, &op, [0.0, 0.25, 0.0, 1.0]), 4.0);
    }

    #[test]
    fn odd_coordinates_are_defined() {
        for filter in [Filter::Nearest, Filter::Linear] {
            for wrap in [Wrap::Repeat, Wrap::Clamp, Wrap::Border] {
                let sampler = Sampler { filter, wrap: [wrap; 3], border: [0; 4] };
                for value in [f32::NAN, f32::INFINITY, -f32::INFINITY, f32::MAX, f32::MIN, 1e30, -1e-45] {
                    for target in [TexTarget::D1, TexTarget::D2, TexTarget::Rect] {
                        let got = at(&sampler, &tex(target), [value, 0.25, 0.0, 1.0]);
                        assert!((0.0..=4.0).contains(&got), "{value} gives {got}");
                    }
                }
            }
        }
        // Not finite counts as 0.
        assert_eq!(at(&Sampler::default(), &tex(TexTarget::D2), [f32::NAN, 0.25, 0.0, 1.0]), 0.5);
    }

    #[test]
    fn rectangles_are_addressed_in_texels_and_lines_ignore_t() {
        let sampler = Sampler::default();
        assert_eq!(at(&sampler, &tex(TexTarget::Rect), [1.0, 1.0, 0.0, 1.0]), 1.75);
        assert_eq!(at(&sampler, &tex(TexTarget::D1), [0.5, 77.0, 0.0, 1.0]), 0.5);
    }

    #[test]
    fn fetches_take_integers_and_give_zero_outside() {
        let op = TexOp { mode: TexMode::Fetch, ..tex(TexTarget::D2) };
        let fetch = |x: i32, y: i32, level: i32| {
            let quad = TexQuad { coords: [[x, y, 0, level].map(|v| v as u32); 4], ..TexQuad::default() };
            f32::from_bits(sample(&two_by_two(), &Sampler::default(), &op, &quad)[0][0])
        };
        assert_eq!((fetch(1, 1, 0), fetch(2, 0, 0), fetch(-1, 0, 0), fetch(1, 1, 1)), (4.0, 0.0, 0.0, 0.0));
    }

    #[test]
    fn a_nan_that_arises_has_fixed_bits() {
        let image = Image::rgba32f(2, 1, vec![[f32::INFINITY.to_bits(); 4], [f32::NEG_INFINITY.to_bits(); 4]]).unwrap();
        let quad = TexQuad { coords: [[0.5f32, 0.5, 0.0, 1.0].map(f32::to_bits); 4], ..TexQuad::default() };
        let got = sample(&image, &Sampler::default(), &tex(TexTarget::D2), &quad);
        assert_eq!(got, [[NAN; 4]; 4]);
    }
}
