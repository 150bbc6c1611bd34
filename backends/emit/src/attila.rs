//! ATTILA: programs of vectors, whose literals stand in constants. What pixels decide is done under predicates.

mod encode;
mod flow;

use crate::interface::{Places, UNDIVIDED};
use crate::program::{Program, Reg};
use crate::target::{Abilities, Addresses, Lookup, Meaning, Piece, Registers, Row, Rows, Target, Truth};
use crate::text::numbered;
use parallax_attila::{Lookup as Mode, Sem, TABLE};
use parallax_core::{AttrSemantic, Interface, Interp, Location, OutputRole, TexMode, TexOp, TexTarget};
use parallax_lift::vector::VectorOp;
use std::sync::LazyLock;

static ROWS: LazyLock<Rows> = LazyLock::new(rows);

/// ATTILA assembly.
pub(crate) static TARGET: Target = Target {
    name: "attila",
    title: "ATTILA",
    extension: "attila",
    isa: "attila",
    dialect: None,
    settings: &[],
    vertex: Some(&VERTEX),
    kernel: None,
    abilities: Abilities {
        truth: Truth::Float,
        integers: false,
        flow: true,
        rounds: None,
        again: true,
        addresses: Addresses::Floats,
        saturate: true,
        wide: false,
        system_values: &[],
        workgroup: None,
        aligns: false,
        over_w: false,
        instructions: usize::MAX,
        registers: 32,
        halves: None,
        literal: |_| true,
        literals_in_constants: true,
    },
    rows: &ROWS,
    formulas: None,
    lookup,
    place,
    registers: Registers::Vectors(flow::write),
};

/// The same of vertex programs, which their frontend has to be told.
static VERTEX: Target = Target {
    settings: &[("stage", "vertex")],
    vertex: None,
    kernel: None,
    // A vertex has no quad that jumps could wait for.
    abilities: Abilities { flow: false, again: false, ..TARGET.abilities },
    place: place_vertices,
    ..TARGET
};

/// Results of a vertex: the first is the position.
const RESULTS: std::ops::Range<u16> = 1..16;

/// Constants and inputs.
const CONSTANTS: u32 = 512;
const INPUTS: u16 = 16;
/// Constants that are left for literals where addresses may reach all.
const ROOM: u32 = 64;

fn row(name: &'static &'static str, scalar: bool) -> Row {
    Row { signed: 7, absolute: 7, scalars: u8::from(scalar), ..Row::new(name) }
}

fn rows() -> Rows {
    let mut rows = Rows::default();
    rows.put(Meaning::Move, row(&"mov", false));
    for one in TABLE.rows() {
        match one.meaning.lifted() {
            Some(Sem::Vector(op)) => rows.add(row(&one.name, matches!(op, VectorOp::Scalar(_))), op),
            Some(Sem::Kill) => rows.put(Meaning::Kill, row(&one.name, false)),
            _ => {}
        }
    }
    rows
}

fn lookup(tex: &TexOp, _: bool) -> Result<Lookup, String> {
    let wanted = match tex.mode {
        TexMode::Implicit if tex.project => Mode::Project,
        TexMode::Implicit => Mode::Plain,
        TexMode::Bias => Mode::Bias,
        TexMode::Level => Mode::Level,
        other => return Err(format!("lookups `{}`: ATTILA has none", other.name())),
    };
    if tex.target != TexTarget::D2 {
        return Err(format!("textures `{}`: not written for ATTILA yet", tex.target.name()));
    }
    let found = TABLE.rows().find(|one| matches!(one.meaning.lifted(), Some(Sem::Texture(mode)) if mode == wanted));
    let name = found.map_or(&"tex", |one| &one.name);
    let w = if tex.mode == TexMode::Implicit && !tex.project { Piece::Nothing } else { Piece::Operand(3) };
    Ok(Lookup { row: row(name, false), operands: vec![[Piece::Operand(0), Piece::Operand(1), Piece::Nothing, w]] })
}

fn place_constants(iface: &Interface, places: &mut Places) {
    places.put_banks_in_a_row(iface, CONSTANTS, ROOM, "ATTILA");
}

