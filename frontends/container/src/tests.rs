//! Good containers, and every way they are damaged that has a problem of its own. `tests/filetests/container` shows the words.

use crate::{CgFragment, CgParameter, Content, Fault, Node, Order, Program, foreign, open, with_control_word};
use parallax_pack::{
    Elf, Fpo, Parameter, archive, bsd_archive, code_bytes, dksh, fatbin, kernel_info, kernel_param, module_info,
};

/// `MOV H0, constant` and its constant; the last with the end bit.
fn moves(count: usize) -> Vec<[u32; 4]> {
    const PASS: u32 = 7 << 18 | 0xe4 << 21;
    let mov = |end| [0x0100_1e80 | u32::from(end), 2 | 0xe4 << 9 | PASS, 0xe4 << 9, 0xe4 << 9];
    (0..count).flat_map(|n| [mov(n + 1 == count), [n as u32; 4]]).collect()
}

fn program(node: &Node) -> &Program {
    match &node.content {
        Content::Program(program) => program,
        other => panic!("{other:?}: {:?}", node.diags),
    }
}

fn names(node: &Node) -> Vec<&str> {
    node.members().iter().map(|m| m.name.as_str()).collect()
}

fn codes(node: &Node) -> Vec<&str> {
    node.diags.iter().map(|d| d.code).collect()
}

fn fact(node: &Node, file: &[u8], name: &str) -> Option<String> {
    node.facts(file).into_iter().find(|fact| fact.name == name).map(|fact| fact.value)
}

/// A cubin of two kernels with all that belongs to them.
fn cubin() -> Vec<u8> {
    Elf::cubin(50)
        .section(".nv.info", &module_info(&[(5, 12, 0), (6, 9, 64)]))
        .section(".nv.info.first", &kernel_info(0x140, 24))
        .section(".nv.constant0.first", &[0; 0x158])
        .section(".nv.constant2.second", &[1, 2, 3, 4])
        .section(".nv.constant3", &[5; 8])
        .kernel("first", 5, 12, &[0xaa; 64])
        .kernel("second", 6, 8, &[0xbb; 32])
        .write()
}

#[test]
fn archives_have_members_by_name() {
    let long = "a name that is longer than fifteen characters.fp";
    let members: &[(&str, &[u8])] = &[("a.fp", b"odd"), (long, b"even"), ("dir/b.fp", b""), ("a.fp", b"again")];
    for bytes in [archive(members), bsd_archive(members)] {
        let node = open(&bytes);
        assert_eq!(names(&node), ["a.fp", long, "dir/b.fp", "a.fp#2"]);
        for (member, (_, contents)) in node.members().iter().zip(members) {
            assert_eq!((&bytes[member.bytes.clone()], member.code(&bytes).as_ref()), (*contents, *contents));
            assert_eq!((&member.content, member.is_refused()), (&Content::Plain, false));
        }
        assert_eq!(node.find("a.fp#2").unwrap()[0].bytes, node.members()[3].bytes);
        assert_eq!(node.find("a.fq"), Err(Fault::Unknown(Some("a.fp".into()))));
    }
}

#[test]
fn the_rest_of_a_damaged_archive_goes_on() {
    let good = archive(&[("a.fp", b"AAAA"), ("b.fp", b"BBBB"), ("c.fp", b"CCCC")]);
    let second = 8 + 60 + 4;
    // The end of the header, the size, and the size so that the member would not fit.
    for (at, bytes) in [(58, b"xx" as &[u8]), (48, b"4x"), (48, b"9999999999"), (48, b"99999999"), (48, b"+4")] {
        let mut damaged = good.clone();
        damaged[second + at..second + at + bytes.len()].copy_from_slice(bytes);
        let node = open(&damaged);
        assert_eq!(names(&node), ["a.fp", "damaged member", "c.fp"], "{at}");
        let diag = &node.members()[1].diags[0];
        let span = diag.span.expect("a place");
        assert!(diag.is_error() && span.start as usize == second + at, "{diag:?}");
    }
    // A name that leads nowhere takes only its member away.
    let mut damaged = good.clone();
    damaged[second..second + 4].copy_from_slice(b"/77 ");
    assert_eq!(codes(&open(&damaged).members()[1]), ["archive-name"]);
    assert_eq!(names(&open(&damaged))[2], "c.fp");
    // The end of the file cuts the last member off.
    let node = open(&good[..good.len() - 1]);
    assert_eq!((names(&node).len(), codes(&node.members()[2])), (3, vec!["archive-range"]));
    let node = open(&good[..good.len() - 40]);
    assert_eq!((names(&node).len(), codes(&node.members()[2])), (3, vec!["archive-header"]));
}

