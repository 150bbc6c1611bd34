//! Operations of phase 0 and 1, two in a group: all sources of a group are read before anything is written.

use super::forms::{Form, INDENT, known, names};
use crate::form::Signs;
use crate::scalar::template::{Piece, Slot, names};
use parallax_isa::{Cursor, Out, Short};
use smallvec::SmallVec;
use std::borrow::Cow;

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

/// What a group says.
#[derive(Clone, Debug)]
pub(super) enum Words {
    /// A group of a form, by number; literals stand as numbers in place of sources.
    Form { form: &'static Form, group: u8, clamps: bool, to: Goal, sources: [Option<Source>; SOURCES] },
    /// Another one.
    Text(Box<Text>),
}

/// Statements by lines, or a label, with the registers that are read and written there.
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
        Item { words: Words::Form { form, group: 0, clamps: false, to, sources }, kind: Kind::Barrier }
    }

    /// A copy of a register.
    pub(super) fn copy(from: Source, to: Goal) -> Item {
        let sources = [Some(from), None, None];
        Item {
            words: Words::Form { form: known!(names::MOV), group: 0, clamps: false, to, sources },
            kind: Kind::Early { fits_above: true },
        }
    }

    /// Visits the temporaries that it reads.
    fn reads(&self, mut visit: impl FnMut(u32)) {
        match &self.words {
            Words::Form { sources, .. } => {
                let temporaries = sources.iter().flatten().filter(|source| source.bank == Bank::Temporary);
                temporaries.for_each(|source| visit(source.number));
            }
            Words::Text(text) => text.reads.iter().for_each(|&register| visit(register)),
        }
    }

    /// Visits the temporaries that it writes.
    fn writes(&self, mut visit: impl FnMut(u32)) {
        match &self.words {
            Words::Form { to: Goal::Temporary(register), .. } => visit(*register),
            Words::Form { .. } => {}
            Words::Text(text) => text.writes.iter().for_each(|&register| visit(register)),
        }
    }
}

/// A set of temporaries. There are fewer than it holds in every program that is written.
#[derive(Default)]
struct Registers([u64; 4]);

impl Registers {
    fn add(&mut self, register: u32) {
        if let Some(word) = self.0.get_mut(register as usize / 64) {
            *word |= 1 << (register % 64);
        }
    }

    fn has(&self, register: u32) -> bool {
        self.0.get(register as usize / 64).is_some_and(|word| word >> (register % 64) & 1 != 0)
    }
}

/// The operation that can stand beside the one at `at`: one that nothing in between has to do with. `done`: those that have a group.
fn partner(items: &[Item], done: &[bool], at: usize) -> Option<usize> {
    let first = &items[at];
    let Kind::Early { fits_above } = first.kind else { return None };
    let (mut written, mut read) = (Registers::default(), Registers::default());
    first.writes(|register| written.add(register));
    for (n, item) in items.iter().enumerate().skip(at + 1).take(REACH) {
        if done[n] {
            continue;
        }
        match item.kind {
            Kind::Barrier => return None,
            Kind::Early { fits_above: other } if fits_above || other => {
                let mut is_taken = false;
                item.reads(|register| is_taken |= written.has(register));
                item.writes(|register| is_taken |= written.has(register) || read.has(register));
                if !is_taken {
                    return Some(n);
                }
            }
            _ => {}
        }
        item.writes(|register| written.add(register));
        item.reads(|register| read.add(register));
    }
    None
}

/// So many wait at most until some of them are written: they stay in the first cache.
const WAITING: usize = 256;

/// The text of groups in the making.
pub(super) struct Groups {
    text: String,
    /// The last groups of it.
    out: Out,
    /// Those that are not written yet.
    waiting: Vec<Item>,
    /// Which of them have a group.
    done: [bool; WAITING],
    count: usize,
    /// The register of the mask count, where there is control flow.
    mask_count: Option<u32>,
}

impl Groups {
    /// None. `bytes`: how long the text is expected to be.
    pub(super) fn new(mask_count: Option<u32>, bytes: usize) -> Groups {
        let text = String::with_capacity(bytes);
        let (out, waiting) = (Out::with_capacity(64 * WAITING), Vec::with_capacity(WAITING));
        Groups { text, out, waiting, done: [false; WAITING], count: 0, mask_count }
    }

    /// One more.
    pub(super) fn push(&mut self, item: Item) {
        self.waiting.push(item);
        if self.waiting.len() == WAITING {
            self.write(WAITING - REACH);
        }
    }

    /// The text, and how many there are.
    pub(super) fn finish(mut self) -> (String, usize) {
        self.write(self.waiting.len());
        (self.text, self.count)
    }

