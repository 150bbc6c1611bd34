//! Two programs that have no text in common, such as one effect in two instruction sets: where their values part.
//!
//! Both are run under observation in the pixels with the largest difference. A value of the second program that the first one has
//! nowhere, computed from values that the first one has, is where a difference begins. Signs are left out: one set subtracts where
//! another one adds a negated operand.

use crate::blame::Place;
use crate::edits::Drawn;
use crate::scene::{Errors, Scene, corner, spread};
use crate::shot::{Distance, Shot, pixels_of};
use crate::sides::{Sides, prepared};
use crate::stage::{self, Shown};
use crate::trace::{LANES, Observed, Record};
use parallax::{Control, Draw, Engine, Problems, Quads, apply_driver_rewrites};
use parallax_core::num::{Model, Storage};
use parallax_core::{Func, OpId, OpKind, ValueId};
use parallax_text::{Diag, Span};
use std::collections::{HashMap, HashSet};

/// Quads that are observed.
const OBSERVED: usize = 8;
/// Values that are told.
const MOST: usize = 8;
/// Relative difference up to which values of the two programs are taken for one that came out differently.
const NEAR: f64 = 0.05;

/// Where values part.
#[derive(Clone, Debug, PartialEq)]
pub struct Birth {
    /// The instruction of the second program.
    pub place: Place,
    /// The operation, or `constant`.
    pub op: &'static str,
    /// Its result in the pixel with the largest difference.
    pub value: f64,
    /// The instruction of the first program that has nearly the same, and what it has.
    pub beside: Option<(Place, f64)>,
    /// What takes away of the difference when its literal is the other program's; `None` for what is no literal.
    pub fixed: Option<f64>,
}

/// What was found about two programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Twins {
    /// The difference of the pictures.
    pub whole: Distance,
    /// Column and row of the pixel with the largest difference.
    pub worst: Option<(u32, u32)>,
    /// What a difference is counted in.
    pub shown: Shown,
    /// Where values part first, in the order of the second program; what a literal is shown to do comes first.
    pub births: Vec<Birth>,
}

/// A program under observation.
struct Seen {
    sides: Sides,
    draw: Draw,
    records: Vec<Record>,
}

impl Seen {
    fn new((shader, draw): &Drawn, model: &Model, engine: Engine) -> Result<Seen, Problems> {
        let draw = stage::sized(&shader.func, draw);
        let draw = draw.with_vertices(&shader.func.iface, model, engine)?.into_owned();
        let bound = apply_driver_rewrites(shader, model).bind(model);
        let sides = Sides::new(bound.clone(), bound).ok_or_else(|| refused("the program cannot be looked at"))?;
        Ok(Seen { sides, draw, records: Vec::new() })
    }

    fn func(&self) -> &Func {
        self.sides.func()
    }

    fn scene<'a>(&'a self, quads: Quads, control: Control<'a>, engine: Engine) -> Scene<'a> {
        Scene::new(&self.sides, &self.draw, quads, vec![1.0], control, engine)
    }

    fn observe(&mut self, quads: &Quads, control: Control<'_>, engine: Engine) -> Result<(), Problems> {
        let scene = self.scene(quads.clone(), control, engine);
        let observed = Observed::new(self.sides.side(crate::Side::Model))?;
        let records: Result<Vec<Record>, Problems> = quads.iter().map(|quad| observed.quad(&scene, quad)).collect();
        self.records = records?;
        Ok(())
    }

    /// The magnitudes of a float in all lanes; `None` where it was computed in none.
    fn key(&self, value: ValueId) -> Option<Vec<Option<u64>>> {
        let lanes = self.records.iter().flat_map(|record| (0..LANES).map(move |lane| record.float(value, lane)));
        let key: Vec<Option<u64>> = lanes.map(|v| v.map(|v| v.abs().to_bits())).collect();
        key.iter().any(Option::is_some).then_some(key)
    }

    /// Ops with a float result, in the order of the program.
    fn values(&self) -> Vec<(OpId, ValueId, Vec<Option<u64>>)> {
        let func = self.func();
        let mut out = Vec::new();
        func.walk(|_, op| {
            if let [value] = func.ops[op].results[..]
                && let Some(key) = self.key(value)
            {
                out.push((op, value, key));
            }
        });
        out
    }

    /// The container of a float that has a sign bit.
    fn storage(&self, value: ValueId) -> Option<Storage> {
        let side = self.sides.side(crate::Side::Model);
        let storage = side.state.storage(side.func.ty(value).decl()?);
        (!matches!(storage, Storage::Fixed(_))).then_some(storage)
    }

    fn place(&self, op: OpId) -> Place {
        Place::new(&self.sides, self.func().ops[op].origins.iter().min().copied())
    }
}

fn refused(message: &str) -> Problems {
    Problems::new(
        "",
        "",
        vec![Diag { span: None, ..Diag::invalid("explain-pair", Span::default(), message.to_string()) }],
    )
}

