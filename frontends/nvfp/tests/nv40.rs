//! NV40 microcode: the table, both text directions, both byte orders, damaged words.

use parallax_isa::{Code, Generator, Stream, Style, check};
use parallax_lift::Options;
use parallax_nvfp::nv40::{Instr, Order, Program, TABLE, assemble, assemble_bytes, codec, list, list_labels, sniff};
use parallax_nvfp::{Base, StmtKind, lift};
use proptest::prelude::*;

/// Words and their listing, in the form of other tools' listings: NV_fragment_program's spelling.
const KNOWN: &[([u32; 4], &str)] = &[
    ([0x01003e01, 0x1c9dc801, 0, 0], "MOVR R0, f[COL0] ; end"),
    ([0x31421e80, 0x1c9dc908, 0x0001ff0c, 0], "TXBH H0, H2, H3.w, TEX1"),
    ([0x1f001e02, 0x1c9dc808, 0x0001c80c, 0x0001c810], "LRPR R1, R2, R3, R4"),
    ([0x29000400, 0x1c9dc804, 0, 0], "PK2USR R0.y, R1"),
    ([0x02c01e02, 0x1c9dc808, 0x008fc80c, 0], "MULB R1, h(R2), -x(|R3|)"),
    ([0x41000000, 0x1ff40000, 0x80000040, 0], "CAL 16 (NE.w)"),
    ([0x3d000000, 0x1c9c0000, 0, 0], "FENCT"),
    ([0x00000000, 0x1c9c0000, 0, 0], "NOP"),
    ([0x52000000, 0x00180000, 0, 0], "KIL GE.x"),
    ([0x7680d502, 0x1c9dc801, 0x0001c800, 0x80000000], "RFLXC RC!1.yw, g[TEX2], R0"),
    ([0xc3408d7e, 0x4aa9a001, 0x500001a8, 0x40280000], "ADDHC1_D2_SAT RC.yz(EQ.y), f[TEX0+A0.x+5].xxyw, H42.x"),
];

fn word(words: [u32; 4]) -> u128 {
    words.iter().rev().fold(0, |all, word| all << 32 | u128::from(*word))
}

#[test]
fn the_table_is_sound() {
    assert_eq!(check(&TABLE), Vec::<String>::new());
}

#[test]
fn known_words_are_listed_and_assembled() {
    for (n, &(words, text)) in KNOWN.iter().enumerate() {
        let code = Code::from(word(words));
        for order in Order::ALL {
            let bytes = order.stream().encode(&[code]);
            let listed: Vec<String> = list(&bytes, order, Style::Vendor).into_iter().map(Result::unwrap).collect();
            assert_eq!(listed, [text], "{n}");
            assert_eq!(assemble_bytes(text, order, false), (Some(bytes), Vec::new()), "{text}");
        }
    }
    // The bytes of both orders, as files have them.
    let code = [Code::from(word(KNOWN[1].0))];
    let hex = |order: Order| order.stream().encode(&code).iter().map(|b| format!("{b:02x}")).collect::<String>();
    assert_eq!(hex(Order::Rsx), "1e803142c9081c9dff0c000100000000");
    assert_eq!(hex(Order::Le), "801e423108c99d1c0cff010000000000");
}

