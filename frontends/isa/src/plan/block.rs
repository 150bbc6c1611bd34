//! Instructions are printed in blocks: the pieces of all are found before any is written.
//!
//! Finding the pieces of a word takes a chain of lookups, each of which waits for the one before. The chains of several instructions do
//! not wait for each other, but a processor overlaps them only if they are close together.

use super::{Run, Shapes, Tables};
use crate::cursor::{Cursor, Style};
use crate::out::Out;
use crate::{code::Code, row::RowId};

/// Instructions of a block.
pub(crate) const BLOCK: usize = 16;

/// An instruction that is to be printed.
#[derive(Copy, Clone, Default)]
pub(crate) struct Pending {
    pub(crate) code: Code,
    pub(crate) row: RowId,
    has_more: bool,
    run: Run,
}

impl Pending {
    /// An instruction of a row.
    #[inline(always)]
    pub(crate) fn set(&mut self, row: RowId, code: &Code) {
        (self.code, self.row) = (*code, row);
    }
}

impl Tables {
    /// How rows are printed in a style.
    #[inline(always)]
    pub(super) fn shapes(&self, style: Style) -> &Shapes {
        if style == Style::Exact { &self.exact } else { &self.plain }
    }

    /// Writes instructions, each in a line of its own, of rows that are numbered from `first` on; `behind` writes what follows the text of each.
    #[inline(always)]
    pub(crate) fn print_block(
        &self,
        first: usize,
        block: &mut [Pending],
        style: Style,
        out: &mut Out,
        behind: impl Fn(&Pending, &mut Cursor<'_>),
    ) {
        let shapes = self.shapes(style);
        let stretches = shapes.first.get(first..).unwrap_or_default();
        for pending in block.iter_mut() {
            (pending.run, pending.has_more) = match stretches.get(pending.row.index()) {
                Some(stretch) => (self.run_of(stretch, &pending.code), stretch.has_more()),
                None => (Run::default(), false),
            };
        }
        for pending in block.iter() {
            out.line(|line| {
                self.print_run(pending.run, &pending.code, style, line);
                if pending.has_more {
                    self.print_more(shapes.more[first + pending.row.index()], &pending.code, style, line);
                }
                behind(pending, line);
                line.end();
            });
        }
    }
}
