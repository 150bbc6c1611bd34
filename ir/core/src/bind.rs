//! Shaders with their state in the type, and binding to a model.

use crate::entity::entity;
use crate::{Func, OpKind, PrimaryMap, SlotId};
use parallax_num::{self as num, Decl, Model, Rule, Storage, Tier};
use rustc_hash::FxHashMap;

entity!(
    /// An interned rule of a bound shader.
    RuleId, "r"
);

/// State of a shader as a frontend leaves it: floats are typed by what the program believes, nothing can be evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbolic;

/// State of a shader bound to a model: every op with a slot has a rule, every float a container.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The model's name with its settings, as printed in reports.
    pub model: String,
    /// Rules in use, without repeats.
    pub rules: PrimaryMap<RuleId, Rule>,
    /// Container of each declared format, by `Decl as usize`.
    pub storage: [Storage; Decl::ALL.len()],
    /// Lowest trust of any rule in use.
    pub tier: Tier,
}

/// A shader in state `S`.
#[derive(Clone, Debug, PartialEq)]
pub struct Shader<S> {
    /// Body and interface.
    pub func: Func,
    /// What is known beyond the body.
    pub state: S,
}

impl Shader<Symbolic> {
    /// Wraps a lifted body.
    pub fn new(func: Func) -> Self {
        Shader { func, state: Symbolic }
    }

    /// Decides every bit: gives each op with a slot the model's rule, and converts float literals to their container.
    /// Total: every model binds every shader.
    pub fn bind(&self, model: &Model) -> Shader<Bound> {
        let mut func = self.func.clone();
        let mut rules = PrimaryMap::default();
        let mut known: FxHashMap<Rule, RuleId> = FxHashMap::default();
        let mut answers: FxHashMap<(num::Op, SlotId, Storage), RuleId> = FxHashMap::default();
        let mut tier = Tier::Exact;
        let mut live = Vec::new();
        func.walk(|_, op| live.push(op));
        for op in live {
            let Some(slot_id) = func.ops[op].slot else { continue };
            let slot = func.slots[slot_id];
            let kind = func.ops[op].kind;
            let (asked, source) = match kind {
                OpKind::Num(num::Op::Cvt) => {
                    let from = func.ty(func.ops[op].args[0]).decl().unwrap_or(slot.decl);
                    (num::Op::Cvt, model.storage(from))
                }
                OpKind::Num(asked) => (asked, model.storage(slot.decl)),
                OpKind::Deriv { .. } => (num::Op::Sub, model.storage(slot.decl)),
                OpKind::Literal(_) => (num::Op::Cvt, slot.decl.format().storage()),
                // Attributes, constants and texels arrive as binary32.
                _ => (num::Op::Cvt, Storage::F32),
            };
            // Asking the model costs more than looking up what it answered last time.
            let id = *answers.entry((asked, slot_id, source)).or_insert_with(|| {
                let (rule, trust) = model.rule(asked, &slot, source);
                tier = tier.max(trust);
                *known.entry(rule).or_insert_with(|| rules.push(rule))
            });
            let data = &mut func.ops[op];
            data.rule = Some(id);
            if let OpKind::Literal(bits) = data.kind {
                data.kind = OpKind::Literal(num::eval(num::Op::Cvt, &rules[id], &[bits]));
            }
        }
        let storage = Decl::ALL.map(|decl| model.storage(decl));
        Shader { func, state: Bound { model: model.label(), rules, storage, tier } }
    }
}

impl Bound {
    /// The container of a declared format.
    pub fn storage(&self, decl: Decl) -> Storage {
        self.storage[decl as usize]
    }
}
