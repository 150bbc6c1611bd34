//! Which model draws what another renderer drew.

use crate::{Explanation, Options, explain};
use parallax::{
    CANCELLED, Canonical, Capture, Control, Draw, ENDLESS, Engine, Flip, Frame, Optimise, Problems, Target, Targets,
    Unit, Workers, compile_bound, run_draw, same_bound_shader, unorm8,
};
use parallax_core::num::{Field, Model, Scope};
use parallax_core::{Bound, OutputRole, Shader, Stage, Symbolic};
use parallax_text::{Diag, Span};
use rayon::prelude::*;
use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Components that are compared: red, green, blue. Screens have no alpha.
const COMPONENTS: u8 = 3;
/// Share of the pixels that may be more than a step of 1/255 away in a capture that a model explains.
const ASTRAY: f64 = 0.01;

/// What to try.
#[derive(Clone)]
pub struct Tried<'a> {
    /// The models.
    pub models: &'a [Model],
    /// Whether each is also tried without its driver's rewrites, or with multiply-adds contracted where it has none.
    pub drivers: bool,
    /// Render targets; none tries those that fit the capture's numbers.
    pub targets: Vec<Target>,
    /// Ways to turn the capture over.
    pub flips: Vec<Flip>,
    /// How many steps of 1/255 count as equal.
    pub tolerance: f64,
    /// Pixels of the capture that count, row by row; all without it.
    pub mask: Option<Vec<bool>>,
    /// What draws.
    pub engine: Engine,
    /// Interruption.
    pub control: Control<'a>,
}

/// How close a picture is to the capture, in the pixels that count and that the program draws.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// Pixels compared.
    pub pixels: u64,
    /// Those that are equal, within the tolerance.
    pub equal: u64,
    /// Those that differ by at most one step of 1/255, or the tolerance.
    pub close: u64,
    /// The largest difference of a component in steps of 1/255.
    pub largest: f64,
    /// Sum over the pixels of the largest difference, each at most 255.
    pub error: f64,
}

impl Fit {
    /// The better one is less: more pixels that look alike, then more that are equal, then the smaller sum of differences. So what
    /// draws little does not win by what it leaves out.
    fn order(&self, other: &Fit) -> Ordering {
        let key = |fit: &Fit| (Reverse(fit.close), Reverse(fit.equal));
        key(self).cmp(&key(other)).then(self.error.total_cmp(&other.error))
    }

    /// Whether nearly every pixel is within one step of 1/255.
    pub fn explains(&self) -> bool {
        self.pixels > 0 && (self.pixels - self.close) as f64 <= ASTRAY * self.pixels as f64
    }

    fn add(&mut self, off: f64, tolerance: f64) {
        self.pixels += 1;
        self.equal += u64::from(off <= tolerance);
        self.close += u64::from(off <= tolerance.max(1.0));
        self.largest = self.largest.max(off);
        self.error += off.min(255.0);
    }
}

/// A picture, and what draws it.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Labels of the models, in the order they were given.
    pub models: Vec<String>,
    /// The first of its render targets.
    pub target: Target,
    /// How the capture is turned over.
    pub flip: Flip,
    /// How close it is.
    pub fit: Fit,
}

/// What tells the first picture's models from the next that draw another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Decides {
    /// Number of the look that other models draw.
    pub next: usize,
    /// How the first model differs from the first of these, as the first is stored.
    pub rules: Box<Explanation>,
}

/// Pixels that the first model does not explain: first and last column and row, and how many.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    /// First and last column, in the draw.
    pub columns: (u32, u32),
    /// First and last row.
    pub rows: (u32, u32),
    /// Pixels that differ by more than one step of 1/255, or the tolerance.
    pub pixels: u64,
}

/// What was found about a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Identified {
    /// Pictures, the closest first.
    pub looks: Vec<Look>,
    /// Candidates that have no picture, such as loops that do not end under a model, and why.
    pub failed: Vec<(String, String)>,
    /// Pixels of the capture that the program does not draw.
    pub undrawn: u64,
    /// What decides between the first and the next that other models draw; `None` where all draw the first.
    pub decides: Option<Decides>,
    /// Where the first is away from the capture.
    pub unlike: Option<Unlike>,
}

