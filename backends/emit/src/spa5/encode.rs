//! Words of a program, in bundles. What an operation is in words is learned from the assembler, once for each form and kinds of its
//! operands; rarer instructions are assembled from their texts.

use super::emit::{Code, OPERANDS, Operation, Read, Words};
use super::forms::{Form, Short};
use super::schedule::Bits;
use super::text::put_operation;
use crate::form::Base;
use crate::scalar::code::{Range, Template};
use crate::scalar::moves::Source;
use crate::scalar::registers::Place;
use parallax_isa::{Cursor, Out};
use parallax_spa5::{Addresses, Instr, bundles, fields, read_instruction};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Words of a bundle: one of control bits and three instructions.
const BUNDLE: usize = 4;
/// Bits of each in the first.
const CONTROL: usize = 21;
/// What stands for no barrier.
const NO_BARRIER: u32 = 7;
/// Added to the cycles of an instruction behind which no other warp takes over.
const KEEPS: u32 = 16;

/// Templates by the shapes of operations; of a shape without one, each operation is assembled.
type Templates = FxHashMap<u64, Option<Template<1>>>;

thread_local! {
    /// Those that programs needed so far.
    static TEMPLATES: RefCell<Templates> = RefCell::default();
}

/// A program in the making.
pub(super) struct Encoder {
    words: Vec<u64>,
    /// Which instruction each label stands in front of.
    labels: Vec<usize>,
    /// Jumps, and where they lead.
    jumps: Vec<(usize, usize, Instr)>,
    templates: Templates,
    spelled: Out,
    /// The first instruction that the assembler refuses.
    problem: Option<String>,
}

impl Encoder {
    /// `statements`: how many instructions are expected.
    pub(super) fn new(statements: usize) -> Encoder {
        Encoder {
            words: Vec::with_capacity(statements.next_multiple_of(3) / 3 * BUNDLE),
            labels: Vec::new(),
            jumps: Vec::new(),
            templates: TEMPLATES.take(),
            spelled: Out::new(),
            problem: None,
        }
    }

    /// How many instructions there are.
    fn count(&self) -> usize {
        self.words.len() - self.words.len().div_ceil(BUNDLE)
    }

    /// The place of a label.
    pub(super) fn label(&mut self, number: u32) {
        let (number, count) = (number as usize, self.count());
        if self.labels.len() <= number {
            self.labels.resize(number + 1, 0);
        }
        self.labels[number] = count;
    }

    /// One more instruction.
    #[inline]
    pub(super) fn push(&mut self, code: &Code, bits: &Bits) {
        let word = match &code.words {
            Words::Operation(operation) => self.operation(operation),
            Words::Text(text) => self.text(&text.text),
        };
        let barrier = bits.signals.map_or(NO_BARRIER, u32::from);
        let (write, read) = if code.writes().next().is_some() { (barrier, NO_BARRIER) } else { (NO_BARRIER, barrier) };
        let schedule = bits.stall + if bits.yields() { 0 } else { KEEPS };
        self.put(word, schedule | write << 5 | read << 8 | u32::from(bits.waits) << 11);
    }

    fn put(&mut self, word: u64, control: u32) {
        if self.words.len().is_multiple_of(BUNDLE) {
            self.words.push(0);
        }
        let slot = self.words.len() % BUNDLE;
        let first = self.words.len() - slot;
        self.words[first] |= u64::from(control) << (CONTROL * (slot - 1));
        self.words.push(word);
    }

    /// The word of a text without control bits.
    fn text(&mut self, text: &str) -> u64 {
        match read_instruction(text) {
            Ok((instr, label)) => {
                if let Some(number) = label.and_then(|name| name.strip_prefix('L')?.parse().ok()) {
                    self.jumps.push((self.count(), number, instr));
                }
                instr.word()
            }
            Err(diag) => {
                self.problem.get_or_insert_with(|| format!("`{text}` does not assemble: {}", diag.message));
                0
            }
        }
    }

