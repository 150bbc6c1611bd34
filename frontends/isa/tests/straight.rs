//! Programs that are lists of instructions, on a made-up machine: `SET Rn` and `STOP`, words of 32 bits.

use parallax_isa::*;
use parallax_text::{Comments, Diag, LexOptions, Span};
use std::sync::LazyLock;

struct Tiny;

const NUMBER: Field = Field::new("number", 0, 8);

impl Isa for Tiny {
    type Kind = ();
    type Lift = ();

    const LEXER: LexOptions =
        LexOptions { comments: Comments::SlashesOr(b';'), newlines: true, carriage_return: true, floats: false };
    const WIDE: bool = false;

    fn syntax((): ()) -> &'static Syntax {
        const REGISTER: Register = Register::new(&NUMBER, &[Bank::new("R", 256)], "a register");
        &Syntax { items: &[Item::Register(&REGISTER)], notation: "Rn" }
    }
}

const fn row(
    name: &'static str,
    pattern: &'static str,
    text: &'static str,
    operands: &'static [Operand<()>],
) -> Row<Tiny> {
    Row {
        name,
        aliases: &[],
        form: "",
        pattern: Pattern::new(pattern),
        operands,
        text,
        doc: "Does something.",
        source: "made up",
        confidence: Confidence::Observed,
        meaning: Meaning::Lift(()),
    }
}

const ROWS: &[Row<Tiny>] = &[
    row("SET", "0001 0{20} -{8}", "SET {n}", &[Operand { name: "n", kind: () }]),
    row("STOP", "0010 0{28}", "STOP", &[]),
];
static TABLE: Table<Tiny> = Table {
    name: "tiny",
    title: "Tiny",
    about: "A made-up machine.",
    widths: &[32],
    families: &[Family { title: "All of it", rows: ROWS }],
};

/// R13 brings bad luck.
static PROGRAMS: Straight<Tiny, Words32> = Straight {
    codec: LazyLock::new(|| Codec::new(&TABLE)),
    stream: Words32 { is_long: |_| false, has_literal: |_| false },
    refuse: |_, code| {
        let unlucky = NUMBER.get(code) == 13;
        unlucky.then(|| Diag::invalid("bad-luck", Span::default(), "R13 brings bad luck"))
    },
    ends: |row| row == RowId(1),
    end: "STOP",
};

fn codes(diags: &[Diag]) -> Vec<(&str, Option<(u32, u32)>)> {
    diags.iter().map(|diag| (diag.code, diag.span.map(|span| (span.start, span.end)))).collect()
}

#[test]
fn texts_and_bytes_are_the_same_programs() {
    let text = "\u{feff}SET R7 // seven\n\n  ; nothing\nSTOP\r\n";
    let (program, diags) = PROGRAMS.assemble(text);
    let program = program.expect("a program");
    assert!(diags.is_empty() && PROGRAMS.sniff(text.as_bytes()));
    assert_eq!(program.iter().map(|instr| instr.line).collect::<Vec<_>>(), [1, 4]);
    assert_eq!(PROGRAMS.text(&program[0]), "SET R7");
    let bytes = PROGRAMS.assemble_bytes(text).0.expect("bytes");
    assert_eq!(bytes, [7, 0, 0, 0x10, 0, 0, 0, 0x20]);
    assert_eq!(codes(&PROGRAMS.decode(&bytes).1), []);
    assert!(PROGRAMS.coverage(&[bytes]).contains("2 of 2 rows met"));
}

#[test]
fn a_listing_of_anything_assembles_to_the_same_bytes() {
    let bytes = [13, 0, 0, 0x10, 7, 0, 0, 0x10, 0xff, 0xff, 0xff, 0xff, 1, 2];
    let lines = PROGRAMS.list(&bytes).into_iter().map(|(_, line)| line.unwrap_or_else(|(line, _)| line));
    let lines: Vec<String> = lines.collect();
    assert_eq!(lines, [".long 0x1000000d", "SET R7", ".long 0xffffffff", ".byte 0x01, 0x02"]);
    let (again, diags) = PROGRAMS.assemble_bytes(&lines.join("\n"));
    assert_eq!(again.as_deref(), Some(&bytes[..]));
    assert!(diags.iter().all(|diag| !diag.is_error()));
    let want = [
        ("bad-luck", Some((0, 16))),
        ("unknown-instruction", Some((24, 40))),
        ("truncated-instruction", Some((41, 57))),
        ("missing-end", Some((17, 23))),
    ];
    assert_eq!(codes(&diags), want);
}

#[test]
fn problems_of_a_text_stand_where_they_are() {
    let (bytes, diags) = PROGRAMS.assemble_bytes("SET R7 R8\n.long 7\n.lang 0x7\nSET R256");
    assert_eq!(bytes, None);
    assert_eq!(
        diags.iter().map(|diag| diag.code).collect::<Vec<_>>(),
        ["syntax", "syntax", "syntax", "register-number"]
    );
    assert_eq!(codes(&PROGRAMS.assemble("").1), [("empty-program", Some((0, 0)))]);
    let behind = PROGRAMS.assemble("STOP\nSET R7\n");
    assert_eq!((behind.0, codes(&behind.1)), (None, vec![("after-end", Some((5, 11)))]));
    assert!(!PROGRAMS.sniff(b"hello\nworld") && !PROGRAMS.sniff(b""));
}