/// A way to compute the shader, and the candidates that compute it so.
struct Way<'d> {
    models: Vec<Model>,
    shader: Shader<Bound>,
    /// With the vertices that the models compute.
    draw: Cow<'d, Draw>,
}

/// A candidate's picture.
struct Drawn {
    /// Of the models.
    way: usize,
    target: Target,
    flip: Flip,
    print: u64,
    fit: Fit,
    undrawn: u64,
}

/// Draws a shader under every model, driver's rewrite, target and flip that is to be tried, and ranks them by their distance to a
/// capture of the draw's size.
///
/// # Errors
/// What makes the draw impossible; `identify-stage` for a program that draws no pixels, `identify-size` for a capture or a mask of
/// another size, `identify-nothing` where nothing can be compared.
pub fn identify(
    shader: &Shader<Symbolic>,
    draw: &Draw,
    capture: &Capture,
    tried: &Tried<'_>,
) -> Result<Identified, Problems> {
    let func = &shader.func;
    let problem = |diag: Diag| Problems::new(&func.name, "", vec![diag]);
    let size = (draw.width, draw.height);
    let colour = func.iface.outputs.iter().any(|output| matches!(output.role, OutputRole::Color(_)));
    if func.iface.stage != Stage::Fragment || !colour {
        let message = "captures are pictures: only fragment programs with a colour can be identified by one";
        return Err(problem(Diag { span: None, ..Diag::unsupported("identify-stage", Span::default(), message) }));
    }
    let invalid = |code, message: String| problem(Diag { span: None, ..Diag::invalid(code, Span::default(), message) });
    if size != (capture.width, capture.height) {
        let (width, height) = size;
        let message = format!("the capture has {}x{} pixels, the draw {width}x{height}", capture.width, capture.height);
        return Err(invalid("identify-size", message));
    }
    let pixels = size.0 as usize * size.1 as usize;
    if let Some(mask) = tried.mask.as_ref().filter(|mask| mask.len() != pixels) {
        return Err(invalid("identify-size", format!("the mask has {} pixels, the capture {pixels}", mask.len())));
    }
    let ways = ways(shader, draw, tried)?;
    let targets = match (tried.targets.is_empty(), capture.unit) {
        (false, _) => tried.targets.clone(),
        (true, Unit::Bytes) => vec![Target::Unorm8, Target::Fp16],
        (true, Unit::Words | Unit::Floats) => vec![Target::Fp32, Target::Fp16],
    };
    let candidates: Vec<(usize, Target)> =
        (0..ways.len()).flat_map(|way| targets.iter().map(move |target| (way, *target))).collect();
    let quiet = Control { progress: None, only: None, ..tried.control };
    let frame = |way: &Way<'_>, target: Target| -> Result<Frame, Problems> {
        let draw = Draw { targets: Targets::all(target), ..way.draw.clone().into_owned() };
        let compiled = compile_bound(way.shader.clone(), Optimise::Yes, tried.engine)?;
        run_draw(&compiled, &draw, &Workers::serial(), quiet)
    };
    let drawn: Vec<Result<Vec<Drawn>, (usize, Problems)>> = candidates
        .into_par_iter()
        .map(|(number, target)| {
            let frame = frame(&ways[number], target).map_err(|found| (number, found))?;
            let picture = Picture::new(&frame, capture.unit);
            let each = tried.flips.iter().map(|&flip| {
                let (fit, undrawn, print) = picture.held_against(capture, flip, tried);
                Drawn { way: number, target, flip, print, fit, undrawn }
            });
            Ok(each.collect())
        })
        .collect();
    let (mut all, mut failed): (Vec<Drawn>, Vec<(String, String)>) = Default::default();
    for found in drawn {
        match found {
            Ok(found) => all.extend(found),
            // What ends under one model need not under another.
            Err((way, found)) if found.diags.iter().all(|diag| diag.code == ENDLESS) => {
                let label = ways[way].models[0].label();
                let why = found.diags.first().map_or(String::new(), |diag| diag.message.clone());
                if failed.iter().all(|(known, _)| *known != label) {
                    failed.push((label, why));
                }
            }
            Err((_, found)) => return Err(found),
        }
    }
    if all.iter().all(|drawn| drawn.fit.pixels == 0) {
        return Err(invalid(
            "identify-nothing",
            "no pixel that counts is drawn: the mask or the draw leaves nothing".into(),
        ));
    }
    parallax_text::sort_by(&mut all, |a, b| a.fit.order(&b.fit).then(a.way.cmp(&b.way)));
    let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
    for (n, drawn) in all.iter().enumerate() {
        match groups.iter_mut().find(|(print, _)| *print == drawn.print) {
            Some((_, members)) => members.push(n),
            None => groups.push((drawn.print, vec![n])),
        }
    }
    let plainest = |members: &[usize]| -> usize {
        let place = |n: &usize| {
            let target = targets.iter().position(|target| *target == all[*n].target);
            (all[*n].flip, target, all[*n].way)
        };
        members.iter().copied().min_by_key(place).unwrap_or(0)
    };
    let looks = groups.iter().map(|(_, members)| {
        let first = &all[plainest(members)];
        let mut numbers: Vec<usize> = members.iter().map(|&n| all[n].way).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let models = numbers.iter().flat_map(|&way| ways[way].models.iter().map(Model::label)).collect();
        Look { models, target: first.target, flip: first.flip, fit: first.fit }
    });
    let looks: Vec<Look> = looks.collect();
    let best = &all[plainest(&groups[0].1)];
    let has_best = |members: &[usize]| members.iter().any(|&n| all[n].way == best.way);
    let decides = match groups.iter().position(|(_, members)| !has_best(members)) {
        None => None,
        Some(next) => {
            let other = all[plainest(&groups[next].1)].way;
            let [first, second] = [best.way, other].map(|way| &ways[way].models[0]);
            let drawn = Draw { targets: Targets::all(best.target), ..draw.clone() };
            let options = Options { engine: tried.engine, brief: true, control: quiet, ..Options::default() };
            Some(Decides { next, rules: Box::new(explain(shader, &drawn, first, second, &options)?) })
        }
    };
    let unlike = match best.fit.close == best.fit.pixels {
        true => None,
        false => {
            let frame =
                frame(&ways[best.way], best.target).map_err(|found| Problems::new(&func.name, "", found.diags))?;
            Picture::new(&frame, capture.unit).unlike(capture, best.flip, tried)
        }
    };
    Ok(Identified { looks, failed, undrawn: best.undrawn, decides, unlike })
}

