//! Cubes as gallivm looks them up; the steps are those that `parallax-texture` documents.

use crate::lookup::Unit;
use crate::lookup::cube::{Around, Face, Pair};
use crate::lookup::place::Place;
use crate::lookup::site::Site;
use parallax_core::{TexMode, TexOp};
use parallax_num::{CubeEdges, Round, TextureUnit};
use parallax_step::{Direction, Id, Prim, Ty};
use parallax_texture::{Filter, Mip};

/// Whether a lookup takes texels of neighbouring faces.
pub(in crate::lookup) fn is_seamless(op: &TexOp) -> bool {
    op.target.is_cube() && op.rule.cube == CubeEdges::Seamless
}

impl dyn Site + '_ {
    /// Where a direction meets its face.
    pub(in crate::lookup) fn gallivm_on_face(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        face: &Face,
        direction: [Id; 3],
    ) -> [Id; 3] {
        let [sc, tc, ma] = self.on_axes(face, direction);
        let (half, one, zero) = (self.real(0.5), self.real(1.0), self.int(0));
        let size = self.fabs(ma);
        let quotient = self.fdiv(half, size);
        let is_above = self.flt(zero, size);
        let plain = self.select(is_above, quotient, zero);
        // Where the level comes from derivatives.
        let reach = if (op.mode.reads_neighbours() || op.mode == TexMode::Grad) && !unit.is_flat() {
            let reciprocal = self.fdiv(one, ma);
            let product = self.fmul(half, reciprocal);
            let other = self.fabs(product);
            if unit.minify() == unit.sampler.filter {
                let has_levels = self.has_levels();
                self.select(has_levels, other, plain)
            } else {
                other
            }
        } else {
            plain
        };
        let [sc, tc] = [sc, tc].map(|number| {
            let product = self.fmul(number, reach);
            self.fadd(product, half)
        });
        [sc, tc, zero]
    }

    /// Whether the image has several levels.
    pub(in crate::lookup) fn has_levels(&mut self) -> Id {
        let (count, one) = (self.levels(), self.int(1));
        self.lt(one, count)
    }

    /// The derivatives of the place on the face from those of a direction, by the rule for quotients.
    pub(in crate::lookup) fn gallivm_derivatives(
        &mut self,
        op: &TexOp,
        direction: [Id; 3],
        steps: [[Id; 3]; 2],
    ) -> [[Id; 3]; 2] {
        let face = self.face(direction, op.rule.face);
        let [sc, tc, ma] = self.on_axes(&face, direction);
        let (one, half, zero) = (self.real(1.0), self.real(0.5), self.int(0));
        let reciprocal = self.fdiv(one, ma);
        let half = self.fmul(half, reciprocal);
        steps.map(|step| {
            let [dsc, dtc, dma] = self.on_axes(&face, step);
            let along = self.fmul(dma, reciprocal);
            let [u, v] = [(dsc, sc), (dtc, tc)].map(|(step, own)| {
                let back = self.fmul(along, own);
                let rest = self.fsub(step, back);
                self.fmul(rest, half)
            });
            [u, v, zero]
        })
    }

    /// Four texels around a place.
    fn gallivm_around(&mut self, op: &TexOp, place: &Place, level: Id) -> Around {
        let (pairs, size) = self.gallivm_pairs(op, place, level);
        self.around_on_face(place, size, pairs)
    }

    /// The same, of corners the texels behind the edge along s.
    pub(in crate::lookup) fn gallivm_around_edges(&mut self, op: &TexOp, place: &Place, level: Id) -> Around {
        let (pairs, size) = self.gallivm_pairs(op, place, level);
        let around = self.around_on_face(place, size, pairs);
        let [x, y] = pairs;
        let inside = Pair { low: self.clamped(y.low, size), high: self.clamped(y.high, size), ..y };
        let edges = self.around_on_face(place, size, [x, inside]);
        let texels = [0, 1, 2, 3].map(|n| self.select_all(around.is_corner[n], edges.texels[n], around.texels[n]));
        Around { texels, ..around }
    }

    fn gallivm_pairs(&mut self, op: &TexOp, place: &Place, level: Id) -> ([Pair; 2], Id) {
        let size = self.level_size(op, level)[0];
        let (scale, half, zero) = (self.number(size), self.real(0.5), self.int(0));
        let pairs = [0, 1].map(|axis| {
            // A NaN is not above.
            let is_above = self.flt(zero, place.at[axis]);
            let inside = self.select(is_above, place.at[axis], zero);
            let texels = self.fmul(inside, scale);
            let texels = self.finite(texels);
            let from = self.fsub(texels, half);
            self.pair(from, size)
        });
        (pairs, size)
    }

    /// Whether a pixel of the quad meets a corner of a cube: on the levels that the pixels take, and on the next ones of blends. `level`:
    /// that of the pixel, if it decides something.
    pub(in crate::lookup) fn weighs(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        place: &Place,
        level: Option<Id>,
    ) -> Option<[Id; 2]> {
        let blends = [Some(unit.sampler.filter), unit.sampler.minify].contains(&Some(Filter::Linear));
        if op.rule.unit != TextureUnit::Gallivm || !is_seamless(op) || !blends {
            return None;
        }
        let zero = self.int(0);
        let taken = match (level, unit.sampler.mip) {
            (Some(level), Mip::Nearest) => {
                let nearest = self.rounded(level, Round::NearestEven);
                let number = self.level_above(level, nearest);
                [number; 2]
            }
            (Some(level), Mip::Linear) => {
                let floor = self.round(level, Direction::Down);
                let number = self.level_above(level, floor);
                let (next, count) = (self.plus(number, 1), self.levels());
                let is_there = self.lt(next, count);
                let next = self.select(is_there, next, number);
                // Numbers below 0, and a NaN, have no next one.
                let is_number = self.fle(zero, level);
                [number, self.select(is_number, next, zero)]
            }
            _ => [zero; 2],
        };
        let both = taken.map(|level| self.meets_corner(op, place, level));
        Some(both)
    }

    /// The number of a level above 0, at most the last; else 0.
    fn level_above(&mut self, level: Id, rounded: Id) -> Id {
        let (zero, count) = (self.int(0), self.levels());
        let last = self.plus(count, -1);
        let (end, number) = (self.number(last), self.whole(rounded));
        let (is_above, is_inside) = (self.flt(zero, level), self.flt(rounded, end));
        let number = self.select(is_inside, number, last);
        self.select(is_above, number, zero)
    }

    /// Whether one of the quad's pixels meets a corner.
    fn meets_corner(&mut self, op: &TexOp, place: &Place, level: Id) -> Id {
        let around = self.gallivm_around(op, place, level);
        let (one, zero) = (self.int(1), self.int(0));
        let [a, b, c, d] = around.is_corner;
        let (upper, lower) = (self.either(a, b), self.either(c, d));
        let own = self.either(upper, lower);
        let own = self.select(own, one, zero);
        let any = self.of_any(own);
        self.eq(any, one)
    }

    /// The bits of a word that a pixel of the quad has.
    pub(in crate::lookup) fn of_any(&mut self, own: Id) -> Id {
        [0, 1].into_iter().fold(own, |any, axis| {
            let beside = self.beside(any, axis);
            self.step(Prim::Or, Ty::I32, 0, &[any, beside])
        })
    }

    /// A blend of four texels of a cube; with a corner among them, or where the quad weighs, a sum of products. `is_chosen`: the texel with
    /// the greatest weight counts alone.
    pub(in crate::lookup) fn gallivm_across_edges(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        place: &Place,
        level: Id,
        (weighs, is_chosen): (Id, bool),
    ) -> [Id; 4] {
        let around = self.gallivm_around(op, place, level);
        let zero = self.int(0);
        let mut colors = [[zero; 4]; 4];
        for (n, color) in colors.iter_mut().enumerate() {
            let texel = self.texel_at(op, unit, place, level, around.texels[n]);
            *color = self.select_all(around.is_corner[n], [zero; 4], texel);
        }
        let [x, y] = around.weights.map(|weight| if is_chosen { self.nearest_weight(weight) } else { weight });
        let [a, b, c, d] = colors;
        let upper = self.blend(op, a, b, x);
        let lower = self.blend(op, c, d, x);
        let plain = self.blend(op, upper, lower, y);
        // The first corner alone hands its weight on.
        let mut corner = around.is_corner;
        let mut any = corner[0];
        for is_corner in &mut corner[1..] {
            let rest = self.not(any);
            any = self.either(any, *is_corner);
            *is_corner = self.both(rest, *is_corner);
        }
        let one = self.real(1.0);
        let (left, up) = (self.fsub(one, x), self.fsub(one, y));
        let weights = [(left, up), (x, up), (left, y), (x, y)].map(|(a, b)| self.fmul(a, b));
        let lost = (0..4).fold(zero, |lost, n| self.select(corner[n], weights[n], lost));
        let third = self.real(1.0 / 3.0);
        let third = self.fmul(lost, third);
        let weights: [Id; 4] = std::array::from_fn(|n| {
            let more = self.fadd(weights[n], third);
            self.select(corner[n], zero, more)
        });
        let is_weighed = self.either(weighs, any);
        std::array::from_fn(|comp| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|n| self.fmul(weights[n], colors[n][comp]));
            let sum = self.fadd(b, a);
            let sum = self.fadd(c, sum);
            let sum = self.fadd(d, sum);
            self.select(is_weighed, sum, plain[comp])
        })
    }

    /// One component of four texels of a cube: from the lower left against the sense of the clock. That behind a corner is a third of the
    /// sum of the others.
    pub(in crate::lookup) fn gallivm_gather(&mut self, op: &TexOp, unit: &Unit, place: &Place, comp: usize) -> [Id; 4] {
        let zero = self.int(0);
        let around = self.gallivm_around(op, place, zero);
        let numbers: [Id; 4] = std::array::from_fn(|n| {
            let texel = self.texel_at(op, unit, place, zero, around.texels[n]);
            self.select(around.is_corner[n], zero, texel[comp])
        });
        let (upper, lower) = (self.fadd(numbers[0], numbers[1]), self.fadd(numbers[2], numbers[3]));
        let (sum, third) = (self.fadd(upper, lower), self.real(1.0 / 3.0));
        let mean = self.fmul(third, sum);
        [2, 3, 1, 0].map(|n| {
            let number = self.select(around.is_corner[n], mean, numbers[n]);
            self.fixed_nan(number)
        })
    }
}
