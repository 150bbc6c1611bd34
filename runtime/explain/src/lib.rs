//! Which instruction makes a shader differ between two arithmetics, by which rule, and how sure that is.
//!
//! Blame is found by exchange. A shader is bound to the model that is asked about and to another one, in containers that hold
//! the values of both. Then each instruction in turn follows the other arithmetic while all others stay: the share of the
//! difference that goes away is what the instruction *fixes*. The same is done the other way around: what appears when it
//! alone follows the model is what it *causes*. No error is estimated and nothing is propagated: every number is measured
//! between two runs.
//!
//! ```
//! use parallax::{Draw, LoadOptions, load};
//! use parallax_core::num::Model;
//! use parallax_explain::{Options, explain};
//!
//! // The constant is no binary32 number, but that is the same everywhere. The truncated product is not.
//! let text = "!!FP1.0\nMULR R0.x, f[TEX0].x, 0.3;\nADDR o[COLR], R0.x, f[TEX0].y;\nEND\n";
//! let shader = load("a.fp", text.as_bytes(), &LoadOptions::default()).shader.expect("a program without errors");
//! let draw = Draw::defaults(&shader.func.iface).expect("a draw without textures");
//! let model = |name: &str| Model::parse(name).expect("a built-in model");
//! let found = explain(&shader, &draw, &model("ieee[mul.round=rtz]"), &model("ieee"), &Options::default()).expect("a frame");
//! let first = &found.ranking.instructions[0];
//! assert!(first.place.text.starts_with("MULR") && first.fixed == 1.0 && first.caused == 1.0);
//! assert_eq!(first.fields[0].field, "round");
//! ```

mod around;
mod blame;
mod branch;
pub mod edits;
mod exchange;
pub mod identify;
mod precision;
mod scene;
mod shot;
mod sides;
mod special;
mod stability;
mod stage;
mod trace;
pub mod twins;
mod values;
mod vertices;
mod whole;
pub mod words;
mod written;

pub use around::FixedDifference;
pub use blame::{Blame, FieldBlame, Pair, Place, Ranking, TOP};
pub use branch::Flip;
pub use precision::{Demotion, Precision, Rounding, demote};
pub use shot::Distance;
pub use sides::{Side, Sides};
pub use special::{End, Special};
pub use stability::{SEEDS, Spread, Stability};
pub use stage::Shown;
pub use values::{Both, Number, Values};
pub use vertices::VertexDifference;
pub use written::Deed;

use blame::Looked;
use parallax::{Control, Draw, Engine, Problems, Quads, STRIP_SAMPLES, apply_driver_rewrites, check_size, endless};
use parallax_core::num::Model;
use parallax_core::{Bound, Shader, Symbolic};
use parallax_text::Diag;
use scene::{Cost, Scene, corner, spread};
use shot::Shot;
use sides::prepared;
use stability::BRIEF_SEEDS;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use whole::Yardstick;
use written::Written;

/// Quads in which instructions are exchanged.
pub const QUADS: usize = 192;
/// Quads in which other choices of the model are tried, where little time is to be spent.
const BRIEF_QUADS: usize = 48;
/// Quads that are run under observation.
const TRACED: usize = 12;
/// Quads with special values that are.
const SPECIAL_QUADS: usize = 256;
/// Instructions of a program that are tried one by one; longer programs are refused.
pub const MOST_INSTRUCTIONS: usize = 4096;

/// What to look at.
#[derive(Copy, Clone)]
pub struct Options<'a> {
    /// What draws. By default the interpreter: many forms of the shader are drawn in few pixels each.
    pub engine: Engine,
    /// Only the quad of this pixel.
    pub pixel: Option<(u32, u32)>,
    /// Only the quad of the pixel with the largest difference.
    pub worst: bool,
    /// Stability in fewer pixels and by fewer random choices, and no precision.
    pub brief: bool,
    /// The ranking of instructions alone, without the fields that do it; but with what drivers do.
    pub ranking: bool,
    /// Progress (steps done, steps in all) and interruption.
    pub control: Control<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            engine: Engine::Interp,
            pixel: None,
            worst: false,
            brief: false,
            ranking: false,
            control: Control::default(),
        }
    }
}

/// What was found out about a shader under a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Label of the model that is explained.
    pub model: String,
    /// Label of the one it is compared with.
    pub against: String,
    /// What the program gives, and what all figures count.
    pub shown: Shown,
    /// Width and height of the draw; of vertices their number, and 1.
    pub size: (u32, u32),
    /// The difference of the whole frames.
    pub whole: Distance,
    /// What a vertex program in front of the shader has to do with it; `None` where there is none, or it computes the same. What
    /// follows is then about the fragment program alone, over the vertices of the other model.
    pub vertices: Option<VertexDifference>,
    /// What fixed functions around the shader have to do with it, field by field. What follows is then about the shader alone, with
    /// those of the other model.
    pub around: Vec<FixedDifference>,
    /// Column and row of the pixel with the largest difference; `None` where nothing differs.
    pub worst: Option<(u32, u32)>,
    /// Column and row of the pixels in which instructions were exchanged.
    pub pixels: Vec<(u32, u32)>,
    /// Pixels among them in which the model gives other results in the containers that hold both arithmetics: where a
    /// conversion flushes what is denormal in the format it comes from.
    pub unlike: u64,
    /// Instructions and what they do.
    pub ranking: Ranking,
    /// What the instructions computed in some of the pixels that differ.
    pub values: Values,
    /// Branches that flip.
    pub flips: Vec<Flip>,
    /// Where special values come from.
    pub specials: Vec<Special>,
    /// What the model leaves open.
    pub stability: Stability,
    /// What rounding does in each instruction.
    pub precision: Vec<Precision>,
}

