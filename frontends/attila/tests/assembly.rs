//! The assembler: what it accepts beyond the original, and where it points when it refuses.

use parallax_attila::{Program, assemble, assemble_bytes, check, codec, list, list_labels};
use parallax_isa::{Generator, Style};
use parallax_text::LineMap;

fn program(text: &str) -> Program {
    let (program, diags) = assemble(text);
    program.unwrap_or_else(|| panic!("{diags:?}"))
}

fn hex(text: &str) -> String {
    program(text).encode().iter().map(|b| format!("{b:02x}")).collect()
}

/// Code, line and column of every problem.
fn problems(text: &str) -> Vec<(&'static str, u32, u32)> {
    let map = LineMap::new(text);
    let (program, diags) = assemble(text);
    assert!(program.is_none());
    diags
        .iter()
        .map(|d| {
            let place = map.place(text, d.span.unwrap().start);
            (d.code, place.line, place.column)
        })
        .collect()
}

fn message(text: &str) -> String {
    assemble(text).1.remove(0).message
}

#[test]
fn comments_labels_and_blank_lines() {
    let text = "\
; doubles until it is large
start:  mov r0, i0        // a comment
loop:
        add r0, r0, r0

        setpgt p0, r0.x, 100 ; another
        jmp !p0, loop
        jmp p0, done
        jmp true, start
done:   mov o0, r0
";
    let p = program(text);
    assert_eq!(p.instrs.len(), 7);
    let distances: Vec<i32> = p.instrs[3..6].iter().map(|i| i.distance()).collect();
    assert_eq!(distances, [-2, 2, -5]);
    assert_eq!(p.lines[1].line, 4);
    assert!(check(&p).is_empty());
    assert!(p.encode_ended().len() == 112 && p.encode()[97] == 0 && p.encode_ended()[97] == 1);
}

#[test]
fn several_brackets_may_say_the_same() {
    let one = "dph o5, |c95[a0.z]|, |c257.zxzw|";
    let both = "dph o5, |c95[a0.z + 0]|, |c257[a0.z + 0].zxzw|";
    assert_eq!(hex(one), hex(both));
    assert_eq!(program(one).text(Style::Vendor), format!("{both}\n"));
    assert_eq!(problems("add r0, c1[a0.x], c2[a0.y]"), [("second-address", 1, 21)]);
}

#[test]
fn hexadecimal_literals_are_rounded_like_decimal_ones() {
    for text in ["0x1.23456789p0", "0x1.234567890123456789012345p0", "0x1.234567800000000000000000000000000000001p0"] {
        assert_eq!(program(&format!("mul r0, r7, {text}")).instrs[0].immediate(), 0x3f91_a2b4, "{text}");
    }
    assert_eq!(message("mul r0, r7, 0x1p128"), "expected a number that binary32 holds, found `0x1p128`");
}

/// Code and whether it is an error.
fn checked(text: &str) -> Vec<(&'static str, bool)> {
    check(&program(text)).iter().map(|d| (d.code, d.is_error())).collect()
}

#[test]
fn a_label_behind_the_last_instruction_is_named() {
    let text = "jmp p0, done\nmov o0, i0\ndone:\n";
    assert_eq!(problems(text), [("jump-out-of-program", 1, 9)]);
    let diag = assemble(text).1.remove(0);
    assert_eq!(diag.message, "label `done` is after the last instruction");
    assert_eq!(diag.help, ["write `done: end`"]);
    // Nobody jumps to it.
    assert_eq!(checked("mov o0, i0\ndone:"), []);
}

#[test]
fn strange_bytes_do_not_stop_it() {
    for text in [
        "\u{0}",
        "é",
        "add r0, i0, \u{ff10}",
        "mov r0, i0.\n.x",
        "#",
        "<-",
        "(",
        "(p",
        "\"open",
        "jmp true, -",
        "a:b:c:",
    ] {
        let (_, diags) = assemble(text);
        assert!(!diags.is_empty() || text == "a:b:c:", "{text}");
    }
}

/// What is printed reads back as the same word, and what can be read of a damaged line is printed and read as the same
/// word again.
#[test]
fn damaged_lines_are_read_as_they_are_printed() {
    const PIECES: [&str; 26] = [
        "",
        " ",
        "\t",
        ",",
        ".",
        "x",
        "xyzw",
        "r",
        "0",
        "7",
        "256",
        "1e5",
        "-",
        "|",
        "!",
        "(",
        ")",
        "[a0.x + 1]",
        "#",
        "<- end",
        "<-",
        "e",
        "_",
        ";",
        "p",
        "\u{e9}",
    ];
    let mut generator = Generator::new(3);
    let mut read = 0;
    for round in 0..30_000 {
        let code = generator.any(codec(), false);
        let row = codec().decode(code).expect("a valid word");
        let style = if round % 2 == 0 { Style::Exact } else { Style::Vendor };
        let mut line = codec().text(row, code, style);
        if style == Style::Exact {
            assert_eq!(program(&line).instrs[0].word(), code.word(), "{line}");
        }
        for _ in 0..generator.below(3) + 1 {
            let at = generator.below(line.len() as u64 + 1) as usize;
            let (at, end) = (line.floor_char_boundary(at), line.ceil_char_boundary(at + generator.below(4) as usize));
            line.replace_range(at..end, PIECES[generator.below(PIECES.len() as u64) as usize]);
        }
        if let (Some(program), _) = assemble(&line) {
            read += 1;
            let printed = program.text(Style::Exact);
            assert_eq!(self::program(&printed).encode_ended(), program.encode_ended(), "{line}");
        }
    }
    assert!(read > 500, "{read}");
}

