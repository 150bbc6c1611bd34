//! The rows: sound, complete, and every one of them there and back.

use parallax_attila::{Attila, Instr, Program, Sem, TABLE, assemble, codec, list};
use parallax_isa::{Confidence, Coverage, Generator, Meaning, Reject, Row, Style, check, page};

fn assemble_one(text: &str) -> Result<u128, String> {
    match assemble(text) {
        (Some(program), _) if program.instrs.len() == 1 => Ok(program.instrs[0].word()),
        (_, diags) => Err(format!("{diags:?}")),
    }
}

#[test]
fn the_table_is_sound() {
    assert_eq!(check(&TABLE), Vec::<String>::new());
}

/// The opcode table of the source document, with the corrections of the original simulator: which of the 256 codes are
/// instructions, and what they are called.
#[test]
fn every_code_is_an_instruction_refused_or_unknown() {
    const NAMES: [(u8, &str); 53] = [
        (0x00, "nop"),
        (0x01, "add"),
        (0x02, "addi"),
        (0x03, "arl"),
        (0x04, "andp"),
        (0x07, "cos"),
        (0x08, "dp3"),
        (0x09, "dp4"),
        (0x0a, "dph"),
        (0x0b, "dst"),
        (0x0c, "ex2"),
        (0x0d, "exp"),
        (0x0e, "flr"),
        (0x0f, "frc"),
        (0x10, "lg2"),
        (0x11, "lit"),
        (0x12, "log"),
        (0x13, "mad"),
        (0x14, "max"),
        (0x15, "min"),
        (0x16, "mov"),
        (0x17, "mul"),
        (0x18, "muli"),
        (0x19, "rcp"),
        (0x1b, "rsq"),
        (0x1c, "setpeq"),
        (0x1d, "setpgt"),
        (0x1e, "sge"),
        (0x1f, "setplt"),
        (0x20, "sin"),
        (0x21, "stpeqi"),
        (0x22, "slt"),
        (0x23, "stpgti"),
        (0x24, "stplti"),
        (0x25, "txl"),
        (0x26, "tex"),
        (0x27, "txb"),
        (0x28, "txp"),
        (0x29, "kil"),
        (0x2a, "kls"),
        (0x2b, "zxp"),
        (0x2c, "zxs"),
        (0x2d, "cmp"),
        (0x2e, "cmpkil"),
        (0x2f, "chs"),
        (0x30, "lda"),
        (0x31, "fxmul"),
        (0x32, "fxmad"),
        (0x33, "fxmad2"),
        (0x34, "ddx"),
        (0x35, "ddy"),
        (0x36, "jmp"),
        (0x37, "end"),
    ];
    // Valid banks everywhere: temporaries.
    let banks = 3 << 17 | 3 << 22 | 3 << 27 | 3u128 << 32;
    for code in 0..=255u8 {
        let named = NAMES.iter().find(|(c, _)| *c == code).map(|(_, name)| *name);
        match codec().decode(banks | u128::from(code)) {
            Ok(id) => assert_eq!(Some(codec().row(id).name), named, "{code:02x}"),
            Err(Reject::Refused(id)) => {
                assert!(matches!(code, 0x05 | 0x06 | 0x0e | 0x1a), "{code:02x}");
                assert!(named.is_none_or(|name| name == codec().row(id).name));
            }
            Err(Reject::Unknown) => assert!(code >= 0x38, "{code:02x}"),
            Err(reject) => panic!("{code:02x}: {reject:?}"),
        }
    }
}

#[test]
fn every_row_is_lifted_or_says_why_not() {
    for row in TABLE.rows() {
        let row: &Row<Attila> = row;
        match row.meaning {
            Meaning::Lift(Sem::Nop) => assert_eq!(row.name, "nop"),
            Meaning::Lift(_) => {}
            Meaning::Unsupported(reason) | Meaning::Refused(reason) => assert!(reason.len() > 10, "{}", row.title()),
        }
    }
}

#[test]
fn every_row_goes_there_and_back() {
    let mut generator = Generator::new(11);
    let mut coverage = Coverage::new(codec());
    for (id, row) in codec().rows() {
        for n in 0..400 {
            let Some(word) = generator.word(codec(), id, n % 2 == 1).map(|code| code.word()) else { break };
            coverage.word(codec(), word);
            assert_eq!(codec().decode(word), Ok(id), "{}", row.title());
            // The exact text reads back bit for bit, whatever stands in ignored bits.
            let text = codec().text(id, word, Style::Exact);
            assert_eq!(assemble_one(&text), Ok(word), "{text}");
            // A canonical word needs no mark.
            let plain = codec().canonical(id, word).word();
            assert_eq!(codec().decode(plain), Ok(id));
            let text = codec().text(id, plain, Style::Exact);
            assert!(!text.contains("bits"), "{text}");
            assert_eq!(assemble_one(&text), Ok(plain), "{text}");
        }
    }
    let report = coverage.report(codec());
    assert!(
        report.ends_with("71 of 71 rows met; 71 lifted, 0 unsupported, 4 refused encodings; 0 words rejected\n"),
        "{report}"
    );
}