    #[inline]
    fn operation(&mut self, operation: &Operation) -> u64 {
        let (shape, numbers) = Shape::of(operation);
        let known = self.templates.get(&shape.0);
        let template = match known {
            Some(known) => known,
            None => {
                let learned = learn(operation, &mut self.spelled);
                self.templates.entry(shape.0).insert_entry(learned).into_mut()
            }
        };
        match template {
            Some(template) => template.code(&numbers)[0],
            None => {
                let text = spelled(&mut self.spelled, |line| put_operation(line, operation)).to_string();
                self.text(&text)
            }
        }
    }

    /// All bundles.
    ///
    /// # Errors
    /// What the assembler refuses.
    pub(super) fn finish(mut self) -> Result<Vec<u64>, String> {
        let addresses = Addresses::default();
        for (at, label, instr) in std::mem::take(&mut self.jumps) {
            let target = self.labels.get(label).copied().unwrap_or_default();
            let (from, to) = (addresses.of_instruction(at) as i64, addresses.of_label(target) as i64);
            let distance = to - (from + 8);
            match instr.with_distance(distance) {
                Some(instr) => self.words[at / 3 * BUNDLE + at % 3 + 1] = instr.word(),
                None => {
                    self.problem.get_or_insert_with(|| format!("a jump of {distance} bytes is too far"));
                }
            }
        }
        let filler = bundles().filler;
        while !self.words.len().is_multiple_of(BUNDLE) {
            self.put(filler.word() as u64, fields::NO_CONTROL);
        }
        match self.problem.take() {
            Some(problem) => Err(problem),
            None => Ok(std::mem::take(&mut self.words)),
        }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        TEMPLATES.set(std::mem::take(&mut self.templates));
    }
}

/// A text of one line.
fn spelled(out: &mut Out, print: impl FnOnce(&mut Cursor<'_>)) -> &str {
    out.clear();
    out.line(print);
    out.as_str()
}

/// What operations have in common whose words differ in numbers alone: the form, and of which kinds the operands are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Shape(u64);

/// What an operand is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Nothing,
    Word,
    Predicate,
    /// RZ, or a predicate that is known.
    Zero,
    True,
    False,
    Short,
    Long,
    Constant,
}

/// The numbers of the result and of the operands.
type Numbers = [u64; 1 + OPERANDS];

impl Shape {
    #[inline]
    fn of(operation: &Operation) -> (Shape, Numbers) {
        let Operation { form, clamps, to, reads } = operation;
        let is_long = operation.is_long();
        let mut numbers = [0; 1 + OPERANDS];
        let (kind, number) = to.map_or((Kind::Nothing, 0), placed);
        numbers[0] = number;
        let mut shape = u64::from(form.number()) | u64::from(*clamps) << 16 | (kind as u64) << 17;
        for (n, read) in reads.iter().enumerate() {
            let Some(read) = read else { continue };
            let is_predicate = form.predicates >> n & 1 != 0;
            let (kind, number) = read_kind(read, is_predicate, is_long);
            numbers[n + 1] = number;
            let signs = u64::from(read.signs.negate) | u64::from(read.signs.absolute) << 1;
            shape |= (kind as u64 | signs << 4) << (24 + 8 * n);
        }
        (Shape(shape), numbers)
    }
}

/// The kind of a place, and its number.
#[inline]
fn placed(place: Place) -> (Kind, u64) {
    match place {
        Place::Word(number) => (Kind::Word, number.into()),
        Place::Predicate(number) => (Kind::Predicate, number.into()),
    }
}

