//! What the layers above know about SPIR-V.

use crate::module::{Module, is_binary};
use crate::{SETTINGS, lift};
use parallax_lift::{Frontend, Read, RegisterFile, Request, ValueFormat};

const fn vector(example: &'static str) -> RegisterFile {
    RegisterFile { example, dialects: &[], format: ValueFormat::Vector(8) }
}

/// The descriptor.
pub const FRONTEND: Frontend = Frontend {
    name: "spirv",
    title: "SPIR-V modules, binary and assembly",
    extensions: &["spv", "spvasm"],
    dialects: &[],
    settings: SETTINGS,
    registers: &[vector("in[0]"), vector("out[0]"), vector("FragCoord"), vector("FragDepth")],
    temporaries: &[],
    mask_is_counter: false,
    samples: 32,
    narrow: |_| None,
    sniff: is_binary,
    guess: |_| false,
    read,
    reprint: None,
    machine: None,
    examples: &[],
    trials: &[],
};

/// The model whose arithmetic the specification comes closest to.
const MODEL: &str = "ieee";

fn read(request: &Request<'_>) -> Read {
    let mut read = Read { model: MODEL, ..Read::default() };
    let module = read.parse(|| Module::from_bytes(request.bytes));
    read.lift(|| lift(&module, request.options));
    read
}
