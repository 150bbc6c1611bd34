//! Lookups as SwiftShader does them: coordinates are wrapped before they are scaled, blends flush denormals, and nearest texels of bytes are
//! found in integers of 16 bits. The steps are those that `parallax-texture` documents; cubes are in [`cube`].

pub(super) mod cube;

use super::filter::NORMALISED;
use super::grid::{Axis, Touched};
use super::level::directions;
use super::place::Place;
use super::site::Site;
use super::{Fetched, Given, Unit};
use parallax_core::TexOp;
use parallax_num::{Round, TextureUnit};
use parallax_step::{Direction, Id, Mode, Prim, Ty};
use parallax_texture::{Filter, Mip, TexelFormat, Wrap, srgb_codes};

/// The binary32 next to 1/65280.
const UNIT: f32 = 1.0 / 65280.0;
/// The number below 1.
const BELOW_ONE: f32 = f32::from_bits(0x3f7f_ffff);
/// Levels of detail end here.
const LAST_LEVEL: f32 = 13.0;

/// The numbers of normalised bytes: 256 times the byte, times the binary32 next to 1/65280.
pub(super) static BY_65280TH: [u32; 256] = {
    let mut table = NORMALISED;
    let mut byte = 0;
    while byte < 256 {
        table[byte] = ((byte << 8) as f32 * UNIT).to_bits();
        byte += 1;
    }
    table
};

/// How texels make a result.
#[derive(Copy, Clone)]
pub(super) enum Footprint {
    /// One texel.
    Point,
    /// Two along each axis, or the same one twice: a half and 1, or zeros.
    Two { half: Id, next: Id },
}

/// Where a level is looked up: coordinates, which offsets move on each level.
#[derive(Copy, Clone)]
struct Moved<'p> {
    place: &'p Place,
    at: [Id; 3],
}

impl Unit {
    /// Whether SwiftShader's lookups of a shape are known: those of repeated images in texels are as the other units have them.
    pub(super) fn is_of_swiftshader(&self, op: &TexOp) -> bool {
        let ends = (0..directions(op)).all(|axis| matches!(self.sampler.wrap[axis], Wrap::Clamp | Wrap::Border));
        op.rule.unit == TextureUnit::SwiftShader && (ends || !op.target.is_rectangle())
    }

    /// Whether nearest texels are found in 16 bits.
    fn is_in_16_bits(&self, op: &TexOp) -> bool {
        let has_border = (0..directions(op)).any(|axis| self.sampler.wrap[axis] == Wrap::Border);
        let is_plain = !op.target.is_rectangle() && !op.target.is_shadow() && !op.target.is_cube();
        self.fetched() == Fetched::Unorm8 && !has_border && is_plain
    }
}

