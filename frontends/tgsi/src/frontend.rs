//! What the layers above know about TGSI.

use crate::{
    lift::{SETTINGS, lift_text},
    print,
    reader::{parse, sniff},
};
use parallax_lift::{Frontend, Read, RegisterFile, ValueFormat};

const fn vector(example: &'static str) -> RegisterFile {
    RegisterFile::new(example, ValueFormat::Vector(8))
}

/// The descriptor.
pub static FRONTEND: Frontend = Frontend {
    name: "tgsi",
    title: "TGSI text",
    extensions: &["tgsi"],
    settings: SETTINGS,
    registers: &[
        vector("IN[0]"),
        vector("OUT[0]"),
        vector("TEMP[0]"),
        vector("CONST[0]"),
        vector("SV[0]"),
        vector("ADDR[0]"),
        vector("IMM[0]"),
    ],
    temporaries: &["TEMP[0]", "ADDR[0]"],
    has_words: true,
    samples: 32,
    sniff: |bytes| std::str::from_utf8(bytes).is_ok_and(sniff),
    read: |request| Read::text(request, parse, |_| "tgsi", lift_text),
    reprint: Some(|text, _| Some(print(&parse(text).0?))),
    trials: crate::trials::TRIALS,
    ..Frontend::EMPTY
};
