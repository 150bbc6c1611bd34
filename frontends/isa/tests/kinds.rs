//! The kinds of streams instruction sets come in, each with a tiny made-up table: words with control bits beside them,
//! half-swapped words with inline constants, groups of variable length.

use nom::IResult;
use parallax_isa::*;
use parallax_text::{Comments, Diag, LexOptions, TokenKind, Tokens, TokensError, lex};

/// A made-up machine: 64-bit words, a guard predicate, register or immediate operands, a rounding suffix.
struct Tiny;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Class {
    Guard,
    Round,
    Dst,
    A,
    RegB,
    ImmB,
}

const GUARD: Field = Field::new("guard", 16, 3);
const INVERT: Field = Field::new("invert", 19, 1);
const ROUND: Field = Field::new("round", 39, 2).only(&[0, 1, 3]);
const DST: Field = Field::new("dst", 0, 8);
const A: Field = Field::new("a", 8, 8);
const B: Field = Field::new("b", 20, 8);
const IMM: Field = Field::new("imm", 20, 19).then(56, 1).signed();

impl Isa for Tiny {
    type Class = Class;
    type Lift = ();

    fn fields(class: Class) -> &'static [Field] {
        match class {
            Class::Guard => &[GUARD, INVERT],
            Class::Round => &[ROUND],
            Class::Dst => &[DST],
            Class::A => &[A],
            Class::RegB => &[B],
            Class::ImmB => &[IMM],
        }
    }

    fn syntax(class: Class) -> &'static str {
        match class {
            Class::Guard => "@[!]Pn",
            Class::Round => "[_RM | _RZ]",
            Class::ImmB => "n",
            _ => "Rn",
        }
    }

    fn expected(class: Class) -> &'static str {
        if class == Class::ImmB { "an integer" } else { "a register" }
    }

    fn glued(class: Class) -> &'static [(&'static str, u64)] {
        match class {
            Class::Round => &[("", 0), ("_RM", 1), ("_RZ", 3)],
            _ => &[],
        }
    }

    fn print(class: Class, word: u128, _: Style, line: &mut Cursor<'_>) {
        match class {
            Class::Guard if GUARD.get(word) != 7 || INVERT.get(word) == 1 => {
                line.text(if INVERT.get(word) == 1 { "@!P" } else { "@P" });
                line.decimal(GUARD.get(word));
                line.char(b' ');
            }
            Class::Guard | Class::Round => {}
            Class::ImmB => line.signed(IMM.get_signed(word)),
            _ => {
                line.char(b'R');
                line.decimal(Tiny::fields(class)[0].get(word));
            }
        }
    }

    fn starts(class: Class, input: Tokens<'_>) -> bool {
        match class {
            Class::Guard => input.peek().kind == TokenKind::Punct(b'@'),
            Class::ImmB => matches!(input.peek().kind, TokenKind::Integer | TokenKind::Punct(b'-')),
            _ => input.peek().kind == TokenKind::Word,
        }
    }

    fn read<'a>(class: Class, mut input: Tokens<'a>, e: &mut Encoding) -> IResult<Tokens<'a>, (), TokensError> {
        let fail = |diag: Diag| Err(nom::Err::Error(diag.into()));
        if class == Class::Guard {
            input.bump();
            let invert = input.eat(b'!');
            let _ = e.put(&INVERT, u64::from(invert));
        }
        let negative = class == Class::ImmB && input.eat(b'-');
        let text = input.peek_text();
        let digits = match class {
            Class::Guard => text.strip_prefix('P'),
            Class::ImmB => Some(text),
            _ => text.strip_prefix('R'),
        };
        let Some(value) = digits.and_then(|d| d.parse::<i64>().ok()) else {
            return fail(input.expected("syntax", Tiny::expected(class)));
        };
        let value = if negative { -value } else { value };
        let field = &Tiny::fields(class)[0];
        if !field.fits(value) || e.put(field, value as u64).is_err() {
            return fail(Diag::invalid("range", input.span(), "does not fit"));
        }
        input.bump();
        Ok((input, ()))
    }

    fn omitted(_: Class, e: &mut Encoding) {
        let _ = e.put(&GUARD, 7);
    }

    fn print_remainder(remainder: u128, line: &mut Cursor<'_>) {
        line.text(" ?");
        line.hex(remainder as u64, 16);
    }
}

const SRC: &str = "made up";

static TABLE: Table<Tiny> = Table {
    name: "tiny",
    title: "Tiny",
    about: "A made-up machine.",
    families: &[Family { title: "All of it", rows: ROWS }],
};

