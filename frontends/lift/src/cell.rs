//! Cells and what they hold.

use parallax_core::{OpKind, SysVal, ValueId};

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

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Holds {
    /// A value with a type.
    Value(ValueId),
    /// What the cell holds at the head of a loop, see `params`.
    Param(ParamId),
    // Reads that have not happened yet; their type is decided by the first use.
    /// A literal.
    Word(u32),
    /// [`OpKind::Const`].
    Const { comp: u8, bank: u16, index: u32 },
    /// [`OpKind::ConstAt`] at this value.
    ConstAt { comp: u8, bank: u16, base: i32, at: ValueId },
    /// [`OpKind::Attr`].
    Attr { comp: u8, index: u16 },
    /// [`OpKind::AttrAt`] at this value.
    AttrAt { comp: u8, base: i32, at: ValueId },
    /// [`OpKind::Sys`].
    Sys(SysVal),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ParamId(pub(crate) u32);

impl Holds {
    /// The op of a read that has not happened, and its operand.
    #[inline]
    pub(crate) fn read(self) -> Option<(OpKind, Option<ValueId>)> {
        Some(match self {
            Holds::Value(_) | Holds::Param(_) => return None,
            Holds::Word(bits) => (OpKind::Literal(u64::from(bits)), None),
            Holds::Const { comp, bank, index } => (OpKind::Const { bank, index, comp }, None),
            Holds::ConstAt { comp, bank, base, at } => (OpKind::ConstAt { bank, base, comp }, Some(at)),
            Holds::Attr { comp, index } => (OpKind::Attr { index, comp }, None),
            Holds::AttrAt { comp, base, at } => (OpKind::AttrAt { base, comp }, Some(at)),
            Holds::Sys(value) => (OpKind::Sys(value), None),
        })
    }
}

/// A cell's content and the frame it was set in.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) val: Val,
    pub(crate) level: u32,
}

impl Val {
    /// A 32-bit pattern that becomes a float or integer literal by its first use.
    pub fn word(bits: u32) -> Val {
        Val(Holds::Word(bits))
    }

    /// Component `comp` of attribute `index`, read by its first use.
    pub fn attr(index: u16, comp: u8) -> Val {
        Val(Holds::Attr { comp, index })
    }

    /// Component `comp` of attribute `base` + `at`, read by its first use.
    pub fn attr_at(base: i32, comp: u8, at: ValueId) -> Val {
        Val(Holds::AttrAt { comp, base, at })
    }

    /// Component `comp` of vector `base` + `at` of a constant bank, read by its first use.
    pub fn constant_at(bank: u16, base: i32, comp: u8, at: ValueId) -> Val {
        Val(Holds::ConstAt { comp, bank, base, at })
    }

    /// A system value, read by its first use.
    pub fn sys(value: SysVal) -> Val {
        Val(Holds::Sys(value))
    }

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
