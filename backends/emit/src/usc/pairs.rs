//! Operations of phase 0 and 1, two in a group: all sources of a group are read before anything is written.

use super::encode::Encoder;
use super::forms::{Form, known, names};
use super::text::{put_group, put_label, put_number};
use crate::Encoding;
use crate::form::Signs;
use parallax_isa::Out;
use smallvec::SmallVec;
use std::borrow::Cow;

/// More bytes than the text of a statement becomes in most programs.
const BYTES: usize = 80;

/// How far ahead a partner is looked for.
const REACH: usize = 16;

/// Where a source is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Bank {
    Temporary,
    Constant,
    Shared,
}

impl Bank {
    /// Its letters.
    pub(super) const fn letters(self) -> &'static str {
        match self {
            Bank::Temporary => "r",
            Bank::Constant => "c",
            Bank::Shared => "sh",
        }
    }
}

/// A register or constant that a group reads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) bank: Bank,
    pub(super) number: u32,
    pub(super) signs: Signs,
}

/// The most sources of a form.
pub(super) const SOURCES: usize = 3;

/// A register that a group writes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Nothing,
    Temporary(u32),
    Output(u32),
}

/// A group of a form with its operands.
#[derive(Copy, Clone, Debug)]
pub(super) struct Operation {
    pub(super) form: &'static Form,
    /// Which group of the form.
    pub(super) group: u8,
    pub(super) clamps: bool,
    pub(super) to: Goal,
    /// Literals stand as numbers in place of sources.
    pub(super) sources: [Option<Source>; SOURCES],
}

/// What a group says.
#[derive(Clone, Debug)]
pub(super) enum Words {
    Operation(Operation),
    /// Another one.
    Text(Box<Text>),
    /// No group: what a branch leads to, by number.
    Label(u32),
    /// A branch to a label in front of it, where p0 is 1.
    Branch(u32),
}

/// Statements by lines, with the registers that are read and written there.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: Cow<'static, str>,
    pub(super) reads: SmallVec<[u32; 4]>,
    pub(super) writes: SmallVec<[u32; 4]>,
}

/// What a group in the making is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One operation with one result, which may stand beside another. `fits_above`: whether its sources can be those of phase 1.
    Early { fits_above: bool },
    /// A group of its own.
    Group,
    /// Nothing moves past it: it says who runs, is a label, or has results that come at once with it.
    Barrier,
}

/// A group in the making.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) words: Words,
    pub(super) kind: Kind,
}

impl Item {
    /// What nothing moves past.
    pub(super) fn barrier(text: impl Into<Cow<'static, str>>) -> Item {
        let text = Text { text: text.into(), reads: SmallVec::new(), writes: SmallVec::new() };
        Item { words: Words::Text(Box::new(text)), kind: Kind::Barrier }
    }

    /// Waits for what was fetched.
    pub(super) fn wait() -> Item {
        let (form, to, sources) = (known!(names::WAIT), Goal::Nothing, [None; SOURCES]);
        let operation = Operation { form, group: 0, clamps: false, to, sources };
        Item { words: Words::Operation(operation), kind: Kind::Barrier }
    }

    /// A copy of a register.
    pub(super) fn copy(from: Source, to: Goal) -> Item {
        let sources = [Some(from), None, None];
        let operation = Operation { form: known!(names::MOV), group: 0, clamps: false, to, sources };
        Item { words: Words::Operation(operation), kind: Kind::Early { fits_above: true } }
    }

    /// Visits the temporaries that it reads.
    fn reads(&self, mut visit: impl FnMut(u32)) {
        match &self.words {
            Words::Operation(operation) => {
                let temporaries = operation.sources.iter().flatten().filter(|source| source.bank == Bank::Temporary);
                temporaries.for_each(|source| (0..operation.form.coordinates).for_each(|n| visit(source.number + n)));
            }
            Words::Text(text) => text.reads.iter().for_each(|&register| visit(register)),
            Words::Label(_) | Words::Branch(_) => {}
        }
    }

    /// Visits the temporaries that it writes.
    fn writes(&self, mut visit: impl FnMut(u32)) {
        match &self.words {
            Words::Operation(operation) => {
                if let Goal::Temporary(register) = operation.to {
                    (0..operation.form.results).for_each(|n| visit(register + n));
                }
            }
            Words::Text(text) => text.writes.iter().for_each(|&register| visit(register)),
            Words::Label(_) | Words::Branch(_) => {}
        }
    }
}

