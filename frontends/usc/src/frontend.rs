//! What the layers above know about USC.

use crate::lift::{SETTINGS, lift};
use crate::{asm, print, sniff, table::TABLES};
use parallax_isa::page;
use parallax_lift::{Frontend, Machine, Read, RegisterFile, Request, ValueFormat};

const fn register(example: &'static str) -> RegisterFile {
    RegisterFile { example, dialects: &[], format: ValueFormat::Scalar }
}

/// The descriptor.
pub static FRONTEND: Frontend = Frontend {
    name: "usc",
    title: "PowerVR USC instruction groups, binary and assembly",
    extensions: &["usc"],
    dialects: &[],
    settings: SETTINGS,
    registers: &[
        register("r0"),
        register("vi0"),
        register("cf0"),
        register("cfa0"),
        register("sh0"),
        register("idx0"),
        register("o0"),
        register("vo0"),
        register("i0"),
        register("g0"),
        register("c0"),
        register("sr0"),
        register("p0"),
        register("pe"),
    ],
    // Global registers may be filled before a program begins, by whom only the driver knows.
    temporaries: &["r0", "i0", "idx0", "p0"],
    mask_is_counter: true,
    lanes_in_step: false,
    has_words: false,
    samples: 1,
    narrow: |format| (format == "half").then_some("F16 operations, such as sop, and halves of registers"),
    sniff: |bytes| sniff::is_binary(bytes) || std::str::from_utf8(bytes).is_ok_and(sniff::is_assembly),
    guess: sniff::may_be_usc,
    read,
    reprint: None,
    machine: Some(Machine {
        list: |bytes, _, exact| print::list(bytes, exact),
        list_labels: |bytes, _| print::list_labels(bytes),
        assemble: |text, _, _| asm::assemble_bytes(text),
        is_text: sniff::is_text,
        page: || TABLES.iter().map(|table| page(table)).collect::<Vec<_>>().join("\n"),
        coverage: |binaries| print::coverage(binaries.iter().map(Vec::as_slice)),
        ..Machine::EMPTY
    }),
    examples: crate::trials::EXAMPLES,
    trials: crate::trials::TRIALS,
};

/// Text is assembly; anything else is taken as groups, whose problems are located by byte offset.
fn read(request: &Request<'_>) -> Read {
    if sniff::is_text(request.bytes) {
        return Read::text(request, asm::assemble, |_| "rogue", |program, _, options| lift(program, options));
    }
    let mut read = Read { model: "rogue", ..Read::default() };
    let program = read.parse(|| crate::group::Program::decode(request.bytes));
    read.lift(|| lift(&program, request.options));
    read
}
