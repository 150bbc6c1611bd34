//! What the layers above know about NV-style fragment programs.

use crate::lift::{SETTINGS, lift};
use crate::nv40::{self, Order};
use crate::print::print;
use crate::{dialect::Dialect, read::parse};
use parallax_isa::{Style, is_text};
use parallax_lift::{Frontend, Layout, Machine, Read, RegisterFile, Request, ValueFormat};

const fn vector(example: &'static str, dialects: &'static [&'static str], digits: u8) -> RegisterFile {
    RegisterFile { example, dialects, format: ValueFormat::Vector(digits) }
}

/// The descriptor.
pub const FRONTEND: Frontend = Frontend {
    name: "nvfp",
    title: "NV-style programs: US patent 7136070, !!FP1.0, !!ARBfp1.0, !!ARBvp1.0, NV40 microcode",
    extensions: &["fp", "nvfp", "arbfp", "fp10", "vfp", "arbvp", "vp", "nv40"],
    dialects: &[
        Dialect::Patent.name(),
        Dialect::Fp10.name(),
        Dialect::Arb.name(),
        Dialect::ArbVertex.name(),
        Dialect::Nv40.name(),
    ],
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
        vector("vertex.attrib[0]", &[Dialect::ArbVertex.name()], 8),
    ],
    temporaries: &["R0", "H0", "I0", "NAME"],
    samples: 32,
    narrow: |format| {
        Some(match format {
            "half" => "opcodes with the suffix H, such as MULH, and results in H registers",
            _ => "opcodes with the suffix X, such as MULX",
        })
    },
    sniff: |bytes| {
        bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).starts_with(b"!!") || nv40::sniff(bytes).is_some()
    },
    read,
    reprint: Some(|text, dialect| Some(print(&parse(text, dialect.and_then(Dialect::from_name)).0?))),
    machine: Some(Machine {
        dialect: Some(Dialect::Nv40.name()),
        orders: &[Order::Le.name(), Order::Rsx.name()],
        list: |bytes, layout, exact| {
            nv40::list(bytes, order(layout, bytes), if exact { Style::Exact } else { Style::Vendor })
        },
        list_labels: |bytes, layout| nv40::list_labels(bytes, order(layout, bytes), true),
        list_plain: Some(|bytes, layout| nv40::list_labels(bytes, order(layout, bytes), false)),
        assemble: |text, layout, whole| nv40::assemble_bytes(text, order(layout, &[]), whole),
        is_text,
        page: || parallax_isa::page(&nv40::TABLE),
        coverage: |binaries| nv40::coverage(binaries.iter().map(Vec::as_slice)),
        ..Machine::EMPTY
    }),
    trials: crate::trials::TRIALS,
    ..Frontend::EMPTY
};

/// The order in which words lie: what was asked for, else the one in which bytes are a program.
fn order(layout: &Layout, bytes: &[u8]) -> Order {
    nv40::order_of(layout.order, bytes)
}

fn read(request: &Request<'_>) -> Read {
    let dialect = request.layout.dialect.and_then(Dialect::from_name);
    let is_words = !is_text(request.bytes) && !request.bytes.starts_with(b"!!");
    match dialect {
        Some(Dialect::Nv40) => read_microcode(request),
        None if is_words && !request.bytes.is_empty() => read_microcode(request),
        _ => Read::text(
            request,
            |text| parse(text, dialect),
            |program| program.map(|p| p.dialect).or(dialect).unwrap_or(Dialect::Patent).model(),
            lift,
        ),
    }
}

/// Reads words, or their assembly. Problems of words are located by byte offset.
fn read_microcode(request: &Request<'_>) -> Read {
    let order = order(&request.layout, request.bytes);
    let mut read = Read { model: Dialect::Nv40.model(), ..Read::default() };
    let assembly = match is_text(request.bytes) {
        false => None,
        true => match parallax_lift::utf8(request.bytes) {
            Ok(text) => {
                read.text = text.to_string();
                Some(read.parse(|| {
                    let assembly = nv40::read(text, order, true);
                    let diags = assembly.diags.clone();
                    (assembly, diags)
                }))
            }
            Err(diag) => {
                read.text = String::from_utf8_lossy(request.bytes).into_owned();
                read.diags.push(*diag);
                return read;
            }
        },
    };
    if read.diags.iter().any(parallax_text::Diag::is_error) {
        return read;
    }
    let bytes = assembly.as_ref().map_or(request.bytes, |assembly| &assembly.bytes);
    let known = read.diags.len();
    let tree = read.parse(|| {
        let (program, mut diags) = nv40::Program::decode(bytes, order);
        let (tree, more) = if diags.is_empty() { program.tree(&request.options.embedded) } else { (None, Vec::new()) };
        diags.extend(more);
        (tree, diags)
    });
    if let Some(tree) = &tree {
        read.lift(|| lift(tree, "", request.options));
    }
    if let Some(assembly) = &assembly {
        let located: Vec<_> = read.diags.drain(known..).map(|diag| assembly.locate(diag)).collect();
        read.diags.extend(located);
    }
    read
}
