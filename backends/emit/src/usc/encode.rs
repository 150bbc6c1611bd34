//! Bytes of groups. What an operation or two are in bytes is learned from the assembler, once for each form and kinds of operands;
//! rarer groups are assembled from their texts.

use super::pairs::{Bank, Goal, Group, Item, Kind, Operation, SOURCES, Source, Words};
use super::text::put_group;
use crate::code::{Range, Shapes, Template};
use parallax_isa::Out;
use parallax_usc::assemble_group;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Most bytes of a group, and the words of a template.
const BYTES: usize = 32;
const LIMBS: usize = BYTES / 8;

/// Bytes that a statement becomes in most programs.
const USUAL: usize = 16;

/// Most texts that are kept from one program to the next.
const KEPT: usize = 1 << 12;

/// The template of groups, and how many bytes they have.
type Learned = (Template<LIMBS>, u8);

/// What the assembler has said so far.
#[derive(Debug, Default)]
struct Memory {
    shapes: Shapes<Learned>,
    texts: FxHashMap<Box<str>, Vec<u8>>,
}

impl Memory {
    /// The same for another program: nothing of it where there is too much.
    fn kept(self) -> Memory {
        let Memory { shapes, texts } = self;
        Memory { shapes: shapes.kept(), texts: if texts.len() > KEPT { FxHashMap::default() } else { texts } }
    }
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// A program in the making.
pub(super) struct Encoder {
    /// The bytes, and as many behind them as a group can have.
    bytes: Vec<u8>,
    len: usize,
    /// Where each label stands.
    labels: Vec<usize>,
    memory: Memory,
    spelled: Out,
    /// The first group that the assembler refuses.
    problem: Option<String>,
}

impl Encoder {
    /// `statements`: how many are expected.
    pub(super) fn new(statements: usize) -> Encoder {
        Encoder {
            bytes: vec![0; statements * USUAL + BYTES],
            len: 0,
            labels: Vec::new(),
            memory: MEMORY.take().kept(),
            spelled: Out::new(),
            problem: None,
        }
    }

    /// The place of a label.
    pub(super) fn label(&mut self, number: u32) {
        let number = number as usize;
        if self.labels.len() <= number {
            self.labels.resize(number + 1, 0);
        }
        self.labels[number] = self.len;
    }

    /// One more group.
    #[inline]
    pub(super) fn push(&mut self, group: Group<'_>) {
        let mut numbers = [0; 2 * NUMBERS];
        if let Some(shape) = shape_of(group, &mut numbers)
            && let Some((template, len)) = self.memory.shapes.get(shape)
        {
            make_room(&mut self.bytes, self.len);
            if let Some(room) = self.bytes[self.len..].as_chunks_mut().0.first_chunk_mut() {
                template.put(&numbers, room);
            }
            self.len += usize::from(*len);
            return;
        }
        self.assemble(group);
    }

    /// A group that has no template yet, or never.
    #[cold]
    #[inline(never)]
    fn assemble(&mut self, group: Group<'_>) {
        let shape = shape_of(group, &mut [0; 2 * NUMBERS]);
        if let Some(shape) = shape
            && self.memory.shapes.learned(shape, || learn(group, shape, &mut self.spelled)).is_some()
        {
            return self.push(group);
        }
        let is_irregular = shape.is_some_and(|shape| self.memory.shapes.is_irregular(shape));
        let (text, problem) = (spelled(&mut self.spelled, group), &mut self.problem);
        let mut assembled = |distance| {
            assemble_group(text, distance).unwrap_or_else(|diag| {
                problem.get_or_insert_with(|| format!("`{text}` does not assemble: {}", diag.message));
                Vec::new()
            })
        };
        let found = match &group.low.words {
            Words::Text(_) => match self.memory.texts.get(text) {
                Some(known) => known.clone(),
                None => {
                    let bytes = assembled(0);
                    // What is refused is refused again, with its reason.
                    if !bytes.is_empty() {
                        self.memory.texts.insert(text.into(), bytes.clone());
                    }
                    bytes
                }
            },
            Words::Branch(label) => {
                let target = self.labels.get(*label as usize).copied().unwrap_or_default();
                assembled(target as i64 - self.len as i64)
            }
            _ => assembled(0),
        };
        debug_assert!(!is_irregular || found.is_empty(), "`{text}` is assembled each time");
        make_room(&mut self.bytes, self.len);
        self.bytes[self.len..self.len + found.len()].copy_from_slice(&found);
        self.len += found.len();
    }

