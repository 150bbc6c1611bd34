//! The body of a shader: values, ops, regions.

mod kept;

use crate::entity::entity;
use crate::{EntityList, Interface, OpKind, PrimaryMap, RuleId, Sources, Stage, Type};
use kept::Lists;
use parallax_num::Slot;
use smallvec::SmallVec;

entity!(
    /// A value: one component across all lanes.
    ValueId, "%"
);
entity!(
    /// An op. Loops and blocks are printed as labels, `^3`.
    OpId, "^"
);
entity!(
    /// A region.
    RegionId, "region"
);
entity!(
    /// A precision slot of this shader.
    SlotId, "p"
);
entity!(
    /// A local array.
    ArrayId, "a"
);
entity!(
    /// A source instruction.
    SourceId, "@"
);

/// The source instructions an op came from: sorted, without repeats.
pub type Origins = EntityList<SourceId>;

/// How a value comes to be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// Result number of an op.
    Result(OpId, u16),
    /// Parameter number of a region.
    Param(RegionId, u16),
}

/// A value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Where it is defined.
    pub def: ValueDef,
}

/// An op.
#[derive(Debug, PartialEq)]
pub struct OpData {
    /// What it does.
    pub kind: OpKind,
    /// Precision slot, where the kind has one.
    pub slot: Option<SlotId>,
    /// Rule, in bound shaders, exactly where there is a slot.
    pub rule: Option<RuleId>,
    /// Operands.
    pub args: EntityList<ValueId>,
    /// Regions it holds.
    pub regions: EntityList<RegionId>,
    /// Results.
    pub results: EntityList<ValueId>,
    /// Source instructions it came from.
    pub origins: Origins,
}

impl OpData {
    /// An op of a kind, without anything else.
    pub fn new(kind: OpKind) -> OpData {
        OpData {
            kind,
            slot: None,
            rule: None,
            args: EntityList::new(),
            regions: EntityList::new(),
            results: EntityList::new(),
            origins: Origins::new(),
        }
    }

    /// The initial operands of an `if`, `block` or `loop`, one per result; they stand behind the other operands.
    pub fn initial(&self) -> &[ValueId] {
        &self.args[self.args.len().saturating_sub(self.results.len())..]
    }
}

impl Clone for OpData {
    /// Copying bodies is most of what binding costs. With all lists short nothing can fail half way, so that the copy is made
    /// where it stays.
    #[inline]
    fn clone(&self) -> Self {
        let OpData { kind, slot, rule, ref args, ref regions, ref results, ref origins } = *self;
        match (args.if_few(), regions.if_few(), results.if_few(), origins.if_few()) {
            (Some(args), Some(regions), Some(results), Some(origins)) => OpData {
                kind,
                slot,
                rule,
                args: EntityList::few(args.0, args.1),
                regions: EntityList::few(regions.0, regions.1),
                results: EntityList::few(results.0, results.1),
                origins: EntityList::few(origins.0, origins.1),
            },
            _ => OpData {
                kind,
                slot,
                rule,
                args: args.clone(),
                regions: regions.clone(),
                results: results.clone(),
                origins: origins.clone(),
            },
        }
    }
}

/// Ops of a loop's body that one unit of fuel pays for.
pub const OPS_PER_FUEL: usize = 64;

/// A region: parameters, then ops, the last a terminator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionData {
    /// Parameters.
    pub params: EntityList<ValueId>,
    /// Ops in order.
    pub ops: Vec<OpId>,
    /// Of the body of a loop the fuel that a back edge takes, or 0: then it follows from the ops that are there now
    /// ([`Func::back_edge_cost`]).
    pub cost: u32,
}

/// A local array.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayDecl {
    /// The source's own spelling.
    pub name: String,
    /// Element type.
    pub ty: Type,
    /// Number of elements.
    pub len: u32,
}

/// A shader body with its interface. Data is apart from order: ops live in `ops`, their order in `regions`.
#[derive(Clone, Debug, PartialEq)]
pub struct Func {
    /// Name, for listings and reports.
    pub name: String,
    /// Frontend it came from, such as `tgsi`.
    pub isa: String,
    /// Whether a driver's compiler still reads the program; machine code is what one left.
    pub uncompiled: bool,
    /// What it reads and writes.
    pub iface: Interface,
    /// Values.
    pub values: PrimaryMap<ValueId, ValueData>,
    /// Ops, including dropped ones (in no region any more).
    pub ops: PrimaryMap<OpId, OpData>,
    /// Regions, including dropped ones.
    pub regions: PrimaryMap<RegionId, RegionData>,
    /// Slots, without repeats.
    pub slots: PrimaryMap<SlotId, Slot>,
    /// Local arrays.
    pub arrays: PrimaryMap<ArrayId, ArrayDecl>,
    /// Source instructions.
    pub sources: Sources,
    /// The outermost region; it ends in a `yield` without operands.
    pub body: RegionId,
}

impl Func {
    /// An empty body without terminator.
    pub fn new(name: impl Into<String>, isa: impl Into<String>, stage: Stage) -> Self {
        let Lists { values, ops, mut regions, body } = Lists::take();
        let body = regions.push(RegionData { ops: body, ..RegionData::default() });
        Func {
            name: name.into(),
            isa: isa.into(),
            uncompiled: false,
            iface: Interface::new(stage),
            values,
            ops,
            regions,
            slots: PrimaryMap::default(),
            arrays: PrimaryMap::default(),
            sources: Sources::default(),
            body,
        }
    }

