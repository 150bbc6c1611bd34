//! The operands that an instruction still needs. The printer and the reader both go along it.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use smallvec::SmallVec;

/// The next operand of an instruction. Never a pair.
#[derive(Copy, Clone, Debug)]
pub(super) struct Want {
    pub(super) kind: OperandKind,
    /// Whether the instruction may end in front of it.
    pub(super) optional: bool,
    /// Operands of the pattern behind this one and its repetitions.
    behind: usize,
}

/// The operands that an instruction still needs, the next one last.
#[derive(Debug)]
pub(super) struct Pattern(SmallVec<[LogicalOperand; 8]>);

impl Pattern {
    pub(super) fn of(operands: &[LogicalOperand]) -> Pattern {
        Pattern(operands.iter().rev().cloned().collect())
    }

    /// Takes the next operand; one that may come several times stays.
    pub(super) fn next(&mut self) -> Option<Want> {
        let operand = self.0.pop()?;
        let want = |kind| Want { kind, optional: operand.quantifier != OperandQuantifier::One, behind: self.0.len() };
        let (want, second) = match operand.kind {
            OperandKind::PairLiteralIntegerIdRef => {
                (want(OperandKind::LiteralContextDependentNumber), Some(OperandKind::IdRef))
            }
            OperandKind::PairIdRefLiteralInteger => (want(OperandKind::IdRef), Some(OperandKind::LiteralInteger)),
            OperandKind::PairIdRefIdRef => (want(OperandKind::IdRef), Some(OperandKind::IdRef)),
            kind => (want(kind), None),
        };
        if operand.quantifier == OperandQuantifier::ZeroOrMore {
            self.0.push(operand);
        }
        self.0.extend(second.map(|kind| LogicalOperand { kind, quantifier: OperandQuantifier::One }));
        Some(want)
    }

    /// Leaves out an optional operand, all of its repetitions included.
    pub(super) fn skip(&mut self, want: Want) {
        self.0.truncate(want.behind);
    }

    /// Operands that come next.
    pub(super) fn expand<'a>(&mut self, operands: impl DoubleEndedIterator<Item = &'a LogicalOperand>) {
        self.0.extend(operands.rev().cloned());
    }

    /// Operands in place of all that are left.
    pub(super) fn replace(&mut self, operands: &[LogicalOperand]) {
        *self = Pattern::of(operands);
    }
}

/// Whether an operand is an id.
pub(super) fn is_id(kind: OperandKind) -> bool {
    use OperandKind::{IdMemorySemantics, IdRef, IdResult, IdResultType, IdScope};
    matches!(kind, IdResultType | IdResult | IdMemorySemantics | IdScope | IdRef)
}

/// Whether an operand is the result or its type.
pub(super) fn is_result(kind: OperandKind) -> bool {
    matches!(kind, OperandKind::IdResultType | OperandKind::IdResult)
}
