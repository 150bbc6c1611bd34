//! Kernels there and back: every access to memory, every change of a word, and where an invocation is.

use crate::back::{lifted, named};
use crate::proof::{frame, other_word, read};
use crate::schedule::check;
use parallax::{Draw, LoadOptions, Model, Shader, Stage, Symbolic, load};
use parallax_emit::{Carried, translate};
use parallax_opt::canonicalise;
use parallax_random::Random;
use std::fmt::Write;

/// Changes of words with one operand.
const CHANGES: [&str; 11] = [
    "ATOMUADD",
    "ATOMXCHG",
    "ATOMAND",
    "ATOMOR",
    "ATOMXOR",
    "ATOMUMIN",
    "ATOMUMAX",
    "ATOMIMIN",
    "ATOMIMAX",
    "ATOMINC_WRAP",
    "ATOMDEC_WRAP",
];

/// A kernel of workgroups of 8x2 invocations that reads words of a buffer, changes words of another and of the workgroup's memory, waits,
/// and stores what it found. Some addresses lie behind the ends of buffers.
fn kernel(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut below = |count: usize| (random.word() % count as u64) as usize;
    let mut text = String::from(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n\
         DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL BUFFER[1]\n\
         DCL TEMP[0..5]\nIMM[0] UINT32 {8, 4, 16, 60}\nIMM[1] UINT32 {2, 3, 0, 1023}\n\
         UMAD TEMP[0].x, SV[0].yyyy, IMM[0].xxxx, SV[0].xxxx\n\
         UMAD TEMP[0].y, SV[1].yyyy, SV[2].xxxx, SV[1].xxxx\n\
         UMAD TEMP[0].z, TEMP[0].yyyy, IMM[0].zzzz, TEMP[0].xxxx\n\
         SHL TEMP[0].w, TEMP[0].zzzz, IMM[1].xxxx\nSHL TEMP[1].x, TEMP[0].xxxx, IMM[1].xxxx\n\
         LOAD TEMP[2].x, BUFFER[0], TEMP[0].wwww\nSTORE MEMORY[0].x, TEMP[1].xxxx, TEMP[2].xxxx\nMOV TEMP[3], TEMP[2].xxxx\nBARRIER\n",
    );
    for _ in 0..12 {
        let letter = ["x", "y", "z", "w"][below(4)];
        let buffer = ["BUFFER[1]", "MEMORY[0]"][below(2)];
        // A word of the buffer, or of the first ones of the memory.
        let _ = writeln!(text, "UADD TEMP[4].x, TEMP[{}].{}, IMM[1].yyyy", 2 + below(2), letter.repeat(4));
        let _ = writeln!(text, "AND TEMP[4].x, TEMP[4].xxxx, IMM[0].wwww");
        match below(6) {
            0 => {
                let _ = writeln!(text, "ATOMCAS TEMP[3].{letter}, {buffer}, TEMP[4].xxxx, IMM[1].zzzz, TEMP[0].zzzz");
            }
            1 => {
                let _ = writeln!(text, "LOAD TEMP[3].{letter}, {buffer}.xxxx, TEMP[4].xxxx\nBARRIER");
            }
            2 => {
                let _ = writeln!(text, "RESQ TEMP[5].x, BUFFER[1]\nUADD TEMP[5].x, TEMP[5].xxxx, TEMP[4].xxxx");
                let _ = writeln!(text, "STORE BUFFER[1].x, TEMP[5].xxxx, TEMP[3].xxxx");
                let _ = writeln!(text, "LOAD TEMP[3].{letter}, BUFFER[1].xxxx, TEMP[5].xxxx");
            }
            3 => {
                let _ = writeln!(
                    text,
                    "UIF TEMP[3].{}\nSTORE {buffer}.x, TEMP[4].xxxx, TEMP[0].zzzz\nENDIF",
                    letter.repeat(4)
                );
            }
            _ => {
                let change = CHANGES[below(CHANGES.len())];
                // What was there is not always read.
                let to = if below(3) == 0 { "TEMP[5].z".to_string() } else { format!("TEMP[3].{letter}") };
                let _ = writeln!(text, "{change} {to}, {buffer}, TEMP[4].xxxx, TEMP[2].xxxx");
            }
        }
        let _ = writeln!(text, "XOR TEMP[2].x, TEMP[2].xxxx, TEMP[3].{}", letter.repeat(4));
    }
    text.push_str("BARRIER\nLOAD TEMP[4].x, MEMORY[0], TEMP[1].xxxx\nUADD TEMP[2].x, TEMP[2].xxxx, TEMP[4].xxxx\n");
    text.push_str("STORE BUFFER[0].x, TEMP[0].wwww, TEMP[2].xxxx\nEND\n");
    text
}

