//! What is taken for a program and what is not.

use parallax_attila::{assemble, is_assembly, is_binary, may_be_attila};
use parallax_isa::Generator;
use std::path::Path;

fn taken(bytes: &[u8]) -> bool {
    is_binary(bytes) || std::str::from_utf8(bytes).is_ok_and(is_assembly) || may_be_attila(bytes)
}

/// Every program of the corpus.
fn programs() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/attila");
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "attila") {
            let text = std::fs::read_to_string(&path).expect("a text");
            let program = assemble(&text).0.expect("assembles");
            out.push((path.display().to_string(), program.encode_ended()));
        }
    }
    assert!(out.len() > 20);
    out
}

#[test]
fn other_files_are_not_taken_for_damaged_programs() {
    let floats = |f: &dyn Fn(u32) -> f32, count| (0..count).flat_map(|n| f(n).to_le_bytes()).collect::<Vec<u8>>();
    for count in [1, 4, 16, 64, 1000, 4096] {
        for scale in [1.0, 1.0 / 4096.0, 0.1, 1e-3, 1e6] {
            let ramp = floats(&|n| n as f32 * scale, count);
            assert!(!taken(&ramp), "{count} floats in steps of {scale}");
        }
        assert!(!taken(&floats(&|n| (n as f32 * 0.01).sin(), count)), "{count} sines");
        // The numbers 19 to 22 by themselves are the word of a MAD.
        for start in (0..64u32).filter(|_| count >= 16) {
            let ints: Vec<u8> = (start..start + count).flat_map(u32::to_le_bytes).collect();
            assert!(!taken(&ints), "{count} integers from {start}");
            let shorts: Vec<u8> = (0..count).flat_map(|n| ((n + start) as u16).to_le_bytes()).collect();
            assert!(!taken(&shorts), "{count} short integers from {start}");
        }
    }
    // Pictures: a header of 18 bytes, then colours.
    let header = [0u8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 0, 32, 8];
    let picture = |pixel: &dyn Fn(u32, u32) -> [u8; 4]| {
        let pixels = (0..64 * 64).flat_map(|n| pixel(n % 64, n / 64));
        header.into_iter().chain(pixels).collect::<Vec<u8>>()
    };
    assert!(!taken(&picture(&|x, y| [x as u8 * 4, y as u8 * 4, 128, 255])), "a gradient");
    for level in 0..=255u8 {
        for alpha in [0, level, 255] {
            let solid = picture(&|_, _| [level, level, level, alpha]);
            assert!(!taken(&solid) && !taken(&solid[18..]), "grey {level}, alpha {alpha}");
            let red = picture(&|_, _| [0, 0, level, alpha]);
            assert!(!taken(&red) && !taken(&red[18..]), "red {level}, alpha {alpha}");
        }
    }
    // Zeros with one byte.
    for len in [300, 304] {
        for at in [0, 1, 2, 8, 16, 17, 100, 299] {
            for byte in 1..=255u8 {
                let mut zeros = vec![0u8; len];
                zeros[at] = byte;
                assert!(!taken(&zeros), "{byte:#x} at {at} of {len}");
            }
        }
    }
    // ELF-like: a header, a table of sections, strings.
    let mut elf = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0\x01\0\0\0".to_vec();
    elf.resize(64, 0);
    for section in 0..20u64 {
        for value in [section, 6, 0, 0x40 + section * 0x30, 0x30, 0, 16, 0] {
            elf.extend(value.to_le_bytes());
        }
    }
    elf.extend(b"\0.text\0.data\0.bss\0.symtab\0.strtab\0");
    assert!(!taken(&elf));
    // SPIR-V-like: a magic number, and words of a length and an operation.
    let mut spirv = vec![0x0723_0203u32, 0x0001_0000, 8, 30, 0];
    (1..200u32).for_each(|n| spirv.extend([0x4_0000 + n % 60, n, n + 1, n / 2]));
    assert!(!taken(&spirv.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>()));
}

#[test]
fn random_bytes_are_not_taken_for_damaged_programs() {
    let mut generator = Generator::new(3);
    let mut wrong = 0;
    for n in 0..20_000u64 {
        let bytes: Vec<u8> = (0..1 + n % 40 * 2).flat_map(|_| generator.bits().to_le_bytes()).collect();
        wrong += usize::from(taken(&bytes));
    }
    assert_eq!(wrong, 0);
}

#[test]
fn texts_of_other_kinds_are_not_taken_for_damaged_programs() {
    for text in [
        "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\nmov oD0, c4\nmov r0, c1\n",
        "mov r0, r1\nldr r2, [r0]\nadd r0, r0, #1\nbl f\nbx lr\n",
        "# Shaders\n\nWrite an instruction a line:\n\n    mov r0, i0\n\nThen assemble it, and run it.\n",
    ] {
        assert!(!taken(text.as_bytes()), "{text}");
    }
}

#[test]
fn damaged_programs_are_recognised() {
    let mut generator = Generator::new(4);
    for (name, words) in programs() {
        for len in (16..=words.len()).filter(|len| *len < 64 || len % 7 == 0 || len % 16 == 0) {
            assert!(taken(&words[..len]), "{name}, {len} bytes of {}", words.len());
        }
        for at in (0..words.len()).step_by(16) {
            let random: Vec<u8> = (0..2).flat_map(|_| generator.bits().to_le_bytes()).collect();
            for word in [[0xff; 16].as_slice(), &5u128.to_le_bytes(), &[0; 16], &random] {
                let mut bad = words.clone();
                bad[at..at + 16].copy_from_slice(word);
                assert!(taken(&bad), "{name}, {word:?} at {at}");
            }
        }
        let mut endless = words;
        let last = endless.len() - 16;
        endless[last + 1] &= !1;
        assert!(!is_binary(&endless) || endless[..last].chunks(16).any(|w| w[1] & 1 != 0 || w[0] == 0x37), "{name}");
        assert!(taken(&endless), "{name} without its end");
    }
}
