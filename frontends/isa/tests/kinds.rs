//! The kinds of encodings instruction sets have, each with a tiny made-up table: words with control bits beside them,
//! half-swapped words with inline constants, groups of parts of variable length.

use parallax_isa::*;
use parallax_text::{Comments, Diag, LexOptions};

/// A made-up machine: 64-bit words, a guard predicate, register or immediate operands, a rounding suffix, and modifiers
/// in the control bits beside the word.
struct Tiny;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Guard,
    Round,
    Dst,
    A,
    RegB,
    ImmB,
    Stall,
}

const GUARD: Field = Field::new("guard", 16, 3);
const INVERT: Field = Field::new("invert", 19, 1);
const ROUND: Field = Field::new("round", 39, 2).only(&[0, 1, 3]);
const DST: Field = Field::new("dst", 0, 8);
const A: Field = Field::new("a", 8, 8);
const B: Field = Field::new("b", 20, 8);
const IMM: Field = Field::new("imm", 20, 19).then(56, 1).signed();
const REUSE: Field = Field::new("reuse", Code::SIDE + 17, 1);
const STALL: Field = Field::new("stall", Code::SIDE, 4);

const RANGE: Problem = Problem { code: "range", message: "the number does not fit", help: "" };

fn read_number(text: &[u8]) -> Numeral {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let len = text[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&text[start..start + len]).unwrap();
    match digits.parse::<i64>() {
        Ok(value) => Numeral::Value(if negative { -value } else { value }, start + len),
        Err(_) if len > 0 => Numeral::Bad,
        Err(_) => Numeral::None,
    }
}

const fn number(field: &'static Field) -> Number {
    Number {
        field,
        print: |value, _, line| line.signed(value),
        read: read_number,
        what: "an integer",
        allowed: "an integer of 64 bits",
        range: &RANGE,
    }
}

const REGISTERS: &[Bank] = &[Bank { name: "R", code: 0, first: 0, count: 256, exist: 255 }];

const fn register(number: &'static Field) -> Register {
    Register { number, bank: None, banks: REGISTERS, what: "a register", literal: "" }
}

static GUARD_SYNTAX: Syntax = Syntax {
    items: &[Item::Optional {
        open: "@",
        absent: &[(&GUARD, 7), (&INVERT, 0)],
        printed: false,
        items: &[
            Item::Flag(&INVERT, "!"),
            Item::Register(&Register {
                number: &GUARD,
                bank: None,
                banks: &[Bank { name: "P", code: 0, first: 0, count: 8, exist: 8 }],
                what: "a predicate",
                literal: "",
            }),
            Item::Text(" "),
        ],
    }],
    notation: "@[!]Pn",
};
static ROUND_SYNTAX: Syntax =
    Syntax { items: &[Item::Names(&ROUND, &[("", 0), ("_RM", 1), ("_RZ", 3)], "a rounding")], notation: "[_RM | _RZ]" };
static DST_SYNTAX: Syntax = Syntax { items: &[Item::Register(&register(&DST))], notation: "Rn" };
static A_SYNTAX: Syntax =
    Syntax { items: &[Item::Register(&register(&A)), Item::Flag(&REUSE, ".reuse")], notation: "Rn[.reuse]" };
static B_SYNTAX: Syntax = Syntax { items: &[Item::Register(&register(&B))], notation: "Rn" };
static IMM_SYNTAX: Syntax = Syntax { items: &[Item::Number(&number(&IMM))], notation: "n" };
static STALL_SYNTAX: Syntax = Syntax {
    items: &[
        Item::Optional { open: " ?", absent: &[(&STALL, 0)], printed: false, items: &[Item::Number(&number(&STALL))] },
        Item::Annotations(" <- ", &[Item::Bits("bits")], "`bits`"),
    ],
    notation: "[ ?n]",
};

impl Isa for Tiny {
    type Kind = Kind;
    type Lift = ();

    const LEXER: LexOptions = LEXER;

    fn syntax(kind: Kind) -> &'static Syntax {
        match kind {
            Kind::Guard => &GUARD_SYNTAX,
            Kind::Round => &ROUND_SYNTAX,
            Kind::Dst => &DST_SYNTAX,
            Kind::A => &A_SYNTAX,
            Kind::RegB => &B_SYNTAX,
            Kind::ImmB => &IMM_SYNTAX,
            Kind::Stall => &STALL_SYNTAX,
        }
    }
}

const LEXER: LexOptions =
    LexOptions { comments: Comments::Slashes, newlines: false, carriage_return: true, floats: false };
const SRC: &str = "made up";