    /// The id of `slot`, made if new.
    pub fn slot(&mut self, slot: Slot) -> SlotId {
        let known = self.slots.iter().find(|&(_, s)| *s == slot).map(|(id, _)| id);
        known.unwrap_or_else(|| self.slots.push(slot))
    }

    /// Fuel that a back edge of a loop takes: one for every [`OPS_PER_FUEL`] ops on the longest way through its body, at least one. The
    /// ops of loops inside are not counted, as those pay for themselves.
    pub fn back_edge_cost(&self, looped: OpId) -> u32 {
        let Some(&body) = self.ops[looped].regions.first() else { return 1 };
        if self.regions[body].cost > 0 {
            return self.regions[body].cost;
        }
        u32::try_from(self.longest_way(body) / OPS_PER_FUEL).unwrap_or(u32::MAX).max(1)
    }

    /// The most ops that a lane executes in a region, without those of loops inside. Regions are nested as deep as the verifier allows.
    fn longest_way(&self, region: RegionId) -> usize {
        let inside = |op: OpId| match self.ops[op].kind {
            OpKind::Loop => 0,
            _ => self.ops[op].regions.iter().map(|&inner| self.longest_way(inner)).max().unwrap_or(0),
        };
        self.regions[region].ops.iter().map(|&op| 1 + inside(op)).sum()
    }

    /// From here on back edges cost what they do now, however many ops passes leave of the loops.
    pub fn fix_costs(&mut self) {
        let mut costs = Vec::new();
        self.walk(|_, op| {
            if self.ops[op].kind == OpKind::Loop {
                costs.push((self.ops[op].regions.first().copied(), self.back_edge_cost(op)));
            }
        });
        for (body, cost) in costs {
            if let Some(body) = body {
                self.regions[body].cost = cost;
            }
        }
    }

    /// Whether the body has ops of subgroups ([`OpKind::is_of_subgroups`]).
    pub fn has_subgroup_ops(&self) -> bool {
        let mut any = false;
        self.walk(|_, op| any |= self.ops[op].kind.is_of_subgroups());
        any
    }

    /// Keeps a kernel cut into subgroups after passes that removed its last op of them: who runs in step decides what a race leaves
    /// in memory. `had`: whether it had such ops before.
    pub fn keep_subgroups(&mut self, had: bool) {
        self.iface.in_subgroups |= had && self.iface.stage == Stage::Compute && !self.has_subgroup_ops();
    }

    /// Makes room for `ops` more ops with one result each.
    pub fn reserve(&mut self, ops: usize) {
        self.ops.reserve(ops);
        self.values.reserve(ops);
        self.regions[self.body].ops.reserve(ops);
    }

    /// Type of a value.
    #[inline]
    pub fn ty(&self, value: ValueId) -> Type {
        self.values[value].ty
    }

    /// The op a value is the result of; `None` for parameters.
    #[inline]
    pub fn def_op(&self, value: ValueId) -> Option<OpId> {
        match self.values[value].def {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Param(..) => None,
        }
    }

    /// Adds an op with results of the given types to the end of `region`; it has none yet.
    pub fn push_op(&mut self, region: RegionId, mut data: OpData, results: &[Type]) -> OpId {
        let id = self.ops.next_key();
        debug_assert!(data.results.is_empty());
        let values = results.iter().enumerate();
        let made = values.map(|(n, &ty)| self.values.push(ValueData { ty, def: ValueDef::Result(id, n as u16) }));
        data.results = made.collect();
        self.ops.push(data);
        self.regions[region].ops.push(id);
        id
    }

    /// Adds results to an op already made.
    pub fn add_results(&mut self, op: OpId, types: impl IntoIterator<Item = Type>) {
        let mut results: SmallVec<[ValueId; 16]> = SmallVec::from_slice(&self.ops[op].results);
        for ty in types {
            let def = ValueDef::Result(op, results.len() as u16);
            results.push(self.values.push(ValueData { ty, def }));
        }
        self.ops[op].results = EntityList::of(&results);
    }

    /// Adds a parameter to a region.
    pub fn add_param(&mut self, region: RegionId, ty: Type) -> ValueId {
        let n = self.regions[region].params.len() as u16;
        let value = self.values.push(ValueData { ty, def: ValueDef::Param(region, n) });
        self.regions[region].params.push(value);
        value
    }

    /// All live ops in execution order, outer before inner; the callback gets the region each stands in.
    pub fn walk(&self, mut visit: impl FnMut(RegionId, OpId)) {
        let mut stack = vec![(self.body, 0usize)];
        while let Some((region, from)) = stack.pop() {
            for (at, &op) in self.regions[region].ops.iter().enumerate().skip(from) {
                visit(region, op);
                let inner = &self.ops[op].regions;
                if !inner.is_empty() {
                    stack.push((region, at + 1));
                    stack.extend(inner.iter().rev().map(|&inner| (inner, 0)));
                    break;
                }
            }
        }
    }

    /// Number of live ops, terminators included.
    pub fn live_ops(&self) -> usize {
        let mut count = 0;
        let mut regions: SmallVec<[RegionId; 16]> = SmallVec::from_slice(&[self.body]);
        while let Some(region) = regions.pop() {
            let ops = &self.regions[region].ops;
            count += ops.len();
            for &op in ops {
                let inside = &self.ops[op].regions;
                if !inside.is_empty() {
                    regions.extend_from_slice(inside);
                }
            }
        }
        count
    }
}