/// Explains the difference of a shader between two models: in pixels, in vertices of a list, in the words that a kernel writes.
///
/// # Errors
/// What makes the draw impossible; `explain-pixel` for a pixel outside of it; `explain-long` for a program that is too long.
pub fn explain(
    shader: &Shader<Symbolic>,
    draw: &Draw,
    model: &Model,
    against: &Model,
    options: &Options<'_>,
) -> Result<Explanation, Problems> {
    let problem = |diag: Diag| Problems::new(&shader.func.name, "", vec![diag]);
    let shown = Shown::of(&shader.func);
    let draw = &*stage::sized(&shader.func, draw);
    if let Some(diag) = check_size(draw.width, draw.height) {
        return Err(problem(diag));
    }
    if let Some((x, y)) = options.pixel.filter(|(x, y)| *x >= draw.width || *y >= draw.height) {
        let [one, many] = [shown.one(), shown.many()];
        let message = format!("{one} {x},{y} is outside the draw of {}x{} {many}", draw.width, draw.height);
        return Err(problem(refused("explain-pixel", message)));
    }
    // Exchanging instructions takes one program: that of both drivers.
    let written = Written::of(shader, model, against);
    let sides = Sides::of_written(&written, model, against);
    let candidates = sides.instructions().len();
    if candidates > MOST_INSTRUCTIONS {
        let message = format!("{candidates} instructions differ; at most {MOST_INSTRUCTIONS} are tried one by one");
        return Err(problem(Diag { span: None, ..Diag::unsupported("explain-long", NOWHERE, message) }));
    }
    let quiet = Control { progress: None, only: None, ..options.control };
    let drawn = |model: &Model| draw.with_vertices(&shader.func.iface, model, options.engine);
    let (own, shared) = (drawn(model)?, drawn(against)?);
    let vertices_differ =
        matches!((&own, &shared), (Cow::Owned(own), Cow::Owned(shared)) if vertices::differ(own, shared));
    let bound = |model: &Model| apply_driver_rewrites(shader, model).bind(model);
    // What is around the shader is that of the other model, as its vertices are, and has a place of its own.
    let (own_bound, other_bound) = (bound(model), bound(against));
    let around_differs = shown == Shown::Pixels && around::differs(&shared, &own_bound, &other_bound);
    let expected = prepared(around::with_that_of(other_bound.clone(), &other_bound.state), options.engine)?;
    let own_form = prepared(around::with_that_of(own_bound.clone(), &other_bound.state), options.engine)?;
    let yardstick = Yardstick::new(&expected, &shared, quiet, STRIP_SAMPLES)?;
    let found = yardstick.measure(&own_form, &shared)?;
    let unfinished =
        [(found.fragments, model), (yardstick.fragments, against)].into_iter().find(|([_, lost], _)| *lost > 0);
    if let Some(([fragments, lost], model)) = unfinished {
        let what = if shown == Shown::Pixels { "fragments" } else { "invocations" };
        let who = format!("{lost} of {fragments} {what} under {}", model.label());
        return Err(problem(endless(sides.func(), draw.fuel, &who)));
    }
    let cost = Cost { compile: own_form.times.optimise + own_form.times.lower, draw: found.time };
    let (scales, distance) = (yardstick.scales.clone(), found.distance.clone());
    let measured = |bound: Shader<Bound>, draw: &Draw| -> Result<Distance, Problems> {
        Ok(yardstick.measure(&prepared(bound, options.engine)?, draw)?.distance)
    };
    let vertices = match vertices_differ {
        false => None,
        true => {
            let of = |bound: &Shader<Bound>| measured(around::with_that_of(bound.clone(), &other_bound.state), &own);
            Some((of(&own_bound)?, VertexDifference::new(&shader.func.iface, &own, &shared, of(&other_bound)?)))
        }
    };
    let (mut all, vertices) = vertices.map_or((distance.clone(), None), |(all, vertices)| (all, Some(vertices)));
    let mut around = Vec::new();
    if around_differs {
        all = measured(own_bound.clone(), &own)?;
        around = around::differences(&shared, (model, &own_bound), &other_bound, |bound| measured(bound, &shared))?;
    }
    let draw = &*shared;
    let worst = found.worst();
    let (width, height) = (draw.width, draw.height);
    let one = options.pixel.or(worst.filter(|_| options.worst)).map(corner);
    let picked = |among: &[(u32, u32)], most: usize| match one {
        Some(quad) => spread(&[quad], 1, width, height),
        None => spread(among, most, width, height),
    };
    let everywhere = |most: usize| match one {
        Some(quad) => spread(&[quad], 1, width, height),
        None => spread(&Quads::all(width, height).iter().collect::<Vec<_>>(), most, width, height),
    };
    let mut quads = picked(&found.off, QUADS);
    if let Some((x, y)) = worst.filter(|_| one.is_none()) {
        quads.insert(x, y);
    }

    let (most, seeds) = if options.brief { (BRIEF_QUADS, BRIEF_SEEDS) } else { (QUADS, SEEDS) };
    let (steps, done) = (candidates + seeds as usize + 2, AtomicUsize::new(0));
    let tick = || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(progress) = options.control.progress {
            progress(done as u64, steps as u64);
        }
    };
    let scene = |quads: Quads| Scene::new(&sides, draw, quads, scales.clone(), quiet, options.engine).sparing(&cost);
    let differing = scene(quads);
    let (mut ranking, mut unlike) = (Ranking::default(), 0);
    let (mut values, mut flips, mut vanished) = (Values::default(), Vec::new(), Vec::new());
    if distance.changed > 0 {
        let mixed = differing.shot_of_side(Side::Model)?;
        let own = match &found.frame {
            Some(frame) => Shot::new(frame, &differing.pixels),
            None => differing.shot_of(&own_form, draw)?,
        };
        unlike = differing.distance(&mixed, &own).changed;
        ranking = blame::rank(&differing, &tick)?;
    }
    if distance.changed > 0 {
        let looked = if options.ranking { Looked::Deeds } else { Looked::All };
        blame::look_into(&differing, model, &mut ranking, looked)?;
    }
    // Invocations of a kernel do not write a pixel each.
    let can_trace = shown != Shown::Words;
    if distance.changed > 0 && !options.ranking && can_trace {
        let traced = picked(&found.far, TRACED);
        let traced = if traced.is_empty() { picked(&found.off, TRACED) } else { traced };
        let records = branch::records(&differing, traced.iter())?;
        values = values::values(&differing, &records);
        flips = branch::flips(&differing, &records);
        vanished = special::vanished(&differing, &records);
    }
    let mut specials = Vec::new();
    if !options.ranking && can_trace {
        let special = picked(&found.special, SPECIAL_QUADS);
        let scene = scene(special);
        let records = branch::records(&scene, scene.quads.iter())?;
        let shots = [Side::Model, Side::Against].map(|side| scene.shot(sides.side(side).clone()));
        let [own, other] = shots;
        specials = special::specials(&scene, [&own?, &other?], &records);
    }
    specials.extend(vanished);
    let (mut stability, mut precision) = (Stability::default(), Vec::new());
    let shader: &Shader<Symbolic> = &written.shader;
    if !options.ranking {
        stability = stability::stability(&scene(everywhere(most)), shader, model, seeds, &tick)?;
    }
    if !options.ranking && !options.brief && can_trace {
        precision = precision::precision(&scene(everywhere(TRACED)), shader, model)?;
    }
    Ok(Explanation {
        model: model.label(),
        against: against.label(),
        shown,
        size: (width, height),
        whole: all,
        vertices,
        around,
        worst,
        pixels: differing.pixels,
        unlike,
        ranking,
        values,
        flips,
        specials,
        stability,
        precision,
    })
}

