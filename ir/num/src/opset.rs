//! Sets of operations.

use crate::{Family, Op};
use std::fmt;

/// Words of a set.
const WORDS: usize = 4;

/// A set of operations.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpSet([u64; WORDS]);

const _: () = assert!(Op::ALL.len() <= 64 * WORDS);

impl OpSet {
    /// No operation.
    pub const EMPTY: OpSet = OpSet([0; WORDS]);
    /// Every operation.
    pub const ALL: OpSet = OpSet([u64::MAX; WORDS]);

    /// One operation.
    pub const fn of(op: Op) -> OpSet {
        let mut set = OpSet::EMPTY;
        set.0[op as usize / 64] = 1 << (op as usize % 64);
        set
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
    pub const fn with(mut self, other: OpSet) -> OpSet {
        let mut i = 0;
        while i < WORDS {
            self.0[i] |= other.0[i];
            i += 1;
        }
        self
    }

    /// Members that are not in `other`.
    #[must_use]
    pub const fn without(mut self, other: OpSet) -> OpSet {
        let mut i = 0;
        while i < WORDS {
            self.0[i] &= !other.0[i];
            i += 1;
        }
        self
    }

    /// Members of both.
    #[must_use]
    pub const fn and(self, other: OpSet) -> OpSet {
        self.without(OpSet::ALL.without(other))
    }

    /// Whether `op` is in the set.
    pub const fn contains(self, op: Op) -> bool {
        self.0[op as usize / 64] >> (op as usize % 64) & 1 != 0
    }

    /// Whether every member is in `other`.
    pub const fn within(self, other: OpSet) -> bool {
        self.without(other).is_empty()
    }

    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        let mut i = 0;
        while i < WORDS {
            if self.0[i] != 0 {
                return false;
            }
            i += 1;
        }
        true
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
                rest = rest.without(members);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_every_row_of_the_table() {
        for row in Op::ALL {
            let one = OpSet::of(row.op);
            assert_eq!(one.iter().collect::<Vec<_>>(), [row.op]);
            assert!(one.within(OpSet::ALL) && !OpSet::ALL.without(one).contains(row.op));
            assert_eq!(one.and(OpSet::ALL), one);
        }
        assert!(OpSet::EMPTY.is_empty() && OpSet::ALL.without(OpSet::ALL).is_empty());
        assert_eq!(Op::ALL.iter().map(|row| row.op).collect::<OpSet>().iter().count(), Op::ALL.len());
    }
}
