//! What the layers above know about NV-style programs.

use crate::lift::{SETTINGS, lift};
use crate::nv40::{self, Order};
use crate::print::print;
use crate::{dialect::Dialect, read::parse};
use crate::{microcode, nv40vp};
use parallax_isa::{Style, is_text};
use parallax_lift::{Assembled, Frontend, Labelled, Layout, Machine, Read, RegisterFile, Request, ValueFormat};
use parallax_text::{Diag, Span};

const fn vector(example: &'static str, dialects: &'static [&'static str], digits: u8) -> RegisterFile {
    RegisterFile { example, dialects, format: ValueFormat::Vector(digits) }
}

/// The descriptor.
pub static FRONTEND: Frontend = Frontend {
    name: "nvfp",
    title: "NV-style programs: US patent 7136070, !!FP1.0, !!ARBfp1.0, !!ARBvp1.0, !!VP1.0 to !!VP2.0, NV40 microcode",
    extensions: &["fp", "nvfp", "arbfp", "fp10", "vfp", "arbvp", "vp", "nv40", "nv40vp"],
    dialects: &[
        Dialect::Patent.name(),
        Dialect::Fp10.name(),
        Dialect::Arb.name(),
        Dialect::ArbVertex.name(),
        Dialect::Vp10.name(),
        Dialect::Vp11.name(),
        Dialect::Vp20.name(),
        Dialect::Nv40.name(),
        Dialect::Nv40Vertex.name(),
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
        vector("v[OPOS]", VERTEX, 8),
        vector("o[HPOS]", VERTEX, 8),
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
        bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).starts_with(b"!!")
            || nv40::sniff(bytes).is_some()
            || nv40vp::sniff(bytes).is_some()
    },
    read,
    reprint: Some(|text, dialect| Some(print(&parse(text, dialect.and_then(Dialect::from_name)).0?))),
    machine: Some(Machine {
        dialect: Some(Dialect::Nv40.name()),
        orders: &[Order::Le.name(), Order::Rsx.name()],
        others: &[Dialect::Nv40Vertex.name()],
        list: |bytes, layout, exact| {
            let style = if exact { Style::Exact } else { Style::Vendor };
            match is_vertex(layout, bytes) {
                true => nv40vp::list(bytes, vertex_order(layout, bytes), style),
                false => nv40::list(bytes, order(layout, bytes), style),
            }
        },
        list_labels: |bytes, layout| list_labels(bytes, layout, true),
        list_plain: Some(|bytes, layout| list_labels(bytes, layout, false)),
        assemble,
        is_text,
        page: || parallax_isa::page(&nv40::TABLE) + "\n" + &parallax_isa::page(&nv40vp::TABLE),
        coverage: |binaries| {
            let (vertex, fragment): (Vec<_>, Vec<_>) =
                binaries.iter().map(Vec::as_slice).partition(|bytes| is_vertex(&Layout::default(), bytes));
            let vertex = vertex.into_iter().map(|bytes| (bytes, nv40vp::order_of(None, bytes)));
            match vertex.len() {
                0 => nv40::coverage(fragment),
                _ => nv40::coverage(fragment) + &nv40vp::coverage(vertex),
            }
        },
        ..Machine::EMPTY
    }),
    trials: crate::trials::TRIALS,
    ..Frontend::EMPTY
};

/// Dialects whose registers are spelled as in NV_vertex_program.
const VERTEX: &[&str] = &[Dialect::Vp10.name(), Dialect::Vp11.name(), Dialect::Vp20.name(), Dialect::Nv40Vertex.name()];

/// Whether words are a vertex program: as asked for, else as they look.
fn is_vertex(layout: &Layout, bytes: &[u8]) -> bool {
    match layout.dialect.and_then(Dialect::from_name) {
        Some(dialect) => dialect == Dialect::Nv40Vertex,
        None => nv40::sniff(bytes).is_none() && nv40vp::sniff(bytes).is_some(),
    }
}