#[test]
fn lines_end_in_many_ways() {
    let texts = |text: &str| {
        let program = program(text);
        let spans: Vec<&str> = program.lines.iter().map(|line| line.span.text(text)).collect();
        (program.instrs.len(), program.lines.iter().map(|l| l.line).collect::<Vec<_>>(), spans.join("/"))
    };
    let two = (2, vec![1, 3], "nop /mov r0, i0".to_string());
    assert_eq!(texts("nop \n\nmov r0, i0"), two);
    assert_eq!(texts("nop \n; mov\nmov r0, i0\n"), two);
    assert_eq!(texts("  nop \n  // mov\n\tmov r0, i0"), two);
    assert_eq!(texts("add r0, i0, i1\r\nadd r0, i0, i1 ; sum\r\n").2, "add r0, i0, i1\r/add r0, i0, i1 ; sum\r");
    assert_eq!(texts("add r0, i0, i1;").2, "add r0, i0, i1;");
    assert_eq!(texts("; only a comment").0, 0);
    assert!(!program("add r0, i0, i1 <- noend\n").ends_itself);
    assert!(program("add r0, i0, i1 <- noend\nadd r0, i0, i1\n").ends_itself);
}

#[test]
fn an_unread_line_hides_no_problem_of_the_whole_program() {
    let codes = |text: &str| problems(text).into_iter().map(|(code, line, _)| (code, line)).collect::<Vec<_>>();
    assert_eq!(
        codes("mov r99, i0\nxyz\njmp p0, 77\nnop\n"),
        [("register-number", 1), ("unknown-mnemonic", 2), ("jump-out-of-program", 3)]
    );
    // The unread line keeps its place, and what follows from its absence is no error of its own.
    assert_eq!(codes("jmp p0, last\nxyz\nnop\nlast: nop\n"), [("unknown-mnemonic", 2)]);
    assert_eq!(codes("jmp p0, 1\nxyz\n"), [("unknown-mnemonic", 2)]);
    assert_eq!(codes("nop\nnop\njmp true, 1\nmov r0 <- noend\n"), [("syntax", 4)]);
    // Words.
    let good = program("nop\njmp p0, 9\nmov r99, i0").encode_ended();
    let bad = [&good[..16], &5u128.to_le_bytes(), &good[16..], &[1, 2]].concat();
    let (_, diags) = Program::decode(&bad);
    let found: Vec<_> = diags.iter().map(|d| (d.code, d.span.unwrap().start)).collect();
    assert_eq!(
        found,
        [
            ("refused-instruction", 16),
            ("jump-out-of-program", 32),
            ("register-number", 48),
            ("truncated-instruction", 64)
        ]
    );
    let (_, diags) = Program::decode(&[&program("jmp p0, 1").encode(), &[0; 4][..]].concat());
    assert_eq!(diags.len(), 1, "a jump to the cut instruction leads nowhere wrong: {diags:?}");
}

#[test]
fn listings_of_damaged_files_lose_no_byte() {
    let good = program("mov r0, i0\nadd o0, r0, c1").encode();
    let word = |low: u128| low.to_le_bytes();
    // Reserved, unknown, a source bank that is none and an address register beyond the last.
    let bad = [word(5), word(0xff), word(0x13 | 6 << 17 | 1 << 40 | 3 << 41)];
    for (n, bytes) in [
        [&bad[0][..], &good].concat(),
        [&good[..], &bad[1]].concat(),
        [&good[..16], &bad[2], &good[16..]].concat(),
        good[..20].to_vec(),
        [&good[..], &[7]].concat(),
        [&bad[1][..], &[0xff; 15]].concat(),
        bad.concat(),
        vec![3],
    ]
    .into_iter()
    .enumerate()
    {
        for comment in ["", " // reason", "; reason"] {
            let line = |line: Result<String, (String, _)>| line.unwrap_or_else(|(line, _)| line + comment) + "\n";
            let text: String = list(&bytes, Style::Exact).into_iter().map(line).collect();
            let (again, warnings) = assemble_bytes(&text, true);
            assert_eq!(again.as_ref(), Some(&bytes), "{n}: {text}{warnings:?}");
            assert!(!warnings.is_empty() && warnings.iter().all(|d| !d.is_error()));
            // Such a text is no program: the word is refused where it stands.
            let (none, errors) = assemble(&text);
            assert!(none.is_none());
            let (_, direct) = Program::decode(&bytes);
            let codes = |diags: &[parallax_text::Diag]| diags.iter().map(|d| d.code).collect::<Vec<_>>();
            assert_eq!(codes(&errors), codes(&direct), "{text}");
            let map = LineMap::new(&text);
            for (there, here) in direct.iter().zip(&errors) {
                assert_eq!(map.place(&text, here.span.unwrap().start).line, there.span.unwrap().start / 16 + 1);
            }
        }
    }
}

