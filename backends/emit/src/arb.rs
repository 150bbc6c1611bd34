//! Fragment programs of ARB_fragment_program, without options and with NV_fragment_program2.

use crate::form::Precision;
use crate::interface::{Places, UNDIVIDED};
use crate::program::{Line, Program, Reg, Written};
use crate::target::{Abilities, Addresses, Lookup, Meaning, Piece, Registers, Row, Rows, Target, Truth};
use crate::text::{self, Swizzles, numbered};
use crate::vertex;
use parallax_core::{AttrSemantic, Interface, Interp, Location, OutputRole, TexMode, TexOp, TexTarget};
use parallax_lift::vector::VectorOp;
use parallax_nvfp::{Row as Opcode, Shape, Suffixes, TABLE};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::LazyLock;

static ARB_ROWS: LazyLock<Rows> = LazyLock::new(|| rows(|row| row.arb));
static NV_ROWS: LazyLock<Rows> = LazyLock::new(|| rows(|row| row.nv2));

/// Programs without options.
pub(crate) static ARB: Target = Target {
    name: "arb",
    title: "ARB_fragment_program",
    extension: "fp",
    isa: "nvfp",
    dialect: None,
    settings: &[],
    vertex: Some(&vertex::ARB),
    kernel: None,
    abilities: Abilities {
        truth: Truth::Float,
        integers: false,
        flow: false,
        rounds: None,
        again: false,
        addresses: Addresses::None,
        saturate: true,
        wide: false,
        system_values: &[],
        workgroup: None,
        aligns: false,
        over_w: false,
        instructions: 1024,
        registers: 256,
        halves: None,
        literal: is_finite,
        literals_in_constants: false,
    },
    rows: &ARB_ROWS,
    formulas: None,
    lookup: |tex, _| lookup(tex, |row| row.arb),
    place,
    registers: Registers::Vectors(|program| {
        program.units_have_one_shape()?;
        Written::text(write(program, "", |_, _| ""), program)
    }),
};

/// Programs with NV_fragment_program2.
pub(crate) static NV: Target = Target {
    name: "nvfp",
    title: "NV_fragment_program2",
    extension: "fp",
    isa: "nvfp",
    dialect: None,
    settings: &[],
    vertex: Some(&vertex::NV),
    kernel: None,
    abilities: Abilities {
        flow: true,
        rounds: Some(255),
        halves: Some(has_format),
        instructions: 65_536,
        ..ARB.abilities
    },
    rows: &NV_ROWS,
    formulas: None,
    lookup: |tex, _| lookup(tex, |row| row.nv2),
    place,
    registers: Registers::Vectors(|program| {
        program.units_have_one_shape()?;
        let text = write(program, "OPTION NV_fragment_program2;\n", suffix);
        Written::text(text, program)
    }),
};

/// Texts have decimal numbers.
pub(crate) fn is_finite(bits: u32) -> bool {
    f32::from_bits(bits).is_finite()
}

/// Formats of each opcode with NV_fragment_program2, by their suffixes.
static FORMATS: LazyLock<FxHashMap<&str, Vec<Suffixes>>> = LazyLock::new(|| {
    let mut all: FxHashMap<&str, Vec<Suffixes>> = FxHashMap::default();
    for (row, suffixes) in TABLE.iter().filter_map(|row| Some((row, row.nv2?))) {
        let has = [Suffixes::R, Suffixes::H, Suffixes::X].into_iter().filter(|&suffix| suffixes.contains(suffix));
        all.entry(row.name).or_default().extend(has);
    }
    all
});

/// Whether an opcode computes in a format with NV_fragment_program2.
fn has_format(name: &str, precision: Precision) -> bool {
    let suffix = match precision {
        Precision::Full => Suffixes::R,
        Precision::Half => Suffixes::H,
        Precision::Fixed => Suffixes::X,
    };
    FORMATS.get(name).is_some_and(|formats| formats.contains(&suffix))
}

/// The letter of a format, behind opcodes that take one.
fn suffix(name: &str, precision: Precision) -> &'static str {
    if has_format(name, precision) { letter(precision) } else { "" }
}

/// The letter of a format.
pub(crate) const fn letter(precision: Precision) -> &'static str {
    match precision {
        Precision::Full => "R",
        Precision::Half => "H",
        Precision::Fixed => "X",
    }
}

