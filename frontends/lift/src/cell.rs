//! Cells and what they hold.

use parallax_core::{EntityRef, OpKind, SysVal, ValueId};
use rustc_hash::FxHashMap;
use std::fmt;
use std::num::NonZeroU64;

/// One component of a register, at the finest grain at which registers of a file overlap.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub(crate) u32);

impl CellId {
    /// The cell `n` places after this one, in the order [`crate::Lifter::add_cells`] made them.
    #[must_use]
    pub fn offset(self, n: u32) -> CellId {
        CellId(self.0 + n)
    }
}

/// What a cell holds. Copying one between cells is a move without an op.
///
/// One word: a tag in the lowest byte, then a component, a bank or attribute, and in the upper half a number. Values come
/// and go by the thousand, and a word written at once is read back at once.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Val(NonZeroU64);

/// A [`Val`] taken apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A value with a type.
    Value(ValueId),
    /// What the cell holds at the head of a loop, see `params`.
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
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ParamId(pub(crate) u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReadId(u32);

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

/// A cell's content and the frame it was set in.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) val: Val,
    pub(crate) level: u32,
}

impl Val {
    #[inline(always)]
    fn pack(tag: u8, comp: u8, place: u16, number: u32) -> Val {
        let word = u64::from(tag) | u64::from(comp) << 8 | u64::from(place) << 16 | u64::from(number) << 32;
        Val(NonZeroU64::MIN.saturating_add(word))
    }

    #[inline(always)]
    pub(crate) fn of(holds: Holds) -> Val {
        match holds {
            Holds::Value(value) => Val::pack(0, 0, 0, value.index() as u32),
            Holds::Param(param) => Val::pack(1, 0, 0, param.0),
            Holds::Word(bits) => Val::pack(2, 0, 0, bits),
            Holds::Const { bank, index, comp } => Val::pack(3, comp, bank, index),
            Holds::Attr { index, comp } => Val::pack(4, comp, index, 0),
            Holds::Sys(value) => Val::pack(5, value as u8, 0, 0),
            Holds::At(read) => Val::pack(6, 0, 0, read.0),
        }
    }

    #[inline(always)]
    pub(crate) fn holds(self) -> Holds {
        let word = self.0.get() - 1;
        let (comp, place, number) = ((word >> 8) as u8, (word >> 16) as u16, (word >> 32) as u32);
        match word as u8 {
            0 => Holds::Value(ValueId::new(number as usize)),
            1 => Holds::Param(ParamId(number)),
            2 => Holds::Word(number),
            3 => Holds::Const { bank: place, index: number, comp },
            4 => Holds::Attr { index: place, comp },
            5 => Holds::Sys(SysVal::ALL[usize::from(comp)]),
            _ => Holds::At(ReadId(number)),
        }
    }

    /// A 32-bit pattern that becomes a float or integer literal by its first use.
    pub fn word(bits: u32) -> Val {
        Val::of(Holds::Word(bits))
    }

    /// Component `comp` of attribute `index`, read by its first use.
    pub fn attr(index: u16, comp: u8) -> Val {
        Val::of(Holds::Attr { index, comp })
    }

    /// A system value, read by its first use.
    pub fn sys(value: SysVal) -> Val {
        Val::of(Holds::Sys(value))
    }

    /// A value already computed.
    pub fn value(value: ValueId) -> Val {
        Val::of(Holds::Value(value))
    }
}

impl From<ValueId> for Val {
    fn from(value: ValueId) -> Val {
        Val::value(value)
    }
}

impl fmt::Debug for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.holds().fmt(f)
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
                all.push(Holds::Value(ValueId::new(number as usize)));
            }
            all.extend([Holds::Param(ParamId(number)), Holds::Word(number), Holds::At(ReadId(number))]);
            all.extend(comps.map(|comp| Holds::Const { bank: u16::MAX, index: number, comp }));
        }
        all.extend(comps.map(|comp| Holds::Attr { index: u16::MAX, comp }));
        all.extend(SysVal::ALL.map(Holds::Sys));
        for (n, &holds) in all.iter().enumerate() {
            assert_eq!(Val::of(holds).holds(), holds);
            assert!(all[..n].iter().all(|other| Val::of(*other) != Val::of(holds)));
        }
        assert_eq!(size_of::<Option<Val>>(), 8);
    }
}