/// The ways to compute the shader.
fn ways<'d>(shader: &Shader<Symbolic>, draw: &'d Draw, tried: &Tried<'_>) -> Result<Vec<Way<'d>>, Problems> {
    let canonical = Canonical::new(shader)?;
    let mut out: Vec<Way<'d>> = Vec::new();
    let mut add = |model: Model, needed: bool| -> Result<(), Problems> {
        let bound = canonical.bind(&model)?;
        let own = draw.with_vertices(&shader.func.iface, &model, tried.engine)?;
        // It is drawn to other targets, too.
        let stored = Draw { targets: Targets::all(Target::Unorm8), ..(*own).clone() };
        let is_same = |way: &Way<'_>| {
            same_bound_shader(&way.shader, &bound, &stored)
                && way.draw.geometry == own.geometry
                && way.draw.attributes == own.attributes
        };
        match out.iter_mut().find(|way| is_same(way)) {
            Some(way) if way.models.iter().any(|known| known.label() == model.label()) => {}
            Some(way) if needed => way.models.push(model),
            Some(_) => {}
            None => out.push(Way { models: vec![model], shader: bound, draw: own }),
        }
        Ok(())
    };
    tried.models.iter().try_for_each(|model| add(model.clone(), true))?;
    if let Some(driver) = Field::from_name("driver").filter(|_| tried.drivers) {
        for model in tried.models {
            let other = if model.rewrites() == Default::default() { "contract" } else { "none" };
            // Models that cannot carry it have no such driver.
            if let Ok(other) = model.clone().with_settings([(Scope::ALL, driver, other)]) {
                add(other, false)?;
            }
        }
    }
    Ok(out)
}

/// Colours of a frame in the capture's numbers.
struct Picture<'f> {
    frame: &'f Frame,
    /// By component; `None` for those that the program does not write.
    planes: Vec<Option<Vec<f64>>>,
}

