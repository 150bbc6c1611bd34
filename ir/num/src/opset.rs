//! Sets of operations.

use crate::{Family, Op};
use std::fmt;

/// A set of operations.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpSet(u128);

const _: () = assert!(Op::ALL.len() <= 128);

impl OpSet {
    /// No operation.
    pub const EMPTY: OpSet = OpSet(0);
    /// Every operation.
    pub const ALL: OpSet = OpSet(u128::MAX);

    /// One operation.
    pub const fn of(op: Op) -> OpSet {
        OpSet(1 << op as u8)
    }

    /// All operations of a family.
    pub fn family(family: Family) -> OpSet {
        Op::ALL.iter().filter(|row| row.family == family).fold(OpSet::EMPTY, |set, row| set.with(OpSet::of(row.op)))
    }

    /// Reads an operation's or a family's name.
    pub fn from_name(name: &str) -> Option<OpSet> {
        Op::from_name(name).map(OpSet::of).or_else(|| Family::from_name(name).map(OpSet::family))
    }

    /// Union.
    #[must_use]
    pub const fn with(self, other: OpSet) -> OpSet {
        OpSet(self.0 | other.0)
    }

    /// Whether `op` is in the set.
    pub const fn contains(self, op: Op) -> bool {
        self.0 >> op as u8 & 1 != 0
    }

    /// Whether every member is in `other`.
    pub const fn within(self, other: OpSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Members of both.
    #[must_use]
    pub const fn and(self, other: OpSet) -> OpSet {
        OpSet(self.0 & other.0)
    }

    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members, in table order.
    pub fn iter(self) -> impl Iterator<Item = Op> {
        Op::ALL.iter().map(|row| row.op).filter(move |op| self.contains(*op))
    }

    /// Names that cover the set exactly: families that are complete in it, then single operations, in table order.
    pub fn names(self) -> Vec<&'static str> {
        let mut names = Vec::new();
        let mut rest = self;
        for family in Family::WITH_SLOT {
            let members = OpSet::family(family);
            if members.within(rest) && members.iter().count() > 1 {
                names.push(family.name());
                rest = OpSet(rest.0 & !members.0);
            }
        }
        names.extend(rest.iter().filter(|op| op.has_slot()).map(Op::name));
        names
    }
}

/// `all`, or [`OpSet::names`] with blanks between.
impl fmt::Display for OpSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == OpSet::ALL {
            return f.write_str("all");
        }
        f.write_str(&self.names().join(" "))
    }
}

impl FromIterator<Op> for OpSet {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> OpSet {
        ops.into_iter().fold(OpSet::EMPTY, |set, op| set.with(OpSet::of(op)))
    }
}