/// A set of temporaries. There are fewer than it holds in every program that is written.
#[derive(Copy, Clone, Debug, Default)]
struct Registers([u64; 4]);

impl Registers {
    fn add(&mut self, register: u32) {
        if let Some(word) = self.0.get_mut(register as usize / 64) {
            *word |= 1 << (register % 64);
        }
    }

    #[inline(always)]
    fn add_all(&mut self, others: &Registers) {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word |= other);
    }

    /// Whether one is in both; all words are looked at, since no branch could be foretold.
    #[inline(always)]
    fn meets(&self, others: &Registers) -> bool {
        self.0.iter().zip(others.0).fold(0, |both, (word, other)| both | word & other) != 0
    }
}

/// What an item reads and writes.
#[derive(Copy, Clone, Debug, Default)]
struct Touched {
    reads: Registers,
    writes: Registers,
}

/// The operation that can stand beside the one at `at`: one that nothing in between has to do with. `done`: those that have a group.
fn partner(items: &[Item], touched: &[Touched], done: &[bool], at: usize) -> Option<usize> {
    let Kind::Early { fits_above } = items[at].kind else { return None };
    let mut written = touched[at].writes;
    // What is read or written; what the first one reads may be written beside it.
    let mut used = written;
    for (n, (item, touched)) in items.iter().zip(touched).enumerate().skip(at + 1).take(REACH) {
        if done[n] {
            continue;
        }
        match item.kind {
            Kind::Barrier => return None,
            Kind::Early { fits_above: other }
                if (fits_above || other) && !(touched.reads.meets(&written) | touched.writes.meets(&used)) =>
            {
                return Some(n);
            }
            _ => {}
        }
        written.add_all(&touched.writes);
        used.add_all(&touched.writes);
        used.add_all(&touched.reads);
    }
    None
}

/// So many wait at most until some of them are written: they stay in the first cache.
const WAITING: usize = 256;

/// What stands in one group: an operation or two, or something else alone.
#[derive(Copy, Clone, Debug)]
pub(super) struct Group<'a> {
    pub(super) low: &'a Item,
    /// The operation of phase 1.
    pub(super) high: Option<&'a Item>,
}

/// A program of groups.
pub(super) enum Program {
    Text(String),
    /// Its bytes, or what the assembler refuses.
    Words(Result<Vec<u8>, String>),
}

/// What groups become.
enum Writer {
    /// A text, and the last groups of it.
    Text(String, Out),
    Words(Encoder),
}

/// Groups in the making.
pub(super) struct Groups {
    writer: Writer,
    /// Those that are not written yet.
    waiting: Vec<Item>,
    touched: Vec<Touched>,
    /// Which of them have a group.
    done: [bool; WAITING],
    count: usize,
}

impl Groups {
    /// None. `statements`: how many are expected.
    pub(super) fn new(encoding: Encoding, statements: usize) -> Groups {
        let writer = match encoding {
            Encoding::Text => Writer::Text(String::with_capacity(statements * BYTES), Out::with_capacity(64 * WAITING)),
            Encoding::Words => Writer::Words(Encoder::new(statements)),
        };
        let (waiting, touched) = (Vec::with_capacity(WAITING), Vec::with_capacity(WAITING));
        Groups { writer, waiting, touched, done: [false; WAITING], count: 0 }
    }

    /// One more.
    pub(super) fn push(&mut self, item: Item) {
        // Sets are filled where they stay: a copy would wait for their parts.
        self.touched.push(Touched::default());
        if let Some(touched) = self.touched.last_mut() {
            item.reads(|register| touched.reads.add(register));
            item.writes(|register| touched.writes.add(register));
        }
        self.waiting.push(item);
        if self.waiting.len() == WAITING {
            self.write(WAITING - REACH);
        }
    }

    /// The program, and how many groups it has.
    pub(super) fn finish(mut self) -> (Program, usize) {
        self.write(self.waiting.len());
        let program = match self.writer {
            Writer::Text(text, _) => Program::Text(text),
            Writer::Words(encoder) => Program::Words(encoder.finish()),
        };
        (program, self.count)
    }

