//! TGSI: registers of four components, floats and integers, structured control.

use crate::form::{SystemValue, Test};
use crate::interface::Places;
use crate::program::{Line, Program, Reg, Src, Written};
use crate::select::MEMORY;
use crate::target::{Abilities, Addresses, INVOCATION, Lookup, Meaning, Piece, Registers, Row, Rows, Target, Truth};
use crate::text::{self, Swizzles, mask, numbered};
use parallax_core::{
    AtomicOp, AttrSemantic, Interface, Interp, Location, OutputRole, Stage, SysVal, TexMode, TexOp, TexTarget,
};
use parallax_num::Decl;
use parallax_tgsi::{Opcode, Operand, WideOp};
use std::fmt::Write;
use std::sync::LazyLock;

static ROWS: LazyLock<Rows> = LazyLock::new(rows);

/// What texts read of a pixel.
const PIXEL: &[SysVal] = &[SysVal::SampleId, SysVal::SampleMask, SysVal::HelperLane, SysVal::FrontFacing];

/// TGSI texts.
pub(crate) static TARGET: Target = Target {
    name: "tgsi",
    title: "TGSI",
    extension: "tgsi",
    isa: "tgsi",
    dialect: None,
    settings: &[],
    vertex: Some(&VERTEX),
    kernel: Some(&KERNEL),
    abilities: Abilities {
        truth: Truth::Bits,
        integers: true,
        flow: true,
        rounds: None,
        again: true,
        addresses: Addresses::Words,
        saturate: true,
        wide: true,
        system_values: PIXEL,
        workgroup: Some(MEMORY),
        aligns: false,
        over_w: false,
        instructions: usize::MAX,
        registers: 4096,
        halves: None,
        literal: |_| true,
        literals_in_constants: false,
    },
    rows: &ROWS,
    formulas: None,
    lookup,
    place,
    registers: Registers::Vectors(|program| Written::text(write(program), program)),
};

/// Texts of vertex shaders.
static VERTEX: Target = Target { vertex: None, kernel: None, place: place_vertices, ..TARGET };

/// Texts of kernels.
static KERNEL: Target = Target {
    vertex: None,
    kernel: None,
    abilities: Abilities { system_values: INVOCATION, ..TARGET.abilities },
    place: place_kernel,
    ..TARGET
};

/// Operands that take signs, bit 0 = the first.
fn signs(op: Opcode) -> u8 {
    let srcs = op.row().shape.srcs();
    (0..).zip(srcs).map(|(n, kind)| u8::from(matches!(kind, Operand::Float | Operand::Move)) << n).sum()
}

fn row(op: Opcode) -> Row {
    Row { signed: signs(op), absolute: signs(op), scalars: 0, ..Row::new(&op.row().name) }
}

/// Changes of words; a part of a word is not stored by one.
const ATOMICS: [(AtomicOp, Opcode); 12] = [
    (AtomicOp::Add, Opcode::ATOMUADD),
    (AtomicOp::MinU, Opcode::ATOMUMIN),
    (AtomicOp::MaxU, Opcode::ATOMUMAX),
    (AtomicOp::MinI, Opcode::ATOMIMIN),
    (AtomicOp::MaxI, Opcode::ATOMIMAX),
    (AtomicOp::And, Opcode::ATOMAND),
    (AtomicOp::Or, Opcode::ATOMOR),
    (AtomicOp::Xor, Opcode::ATOMXOR),
    (AtomicOp::Exchange, Opcode::ATOMXCHG),
    (AtomicOp::CompareExchange, Opcode::ATOMCAS),
    (AtomicOp::IncWrap, Opcode::ATOMINC_WRAP),
    (AtomicOp::DecWrap, Opcode::ATOMDEC_WRAP),
];

fn rows() -> Rows {
    let mut rows = Rows::default();
    rows.put(Meaning::Move, row(Opcode::MOV));
    rows.put(Meaning::Kill, row(Opcode::KILL_IF));
    rows.put(Meaning::QuadAny, row(Opcode::VOTE_ANY));
    rows.put(Meaning::QuadAll, row(Opcode::VOTE_ALL));
    rows.put(Meaning::Shuffle, row(Opcode::READ_INVOC));
    rows.put(Meaning::Load, row(Opcode::LOAD));
    rows.put(Meaning::Store, row(Opcode::STORE));
    rows.put(Meaning::Size, row(Opcode::RESQ));
    rows.put(Meaning::Barrier, row(Opcode::BARRIER));
    for opcode in Opcode::all() {
        let meaning = opcode.wide_op().map(|wide| match wide {
            WideOp::Each(op, decl) => Meaning::Wide(op, decl == Decl::F64),
            WideOp::SetBits(op, outcome) => Meaning::WideBits(op, outcome),
        });
        meaning.into_iter().for_each(|meaning| rows.put(meaning, row(opcode)));
    }
    for (op, opcode) in ATOMICS {
        rows.put(Meaning::Atomic(op), row(opcode));
    }
    for op in Opcode::all().filter(|op| !matches!(op, Opcode::ARL | Opcode::UARL)) {
        if let Some(meaning) = op.vector_op() {
            rows.add(row(op), meaning);
        }
    }
    rows
}

