//! Vertex programs of the NV family: texts of ARB_vertex_program, the same with NV_vertex_program2, microcode of NV40.
//!
//! Branches and loops are jumps under the condition code. An instruction of microcode has one attribute and one constant; what reads
//! more of them moves all but one to registers before.

use crate::arb;
use crate::interface::Places;
use crate::nv40::{CHOOSE, has_else, masked};
use crate::program::{Line, Program, Reg, Src, Written};
use crate::target::{Abilities, Addresses, Lookup, Meaning, Registers, Rows, Target, Truth};
use crate::text::{self, numbered};
use crate::tgsi::fixed_function;
use parallax_core::{Interface, OutputRole, TexOp};
use parallax_num::Op;
use parallax_nvfp::nv40::Order;
use parallax_nvfp::{TABLE, Vertex, nv40vp};
use std::fmt::Write;
use std::sync::LazyLock;

static ARB_ROWS: LazyLock<Rows> = LazyLock::new(|| rows(Vertex::ARB));
static NV_ROWS: LazyLock<Rows> = LazyLock::new(|| rows(Vertex::OPTION2));
static MICROCODE_ROWS: LazyLock<Rows> = LazyLock::new(microcode_rows);

/// Programs without options.
pub(crate) static ARB: Target = Target {
    name: "arb",
    title: "ARB_vertex_program",
    extension: "vp",
    isa: "nvfp",
    dialect: None,
    settings: &[],
    vertex: None,
    kernel: None,
    abilities: Abilities {
        truth: Truth::Float,
        integers: false,
        flow: false,
        rounds: None,
        again: false,
        addresses: Addresses::None,
        saturate: false,
        wide: false,
        system_values: &[],
        workgroup: None,
        aligns: false,
        over_w: false,
        instructions: 1024,
        registers: 256,
        halves: None,
        literal: arb::is_finite,
        literals_in_constants: false,
    },
    rows: &ARB_ROWS,
    formulas: None,
    lookup,
    place: place_text,
    registers: Registers::Vectors(|program| Ok(text(program, false))),
};

/// Programs with NV_vertex_program2.
pub(crate) static NV: Target = Target {
    title: "NV_vertex_program2",
    abilities: Abilities { flow: true, again: true, ..ARB.abilities },
    rows: &NV_ROWS,
    formulas: None,
    registers: Registers::Vectors(|program| Ok(text(program, true))),
    ..ARB
};

/// Microcode: words without a container.
pub(crate) static MICROCODE: Target = Target {
    name: "nv40",
    title: "NV40 vertex microcode",
    extension: "nv40vp",
    dialect: Some("nv40vp"),
    abilities: Abilities {
        registers: REGISTERS - SCRATCH,
        saturate: true,
        halves: None,
        literal: |_| true,
        literals_in_constants: true,
        ..NV.abilities
    },
    rows: &MICROCODE_ROWS,
    formulas: None,
    place: place_microcode,
    registers: Registers::Vectors(microcode),
    ..NV
};

/// Registers of microcode, and those that extra attributes and constants of an instruction may need.
const REGISTERS: u32 = 48;
const SCRATCH: u32 = 2;
/// Constants of microcode, attributes of vertices and texture coordinates.
const CONSTANTS: u32 = 512;
const ATTRIBUTES: u16 = 16;
const COORDINATES: u16 = 8;

/// Names of attributes in microcode (NV_vertex_program, table X.3).
const NAMES: [&str; ATTRIBUTES as usize] = [
    "OPOS", "WGHT", "NRML", "COL0", "COL1", "FOGC", "6", "7", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6",
    "TEX7",
];

fn rows(kind: Vertex) -> Rows {
    let mut rows = Rows::default();
    let has_options = kind != Vertex::ARB;
    for opcode in TABLE.iter().filter(|row| row.vertex_suffixes(kind).is_some()) {
        let row = arb::row(opcode, has_options);
        match opcode.vector_op() {
            Some(meaning) => arb::add(&mut rows, row, meaning),
            None if opcode.name == "MOV" => rows.put(Meaning::Move, row),
            None if opcode.name == "ABS" => rows.put(Meaning::Magnitude, row),
            None => {}
        }
    }
    if has_options {
        rows.put(Meaning::Select(Op::FLt), CHOOSE);
    }
    rows
}