    /// All bytes.
    ///
    /// # Errors
    /// What the assembler refuses.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, String> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(self.len);
        match self.problem.take() {
            Some(problem) => Err(problem),
            None => Ok(bytes),
        }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        MEMORY.set(std::mem::take(&mut self.memory));
    }
}

/// Room for one more group behind so many bytes.
#[inline]
fn make_room(bytes: &mut Vec<u8>, len: usize) {
    if bytes.len() - len < BYTES {
        bytes.resize(2 * bytes.len() + BYTES, 0);
    }
}

/// The text of a group.
fn spelled<'o>(out: &'o mut Out, group: Group<'_>) -> &'o str {
    out.clear();
    out.line(|line| put_group(line, group));
    out.as_str()
}

/// The numbers of a result and of sources.
const NUMBERS: usize = 1 + SOURCES;

/// What groups have in common whose bytes differ in numbers alone; fills in the numbers of two operations. `None` if it is no group of
/// operations, or one that the assembler may refuse.
#[inline(always)]
fn shape_of(group: Group<'_>, numbers: &mut [u64; 2 * NUMBERS]) -> Option<u64> {
    let Words::Operation(low) = &group.low.words else { return None };
    let (first, second) = numbers.split_at_mut(NUMBERS);
    let shape = u64::from(shape_of_one(low, first)?);
    match group.high {
        Some(Item { words: Words::Operation(high), .. }) => Some(shape | u64::from(shape_of_one(high, second)?) << 32),
        Some(_) => None,
        None if matches!(group.low.kind, Kind::Early { .. }) => Some(shape),
        None => Some(shape | alone(low)),
    }
}

/// A class of numbers in a bank are those of as many bits, from this many on: which bytes hold a register depends on no more than
/// that. The constant 0 is a class of its own: what nobody reads is c0.
const fn least(bank: Bank) -> u32 {
    match bank {
        Bank::Temporary | Bank::Constant => 5,
        Bank::Shared => 6,
    }
}
/// The first class of each bank, which stand behind each other, and how many it has.
const CLASSES: [(u32, u32); 3] = [(1, 4), (5, 5), (10, 6)];
/// Where goals that are outputs start; each is a class of its own.
const OUTPUTS: u32 = 8;

/// The class of a number in a bank.
#[inline(always)]
fn class(bank: Bank, number: u32) -> Option<u32> {
    let (first, count) = CLASSES[bank as usize];
    let is_read = u32::from(bank == Bank::Constant && number != 0);
    let more = is_read + u32::BITS - (number >> least(bank)).leading_zeros();
    (more < count).then_some(first + more)
}

/// The form of an operation, and the classes and signs of its operands.
#[inline(always)]
fn shape_of_one(operation: &Operation, numbers: &mut [u64]) -> Option<u32> {
    let Operation { form, group, clamps, to, sources } = operation;
    let group = form.groups.get(usize::from(*group))?;
    let mut shape = u32::from(group.number) | u32::from(*clamps) << 9;
    shape |= match *to {
        Goal::Nothing => 0,
        Goal::Temporary(number) => {
            numbers[0] = number.into();
            class(Bank::Temporary, number)?
        }
        Goal::Output(number) => OUTPUTS + number % OUTPUTS,
    } << 10;
    for (n, source) in sources.iter().enumerate() {
        let Some(source) = source else { continue };
        numbers[1 + n] = source.number.into();
        let class = match form.literals >> n & 1 {
            0 => class(source.bank, source.number)?,
            _ => u32::from(source.number > 0xffff),
        };
        let signs = u32::from(source.signs.negate) | u32::from(source.signs.absolute) << 1;
        shape |= (class | signs << 4) << (14 + 6 * n);
    }
    Some(shape)
}

