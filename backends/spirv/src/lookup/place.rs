//! Where lookups go: projection, layers, faces of cubes, what texels are compared with.

use super::site::Site;
use super::{Given, Unit};
use parallax_core::TexOp;
use parallax_num::{CompareReference, CubeFace, LayerRound, Round};
use parallax_step::Id;
use parallax_texture::TexelFormat;

/// The face of a direction.
#[derive(Copy, Clone)]
pub(super) struct Face {
    /// Its number: +x, -x, +y, -y, +z, -z.
    pub(super) number: Id,
    /// Whether its axis is x, and whether it is y.
    axis: [Id; 2],
    /// The sign bit of the component along its axis.
    sign: Id,
}

/// Where a pixel looks.
#[derive(Copy, Clone)]
pub(super) struct Place {
    /// Coordinates, those of a cube on its face.
    pub(super) at: [Id; 3],
    /// The slice that is the layer, the face of a cube, or both.
    pub(super) slice: Option<Id>,
    /// What texels are compared with.
    pub(super) reference: Option<Id>,
}

impl dyn Site + '_ {
    pub(super) fn place(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> Place {
        let mut at = given.at;
        let mut slice = None;
        if op.target.is_array() {
            let [.., depth] = self.size();
            let layers = if op.target.is_cube() { self.sixth(depth) } else { depth };
            let layer = self.layer(given.layer, layers, op.rule.layer);
            let six = self.int(6);
            slice = Some(if op.target.is_cube() { self.mul(layer, six) } else { layer });
        }
        if op.target.is_cube() {
            let face = self.face(at, op.rule.face);
            at = self.on_face(&face, at);
            slice = Some(slice.map_or(face.number, |slice| self.add(slice, face.number)));
        }
        let is_depth = matches!(unit.format, TexelFormat::Depth16 | TexelFormat::Depth24);
        let reference = given.reference.map(|reference| match op.rule.compare {
            // From 0 to 1; a NaN is not above.
            CompareReference::Clamped if is_depth => {
                let (zero, one) = (self.int(0), self.real(1.0));
                let (is_above, is_below) = (self.flt(zero, reference), self.flt(reference, one));
                let least = self.select(is_below, reference, one);
                self.select(is_above, least, zero)
            }
            _ => reference,
        });
        Place { at, slice, reference }
    }

    /// A sixth of a number of slices, below 2^16.
    fn sixth(&mut self, slices: Id) -> Id {
        let factor = self.int(43_691);
        let product = self.mul(slices, factor);
        self.shr_by(product, 18)
    }

    /// The layer a number names, of so many; a NaN names the first.
    fn layer(&mut self, number: Id, layers: Id, round: LayerRound) -> Id {
        let whole = match round {
            LayerRound::HalfUp => {
                let half = self.real(0.5);
                let moved = self.fadd(number, half);
                self.rounded(moved, Round::Down)
            }
            LayerRound::NearestEven => self.rounded(number, Round::NearestEven),
            LayerRound::Floor => self.rounded(number, Round::Down),
        };
        let (last, zero) = (self.plus(layers, -1), self.int(0));
        let end = self.number(last);
        let (is_above, is_inside, number) = (self.flt(zero, whole), self.flt(whole, end), self.whole(whole));
        let within = self.select(is_inside, number, last);
        self.select(is_above, within, zero)
    }

    /// The face a direction points at: the axis of the largest magnitude, among equals the first in an order.
    pub(super) fn face(&mut self, direction: [Id; 3], order: CubeFace) -> Face {
        let [x, y, z] = direction.map(|number| self.fabs(number));
        let (is_x, is_y) = match order {
            CubeFace::Xyz => {
                let (over_y, over_z, y_over_z) = (self.fle(y, x), self.fle(z, x), self.fle(z, y));
                let is_x = self.both(over_y, over_z);
                let rest = self.not(is_x);
                (is_x, self.both(rest, y_over_z))
            }
            CubeFace::Zyx => {
                let (over_x, over_y, y_over_x) = (self.fle(x, z), self.fle(y, z), self.fle(x, y));
                let is_z = self.both(over_x, over_y);
                let rest = self.not(is_z);
                let is_y = self.both(rest, y_over_x);
                let is_other = self.either(is_z, is_y);
                (self.not(is_other), is_y)
            }
        };
        let [zero, two, four] = [0, 2, 4].map(|number| self.int(number));
        let number = self.select(is_y, two, four);
        let number = self.select(is_x, zero, number);
        let along = self.select(is_y, direction[1], direction[2]);
        let along = self.select(is_x, direction[0], along);
        let sign = self.and(along, 1 << 31);
        let bit = self.shr_by(along, 31);
        Face { number: self.add(number, bit), axis: [is_x, is_y], sign }
    }

    /// Where a direction meets a face: coordinates from 0 to 1, as the table of faces in OpenGL has them.
    pub(super) fn on_face(&mut self, face: &Face, [s, t, r]: [Id; 3]) -> [Id; 3] {
        let ([is_x, is_y], sign) = (face.axis, face.sign);
        let minus = |own: &mut Self, number: Id| own.fneg(number);
        // On the faces of x, sc is -r and r; on those of y, s; on those of z, s and -s.
        let (with, against) = (self.xor(s, sign), minus(self, r));
        let of_x = self.xor(against, sign);
        let sc = self.select(is_y, s, with);
        let sc = self.select(is_x, of_x, sc);
        let (of_y, down) = (self.xor(r, sign), minus(self, t));
        let tc = self.select(is_y, of_y, down);
        let ma = self.select(is_y, t, r);
        let ma = self.select(is_x, s, ma);
        let ma = self.fabs(ma);
        let (one, half, zero) = (self.real(1.0), self.real(0.5), self.int(0));
        let [sc, tc] = [sc, tc].map(|number| {
            let quotient = self.fdiv(number, ma);
            let sum = self.fadd(quotient, one);
            self.fmul(sum, half)
        });
        [sc, tc, zero]
    }
}