/// The component of the first source that holds the layer, and that of the reference value.
fn behind(target: TexTarget) -> (Option<usize>, Option<usize>) {
    let coordinates = target.coordinates();
    let reference = (coordinates + usize::from(target.is_array())).max(2);
    (target.is_array().then_some(coordinates), target.is_shadow().then_some(reference))
}

fn lookup(tex: &TexOp, is_largest: bool) -> Result<Lookup, String> {
    use TexMode::{Bias, Detail, Fetch, Grad, Implicit, Level};
    let (layer, reference) = behind(tex.target);
    let mut first = [Piece::Nothing; 4];
    for (n, piece) in first.iter_mut().enumerate().take(tex.target.coordinates()) {
        *piece = Piece::Operand(n);
    }
    let mut operands = Vec::new();
    let parts = [(layer, tex.layer()), (reference.filter(|&at| at < 4), tex.reference())];
    for (at, operand) in parts {
        if let (Some(at), Some(operand)) = (at, operand) {
            first[at] = Piece::Operand(operand);
        }
    }
    let needs_fourth = tex.project || matches!(tex.mode, Bias | Level | Fetch) && !is_largest;
    if needs_fourth && first[3] != Piece::Nothing || reference == Some(4) && tex.mode != Implicit {
        return Err(format!(
            "lookups `{}` in textures `{}`: TGSI has no operand left",
            tex.mode.name(),
            tex.target.name()
        ));
    }
    if needs_fourth {
        first[3] = Piece::Operand(3);
    }
    operands.push(first);
    if reference == Some(4)
        && let Some(operand) = tex.reference()
    {
        operands.push([Piece::Operand(operand), Piece::Nothing, Piece::Nothing, Piece::Nothing]);
    }
    let op = match tex.mode {
        Implicit if tex.project => Opcode::TXP,
        Implicit if reference == Some(4) => Opcode::TEX2,
        Implicit => Opcode::TEX,
        Bias => Opcode::TXB,
        Level if is_largest => Opcode::TEX_LZ,
        Level => Opcode::TXL,
        Grad => {
            let from = tex.gradients().unwrap_or(0);
            for from in [from, from + 3] {
                let mut pieces = [Piece::Nothing; 4];
                for (n, piece) in pieces.iter_mut().enumerate().take(tex.target.coordinates().min(3)) {
                    *piece = Piece::Operand(from + n);
                }
                operands.push(pieces);
            }
            Opcode::TXD
        }
        Fetch => Opcode::TXF,
        Detail => return Err("queries of the level of detail: not written for TGSI yet".to_string()),
        mode => {
            let comp = mode.gathered().unwrap_or(0) as u32;
            operands.push([Piece::Imm(comp), Piece::Nothing, Piece::Nothing, Piece::Nothing]);
            Opcode::TG4
        }
    };
    Ok(Lookup { row: row(op), operands })
}

fn place(iface: &Interface, places: &mut Places) {
    places.carried.banks = (0..iface.banks.len()).map(|bank| Some((bank as u16, 0))).collect();
    for (n, index) in places.read.clone().into_iter().enumerate() {
        let decl = Places::declaration(iface, index);
        if decl.interp == Interp::OverW {
            places.refuse("an attribute over w: TGSI interpolates with perspective or in the window");
        }
        if decl.semantic == AttrSemantic::Preset {
            places.refuse("initial values of registers: TGSI has none");
        }
        let name = format!("IN[{n}]");
        places.put_attribute(index, name.clone(), name);
    }
    for (n, output) in iface.outputs.iter().enumerate() {
        match output.role {
            OutputRole::Color(_) | OutputRole::Depth | OutputRole::Stencil | OutputRole::SampleMask => {}
            other => places.refuse(format!("output {other:?}: TGSI fragment shaders have no such output")),
        }
        places.outputs.push(Some(format!("OUT[{n}]")));
    }
}

