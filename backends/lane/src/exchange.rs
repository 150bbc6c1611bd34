//! What lanes exchange where a subgroup is several blocks.
//!
//! Such a subgroup executes in step, its blocks do not: each runs up to what is exchanged, and goes on when all of them are there.
//! So all have to get there, those included in which no lane executes, wherever a lane of any block does: jumps over code that
//! exchanges ask the whole subgroup. Where lanes may touch words that others of their subgroup change, blocks wait for each other
//! before every access, too.

use crate::form::{Exchange, Label, Op, Reg, Turns};
use crate::lower::Lowerer;
use parallax_core::OpKind;
use parallax_step::{Function as Steps, Kind, OpData, RegionNumber};

/// How a function runs whose subgroups are several blocks.
pub(crate) struct Wide {
    /// Of each region whether blocks wait for each other in it or in what it holds.
    pub(crate) regions: Vec<bool>,
    /// Whether they do before each access to memory.
    pub(crate) in_step: bool,
}

impl Wide {
    /// `turns`: which lanes of a subgroup may run in any order.
    pub(crate) fn new(steps: &Steps, turns: Turns) -> Wide {
        let in_step = match turns {
            Turns::Blocks => false,
            Turns::Rows => !steps.workgroup[0].is_multiple_of(steps.subgroup),
            Turns::Quads => true,
        };
        let waits = |kind: &Kind| match kind {
            Kind::Ir(OpKind::GroupShuffle | OpKind::GroupBallot { .. } | OpKind::GroupBarrier) => true,
            Kind::Ir(kind) => in_step && (is_access(*kind) || *kind == OpKind::Barrier),
            _ => false,
        };
        let mut regions = vec![false; steps.regions.len()];
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for (region, data) in steps.regions.iter().enumerate() {
                let holds = |number: &u32| {
                    let op = &steps.ops[*number as usize];
                    waits(&op.kind) || op.regions().any(|inner| regions[inner as usize])
                };
                if !regions[region] && data.ops.iter().any(holds) {
                    (regions[region], is_new) = (true, true);
                }
            }
        }
        Wide { regions, in_step }
    }
}

/// Whether an op reads or changes memory.
fn is_access(kind: OpKind) -> bool {
    kind.writes_memory() || matches!(kind, OpKind::BufferLoad { .. } | OpKind::ImageLoad { .. })
}

impl Lowerer<'_> {
    /// The number of a new stop.
    pub(crate) fn stop(&mut self) -> u32 {
        self.out.stops += 1;
        self.out.stops - 1
    }

    pub(crate) fn shuffle(&mut self, op: &OpData, exec: Option<Reg>) {
        let lanes = exec.unwrap_or_else(|| self.everybody());
        let args = self.steps.args(op);
        let ty = self.ty(args[0]);
        let (from, index, to) = (self.value(args[0]), self.value(args[1])[0], self.result(op.result(), false));
        let count = if ty.is_wide() { 2 } else { 1 };
        let mut uses = vec![lanes];
        uses.extend_from_slice(&from[..count]);
        uses.push(index);
        let stop = self.stop();
        self.emit(Op::Exchange(Exchange::Shuffle(ty), stop), &uses, &to[..count]);
    }

    pub(crate) fn ballot(&mut self, word: u8, op: &OpData, exec: Option<Reg>) {
        let lanes = exec.unwrap_or_else(|| self.everybody());
        let predicate = self.value(self.steps.args(op)[0])[0];
        let to = self.result(op.result(), false);
        let stop = self.stop();
        self.emit(Op::Exchange(Exchange::Ballot(word), stop), &[lanes, predicate], &to[..1]);
    }

    /// Before an op: blocks of a subgroup wait for each other where they have to.
    pub(crate) fn wait_for_access(&mut self, kind: OpKind, exec: Option<Reg>) {
        let Some(wide) = &self.wide else { return };
        if wide.in_step && is_access(kind) || kind == OpKind::GroupBarrier {
            let lanes = exec.unwrap_or_else(|| self.everybody());
            let stop = self.stop();
            self.emit(Op::Exchange(Exchange::Nothing, stop), &[lanes], &[]);
        }
    }

    /// Whether blocks of a subgroup wait for each other in a region.
    pub(crate) fn stops_in(&self, region: RegionNumber) -> bool {
        self.wide.as_ref().is_some_and(|wide| wide.regions[region as usize])
    }

    /// What says whether a jump over a region, or out of it, is taken: the lanes that would execute it, of the whole subgroup where
    /// blocks wait for each other in it and may come to different answers.
    pub(crate) fn asked(&mut self, lanes: Reg, region: RegionNumber, is_alike: bool) -> Reg {
        if is_alike || !self.stops_in(region) {
            return lanes;
        }
        let any = self.mask();
        let stop = self.stop();
        self.emit(Op::Exchange(Exchange::Any, stop), &[lanes], &[any]);
        any
    }

    /// Goes elsewhere unless some lanes execute a region.
    pub(crate) fn skip(&mut self, lanes: Reg, region: RegionNumber, is_alike: bool, to: Label) {
        let asked = self.asked(lanes, region, is_alike);
        self.emit(Op::JumpUnlessAny(to), &[asked], &[]);
    }
}
