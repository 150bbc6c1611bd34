//! Operations of phase 0 and 1, two in a group: all sources of a group are read before anything is written.

use super::forms::{Form, INDENT, form, names};
use crate::form::Signs;
use crate::scalar::template::{Piece, Slot};
use crate::text::{hex, numbered};
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

    /// A copy of a register.
    pub(super) fn copy(from: Source, to: Goal) -> Item {
        let sources = [Some(from), None, None];
        Item {
            words: Words::Form { form: form(names::MOV), group: 0, clamps: false, to, sources },
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

/// The text of groups, and how many there are. `mask_count`: its register, where there is control flow.
pub(super) fn paired(items: &[Item], mask_count: Option<u32>) -> (String, usize) {
    let mut out = Writer { text: String::with_capacity(items.len() * 64), mask_count };
    let mut done = vec![false; items.len()];
    let mut count = 0;
    for (at, item) in items.iter().enumerate() {
        if done[at] {
            continue;
        }
        if let Words::Text(label) = &item.words
            && label.text.ends_with(':')
        {
            out.text.push_str(&label.text);
            out.text.push('\n');
            continue;
        }
        out.begin(count);
        count += 1;
        let Kind::Early { .. } = item.kind else {
            out.group(item, "");
            continue;
        };
        let Some(n) = partner(items, &done, at) else {
            out.group(item, "ft0");
            out.copy(item, "ft0");
            continue;
        };
        done[n] = true;
        let other = &items[n];
        let (low, high) = if other.kind == (Kind::Early { fits_above: true }) { (item, other) } else { (other, item) };
        debug_assert_eq!(high.kind, Kind::Early { fits_above: true });
        out.group(low, "ft0");
        out.text.push_str(INDENT);
        out.group(high, "ft1");
        out.copy(low, "ft0");
        out.copy(high, "ft1");
    }
    (out.text, count)
}

/// The text in the making.
struct Writer {
    text: String,
    mask_count: Option<u32>,
}

impl Writer {
    /// Begins a group with its number; its statements stand a line each.
    fn begin(&mut self, number: usize) {
        let start = self.text.len();
        numbered(&mut self.text, "", number as u32, "");
        (self.text.len()..start + 4).for_each(|_| self.text.push(' '));
        self.text.push_str(": ");
    }

    /// The statements of a group but for copies of feed-throughs.
    fn group(&mut self, item: &Item, feed: &str) {
        match &item.words {
            Words::Text(text) => {
                for (n, line) in text.text.lines().enumerate() {
                    self.text.push_str(if n == 0 { "" } else { INDENT });
                    self.text.push_str(line);
                    self.text.push('\n');
                }
            }
            Words::Form { form, group, clamps, to, sources } => {
                for piece in form.groups.get(usize::from(*group)).map_or(&[][..], |group| &group.pieces) {
                    match *piece {
                        Piece::Text(text) => self.text.push_str(text),
                        Piece::Slot(Slot::Clamp) => self.text.push_str(if *clamps { ".sat" } else { "" }),
                        Piece::Slot(Slot::Result) => self.goal(*to),
                        Piece::Slot(Slot::Feed) => self.text.push_str(feed),
                        Piece::Slot(Slot::Count) => match self.mask_count {
                            Some(count) => numbered(&mut self.text, "r", count, ""),
                            None => self.text.push_str("c0"),
                        },
                        Piece::Slot(Slot::Operand(n)) => self.source(sources.get(n), false),
                        Piece::Slot(Slot::Opposite(n)) => self.source(sources.get(n), true),
                        Piece::Slot(Slot::Literal(n)) => {
                            if let Some(Some(source)) = sources.get(n) {
                                hex(&mut self.text, source.number);
                            }
                        }
                    }
                }
                self.text.push('\n');
            }
        }
    }

    fn source(&mut self, source: Option<&Option<Source>>, opposite: bool) {
        let Some(Some(source)) = source else { return };
        numbered(&mut self.text, source.bank.letters(), source.number, "");
        self.text.push_str(if source.signs.absolute { ".abs" } else { "" });
        self.text.push_str(if source.signs.negate != opposite { ".neg" } else { "" });
    }

    fn goal(&mut self, to: Goal) {
        match to {
            Goal::Nothing => {}
            Goal::Temporary(number) => numbered(&mut self.text, "r", number, ""),
            Goal::Output(number) => numbered(&mut self.text, "o", number, ""),
        }
    }

    /// A copy of a feed-through to where a result goes.
    fn copy(&mut self, item: &Item, feed: &str) {
        let Words::Form { to, .. } = &item.words else { return };
        self.text.push_str("      mov ");
        self.goal(*to);
        self.text.push_str(", ");
        self.text.push_str(feed);
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn text(items: &[Item]) -> String {
        paired(items, None).0
    }

    #[test]
    fn operations_share_a_group_where_neither_needs_the_other() {
        let swap = [early("mov", &[1], 0, true), early("mov", &[0], 1, true)];
        // The second reads what the first writes.
        assert_eq!(paired(&swap, None).1, 2);
        let free = [early("mov", &[1], 0, true), early("mov", &[2], 1, true)];
        assert_eq!(text(&free), "0   : mov ft0, r1\n      mov ft1, r2\n      mov r0, ft0\n      mov r1, ft1\n");
        // The third writes what the second still reads: it does not get past it, but stands beside it.
        let blocked = [early("mov", &[1], 0, true), early("fdsy", &[0], 5, true), early("fdsxf", &[2], 0, true)];
        let wanted = "0   : mov ft0, r1\n      mov r0, ft0\n1   : fdsy ft0, r0\n      fdsxf ft1, r2\n";
        assert!(text(&blocked).starts_with(wanted), "order");
        let past = [early("mov", &[1], 0, true), early("mov", &[0], 5, true), early("mov", &[2], 6, true)];
        assert_eq!(paired(&past, None).1, 2);
        // One that only phase 0 can read changes places with the other.
        let low = [early("mov", &[1], 0, true), early("fdsy", &[2], 3, false)];
        assert!(text(&low).starts_with("0   : fdsy ft0, r2\n      mov ft1, r1\n      mov r3, ft0\n"), "phases");
        let none = [early("mov", &[1], 0, false), early("mov", &[2], 3, false)];
        assert_eq!(paired(&none, None).1, 2);
        let apart = [early("mov", &[1], 0, true), Item::barrier("x"), early("mov", &[2], 3, true)];
        assert_eq!(paired(&apart, None).1, 3);
    }
}
