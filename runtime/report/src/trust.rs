//! How far a result can be trusted: which fields of a model decided its bits, and how well they are known.
//!
//! A field *decides* an executed operation if another value of it would have given other bits: rounding where the result
//! was inexact, the treatment of denormals where one was seen, NaN rules where a NaN was. An operation is as trustworthy as
//! the least known field that decided it; one that no field in doubt decided is exact.

mod forms;
mod group;
mod known;

use crate::comparison::picked;
use crate::kept;
use crate::snapshot::{Distance, Snapshot};
use forms::Forms;
use group::{Doubt, Group};
use parallax::{
    Canonical, Compiled, Control, Draw, Engine, Event, Frame, Optimise, Problems, Quads, Recording, Trace, Workers,
    apply_driver_rewrites, compile_bound, compile_observed, run_draw, same_bound_shader,
};
use parallax_core::{Bound, EntityRef, OpId, OpKind, Shader, SlotId, Stage, Symbolic};
use parallax_num::{Accuracy, Field, Model, Op, OpSet, Probe, Rule, Scope, Storage, Tier};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Largest width or height of the draw that is observed.
const SIDE: u32 = 64;

/// What was found about one shader under one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    /// Executed component operations that follow a rule of the model.
    pub operations: u64,
    /// Those among them whose least known deciding field has this tier, by place in [`Tier::ALL`].
    pub by_tier: [u64; Tier::ALL.len()],
    /// Fields in doubt that decided operations: most operations first.
    pub decided: Vec<Decided>,
    /// Assumed fields, and what the picture would be with their other values: the most visible first.
    pub varied: Vec<Varied>,
}

/// A field that decided operations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Its name.
    pub field: Cow<'static, str>,
    /// How well it is known.
    #[serde(with = "kept::tier")]
    pub tier: Tier,
    /// Operations it decided.
    pub operations: u64,
}

/// An assumed field with another value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Varied {
    /// Its name.
    pub field: Cow<'static, str>,
    /// The other value that changes most.
    pub value: Cow<'static, str>,
    /// How the sampled pixels change.
    pub distance: Distance,
}

impl Trust {
    /// Adds what was found about another shader; variations are left out.
    pub fn add(&mut self, other: &Trust) {
        self.operations += other.operations;
        self.by_tier.iter_mut().zip(other.by_tier).for_each(|(all, n)| *all += n);
        for found in &other.decided {
            match self.decided.iter_mut().find(|d| (&d.field, d.tier) == (&found.field, found.tier)) {
                Some(known) => known.operations += found.operations,
                None => self.decided.push(found.clone()),
            }
        }
        self.sort();
    }

    fn sort(&mut self) {
        parallax_text::sort_by(&mut self.decided, |a, b| {
            (b.tier, b.operations, &a.field).cmp(&(a.tier, a.operations, &b.field))
        });
    }
}

/// The draw on which trust is found: a small frame of the same scene, of which some quads are run.
pub fn observed_draw(draw: &Draw) -> Draw {
    let mut small = draw.clone();
    let most = draw.width.max(draw.height);
    if most > SIDE {
        let scaled = |side: u32| (u64::from(side) * u64::from(SIDE)).div_ceil(u64::from(most)).max(1) as u32;
        (small.width, small.height) = (scaled(draw.width), scaled(draw.height));
    }
    small
}

/// Observes a shader under a model. `draw` is an [`observed_draw`].
///
/// # Errors
/// Those of compiling and of the draw.
pub fn trust(shader: &Shader<Symbolic>, model: &Model, draw: &Draw) -> Result<Trust, Problems> {
    Observations::new(shader, draw, Engine::default()).trust(model)
}

/// Observes a shader under one model after the other. What comes out the same under several of them is done once: the run under
/// observation where rules and doubts are the same, and what is drawn with other values of a field where those give the same rules.
pub struct Observations<'a> {
    shader: &'a Shader<Symbolic>,
    draw: &'a Draw,
    engine: Engine,
    canonical: OnceLock<Result<Canonical, Problems>>,
    observers: Mutex<Forms<Observed>>,
    pictures: Mutex<Forms<Drawn>>,
}

