//! Formulas that a model has in the place of an operation: the expansions of a driver's compiler that any operation of the program
//! goes through, whatever surrounds it. They are fields of the rule, so that a setting switches each (`[div=direct]`).

use super::{Model, Tier};
use crate::{Decl, Field, Op, Rule, Slot};
use std::sync::Arc;

/// A field that says by which formula an operation is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Name of the field: `div`, `sqrt`, `pow`.
    pub field: &'static str,
    /// Its value, which is the formula: `a*rcp(b)`.
    pub value: String,
    /// How far to trust it.
    pub tier: Tier,
    /// Document and section; empty where nobody says it.
    pub source: Arc<str>,
}

/// The fields whose values are formulas.
const FORMULAS: [&str; 8] = ["div", "sqrt", "rsq", "rcp", "log2", "pow", "lrp", "trig"];

impl Model {
    /// The formulas by which `op` is computed under `slot`, where they are not those of `ieee`: none for a direct operation.
    pub fn expansions(&self, op: Op, slot: &Slot) -> Vec<Expansion> {
        if !op.has_slot() {
            return Vec::new();
        }
        let rule = self.fields(op, slot, self.storage(slot.decl)).0;
        let resolved = self.resolve_step(slot.decl, op, op);
        let tiers = self.tiers(&resolved);
        let plain = Rule::ieee(Decl::F32, rule.format);
        let fields = FORMULAS.iter().filter_map(|name| Field::from_name(name));
        let differs = |field: &&'static Field| {
            field.read_by(op, &rule) && field.get(&resolved.rule) != field.get(&plain) && is_own(op, field.name)
        };
        let formula = |field: &'static Field| {
            let said = resolved.from[field.index()].map(|at| self.settings()[at as usize].source.clone());
            Expansion {
                field: field.name,
                value: field.get(&resolved.rule),
                tier: tiers[field.index()],
                source: said.unwrap_or_else(|| "".into()),
            }
        };
        fields.filter(differs).map(formula).collect()
    }
}

/// Whether a field is about the operation itself, not about a step of it.
fn is_own(op: Op, field: &str) -> bool {
    match field {
        "trig" => matches!(op, Op::Sin | Op::Cos),
        "log2" => op == Op::Log2,
        _ => op.name() == field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `MODEL OP` = the formula's field and value.
    #[test]
    fn operations_have_the_formulas_of_their_models() {
        let found = |model: &str, op: Op| {
            let model = Model::parse(model).expect("a model");
            let formulas = model.expansions(op, &Slot::plain(Decl::F32));
            formulas.iter().map(|f| format!("{}={}", f.field, f.value)).collect::<Vec<_>>().join(" ")
        };
        for (model, op, want) in [
            ("adreno", Op::Div, "div=a*rcp(b)"),
            ("adreno[div=direct]", Op::Div, ""),
            ("vc4", Op::Sqrt, "sqrt=rcp(rsq(a))"),
            ("apple-agx", Op::Sqrt, "sqrt=a*rsq(a)"),
            ("v3d", Op::Pow, "pow=exp2(b*log2(a))"),
            ("ieee", Op::Div, ""),
            ("ieee", Op::Pow, ""),
            ("amd-gcn", Op::Sin, "trig=turns(3e22f983).fract"),
            ("adreno", Op::Lrp, "lrp=a*(b-c)+c"),
            ("vc4", Op::Rsq, "rsq=r*(1.5-0.5*(a*(r*r)))"),
            // A step of the operation has its own.
            ("adreno", Op::Add, ""),
        ] {
            assert_eq!(found(model, op), want, "{model} {}", op.name());
        }
        let model = Model::parse("adreno").expect("a model");
        let formulas = model.expansions(Op::Div, &Slot::plain(Decl::F32));
        assert_eq!((formulas[0].tier, &*formulas[0].source), (Tier::Format, "Mesa 25.0, ir3: lower_fdiv"));
    }
}