/// An opcode; magnitudes of operands are known to the options alone.
pub(crate) fn row(opcode: &'static Opcode, magnitudes: bool) -> Row {
    let scalars = match opcode.shape {
        Shape::S => 1,
        Shape::SS => 3,
        Shape::VS => 2,
        _ => 0,
    };
    Row { signed: 7, absolute: if magnitudes { 7 } else { 0 }, scalars, ..Row::new(&opcode.name) }
}

fn rows(suffixes: fn(&Opcode) -> Option<Suffixes>) -> Rows {
    let mut rows = Rows::default();
    let magnitudes = suffixes(find("DDX")).is_some();
    rows.put(Meaning::Move, row(find("MOV"), magnitudes));
    rows.put(Meaning::Magnitude, row(find("ABS"), magnitudes));
    rows.put(Meaning::Kill, row(find("KIL"), magnitudes));
    for opcode in TABLE.iter().filter(|row| suffixes(row).is_some()) {
        if let Some(meaning) = opcode.vector_op() {
            add(&mut rows, row(opcode, magnitudes), meaning);
        }
    }
    rows
}

/// Adds the meaning of an opcode.
pub(crate) fn add(rows: &mut Rows, row: Row, meaning: VectorOp) {
    match meaning {
        // The frontend takes differences as those of the pixel's own row and column.
        VectorOp::Derivative { axis, .. } => rows.put(Meaning::Derivative(axis, true), row),
        meaning => rows.add(row, meaning),
    }
}

/// The row of an opcode that the table has.
fn find(name: &str) -> &'static Opcode {
    TABLE.iter().find(|row| row.name == name).unwrap_or(&TABLE[0])
}

fn lookup(tex: &TexOp, suffixes: fn(&Opcode) -> Option<Suffixes>) -> Result<Lookup, String> {
    let name = match tex.mode {
        TexMode::Implicit if tex.project => "TXP",
        TexMode::Implicit => "TEX",
        TexMode::Bias => "TXB",
        TexMode::Level => "TXL",
        TexMode::Grad => "TXD",
        other => return Err(format!("lookups `{}`: fragment programs have none", other.name())),
    };
    let magnitudes = suffixes(find("DDX")).is_some();
    if suffixes(find(name)).is_none() {
        return Err(format!("lookups `{}`: ARB_fragment_program has none", tex.mode.name()));
    }
    if shape(tex.target).is_none() {
        return Err(format!("textures `{}`: fragment programs have none", tex.target.name()));
    }
    let mut first = [Piece::Nothing; 4];
    for (n, piece) in first.iter_mut().enumerate().take(tex.target.coordinates()) {
        *piece = Piece::Operand(n);
    }
    if tex.target.is_shadow() {
        if tex.project {
            return Err("projected lookups that compare: not written for fragment programs yet".to_string());
        }
        // The third coordinate is what texels are compared with.
        first[2] = Piece::Operand(4);
    }
    if tex.project || matches!(tex.mode, TexMode::Bias | TexMode::Level) {
        first[3] = Piece::Operand(3);
    }
    let mut operands = vec![first];
    if let Some(from) = tex.gradients() {
        for from in [from, from + 3] {
            let mut pieces = [Piece::Nothing; 4];
            for (n, piece) in pieces.iter_mut().enumerate().take(tex.target.coordinates()) {
                *piece = Piece::Operand(from + n);
            }
            operands.push(pieces);
        }
    }
    Ok(Lookup { row: row(find(name), magnitudes), operands })
}

fn shape(target: TexTarget) -> Option<&'static str> {
    Some(match target {
        TexTarget::D1 => "1D",
        TexTarget::D2 => "2D",
        TexTarget::D3 => "3D",
        TexTarget::Cube => "CUBE",
        TexTarget::Rect => "RECT",
        TexTarget::Shadow1D => "SHADOW1D",
        TexTarget::Shadow2D => "SHADOW2D",
        TexTarget::ShadowRect => "SHADOWRECT",
        _ => return None,
    })
}

/// Texture coordinates that programs have.
const COORDINATES: u16 = 8;

