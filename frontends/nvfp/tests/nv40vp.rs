//! NV40 vertex microcode: the table, both text directions, both byte orders, damaged words.

use parallax_isa::{Code, Generator, Style, check};
use parallax_lift::Options;
use parallax_nvfp::nv40::Order;
use parallax_nvfp::nv40vp::{BYTES, Program, TABLE, assemble, assemble_bytes, codec, list, list_labels, sniff};
use parallax_nvfp::{StmtKind, lift};
use proptest::prelude::*;

/// Words, first to last, and their listing. The first is what every program of a fixed pipeline's replacement holds; sources
/// that nothing reads are as Cg's compiler leaves them.
const KNOWN: &[([u32; 4], &str)] = &[
    ([0x401f9c6c, 0x0040000d, 0x8106c083, 0x6041ff84], "MOV o[COL0], v[OPOS]"),
    ([0x401f9c6c, 0x0040030d, 0x8106c083, 0x6041ff85], "MOV o[COL0], v[COL0] ; end"),
    ([0x401f9c6c, 0x01d0000d, 0x8106c0c3, 0x60411f80], "DP4 o[HPOS].x, v[OPOS], c[256]"),
];

fn word(words: [u32; 4]) -> Code {
    Code::from(words.iter().rev().fold(0, |all, word| all << 32 | u128::from(*word)))
}

fn bytes_of(code: Code, order: Order) -> Vec<u8> {
    let row = codec().decode(code).expect("an instruction");
    let mut bytes = code.word().to_le_bytes().to_vec();
    if order == Order::Rsx {
        bytes.chunks_mut(4).for_each(<[u8]>::reverse);
    }
    assert_eq!(codec().row(row).pattern.width, 128);
    bytes
}

fn text_of(bytes: &[u8], order: Order, style: Style) -> String {
    list(bytes, order, style).remove(0).unwrap_or_else(|(line, _)| line)
}

#[test]
fn the_table_is_sound() {
    assert_eq!(check(&TABLE), Vec::<String>::new());
}

#[test]
fn known_words_are_listed_and_assembled() {
    for &(words, text) in KNOWN {
        for order in Order::ALL {
            let bytes = bytes_of(word(words), order);
            assert_eq!(text_of(&bytes, order, Style::Vendor), text);
            let exact = text_of(&bytes, order, Style::Exact);
            assert_eq!(assemble_bytes(&exact, order, false).0, Some(bytes), "{exact}");
        }
    }
    // The bytes of both orders, as files have them.
    let hex = |order| bytes_of(word(KNOWN[0].0), order).iter().map(|b| format!("{b:02x}")).collect::<String>();
    assert_eq!(hex(Order::Rsx), "401f9c6c0040000d8106c0836041ff84");
    assert_eq!(hex(Order::Le), "6c9c1f400d00400083c0068184ff4160");
}

/// What is written is what is read.
#[test]
fn texts_are_listed_as_they_were_written() {
    for text in [
        "NOP",
        "MOV R0, v[OPOS]",
        "MUL o[TEX7].xy, R3.zwxy, -|c[467].x|",
        "ADD R1, R1, R2",
        "MADC R1(GT.x), R1, c[A0.x+4], v[NRML].x || RCP R2.w, v[NRML].x",
        "MAD_SAT o[COL0]&R4, R1, R2, R3",
        "DP3_C1 CC.x, R1, R2 || RSQ o[FOGC].x, R4.y",
        "MOV R1, v[A1.w+3] || MOVS o[PSIZ].x, c[3].w",
        "SFL R0.x",
        "SGEC_C1_SAT CC, R1, c[2]",
        "ARL A0.x, c[1]",
        "ARR A1, R1 || LG2 R2.x, R3.x",
        "ARA A1, A0",
        "TXL R1, v[TEX0], TEX3 || EX2 R2, R3.w",
        "RCC R1, R2.x",
        "LIT o[COL1], -|R2|",
        "EXP CC.y(NE1.w), R2.x",
        "BRI 7",
        "BRI 1023 (LT.x)",
        "MOV R0, R1 || BRI 3 (GE1.yyzw)",
        "MOV R0(EQ.x), R1 || CAL 5 (EQ.x)",
        "MUL R0, R1, R2 || RET (FL)",
        "MUL R0, R1, R2 || BRB !b[31], 9",
        "CAL 5",
        "CLI 5 (NE)",
        "RET",
        "BRB b[4], 600",
        "CLB !b[0], 2",
        "BRA A0.x (GT.x)",
        "PSH A1",
        "POP A0",
    ] {
        let (bytes, diags) = assemble_bytes(text, Order::Le, false);
        let bytes = bytes.unwrap_or_else(|| panic!("{text}: {diags:#?}"));
        for style in [Style::Vendor, Style::Exact] {
            let listed = list(&bytes, Order::Le, style).remove(0).unwrap();
            let listed = listed.strip_suffix(" ; noend").unwrap_or(&listed);
            assert_eq!(listed, text);
        }
    }
}