/// Attributes of vertices are inputs by number; results behind the position have the numbers of what they are, where they are free.
fn place_vertices(iface: &Interface, places: &mut Places) {
    place_constants(iface, places);
    for (index, n) in places.number_attributes(iface, INPUTS, "ATTILA") {
        let name = format!("i{n}");
        places.put_attribute(index, name.clone(), name);
    }
    // Colours and fog are attributes as others are.
    let is_numbered = |role: OutputRole| role.read_as().is_some();
    let numbers = places.number_results(iface, RESULTS, is_numbered, "ATTILA");
    for (at, output) in iface.outputs.iter().enumerate() {
        let number = numbers.iter().find(|(of, _)| *of == at).map(|&(_, n)| n);
        let (number, role) = match (output.role, number) {
            (OutputRole::Position, _) => (0, OutputRole::Position),
            (_, Some(n)) => (n, OutputRole::Generic(n)),
            (OutputRole::Watch, None) => (0, OutputRole::Watch),
            (role, None) => {
                places.refuse(format!(
                    "results of vertices other than positions and attributes ({role:?}): ATTILA has none"
                ));
                (0, role)
            }
        };
        places.carried.roles.push((output.role, role));
        places.outputs.push(Some(format!("o{number}")));
    }
}

fn place(iface: &Interface, places: &mut Places) {
    place_constants(iface, places);
    for (n, index) in (0..).zip(places.read.clone()) {
        let decl = Places::declaration(iface, index);
        let why = match (decl.semantic, decl.interp, decl.location) {
            (AttrSemantic::Position | AttrSemantic::Face | AttrSemantic::PointCoord, ..) => {
                Some("positions and facings: the frontend of ATTILA has none")
            }
            (AttrSemantic::Preset, ..) => Some("initial values of registers: ATTILA has none"),
            (_, Interp::OverW, _) if index & UNDIVIDED == 0 => Some("an attribute over w: ATTILA has none"),
            (_, Interp::Flat | Interp::Linear, _) => Some("attributes without perspective: ATTILA has none"),
            (.., Location::Centroid | Location::Sample) => Some("attributes at centroids and samples: ATTILA has none"),
            _ if n >= INPUTS => Some("more than 16 attributes: ATTILA has no more"),
            _ => None,
        };
        if let Some(why) = why {
            places.refuse(why);
        }
        let name = format!("i{n}");
        places.put_attribute(index, name.clone(), name);
    }
    for output in &iface.outputs {
        let is_color = output.role == OutputRole::Color(0);
        if !is_color {
            places.refuse("outputs other than the first colour: not written for ATTILA yet");
        }
        places.outputs.push(is_color.then(|| "o1".to_string()));
    }
}

/// The first constant of a bank.
fn first_of(program: &Program<'_>, bank: u16) -> u32 {
    program.places.carried.banks.get(usize::from(bank)).copied().flatten().map_or(0, |(_, first)| first)
}

/// The number of a constant.
fn constant(program: &Program<'_>, reg: Reg) -> Option<u32> {
    match reg {
        Reg::Imm(n) => Some(program.places.first_literal + n),
        Reg::Const(bank, index) => Some(first_of(program, bank) + index),
        _ => None,
    }
}

fn register(program: &Program<'_>, reg: Reg, text: &mut String) {
    match reg {
        Reg::Temp(n) => numbered(text, "r", n, ""),
        Reg::Output(n) => text.push_str(program.places.output(n)),
        Reg::Imm(_) | Reg::Const(..) => numbered(text, "c", constant(program, reg).unwrap_or(0), ""),
        Reg::ConstAt(bank, base, at) => {
            let from = first_of(program, bank) as i32 + base;
            numbered(text, "c", from.max(0) as u32, "");
            numbered(text, "[a", at.into(), ".x");
            if from < 0 {
                numbered(text, " - ", from.unsigned_abs(), "");
            }
            text.push(']');
        }
        // Not made: the abilities say so.
        Reg::Half(_) | Reg::Buffer(_) | Reg::System(_) => {}
        Reg::Attr(index) => text.push_str(program.places.attribute(index)),
    }
}
