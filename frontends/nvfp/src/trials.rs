//! How programs of single instructions are written, in the two text dialects that drivers take.

use crate::{Group, Row, TABLE};
use parallax_lift::Trials;

pub(crate) const TRIALS: &[Trials] = &[
    Trials {
        attribute: "f[COL0]",
        other: "f[COL1]",
        constant: "p[0]",
        attribute_operand: ["f[COL0]", "f[COL0].x"],
        constant_operand: ["p[0]", "p[0].x"],
        literal_operand: "{literal}",
        moved_operand: ["R29", "R29.x"],
        other_operands: [["R28", "R28.x"], ["R28.yzwx", "R28.y"], ["R28.zwxy", "R28.z"]],
        head: "!!FP1.0\nMOVR R28, f[COL1];\n",
        declare: "",
        literal: numbers,
        move_literal: "MOVR R29, {literal};\n",
        only_literal: None,
        patterns: false,
        line: |_| LINE,
        tail: "MOVR o[COLR], R28;\nEND\n",
        results: &["R{n}", "H{n}"],
        shapes: &["v", "vv", "vvv", "s", "ss"],
        // RFL has no w component.
        mnemonics: || {
            mnemonics(TABLE.iter(), |row| {
                let computes = matches!(row.group, Group::Alu | Group::Pack | Group::Unpack);
                row.fp10.is_some() && computes && row.name != "RFL"
            })
        },
    },
    Trials {
        attribute: "fragment.color.primary",
        other: "fragment.color.secondary",
        constant: "program.local[0]",
        attribute_operand: ["fragment.color.primary", "fragment.color.primary.x"],
        constant_operand: ["program.local[0]", "program.local[0].x"],
        literal_operand: "{literal}",
        moved_operand: ["moved", "moved.x"],
        other_operands: [["other", "other.x"], ["other.yzwx", "other.y"], ["other.zwxy", "other.z"]],
        head: "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP other, moved;\nMOV other, fragment.color.secondary;\n",
        declare: "TEMP temp{n};\n",
        literal: numbers,
        move_literal: "MOV moved, {literal};\n",
        only_literal: None,
        patterns: false,
        line: |_| LINE,
        tail: "MOV result.color, other;\nEND\n",
        results: &["temp{n}"],
        shapes: &["v", "vv", "vvv", "vs", "s"],
        // What only this dialect has. SWZ has its own kind of swizzle.
        mnemonics: || {
            let rows = TABLE.iter().filter(|row| row.fp10.is_none() && row.nv2.is_some() && row.group == Group::Alu);
            mnemonics(rows, |row| row.name != "SWZ")
        },
    },
];

const LINE: &str = "{op} {result}, {sources};\n";

fn numbers(value: [u32; 4], vector: bool) -> String {
    let numbers = value.map(|word| f32::from_bits(word).to_string());
    if vector { format!("{{{}}}", numbers.join(", ")) } else { numbers.into_iter().next().unwrap_or_default() }
}

/// The opcodes of these rows, in every format of the operation.
fn mnemonics(rows: impl Iterator<Item = &'static Row>, must: fn(&Row) -> bool) -> Vec<(String, bool)> {
    let formats =
        |row: &Row| ["", "R", "H", "X"].map(|letter| (format!("{}{letter}", row.name), letter.is_empty() && must(row)));
    rows.flat_map(formats).collect()
}