/// Every row, with random operands and random ignored bits, goes to text and back, in both orders.
#[test]
fn every_row_goes_to_text_and_back() {
    let codec = codec();
    let mut generator = Generator::new(41);
    for (id, row) in codec.rows() {
        for n in 0..600 {
            let code = generator.word(codec, id, n % 3 != 0).expect(row.name);
            let order = Order::ALL[n % 2];
            let bytes = bytes_of(code, order);
            let text = list(&bytes, order, Style::Exact).remove(0).unwrap();
            let (back, diags) = assemble_bytes(&text, order, false);
            assert_eq!((back, diags), (Some(bytes), Vec::new()), "{} {text}", row.name);
            let canonical = codec.canonical(id, code);
            assert_eq!(codec.remainder(id, canonical), 0, "{text}");
        }
    }
}

#[test]
fn assembly_has_labels_comments_and_an_end() {
    let text = "\
# a comment
    MOV o[HPOS], v[OPOS]   // another
    SGTC CC.x, v[COL0], c[0]
    BRI done (NE.x)
    CAL sub
done:
    MOV o[COL0], R1
    RET
sub: MOV R1, c[1]
    RET
";
    let (program, diags) = assemble(text);
    let program = program.unwrap_or_else(|| panic!("{diags:#?}"));
    assert_eq!(program.instrs.len(), 8);
    let bytes = program.encode(Order::Rsx);
    let listing: Vec<String> = list(&bytes, Order::Rsx, Style::Vendor).into_iter().map(Result::unwrap).collect();
    assert_eq!(listing[2..4], ["BRI 4 (NE.x)", "CAL 6"]);
    assert_eq!(listing[7], "RET ; end");
    let labelled = list_labels(&bytes, Order::Rsx, true);
    assert_eq!(labelled[2].line.as_ref().unwrap(), "BRI L4 (NE.x)");
    assert_eq!((labelled[4].label.as_deref(), labelled[6].label.as_deref()), (Some("L4"), Some("L6")));
    let again: String = labelled
        .iter()
        .map(|entry| {
            let label = entry.label.as_ref().map_or(String::new(), |label| format!("{label}:\n"));
            format!("{label}{}\n", entry.line.as_ref().unwrap())
        })
        .collect();
    assert_eq!(assemble_bytes(&again, Order::Rsx, true).0, Some(bytes.clone()));
    assert_eq!(sniff(&bytes), Some(Order::Rsx));
    assert_eq!(sniff(&program.encode(Order::Le)), Some(Order::Le));
}

#[test]
fn an_instruction_becomes_the_operations_it_issues_together() {
    let (program, diags) = assemble("MOVC o[HPOS]&R1, v[OPOS] || RCP R2.x, R1.w\nMOV R0, R1 || BRI 0 (LT.x)\nNOP");
    let (tree, problems) = program.unwrap_or_else(|| panic!("{diags:?}")).tree();
    let tree = tree.unwrap_or_else(|| panic!("{problems:?}"));
    let counts: Vec<usize> = tree.body.iter().map(|stmt| stmt.kind.instrs().len()).collect();
    // A label, three writes, a copy, its jump, the label behind all.
    assert_eq!(counts, [0, 3, 1, 1, 0]);
    assert!(matches!(&tree.body[1].kind, StmtKind::Together(all) if all[0].suffix.cc && !all[1].suffix.cc));
    lift(&tree, "", &Options::default()).expect("nothing unsupported");
}

