//! What the layers above know about GCN.

use crate::{PROGRAMS, TABLE, lift, trials};
use parallax_isa::is_text;
use parallax_lift::{Frontend, Labelled, Machine, Read, RegisterFile, Request, ValueFormat};

const fn register(example: &'static str, format: ValueFormat) -> RegisterFile {
    RegisterFile { example, dialects: &[], format }
}

/// The descriptor.
pub const FRONTEND: Frontend = Frontend {
    name: "gcn",
    title: "AMD GCN 3 shader instructions (subset), binary and assembly",
    extensions: &["gcn"],
    dialects: &[],
    settings: &[],
    registers: &[
        register("v0", ValueFormat::Scalar),
        register("s0", ValueFormat::Scalar),
        register("sgpr[0]", ValueFormat::Vector(8)),
        register("attr0", ValueFormat::Vector(8)),
    ],
    temporaries: &["v0"],
    mask_is_counter: false,
    samples: 1,
    narrow: |_| None,
    sniff: |bytes| match is_text(bytes) {
        true => std::str::from_utf8(bytes).is_ok_and(|text| PROGRAMS.is_assembly(text)),
        false => PROGRAMS.decode(bytes).1.is_empty(),
    },
    guess: |_| false,
    read,
    reprint: None,
    machine: Some(Machine {
        dialect: None,
        orders: &[],
        addressed: false,
        bare: false,
        list: |bytes, _, _| PROGRAMS.list(bytes).into_iter().map(|(_, line)| line).collect(),
        list_labels: |bytes, _| {
            let entry = |(bytes, line)| Labelled { label: None, bytes, line };
            PROGRAMS.list(bytes).into_iter().map(entry).collect()
        },
        assemble: |text, _, _| PROGRAMS.assemble_bytes(text),
        is_text,
        page: || parallax_isa::page(&TABLE),
        coverage: |binaries| PROGRAMS.coverage(binaries),
    }),
    examples: trials::EXAMPLES,
    trials: trials::TRIALS,
};

/// Text is assembly; anything else is taken as instruction words, whose problems are located by byte offset.
fn read(request: &Request<'_>) -> Read {
    const MODEL: &str = "amd-gcn";
    if is_text(request.bytes) {
        let parse = |text: &str| PROGRAMS.assemble(text);
        return Read::text(request, parse, |_| MODEL, |program, _, options| lift(program, options));
    }
    let mut read = Read { model: MODEL, ..Read::default() };
    let program = read.parse(|| PROGRAMS.decode(request.bytes));
    read.lift(|| lift(&program, request.options));
    read
}