/// The kind of an operand, and its number: of a register, of bits, of a bank and a byte there.
#[inline]
fn read_kind(read: &Read, is_predicate: bool, is_long: bool) -> (Kind, u64) {
    match read.from {
        Source::Place(place, _) => placed(place),
        Source::Other(Base::Imm(bits)) if is_predicate => {
            (if (bits == 0) != read.signs.negate { Kind::False } else { Kind::True }, 0)
        }
        Source::Other(Base::Imm(0)) => (Kind::Zero, 0),
        Source::Other(Base::Imm(bits)) => (if is_long { Kind::Long } else { Kind::Short }, bits.into()),
        Source::Other(Base::Const { bank, index, comp }) => {
            (Kind::Constant, u64::from(bank) << 32 | u64::from(index) << 4 | u64::from(comp) << 2)
        }
        Source::Other(_) => (Kind::Zero, 0),
    }
}

/// What a number of a kind can be.
fn range(kind: Kind, form: &Form) -> Range {
    match kind {
        Kind::Word => Range::new(0, 0xff),
        Kind::Predicate => Range::new(0, 7),
        Kind::Constant => Range::new(0, 0x1f_0000_7ffc),
        // Not one of 20 bits, whichever bit is another.
        Kind::Long => Range::new(0x1234_5679, 0xffff_ffff),
        Kind::Short => match form.short {
            Some((_, Short::Float)) => Range::new(0x40c0_0000, 0xffff_f000),
            Some((_, Short::Lane)) => Range::new(3, 0x1f),
            _ => Range { start: 3, free: 0x7_ffff, together: 0xfff8_0000 },
        },
        Kind::Nothing | Kind::Zero | Kind::True | Kind::False => Range::new(0, 0),
    }
}

/// Learns the words of operations like one.
fn learn(operation: &Operation, out: &mut Out) -> Option<Template<1>> {
    let kinds = kinds(operation);
    let mut ranges = [Range::new(0, 0); 1 + OPERANDS];
    for (range_here, kind) in ranges.iter_mut().zip(kinds) {
        *range_here = range(kind, operation.form);
    }
    let (shape, _) = Shape::of(operation);
    Template::learn(&ranges, |numbers| {
        let other = with_numbers(operation, kinds, numbers);
        // Other numbers may be of other kinds: the literal 0 is a register.
        if Shape::of(&other).0 != shape {
            return None;
        }
        let (instr, _) = read_instruction(spelled(out, |line| put_operation(line, &other))).ok()?;
        Some([instr.word()])
    })
}

/// The kinds of the result and of the operands.
fn kinds(operation: &Operation) -> [Kind; 1 + OPERANDS] {
    let mut kinds = [Kind::Nothing; 1 + OPERANDS];
    kinds[0] = operation.to.map_or(Kind::Nothing, |to| placed(to).0);
    for (n, read) in operation.reads.iter().enumerate() {
        if let Some(read) = read {
            let is_predicate = operation.form.predicates >> n & 1 != 0;
            kinds[n + 1] = read_kind(read, is_predicate, operation.is_long()).0;
        }
    }
    kinds
}

/// An operation with other numbers.
fn with_numbers(operation: &Operation, kinds: [Kind; 1 + OPERANDS], numbers: &[u64]) -> Operation {
    let place = |kind, number: u64| match kind {
        Kind::Word => Some(Place::Word(number as u32)),
        Kind::Predicate => Some(Place::Predicate(number as u8)),
        _ => None,
    };
    let mut other = *operation;
    if let Some(to) = place(kinds[0], numbers[0]) {
        other.to = Some(to);
    }
    for ((read, kind), &number) in other.reads.iter_mut().zip(&kinds[1..]).zip(&numbers[1..]) {
        let Some(read) = read else { continue };
        if let (Source::Place(_, not), Some(place)) = (read.from, place(*kind, number)) {
            read.from = Source::Place(place, not);
        }
        match kind {
            Kind::Short | Kind::Long => read.from = Source::Other(Base::Imm(number as u32)),
            Kind::Constant => {
                let (bank, index, comp) = ((number >> 32) as u16, number as u32 >> 4, (number >> 2 & 3) as u8);
                read.from = Source::Other(Base::Const { bank, index, comp });
            }
            _ => {}
        }
    }
    other
}
