//! What every value was in the pixels of one quad, and which branches they took.

use crate::scene::Scene;
use crate::stage;
use parallax::{Compiled, Control, Event, Problems, Quads, Trace, compile_observed};
use parallax_core::num::{Family, Storage, ulp};
use parallax_core::{Bound, EntityRef, Func, OpId, OpKind, RegionId, Shader, ValueDef, ValueId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Lanes of a quad.
pub(crate) const LANES: usize = 4;
/// Most branches of a pixel that are remembered.
const MOST_BRANCHES: usize = 1 << 14;

/// A quad, by its top left pixel, under the model and under the other arithmetic.
pub(crate) type Traced = ((u32, u32), [Record; 2]);

/// A branch that a pixel took.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Taken {
    /// The `if`, `loop` or `block`.
    pub(crate) op: OpId,
    /// The region.
    pub(crate) region: RegionId,
    /// Operands of the comparison that decided it, where one did.
    pub(crate) operands: Option<[f64; 2]>,
}

/// The last value of everything in each pixel of a quad.
#[derive(Debug)]
pub(crate) struct Record {
    shader: Arc<Shader<Bound>>,
    /// Lane words by value.
    words: Vec<[Option<u64>; LANES]>,
    /// Branches of each pixel, in order.
    pub(crate) taken: [Vec<Taken>; LANES],
    /// The comparison that decides each `if`.
    decides: Arc<HashMap<OpId, OpId>>,
}

/// A shader that is run under observation, quad by quad.
pub(crate) struct Observed {
    compiled: Compiled,
    /// Of the quad at hand.
    record: Arc<Mutex<Record>>,
}

impl Observed {
    /// # Errors
    /// Those of compiling.
    pub(crate) fn new(shader: &Shader<Bound>) -> Result<Observed, Problems> {
        let decides = Arc::new(comparisons(&shader.func));
        let record = Arc::new(Mutex::new(Record::empty(Arc::new(shader.clone()), decides)));
        let compiled = compile_observed(shader.clone(), record.clone())?;
        Ok(Observed { compiled, record })
    }

    /// Runs it in the quad that holds a pixel.
    ///
    /// # Errors
    /// Those of the draw.
    pub(crate) fn quad(&self, scene: &Scene<'_>, (x, y): (u32, u32)) -> Result<Record, Problems> {
        let mut quad = Quads::none(scene.draw.width, scene.draw.height);
        quad.insert(x, y);
        stage::quad(&self.compiled, scene.draw, (x, y), Control { only: Some(&quad), ..scene.control })?;
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let next = Record::empty(record.shader.clone(), record.decides.clone());
        Ok(std::mem::replace(&mut *record, next))
    }
}

impl Record {
    fn empty(shader: Arc<Shader<Bound>>, decides: Arc<HashMap<OpId, OpId>>) -> Record {
        let words = vec![[None; LANES]; shader.func.values.len()];
        Record { shader, words, taken: Default::default(), decides }
    }

    fn func(&self) -> &Func {
        &self.shader.func
    }

    fn storage(&self, value: ValueId) -> Option<Storage> {
        Some(self.shader.state.storage(self.func().ty(value).decl()?))
    }

    /// A float in a lane; `None` for other types, and for what was never computed there.
    pub(crate) fn float(&self, value: ValueId, lane: usize) -> Option<f64> {
        let storage = self.storage(value)?;
        self.words[value.index()][lane].map(|word| ulp::to_f64(word, storage))
    }

    /// The word of a value in a lane.
    pub(crate) fn word(&self, value: ValueId, lane: usize) -> Option<u64> {
        self.words[value.index()][lane]
    }

    fn set(&mut self, value: ValueId, row: &[u64], lanes: impl Iterator<Item = usize>) {
        let words = &mut self.words[value.index()];
        lanes.for_each(|lane| words[lane % LANES] = Some(row[lane]));
    }

    fn operands(&self, op: OpId, lane: usize) -> Option<[f64; 2]> {
        let args = &self.func().ops[*self.decides.get(&op)?].args;
        let first = self.float(*args.first()?, lane)?;
        let second = match args.get(1) {
            Some(second) => self.float(*second, lane)?,
            None => 0.0,
        };
        Some([first, second])
    }

    /// The comparison that decides an `if`.
    pub(crate) fn comparison(&self, op: OpId) -> Option<OpId> {
        self.decides.get(&op).copied()
    }
}

impl Trace for Record {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Op { op, exec, results, .. } => {
                for (n, row) in results.iter().enumerate() {
                    let Some(&value) = self.func().ops[op].results.get(n) else { continue };
                    self.set(value, row, exec.lanes());
                }
            }
            Event::Assign { value, row, exec, .. } => self.set(value, row, exec.lanes()),
            Event::Enter { op, region, exec } => {
                for lane in exec.lanes().map(|lane| lane % LANES) {
                    if self.taken[lane].len() < MOST_BRANCHES {
                        let operands = self.operands(op, lane);
                        self.taken[lane].push(Taken { op, region, operands });
                    }
                }
            }
            Event::Leave { .. } | Event::Join { .. } => {}
        }
    }
}

/// The comparison of floats that decides each `if`, found through what is done to predicates on the way: also where a first
/// comparison gives numbers, such as 1 and 0, and a second one reads them.
fn comparisons(func: &Func) -> HashMap<OpId, OpId> {
    let mut out = HashMap::new();
    func.walk(|_, id| {
        let data = &func.ops[id];
        if let (OpKind::If, Some(&pred)) = (data.kind, data.args.first())
            && let Some(op) = comparison(func, pred)
        {
            out.insert(id, op);
        }
    });
    out
}

/// The first comparison on the way to a value.
fn comparison(func: &Func, value: ValueId) -> Option<OpId> {
    /// Values that are looked at.
    const MOST: usize = 32;
    let mut open = vec![value];
    let mut found = None;
    for _ in 0..MOST {
        let Some(value) = open.pop() else { break };
        let ValueDef::Result(op, _) = func.values[value].def else { continue };
        let data = &func.ops[op];
        let next = match data.kind {
            // A condition code is made by a comparison with zero.
            OpKind::Num(asked) if asked.info().family == Family::Compare && data.slot.is_some() => {
                found = Some(op);
                let chosen = |v: &&ValueId| func.def_op(**v).is_some_and(|op| func.ops[op].kind == OpKind::Select);
                open.clear();
                data.args.iter().filter(chosen).copied().collect()
            }
            OpKind::Select => data.args.iter().take(1).copied().collect(),
            _ if found.is_some() && data.slot.is_some() => Vec::new(),
            _ => data.args.to_vec(),
        };
        open.extend(next.into_iter().rev());
    }
    found
}
