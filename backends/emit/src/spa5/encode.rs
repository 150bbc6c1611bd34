//! Words of a program, in bundles. What an operation is in words is learned from the assembler, once for each form and kinds of its
//! operands; rarer instructions are assembled from their texts.

use super::emit::{Code, Lookup, OPERANDS, Operation, Read, What, Words};
use super::forms::{Form, Short};
use super::lower::fits;
use super::schedule::Bits;
use super::text::{put_lookup, put_operation};
use crate::code::{Range, Shapes, Template};
use crate::form::Base;
use crate::scalar::moves::Source;
use crate::scalar::registers::Place;
use parallax_isa::{Cursor, Out};
use parallax_spa5::{Addresses, Instr, bundles, fields, read_instruction};
use std::cell::RefCell;

/// Words of a bundle: one of control bits and three instructions.
const BUNDLE: usize = 4;
/// Bits of each in the first.
const CONTROL: usize = 21;
/// What stands for no barrier.
const NO_BARRIER: u32 = 7;
/// Added to the cycles of an instruction behind which no other warp takes over.
const KEEPS: u32 = 16;

/// The numbers of a lookup: its unit, its mask, the result and three groups of operands.
const LOOKUP: usize = 6;
/// The highest number of a texture unit.
const UNITS: u16 = 0x1fff;
/// What tells shapes of lookups from those of operations.
const LOOKUPS: u64 = 1 << 63;

thread_local! {
    /// What the programs of this thread have shown so far.
    static SHAPES: RefCell<Shapes<Template<1>>> = RefCell::default();
}

/// A program in the making.
pub(super) struct Encoder {
    words: Vec<u64>,
    /// Which instruction each label stands in front of.
    labels: Vec<usize>,
    /// Jumps, and where they lead.
    jumps: Vec<(usize, usize, Instr)>,
    shapes: Shapes<Template<1>>,
    spelled: Out,
    /// The first instruction that the assembler refuses.
    problem: Option<String>,
}