    /// Writes the first of those that wait; what may stand beside one of them waits too, or nothing does.
    fn write(&mut self, first: usize) {
        let mask_count = self.mask_count;
        for at in 0..first {
            if self.done[at] {
                continue;
            }
            let item = &self.waiting[at];
            if let Words::Text(label) = &item.words
                && label.text.ends_with(':')
            {
                self.out.text(&label.text);
                self.out.char(b'\n');
                continue;
            }
            let number = self.count;
            self.count += 1;
            let Kind::Early { .. } = item.kind else {
                self.out.line(|line| {
                    begin(line, number);
                    group(line, item, const { &Short::new("") }, mask_count);
                });
                continue;
            };
            let Some(n) = partner(&self.waiting, &self.done, at) else {
                self.out.line(|line| {
                    begin(line, number);
                    group(line, item, &FIRST, mask_count);
                    copy(line, item, &FIRST);
                });
                continue;
            };
            self.done[n] = true;
            let other = &self.waiting[n];
            let (low, high) =
                if other.kind == (Kind::Early { fits_above: true }) { (item, other) } else { (other, item) };
            debug_assert_eq!(high.kind, Kind::Early { fits_above: true });
            self.out.line(|line| {
                begin(line, number);
                group(line, low, &FIRST, mask_count);
                line.short(const { &Short::new(INDENT) });
                group(line, high, &SECOND, mask_count);
                copy(line, low, &FIRST);
                copy(line, high, &SECOND);
            });
        }
        self.text.push_str(self.out.as_str());
        self.out.clear();
        self.waiting.drain(..first);
        self.done.copy_within(first.., 0);
        self.done[WAITING - first..].fill(false);
    }
}

/// The feed-throughs of the first two phases.
const FIRST: Short = Short::new("ft0");
const SECOND: Short = Short::new("ft1");

/// Begins a group with its number; its statements stand a line each.
fn begin(line: &mut Cursor<'_>, number: usize) {
    line.decimal(number as u64);
    let behind = match number {
        0..10 => const { &Short::new("   : ") },
        10..100 => const { &Short::new("  : ") },
        100..1000 => const { &Short::new(" : ") },
        _ => const { &Short::new(": ") },
    };
    line.short(behind);
}

/// The statements of a group but for copies of feed-throughs.
fn group(line: &mut Cursor<'_>, item: &Item, feed: &Short, mask_count: Option<u32>) {
    line.apart(|line| match &item.words {
        Words::Text(text) => {
            for (n, statement) in text.text.lines().enumerate() {
                line.text(if n == 0 { "" } else { INDENT });
                line.text(statement);
                line.char(b'\n');
            }
        }
        Words::Form { form, group, clamps, to, sources } => {
            for piece in form.groups.get(usize::from(*group)).map_or(&[][..], |group| &group.pieces) {
                match piece {
                    Piece::Text(text) => line.short(text),
                    Piece::Slot(Slot::Clamp) => {
                        if *clamps {
                            line.short(const { &Short::new(".sat") });
                        }
                    }
                    Piece::Slot(Slot::Result) => goal(line, *to),
                    Piece::Slot(Slot::Feed) => line.short(feed),
                    Piece::Slot(Slot::Count) => match mask_count {
                        Some(count) => temporary(line, count),
                        None => line.short(const { &Short::new("c0") }),
                    },
                    Piece::Slot(Slot::Operand(n)) => source(line, sources.get(usize::from(*n)), false),
                    Piece::Slot(Slot::Opposite(n)) => source(line, sources.get(usize::from(*n)), true),
                    Piece::Slot(Slot::Literal(n)) => {
                        if let Some(Some(source)) = sources.get(usize::from(*n)) {
                            line.short(const { &Short::new("0x") });
                            let digits = (32 - source.number.leading_zeros()).div_ceil(4).max(1);
                            line.hex(source.number.into(), digits as usize);
                        }
                    }
                }
            }
            line.char(b'\n');
        }
    });
}

/// The names of the temporaries.
static TEMPORARIES: [Short; 256] = names(b'r');

#[inline(always)]
fn temporary(line: &mut Cursor<'_>, number: u32) {
    match TEMPORARIES.get(number as usize) {
        Some(name) => line.short(name),
        // Programs with more are refused.
        None => line.char(b'r'),
    }
}

#[inline(always)]
fn source(line: &mut Cursor<'_>, source: Option<&Option<Source>>, opposite: bool) {
    let Some(Some(source)) = source else { return };
    match source.bank {
        Bank::Temporary => temporary(line, source.number),
        Bank::Constant => {
            line.char(b'c');
            line.decimal(source.number.into());
        }
        Bank::Shared => {
            line.short(const { &Short::new("sh") });
            line.decimal(source.number.into());
        }
    }
    if source.signs.absolute {
        line.short(const { &Short::new(".abs") });
    }
    if source.signs.negate != opposite {
        line.short(const { &Short::new(".neg") });
    }
}

#[inline(always)]
fn goal(line: &mut Cursor<'_>, to: Goal) {
    match to {
        Goal::Nothing => {}
        Goal::Temporary(number) => temporary(line, number),
        Goal::Output(number) => {
            line.char(b'o');
            line.decimal(number.into());
        }
    }
}

/// A copy of a feed-through to where a result goes.
#[inline]
fn copy(line: &mut Cursor<'_>, item: &Item, feed: &Short) {
    let Words::Form { to, .. } = &item.words else { return };
    line.apart(|line| {
        line.short(const { &Short::new("      mov ") });
        goal(line, *to);
        line.short(const { &Short::new(", ") });
        line.short(feed);
        line.char(b'\n');
    });
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
        Item {
            words: Words::Form { form: form(name), group: 0, clamps: false, to, sources },
            kind: Kind::Early { fits_above },
        }
    }

    fn paired(items: &[Item]) -> (String, usize) {
        let mut groups = Groups::new(None, 0);
        items.iter().for_each(|item| groups.push(item.clone()));
        groups.finish()
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
