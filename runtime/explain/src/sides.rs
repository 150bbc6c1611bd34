//! Two bound forms of one shader, of which any mixture can be made.

use crate::written::{Rewritten, Written};
use parallax::{Change, Compiled, Engine, Optimise, Problems, compile_bound};
use parallax_core::num::{Decl, Model, Op, Rule, Slot, Storage};
use parallax_core::{Bound, EntityRef, Func, OpId, OpKind, PrimaryMap, RuleId, Shader, SourceId, Symbolic, TexOp};
use std::collections::HashMap;

/// One of two arithmetics.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that is asked about.
    Model,
    /// The one it is compared with.
    Against,
}

impl Side {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Model => Side::Against,
            Side::Against => Side::Model,
        }
    }
}

/// A shader under two arithmetics, in containers that hold the values of both: op by op it can be chosen which one
/// decides.
#[derive(Clone, Debug)]
pub struct Sides {
    model: Shader<Bound>,
    against: Shader<Bound>,
    /// Literals that choose between what the drivers make of an instruction.
    choices: HashMap<OpId, Rewritten>,
    /// Ops that the two compute by different rules, in the order of execution, and the instruction each belongs to.
    differing: Vec<(OpId, Option<SourceId>)>,
}

/// The narrowest container that holds the values of both.
fn common(a: Storage, b: Storage) -> Storage {
    match (a, b) {
        _ if a == b => a,
        (Storage::F64, _) | (_, Storage::F64) => Storage::F64,
        _ => Storage::F32,
    }
}

impl Sides {
    /// The shader under two models.
    ///
    /// What the drivers make of it beyond its functions is left out.
    pub fn of_models(shader: &Shader<Symbolic>, model: &Model, against: &Model) -> Sides {
        let shader = shader.clone().with_library_of(model);
        Sides::of_written(&Written { shader, choices: HashMap::new() }, model, against)
    }

    /// The program of two drivers under their models.
    pub(crate) fn of_written(written: &Written, model: &Model, against: &Model) -> Sides {
        let containers = Decl::ALL.map(|decl| common(model.storage(decl), against.storage(decl)));
        let bind = |model: &Model| written.shader.bind(&model.clone().in_containers(containers));
        let mut other = bind(against);
        for &choice in written.choices.keys() {
            other.func.ops[choice].kind = OpKind::Literal(0);
        }
        // What is around the shader is no matter of its instructions.
        let own = crate::around::with_that_of(bind(model), &other.state);
        Sides { choices: written.choices.clone(), ..Sides::made(own, other) }
    }

    /// Two bound shaders that differ in rules, those of lookups too, and literals alone; `None` if they differ in more.
    pub fn new(model: Shader<Bound>, against: Shader<Bound>) -> Option<Sides> {
        let (a, b) = (&model.func, &against.func);
        let same = |a: OpKind, b: OpKind| match (a, b) {
            (OpKind::Literal(_), OpKind::Literal(_)) => true,
            (OpKind::Tex(a), OpKind::Tex(b)) => a == TexOp { rule: a.rule, ..b },
            _ => a == b,
        };
        let alike = a.ops.len() == b.ops.len()
            && a.regions == b.regions
            && a.values == b.values
            && a.ops
                .values()
                .zip(b.ops.values())
                .all(|(a, b)| same(a.kind, b.kind) && a.args == b.args && a.slot == b.slot)
            && model.state.storage == against.state.storage;
        alike.then(|| Sides::made(model, against))
    }

    fn made(model: Shader<Bound>, against: Shader<Bound>) -> Sides {
        let mut differing = Vec::new();
        model.func.walk(|_, op| {
            let (a, b) = (&model.func.ops[op], &against.func.ops[op]);
            let rule = |s: &Shader<Bound>, id: Option<RuleId>| id.map(|id| s.state.rules[id]);
            if a.kind != b.kind || rule(&model, a.rule) != rule(&against, b.rule) {
                differing.push((op, a.origins.iter().min().copied()));
            }
        });
        Sides { model, against, choices: HashMap::new(), differing }
    }

    /// The shader under one of the arithmetics.
    pub fn side(&self, side: Side) -> &Shader<Bound> {
        match side {
            Side::Model => &self.model,
            Side::Against => &self.against,
        }
    }

    /// The body, whose ops are the same under both.
    pub fn func(&self) -> &Func {
        &self.model.func
    }

    /// The rule of an op under one of the arithmetics.
    pub fn rule(&self, side: Side, op: OpId) -> Option<Rule> {
        let shader = self.side(side);
        Some(shader.state.rules[shader.func.ops[op].rule?])
    }

    /// The ops that may compute something else under the other arithmetic, by instruction: first those of each instruction in
    /// the order of the program, then those that belong to none.
    pub fn instructions(&self) -> Vec<(Option<SourceId>, Vec<OpId>)> {
        let mut out: Vec<(Option<SourceId>, Vec<OpId>)> = Vec::new();
        let mut place: HashMap<Option<SourceId>, usize> = HashMap::new();
        for &(op, source) in &self.differing {
            let at = *place.entry(source).or_insert_with(|| {
                out.push((source, Vec::new()));
                out.len() - 1
            });
            out[at].1.push(op);
        }
        parallax_text::sort_by_key(&mut out, |(source, _)| (source.is_none(), source.map(|s| s.index())));
        out
    }