static TABLE: Table<Tiny> = Table {
    name: "tiny",
    title: "Tiny",
    about: "A made-up machine.",
    widths: &[64],
    families: &[Family { title: "All of it", rows: ROWS }],
};

const fn op<K>(name: &'static str, kind: K) -> Operand<K> {
    Operand { name, kind }
}

const fn row<I: Isa>(
    name: &'static str,
    form: &'static str,
    pattern: &'static str,
    operands: &'static [Operand<I::Kind>],
    text: &'static str,
    meaning: Meaning<I::Lift>,
) -> Row<I> {
    Row {
        name,
        aliases: &[],
        form,
        pattern: Pattern::new(pattern),
        operands,
        text,
        doc: "Does something.",
        source: SRC,
        confidence: Confidence::Observed,
        meaning,
    }
}

const ADD: &[Operand<Kind>] = &[
    op("guard", Kind::Guard),
    op("round", Kind::Round),
    op("dst", Kind::Dst),
    op("a", Kind::A),
    op("b", Kind::RegB),
    op("stall", Kind::Stall),
];
const ADD_IMM: &[Operand<Kind>] = &[
    op("guard", Kind::Guard),
    op("round", Kind::Round),
    op("dst", Kind::Dst),
    op("a", Kind::A),
    op("b", Kind::ImmB),
    op("stall", Kind::Stall),
];
const ADD_TEXT: &str = "{guard}ADD{round} {dst}, {a}, {b}{stall}";

const ROWS: &[Row<Tiny>] = &[
    Row {
        aliases: &["PLUS"],
        ..row("ADD", "", "0101 1100 | o{15} -- o{11} -{8} ---- -{8} -{8}", ADD, ADD_TEXT, Meaning::Lift(()))
    },
    row("ADD", "immediate", "0011 100- | o{15} -- -{19} ---- -{8} -{8}", ADD_IMM, ADD_TEXT, Meaning::Lift(())),
    row(
        "NOP",
        "",
        "0101 0000 1011 0000 | o{44} oiii",
        &[Operand { name: "stall", kind: Kind::Stall }],
        "NOP{stall}",
        Meaning::Unsupported("nothing to lift in a test"),
    ),
    row("OLD", "", "0101 0000 1011 0001 | o{48}", &[], "", Meaning::Refused("gone")),
];

fn read<I: Isa>(codec: &Codec<I>, source: &str) -> Result<Code, Diag> {
    let parsed = codec.read(source, 0).map_err(|diag| *diag)?;
    assert_eq!(parsed.end, source.len(), "{source}");
    Ok(parsed.code)
}

#[test]
fn the_table_is_sound() {
    assert_eq!(check(&TABLE), Vec::<String>::new());
}

#[test]
fn text_goes_both_ways() {
    let codec = Codec::new(&TABLE);
    for (text, word, side) in [
        ("ADD R1, R2, R3", 0x5c00_0000_0037_0201u128, 0),
        ("@!P3 ADD_RZ R1, R2, -5", 0x3900_01ff_ffbb_0201, 0),
        ("ADD R1, R2.reuse, R3 ?11", 0x5c00_0000_0037_0201, 0x2_000b),
        ("NOP ?15", 0x50b0_0000_0000_0007, 15),
        ("NOP", 0x50b0_0000_0000_0007, 0),
    ] {
        let code = Code::new(word, side);
        assert_eq!(read(&codec, text), Ok(code), "{text}");
        let row = codec.decode(code).unwrap();
        assert_eq!(codec.text(row, code, Style::Vendor), text);
    }
    assert_eq!(read(&codec, "plus r1, R2, 7").unwrap_err().message, "expected a register, found `r1`");
    assert_eq!(read(&codec, "PLUS R1, R2, 7"), read(&codec, "ADD R1 ,R2,7"));
    let odd = read(&codec, "ADD R1, R2 R3").unwrap_err();
    assert_eq!((odd.message.as_str(), odd.span.unwrap().start), ("expected `,`, found `R3`", 11));
    assert_eq!(read(&codec, "AD R1").unwrap_err().help, ["did you mean `ADD`?"]);
    assert_eq!(read(&codec, "ADD R1, R2, (").unwrap_err().message, "expected a register or an integer, found `(`");
    assert_eq!(read(&codec, "@P1 NOP").unwrap_err().code, "no-prefix");
    assert_eq!(read(&codec, "@P8 NOP").unwrap_err().message, "registers end at `P7`");
    assert_eq!(read(&codec, "ADD R1, R2, 524288").unwrap_err().code, "range");
    assert_eq!(read(&codec, "NOP <- bits 0x8").unwrap().word(), 0x50b0_0000_0000_000f);
    assert_eq!(read(&codec, "NOP <- bits x").unwrap_err().message, "expected 64 bits as a number, found `x`");
}

