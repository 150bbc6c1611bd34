//! What the layers above know about NV-style fragment programs.

use crate::{Dialect, SETTINGS, lift, parse};
use parallax_lift::{Frontend, Read, RegisterFile, Request, ValueFormat};

const fn vector(example: &'static str, dialects: &'static [&'static str], digits: u8) -> RegisterFile {
    RegisterFile { example, dialects, format: ValueFormat::Vector(digits) }
}

/// The descriptor.
pub const FRONTEND: Frontend = Frontend {
    name: "nvfp",
    title: "NV-style fragment programs: US patent 7136070, !!FP1.0, !!ARBfp1.0",
    extensions: &["fp", "nvfp", "arbfp", "fp10"],
    dialects: &[Dialect::Patent.name(), Dialect::Fp10.name(), Dialect::Arb.name()],
    settings: SETTINGS,
    registers: &[
        vector("R0", &[], 8),
        vector("H0", &[], 4),
        vector("I0", &[Dialect::Patent.name()], 3),
        vector("c[0]", &[], 8),
        vector("p[0]", &[], 8),
        vector("f[TEX0]", &[], 8),
        vector("o[COLR]", &[], 8),
        vector("program.local[0]", &[], 8),
        vector("program.env[0]", &[], 8),
        vector("fragment.texcoord[0]", &[], 8),
    ],
    samples: 32,
    sniff: |bytes| bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).starts_with(b"!!"),
    guess: |_| false,
    read,
    machine: None,
};

fn read(request: &Request<'_>) -> Read {
    let dialect = request.layout.dialect.and_then(Dialect::from_name);
    Read::text(
        request,
        |text| parse(text, dialect),
        |program| program.map(|p| p.dialect).or(dialect).unwrap_or(Dialect::Patent).model(),
        lift,
    )
}