    /// Writes the first of those that wait; what may stand beside one of them waits too, or nothing does.
    fn write(&mut self, first: usize) {
        for at in 0..first {
            if self.done[at] {
                continue;
            }
            let item = &self.waiting[at];
            if let Words::Label(label) = item.words {
                match &mut self.writer {
                    Writer::Text(_, out) => out.line(|line| put_label(line, label)),
                    Writer::Words(encoder) => encoder.label(label),
                }
                continue;
            }
            let mut group = Group { low: item, high: None };
            if let Some(n) = partner(&self.waiting, &self.touched, &self.done, at) {
                self.done[n] = true;
                let other = &self.waiting[n];
                let fits_above = other.kind == Kind::Early { fits_above: true };
                let (low, high) = if fits_above { (item, other) } else { (other, item) };
                debug_assert_eq!(high.kind, Kind::Early { fits_above: true });
                group = Group { low, high: Some(high) };
            }
            match &mut self.writer {
                Writer::Text(_, out) => out.line(|line| {
                    put_number(line, self.count);
                    put_group(line, group);
                }),
                Writer::Words(encoder) => encoder.push(group),
            }
            self.count += 1;
        }
        if let Writer::Text(text, out) = &mut self.writer {
            text.push_str(out.as_str());
            out.clear();
        }
        self.waiting.drain(..first);
        self.touched.drain(..first);
        self.done.copy_within(first.., 0);
        self.done[WAITING - first..].fill(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usc::forms::form;

    /// An operation of a form that reads a register.
    fn early(name: &str, reads: &[u32], write: u32, fits_above: bool) -> Item {
        let source = |&number: &u32| Source { bank: Bank::Temporary, number, signs: Signs::default() };
        let sources = [reads.first().map(source), None, None];
        let to = Goal::Temporary(write);
        let operation = Operation { form: form(name), group: 0, clamps: false, to, sources };
        Item { words: Words::Operation(operation), kind: Kind::Early { fits_above } }
    }

    fn paired(items: &[Item]) -> (String, usize) {
        let mut groups = Groups::new(Encoding::Text, 0);
        items.iter().for_each(|item| groups.push(item.clone()));
        let (program, count) = groups.finish();
        let Program::Text(text) = program else { panic!("a text was asked for") };
        (text, count)
    }

    fn text(items: &[Item]) -> String {
        paired(items).0
    }

    #[test]
    fn operations_share_a_group_where_neither_needs_the_other() {
        let swap = [early("mov", &[1], 0, true), early("mov", &[0], 1, true)];
        // The second reads what the first writes.
        assert_eq!(paired(&swap).1, 2);
        let free = [early("mov", &[1], 0, true), early("mov", &[2], 1, true)];
        assert_eq!(text(&free), "0   : mov ft0, r1\n      mov ft1, r2\n      mov r0, ft0\n      mov r1, ft1\n");
        // The third writes what the second still reads: it does not get past it, but stands beside it.
        let blocked = [early("mov", &[1], 0, true), early("fdsy", &[0], 5, true), early("fdsxf", &[2], 0, true)];
        let wanted = "0   : mov ft0, r1\n      mov r0, ft0\n1   : fdsy ft0, r0\n      fdsxf ft1, r2\n";
        assert!(text(&blocked).starts_with(wanted), "order");
        let past = [early("mov", &[1], 0, true), early("mov", &[0], 5, true), early("mov", &[2], 6, true)];
        assert_eq!(paired(&past).1, 2);
        // One that only phase 0 can read changes places with the other.
        let low = [early("mov", &[1], 0, true), early("fdsy", &[2], 3, false)];
        assert!(text(&low).starts_with("0   : fdsy ft0, r2\n      mov ft1, r1\n      mov r3, ft0\n"), "phases");
        let none = [early("mov", &[1], 0, false), early("mov", &[2], 3, false)];
        assert_eq!(paired(&none).1, 2);
        let apart = [early("mov", &[1], 0, true), Item::barrier("x"), early("mov", &[2], 3, true)];
        assert_eq!(paired(&apart).1, 3);
    }

    /// A partner is found as far ahead as the reach, wherever those that wait are written in between, and no further.
    #[test]
    fn partners_are_found_in_all_places() {
        let turns = 2 * WAITING;
        for between in [REACH - 1, REACH] {
            let mut items = Vec::new();
            for _ in 0..turns {
                items.push(early("mov", &[200], 1, true));
                items.extend((0..between).map(|_| Item { kind: Kind::Group, ..Item::barrier("x") }));
                items.push(early("mov", &[201], 2, true));
                items.push(Item::barrier("x"));
            }
            let shared = if between < REACH { turns } else { 0 };
            let (text, count) = paired(&items);
            assert_eq!(count, items.len() - shared);
            assert_eq!(text.matches("mov ft1, r201").count(), shared);
            assert_eq!(text.lines().last(), Some(format!("{}: x", count - 1).as_str()));
        }
    }
}
