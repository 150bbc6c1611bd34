//! Cubes as SwiftShader looks them up; the steps are those that `parallax-texture` documents.

use super::{BELOW_ONE, Footprint};
use crate::lookup::cube::Pair;
use crate::lookup::place::Place;
use crate::lookup::site::Site;
use crate::lookup::{Fetched, Unit};
use parallax_core::TexOp;
use parallax_num::Round;
use parallax_step::{Direction, Id};
use parallax_texture::TexelFormat;

/// The binary32 next to a third.
const THIRD: f32 = 1.0 / 3.0;

impl dyn Site + '_ {
    /// The face of a direction, and its place there.
    pub(in crate::lookup) fn swiftshader_on_face(&mut self, direction: [Id; 3]) -> (Id, [Id; 3]) {
        let [x, y, z] = direction.map(|number| self.flushed(number));
        let [ax, ay, az] = [x, y, z].map(|number| self.fabs(number));
        // What is no number is above everything.
        let [xy, yz, zx] = [(ax, ay), (ay, az), (az, ax)].map(|(a, b)| self.fle(a, b)).map(|below| self.not(below));
        let [is_x, is_y, is_z] = [(xy, zx), (yz, xy), (zx, yz)].map(|(longer, shorter)| {
            let rest = self.not(shorter);
            self.both(longer, rest)
        });
        let rest = self.not(is_x);
        let is_y = self.both(rest, is_y);
        let first = self.either(is_x, is_y);
        let rest = self.not(first);
        let is_z = self.both(rest, is_z);
        let zero = self.int(0);
        let along = self.select(is_z, z, zero);
        let along = self.select(is_y, y, along);
        let along = self.select(is_x, x, along);
        let (is_negative, sign, one) = (self.flt(along, zero), self.int(1 << 31), self.int(1));
        let (sign, bit) = (self.select(is_negative, sign, zero), self.select(is_negative, one, zero));
        let [minus_z, minus_y] = [z, y].map(|number| self.fneg(number));
        let [of_x, of_z, of_y] = [minus_z, x, z].map(|number| self.xor(number, sign));
        let s = self.select(is_z, of_z, x);
        let s = self.select(is_x, of_x, s);
        let t = self.select(is_y, of_y, minus_y);
        let (two, four) = (self.int(2), self.int(4));
        let number = self.select(is_z, four, zero);
        let number = self.select(is_y, two, number);
        let (m, half) = (self.reach(direction), self.real(0.5));
        let [s, t] = [s, t].map(|number| {
            let product = self.mul_flushed(number, m);
            let sum = self.fadd(product, half);
            self.flushed(sum)
        });
        (self.add(number, bit), [s, t, zero])
    }

    /// Half the reciprocal of the greatest magnitude.
    fn reach(&mut self, direction: [Id; 3]) -> Id {
        let [x, y, z] = direction.map(|number| {
            let number = self.flushed(number);
            self.fabs(number)
        });
        let greater = self.greater(x, y);
        let greater = self.greater(greater, z);
        let (one, half) = (self.real(1.0), self.real(0.5));
        let reciprocal = self.fdiv(one, greater);
        self.mul_flushed(reciprocal, half)
    }

    fn greater(&mut self, a: Id, b: Id) -> Id {
        let is_first = self.flt(b, a);
        self.select(is_first, a, b)
    }

    /// The level of a quad from the neighbours of its first pixel.
    pub(in crate::lookup) fn swiftshader_level_by_neighbours(&mut self, direction: [Id; 3]) -> Id {
        let m = self.reach(direction);
        let own = direction.map(|number| self.mul_flushed(number, m));
        let steps = [0, 1].map(|axis| {
            let is_second = self.is_second(axis);
            own.map(|own| {
                let other = self.beside(own, axis);
                let [from, to] = self.select_all(is_second, [other, own], [own, other]);
                let step = self.fsub(to, from);
                self.flushed(step)
            })
        });
        let level = self.level_of_reaches(steps);
        self.of_first(level)
    }

    /// That of a pixel whose derivatives are given.
    pub(in crate::lookup) fn swiftshader_level_by_derivatives(
        &mut self,
        direction: [Id; 3],
        steps: [[Id; 3]; 2],
    ) -> Id {
        let m = self.reach(direction);
        let m = self.of_first(m);
        let steps = steps.map(|step| step.map(|number| self.mul_flushed(number, m)));
        self.level_of_reaches(steps)
    }

    /// The sum of the two largest magnitudes of a step, of the longer one, times the size, as a level.
    fn level_of_reaches(&mut self, steps: [[Id; 3]; 2]) -> Id {
        let [across, down] = steps.map(|step| {
            let [u, v, s] = step.map(|number| self.fabs(number));
            let [uv, us, vs] = [(u, v), (u, s), (v, s)].map(|(a, b)| {
                let sum = self.fadd(a, b);
                self.flushed(sum)
            });
            let greater = self.greater(uv, us);
            self.greater(greater, vs)
        });
        let (longer, size) = (self.greater(across, down), self.size()[0]);
        let size = self.number(size);
        let longest = self.mul_flushed(longer, size);
        self.log2_of_pattern(longest, true, 1.0 / 16_777_216.0)
    }

    /// Four texels around a place on a face, rows from the top, and the weights of the right column and of the lower row. Bytes count as
    /// 65280ths. Of one texel all four are that.
    pub(super) fn colors_around(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        (place, level): (&Place, Id),
        at: [Id; 3],
        footprint: Footprint,
    ) -> ([[Id; 4]; 4], [Id; 2]) {
        let size = self.level_size(op, level)[0];
        let side = self.number(size);
        let pairs = [0, 1].map(|axis| {
            let inside = self.at_least_zero(at[axis]);
            let inside = self.most(inside, BELOW_ONE);
            let texels = self.mul_flushed(inside, side);
            let (from, next) = match footprint {
                Footprint::Point => (texels, None),
                Footprint::Two { half, next } => (self.fsub(texels, half), Some(next)),
            };
            let floor = self.round(from, Direction::Down);
            let low = self.whole(floor);
            let weight = self.fsub(from, floor);
            let high = next.map_or(low, |next| self.add(low, next));
            Pair { low, high, weight: self.flushed(weight) }
        });
        let around = self.around_on_face(place, size, pairs);
        if let Footprint::Point = footprint {
            let texel = self.fetch(around.texels[0], level);
            let color = self.blended_from(op, unit, place, texel);
            return ([color; 4], around.weights);
        }
        let texels = around.texels.map(|at| self.fetch(at, level));
        let colors = [0, 1, 2, 3].map(|n| {
            let color = self.blended_from(op, unit, place, texels[n]);
            // Around the corner: along s, along t, on this face.
            let three = [n ^ 2, n ^ 1, n ^ 3].map(|n| texels[n]);
            let mean = self.corner(op, unit, place, three);
            self.select_all(around.is_corner[n], mean, color)
        });
        (colors, around.weights)
    }

    /// What is blended of a fetched texel.
    fn blended_from(&mut self, op: &TexOp, unit: &Unit, place: &Place, texel: [Id; 4]) -> [Id; 4] {
        if unit.fetched() == Fetched::Unorm8 && !op.target.is_shadow() {
            let codes = self.codes(unit, texel);
            return codes.map(|code| self.number(code));
        }
        let words = self.decoded(op, unit, texel);
        self.compared(op, unit, place, words)
    }

    /// What lies behind a corner: a third of the sum of the three texels around it, in the format of the image.
    fn corner(&mut self, op: &TexOp, unit: &Unit, place: &Place, three: [[Id; 4]; 3]) -> [Id; 4] {
        let third = self.real(THIRD);
        let mean = |own: &mut Self, [a, b, c]: [Id; 3]| {
            let sum = own.fadd(a, b);
            let sum = own.fadd(sum, c);
            own.fmul(sum, third)
        };
        if unit.fetched() == Fetched::Unorm8 && !op.target.is_shadow() {
            let bytes = std::array::from_fn(|comp| {
                let numbers = three.map(|texel| self.number(texel[comp]));
                let mean = mean(self, numbers);
                let byte = self.rounded(mean, Round::NearestEven);
                self.whole(byte)
            });
            let codes = self.codes(unit, bytes);
            return codes.map(|code| self.number(code));
        }
        let words = three.map(|texel| self.decoded(op, unit, texel));
        let mean = std::array::from_fn(|comp| mean(self, words.map(|words| words[comp])));
        let [red, green, blue, alpha] = mean;
        let (zero, one) = (self.int(0), self.real(1.0));
        let words = match unit.format {
            TexelFormat::Depth16 | TexelFormat::Depth24 => [self.normalised(red, unit.depth_bits()), zero, zero, one],
            TexelFormat::Rgb565 => {
                let [red, green, blue] =
                    [(red, 5), (green, 6), (blue, 5)].map(|(number, bits)| self.normalised(number, bits));
                [red, green, blue, one]
            }
            _ => [red, green, blue, alpha],
        };
        self.compared(op, unit, place, words)
    }
}