pub(crate) fn place(iface: &Interface, places: &mut Places) {
    place_constants(iface, places);
    let read = places.read.clone();
    let mut taken: Vec<u16> = Vec::new();
    // Those with a number of their own first.
    let decl = |index: u16| Places::declaration(iface, index);
    let numbered = |index: u16| match decl(index).semantic {
        AttrSemantic::TexCoord(n) => Some(n),
        AttrSemantic::Generic(n) => Some(n),
        _ => None,
    };
    let is_coordinate =
        |index: &u16| decl(*index).interp == Interp::Perspective && decl(*index).semantic != AttrSemantic::Fog;
    let (mut own, mut others): (Vec<u16>, Vec<u16>) = read.iter().copied().partition(is_coordinate);
    parallax_text::sort_by_key(&mut own, |&index| numbered(index).unwrap_or(u16::MAX));
    for index in own {
        let number = numbered(index).filter(|n| *n < COORDINATES && !taken.contains(n));
        let number = number.or_else(|| (0..COORDINATES).find(|n| !taken.contains(n)));
        match number {
            Some(n) => {
                taken.push(n);
                let name = format!("fragment.texcoord[{n}]");
                places.put_attribute(index, name.clone(), name);
            }
            None => places
                .refuse(format!("more than {COORDINATES} interpolated attributes: fragment programs have no more")),
        }
        if decl(index).location != Location::Center {
            places.refuse("attributes at centroids and samples: fragment programs have none");
        }
    }
    others.retain(|index| {
        let decl = decl(*index);
        let name = match (decl.semantic, decl.interp) {
            (AttrSemantic::Position, _) => "fragment.position",
            (AttrSemantic::Color(0), Interp::Color) => "fragment.color.primary",
            (AttrSemantic::Color(1), Interp::Color) => "fragment.color.secondary",
            (AttrSemantic::Fog, Interp::Perspective) => "fragment.fogcoord",
            (AttrSemantic::Face, _) => "fragment.facing",
            _ => return true,
        };
        let spelling = if decl.semantic == AttrSemantic::Color(0) { "fragment.color" } else { name };
        places.put_attribute(*index, spelling.to_string(), name.to_string());
        false
    });
    for index in others {
        let decl = decl(index);
        let why = match (decl.semantic, decl.interp) {
            (AttrSemantic::Preset, _) => "initial values of registers: fragment programs have none",
            (_, Interp::Flat) => "flat attributes: fragment programs have none",
            (_, Interp::Linear) => "attributes linear in the window: fragment programs have none",
            (_, Interp::OverW) if index & UNDIVIDED == 0 => "an attribute over w: fragment programs have none",
            _ => "attributes of other meanings: fragment programs have none",
        };
        places.refuse(why);
    }
    for output in &iface.outputs {
        places.outputs.push(match output.role {
            OutputRole::Color(0) => Some("result.color".to_string()),
            OutputRole::Color(n) => Some(format!("result.color[{n}]")),
            OutputRole::Depth => Some("result.depth".to_string()),
            _ => None,
        });
        if !matches!(output.role, OutputRole::Color(_) | OutputRole::Depth) {
            places.refuse("outputs other than colours and depth: fragment programs have none");
        }
    }
}

/// Most parameters of a kind.
const PARAMETERS: u32 = 1024;

/// The first two banks are local and environment parameters, those behind them follow the local ones.
pub(crate) fn place_constants(iface: &Interface, places: &mut Places) {
    let used = |bank: usize| places.banks.get(bank).copied().flatten().map_or(0, |last| last.saturating_add(1));
    let mut next = used(0);
    let mut banks = vec![Some((0, 0)), Some((1, 0))];
    for bank in 2..iface.banks.len() {
        banks.push(Some((0, next)));
        next = next.saturating_add(used(bank));
    }
    let most = next.max(used(1));
    banks.truncate(iface.banks.len());
    places.carried.banks = banks;
    if most > PARAMETERS {
        places.refuse(format!("{most} constants: fragment programs have {PARAMETERS} parameters"));
    }
}