#[test]
fn rejected_words_say_why() {
    let codec = Codec::new(&TABLE);
    let explain = |word: u128| codec.explain(word, codec.decode(word).unwrap_err(), Default::default()).message;
    assert_eq!(explain(0), "the word 0x0000000000000000 is not an instruction");
    assert_eq!(explain(0x50b1_0000_0000_0000), "`OLD`: gone");
    assert_eq!(explain(0x5c00_0100_0000_0000), "field `round` of `ADD` holds 2; allowed: 0, 1, 3");
}

#[test]
fn every_row_encodes_and_decodes_to_itself() {
    let codec = Codec::new(&TABLE);
    let mut generator = Generator::new(1);
    let mut coverage = Coverage::new(&codec);
    let mut sides = 0;
    for (id, row) in codec.rows() {
        for n in 0..200 {
            let Some(code) = generator.word(&codec, id, n % 2 == 1) else { continue };
            coverage.word(&codec, code);
            sides += usize::from(code.side() != 0);
            assert_eq!(codec.decode(code), Ok(id), "{}", row.title());
            assert_eq!(codec.remainder(id, codec.canonical(id, code)), 0);
            let text = codec.text(id, code, Style::Vendor);
            assert_eq!(read(&codec, &text), Ok(codec.canonical(id, code)), "{text}");
            let text = codec.text(id, code, Style::Exact);
            assert_eq!(read(&codec, &text), Ok(code), "{text}");
        }
    }
    let report = coverage.report(&codec);
    assert!(report.contains("3 of 3 rows met; 2 lifted, 1 unsupported, 1 refused") && sides > 500, "{report}");
}

#[test]
fn the_page_names_every_row() {
    let text = page(&TABLE);
    for part in [
        "# Tiny",
        "### ADD",
        "**immediate**",
        "| imm | 56, 20-38 |",
        "Refused: gone.",
        "| round | 39-40 | 0, 1, 3 |",
        "| reuse | side 17 |",
        "ADD[_RM | _RZ] Rn, Rn[.reuse], n[ ?n]",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let codec = Codec::new(&TABLE);
    assert_eq!(dictionary(&codec).0, ["ADD", "ADD_RM", "ADD_RZ", "NOP", "PLUS", "PLUS_RM", "PLUS_RZ"]);
}

/// 64-bit words in bundles: the control bits are operands like others.
#[test]
fn bundles_decode_with_their_control_bits() {
    let codec = Codec::new(&TABLE);
    let bundles = Bundles { filler: read(&codec, "NOP").unwrap() };
    let source = ["ADD R1, R2.reuse, R3", "ADD R1, R1, 4 ?3", "NOP ?15", "ADD R0, R0, 1"];
    let codes: Vec<Code> = source.iter().map(|text| read(&codec, text).unwrap()).collect();
    let listing: Vec<String> = bundles
        .units(&bundles.encode(&codes))
        .map(|unit| {
            let unit = unit.unwrap();
            codec.text(codec.decode(unit.code).unwrap(), unit.code, Style::Exact)
        })
        .collect();
    assert_eq!(listing, [&source[..], &["NOP", "NOP"]].concat());
}

/// Four 32-bit words and a constant behind those that ask for one: the constant is part of the instruction's text.
struct Inline;

const DEST: Field = Field::new("dest", 1, 6);
const INDEX: Field = Field::new("index", 34, 6);
const HALF: Field = Field::new("half", 22, 1);
const CODE: Field = Field::new("code", 23, 1).then(63, 1);
const KIND: Field = Field::new("kind", 20, 2).only(&[0, 1, 2]);
const TARGETS: [Field; 2] = [Field::new("else", 34, 6), Field::new("end", 40, 6)];
const CONSTANT: [Field; 2] = [Field::new("x", Code::SIDE, 32), Field::new("y", Code::SIDE + 32, 32)];
static INLINE: [Syntax; 8] = [
    Syntax { items: &[Item::Register(&register(&DEST))], notation: "Rn" },
    Syntax { items: &[Item::Register(&register(&INDEX))], notation: "Rn" },
    Syntax {
        items: &[
            Item::Text("{"),
            Item::Number(&number(&CONSTANT[0])),
            Item::Text(", "),
            Item::Number(&number(&CONSTANT[1])),
            Item::Text("}"),
        ],
        notation: "{x, y}",
    },
    Syntax { items: &[Item::Names(&HALF, &[("R", 0), ("H", 1)], "a precision")], notation: "{R,H}" },
    Syntax {
        items: &[Item::Names(&CODE, &[("", 0), ("C", 1), ("C1", 3), ("", 2)], "`C` or `C1`")],
        notation: "[C | C1]",
    },
    Syntax { items: &[Item::Names(&KIND, &[("", 0), ("_A", 1), ("_B", 2)], "`_A`")], notation: "[_A | _B]" },
    Syntax { items: &[Item::Target(&number(&TARGETS[0]))], notation: "else" },
    Syntax { items: &[Item::Target(&number(&TARGETS[1]))], notation: "end" },
];

impl Isa for Inline {
    type Kind = u8;
    type Lift = ();
    const LEXER: LexOptions = LEXER;

    fn syntax(kind: u8) -> &'static Syntax {
        &INLINE[usize::from(kind)]
    }
}

