//! Cubes: the face of a direction, and texels beyond the edges of faces.

use super::Unit;
use super::place::Place;
use super::site::Site;
use parallax_core::TexOp;
use parallax_num::CubeFace;
use parallax_step::{Direction, Id};

/// The face of a direction.
#[derive(Copy, Clone)]
pub(super) struct Face {
    /// Its number: +x, -x, +y, -y, +z, -z.
    pub(super) number: Id,
    /// Whether its axis is x, and whether it is y.
    pub(super) axis: [Id; 2],
    /// The sign bit of the component along its axis.
    pub(super) sign: Id,
}

/// Two texels along an axis of a face, from one before its first to one behind its last.
#[derive(Copy, Clone)]
pub(super) struct Pair {
    pub(super) low: Id,
    pub(super) high: Id,
    /// The weight of the second one.
    pub(super) weight: Id,
}

/// Four texels around a place on a face, some of which may lie on its neighbours.
#[derive(Copy, Clone)]
pub(super) struct Around {
    /// Column, row and slice, rows from the top; of those behind a corner that of this face which is nearest.
    pub(super) texels: [[Id; 3]; 4],
    /// Which of them lie behind a corner, where no face has one.
    pub(super) is_corner: [Id; 4],
    /// Weights of the right column and of the lower row.
    pub(super) weights: [Id; 2],
}