#[test]
fn archives_that_cannot_be_opened_say_so() {
    assert_eq!(codes(&open(b"!<arch>\n")), ["archive-empty"]);
    assert_eq!(codes(&open(b"!<thin>\na.fp/")), ["archive-thin"]);
    let inner = archive(&[("a.fp", b"A")]);
    let node = open(&archive(&[("inner.a", &inner), ("b.fp", b"B")]));
    assert_eq!((names(&node), codes(&node.members()[0])), (vec!["inner.a", "b.fp"], vec!["archive-nested"]));
    // Tables of linkers are no members.
    let node = open(&archive(&[("", b"symbols"), ("b.fp", b"B")]));
    assert_eq!(names(&node), ["b.fp"]);
}

#[test]
fn names_that_grow_out_of_one_table_end() {
    let long = format!("{}/\n", "n".repeat(4000));
    let entry = |name: &str, bytes: &str| format!("{name:<16}{:<32}{:<10}`\n{bytes}", 0, bytes.len());
    let mut text = format!("!<arch>\n{}", entry("//", &long));
    for _ in 0..100 {
        text.push_str(&entry("/0", ""));
    }
    let node = open(text.as_bytes());
    assert_eq!(codes(&node), ["container-names"]);
    assert!(node.members().len() < 5);
}

#[test]
fn cubins_have_kernels_with_what_belongs_to_them() {
    let bytes = cubin();
    let node = open(&bytes);
    assert_eq!((names(&node), codes(&node)), (vec!["first", "second"], vec![]));
    assert!(matches!(&node.content, Content::Container { title, .. } if title == "CUDA ELF for sm_50"));
    let [first, second] = node.members() else { panic!() };
    assert_eq!(first.code(&bytes).as_ref(), [0xaa; 64]);
    assert_eq!((program(first).isa, first.bytes.start % 32), ("spa5", 0));
    assert_eq!(
        (fact(first, &bytes, "registers").as_deref(), fact(first, &bytes, "local memory").as_deref()),
        (Some("12"), None)
    );
    assert!(
        first.facts(&bytes).iter().any(|fact| fact.value.starts_with("0, 344 bytes at byte ")),
        "{:?}",
        first.facts(&bytes)
    );
    assert_eq!(fact(first, &bytes, "parameters").as_deref(), Some("24 bytes from c[0x0][0x140] on"));
    let banks = |node| program(node).banks.iter().map(|b| (b.number, b.bytes.len())).collect::<Vec<_>>();
    assert_eq!((banks(first), banks(second)), (vec![(3, 8)], vec![(3, 8), (2, 4)]));
    // The second kernel's counts contradict each other.
    assert_eq!((codes(second), second.is_refused()), (vec!["elf-registers"], false));
    assert_eq!(fact(second, &bytes, "local memory").as_deref(), Some("64 bytes"));
    assert_eq!(node.find(".text.second").unwrap()[0].name, "second");
    // A kernel may be called as a section is.
    let node = open(&Elf::cubin(50).kernel("k", 1, 8, &[0; 32]).kernel(".text.k", 2, 8, &[0; 32]).write());
    assert_eq!(node.find(".text.k").unwrap()[0].bytes, node.members()[1].bytes);
}

