//! Random damage of good containers: never a panic, and a tree whose places lie in the file.

use parallax_container::{Content, Node, foreign, open, with_control_word};
use parallax_pack::{
    Elf, Fpo, Order, Parameter, archive, bsd_archive, code_bytes, dksh, fatbin, kernel_info, module_info,
};
use parallax_random::Random;
use proptest::prelude::*;

fn code() -> Vec<[u32; 4]> {
    let mov = |end: u32| [0x0100_1e80 | end, 0x1c9d_c802, 0x0001_c800, 0x0001_c800];
    vec![mov(0), [1, 2, 3, 4], mov(1), [5, 6, 7, 8]]
}

fn good() -> Vec<Vec<u8>> {
    let parameters = vec![
        Parameter::vector("tint", Some([1.0, 2.0, 3.0, 4.0]), &[16]),
        Parameter::vector("shade", None, &[48]),
        Parameter::vector("unused", None, &[]),
    ];
    let cubin = Elf::cubin(50)
        .section(".nv.info", &module_info(&[(5, 12, 0)]))
        .section(".nv.info.first", &kernel_info(0x140, 24))
        .section(".nv.constant2.first", &[1, 2, 3, 4])
        .kernel("first", 5, 12, &[0xaa; 64])
        .kernel("second", 6, 8, &[0xbb; 32])
        .write();
    let fpo = Fpo::new(Order::Big, parameters.clone(), code()).write();
    let little = Fpo::new(Order::Little, parameters, code()).write();
    let narrow = Elf::plain(false, true).section(".text.a", b"!!FP1.0\nEND\n").write();
    let members: &[(&str, &[u8])] = &[
        ("a name longer than its field.cubin", &cubin),
        ("b.fpo", &fpo),
        ("c.fp", b"!!FP1.0\nEND\n"),
        ("d.o", &narrow),
    ];
    let words = [&0x0200_0040u32.to_be_bytes(), code_bytes(Order::Big, &code()).as_slice()].concat();
    let fat = fatbin(&[(2, 50, &cubin), (1, 50, b".version 7.0\n"), (2, 60, &[7; 40])]);
    let test =
        b"[require]\nGL >= 2.0\n\n[fragment program]\n!!ARBfp1.0\nEND\n\n[fragment shader]\nvoid main() {}\n".to_vec();
    let module = dksh(1, &[[0x61; 0x50].as_slice(), &[7; 64]].concat(), &[1; 40]);
    vec![archive(members), bsd_archive(members), cubin, narrow, fpo, little, words, fat, module, test]
}

/// Places inside of the file, code inside of the place, sentences that say where.
fn sound(node: &Node, file: &[u8]) {
    assert!(node.bytes.start <= node.bytes.end && node.bytes.end <= file.len(), "{node:?}");
    for diag in &node.diags {
        let span = diag.span.expect("a place");
        assert!(span.start <= span.end && span.end as usize <= file.len(), "{diag:?} of {} bytes", file.len());
        assert!(!diag.message.is_empty());
    }
    match &node.content {
        Content::Broken => assert!(node.is_refused()),
        Content::Container { members, .. } => {
            assert!(!members.is_empty());
            for (n, member) in members.iter().enumerate() {
                sound(member, file);
                assert!(!member.name.is_empty());
                assert!(members[..n].iter().all(|other| other.name != member.name), "{}", member.name);
                let found = node.find(&member.name).expect("a member");
                assert!(std::ptr::eq(found[0], member));
            }
        }
        Content::Program(program) => {
            let code = node.code(file);
            assert_eq!(code.len(), program.code.len());
            for constant in &program.constants {
                assert!(constant.places.iter().all(|place| place + 16 <= code.len()));
            }
        }
        Content::Plain | Content::Foreign(_) => {}
    }
}

fn look(bytes: &[u8]) {
    sound(&open(bytes), bytes);
    foreign(bytes);
    if let Some(node) = with_control_word(bytes) {
        sound(&node, bytes);
    }
}

/// A few changes: bits, words that are small or huge, cuts, doubled pieces.
fn damage(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.word() as u8,
            2 => {
                let at = at & !3;
                let word = random.pick(&[0, 1, 15, 16, 0x7fff_ffff, u32::MAX, bytes.len() as u32, at as u32]);
                let word = if random.below(2) == 0 { word.to_be_bytes() } else { word.to_le_bytes() };
                for (slot, byte) in bytes[at..].iter_mut().zip(word) {
                    *slot = byte;
                }
            }
            3 => bytes.truncate(at),
            4 => {
                let piece = bytes[at..bytes.len().min(at + 1 + random.below(80) as usize)].to_vec();
                let to = random.below(bytes.len() as u64) as usize;
                bytes.splice(to..to, piece);
            }
            _ => {
                let piece = bytes.len().min(at + 1 + random.below(80) as usize);
                bytes.drain(at..piece);
            }
        }
    }
    bytes
}

#[test]
fn good_containers_are_sound() {
    for bytes in good() {
        look(&bytes);
        assert!(!open(&bytes).is_refused());
    }
}

#[test]
fn every_cut_and_every_changed_byte_is_survived() {
    for bytes in good() {
        for len in 0..bytes.len() {
            look(&bytes[..len]);
        }
        for at in 0..bytes.len() {
            for value in [0, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x80] {
                let mut changed = bytes.clone();
                changed[at] = value;
                look(&changed);
            }
        }
    }
}

#[test]
fn large_files_of_one_byte_are_survived() {
    for byte in [0u8, 0xff, b'\n'] {
        let mut bytes = vec![byte; 4 << 20];
        look(&bytes);
        for start in good() {
            bytes[..start.len().min(64)].copy_from_slice(&start[..start.len().min(64)]);
            look(&bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn damaged_containers_are_survived(seed in any::<u64>(), which in 0..10usize) {
        look(&damage(good().swap_remove(which), &mut Random::new(seed)));
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200), magic in 0..7usize) {
        let magic: &[u8] = [b"".as_slice(), b"\x7fELF\x02\x01", b"!<arch>\n", &[0, 0, 0x1b, 0x5c], &[0x5c, 0x1b, 0, 0], b"DKSH", b"\x50\xed\x55\xba\x01\0\x10\0"][magic];
        look(&[magic, &bytes].concat());
    }
}