static INLINE_TABLE: Table<Inline> = Table {
    name: "inline",
    title: "Inline",
    about: "Constants behind instructions.",
    widths: &[128],
    families: &[Family {
        title: "All",
        rows: &[
            row(
                "MOV",
                "",
                "o{64} | o{24} -{6} 00 | oo 000001 o{17} -{6} o",
                &[op("d", 0), op("s", 1)],
                "MOV {d}, {s}",
                Meaning::Lift(()),
            ),
            row(
                "MOV",
                "constant",
                "o{64} | o{30} 10 | oo 000001 o{17} -{6} o",
                &[op("d", 0), op("s", 2)],
                "MOV {d}, {s}",
                Meaning::Lift(()),
            ),
            row(
                "FRC",
                "",
                "o{64} | -o{23} -{6} 00 | oo 000010 ---- o{13} -{6} o",
                &[op("d", 0), op("s", 1), op("half", 3), op("code", 4), op("kind", 5)],
                "FRC{half}{code}{kind} {d}, {s}",
                Meaning::Lift(()),
            ),
            row(
                "IF",
                "",
                "o{64} | o{18} -{6} -{6} 00 | oo 000011 o{24}",
                &[op("else", 6), op("end", 7)],
                "IF {else}, {end}",
                Meaning::Lift(()),
            ),
        ],
    }],
};

#[test]
fn a_mnemonic_has_several_suffixes() {
    let codec = Codec::new(&INLINE_TABLE);
    for text in ["FRCR_A R1, R2", "FRCRC_A R1, R2", "FRCHC1_B R1, R2", "FRCH R1, R2"] {
        let code = read(&codec, text).unwrap();
        assert_eq!(codec.text(codec.decode(code).unwrap(), code, Style::Exact), text);
        assert_eq!(read(&codec, &text.replace("FRC", "frc")), Ok(code));
    }
    assert_eq!(read(&codec, "FRCHC1_B R1, R2").unwrap().word(), 0x8000_0008_02e0_0002);
    assert_eq!(read(&codec, "FRCR_A R1, R2").unwrap().word(), 0x8_0210_0002);
    for text in ["FRC R1, R2", "FRCRCC R1, R2", "FRCRC2 R1, R2", "FRCR_AC R1, R2", "FRCC_B R1, R2"] {
        assert_eq!(read(&codec, text).unwrap_err().code, "unknown-mnemonic", "{text}");
    }
    assert!(codec.is_mnemonic("FRCHC1_B") && !codec.is_mnemonic("FRCHC2_B"));
    let odd = 0x8_0230_0002u128;
    let reject = codec.decode(odd).unwrap_err();
    let message = codec.explain(odd, reject, Default::default()).message;
    assert_eq!(message, "field `kind` of `FRC` holds 3; allowed: 0 to 2");
}

#[test]
fn an_instruction_names_two_places() {
    let codec = Codec::new(&INLINE_TABLE);
    let source = "IF here, 5";
    let parsed = codec.read(source, 0).unwrap();
    let names = parsed.labels.map(|label| label.map(|l| (l.field.name, l.name.text(source))));
    assert_eq!(names, [Some(("else", "here")), None]);
    let source = "IF here, there";
    let parsed = codec.read(source, 0).unwrap();
    let names = parsed.labels.map(|label| label.map(|l| (l.field.name, l.name.text(source))));
    assert_eq!(names, [Some(("else", "here")), Some(("end", "there"))]);
}