/// Most lines are read without looking for their end first, and most mnemonics with all their suffixes at once.
#[test]
fn lines_are_read_alike_however_they_end_and_are_written() {
    for (_, text) in KNOWN {
        let want = assemble_bytes(text, Order::Le, false);
        for end in ["\n", "\r\n", " \t", " # all", "// all\n", "\n\n# all", ";", " ;;\n", "; # all"] {
            assert_eq!(assemble_bytes(&format!("{text}{end}"), Order::Le, false), want, "{text}{end}");
        }
        let (mnemonic, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
        let mixed = mnemonic[..1].to_string() + &mnemonic[1..].to_lowercase();
        for word in [mnemonic.to_lowercase(), mixed] {
            assert_eq!(assemble_bytes(&format!("{word}{rest}"), Order::Le, false), want, "{word}{rest}");
        }
    }
}

#[test]
fn what_compilers_leave_in_ignored_bits_is_not_shown_and_kept() {
    for (words, vendor, exact) in [
        // The test's swizzle where the test always passes.
        ([0x01001e01, 0x001dc804, 0, 0], "MOVR R0, R1 ; end", "MOVR R0(TR.x), R1 ; end"),
        // An unused source.
        ([0x01001e01, 0x1c9dc804, 0x0001c801, 0], "MOVR R0, R1 ; end", "MOVR R0, R1 ; end ; bits 0x0 0x1c801"),
        // An unused source of the type that is a constant.
        (
            [0x01001e01, 0x1c9dc804, 0x2, 0],
            "MOVR R0, R1 ; constant {1, 2, 0.5, -0} ; end",
            "MOVR R0, R1 ; constant {1, 2, 0.5, -0} ; end ; bits 0x0 0x2",
        ),
    ] {
        let constant = [0x3f800000, 0x40000000, 0x3f000000, 0x80000000];
        let code = Code::new(word(words), if words[2] & 3 == 2 { word(constant) } else { 0 });
        let bytes = Order::Rsx.stream().encode(&[code]);
        let listed = |style| list(&bytes, Order::Rsx, style).remove(0).unwrap();
        assert_eq!((listed(Style::Vendor).as_str(), listed(Style::Exact).as_str()), (vendor, exact));
        assert_eq!(assemble_bytes(exact, Order::Rsx, false).0, Some(bytes));
    }
}

/// Every row, with random operands and random ignored bits, goes to text and back, in both orders.
#[test]
fn every_row_goes_to_text_and_back() {
    let codec = codec();
    let mut generator = Generator::new(40);
    let mut lone = 0;
    for (id, row) in codec.rows() {
        for n in 0..300 {
            let code = generator.word(codec, id, n % 3 != 0).expect(row.name);
            let order = Order::ALL[n % 2];
            // Only what the stream stores is there.
            let bytes = order.stream().encode(&[code]);
            let unit = order.stream().units(&bytes).next().unwrap().unwrap();
            assert_eq!(unit.code.word(), code.word());
            lone += usize::from(unit.len == 32 && !row.text.contains("{a}"));
            let text = list(&bytes, order, Style::Exact).remove(0).unwrap();
            let (back, diags) = assemble_bytes(&text, order, false);
            assert_eq!((back, diags), (Some(bytes), Vec::new()), "{text}");
            let canonical = codec.canonical(id, code);
            assert_eq!(codec.remainder(id, canonical), 0, "{text}");
        }
    }
    assert!(lone > 20, "{lone}");
}

#[test]
fn assembly_has_labels_comments_and_an_end() {
    let text = "\
# a comment
    MOVRC R0, f[COL0]   // another
    IF GT.x, other, done;
      MULR R0, R0, {2, 3, 4, 5}
other: ADDR R0, R0, {1, 0x3f800000, -1e-7, 1e30}
done:
    LOOP {4, 0, -1}, 10
    MADR R1, f[TEX0+A0.x], R0, R1
    BRK (EQ1.w)
    CAL sub
    RET
sub: MOVH H0, |R1.x|
";
    let (program, diags) = assemble(text);
    let program = program.unwrap_or_else(|| panic!("{diags:#?}"));
    assert_eq!(program.instrs.len(), 10);
    let bytes = program.encode(Order::Le);
    let listing: Vec<String> = list(&bytes, Order::Le, Style::Vendor).into_iter().map(Result::unwrap).collect();
    assert_eq!(listing[1], "IF GT.x, 4, 6");
    assert_eq!(listing[2], "MULR R0, R0, {2, 3, 4, 5}");
    assert_eq!(listing[3], "ADDR R0, R0, {1, 1, -1e-7, 1e30}");
    assert_eq!(listing[7], "CAL 11");
    assert_eq!(listing[9], "MOVH H0, |R1.x| ; end");
    // A listing with labels can be edited: it assembles to the same bytes, and with an instruction more the labels follow.
    for order in Order::ALL {
        let bytes = program.encode(order);
        let mut listed = String::new();
        for entry in list_labels(&bytes, order, true) {
            listed.extend(entry.label.iter().map(|label| format!("{label}:\n")));
            listed += &format!("{}\n", entry.line.unwrap());
        }
        assert_eq!(assemble_bytes(&listed, order, true).0, Some(bytes), "{listed}");
        let more = listed.replacen("MULR", "NOP\nMULR", 1);
        let (more, _) = assemble_bytes(&more, order, true);
        let lines = list(&more.unwrap(), order, Style::Vendor);
        assert_eq!(lines[1].as_deref().unwrap(), "IF GT.x, 5, 7");
        assert_eq!(lines[5].as_deref().unwrap(), "LOOP {4, 0, -1}, 11");
    }
}

fn tree(text: &str) -> Result<parallax_nvfp::Program, Vec<String>> {
    let (program, diags) = assemble(text);
    let program = program.unwrap_or_else(|| panic!("{text}: {diags:#?}"));
    let (tree, diags) = program.tree(&[]);
    tree.ok_or_else(|| diags.iter().map(|d| format!("{} {}", d.span.map_or(0, |s| s.start), d.code)).collect())
}

/// Names of the statements, labels with a colon.
fn outline(text: &str) -> String {
    let tree = tree(text).unwrap_or_else(|d| panic!("{text}: {d:?}"));
    let name = |kind: &StmtKind| match kind {
        StmtKind::Instr(instr) => instr.row.name.to_string(),
        StmtKind::Label(name) => format!("{name}:"),
        _ => String::new(),
    };
    tree.body.iter().map(|stmt| name(&stmt.kind)).collect::<Vec<_>>().join(" ")
}

#[test]
fn branch_words_become_blocks() {
    assert_eq!(outline("IF EQ.x, 2, 3\nMOVR R0, R1\nMULR R0, R0, R0\nRET"), "IF MOV ELSE MUL ENDIF RET");
    assert_eq!(outline("IF EQ.x, 2, 2\nMOVR R0, R1\nRET"), "IF MOV ENDIF RET");
    assert_eq!(outline("IF EQ.x, 1, 2\nMOVR R0, R1\nRET"), "IF ELSE MOV ENDIF RET");
    assert_eq!(outline("IF EQ.x, 1, 1\nRET"), "IF ENDIF RET");
    assert_eq!(outline("LOOP {2, 0, 1}, 3\nREP 3, 3\nNOP\nRET"), "LOOP REP NOP ENDREP ENDLOOP RET");
    assert_eq!(outline("LOOP {2, 0, 1}, 2 (NE.x)\nNOP"), "IF LOOP NOP ENDLOOP ENDIF");
    assert_eq!(outline("IF EQ.x, 3, 4\nIF LT.x, 2, 3\nNOP\nFENCT\nRET"), "IF IF ELSE NOP ENDIF ELSE FENCT ENDIF RET");
    // A constant takes a slot.
    assert_eq!(outline("IF EQ.x, 3, 3\nMOVR R0, {1, 2, 3, 4}\nNOP"), "IF MOV ENDIF NOP");
    assert_eq!(outline("CAL 3\nCAL 3\nRET\nMOVR R0, R1\nRET"), "CAL CAL RET L3: MOV RET");
}

#[test]
fn targets_that_lead_nowhere_are_refused() {
    for (text, wanted) in [
        ("IF EQ.x, 2, 3\nMOVR R0, {1, 2, 3, 4}\nNOP", "0 nv40-target"),
        ("IF EQ.x, 9, 9\nNOP\nNOP", "0 nv40-target"),
        ("IF EQ.x, 5/4, 2\nNOP\nNOP", "0 nv40-target"),
        ("NOP\nIF EQ.x, 0, 3\nNOP", "16 nv40-target"),
        ("IF EQ.x, 2, 1\nNOP\nNOP", "0 nv40-target"),
        ("IF EQ.x, 2, 2\nIF LT.x, 3, 3\nNOP\nNOP", "16 nv40-target"),
        ("LOOP {1, 0, 1}, 0\nNOP", "0 nv40-target"),
        ("CAL 2\nNOP", "0 nv40-target"),
        ("CAL 1000\nNOP", "0 nv40-target"),
        ("BRK", "0 nvfp-flow"),
        ("CAL 2\nREP 3, 3\nNOP", "32 nvfp-flow"),
        ("MOVR R48, R0", "0 nvfp-operand"),
        ("MOVR R0, R60", "0 nvfp-operand"),
        ("MOVR R0, f[15]", "0 nvfp-operand"),
        ("MOVR R0, m6(R0)", "0 nv40-unsupported"),
        ("MOVR_S4 R0, R0", "0 nv40-unsupported"),
        ("TEXBEMR R0, R1, R2, R3, TEX0", "0 nv40-unsupported"),
        ("PK2HR H0, R0", "0 nvfp-operand"),
    ] {
        let found = tree(text).err().unwrap_or_else(|| panic!("{text} is accepted"));
        assert!(found.contains(&wanted.to_string()), "{text}: {found:?}");
    }
}

#[test]
fn damaged_programs_are_refused_at_their_byte() {
    let decode = |bytes: &[u8]| -> Vec<(usize, &'static str)> {
        let (_, diags) = Program::decode(bytes, Order::Le);
        diags.iter().map(|d| (d.span.map_or(0, |s| s.start as usize), d.code)).collect()
    };
    let (good, _) = assemble_bytes("MOVR R0, {1, 2, 3, 4}\nNOP", Order::Le, true);
    let good = good.unwrap();
    assert_eq!(decode(&good), []);
    assert_eq!(decode(&[]), [(0, "empty-program")]);
    assert_eq!(decode(&good[..40]), [(32, "truncated-instruction")]);
    assert_eq!(decode(&good[..20]), [(0, "truncated-instruction")]);
    assert_eq!(decode(&good[..32]), [(0, "missing-end")]);
    assert_eq!(decode(&[good.as_slice(), &[0]].concat()), [(48, "nv40-after-end")]);
    let mut odd = good.clone();
    odd[3] = 0x3f;
    assert_eq!(decode(&odd), [(0, "unknown-instruction")]);
    let mut odd = good.clone();
    odd[4] |= 3;
    assert_eq!(decode(&odd)[0], (0, "illegal-field"));
    // A file of zeros has no end.
    assert_eq!(decode(&vec![0; 1 << 22]).last().map(|d| d.1), Some("nv40-length"));
    // What is listed of damaged bytes assembles to the same bytes.
    for bytes in [&odd[..], &good[..20], &[1, 2, 3]] {
        for order in Order::ALL {
            let lines: Vec<String> = list(bytes, order, Style::Exact)
                .into_iter()
                .map(|line| line.unwrap_or_else(|(text, _)| text))
                .collect();
            assert_eq!(assemble_bytes(&lines.join("\n"), order, true).0.as_deref(), Some(bytes), "{lines:?}");
        }
    }
}

#[test]
fn programs_are_recognised_in_both_orders() {
    let text = "TEXR R0, f[TEX0], TEX0\nMULR R0, R0, {0.5, 1, 1, 1}\nADDH H4, R0.x, -R0.y\nMOVR R0, H4";
    for order in Order::ALL {
        let (bytes, _) = assemble_bytes(text, order, true);
        let bytes = bytes.unwrap();
        assert_eq!(sniff(&bytes), Some(order));
        assert_eq!(sniff(&bytes[..bytes.len() - 16]), None);
        assert_eq!(sniff(&[bytes.clone(), bytes].concat()), None);
    }
    assert_eq!(sniff(&[0; 64]), None);
    assert_eq!(sniff(&[0xff; 64]), None);
    assert_eq!(sniff(b"!!FP1.0\nEND\n    "), None);
    let mut generator = Generator::new(4);
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..8).flat_map(|_| generator.bits().to_le_bytes()).collect();
        assert_eq!(sniff(&bytes), None);
    }
}