/// A problem of no place in the program.
const NOWHERE: parallax_text::Span = parallax_text::Span { start: 0, end: 0 };

fn refused(code: &'static str, message: String) -> Diag {
    Diag { span: None, ..Diag::invalid(code, NOWHERE, message) }
}

/// Ranks the instructions of a shader that is bound twice, in rules and literals of its own, over all quads of a draw.
///
/// # Errors
/// What makes the draw impossible.
pub fn rank(sides: &Sides, draw: &Draw, engine: Engine) -> Result<Ranking, Problems> {
    blame::rank(&whole(sides, draw, engine)?, &|| ())
}

/// How far apart the two sides of a shader are, over all quads of a draw.
///
/// # Errors
/// What makes the draw impossible.
pub fn difference(sides: &Sides, draw: &Draw, engine: Engine) -> Result<Distance, Problems> {
    let scene = whole(sides, draw, engine)?;
    let [found, expected] = [Side::Model, Side::Against].map(|side| scene.shot(sides.side(side).clone()));
    Ok(scene.distance(&found?, &expected?))
}

fn whole<'a>(sides: &'a Sides, draw: &'a Draw, engine: Engine) -> Result<Scene<'a>, Problems> {
    let quads = Quads::all(draw.width, draw.height);
    let mut scene = Scene::new(sides, draw, quads, Vec::new(), Control::default(), engine);
    scene.scales = scene.shot(sides.side(Side::Against).clone())?.scales();
    Ok(scene)
}
