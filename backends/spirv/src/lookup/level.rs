//! Level of detail.

use super::site::Site;
use super::{Given, Unit};
use parallax_core::{TexMode, TexOp};
use parallax_num::{LevelSteps, Round, TextureUnit};
use parallax_step::{Direction, Id};
use parallax_texture::{Filter, Mip, Wrap};

/// What a level of detail selects.
#[derive(Copy, Clone)]
pub(super) struct Detail {
    /// Whether the largest level is magnified.
    pub(super) is_magnified: Id,
    /// The level; 0 where it is magnified.
    pub(super) level: Id,
    /// Whether the next level is blended with it, which there is then, and with which weight.
    pub(super) next: Option<(Id, Id)>,
}

impl Unit {
    /// The filter for minification.
    pub(super) fn minify(&self) -> Filter {
        self.sampler.minify.unwrap_or(self.sampler.filter)
    }

    /// What lies outside along an axis: faces of a cube end at their edges.
    pub(super) fn wrap(&self, op: &TexOp, axis: usize) -> Wrap {
        if op.target.is_cube() { Wrap::Clamp } else { self.sampler.wrap[axis] }
    }

    /// Whether a level of detail decides nothing.
    pub(super) fn is_flat(&self) -> bool {
        self.sampler.mip == Mip::None && self.minify() == self.sampler.filter
    }
}

