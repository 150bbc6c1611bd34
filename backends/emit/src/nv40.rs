//! Microcode of NV40 and RSX, in a Cg binary that says where its constants stand.
//!
//! An instruction has one attribute and one constant, which follows it; what reads more of them moves all but one to registers before.
//! Choices, branches and discards test the condition code.

use crate::arb;
use crate::form::{Precision, Signs};
use crate::interface::Places;
use crate::program::{Line, Program, Reg, Src, Written};
use crate::target::{Abilities, Lookup, Meaning, Piece, Registers, Row, Rows, Target};
use crate::text::{self, mask, numbered};
use crate::vertex;
use parallax_container::{CgFragment, CgParameter};
use parallax_core::{AttrSemantic, BankVector, Interface, Interp, OutputRole, TexMode, TexOp, TexTarget};
use parallax_num::Op;
use parallax_nvfp::nv40::build::{self, File, Register, Test, Word};
use parallax_nvfp::nv40::{self, Order};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
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
    formulas: None,
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
pub(crate) const CHOOSE: Row = Row { signed: 7, absolute: 7, scalars: 0, ..Row::new(&"CMP") };

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

/// Where a register of the program is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Place {
    Register(Register),
    Attribute(u16),
    /// A constant, by its number among those of the program.
    Constant(u32),
    /// Not made: the abilities say so.
    Nowhere,
}

/// A vector of constants that the program has.
struct Constant {
    words: [u32; 4],
    text: String,
    /// Its bank and number, of constants with names.
    name: Option<BankVector>,
}

/// A source as an instruction reads it.
#[derive(Copy, Clone)]
struct Read {
    place: Place,
    swizzle: [u8; 4],
    signs: Signs,
    is_scalar: bool,
}

type Reads = SmallVec<[Read; 3]>;

/// A block that is open.
struct Block {
    /// The label of its end, and that of the other branch where it has not begun.
    end: u32,
    other: Option<u32>,
    has_else: bool,
    /// Its flow word.
    at: usize,
}

