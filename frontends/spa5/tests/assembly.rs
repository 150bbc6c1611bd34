//! Programs through text and back: control words, labels, headers, words that are none.

use parallax_isa::{Generator, Style};
use parallax_lift::{Labelled, Layout};
use parallax_random::Random;
use parallax_spa5::{Header, Instr, Program, assemble, assemble_bytes, codec, list, list_labels};

const BARE: Layout = Layout { dialect: None, order: None, base: 0, bare: true };

fn bundled() -> Layout {
    Layout::default()
}

/// The text of a listing, with its labels.
fn text(lines: &[Labelled]) -> String {
    let mut out = String::new();
    for Labelled { label, line, .. } in lines {
        out.extend(label.iter().map(|label| format!("{label}:\n")));
        out += line.as_ref().unwrap_or_else(|(text, _)| text);
        out.push('\n');
    }
    out
}

/// Bundles of random instructions with random control words, one in ten words random, perhaps a header in front and a cut
/// end behind.
fn random_file(random: &mut Random, generator: &mut Generator) -> Vec<u8> {
    let mut bytes = Vec::new();
    if random.word().is_multiple_of(3) {
        bytes.extend(random_header(random).bytes());
    }
    for _ in 0..random.word() % 12 + 1 {
        bytes.extend(random.word().to_le_bytes());
        for _ in 0..3 {
            let word = match random.word() % 10 {
                0 => random.word(),
                _ => generator.any(codec(), random.word().is_multiple_of(2)).word() as u64,
            };
            bytes.extend(word.to_le_bytes());
        }
    }
    if random.word().is_multiple_of(4) {
        let more = random.word() as usize % 31 + 1;
        bytes.extend((0..more).map(|_| random.word() as u8));
    }
    bytes
}

/// A header with random fields that still looks like one.
fn random_header(random: &mut Random) -> Header {
    let mut header = Header::default();
    header.words.iter_mut().for_each(|word| *word = random.word() as u32);
    header.words[0] = header.words[0] & 0x0c1f_c000 | 0x62 | 5 << 10;
    (1..4).for_each(|n| header.words[n] &= 0xff_ffff);
    header
}

#[test]
fn every_file_lists_as_text_that_assembles_to_its_bytes() {
    let (mut random, mut generator) = (Random::new(3), Generator::new(4));
    let (mut labels, mut words, mut headers) = (0, 0, 0);
    for round in 0..400 {
        let bytes = random_file(&mut random, &mut generator);
        let lines = list(&bytes, &bundled(), Style::Exact);
        words += lines.iter().filter(|line| line.is_err()).count();
        headers += usize::from(lines.iter().flatten().any(|line| line.starts_with(".header")));
        let listing: Vec<String> = lines.into_iter().map(|line| line.unwrap_or_else(|(text, _)| text)).collect();
        let (back, diags) = assemble_bytes(&listing.join("\n"), &bundled());
        assert_eq!(back.as_deref(), Some(&*bytes), "round {round}: {diags:?}\n{}", listing.join("\n"));
        let labelled = list_labels(&bytes, &bundled());
        labels += labelled.iter().filter(|line| line.label.is_some()).count();
        let source = text(&labelled);
        let (back, diags) = assemble_bytes(&source, &bundled());
        assert_eq!(back.as_deref(), Some(&*bytes), "round {round}: {diags:?}\n{source}");
    }
    assert!(words > 100 && headers > 50, "{labels} labels, {words} words, {headers} headers");
}

/// Random distances hardly ever lead into a program.
#[test]
fn branches_inside_a_program_get_labels() {
    let mut random = Random::new(9);
    for _ in 0..300 {
        let count = random.word() as usize % 20 + 4;
        let addresses = parallax_spa5::Addresses::default();
        let mut source = String::new();
        for n in 0..count {
            let to = addresses.of_instruction(random.word() as usize % count);
            let mnemonic =
                ["BRA", "SSY", "PBK", "PCNT", "CAL", "PRET", "@!P1 BRA.U CC.LT,"][random.word() as usize % 7];
            match random.word() % 3 {
                0 => source += &format!("{mnemonic} {to:#x} &wr=1 ?stall{}\n", random.word() % 16),
                1 => source += &format!("{mnemonic} {:#x}\n", to / 32 * 32),
                _ => source += &format!("FADD R{n}, R1.reuse, 0x1 ?dual\n").replace("0x1", "1"),
            }
        }
        let (bytes, diags) = assemble_bytes(&source, &bundled());
        let bytes = bytes.unwrap_or_else(|| panic!("{diags:?}\n{source}"));
        let lines = list_labels(&bytes, &bundled());
        let named = lines.iter().filter(|line| line.line.as_ref().is_ok_and(|text| text.contains(" L"))).count();
        let labels = lines.iter().filter(|line| line.label.is_some()).count();
        assert!(labels <= named);
        // Only direct branches to the first instruction of a bundle keep their address.
        let direct = |line: &&Labelled| {
            let words = line.line.as_ref().map_or("", String::as_str).split([' ', ',']);
            words
                .filter_map(|word| word.strip_prefix("0x"))
                .any(|digits| u64::from_str_radix(digits, 16).is_ok_and(|a| a % 32 == 8))
        };
        let branches =
            lines.iter().filter(|line| line.line.as_ref().is_ok_and(|t| !t.contains("FADD") && !t.starts_with("NOP")));
        assert_eq!(named + lines.iter().filter(direct).count(), branches.count(), "{}", text(&lines));
        assert_eq!(assemble_bytes(&text(&lines), &bundled()).0, Some(bytes));
    }
}