/// Finds where the values of two programs part, each under its model.
///
/// # Errors
/// What makes a draw impossible; `explain-pair` for pictures of different sizes or outputs, and for kernels.
pub fn twins(
    programs: [&Drawn; 2],
    models: [&Model; 2],
    engine: Engine,
    control: Control<'_>,
) -> Result<Twins, Problems> {
    let quiet = Control { progress: None, only: None, ..control };
    let shown = Shown::of(&programs[0].0.func);
    if shown == Shown::Words || Shown::of(&programs[1].0.func) != shown {
        return Err(refused("two programs of one stage are compared, and no kernels"));
    }
    let mut first = Seen::new(programs[0], models[0], engine)?;
    let mut second = Seen::new(programs[1], models[1], engine)?;
    let (width, height) = (first.draw.width, first.draw.height);
    if (width, height) != (second.draw.width, second.draw.height) {
        let (w, h) = (second.draw.width, second.draw.height);
        return Err(refused(&format!("the pictures have {width}x{height} and {w}x{h} pixels")));
    }
    let all = || Quads::all(width, height);
    let everything = pixels_of(&all(), width, height);
    let shot = |seen: &Seen| -> Result<Shot, Problems> {
        let compiled = prepared(seen.sides.side(crate::Side::Model).clone(), engine)?;
        Ok(Shot::new(&stage::frame(&compiled, &seen.draw, quiet)?, &everything))
    };
    let (expected, found) = (shot(&first)?, shot(&second)?);
    if !expected.is_alike(&found) {
        return Err(refused("the two programs write different components of their outputs"));
    }
    let scales = expected.scales();
    let whole = found.distance(&expected, &scales);
    let errors = Errors::new(&found, &expected, &scales, &everything);
    let worst = errors.worst();
    let Some(corner) = worst.map(corner) else {
        return Ok(Twins { whole, worst, shown, births: Vec::new() });
    };
    let mut quads = spread(&errors.quads_with(|at| errors.is_off(at)), OBSERVED, width, height);
    quads.insert(corner.0, corner.1);
    first.observe(&quads, quiet, engine)?;
    second.observe(&quads, quiet, engine)?;
    let (known, own) = (first.values(), second.values());
    let in_first: HashSet<&Vec<Option<u64>>> = known.iter().map(|(_, _, key)| key).collect();
    let in_second: HashSet<&Vec<Option<u64>>> = own.iter().map(|(_, _, key)| key).collect();
    let keys: HashMap<ValueId, &Vec<Option<u64>>> = own.iter().map(|(_, value, key)| (*value, key)).collect();
    // The lane with the largest difference.
    let number = quads.iter().position(|quad| quad == corner).unwrap_or(0);
    let lane = worst.map_or(0, |(x, y)| ((x & 1) + 2 * (y & 1)) as usize);
    let at = |seen: &Seen, value: ValueId| seen.records[number].float(value, lane).unwrap_or(f64::NAN);
    let func = second.func();
    let mut births = Vec::new();
    for (op, value, key) in own.iter().filter(|(_, _, key)| !in_first.contains(key)) {
        let data = &func.ops[*op];
        let from_known = data.args.iter().all(|arg| keys.get(arg).is_none_or(|key| in_first.contains(key)));
        // Constants are few, and what is exchanged.
        if !from_known || births.len() >= MOST && !is_constant(data.kind) {
            continue;
        }
        // What is written as a number can be in the first program a second time.
        let near = known.iter().filter(|(other, _, key)| match is_constant(data.kind) {
            true => is_constant(first.func().ops[*other].kind),
            false => !in_second.contains(key) && !is_constant(first.func().ops[*other].kind),
        });
        let near = near.map(|other| (distance(key, &other.2), other)).filter(|(far, _)| *far <= NEAR);
        // Of a literal another literal, which can be exchanged.
        let is_other = |op: OpId| {
            let is_literal = |kind: OpKind| matches!(kind, OpKind::Literal(_));
            is_literal(first.func().ops[op].kind) != is_literal(data.kind)
        };
        let near = near.min_by(|a, b| is_other(a.1.0).cmp(&is_other(b.1.0)).then(a.0.total_cmp(&b.0)));
        let fixed = near.and_then(|(_, other)| {
            let literal = first.func().ops[other.0].kind;
            let (OpKind::Literal(bits), OpKind::Literal(own)) = (literal, data.kind) else { return None };
            let storage = first.storage(other.1).filter(|storage| Some(*storage) == second.storage(*value))?;
            // Signs are left out when values are found, and put in here.
            let sign = (bits ^ own) & 1 << (storage.bits() - 1);
            let mut changed = second.sides.side(crate::Side::Model).clone();
            changed.func.ops[*op].kind = OpKind::Literal(bits ^ sign);
            let compiled = prepared(changed, engine).ok()?;
            let shot = Shot::new(&stage::frame(&compiled, &second.draw, quiet).ok()?, &everything);
            Some(1.0 - shot.distance(&expected, &scales).error / whole.error.max(f64::MIN_POSITIVE))
        });
        births.push(Birth {
            place: second.place(*op),
            op: if is_constant(data.kind) { "constant" } else { data.kind.word() },
            value: at(&second, *value),
            beside: near.map(|(_, other)| (first.place(other.0), at(&first, other.1))),
            fixed,
        });
    }
    parallax_text::sort_by(&mut births, |a: &Birth, b| b.fixed.unwrap_or(0.0).total_cmp(&a.fixed.unwrap_or(0.0)));
    births.truncate(MOST);
    Ok(Twins { whole, worst, shown, births })
}

fn is_constant(kind: OpKind) -> bool {
    matches!(kind, OpKind::Literal(_) | OpKind::Const { .. } | OpKind::ConstAt { .. })
}

/// The largest relative difference of two lists of magnitudes; infinite where one has what the other has not.
fn distance(a: &[Option<u64>], b: &[Option<u64>]) -> f64 {
    let far = |(a, b): (&Option<u64>, &Option<u64>)| match (a.map(f64::from_bits), b.map(f64::from_bits)) {
        (None, None) => 0.0,
        (Some(a), Some(b)) if a == b || a.is_nan() && b.is_nan() => 0.0,
        (Some(a), Some(b)) if a.is_finite() && b.is_finite() => (a - b).abs() / a.max(b),
        _ => f64::INFINITY,
    };
    a.iter().zip(b).map(far).fold(0.0, f64::max)
}