fn microcode_rows() -> Rows {
    let mut rows = Rows::default();
    for microcode in nv40vp::TABLE.rows() {
        let Some(opcode) = microcode.meaning.lifted() else { continue };
        let row = arb::row(opcode, true);
        match opcode.vector_op() {
            // Each unit has opcodes of its own; those that are named otherwise are the same in the other one.
            _ if opcode.name != microcode.name => {}
            Some(meaning) => arb::add(&mut rows, row, meaning),
            None if opcode.name == "MOV" => rows.put(Meaning::Move, row),
            None => {}
        }
    }
    rows.put(Meaning::Select(Op::FLt), CHOOSE);
    rows
}

fn lookup(_: &TexOp, _: bool) -> Result<Lookup, String> {
    Err("lookups of vertices: not written for vertex programs yet".to_string())
}

fn place_text(iface: &Interface, places: &mut Places) {
    arb::place_constants(iface, places);
    for (index, n) in places.number_attributes(iface, ATTRIBUTES, "a vertex program") {
        let name = format!("vertex.attrib[{n}]");
        places.put_attribute(index, name.clone(), name);
    }
    place_results(
        iface,
        places,
        [
            "result.position",
            "result.color.front.primary",
            "result.color.front.secondary",
            "result.fogcoord",
            "result.texcoord[",
        ],
    );
}

fn place_microcode(iface: &Interface, places: &mut Places) {
    places.put_banks_in_a_row(iface, CONSTANTS, 0, "NV40");
    for (index, n) in places.number_attributes(iface, ATTRIBUTES, "a vertex program") {
        let name = format!("v[{}]", NAMES[usize::from(n)]);
        places.put_attribute(index, name.clone(), name);
    }
    place_results(iface, places, ["o[HPOS]", "o[COL0]", "o[COL1]", "o[FOGC]", "o[TEX"]);
}

fn is_coordinate(role: OutputRole) -> bool {
    matches!(role, OutputRole::TexCoord(_) | OutputRole::Generic(_))
}

/// Results by their names: position, two colours, fog, and what texture coordinates begin with.
fn place_results(iface: &Interface, places: &mut Places, names: [&str; 5]) {
    let [position, primary, secondary, fog, coordinate] = names;
    let numbers = places.number_results(iface, 0..COORDINATES, is_coordinate, "a vertex program");
    for (at, output) in iface.outputs.iter().enumerate() {
        let number = numbers.iter().find(|(of, _)| *of == at).map(|&(_, n)| n);
        let (name, role) = match (output.role, number) {
            (OutputRole::Position, _) => (position.to_string(), OutputRole::Position),
            (OutputRole::FrontColor(0), _) => (primary.to_string(), output.role),
            (OutputRole::FrontColor(1), _) => (secondary.to_string(), output.role),
            (OutputRole::Fog, _) => (fog.to_string(), output.role),
            (_, Some(n)) => (format!("{coordinate}{n}]"), OutputRole::TexCoord(n)),
            (OutputRole::Watch, None) => (String::new(), OutputRole::Watch),
            (role, None) => {
                places.refuse(fixed_function(role));
                (String::new(), role)
            }
        };
        if output.role == OutputRole::Fog && output.types[1..].iter().any(Option::is_some) {
            places.refuse("a fog coordinate of several components: vertex programs have one");
        }
        places.carried.roles.push((output.role, role));
        places.outputs.push(Some(name));
    }
}

/// A program while it is written.
struct Writer<'a> {
    program: &'a Program<'a>,
    is_microcode: bool,
    text: String,
    instructions: usize,
    labels: u32,
    /// Branches that are open: the label of their end, and that of the other arm where it has not begun.
    branches: Vec<(u32, Option<u32>)>,
    /// Loops that are open: the labels of their start and their end.
    loops: Vec<(u32, u32)>,
}

fn writer<'a>(program: &'a Program<'a>, is_microcode: bool) -> Writer<'a> {
    Writer {
        program,
        is_microcode,
        text: String::new(),
        instructions: 0,
        labels: 0,
        branches: Vec::new(),
        loops: Vec::new(),
    }
}

/// A text.
fn text(program: &Program<'_>, has_options: bool) -> Written {
    let mut writer = writer(program, false);
    let text = &mut writer.text;
    text.push_str("!!ARBvp1.0\n");
    text.push_str(if has_options { "OPTION NV_vertex_program2;\n" } else { "" });
    for (n, words) in program.imms.iter().enumerate() {
        let values: Vec<String> =
            words.iter().copied().chain([0; 4]).take(4).map(|bits| format!("{:?}", f32::from_bits(bits))).collect();
        let _ = writeln!(text, "PARAM k{n} = {{ {} }};", values.join(", "));
    }
    let mut temps: Vec<String> = (0..program.temps).map(|n| format!("t{n}")).collect();
    let tests = |line: &Line| matches!(line, Line::If { .. }) || matches!(line, Line::Op { row, .. } if *row == CHOOSE);
    if program.lines.iter().any(tests) {
        temps.extend(["code".to_string(), "kept".to_string()]);
    }
    for names in temps.chunks(16) {
        let _ = writeln!(text, "TEMP {};", names.join(", "));
    }
    writer.lines();
    writer.text.push_str("END\n");
    Written { text: writer.text, instructions: writer.instructions, ..Written::default() }
}