#[test]
fn control_words_and_reuse_survive() {
    let source = "\
@!P0 FADD.FTZ R1.CC, -|R2|.reuse, R3 &req={5,0} ?stall6
MUFU.RCP R1, R2 &rd=3 &wr=2 ?yield1 &reuse.a
EXIT &req={4} ?yield15
TEX.LL.NODEP.T R0, R2, R4, 0x8, 2D, 0xf &wr=0 ?stall1
XMAD.PSL.CBCC R1, R2.H1.reuse, R3.H1, R4.reuse ?dual
NOP
";
    let (bytes, diags) = assemble_bytes(source, &bundled());
    let bytes = bytes.unwrap_or_else(|| panic!("{diags:?}"));
    let control = |n: usize| u64::from_le_bytes(bytes[32 * n..][..8].try_into().unwrap());
    assert_eq!(control(0) & 0x1f_ffff, 1 << 17 | 0b100001 << 11 | 7 << 8 | 7 << 5 | 22);
    assert_eq!(control(0) >> 21 & 0x1f_ffff, 1 << 17 | 3 << 8 | 2 << 5 | 1);
    assert_eq!(control(0) >> 42, 0b10000 << 11 | 7 << 8 | 7 << 5 | 15);
    assert_eq!(control(1) & 0x1f_ffff, 1 << 17 | 7 << 8 | 17);
    assert_eq!(control(1) >> 21 & 0x1f_ffff, 0b101 << 17 | 7 << 8 | 7 << 5 | 16);
    assert_eq!(control(1) >> 42, 0x7e0);
    let listing: Vec<String> = list(&bytes, &bundled(), Style::Exact).into_iter().map(Result::unwrap).collect();
    assert_eq!(listing, source.lines().collect::<Vec<_>>());
    let vendor: Vec<String> = list(&bytes, &bundled(), Style::Vendor).into_iter().map(Result::unwrap).collect();
    assert_eq!(vendor[0], "@!P0 FADD.FTZ R1.CC, -|R2|.reuse, R3");
    assert_eq!(vendor[1], "MUFU.RCP R1, R2");
    assert_eq!(vendor[3], "TEX.LL.NODEP.T R0, R2, R4, 0x8, 2D, 0xf");
}

#[test]
fn the_spare_bit_of_a_control_word_is_kept() {
    let (bytes, _) = assemble_bytes("NOP\nNOP\nEXIT", &bundled());
    let mut bytes = bytes.unwrap();
    bytes[7] |= 0x80;
    let lines = list(&bytes, &bundled(), Style::Exact);
    assert_eq!(lines[0].as_deref().ok(), Some("NOP &spare"));
    let listing: Vec<String> = lines.into_iter().map(Result::unwrap).collect();
    assert_eq!(assemble_bytes(&listing.join("\n"), &bundled()).0, Some(bytes));
}

/// A word, its address, and the text of the vendor's tool.
const BRANCHES: &[(u64, u64, &str)] = &[
    (0x78, 0xe240_0000_0387_000f, "BRA 0xb8"),
    (0x78, 0xe240_0fff_fc07_000f, "BRA 0x40"),
    (0x08, 0xe290_0802_0000_0000 & !(2 << 32), "SSY -0x7ffff0"),
    (0x78, 0xe2b0_0000_1000_0000, "PCNT 0x180"),
    (0x08, 0xe260_0000_0180_0040, "CAL 0x28"),
    (0x08, 0xe260_0000_0180_0000, "CAL.NOINC 0x28"),
    (0x08, 0xe210_0000_0187_000f, "JMP 0x18"),
    (0x08, 0xe250_0000_0387_020f, "BRX R2 0x38"),
    (0x48, 0xe240_0000_1009_000f, "@!P1 BRA 0x150"),
    (0x48, 0xe240_0080_0107_002f, "BRA c[0x8][0x10]"),
];