#[test]
fn random_words_are_listed_and_reassembled() {
    let mut generator = Generator::new(5);
    let mut accepted = 0;
    for _ in 0..40_000 {
        let word = u128::from(generator.bits()) << 64 | u128::from(generator.bits() & !0xc0);
        let bytes = word.to_le_bytes();
        match &list(&bytes, Style::Exact)[0] {
            Ok(text) => {
                accepted += 1;
                let (program, diags) = assemble(text);
                assert_eq!(program.map(|p| p.encode_ended()).as_deref(), Some(&bytes[..]), "{text} {diags:?}");
            }
            Err((_, diag)) => assert!(diag.is_error()),
        }
    }
    assert!(accepted > 4000, "{accepted}");
}

#[test]
fn the_reference_page_has_every_instruction() {
    let text = page(&TABLE);
    for row in TABLE.rows() {
        assert!(text.contains(&format!("### {}\n", row.name)), "{}", row.name);
    }
    let summary: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(summary.iter().all(|line| line.replace("\\|", "").matches('|').count() == 6), "{summary:#?}");
    for part in ["| reloffset | 45-53 | any, signed |", "Also read as: setpeqi.", "Refused: floor is listed but"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn the_reference_page_shows_every_spelling() {
    let text = page(&TABLE);
    for part in ["cN[aM.k + off]}[.swizzle]", "[!]cN[aM.k + off].k", "!INV!", "<- noend", "<- bits LOW HIGH"] {
        assert!(text.contains(part), "{part}");
    }
    // And all of them are read.
    for line in [
        "add r0, -|c3[a0.x + 4].y|, r1",
        "andp p0, !c2[a0.x - 1].z, p1",
        "mov r0!INV!, i0",
        "nop <- noend",
        "nop <- bits 0 1",
    ] {
        assert!(assemble_one(line).is_ok(), "{line}");
    }
}

/// What the source document leaves open or gets wrong, in rows it otherwise has.
#[test]
fn rows_that_rest_on_the_simulator_are_marked() {
    let observed = |name: &str| {
        let marks: Vec<bool> =
            TABLE.rows().filter(|r| r.name == name).map(|r| r.confidence == Confidence::Observed).collect();
        assert!(!marks.is_empty() && marks.iter().all(|m| *m == marks[0]), "{name}");
        marks[0]
    };
    for name in ["max", "min", "slt", "sge", "rsq", "cmp", "cmpkil", "kil", "txb", "txl", "txp", "arl", "dst", "log"] {
        assert!(observed(name), "{name}");
    }
    for name in ["add", "mad", "mov", "rcp", "tex", "nop", "addi"] {
        assert!(!observed(name), "{name}");
    }
}

#[test]
fn typed_views_agree_with_the_text() {
    let word = assemble_one("(!p20) mad_sat o5.xw, -|c300[a1.y - 7].wzyx|, r3, i2.z <- wait").unwrap();
    let instr = Instr::decode(codec(), word).unwrap();
    let a = instr.source(0);
    assert_eq!((a.index, a.swizzle, a.absolute, a.negate), (300, [3, 2, 1, 0], true, true));
    assert_eq!(instr.source(2).select(), 2);
    let dst = instr.dst();
    assert_eq!((dst.index, dst.mask, dst.saturate), (5, 0b1001, true));
    let guard = instr.guard().unwrap();
    assert_eq!((guard.predicate, guard.invert), (20, true));
    let relative = instr.relative().unwrap();
    assert_eq!((relative.register, relative.component, relative.offset), (1, 1, -7));
    assert!(instr.waits() && !instr.end_flag() && instr.with_end(true).end_flag());
    assert_eq!(instr.with_distance(-2).distance(), -2);
    assert!(!instr.has_immediate());
    for (text, literal) in [("mul r0, i0, 2.0", true), ("addi r0, r1, 5", true), ("tex o0, i0, t6", false)] {
        let word = assemble_one(text).unwrap();
        assert_eq!(Instr::decode(codec(), word).unwrap().has_immediate(), literal, "{text}");
    }
}

#[test]
fn binaries_keep_what_can_be_read() {
    let mut bytes = Vec::new();
    for text in ["mov r0, i0", "add o0, r0, 0.25 <- end"] {
        bytes.extend(assemble_one(text).unwrap().to_le_bytes());
    }
    bytes.splice(16..16, 0x0eu128.to_le_bytes());
    bytes.extend([1, 2, 3]);
    let (program, diags) = Program::decode(&bytes);
    // END stands where nothing could be read.
    let texts: Vec<String> = program.instrs.iter().map(|i| i.text(Style::Vendor)).collect();
    assert_eq!(texts, ["mov r0, i0", "end", "add o0, r0, 0.250000 <- end", "end"]);
    let found: Vec<_> = diags.iter().map(|d| (d.code, d.span.unwrap().start)).collect();
    assert_eq!(found, [("refused-instruction", 16), ("truncated-instruction", 48)]);
    let lines = list(&bytes, Style::Vendor);
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[2].as_ref().map(String::as_str), Ok("add o0, r0, 0.250000 <- end"));
    assert!(lines[1].is_err() && lines[3].is_err());
}
