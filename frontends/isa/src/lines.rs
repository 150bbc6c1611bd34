//! Listings of many instructions, one a line.

use crate::codec::Codec;
use crate::cursor::Style;
use crate::plan::{BLOCK, Pending};
use crate::row::{Isa, RowId};
use crate::{code::Code, out::Out};

/// Lines in the making: instructions are collected, and printed a block at a time.
pub struct Lines<'a, I: Isa> {
    codec: &'a Codec<I>,
    style: Style,
    out: &'a mut Out,
    count: usize,
    block: [Pending; BLOCK],
}

impl<I: Isa> Codec<I> {
    /// Prints the instructions that `add` adds, each in a line of its own. That is faster than one by one: what several of them show is
    /// looked up at the same time.
    #[inline(always)]
    pub fn lines(&self, style: Style, out: &mut Out, add: impl FnOnce(&mut Lines<'_, I>)) {
        let mut lines = Lines { codec: self, style, out, count: 0, block: [Pending::default(); BLOCK] };
        add(&mut lines);
        lines.print();
    }

    /// The texts of the instructions that `add` adds, in order.
    pub fn texts(&self, style: Style, add: impl FnOnce(&mut Lines<'_, I>)) -> std::vec::IntoIter<String> {
        let mut out = Out::new();
        self.lines(style, &mut out, add);
        let texts: Vec<String> = out.as_str().lines().map(str::to_string).collect();
        texts.into_iter()
    }

    /// Prints the lines of a block.
    #[inline(never)]
    fn print_block(&self, block: &mut [Pending], style: Style, out: &mut Out) {
        let (tables, first) = self.listing();
        match style {
            Style::Vendor => tables.print_block(first, block, style, out, |_, _| {}),
            Style::Exact => tables.print_block(first, block, style, out, |pending, line| {
                self.print_unseen(pending.row, &pending.code, line);
            }),
        }
    }
}

impl<I: Isa> Lines<'_, I> {
    /// Adds an instruction: `row` as [`Codec::decode`] found it.
    #[inline(always)]
    pub fn add(&mut self, row: RowId, code: &Code) {
        if let Some(pending) = self.block.get_mut(self.count) {
            pending.set(row, code);
        }
        self.count += 1;
        if self.count == BLOCK {
            self.print();
        }
    }

    #[inline(always)]
    fn print(&mut self) {
        let block = self.block.get_mut(..self.count).unwrap_or_default();
        self.codec.print_block(block, self.style, self.out);
        self.count = 0;
    }
}