#[test]
fn branches_show_where_they_lead() {
    for &(base, word, want) in BRANCHES {
        let layout = Layout { base, ..BARE };
        let bytes = word.to_le_bytes();
        let lines = list(&bytes, &layout, Style::Vendor);
        assert_eq!(lines[0].as_deref().ok(), Some(want), "{word:016x}");
        let (back, diags) = assemble_bytes(want, &layout);
        assert_eq!(back.as_deref(), Some(&bytes[..]), "{want}: {diags:?}");
    }
}

#[test]
fn bare_words_lie_as_if_control_words_stood_between_them() {
    let addresses = |base| parallax_spa5::Addresses::of(&Layout { base, ..BARE });
    let first = |base| [0, 1, 2, 3].map(|n| addresses(base).of_instruction(n));
    assert_eq!(first(0), [0x8, 0x10, 0x18, 0x28]);
    assert_eq!(first(8), [0x8, 0x10, 0x18, 0x28]);
    assert_eq!(first(0x78), [0x78, 0x88, 0x90, 0x98]);
    for base in [0, 8, 0x10, 0x18, 0x40] {
        let addresses = addresses(base);
        for n in 0..20 {
            assert_eq!(addresses.instruction_at(addresses.of_instruction(n) as i64), Some(n));
            assert_eq!(addresses.instruction_at(addresses.of_label(n) as i64), Some(n));
        }
        assert_eq!(addresses.instruction_at(base as i64 - 64), None);
        assert_eq!(addresses.instruction_at(base as i64 / 8 * 8 + 4), None);
    }
}

#[test]
fn labels_lead_to_bundles() {
    let source = "SSY out\nloop: @P0 BRA out ; FADD R0, R0, 1\n/* three */ BRA loop // back\nout: SYNC;\nEXIT\n";
    let (program, diags) = assemble(source, &bundled());
    let program = program.unwrap_or_else(|| panic!("{diags:?}"));
    let target = |n: usize| program.instrs[n].target(program.addresses.of_instruction(n));
    // The label `out` stands at the second instruction of the second bundle, `loop` at the second of the first.
    assert_eq!([target(0), target(1), target(3)], [0x30, 0x30, 0x10]);
    let lines = program.lines.iter().map(|line| line.line).collect::<Vec<_>>();
    assert_eq!(lines, [1, 2, 2, 3, 4, 5]);
    let (program, _) = assemble("NOP; NOP; NOP\na: BRA a", &bundled());
    let program = program.unwrap();
    assert_eq!(program.instrs[3].target(program.addresses.of_instruction(3)), 0x20);
}

#[test]
fn texts_are_refused_at_their_place() {
    let refuse = |source: &str| {
        let (program, diags) = assemble(source, &bundled());
        assert!(program.is_none(), "{source}");
        let first = diags.into_iter().find(|diag| diag.is_error()).unwrap();
        let span = first.span.unwrap();
        (first.code, source[span.start as usize..span.end as usize].to_string())
    };
    assert_eq!(refuse("FADD R0, R1, 1.1"), ("syntax", "1.1".into()));
    assert_eq!(refuse("FADD R255, R1, 1"), ("register-number", "R255".into()));
    assert_eq!(refuse("@P7 FADD R0, R1, 1"), ("register-number", "P7".into()));
    assert_eq!(refuse("@P1 SSY 0x8"), ("no-prefix", "@".into()));
    assert_eq!(refuse("FADDX R0, R1, 1").0, "unknown-mnemonic");
    assert_eq!(refuse("FADD R0, R1, R2 R3"), ("syntax", "R3".into()));
    assert_eq!(refuse("BRA nowhere"), ("unknown-label", "nowhere".into()));
    assert_eq!(refuse("BRA 0x7fffffff").0, "jump-range");
    assert_eq!(refuse("MOV R0, c[0x0][0x2]").0, "syntax");
    assert_eq!(refuse("FFMA32I R1, R2, 1, R3").0, "addend");
    assert_eq!(refuse("a: NOP\na: NOP"), ("label-twice", "a".into()));
    assert_eq!(refuse("BRA a\na:"), ("jump-out-of-program", "a".into()));
    assert_eq!(refuse(".wort 5"), ("unknown-directive", "wort".into()));
    assert_eq!(refuse("NOP\n.header kills yes"), ("header-place", "kills yes".into()));
    assert_eq!(refuse(".header kills maybe\nNOP").0, "header-value");
    assert_eq!(refuse("PIXLD.OFFSET R0, 5"), ("syntax", "5".into()));
    assert_eq!(refuse("IADD R0, R1, 0x80000"), ("literal-range", "0x80000".into()));
}

