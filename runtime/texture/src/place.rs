//! Where lookups go: projection, layers, faces of cubes.

use crate::grid::whole;
use crate::image::{Image, fixed_nan, normalised};
use crate::{gallivm, swiftshader};
use parallax_core::exec::TexQuad;
use parallax_core::num::{CompareReference, CubeFace, LayerRound, Round, TextureUnit};
use parallax_core::{TexMode, TexOp, TexTarget};

/// Coordinates after projection and choice of a layer and a face.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TextureCoord {
    /// s, t, r.
    pub(crate) at: [f32; 3],
    /// The slice of the image that is the layer, the face of a cube, or both; else 0.
    pub(crate) slice: u32,
    /// What texels are compared with.
    pub(crate) reference: Option<f32>,
    /// What is added to the numbers of texels.
    pub(crate) offset: [i64; 3],
    /// Whether texels are weighed as where a corner of a cube is among them, on the level and on the next: gallivm's units look at
    /// whole quads.
    pub(crate) weighs: [bool; 2],
    /// Whether a nearest texel is chosen among those that are blended: another pixel of the quad blends them.
    pub(crate) mixes: bool,
}

/// Where a lane of a quad looks; `has_level`: whether its level of detail matters.
pub(crate) fn place(image: &Image, op: &TexOp, quad: &TexQuad, lane: usize, has_level: bool) -> TextureCoord {
    let [mut s, mut t, mut r, q] = quad.coords[lane].map(f32::from_bits);
    let mut reference = op.target.is_shadow().then(|| f32::from_bits(quad.reference[lane]));
    if op.project {
        [s, t, r] = projected([s, t, r], q);
        reference = reference.map(|reference| reference / q);
    }
    let bits = image.format().depth_bits();
    reference = reference.map(|reference| match op.rule.compare {
        _ if bits == 0 => reference,
        CompareReference::Binary32 => reference,
        // A NaN is not above.
        CompareReference::Clamped if reference > 0.0 => reference.min(1.0),
        CompareReference::Clamped => 0.0,
        CompareReference::Quantised => normalised(bits, reference),
    });
    let faces = if op.target.is_cube() { 6 } else { 1 };
    let mut slice = match op.target.is_array() {
        true => layer(f32::from_bits(quad.layer[lane]), image.depth() / faces, op.rule.layer) * faces,
        false => 0,
    };
    let mut at = [s, t, r];
    if op.target.is_cube() {
        let plain = || face(s, t, r, op.rule.face);
        let (face, on_it) = match op.rule.unit {
            TextureUnit::None => (plain(), on_face(plain(), at)),
            TextureUnit::Gallivm => {
                let by_reciprocal = has_level && (op.mode.reads_neighbours() || op.mode == TexMode::Grad);
                (plain(), gallivm::cube::on_face(plain(), at, by_reciprocal))
            }
            TextureUnit::SwiftShader => swiftshader::cube::on_face(at),
        };
        slice += face;
        at = on_it;
    }
    let moved = quad.offsets[lane].map(|offset| f32::from_bits(offset) as i32);
    let offset = std::array::from_fn(|axis| i64::from(op.offset[axis]) + i64::from(moved[axis]));
    TextureCoord { at, slice, reference, offset, weighs: [false; 2], mixes: false }
}

/// Coordinates divided by q. A NaN is the one of all units: its sign may choose a face.
pub(crate) fn projected(coords: [f32; 3], q: f32) -> [f32; 3] {
    coords.map(|coord| f32::from_bits(fixed_nan(coord / q)))
}

/// The layer a number names, of so many.
fn layer(number: f32, layers: u32, round: LayerRound) -> u32 {
    let whole = match round {
        LayerRound::HalfUp => whole(number + 0.5, Round::Down),
        LayerRound::NearestEven => whole(number, Round::NearestEven),
        LayerRound::Floor => whole(number, Round::Down),
    };
    // A NaN becomes 0.
    (whole as i64).clamp(0, i64::from(layers.max(1)) - 1) as u32
}

/// The face a direction points at: the axis of the largest magnitude, among equals the first in an order.
pub(crate) fn face(s: f32, t: f32, r: f32, order: CubeFace) -> u32 {
    let (x, y, z) = (s.abs(), t.abs(), r.abs());
    let axis = match order {
        CubeFace::Xyz if x >= y && x >= z => 0,
        CubeFace::Xyz if y >= z => 1,
        CubeFace::Xyz => 2,
        CubeFace::Zyx if z >= x && z >= y => 2,
        CubeFace::Zyx if y >= x => 1,
        CubeFace::Zyx => 0,
    };
    face_of(axis, [s, t, r][axis].is_sign_negative())
}

/// The face on an axis.
pub(crate) fn face_of(axis: usize, is_negative: bool) -> u32 {
    2 * axis as u32 + u32::from(is_negative)
}

/// sc, tc and ma of a direction on a face, as the table of faces in OpenGL has them.
pub(crate) fn on_axes<T: Copy>(face: u32, [s, t, r]: [T; 3], negated: impl Fn(T) -> T) -> [T; 3] {
    match face {
        0 => [negated(r), negated(t), s],
        1 => [r, negated(t), s],
        2 => [s, r, t],
        3 => [s, negated(r), t],
        4 => [s, negated(t), r],
        _ => [negated(s), negated(t), r],
    }
}

/// Where a direction meets a face: coordinates from 0 to 1.
pub(crate) fn on_face(face: u32, direction: [f32; 3]) -> [f32; 3] {
    let [sc, tc, ma] = on_axes(face, direction, |number: f32| -number);
    let ma = ma.abs();
    [(sc / ma + 1.0) * 0.5, (tc / ma + 1.0) * 0.5, 0.0]
}

/// Number of directions of a shape: those of a cube are on its face.
pub(crate) fn directions(target: TexTarget) -> usize {
    if target.is_cube() { 2 } else { target.coordinates() }
}