/// Problems, each with its place and code.
#[test]
fn what_is_wrong_is_said_at_its_place() {
    for (text, code, line) in [
        ("MOV R0, R1 ; noend", "missing-end", 1),
        ("MOV R50, R1", "nvfp-operand", 1),
        ("NOP\nMOV o[20], R1", "nvfp-operand", 2),
        ("ARL A3.x, R1", "nvfp-operand", 1),
        ("BRI 9", "nv40vp-target", 1),
        ("BRA A0.x", "nv40vp-unsupported", 1),
        ("MOV R0, v[OPOS], c[1]", "syntax", 1),
        ("MUL R0, v[OPOS], v[NRML]", "second-attribute", 1),
        ("MUL R0, c[1], c[2]", "second-constant", 1),
        ("MAD R0, R1, R2, R3 || RCP R4, R5.x", "second-third-source", 1),
        ("MOV R0, c[1024]", "nv40vp-number", 1),
        ("MOV R0, v[A0.x+16]", "nv40vp-number", 1),
        ("BRB b[32], 0", "nv40vp-number", 1),
        ("BRI 1024", "nv40vp-target", 1),
        ("FOO R0", "unknown-mnemonic", 1),
        ("BRI nowhere", "unknown-label", 1),
        ("", "empty-program", 0),
    ] {
        let (program, mut diags) = assemble(text);
        if let Some(program) = program {
            let (tree, problems) = program.tree();
            assert!(tree.is_none(), "{text}");
            diags.extend(problems);
        }
        let first = diags.iter().find(|diag| diag.is_error()).unwrap_or_else(|| panic!("{text}: nothing"));
        assert_eq!(first.code, code, "{text}: {first:?}");
        assert!(line > 0 || text.is_empty());
    }
    let (_, diags) = Program::decode(&[0; BYTES * 1025], Order::Le);
    assert_eq!(diags[0].code, "nv40vp-length");
    let (_, diags) = Program::decode(&[0; 17], Order::Le);
    assert_eq!(diags[0].code, "truncated-instruction");
    let (_, diags) = Program::decode(&[0xff; 16], Order::Le);
    assert_eq!(diags[0].code, "unknown-instruction");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the bytes are, a listing assembles to them, and reading them ends.
    #[test]
    fn any_bytes_are_listed_and_assembled(
        mut bytes in prop::collection::vec(any::<u8>(), 0..100),
        legal in any::<bool>(),
        is_big in any::<bool>(),
    ) {
        let order = if is_big { Order::Rsx } else { Order::Le };
        if legal {
            // Opcodes there are, so that more than the first step is tried.
            for word in bytes.chunks_exact_mut(BYTES) {
                let at = if is_big { 4 } else { 7 };
                word[at] &= 0x5d;
            }
        }
        let (program, diags) = Program::decode(&bytes, order);
        if diags.is_empty() {
            let (tree, _) = program.tree();
            if let Some(tree) = tree {
                let _ = lift(&tree, "", &Options::default());
            }
        }
        for lines in [
            list(&bytes, order, Style::Exact).into_iter().map(|line| line.unwrap_or_else(|(line, _)| line)).collect::<Vec<_>>(),
            list_labels(&bytes, order, true)
                .into_iter()
                .map(|entry| {
                    let label = entry.label.map_or(String::new(), |label| format!("{label}: "));
                    label + &entry.line.unwrap_or_else(|(line, _)| line)
                })
                .collect(),
        ] {
            if !bytes.is_empty() {
                let text = lines.join("\n");
                // Directives hold words, least byte first.
                let (back, diags) = assemble_bytes(&text, order, false);
                prop_assert_eq!(back, Some(bytes.clone()), "{:?}\n{}", diags, text);
            }
        }
    }
}
