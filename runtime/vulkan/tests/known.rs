//! Results of lavapipe that were seen to differ once, for hosts without it.

use crate::compare::{assembled, emulate, model};
use crate::writer::{Program, size, text};
use parallax_vulkan::{Buffer, Job};

/// Instruction, operands, result, words of the operands, words of the result.
type Row = (&'static str, &'static str, &'static str, &'static [&'static [u32]], &'static [u32]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // The constant pi/4 - 1 is one of binary32.
    ("Asin", "f32", "f32", &[&[0x3f40_73a0]], &[0x3f59_ca96]),
    ("Acos", "f32", "f32", &[&[0xbec5_4360]], &[0x3ffb_b475]),
    ("Atan", "f32", "f32", &[&[0xc2fc_0000]], &[0xbfc8_0bcd]),
    ("Atan", "f32", "f32", &[&[0x4000_0000]], &[0x3f8d_b717]),
    ("Atan2", "f32 f32", "f32", &[&[0x3fc9_0fdb], &[0x42c8_0000]], &[0x3c80_aa9b]),
    ("Tanh", "f32", "f32", &[&[0x7fd5_5555]], &[0x7fd5_5555]),
    ("Length", "f32", "f32", &[&[0x9e8b_b7b8]], &[0x1e8b_b7b3]),
    ("Normalize", "f32", "f32", &[&[0xf3a7_1e24]], &[0x8000_0000]),
    ("Normalize", "v2f32", "v2f32", &[&[0xc105_0b97, 0xc2fc_0000]], &[0xbd86_dd1e, 0xbf7f_71c0]),
    ("Reflect", "f32 f32", "f32", &[&[0xff7f_ffff], &[0x1d75_edbf]], &[0x7f80_0000]),
    ("PackSnorm4x8", "v4f32", "u32", &[&[0x40c7_041c, 0x4087_db28, 0x4110_e2aa, 0xffa0_1234]], &[0x817f_7f7f]),
    ("PackUnorm4x8", "v4f32", "u32", &[&[0xbea3_6568, 0x3f22_2222, 0xbe6b_4c18, 0x3dcf_a860]], &[0x1a00_a200]),
    // Halves are too coarse for the polynomial of the arc sine.
    ("Asin", "f16", "f16", &[&[0xa932]], &[0xa932]),
    ("Atan", "f16", "f16", &[&[0x3bff]], &[0x3a46]),
    ("Ldexp", "f16 i32", "f16", &[&[0xf7c3], &[0xffff_ffcc]], &[0x8000]),
    ("Determinant", "m3x3f32", "f32",
        &[&[0xc0fe_e5b8, 0x40c2_2eb8, 0xbfd0_7fa0, 0x40dc_8020, 0xc052_5c76, 0xc103_5afe, 0xc0c3_8e6e, 0xbfb5_07f0, 0xbe92_3e20]],
        &[0x43e0_ff08]),
    ("Determinant", "m4x4f32", "f32",
        &[&[0xc020_6364, 0x40e9_1594, 0x3f9c_2c10, 0x40ba_e750, 0xc11d_c717, 0x4115_a31a, 0x406e_66cc, 0xc0a0_1948,
            0x403e_656c, 0x4115_b250, 0x3f1f_1380, 0xbfc2_7690, 0xbf84_7468, 0x40d3_a274, 0x408b_3910, 0xc0f5_c2c4]],
        &[0x4532_9971]),
    // Denormals under the polynomials.
    ("Log", "f32", "f32", &[&[0x0040_0000]], &[0xc2af_3f9b]),
    ("Log2", "f32", "f32", &[&[0x007f_ffff]], &[0xc2fc_0000]),
    ("Log2", "f32", "f32", &[&[0x8000_0001]], &[0x7fc0_0000]),
    ("Sin", "f32", "f32", &[&[0x8000_0001]], &[0x8000_0001]),
    ("Cos", "f32", "f32", &[&[0x8000_0001]], &[0x3f80_0000]),
];

/// Bodies, operands, result.
#[rustfmt::skip]
const REWRITTEN: &[(&str, &[u32], u32)] = &[
    ("%x = OpFDiv %f32 %c_f32_1 %a\n%r = OpFDiv %f32 %c_f32_1 %x", &[0xff7f_ffff], 0xff7f_ffff),
    ("%r = OpFSub %f32 %c_f32_0 %a", &[0], 0x8000_0000),
    ("%r = OpFDiv %f32 %a %c_f32_1", &[0x7f80_0001], 0x7f80_0001),
    ("%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %c %c\n%z = OpFAdd %f32 %x %y\n%r = OpFSub %f32 %z %a",
        &[0xc066_95d8, 0xc110_2c42, 0xc0a5_31a1], 0x427a_de87),
    ("%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %c %c\n%z = OpFSub %f32 %x %y\n%r = OpFSub %f32 %z %a",
        &[0x4000_d068, 0x4102_c2c4, 0x40fd_d454], 0xc241_ee8f),
    ("%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %b %c\n%z = OpFAdd %f32 %x %y\n%r = OpFSub %f32 %z %c",
        &[0xc0dd_fdae, 0x4048_6284, 0x4114_e1a0], 0xbff2_14d4),
];

/// The result of the first element.
fn result(program: &Program, operands: &[&[u32]]) -> Vec<u32> {
    let words = assembled(&program.name, &text(program));
    let mut buffers: Vec<Buffer> =
        (0..).zip(operands).map(|(n, operand)| Buffer::storage(0, n, operand.to_vec())).collect();
    buffers.push(Buffer::storage(0, operands.len() as u32, vec![0; size(&program.result) as usize]));
    let job = Job { words: &words, buffers, ..Job::default() };
    let after = emulate(&job, &model()).unwrap_or_else(|problem| panic!("{}: {problem}", program.name));
    after.last().cloned().unwrap_or_default()
}

#[test]
fn expansions_are_those_of_mesa() {
    for (name, operands, of, words, expected) in ROWS {
        let names = ["%a", "%b", "%c"][..words.len()].join(" ");
        let program = Program::new(*name, operands, of, format!("%r = OpExtInst %{of} %glsl {name} {names}"));
        let found = result(&program, words);
        assert_eq!(found, *expected, "{name} of {words:x?}: {found:x?}, not {expected:x?}");
    }
}

#[test]
fn programs_are_rewritten_as_by_mesa() {
    for (body, words, expected) in REWRITTEN {
        let operands: Vec<&[u32]> = words.iter().map(std::slice::from_ref).collect();
        let program = Program::new("rewritten", &vec!["f32"; words.len()].join(" "), "f32", *body);
        let found = result(&program, &operands);
        assert_eq!(found, [*expected], "{body} of {words:x?}: {found:x?}");
    }
}
