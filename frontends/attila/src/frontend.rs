//! What the layers above know about ATTILA.

use crate::lift::{SETTINGS, lift};
use crate::{asm, check::check, limits, program, sniff, table::TABLE};
use parallax_isa::{Style, is_text};
use parallax_lift::{Frontend, Machine, Options, Read, RegisterFile, Request, ValueFormat};

const fn register(example: &'static str, format: ValueFormat) -> RegisterFile {
    RegisterFile { example, dialects: &[], format }
}

/// The descriptor.
pub const FRONTEND: Frontend = Frontend {
    name: "attila",
    title: "ATTILA 128-bit shader instructions, binary and assembly",
    extensions: &["attila"],
    dialects: &[],
    settings: SETTINGS,
    registers: &[
        register("i0", ValueFormat::Vector(8)),
        register("o0", ValueFormat::Vector(8)),
        register("r0", ValueFormat::Vector(8)),
        register("c0", ValueFormat::Vector(8)),
        register("a0", ValueFormat::Vector(8)),
        register("p0", ValueFormat::Scalar),
        register("acc", ValueFormat::SignMagnitude),
        register("kill", ValueFormat::Scalar),
        register("z0", ValueFormat::Scalar),
    ],
    temporaries: &["r0", "a0", "p0"],
    mask_is_counter: false,
    samples: limits::SAMPLES as u32,
    narrow: |_| None,
    sniff: |bytes| sniff::is_binary(bytes) || std::str::from_utf8(bytes).is_ok_and(sniff::is_assembly),
    guess: sniff::may_be_attila,
    read,
    reprint: None,
    machine: Some(Machine {
        dialect: None,
        orders: &[],
        addressed: false,
        bare: false,
        list: |bytes, _, exact| program::list(bytes, if exact { Style::Exact } else { Style::Vendor }),
        list_labels: |bytes, _| program::list_labels(bytes),
        assemble: |text, _, whole| asm::assemble_bytes(text, whole),
        is_text,
        page: || parallax_isa::page(&TABLE),
        coverage: |binaries| program::coverage(binaries.iter().map(Vec::as_slice)),
    }),
    examples: &[],
    trials: crate::trials::TRIALS,
};

/// Text is assembly; anything else is taken as instruction words, whose problems are located by byte offset.
fn read(request: &Request<'_>) -> Read {
    let mut warnings = Vec::new();
    let mut lifted = |program: &program::Program, options: &Options| {
        warnings = check(program).into_iter().filter(|d| !d.is_error()).collect();
        lift(program, options)
    };
    let mut read = if is_text(request.bytes) {
        Read::text(request, asm::assemble, |_| "attila", |program, _, options| lifted(program, options))
    } else {
        let mut read = Read { model: "attila", ..Read::default() };
        let program = read.parse(|| program::Program::decode(request.bytes));
        read.lift(|| lifted(&program, request.options));
        read
    };
    read.diags.extend(warnings);
    read
}
