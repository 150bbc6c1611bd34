//! The grammar of `rspirv`, by opcode.

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction, LogicalOperand, OperandKind, OperandQuantifier};
use std::sync::LazyLock;

/// What the grammar says of an opcode.
#[derive(Copy, Clone, Debug)]
pub struct Grammar {
    /// The row of the grammar.
    pub row: &'static Instruction<'static>,
    /// Whether there is a result type.
    pub has_type: bool,
    /// Whether there is a result.
    pub has_id: bool,
    /// Least number of words of the other operands.
    pub fewest: usize,
    /// Most of them; `None` where the grammar does not fix how many.
    pub most: Option<usize>,
}

/// What the grammar says of an opcode; `None` where there is no such opcode.
pub fn opcode_row(opcode: u16) -> Option<&'static Grammar> {
    static ROWS: LazyLock<Vec<Option<Grammar>>> = LazyLock::new(|| {
        let mut rows = Vec::new();
        for row in INSTRUCTION_TABLE.iter() {
            let number = row.opcode as usize;
            if rows.len() <= number {
                rows.resize(number + 1, None);
            }
            let has = |kind| row.operands.iter().any(|o| o.kind == kind);
            let others: Vec<&LogicalOperand> = row
                .operands
                .iter()
                .filter(|o| !matches!(o.kind, OperandKind::IdResultType | OperandKind::IdResult))
                .collect();
            let fewest = others.iter().filter(|o| o.quantifier == OperandQuantifier::One).count();
            let is_fixed = |o: &&LogicalOperand| {
                o.quantifier != OperandQuantifier::ZeroOrMore
                    && matches!(
                        o.kind,
                        OperandKind::IdRef
                            | OperandKind::IdScope
                            | OperandKind::IdMemorySemantics
                            | OperandKind::LiteralInteger
                            | OperandKind::GroupOperation
                    )
            };
            let most = others.iter().all(is_fixed).then_some(others.len());
            let (has_type, has_id) = (has(OperandKind::IdResultType), has(OperandKind::IdResult));
            rows[number] = Some(Grammar { row, has_type, has_id, fewest, most });
        }
        rows
    });
    ROWS.get(usize::from(opcode))?.as_ref()
}
