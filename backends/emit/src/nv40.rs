//! Microcode of NV40 and RSX, in a Cg binary that says where its constants stand.
//!
//! An instruction has one attribute and one constant, which follows it; what reads more of them moves all but one to registers before.
//! Choices, branches and discards test the condition code.

use crate::arb;
use crate::interface::Places;
use crate::program::{Line, Program, Reg, Src, Written};
use crate::target::{Abilities, Lookup, Meaning, Piece, Registers, Row, Rows, Target};
use crate::text::{self, mask};
use crate::vertex;
use parallax_container::{CgFragment, CgParameter};
use parallax_core::{AttrSemantic, BankVector, Interface, Interp, OutputRole, TexMode, TexOp, TexTarget};
use parallax_num::Op;
use parallax_nvfp::nv40::{self, Order};
use std::fmt::Write;
use std::sync::LazyLock;

/// Registers of 128 bits.
const REGISTERS: u32 = 48;
/// Registers that hold results: R0 and R2 to R4 colours, R1 the depth.
const COLORS: [u32; 4] = [0, 2, 3, 4];
const DEPTH: u32 = 1;
/// Registers that extra constants, extra attributes and arms of choices may need at a time.
const SCRATCH: u32 = 2;

static ROWS: LazyLock<Rows> = LazyLock::new(rows);

pub(crate) static TARGET: Target = Target {
    name: "nv40",
    title: "NV40 microcode",
    extension: "fpo",
    isa: "nvfp",
    dialect: None,
    settings: &[],
    vertex: Some(&vertex::MICROCODE),
    kernel: None,
    abilities: Abilities { registers: REGISTERS - SCRATCH, literal: |_| true, ..arb::NV.abilities },
    rows: &ROWS,
    lookup,
    place,
    registers: Registers::Vectors(write),
};

fn rows() -> Rows {
    let mut rows = Rows::default();
    for microcode in nv40::TABLE.rows() {
        let Some(opcode) = microcode.meaning.lifted() else { continue };
        let row = arb::row(opcode, true);
        match opcode.vector_op() {
            Some(meaning) => arb::add(&mut rows, row, meaning),
            None if opcode.name == "MOV" => rows.put(Meaning::Move, row),
            None if opcode.name == "KIL" => rows.put(Meaning::Kill, row),
            None => {}
        }
    }
    // Two moves, one of them under the condition code.
    rows.put(Meaning::Select(Op::FLt), CHOOSE);
    rows
}

/// The second operand where the first is below zero, else the third.
pub(crate) const CHOOSE: Row = Row { signed: 7, absolute: 7, scalars: 0, ..Row::new("CMP") };

/// A lookup as the text dialect has it, but for a level or a bias, which is an operand of its own.
fn lookup(tex: &TexOp, is_largest: bool) -> Result<Lookup, String> {
    if shape(tex.target).is_none() {
        return Err(format!("textures `{}`: Cg binaries have no samplers of them", tex.target.name()));
    }
    let mut found = (arb::NV.lookup)(tex, is_largest)?;
    if matches!(tex.mode, TexMode::Bias | TexMode::Level) {
        found.operands[0][3] = Piece::Nothing;
        found.operands.insert(1, [Piece::Operand(3), Piece::Nothing, Piece::Nothing, Piece::Nothing]);
    }
    Ok(found)
}

/// The shape of a texture, as the sampler of a Cg binary says it.
fn shape(target: TexTarget) -> Option<&'static str> {
    Some(match target {
        TexTarget::D1 => "1d",
        TexTarget::D2 => "2d",
        TexTarget::D3 => "3d",
        TexTarget::Cube => "cube",
        TexTarget::Rect => "rect",
        _ => return None,
    })
}

/// Inputs and outputs, as the text dialect has them, under their names in microcode.
fn place(iface: &Interface, places: &mut Places) {
    arb::place(iface, places);
    places.carried.banks.clear();
    for (index, spelling) in &mut places.attributes {
        let decl = Places::declaration(iface, *index);
        let name = match (decl.semantic, spelling.strip_prefix("fragment.texcoord[")) {
            (_, Some(number)) => format!("f[TEX{number}"),
            (AttrSemantic::Position, _) => "f[WPOS]".to_string(),
            (AttrSemantic::Color(n), _) if decl.interp == Interp::Color => format!("f[COL{n}]"),
            (AttrSemantic::Fog, _) => "f[FOGC]".to_string(),
            _ => "f[FACE]".to_string(),
        };
        let arb = if spelling == "fragment.color" { "fragment.color.primary" } else { spelling.as_str() };
        places
            .carried
            .attributes
            .iter_mut()
            .filter(|(known, _)| known == arb)
            .for_each(|(known, _)| known.clone_from(&name));
        *spelling = name;
    }
}