impl dyn Site + '_ {
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

    /// sc, tc and ma of a direction on a face, as the table of faces in OpenGL has them.
    pub(super) fn on_axes(&mut self, face: &Face, [s, t, r]: [Id; 3]) -> [Id; 3] {
        let ([is_x, is_y], sign) = (face.axis, face.sign);
        // On the faces of x, sc is -r and r; on those of y, s; on those of z, s and -s.
        let (with, against) = (self.xor(s, sign), self.fneg(r));
        let of_x = self.xor(against, sign);
        let sc = self.select(is_y, s, with);
        let sc = self.select(is_x, of_x, sc);
        let (of_y, down) = (self.xor(r, sign), self.fneg(t));
        let tc = self.select(is_y, of_y, down);
        let ma = self.select(is_y, t, r);
        [sc, tc, self.select(is_x, s, ma)]
    }

    /// Where a direction meets a face: coordinates from 0 to 1.
    pub(super) fn on_face(&mut self, face: &Face, direction: [Id; 3]) -> [Id; 3] {
        let [sc, tc, ma] = self.on_axes(face, direction);
        let ma = self.fabs(ma);
        let (one, half, zero) = (self.real(1.0), self.real(0.5), self.int(0));
        let [sc, tc] = [sc, tc].map(|number| {
            let quotient = self.fdiv(number, ma);
            let sum = self.fadd(quotient, one);
            self.fmul(sum, half)
        });
        [sc, tc, zero]
    }

    /// The texels along an axis of a face that a number in texels lies between, less a half. Whoever lies further away counts as one
    /// beyond the edge.
    pub(super) fn pair(&mut self, from: Id, size: Id) -> Pair {
        let floor = self.round(from, Direction::Down);
        let low = self.near(floor);
        let next = self.plus(low, 1);
        let [low, high] = [low, next].map(|number| self.at_edge(number, size));
        Pair { low, high, weight: self.fsub(from, floor) }
    }

    /// A signed number from -1 to the size.
    fn at_edge(&mut self, number: Id, size: Id) -> Id {
        let (before, is_negative) = (self.int(u32::MAX), self.is_negative(number));
        let is_below = self.lt(number, size);
        let within = self.select(is_below, number, size);
        self.select(is_negative, before, within)
    }

    /// The texels at two columns and two rows of a face of this size.
    pub(super) fn around_on_face(&mut self, place: &Place, size: Id, [x, y]: [Pair; 2]) -> Around {
        let mut texels = [[x.low; 3]; 4];
        let mut is_corner = [x.low; 4];
        for (n, at) in [[x.low, y.low], [x.high, y.low], [x.low, y.high], [x.high, y.high]].into_iter().enumerate() {
            (texels[n], is_corner[n]) = self.texel_of_cube(place, size, at);
        }
        Around { texels, is_corner, weights: [x.weight, y.weight] }
    }

    /// Column, row and slice of the texel that has a column and a row on a face, from -1 to its size, and whether it lies behind a corner.
    fn texel_of_cube(&mut self, place: &Place, size: Id, at: [Id; 2]) -> ([Id; 3], Id) {
        let zero = self.int(0);
        let (slice, face) = (place.slice.unwrap_or(zero), place.face.unwrap_or(zero));
        let inside = at.map(|number| self.ult(number, size));
        let outside = inside.map(|inside| self.not(inside));
        let own = at.map(|number| self.clamped(number, size));
        let is_corner = self.both(outside[0], outside[1]);
        let is_any = self.either(outside[0], outside[1]);
        let is_one = self.not(is_corner);
        let is_beyond = self.both(is_any, is_one);
        // Middles of texels in halves of texels from the middle of the face, which is so far away from the middle of the cube. The texel
        // behind an edge lies on the plane of the neighbour, as far from the edge as the last one of this face.
        let (last, minus) = (self.plus(size, -1), self.sub(zero, size));
        let [sc, tc] = [0, 1].map(|axis| {
            let twice = self.shl_by(at[axis], 1);
            let middle = self.sub(twice, last);
            let is_negative = self.is_negative(at[axis]);
            let end = self.select(is_negative, minus, size);
            self.select(outside[axis], end, middle)
        });
        let [x, y, number] = self.on_neighbour(face, [sc, tc, last], size);
        let first = self.sub(slice, face);
        let other = [x, y, self.add(first, number)];
        (self.select_all(is_beyond, other, [own[0], own[1], slice]), is_corner)
    }

    /// Column, row and face of a place that is given by what `sc`, `tc` and `ma` are on a face: one of the first two is as large as the size,
    /// and no other number is.
    fn on_neighbour(&mut self, face: Id, [sc, tc, ma]: [Id; 3], size: Id) -> [Id; 3] {
        let (zero, one, last) = (self.int(0), self.int(1), self.plus(size, -1));
        let bit = self.and(face, 1);
        let (sign, axis) = (self.sub(zero, bit), self.shr_by(face, 1));
        let (is_x, is_y) = (self.eq(axis, zero), self.eq(axis, one));
        let [with_sc, with_tc, with_ma] = [sc, tc, ma].map(|number| self.turned(number, sign));
        let [minus_sc, minus_tc] = [with_sc, tc].map(|number| self.sub(zero, number));
        let s = self.select(is_y, sc, with_sc);
        let s = self.select(is_x, with_ma, s);
        let t = self.select(is_y, with_ma, minus_tc);
        let r = self.select(is_y, with_tc, with_ma);
        let r = self.select(is_x, minus_sc, r);
        // The same the other way round.
        let [is_x, is_y] = [s, t].map(|number| {
            let sign = self.sar_by(number, 31);
            let magnitude = self.turned(number, sign);
            self.eq(magnitude, size)
        });
        let along = self.select(is_y, t, r);
        let along = self.select(is_x, s, along);
        let sign = self.sar_by(along, 31);
        let [with_s, with_r] = [s, r].map(|number| self.turned(number, sign));
        let [minus_r, minus_t] = [with_r, t].map(|number| self.sub(zero, number));
        let sc = self.select(is_y, s, with_s);
        let sc = self.select(is_x, minus_r, sc);
        let tc = self.select(is_y, with_r, minus_t);
        let [x, y] = [sc, tc].map(|middle| {
            let twice = self.add(middle, last);
            self.sar_by(twice, 1)
        });
        let [two, four] = [2, 4].map(|number| self.int(number));
        let number = self.select(is_y, two, four);
        let number = self.select(is_x, zero, number);
        let bit = self.and(sign, 1);
        [x, y, self.add(number, bit)]
    }

    /// A number, negated where a sign of all bits is set.
    fn turned(&mut self, number: Id, sign: Id) -> Id {
        let turned = self.xor(number, sign);
        self.sub(turned, sign)
    }

    /// A blend of four texels of a cube, of which some may lie on neighbouring faces. What lies behind a corner is the mean of the three
    /// around it.
    pub(super) fn across_edges(&mut self, op: &TexOp, unit: &Unit, place: &Place, level: Id) -> [Id; 4] {
        let size = self.level_size(op, level)[0];
        let (scale, half) = (self.number(size), self.real(0.5));
        let pairs = [0, 1].map(|axis| {
            let texels = self.fmul(place.at[axis], scale);
            let texels = self.finite(texels);
            let texels = self.snapped(op.rule.linear, texels);
            let from = self.fsub(texels, half);
            self.pair(from, size)
        });
        let around = self.around_on_face(place, size, pairs);
        // Only one corner can be touched, once or twice: its column and row are those that lie outside.
        let corner = pairs.map(|pair| {
            let is_inside = self.ult(pair.low, size);
            self.select(is_inside, pair.high, pair.low)
        });
        let inside = corner.map(|number| self.clamped(number, size));
        let three = [inside, [corner[0], inside[1]], [inside[0], corner[1]]].map(|at| {
            let (at, _) = self.texel_of_cube(place, size, at);
            self.texel_at(op, unit, place, level, at)
        });
        let divisor = self.real(3.0);
        let mean: [Id; 4] = std::array::from_fn(|comp| {
            let sum = self.fadd(three[0][comp], three[1][comp]);
            let sum = self.fadd(sum, three[2][comp]);
            self.fdiv(sum, divisor)
        });
        let mut colors = [mean; 4];
        for (n, color) in colors.iter_mut().enumerate() {
            let texel = self.texel_at(op, unit, place, level, around.texels[n]);
            *color = self.select_all(around.is_corner[n], mean, texel);
        }
        let [x, y] = around.weights;
        let upper = self.blend(op, colors[0], colors[1], x);
        let lower = self.blend(op, colors[2], colors[3], x);
        self.blend(op, upper, lower, y)
    }
}