#[test]
fn inline_constants_are_operands() {
    assert_eq!(check(&INLINE_TABLE), Vec::<String>::new());
    let codec = Codec::new(&INLINE_TABLE);
    let stream = Words4x32 { halves_swapped: true, constant_follows: |word| word >> 32 & 3 == 2 };
    let source = ["MOV R31, R3", "MOV R2, {1065353216, 7}", "MOV R2, {0, 0}"];
    let codes: Vec<Code> = source.iter().map(|text| read(&codec, text).unwrap()).collect();
    let bytes = stream.encode(&codes);
    assert_eq!((bytes.len(), &bytes[32..40]), (80, &[0x00, 0x00, 0x3f, 0x80, 0, 7, 0, 0][..]));
    let listing: Vec<String> = stream
        .units(&bytes)
        .map(|unit| {
            let unit = unit.unwrap();
            codec.text(codec.decode(unit.code).unwrap(), unit.code, Style::Exact)
        })
        .collect();
    assert_eq!(listing, source);
}

/// Groups: a header of two or three bytes with the length, operations of one or two bytes, a map of sources in forms of
/// several lengths, padding to whole 16-bit words.
struct Grouped;

const LENGTH: Field = Field::new("length", 0, 4);
const OPS: Field = Field::new("ops", 4, 1);
const REPEAT: Field = Field::new("repeat", 16, 2);
const NEGATE: Field = Field::new("negate", 8, 1);
const LAST: Field = Field::new("last", 7, 1);
/// What an operation reads stands in the map; its fields are linked by their names.
const S0: Field = Field::new("s0", Code::SIDE, 8);
const S1: Field = Field::new("s1", Code::SIDE + 8, 8);
/// Which of them an operation reads that can read either.
const WHICH: Field = Field::new("which", 4, 1);
static EITHER: Selected = Selected {
    field: &WHICH,
    places: &[
        Candidate { value: 0, number: &number(&S0), holds: |value| value < 100 },
        Candidate { value: 1, number: &number(&S1), holds: |_| true },
    ],
    full: &Problem { code: "full", message: "no source is left", help: "" },
};
static GROUPED: [Syntax; 11] = [
    Syntax { items: &[Item::Number(&number(&LENGTH))], notation: "n" },
    Syntax { items: &[Item::Number(&number(&OPS))], notation: "n" },
    Syntax { items: &[Item::Number(&number(&REPEAT))], notation: "n" },
    Syntax { items: &[Item::Flag(&NEGATE, "-"), Item::Register(&register(&S0))], notation: "[-]Rn" },
    Syntax { items: &[Item::Register(&register(&S1))], notation: "Rn" },
    Syntax { items: &[Item::Register(&register(&S0))], notation: "Rn" },
    Syntax { items: &[Item::Register(&register(const { &Field::new("s0", 0, 6) }))], notation: "Rn" },
    Syntax { items: &[Item::Register(&register(const { &Field::new("s0", 0, 6).then(13, 2) }))], notation: "Rn" },
    Syntax { items: &[Item::Register(&register(const { &Field::new("s1", 8, 5).then(16, 3) }))], notation: "Rn" },
    Syntax {
        items: &[Item::Annotations(
            ".",
            &[Item::Names(&LAST, &[("", 0), ("last", 1)], ""), Item::Flag(&NEGATE, "neg")],
            "`last` or `neg`",
        )],
        notation: "[.last][.neg]",
    },
    Syntax { items: &[Item::Selected(&EITHER)], notation: "n" },
];

impl Isa for Grouped {
    type Kind = u8;
    type Lift = ();
    const LEXER: LexOptions = LEXER;

    fn syntax(kind: u8) -> &'static Syntax {
        &GROUPED[usize::from(kind)]
    }
}

const HEADER: u8 = 0;
const OPERATIONS: u8 = 1;

const fn part_table(widths: &'static [u32], families: &'static [Family<Grouped>]) -> Table<Grouped> {
    Table { name: "grouped", title: "Grouped", about: "Parts.", widths, families }
}

static HEADERS: Table<Grouped> = part_table(
    &[16, 24],
    &[Family {
        title: "Headers",
        rows: &[
            row("G", "", "0o{7} ooo - ----", &[op("l", 0), op("o", 1)], "G {l} {o}", Meaning::Lift(())),
            row(
                "G",
                "repeated",
                "o{6} -- 1o{7} ooo - ----",
                &[op("l", 0), op("o", 1), op("r", 2)],
                "G {l} {o} {r}",
                Meaning::Lift(()),
            ),
        ],
    }],
);
static OPERATION: Table<Grouped> = part_table(
    &[8, 16, 128],
    &[Family {
        title: "Operations",
        rows: &[
            row("mov", "", "1000 0001", &[op("a", 5)], "mov {a}", Meaning::Lift(())),
            row("add", "", "o{7}- 0000 0010", &[op("a", 3), op("b", 4)], "add {a}, {b}", Meaning::Lift(())),
            row("sel", "", "o{7}- -oo- 0011", &[op("m", 9), op("a", 10)], "sel{m} {a}", Meaning::Lift(())),
            row("pow", "", "1 o{119} 0000 0100", &[op("a", 5)], "pow {a}", Meaning::Lift(())),
        ],
    }],
);
static SOURCES: Table<Grouped> = part_table(
    &[8, 24],
    &[Family {
        title: "Sources",
        rows: &[
            row("s", "short", "0o ------", &[op("a", 6)], "s {a}", Meaning::Lift(())),
            row(
                "s",
                "long",
                "o{5} --- | o-- -{5} | 1o ------",
                &[op("a", 7), op("b", 8)],
                "s {a}, {b}",
                Meaning::Lift(()),
            ),
        ],
    }],
);

