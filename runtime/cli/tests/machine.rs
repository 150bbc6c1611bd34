//! Machine words on the command line: listing, assembling, and every verb on ATTILA text and binaries, good and bad.

use crate::support;

use support::{Place, Run};

const TEXT: &str = "mul r0, i0, c0\nadd_sat o0, r0, 0.25\n";
const HEX: &str = "17008038f3000000001b00001b001b00\n01018639f9000000001b00000000803e\n";

fn binary() -> Vec<u8> {
    let digits: Vec<u8> = HEX.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|d| u8::from_str_radix(std::str::from_utf8(d).unwrap(), 16).unwrap()).collect()
}

#[test]
fn text_and_words_turn_into_each_other() {
    let place = Place::new();
    place.put("a.attila", TEXT).put("a.bin", binary());
    assert_eq!(place.run(&["as", "a.attila", "--hex"]).exits(0).text(), HEX);
    assert_eq!(place.feed(&["as", "-"], TEXT.as_bytes()).exits(0).out, binary());
    let listing = place.run(&["dis", "a.bin"]);
    assert_eq!(listing.exits(0).text(), "mul r0, i0, c0\nadd_sat o0, r0, 0.250000 <- end\n");
    assert_eq!(place.feed(&["dis", "-", "--from", "attila"], &binary()).exits(0).text(), listing.text());
    assert_eq!(place.feed(&["as", "-"], listing.text().as_bytes()).exits(0).out, binary());
    let offsets = place.run(&["dis", "a.bin", "--offsets"]);
    assert!(offsets.exits(0).text().contains(" <- end // 0010: 01018639f9000000001b00000000803e\n"));
    assert_eq!(place.feed(&["as", "-"], offsets.text().as_bytes()).exits(0).out, binary());
    place.put("loop.attila", "l: add r0, r0, r0\njmp p0, l\nend\n");
    place.run(&["as", "loop.attila", "-o", "loop.bin"]).exits(0);
    let labels = place.run(&["dis", "loop.bin"]);
    assert_eq!(labels.exits(0).text(), "L0:\nadd r0, r0, r0\njmp p0, L0\nend <- end\n");
    // Bits without a spelling survive, but not in the original tool's listing.
    let mut odd = binary();
    odd[7] |= 0x80;
    assert_eq!(place.feed(&["as", "-"], &place.feed(&["dis", "-"], &odd).exits(0).out).exits(0).out, odd);
    assert_eq!(place.feed(&["dis", "-", "--vendor"], &odd).exits(0).text(), listing.text());
}

#[test]
fn every_verb_takes_both_forms_by_name_and_from_standard_input() {
    let place = Place::new();
    let binary = binary();
    place.put("text", TEXT).put("words", &binary);
    let small = ["--models", "ieee", "--size", "8x8"];
    for (name, bytes) in [("text", TEXT.as_bytes()), ("words", binary.as_slice())] {
        for verb in ["info", "check", "lift", "run", "compare", "bench"] {
            let more: &[&str] = match verb {
                "run" => &["--size", "8x8", "-o", "out.png"],
                "compare" => &["--no-report"],
                "bench" => &["--runs", "1"],
                _ => &[],
            };
            let models: &[&str] = if matches!(verb, "compare" | "bench") { &small } else { &[] };
            let forced: [&[&str]; 2] = [&[], &["--from", "attila"]];
            for forced in forced {
                place.run(&[&[verb, name], more, models, forced].concat()).exits(0);
                place.feed(&[&[verb, "-"], more, models, forced].concat(), bytes).exits(0);
            }
        }
    }
    place.run(&["info", "words"]).exits(0).prints("attila, fragment shader, 2 instructions").prints("i0: generic 0");
}

#[test]
fn the_wrong_form_is_named() {
    let place = Place::new();
    place.put("a.attila", TEXT).put("a.bin", binary());
    place.run(&["dis", "a.attila"]).exits(2).says("this is text, not machine words; `parallax as` assembles it");
    place.run(&["as", "a.bin"]).exits(2).says("this is not text; `parallax dis` lists machine words");
    place.run(&["dis", "a.bin", "--from", "tgsi"]).exits(3).says("these have: ");
}