/// What also matters where the assembler chooses the places of operands: which of them are the same, and which constants they are.
#[inline(always)]
fn alone(operation: &Operation) -> u64 {
    let mut shape = 0;
    for (n, source) in operation.sources.iter().enumerate() {
        let Some(Source { bank: Bank::Constant, number, .. }) = source else { continue };
        if operation.form.literals >> n & 1 == 0 {
            shape |= u64::from(number & 0xff) << (32 + 8 * n);
        }
    }
    for (n, (a, b)) in PAIRS.into_iter().enumerate() {
        if is_same(operation, a, b) {
            shape |= 1 << (56 + n);
        }
    }
    shape
}

/// The pairs of sources.
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

/// Whether two sources are the same register.
#[inline(always)]
fn is_same(operation: &Operation, a: usize, b: usize) -> bool {
    let (Some(first), Some(second)) = (operation.sources[a], operation.sources[b]) else { return false };
    operation.form.literals >> a & 1 == 0 && (first.bank, first.number) == (second.bank, second.number)
}

/// Learns the bytes of groups of a shape, of which this is one.
fn learn(group: Group<'_>, shape: u64, out: &mut Out) -> Option<Learned> {
    let is_alone = !matches!(group.low.kind, Kind::Early { .. });
    let mut ranges = [Range::new(0, 0); 2 * NUMBERS];
    for (item, ranges) in [Some(group.low), group.high].into_iter().zip(ranges.chunks_exact_mut(NUMBERS)) {
        let Some(Item { words: Words::Operation(operation), .. }) = item else { continue };
        ranges_of(operation, is_alone, ranges);
    }
    let other = |numbers: &[u64]| {
        let (first, second) = numbers.split_at(NUMBERS);
        (with_numbers(group.low, first), group.high.map(|high| with_numbers(high, second)))
    };
    let mut len = None;
    let template = Template::learn(&ranges, |numbers| {
        let (low, high) = other(numbers);
        let group = Group { low: &low, high: high.as_ref() };
        // Operands that are to be different may be the same.
        if shape_of(group, &mut [0; 2 * NUMBERS]) != Some(shape) {
            return None;
        }
        let mut bytes = assemble_group(spelled(out, group), 0).ok()?;
        if *len.get_or_insert(bytes.len()) != bytes.len() {
            return None;
        }
        bytes.resize(BYTES, 0);
        let mut limbs = [0; LIMBS];
        limbs.iter_mut().zip(bytes.as_chunks().0).for_each(|(limb, bytes)| *limb = u64::from_le_bytes(*bytes));
        Some(limbs)
    })?;
    Some((template, len? as u8))
}

/// What numbers the result and the sources of an operation can have in its shape.
fn ranges_of(operation: &Operation, is_alone: bool, ranges: &mut [Range]) {
    // Any two differ in more than one bit.
    const LOWEST: [u32; NUMBERS] = [0b11010, 0b00011, 0b01100, 0b10101];
    let range = |n: usize, bank: Bank, number: u32| match number >> least(bank) {
        0 if bank == Bank::Constant && number == 0 => Range::new(0, 0),
        0 => Range::new(LOWEST[n].into(), (1 << least(bank)) - 1),
        _ => {
            let highest = 1 << number.ilog2();
            Range::new((highest | LOWEST[n]).into(), u64::from(highest) - 1)
        }
    };
    if let Goal::Temporary(number) = operation.to {
        ranges[0] = range(0, Bank::Temporary, number);
    }
    for (n, source) in operation.sources.iter().enumerate() {
        let Some(source) = source else { continue };
        ranges[1 + n] = match (operation.form.literals >> n & 1, source.bank) {
            (1, _) if source.number > 0xffff => Range::new(0x9876_5432, 0xffff_ffff),
            (1, _) => Range::new(0x1234, 0xffff),
            // Which constant it is belongs to the shape.
            (_, Bank::Constant) if is_alone => Range::new(source.number.into(), 0),
            _ => range(1 + n, source.bank, source.number),
        };
    }
    if is_alone {
        // Operands that are the same are one.
        for (a, b) in PAIRS {
            if is_same(operation, a, b) {
                ranges[1 + b] = Range::new(0, 0);
            }
        }
    }
}