impl Layout for Grouped {
    fn slots() -> &'static [Slot<Grouped>] {
        const AGAIN: &[Pattern] = &[Pattern::new("0--- ----")];
        const {
            &[
                Slot { name: "header", table: &HEADERS, again: &[], overlay: false, linked: false },
                Slot { name: "operation", table: &OPERATION, again: AGAIN, overlay: false, linked: false },
                Slot { name: "sources", table: &SOURCES, again: &[], overlay: false, linked: true },
            ]
        }
    }

    fn map() -> &'static [&'static Field] {
        &[&S0, &S1]
    }

    fn parts(first: u64, attempt: usize) -> Option<&'static [u8]> {
        match (attempt, first >> 4 & 1) {
            (0, 0) => Some(&[0]),
            (0, _) => Some(&[0, 1, 2]),
            _ => None,
        }
    }

    fn len(first: u64) -> usize {
        (first & 15) as usize * 2
    }

    fn padding(rest: &[u8]) -> bool {
        rest.iter().all(|b| *b == 0xff)
    }

    fn pad(out: &mut Vec<u8>, start: usize) {
        if !(out.len() - start).is_multiple_of(2) {
            out.push(0xff);
        }
        out[start] = out[start] & 0xf0 | ((out.len() - start) / 2) as u8;
    }
}

/// Assembles a group from the texts of its parts.
fn group(groups: &Groups<Grouped>, source: &[(u8, &str)]) -> Result<Vec<u8>, u8> {
    let (mut words, mut map) = (Vec::new(), Encoding::default());
    for &(slot, text) in source {
        let parsed = groups.codec(slot).read_beside(text, 0, map).unwrap();
        words.push((slot, parsed.row, parsed.code.word()));
        let (code, set) = parsed.encoding.parts();
        map = Encoding::from_parts(Code::new(0, code.side()), Code::new(0, set.side()));
    }
    let mut out = Vec::new();
    groups.build(words[0].2 as u64, words.iter().copied(), &map.finish(0), &mut out).map(|()| out)
}

#[test]
fn groups_are_written_and_read_part_by_part() {
    for table in [&HEADERS, &OPERATION, &SOURCES] {
        assert_eq!(check(table), Vec::<String>::new());
    }
    let groups = Groups::<Grouped>::new();
    let sources: [&[(u8, &str)]; 6] = [
        &[(HEADER, "G 0 1"), (OPERATIONS, "mov R5")],
        &[(HEADER, "G 0 1"), (OPERATIONS, "mov R200")],
        &[(HEADER, "G 0 1 3"), (OPERATIONS, "add -R1, R255"), (OPERATIONS, "mov R1")],
        &[(HEADER, "G 0 0")],
        &[(HEADER, "G 0 1"), (OPERATIONS, "sel.last 7")],
        &[(HEADER, "G 0 1"), (OPERATIONS, "add R1, R9"), (OPERATIONS, "sel.neg.last 9")],
    ];
    let written: Vec<Vec<u8>> = sources.iter().map(|s| group(&groups, s).unwrap()).collect();
    assert_eq!(written[0], [0x12, 0x00, 0x81, 0x05]);
    assert_eq!(written[1], [0x13, 0x00, 0x81, 0x88, 0x60, 0x00]);
    assert_eq!(written[2], [0x15, 0x80, 0x03, 0x02, 0x01, 0x81, 0x81, 0x1f, 0x07, 0xff]);
    assert_eq!(written[3], [0x01, 0x00]);
    let bytes = written.concat();
    let binary = Binary::new(&bytes);
    assert_eq!(binary.bytes(), bytes);
    let (mut at, mut listing, mut place) = (0, Vec::new(), parallax_isa::Group::default());
    while let Some(decoded) = groups.decode(&binary, at) {
        let group = decoded.unwrap();
        // The same in the place of the one before, which may have had more parts.
        groups.decode_into(&binary, at, &mut place).unwrap().unwrap();
        assert_eq!((place.span(), place.used, place.parts()), (group.span(), group.used, group.parts()));
        let map = groups.map(&binary, &group);
        assert!(groups.is_shortest(&group, &map));
        let text = |part: &Part| {
            let code = Code::new(groups.word(&binary, &group, part), map.side());
            groups.codec(part.slot).text(part.row, code, Style::Exact)
        };
        let operations = group.parts().iter().filter(|part| part.slot == OPERATIONS);
        listing.push(operations.map(text).collect::<Vec<_>>().join(" ; "));
        at = group.span().end as usize;
    }
    let want = ["mov R5", "mov R200", "add -R1, R255 ; mov R1", "", "sel.last 7", "add R1, R9 ; sel.last.neg 9"];
    assert_eq!(listing, want);
    // A place that is taken or cannot hold a number is passed over.
    let map = |text| groups.codec(OPERATIONS).read(text, 0).map(|parsed| parsed.code.side()).map_err(|diag| diag.code);
    assert_eq!((map("sel 99"), map("sel 100"), map("sel 256")), (Ok(99), Ok(100 << 8), Ok(0)));
    let full = groups.codec(OPERATIONS).read("add R1, R2", 0).unwrap().encoding;
    assert_eq!(groups.codec(OPERATIONS).read_beside("sel 3", 0, full).unwrap_err().code, "full");
    // What no bytes can say is written nowhere.
    assert_eq!(group(&groups, &[(HEADER, "G 0 1"), (OPERATIONS, "pow R1")]), Err(OPERATIONS));
}

