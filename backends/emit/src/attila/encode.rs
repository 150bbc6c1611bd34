//! Words of a program. What an operation is in words is learned from the assembler, once for each opcode and kinds of its operands;
//! other instructions are assembled from their texts.

use crate::code::{Range, Shapes, Template};
use crate::program::{Program, Reg, Src};
use crate::target::Row;
use crate::text::{self, Swizzles, numbered};
use parallax_attila::{Instr, fields, read_instruction};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Sources of an operation.
const SOURCES: usize = 3;
/// The numbers of an operation: its predicate, its texture unit, the register and mask of its result, register and swizzle of each
/// source.
const NUMBERS: usize = 4 + 2 * SOURCES;
type Numbers = [u64; NUMBERS];
/// The highest number of a texture unit.
const UNITS: u16 = 15;

/// The flag of the last instruction.
const END: u128 = fields::END.mask().word();

/// Names of labels, in front of their numbers.
pub(super) const AGAIN: &str = "again";
pub(super) const DONE: &str = "done";

thread_local! {
    /// What the programs of this thread have shown so far.
    static SHAPES: RefCell<Shapes<Template<2>>> = RefCell::default();
}

/// An operation on vectors.
#[derive(Copy, Clone, Debug)]
pub(super) struct Operation<'a> {
    pub(super) row: Row,
    pub(super) saturate: bool,
    /// The predicate that it is under.
    pub(super) guard: Option<u32>,
    pub(super) to: (Reg, u8),
    pub(super) sources: &'a [Src],
    pub(super) unit: Option<u16>,
}

impl Operation<'_> {
    /// Its text. `register` writes a register.
    pub(super) fn put(&self, text: &mut String, register: impl Fn(&mut String, Reg)) {
        if let Some(guard) = self.guard {
            numbered(text, "(p", guard, ") ");
        }
        text.push_str(self.row.name);
        text.push_str(if self.saturate { "_sat" } else { "" });
        text::operands(text, Some(self.to), self.sources, |_| Swizzles::Short, register);
        if let Some(unit) = self.unit {
            numbered(text, ", t", unit.into(), "");
        }
    }

    /// What it has in common with those whose words differ in numbers alone. `None` where a register is at an address or does not exist.
    fn shape(&self, program: &Program<'_>, numbers: &mut Numbers) -> Option<u64> {
        let (to, comps) = self.to;
        let (to, number) = placed(program, to)?;
        if self.unit.is_some_and(|unit| unit > UNITS) {
            return None;
        }
        let guard = self.guard.map_or(0, u64::from);
        [numbers[0], numbers[1], numbers[2], numbers[3]] =
            [guard, self.unit.map_or(0, u64::from), number, comps.into()];
        let flags = [self.saturate, self.guard.is_some(), self.unit.is_some()];
        let mut shape = flags.iter().fold(1 << 2 | to as u64, |shape, &flag| shape << 1 | u64::from(flag));
        for (n, source) in self.sources.iter().enumerate() {
            let (file, number) = placed(program, source.reg)?;
            let places = numbers.get_mut(4 + 2 * n..6 + 2 * n)?;
            places[0] = number;
            places[1] = swizzle(source.swizzle, self.row.scalars >> n & 1 != 0);
            let signs = u64::from(source.signs.negate) | u64::from(source.signs.absolute) << 1;
            shape = shape << 4 | (file as u64) << 2 | signs;
        }
        Some(shape << 32 | u64::from(self.row.key))
    }
}

/// Files of registers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum File {
    Temporary,
    Constant,
    Input,
    Output,
}

impl File {
    /// The highest number of a register.
    const fn most(self) -> u64 {
        match self {
            File::Temporary => 31,
            File::Constant => 511,
            File::Input | File::Output => 15,
        }
    }
}

/// The file and the number of a register, if it is known and there is one of this number.
fn placed(program: &Program<'_>, reg: Reg) -> Option<(File, u64)> {
    let numbered = |name: &str| name.get(1..)?.parse().ok();
    let (file, number): (File, u64) = match reg {
        Reg::Temp(n) => (File::Temporary, n.into()),
        Reg::Imm(_) | Reg::Const(..) => (File::Constant, super::constant(program, reg)?.into()),
        Reg::Attr(index) => (File::Input, numbered(program.places.attribute(index))?),
        Reg::Output(index) => (File::Output, numbered(program.places.output(index))?),
        _ => return None,
    };
    (number <= file.most()).then_some((file, number))
}

/// The components that a source reads as a number: of one component that alone.
fn swizzle(comps: [u8; 4], is_scalar: bool) -> u64 {
    let count = if is_scalar { 1 } else { 4 };
    comps.iter().take(count).rev().fold(0, |bits, &comp| bits << 2 | u64::from(comp & 3))
}

