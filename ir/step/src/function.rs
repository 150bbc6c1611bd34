//! Functions over primitives: a shader whose arithmetic is steps. Regions, reads, outputs and control are those of the IR.

use crate::prim::Ty;
use crate::program::{Facts, Id, Inst};
use parallax_core::{Effect, OpId, OpKind, Stage};
use parallax_num::{Op, Rule, Slot, Storage};
use std::ops::Range;

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
    /// A primitive with its operands.
    Step(Inst),
    /// `mask, value, operands...`: the operation in lanes where the mask is true, elsewhere the value.
    Redo(u32),
    /// The operation in all lanes: what has no step program. Counted as a fallback.
    Call(u32),
    /// Everything that is no arithmetic, as the IR has it. Floats that it reads are patterns (`i32`), results of texture
    /// lookups `f32`; values are held in the types of step form. The target of a `break` or `continue` is the number of an op
    /// of this function.
    Ir(OpKind),
    /// An op of the bound shader was evaluated: its operands, then its results. Only [`crate::legalise_traced`] makes it.
    Trace(OpId),
}

/// Numbers that follow one another.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    first: u32,
    count: u32,
}

impl Row {
    fn range(self) -> Range<u32> {
        self.first..self.first + self.count
    }
}

/// An op. Long shaders have many: what most have little of stands in lists of the function.
#[derive(Clone, Debug, PartialEq)]
pub struct OpData {
    /// What it does.
    pub kind: Kind,
    /// Its operands among those of the function; none of a primitive, which has its own.
    operands: Row,
    results: Row,
    regions: Row,
}

impl OpData {
    /// Its results.
    #[inline]
    pub fn results(&self) -> Range<Id> {
        self.results.range()
    }

    /// Its only result.
    #[inline]
    pub fn result(&self) -> Id {
        self.results.first
    }

    /// Regions it holds.
    #[inline]
    pub fn regions(&self) -> Range<RegionNumber> {
        self.regions.range()
    }