#[test]
fn random_kernels_come_back_with_the_same_words() {
    let model = Model::builtin("ieee").expect("built in");
    // Whether words are changed that nobody reads, in buffers and in the memory of a workgroup.
    let mut unread = [false; 2];
    for (target, seed) in ["tgsi", "spa5"].into_iter().flat_map(|name| (0..60).map(move |seed| (named(name), seed))) {
        let text = kernel(seed);
        let source = lifted(&text, "tgsi");
        let of_tgsi = source.func.iface.clone();
        let made = translate(&source, target).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
        if target.name == "spa5" {
            unread = [unread[0] | made.text.contains(" RED.E."), unread[1] | made.text.contains(" RZ, [")];
            check(&made.text).unwrap_or_else(|why| panic!("{why}\n{}", made.text));
        }
        let there = read(&made, target.of_stage(Stage::Compute).expect("kernels"));
        let there = there.unwrap_or_else(|why| panic!("{why}\nfrom\n{text}"));
        let mut draw = Draw::defaults(&source.func.iface).expect("defaults");
        draw.grid = [2, 3, 1];
        let mut random = Random::new(seed + 1000);
        draw.buffers.iter_mut().for_each(|words| words.resize(96, 0));
        draw.buffers.iter_mut().flatten().for_each(|word| *word = random.word() as u32);
        let carried = draw.carried(&there.func.iface, &made.carried).expect("buffers");
        let (wanted, found) = (frame(&source, &draw, &model, 8), frame(&there, &carried, &model, 8));
        assert!(wanted.buffers.iter().zip(&draw.buffers).any(|(a, b)| a != b), "nothing happens\n{text}");
        if let Some(what) = other_word(&source.func.iface, &wanted, &found, &made.carried) {
            panic!("{what}\n{text}\n{}", made.text);
        }
        if target.name == "spa5" {
            // A kernel that reports no faults can be translated in turn.
            let source = robust(&made.text);
            for next in ["tgsi", "spa5"].map(named) {
                let again = translate(&source, next).unwrap_or_else(|why| panic!("{why:?}\n{}", made.text));
                let there = read(&again, next.of_stage(Stage::Compute).expect("kernels"));
                let there = there.unwrap_or_else(|why| panic!("{why}\nfrom\n{}", made.text));
                let second = carried.carried(&there.func.iface, &again.carried).expect("buffers");
                let found = frame(&there, &second, &model, 8);
                // Numbers of buffers change twice.
                let twice = Carried {
                    buffers: made.carried.buffers.iter().map(|&n| again.carried.buffer(n.into()) as u16).collect(),
                    ..Carried::default()
                };
                if let Some(what) = other_word(&of_tgsi, &wanted, &found, &twice) {
                    panic!("{what}\n{}\n{}", made.text, again.text);
                }
            }
        }
    }
    assert_eq!(unread, [true; 2]);
}

/// A kernel of SPA 5.0, with accesses outside of memory that read zeros and store nothing.
fn robust(text: &str) -> Shader<Symbolic> {
    let mut options = LoadOptions { isa: Some("spa5".to_string()), ..LoadOptions::default() };
    options.lift.robust = true;
    canonicalise(load("kernel", text.as_bytes(), &options).shader.expect("a kernel"))
}