/// The rule of a group, and its fields with how well they are known.
type Doubts = (Rule, Vec<(&'static Field, Tier)>);

/// The doubts about a bound shader's rules, and what its operations did.
type Observed = (Vec<Doubts>, Arc<Observer>);

/// What a bound shader draws.
type Drawn = Result<Arc<Snapshot>, Problems>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Observations<'a> {
    /// Of a shader on an [`observed_draw`]. `engine` runs what is not observed, where there is much of it.
    pub fn new(shader: &'a Shader<Symbolic>, draw: &'a Draw, engine: Engine) -> Observations<'a> {
        let canonical = OnceLock::new();
        Observations { shader, draw, engine, canonical, observers: Mutex::default(), pictures: Mutex::default() }
    }

    /// Observes it under a model.
    ///
    /// # Errors
    /// Those of compiling and of the draw.
    pub fn trust(&self, model: &Model) -> Result<Trust, Problems> {
        let bound = apply_driver_rewrites(self.shader, model).bind(model);
        let draw = self.draw.with_vertices(&self.shader.func.iface, model, Engine::Interp)?;
        // Vertices of its own make a draw that no other model has.
        let shared = matches!(draw, Cow::Borrowed(_));
        let observer = self.observed(bound, model, &draw, shared)?;
        let mut out = observer.sum();
        if out.decided.iter().any(|d| d.tier == Tier::Assumed) {
            out.varied = observer.vary(self, model, &draw, shared)?;
        }
        Ok(out)
    }

    /// The shader run under observation.
    fn observed(
        &self,
        bound: Shader<Bound>,
        model: &Model,
        draw: &Draw,
        shared: bool,
    ) -> Result<Arc<Observer>, Problems> {
        let (observer, doubts) = Observer::new(&bound, model, self.engine);
        let same = |(known, _): &Observed| {
            let equal = |(a, b): (&(&Field, Tier), &(&Field, Tier))| std::ptr::eq(a.0, b.0) && a.1 == b.1;
            let alike =
                |(a, b): (&Doubts, &Doubts)| a.0 == b.0 && a.1.len() == b.1.len() && a.1.iter().zip(&b.1).all(equal);
            known.len() == doubts.len() && known.iter().zip(&doubts).all(alike)
        };
        let form = {
            let mut known = locked(&self.observers);
            let form = shared.then(|| known.form(&bound));
            if let Some((_, observer)) = form.as_ref().and_then(|form| known.find(form, draw, same)) {
                return Ok(observer.clone());
            }
            form
        };
        let observer = Arc::new(Mutex::new(observer));
        sampled(&compile_observed(bound, observer.clone())?, draw)?;
        let mut observer = std::mem::take(&mut *locked(&observer));
        observer.groups.iter_mut().for_each(Group::finish);
        let observer = Arc::new(observer);
        if let Some(form) = form {
            locked(&self.observers).insert(form, (doubts, observer.clone()));
        }
        Ok(observer)
    }

    /// What a bound shader draws, if it is not known to be found out by `drawn`.
    fn picture(
        &self,
        bound: Shader<Bound>,
        draw: &Draw,
        shared: bool,
        drawn: impl FnOnce(Shader<Bound>) -> Result<Snapshot, Problems>,
    ) -> Drawn {
        let form = {
            let mut known = locked(&self.pictures);
            let form = shared.then(|| known.form(&bound));
            if let Some(picture) = form.as_ref().and_then(|form| known.find(form, draw, |_| true)) {
                return picture.clone();
            }
            form
        };
        let picture = drawn(bound).map(Arc::new);
        if let Some(form) = form {
            locked(&self.pictures).insert(form, picture.clone());
        }
        picture
    }
}

/// Draws forms of a bound shader, which take so much work.
struct Painter<'a> {
    rules: &'a Shader<Bound>,
    draw: &'a Draw,
    engine: Engine,
    work: Work,
    some: Quads,
    /// The shader's draw, once it was recorded; `None` where it cannot be.
    recording: OnceCell<Option<Recording>>,
}