fn place_kernel(iface: &Interface, places: &mut Places) {
    places.carried.banks = (0..iface.banks.len()).map(|bank| Some((bank as u16, 0))).collect();
    for words in iface.buffers.iter().filter_map(|buffer| buffer.workgroup) {
        if words > MEMORY {
            places.refuse(format!("{} bytes that a workgroup shares: TGSI texts have {}", words * 4, MEMORY * 4));
        }
    }
}

/// Attributes that vertex shaders have (Gallium: `PIPE_MAX_ATTRIBS`).
const ATTRIBUTES: u16 = 32;

fn place_vertices(iface: &Interface, places: &mut Places) {
    places.carried.banks = (0..iface.banks.len()).map(|bank| Some((bank as u16, 0))).collect();
    for (index, n) in places.number_attributes(iface, ATTRIBUTES, "TGSI") {
        let name = format!("IN[{n}]");
        places.put_attribute(index, name.clone(), name);
    }
    for (n, output) in iface.outputs.iter().enumerate() {
        if result(output.role).is_none() && output.role != OutputRole::Watch {
            places.refuse(fixed_function(output.role));
        }
        places.outputs.push(Some(format!("OUT[{n}]")));
    }
}

/// Why a result of a vertex has no place: sets number what fixed functions read on their own.
pub(crate) fn fixed_function(role: OutputRole) -> String {
    format!("results that fixed functions read ({role:?}): not translated yet")
}

/// The meaning of a result of a vertex.
fn result(role: OutputRole) -> Option<String> {
    Some(match role {
        OutputRole::Position => "POSITION".to_string(),
        OutputRole::FrontColor(n) => format!("COLOR[{n}]"),
        OutputRole::Fog => "FOG".to_string(),
        OutputRole::TexCoord(n) => format!("TEXCOORD[{n}]"),
        OutputRole::Generic(n) => format!("GENERIC[{n}]"),
        _ => return None,
    })
}

fn semantic(semantic: AttrSemantic) -> String {
    match semantic {
        AttrSemantic::Position => "POSITION".to_string(),
        AttrSemantic::Color(n) => format!("COLOR[{n}]"),
        AttrSemantic::Fog => "FOG".to_string(),
        AttrSemantic::TexCoord(n) => format!("TEXCOORD[{n}]"),
        AttrSemantic::Generic(n) => format!("GENERIC[{n}]"),
        AttrSemantic::Face => "FACE".to_string(),
        AttrSemantic::PointCoord => "PCOORD".to_string(),
        AttrSemantic::Preset => "GENERIC[0]".to_string(),
    }
}

fn shape(target: TexTarget) -> &'static str {
    match target {
        TexTarget::D1 => "1D",
        TexTarget::D2 => "2D",
        TexTarget::D3 => "3D",
        TexTarget::Cube => "CUBE",
        TexTarget::Rect => "RECT",
        TexTarget::D1Array => "1D_ARRAY",
        TexTarget::D2Array => "2D_ARRAY",
        TexTarget::CubeArray => "CUBE_ARRAY",
        TexTarget::D2Samples => "2D_MSAA",
        TexTarget::D2SamplesArray => "2D_ARRAY_MSAA",
        TexTarget::Shadow1D => "SHADOW1D",
        TexTarget::Shadow2D => "SHADOW2D",
        TexTarget::ShadowRect => "SHADOWRECT",
        TexTarget::Shadow1DArray => "SHADOW1D_ARRAY",
        TexTarget::Shadow2DArray => "SHADOW2D_ARRAY",
        TexTarget::ShadowCube => "SHADOWCUBE",
        TexTarget::ShadowCubeArray => "SHADOWCUBE_ARRAY",
    }
}

/// A literal, exact.
fn literal(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value:?}") } else { format!("0x{bits:08x}") }
}

