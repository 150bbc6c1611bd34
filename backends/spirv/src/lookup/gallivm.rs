//! Lookups as the code generator of llvmpipe does them: images of bytes are blended in integers, all else in binary32 whose products and
//! sums are rounded once. The steps are those that `parallax-texture` documents; cubes are in [`cube`].

pub(super) mod cube;

use super::filter::NORMALISED;
use super::grid::{Axis, Touched};
use super::level::directions;
use super::place::{Offset, Place};
use super::site::Site;
use super::{Given, Unit};
use parallax_core::{TexMode, TexOp};
use parallax_num::Round;
use parallax_step::{Direction, Id, Prim, Ty};
use parallax_texture::{Filter, Mip, TexelFormat, Wrap};

/// The largest number below 1.
const BELOW_ONE: u32 = 0x3f7f_ffff;

/// The numbers of normalised bytes: times the binary32 next to 1/255.
pub(super) static BY_RECIPROCAL: [u32; 256] = {
    let mut table = NORMALISED;
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as f32 * (1.0 / 255.0)).to_bits();
        byte += 1;
    }
    table
};

/// Texels along an axis that are blended in integers, and the weight of the second one.
#[derive(Copy, Clone)]
struct Fixed {
    low: Id,
    high: Id,
    weight: Id,
}

impl Unit {
    /// Whether images of bytes are blended in integers.
    pub(super) fn blends_bytes(&self, op: &TexOp) -> bool {
        let is_simple = (0..directions(op)).all(|axis| matches!(self.wrap(op, axis), Wrap::Repeat | Wrap::Clamp));
        let (magnify, minify) = (self.sampler.filter, self.minify());
        let is_crossing = cube::is_seamless(op) && [magnify, minify].contains(&Filter::Linear);
        // Quads that share a level choose one filter, pixels blend by both.
        let mixes = minify != magnify && (op.mode != TexMode::Implicit || op.target.is_cube());
        is_simple && self.format == TexelFormat::Rgba8 && !op.target.is_shadow() && !is_crossing && !mixes
    }
}

