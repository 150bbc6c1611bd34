//! What rounding does in each instruction, and which could do with a narrower format.

use crate::blame::Place;
use crate::branch::records;
use crate::scene::Scene;
use crate::shot::Shot;
use crate::sides::{Side, Sides, asked, prepared};
use crate::trace::LANES;
use parallax::{Draw, Engine, Problems, Quads, Workers, apply_driver_rewrites, run_draw};
use parallax_core::num::{Decl, Family, Format, Model, Op, Rule, eval, ulp};
use parallax_core::{EntityRef, OpId, OpKind, Shader, SourceId, Symbolic, ValueId};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Relative errors up to this, 2^-20, are those of some roundings: how they grow is no matter.
const NOISE: f64 = 1.0 / 1_048_576.0;

/// Errors of one instruction in the pixels looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// The instruction.
    pub place: Place,
    /// The declared format of its results.
    pub format: &'static str,
    /// Largest error it adds to exact results of its own operands, in steps of the declared format.
    pub added_ulp: f64,
    /// Largest ratio of the relative error of its result to that of its worst operand, where that is not exact.
    pub condition: f64,
    /// Leading bits that a sum loses because its terms nearly cancel: most of any pixel.
    pub lost_bits: u32,
    /// Smallest and largest magnitude of its results, zeros left out; `None` where all are zero.
    pub range: Option<(f64, f64)>,
    /// The narrowest format whose range holds all results.
    pub holds: Rounding,
}

/// Formats by what they hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rounding {
    /// Fixed point from -2 to 2 in steps of 1/1024.
    Fx12,
    /// Binary16, normal numbers.
    Half,
    /// Binary32.
    Single,
}

impl Rounding {
    /// The declared format.
    pub const fn name(self) -> &'static str {
        match self {
            Rounding::Fx12 => "fx12",
            Rounding::Half => "half",
            Rounding::Single => "fp32",
        }
    }

    fn of(range: Option<(f64, f64)>, signed: f64) -> Rounding {
        /// The largest finite binary16 number, and the smallest normal one.
        const HALF: (f64, f64) = (65_504.0, 6.103_515_625e-5);
        match range {
            None => Rounding::Fx12,
            // A result below a few steps keeps hardly a digit of its own.
            Some((low, high)) if signed < 2.0 && high <= 2.0 && low >= 1.0 / 64.0 => Rounding::Fx12,
            Some((low, high)) if high <= HALF.0 && low >= HALF.1 => Rounding::Half,
            Some(_) => Rounding::Single,
        }
    }
}

#[derive(Default)]
struct Found {
    added: f64,
    condition: f64,
    lost: u32,
    low: Option<f64>,
    high: f64,
    greatest: f64,
    decl: Option<Decl>,
}

/// Measures every instruction in the quads of a scene, against binary64.
///
/// # Errors
/// Those of compiling and of the draw.
pub(crate) fn precision(
    scene: &Scene<'_>,
    shader: &Shader<Symbolic>,
    model: &Model,
) -> Result<Vec<Precision>, Problems> {
    let Some(exact) = Model::builtin("binary64") else { return Ok(Vec::new()) };
    let sides = Sides::of_models(shader, model, &exact);
    let wide = Scene::new(&sides, scene.draw, scene.quads.clone(), scene.scales.clone(), scene.control, scene.engine);
    let records = records(&wide, scene.quads.iter())?;
    let func = sides.func();
    let mut all: BTreeMap<SourceId, Found> = BTreeMap::new();
    func.walk(|_, id| {
        let data = &func.ops[id];
        let (OpKind::Num(op), Some(&result), Some(&source)) =
            (data.kind, data.results.first(), data.origins.iter().min())
        else {
            return;
        };
        let Some(decl) = func.ty(result).decl() else { return };
        if !matches!(
            op.info().family,
            Family::Arith | Family::Recipe | Family::Shape | Family::MinMax | Family::Convert
        ) {
            return;
        }
        let Some(rule) = sides.rule(Side::Against, id) else { return };
        let found = all.entry(source).or_default();
        found.decl = found.decl.or(Some(decl));
        for (_, [own, other]) in &records {
            for lane in 0..LANES {
                let value = |v: ValueId| own.float(v, lane);
                let words: Option<Vec<u64>> = data.args.iter().map(|&arg| own.word(arg, lane)).collect();
                let (Some(got), Some(words)) = (value(result), words) else { continue };
                let right = f64::from_bits(eval(op, &rule, &words));
                found.add(decl, got, right);
                let errors = |v: ValueId| Some(relative(own.float(v, lane)?, other.float(v, lane)?));
                let before = data.args.iter().filter_map(|&arg| errors(arg)).fold(0.0, f64::max);
                if let Some(after) = errors(result).filter(|e| before > 0.0 && *e > NOISE && e.is_finite()) {
                    found.condition = found.condition.max(after / before);
                }
                let terms: Vec<f64> = data.args.iter().filter_map(|&arg| value(arg)).collect();
                found.lost = found.lost.max(lost_bits(op, &terms, right));
            }
        }
    });
    let rows = all.into_iter().map(|(source, found)| {
        let range = found.low.map(|low| (low, found.high));
        Precision {
            place: Place::new(&sides, Some(source)),
            format: found.decl.map_or("", Decl::name),
            added_ulp: found.added,
            condition: found.condition,
            lost_bits: found.lost,
            range,
            holds: Rounding::of(range, found.greatest),
        }
    });
    Ok(rows.collect())
}