#[test]
fn source_text_is_refused_at_its_place() {
    for (text, line, code) in [
        ("MOVR R0, R1\nMOVQ R0, R1", 12, "unknown-mnemonic"),
        ("MOV R0, R1; MOW R0, R1", 12, "unknown-mnemonic"),
        ("MULR R0, f[TEX0], f[TEX1]", 18, "second-attribute"),
        ("MULR R0, {1, 2, 3, 4}, {1, 2, 3, 5}", 23, "second-constant"),
        ("MOVR R64, R1", 5, "register-number"),
        ("MOVR R0, R1 R2", 12, "syntax"),
        ("IF EQ.x, nowhere, 2\nNOP", 9, "unknown-label"),
        ("a: NOP\na: NOP", 7, "label-twice"),
        ("LOOP {256, 0, 0}, 1", 6, "nv40-count"),
        ("MOVR R0, {0x1ffffffff, 0, 0, 0}", 10, "syntax"),
        (".word 12", 0, "unknown-directive"),
        (".bytes 1", 6, "syntax"),
        ("# nothing", 0, "empty-program"),
    ] {
        let (bytes, diags) = assemble_bytes(text, Order::Le, true);
        assert!(bytes.is_none(), "{text}");
        let found = (diags[0].span.map_or(0, |s| s.start), diags[0].code);
        assert_eq!(found, (line, code), "{text}: {}", diags[0].message);
    }
}