/// A text that a driver would compile is no listing: one error says so.
#[test]
fn texts_for_drivers_are_not_assembled() {
    let place = Place::new();
    for (name, text) in
        [("a.fp", "\n!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n"), ("a.vp", "!!VP1.1\nMOV o[HPOS], v[0];\nEND\n")]
    {
        let run = place.put(name, text).run(&["as", name]);
        run.exits(3).says("not-assembled").says("has no machine words");
        assert_eq!(run.err.matches("error[").count(), 1, "{}", run.err);
    }
}

#[test]
fn a_text_without_instructions_is_no_program() {
    let place = Place::new();
    for text in ["", "\n", "; nothing\n", "alone:\n"] {
        let run = place.feed(&["as", "-", "--from", "attila", "-o", "out.bin"], text.as_bytes());
        run.exits(2).says("empty-program").says("the program has no instructions");
        assert!(!place.path("out.bin").exists(), "{text:?}");
    }
}

#[test]
fn words_that_check_refuses_are_assembled_with_a_warning() {
    let place = Place::new();
    for (text, code, place_said) in [
        ("mov o0, r99\n", "register-number", ":1:1"),
        ("mov o0, i0\nmov o16, i0\n", "register-number", ":2:1"),
        ("tex o0, i0, t16\n", "register-number", ":1:1"),
        ("nop\njmp p0, 7\nend\n", "jump-out-of-program", ":2:1"),
        ("mov o0, i0 <- noend\n", "missing-end", ":1:1"),
    ] {
        place.put("a.attila", text);
        let run = place.run(&["as", "a.attila", "-o", "a.bin"]);
        run.exits(0).says(&format!("warning[{code}]")).says(place_said).says("cannot run");
        place.run(&["check", "a.bin", "--from", "attila"]).exits(2).says(code);
        assert_eq!(
            place.run(&["dis", "a.bin", "--from", "attila"]).exits(0).text().lines().count(),
            text.lines().count()
        );
    }
    let run = place.feed(&["as", "-", "--from", "attila"], b"mov r256, i0\n");
    run.exits(2).says("registers end at `r31`; the highest that an instruction can name is `r255`");
    let run = place.feed(&["as", "-", "--from", "attila"], b"mov r0, c512\n");
    run.exits(2).says("registers end at `c511`");
    // A good program is assembled without a word.
    assert!(place.feed(&["as", "-"], TEXT.as_bytes()).exits(0).err.is_empty());
}

/// What is wrong with a binary is said with its place, and everything else is listed.
#[test]
fn bad_words_are_placed_and_the_rest_is_listed() {
    let place = Place::new();
    let good = binary();
    let with = |at: usize, bytes: &[u8]| [&good[..at], bytes, &good[at..]].concat();
    let word = |low: u128| low.to_le_bytes();
    // Bank 6 is no source of MAD; bank 2 is no result of ADD.
    let mad = word(0x13 | 6 << 17 | 3 << 22 | 3 << 27 | 3 << 32);
    let add = word(0x01 | 3 << 17 | 3 << 22 | 2 << 32);
    let listed = ["mul r0, i0, c0", "add_sat o0, r0, 0.250000 <- end"];
    for (bytes, code, offset, reason, lines) in [
        (good[..20].to_vec(), "truncated-instruction", 16, "the instruction at byte 16 has 4 of 16 bytes", 1),
        (with(16, &word(0x05)), "refused-instruction", 16, "operation code 05 is reserved", 2),
        (with(0, &word(0x0e)), "refused-instruction", 0, "`flr`: floor is listed but not implemented", 2),
        (with(16, &word(0xff)), "unknown-instruction", 16, "the word 0x", 2),
        (with(16, &mad), "illegal-field", 16, "field `op1bank` of `mad` holds 6; allowed: 0, 2 to 5", 2),
        (with(32, &add), "illegal-field", 32, "field `resbank` of `add` holds 2; allowed: 1, 3, 4", 2),
    ] {
        place.put("bad", &bytes);
        let run = place.run(&["dis", "bad", "--from", "attila"]);
        run.exits(2).prints(&format!("// byte {offset}: ")).prints(reason).says(code);
        assert_eq!(run.text().lines().filter(|l| listed.contains(l)).count(), lines, "{}", run.text());
        let check = place.run(&["check", "bad", "--from", "attila", "--format", "jsonl"]);
        let problem = &check.exits(2).lines()[0]["problems"][0];
        assert_eq!((&problem["code"], &problem["offset"]), (&code.into(), &offset.into()), "{problem}");
        assert!(problem["message"].as_str().is_some_and(|m| m.contains(reason)), "{problem}");
        for verb in ["info", "lift", "run"] {
            place.run(&[verb, "bad", "--from", "attila"]).exits(2).says(code);
        }
    }
}