impl<'a> Painter<'a> {
    fn new(rules: &'a Shader<Bound>, draw: &'a Draw, engine: Engine, work: Work) -> Painter<'a> {
        let some = Quads::some(draw.width, draw.height);
        Painter { rules, draw, engine, work, some, recording: OnceCell::new() }
    }

    fn drawn(&self, bound: Shader<Bound>) -> Result<Snapshot, Problems> {
        if let Some(frame) = self.recorded(&bound)? {
            return Ok(of_some(&frame, self.rules.func.iface.stage, &self.some));
        }
        // A few pixels are computed sooner than passes run.
        let compiled = match self.work {
            Work::Little => compile_bound(bound, Optimise::No, Engine::Interp),
            Work::Much => compile_bound(bound, Optimise::Yes, self.engine),
        };
        sampled(&compiled?, self.draw)
    }

    /// What is told from the shader's own draw.
    fn recorded(&self, bound: &Shader<Bound>) -> Result<Option<Frame>, Problems> {
        if self.work == Work::Much {
            return Ok(None);
        }
        let control = Control { only: Some(&self.some), ..Control::default() };
        if self.recording.get().is_none() {
            let made = Recording::new(self.rules.clone(), self.draw, control, self.engine)?;
            let _ = self.recording.set(made.map(|(_, recording)| recording));
        }
        let Some(Some(recording)) = self.recording.get() else { return Ok(None) };
        let Some(changes) = recording.changes_to(bound) else { return Ok(None) };
        recording.frame_with(changes, self.draw, control)
    }
}

/// How much an [`observed_draw`] computes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Work {
    /// Less than compiling does.
    Little,
    /// Loops or grids so large that compiled code is worth its making.
    Much,
}

/// About how many nanoseconds it takes to compile an operation, to interpret it for any lanes at all, and for each of them.
const COMPILE: u64 = 20_000;
const ROUND: u64 = 100;
const LANE: u64 = 5;

/// What a compiled shader draws in some quads, on the calling thread.
pub(crate) fn sampled(compiled: &Compiled, draw: &Draw) -> Result<Snapshot, Problems> {
    let some = Quads::some(draw.width, draw.height);
    let control = Control { only: Some(&some), ..Control::default() };
    run_draw(compiled, draw, &Workers::serial(), control)
        .map(|frame| of_some(&frame, compiled.shader.func.iface.stage, &some))
}

/// The pixels of some quads of a frame, of which nothing else was drawn; all of it where the stage or memory has it drawn whole.
fn of_some(frame: &Frame, stage: Stage, some: &Quads) -> Snapshot {
    if stage != Stage::Fragment || !frame.buffers.is_empty() {
        return Snapshot::new(frame);
    }
    let place = |x: u32, y: u32| (y * frame.width + x) as usize;
    let four = |(x, y): (u32, u32)| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
    let inside = |&(x, y): &(u32, u32)| x < frame.width && y < frame.height;
    let places: Vec<usize> = some.iter().flat_map(four).filter(inside).map(|(x, y)| place(x, y)).collect();
    Snapshot::new(&picked(frame, &places, (places.len() as u32, 1)))
}

/// Counts what decides executed operations.
#[derive(Default)]
struct Observer {
    /// Group of each op; none for ops without a rule of their own.
    of: Vec<Option<usize>>,
    groups: Vec<Group>,
    /// Declared format of each slot.
    decls: Vec<parallax_num::Decl>,
}

impl Observer {
    fn new(shader: &Shader<Bound>, model: &Model, engine: Engine) -> (Observer, Vec<Doubts>) {
        let func = &shader.func;
        let mut of = vec![None; func.ops.len()];
        let mut groups: Vec<Group> = Vec::new();
        let mut doubts: Vec<Doubts> = Vec::new();
        let mut known: HashMap<(Op, SlotId, Storage), usize> = HashMap::new();
        func.walk(|_, id| {
            let data = &func.ops[id];
            let (OpKind::Num(op), Some(slot)) = (&data.kind, data.slot) else { return };
            let op = *op;
            let declared = func.slots[slot].decl;
            let from = match op {
                Op::Cvt => data.args.first().and_then(|&arg| func.values[arg].ty.decl()).unwrap_or(declared),
                _ => declared,
            };
            let source = shader.state.storage(from);
            let group = *known.entry((op, slot, source)).or_insert_with(|| {
                let fields = model.fields(op, &func.slots[slot], source);
                groups.push(Group::new(op, slot, &fields, engine));
                doubts.push(fields);
                groups.len() - 1
            });
            of[id.index()] = Some(group);
        });
        let decls = func.slots.values().map(|slot| slot.decl).collect();
        (Observer { of, groups, decls }, doubts)
    }

