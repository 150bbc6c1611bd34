//! What the layers above know about ATTILA.

use crate::lift::{SETTINGS, lift};
use crate::{asm, check::check, limits, program, program::Program, sniff, table::TABLE};
use parallax_isa::{Style, is_text};
use parallax_lift::{Frontend, Machine, Options, Read, RegisterFile, Request, ValueFormat};

/// The descriptor.
pub static FRONTEND: Frontend = Frontend {
    name: "attila",
    title: "ATTILA 128-bit shader instructions, binary and assembly",
    extensions: &["attila"],
    settings: SETTINGS,
    registers: &[
        RegisterFile::new("i0", ValueFormat::Vector(8)),
        RegisterFile::new("o0", ValueFormat::Vector(8)),
        RegisterFile::new("r0", ValueFormat::Vector(8)),
        RegisterFile::new("c0", ValueFormat::Vector(8)),
        RegisterFile::new("a0", ValueFormat::Vector(8)),
        RegisterFile::new("p0", ValueFormat::Scalar),
        RegisterFile::new("acc", ValueFormat::SignMagnitude),
        RegisterFile::new("kill", ValueFormat::Scalar),
        RegisterFile::new("z0", ValueFormat::Scalar),
    ],
    temporaries: &["r0", "a0", "p0"],
    samples: limits::SAMPLES as u32,
    sniff: |bytes| sniff::is_binary(bytes) || std::str::from_utf8(bytes).is_ok_and(sniff::is_assembly),
    guess: sniff::may_be_attila,
    read,
    machine: Some(Machine {
        list: |bytes, _, exact| program::list(bytes, if exact { Style::Exact } else { Style::Vendor }),
        list_labels: |bytes, _| program::list_labels(bytes),
        assemble: |text, _, whole| asm::assemble_bytes(text, whole),
        is_text,
        page: || parallax_isa::page(&TABLE),
        coverage: |binaries| program::coverage(binaries.iter().map(Vec::as_slice)),
        ..Machine::EMPTY
    }),
    trials: crate::trials::TRIALS,
    ..Frontend::EMPTY
};

/// Warnings of the check come behind all others.
fn read(request: &Request<'_>) -> Read {
    let mut warnings = Vec::new();
    let lifted = |program: &Program, options: &Options| {
        warnings = check(program).into_iter().filter(|d| !d.is_error()).collect();
        lift(program, options)
    };
    let is_text = is_text(request.bytes);
    let mut read = Read::assembly_or_words(request, is_text, "attila", asm::assemble, Program::decode, lifted);
    read.diags.extend(warnings);
    read
}