/// Microcode.
fn microcode(program: &Program<'_>) -> Result<Written, Vec<String>> {
    let constants = program.places.first_literal + program.imms.len() as u32;
    if constants > CONSTANTS {
        let missing = constants - CONSTANTS;
        return Err(vec![format!("{constants} constants and literals: NV40 has {CONSTANTS}; {missing} are missing")]);
    }
    let mut writer = writer(program, true);
    writer.lines();
    // A label at the end needs an instruction behind it.
    if writer.text.is_empty() || writer.text.trim_end().ends_with(':') {
        writer.push("NOP");
    }
    let (code, diags) = nv40vp::assemble_bytes(&writer.text, Order::Le, true);
    match code.filter(|_| !diags.iter().any(parallax_text::Diag::is_error)) {
        Some(code) => Ok(Written {
            text: writer.text,
            binary: Some(code),
            instructions: writer.instructions,
            ..Written::default()
        }),
        None => Err(diags.iter().map(ToString::to_string).collect()),
    }
}

impl Writer<'_> {
    fn push(&mut self, words: &str) {
        let end = if self.is_microcode { "" } else { ";" };
        let _ = writeln!(self.text, "{words}{end}");
        self.instructions += 1;
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn mark(&mut self, label: u32) {
        let _ = writeln!(self.text, "L{label}:");
    }

    /// A jump; `condition`: the test of the condition code's first component.
    fn jump(&mut self, to: u32, condition: &str) {
        let name = if self.is_microcode { "BRI" } else { "BRA" };
        self.push(&format!("{name} L{to}{condition}"));
    }

    fn scratch(&self, n: u32) -> String {
        if self.is_microcode { format!("R{}", self.program.temps + n) } else { "kept".to_string() }
    }

    fn register(&self, reg: Reg) -> String {
        let mut text = String::new();
        let first = |bank: u16| self.program.places.carried.banks.get(usize::from(bank)).copied().flatten();
        match (reg, self.is_microcode) {
            (Reg::Temp(n), true) => numbered(&mut text, "R", n, ""),
            (Reg::Temp(n), false) => numbered(&mut text, "t", n, ""),
            (Reg::Output(n), _) => text.push_str(self.program.places.output(n)),
            (Reg::Imm(n), true) => numbered(&mut text, "c[", self.program.places.first_literal + n, "]"),
            (Reg::Imm(n), false) => numbered(&mut text, "k", n, ""),
            (Reg::Const(bank, index), true) => {
                numbered(&mut text, "c[", first(bank).map_or(0, |(_, at)| at) + index, "]");
            }
            (Reg::Const(bank, index), false) => {
                let (bank, at) = first(bank).unwrap_or((0, 0));
                numbered(&mut text, if bank == 0 { "program.local[" } else { "program.env[" }, at + index, "]");
            }
            (Reg::Attr(index), _) => text.push_str(self.program.places.attribute(index)),
            // Not made: the abilities say so.
            (Reg::ConstAt(..) | Reg::Half(_) | Reg::Buffer(_) | Reg::System(_), _) => {}
        }
        text
    }

    /// Sources as one instruction can read them.
    fn sources(&mut self, srcs: &[Src], scalars: u8) -> Vec<String> {
        let (mut constant, mut attribute): (Option<Reg>, Option<Reg>) = (None, None);
        let mut moved: Vec<Reg> = Vec::new();
        let mut texts = Vec::new();
        for (n, src) in srcs.iter().enumerate() {
            let fits = match src.reg {
                _ if !self.is_microcode => true,
                Reg::Imm(_) | Reg::Const(..) => *constant.get_or_insert(src.reg) == src.reg,
                Reg::Attr(_) => *attribute.get_or_insert(src.reg) == src.reg,
                _ => true,
            };
            let mut register = self.register(src.reg);
            if !fits {
                let known = moved.iter().position(|reg| *reg == src.reg);
                let scratch = self.scratch(known.unwrap_or(moved.len()) as u32);
                if known.is_none() {
                    moved.push(src.reg);
                    self.push(&format!("MOV {scratch}, {register}"));
                }
                register = scratch;
            }
            let mut text = String::new();
            text::source(&mut text, src, arb::swizzles(scalars >> n & 1 != 0), |text| text.push_str(&register));
            texts.push(text);
        }
        texts
    }

    /// Sets the condition code by an operand.
    fn test(&mut self, src: &Src, comps: u8, is_scalar: bool) {
        let texts = self.sources(std::slice::from_ref(src), u8::from(is_scalar));
        let to = if self.is_microcode { "CC" } else { "code" };
        self.push(&format!("MOVC {to}{}, {}", masked(comps), texts[0]));
    }

    fn lines(&mut self) {
        for (n, line) in self.program.lines.iter().enumerate() {
            let has_else = matches!(line, Line::If { .. }) && has_else(&self.program.lines[n + 1..]);
            self.line(line, has_else);
        }
    }

    fn line(&mut self, line: &Line, has_else: bool) {
        match line {
            Line::Op { row, saturate, dst: Some(dst), srcs, .. } if *row == CHOOSE => {
                self.choose(*dst, srcs, if *saturate { "_SAT" } else { "" });
            }
            Line::Op { row, saturate, dst: Some((reg, comps)), srcs, .. } => {
                let operands = self.sources(srcs, row.scalars);
                let saturate = if *saturate { "_SAT" } else { "" };
                let to = self.register(*reg) + &masked(*comps);
                let before = if operands.is_empty() { "" } else { ", " };
                self.push(&format!("{}{saturate} {to}{before}{}", row.name, operands.join(", ")));
            }
            Line::If { src, .. } => {
                self.test(src, 1, true);
                let end = self.label();
                let other = if has_else { Some(self.label()) } else { None };
                self.jump(other.unwrap_or(end), " (EQ.x)");
                self.branches.push((end, other));
            }
            Line::Else => {
                if let Some((end, Some(other))) = self.branches.last_mut().map(|(end, other)| (*end, other.take())) {
                    self.jump(end, "");
                    self.mark(other);
                }
            }
            Line::EndIf => {
                if let Some((end, _)) = self.branches.pop() {
                    self.mark(end);
                }
            }
            Line::Loop { .. } => {
                let (start, end) = (self.label(), self.label());
                self.mark(start);
                self.loops.push((start, end));
            }
            Line::EndLoop => {
                if let Some((start, end)) = self.loops.pop() {
                    self.jump(start, "");
                    self.mark(end);
                }
            }
            Line::Break | Line::Continue => {
                if let Some(&(start, end)) = self.loops.last() {
                    self.jump(if matches!(line, Line::Break) { end } else { start }, "");
                }
            }
            // Vertices are not discarded, and no address is made: the abilities say so.
            Line::Op { dst: None, .. } | Line::Address { .. } => {}
        }
    }

    /// One arm everywhere, and the other where the condition holds: a NaN is not below zero.
    fn choose(&mut self, (reg, comps): (Reg, u8), srcs: &[Src], saturate: &str) {
        let [condition, then, other] = srcs else { return };
        self.test(condition, comps, false);
        let to = self.register(reg);
        let mask = masked(comps);
        let kept = (then.reg == reg).then(|| self.scratch(0));
        if let Some(kept) = &kept {
            // What is written first would be read.
            self.push(&format!("MOV {kept}, {to}"));
        }
        let texts = self.sources(std::slice::from_ref(other), 0);
        self.push(&format!("MOV{saturate} {to}{mask}, {}", texts[0]));
        let then_text = match kept {
            Some(kept) => {
                let mut text = String::new();
                text::source(&mut text, then, arb::swizzles(false), |text| text.push_str(&kept));
                text
            }
            None => self.sources(std::slice::from_ref(then), 0).remove(0),
        };
        let space = if self.is_microcode { "" } else { " " };
        self.push(&format!("MOV{saturate} {to}{mask}{space}(LT), {then_text}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_operations_of_their_kinds() {
        let each = |op| Meaning::Each(op);
        for (rows, has_floor, has_equal) in
            [(rows(Vertex::ARB), true, false), (rows(Vertex::OPTION2), true, true), (microcode_rows(), true, true)]
        {
            assert!(rows.get(each(Op::Mad)).is_some_and(|row| *row.name == "MAD"));
            assert_eq!(rows.get(each(Op::Floor)).is_some(), has_floor);
            assert_eq!(rows.get(Meaning::Set(Op::FEq, true)).is_some(), has_equal);
            assert_eq!(rows.get(Meaning::Select(Op::FLt)).is_some(), has_equal);
            assert!(rows.get(Meaning::Move).is_some_and(|row| *row.name == "MOV"));
            assert!(rows.get(Meaning::Kill).is_none());
        }
    }
}
