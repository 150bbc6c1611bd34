//! What the layers above know about GCN.

use crate::{lift, program::PROGRAMS, table::TABLE, trials};
use parallax_isa::is_text;
use parallax_lift::{Frontend, Labelled, Machine, Read, RegisterFile, Request, ValueFormat};

/// The descriptor.
pub static FRONTEND: Frontend = Frontend {
    name: "gcn",
    title: "AMD GCN 3 shader instructions (subset), binary and assembly",
    extensions: &["gcn"],
    registers: &[
        RegisterFile::new("v0", ValueFormat::Scalar),
        RegisterFile::new("s0", ValueFormat::Scalar),
        RegisterFile::new("sgpr[0]", ValueFormat::Vector(8)),
        RegisterFile::new("attr0", ValueFormat::Vector(8)),
    ],
    temporaries: &["v0"],
    sniff: |bytes| PROGRAMS.sniff(bytes),
    read,
    machine: Some(Machine {
        list: |bytes, _, _| PROGRAMS.list(bytes).into_iter().map(|(_, line)| line).collect(),
        list_labels: |bytes, _| {
            let entry = |(bytes, line)| Labelled { label: None, bytes, line };
            PROGRAMS.list(bytes).into_iter().map(entry).collect()
        },
        assemble: |text, _, _| PROGRAMS.assemble_bytes(text),
        is_text,
        page: || parallax_isa::page(&TABLE),
        coverage: |binaries| PROGRAMS.coverage(binaries),
        ..Machine::EMPTY
    }),
    examples: trials::EXAMPLES,
    trials: trials::TRIALS,
    ..Frontend::EMPTY
};

fn read(request: &Request<'_>) -> Read {
    const MODEL: &str = "amd-gcn";
    let (assemble, decode) = (|text: &str| PROGRAMS.assemble(text), |bytes: &[u8]| PROGRAMS.decode(bytes));
    Read::assembly_or_words(request, is_text(request.bytes), MODEL, assemble, decode, |program, options| {
        lift(program, options)
    })
}