#[test]
fn damaged_binaries_are_refused_at_their_byte() {
    let problems = |bytes: &[u8]| {
        let (_, diags) = Program::decode(bytes, &bundled());
        diags.into_iter().map(|diag| (diag.code, diag.span.unwrap().start)).collect::<Vec<_>>()
    };
    let whole = assemble_bytes("NOP\nMOV R0, R1\nEXIT\nNOP", &bundled()).0.unwrap();
    assert_eq!(problems(&whole), []);
    for cut in 1..32 {
        assert_eq!(problems(&whole[..32 + cut]).last(), Some(&("truncated-bundle", 32)), "{cut}");
    }
    let mut unknown = whole.clone();
    unknown[16..24].copy_from_slice(&0xffff_0000_0007_0201u64.to_le_bytes());
    assert_eq!(problems(&unknown), [("unknown-instruction", 16)]);
    // Some instructions are known by name alone: one problem for all of them.
    for (at, word) in [(8, 0x1000_0000_0037_0201u64), (16, 0xe220_0000_0037_0201), (24, 0x1000_0000_0037_0201)] {
        unknown[at..at + 8].copy_from_slice(&word.to_le_bytes());
    }
    let (_, diags) = Program::decode(&unknown, &bundled());
    assert_eq!((diags.len(), diags[0].code, diags[0].kind.name()), (1, "not-decoded", "unsupported"));
    assert_eq!(diags[0].message, "3 instructions are not decoded: IMAD32I (2), JCAL (1)");
    let header = assemble_bytes(".header call_stack 7\nEXIT", &bundled());
    let header = header.0.unwrap();
    assert_eq!(header.len(), 0x50 + 32);
    assert_eq!(problems(&header), [("header-field", 0xc)]);
    assert_eq!(problems(&header[..0x49]), [("truncated-header", 0)]);
    let (program, _) = Program::decode(&header, &bundled());
    assert_eq!(program.encode(), header);
    assert_eq!(program.lines[0].span.start, 0x58);
    // Zeros are no instruction; there is one problem a word, and no end of it is looked for.
    assert_eq!(problems(&[0; 96]).len(), 9);
    let many = vec![0; 1 << 20];
    assert_eq!(problems(&many).len(), 1001);
    assert_eq!(problems(&many).last(), Some(&("unknown-instruction", (1 << 20) - 8)));
}