impl dyn Site + '_ {
    /// A value of one level as bytes.
    pub(super) fn bytes_on_level(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        place: &Place,
        level: Id,
        filter: Filter,
    ) -> [Id; 4] {
        let (size, zero) = (self.level_size(op, level), self.int(0));
        let none = |number: Id| Fixed { low: number, high: number, weight: zero };
        let mut axes = [none(zero), none(zero), none(place.slice.unwrap_or(zero))];
        for (axis, found) in axes.iter_mut().enumerate().take(directions(op)) {
            *found = match filter {
                Filter::Linear => self.fixed_linear(op, unit, place, axis, size[axis]),
                Filter::Nearest => none(self.fixed_nearest(op, unit, place, axis, size[axis])),
            };
        }
        let [x, y, z] = axes;
        if filter == Filter::Nearest {
            return self.fetch([x.low, y.low, z.low], level);
        }
        let line = |own: &mut Self, y: Id, z: Id| {
            let [low, high] = [x.low, x.high].map(|x| own.fetch([x, y, z], level));
            own.blend_bytes(low, high, x.weight)
        };
        let plane = |own: &mut Self, z: Id| {
            let low = line(own, y.low, z);
            if directions(op) == 1 {
                return low;
            }
            let high = line(own, y.high, z);
            own.blend_bytes(low, high, y.weight)
        };
        let low = plane(self, z.low);
        if directions(op) < 3 {
            return low;
        }
        let high = plane(self, z.high);
        self.blend_bytes(low, high, z.weight)
    }

    /// p + ((w * (q - p) + 128) >> 8).
    pub(super) fn blend_bytes(&mut self, p: [Id; 4], q: [Id; 4], weight: Id) -> [Id; 4] {
        std::array::from_fn(|comp| {
            let difference = self.sub(q[comp], p[comp]);
            let product = self.mul(weight, difference);
            let moved = self.plus(product, 128);
            let part = self.sar_by(moved, 8);
            self.add(p[comp], part)
        })
    }

    /// Whether an axis is repeated so that the fraction of its coordinate comes first; `None`: never.
    fn takes_fraction(&mut self, op: &TexOp, wrap: Wrap, axis: usize) -> Option<Id> {
        if wrap != Wrap::Repeat || op.target.is_rectangle() {
            return None;
        }
        // A power of two has no bit in common with the number below it.
        let side = self.size()[axis];
        let (below, zero) = (self.plus(side, -1), self.int(0));
        let common = self.step(Prim::And, Ty::I32, 0, &[side, below]);
        let is_power = self.eq(common, zero);
        Some(self.not(is_power))
    }

    /// The fraction of a coordinate, moved by texels.
    fn fraction(&mut self, coord: Id, offset: Offset, size: Id) -> Id {
        let moved = if offset.is_none() {
            coord
        } else {
            let (by, size) = (self.real_offset(offset), self.number(size));
            let by = self.fdiv(by, size);
            self.fadd(coord, by)
        };
        let whole = self.round(moved, Direction::Down);
        self.fsub(moved, whole)
    }

    /// The largest number below 1 for what is not below 1.
    fn below_one(&mut self, fraction: Id) -> Id {
        let below = self.int(BELOW_ONE);
        let is_below = self.flt(fraction, below);
        self.select(is_below, fraction, below)
    }

    fn fixed_linear(&mut self, op: &TexOp, unit: &Unit, place: &Place, axis: usize, size: Id) -> Fixed {
        let (wrap, offset, coord) = (unit.wrap(op, axis), place.offset(op, axis), place.at[axis]);
        let (steps, count) = (self.real(256.0), self.number(size));
        let at = |own: &mut Self, scaled: Id| {
            let nearest = own.rounded(scaled, Round::NearestEven);
            let whole = own.whole(nearest);
            own.plus(whole, -128)
        };
        let scale = if op.target.is_rectangle() { steps } else { self.fmul(count, steps) };
        let scaled = self.fmul(coord, scale);
        let plain = at(self, scaled);
        let number = self.sar_by(plain, 8);
        let number = self.moved_by(number, offset);
        let next = self.plus(number, 1);
        let [mut low, mut high] = [number, next].map(|number| match wrap {
            Wrap::Repeat => self.modulo(number, size),
            _ => self.clamped(number, size),
        });
        let mut chosen = plain;
        if let Some(is_fraction) = self.takes_fraction(op, wrap, axis) {
            let fraction = self.fraction(coord, offset, size);
            let texels = self.fmul(fraction, count);
            let scaled = self.fmul(texels, steps);
            let own = at(self, scaled);
            let number = self.sar_by(own, 8);
            let (last, zero) = (self.plus(size, -1), self.int(0));
            let (is_negative, is_below) = (self.is_negative(number), self.lt(number, last));
            let first = self.select(is_below, number, last);
            let first = self.select(is_negative, last, first);
            let (is_last, next) = (self.eq(first, last), self.plus(first, 1));
            let second = self.select(is_last, zero, next);
            low = self.select(is_fraction, first, low);
            high = self.select(is_fraction, second, high);
            chosen = self.select(is_fraction, own, plain);
        }
        Fixed { low, high, weight: self.and(chosen, 255) }
    }

    fn fixed_nearest(&mut self, op: &TexOp, unit: &Unit, place: &Place, axis: usize, size: Id) -> Id {
        let (wrap, offset, coord) = (unit.wrap(op, axis), place.offset(op, axis), place.at[axis]);
        let count = self.number(size);
        let texels = if op.target.is_rectangle() { coord } else { self.fmul(coord, count) };
        let floor = self.round(texels, Direction::Down);
        let number = self.whole(floor);
        let number = self.moved_by(number, offset);
        let plain = match wrap {
            Wrap::Repeat => self.modulo(number, size),
            _ => self.clamped(number, size),
        };
        let Some(is_fraction) = self.takes_fraction(op, wrap, axis) else { return plain };
        let fraction = self.fraction(coord, offset, size);
        let fraction = self.below_one(fraction);
        let texels = self.fmul(fraction, count);
        let number = self.whole(texels);
        let last = self.plus(size, -1);
        let is_below = self.ult(number, last);
        let number = self.select(is_below, number, last);
        self.select(is_fraction, number, plain)
    }

    /// The texels that a coordinate touches where they are blended in binary32.
    pub(super) fn touched_in_texels(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        place: &Place,
        (axis, size): (usize, Id),
        (linear, gathers): (bool, bool),
    ) -> Axis {
        let (wrap, offset, coord) = (unit.wrap(op, axis), place.offset(op, axis), place.at[axis]);
        let (half, zero) = (self.real(0.5), self.int(0));
        let count = self.number(size);
        let texels = if op.target.is_rectangle() { coord } else { self.fmul(coord, count) };
        let less_half = |own: &mut Self, number: Id| if linear { own.fsub(number, half) } else { number };
        let number = self.real_offset(offset);
        let (from, by) = match wrap {
            Wrap::Clamp if linear && !gathers => {
                // A NaN becomes the size.
                let moved = self.fadd(texels, number);
                let is_inside = self.flt(moved, count);
                let inside = self.select(is_inside, moved, count);
                let from = self.fsub(inside, half);
                let is_above = self.flt(zero, from);
                (self.select(is_above, from, zero), Offset::NONE)
            }
            _ if linear || wrap == Wrap::Clamp => {
                let finite = self.finite(texels);
                let from = less_half(self, finite);
                (self.fadd(from, number), Offset::NONE)
            }
            _ => (self.finite(texels), offset),
        };
        let plain = self.split(from, size, (wrap, by), linear);
        let Some(is_fraction) = self.takes_fraction(op, wrap, axis) else { return plain };
        let fraction = self.fraction(coord, offset, size);
        let fraction = if linear { fraction } else { self.below_one(fraction) };
        let texels = self.fmul(fraction, count);
        let texels = self.finite(texels);
        let from = less_half(self, texels);
        let own = self.split(from, size, (wrap, Offset::NONE), linear);
        let pick = |site: &mut Self, a: Touched, b: Touched| Touched {
            number: site.select(is_fraction, a.number, b.number),
            inside: None,
        };
        let (low, high) = (pick(self, own.low, plain.low), pick(self, own.high, plain.high));
        let weight = own.weight.zip(plain.weight).map(|(a, b)| self.select(is_fraction, a, b));
        Axis { low, high, weight }
    }

    /// A number in texels as the number of a texel, the next one and its weight.
    fn split(&mut self, from: Id, size: Id, (wrap, offset): (Wrap, Offset), linear: bool) -> Axis {
        let floor = self.round(from, Direction::Down);
        let (low, high) = self.wrapped(floor, size, wrap, offset);
        let weight = linear.then(|| self.fsub(from, floor));
        Axis { low, high, weight }
    }

    /// Whether a pixel of the quad blends texels.
    pub(super) fn mixes(&mut self, unit: &Unit, level: Id) -> Id {
        let (zero, one) = (self.int(0), self.int(1));
        let is_above = self.flt(zero, level);
        let is_linear = if unit.minify() == Filter::Linear { is_above } else { self.not(is_above) };
        let own = self.select(is_linear, one, zero);
        let any = self.of_any(own);
        self.eq(any, one)
    }

    /// An axis with all of the weight for the texel that has most of it.
    pub(super) fn chosen(&mut self, axis: Axis) -> Axis {
        let weight = axis.weight.map(|weight| self.nearest_weight(weight));
        Axis { weight, ..axis }
    }

    /// The weight of the second texel where the nearest one counts alone.
    fn nearest_weight(&mut self, weight: Id) -> Id {
        let (half, one, zero) = (self.real(0.5), self.real(1.0), self.int(0));
        let is_second = self.flt(half, weight);
        self.select(is_second, one, zero)
    }

    /// p + w (q - p): the difference rounded, product and sum rounded once.
    pub(super) fn blend_fused(&mut self, p: [Id; 4], q: [Id; 4], weight: Id) -> [Id; 4] {
        std::array::from_fn(|comp| {
            let difference = self.fsub(q[comp], p[comp]);
            self.fma(weight, difference, p[comp])
        })
    }

    /// The level of the longer of two steps squared: an exponent and a mantissa, or a number that is nearest to the nearest level.
    pub(super) fn gallivm_level(&mut self, op: &TexOp, unit: &Unit, steps: [[Id; 3]; 2], longer: Id) -> Id {
        let longer = if op.mode == TexMode::Grad || op.target.is_cube() { self.finite(longer) } else { longer };
        if unit.sampler.mip == Mip::Linear || !matches!(op.mode, TexMode::Implicit | TexMode::Grad) {
            let longer = self.fixed_nan(longer);
            let field = self.shr_by(longer, 23);
            let field = self.and(field, 255);
            let exponent = self.plus(field, -128);
            let exponent = self.number(exponent);
            let mantissa = self.and(longer, 0x7f_ffff);
            let mantissa = self.or(mantissa, 0x3f80_0000);
            let sum = self.fadd(exponent, mantissa);
            let half = self.real(0.5);
            return self.fmul(sum, half);
        }
        let (one, zero, quarter) = (self.real(1.0), self.int(0), self.real(0.25));
        let (step, level) = if directions(op) == 1 {
            let [a, b] = steps.map(|step| self.fabs(step[0]));
            let is_first = self.flt(b, a);
            let step = self.select(is_first, a, b);
            // The greater one, or the one that is a number.
            let is_nan = self.is_nan(b);
            let step = self.select(is_nan, a, step);
            let root = self.real(std::f32::consts::SQRT_2);
            let scaled = self.fmul(step, root);
            (step, self.exponent(scaled))
        } else {
            let exponent = self.exponent(longer);
            let moved = self.plus(exponent, 1);
            (longer, self.sar_by(moved, 1))
        };
        let level = self.number(level);
        let is_large = self.flt(quarter, level);
        let level = self.select(is_large, level, quarter);
        let is_above = self.flt(one, step);
        self.select(is_above, level, zero)
    }

    fn exponent(&mut self, number: Id) -> Id {
        let field = self.shr_by(number, 23);
        let field = self.and(field, 255);
        self.plus(field, -127)
    }

    /// Four bytes as numbers, and of two levels the blend of their bytes.
    pub(super) fn filtered_bytes(&mut self, op: &TexOp, unit: &Unit, given: &Given, place: &Place) -> [Id; 4] {
        let zero = self.int(0);
        let filter = unit.sampler.filter;
        let bytes = if unit.is_flat() {
            self.bytes_on_level(op, unit, place, zero, filter)
        } else {
            self.bytes_of_levels(op, unit, given, place)
        };
        bytes.map(|byte| self.row(&BY_RECIPROCAL, byte))
    }

    fn bytes_of_levels(&mut self, op: &TexOp, unit: &Unit, given: &Given, place: &Place) -> [Id; 4] {
        let (zero, magnify, minify) = (self.int(0), unit.sampler.filter, unit.minify());
        let level = self.level(op, unit, given);
        let detail = self.detail(op, unit, level);
        let mut bytes = self.bytes_on_level(op, unit, place, detail.level, minify);
        if let Some((is_between, weight)) = detail.next {
            let (next, same) = (self.plus(detail.level, 1), detail.level);
            let next = self.select(is_between, next, same);
            let upper = self.bytes_on_level(op, unit, place, next, minify);
            let steps = self.real(256.0);
            let scaled = self.fmul(weight, steps);
            let weight = self.whole(scaled);
            let blend = self.blend_bytes(bytes, upper, weight);
            bytes = self.select_all(is_between, blend, bytes);
        }
        if magnify != minify {
            let largest = self.bytes_on_level(op, unit, place, zero, magnify);
            bytes = self.select_all(detail.is_magnified, largest, bytes);
        }
        bytes
    }
}