const ROWS: &[Row<Tiny>] = &[
    Row {
        name: "ADD",
        aliases: &["PLUS"],
        form: "",
        pattern: Pattern::new("0101 1100 | o{15} -- o{11} -{8} ---- -{8} -{8}"),
        operands: &[
            Operand { name: "guard", class: Class::Guard },
            Operand { name: "round", class: Class::Round },
            Operand { name: "dst", class: Class::Dst },
            Operand { name: "a", class: Class::A },
            Operand { name: "b", class: Class::RegB },
        ],
        text: "{guard}ADD{round} {dst}, {a}, {b}",
        doc: "Adds.",
        source: SRC,
        confidence: Confidence::Documented,
        meaning: Meaning::Lift(()),
    },
    Row {
        name: "ADD",
        aliases: &[],
        form: "immediate",
        pattern: Pattern::new("0011 100- | o{15} -- -{19} ---- -{8} -{8}"),
        operands: &[
            Operand { name: "guard", class: Class::Guard },
            Operand { name: "round", class: Class::Round },
            Operand { name: "dst", class: Class::Dst },
            Operand { name: "a", class: Class::A },
            Operand { name: "b", class: Class::ImmB },
        ],
        text: "{guard}ADD{round} {dst}, {a}, {b}",
        doc: "Adds a number.",
        source: SRC,
        confidence: Confidence::Documented,
        meaning: Meaning::Lift(()),
    },
    Row {
        name: "NOP",
        aliases: &[],
        form: "",
        pattern: Pattern::new("0101 0000 1011 0000 | o{44} oiii"),
        operands: &[],
        text: "NOP",
        doc: "Does nothing.",
        source: SRC,
        confidence: Confidence::Observed,
        meaning: Meaning::Unsupported("nothing to lift in a test"),
    },
    Row {
        name: "OLD",
        aliases: &[],
        form: "",
        pattern: Pattern::new("0101 0000 1011 0001 | o{48}"),
        operands: &[],
        text: "",
        doc: "Was removed.",
        source: SRC,
        confidence: Confidence::Assumed,
        meaning: Meaning::Refused("gone"),
    },
];

fn read(codec: &Codec<Tiny>, source: &str) -> Result<u128, Diag> {
    let options = LexOptions { comments: Comments::Slashes, newlines: false, carriage_return: true, floats: false };
    let tokens = lex(source, options);
    match codec.read(Tokens::new(source, &tokens)) {
        Ok((rest, parsed)) if rest.at_end() => Ok(parsed.word),
        Ok((rest, _)) => Err(rest.expected("syntax", "the end")),
        Err(nom::Err::Error(e) | nom::Err::Failure(e)) => Err(*e.diag),
        Err(nom::Err::Incomplete(_)) => unreachable!(),
    }
}

#[test]
fn the_table_is_sound() {
    assert_eq!(check(&TABLE), Vec::<String>::new());
}

#[test]
fn text_goes_both_ways() {
    let codec = Codec::new(&TABLE);
    for (text, word) in [
        ("ADD R1, R2, R3", 0x5c00_0000_0037_0201u128),
        ("@!P3 ADD_RZ R1, R2, -5", 0x3900_01ff_ffbb_0201),
        ("NOP", 0x50b0_0000_0000_0007),
    ] {
        assert_eq!(read(&codec, text), Ok(word), "{text}");
        let row = codec.decode(word).unwrap();
        assert_eq!(codec.text(row, word, Style::Vendor), text);
    }
    assert_eq!(read(&codec, "plus r1, R2, 7").unwrap_err().message, "expected a register, found `r1`");
    assert_eq!(read(&codec, "PLUS R1, R2, 7"), read(&codec, "ADD R1, R2, 7"));
    let odd = read(&codec, "ADD R1, R2 R3").unwrap_err();
    assert_eq!((odd.message.as_str(), odd.span.unwrap().start), ("expected `,`, found `R3`", 11));
    assert_eq!(read(&codec, "AD R1").unwrap_err().help, ["did you mean `ADD`?"]);
    assert_eq!(read(&codec, "ADD R1, R2, (").unwrap_err().message, "expected a register or an integer, found `(`");
    assert_eq!(read(&codec, "@P1 NOP").unwrap_err().code, "no-prefix");
}

#[test]
fn rejected_words_say_why() {
    let codec = Codec::new(&TABLE);
    let explain = |word| codec.explain(word, codec.decode(word).unwrap_err(), Default::default()).message;
    assert_eq!(explain(0), "no instruction has the word 0x0000000000000000");
    assert_eq!(explain(0x50b1_0000_0000_0000), "`OLD`: gone");
    assert_eq!(explain(0x5c00_0100_0000_0000), "field `round` of `ADD` holds 2; allowed: 0, 1, 3");
}

