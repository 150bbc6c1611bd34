//! The grammar of `rspirv`, by opcode.

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction, OperandKind, OperandQuantifier};
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
            let fewest = row.operands.iter().filter(|o| {
                o.quantifier == OperandQuantifier::One
                    && !matches!(o.kind, OperandKind::IdResultType | OperandKind::IdResult)
            });
            let (has_type, has_id) = (has(OperandKind::IdResultType), has(OperandKind::IdResult));
            rows[number] = Some(Grammar { row, has_type, has_id, fewest: fewest.count() });
        }
        rows
    });
    ROWS.get(usize::from(opcode))?.as_ref()
}