impl dyn Site + '_ {
    /// The level of detail as it is computed.
    pub(super) fn level(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> Id {
        let base = match op.mode {
            TexMode::Implicit | TexMode::Bias | TexMode::Detail => self.level_by_neighbours(op, unit, given.at),
            TexMode::Grad => self.level_by_derivatives(op, unit, given),
            _ => given.fourth,
        };
        let level = match op.mode {
            TexMode::Bias => {
                let is_limited = op.rule.unit == TextureUnit::SwiftShader;
                let bias = if is_limited { self.swiftshader_bias(given.fourth) } else { given.fourth };
                self.fadd(base, bias)
            }
            _ => base,
        };
        match given.least_level {
            None => level,
            Some(least) => {
                let is_raised = self.flt(level, least);
                self.select(is_raised, least, level)
            }
        }
    }

    /// What a level selects: at or below 0 (and NaN) magnification; above, the nearest one or a blend of two, the smallest beyond it.
    pub(super) fn detail(&mut self, op: &TexOp, unit: &Unit, level: Id) -> Detail {
        let level = self.snapped(op.rule.level, level);
        let zero = self.int(0);
        let is_above = self.flt(zero, level);
        let is_magnified = self.not(is_above);
        let flat = Detail { is_magnified, level: zero, next: None };
        let (low, nearest) = match unit.sampler.mip {
            Mip::None => return flat,
            Mip::Nearest => {
                let nearest = match op.rule.unit {
                    TextureUnit::None => {
                        let half = self.real(0.5);
                        let moved = self.fadd(level, half);
                        self.rounded(moved, Round::Down)
                    }
                    TextureUnit::Gallivm | TextureUnit::SwiftShader => self.rounded(level, Round::NearestEven),
                };
                (nearest, true)
            }
            Mip::Linear => (self.round(level, Direction::Down), false),
        };
        let count = self.levels();
        let last = self.plus(count, -1);
        let (end, number) = (self.number(last), self.whole(low));
        let is_inside = self.flt(low, end);
        let chosen = self.select(is_inside, number, last);
        let chosen = self.select(is_above, chosen, zero);
        let next = (!nearest).then(|| (self.both(is_inside, is_above), self.fsub(level, low)));
        Detail { level: chosen, next, ..flat }
    }

    /// The level that a lookup takes for one, as a number: between two where it blends them.
    pub(super) fn level_taken(&mut self, op: &TexOp, unit: &Unit, level: Id) -> Id {
        if op.rule.unit == TextureUnit::SwiftShader {
            return self.level_asked(level, unit.sampler.mip);
        }
        let detail = self.detail(op, unit, level);
        let number = self.number(detail.level);
        let Some((is_between, weight)) = detail.next else { return number };
        let sum = self.fadd(number, weight);
        self.select(is_between, sum, number)
    }

    /// From the differences of coordinates: right minus left in a row, bottom minus top in a column.
    fn level_by_neighbours(&mut self, op: &TexOp, unit: &Unit, at: [Id; 3]) -> Id {
        let count = op.target.coordinates();
        if op.target.is_cube() && op.rule.unit == TextureUnit::SwiftShader {
            return self.swiftshader_level_by_neighbours(at);
        }
        let is_quotient = op.target.is_cube() && op.rule.unit == TextureUnit::Gallivm;
        let steps = [0, 1].map(|axis| {
            let mut beside = at;
            for number in &mut beside[..count] {
                *number = self.beside(*number, axis);
            }
            let [mut own, mut other] = [at, beside];
            if op.target.is_cube() && !is_quotient {
                // All are taken on the face of the pixel, so that edges between faces do not jump.
                let face = self.face(at, op.rule.face);
                [own, other] = [own, other].map(|corner| self.on_face(&face, corner));
            }
            let is_second = self.is_second(axis);
            [0, 1, 2].map(|n| {
                if n >= directions(op) && !is_quotient {
                    return self.int(0);
                }
                let [from, to] = self.select_all(is_second, [other[n], own[n]], [own[n], other[n]]);
                self.fsub(to, from)
            })
        });
        let steps = if is_quotient { self.gallivm_derivatives(op, at, steps) } else { steps };
        let level = self.level_of_steps(op, unit, steps);
        match op.rule.steps {
            LevelSteps::Pixel => level,
            // gallivm's quads share what only chooses a filter.
            LevelSteps::Cubes if is_quotient && op.mode == TexMode::Implicit && unit.sampler.mip != Mip::None => {
                let (has_levels, shared) = (self.has_levels(), self.of_first(level));
                self.select(has_levels, level, shared)
            }
            LevelSteps::Cubes if op.target.is_cube() && !(is_quotient && op.mode == TexMode::Implicit) => level,
            LevelSteps::Cubes | LevelSteps::Quad => self.of_first(level),
        }
    }

    /// A word as the quad's first pixel has it.
    pub(super) fn of_first(&mut self, word: Id) -> Id {
        [0, 1].into_iter().fold(word, |word, axis| {
            let (beside, is_second) = (self.beside(word, axis), self.is_second(axis));
            self.select(is_second, beside, word)
        })
    }

    /// From derivatives that are given. A cube's are taken by projecting the direction and its two neighbours on the pixel's face; it is not
    /// projected.
    fn level_by_derivatives(&mut self, op: &TexOp, unit: &Unit, given: &Given) -> Id {
        let [a, b, c, d, e, f] = given.gradients;
        let mut steps = [[a, b, c], [d, e, f]];
        if op.target.is_cube() && op.rule.unit == TextureUnit::SwiftShader {
            return self.swiftshader_level_by_derivatives(given.unprojected, steps);
        }
        if op.target.is_cube() && op.rule.unit == TextureUnit::Gallivm {
            steps = self.gallivm_derivatives(op, given.unprojected, steps);
        } else if op.target.is_cube() {
            let at = given.unprojected;
            let face = self.face(at, op.rule.face);
            let origin = self.on_face(&face, at);
            steps = steps.map(|step| {
                let moved = [0, 1, 2].map(|n| self.fadd(at[n], step[n]));
                let moved = self.on_face(&face, moved);
                [0, 1, 2].map(|n| if n < 2 { self.fsub(moved[n], origin[n]) } else { origin[n] })
            });
        }
        self.level_of_steps(op, unit, steps)
    }

    /// Half of the logarithm of the longer of two steps squared, in texels of the largest level. Each is a sum of squares in order s, t, r.
    fn level_of_steps(&mut self, op: &TexOp, unit: &Unit, mut steps: [[Id; 3]; 2]) -> Id {
        let zero = self.int(0);
        if !op.target.is_rectangle() {
            let size = self.size();
            for (axis, side) in size.into_iter().enumerate().take(directions(op)) {
                let scale = self.number(side);
                steps.iter_mut().for_each(|step| step[axis] = self.fmul(step[axis], scale));
            }
        }
        let [a, b] = steps.map(|step| {
            let squares = step[..directions(op)].iter().map(|&texels| self.fmul(texels, texels)).collect::<Vec<_>>();
            squares.into_iter().reduce(|sum, square| self.fadd(sum, square)).unwrap_or(zero)
        });
        let is_first = self.flt(b, a);
        let longer = self.select(is_first, a, b);
        match op.rule.unit {
            TextureUnit::None => {
                let (logarithm, half) = (self.log2(longer), self.real(0.5));
                self.fmul(logarithm, half)
            }
            TextureUnit::Gallivm => self.gallivm_level(op, unit, steps, longer),
            TextureUnit::SwiftShader => self.log2_of_pattern(longer, false, 1.0 / 33_554_432.0),
        }
    }
}

/// Directions of a shape: those of a cube are on its face.
pub(super) const fn directions(op: &TexOp) -> usize {
    if op.target.is_cube() { 2 } else { op.target.coordinates() }
}