/// Programs whose every word is right.
#[test]
fn bad_programs_are_placed() {
    let place = Place::new();
    for (text, code, offset, reason, line) in [
        ("nop\njmp true, 5\nend", "jump-out-of-program", 16, "leads to instruction 6; the program has 0 to 2", 2),
        ("nop\nnop\njmp p0, -3\nend", "jump-out-of-program", 32, "leads to instruction -1", 3),
        ("nop\nmov o0, i0 <- noend", "missing-end", 16, "field `endflag` of the last instruction is 0", 2),
        ("nop\nmov o16, i0", "register-number", 16, "field `resreg`: `o16` does not exist", 2),
        ("mov o0, c1[a3.x]", "register-number", 0, "field `reladdr`: `a3` does not exist", 1),
    ] {
        let words = place.feed(&["as", "-"], text.as_bytes()).exits(0).out.clone();
        place.put("bad.attila", text).put("bad.bin", &words);
        for (name, place_key, at) in [("bad.attila", "line", line), ("bad.bin", "offset", offset)] {
            // Without an end, words are not recognised by themselves.
            let check = place.run(&["check", name, "--from", "attila", "--format", "jsonl"]);
            let name_and_place = format!("{name} of {text:?}");
            let problem = &check.exits(2).lines()[0]["problems"][0];
            assert_eq!(
                (&problem["code"], &problem[place_key]),
                (&code.into(), &at.into()),
                "{name_and_place}: {problem}"
            );
            assert!(problem["message"].as_str().is_some_and(|m| m.contains(reason)), "{name_and_place}: {problem}");
            place.run(&["run", name, "--from", "attila"]).exits(2).says(code);
        }
        // The listing does not judge the program.
        place.run(&["dis", "bad.bin", "--from", "attila"]).exits(0);
    }
}

#[test]
fn random_words_are_listed_and_never_run() {
    let place = Place::new();
    let mut random = parallax_random::Random::new(7);
    let noise: Vec<u8> = (0..4000).map(|_| random.word() as u8).collect();
    place.put("noise", &noise);
    let run = place.run(&["dis", "noise", "--from", "attila"]);
    assert_eq!(run.exits(2).text().lines().count(), 250);
    place.run(&["check", "noise", "--from", "attila"]).exits(2).says("noise: byte ");
    place.run(&["dis", "noise"]).exits(2).says("not recognised; name the instruction set: --from");
}

#[test]
fn problems_of_a_text_have_line_and_column() {
    let place = Place::new();
    place.put("bad.attila", "mov r0, i0\nflr r0, i0\nmov r0, 1.0\n  mul r0, c0.xy, i1\n");
    let check = place.run(&["check", "bad.attila"]);
    check.exits(2).says("bad.attila:2:1").says("floor is listed but not implemented; use frc and add");
    check
        .says("bad.attila:3:9")
        .says("a literal can only be the second source")
        .says("bad.attila:4:14")
        .prints("3 errors");
    place.run(&["as", "bad.attila", "-o", "out.bin"]).exits(2);
    assert!(!place.path("out.bin").exists());
}

#[test]
fn the_reference_page_is_printed() {
    let place = Place::new();
    let page = place.run(&["isas", "attila"]);
    page.exits(0).prints("### mad").prints("Refused: floor is listed but").prints("reloffset");
    place.run(&["isas", "tgsi"]).exits(3).says("no table of machine words");
    place.run(&["isas"]).exits(0).prints("quirks").prints("fx_bits").prints("predication");
}