/// Numbers near powers of two, and others.
fn special(n: usize) -> u32 {
    let power = 1u32.rotate_left(n as u32 / 4);
    match n % 4 {
        _ if n >= 124 => (n as u32).wrapping_mul(0x9e37_79b9),
        0 => power,
        1 => power - 1,
        2 => power + 1,
        _ => power.wrapping_neg(),
    }
}

/// Quotients and remainders of pairs of special numbers, with and without signs.
#[test]
fn quotients_of_special_numbers_are_those_of_integers() {
    const NUMBERS: usize = 144;
    let text = format!(
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 16\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n\
         DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL BUFFER[1]\nDCL TEMP[0..3]\n\
         IMM[0] UINT32 {{16, 4, {NUMBERS}, 12}}\nIMM[1] UINT32 {{8, 0, 0, 0}}\n\
         UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\nUMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n\
         LOAD TEMP[1].x, BUFFER[0], TEMP[0].yyyy\nUMUL TEMP[0].y, SV[1].yyyy, IMM[0].yyyy\n\
         LOAD TEMP[3].x, BUFFER[0], TEMP[0].yyyy\nUMAD TEMP[0].z, SV[1].yyyy, IMM[0].zzzz, TEMP[0].xxxx\n\
         UMUL TEMP[0].z, TEMP[0].zzzz, IMM[0].xxxx\n\
         UDIV TEMP[2].x, TEMP[1].xxxx, TEMP[3].xxxx\nSTORE BUFFER[1].x, TEMP[0].zzzz, TEMP[2].xxxx\n\
         UMOD TEMP[2].x, TEMP[1].xxxx, TEMP[3].xxxx\nUADD TEMP[0].w, TEMP[0].zzzz, IMM[0].yyyy\n\
         STORE BUFFER[1].x, TEMP[0].wwww, TEMP[2].xxxx\n\
         IDIV TEMP[2].x, TEMP[1].xxxx, TEMP[3].xxxx\nUADD TEMP[0].w, TEMP[0].zzzz, IMM[1].xxxx\n\
         STORE BUFFER[1].x, TEMP[0].wwww, TEMP[2].xxxx\n\
         MOD TEMP[2].x, TEMP[1].xxxx, TEMP[3].xxxx\nUADD TEMP[0].w, TEMP[0].zzzz, IMM[0].wwww\n\
         STORE BUFFER[1].x, TEMP[0].wwww, TEMP[2].xxxx\nEND\n"
    );
    let target = named("spa5");
    let source = lifted(&text, "tgsi");
    let made = translate(&source, target).expect("quotients");
    assert!(made.text.contains("MUFU.RCP"), "{}", made.text);
    let there = read(&made, target.of_stage(Stage::Compute).expect("kernels")).expect("a kernel");
    let mut draw = Draw::defaults(&source.func.iface).expect("defaults");
    draw.grid = [NUMBERS as u32 / 16, NUMBERS as u32, 1];
    draw.buffers[0] = (0..NUMBERS).map(special).collect();
    draw.buffers[1] = vec![0; 4 * NUMBERS * NUMBERS];
    let carried = draw.carried(&there.func.iface, &made.carried).expect("buffers");
    // A reciprocal that is off by a unit is no harm.
    for model in ["ieee", "maxwell"] {
        let found = frame(&there, &carried, &Model::builtin(model).expect("built in"), 8);
        for (n, words) in found.buffers[made.carried.buffer(1)].chunks(4).enumerate() {
            let (a, b) = (special(n % NUMBERS), special(n / NUMBERS));
            let wanted = [
                a.checked_div(b).unwrap_or(u32::MAX),
                a.checked_rem(b).unwrap_or(u32::MAX),
                if b == 0 { 0 } else { (a as i32).wrapping_div(b as i32) as u32 },
                if b == 0 { u32::MAX } else { (a as i32).wrapping_rem(b as i32) as u32 },
            ];
            assert_eq!(words, wanted, "{a} and {b} under {model}");
        }
    }
}
