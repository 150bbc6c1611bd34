//! What a shader has at all: most have few of the things that selection has to look through the whole program for.

use super::ranges;
use parallax_core::{Effect, Func, OpData, OpKind, Type};
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
    /// Words of halves.
    pub(super) bits_of_halves: bool,
    /// Conditions.
    pub(super) conditions: bool,
    /// Branches, loops or blocks.
    pub(super) control: bool,
    /// Words that are computed with as numbers.
    pub(super) counts: bool,
    /// Numbers of 64 bits.
    pub(super) wide: bool,
    /// Places of samples, and attributes away from the centre.
    pub(super) places: bool,
    /// Which operations.
    pub(super) ops: Ops,
}

/// Which operations there are: arithmetic by number, and whether any looks at other lanes of the quad.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Ops {
    nums: [u64; 4],
    is_convergent: bool,
}

impl Ops {
    /// One more.
    #[inline]
    pub(super) fn add(&mut self, kind: OpKind) {
        match kind {
            OpKind::Num(num) => self.nums[num as usize / 64] |= 1 << (num as usize % 64),
            other => self.is_convergent |= other.effect() == Effect::Convergent,
        }
    }

    /// Whether all of others are among them.
    pub(super) fn have(&self, others: &Ops) -> bool {
        let has_nums = self.nums.iter().zip(others.nums).all(|(have, wanted)| wanted & !have == 0);
        has_nums && (self.is_convergent || !others.is_convergent)
    }
}

impl Facts {
    pub(super) fn new(func: &Func) -> Facts {
        let mut facts = Facts::default();
        for (_, value) in func.values.iter() {
            facts.conditions |= value.ty == Type::Pred;
            facts.wide |= matches!(value.ty, Type::I64 | Type::Float(Decl::F64));
        }
        func.walk(|_, op| {
            let data = &func.ops[op];
            facts.control |= !data.regions.is_empty();
            facts.counts |= ranges::is_counting(data.kind);
            facts.ops.add(data.kind);
            match data.kind {
                OpKind::QuadAny | OpKind::QuadAll => facts.votes = true,
                OpKind::DiscardSamples => facts.samples = true,
                OpKind::ConstAt { .. } => facts.addresses = true,
                OpKind::AttrOffset { .. } | OpKind::SamplePosition { .. } => facts.places = true,
                OpKind::Num(Op::Ine) => facts.asks = true,
                OpKind::Num(Op::Cvt) => facts.narrows |= is_of_halves(func, data),
                OpKind::Num(Op::BitsOf) => facts.bits_of_halves |= is_of_halves(func, data),
                OpKind::Num(Op::PackHalf2) => facts.bits_of_halves = true,
                _ => {}
            }
        });
        facts
    }
}

fn is_of_halves(func: &Func, data: &OpData) -> bool {
    data.slot.is_some_and(|slot| func.slots[slot].decl == Decl::F16)
}