impl Encoder {
    /// `statements`: how many instructions are expected.
    pub(super) fn new(statements: usize) -> Encoder {
        Encoder {
            words: Vec::with_capacity(statements.div_ceil(3) * BUNDLE),
            labels: Vec::new(),
            jumps: Vec::new(),
            shapes: SHAPES.take().kept(),
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
            Words::Other(other) => match &other.what {
                What::Lookup(lookup) => self.lookup(lookup),
                What::Text(text) => self.text(text),
            },
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
        let mut numbers = [0; 1 + OPERANDS];
        let shape = Shape::of(operation, &mut numbers);
        let learned = |out: &mut Out| learn(operation, out);
        match self.filled(shape, &numbers, learned) {
            Some(word) => word,
            None => self.assembled(|line| put_operation(line, operation)),
        }
    }

    fn lookup(&mut self, lookup: &Lookup) -> u64 {
        if lookup.unit > UNITS {
            return self.assembled(|line| put_lookup(line, lookup));
        }
        let mut numbers = [0; LOOKUP];
        let shape = Shape::of_lookup(lookup, &mut numbers);
        let learned = |out: &mut Out| learn_lookup(lookup, out);
        match self.filled(shape, &numbers, learned) {
            Some(word) => word,
            None => self.assembled(|line| put_lookup(line, lookup)),
        }
    }

    /// The word of a shape with these numbers; `None` where it has no template.
    #[inline]
    fn filled(
        &mut self,
        shape: Shape,
        numbers: &[u64],
        learned: impl FnOnce(&mut Out) -> Option<Template<1>>,
    ) -> Option<u64> {
        let template = match self.shapes.get(shape.0) {
            Some(known) => known,
            None => self.shapes.learned(shape.0, || learned(&mut self.spelled))?,
        };
        Some(template.code(numbers)[0])
    }

    /// The word of a text that is printed for it.
    #[cold]
    fn assembled(&mut self, print: impl FnOnce(&mut Cursor<'_>)) -> u64 {
        let text = spelled(&mut self.spelled, print).to_string();
        self.text(&text)
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
        SHAPES.set(std::mem::take(&mut self.shapes));
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
    /// A literal that the instruction has no room for.
    Unfit,
    Constant,
}

impl Shape {
    /// That of an operation; the numbers of its result and of its operands are filled in.
    #[inline(always)]
    fn of(operation: &Operation, numbers: &mut [u64; 1 + OPERANDS]) -> Shape {
        let Operation { form, clamps, to, reads } = operation;
        let is_long = operation.is_long();
        let (kind, number) = to.map_or((Kind::Nothing, 0), placed);
        numbers[0] = number;
        let mut shape = u64::from(form.number()) | u64::from(*clamps) << 16 | (kind as u64) << 17;
        for (n, read) in reads.iter().enumerate() {
            let Some(read) = read else { continue };
            let (kind, number) = read_kind(form, n, read, is_long);
            numbers[n + 1] = number;
            let signs = u64::from(read.signs.negate) | u64::from(read.signs.absolute) << 1;
            shape |= (kind as u64 | signs << 4) << (24 + 8 * n);
        }
        Shape(shape)
    }

    /// That of a lookup; the numbers are its unit and mask, the result, and the first registers of its operands.
    fn of_lookup(lookup: &Lookup, numbers: &mut [u64; LOOKUP]) -> Shape {
        let to = lookup.to.map(|place| placed(place).1);
        [numbers[0], numbers[1], numbers[2]] = [lookup.unit.into(), lookup.mask.into(), to.unwrap_or(0)];
        for (number, &first) in numbers[3..].iter_mut().zip(&lookup.firsts) {
            *number = placed(first).1;
        }
        let kinds = u64::from(to.is_some()) | (lookup.firsts.len() as u64) << 1 | (lookup.target as u64) << 8;
        Shape(LOOKUPS | u64::from(lookup.form.number()) | kinds << 24)
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
fn read_kind(form: &Form, n: usize, read: &Read, is_long: bool) -> (Kind, u64) {
    let is_predicate = form.predicates >> n & 1 != 0;
    match read.from {
        Source::Place(place, _) => placed(place),
        Source::Other(Base::Imm(bits)) if is_predicate => {
            (if (bits == 0) != read.signs.negate { Kind::False } else { Kind::True }, 0)
        }
        Source::Other(Base::Imm(0)) => (Kind::Zero, 0),
        Source::Other(Base::Imm(bits)) => {
            let fits = |(_, short)| fits(bits, short);
            let kind = match () {
                () if is_long => Kind::Long,
                () if form.short.is_some_and(fits) => Kind::Short,
                () => Kind::Unfit,
            };
            (kind, bits.into())
        }
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
        Kind::Nothing | Kind::Zero | Kind::True | Kind::False | Kind::Unfit => Range::new(0, 0),
    }
}

/// Learns the words of operations like one.
fn learn(operation: &Operation, out: &mut Out) -> Option<Template<1>> {
    let kinds = kinds(operation);
    if kinds.contains(&Kind::Unfit) {
        return None;
    }
    let ranges = kinds.map(|kind| range(kind, operation.form));
    let shape = Shape::of(operation, &mut [0; 1 + OPERANDS]);
    Template::learn(&ranges, |numbers| {
        let other = with_numbers(operation, kinds, numbers);
        // Other numbers may be of other kinds: the literal 0 is a register.
        if Shape::of(&other, &mut [0; 1 + OPERANDS]) != shape {
            return None;
        }
        let (instr, _) = read_instruction(spelled(out, |line| put_operation(line, &other))).ok()?;
        Some([instr.word()])
    })
}

/// Learns the words of lookups like one.
fn learn_lookup(lookup: &Lookup, out: &mut Out) -> Option<Template<1>> {
    let register = Range::new(0, 0xff);
    let ranges = [Range::new(0, UNITS.into()), Range::new(0xf, 0xf), register, register, register, register];
    let used = 3 + lookup.firsts.len();
    Template::learn(ranges.get(..used)?, |numbers| {
        let mut other = lookup.clone();
        (other.unit, other.mask) = (numbers[0] as u16, numbers[1] as u8);
        other.to = lookup.to.map(|_| Place::Word(numbers[2] as u32));
        for (first, &number) in other.firsts.iter_mut().zip(&numbers[3..]) {
            *first = Place::Word(number as u32);
        }
        let (instr, _) = read_instruction(spelled(out, |line| put_lookup(line, &other))).ok()?;
        Some([instr.word()])
    })
}

/// The kinds of the result and of the operands.
fn kinds(operation: &Operation) -> [Kind; 1 + OPERANDS] {
    let mut kinds = [Kind::Nothing; 1 + OPERANDS];
    kinds[0] = operation.to.map_or(Kind::Nothing, |to| placed(to).0);
    for (n, read) in operation.reads.iter().enumerate() {
        if let Some(read) = read {
            kinds[n + 1] = read_kind(operation.form, n, read, operation.is_long()).0;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Signs;
    use crate::spa5::forms::{Doubles, FORMS, Leaves, Writing};

    /// Every operation of a form: with each operand of each kind that it can be, one after the other.
    fn operations(form: &'static Form) -> Vec<Operation> {
        let to = match form.leaves {
            Leaves::Word => Some(Place::Word(11)),
            Leaves::Predicate => Some(Place::Predicate(2)),
            Leaves::Nothing => None,
        };
        let is_read = |n: usize| form.text.contains(&format!("{{{n}}}"));
        let mut reads = [None; OPERANDS];
        for (n, read) in reads.iter_mut().enumerate().filter(|(n, _)| is_read(*n)) {
            let place = if form.predicates >> n & 1 != 0 { Place::Predicate(1) } else { Place::Word(200 + n as u32) };
            *read = Some(Read { from: Source::Place(place, false), signs: Signs::default() });
        }
        let plain = Operation { form, clamps: false, to, reads };
        let mut all = vec![plain, Operation { clamps: form.clamps, ..plain }];
        let mut with = |n: usize, from: Option<Source>, signs: Signs| {
            let mut one = plain;
            if let Some(read) = &mut one.reads[n] {
                *read = Read { from: from.unwrap_or(read.from), signs };
                all.push(one);
            }
        };
        for n in 0..OPERANDS {
            let (negate, absolute) = (form.signed >> n & 1 != 0, form.absolute >> n & 1 != 0);
            let signs = Signs { negate, absolute };
            with(n, None, signs);
            with(n, None, Signs { negate, absolute: false });
            let is_predicate = form.predicates >> n & 1 != 0;
            for bits in [0, u32::MAX] {
                with(
                    n,
                    Some(Source::Other(Base::Imm(bits))),
                    Signs { negate: is_predicate && negate, absolute: false },
                );
            }
            if form.wide >> n & 1 != 0 {
                with(n, Some(Source::Other(Base::Const { bank: 3, index: 17, comp: 2 })), signs);
            }
            if let Some((at, short)) = form.short
                && at == n
            {
                for bits in [if short == Short::Float { 0x3f80_0000 } else { 7 }, 0xffff_f000] {
                    if crate::spa5::lower::fits(bits, short) {
                        with(n, Some(Source::Other(Base::Imm(bits))), Signs::default());
                    }
                }
            }
            if form.long.is_some_and(|(at, _)| at == n) {
                with(n, Some(Source::Other(Base::Imm(0x8765_4321))), Signs::default());
            }
        }
        all
    }

    #[test]
    fn every_shape_is_learned_and_has_the_words_of_the_assembler() {
        let mut encoder = Encoder::new(0);
        let mut count = 0;
        for form in FORMS.iter().map(|form| crate::spa5::forms::form(form.name)) {
            // The others are assembled from their texts.
            let is_operation = form.writing == Writing::Operands && form.doubles == Doubles::Nowhere;
            if !is_operation || !form.text.contains("{d}") {
                continue;
            }
            for operation in operations(form) {
                let word = encoder.operation(&operation);
                let mut out = Out::new();
                let text = spelled(&mut out, |line| put_operation(line, &operation)).to_string();
                let Ok((instr, None)) = read_instruction(&text) else {
                    // Literals that lowering does not leave there.
                    assert!(encoder.problem.take().is_some(), "{text}");
                    continue;
                };
                assert_eq!(word, instr.word(), "{text}");
                let shape = Shape::of(&operation, &mut [0; 1 + OPERANDS]);
                assert!(encoder.shapes.get(shape.0).is_some(), "no template for `{text}`");
                count += 1;
            }
        }
        assert!(count > 1000, "{count}");
    }
}
