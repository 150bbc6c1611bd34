//! How programs of single instructions are written, and programs with one of most things.

use crate::table::{Sem, TABLE};
use parallax_isa::Meaning;
use parallax_lift::Trials;

pub(crate) const TRIALS: &[Trials] = &[Trials {
    attribute: "attr0",
    other: "attr1",
    constant: "sgpr[0]",
    attribute_operand: ["v100"; 2],
    // The second source of a short form is a vector register.
    constant_operand: ["v105"; 2],
    literal_operand: "{literal}",
    moved_operand: ["v101"; 2],
    other_operands: [["v102"; 2], ["v103"; 2], ["v104"; 2]],
    head: "v_interp_p1_f32 v100, v0, attr0.x\nv_interp_p2_f32 v100, v1, attr0.x\n\
           v_interp_p1_f32 v102, v0, attr1.x\nv_interp_p2_f32 v102, v1, attr1.x\n\
           v_interp_p1_f32 v103, v0, attr1.y\nv_interp_p2_f32 v103, v1, attr1.y\n\
           v_interp_p1_f32 v104, v0, attr1.z\nv_interp_p2_f32 v104, v1, attr1.z\nv_mov_b32 v105, s0\n",
    declare: "",
    literal: |value, _| format!("{:#x}", value[0]),
    move_literal: "v_mov_b32 v101, {literal}\n",
    only_literal: Some(0),
    patterns: true,
    line: |_| "{op} {result}, {sources}\n",
    tail: "s_endpgm\n",
    results: &["v{n}"],
    shapes: &["s", "ss", "sss"],
    mnemonics: || {
        let computes = |sem| matches!(sem, Meaning::Lift(Sem::Move | Sem::Compute(_)));
        TABLE.rows().map(|row| (row.name.to_string(), computes(row.meaning))).collect()
    },
}];

pub(crate) const EXAMPLES: &[&str] = &[
    "v_interp_p1_f32 v2, v0, attr0.w\nv_interp_p2_f32 v2, v1, attr0.w\nv_mad_f32 v3, neg(|v2|), s3, 0.5 clamp mul:2\nv_mul_f32 v4, 0x40490fdb, v3\n\
     v_cvt_i32_f32 v5, v4\nexp mrt0 v3, v4, v5, v2 done vm\ns_endpgm\n",
    ".long 0xffffffff, 0x12345678\n.byte 0x01, 0x02, 0x03\n",
];
