//! Draws that are recorded op by op, to tell what they would give if some ops followed other rules: only what depends on those
//! is computed again, and nothing is compiled. Where another rule leads another way through the program, the recording cannot
//! tell.

mod lanes;
mod overlay;
mod record;

use crate::band::{Batches, Laid};
use crate::compile::{CompileTimes, Compiled};
use crate::draw::{Depths, Draw, Geometry};
use crate::engine::Engine;
use crate::frame::Frame;
use crate::observed::compile_observed;
use crate::operation::operation;
use crate::problem::Problems;
use crate::quads::Quads;
use crate::run::{Control, run_batches};
use crate::samples::Samples;
use overlay::{Diverged, Overlay, Rerun, Runners};
use parallax_core::backend::{Executable, Made as MadeBy, Operation, Runner};
use parallax_core::exec::{Inputs, Memory, Outputs, Plane, PlaneType};
use parallax_core::num::{Decl, Format, Op, Rule};
use parallax_core::{Bound, EntityRef, OpData, OpId, OpKind, RuleId, Shader, Stage, TexOp};
use record::{Batch, Recorder, locked};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What an op is instead.
#[derive(Copy, Clone, Debug)]
pub struct Change {
    /// The op.
    pub op: OpId,
    /// Its kind, which differs in the bits of a literal or the rule of a lookup alone.
    pub kind: OpKind,
    /// Its rule; `None` for what has none.
    pub rule: Option<Rule>,
}

/// A draw that was recorded.
#[derive(Debug)]
pub struct Recording {
    tape: Arc<Tape>,
    lanes: Placed,
    engine: Engine,
    /// What is not in use of what runs it again.
    spare: Mutex<Vec<(Compiled, Arc<Replay>)>>,
}

/// The lanes of a draw, and what decides them.
#[derive(Debug)]
struct Placed {
    batches: Vec<Laid>,
    size: [u32; 2],
    only: Option<Quads>,
    rows: Option<[u32; 2]>,
    geometry: Geometry,
    depths: Depths,
    attributes: Vec<Vec<[u32; 4]>>,
    samples: Samples,
    flat_shade: bool,
}

impl Placed {
    fn new(batches: Vec<Laid>, draw: &Draw, control: Control<'_>) -> Placed {
        Placed {
            batches,
            size: [draw.width, draw.height],
            only: control.only.cloned(),
            rows: control.rows,
            geometry: draw.geometry.clone(),
            depths: draw.depths,
            attributes: draw.attributes.clone(),
            samples: draw.samples.clone(),
            flat_shade: draw.flat_shade,
        }
    }

    /// Whether a draw has these lanes.
    fn is_of(&self, draw: &Draw, control: Control<'_>) -> bool {
        (self.size, self.only.as_ref(), self.rows) == ([draw.width, draw.height], control.only, control.rows)
            && (&self.geometry, &self.depths, &self.attributes) == (&draw.geometry, &draw.depths, &draw.attributes)
            && (&self.samples, self.flat_shade) == (&draw.samples, draw.flat_shade)
    }
}

/// What was recorded.
#[derive(Debug)]
struct Tape {
    shader: Arc<Shader<Bound>>,
    planes: Vec<Option<PlaneType>>,
    batches: Vec<Batch>,
    operations: Operations,
}

impl Recording {
    /// Draws a bound shader without passes, and gives the frame with the recording; `None` for what cannot be recorded: draws
    /// that take long, that write memory or run out of loop fuel, and programs of another stage than fragments. `engine` runs
    /// single operations. It tells of the same draw under the same control alone.
    ///
    /// # Errors
    /// As [`run_draw`](crate::run_draw).
    pub fn new(
        shader: Shader<Bound>,
        draw: &Draw,
        control: Control<'_>,
        engine: Engine,
    ) -> Result<Option<(Frame, Recording)>, Problems> {
        if shader.func.iface.stage != Stage::Fragment {
            return Ok(None);
        }
        let shared = Arc::new(shader.clone());
        let recorder = Arc::new(Mutex::new(Recorder::new(shared.clone())));
        let compiled = compile_observed(shader, recorder.clone())?;
        if compiled.program.writes_memory() {
            return Ok(None);
        }
        let planes = compiled.program.planes();
        let lanes = Mutex::default();
        let frame = run_batches(&compiled, draw, control, Batches::Kept(&lanes))?;
        let Compiled { shader, .. } = compiled;
        let mut recorder = locked(&recorder);
        if recorder.is_lost {
            return Ok(None);
        }
        let operations = Operations::new(&shared, engine);
        let batches = std::mem::take(&mut recorder.batches);
        let tape = Arc::new(Tape { shader: shared, planes, batches, operations });
        let lanes = Placed::new(lanes.into_inner().unwrap_or_else(PoisonError::into_inner), draw, control);
        let recording = Recording { tape, lanes, engine, spare: Mutex::default() };
        locked(&recording.spare).push(recording.replay(shader));
        Ok(Some((frame, recording)))
    }