#[test]
fn forms_that_are_longer_than_they_must_be_are_known() {
    let groups = Groups::<Grouped>::new();
    let binary = Binary::new(&[0x13, 0x00, 0x81, 0x85, 0x00, 0x00]);
    let group = groups.decode(&binary, 0).unwrap().unwrap();
    assert!(!groups.is_shortest(&group, &groups.map(&binary, &group)));
    assert_eq!((group.used, group.part(2).unwrap().at), (6, 3));
}

#[test]
fn damaged_groups_are_refused_at_their_place() {
    let groups = Groups::<Grouped>::new();
    let refuse = |bytes: &[u8]| {
        let diag = groups.decode(&Binary::new(bytes), 0).unwrap().unwrap_err();
        (diag.code, diag.message.clone())
    };
    assert_eq!(refuse(&[0x13, 0x00, 0x81, 0x88]).0, "truncated-instruction");
    let (code, message) = refuse(&[0x12, 0x00, 0x87, 0x05]);
    assert_eq!(code, "unknown-instruction");
    assert!(message.starts_with("operation at byte 2 of the group: "), "{message}");
    assert_eq!(refuse(&[0x12, 0x00, 0x81, 0x85]).0, "part-outside-group");
    assert_eq!(refuse(&[0x13, 0x00, 0x81, 0x05, 0, 0]).0, "group-padding");
    assert_eq!(refuse(&[0x00]).0, "part-outside-group");
    assert!(groups.decode(&Binary::new(&[]), 0).is_none());
}

/// Forms that differ only in their last operand, which moves another one; values with text of their own; control bits that
/// the vendor's tool does not print.
struct Forms;

const SECOND: Field = Field::new("second", 16, 8);
const THIRD: Field = Field::new("third", 24, 8);
const SMALL: Field = Field::new("small", 16, 8);
const SIGNS: Field = Field::new("signs", 32, 2);
const BARRIER: Field = Field::new("barrier", Code::SIDE, 3);
static FORMS: [Syntax; 8] = [
    Syntax { items: &[Item::When(&SIGNS, 3, ".PO")], notation: "[.PO]" },
    Syntax { items: &[Item::Register(&register(&DST))], notation: "Rn" },
    Syntax { items: &[Item::When(&SIGNS, 2, "-"), Item::Register(&register(&A))], notation: "[-]Rn" },
    Syntax { items: &[Item::When(&SIGNS, 1, "-"), Item::Register(&register(&SECOND))], notation: "[-]Rn" },
    Syntax { items: &[Item::When(&SIGNS, 1, "-"), Item::Register(&register(&THIRD))], notation: "[-]Rn" },
    Syntax { items: &[Item::Register(&register(&THIRD))], notation: "Rn" },
    Syntax { items: &[Item::Number(&number(&SMALL))], notation: "n" },
    Syntax {
        items: &[
            Item::Exact(&[Item::Optional {
                open: " &",
                absent: &[(&BARRIER, 7)],
                printed: false,
                items: &[Item::Number(&number(&BARRIER))],
            }]),
            Item::Annotations(" <- ", &[Item::Bits("bits")], "`bits`"),
        ],
        notation: "[ &n]",
    },
];

