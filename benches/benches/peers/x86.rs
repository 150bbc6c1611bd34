//! `iced-x86` on the machine code of this very program: what a compiler wrote.

use crate::Work;
use goblin::elf::Elf;
use iced_x86::{Decoder, DecoderOptions, FastFormatter, Formatter, Instruction, IntelFormatter};
use std::hint::black_box;
use std::rc::Rc;

/// Bytes that are decoded.
const BYTES: usize = 1 << 20;

/// Code, and how many instructions it is.
fn code() -> (Rc<[u8]>, u64) {
    let path = std::env::current_exe().expect("a program has a path");
    let file = std::fs::read(path).expect("a program can be read");
    let elf = Elf::parse(&file).expect("x86-64 Linux, on which programs are ELF files");
    let text = elf.section_headers.iter().find(|section| elf.shdr_strtab.get_at(section.sh_name) == Some(".text"));
    let code = &file[text.and_then(|section| section.file_range()).expect("a section .text")];
    let code = &code[..BYTES.min(code.len())];
    let mut decoder = Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE);
    let count = decoder.iter().count() as u64;
    (code.into(), count)
}

/// Decoding; decoding and printing.
pub(crate) fn works() -> (Vec<Work>, Vec<Work>) {
    let (code, count) = code();
    let mut instruction = Instruction::default();
    let bytes = code.clone();
    let decode = Work::new("iced", count, move || {
        let mut decoder = Decoder::with_ip(64, black_box(&bytes), 0x1000, DecoderOptions::NONE);
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            black_box(&instruction);
        }
    });
    let bytes = code.clone();
    let (mut fast, mut text) = (FastFormatter::new(), String::new());
    let print = Work::new("iced", count, move || {
        text.clear();
        let mut decoder = Decoder::with_ip(64, black_box(&bytes), 0x1000, DecoderOptions::NONE);
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            fast.format(&instruction, &mut text);
            text.push('\n');
        }
        black_box(&text);
    });
    let (mut intel, mut text) = (IntelFormatter::new(), String::new());
    let slow = Work::new("iced, Intel's syntax", count, move || {
        text.clear();
        let mut decoder = Decoder::with_ip(64, black_box(&code), 0x1000, DecoderOptions::NONE);
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            intel.format(&instruction, &mut text);
            text.push('\n');
        }
        black_box(&text);
    });
    (vec![decode], vec![print, slow])
}
