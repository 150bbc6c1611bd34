//! Cells and what they hold.

use parallax_core::{OpKind, ValueId};
use rustc_hash::FxHashMap;

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
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Val(pub(crate) Holds);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Holds {
    /// A value with a type.
    Value(ValueId),
    /// A read that has not happened yet; its type is decided by the first use.
    Deferred(DeferredId),
    /// What the cell holds at the head of a loop, see `params`.
    Param(ParamId),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct DeferredId(pub(crate) u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ParamId(pub(crate) u32);

/// A literal or a read of a constant or attribute, not emitted yet.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Deferred {
    pub(crate) kind: OpKind,
    pub(crate) arg: Option<ValueId>,
}

/// Interned deferred reads, so that equal ones compare equal by number.
#[derive(Default, Debug)]
pub(crate) struct DeferredTable {
    items: Vec<Deferred>,
    known: FxHashMap<Deferred, DeferredId>,
}

impl DeferredTable {
    pub(crate) fn intern(&mut self, item: Deferred) -> DeferredId {
        *self.known.entry(item).or_insert_with(|| {
            self.items.push(item);
            DeferredId(self.items.len() as u32 - 1)
        })
    }

    pub(crate) fn get(&self, id: DeferredId) -> Deferred {
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
    /// A value already computed.
    pub fn value(value: ValueId) -> Val {
        Val(Holds::Value(value))
    }
}

impl From<ValueId> for Val {
    fn from(value: ValueId) -> Val {
        Val::value(value)
    }
}