#[test]
fn coverage_counts_the_forms_of_texts_and_binaries() {
    let place = Place::new();
    place.put("a.attila", TEXT).put("b.bin", binary()).put("bad.attila", "mvo r0, i0\n").put("c.tgsi", "FRAG\nEND\n");
    let count = |run: &Run, form: &str| {
        let line = run.text().lines().find(|l| l.contains(&format!(" {form} "))).expect("a line per form").to_string();
        line.split_whitespace().next().and_then(|n| n.parse::<u32>().ok()).expect("a count")
    };
    let both = place.run(&["isas", "attila", "--coverage", "a.attila", "b.bin"]);
    both.exits(0).prints("0 words rejected");
    let one = place.run(&["isas", "attila", "--coverage", "b.bin"]);
    let form = "mul";
    assert!(count(&one, form) > 0, "{}", one.text());
    assert_eq!(count(&both, form), 2 * count(&one, form));
    // What is wrong with one program hides nothing of the others; programs of other instruction sets have no such forms.
    let some = place.run(&["isas", "attila", "--coverage", "bad.attila", "c.tgsi", "b.bin"]);
    some.exits(2).says("unknown-mnemonic").says("c.tgsi: not a program of attila");
    assert_eq!(count(&some, form), count(&one, form));
    place.run(&["isas", "attila", "--coverage"]).exits(0).prints("rows met");
    place.run(&["isas", "attila", "a.attila"]).exits(2).says("--coverage");
}

#[test]
fn damaged_files_are_recognised_without_their_extension() {
    let place = Place::new();
    let good = binary();
    let reserved = [&5u128.to_le_bytes(), good.as_slice()].concat();
    let mut endless = good.clone();
    endless[17] = 0;
    place.put("d/1-good.bin", &good).put("d/2-cut.bin", &good[..20]).put("d/3-reserved.bin", &reserved);
    place.put("d/4-no-end.bin", &endless).put("d/5.txt", format!("mulv r0, i0, c0\n{TEXT}")).put("d/6.txt", "hello\n");
    let check = place.run(&["check", "d", "--format", "jsonl"]);
    let rows: Vec<(String, String)> = check
        .exits(2)
        .lines()
        .iter()
        .map(|l| (l["file"].as_str().unwrap().to_string(), l["problems"][0]["code"].as_str().unwrap_or("").to_string()))
        .collect();
    let want = [
        ("d/1-good.bin", ""),
        ("d/2-cut.bin", "truncated-instruction"),
        ("d/3-reserved.bin", "refused-instruction"),
        ("d/4-no-end.bin", "missing-end"),
        ("d/5.txt", "unknown-mnemonic"),
    ];
    assert_eq!(rows, want.map(|(file, code)| (file.to_string(), code.to_string())));
    // What is no shader is named.
    check.says("skipped d/6.txt: no instruction set recognises it");
    for (name, code) in &want[1..] {
        for verb in ["info", "lift", "run"] {
            place.run(&[verb, name]).exits(2).says(code);
        }
        place.feed(&["check", "-"], &place.get(name)).exits(2).says(code);
    }
    // A comment in front may be long.
    let text = format!("{}{TEXT}", "; a header\n".repeat(1000));
    place.feed(&["check", "-"], text.as_bytes()).exits(0).prints("attila, 2 instructions");
}

#[test]
fn an_unread_line_hides_no_other_problem() {
    let place = Place::new();
    let text = b"mov r99, i0\nxyz\njmp p0, 77\nend\n";
    for verb in ["check", "as", "run", "lift"] {
        let run = place.feed(&[verb, "-", "--from", "attila"], text);
        run.exits(2).says("<stdin>:1:1").says("<stdin>:2:1").says("<stdin>:3:1");
        run.says("register-number").says("unknown-mnemonic").says("jump-out-of-program");
        assert!(!run.err.contains("missing-end"), "{}", run.err);
    }
    let jump = place.feed(&["as", "-"], b"jmp p0, 77 <- noend").exits(0).out.clone();
    place.put("bad.bin", [&5u128.to_le_bytes(), binary().as_slice(), &jump, &[7]].concat());
    let run = place.run(&["check", "bad.bin", "--from", "attila"]);
    // Offsets are decimal, as in messages, listings and JSON.
    run.exits(2).says("byte 0\n").says("byte 48\n").says("byte 64\n").prints("3 errors");
}

/// Its loops were named by hexadecimal offsets, while all messages have decimal ones.
#[test]
fn loops_of_a_binary_are_named_by_decimal_offsets() {
    let place = Place::new();
    let text = "a: add r1, r1, 1\nsetpgt p0, r1.x, 10\njmp !p0, a\nb: add r0, r0, c0\njmp true, b\nend\n";
    place.put("two.bin", place.feed(&["as", "-"], text.as_bytes()).exits(0).out.clone());
    let run = place.run(&["run", "two.bin", "--size", "4x4"]);
    run.exits(3).says("it is one of 2 loops, at byte 0, byte 48");
}

