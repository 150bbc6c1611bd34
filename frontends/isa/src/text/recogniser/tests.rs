//! What steps read.

use super::*;
use crate::code::Encoding;
use crate::cursor::{Cursor, Style};
use crate::syntax::{Bank, Form, Problem, Register};

static FIELDS: [Field; 10] = {
    let mut all = [Field::new("field", 0, 4); 10];
    let mut n = 0;
    while n < all.len() {
        all[n] = Field::new("field", 4 * n as u8, 4);
        n += 1;
    }
    all
};
static REVERSED: Field = Field::new("reversed", 86, 2).then(84, 2).then(82, 2).then(80, 2);
static SPLIT: Field = Field::new("split", 60, 4).then(70, 4);
const PROBLEM: Problem = Problem { code: "problem", message: "", help: "" };
static NUMBER: Number = Number {
    field: &FIELDS[0],
    print: |value: i64, _: Style, line: &mut Cursor<'_>| line.signed(value),
    read: Numeral::integer,
    what: "a number",
    allowed: "a number",
    range: &PROBLEM,
};
static REGISTER: Register = Register::new(&FIELDS[1], &[Bank::new("r", 16), Bank::new("pc", 4)], "a register");
static NAMES: &[(&str, u64)] = &[("", 0), (".a", 1), (".ab", 2), (".b1", 3), (".c", 6), (".c.d", 4), (".ab", 5)];
static SPACED: &[(&str, u64)] = &[("x, ", 0), ("x", 1), ("yes", 2)];

static ITEMS: &[&[Item]] = &[
    &[
        Item::Flag(&FIELDS[2], "-"),
        Item::Between(
            &FIELDS[3],
            "|",
            &[
                Item::Register(&REGISTER),
                Item::If(&FIELDS[1], Allowed::Max(3), &[Item::Refuse("[", &PROBLEM)], &[]),
                Item::Names(&SPLIT, NAMES, ""),
            ],
        ),
        Item::When(&FIELDS[4], 3, ".ab"),
        Item::Optional {
            open: " ; ",
            absent: &[(&FIELDS[5], 7)],
            printed: false,
            items: &[Item::Number(&NUMBER), Item::Set(&FIELDS[5], 1)],
        },
    ],
    &[
        Item::Choice(
            &[
                Form { field: &FIELDS[6], values: Allowed::Any, items: &[Item::Register(&REGISTER), Item::Text(",")] },
                Form { field: &FIELDS[6], values: Allowed::Any, items: &[Item::Names(&FIELDS[6], SPACED, "")] },
                Form {
                    field: &FIELDS[6],
                    values: Allowed::Any,
                    items: &[Item::Text("r2 "), Item::Mask(&FIELDS[7], "!")],
                },
                Form { field: &FIELDS[6], values: Allowed::Any, items: &[Item::Number(&NUMBER)] },
            ],
            "",
        ),
        Item::Swizzle(&SPLIT),
        Item::Alias(&FIELDS[8], 2, "b1"),
        Item::Annotations(" <- ", &[Item::Flag(&FIELDS[9], "ab"), Item::Bits("bits")], ""),
    ],
    &[
        Item::Text("da "),
        Item::Optional { open: " ", absent: &[(&FIELDS[0], 9)], printed: false, items: &[Item::Number(&NUMBER)] },
        Item::Shared(&[Item::Names(&FIELDS[2], NAMES, ""), Item::Flag(&FIELDS[2], ".b1")], &PROBLEM),
        Item::Swizzle(&REVERSED),
        Item::Component(&FIELDS[3]),
    ],
];