/// The assembly of a program and its words, while they are written.
struct Assembly<'a> {
    program: &'a Program<'a>,
    text: String,
    words: Vec<Word>,
    /// The words of mnemonics that were written.
    bases: Vec<(&'static str, Word)>,
    /// The register of each temporary.
    temps: Vec<u32>,
    /// Slots of 16 bytes so far.
    slots: u32,
    labels: u32,
    open: Vec<Block>,
    constants: Vec<Constant>,
    /// The numbers of literals and of constants with names.
    literals: Vec<Option<u32>>,
    numbers: FxHashMap<BankVector, u32>,
    /// Places of constants by bank and vector, in the order of first reads.
    named: Vec<(BankVector, Vec<u32>)>,
    samplers: Vec<(u16, &'static str)>,
    highest: u32,
    discards: bool,
    /// What no table of the set has.
    missing: Vec<String>,
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
        text: String::with_capacity(program.lines.len() * 40),
        words: Vec::with_capacity(program.lines.len() * 2),
        bases: Vec::new(),
        temps,
        slots: 0,
        labels: 0,
        open: Vec::new(),
        constants: Vec::new(),
        literals: vec![None; program.imms.len()],
        numbers: FxHashMap::default(),
        named: Vec::new(),
        samplers: Vec::new(),
        highest: 0,
        discards: false,
        missing: Vec::new(),
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
    if assembly.text.is_empty() || assembly.text.ends_with(":\n") {
        assembly.push("NOP", "", |word| word, &[]);
        assembly.text.push('\n');
    }
    problems.extend(std::mem::take(&mut assembly.missing));
    if !problems.is_empty() {
        problems.dedup();
        return Err(problems);
    }
    Ok(assembly.written())
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
    /// Adds the word of an instruction, and its mnemonic with what stands behind it. `make` gives the word all but its sources.
    fn push(&mut self, mnemonic: &'static str, behind: &str, make: impl FnOnce(Word) -> Word, reads: &[Read]) {
        self.text.push_str(mnemonic);
        self.text.push_str(behind);
        // Looked up once: nearly all lines have one of a few mnemonics.
        let known = self.bases.iter().find(|(known, _)| std::ptr::eq(*known, mnemonic)).map(|&(_, base)| base);
        let base = known.or_else(|| {
            let base = Word::new(mnemonic)?;
            self.bases.push((mnemonic, base));
            Some(base)
        });
        let Some(word) = base else {
            return self.missing.push(format!("`{mnemonic}`: NV40 microcode has no such instruction"));
        };
        let mut word = make(word);
        self.slots += 1;
        let mut constant = None;
        for (n, read) in reads.iter().enumerate() {
            let file = match read.place {
                Place::Register(register) => File::Register(register),
                Place::Attribute(index) => File::Attribute(self.attribute(index)),
                Place::Constant(number) => {
                    constant = Some(number);
                    File::Constant(self.constants[number as usize].words)
                }
                Place::Nowhere => continue,
            };
            let swizzle = if read.is_scalar { [read.swizzle[0]; 4] } else { read.swizzle };
            word = word.source(n, file, swizzle, read.signs.negate, read.signs.absolute);
        }
        self.words.push(word);
        let Some(number) = constant else { return };
        if let Some(name) = self.constants[number as usize].name {
            let place = self.slots * 16;
            match self.named.iter_mut().find(|(known, _)| *known == name) {
                Some((_, places)) => places.push(place),
                None => self.named.push((name, vec![place])),
            }
        }
        self.slots += 1;
    }

    /// The number of an attribute that is read: `f[TEX0]`.
    fn attribute(&self, index: u16) -> u64 {
        let name = self.program.places.attribute(index);
        name.strip_prefix("f[").and_then(|name| build::attribute(name.strip_suffix(']')?)).unwrap_or(0)
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// Another label on a line of its own.
    fn put_label(&mut self, label: u32) {
        numbered(&mut self.text, "L", label, ":\n");
    }

    fn scratch(&mut self, n: u32) -> Place {
        let register = self.temps.get((self.program.temps + n) as usize).copied().unwrap_or(REGISTERS - 1);
        self.highest = self.highest.max(register);
        Place::Register(Register::Full(register))
    }

    fn place(&mut self, reg: Reg) -> Place {
        let register = match reg {
            Reg::Temp(n) => self.temps.get(n as usize).copied().unwrap_or(REGISTERS - 1),
            // Two in each of the registers behind those for extra moves, so that none shares bits with one of full size.
            Reg::Half(n) => {
                let at = (self.program.temps + SCRATCH + n / 2) as usize;
                let register = self.temps.get(at).copied().unwrap_or(REGISTERS - 1);
                self.highest = self.highest.max(register);
                return Place::Register(Register::Half(register * 2 + n % 2));
            }
            Reg::Output(n) => {
                self.program.iface.outputs.get(usize::from(n)).and_then(|output| result(output.role)).unwrap_or(0)
            }
            Reg::Attr(index) => return Place::Attribute(index),
            Reg::Imm(n) => return self.literal(n),
            Reg::Const(bank, index) => return self.constant((bank, index)),
            Reg::ConstAt(..) | Reg::Buffer(_) | Reg::System(_) => return Place::Nowhere,
        };
        self.highest = self.highest.max(register);
        Place::Register(Register::Full(register))
    }

    fn add_constant(&mut self, words: [u32; 4], name: Option<BankVector>) -> u32 {
        self.constants.push(Constant { words, text: vector(words), name });
        self.constants.len() as u32 - 1
    }

    fn literal(&mut self, n: u32) -> Place {
        let at = n as usize;
        let known = self.literals.get(at).copied().flatten();
        let number = known.unwrap_or_else(|| {
            let mut words = [0; 4];
            let values = self.program.imms.get(at).map_or(&[][..], |words| words);
            words.iter_mut().zip(values).for_each(|(to, from)| *to = *from);
            let number = self.add_constant(words, None);
            if let Some(literal) = self.literals.get_mut(at) {
                *literal = Some(number);
            }
            number
        });
        Place::Constant(number)
    }

    fn constant(&mut self, name: BankVector) -> Place {
        let known = self.numbers.get(&name).copied();
        let number = known.unwrap_or_else(|| {
            let found = self.program.iface.constants.iter().find(|decl| (decl.bank, decl.index) == name);
            let number = self.add_constant(found.and_then(|decl| decl.default).unwrap_or([0; 4]), Some(name));
            self.numbers.insert(name, number);
            number
        });
        Place::Constant(number)
    }

    /// Writes where something is.
    fn write_place(&mut self, place: Place) {
        match place {
            Place::Register(Register::Full(number)) => numbered(&mut self.text, "R", number, ""),
            Place::Register(Register::Half(number)) => numbered(&mut self.text, "H", number, ""),
            Place::Attribute(index) => self.text.push_str(self.program.places.attribute(index)),
            Place::Constant(number) => self.text.push_str(&self.constants[number as usize].text),
            Place::Nowhere => {}
        }
    }

    /// Writes sources, each behind a comma.
    fn write_reads(&mut self, reads: &[Read]) {
        for read in reads {
            let Signs { negate, absolute } = read.signs;
            self.text.push_str(if negate { ", -" } else { ", " });
            self.text.push_str(if absolute { "|" } else { "" });
            self.write_place(read.place);
            text::swizzle(&mut self.text, read.swizzle, arb::swizzles(read.is_scalar));
            self.text.push_str(if absolute { "|" } else { "" });
        }
    }

    /// Sources as one instruction can read them: what is too much is moved to registers before.
    fn sources(&mut self, srcs: &[Src], scalars: u8) -> Reads {
        let (mut constant, mut attribute) = (None, None);
        let mut moved: SmallVec<[Reg; 2]> = SmallVec::new();
        let mut reads = Reads::new();
        for (n, src) in srcs.iter().enumerate() {
            let mut place = self.place(src.reg);
            let fits = match place {
                Place::Constant(_) => *constant.get_or_insert(place) == place,
                Place::Attribute(index) => {
                    let spelling = self.program.places.attribute(index);
                    *attribute.get_or_insert(spelling) == spelling
                }
                _ => true,
            };
            if !fits {
                let known = moved.iter().position(|reg| *reg == src.reg);
                let scratch = self.scratch(known.unwrap_or(moved.len()) as u32);
                if known.is_none() {
                    moved.push(src.reg);
                    self.copy(scratch, place);
                }
                place = scratch;
            }
            reads.push(Read { place, swizzle: src.swizzle, signs: src.signs, is_scalar: scalars >> n & 1 != 0 });
        }
        reads
    }

    /// Copies a whole register.
    fn copy(&mut self, to: Place, from: Place) {
        let Place::Register(register) = to else { return };
        let read = Read { place: from, swizzle: [0, 1, 2, 3], signs: Signs::default(), is_scalar: false };
        self.push("MOV", "R ", |word| word.result(register, 0xf), &[read]);
        self.write_place(to);
        self.write_reads(&[read]);
        self.text.push('\n');
    }

    /// Moves an operand, and sets the condition code by it.
    fn test(&mut self, src: &Src, comps: u8, is_scalar: bool) {
        let reads = self.sources(std::slice::from_ref(src), u8::from(is_scalar));
        self.push("MOV", "RC RC", |word| word.condition(comps), &reads);
        mask(&mut self.text, comps);
        self.write_reads(&reads);
        self.text.push('\n');
    }

    fn line(&mut self, line: &Line, has_else: bool) -> Result<(), String> {
        match line {
            Line::Op { dst: None, srcs, .. } => {
                self.discards = true;
                self.test(&srcs[0], 0xf, false);
                self.push("KIL", " LT\n", |word| word.when(Test::Less), &[]);
            }
            Line::Op { row, saturate, dst: Some(dst), srcs, .. } if *row == CHOOSE => {
                self.choose(*dst, srcs, *saturate);
            }
            Line::Op { row, saturate, precision, dst: Some((reg, comps)), srcs, texture, .. } => {
                let reads = self.sources(srcs, row.scalars);
                if let Some(tex) = texture {
                    self.sampler(tex)?;
                }
                let to = self.place(*reg);
                let unit = texture.as_ref().map_or(0, |tex| tex.unit.into());
                let format = match precision {
                    Precision::Full => 0,
                    Precision::Half => 1,
                    Precision::Fixed => 2,
                };
                let make = |word: Word| {
                    let word = word.precision(format).unit(unit);
                    let word = if *saturate { word.saturated() } else { word };
                    if let Place::Register(register) = to { word.result(register, *comps) } else { word }
                };
                self.push(row.name, arb::letter(*precision), make, &reads);
                self.text.push_str(if *saturate { "_SAT " } else { " " });
                self.write_place(to);
                mask(&mut self.text, *comps);
                self.write_reads(&reads);
                if let Some(tex) = texture {
                    numbered(&mut self.text, ", TEX", tex.unit.into(), "");
                }
                self.text.push('\n');
            }
            Line::If { src, .. } => {
                self.test(src, 1, true);
                let end = self.label();
                let other = if has_else { Some(self.label()) } else { None };
                self.open.push(Block { end, other, has_else, at: self.words.len() });
                self.push("IF", " NE.x", |word| word.when_x(Test::NotEqual), &[]);
                numbered(&mut self.text, ", L", other.unwrap_or(end), "");
                numbered(&mut self.text, ", L", end, "\n");
            }
            Line::Else => {
                if let Some((label, at)) = self.open.last_mut().and_then(|block| Some((block.other.take()?, block.at)))
                {
                    self.put_label(label);
                    self.words[at].set_other(self.slots.into());
                }
            }
            Line::EndIf | Line::EndLoop => {
                if let Some(block) = self.open.pop() {
                    self.put_label(block.end);
                    let word = &mut self.words[block.at];
                    word.set_end(self.slots.into());
                    // The other branch, where there is none, begins at the end.
                    if matches!(line, Line::EndIf) && !block.has_else {
                        word.set_other(self.slots.into());
                    }
                }
            }
            Line::Loop { rounds } => {
                let end = self.label();
                let count = rounds.unwrap_or(255);
                self.open.push(Block { end, other: None, has_else: false, at: self.words.len() });
                self.push("REP", " ", |word| word.count(count.into()).always(), &[]);
                numbered(&mut self.text, "", count, "");
                numbered(&mut self.text, ", L", end, "\n");
            }
            Line::Break => self.push("BRK", "\n", Word::always, &[]),
            // Neither is made: the abilities say so.
            Line::Continue | Line::Address { .. } => {}
        }
        Ok(())
    }

    /// One arm everywhere, and the other where the condition holds: a NaN is not below zero.
    fn choose(&mut self, (reg, comps): (Reg, u8), srcs: &[Src], saturate: bool) {
        let [condition, then, other] = srcs else { return };
        self.test(condition, comps, false);
        let to = self.place(reg);
        let mut kept = None;
        if then.reg == reg {
            // What is written first would be read.
            let place = self.scratch(0);
            self.copy(place, to);
            kept = Some(Read { place, swizzle: then.swizzle, signs: then.signs, is_scalar: false });
        }
        for (src, is_under_condition) in [(other, false), (then, true)] {
            let reads = match kept.filter(|_| is_under_condition) {
                Some(read) => Reads::from_iter([read]),
                None => self.sources(std::slice::from_ref(src), 0),
            };
            let make = |word: Word| {
                let word = if saturate { word.saturated() } else { word };
                let word = if let Place::Register(register) = to { word.result(register, comps) } else { word };
                if is_under_condition { word.when(Test::Less) } else { word }
            };
            self.push("MOV", if saturate { "R_SAT " } else { "R " }, make, &reads);
            self.write_place(to);
            mask(&mut self.text, comps);
            self.text.push_str(if is_under_condition { "(LT)" } else { "" });
            self.write_reads(&reads);
            self.text.push('\n');
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

    /// The text and the Cg binary.
    fn written(self) -> Written {
        let code = build::encode(&self.words, Order::Le);
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
        Written { text: self.text, binary: Some(file.write()), instructions: self.words.len(), vectors }
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
fn vector(words: [u32; 4]) -> String {
    let words = words.map(|bits| {
        let float = f32::from_bits(bits);
        if float.is_finite() { format!("{float:?}") } else { format!("0x{bits:08x}") }
    });
    format!("{{{}}}", words.join(", "))
}
