//! How programs of single instructions are written.

use crate::TABLE;
use parallax_lift::Trials;
use std::collections::BTreeSet;

pub(crate) const TRIALS: &[Trials] = &[Trials {
    attribute: "i0",
    other: "i1",
    constant: "c0",
    attribute_operand: ["i0"; 2],
    constant_operand: ["c0"; 2],
    literal_operand: "{literal}",
    moved_operand: [""; 2],
    other_operands: [["i1"; 2], ["i1.yzwx"; 2], ["i1.zwxy"; 2]],
    head: "",
    declare: "",
    literal: |value, _| format!("#{:08x}", value[0]),
    move_literal: "",
    only_literal: Some(1),
    patterns: true,
    line: |_| "{op} {result}, {sources}\n",
    tail: "",
    results: &["r{n}", "p{n}"],
    shapes: &["v", "vv", "vvv"],
    mnemonics,
}];

/// Some that must be valid, of every kind.
const MUST: &str = "add mul mad cmp max min dp3 dph frc rcp rsq slt setpgt fxmul";

fn mnemonics() -> Vec<(String, bool)> {
    let names: BTreeSet<&str> = TABLE.rows().map(|row| row.name).collect();
    names.into_iter().map(|name| (name.to_string(), MUST.split(' ').any(|must| must == name))).collect()
}