#[test]
fn random_bytes_are_read_without_panics() {
    let mut random = Random::new(17);
    for _ in 0..3000 {
        let len = random.word() as usize % 200;
        let mut bytes: Vec<u8> = (0..len).map(|_| random.word() as u8).collect();
        if random.word().is_multiple_of(2) {
            let header = random_header(&mut random).bytes();
            let at = header.len().min(bytes.len());
            bytes[..at].copy_from_slice(&header[..at]);
        }
        for layout in [bundled(), BARE, Layout { base: u64::MAX - 3, ..BARE }, Layout { base: 1 << 63, ..bundled() }] {
            let (program, _) = Program::decode(&bytes, &layout);
            let _ = parallax_spa5::check(&program);
            let _ = list_labels(&bytes, &layout);
        }
        let _ = parallax_spa5::may_be_spa5(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        let _ = assemble_bytes(&text, &bundled());
        let letters: String =
            bytes.iter().map(|b| b"RPc[]0x,.-|@! ;\n:ADFSMOVBRATEX"[usize::from(*b) % 29] as char).collect();
        let _ = assemble_bytes(&letters, &bundled());
    }
}

#[test]
fn programs_are_recognised() {
    use parallax_isa::is_text;
    use parallax_spa5::{is_assembly, is_binary, may_be_spa5};
    let source = "MUFU.RCP R0, R1 &wr=0 ?stall1\nFADD R0, R0, R1 &req={0} ?stall6\nEXIT ?stall15\n";
    let words = assemble_bytes(source, &bundled()).0.unwrap();
    assert!(is_binary(&words) && may_be_spa5(&words) && !is_text(&words));
    assert!(!is_binary(&words[..24]) && !is_binary(&assemble_bytes("NOP", &bundled()).0.unwrap()));
    let header = assemble_bytes(&format!(".header target0 rgba\n{source}"), &bundled()).0.unwrap();
    assert!(is_binary(&header));
    // One word damaged, and one byte cut off.
    let mut damaged = [&words[..], &words].concat();
    damaged[16..24].fill(0);
    assert!(!is_binary(&damaged) && may_be_spa5(&damaged));
    assert!(may_be_spa5(&[&words[..], &words].concat()[..63]));
    assert!(is_assembly(source) && is_assembly("// comment\nL0: @!P0 IADD3 R0, R1, R2, RZ ;\n"));
    assert!(may_be_spa5(b"FADDX R0, R1, R2\nMUFU.RCQ R0, R1\n"));
    for other in ["MOV R0, c[0];", "MOVR R0, R1;\nEND", "FRAG\nDCL IN[0]\n", "mov r0, i0\n", "", "// only"] {
        assert!(!is_assembly(other) && !may_be_spa5(other.as_bytes()), "{other}");
    }
    let floats: Vec<u8> = (0..4096).flat_map(|n| (n as f32 / 4096.0).to_le_bytes()).collect();
    let mut random = Random::new(5);
    let noise: Vec<u8> = (0..4096).map(|_| random.word() as u8).collect();
    for other in [&floats[..], &noise, &[0; 304], &[0xff; 64], &[0x3f; 96]] {
        assert!(!is_binary(other) && !may_be_spa5(other));
    }
}

#[test]
fn lints_name_the_field() {
    let warn = |source: &str| {
        let (_, diags) = assemble_bytes(source, &bundled());
        diags.into_iter().map(|diag| (diag.code, diag.is_error())).collect::<Vec<_>>()
    };
    assert_eq!(warn("FADD R0, R1, R2 &wr=1\nEXIT"), [("barrier-of-fixed-latency", false)]);
    assert_eq!(warn("EXIT &rd=0"), [("barrier-of-fixed-latency", false)]);
    assert_eq!(warn("MUFU.RCP R0, R1 &wr=1\nPIXLD R0 &rd=2 &wr=0\nEXIT"), []);
    assert_eq!(warn("FADD R0, R1, R2 &reuse.unused\nEXIT"), [("reuse-of-no-operand", false)]);
    assert_eq!(warn("BRA 0x80\nEXIT"), [("jump-out-of-program", false)]);
    let header = ".header target0 rgba\n";
    assert_eq!(warn(&format!("{header}KIL\nEXIT")), [("kill-without-header", false)]);
    assert_eq!(warn(&format!("{header}.header kills yes\nKIL\nEXIT")), []);
}

#[test]
fn instructions_know_their_fields() {
    let (program, _) = assemble("@!P2 FADD.FTZ.SAT R7, -R1, c[0x2][0x14]\nSSY 0x8", &bundled());
    let program = program.unwrap();
    let add: Instr = program.instrs[0];
    assert_eq!((add.form(), add.guard()), ("C", (2, true)));
    assert_eq!(
        ["ftz", "sat", "neg_a", "neg_b", "bank", "offset", "d"].map(|name| add.value(name)),
        [1, 1, 1, 0, 2, 5, 7]
    );
    assert_eq!(add.value("nothing"), 0);
    assert_eq!(program.instrs[1].guard(), (7, false));
}

/// A branch into the bundle that a damaged file cuts off had a label that stood nowhere.
#[test]
fn a_branch_into_a_cut_bundle_keeps_its_address() {
    let (bytes, diags) = assemble_bytes("BRA 0x20\nNOP\nNOP\nNOP\nNOP\nEXIT", &bundled());
    let bytes = bytes.unwrap_or_else(|| panic!("{diags:?}"));
    for cut in [0, 3, 8] {
        let bytes = &bytes[..bytes.len() - cut];
        let mut text = String::new();
        for entry in list_labels(bytes, &bundled()) {
            text.extend(entry.label.into_iter().map(|label| label + ": "));
            text += &entry.line.unwrap_or_else(|(line, _)| line);
            text.push('\n');
        }
        assert_eq!(assemble_bytes(&text, &bundled()).0.as_deref(), Some(bytes), "{text}");
    }
}

/// What follows the register is the offset, the control bits, or nothing.
#[test]
fn computed_jumps_without_an_offset_are_read_back() {
    let source = "BRX R2\nBRX CC.NAN, R6 &req={0} ?stall1\nBRX R2 -0x8 ?stall1\n";
    let (bytes, diags) = assemble_bytes(source, &bundled());
    let bytes = bytes.unwrap_or_else(|| panic!("{diags:?}"));
    let listing: Vec<String> = list(&bytes, &bundled(), Style::Exact).into_iter().map(Result::unwrap).collect();
    assert_eq!(listing, source.lines().collect::<Vec<_>>());
}