impl Isa for Forms {
    type Kind = u8;
    type Lift = ();
    const LEXER: LexOptions = LEXER;

    fn syntax(kind: u8) -> &'static Syntax {
        &FORMS[usize::from(kind)]
    }
}

const FORMS_PLAIN: &[Operand<u8>] = &[op("po", 0), op("d", 1), op("a", 2), op("b", 3), op("c", 5), op("control", 7)];
const FORMS_SMALL: &[Operand<u8>] = &[op("po", 0), op("d", 1), op("a", 2), op("b", 4), op("c", 6), op("control", 7)];

/// The pattern of an operation and its operands.
const fn forms_pattern(operation: u128, operands: &[Operand<u8>]) -> Pattern {
    let (mut free, mut n) = (0, 0);
    while n < operands.len() {
        free |= FORMS[operands[n].kind as usize].bits_of_fields().word();
        n += 1;
    }
    Pattern::masked(40, 0xfc << 32, operation << 34, free)
}

static FORMS_TABLE: Table<Forms> = Table {
    name: "forms",
    title: "Forms",
    about: "Forms of one mnemonic.",
    widths: &[40],
    families: &[Family {
        title: "All",
        rows: &[
            Row {
                pattern: forms_pattern(1, FORMS_PLAIN),
                ..row("ADD3", "", "0", FORMS_PLAIN, "ADD3{po} {d}, {a}, {b}, {c}{control}", Meaning::Lift(()))
            },
            Row {
                pattern: forms_pattern(2, FORMS_SMALL),
                ..row("ADD3", "small", "0", FORMS_SMALL, "ADD3{po} {d}, {a}, {b}, {c}{control}", Meaning::Lift(()))
            },
        ],
    }],
};

#[test]
fn a_form_is_found_by_its_last_operand() {
    assert_eq!(check(&FORMS_TABLE), Vec::<String>::new());
    let codec = Codec::new(&FORMS_TABLE);
    for (text, word, side) in [
        ("ADD3 R1, R2, R3, R4", 0x04_0403_0201, 7),
        ("ADD3 R1, R2, R3, 4", 0x08_0304_0201, 7),
        ("ADD3.PO R1, R2, R3, 4", 0x0b_0304_0201, 7),
        ("ADD3 R1, -R2, R3, 4 &0", 0x0a_0304_0201, 0),
        ("ADD3 R1, R2, -R3, R4 &5", 0x05_0403_0201, 5),
    ] {
        let code = Code::new(word, side);
        assert_eq!(read(&codec, text), Ok(code), "{text}");
        let row = codec.decode(code).unwrap();
        assert_eq!(codec.text(row, code, Style::Exact), text);
        assert_eq!(codec.text(row, code, Style::Vendor), text.split(" &").next().unwrap());
    }
    let refused = |text: &str| read(&codec, text).unwrap_err();
    assert_eq!(refused("ADD3 R1, R2, R3, x").message, "expected a register or an integer, found `x`");
    assert_eq!(refused("ADD3 R1, R2, x, 5").message, "expected a register, found `x`");
    assert_eq!(refused("ADD3 R1, -R2, -R3, 5").message, "field `signs` is set twice, to different values");
    assert_eq!(refused("ADD3 R1, R2, R3, 256").code, "range");
}

/// Lines printed together are those of one instruction after the other: of blocks that are full, begun and empty, in both styles.
#[test]
fn lines_of_many_are_those_of_each() {
    let codec = Codec::new(&TABLE);
    let mut generator = Generator::new(7);
    let codes: Vec<Code> = (0..70).map(|_| generator.any(&codec, true)).collect();
    let rows: Vec<RowId> = codes.iter().map(|code| codec.decode(*code).expect("an instruction")).collect();
    for style in [Style::Vendor, Style::Exact] {
        for count in 0..=codes.len() {
            let all = || rows.iter().zip(&codes).take(count);
            let want: Vec<String> = all().map(|(row, code)| codec.text(*row, *code, style)).collect();
            let mut out = Out::new();
            out.text("> ");
            codec.lines(style, &mut out, |lines| all().for_each(|(row, code)| lines.add(*row, code)));
            let joined: String = want.iter().map(|text| format!("{text}\n")).collect();
            assert_eq!(out.into_string(), format!("> {joined}"));
            let texts = codec.texts(style, |lines| all().for_each(|(row, code)| lines.add(*row, code)));
            assert!(texts.eq(want));
        }
    }
}
