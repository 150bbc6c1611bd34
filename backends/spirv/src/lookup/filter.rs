//! Texels, their comparison and their blends.

use super::gallivm::BY_RECIPROCAL;
use super::gallivm::cube::is_seamless;
use super::grid::{Axis, Touched};
use super::level::directions;
use super::place::Place;
use super::site::Site;
use super::swiftshader::BY_65280TH;
use super::{Fetched, Given, Unit};
use parallax_core::TexOp;
use parallax_num::{Grid, Round, TexelResult, TextureUnit};
use parallax_step::{Direction, Id, Prim, Ty};
use parallax_texture::{Compare, Filter, TexelFormat, srgb_numbers};

/// The numbers of normalised bytes: `byte / 255`.
pub(super) static NORMALISED: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as f32 / 255.0).to_bits();
        byte += 1;
    }
    table
};

/// What a level's value takes from the whole quad, as gallivm's units do.
#[derive(Copy, Clone)]
struct OfQuad {
    /// Whether a nearest texel is chosen among those that are blended: a pixel of the quad blends them.
    mixes: Option<Id>,
    /// Whether texels of cubes without edges are weighed: a pixel meets a corner.
    weighs: Option<Id>,
}

impl dyn Site + '_ {
    /// A filtered value.
    pub(super) fn filtered(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> [Id; 4] {
        let place = self.place(op, unit, given);
        if unit.is_of_swiftshader(op) {
            return self.swiftshader_filtered(op, unit, given, &place);
        }
        let zero = self.int(0);
        let (magnify, minify) = (unit.sampler.filter, unit.minify());
        let is_gallivm = op.rule.unit == TextureUnit::Gallivm;
        let texel = if is_gallivm && unit.blends_bytes(op) {
            self.filtered_bytes(op, unit, given, &place)
        } else if unit.is_flat() {
            let weighs = self.weighs(op, unit, &place, None).map(|[weighs, _]| weighs);
            self.on_level(op, unit, &place, zero, magnify, OfQuad { mixes: None, weighs })
        } else {
            let level = self.level(op, unit, given);
            let detail = self.detail(op, unit, level);
            let mixes = (is_gallivm && magnify != minify).then(|| self.mixes(unit, level));
            let weighs = self.weighs(op, unit, &place, Some(level));
            let [own, next_one] = [0, 1].map(|n| OfQuad { mixes, weighs: weighs.map(|weighs| weighs[n]) });
            let mut texel = self.on_level(op, unit, &place, detail.level, minify, own);
            if let Some((is_between, weight)) = detail.next {
                let (next, same) = (self.plus(detail.level, 1), detail.level);
                let next = self.select(is_between, next, same);
                let upper = self.on_level(op, unit, &place, next, minify, next_one);
                let blend = self.blend(op, texel, upper, weight);
                texel = self.select_all(is_between, blend, texel);
            }
            if magnify != minify {
                let largest = self.on_level(op, unit, &place, zero, magnify, own);
                texel = self.select_all(detail.is_magnified, largest, texel);
            }
            texel
        };
        let texel = texel.map(|number| self.fixed_nan(number));
        texel.map(|number| self.given(op, unit, number))
    }

    /// One component of the four texels around a place: from the lower left against the sense of the clock.
    pub(super) fn gather(&mut self, op: &TexOp, unit: &Unit, given: &Given, comp: usize) -> [Id; 4] {
        let place = self.place(op, unit, given);
        if unit.is_of_swiftshader(op) {
            return self.swiftshader_gather(op, unit, &place, comp);
        }
        let zero = self.int(0);
        if op.rule.unit == TextureUnit::Gallivm && is_seamless(op) {
            return self.gallivm_gather(op, unit, &place, comp);
        }
        let [x, y, z] = self.axes(op, unit, &place, zero, (true, op.rule.gather, true));
        // A line has one row.
        let below = if directions(op) == 1 { y.low } else { y.high };
        [(x.low, below), (x.high, below), (x.high, y.low), (x.low, y.low)].map(|(x, y)| {
            let texel = self.texel(op, unit, &place, zero, [x, y, z.low]);
            let number = self.fixed_nan(texel[comp]);
            self.given(op, unit, number)
        })
    }

    /// The texel at a place that is given in texels, or its sample; zeros outside.
    pub(super) fn fetch_texel(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> [Id; 4] {
        let zero = self.int(0);
        let count = directions(op);
        let (mut inside, number) = match op.target.is_rectangle() {
            true => (self.eq(zero, zero), zero),
            false => {
                let count = if op.target.is_multisampled() { self.samples() } else { self.levels() };
                let inside = self.ult(given.fourth, count);
                (inside, self.select(inside, given.fourth, zero))
            }
        };
        let size = match op.target.is_multisampled() {
            true => self.size(),
            false => self.level_size(op, number),
        };
        let mut at = [zero; 3];
        for axis in 0..3 {
            let number = match axis {
                _ if axis < count => self.moved(given.at[axis], op.offset[axis].into()),
                2 if op.target.is_array() => given.layer,
                _ => continue,
            };
            let within = self.ult(number, size[axis]);
            inside = self.both(inside, within);
            at[axis] = self.select(within, number, zero);
        }
        let texel = self.fetch(at, number);
        let texel = match op.bits {
            true => texel,
            false => self.decoded(op, unit, texel).map(|word| self.given(op, unit, word)),
        };
        self.select_all(inside, texel, [zero; 4])
    }

    /// The number of a texel, moved; what runs over lies outside of every image.
    fn moved(&mut self, number: Id, by: i32) -> Id {
        if by == 0 {
            return number;
        }
        let sum = self.plus(number, by);
        let runs_over = if by > 0 { self.lt(sum, number) } else { self.lt(number, sum) };
        let outside = self.int(u32::MAX);
        self.select(runs_over, outside, sum)
    }

    /// A value of one level.
    fn on_level(&mut self, op: &TexOp, unit: &Unit, place: &Place, level: Id, filter: Filter, quad: OfQuad) -> [Id; 4] {
        let linear = filter == Filter::Linear;
        if linear && is_seamless(op) {
            return match quad.weighs {
                Some(weighs) => self.gallivm_across_edges(op, unit, place, level, (weighs, false)),
                None => self.across_edges(op, unit, place, level),
            };
        }
        let grid = if linear { op.rule.linear } else { op.rule.nearest };
        let axes = self.axes(op, unit, place, level, (linear, grid, false));
        let texel = self.around(op, unit, place, level, axes);
        let Some(mixes) = quad.mixes.filter(|_| !linear) else { return texel };
        let chosen = match quad.weighs {
            Some(weighs) => self.gallivm_across_edges(op, unit, place, level, (weighs, true)),
            None => {
                let axes = self.axes(op, unit, place, level, (true, grid, false)).map(|axis| self.chosen(axis));
                self.around(op, unit, place, level, axes)
            }
        };
        self.select_all(mixes, chosen, texel)
    }

    /// A blend of the texels along each axis: x first.
    fn around(&mut self, op: &TexOp, unit: &Unit, place: &Place, level: Id, [x, y, z]: [Axis; 3]) -> [Id; 4] {
        let line = |own: &mut Self, y: Touched, z: Touched| {
            let low = own.texel(op, unit, place, level, [x.low, y, z]);
            let Some(weight) = x.weight else { return low };
            let high = own.texel(op, unit, place, level, [x.high, y, z]);
            own.blend(op, low, high, weight)
        };
        let plane = |own: &mut Self, z: Touched| {
            let low = line(own, y.low, z);
            let Some(weight) = y.weight else { return low };
            let high = line(own, y.high, z);
            own.blend(op, low, high, weight)
        };
        let low = plane(self, z.low);
        let Some(weight) = z.weight else { return low };
        let high = plane(self, z.high);
        self.blend(op, low, high, weight)
    }

    /// The texels that are touched along each axis.
    pub(super) fn axes(
        &mut self,
        op: &TexOp,
        unit: &Unit,
        place: &Place,
        level: Id,
        (linear, grid, gathers): (bool, Grid, bool),
    ) -> [Axis; 3] {
        let (size, zero) = (self.level_size(op, level), self.int(0));
        let mut axes = [Axis::of(zero), Axis::of(zero), Axis::of(place.slice.unwrap_or(zero))];
        for (axis, touched) in axes.iter_mut().enumerate().take(directions(op)) {
            let wrap = unit.wrap(op, axis);
            if op.rule.unit == TextureUnit::Gallivm {
                *touched = self.touched_in_texels(op, unit, place, (axis, size[axis]), (linear, gathers));
                continue;
            }
            let texels = match op.target.is_rectangle() {
                true => place.at[axis],
                false => {
                    let scale = self.number(size[axis]);
                    self.fmul(place.at[axis], scale)
                }
            };
            *touched = self.touched(texels, size[axis], (wrap, place.offset(op, axis)), (linear, grid));
        }
        axes
    }

    /// A texel, or the border, or what its comparison gives.
    pub(super) fn texel(&mut self, op: &TexOp, unit: &Unit, place: &Place, level: Id, at: [Touched; 3]) -> [Id; 4] {
        let fetched = self.fetch(at.map(|touched| touched.number), level);
        let texel = self.decoded(op, unit, fetched);
        let texel = self.or_border(at, texel, unit.sampler.border);
        self.compared(op, unit, place, texel)
    }

    /// A texel, or the border where it lies outside.
    pub(super) fn or_border(&mut self, at: [Touched; 3], texel: [Id; 4], border: [u32; 4]) -> [Id; 4] {
        let inside = at.iter().filter_map(|touched| touched.inside);
        let inside = inside.fold(None, |all, one| Some(all.map_or(one, |all| self.both(all, one))));
        let Some(inside) = inside else { return texel };
        let border = border.map(|word| self.int(word));
        self.select_all(inside, texel, border)
    }

    /// A texel, or what its comparison gives.
    pub(super) fn compared(&mut self, op: &TexOp, unit: &Unit, place: &Place, texel: [Id; 4]) -> [Id; 4] {
        let Some(reference) = place.reference.filter(|_| op.target.is_shadow()) else { return texel };
        let [depth, ..] = texel;
        let depth = if unit.is_of_swiftshader(op) { self.depth_of_swiftshader(unit, depth) } else { depth };
        let holds = self.holds(unit.sampler.compare, reference, depth);
        let (one, zero) = (self.real(1.0), self.int(0));
        let answer = self.select(holds, one, zero);
        [answer, answer, answer, one]
    }

    /// The same of a place that the image has.
    pub(super) fn texel_at(&mut self, op: &TexOp, unit: &Unit, place: &Place, level: Id, at: [Id; 3]) -> [Id; 4] {
        self.texel(op, unit, place, level, at.map(|number| Touched { number, inside: None }))
    }

    /// Components as binary32 patterns.
    pub(super) fn decoded(&mut self, op: &TexOp, unit: &Unit, [red, green, blue, alpha]: [Id; 4]) -> [Id; 4] {
        if unit.fetched() == Fetched::Binary32 {
            return [red, green, blue, alpha];
        }
        let plain = match op.rule.unit {
            TextureUnit::None => &NORMALISED,
            TextureUnit::Gallivm => &BY_RECIPROCAL,
            TextureUnit::SwiftShader => &BY_65280TH,
        };
        let color = match unit.format {
            TexelFormat::Srgb8 => srgb_numbers(op.rule.srgb),
            _ => plain,
        };
        let [red, green, blue] = [red, green, blue].map(|byte| self.row(color, byte));
        [red, green, blue, self.row(plain, alpha)]
    }

    /// Whether a comparison holds between a reference and a texel.
    fn holds(&mut self, compare: Compare, reference: Id, texel: Id) -> Id {
        let zero = self.int(0);
        match compare {
            Compare::Never => self.ult(zero, zero),
            Compare::Less => self.flt(reference, texel),
            Compare::Equal => self.feq(reference, texel),
            Compare::LessEqual => self.fle(reference, texel),
            Compare::Greater => self.flt(texel, reference),
            Compare::NotEqual => {
                let is_equal = self.feq(reference, texel);
                self.not(is_equal)
            }
            Compare::GreaterEqual => self.fle(texel, reference),
            Compare::Always => self.eq(zero, zero),
        }
    }

    /// p + w * (q - p), each step rounded, or as the unit has it.
    pub(super) fn blend(&mut self, op: &TexOp, p: [Id; 4], q: [Id; 4], weight: Id) -> [Id; 4] {
        if op.rule.unit == TextureUnit::Gallivm {
            return self.blend_fused(p, q, weight);
        }
        std::array::from_fn(|comp| {
            let difference = self.fsub(q[comp], p[comp]);
            let product = self.fmul(weight, difference);
            self.fadd(p[comp], product)
        })
    }

    /// What lookups make of a component of an image of bytes at the end.
    fn given(&mut self, op: &TexOp, unit: &Unit, number: Id) -> Id {
        let result = op.rule.result;
        if result == TexelResult::Binary32 || unit.fetched() == Fetched::Binary32 || op.target.is_shadow() {
            return number;
        }
        let number = self.clamped_to_1(number);
        if result == TexelResult::Half {
            let half = self.step(Prim::ToHalf, Ty::F32, Direction::Nearest as u64, &[number]);
            return self.step(Prim::FromHalf, Ty::F32, 0, &[half]);
        }
        let (steps, half) = (self.real(255.0), self.real(0.5));
        let scaled = self.fmul(number, steps);
        let moved = self.fadd(scaled, half);
        let whole = self.rounded(moved, Round::Down);
        let byte = self.whole(whole);
        self.row(&NORMALISED, byte)
    }
}
