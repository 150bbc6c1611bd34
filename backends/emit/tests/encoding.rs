//! Words that are written without a text are those that the assembler makes of it.

use crate::back::{lifted, named, program};
use crate::proof::Source;
use parallax::{FRONTENDS, Layout, Shader, Symbolic};
use parallax_emit::{Target, translate, translate_to_words};

const TARGETS: [&str; 3] = ["attila", "spa5", "usc"];

/// Compares both ways to words; whether there are any.
fn same(name: &str, shader: &Shader<Symbolic>, target: &Target) -> bool {
    let (text, words) = match (translate(shader, target), translate_to_words(shader, target)) {
        (Ok(text), Ok(words)) => (text, words),
        (Err(text), Err(words)) => {
            assert_eq!(text, words, "{name} to {}: reasons", target.name);
            return false;
        }
        (text, words) => panic!("{name} to {}: {:?} and {:?}", target.name, text.err(), words.err()),
    };
    let frontend = FRONTENDS.iter().find(|frontend| frontend.name == target.isa).expect("a frontend");
    let machine = frontend.machine.as_ref().expect("an assembler");
    let (assembled, diags) = (machine.assemble)(&text.text, &Layout::default(), true);
    let assembled = assembled.unwrap_or_else(|| panic!("{name} to {}: {diags:?}\n{}", target.name, text.text));
    let found = words.binary.expect("words");
    let first = found.iter().zip(&assembled).position(|(a, b)| a != b).unwrap_or(found.len().min(assembled.len()));
    assert!(
        found == assembled,
        "{name} to {}: {} bytes and {}, the first other one is {first}\n{}",
        target.name,
        found.len(),
        assembled.len(),
        text.text
    );
    assert!(words.text.is_empty(), "no text was asked for");
    assert_eq!((text.instructions, text.registers), (words.instructions, words.registers), "{name}");
    assert_eq!(text.carried, words.carried, "{name}");
    assert_eq!(text.inexact, words.inexact, "{name}");
    true
}

#[test]
fn words_of_the_corpus_are_those_of_its_texts() {
    for name in TARGETS {
        let target = named(name);
        let sources = parallax_corpus::shaders().map(Source::of_corpus);
        let count = sources.filter(|source| same(&source.path, &source.shader, target)).count();
        assert!(count > 40, "{count} programs of {name}");
    }
}

#[test]
fn words_of_random_programs_are_those_of_their_texts() {
    for seed in 0..60 {
        let shader = lifted(&program(seed, true, true, true), "tgsi");
        for name in TARGETS {
            same(&format!("random program {seed}"), &shader, named(name));
        }
    }
}

/// More literals than there are constants were written as constants that do not exist.
#[test]
fn literals_without_room_are_refused_in_words_and_text() {
    let program = |literals: u32| {
        let mut text = String::from("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n");
        for n in 0..literals {
            let vector: Vec<String> = (1..5).map(|comp| format!("{n}.{comp}")).collect();
            text.push_str(&format!("IMM[{n}] FLT32 {{{}}}\n", vector.join(", ")));
        }
        text.push_str("MOV TEMP[0], IN[0]\n");
        (0..literals).for_each(|n| text.push_str(&format!("MAX TEMP[0], TEMP[0], IMM[{n}]\n")));
        lifted(&(text + "MOV OUT[0], TEMP[0]\nEND\n"), "tgsi")
    };
    assert!(same("512 literals", &program(512), named("attila")));
    let too_many = program(513);
    assert!(!same("513 literals", &too_many, named("attila")));
    let why = translate(&too_many, named("attila")).expect_err("one is missing");
    assert_eq!(why[0].message, "513 constants and literals: ATTILA has 512; 1 are missing");
}
