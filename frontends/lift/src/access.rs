//! Registers that a caller presets or watches by name.

use crate::variable::DeferredKind;
use crate::{
    inputs::InputNames,
    lifter::Lifter,
    options::{Options, unplaced},
    spelling::Spelling,
    variable::{Deferred, VarId},
};
use parallax_core::{AttrDecl, AttrSemantic, Interp, Location, OutputRole, Type};
use parallax_text::Diag;
use rustc_hash::FxHashSet;

/// What a caller asks of a register.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// To set its first value.
    Preset,
    /// To see its last value.
    Watch,
}

impl Access {
    /// The error of a register this cannot be done to.
    pub fn refuse(self, name: &str, why: &str, help: &str) -> Diag {
        let (code, action) = match self {
            Access::Preset => ("option-preset", "preset"),
            Access::Watch => ("option-watch", "watch"),
        };
        unplaced(code, format!("cannot {action} `{name}`: {why}")).with_help(help)
    }
}

impl Lifter<'_> {
    /// The registers to preset: those the caller gives that are not inputs of the program as far as they are declared,
    /// each once.
    pub fn presets<'o>(&self, options: &'o Options) -> Vec<&'o str> {
        if options.preset.is_empty() {
            return Vec::new();
        }
        let inputs = InputNames::of(&self.b.func.iface);
        let mut seen = FxHashSet::default();
        let new = |name: &&str| inputs.find(name).is_none() && seen.insert(Spelling::canonical(name));
        options.preset.iter().map(String::as_str).filter(new).collect()
    }

    /// The components of an attribute with the initial value of a register, which the caller gives.
    pub fn preset_attr(&mut self, name: &str) -> [Deferred; 4] {
        let index = self.add_attr(AttrDecl {
            name: name.to_string(),
            semantic: AttrSemantic::Preset,
            interp: Interp::Flat,
            location: Location::Center,
            mediump: false,
        });
        [0, 1, 2, 3].map(|comp| Deferred::attr(index, comp))
    }

    /// Lets the caller give the initial value of a register: the variables hold it from here on.
    pub fn preset(&mut self, name: &str, variables: &[VarId]) {
        let vals = self.preset_attr(name);
        variables.iter().zip(vals).for_each(|(&variable, val)| self.set(variable, val));
    }

    /// Whether this is the initial value of a register, as the caller gave it.
    pub fn is_preset(&self, val: Deferred) -> bool {
        let DeferredKind::Attr { index, .. } = self.normal(val).kind() else { return false };
        self.b.func.iface.attrs[usize::from(index)].semantic == AttrSemantic::Preset
    }

    /// Reports a register at the end of the program, as an output named `name`; undecided components as raw bits.
    pub fn watch(&mut self, name: &str, comps: [Option<Deferred>; 4]) {
        self.output(name, OutputRole::Watch, comps, Type::I32);
    }
}