/// An operation with other numbers.
fn with_numbers(item: &Item, numbers: &[u64]) -> Item {
    let mut other = item.clone();
    let (Words::Operation(operation), Words::Operation(from)) = (&mut other.words, &item.words) else { return other };
    if let Goal::Temporary(number) = &mut operation.to {
        *number = numbers[0] as u32;
    }
    let is_early = matches!(item.kind, Kind::Early { .. });
    for n in 0..SOURCES {
        let same = (0..n).find(|&m| !is_early && is_same(from, m, n));
        if let Some(source) = &mut operation.sources[n] {
            source.number = numbers[1 + same.unwrap_or(n)] as u32;
        }
    }
    other
}

#[cfg(test)]
mod tests {
    use super::super::forms::{Form, Lowering, all, form, names};
    use super::*;
    use crate::form::Signs;
    use crate::scalar::template::{Piece, Slot};

    /// Random numbers of which small ones are not rare.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(0xd129_0d3b_3b5c_6a95).wrapping_add(0x2545_f491_4f6c_dd1d);
            (self.0 >> 32) as u32
        }

        fn below(&mut self, end: u32) -> u32 {
            self.next() % end
        }

        /// A number of at most so many bits.
        fn number(&mut self, bits: u32) -> u32 {
            let bits = self.below(bits + 1);
            self.next() & ((1 << bits) - 1)
        }
    }

    /// The numbers of operands that a group has.
    fn operands(form: &Form, group: usize) -> impl Fn(usize) -> bool {
        let pieces = &form.groups[group].pieces;
        move |n| {
            let n = n as u8;
            let slots = [Slot::Operand(n), Slot::Opposite(n), Slot::Literal(n)];
            slots.iter().any(|&slot| pieces.contains(&Piece::Slot(slot)))
        }
    }

    /// An operation of a form with random operands. `above`: whether it is to fit into phase 1.
    fn random(form: &'static Form, group: usize, above: bool, random: &mut Random) -> Item {
        let mut sources = [None; SOURCES];
        let is_lookup = form.results > 1 || form.text.starts_with("smp");
        let has = operands(form, group);
        for (n, to) in sources.iter_mut().enumerate().filter(|(n, _)| has(*n)) {
            let is_literal = form.literals >> n & 1 != 0;
            let can_be_shared = form.narrow >> n & 1 == 0 && !(above && n > 0);
            let bank = match random.below(4) {
                _ if is_lookup => [Bank::Shared, Bank::Temporary, Bank::Shared][n],
                _ if form.name == names::LOAD && n == 1 => Bank::Shared,
                _ if is_literal => Bank::Constant,
                0 => Bank::Constant,
                1 if can_be_shared => Bank::Shared,
                _ => Bank::Temporary,
            };
            let number = match bank {
                _ if is_literal => random.next() >> random.below(32),
                Bank::Temporary => random.number(8).min(247),
                Bank::Constant => [0, 1, 31, 64, 75, 141, 143, 149][random.below(8) as usize],
                Bank::Shared if form.name == names::LOAD => random.number(8),
                Bank::Shared => random.number(11),
            };
            let sign = |operands: u8, random: &mut Random| operands >> n & 1 != 0 && random.below(3) == 0;
            // Lowering makes another form of sums and products whose second operand is negated.
            let stays = form.lowering != Lowering::SecondIsNegated || n != 1;
            let negate = stays && sign(form.signed, random);
            let signs = Signs { negate, absolute: sign(form.absolute, random) };
            *to = Some(Source { bank, number, signs });
        }
        let is_copy = form.name == names::MOV && random.below(3) == 0;
        let to = match is_copy {
            true => Goal::Output(random.below(8)),
            false => Goal::Temporary(random.number(8).min(247)),
        };
        let clamps = form.clamps && random.below(3) == 0;
        let kind = if form.is_early { Kind::Early { fits_above: above } } else { Kind::Group };
        Item { words: Words::Operation(Operation { form, group: group as u8, clamps, to, sources }), kind }
    }

    /// Compares the bytes of a group with those that the assembler makes of its text; whether it takes it.
    fn is_same_as_assembled(group: Group<'_>) -> bool {
        let text = spelled(&mut Out::new(), group).to_string();
        let mut encoder = Encoder::new(0);
        // Behind others, and twice: the first time may be when it is learned.
        (0..4).for_each(|_| encoder.push(group));
        let shape = shape_of(group, &mut [0; 2 * NUMBERS]).expect("a group of operations");
        let is_learned = encoder.memory.shapes.get(shape).is_some();
        match assemble_group(&text, 0) {
            Ok(bytes) => {
                assert_eq!(encoder.finish(), Ok(bytes.repeat(4)), "{text}");
                assert!(is_learned, "{text}");
                true
            }
            Err(_) => {
                assert!(!is_learned && encoder.finish().is_err(), "{text}");
                false
            }
        }
    }

    #[test]
    fn bytes_of_all_forms_are_those_of_their_texts() {
        let (mut numbers, mut taken, mut refused) = (Random(1), 0, 0);
        for form in all().iter().filter(|form| !form.text.is_empty()) {
            for group in 0..form.groups.len() {
                for _ in 0..4 {
                    let item = random(form, group, false, &mut numbers);
                    let is_taken = is_same_as_assembled(Group { low: &item, high: None });
                    *(if is_taken { &mut taken } else { &mut refused }) += 1;
                }
            }
        }
        // A choice can have more shared registers than sources that can name them.
        assert!(taken > 1000 && refused * 20 < taken, "{taken} taken, {refused} refused");
    }

    #[test]
    fn texts_that_are_refused_are_refused_again() {
        let wrong = Item::barrier("frobnicate");
        for _ in 0..2 {
            let mut encoder = Encoder::new(1);
            encoder.push(Group { low: &wrong, high: None });
            assert!(encoder.finish().is_err_and(|why| why.contains("frobnicate")));
        }
    }

    #[test]
    fn bytes_of_pairs_are_those_of_their_texts() {
        let early: Vec<&'static Form> = all().iter().filter(|form| form.is_early).collect();
        let mut numbers = Random(2);
        for low in &early {
            for high in &early {
                for _ in 0..4 {
                    let (low, high) = (random(low, 0, false, &mut numbers), random(high, 0, true, &mut numbers));
                    let pair = Group { low: &low, high: Some(&high) };
                    assert!(is_same_as_assembled(pair), "{}", spelled(&mut Out::new(), pair));
                }
            }
        }
    }

    /// Numbers at the ends of classes, in all places.
    #[test]
    fn numbers_of_all_lengths_are_encoded() {
        let ends = [0, 1, 31, 32, 63, 64, 127, 128, 247];
        let mut numbers = Random(3);
        for name in [names::FMAD, names::FADD, names::MOV, names::CHOOSE, names::AND, names::MERGE] {
            for _ in 0..40 {
                let mut end = || ends[numbers.below(ends.len() as u32) as usize];
                let mut item = random(form(name), 0, false, &mut Random(4));
                let Words::Operation(operation) = &mut item.words else { panic!("an operation") };
                operation.to = Goal::Temporary(end());
                for (n, source) in operation.sources.iter_mut().flatten().enumerate() {
                    source.number = end();
                    if operation.form.literals >> n & 1 == 0 {
                        source.bank = Bank::Temporary;
                    }
                }
                assert!(is_same_as_assembled(Group { low: &item, high: None }));
            }
        }
    }
}