fn relative(found: f64, expected: f64) -> f64 {
    match (found - expected).abs() {
        0.0 => 0.0,
        distance => distance / expected.abs(),
    }
}

impl Found {
    fn add(&mut self, decl: Decl, got: f64, right: f64) {
        let step = ulp::step(right, decl.format());
        if right.is_finite() && got.is_finite() && step > 0.0 {
            self.added = self.added.max((got - right).abs() / step);
        }
        if got.is_finite() && got != 0.0 {
            self.low = Some(self.low.map_or(got.abs(), |low| low.min(got.abs())));
            self.high = self.high.max(got.abs());
            self.greatest = self.greatest.max(got);
        }
    }
}

/// By how many powers of two a sum is smaller than its largest term.
fn lost_bits(op: Op, v: &[f64], sum: f64) -> u32 {
    let products = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a * b).abs()).fold(0.0, f64::max);
    let largest = match (op, v) {
        (Op::Add | Op::Sub, [a, b]) => a.abs().max(b.abs()),
        (Op::Mad | Op::Fma, [a, b, c]) => (a * b).abs().max(c.abs()),
        (Op::Dot2, v) if v.len() == 4 => products(&v[..2], &v[2..]),
        (Op::Dot3, v) if v.len() == 6 => products(&v[..3], &v[3..]),
        (Op::Dot4, v) if v.len() == 8 => products(&v[..4], &v[4..]),
        _ => return 0,
    };
    if sum == 0.0 || !sum.is_finite() || !largest.is_finite() || largest == 0.0 {
        return 0;
    }
    let exponent = |v: f64| (v.abs().to_bits() >> 52) as u32;
    exponent(largest).saturating_sub(exponent(sum))
}

/// Which instructions can compute in a narrower format without a visible change: a pixel that looks different differs by more
/// than one step of 1/255, or in its coverage.
#[derive(Clone, Debug, PartialEq)]
pub struct Demotion {
    /// The narrower format.
    pub format: &'static str,
    /// Instructions that can, together.
    pub demoted: Vec<Place>,
    /// Instructions that cannot: what they show when they do it alone, or with the others, in pixels that look different.
    pub kept: Vec<(Place, u64)>,
    /// Pixels that look different when all of `demoted` compute in the narrower format, over the whole frame.
    pub visible: u64,
    /// Pixels of the frame.
    pub pixels: u64,
}