#[test]
fn instructions_keep_their_bytes() {
    let (program, _) = assemble("MOVR R0, {1, 2, 3, 4}\nNOP");
    let program = program.unwrap();
    let spans: Vec<_> = program.instrs.iter().map(|i| (i.span().start, i.bytes(), i.ends())).collect();
    assert_eq!(spans, [(0, 32, false), (32, 16, true)]);
    assert_eq!(program.instrs[0].text(Style::Exact), "MOVR R0, {1, 2, 3, 4}");
    assert_eq!(program.instrs[1].row().name, "NOP");
    let _: Code = Instr::code(&program.instrs[0]);
}

#[test]
fn named_constants_become_parameters() {
    let (program, _) = assemble("MULR R0, {1, 2, 3, 4}, f[TEX0]\nADDR R0, R0, {5, 6, 7, 8}");
    let program = program.unwrap();
    let named = |places: &[usize]| parallax_lift::Embedded {
        name: "gain".into(),
        places: places.to_vec(),
        value: [0x3f80_0000; 4],
    };
    let (tree, diags) = program.clone().tree(&[named(&[16, 48])]);
    let tree = tree.unwrap_or_else(|| panic!("{diags:#?}"));
    let StmtKind::Instr(first) = &tree.body[0].kind else { panic!() };
    assert!(matches!(first.srcs[0].base, Base::Name(..)));
    let shader = lift(&tree, "", &Options::default()).unwrap_or_else(|d| panic!("{d:#?}"));
    let constants = &shader.func.iface.constants;
    assert_eq!((constants.len(), constants[0].name.as_str()), (1, "gain"));
    assert_eq!(constants[0].default, Some([0x3f80_0000; 4]));
    for places in [&[0][..], &[32], &[20], &[16, 16], &[usize::MAX]] {
        assert!(program.clone().tree(&[named(places)]).0.is_none(), "{places:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Any words decode or are refused, and what is listed assembles to the same bytes.
    #[test]
    fn random_words_go_to_text_and_back(words in prop::collection::vec(any::<u128>(), 1..6), cut in 0usize..16, rsx: bool) {
        let order = Order::ALL[usize::from(rsx)];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(bytes.len() - cut);
        let lines: Vec<String> =
            list(&bytes, order, Style::Exact).into_iter().map(|line| line.unwrap_or_else(|(text, _)| text)).collect();
        let text = lines.join("\n");
        let (back, diags) = assemble_bytes(&text, order, true);
        prop_assert_eq!(back, Some(bytes.clone()), "{} {:?}", text, diags);
        let (program, diags) = Program::decode(&bytes, order);
        if diags.is_empty() && let (Some(tree), _) = program.tree(&[]) {
            // Whatever is accepted can be lifted or says why not.
            if let Err(diags) = lift(&tree, "", &Options::default()) {
                prop_assert!(!diags.is_empty());
            }
        }
    }
}