    /// What these ops are under one of the arithmetics.
    pub(crate) fn changes(&self, side: Side, ops: &[OpId]) -> Vec<Change> {
        let shader = self.side(side);
        ops.iter().map(|&op| Change { op, kind: shader.func.ops[op].kind, rule: self.rule(side, op) }).collect()
    }

    /// What the drivers make of the instruction of an op, if the op chooses that.
    pub(crate) fn rewritten(&self, op: OpId) -> Option<&Rewritten> {
        self.choices.get(&op)
    }

    /// The shader under `base`, with the other arithmetic in these ops.
    pub fn mixed<'o>(&self, base: Side, ops: impl IntoIterator<Item = &'o OpId>) -> Shader<Bound> {
        let other = self.side(base.other());
        let mut rules = Rules::new(self.side(base));
        for &op in ops {
            let from = &other.func.ops[op];
            rules.shader.func.ops[op].kind = from.kind;
            if let Some(rule) = from.rule {
                rules.set(op, other.state.rules[rule]);
            }
        }
        rules.shader
    }

    /// The shader under the model, with other rules in some ops.
    pub fn with_rules(&self, changes: impl IntoIterator<Item = (OpId, Rule)>) -> Shader<Bound> {
        let mut rules = Rules::new(&self.model);
        changes.into_iter().for_each(|(op, rule)| rules.set(op, rule));
        rules.shader
    }
}

/// A bound shader whose rules are exchanged.
pub(crate) struct Rules {
    pub(crate) shader: Shader<Bound>,
    known: HashMap<Rule, RuleId>,
}

impl Rules {
    pub(crate) fn new(shader: &Shader<Bound>) -> Rules {
        let known = shader.state.rules.iter().map(|(id, rule)| (*rule, id)).collect();
        Rules { shader: shader.clone(), known }
    }

    /// The id of a rule, which may be new.
    pub(crate) fn id(&mut self, rule: Rule) -> RuleId {
        let all: &mut PrimaryMap<RuleId, Rule> = &mut self.shader.state.rules;
        *self.known.entry(rule).or_insert_with(|| all.push(rule))
    }

    pub(crate) fn set(&mut self, op: OpId, rule: Rule) {
        self.shader.func.ops[op].rule = Some(self.id(rule));
    }

    /// Makes an op what a choice says.
    pub(crate) fn make(&mut self, change: &Change) {
        self.shader.func.ops[change.op].kind = change.kind;
        if let Some(rule) = change.rule {
            self.set(change.op, rule);
        }
    }
}

/// What an op asks `parallax-num` for; `None` for those without a rule.
pub(crate) fn asked(func: &Func, op: OpId) -> Option<(Op, Slot)> {
    let data = &func.ops[op];
    let slot = func.slots[data.slot?];
    let asked = match data.kind {
        OpKind::Num(op) => op,
        OpKind::Deriv { .. } => Op::Sub,
        _ => Op::Cvt,
    };
    Some((asked, slot))
}

/// Optimised and ready to run.
pub(crate) fn prepared(shader: Shader<Bound>, engine: Engine) -> Result<Compiled, Problems> {
    compile_bound(shader, Optimise::Yes, engine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax::{LoadOptions, load};

    const TEXT: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM FLT32 { 0.1, 0.3, 1.0, 3.0 }\n\
                        MUL TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nRCP TEMP[0].x, TEMP[0].xxxx\nMOV OUT[0].x, TEMP[0].xxxx\nEND\n";

    fn shader() -> Shader<Symbolic> {
        load("x.tgsi", TEXT.as_bytes(), &LoadOptions::default()).shader.unwrap()
    }

    fn model(name: &str) -> Model {
        Model::parse(name).unwrap()
    }

    #[test]
    fn only_instructions_with_other_rules_are_candidates() {
        let sides = Sides::of_models(&shader(), &model("ieee[rcp.round=rtz]"), &model("ieee"));
        let found = sides.instructions();
        assert_eq!(found.len(), 1, "{found:?}");
        let text = sides.func().sources.get(found[0].0.unwrap()).unwrap().text.to_string();
        assert!(text.contains("RCP"), "{text}");
        assert!(Sides::of_models(&shader(), &model("ieee"), &model("ieee")).instructions().is_empty());
    }

    #[test]
    fn exchanging_everything_gives_the_other_side() {
        let sides = Sides::of_models(&shader(), &model("nv40"), &model("binary64"));
        let all: Vec<OpId> = sides.instructions().into_iter().flat_map(|(_, ops)| ops).collect();
        for base in [Side::Model, Side::Against] {
            let mixed = sides.mixed(base, &all);
            let again = Sides::new(mixed, sides.side(base.other()).clone()).unwrap();
            assert!(again.instructions().is_empty());
        }
    }
}
