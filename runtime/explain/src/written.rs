//! One program of the two that two drivers make of a shader: where they differ, both forms are there, and a predicate chooses. So
//! what a driver rewrites is exchanged like a rule.

use parallax::{clean_up, rewritten_by_driver};
use parallax_core::num::{Model, Op};
use parallax_core::{
    EntityRef, Func, OpData, OpId, OpKind, Origins, RegionId, Shader, Symbolic, Type, ValueDef, ValueId,
};
use std::collections::HashMap;

/// What a driver does to an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewritten {
    /// The field of the model that says so.
    pub(crate) field: &'static str,
    /// The operation that becomes something else.
    pub(crate) op: &'static str,
    /// The field's value under the model and under the other one.
    pub(crate) values: [String; 2],
    /// What is done, and by which of the two.
    pub(crate) deed: Deed,
}

/// What drivers do to instructions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The model's driver makes one multiply-add of a product and a sum, and the other one does not.
    Contracted,
    /// The other driver does.
    LeftApart,
    /// Sums or products are ordered anew, or what cancels is removed.
    Reordered,
    /// A function stands for another formula.
    Formula,
}

/// The program of both drivers.
pub(crate) struct Written {
    /// With every choice made for the model.
    pub(crate) shader: Shader<Symbolic>,
    /// The literals that choose: true for the model.
    pub(crate) choices: HashMap<OpId, Rewritten>,
}

impl Written {
    /// The shader as the drivers of two models rewrite it.
    pub(crate) fn of(shader: &Shader<Symbolic>, model: &Model, against: &Model) -> Written {
        let is_written = |model: &Model| model.rewrites() != Default::default();
        // Drivers look at what is read; where there is nothing to look at, the program stays as it is.
        let plain = if is_written(model) || is_written(against) { clean_up(shader.clone()) } else { shader.clone() };
        let [a, b] = [model, against].map(|model| rewritten_by_driver(plain.clone(), model));
        let mut merge = Merge {
            plain: &plain.func,
            func: a.func,
            other: &b.func,
            values: HashMap::new(),
            chosen: HashMap::new(),
            first: Vec::new(),
            choices: HashMap::new(),
            models: [model, against],
        };
        merge.run();
        let Merge { func, choices, .. } = merge;
        if choices.is_empty() && !is_written(model) {
            return Written { shader: Shader::new(func), choices };
        }
        let shader = clean_up(Shader::new(func));
        // A choice between what nobody reads any more is none.
        let mut live = HashMap::new();
        shader.func.walk(|_, op| {
            live.extend(choices.get(&op).map(|rewritten| (op, rewritten.clone())));
        });
        Written { shader, choices: live }
    }
}

struct Merge<'a> {
    /// The program before.
    plain: &'a Func,
    /// The model's, which becomes the program of both.
    func: Func,
    /// That of the other driver.
    other: &'a Func,
    /// Values that the other driver made, by their names there.
    values: HashMap<ValueId, ValueId>,
    /// The predicates, by the instructions that they are for and what they choose.
    chosen: HashMap<(Vec<usize>, &'static str, &'static str), ValueId>,
    /// Their literals, for the beginning of the program.
    first: Vec<OpId>,
    choices: HashMap<OpId, Rewritten>,
    models: [&'a Model; 2],
}