/// A constant of an instruction.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Constant {
    Literals(u32),
    Named(u16, u32),
}

/// The assembly of a program, while it is written.
struct Assembly<'a> {
    program: &'a Program<'a>,
    text: String,
    /// The register of each temporary.
    temps: Vec<u32>,
    /// Slots of 16 bytes so far.
    slots: u32,
    instructions: usize,
    labels: u32,
    /// Blocks that are open: the label of their end, and that of the other branch where it has not begun.
    open: Vec<(u32, Option<u32>)>,
    /// Places of constants by bank and vector, in the order of first reads.
    named: Vec<(BankVector, Vec<u32>)>,
    samplers: Vec<(u16, &'static str)>,
    highest: u32,
    discards: bool,
}

fn write(program: &Program<'_>) -> Result<Written, Vec<String>> {
    program.units_have_one_shape()?;
    let temps = temporaries(program);
    let wanted = program.temps + SCRATCH + program.halves.div_ceil(2);
    let most = temps.len() as u32;
    if wanted > most {
        let missing = wanted - most;
        return Err(vec![format!("{wanted} temporary registers: {most} hold no results; {missing} are missing")]);
    }
    let mut assembly = Assembly {
        program,
        text: String::new(),
        temps,
        slots: 0,
        instructions: 0,
        labels: 0,
        open: Vec::new(),
        named: Vec::new(),
        samplers: Vec::new(),
        highest: 0,
        discards: false,
    };
    let mut problems = Vec::new();
    for (n, line) in program.lines.iter().enumerate() {
        // A branch whose other arm follows needs a label of its own there.
        let has_else = matches!(line, Line::If { .. }) && has_else(&program.lines[n + 1..]);
        if let Err(problem) = assembly.line(line, has_else) {
            problems.push(problem);
        }
    }
    // A label at the end needs an instruction behind it.
    if assembly.text.is_empty() || assembly.text.trim_end().ends_with(':') {
        assembly.push("NOP", None);
    }
    if !problems.is_empty() {
        problems.dedup();
        return Err(problems);
    }
    assembly.binary()
}

/// The registers of temporaries: those that hold no results. The last ones are left for extra moves.
fn temporaries(program: &Program<'_>) -> Vec<u32> {
    let results: Vec<u32> = program.iface.outputs.iter().filter_map(|output| result(output.role)).collect();
    (0..REGISTERS).filter(|register| !results.contains(register)).collect()
}

fn result(role: OutputRole) -> Option<u32> {
    match role {
        OutputRole::Color(n) => COLORS.get(usize::from(n)).copied(),
        OutputRole::Depth => Some(DEPTH),
        _ => None,
    }
}