    /// How much it took to run the operations.
    fn work(&self) -> Work {
        let interpreted: u64 = self.groups.iter().map(|group| ROUND * group.rounds + LANE * group.executed).sum();
        let ops = self.of.iter().flatten().count() as u64;
        if interpreted > COMPILE * ops { Work::Much } else { Work::Little }
    }

    fn sum(&self) -> Trust {
        let mut out = Trust::default();
        let mut fields: BTreeMap<(Tier, &'static str), u64> = BTreeMap::new();
        for group in &self.groups {
            out.operations += group.executed;
            out.by_tier.iter_mut().zip(group.by_tier).for_each(|(all, n)| *all += n);
            for doubt in group.doubts.iter().filter(|d| d.operations > 0) {
                *fields.entry((doubt.tier, doubt.field.name)).or_default() += doubt.operations;
            }
        }
        let decided =
            |((tier, field), operations): ((_, &'static str), _)| Decided { field: field.into(), tier, operations };
        out.decided = fields.into_iter().map(decided).collect();
        out.sort();
        out
    }

    /// Draws with the other values of every assumed field that decided something.
    fn vary(&self, all: &Observations<'_>, model: &Model, draw: &Draw, shared: bool) -> Result<Vec<Varied>, Problems> {
        let canonical = all.canonical.get_or_init(|| Canonical::new(all.shader)).as_ref().map_err(Clone::clone)?;
        let rules = canonical.bind(model)?;
        let painter = Painter::new(&rules, draw, all.engine, self.work());
        let picture = |bound: Shader<Bound>| all.picture(bound, draw, shared, |bound| painter.drawn(bound));
        let plain = picture(rules.clone())?;
        let mut out: Vec<Varied> = Vec::new();
        for field in Field::ALL {
            let doubtful = |g: &Group| {
                g.doubts.iter().position(|d| d.field.name == field.name && d.tier == Tier::Assumed && d.operations > 0)
            };
            let groups: Vec<(&Group, &Doubt)> =
                self.groups.iter().filter_map(|g| Some((g, &g.doubts[doubtful(g)?]))).collect();
            let mut values: Vec<&'static str> = Vec::new();
            for &(value, _) in groups.iter().flat_map(|(_, doubt)| &doubt.values) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            let mut worst: Option<Varied> = None;
            // Which values a format holds is no matter of an assumption with a few known ends.
            for value in values.into_iter().filter(|_| field.name != "format") {
                let Some(other) = self.variant(model, field, value, &groups) else { continue };
                let picture = if self.gives_the_same(field, value, &groups) {
                    plain.clone()
                } else {
                    let other = canonical.bind(&other)?;
                    let same = same_bound_shader(&other, &rules, draw);
                    // A loop may not end in other arithmetic: a change, of a size nobody can name.
                    let Ok(picture) = (if same { Ok(plain.clone()) } else { picture(other) }) else { continue };
                    picture
                };
                let Some(distance) = plain.distance(&picture) else { continue };
                let size = |d: &Distance| (d.visible(), d.max8, d.differ);
                if worst.as_ref().is_none_or(|w| size(&distance) > size(&w.distance)) {
                    worst = Some(Varied { field: field.name.into(), value: value.into(), distance });
                }
            }
            out.extend(worst);
        }
        parallax_text::sort_by_key(&mut out, |v| {
            std::cmp::Reverse((v.distance.visible(), v.distance.max8, v.distance.differ))
        });
        Ok(out)
    }

    /// Whether no executed operation gave other bits with another value of a field in the scopes of these groups.
    fn gives_the_same(&self, field: &Field, value: &str, at: &[(&Group, &Doubt)]) -> bool {
        let decl = |g: &Group| self.decls[g.slot.index()];
        let is_changed = |g: &&Group| at.iter().any(|(other, _)| other.op == g.op && decl(other) == decl(g));
        let is_same = |g: &Group| {
            let doubt = g.doubts.iter().find(|doubt| doubt.field.name == field.name);
            let known = doubt.and_then(|doubt| doubt.values.iter().find(|(other, _)| *other == value));
            g.executed == 0 || known.is_some_and(|(_, differs)| !differs)
        };
        // Where a bound is in doubt, the choices of all bounds are tried with it.
        field.name != "accuracy" && self.groups.iter().filter(is_changed).all(is_same)
    }

    /// The model with another value of a field where it is in doubt.
    fn variant(&self, model: &Model, field: &'static Field, value: &str, at: &[(&Group, &Doubt)]) -> Option<Model> {
        let scope = |g: &Group| Scope::new(&[self.decls[g.slot.index()]], OpSet::of(g.op));
        let probe = match value {
            "low" => Probe::Lowest,
            _ => Probe::Highest,
        };
        if field.name != "accuracy" {
            return model.clone().with_settings(at.iter().map(|(g, _)| (scope(g), field, value))).ok();
        }
        let correct = at.iter().filter(|(g, _)| g.rule.accuracy == Accuracy::Correct);
        let bounded = correct.map(|(g, _)| (scope(g), field, "2^-22"));
        Some(model.clone().with_settings(bounded).ok()?.with_probe(probe))
    }
}

impl Trace for Observer {
    fn event(&mut self, event: Event<'_>) {
        let Event::Op { op, exec, args, results } = event else { return };
        let Some(group) = self.group(op) else { return };
        self.groups[group].add(exec, args, results.first().copied().unwrap_or_default());
    }

    fn reads(&self, op: OpId) -> bool {
        self.group(op).is_some_and(|group| self.groups[group].reads())
    }

    fn reads_regions(&self) -> bool {
        false
    }
}

impl Observer {
    fn group(&self, op: OpId) -> Option<usize> {
        *self.of.get(op.index())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax::{LoadOptions, compile, load};

    fn found(text: &str, model: &str) -> Trust {
        let shader = load("x.tgsi", text.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = observed_draw(&Draw::defaults(&shader.func.iface).unwrap());
        assert_eq!((draw.width, draw.height), (64, 64));
        trust(&shader, &Model::parse(model).unwrap(), &draw).unwrap()
    }

    const HEAD: &str =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nIMM FLT32 { 0.5, 0.3, 1.0, 3.0 }\n";

    #[test]
    fn what_is_exact_in_any_arithmetic_needs_no_trust() {
        // Halving is exact, whatever the rounding; a model that guesses everything is right all the same.
        let halved = found(&format!("{HEAD}MUL OUT[0].x, IN[0].xxxx, IMM[0].xxxx\nEND\n"), "rogue[round=rtz]");
        assert!(halved.operations > 0);
        assert_eq!((halved.by_tier[Tier::Exact as usize], halved.decided.len()), (halved.operations, 0));
        // A third of it is not.
        let scaled = found(&format!("{HEAD}MUL OUT[0].x, IN[0].xxxx, IMM[0].yyyy\nEND\n"), "rogue[round=rtz]");
        let round = scaled.decided.iter().find(|d| d.field == "round").unwrap();
        assert_eq!(round.tier, Tier::Assumed);
        assert!(round.operations > scaled.operations / 2, "{scaled:?}");
        assert!(scaled.varied.iter().any(|v| v.field == "round" && v.distance.differ > 0), "{scaled:?}");
    }

    #[test]
    fn a_definition_is_exact() {
        let all = found(&format!("{HEAD}MUL OUT[0].x, IN[0].xxxx, IMM[0].yyyy\nEND\n"), "ieee");
        assert_eq!((all.by_tier[Tier::Exact as usize], all.varied.len()), (all.operations, 0));
    }

    /// A field in doubt, and the rules with its other values.
    type Doubted = (&'static str, Tier, Vec<Rule>);

    /// Counts what decides operations one by one, by the reference evaluation.
    struct Alone {
        shader: Shader<Bound>,
        model: Model,
        others: HashMap<OpId, Vec<Doubted>>,
        by_tier: [u64; Tier::ALL.len()],
        decided: BTreeMap<(Tier, &'static str), u64>,
    }

    impl Trace for Alone {
        fn event(&mut self, event: Event<'_>) {
            let Event::Op { op: id, exec, args, results: [result, ..] } = event else { return };
            let func = &self.shader.func;
            let (OpKind::Num(op), Some(slot)) = (func.ops[id].kind, func.ops[id].slot) else { return };
            let others = self.others.entry(id).or_insert_with(|| {
                let storage = self.shader.state.storage(func.slots[slot].decl);
                let (rule, fields) = self.model.fields(op, &func.slots[slot], storage);
                let others =
                    |field: &Field| field.alternatives(op, &rule).into_iter().map(|(_, other)| other).collect();
                let doubted = fields.into_iter().filter(|(_, tier)| *tier != Tier::Exact);
                doubted.map(|(field, tier)| (field.name, tier, others(field))).collect()
            });
            for lane in exec.lanes() {
                let words: Vec<u64> = args.iter().map(|row| row[lane]).collect();
                let mut worst = Tier::Exact;
                for (field, tier, rules) in &*others {
                    if rules.iter().any(|rule| parallax_num::eval(op, rule, &words) != result[lane]) {
                        worst = worst.max(*tier);
                        *self.decided.entry((*tier, field)).or_default() += 1;
                    }
                }
                self.by_tier[worst as usize] += 1;
            }
        }
    }

    /// In loops, with operands that come again and others that do not.
    #[test]
    fn operations_tried_together_count_as_those_tried_alone() {
        let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n\
                    IMM[0] FLT32 { 0.3, 0.7, 1.0, 0.0 }\nIMM[1] INT32 { 0, 1, 30, 0 }\nMOV TEMP[1], IMM[1].xxxx\n\
                    MOV TEMP[0], IN[0]\nBGNLOOP\nUSGE TEMP[1].y, TEMP[1].xxxx, IMM[1].zzzz\nUIF TEMP[1].yyyy\nBRK\n\
                    ENDIF\nMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nADD TEMP[0].x, TEMP[0].xxxx, IN[0].yyyy\n\
                    RCP TEMP[0].y, IN[0].xxxx\nMUL TEMP[0].z, TEMP[0].yyyy, IN[0].yyyy\n\
                    MAD TEMP[0].w, TEMP[0].zzzz, TEMP[0].xxxx, TEMP[0].wwww\n\
                    UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n";
        let shader = load("x.tgsi", text.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = observed_draw(&Draw::defaults(&shader.func.iface).unwrap());
        for name in ["rogue", "adreno", "ati-r300", "nv-patent"] {
            let model = Model::parse(name).unwrap();
            let bound = apply_driver_rewrites(&shader, &model).bind(&model);
            let (others, decided) = (HashMap::new(), BTreeMap::new());
            let alone =
                Alone { shader: bound.clone(), model: model.clone(), others, by_tier: [0; Tier::ALL.len()], decided };
            let alone = Arc::new(Mutex::new(alone));
            let compiled = compile_bound(bound, Optimise::No, Engine::Interp).unwrap();
            sampled(&compiled.observed(alone.clone()).unwrap(), &draw).unwrap();
            let alone = locked(&alone);
            let found = trust(&shader, &model, &draw).unwrap();
            assert!(found.operations > 4 * group::TOGETHER as u64 && found.decided.len() > 1, "{name}: {found:?}");
            assert_eq!(found.by_tier, alone.by_tier, "{name}");
            assert_eq!(found.operations, alone.by_tier.iter().sum::<u64>(), "{name}");
            let decided: BTreeMap<(Tier, &str), u64> =
                found.decided.iter().map(|d| ((d.tier, &*d.field), d.operations)).collect();
            assert_eq!(decided, alone.decided, "{name}");
        }
    }

    /// What is not drawn because no operation gave other bits would draw the same pixels.
    #[test]
    fn values_that_give_the_same_bits_change_no_pixel() {
        let text = format!(
            "{HEAD}DCL TEMP[0]\nMUL TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nRCP TEMP[0].y, IN[0].yyyy\n\
             MAD TEMP[0].z, IN[0].xxxx, IMM[0].yyyy, IN[0].yyyy\nDP3 TEMP[0].w, IN[0], IMM[0]\nMIN TEMP[0].x, TEMP[0].xxxx, IN[0].yyyy\n\
             FRC TEMP[0].y, TEMP[0].yyyy\nMOV OUT[0], TEMP[0]\nEND\n"
        );
        let shader = load("x.tgsi", text.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = observed_draw(&Draw::defaults(&shader.func.iface).unwrap());
        let observations = Observations::new(&shader, &draw, Engine::Interp);
        let canonical = Canonical::new(&shader).unwrap();
        let (mut same, mut other) = (0, 0);
        for name in ["rogue", "adreno", "ati-r300", "nv-patent", "vc4"] {
            let model = Model::parse(name).unwrap();
            let bound = apply_driver_rewrites(&shader, &model).bind(&model);
            let observer = observations.observed(bound, &model, &draw, true).unwrap();
            let picture = |model: &Model| {
                let bound = canonical.bind(model).unwrap();
                let drawn = |bound| sampled(&compile_bound(bound, Optimise::No, Engine::Interp).unwrap(), &draw);
                observations.picture(bound, &draw, false, drawn).unwrap()
            };
            let plain = picture(&model);
            for field in Field::ALL.iter().filter(|field| field.name != "format") {
                let doubt = |g: &Group| g.doubts.iter().position(|doubt| doubt.field.name == field.name);
                let groups: Vec<(&Group, &Doubt)> =
                    observer.groups.iter().filter_map(|g| Some((g, &g.doubts[doubt(g)?]))).collect();
                let mut values: Vec<&str> = groups.iter().flat_map(|(_, d)| d.values.iter().map(|v| v.0)).collect();
                values.sort_unstable();
                values.dedup();
                for value in values {
                    let Some(variant) = observer.variant(&model, field, value, &groups) else { continue };
                    let differ = plain.distance(&picture(&variant)).unwrap().differ;
                    match observer.gives_the_same(field, value, &groups) {
                        true => assert_eq!(differ, 0, "{name} {}={value}", field.name),
                        false => other += usize::from(differ > 0),
                    }
                    same += usize::from(observer.gives_the_same(field, value, &groups));
                }
            }
        }
        assert!(same > 30 && other > 5, "{same} without a difference, {other} with one");
    }

    /// The same quads, whatever model runs them.
    #[test]
    fn observation_changes_no_result() {
        let text = format!("{HEAD}MUL OUT[0], IN[0], IMM[0]\nEND\n");
        let shader = load("x.tgsi", text.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = observed_draw(&Draw::defaults(&shader.func.iface).unwrap());
        let model = Model::parse("ieee").unwrap();
        let plain = compile(&shader, &model, Optimise::Yes, Engine::Interp).unwrap();
        let some = sampled(&plain, &draw).unwrap();
        let observer = Arc::new(Mutex::new(|_: Event<'_>| {}));
        let observed = sampled(
            &compile(&shader, &model, Optimise::No, Engine::Interp).unwrap().observed(observer).unwrap(),
            &draw,
        )
        .unwrap();
        assert_eq!(some, observed);
        // One quad of 32, as in the whole. Where nothing else was drawn, nothing else is left out.
        let quads = Quads::some(draw.width, draw.height);
        let frame = |only| {
            let control = Control { only, ..Control::default() };
            run_draw(&plain, &draw, &Workers::serial(), control).unwrap()
        };
        assert_eq!(some, of_some(&frame(None), Stage::Fragment, &quads));
        let drawn = Snapshot::new(&frame(Some(&quads)));
        let nothing = Snapshot::new(&frame(Some(&Quads::none(draw.width, draw.height))));
        let of_all = drawn.distance(&nothing).unwrap();
        assert_eq!((of_all.pixels, of_all.flips), (128, 128));
        assert_eq!(some.distance(&some).unwrap().pixels, 128);
    }
}