    /// What was recorded: each time that lanes did something together.
    pub fn events(&self) -> usize {
        self.tape.batches.iter().map(|batch| batch.nodes.len()).sum()
    }

    /// The ops in which a shader with the same body differs; `None` where it differs in more than rules and literals.
    pub fn changes_to(&self, other: &Shader<Bound>) -> Option<Vec<Change>> {
        let own = &self.tape.shader;
        let (a, b) = (&own.state, &other.state);
        let alike = (a.storage, a.subgroup, a.has_around(b)) == (b.storage, b.subgroup, true)
            && own.func.ops.len() == other.func.ops.len()
            && own.func.values.len() == other.func.values.len();
        if !alike {
            return None;
        }
        // Rules that were compared, by their numbers.
        let mut known: FxHashMap<(RuleId, RuleId), bool> = FxHashMap::default();
        let mut same_rule = |a_id: Option<RuleId>, b_id: Option<RuleId>| match (a_id, b_id) {
            (Some(x), Some(y)) => *known.entry((x, y)).or_insert_with(|| a.rules[x] == b.rules[y]),
            (x, y) => x.is_none() && y.is_none(),
        };
        let mut out = Vec::new();
        for ((op, x), y) in own.func.ops.iter().zip(other.func.ops.values()) {
            let same_kind = match (x.kind, y.kind) {
                (OpKind::Literal(_), OpKind::Literal(_)) => true,
                (OpKind::Tex(x), OpKind::Tex(y)) => x == TexOp { rule: x.rule, ..y },
                (x, y) => x == y,
            };
            if !same_kind || x.args != y.args || x.slot != y.slot || x.results != y.results || x.regions != y.regions {
                return None;
            }
            if x.kind != y.kind || !same_rule(x.rule, y.rule) {
                out.push(Change { op, kind: y.kind, rule: y.rule.map(|id| b.rules[id]) });
            }
        }
        Some(out)
    }

    /// The frame if some ops were others; `None` where the recording cannot tell.
    ///
    /// # Errors
    /// As [`run_draw`](crate::run_draw).
    pub fn frame_with(
        &self,
        changes: impl IntoIterator<Item = Change>,
        draw: &Draw,
        control: Control<'_>,
    ) -> Result<Option<Frame>, Problems> {
        if !self.lanes.is_of(draw, control) {
            return Ok(None);
        }
        let changes = Arc::new(Changes::new(changes, self.engine));
        let spare = locked(&self.spare).pop();
        let (compiled, replay) = spare.unwrap_or_else(|| self.replay((*self.tape.shader).clone()));
        *locked(&replay.changes) = changes;
        replay.has_diverged.store(false, Ordering::Relaxed);
        let frame = run_batches(&compiled, draw, control, Batches::Given(&self.lanes.batches))?;
        let has_diverged = replay.has_diverged.load(Ordering::Relaxed);
        locked(&self.spare).push((compiled, replay));
        Ok((!has_diverged).then_some(frame))
    }

    fn replay(&self, shader: Shader<Bound>) -> (Compiled, Arc<Replay>) {
        let replay = Arc::new(Replay {
            tape: self.tape.clone(),
            changes: Mutex::default(),
            has_diverged: AtomicBool::new(false),
            overlay: Mutex::default(),
        });
        let times = CompileTimes::default();
        (Compiled { shader, program: replay.clone(), note: None, times }, replay)
    }
}

/// The operation that an op comes to, if it is one.
fn operation_of(kind: OpKind, has_rule: bool) -> Option<Op> {
    match kind {
        OpKind::Num(op) => Some(op),
        OpKind::Deriv { .. } => Some(Op::Sub),
        OpKind::Tex(_) | OpKind::Attr { .. } | OpKind::Const { .. } => has_rule.then_some(Op::Cvt),
        _ => None,
    }
}

/// The rule of operations that look at none.
const PLAIN: Rule = Rule::ieee(Decl::F32, Format::F32);

/// An operation, and whether the reference evaluation computes it, lane by lane.
type Prepared = (Operation, bool);

fn prepared(op: Op, rule: &Rule, engine: Engine) -> Prepared {
    let (made, note) = operation(op, rule, engine);
    (made, note.is_some())
}

/// The operations of a shader, each prepared when it is first wanted.
#[derive(Debug)]
struct Operations {
    engine: Engine,
    all: Vec<(Op, Rule, OnceLock<Prepared>)>,
    /// Number of each op's; [`Operations::NONE`] for other ops.
    numbers: Vec<u32>,
}