/// Learns the words of operations like one.
fn learn(operation: &Operation<'_>, program: &Program<'_>) -> Option<Template<2>> {
    let registers = |file: File| Range::new(0, file.most());
    let mut ranges = [Range::new(0, 0); NUMBERS];
    let (to, _) = placed(program, operation.to.0)?;
    let mut files = [to; 1 + SOURCES];
    let guard = Range::new(0, if operation.guard.is_some() { 31 } else { 0 });
    let unit = Range::new(0, if operation.unit.is_some() { UNITS.into() } else { 0 });
    [ranges[0], ranges[1], ranges[2], ranges[3]] = [guard, unit, registers(to), Range::new(0xf, 0xf)];
    for (n, source) in operation.sources.iter().enumerate() {
        let (file, _) = placed(program, source.reg)?;
        *files.get_mut(1 + n)? = file;
        ranges[4 + 2 * n] = registers(file);
        let is_scalar = operation.row.scalars >> n & 1 != 0;
        ranges[5 + 2 * n] = if is_scalar { Range::new(0, 3) } else { Range::new(0b11_10_01_00, 0xff) };
    }
    let spelled = |file, number: u64| match file {
        File::Temporary => Reg::Temp(number as u32),
        File::Constant => Reg::Imm(number as u32),
        File::Input => Reg::Attr(number as u16),
        File::Output => Reg::Output(number as u16),
    };
    let mut sources = operation.sources.to_vec();
    let mut text = String::new();
    Template::learn(&ranges, |numbers| {
        if numbers[3] == 0 {
            return None;
        }
        for (n, source) in sources.iter_mut().enumerate() {
            source.reg = spelled(files[1 + n], numbers[4 + 2 * n]);
            let bits = numbers[5 + 2 * n];
            let is_scalar = operation.row.scalars >> n & 1 != 0;
            source.swizzle = std::array::from_fn(|comp| (bits >> if is_scalar { 0 } else { 2 * comp }) as u8 & 3);
        }
        let other = Operation {
            guard: operation.guard.map(|_| numbers[0] as u32),
            to: (spelled(to, numbers[2]), numbers[3] as u8),
            sources: &sources,
            unit: operation.unit.map(|_| numbers[1] as u16),
            ..*operation
        };
        text.clear();
        other.put(&mut text, |text, reg| match reg {
            Reg::Temp(n) => numbered(text, "r", n, ""),
            Reg::Imm(n) => numbered(text, "c", n, ""),
            Reg::Attr(n) => numbered(text, "i", n.into(), ""),
            Reg::Output(n) => numbered(text, "o", n.into(), ""),
            _ => {}
        });
        let (instr, _) = read_instruction(&text).ok()?;
        Some([instr.word() as u64, (instr.word() >> 64) as u64])
    })
}

/// A program in the making.
pub(super) struct Encoder {
    words: Vec<u128>,
    /// Which instruction each label stands in front of.
    labels: FxHashMap<(&'static str, u32), usize>,
    /// Jumps, and where they lead.
    jumps: Vec<(usize, (&'static str, u32), Instr)>,
    shapes: Shapes<Template<2>>,
    /// The first instruction that the assembler refuses.
    problem: Option<String>,
}

impl Encoder {
    /// `lines`: how many instructions are expected.
    pub(super) fn new(lines: usize) -> Encoder {
        Encoder {
            words: Vec::with_capacity(lines),
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            shapes: SHAPES.take().kept(),
            problem: None,
        }
    }

    /// The place of a label.
    pub(super) fn label(&mut self, name: &'static str, number: u32) {
        self.labels.insert((name, number), self.words.len());
    }

    /// One more operation.
    pub(super) fn operation(&mut self, operation: &Operation<'_>, program: &Program<'_>) {
        let mut numbers = [0; NUMBERS];
        let template = operation.shape(program, &mut numbers).and_then(|shape| {
            if self.shapes.get(shape).is_none() {
                self.shapes.learned(shape, || learn(operation, program));
            }
            self.shapes.get(shape)
        });
        match template {
            Some(template) => {
                let [low, high] = template.code(&numbers);
                self.words.push(u128::from(high) << 64 | u128::from(low));
            }
            None => {
                let mut text = String::new();
                operation.put(&mut text, |text, reg| super::register(program, reg, text));
                self.text(&text);
            }
        }
    }

    /// One more instruction, from its text.
    pub(super) fn text(&mut self, text: &str) {
        let mut word = 0;
        match read_instruction(text) {
            Ok((instr, label)) => {
                let named = |start| Some((start, label?.strip_prefix(start)?.parse().ok()?));
                if let Some(label) = named(AGAIN).or_else(|| named(DONE)) {
                    self.jumps.push((self.words.len(), label, instr));
                }
                word = instr.word();
            }
            Err(diag) => {
                self.problem.get_or_insert_with(|| format!("`{text}` does not assemble: {}", diag.message));
            }
        }
        self.words.push(word);
    }

    /// The bytes, of which the last instruction says that it is the end.
    ///
    /// # Errors
    /// What the assembler refuses.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, String> {
        for (at, label, instr) in std::mem::take(&mut self.jumps) {
            let target = self.labels.get(&label).copied().unwrap_or_default();
            self.words[at] = instr.with_distance((target as i64 - at as i64) as i32).word();
        }
        if let Some(last) = self.words.last_mut() {
            *last |= END;
        }
        match self.problem.take() {
            Some(problem) => Err(problem),
            None => {
                let mut bytes = Vec::with_capacity(size_of_val(&self.words[..]));
                self.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
                Ok(bytes)
            }
        }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        SHAPES.set(std::mem::take(&mut self.shapes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translate_to_words;
    use parallax::load;

    #[test]
    fn every_shape_of_the_corpus_is_learned() {
        let mut count = 0;
        for file in parallax_corpus::shaders() {
            let Some(shader) = load(file.path, file.bytes, &parallax::LoadOptions::default()).shader else { continue };
            count +=
                usize::from(translate_to_words(&parallax_opt::canonicalise(shader), &super::super::TARGET).is_ok());
        }
        let (learned, others) = SHAPES.take().counts();
        assert!(count > 40 && learned > 150, "{count} programs, {learned} shapes");
        assert_eq!(others, 0, "shapes without a template");
    }
}
