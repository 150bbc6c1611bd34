//! What the layers above know about SPA 5.0.

use crate::lift::{SETTINGS, lift};
use crate::{asm, check::check, listing, program, program::Program, sniff, table::TABLE};
use parallax_isa::{Style, is_text};
use parallax_lift::{Frontend, Machine, Options, Read, RegisterFile, Request, ValueFormat};
use std::cell::Cell;

/// The descriptor.
pub static FRONTEND: Frontend = Frontend {
    name: "spa5",
    title: "SPA 5.0 (Maxwell) shader instructions, binary and assembly",
    extensions: &["spa5", "sass"],
    settings: SETTINGS,
    // NVIDIA, CUDA C++ Programming Guide, "Independent Thread Scheduling": before Volta a warp has one program counter.
    lanes_in_step: true,
    registers: &[
        RegisterFile::new("R0", ValueFormat::Scalar),
        RegisterFile::new("P0", ValueFormat::Scalar),
        RegisterFile::new("c[0][0x10]", ValueFormat::Scalar),
        RegisterFile::new("a[0x7c]", ValueFormat::Scalar),
        RegisterFile::new("o[0x70]", ValueFormat::Vector(8)),
    ],
    temporaries: &["R0", "P0"],
    samples: 16,
    has_words: true,
    sniff: |bytes| match is_text(bytes) {
        true => std::str::from_utf8(bytes).is_ok_and(sniff::is_assembly),
        false => sniff::is_binary(bytes),
    },
    guess: sniff::may_be_spa5,
    read,
    machine: Some(Machine {
        addressed: true,
        bare: true,
        list: |bytes, layout, exact| listing::list(bytes, layout, if exact { Style::Exact } else { Style::Vendor }),
        list_labels: listing::list_labels,
        assemble: |text, layout, _| asm::assemble_bytes(text, layout),
        is_text,
        page: || parallax_isa::page(&TABLE),
        coverage: |binaries| program::coverage(binaries.iter().map(Vec::as_slice)),
        ..Machine::EMPTY
    }),
    examples: crate::examples::EXAMPLES,
    ..Frontend::EMPTY
};

/// The header is shown also where words behind it are damaged; warnings of the check come behind all others.
fn read(request: &Request<'_>) -> Read {
    let (mut warnings, header) = (Vec::new(), Cell::new(None));
    let lifted = |program: &Program, options: &Options| {
        header.set(program.header);
        let (errors, others) = check(program).into_iter().partition(parallax_text::Diag::is_error);
        warnings = others;
        let errors: Vec<_> = errors;
        if errors.is_empty() { lift(program, options) } else { Err(errors) }
    };
    let assemble = |text: &str| asm::assemble(text, &request.layout);
    let decode = |bytes: &[u8]| {
        let (program, diags) = Program::decode(bytes, &request.layout);
        header.set(program.header);
        (program, diags)
    };
    let is_text = is_text(request.bytes);
    let mut read = Read::assembly_or_words(request, is_text, "maxwell", assemble, decode, lifted);
    read.header = header.get().map_or(Vec::new(), |header| header.fields());
    read.diags.extend(warnings);
    read
}