/// Finds an assignment of formats: which instructions of a declared wider format may be computed in `to` with no pixel
/// looking different, checked by drawing the whole frame.
///
/// # Errors
/// What makes the draw impossible; `explain-demote` for a format that is no narrower one.
pub fn demote(
    shader: &Shader<Symbolic>,
    draw: &Draw,
    model: &Model,
    to: Decl,
    engine: Engine,
    control: parallax::Control<'_>,
) -> Result<Demotion, Problems> {
    let draw = &*draw.with_vertices(&shader.func.iface, model, engine)?;
    let bound = apply_driver_rewrites(shader, model).bind(model);
    let Some(sides) = Sides::new(bound.clone(), bound.clone()) else { return Ok(Demotion::nothing(to)) };
    let func = sides.func();
    // The rule an op has when what it computes is declared in the narrower format.
    let mut by_source: BTreeMap<SourceId, Vec<(OpId, Rule)>> = BTreeMap::new();
    func.walk(|_, id| {
        let (Some(&source), Some(own), Some((op, slot))) =
            (func.ops[id].origins.iter().min(), sides.rule(Side::Model, id), asked(func, id))
        else {
            return;
        };
        let computes = matches!(op.info().family, Family::Arith | Family::Recipe | Family::Shape);
        if !computes || !matches!(func.ops[id].kind, OpKind::Num(_)) || !to.format().fits(own.storage.format()) {
            return;
        }
        let format = model.value_format(to);
        let narrower = significant(format) < significant(own.format);
        if narrower && slot.decl != to {
            let rule = Rule { format, ..own }.normalised(op);
            by_source.entry(source).or_default().push((id, rule));
        }
    });
    if by_source.is_empty() {
        return Ok(Demotion::nothing(to));
    }
    let all = Quads::all(draw.width, draw.height);
    let quiet = parallax::Control { progress: None, only: None, ..control };
    let scene = Scene::new(&sides, draw, all, Vec::new(), quiet, engine);
    let frame = run_draw(&prepared(bound, engine)?, draw, &Workers::serial(), quiet)?;
    let plain = Shot::new(&frame, &scene.pixels);
    let visible = |sources: &[SourceId]| -> Result<u64, Problems> {
        let changes = sources.iter().flat_map(|s| by_source[s].iter().copied());
        let compiled = prepared(sides.with_rules(changes), engine)?;
        let frame = run_draw(&compiled, draw, &Workers::serial(), quiet)?;
        let shot = Shot::new(&frame, &scene.pixels);
        Ok((0..scene.pixels.len()).filter(|&at| shot.byte_steps(&plain, at) > 1).count() as u64)
    };
    let sources: Vec<SourceId> = by_source.keys().copied().collect();
    let alone: Result<Vec<u64>, Problems> = sources.par_iter().map(|s| visible(&[*s])).collect();
    let alone = alone?;
    let mut kept: Vec<(SourceId, u64)> =
        sources.iter().copied().zip(alone.iter().copied()).filter(|(_, n)| *n > 0).collect();
    let mut demoted: Vec<SourceId> =
        sources.iter().copied().zip(&alone).filter(|(_, n)| **n == 0).map(|(s, _)| s).collect();
    let mut shown = visible(&demoted)?;
    // What is invisible alone may show together: the one whose absence helps most goes first.
    while shown > 0 && !demoted.is_empty() {
        let without: Result<Vec<u64>, Problems> = (0..demoted.len())
            .into_par_iter()
            .map(|skip| {
                let rest: Vec<SourceId> =
                    demoted.iter().enumerate().filter(|(n, _)| *n != skip).map(|(_, s)| *s).collect();
                visible(&rest)
            })
            .collect();
        let without = without?;
        let best = (0..without.len()).min_by_key(|&n| (without[n], n)).unwrap_or(0);
        kept.push((demoted.remove(best), shown - without[best].min(shown)));
        shown = without[best];
    }
    parallax_text::sort_by_key(&mut kept, |(source, _)| source.index());
    let place = |source: SourceId| Place::new(&sides, Some(source));
    Ok(Demotion {
        format: to.name(),
        demoted: demoted.into_iter().map(place).collect(),
        kept: kept.into_iter().map(|(source, n)| (place(source), n)).collect(),
        visible: shown,
        pixels: scene.pixels.len() as u64,
    })
}

impl Demotion {
    fn nothing(to: Decl) -> Demotion {
        Demotion { format: to.name(), demoted: Vec::new(), kept: Vec::new(), visible: 0, pixels: 0 }
    }
}

/// Significant bits of a format's normal numbers.
fn significant(format: Format) -> u32 {
    match format {
        Format::Float(f) => f.precision(),
        Format::Fixed(f) => u32::from(f.int) + u32::from(f.frac),
    }
}