impl Merge<'_> {
    fn run(&mut self) {
        let mut homes: Vec<RegionId> = Vec::new();
        self.plain.walk(|region, _| {
            if !homes.contains(&region) {
                homes.push(region);
            }
        });
        for region in homes {
            self.in_region(region);
        }
        let body = self.func.body;
        let first = std::mem::take(&mut self.first);
        self.func.regions[body].ops.splice(..0, first);
    }

    fn is_new(&self, op: OpId) -> bool {
        op.index() >= self.plain.ops.len()
    }

    /// Goes through the ops that were there before, each behind what the drivers put before it.
    fn in_region(&mut self, region: RegionId) {
        let own = std::mem::take(&mut self.func.regions[region].ops);
        let mut others = self.other.regions[region].ops.iter().copied().peekable();
        for op in own {
            if self.is_new(op) {
                self.func.regions[region].ops.push(op);
                continue;
            }
            while let Some(made) = others.next_if(|&made| self.is_new(made)) {
                self.import(region, made);
            }
            let same = others.next();
            debug_assert_eq!(same, Some(op), "drivers leave ops in their order");
            self.join(region, op);
        }
    }

    /// An op that the other driver made.
    fn import(&mut self, region: RegionId, op: OpId) {
        let data = self.imported(op);
        let types: Vec<Type> = self.other.ops[op].results.iter().map(|&value| self.other.ty(value)).collect();
        let made = self.func.push_op(region, data, &types);
        for (n, &value) in self.other.ops[op].results.iter().enumerate() {
            self.values.insert(value, self.func.ops[made].results[n]);
        }
    }

    /// The other driver's form of an op, without results.
    fn imported(&mut self, op: OpId) -> OpData {
        let data = &self.other.ops[op];
        let slot = data.slot.map(|slot| self.func.slot(self.other.slots[slot]));
        let args = data.args.iter().map(|&arg| self.value(arg)).collect();
        OpData { slot, args, origins: data.origins.clone(), ..OpData::new(data.kind) }
    }

    fn value(&self, value: ValueId) -> ValueId {
        self.values.get(&value).copied().unwrap_or(value)
    }

    /// An op that both have, with a choice where they differ.
    fn join(&mut self, region: RegionId, op: OpId) {
        let other = self.imported(op);
        let own = &self.func.ops[op];
        let is_same = own.kind == other.kind && own.slot == other.slot && own.args.len() == other.args.len();
        if is_same {
            let pairs: Vec<(ValueId, ValueId)> = own.args.iter().copied().zip(other.args.iter().copied()).collect();
            for (n, (a, b)) in pairs.into_iter().enumerate().filter(|(_, (a, b))| a != b) {
                // Its operand was rewritten, not the op.
                let was = self.plain.ops[op].args.get(n).and_then(|&value| self.plain.def_op(value)).unwrap_or(op);
                let chosen = self.choose(region, was, a, b, Deed::Reordered);
                self.func.ops[op].args[n] = chosen;
            }
            self.func.regions[region].ops.push(op);
            return;
        }
        let is_mad = |kind: OpKind| kind == OpKind::Num(Op::Mad);
        let deed = match (is_mad(own.kind), is_mad(other.kind)) {
            (true, false) => Deed::Contracted,
            (false, true) => Deed::LeftApart,
            _ => Deed::Reordered,
        };
        let types: Vec<Type> = own.results.iter().map(|&value| self.func.ty(value)).collect();
        let own =
            OpData { slot: own.slot, args: own.args.clone(), origins: own.origins.clone(), ..OpData::new(own.kind) };
        let [a, b] = [own, other].map(|data| {
            let made = self.func.push_op(region, data, &types);
            self.func.ops[made].results[0]
        });
        let choice = self.choice(op, deed);
        let data = &mut self.func.ops[op];
        (data.kind, data.slot) = (OpKind::Select, None);
        data.args = [choice, a, b].into_iter().collect();
        self.func.regions[region].ops.push(op);
    }

    /// The value of the driver that is chosen, for what an op was.
    fn choose(&mut self, region: RegionId, was: OpId, a: ValueId, b: ValueId, deed: Deed) -> ValueId {
        let choice = self.choice(was, deed);
        let origins = self.plain.ops[was].origins.clone();
        let args = [choice, a, b].into_iter().collect();
        let ty = self.func.ty(a);
        let op = self.func.push_op(region, OpData { args, origins, ..OpData::new(OpKind::Select) }, &[ty]);
        self.func.ops[op].results[0]
    }

    /// The predicate for what becomes of an op.
    fn choice(&mut self, was: OpId, deed: Deed) -> ValueId {
        let data = &self.plain.ops[was];
        let (field, op) = match data.kind {
            OpKind::Library(_) => ("library", data.kind.word()),
            kind => ("driver", kind.word()),
        };
        let key = (data.origins.iter().map(|source| source.index()).collect(), field, op);
        if let Some(&known) = self.chosen.get(&key) {
            return known;
        }
        let origins: Origins = data.origins.clone();
        let literal = self.func.ops.push(OpData { origins, ..OpData::new(OpKind::Literal(1)) });
        self.func.add_results(literal, [Type::Pred]);
        self.first.push(literal);
        let value = |model: &Model| match field {
            "library" => model.library().0.name().to_string(),
            _ => model.rewrites().to_string(),
        };
        let values = self.models.map(value);
        let deed = if field == "library" { Deed::Formula } else { deed };
        self.choices.insert(literal, Rewritten { field, op, values, deed });
        let value = self.func.ops[literal].results[0];
        debug_assert_eq!(self.func.values[value].def, ValueDef::Result(literal, 0));
        self.chosen.insert(key, value);
        value
    }
}
