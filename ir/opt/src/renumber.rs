//! Ops, values and regions numbered anew, in order of execution, without those that are gone.
//!
//! Tables of later passes are as long as there are numbers, and look for ops where their numbers say. While all of that lies in
//! the caches moving the ops costs more than it gains, and so it does for the two walks that straight shaders take. It is done for long
//! shaders with control, most ops of which are gone, and pays where one is bound to several models; and for straight ones that are so
//! long that new memory costs more than the walk.

use crate::edit::has_control;
use parallax_core::{
    EntityRef, Func, OpData, OpId, OpKind, PrimaryMap, RegionData, RegionId, Shader, State, ValueData, ValueDef,
    ValueId,
};

/// Ops from which on numbers matter: about a mebibyte.
const LONG: usize = 12_000;
/// Ops from which on it is done to straight shaders: about ten mebibytes.
const VERY_LONG: usize = 120_000;

/// Runs the pass.
pub fn run<S: State>(shader: &mut Shader<S>) {
    let func = &mut shader.func;
    let is_long = func.ops.len() >= VERY_LONG || func.ops.len() >= LONG && has_control(func);
    if is_long && func.live_ops() * 2 < func.ops.len() {
        renumber(func);
    }
}

/// The same for a function of any length.
pub fn renumber(func: &mut Func) {
    let old = Old {
        values: std::mem::take(&mut func.values),
        ops: std::mem::take(&mut func.ops),
        regions: std::mem::take(&mut func.regions),
    };
    let new = vec![ValueId::new(0); old.values.len()];
    let mut pass = Renumber { around: Vec::new(), new, old, func };
    let from = pass.func.body;
    let body = pass.make(from);
    pass.func.body = body;
    pass.region(from, body);
}

/// What was there before.
struct Old {
    values: PrimaryMap<ValueId, ValueData>,
    ops: PrimaryMap<OpId, OpData>,
    regions: PrimaryMap<RegionId, RegionData>,
}

struct Renumber<'f> {
    func: &'f mut Func,
    old: Old,
    /// The new number of each value met so far.
    new: Vec<ValueId>,
    /// Ops that hold the op at hand, with their new numbers.
    around: Vec<(OpId, OpId)>,
}

impl Renumber<'_> {
    /// A region for the ops of an old one, with its parameters.
    fn make(&mut self, old: RegionId) -> RegionId {
        let cost = self.old.regions[old].cost;
        let region = self.func.regions.push(RegionData { cost, ..RegionData::default() });
        for n in 0..self.old.regions[old].params.len() {
            let param = self.old.regions[old].params[n];
            self.new[param.index()] = self.func.add_param(region, self.old.values[param].ty);
        }
        region
    }

    fn region(&mut self, from: RegionId, region: RegionId) {
        let mut ops = std::mem::take(&mut self.old.regions[from].ops);
        for place in &mut ops {
            let old = *place;
            let op = self.op(old);
            *place = op;
            if !self.func.ops[op].regions.is_empty() {
                self.around.push((old, op));
                for n in 0..self.func.ops[op].regions.len() {
                    let inner = self.func.ops[op].regions[n];
                    let made = self.make(inner);
                    self.func.ops[op].regions[n] = made;
                    self.region(inner, made);
                }
                self.around.pop();
            }
        }
        self.func.regions[region].ops = ops;
    }

    /// Moves an op; its regions are still the old ones.
    fn op(&mut self, old: OpId) -> OpId {
        let mut data = std::mem::replace(&mut self.old.ops[old], nothing());
        let op = self.func.ops.next_key();
        for arg in &mut data.args {
            *arg = self.new[arg.index()];
        }
        for (n, result) in data.results.iter_mut().enumerate() {
            let ty = self.old.values[*result].ty;
            let value = self.func.values.push(ValueData { ty, def: ValueDef::Result(op, n as u16) });
            self.new[result.index()] = value;
            *result = value;
        }
        if let OpKind::Break(target) | OpKind::Continue(target) = &mut data.kind
            && let Some(&(_, to)) = self.around.iter().rfind(|(from, _)| from == target)
        {
            *target = to;
        }
        self.func.ops.push(data)
    }
}

/// What is left where an op was.
fn nothing() -> OpData {
    OpData::new(OpKind::Yield)
}