#[test]
fn every_row_encodes_and_decodes_to_itself() {
    let codec = Codec::new(&TABLE);
    let mut generator = Generator::new(1);
    let mut coverage = Coverage::new(&codec);
    for (id, row) in codec.rows() {
        for n in 0..200 {
            let Some(word) = generator.word(&codec, id, n % 2 == 1) else { continue };
            coverage.word(&codec, word);
            assert_eq!(codec.decode(word), Ok(id), "{}", row.title());
            assert_eq!(codec.remainder(id, codec.canonical(id, word)), 0);
            let text = codec.text(id, word, Style::Vendor);
            assert_eq!(read(&codec, &text), Ok(codec.canonical(id, word)), "{text}");
        }
    }
    let report = coverage.report(&codec);
    assert!(report.contains("3 of 3 rows met; 2 lifted, 1 unsupported, 1 refused"), "{report}");
}

#[test]
fn the_page_names_every_row() {
    let text = page(&TABLE);
    for part in
        ["# Tiny", "### ADD", "**immediate**", "| imm | 56, 20-38 |", "Refused: gone.", "| round | 39-40 | 0, 1, 3 |"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let codec = Codec::new(&TABLE);
    assert_eq!(dictionary(&codec).0, ["ADD", "ADD_RM", "ADD_RZ", "NOP", "PLUS", "PLUS_RM", "PLUS_RZ"]);
}

/// 64-bit words in bundles: the same table, the control bits beside each word survive.
#[test]
fn bundles_decode_with_their_control_bits() {
    let codec = Codec::new(&TABLE);
    let mut bytes = Vec::new();
    for (text, side) in [("ADD R1, R2, R3", 0x7e0), ("ADD R1, R1, 4", 0x1), ("NOP", 0x1f_fc0f)] {
        Bundles.put(read(&codec, text).unwrap(), side, &mut bytes);
    }
    let listing: Vec<String> = Bundles
        .units(&bytes)
        .map(|unit| {
            let unit = unit.unwrap();
            let row = codec.decode(unit.word).unwrap();
            format!("{:02x}: {} [{:x}]", unit.offset, codec.text(row, unit.word, Style::Vendor), unit.side)
        })
        .collect();
    assert_eq!(listing, ["00: ADD R1, R2, R3 [7e0]", "10: ADD R1, R1, 4 [1]", "18: NOP [1ffc0f]"]);
}

/// Four 32-bit words, halves swapped, a constant behind words that ask for one: fields cross no word but the row sees
/// all 128 bits.
#[test]
fn four_word_instructions_find_rows_over_all_bits() {
    const OP: [Pattern; 2] = [
        Pattern::new("-{32} -{32} -{30} 00 | -- 000001 -{24}"),
        Pattern::new("-{32} -{32} -{30} 10 | -- 000001 -{24}"),
    ];
    let tree = Tree::new(&OP);
    let stream = Words4x32 { halves_swapped: true, constant_follows: |w| w >> 32 & 3 == 2 };
    let stored: Vec<u8> = [
        [0x3e, 0x01, 0x01, 0x00, 0xc8, 0x00, 0x1c, 0x9d, 0, 0, 0, 0, 0, 0, 0, 0],
        [0x3e, 0x01, 0x01, 0x00, 0xc8, 0x02, 0x1c, 0x9d, 0, 0, 0, 0, 0, 0, 0, 0],
        [0x00, 0x00, 0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    .concat();
    let found: Vec<_> = stream
        .units(&stored)
        .map(Result::unwrap)
        .map(|u| (u.offset, tree.find(u.word), u.side.map(|c| c as u32)))
        .collect();
    assert_eq!(found, [(0, Some(RowId(0)), None), (16, Some(RowId(1)), Some(0x3f80_0000))]);
}

/// Groups: a header byte tells the length, parts of the group are matched through windows with their own patterns.
#[test]
fn groups_are_matched_part_by_part() {
    // Low nibble: parts of two bytes each.
    let stream = Groups { len: |bytes| Some(1 + 2 * usize::from(bytes[0] & 15)) };
    const PARTS: [Pattern; 2] = [Pattern::new("0--- ---- ---- ----"), Pattern::new("1--- ---- ---- ----")];
    let tree = Tree::new(&PARTS);
    let bytes = [0x02, 0x34, 0x12, 0xcd, 0xab, 0x00, 0x01, 0xff, 0xff];
    let groups: Vec<Vec<Option<RowId>>> = stream
        .units(&bytes)
        .map(|unit| {
            let unit = unit.unwrap();
            let group = &bytes[unit.offset..unit.offset + unit.side];
            (1..unit.side).step_by(2).map(|at| tree.find(window(group, at) & 0xffff)).collect()
        })
        .collect();
    assert_eq!(groups, [vec![Some(RowId(0)), Some(RowId(1))], vec![], vec![Some(RowId(1))]]);
}