#[test]
fn listings_of_any_bytes_assemble_to_them() {
    let mut generator = Generator::new(11);
    let (mut words, mut tails) = (0, 0);
    for round in 0..3000 {
        let mut bytes = Vec::new();
        for _ in 0..generator.below(6) {
            let mut word = generator.any(codec(), false).word();
            // Damage to one bit makes another instruction, or none.
            for _ in 0..generator.below(4) {
                word ^= 1 << generator.below(128);
            }
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend((0..generator.below(16)).map(|_| generator.below(256) as u8));
        let lines: Vec<String> =
            list(&bytes, Style::Exact).into_iter().map(|line| line.unwrap_or_else(|(line, _)| line)).collect();
        words += lines.iter().filter(|line| line.starts_with(".word")).count();
        tails += lines.iter().filter(|line| line.starts_with(".bytes")).count();
        // A text without a line is no program.
        let expected = Some(&bytes).filter(|bytes| !bytes.is_empty());
        assert_eq!(assemble_bytes(&lines.join("\n"), round % 2 == 0).0.as_ref(), expected, "{lines:?}");
    }
    assert!(words > 500 && tails > 2000, "{words} {tails}");
}

#[test]
fn a_byte_order_mark_is_no_mnemonic() {
    let program = program("\u{feff}mov r0, i0\nnop\n");
    assert_eq!((program.instrs.len(), program.lines[0].span.start), (2, 3));
    assert_eq!(problems("\u{feff}movv r0, i0")[0].0, "unknown-mnemonic");
}

/// Each of them was compared with every label: 20,000 took minutes.
#[test]
fn unknown_labels_are_compared_with_others_some_times_only() {
    const COUNT: usize = 5_000;
    let heads: String = (0..COUNT).map(|n| format!("lab{n}: add r0, r0, c0\n")).collect();
    let jumps: String = (0..COUNT).map(|n| format!("jmp p0, lax{n}\n")).collect();
    let (program, diags) = assemble(&format!("{heads}{jumps}end\n"));
    let unknown: Vec<_> = diags.iter().filter(|d| d.code == "unknown-label").collect();
    assert!(program.is_none() && unknown.len() == COUNT);
    assert_eq!(unknown.iter().filter(|d| !d.help.is_empty()).count(), 20);
    let (_, diags) = assemble("lab: nop\njmp p0, lax\nend");
    assert_eq!(diags[0].help, ["did you mean `lab`?"]);
}

/// Jumps were listed as distances, so a line more or less in an edited listing sent them elsewhere.
#[test]
fn listings_name_jump_targets_and_can_be_edited() {
    let listing = |bytes: &[u8]| -> String {
        let line = |entry: parallax_lift::Labelled| {
            let label = entry.label.map_or(String::new(), |label| label + ":\n");
            label + &entry.line.unwrap_or_else(|(text, _)| text) + "\n"
        };
        list_labels(bytes).into_iter().map(line).collect()
    };
    let text = "\
add r0, r0, r1
jmp !c1[a0.x - 1].y, L4
jmp p0, 9
(p1) jmp true, L0 <- wait
mov o0, r0
";
    let bytes = program(&text.replace("L4", "3").replace("L0", "-3")).encode_ended();
    let want = text.replace("c1[a0.x - 1]", "c1[a0.x + -1]").replace("mov o0, r0", "L4:\nmov o0, r0 <- end");
    assert_eq!(listing(&bytes), format!("L0:\n{want}"));
    assert_eq!(assemble_bytes(&listing(&bytes), true).0.as_deref(), Some(&bytes[..]));
    // An instruction more in the loop moves the targets along.
    let longer = program(&listing(&bytes).replace("jmp p0, 9\n", "nop\nnop\n"));
    assert_eq!((longer.instrs[1].distance(), longer.instrs[4].distance()), (4, -4));
    let mut generator = Generator::new(21);
    for _ in 0..500 {
        let mut bytes = Vec::new();
        for n in 0..1 + generator.below(6) {
            let jump = program(&format!("jmp p{n}, {}", generator.below(9) as i64 - 4)).instrs[0].word();
            let word = if generator.below(2) == 0 { jump } else { generator.any(codec(), true).word() };
            bytes.extend((word ^ u128::from(generator.below(8) == 0) << 127).to_le_bytes());
        }
        bytes.truncate(bytes.len() - generator.below(12) as usize);
        assert_eq!(assemble_bytes(&listing(&bytes), true).0.as_deref(), Some(&bytes[..]), "{}", listing(&bytes));
    }
}
