//! What a shader has at all: most have few of the things that selection has to look through the whole program for.

use parallax_core::{Func, OpKind, Type};
use parallax_num::{Decl, Op};

/// What a shader has.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Facts {
    /// Questions to the lanes of a quad.
    pub(super) votes: bool,
    /// Samples that are removed one by one.
    pub(super) samples: bool,
    /// Constants at an address.
    pub(super) addresses: bool,
    /// Comparisons of words for being different.
    pub(super) asks: bool,
    /// Conversions to halves.
    pub(super) narrows: bool,
    /// Conditions.
    pub(super) conditions: bool,
    /// Branches, loops or blocks.
    pub(super) control: bool,
    /// Numbers of 64 bits.
    pub(super) wide: bool,
    /// Places of samples, and attributes away from the centre.
    pub(super) places: bool,
}

impl Facts {
    pub(super) fn new(func: &Func) -> Facts {
        let mut facts = Facts { control: func.regions.len() > 1, ..Facts::default() };
        for (_, value) in func.values.iter() {
            facts.conditions |= value.ty == Type::Pred;
            facts.wide |= matches!(value.ty, Type::I64 | Type::Float(Decl::F64));
        }
        func.walk(|_, op| {
            let data = &func.ops[op];
            match data.kind {
                OpKind::QuadAny | OpKind::QuadAll => facts.votes = true,
                OpKind::DiscardSamples => facts.samples = true,
                OpKind::ConstAt { .. } => facts.addresses = true,
                OpKind::AttrOffset { .. } | OpKind::SamplePosition { .. } => facts.places = true,
                OpKind::Num(Op::Ine) => facts.asks = true,
                OpKind::Num(Op::Cvt) => {
                    facts.narrows |= data.slot.is_some_and(|slot| func.slots[slot].decl == Decl::F16);
                }
                _ => {}
            }
        });
        facts
    }
}