/// Operands as sets have them: a register or a word in its place, annotations, pieces that may be missing inside of others.
static OPERANDS: &[Item] = &[
    Item::Choice(
        &[
            Form { field: &FIELDS[1], values: Allowed::Any, items: &[Item::Register(&REGISTER)] },
            Form {
                field: &FIELDS[1],
                values: Allowed::Any,
                items: &[Item::Text("rz"), Item::Set(&FIELDS[1], 15), Item::Set(&FIELDS[2], 1)],
            },
            Form { field: &FIELDS[1], values: Allowed::Any, items: &[Item::Text("r2"), Item::Set(&FIELDS[1], 3)] },
            Form { field: &FIELDS[1], values: Allowed::Any, items: &[Item::Text("pc"), Item::Set(&FIELDS[2], 2)] },
            Form {
                field: &FIELDS[1],
                values: Allowed::Any,
                items: &[Item::Text("["), Item::Register(&REGISTER), Item::Text("]"), Item::Set(&FIELDS[3], 1)],
            },
        ],
        "",
    ),
    Item::Annotations(
        ".",
        &[Item::Flag(&FIELDS[4], "ab"), Item::Alias(&FIELDS[5], 2, "b1"), Item::Names(&FIELDS[5], NAMED, "")],
        "",
    ),
    Item::If(&FIELDS[2], Allowed::Set(2), &[Item::Choice(NESTED, ""), Item::Text(",")], &[Item::Set(&FIELDS[6], 3)]),
    Item::Optional {
        open: ", ",
        absent: &[(&FIELDS[7], 2)],
        printed: false,
        items: &[
            Item::Optional { open: "-", absent: &[], printed: false, items: &[Item::Set(&FIELDS[8], 1)] },
            Item::Optional { open: " ", absent: &[(&FIELDS[0], 1)], printed: false, items: &[Item::Number(&NUMBER)] },
            Item::Flag(&FIELDS[9], "x"),
        ],
    },
    Item::Flag(&FIELDS[9], "yes"),
    Item::Refuse(";", &PROBLEM),
];
static NAMED: &[(&str, u64)] = &[("", 0), ("a", 1), ("xyzw", 3), ("b1", 4), ("15", 5)];
static NESTED: &[Form] = &[
    Form { field: &FIELDS[6], values: Allowed::Any, items: &[Item::Number(&NUMBER), Item::Text("|")] },
    Form { field: &FIELDS[6], values: Allowed::Any, items: &[Item::Text("da"), Item::Set(&FIELDS[6], 1)] },
    Form { field: &FIELDS[6], values: Allowed::Any, items: &[] },
];

/// What the steps read is what the scan reads, and they refuse what it refuses.
#[test]
fn steps_read_what_the_scan_reads() {
    const PIECES: &[&str] = &[
        "r2",
        "rz",
        "[r2]",
        ".ab;",
        "r",
        "15",
        "16",
        "pc",
        "p",
        "3",
        "-",
        "|",
        ".",
        ".a",
        ".ab",
        ".b1",
        ".c",
        ".c.d",
        ".xyzw",
        ".wzyx",
        "\u{e9}",
        "x",
        "x, ",
        "yes",
        " ",
        "  ",
        ";",
        "; 7",
        ",",
        "!",
        "<- ab",
        "<- bits 3",
        "da",
        "da ",
        "b1",
        "[",
        "0x1f",
        "w",
        "\t",
    ];
    let mut recogniser = Recogniser::default();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % below
    };
    for &items in ITEMS.iter().chain([&OPERANDS]) {
        let (mut read, mut refused) = (0, 0);
        let steps = recogniser.items(items);
        let first = recogniser.first(&[Part::Items(items)]);
        for _ in 0..40_000 {
            let text: String = (0..random(7)).map(|_| PIECES[random(PIECES.len())]).collect();
            let (mut fast, mut slow) =
                (Scan::new(&text, 0, Encoding::default()), Scan::new(&text, 0, Encoding::default()));
            let stands = slow.items(items);
            assert_eq!(steps.read(&mut fast), stands, "{text:?}");
            (read, refused) = (read + usize::from(stands), refused + usize::from(!stands));
            if stands {
                let all = |scan: &Scan<'_>| (scan.at, scan.encoding, scan.flips, scan.labels);
                assert_eq!(all(&fast), all(&slow), "{text:?}");
                let start = crate::lex::skip_blanks(text.as_bytes(), 0);
                assert!(recogniser.may_begin(first, byte(text.as_bytes(), start)), "{text:?}");
            }
        }
        assert!(read > 20 && refused > 2_000, "{read} {refused}");
    }
    // A word of a literal ends at its blank, whatever stands behind that.
    let steps = recogniser.items(ITEMS[2]);
    let reads = |text: &str| steps.read(&mut Scan::new(text, 0, Encoding::default()));
    assert!(reads("da 3 x") && reads(" da x") && !reads("da3 x"));
}
