//! Where lookups go: layers, faces of cubes, offsets, what texels are compared with.

use super::site::Site;
use super::{Given, Unit};
use parallax_core::TexOp;
use parallax_num::{CompareReference, LayerRound, Round, TextureUnit};
use parallax_step::{Direction, Id};

/// Where a pixel looks.
#[derive(Copy, Clone)]
pub(super) struct Place {
    /// Coordinates, those of a cube on its face.
    pub(super) at: [Id; 3],
    /// The slice that is the layer, the face of a cube, or both.
    pub(super) slice: Option<Id>,
    /// The number of the face of a cube.
    pub(super) face: Option<Id>,
    /// What texels are compared with.
    pub(super) reference: Option<Id>,
    /// Computed offsets, in texels.
    moved: Option<[Id; 3]>,
}

/// What is added to the number of a texel along an axis.
#[derive(Copy, Clone)]
pub(super) struct Offset {
    /// By the instruction.
    pub(super) fixed: i32,
    /// A signed integer.
    pub(super) computed: Option<Id>,
}

impl Offset {
    /// None.
    pub(super) const NONE: Offset = Offset { fixed: 0, computed: None };

    /// Whether nothing is added.
    pub(super) const fn is_none(self) -> bool {
        self.fixed == 0 && self.computed.is_none()
    }
}

impl Place {
    /// What is added along an axis.
    pub(super) fn offset(&self, op: &TexOp, axis: usize) -> Offset {
        Offset { fixed: op.offset[axis].into(), computed: self.moved.map(|moved| moved[axis]) }
    }
}

impl dyn Site + '_ {
    pub(super) fn place(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> Place {
        let mut at = given.at;
        let (mut slice, mut side) = (None, None);
        if op.target.is_array() {
            let [.., depth] = self.size();
            let layers = if op.target.is_cube() { self.sixth(depth) } else { depth };
            let layer = self.layer(given.layer, layers, op.rule.layer);
            let six = self.int(6);
            slice = Some(if op.target.is_cube() { self.mul(layer, six) } else { layer });
        }
        if op.target.is_cube() {
            let number = if op.rule.unit == TextureUnit::SwiftShader {
                let (number, on_it) = self.swiftshader_on_face(at);
                at = on_it;
                number
            } else {
                let face = self.face(at, op.rule.face);
                at = match op.rule.unit {
                    TextureUnit::Gallivm => self.gallivm_on_face(op, unit, &face, at),
                    _ => self.on_face(&face, at),
                };
                face.number
            };
            side = Some(number);
            slice = Some(slice.map_or(number, |slice| self.add(slice, number)));
        }
        let bits = unit.depth_bits();
        let reference = given.reference.map(|reference| match op.rule.compare {
            _ if bits == 0 => reference,
            CompareReference::Binary32 => reference,
            CompareReference::Clamped => self.clamped_to_1(reference),
            CompareReference::Quantised => self.normalised(reference, bits),
        });
        Place { at, slice, face: side, reference, moved: given.moved }
    }

    /// The nearest number from 0 to 1; 0 for a NaN.
    pub(super) fn clamped_to_1(&mut self, number: Id) -> Id {
        // A NaN is not above.
        let (zero, one) = (self.int(0), self.real(1.0));
        let (is_above, is_below) = (self.flt(zero, number), self.flt(number, one));
        let least = self.select(is_below, number, one);
        self.select(is_above, least, zero)
    }

    /// A number as one of so many normalised bits, at most 24: the nearest, half up.
    pub(super) fn normalised(&mut self, number: Id, bits: u32) -> Id {
        let steps = self.real(((1u32 << bits) - 1) as f32);
        let (half, zero) = (self.real(0.5), self.int(0));
        let number = self.clamped_to_1(number);
        // The product is this one and what is lost of it.
        let product = self.fmul(number, steps);
        let minus = self.fneg(product);
        let lost = self.fma(number, steps, minus);
        let below = self.round(product, Direction::Down);
        let rest = self.fsub(product, below);
        let missing = self.fsub(half, rest);
        let is_next = self.fle(missing, lost);
        let (whole, one) = (self.whole(below), self.int(1));
        let more = self.select(is_next, one, zero);
        let code = self.add(whole, more);
        let code = self.number(code);
        self.fdiv(code, steps)
    }

    /// A computed offset as a number, with that of the instruction.
    pub(super) fn real_offset(&mut self, offset: Offset) -> Id {
        let fixed = self.real(offset.fixed as f32);
        match offset.computed {
            None => fixed,
            Some(computed) => {
                let computed = self.number(computed);
                self.fadd(computed, fixed)
            }
        }
    }

    /// A number of a texel, moved; it wraps around beyond 32 bits.
    pub(super) fn moved_by(&mut self, number: Id, offset: Offset) -> Id {
        let number = self.plus(number, offset.fixed);
        offset.computed.map_or(number, |computed| self.add(number, computed))
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
}