impl dyn Site + '_ {
    /// A filtered value, whose NaN is fixed.
    pub(super) fn swiftshader_filtered(&mut self, op: &TexOp, unit: &Unit, given: &Given, place: &Place) -> [Id; 4] {
        let level = self.level_to_last(op, unit, given);
        let [first, second] = self.levels_of(unit, level);
        let mut at = Moved { place, at: place.at };
        let blends = unit.sampler.mip == Mip::Linear;
        let footprint = self.footprint(unit, level);
        if let (Footprint::Point, true) = (footprint, unit.is_in_16_bits(op)) {
            let mut color = self.color_16(op, unit, first, &mut at);
            if blends {
                let other = self.color_16(op, unit, second, &mut at);
                let steps = self.real(65536.0);
                let weight = self.fmul(level, steps);
                let weight = self.whole(weight);
                let weight = self.and(weight, 0xffff);
                let rest = self.int(0xffff);
                let rest = self.sub(rest, weight);
                color = std::array::from_fn(|comp| {
                    let [own, other] = [(color[comp], rest), (other[comp], weight)].map(|(code, weight)| {
                        let product = self.mul(code, weight);
                        self.shr_by(product, 16)
                    });
                    let sum = self.add(own, other);
                    self.and(sum, 0xffff)
                });
            }
            let scale = self.real(UNIT);
            return color.map(|code| {
                let number = self.number(code);
                self.fmul(number, scale)
            });
        }
        let mut color = self.color(op, unit, first, &mut at, footprint);
        if blends {
            let other = self.color(op, unit, second, &mut at, footprint);
            let floor = self.round(level, Direction::Down);
            let weight = self.fsub(level, floor);
            let weight = self.most(weight, BELOW_ONE);
            color = self.blend_flushed(color, other, weight);
        }
        color.map(|number| self.given_by_swiftshader(op, unit, number))
    }

    /// The level of detail, up to the last that SwiftShader knows.
    fn level_to_last(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> Id {
        let zero = self.int(0);
        if unit.is_flat() {
            return zero;
        }
        let mut level = self.level(op, unit, given);
        if unit.minify() == unit.sampler.filter {
            // An image of one level has no level of detail.
            let has_levels = self.has_levels();
            level = self.select(has_levels, level, zero);
        }
        self.limited_level(level)
    }

    /// The numbers of the level that is looked up and of the next one, among those that there are.
    fn levels_of(&mut self, unit: &Unit, level: Id) -> [Id; 2] {
        let zero = self.int(0);
        let number = match unit.sampler.mip {
            Mip::None => zero,
            Mip::Nearest => {
                let nearest = self.rounded(level, Round::NearestEven);
                self.whole(nearest)
            }
            Mip::Linear => self.whole(level),
        };
        let last = self.levels();
        let last = self.plus(last, -1);
        let next = self.plus(number, 1);
        [number, next].map(|number| {
            let is_inside = self.lt(number, last);
            self.select(is_inside, number, last)
        })
    }

    /// The words of the nearest texel.
    pub(super) fn swiftshader_words(&mut self, op: &TexOp, unit: &Unit, given: &Given, place: &Place) -> [Id; 4] {
        let level = self.level_to_last(op, unit, given);
        let [first, _] = self.levels_of(unit, level);
        let mut at = Moved { place, at: place.at };
        self.move_by_offset(op, first, &mut at);
        let axes = self.wrapped_axes(op, unit, (first, Footprint::Point), &at);
        self.words_at(unit, first, axes.map(|axis| axis.low))
    }

    /// The texels along each axis that are gathered.
    pub(super) fn swiftshader_axes_of_gather(&mut self, op: &TexOp, unit: &Unit, place: &Place) -> [Axis; 3] {
        let (zero, half, next) = (self.int(0), self.real(0.5), self.int(1));
        let mut at = Moved { place, at: place.at };
        self.move_by_offset(op, zero, &mut at);
        self.wrapped_axes(op, unit, (zero, Footprint::Two { half, next }), &at)
    }

    /// The filter of a level of detail.
    fn footprint(&mut self, unit: &Unit, level: Id) -> Footprint {
        let (magnify, minify) = (unit.sampler.filter, unit.minify());
        let (half, one, zero) = (self.real(0.5), self.int(1), self.int(0));
        match (magnify, minify) {
            (Filter::Nearest, Filter::Nearest) => Footprint::Point,
            (Filter::Linear, Filter::Linear) => Footprint::Two { half, next: one },
            _ => {
                let is_above = self.flt(zero, level);
                let is_two = if minify == Filter::Linear { is_above } else { self.not(is_above) };
                Footprint::Two { half: self.select(is_two, half, zero), next: self.select(is_two, one, zero) }
            }
        }
    }

    /// One component of the four texels around a place: from the lower left against the sense of the clock.
    pub(super) fn swiftshader_gather(&mut self, op: &TexOp, unit: &Unit, place: &Place, comp: usize) -> [Id; 4] {
        let (zero, half, one) = (self.int(0), self.real(0.5), self.int(1));
        let two = Footprint::Two { half, next: one };
        let colors = if op.target.is_cube() {
            self.colors_around(op, unit, (place, zero), place.at, two).0
        } else {
            let [x, y, z] = self.swiftshader_axes_of_gather(op, unit, place);
            // A line has one row.
            let below = if directions(op) == 1 { y.low } else { y.high };
            [(x.low, y.low), (x.high, y.low), (x.low, below), (x.high, below)]
                .map(|(x, y)| self.texel_65280(op, unit, place, zero, [x, y, z.low]))
        };
        [2, 3, 1, 0].map(|n| self.given_by_swiftshader(op, unit, colors[n][comp]))
    }

    /// A number at the end.
    fn given_by_swiftshader(&mut self, op: &TexOp, unit: &Unit, number: Id) -> Id {
        let is_scaled = unit.fetched() == Fetched::Unorm8 && !op.target.is_shadow();
        let unit = self.real(UNIT);
        let number = if is_scaled { self.mul_flushed(number, unit) } else { number };
        self.fixed_nan(number)
    }

    /// A level from 0 to the last that SwiftShader knows; 0 for a NaN.
    pub(super) fn limited_level(&mut self, level: Id) -> Id {
        // A NaN is not above.
        let inside = self.at_least_zero(level);
        self.most(inside, LAST_LEVEL)
    }

    /// The level that a lookup would take, whatever levels there are.
    pub(super) fn level_asked(&mut self, level: Id, mip: Mip) -> Id {
        let level = self.limited_level(level);
        match mip {
            Mip::None => self.int(0),
            Mip::Nearest => self.rounded(level, Round::NearestEven),
            Mip::Linear => level,
        }
    }

    /// A bias of the level: at most 15 either way; a NaN is the least.
    pub(super) fn swiftshader_bias(&mut self, number: Id) -> Id {
        let [least, most] = [-15.0, 15.0].map(|end| self.real(end));
        let (is_above, is_below) = (self.flt(least, number), self.flt(number, most));
        let within = self.select(is_below, number, most);
        self.select(is_above, within, least)
    }

    /// The pattern of a number's square, less that of 1, as a number times a factor; a NaN is the only one, or that of a magnitude without
    /// its sign.
    pub(super) fn log2_of_pattern(&mut self, number: Id, is_magnitude: bool, factor: f32) -> Id {
        let square = self.mul_flushed(number, number);
        let square = self.fixed_nan(square);
        let square = if is_magnitude { self.fabs(square) } else { square };
        let pattern = self.number(square);
        let (one, factor) = (self.real(1_065_353_216.0), self.real(factor));
        let rest = self.fsub(pattern, one);
        self.fmul(rest, factor)
    }

    /// A denormal becomes a zero of its sign.
    pub(super) fn flushed(&mut self, number: Id) -> Id {
        self.step(Prim::Flush, Ty::F32, 0, &[number])
    }

    /// A product whose operands and result are flushed.
    pub(super) fn mul_flushed(&mut self, a: Id, b: Id) -> Id {
        let [a, b] = [a, b].map(|number| self.flushed(number));
        self.step(Prim::Fmul, Ty::F32, Mode { flush: true, ..Mode::PLAIN }.word(), &[a, b])
    }

    /// A number, or another one where it is not below that; that for a NaN.
    pub(super) fn most(&mut self, number: Id, most: f32) -> Id {
        let most = self.real(most);
        self.most_of(number, most)
    }

    fn most_of(&mut self, number: Id, most: Id) -> Id {
        let is_below = self.flt(number, most);
        self.select(is_below, number, most)
    }

    /// The greater one of a number and 0; 0 for a NaN.
    pub(super) fn at_least_zero(&mut self, number: Id) -> Id {
        let zero = self.int(0);
        let is_above = self.flt(zero, number);
        self.select(is_above, number, zero)
    }

    /// p + w (q - p), each step rounded and flushed.
    pub(super) fn blend_flushed(&mut self, p: [Id; 4], q: [Id; 4], weight: Id) -> [Id; 4] {
        std::array::from_fn(|comp| {
            let [p, q] = [p[comp], q[comp]].map(|number| self.flushed(number));
            let difference = self.fsub(q, p);
            let difference = self.flushed(difference);
            let product = self.mul_flushed(weight, difference);
            let sum = self.fadd(p, product);
            self.flushed(sum)
        })
    }

    fn move_by_offset(&mut self, op: &TexOp, level: Id, at: &mut Moved<'_>) {
        let size = self.level_size(op, level);
        for axis in 0..directions(op) {
            let offset = at.place.offset(op, axis);
            if !offset.is_none() {
                let (by, size) = (self.real_offset(offset), self.number(size[axis]));
                let by = self.fdiv(by, size);
                let sum = self.fadd(at.at[axis], by);
                at.at[axis] = self.flushed(sum);
            }
        }
    }

    /// A value of one level: bytes as 65280ths.
    fn color(&mut self, op: &TexOp, unit: &Unit, level: Id, at: &mut Moved<'_>, footprint: Footprint) -> [Id; 4] {
        if op.target.is_cube() {
            let (colors, [x, y]) = self.colors_around(op, unit, (at.place, level), at.at, footprint);
            let [a, b, c, d] = colors;
            if let Footprint::Point = footprint {
                return a;
            }
            let (upper, lower) = (self.blend_flushed(a, b, x), self.blend_flushed(c, d, x));
            return self.blend_flushed(upper, lower, y);
        }
        self.move_by_offset(op, level, at);
        let place = at.place;
        let [x, y, z] = self.wrapped_axes(op, unit, (level, footprint), at);
        let texel = |own: &mut Self, at: [Touched; 3]| own.texel_65280(op, unit, place, level, at);
        let line = |own: &mut Self, y: Touched, z: Touched| {
            let low = texel(own, [x.low, y, z]);
            let Some(weight) = x.weight else { return low };
            let high = texel(own, [x.high, y, z]);
            own.blend_flushed(low, high, weight)
        };
        let plane = |own: &mut Self, z: Touched| {
            let low = line(own, y.low, z);
            let Some(weight) = y.weight else { return low };
            // A line has one row, which is blended with itself.
            let high = if directions(op) == 1 { low } else { line(own, y.high, z) };
            own.blend_flushed(low, high, weight)
        };
        let low = plane(self, z.low);
        let Some(weight) = z.weight.filter(|_| directions(op) == 3) else { return low };
        let high = plane(self, z.high);
        self.blend_flushed(low, high, weight)
    }

    /// The texels along each axis.
    fn wrapped_axes(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        (level, footprint): (Id, Footprint),
        at: &Moved<'_>,
    ) -> [Axis; 3] {
        let (size, zero) = (self.level_size(op, level), self.int(0));
        let mut axes = [Axis::of(zero), Axis::of(zero), Axis::of(at.place.slice.unwrap_or(zero))];
        for (axis, found) in axes.iter_mut().enumerate() {
            if axis < directions(op) {
                *found = self.wrapped_axis(op, at.at[axis], size[axis], unit.sampler.wrap[axis], footprint);
            } else if let Footprint::Two { .. } = footprint {
                found.weight = Some(zero);
            }
        }
        axes
    }

    fn wrapped_axis(&mut self, op: &TexOp, coord: Id, size: Id, wrap: Wrap, footprint: Footprint) -> Axis {
        let coord = self.flushed(coord);
        let (side, last, zero, half) = (self.number(size), self.plus(size, -1), self.int(0), self.real(0.5));
        if wrap == Wrap::Mirror && op.mode.gathered().is_some() {
            let texels = self.mul_flushed(coord, side);
            let from = self.fsub(texels, half);
            let floor = self.round(from, Direction::Down);
            let low = self.whole(floor);
            let next = self.plus(low, 1);
            let twice = self.shl_by(size, 1);
            let [low, high] = [low, next].map(|number| {
                let number = self.modulo(number, twice);
                let back = self.plus(twice, -1);
                let back = self.sub(back, number);
                let is_first = self.ult(number, size);
                Touched { number: self.select(is_first, number, back), inside: None }
            });
            return Axis { low, high, weight: None };
        }
        let is_rectangle = op.target.is_rectangle();
        let texels = match wrap {
            Wrap::Clamp if is_rectangle => {
                let below = self.real(BELOW_ONE);
                let (end, inside) = (self.fmul(side, below), self.at_least_zero(coord));
                self.most_of(inside, end)
            }
            Wrap::Clamp => {
                let inside = self.at_least_zero(coord);
                let inside = self.most(inside, BELOW_ONE);
                self.mul_flushed(inside, side)
            }
            Wrap::Mirror => {
                let halved = self.mul_flushed(coord, half);
                let nearest = self.rounded(halved, Round::NearestEven);
                let rest = self.fsub(halved, nearest);
                let rest = self.flushed(rest);
                let (rest, two) = (self.fabs(rest), self.real(2.0));
                let way = self.fmul(two, rest);
                let way = self.most(way, BELOW_ONE);
                self.mul_flushed(way, side)
            }
            Wrap::Border if is_rectangle => coord,
            Wrap::Border => self.mul_flushed(coord, side),
            Wrap::Repeat => {
                let floor = self.round(coord, Direction::Down);
                let fraction = self.fsub(coord, floor);
                let fraction = self.flushed(fraction);
                let fraction = self.most(fraction, BELOW_ONE);
                self.mul_flushed(fraction, side)
            }
        };
        let from = match footprint {
            Footprint::Point => texels,
            Footprint::Two { half, .. } => self.fsub(texels, half),
        };
        let floor = self.round(from, Direction::Down);
        let low = self.whole(floor);
        let high = match footprint {
            Footprint::Point => low,
            Footprint::Two { next, .. } => self.add(low, next),
        };
        let always = |number: Id| Touched { number, inside: None };
        let [low, high] = match wrap {
            Wrap::Border => [low, high].map(|number| {
                let inside = self.ult(number, size);
                Touched { number: self.select(inside, number, zero), inside: Some(inside) }
            }),
            Wrap::Repeat => {
                let (is_before, is_below, is_behind) = (self.is_negative(low), self.lt(low, last), self.lt(last, high));
                let first = self.select(is_below, low, last);
                [always(self.select(is_before, last, first)), always(self.select(is_behind, zero, high))]
            }
            Wrap::Clamp | Wrap::Mirror => [low, high].map(|number| always(self.clamped(number, size))),
        };
        let weight = match footprint {
            Footprint::Point => None,
            Footprint::Two { .. } => {
                let weight = self.fsub(from, floor);
                Some(self.flushed(weight))
            }
        };
        Axis { low, high, weight }
    }

    /// A texel as it is blended: bytes as 65280ths; or what its comparison gives.
    fn texel_65280(&mut self, op: &TexOp, unit: &Unit, place: &Place, level: Id, at: [Touched; 3]) -> [Id; 4] {
        if unit.fetched() == Fetched::Binary32 || op.target.is_shadow() {
            return self.texel(op, unit, place, level, at);
        }
        let bytes = self.fetch(at.map(|touched| touched.number), level);
        let codes = self.codes(unit, bytes);
        let numbers = codes.map(|code| self.number(code));
        let border = unit.sampler.border.map(|word| f32::from_bits(word) * 65280.0);
        self.or_border(at, numbers, border.map(f32::to_bits))
    }

    /// What is compared with a reference: depths of 16 bits as that many.
    pub(super) fn depth_of_swiftshader(&mut self, unit: &Unit, depth: Id) -> Id {
        if unit.format != TexelFormat::Depth16 {
            return depth;
        }
        let [up, down] = [65535.0, 1.0 / 65535.0].map(|factor| self.real(factor));
        let steps = self.fmul(depth, up);
        let nearest = self.rounded(steps, Round::NearestEven);
        self.fmul(nearest, down)
    }

    /// A texel of bytes as 65280ths, integers.
    fn codes(&mut self, unit: &Unit, [red, green, blue, alpha]: [Id; 4]) -> [Id; 4] {
        let [red, green, blue] = [red, green, blue].map(|byte| match unit.format {
            TexelFormat::Srgb8 => self.row(srgb_codes(), byte),
            _ => self.shl_by(byte, 8),
        });
        [red, green, blue, self.shl_by(alpha, 8)]
    }

    /// The nearest texel of bytes, found in 16 bits, as 65280ths.
    fn color_16(&mut self, op: &TexOp, unit: &Unit, level: Id, at: &mut Moved<'_>) -> [Id; 4] {
        self.move_by_offset(op, level, at);
        let (size, zero) = (self.level_size(op, level), self.int(0));
        let mut texel = [zero, zero, at.place.slice.unwrap_or(zero)];
        for (axis, number) in texel.iter_mut().enumerate().take(directions(op)) {
            let place = self.place_16(at.at[axis], unit.sampler.wrap[axis]);
            let product = self.mul(place, size[axis]);
            *number = self.shr_by(product, 16);
        }
        let bytes = self.fetch(texel, level);
        self.codes(unit, bytes)
    }

    /// A coordinate in 16 bits.
    fn place_16(&mut self, coord: Id, wrap: Wrap) -> Id {
        let steps = self.real(65536.0);
        match wrap {
            Wrap::Clamp | Wrap::Border => {
                let inside = self.at_least_zero(coord);
                let inside = self.most(inside, 65535.0 / 65536.0);
                let place = self.fmul(inside, steps);
                self.whole(place)
            }
            Wrap::Repeat | Wrap::Mirror => {
                let place = self.fmul(coord, steps);
                let mut place = self.whole(place);
                if wrap == Wrap::Mirror {
                    let odd = self.shl_by(place, 15);
                    let odd = self.sar_by(odd, 31);
                    place = self.xor(place, odd);
                }
                self.and(place, 0xffff)
            }
        }
    }
}