#[test]
fn a_problem_at_the_end_of_a_line_has_its_place() {
    let run = Place::new().feed(&["as", "-", "--from", "attila"], b"mov o0,\nmov o0, i0\n");
    run.exits(2).says("--> <stdin>:1:8").says("1 | mov o0,");
}

#[test]
fn a_listing_of_a_damaged_file_assembles_to_its_bytes() {
    let place = Place::new();
    let good = binary();
    let bad = [&good[..16], &5u128.to_le_bytes(), &good[16..], &[1, 2, 3]].concat();
    place.put("bad.bin", &bad);
    let listing = place.run(&["dis", "bad.bin"]);
    listing
        .exits(2)
        .prints(".word 0x00000000000000000000000000000005 // byte 16: ")
        .prints(".bytes 01 02 03 // byte 48: ");
    let again = place.feed(&["as", "-"], listing.text().as_bytes());
    assert_eq!(again.exits(0).out, bad);
    again.says("warning[refused-instruction]").says("<stdin>:2:1").says("warning[truncated-instruction]");
    for verb in ["check", "run", "info"] {
        let run = place.feed(&[verb, "-"], listing.text().as_bytes());
        run.exits(2).says("error[refused-instruction]").says("<stdin>:2:1").says("<stdin>:4:1");
    }
    // The damaged word may come first.
    let bad = [&5u128.to_le_bytes(), good.as_slice()].concat();
    let listing = place.feed(&["dis", "-"], &bad);
    assert_eq!(place.feed(&["as", "-"], listing.exits(2).text().as_bytes()).exits(0).out, bad);
}

#[test]
fn compare_says_where_a_binary_is_wrong() {
    let place = Place::new();
    place.put("bad.bin", [&binary(), 5u128.to_le_bytes().as_slice()].concat());
    let run = place.run(&["compare", "bad.bin", "--no-report", "--models", "ieee"]);
    run.exits(2).prints("INVALID").prints("  byte 32: ");
    // Its one problem is told once.
    assert_eq!(run.text().matches("byte 32").count(), 1, "{}", run.text());
}

#[test]
fn a_text_with_a_byte_that_is_no_text_stays_a_text() {
    let place = Place::new();
    let latin = [TEXT.as_bytes(), b"; caf\xe9\n"].concat();
    place.put("latin.attila", &latin).put("latin.txt", &latin);
    for name in ["latin.attila", "latin.txt"] {
        for verb in ["check", "info", "run", "as"] {
            place.run(&[verb, name]).exits(2).says("error[utf8]: byte 41 is not valid UTF-8").says(":3:6");
        }
        place.run(&["dis", name]).exits(2).says("this is text");
    }
    place.put("zero.attila", [TEXT.as_bytes(), b"; \0\n"].concat()).put("mark.txt", format!("\u{feff}{TEXT}"));
    for name in ["zero.attila", "mark.txt"] {
        place.run(&["check", name]).exits(0);
        assert_eq!(place.run(&["as", name, "--hex"]).exits(0).text(), HEX);
    }
    place.put("zero.attila", "mov r0, \0i0\n");
    place.run(&["check", "zero.attila"]).exits(2).says("zero.attila:1:9");
}

#[test]
fn with_carriage_returns_a_problem_at_the_end_of_a_line_has_its_column() {
    let place = Place::new();
    for (text, column) in [("mov o0,\r\nmov o0, i0\r\n", 8), ("mov o0, ; a\r\nmov o0, i0\r\n", 12), ("mov o0,\r", 8)] {
        let run = place.feed(&["as", "-", "--from", "attila"], text.as_bytes());
        run.exits(2).says(&format!("<stdin>:1:{column}\n"));
        assert!(!run.err.contains('?'), "{}", run.err);
        let case = serde_json::json!({"op": "as", "isa": "attila", "text": text}).to_string();
        if text.ends_with('\n') {
            assert_eq!(place.feed(&["eval"], case.as_bytes()).lines()[0]["error"]["column"], column, "{text:?}");
        }
    }
}