    /// Its primitive.
    #[inline]
    pub fn inst(&self) -> Option<&Inst> {
        match &self.kind {
            Kind::Step(inst) => Some(inst),
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
    /// Of the body of a loop the fuel that a back edge takes, if that is more than one; else 0.
    pub cost: u32,
}

impl Region {
    /// Fuel that a back edge to this body of a loop takes.
    pub fn back_edge_cost(&self) -> u32 {
        self.cost.max(1)
    }
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
    /// Invocations of a workgroup along x, y and z; all 1 outside of compute.
    pub workgroup: [u32; 3],
    /// Of each buffer the words that every workgroup has of it; none where it is a buffer of the caller.
    pub shared_words: Vec<Option<u32>>,
    /// Lanes of a subgroup: 4 where no op depends on it.
    pub subgroup: u32,
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
    /// What is known of the values; empty where nobody asked for it.
    pub facts: Vec<Facts>,
    /// Ops, dropped ones too.
    pub ops: Vec<OpData>,
    /// Operands of ops that are no primitives.
    pub(crate) operands: Vec<Id>,
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
    /// Operations that are redone in slow lanes.
    pub redone: usize,
    /// Operations without step program.
    pub fallbacks: usize,
    /// All other ops.
    pub others: usize,
}

impl Function {
    /// A fragment shader without ops.
    pub fn new(name: &str) -> Function {
        Function {
            name: name.to_string(),
            isa: String::new(),
            stage: Stage::Fragment,
            workgroup: [1; 3],
            shared_words: Vec::new(),
            subgroup: 4,
            model: String::new(),
            attrs: 0,
            outputs: Vec::new(),
            arrays: Vec::new(),
            slots: Vec::new(),
            calls: Vec::new(),
            values: Vec::new(),
            facts: Vec::new(),
            ops: Vec::new(),
            operands: Vec::new(),
            origins: Vec::new(),
            regions: vec![Region::default()],
            body: 0,
        }
    }

    /// Operands of an op.
    #[inline]
    pub fn args<'a>(&'a self, op: &'a OpData) -> &'a [Id] {
        match &op.kind {
            Kind::Step(inst) => inst.args(),
            _ => &self.operands[op.operands.first as usize..][..op.operands.count as usize],
        }
    }

    /// The initial operands of an `if`, `block` or `loop`, one per result; they stand behind the other operands.
    pub fn initial(&self, op: &OpData) -> &[Id] {
        let Row { first, count } = op.operands;
        &self.operands[(first + count.saturating_sub(op.results.count)) as usize..(first + count) as usize]
    }

    /// Adds a primitive to a region, and its result.
    #[inline]
    pub fn add_step(&mut self, region: RegionNumber, inst: Inst) -> Id {
        let result = self.values.len() as Id;
        self.values.push(inst.result());
        let number = self.ops.len() as OpNumber;
        let results = Row { first: result, count: 1 };
        self.ops.push(OpData { kind: Kind::Step(inst), operands: Row::default(), results, regions: Row::default() });
        self.regions[region as usize].ops.push(number);
        result
    }

    /// Adds an op that is no primitive to a region, and results of these types: gives the first of them.
    pub fn add(&mut self, region: RegionNumber, kind: Kind, args: &[Id], results: &[Ty]) -> Id {
        let operands = Row { first: self.operands.len() as u32, count: args.len() as u32 };
        self.operands.extend(args);
        let results_at = Row { first: self.values.len() as u32, count: results.len() as u32 };
        self.values.extend(results);
        let number = self.ops.len() as OpNumber;
        self.ops.push(OpData { kind, operands, results: results_at, regions: Row::default() });
        self.regions[region as usize].ops.push(number);
        results_at.first
    }

    /// Adds regions to an op that has none yet.
    pub fn add_regions(&mut self, op: OpNumber, count: usize) -> Range<RegionNumber> {
        let regions = Row { first: self.regions.len() as u32, count: count as u32 };
        self.regions.resize_with(self.regions.len() + count, Region::default);
        self.ops[op as usize].regions = regions;
        regions.range()
    }

    /// Visits every live op in execution order, outer before inner.
    pub fn walk(&self, mut visit: impl FnMut(RegionNumber, OpNumber)) {
        let mut stack = vec![(self.body, 0usize)];
        while let Some((region, from)) = stack.pop() {
            for (at, &op) in self.regions[region as usize].ops.iter().enumerate().skip(from) {
                visit(region, op);
                let inner = self.ops[op as usize].regions();
                if !inner.is_empty() {
                    stack.push((region, at + 1));
                    stack.extend(inner.rev().map(|inner| (inner, 0)));
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
            Kind::Ir(_) | Kind::Trace(_) => counts.others += 1,
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
        let mut inner = Vec::new();
        if self.regions.len() > 1 {
            self.walk(|_, op| inner.push(op));
        }
        // Without regions the order is that of the body.
        let order: &[OpNumber] = if inner.is_empty() { &self.regions[self.body as usize].ops } else { &inner };
        let mut live = vec![false; self.values.len()];
        let mut dead = Vec::new();
        // Definitions stand before uses, so that one pass from the end sees all uses first; what a loop carries is kept by
        // its `continue`.
        for &number in order.iter().rev() {
            let op = &self.ops[number as usize];
            let is_live = match &op.kind {
                Kind::Step(_) | Kind::Redo(_) | Kind::Call(_) => live[op.result() as usize],
                Kind::Ir(kind) => {
                    !matches!(kind.effect(), Effect::Pure | Effect::Read | Effect::Convergent)
                        || op.results().any(|v| live[v as usize])
                }
                Kind::Trace(_) => true,
            };
            if is_live {
                self.args(op).iter().for_each(|&v| live[v as usize] = true);
            } else {
                dead.push(number);
            }
        }
        if dead.is_empty() {
            return;
        }
        let mut keep = vec![true; self.ops.len()];
        dead.into_iter().for_each(|op| keep[op as usize] = false);
        for region in &mut self.regions {
            region.ops.retain(|&op| keep[op as usize]);
        }
    }
}