fn register(program: &Program<'_>, reg: Reg, text: &mut String) {
    match reg {
        Reg::Temp(n) => numbered(text, "t", n, ""),
        // Not made: the abilities say so.
        Reg::Buffer(_) | Reg::System(_) => {}
        Reg::Half(n) => numbered(text, "h", n, ""),
        Reg::Output(n) => text.push_str(program.places.output(n)),
        Reg::Imm(n) => numbered(text, "k", n, ""),
        Reg::ConstAt(..) => {}
        Reg::Const(bank, index) => {
            let (bank, first) =
                program.places.carried.banks.get(usize::from(bank)).copied().flatten().unwrap_or((0, 0));
            numbered(text, if bank == 0 { "program.local[" } else { "program.env[" }, first + index, "]");
        }
        Reg::Attr(index) => text.push_str(program.places.attribute(index)),
    }
}

/// How components of an operand are spelled.
pub(crate) fn swizzles(is_scalar: bool) -> Swizzles {
    if is_scalar { Swizzles::One } else { Swizzles::Short }
}

/// The program. `suffix`: what stands behind an opcode for a format.
fn write(program: &Program<'_>, options: &str, suffix: fn(&str, Precision) -> &'static str) -> String {
    let mut text = String::from("!!ARBfp1.0\n");
    text.push_str(options);
    if program.iface.outputs.iter().any(|output| matches!(output.role, OutputRole::Color(1..))) {
        text.push_str("OPTION ARB_draw_buffers;\n");
    }
    let compares = |line: &Line| matches!(line, Line::Op { texture: Some(tex), .. } if tex.target.is_shadow());
    if program.lines.iter().any(compares) {
        text.push_str("OPTION ARB_fragment_program_shadow;\n");
    }
    for (n, words) in program.imms.iter().enumerate() {
        let values: Vec<String> =
            words.iter().copied().chain([0; 4]).take(4).map(|bits| format!("{:?}", f32::from_bits(bits))).collect();
        let _ = writeln!(text, "PARAM k{n} = {{ {} }};", values.join(", "));
    }
    let mut rounds: Vec<u32> = Vec::new();
    for line in &program.lines {
        if let Line::Loop { rounds: Some(count) } = line
            && !rounds.contains(count)
        {
            rounds.push(*count);
        }
    }
    for count in rounds {
        let _ = writeln!(text, "PARAM rounds{count} = {{ {count}.0, 0.0, 0.0, 0.0 }};");
    }
    let mut temps: Vec<String> = (0..program.temps).map(|n| format!("t{n}")).collect();
    if program.lines.iter().any(|line| matches!(line, Line::If { .. })) {
        temps.push("code".to_string());
    }
    for names in temps.chunks(16) {
        let _ = writeln!(text, "TEMP {};", names.join(", "));
    }
    let halves: Vec<String> = (0..program.halves).map(|n| format!("h{n}")).collect();
    for names in halves.chunks(16) {
        let _ = writeln!(text, "SHORT TEMP {};", names.join(", "));
    }
    for line in &program.lines {
        match line {
            Line::Op { row, saturate, precision, dst, srcs, texture, .. } => {
                text.push_str(row.name);
                text.push_str(suffix(row.name, *precision));
                text.push_str(if *saturate { "_SAT" } else { "" });
                let swizzles = |n: usize| swizzles(row.scalars >> n & 1 != 0);
                text::operands(&mut text, *dst, srcs, swizzles, |text, reg| register(program, reg, text));
                if let Some(tex) = texture {
                    numbered(&mut text, ", texture[", tex.unit.into(), "], ");
                    text.push_str(shape(tex.target).unwrap_or("2D"));
                }
                text.push(';');
            }
            Line::If { src, .. } => {
                text.push_str("MOVRC code.x, ");
                text::source(&mut text, src, Swizzles::One, |text| register(program, src.reg, text));
                text.push_str(";\nIF NE.x;");
            }
            Line::Else => text.push_str("ELSE;"),
            Line::EndIf => text.push_str("ENDIF;"),
            Line::Loop { rounds } => numbered(&mut text, "REP rounds", rounds.unwrap_or(255), ".x;"),
            Line::EndLoop => text.push_str("ENDREP;"),
            Line::Break => text.push_str("BRK;"),
            // Neither is made: the abilities say so.
            Line::Continue | Line::Address { .. } => continue,
        }
        text.push('\n');
    }
    text.push_str("END\n");
    text
}