/// Assembles a text. Where nobody says which program it is, attributes, results and operations side by side tell a vertex
/// program; a text without them that no fragment program has may be one too.
fn assemble(text: &str, layout: &Layout, whole: bool) -> Assembled {
    if let Some(diag) = not_assembled(text) {
        return (None, vec![diag]);
    }
    let vertex = || nv40vp::assemble_bytes(text, vertex_order(layout, &[]), whole);
    let dialect = layout.dialect.and_then(Dialect::from_name);
    if dialect == Some(Dialect::Nv40Vertex)
        || dialect.is_none() && ["v[", "o[", "||"].iter().any(|part| text.contains(part))
    {
        return vertex();
    }
    let fails = |found: &Assembled| found.1.iter().any(|diag| diag.is_error());
    let fragment = nv40::assemble_bytes(text, order(layout, &[]), whole);
    if dialect.is_none() && fails(&fragment) {
        let other = vertex();
        if !fails(&other) {
            return other;
        }
    }
    fragment
}

/// What is wrong with a text that a driver would compile: it has another language than the listing of machine words.
fn not_assembled(text: &str) -> Option<Diag> {
    let start = text.len() - text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).len();
    let line = text[start..].lines().next().filter(|line| line.starts_with("!!"))?.trim_end();
    let span = Span::new(start, start + line.len());
    let message = "the text of a program that a driver compiles has no machine words";
    let help =
        "`parallax as` assembles what `parallax dis` lists: docs/nv40.md; `parallax run` runs this text as it is";
    Some(Diag::unsupported("not-assembled", span, message).with_help(help))
}

/// The order in which words of vertex programs lie.
fn vertex_order(layout: &Layout, bytes: &[u8]) -> Order {
    nv40vp::order_of(layout.order, bytes)
}

fn list_labels(bytes: &[u8], layout: &Layout, exact: bool) -> Vec<Labelled> {
    match is_vertex(layout, bytes) {
        true => nv40vp::list_labels(bytes, vertex_order(layout, bytes), exact),
        false => nv40::list_labels(bytes, order(layout, bytes), exact),
    }
}

/// The order in which words lie: what was asked for, else the one in which bytes are a program.
fn order(layout: &Layout, bytes: &[u8]) -> Order {
    nv40::order_of(layout.order, bytes)
}

fn read(request: &Request<'_>) -> Read {
    let dialect = request.layout.dialect.and_then(Dialect::from_name);
    let is_words = !request.bytes.starts_with(b"!!") && !is_text(request.bytes);
    let asked = request.layout.order.and_then(Order::from_name);
    match dialect {
        Some(Dialect::Nv40) => read_fragment_microcode(request, order(&request.layout, request.bytes)),
        Some(Dialect::Nv40Vertex) => read_vertex_microcode(request),
        None if is_words && !request.bytes.is_empty() => match nv40::recognise(request.bytes) {
            None if nv40vp::sniff(request.bytes).is_some() => read_vertex_microcode(request),
            Some((order, program)) if asked.is_none_or(|asked| asked == order) => {
                microcode::read_words(request, Dialect::Nv40, |_| program.tree(&request.options.embedded))
            }
            _ => read_fragment_microcode(request, asked.unwrap_or_default()),
        },
        _ => Read::text(
            request,
            |text| parse(text, dialect),
            |program| program.map(|p| p.dialect).or(dialect).unwrap_or(Dialect::Patent).model(),
            lift,
        ),
    }
}

fn read_vertex_microcode(request: &Request<'_>) -> Read {
    let order = vertex_order(&request.layout, request.bytes);
    let parse = |bytes: &[u8]| {
        let (program, diags) = nv40vp::Program::decode(bytes, order);
        if diags.is_empty() { program.tree() } else { (None, diags) }
    };
    microcode::read(request, Dialect::Nv40Vertex, |text| nv40vp::read(text, order, true), parse)
}

fn read_fragment_microcode(request: &Request<'_>, order: Order) -> Read {
    let parse = |bytes: &[u8]| {
        let (program, diags) = nv40::Program::decode(bytes, order);
        if diags.is_empty() { program.tree(&request.options.embedded) } else { (None, diags) }
    };
    microcode::read(request, Dialect::Nv40, |text| nv40::read(text, order, true), parse)
}