impl<'f> Picture<'f> {
    fn new(frame: &'f Frame, unit: Unit) -> Picture<'f> {
        let plane = |comp: u8| -> Option<Vec<f64>> {
            let channel = (0..8).find_map(|n| frame.channels.iter().find(|c| c.role == OutputRole::Color(n)))?.role;
            let channel = frame.channel(channel, comp)?;
            let values: Cow<'_, [f64]> = match &channel.stored {
                Some(stored) => Cow::Owned(stored.values()),
                None => Cow::Owned(channel.values()),
            };
            let number = |v: &f64| match unit {
                Unit::Bytes => f64::from(unorm8(*v)),
                // NaN is 0, as in bytes.
                Unit::Words if v.is_nan() => 0.0,
                Unit::Words => (v.clamp(0.0, 1.0) * unit.one()).round_ties_even(),
                Unit::Floats => *v,
            };
            Some(values.iter().map(number).collect())
        };
        Picture { frame, planes: (0..COMPONENTS).map(plane).collect() }
    }

    /// The largest difference of a component from the capture's, in steps of 1/255.
    fn off(&self, at: usize, wanted: &[f64], unit: Unit) -> f64 {
        let component = |(plane, wanted): (&Option<Vec<f64>>, &f64)| {
            let found = plane.as_ref()?[at];
            Some(match () {
                () if found == *wanted || found.is_nan() && wanted.is_nan() => 0.0,
                () if !found.is_finite() || !wanted.is_finite() => 255.0,
                () => (found - wanted).abs() * 255.0 / unit.one(),
            })
        };
        self.planes.iter().zip(wanted).filter_map(component).fold(0.0, f64::max)
    }

    /// Pixels that count, in the order of the capture: number in the frame, place in the capture, whether the frame has it.
    fn counted<'t>(&'t self, flip: Flip, tried: &'t Tried<'_>) -> impl Iterator<Item = (usize, (u32, u32), bool)> + 't {
        let size = (self.frame.width, self.frame.height);
        (0..size.1).flat_map(move |y| (0..size.0).map(move |x| (x, y))).filter_map(move |(x, y)| {
            let place = |(x, y): (u32, u32)| y as usize * size.0 as usize + x as usize;
            let at = place(flip.from((x, y), size));
            let counts = tried.mask.as_ref().is_none_or(|mask| mask[place((x, y))]);
            counts.then(|| (at, (x, y), self.frame.covered[at]))
        })
    }

    /// The fit, pixels that are not drawn, and what tells pictures apart.
    fn held_against(&self, capture: &Capture, flip: Flip, tried: &Tried<'_>) -> (Fit, u64, u64) {
        let (mut fit, mut undrawn, mut print) = (Fit::default(), 0, DefaultHasher::new());
        for (at, from, covered) in self.counted(flip, tried) {
            if !covered {
                undrawn += 1;
                continue;
            }
            (from).hash(&mut print);
            self.planes.iter().flatten().for_each(|plane| plane[at].to_bits().hash(&mut print));
            fit.add(self.off(at, capture.pixel(from), capture.unit), tried.tolerance);
        }
        (fit, undrawn, print.finish())
    }

    fn unlike(&self, capture: &Capture, flip: Flip, tried: &Tried<'_>) -> Option<Unlike> {
        let mut out: Option<Unlike> = None;
        for (at, from, _) in self.counted(flip, tried).filter(|(_, _, covered)| *covered) {
            if self.off(at, capture.pixel(from), capture.unit) <= tried.tolerance.max(1.0) {
                continue;
            }
            let (x, y) = (at as u32 % self.frame.width, at as u32 / self.frame.width);
            let area = out.get_or_insert(Unlike { columns: (x, x), rows: (y, y), pixels: 0 });
            area.columns = (area.columns.0.min(x), area.columns.1.max(x));
            area.rows = (area.rows.0.min(y), area.rows.1.max(y));
            area.pixels += 1;
        }
        out
    }
}

/// Whether a problem is an interruption.
pub fn is_interrupted(problems: &Problems) -> bool {
    problems.diags.iter().any(|diag| diag.code == CANCELLED)
}
