//! Instructions on SwiftShader and under its model: the same bits, but for those of NaN.
//!
//! `PARALLAX_RECORD=FILE` writes some of the device's results as lines for `ir/num/tests/swiftshader.tsv`.

use crate::compare::{assembled, emulate};
use crate::feed;
use crate::writer::{GROUP, Program, size, text};
use parallax_num::Model;
use parallax_random::Random;
use parallax_vulkan::{Buffer, Device, Job};
use std::fmt::Write;

/// Workgroups.
const GROUPS: u32 = 16;
/// Results of an instruction that are recorded.
const RECORDED: usize = 24;

/// Instructions: the operation in recorded lines, operands, body. Values by themselves: SwiftShader's optimiser rewrites chains.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &str, &str, &str)] = &[
    ("sin", "f32", "f32", "%r = OpExtInst %f32 %glsl Sin %a"),
    ("sin", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Sin %a"),
    ("cos", "f32", "f32", "%r = OpExtInst %f32 %glsl Cos %a"),
    ("cos", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Cos %a"),
    ("exp2", "f32", "f32", "%r = OpExtInst %f32 %glsl Exp2 %a"),
    ("exp2", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Exp2 %a"),
    ("log2", "f32", "f32", "%r = OpExtInst %f32 %glsl Log2 %a"),
    ("log2", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Log2 %a"),
    ("pow", "f32 f32", "f32", "%r = OpExtInst %f32 %glsl Pow %a %b"),
    ("pow", "f32:plain f32:plain", "f32", "%r = OpExtInst %f32 %glsl Pow %a %b"),
    ("add", "f32 f32", "f32", "%r = OpFAdd %f32 %a %b"),
    ("mul", "f32 f32", "f32", "%r = OpFMul %f32 %a %b"),
    ("div", "f32 f32", "f32", "%r = OpFDiv %f32 %a %b"),
    ("sqrt", "f32", "f32", "%r = OpExtInst %f32 %glsl Sqrt %a"),
    ("rsq", "f32", "f32", "%r = OpExtInst %f32 %glsl InverseSqrt %a"),
    ("min", "f32 f32", "f32", "%r = OpExtInst %f32 %glsl FMin %a %b"),
    ("max", "f32 f32", "f32", "%r = OpExtInst %f32 %glsl FMax %a %b"),
    ("fma", "f32 f32 f32", "f32", "%r = OpExtInst %f32 %glsl Fma %a %b %c"),
    ("fma", "f32:plain f32:plain f32:plain", "f32", "%r = OpExtInst %f32 %glsl Fma %a %b %c"),
    // The smaller one of it and the number below 1 is that number where it is NaN.
    ("frac", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Fract %a"),
    ("", "f32:plain f32:plain f32:plain", "f32", "%r = OpExtInst %f32 %glsl FMix %a %b %c"),
    ("", "f32:plain f32:plain f32:plain", "f32", "%x = OpFMul %f32 %a %b\n%r = OpFAdd %f32 %x %c"),
    ("", "v2f32:plain v2f32:plain", "f32", "%r = OpDot %f32 %a %b"),
    ("", "v3f32:plain v3f32:plain", "f32", "%r = OpDot %f32 %a %b"),
    ("", "v4f32:plain v4f32:plain", "f32", "%r = OpDot %f32 %a %b"),
    ("", "v3f32:plain", "v3f32", "%r = OpExtInst %v3f32 %glsl Normalize %a"),
    ("", "v3f32:plain", "f32", "%r = OpExtInst %f32 %glsl Length %a"),
    ("", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Exp %a"),
    ("", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Log %a"),
    ("", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Tan %a"),
    ("", "f32:plain f32:plain", "f32", "%r = OpExtInst %f32 %glsl Atan2 %a %b"),
    ("", "f32:plain f32:plain f32:plain", "f32", "%r = OpExtInst %f32 %glsl SmoothStep %a %b %c"),
    ("", "f32:plain", "f32", "%r = OpExtInst %f32 %glsl Radians %a"),
    ("", "f32", "f32", "%r = OpExtInst %f32 %glsl Floor %a"),
    ("", "f32", "i32", "%r = OpConvertFToS %i32 %a"),
];

/// The device, if it is SwiftShader; else why not is said.
pub(crate) fn device() -> Option<Device> {
    match Device::open() {
        Ok(device) if device.name().starts_with("SwiftShader") => return Some(device),
        Ok(device) => eprintln!("skipped: no SwiftShader, but {} ({})", device.name(), device.driver()),
        Err(problem) => eprintln!("skipped: no Vulkan device ({problem})"),
    }
    None
}

#[test]
fn instructions_are_those_of_swiftshader() {
    let Some(device) = device() else { return };
    let model = Model::builtin("swiftshader").expect("a built-in model");
    let (mut problems, mut lines) = (Vec::new(), String::new());
    let count = (GROUP * GROUPS) as usize;
    for (seed, &(op, operands, result, body)) in (0..).zip(PROGRAMS) {
        let program = Program::new(format!("{body}, {operands}"), operands, result, body);
        let words = assembled(&program.name, &text(&program));
        let mut random = Random::new(seed);
        let given: Vec<Vec<u32>> = program.operands.iter().map(|kind| feed::words(kind, count, &mut random)).collect();
        let size = size(&program.result) as usize;
        let mut buffers: Vec<Buffer> =
            (0..).zip(&given).map(|(n, words)| Buffer::storage(0, n, words.clone())).collect();
        buffers.push(Buffer::storage(0, buffers.len() as u32, vec![0; count * size]));
        let job = Job { words: &words, grid: [GROUPS, 1, 1], buffers, ..Job::default() };
        let ours = emulate(&job, &model).unwrap_or_else(|problem| panic!("{}: {problem}", program.name));
        let theirs = device.run(&job).unwrap_or_else(|problem| panic!("{}: {problem}", program.name));
        let (ours, theirs) = (&ours[given.len()], &theirs[given.len()]);
        let is_nan = |word: u32| result != "i32" && f32::from_bits(word).is_nan();
        let differs = |(a, b): (&u32, &u32)| a != b && !(is_nan(*a) && is_nan(*b));
        let wrong: Vec<usize> = (0..ours.len()).filter(|&n| differs((&ours[n], &theirs[n]))).collect();
        if let Some(&first) = wrong.first() {
            let each = given.iter().map(|words| &words[first / size * (words.len() / count)..][..words.len() / count]);
            let each: Vec<String> = each.map(|words| format!("{words:08x?}")).collect();
            problems.push(format!(
                "{}: {} of {}, first {}: {:08x}, there {:08x}",
                program.name,
                wrong.len(),
                ours.len(),
                each.join(" "),
                ours[first],
                theirs[first]
            ));
        }
        for n in (0..theirs.len()).filter(|_| !op.is_empty()).take(RECORDED) {
            lines += op;
            for word in given.iter().map(|words| words[n]).chain([theirs[n]]) {
                let _ = write!(lines, "\t{word:08x}");
            }
            lines.push('\n');
        }
    }
    if let Some(path) = std::env::var_os("PARALLAX_RECORD") {
        std::fs::write(path, lines).expect("a file that can be written");
    }
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), PROGRAMS.len(), problems.join("\n"));
}
