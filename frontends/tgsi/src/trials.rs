//! How programs of single instructions are written.

use crate::opcode::{Opcode, Operand};
use parallax_lift::Trials;

pub(crate) const TRIALS: &[Trials] = &[Trials {
    attribute: "IN[0]",
    other: "IN[1]",
    constant: "CONST[0]",
    attribute_operand: ["IN[0]"; 2],
    constant_operand: ["CONST[0]"; 2],
    literal_operand: "IMM[{n}]",
    moved_operand: ["TEMP[28]"; 2],
    other_operands: [["IN[1]"; 2], ["IN[1].yzwx"; 2], ["IN[1].zwxy"; 2]],
    head: "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0]\n\
           DCL TEMP[0..28]\n",
    declare: "IMM UINT32 {literal}\n",
    literal: |[x, y, z, w], _| format!("{{{x}, {y}, {z}, {w}}}"),
    move_literal: "MOV TEMP[28], IMM[{n}]\n",
    only_literal: None,
    patterns: true,
    line: |_| "{op} {result}, {sources}\n",
    tail: "END\n",
    results: &["TEMP[{n}]"],
    shapes: &["v", "vv", "vvv"],
    mnemonics,
}];

/// All, clamped or not. Those that compute a value from values must be valid.
fn mnemonics() -> Vec<(String, bool)> {
    let must = |op: Opcode| {
        let (row, shape) = (op.row(), &op.row().shape);
        let values = shape.srcs().iter().all(|kind| matches!(kind, Operand::Float | Operand::Move));
        let operands = (1..=3).contains(&shape.srcs().len()) && shape.dsts == 1 && !shape.target;
        values && operands && row.unsupported().is_none()
    };
    Opcode::all().flat_map(|op| [(op.name().to_string(), must(op)), (format!("{}_SAT", op.name()), false)]).collect()
}