#[test]
fn code_for_other_targets_is_named() {
    let node = open(&Elf::cubin(75).kernel("k", 1, 8, &[0; 32]).write());
    let diag = &node.members()[0].diags[0];
    assert_eq!((diag.code, diag.kind.name(), diag.span.unwrap().start), ("elf-target", "unsupported", 48));
    assert!(diag.message.contains("Turing (sm_75)"), "{}", diag.message);
    for sm in (50..54).chain(60..63) {
        let node = open(&Elf::cubin(sm).kernel("k", 1, 8, &[0; 32]).write());
        let kernel = &node.members()[0];
        assert!(!kernel.is_refused());
        let Content::Program(program) = &kernel.content else { panic!("{kernel:?}") };
        assert_eq!(program.model, (sm >= 60).then_some("pascal"));
    }
    let node = open(&Elf::cubin(70).section(".nv.info", &[]).write());
    assert_eq!(node.content, Content::Broken);
    let diag = &node.diags[0];
    assert_eq!((diag.code, diag.kind.name()), ("elf-no-code", "unsupported"));
    assert!(diag.message.contains("Volta (sm_70) holds no code"), "{}", diag.message);
    let machine = |machine, section: &str| {
        let mut elf = Elf::plain(true, false).section(section, &[0; 16]);
        elf.machine = machine;
        match open(&elf.write()).content {
            Content::Foreign(foreign) => foreign.name,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(machine(62, ".text.main"), "an ELF file for x86-64");
    assert_eq!(machine(62, ".nv_fatbin"), "an ELF file with a CUDA fatbin inside");
    assert_eq!(machine(9999, ".text.main"), "an ELF file for another machine");
}

#[test]
fn elf_files_of_every_width_and_order_are_read() {
    for (wide, big) in [(false, false), (false, true), (true, false), (true, true)] {
        let bytes = Elf::plain(wide, big).section(".text.a", b"!!FP1.0").section(".data", b"x").write();
        let node = open(&bytes);
        assert_eq!((names(&node), codes(&node)), (vec!["a"], vec![]), "{wide} {big}");
        assert_eq!(node.members()[0].code(&bytes).as_ref(), b"!!FP1.0");
        assert_eq!(node.members()[0].content, Content::Plain);
    }
}

#[test]
fn elf_files_that_lie_are_found_out() {
    let good = Elf::plain(true, false).section(".text.a", &[7; 16]).section(".text.b", &[8; 16]).write();
    let table = u64::from_le_bytes(*good[40..].first_chunk().unwrap()) as usize;
    let put = |at: usize, bytes: &[u8]| {
        let mut damaged = good.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        open(&damaged)
    };
    // Of the file, by place: the whole is refused.
    for (at, bytes, code, place) in [
        (4, &[3u8] as &[u8], "elf-header", 4),
        (5, &[9], "elf-header", 5),
        (40, &[0xff; 8], "elf-range", 40),
        (40, &[0, 0, 0, 0xff, 0, 0, 0, 0], "elf-range", 40),
        (58, &[63, 0], "elf-header", 58),
        (60, &[0xff, 0x7f], "elf-range", 60),
        (60, &[1, 0], "elf-range", 62),
        (62, &[9, 0], "elf-range", 62),
        (40, &[0; 8], "elf-empty", 60),
    ] {
        let node = put(at, bytes);
        let found: Vec<_> = node.diags.iter().map(|d| (d.code, d.span.unwrap().start)).collect();
        assert_eq!((found, &node.content), (vec![(code, place)], &Content::Broken), "byte {at}");
    }
    // Of a section: the other one goes on.
    let first = table + 64;
    for (offset, bytes, code, place) in [
        (4, &8u32.to_le_bytes() as &[u8], "elf-data", 4),
        (24, &[0xff; 8], "elf-range", 24),
        (32, &[0xff; 8], "elf-range", 32),
        (32, &[0; 8], "elf-data", 32),
        (24, &[0; 8], "elf-overlap", 24),
    ] {
        let node = put(first + offset, bytes);
        assert_eq!(names(&node), ["a", "b"]);
        let [a, b] = node.members() else { panic!() };
        let found: Vec<_> = a.diags.iter().map(|d| (d.code, d.span.unwrap().start as usize)).collect();
        assert_eq!((found, b.is_refused()), (vec![(code, first + place)], false), "byte {offset}");
    }
    // The second says that it lies where the first is.
    let place: [u8; 8] = *good[first + 24..].first_chunk().unwrap();
    let node = put(first + 64 + 24, &place);
    assert_eq!((codes(&node.members()[0]), codes(&node.members()[1])), (vec![], vec!["elf-overlap"]));
    // A name outside of the names.
    let node = put(first, &[0xff, 0xff, 0, 0]);
    assert_eq!((names(&node), codes(&node)), (vec!["b"], vec!["elf-name"]));
    assert_eq!(codes(&open(&good[..63])), ["elf-header"]);
}

#[test]
fn more_sections_than_the_field_holds_are_counted_elsewhere() {
    let mut bytes = Elf::plain(true, false).section(".text.a", b"!!FP1.0").write();
    let table = u64::from_le_bytes(*bytes[40..].first_chunk().unwrap()) as usize;
    bytes[60..64].copy_from_slice(&[0, 0, 0xff, 0xff]);
    bytes[table + 32..table + 40].copy_from_slice(&3u64.to_le_bytes());
    bytes[table + 40..table + 44].copy_from_slice(&2u32.to_le_bytes());
    assert_eq!(names(&open(&bytes)), ["a"]);
    bytes[table + 32..table + 40].copy_from_slice(&u64::MAX.to_le_bytes());
    assert_eq!(codes(&open(&bytes)), ["elf-range"]);
}

#[test]
fn damaged_attributes_are_warnings() {
    for info in [&[4u8, 0x2f, 9, 0, 0, 0, 0, 0, 0, 0, 0] as &[u8], &[9, 0, 0, 0], &[4, 0x2f]] {
        let node = open(&Elf::cubin(50).section(".nv.info", info).kernel("k", 1, 8, &[0; 32]).write());
        assert_eq!((codes(&node), node.is_refused(), names(&node)), (vec!["elf-info"], false, vec!["k"]));
    }
    assert_eq!(codes(&open(&Elf::cubin(50).section(".data", &[0; 32]).write())), ["elf-no-code"]);
}

#[test]
fn cg_binaries_have_named_constants_at_their_places() {
    for order in [parallax_pack::Order::Big, parallax_pack::Order::Little] {
        let parameters = vec![
            Parameter::vector("tint", Some([1.0, 0.5, -2.0, f32::NAN]), &[16, 80]),
            Parameter::vector("kept", None, &[48]),
            Parameter::sampler("image", 1069, 3),
            Parameter::sampler("none", 1067, 16),
        ];
        let mut fpo = Fpo::new(order, parameters, moves(3));
        (fpo.registers, fpo.color_from_h, fpo.kil) = (5, false, true);
        let bytes = fpo.write();
        let node = open(&bytes);
        assert!(node.diags.is_empty(), "{:?}", node.diags);
        let found = program(&node);
        assert_eq!((found.isa, found.dialect, found.control), ("nvfp", Some("nv40"), Some(0x0500_00c0)));
        let bits = [1.0f32, 0.5, -2.0, f32::NAN].map(f32::to_bits);
        let constants: Vec<_> = found.constants.iter().map(|c| (c.name.as_str(), c.places.clone(), c.value)).collect();
        assert_eq!(constants, [("tint", vec![16, 80], bits), ("kept", vec![48], [1; 4])]);
        assert_eq!(found.settings, [("texture3".to_string(), "cube")]);
        // What a frontend gets has the values in it.
        let mut words = moves(3);
        (words[1], words[5]) = (bits, bits);
        assert_eq!(node.code(&bytes).as_ref(), code_bytes(order, &words));
        assert_eq!(
            fact(&node, &bytes, "parameter").as_deref(),
            Some("tint: float4, uniform, 1 0.5 -2 NaN, at byte 16 and 80 of the code")
        );
        assert_eq!(
            (fact(&node, &bytes, "colours in").as_deref(), fact(&node, &bytes, "KIL").as_deref()),
            (Some("R0, R2, R3, R4"), Some("used"))
        );
    }
}

#[test]
fn a_written_cg_binary_is_read_again() {
    let parameters = vec![
        CgParameter::Constant { name: "tint".to_string(), value: [1, 2, 3, 4], places: vec![16, 80] },
        CgParameter::Constant { name: "kept".to_string(), value: [5; 4], places: vec![48] },
        CgParameter::Sampler { name: "image".to_string(), unit: 3, shape: "cube" },
    ];
    let code = code_bytes(parallax_pack::Order::Little, &moves(3));
    let file = CgFragment { code, parameters, registers: 5, writes_depth: true, discards: true, coordinates: 0x21 };
    let bytes = file.write();
    let node = open(&bytes);
    assert!(node.diags.is_empty(), "{:?}", node.diags);
    let found = program(&node);
    assert_eq!((found.isa, found.dialect, found.order), ("nvfp", Some("nv40"), Some(Order::HalfSwapped)));
    assert_eq!(found.control, Some(5 << 24 | 0xce));
    let constants: Vec<_> = found.constants.iter().map(|c| (c.name.as_str(), c.places.clone(), c.value)).collect();
    assert_eq!(constants, [("tint", vec![16, 80], [1, 2, 3, 4]), ("kept", vec![48], [5; 4])]);
    assert_eq!(found.settings, [("texture3".to_string(), "cube")]);
    let mut words = moves(3);
    (words[1], words[3], words[5]) = ([1, 2, 3, 4], [5; 4], [1, 2, 3, 4]);
    assert_eq!(node.code(&bytes).as_ref(), code_bytes(parallax_pack::Order::Big, &words));
    assert_eq!(fact(&node, &bytes, "texture coordinates").as_deref(), Some("0x0021"));
}

#[test]
fn cg_binaries_that_lie_are_found_out() {
    let parameters = || vec![Parameter::vector("tint", Some([1.0; 4]), &[16]), Parameter::vector("other", None, &[48])];
    let good = Fpo::new(parallax_pack::Order::Big, parameters(), moves(2)).write();
    assert!(open(&good).diags.is_empty());
    let put = |at: usize, word: u32| {
        let mut damaged = good.clone();
        damaged[at..at + 4].copy_from_slice(&word.to_be_bytes());
        let node = open(&damaged);
        let diag = node.diags.first().expect("a problem").clone();
        assert_eq!(diag.is_error(), node.is_refused());
        (diag.code, diag.span.unwrap().start as usize)
    };
    let word = |at: usize| u32::from_be_bytes(*good[at..].first_chunk().unwrap());
    let (records, ucode) = (word(16) as usize, word(28));
    let places = word(records + 24) as usize;
    for (at, value, code) in [
        (8, 1 << 20, "fpo-size"),
        (8, 40, "fpo-size"),
        (12, 1 << 31, "fpo-range"),
        (16, 0xffff_fff0, "fpo-range"),
        (16, 8, "fpo-overlap"),
        (20, good.len() as u32 - 4, "fpo-range"),
        (20, 60, "fpo-overlap"),
        (24, 17, "fpo-size"),
        (24, 0, "fpo-size"),
        (24, 1 << 20, "fpo-range"),
        (28, 0xffff_ff00, "fpo-range"),
        (28, 0, "fpo-overlap"),
        (records + 16, good.len() as u32, "fpo-name"),
        (records + 16, records as u32, "fpo-overlap"),
        (records + 20, good.len() as u32 - 8, "fpo-range"),
        (records + 20, ucode + 16, "fpo-overlap"),
        (records + 24, u32::MAX, "fpo-range"),
        (records + 24, ucode, "fpo-range"),
        (places, 99, "fpo-range"),
        (places + 4, 0, "fpo-embedded"),
        (places + 4, 20, "fpo-embedded"),
        (places + 4, 64, "fpo-embedded"),
    ] {
        let found = put(at, value);
        // The size of what an offset leads to may be at fault as well as the offset.
        let near = if (at, value) == (records + 24, ucode) { ucode as usize } else { at };
        assert_eq!(found, (code, near), "{value} at byte {at}");
    }
    let second = word(records + 48 + 24) as usize + 4;
    assert_eq!(put(second, 16), ("fpo-overlap", second));
    // No end.
    let mut endless = good.clone();
    for at in [ucode as usize, ucode as usize + 32] {
        endless[at + 1] &= !1;
    }
    assert_eq!(codes(&open(&endless)), ["fpo-end"]);
    assert_eq!(codes(&open(&good[..31])), ["fpo-header"]);
}

#[test]
fn microcode_behind_a_control_word_is_found() {
    let words = [Order::HalfSwapped, Order::Little];
    for (order, written) in words.into_iter().zip([parallax_pack::Order::Big, parallax_pack::Order::Little]) {
        let code = code_bytes(written, &moves(3));
        let control = 0x0200_0040u32;
        let front = if order == Order::Little { control.to_le_bytes() } else { control.to_be_bytes() };
        let bytes = [front.as_slice(), &code].concat();
        let node = with_control_word(&bytes).expect("a program");
        let found = program(&node);
        assert_eq!((found.order, found.control, node.code(&bytes).as_ref()), (Some(order), Some(control), &code[..]));
        // Not behind the end, not without one, not with a control word that none can be.
        assert!(with_control_word(&[bytes.as_slice(), &[0; 16]].concat()).is_none());
        assert!(with_control_word(&bytes[..bytes.len() - 32]).is_none());
        assert!(with_control_word(&[&[0xff; 4], &code[..]].concat()).is_none());
        assert!(with_control_word(&code).is_none());
    }
    assert!(with_control_word(&[0; 20]).is_none() && with_control_word(b"a text of 20 letters").is_none());
}

#[test]
fn foreign_files_are_named() {
    let glsl = "// a licence\n#version 330\nvoid main() {}\n";
    let dxil = [b"DXBC".as_slice(), &[0; 24], &1u32.to_le_bytes(), &36u32.to_le_bytes(), b"DXIL"].concat();
    for (bytes, name) in [
        (b"\x03\x02\x23\x07\0\0\x01\0".as_slice(), "a SPIR-V module"),
        (b"DXBC", "a DXBC container (Direct3D 10 and 11)"),
        (&dxil, "a DXIL container (Direct3D 12)"),
        (b"\0\x03\xff\xff\xff\xff\0\0", "Direct3D 9 shader bytecode"),
        (b"\xcf\xfa\xed\xfe", "a Mach-O file"),
        (b"MZ\x90\0", "a Windows program or library"),
        (glsl.as_bytes(), "GLSL source"),
        (b"precision mediump float;\nvoid main() { gl_FragColor = vec4(1); }", "GLSL source"),
        (b"float4 main(float2 t : TEXCOORD0) : SV_Target { return t.xyxy; }", "HLSL source"),
        (b"@fragment fn main() -> @location(0) vec4f { return vec4f(); }", "WGSL source"),
        (b"//\n.version 7.0\n.target sm_50\n.address_size 64\n", "PTX assembly"),
        (b"// a licence\n\n    ps_2_0\n    mov oC0, c0\n", "Direct3D 9 shader assembly"),
        (b"vs.1.1\ndcl_position v0\n", "Direct3D 9 shader assembly"),
        (b"ps_5_0\ndcl_globalFlags refactoringAllowed\n", "Direct3D 10 or 11 shader assembly"),
        (b"; SPIR-V\n; Version: 1.0\n", "SPIR-V assembly"),
        (b"; ModuleID = 'a'\n", "LLVM assembly"),
    ] {
        assert_eq!(foreign(bytes).map(|kind| kind.name), Some(name));
        assert_eq!(open(bytes).content, Content::Plain);
    }
    for other in [
        b"" as &[u8],
        b"\0\0\0\0",
        b"!!FP1.0\nEND\n",
        b"FRAG\nEND\n",
        b"mov r0, i0",
        b"hello { } ;",
        b"\xff\xfe",
        b"ps_2_9\n",
        b"mov r0, i0\nps_2_0\n",
    ] {
        assert_eq!(foreign(other), None, "{other:?}");
    }
}

/// A bundle that is not only zeros.
const BUNDLE: [u8; 32] = [7; 32];

#[test]
fn fatbins_hold_cubins_for_targets() {
    let maxwell = Elf::cubin(52).kernel("k", 1, 8, &BUNDLE).write();
    let pascal = Elf::cubin(61).kernel("k", 1, 8, &BUNDLE).write();
    let first = fatbin(&[(2, 52, &maxwell), (1, 52, b".version 7.0\n"), (2, 52, &maxwell)]);
    let both = [first.as_slice(), &[0; 24], &fatbin(&[(2, 61, &pascal), (7, 61, b"?")])].concat();
    let node = open(&both);
    let expected = ["sm_52.cubin", "sm_52.ptx", "sm_52.cubin#2", "sm_61.cubin", "sm_61.part7"];
    assert_eq!(names(&node), expected);
    assert!(node.diags.is_empty());
    let program = node.find("sm_61.cubin:k").unwrap()[1];
    assert_eq!(program.code(&both).as_ref(), BUNDLE);
    // The same inside a host program.
    let mut host = Elf::plain(true, false).section(".text", b"x").section(".nv_fatbin", &both);
    host.machine = 62;
    assert_eq!(names(&open(&host.write())), expected);
}

#[test]
fn compressed_and_damaged_entries_of_fatbins_are_named() {
    let mut bytes = fatbin(&[(2, 50, &BUNDLE), (2, 60, &BUNDLE)]);
    bytes[16 + 41] |= 0x20;
    let node = open(&bytes);
    let diag = &node.members()[0].diags[0];
    assert_eq!((diag.code, diag.kind.name(), diag.span.unwrap().start), ("fatbin-compressed", "unsupported", 56));
    // What is no ELF file is as it is.
    assert_eq!(node.members()[1].content, Content::Plain);
    bytes[16 + 64 + 32 + 8] = 200;
    let node = open(&bytes);
    assert_eq!((names(&node), node.diags[0].code), (vec!["sm_50.cubin"], "fatbin-range"));
    assert_eq!(open(&bytes[..12]).diags[0].code, "fatbin-header");
    assert_eq!(open(&fatbin(&[])).diags[0].code, "fatbin-empty");
}

#[test]
fn modules_of_deko3d_hold_programs_and_their_constants() {
    let code = [[0x61; 0x50].as_slice(), &BUNDLE, &BUNDLE].concat();
    let bytes = dksh(1, &code, &[1, 2, 3, 4]);
    let node = open(&bytes);
    assert_eq!(names(&node), ["fragment"]);
    let fragment = &node.members()[0];
    assert_eq!(fragment.code(&bytes).as_ref(), code);
    let Content::Program(program) = &fragment.content else { panic!("{fragment:?}") };
    assert_eq!((program.isa, program.banks[0].number), ("spa5", 1));
    assert_eq!(bytes[program.banks[0].bytes.clone()], [1, 2, 3, 4]);
    // Compute programs have no header; without constants the code ends where zeros fill the section.
    let bytes = dksh(5, &BUNDLE, &[]);
    assert_eq!(open(&bytes).members()[0].code(&bytes).as_ref(), BUNDLE);
}

#[test]
fn modules_that_are_written_are_those_that_are_read() {
    let code = [[0x61; 0x50].as_slice(), &BUNDLE, &BUNDLE].concat();
    let bytes = crate::module_of_deko3d(9, &code);
    // Another writer has memory for a warp besides.
    let mut other = dksh(1, &code, &[]);
    other[44..48].fill(0);
    assert_eq!(bytes, other);
    assert_eq!(open(&bytes).members()[0].code(&bytes).as_ref(), code);
}

#[test]
fn damaged_modules_of_deko3d_say_where() {
    let code = [[0x61; 0x50].as_slice(), &BUNDLE].concat();
    let damaged = |at: usize, value: u32| {
        let mut bytes = dksh(1, &code, &[1; 16]);
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let node = open(&bytes);
        let diag = node.diags.first().or_else(|| node.members()[0].diags.first()).unwrap().clone();
        (diag.code, diag.span.unwrap().start)
    };
    assert_eq!(damaged(8, 1 << 20), ("dksh-range", 8));
    assert_eq!(damaged(12, 1 << 20), ("dksh-range", 12));
    assert_eq!(damaged(20, 0), ("dksh-empty", 20));
    assert_eq!(damaged(20, 1 << 30), ("dksh-range", 20));
    assert_eq!(damaged(24, 6), ("dksh-stage", 24));
    assert_eq!(damaged(28, 1 << 20), ("dksh-range", 28));
    // Nothing but the zeros that fill the section.
    assert_eq!(damaged(28, 0x80 + 32), ("dksh-data", 28));
    assert_eq!(damaged(40, 1 << 20), ("dksh-range", 40));
    assert_eq!(open(b"DKSH\0").diags[0].code, "dksh-header");
}

#[test]
fn kernels_of_cubins_have_parameters_and_memory() {
    let mut info = kernel_info(0x140, 44);
    info.extend(kernel_param(1, 8, 36));
    info.extend(kernel_param(0, 0, 8));
    // The block that the kernel asks for.
    info.extend([4, 0x10, 12, 0, 16, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0]);
    let file = Elf::cubin(61)
        .section(".nv.info", &module_info(&[(5, 12, 64)]))
        .section(".nv.info.k", &info)
        .section(".nv.shared.k", &[0; 96])
        .kernel("k", 5, 12, &[0; 32])
        .kernel("other", 6, 12, &[0; 32])
        .write();
    let node = open(&file);
    let kernel = program(node.find("k").unwrap()[0]).kernel.clone().expect("a kernel");
    assert_eq!(kernel.params, [(0x140, 8), (0x148, 36)]);
    assert_eq!((kernel.shared, kernel.local, kernel.block), (96, 64, Some([16, 8, 1])));
    let other = program(node.find("other").unwrap()[0]).kernel.clone();
    assert_eq!(other, Some(crate::Kernel::default()));
}
