//! How programs of single operations are written, and groups with one of most things.

use parallax_lift::Trials;

pub(crate) const TRIALS: &[Trials] = &[Trials {
    attribute: "vi0",
    other: "vi4",
    constant: "shared[0]",
    attribute_operand: ["vi0"; 2],
    constant_operand: ["sh0"; 2],
    literal_operand: "{literal}",
    moved_operand: ["i0"; 2],
    other_operands: [["vi4"; 2], ["vi5"; 2], ["vi6"; 2]],
    head: "",
    declare: "",
    literal: |value, _| format!("{:#x}", value[0]),
    // Only a bitwise group has a literal.
    move_literal: "mov ft0, ft1, c0, {literal}\nmov i0, ft1\n",
    only_literal: None,
    patterns: true,
    line: |op| match op {
        "sop" => "0 : sop {result}.joutj, {a}, {b}, add, {c}, 0.oneminus\n",
        "frcp" | "frsq" | "fsqrt" | "flog" | "fexp" | "gcmp" | "gexp" => "0 : {op} {result}, {a}\n",
        "fsinc" => "0 : fsinc {result}, p0, {a}\n",
        "pck.s32" | "pck.f16f16" | "pck.u8888.scale" => "0 : mov ft0, {a}\n{op} ft2, ft0\nmov {result}, ft2\n",
        _ => "0 : {op} ft0, {sources}\nmov {result}, ft0\n",
    },
    tail: "",
    results: &["r{n}"],
    shapes: &["s", "ss", "sss"],
    mnemonics: || MNEMONICS.split(' ').map(|name| (name.to_string(), true)).collect(),
}];

const MNEMONICS: &str = "fadd fmul fmad fadd.sat fmul.sat fmad.sat mov sop frcp frsq fsqrt flog fexp gcmp gexp fsinc pck.s32 \
                         pck.f16f16 pck.u8888.scale unpck.f16f16 unpck.u8888.scale unpck.s32 uadd8 imad16 umadd32 fdsx fdsyf";

pub(crate) const EXAMPLES: &[&str] = &[
    "0 : fmul ft0, sh4, i1\n    fmad.sat ft1, r1.neg, r2, c64.abs\n    mov r0, ft0\n    mov r1, ft1\n",
    "if(p0) { mov ft0, sh1 ; mov ft1, r2 ; tstl.s16 ftt, p0, ft0.e1, ft1.e1 ; movc r0.e0, r1, ftt, ft0, ft1 }\n",
    "mov ft0, ft1, r1, 0xffff ; rev ft2, r2 ; ftb ft3, ft2 ; xor ft4, ft1, ft2, _, r3 ; asr.ftb ft5, ft4, r4 ; tz p0, ft5 ; \
     mov r0, ft5\n",
    "smp2d.proj.replace.array.f16 drc0, sh4, r1, sh0, r9, r0, 4\n1 : wdf drc0\n2 : (ignorepe) { cndst 1, r10, r10, 1 }\n",
    "a: uadd8.sat ft0, r1.e1, r2.e0 ; mov r0[idx0], ft0 ; 1 : br a 2 : nop.end .bytes 01 02 cd cd",
];