fn declarations(program: &Program<'_>, text: &mut String) {
    let places = program.places;
    let is_vertex = program.iface.stage == Stage::Vertex;
    for &(index, ref name) in &places.attributes {
        if is_vertex {
            let _ = writeln!(text, "DCL {name}");
            continue;
        }
        let decl = Places::declaration(program.iface, index);
        let interp = match decl.interp {
            Interp::Linear => "LINEAR",
            Interp::Flat => "CONSTANT",
            Interp::Color => "COLOR",
            Interp::Perspective | Interp::OverW => "PERSPECTIVE",
        };
        let at = match decl.location {
            Location::Center => "",
            Location::Centroid => ", CENTROID",
            Location::Sample => ", SAMPLE",
        };
        let _ = writeln!(text, "DCL {name}, {}, {interp}{at}", semantic(decl.semantic));
    }
    for (n, output) in program.iface.outputs.iter().enumerate() {
        if !program.written.iter().any(|&(index, _)| usize::from(index) == n) {
            continue;
        }
        let role = match output.role {
            role if is_vertex => result(role).unwrap_or_default(),
            OutputRole::Color(n) => format!("COLOR[{n}]"),
            OutputRole::Depth => "POSITION".to_string(),
            OutputRole::Stencil => "STENCIL".to_string(),
            _ => "SAMPLEMASK".to_string(),
        };
        let _ = writeln!(text, "DCL OUT[{n}], {role}");
    }
    for (bank, last) in places.banks.iter().enumerate() {
        let Some(last) = *last else { continue };
        let len = program.iface.banks.get(bank).map_or(1, |bank| bank.len.max(1));
        let last = if last == u32::MAX { len - 1 } else { last };
        let _ = writeln!(text, "DCL CONST[{bank}][0..{last}]");
    }
    declare_memory(program, text);
    let mut units: Vec<u16> = Vec::new();
    for line in &program.lines {
        if let Line::Op { texture: Some(tex), .. } = line
            && !units.contains(&tex.unit)
        {
            units.push(tex.unit);
        }
    }
    units.sort_unstable();
    for unit in units {
        let _ = writeln!(text, "DCL SAMP[{unit}]");
    }
    if program.temps > 0 {
        let _ = writeln!(text, "DCL TEMP[0..{}]", program.temps - 1);
    }
    if program.lines.iter().any(|line| matches!(line, Line::Address { .. })) {
        text.push_str("DCL ADDR[0]\n");
    }
    for (n, words) in program.imms.iter().enumerate() {
        let all: Vec<u32> = words.iter().copied().chain([0; 4]).take(4).collect();
        let is_float = |bits: u32| bits & 0x7fff_ffff == 0 || bits & 0x7fff_ffff >= 0x0080_0000;
        let (ty, values): (&str, Vec<String>) =
            if all.iter().all(|&bits| is_float(bits) && f32::from_bits(bits).is_finite()) {
                ("FLT32", all.iter().map(|&bits| literal(bits)).collect())
            } else {
                ("UINT32", all.iter().map(u32::to_string).collect())
            };
        let _ = writeln!(text, "IMM[{n}] {ty} {{{}}}", values.join(", "));
    }
}

/// Buffers and memories of workgroups are numbered each on their own.
fn buffer(program: &Program<'_>, number: u16, text: &mut String) {
    let buffers = &program.iface.buffers;
    let shared = |n: usize| buffers.get(n).is_some_and(|buffer| buffer.workgroup.is_some());
    let own = shared(number.into());
    let count = (0..usize::from(number)).filter(|&n| shared(n) == own).count();
    numbered(text, if own { "MEMORY[" } else { "BUFFER[" }, count as u32, "]");
}

/// The meaning of a system value.
const fn system(place: SystemValue) -> &'static str {
    match place {
        SystemValue::Thread => "THREAD_ID",
        SystemValue::Block => "BLOCK_ID",
        SystemValue::Size => "GRID_SIZE",
        SystemValue::Sample => "SAMPLEID",
        SystemValue::Mask => "SAMPLEMASK",
        SystemValue::Helper => "HELPER_INVOCATION",
        SystemValue::Face => "FACE",
        // Not made: the abilities say so.
        SystemValue::Samples | SystemValue::Shading | SystemValue::Lane => "",
    }
}

/// Buffers in the order of the source, which are bound in that order, and system values.
fn declare_memory(program: &Program<'_>, text: &mut String) {
    for (n, decl) in program.iface.buffers.iter().enumerate() {
        text.push_str("DCL ");
        buffer(program, n as u16, text);
        text.push_str(if decl.workgroup.is_some() { ", SHARED\n" } else { "\n" });
    }
    let mut places: Vec<SystemValue> = Vec::new();
    for line in &program.lines {
        let srcs = match line {
            Line::Op { srcs, .. } => &srcs[..],
            Line::Address { src, .. } | Line::If { src, .. } => std::slice::from_ref(src),
            _ => &[],
        };
        places.extend(srcs.iter().filter_map(|src| if let Reg::System(place) = src.reg { Some(place) } else { None }));
    }
    places.sort_unstable();
    places.dedup();
    for place in places {
        numbered(text, "DCL SV[", place as u32, "], ");
        text.push_str(system(place));
        text.push('\n');
    }
}

