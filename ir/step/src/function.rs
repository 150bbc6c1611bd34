//! Functions over primitives: a shader whose arithmetic is steps. Regions, reads, outputs and control are those of the IR.

use crate::prim::{Prim, Ty};
use crate::program::{Id, Inst};
use parallax_core::{Effect, OpKind, Stage};
use parallax_num::{Op, Rule, Slot, Storage};
use smallvec::SmallVec;

/// Values that an op takes or gives: nearly always few, which then stand in the list itself.
pub type Ids = SmallVec<[Id; 4]>;

/// Number of an op in a function.
pub type OpNumber = u32;
/// Number of a region in a function.
pub type RegionNumber = u32;

/// An operation that `parallax_num::eval` computes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The operation.
    pub op: Op,
    /// Its rule; any for operations without one.
    pub rule: Rule,
    /// The slot that the rule is bound for, in [`Function::slots`].
    pub slot: Option<u32>,
    /// Container of the operand of a conversion; otherwise the rule's.
    pub source: Storage,
}

/// What an op does.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Kind {
    /// A primitive, taken at a type, with its immediate.
    Step(Prim, Ty, u64),
    /// `mask, value, operands...`: the operation in lanes where the mask is true, elsewhere the value.
    Redo(u32),
    /// The operation in all lanes: what has no step program. Counted as a fallback.
    Call(u32),
    /// Everything that is no arithmetic, as the IR has it. Floats that it reads are patterns (`i32`), results of texture
    /// lookups `f32`; values are held in the types of step form. The target of a `break` or `continue` is the number of an op
    /// of this function.
    Ir(OpKind),
}

/// An op.
#[derive(Clone, Debug, PartialEq)]
pub struct OpData {
    /// What it does.
    pub kind: Kind,
    /// Operands.
    pub args: Ids,
    /// Results.
    pub results: Ids,
    /// Regions it holds.
    pub regions: Vec<RegionNumber>,
}

impl OpData {
    /// The initial operands of an `if`, `block` or `loop`, one per result; they stand behind the other operands.
    pub fn initial(&self) -> &[Id] {
        &self.args[self.args.len().saturating_sub(self.results.len())..]
    }

    /// Its primitive as an instruction.
    pub fn inst(&self) -> Option<Inst> {
        match self.kind {
            Kind::Step(prim, ty, imm) => Some(Inst::new(prim, ty, imm, &self.args)),
            _ => None,
        }
    }
}

/// A region: parameters, then ops, the last a terminator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Parameters.
    pub params: Vec<Id>,
    /// Ops in order.
    pub ops: Vec<OpNumber>,
}

/// Type of an output component and the bits of it that are kept.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OutputType {
    /// Type of the value.
    pub ty: Ty,
    /// Bits of a plane's word.
    pub bits: u32,
}

/// A shader in step form.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Name, for listings.
    pub name: String,
    /// Frontend it came from.
    pub isa: String,
    /// Stage.
    pub stage: Stage,
    /// Label of the model.
    pub model: String,
    /// Attributes of the interface.
    pub attrs: u32,
    /// Types of the components of the outputs.
    pub outputs: Vec<[Option<OutputType>; 4]>,
    /// Type of the elements of each local array, and their number.
    pub arrays: Vec<(Ty, u32)>,
    /// Slots that calls name.
    pub slots: Vec<Slot>,
    /// Calls, without repeats.
    pub calls: Vec<Call>,
    /// Types of the values.
    pub values: Vec<Ty>,
    /// Ops, dropped ones too.
    pub ops: Vec<OpData>,
    /// Of each op the number of the op of the IR that it was made for; empty in a function that was read from a text.
    pub origins: Vec<u32>,
    /// Regions.
    pub regions: Vec<Region>,
    /// The outermost region.
    pub body: RegionNumber,
}

/// How much of what a function has.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Primitives.
    pub steps: usize,
    /// Operations that are redone in marked lanes.
    pub redone: usize,
    /// Operations without step program.
    pub fallbacks: usize,
    /// All other ops.
    pub others: usize,
}

impl Function {
    /// Visits every live op in execution order, outer before inner.
    pub fn walk(&self, mut visit: impl FnMut(RegionNumber, OpNumber)) {
        let mut stack = vec![(self.body, 0usize)];
        while let Some((region, from)) = stack.pop() {
            for (at, &op) in self.regions[region as usize].ops.iter().enumerate().skip(from) {
                visit(region, op);
                let inner = &self.ops[op as usize].regions;
                if !inner.is_empty() {
                    stack.push((region, at + 1));
                    stack.extend(inner.iter().rev().map(|&inner| (inner, 0)));
                    break;
                }
            }
        }
    }

    /// Counts its ops.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.walk(|_, op| match self.ops[op as usize].kind {
            Kind::Step(..) => counts.steps += 1,
            Kind::Redo(_) => counts.redone += 1,
            Kind::Call(_) => counts.fallbacks += 1,
            Kind::Ir(_) => counts.others += 1,
        });
        counts
    }

    /// The operations without step program, one entry for each op.
    pub fn fallbacks(&self) -> Vec<&Call> {
        let mut calls = Vec::new();
        self.walk(|_, op| {
            if let Kind::Call(call) = self.ops[op as usize].kind {
                calls.push(&self.calls[call as usize]);
            }
        });
        calls
    }

    /// Drops ops whose results nobody reads.
    pub fn drop_dead(&mut self) {
        let mut order = Vec::with_capacity(self.ops.len());
        self.walk(|_, op| order.push(op));
        let mut live = vec![false; self.values.len()];
        let mut keep = vec![true; self.ops.len()];
        let mut dead = false;
        // Definitions stand before uses, so that one pass from the end sees all uses first; what a loop carries is kept by
        // its `continue`.
        for &op in order.iter().rev() {
            let data = &self.ops[op as usize];
            let useless = match data.kind {
                Kind::Step(..) | Kind::Redo(_) | Kind::Call(_) => true,
                Kind::Ir(kind) => matches!(kind.effect(), Effect::Pure | Effect::Read | Effect::Convergent),
            };
            if !useless || data.results.iter().any(|&v| live[v as usize]) {
                data.args.iter().for_each(|&v| live[v as usize] = true);
            } else {
                (keep[op as usize], dead) = (false, true);
            }
        }
        if dead {
            for region in &mut self.regions {
                region.ops.retain(|&op| keep[op as usize]);
            }
        }
    }
}
