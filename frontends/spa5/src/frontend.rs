//! What the layers above know about SPA 5.0.

use crate::lift::{SETTINGS, lift};
use crate::{asm, check::check, listing, program, sniff, table::TABLE};
use parallax_isa::{Style, is_text};
use parallax_lift::{Frontend, Machine, Options, Read, RegisterFile, Request, ValueFormat};

const fn register(example: &'static str, format: ValueFormat) -> RegisterFile {
    RegisterFile { example, dialects: &[], format }
}

/// The descriptor.
pub const FRONTEND: Frontend = Frontend {
    name: "spa5",
    title: "SPA 5.0 (Maxwell) shader instructions, binary and assembly",
    extensions: &["spa5", "sass"],
    dialects: &[],
    settings: SETTINGS,
    registers: &[
        register("R0", ValueFormat::Scalar),
        register("P0", ValueFormat::Scalar),
        register("c[0][0x10]", ValueFormat::Scalar),
        register("a[0x7c]", ValueFormat::Scalar),
    ],
    temporaries: &["R0", "P0"],
    mask_is_counter: false,
    samples: 16,
    narrow: |_| None,
    sniff: |bytes| match is_text(bytes) {
        true => std::str::from_utf8(bytes).is_ok_and(sniff::is_assembly),
        false => sniff::is_binary(bytes),
    },
    guess: sniff::may_be_spa5,
    read,
    reprint: None,
    machine: Some(Machine {
        dialect: None,
        orders: &[],
        addressed: true,
        bare: true,
        list: |bytes, layout, exact| listing::list(bytes, layout, if exact { Style::Exact } else { Style::Vendor }),
        list_labels: listing::list_labels,
        assemble: |text, layout, _| asm::assemble_bytes(text, layout),
        is_text,
        page: || parallax_isa::page(&TABLE),
        coverage: |binaries| program::coverage(binaries.iter().map(Vec::as_slice)),
    }),
    examples: crate::examples::EXAMPLES,
    trials: &[],
};

/// Text is assembly; anything else is taken as instruction words, whose problems are located by byte offset.
fn read(request: &Request<'_>) -> Read {
    let mut warnings = Vec::new();
    let mut header = None;
    let mut lifted = |program: &program::Program, options: &Options| {
        header = program.header;
        let (errors, others) = check(program).into_iter().partition(parallax_text::Diag::is_error);
        warnings = others;
        let errors: Vec<_> = errors;
        if errors.is_empty() { lift(program, options) } else { Err(errors) }
    };
    let layout = request.layout;
    let mut read = if is_text(request.bytes) {
        let parse = |text: &str| asm::assemble(text, &layout);
        Read::text(request, parse, |_| "maxwell", |program, _, options| lifted(program, options))
    } else {
        let mut read = Read { model: "maxwell", ..Read::default() };
        let program = read.parse(|| program::Program::decode(request.bytes, &layout));
        read.lift(|| lifted(&program, request.options));
        header = program.header;
        read
    };
    read.header = header.map_or(Vec::new(), |header| header.fields());
    read.diags.extend(warnings);
    read
}
