//! Texts of groups.

use super::forms::INDENT;
use super::pairs::{Bank, Goal, Group, Item, Kind, Operation, Source, Words};
use crate::scalar::template::{Piece, Slot, names};
use parallax_isa::{Cursor, Short};

/// The feed-throughs of the first two phases.
const FIRST: Short = Short::new("ft0");
const SECOND: Short = Short::new("ft1");

/// The line of a label.
pub(super) fn put_label(line: &mut Cursor<'_>, label: u32) {
    line.text("again");
    line.decimal(label.into());
    line.text(":\n");
}

/// The number in front of a group, whose statements stand a line each.
pub(super) fn put_number(line: &mut Cursor<'_>, number: usize) {
    line.decimal(number as u64);
    let behind = match number {
        0..10 => const { &Short::new("   : ") },
        10..100 => const { &Short::new("  : ") },
        100..1000 => const { &Short::new(" : ") },
        _ => const { &Short::new(": ") },
    };
    line.short(behind);
}

/// The statements of a group.
#[inline]
pub(super) fn put_group(line: &mut Cursor<'_>, group: Group<'_>) {
    let Group { low, high } = group;
    let Some(high) = high else {
        put_item(line, low, &FIRST);
        return put_copy(line, low, &FIRST);
    };
    put_item(line, low, &FIRST);
    line.short(const { &Short::new(INDENT) });
    put_item(line, high, &SECOND);
    put_copy(line, low, &FIRST);
    put_copy(line, high, &SECOND);
}

/// The statements of an item but for the copy of a feed-through.
fn put_item(line: &mut Cursor<'_>, item: &Item, feed: &Short) {
    line.apart(|line| match &item.words {
        Words::Operation(operation) => put_operation(line, operation, feed),
        Words::Text(text) => {
            for (n, statement) in text.text.lines().enumerate() {
                line.text(if n == 0 { "" } else { INDENT });
                line.text(statement);
                line.char(b'\n');
            }
        }
        Words::Branch(label) => {
            line.text("if(p0) { br again");
            line.decimal((*label).into());
            line.text(" }\n");
        }
        Words::Label(_) => {}
    });
}

#[inline(always)]
fn put_operation(line: &mut Cursor<'_>, operation: &Operation, feed: &Short) {
    let Operation { form, group, clamps, to, sources } = operation;
    for piece in form.groups.get(usize::from(*group)).map_or(&[][..], |group| &group.pieces) {
        match piece {
            Piece::Text(text) => line.short(text),
            Piece::Slot(Slot::Clamp) => {
                if *clamps {
                    line.short(const { &Short::new(".sat") });
                }
            }
            Piece::Slot(Slot::Result) => put_goal(line, *to),
            Piece::Slot(Slot::Feed) => line.short(feed),
            Piece::Slot(Slot::Operand(n)) => put_source(line, sources.get(usize::from(*n)), false),
            Piece::Slot(Slot::Opposite(n)) => put_source(line, sources.get(usize::from(*n)), true),
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

/// The names of the temporaries.
static TEMPORARIES: [Short; 256] = names(b'r');

#[inline(always)]
fn put_temporary(line: &mut Cursor<'_>, number: u32) {
    match TEMPORARIES.get(number as usize) {
        Some(name) => line.short(name),
        // Programs with more are refused.
        None => line.char(b'r'),
    }
}

#[inline(always)]
fn put_source(line: &mut Cursor<'_>, source: Option<&Option<Source>>, opposite: bool) {
    let Some(Some(source)) = source else { return };
    match source.bank {
        Bank::Temporary => put_temporary(line, source.number),
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
fn put_goal(line: &mut Cursor<'_>, to: Goal) {
    match to {
        Goal::Nothing => {}
        Goal::Temporary(number) => put_temporary(line, number),
        Goal::Output(number) => {
            line.char(b'o');
            line.decimal(number.into());
        }
    }
}

/// A copy of a feed-through to where the result of an operation of phase 0 or 1 goes.
#[inline]
fn put_copy(line: &mut Cursor<'_>, item: &Item, feed: &Short) {
    let (Words::Operation(Operation { to, .. }), Kind::Early { .. }) = (&item.words, item.kind) else { return };
    line.apart(|line| {
        line.short(const { &Short::new("      mov ") });
        put_goal(line, *to);
        line.short(const { &Short::new(", ") });
        line.short(feed);
        line.char(b'\n');
    });
}