#[test]
fn loops_that_do_not_end_are_named_where_they_begin() {
    let place = Place::new();
    place.put("one.attila", "mov r0, i0\nb: add r0, r0, c1\njmp true, b\nend\n");
    place
        .run(&["run", "one.attila", "--size", "4x4"])
        .exits(3)
        .says("one.attila:2:4")
        .says("the loops do not terminate");
    // Which of two it was, the engine does not know.
    place.put(
        "two.attila",
        "mov r0, i0\na: add r1, r1, 1\nsetpgt p0, r1.x, 10\njmp !p0, a\nmov r1, i0\nb: add r0, r0, c1\njmp true, b\nend\n",
    );
    let run = place.run(&["run", "two.attila", "--size", "4x4"]);
    run.exits(3).says("two.attila:2:4").says("it is one of 2 loops, at line 2, line 6");
}

/// A chain of 11,000 branches overflowed the stack; 20,000 loops in one another took minutes.
#[test]
fn long_chains_and_deep_nests_of_jumps_are_lifted() {
    let place = Place::new();
    let chain: String = (0..11_000).map(|n| format!("jmp p{}, 2\nadd r0, r0, c0\n", n % 32)).collect();
    place.put("chain.attila", format!("{chain}mov o0, r0\n"));
    let heads: String = (0..20_000).map(|n| format!("l{n}: add r0, r0, c0\n")).collect();
    let ends: String = (0..20_000).rev().map(|n| format!("jmp p0, l{n}\n")).collect();
    place.put("nest.attila", format!("{heads}{ends}mov o0, r0\n"));
    for (name, instructions) in [("chain.attila", 22_001), ("nest.attila", 40_001)] {
        place.run(&["check", name]).exits(0).prints(&format!("attila, {instructions} instructions"));
        place.run(&["run", name, "--size", "4x4", "-o", "out.png"]).exits(0);
    }
}

#[test]
fn pictures_and_data_beside_shaders_are_left_out() {
    let place = Place::new();
    let header = [0u8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 0, 32, 8];
    let gradient = (0..64 * 64).flat_map(|n: u32| [n as u8, (n >> 6) as u8, 128, 255]);
    let picture: Vec<u8> = header.into_iter().chain(gradient).collect();
    let floats: Vec<u8> = (0..4096).flat_map(|n| (n as f32 / 4096.0).to_le_bytes()).collect();
    place.put("d/a.tga", &picture).put("d/picture", &picture).put("d/floats.bin", &floats).put("d/good.bin", binary());
    place.put("d/known.tga", binary()).put("d/zeros", [0; 304]);
    let run = place.run(&["check", "d"]);
    run.exits(0).prints("d/good.bin").says("skipped 3 files").says("d/floats.bin, d/picture, d/zeros");
    assert_eq!(run.text().lines().count(), 1, "{}", run.text());
    place.run(&["check", "d/picture"]).exits(2).says("--from");
}

#[test]
fn a_folder_without_shaders_does_not_sink_other_paths() {
    let place = Place::new();
    place.put("bad/a.txt", "hello\n").put("good.bin", binary());
    let run = place.run(&["check", "bad", "good.bin"]);
    run.exits(2).says("cannot be read: it is a folder without shaders").says("skipped bad/a.txt").prints("good.bin");
    place
        .run(&["compare", "bad", "good.bin", "--no-report", "--models", "ieee", "--size", "8x8"])
        .exits(2)
        .prints("1 different in bits only, 1 invalid");
    place.run(&["bench", "bad", "good.bin", "--models", "ieee", "--size", "8x8", "--runs", "1"]).exits(2);
}

#[test]
fn the_error_of_a_short_text_is_not_hidden_by_what_it_is() {
    let place = Place::new();
    for (text, said) in [
        ("mov r256, i0\n", "registers end at `r31`"),
        ("mov r0, c512\n", "registers end at `c511`"),
        ("(p32) mov r0, i0\n", "<stdin>:1:2"),
        ("add o0, i0, 0x1p128\n", "<stdin>:1:13"),
        ("mvo r0, i0\n", "did you mean `mov`?"),
        ("\u{feff}mov r256, i0\n", "registers end at `r31`"),
    ] {
        for verb in ["check", "run", "as", "lift"] {
            place.feed(&[verb, "-"], text.as_bytes()).exits(2).says(said);
        }
    }
    // What nothing recognises needs a name.
    place.feed(&["as", "-", "--hex"], b"hello, world\n").exits(2).says("not recognised");
    let named = ["as", "-", "--hex", "--from", "attila"];
    place.feed(&named, b"").exits(2).says("empty-program");
    place.feed(&named, b"hello, world\n").exits(2).says("unknown-mnemonic");
}