impl Operations {
    const NONE: u32 = u32::MAX;

    fn new(shader: &Shader<Bound>, engine: Engine) -> Operations {
        let mut all = Vec::new();
        let mut known: FxHashMap<(Op, Option<RuleId>), u32> = FxHashMap::default();
        let mut number = |data: &OpData| {
            let Some(op) = operation_of(data.kind, data.rule.is_some()) else { return Operations::NONE };
            *known.entry((op, data.rule)).or_insert_with(|| {
                all.push((op, data.rule.map_or(PLAIN, |id| shader.state.rules[id]), OnceLock::new()));
                all.len() as u32 - 1
            })
        };
        let numbers = shader.func.ops.values().map(&mut number).collect();
        Operations { engine, all, numbers }
    }

    fn len(&self) -> usize {
        self.all.len()
    }

    fn number(&self, op: OpId) -> Option<usize> {
        self.numbers.get(op.index()).filter(|number| **number != Operations::NONE).map(|&number| number as usize)
    }

    fn get(&self, number: usize) -> &Prepared {
        let (op, rule, made) = &self.all[number];
        made.get_or_init(|| prepared(*op, rule, self.engine))
    }
}

/// What some ops are instead.
#[derive(Debug, Default)]
struct Changes {
    made: FxHashMap<OpId, Made>,
    operations: Vec<Prepared>,
    engine: Engine,
}

/// What an op is instead.
#[derive(Copy, Clone, Debug)]
struct Made {
    kind: OpKind,
    rule: Option<Rule>,
    /// Number of its operation.
    operation: Option<usize>,
}

impl Changes {
    fn new(changes: impl IntoIterator<Item = Change>, engine: Engine) -> Changes {
        let mut out = Changes { engine, ..Changes::default() };
        let mut known: FxHashMap<(Op, Rule), usize> = FxHashMap::default();
        for Change { op, kind, rule } in changes {
            let number = operation_of(kind, rule.is_some()).map(|asked| {
                let rule = rule.unwrap_or(PLAIN);
                *known.entry((asked, rule)).or_insert_with(|| {
                    out.operations.push(prepared(asked, &rule, engine));
                    out.operations.len() - 1
                })
            });
            out.made.insert(op, Made { kind, rule, operation: number });
        }
        out
    }

    fn get(&self, op: OpId) -> Option<&Made> {
        self.made.get(&op)
    }

    fn ops(&self) -> impl Iterator<Item = OpId> {
        self.made.keys().copied()
    }
}

/// A recorded draw as a program.
#[derive(Debug)]
struct Replay {
    tape: Arc<Tape>,
    changes: Mutex<Arc<Changes>>,
    /// Whether the recording could not tell.
    has_diverged: AtomicBool,
    overlay: Mutex<Overlay>,
}

impl Executable for Replay {
    fn planes(&self) -> Vec<Option<PlaneType>> {
        self.tape.planes.clone()
    }

    fn made(&self) -> MadeBy {
        MadeBy { engine: "recording", ..MadeBy::default() }
    }

    fn writes_memory(&self) -> bool {
        false
    }

    fn runner(&self) -> Box<dyn Runner + '_> {
        Box::new(ReplayRunner { replay: self, changes: locked(&self.changes).clone(), next: 0 })
    }
}

struct ReplayRunner<'p> {
    replay: &'p Replay,
    changes: Arc<Changes>,
    /// Number of the next batch.
    next: usize,
}

impl Runner for ReplayRunner<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, _: Memory<'_>, outputs: &mut Outputs) {
        let Replay { tape, has_diverged, overlay, .. } = self.replay;
        let batch = tape.batches.get(self.next);
        self.next += 1;
        let told = match batch.filter(|_| !has_diverged.load(Ordering::Relaxed)) {
            Some(batch) => {
                outputs.clone_from(&batch.outputs);
                let (func, storage, changes) = (&tape.shader.func, &tape.shader.state.storage, &*self.changes);
                let again = Rerun { func, storage, batch, changes, inputs, overlay: &mut locked(overlay) };
                again.run(&mut Runners::new(&tape.operations, changes), outputs)
            }
            None => Err(Diverged),
        };
        if told.is_err() {
            has_diverged.store(true, Ordering::Relaxed);
            // A frame that nobody looks at.
            let zeros =
                |plane: &Option<PlaneType>| plane.map_or(Plane::default(), |p| Plane::zeros(p.bits(), inputs.lanes));
            let none = Outputs {
                planes: tape.planes.iter().map(zeros).collect(),
                covered: inputs.covered.to_vec(),
                out_of_fuel: vec![false; inputs.lanes],
                discarded: vec![0; inputs.lanes],
                missed_barrier: Vec::new(),
            };
            outputs.clone_from(&none);
        }
    }
}
