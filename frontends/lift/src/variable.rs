//! Variables and what they hold.

use parallax_core::{EntityRef, OpKind, SysVal, ValueId};
use rustc_hash::FxHashMap;
use std::fmt;
use std::num::NonZeroU64;

/// One component of a register, at the finest grain at which registers of a file overlap.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub(crate) u32);

impl VarId {
    /// The variable `n` places after this one, in the order [`crate::Lifter::add_variables`] made them.
    #[must_use]
    #[inline]
    pub fn offset(self, n: u32) -> VarId {
        VarId(self.0 + n)
    }

    /// The variables of register `n` of a file that starts here and has four for each.
    #[must_use]
    pub fn vector(self, n: u32) -> [VarId; 4] {
        [0, 1, 2, 3].map(|comp| self.offset(n * 4 + comp))
    }
}

/// What a variable holds. Copying one between variables is a move without an op.
///
/// One word: a tag in the lowest byte, then a component, a bank or attribute, and in the upper half a number. Values come
/// and go by the thousand, and a word written at once is read back at once.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Deferred(NonZeroU64);

/// A [`Deferred`] taken apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeferredKind {
    /// A value with a type.
    Value(ValueId),
    /// What the variable holds at the head of a loop, see `params`.
    Param(ParamId),
    // Reads that have not happened yet; their type is decided by the first use.
    /// A literal.
    Word(u32),
    /// [`OpKind::Const`].
    Const { bank: u16, index: u32, comp: u8 },
    /// [`OpKind::Attr`].
    Attr { index: u16, comp: u8 },
    /// [`OpKind::Sys`].
    Sys(SysVal),
    /// A read at an address.
    At(ReadId),
    /// A float or bits, see `meet`.
    Views(ViewsId),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ParamId(pub(crate) u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReadId(u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ViewsId(pub(crate) u32);

/// Reads at addresses that have not happened yet: the op, and the address it takes. Equal ones have equal numbers.
#[derive(Default, Debug)]
pub(crate) struct Reads {
    items: Vec<(OpKind, ValueId)>,
    known: FxHashMap<(OpKind, ValueId), ReadId>,
}

impl Reads {
    pub(crate) fn intern(&mut self, kind: OpKind, at: ValueId) -> ReadId {
        *self.known.entry((kind, at)).or_insert_with(|| {
            self.items.push((kind, at));
            ReadId(self.items.len() as u32 - 1)
        })
    }

    pub(crate) fn get(&self, id: ReadId) -> (OpKind, ValueId) {
        self.items[id.0 as usize]
    }
}

/// A variable's content and the frame it was set in.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) val: Deferred,
    pub(crate) level: u32,
    /// Where a loop that is being settled lists it; numbers of one loop are above those of all before it.
    pub(crate) listed: u32,
}

impl Deferred {
    #[inline(always)]
    fn pack(tag: u8, comp: u8, place: u16, number: u32) -> Deferred {
        let word = u64::from(tag) | u64::from(comp) << 8 | u64::from(place) << 16 | u64::from(number) << 32;
        Deferred(NonZeroU64::MIN.saturating_add(word))
    }

    #[inline(always)]
    pub(crate) fn of(kind: DeferredKind) -> Deferred {
        match kind {
            DeferredKind::Value(value) => Deferred::pack(0, 0, 0, value.index() as u32),
            DeferredKind::Param(param) => Deferred::pack(1, 0, 0, param.0),
            DeferredKind::Word(bits) => Deferred::pack(2, 0, 0, bits),
            DeferredKind::Const { bank, index, comp } => Deferred::pack(3, comp, bank, index),
            DeferredKind::Attr { index, comp } => Deferred::pack(4, comp, index, 0),
            DeferredKind::Sys(value) => Deferred::pack(5, value as u8, 0, 0),
            DeferredKind::At(read) => Deferred::pack(6, 0, 0, read.0),
            DeferredKind::Views(views) => Deferred::pack(7, 0, 0, views.0),
        }
    }

    #[inline(always)]
    pub(crate) fn kind(self) -> DeferredKind {
        let word = self.0.get() - 1;
        let (comp, place, number) = ((word >> 8) as u8, (word >> 16) as u16, (word >> 32) as u32);
        match word as u8 {
            0 => DeferredKind::Value(ValueId::new(number as usize)),
            1 => DeferredKind::Param(ParamId(number)),
            2 => DeferredKind::Word(number),
            3 => DeferredKind::Const { bank: place, index: number, comp },
            4 => DeferredKind::Attr { index: place, comp },
            5 => DeferredKind::Sys(SysVal::ALL[usize::from(comp)]),
            6 => DeferredKind::At(ReadId(number)),
            _ => DeferredKind::Views(ViewsId(number)),
        }
    }

    /// A 32-bit pattern that becomes a float or integer literal by its first use.
    #[inline]
    pub fn word(bits: u32) -> Deferred {
        Deferred::of(DeferredKind::Word(bits))
    }

    /// Component `comp` of attribute `index`, read by its first use.
    #[inline]
    pub fn attr(index: u16, comp: u8) -> Deferred {
        Deferred::of(DeferredKind::Attr { index, comp })
    }

    /// A system value, read by its first use.
    pub fn sys(value: SysVal) -> Deferred {
        Deferred::of(DeferredKind::Sys(value))
    }

    /// A value already computed.
    #[inline]
    pub fn value(value: ValueId) -> Deferred {
        Deferred::of(DeferredKind::Value(value))
    }
}

impl From<ValueId> for Deferred {
    #[inline]
    fn from(value: ValueId) -> Deferred {
        Deferred::value(value)
    }
}

impl fmt::Debug for Deferred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_apart_as_they_were_put_together() {
        let comps = [0u8, 3];
        let numbers = [0, 1, u32::MAX - 1, u32::MAX];
        let mut all = vec![];
        for number in numbers {
            // The last number is no id.
            if number < u32::MAX {
                all.push(DeferredKind::Value(ValueId::new(number as usize)));
            }
            all.extend([
                DeferredKind::Param(ParamId(number)),
                DeferredKind::Word(number),
                DeferredKind::At(ReadId(number)),
                DeferredKind::Views(ViewsId(number)),
            ]);
            all.extend(comps.map(|comp| DeferredKind::Const { bank: u16::MAX, index: number, comp }));
        }
        all.extend(comps.map(|comp| DeferredKind::Attr { index: u16::MAX, comp }));
        all.extend(SysVal::ALL.map(DeferredKind::Sys));
        for (n, &holds) in all.iter().enumerate() {
            assert_eq!(Deferred::of(holds).kind(), holds);
            assert!(all[..n].iter().all(|other| Deferred::of(*other) != Deferred::of(holds)));
        }
        assert_eq!(size_of::<Option<Deferred>>(), 8);
    }
}