#[test]
fn microcode_is_assembled_and_listed_in_both_orders() {
    let place = Place::new();
    place.put("a.asm", "TEXR R0, f[TEX0], TEX0\nMULR R0, R0, {0.5, 1, 1, 1}\n");
    for (order, first) in [("le", [0x00, 0x9e, 0x00, 0x17]), ("rsx", [0x9e, 0x00, 0x17, 0x00])] {
        place.run(&["as", "a.asm", "--from", "nvfp", "--order", order, "-o", "a.nv40"]).exits(0);
        assert_eq!(std::fs::read(place.path("a.nv40")).unwrap()[..4], first);
        // The order is recognised.
        let list = place.run(&["dis", "a.nv40"]);
        list.exits(0).prints("TEXR R0, f[TEX0], TEX0\nMULR R0, R0, {0.5, 1, 1, 1} ; end\n");
        place.run(&["info", "a.nv40"]).exits(0).prints("nvfp, fragment shader, 2 instructions");
    }
    // Bits without a meaning stand in exact listings, offsets in those of the vendor too.
    let mut words = std::fs::read(place.path("a.nv40")).unwrap();
    words[12 + 3] ^= 0x80;
    place.put("b.nv40", &words);
    let exact = place.run(&["dis", "b.nv40", "--order", "rsx", "--exact"]);
    assert!(exact.exits(0).text().lines().next().unwrap().contains(" ; bits 0x"), "{}", exact.text());
    assert_eq!(place.feed(&["as", "-", "--from", "nvfp", "--order", "rsx"], &exact.out).exits(0).out, words);
    let plain = place.run(&["dis", "b.nv40", "--order", "rsx"]);
    plain.exits(0).prints("TEXR R0, f[TEX0], TEX0\nMULR R0, R0, {0.5, 1, 1, 1} ; end\n");
    let offsets = place.run(&["dis", "b.nv40", "--order", "rsx", "--vendor", "--offsets"]);
    assert!(offsets.exits(0).text().lines().nth(1).unwrap().contains(" // 0010: "), "{}", offsets.text());
    place.run(&["dis", "a.nv40", "--order", "be"]).exits(2).says("nvfp has no byte order `be`");
    place.run(&["isas", "nvfp"]).exits(0).prints("# NV40 fragment program microcode");
}

/// Zeros, like any words without an end, are no program, and take no time.
#[test]
fn a_file_of_zeros_is_no_microcode() {
    let place = Place::new();
    place.put("zeros", vec![0; 32 << 20]);
    place.run(&["check", "zeros", "--from", "nvfp"]).exits(2).says("field `end` is 0");
    place.run(&["check", "zeros"]).exits(2);
}

#[test]
fn listings_of_damaged_words_are_recognised_by_any_line() {
    let place = Place::new();
    assert_eq!(place.feed(&["as", "-"], b".bytes 01 02 03\n").exits(0).out, [1, 2, 3]);
    assert_eq!(place.feed(&["as", "-"], b".word 0x5\n").exits(0).out, 5u128.to_le_bytes());
    place.feed(&["check", "-"], b".bytes 01 02 03\n").exits(2).says("truncated-instruction");
    place.feed(&["check", "-"], b".word 0x5\nmov o0, i0\n").exits(2).says("refused-instruction");
}

#[test]
fn a_bad_byte_in_a_text_in_another_script_makes_no_words_of_it() {
    let place = Place::new();
    let comment = "; \u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{43c}\u{438}\u{440}\n".repeat(3);
    let text = format!("{comment}{TEXT}; \0\n");
    for verb in ["check", "as"] {
        assert!(place.feed(&[verb, "-"], text.as_bytes()).exits(0).err.is_empty());
    }
    let one: Vec<u8> = text.chars().filter(|c| *c != '\0').map(|c| if c < '\u{80}' { c as u8 } else { 0xef }).collect();
    for verb in ["check", "as", "run"] {
        place.feed(&[verb, "-"], &one).exits(2).says("error[utf8]: byte 2 is not valid UTF-8").says(":1:3");
    }
}