/// Whether a branch has another arm; `lines` are those behind its first one.
pub(crate) fn has_else(lines: &[Line]) -> bool {
    let mut depth = 0;
    for line in lines {
        match line {
            Line::If { .. } => depth += 1,
            Line::EndIf if depth == 0 => return false,
            Line::EndIf => depth -= 1,
            Line::Else if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

impl Assembly<'_> {
    /// An instruction with the constant that follows it.
    fn push(&mut self, words: &str, constant: Option<Constant>) {
        let _ = writeln!(self.text, "{words}");
        self.slots += 1;
        self.instructions += 1;
        let Some(constant) = constant else { return };
        if let Constant::Named(bank, index) = constant {
            let place = self.slots * 16;
            match self.named.iter_mut().find(|(known, _)| *known == (bank, index)) {
                Some((_, places)) => places.push(place),
                None => self.named.push(((bank, index), vec![place])),
            }
        }
        self.slots += 1;
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn scratch(&mut self, n: u32) -> String {
        let register = self.temps.get((self.program.temps + n) as usize).copied().unwrap_or(REGISTERS - 1);
        self.highest = self.highest.max(register);
        format!("R{register}")
    }

    fn register(&mut self, reg: Reg) -> String {
        let register = match reg {
            Reg::Temp(n) => self.temps.get(n as usize).copied().unwrap_or(REGISTERS - 1),
            // Two in each of the registers behind those for extra moves, so that none shares bits with one of full size.
            Reg::Half(n) => {
                let at = (self.program.temps + SCRATCH + n / 2) as usize;
                let register = self.temps.get(at).copied().unwrap_or(REGISTERS - 1);
                self.highest = self.highest.max(register);
                return format!("H{}", register * 2 + n % 2);
            }
            Reg::Output(n) => {
                self.program.iface.outputs.get(usize::from(n)).and_then(|output| result(output.role)).unwrap_or(0)
            }
            Reg::Attr(index) => return self.program.places.attribute(index).to_string(),
            Reg::Imm(n) => return vector(self.program.imms.get(n as usize).map_or(&[], |words| words)),
            Reg::Const(bank, index) => {
                let constants = &self.program.iface.constants;
                let found = constants.iter().find(|decl| (decl.bank, decl.index) == (bank, index));
                return vector(&found.and_then(|decl| decl.default).unwrap_or([0; 4]));
            }
            Reg::ConstAt(..) | Reg::Buffer(_) | Reg::System(_) => return String::new(),
        };
        self.highest = self.highest.max(register);
        format!("R{register}")
    }

    /// Sources as one instruction can read them, and its constant: what is too much is moved to registers before.
    fn sources(&mut self, srcs: &[Src], scalars: u8) -> (Vec<String>, Option<Constant>) {
        let (mut constant, mut attribute, mut moved) = (None, None, Vec::new());
        let mut texts = Vec::new();
        for (n, src) in srcs.iter().enumerate() {
            let (wanted, fits) = match src.reg {
                Reg::Imm(_) | Reg::Const(..) => {
                    let wanted = match src.reg {
                        Reg::Const(bank, index) => Constant::Named(bank, index),
                        Reg::Imm(n) => Constant::Literals(n),
                        _ => Constant::Literals(0),
                    };
                    (Some(wanted), *constant.get_or_insert(wanted) == wanted)
                }
                Reg::Attr(index) => {
                    let spelling = self.program.places.attribute(index);
                    (None, *attribute.get_or_insert(spelling) == spelling)
                }
                _ => (None, true),
            };
            let register = self.register(src.reg);
            let register = if fits {
                register
            } else {
                let known = moved.iter().position(|reg| *reg == src.reg);
                let at = known.unwrap_or(moved.len());
                let scratch = self.scratch(at as u32);
                if known.is_none() {
                    moved.push(src.reg);
                    self.push(&format!("MOVR {scratch}, {register}"), wanted);
                }
                scratch
            };
            let mut text = String::new();
            text::source(&mut text, src, arb::swizzles(scalars >> n & 1 != 0), |text| text.push_str(&register));
            texts.push(text);
        }
        (texts, constant)
    }

    /// Moves an operand, and sets the condition code by it.
    fn test(&mut self, src: &Src, comps: u8, is_scalar: bool) {
        let (texts, constant) = self.sources(std::slice::from_ref(src), u8::from(is_scalar));
        self.push(&format!("MOVRC RC{}, {}", masked(comps), texts[0]), constant);
    }

    fn line(&mut self, line: &Line, has_else: bool) -> Result<(), String> {
        match line {
            Line::Op { dst: None, srcs, .. } => {
                self.discards = true;
                self.test(&srcs[0], 0xf, false);
                self.push("KIL LT", None);
            }
            Line::Op { row, saturate, dst: Some(dst), srcs, .. } if *row == CHOOSE => {
                self.choose(*dst, srcs, if *saturate { "_SAT" } else { "" });
            }
            Line::Op { row, saturate, precision, dst: Some((reg, comps)), srcs, texture, .. } => {
                let (mut operands, constant) = self.sources(srcs, row.scalars);
                if let Some(tex) = texture {
                    self.sampler(tex)?;
                    operands.push(format!("TEX{}", tex.unit));
                }
                let saturate = if *saturate { "_SAT" } else { "" };
                let to = self.register(*reg) + &masked(*comps);
                let letter = arb::letter(*precision);
                self.push(&format!("{}{letter}{saturate} {to}, {}", row.name, operands.join(", ")), constant);
            }
            Line::If { src, .. } => {
                self.test(src, 1, true);
                let end = self.label();
                let other = if has_else { Some(self.label()) } else { None };
                self.push(&format!("IF NE.x, L{}, L{end}", other.unwrap_or(end)), None);
                self.open.push((end, other));
            }
            Line::Else => {
                if let Some((_, other)) = self.open.last_mut()
                    && let Some(label) = other.take()
                {
                    let _ = writeln!(self.text, "L{label}:");
                }
            }
            Line::EndIf | Line::EndLoop => {
                if let Some((end, _)) = self.open.pop() {
                    let _ = writeln!(self.text, "L{end}:");
                }
            }
            Line::Loop { rounds } => {
                let end = self.label();
                self.push(&format!("REP {}, L{end}", rounds.unwrap_or(255)), None);
                self.open.push((end, None));
            }
            Line::Break => self.push("BRK", None),
            // Neither is made: the abilities say so.
            Line::Continue | Line::Address { .. } => {}
        }
        Ok(())
    }

    /// One arm everywhere, and the other where the condition holds: a NaN is not below zero.
    fn choose(&mut self, (reg, comps): (Reg, u8), srcs: &[Src], saturate: &str) {
        let [condition, then, other] = srcs else { return };
        self.test(condition, comps, false);
        let to = self.register(reg);
        if then.reg == reg {
            // What is written first would be read.
            let kept = self.scratch(0);
            self.push(&format!("MOVR {kept}, {to}"), None);
            let mut text = String::new();
            text::source(&mut text, then, arb::swizzles(false), |text| text.push_str(&kept));
            let to_mask = masked(comps);
            let (texts, constant) = self.sources(std::slice::from_ref(other), 0);
            self.push(&format!("MOVR{saturate} {to}{to_mask}, {}", texts[0]), constant);
            self.push(&format!("MOVR{saturate} {to}{to_mask}(LT), {text}"), None);
            return;
        }
        for (src, condition) in [(other, ""), (then, "(LT)")] {
            let (texts, constant) = self.sources(std::slice::from_ref(src), 0);
            self.push(&format!("MOVR{saturate} {to}{}{condition}, {}", masked(comps), texts[0]), constant);
        }
    }

    fn sampler(&mut self, tex: &TexOp) -> Result<(), String> {
        let shape = shape(tex.target).unwrap_or("2d");
        match self.samplers.iter().find(|(unit, _)| *unit == tex.unit) {
            Some((unit, known)) if *known != shape => {
                Err(format!("texture unit {unit} as {known} and as {shape}: a unit of NV40 has textures of one shape"))
            }
            Some(_) => Ok(()),
            None => {
                self.samplers.push((tex.unit, shape));
                Ok(())
            }
        }
    }

    /// The Cg binary.
    fn binary(self) -> Result<Written, Vec<String>> {
        let (code, diags) = nv40::assemble_bytes(&self.text, Order::Le, true);
        let Some(code) = code.filter(|_| !diags.iter().any(parallax_text::Diag::is_error)) else {
            return Err(diags.iter().map(ToString::to_string).collect());
        };
        let iface = self.program.iface;
        let mut parameters = Vec::new();
        let mut vectors = Vec::new();
        for (n, ((bank, index), places)) in (0u32..).zip(self.named) {
            let decl = iface.constants.iter().find(|decl| (decl.bank, decl.index) == (bank, index));
            let name = decl.map(|decl| decl.name.clone()).filter(|name| is_unique(iface, name));
            let name = name.unwrap_or_else(|| {
                let name = iface.banks.get(usize::from(bank)).map_or("c", |bank| bank.name.as_str());
                let name = format!("{name}[{index}]");
                // Nobody else has this one.
                if iface.constants.iter().any(|decl| decl.name == name) {
                    format!("{name} of bank {bank}")
                } else {
                    name
                }
            });
            let value = decl.and_then(|decl| decl.default).unwrap_or([0; 4]);
            parameters.push(CgParameter::Constant { name, value, places });
            vectors.push(((bank, index), (NAMED, n)));
        }
        for &(unit, shape) in &self.samplers {
            parameters.push(CgParameter::Sampler { name: format!("texture{unit}"), unit: unit.into(), shape });
        }
        let numbers = self
            .program
            .places
            .attributes
            .iter()
            .filter_map(|(_, spelling)| spelling.strip_prefix("f[TEX")?.strip_suffix(']')?.parse::<u16>().ok());
        let file = CgFragment {
            code,
            parameters,
            registers: (self.highest + 1) as u8,
            writes_depth: iface.outputs.iter().any(|output| output.role == OutputRole::Depth),
            discards: self.discards,
            coordinates: numbers.fold(0, |mask, n| mask | 1 << n),
        };
        Ok(Written { text: self.text, binary: Some(file.write()), instructions: self.instructions, vectors })
    }
}

/// The bank of constants with names.
const NAMED: u16 = 2;

/// Whether one constant alone has a name.
fn is_unique(iface: &Interface, name: &str) -> bool {
    iface.constants.iter().filter(|decl| decl.name == name).count() == 1
}

/// A mask as a text of its own.
pub(crate) fn masked(comps: u8) -> String {
    let mut text = String::new();
    mask(&mut text, comps);
    text
}

/// Four words, as numbers where they are finite.
fn vector(words: &[u32]) -> String {
    let words = words.iter().copied().chain([0; 4]).take(4).map(|bits| {
        let float = f32::from_bits(bits);
        if float.is_finite() { format!("{float:?}") } else { format!("0x{bits:08x}") }
    });
    format!("{{{}}}", words.collect::<Vec<_>>().join(", "))
}