fn register(program: &Program<'_>, reg: Reg, text: &mut String) {
    match reg {
        Reg::Temp(n) => numbered(text, "TEMP[", n, "]"),
        // Not made: the abilities say so.
        Reg::Half(_) => {}
        Reg::Buffer(n) => buffer(program, n, text),
        Reg::System(place) => numbered(text, "SV[", place as u32, "]"),
        Reg::Output(n) => numbered(text, "OUT[", n.into(), "]"),
        Reg::Imm(n) => numbered(text, "IMM[", n, "]"),
        Reg::Const(bank, index) => {
            numbered(text, "CONST[", bank.into(), "]");
            numbered(text, "[", index, "]");
        }
        Reg::ConstAt(bank, base, comp) => {
            numbered(text, "CONST[", bank.into(), "][ADDR[0].");
            text.push(['x', 'y', 'z', 'w'][usize::from(comp)]);
            if base != 0 {
                let _ = write!(text, "{base:+}");
            }
            text.push(']');
        }
        Reg::Attr(index) => text.push_str(program.places.attribute(index)),
    }
}

fn source(program: &Program<'_>, src: &Src, text: &mut String) {
    text::source(text, src, Swizzles::Four, |text| register(program, src.reg, text));
}

/// Begins a line, as Gallium prints them: its number, and two spaces for each construct that encloses it.
fn begin(number: usize, depth: usize, text: &mut String) {
    (0..3usize.saturating_sub(number.checked_ilog10().unwrap_or(0) as usize + 1)).for_each(|_| text.push(' '));
    numbered(text, "", number as u32, ":");
    (0..depth * 2 - 1).for_each(|_| text.push(' '));
}

fn write(program: &Program<'_>) -> String {
    let mut text = String::with_capacity(program.lines.len() * 64);
    text.push_str(match program.iface.stage {
        Stage::Vertex => "VERT\n",
        Stage::Fragment => "FRAG\n",
        Stage::Compute => "COMP\n",
    });
    if program.iface.stage == Stage::Compute {
        for (side, size) in ["WIDTH", "HEIGHT", "DEPTH"].into_iter().zip(program.iface.workgroup) {
            let _ = writeln!(text, "PROPERTY CS_FIXED_BLOCK_{side} {size}");
        }
    }
    declarations(program, &mut text);
    let mut depth = 1;
    for (number, line) in program.lines.iter().enumerate() {
        if matches!(line, Line::EndIf | Line::EndLoop) {
            depth -= 1;
        }
        begin(number, if matches!(line, Line::Else) { depth - 1 } else { depth }, &mut text);
        match line {
            Line::Op { row, saturate, precise, dst, srcs, texture, .. } => {
                text.push_str(row.name);
                text.push_str(if *saturate { "_SAT" } else { "" });
                text.push_str(if *precise { "_PRECISE" } else { "" });
                if let (None, [Src { reg: Reg::Buffer(number), .. }, rest @ ..]) = (dst, &srcs[..]) {
                    // What is stored in stands where other instructions have their result.
                    text.push(' ');
                    buffer(program, *number, &mut text);
                    text.push_str(".x");
                    for src in rest {
                        text.push_str(", ");
                        source(program, src, &mut text);
                    }
                    text.push('\n');
                    continue;
                }
                text::operands(&mut text, *dst, srcs, |_| Swizzles::Four, |text, reg| register(program, reg, text));
                if let Some(tex) = texture {
                    numbered(&mut text, ", SAMP[", tex.unit.into(), "], ");
                    text.push_str(shape(tex.target));
                }
            }
            Line::Address { comp, src } => {
                text.push_str("UARL ADDR[0]");
                mask(&mut text, 1 << comp);
                text.push_str(", ");
                source(program, src, &mut text);
            }
            Line::If { src, test } => {
                text.push_str(if *test == Test::Float { "IF " } else { "UIF " });
                source(program, src, &mut text);
                depth += 1;
            }
            Line::Else => text.push_str("ELSE"),
            Line::EndIf => text.push_str("ENDIF"),
            Line::Loop { .. } => {
                text.push_str("BGNLOOP");
                depth += 1;
            }
            Line::EndLoop => text.push_str("ENDLOOP"),
            Line::Break => text.push_str("BRK"),
            Line::Continue => text.push_str("CONT"),
        }
        text.push('\n');
    }
    begin(program.lines.len(), 1, &mut text);
    text.push_str("END\n");
    text
}
