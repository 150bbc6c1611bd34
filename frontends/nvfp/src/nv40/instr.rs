//! One instruction, and views of its fields.

use super::fields::*;
use super::isa::has;
use super::kind::IDENTITY;
use super::{Kind, Nv40, codec};
use parallax_isa::{Code, Field, Out, Row, RowId, Style};
use parallax_text::Span;

/// A decoded instruction: its word with the constant behind it, its row, and the bytes it takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    pub(super) code: Code,
    pub(super) row: RowId,
    /// Byte offset.
    pub(super) offset: u32,
}

impl Instr {
    /// The word, and as side data the constant.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Number of its row.
    pub fn row_id(&self) -> RowId {
        self.row
    }

    /// Its row.
    pub fn row(&self) -> &'static Row<Nv40> {
        codec().row(self.row)
    }

    /// Where it starts in the program, in bytes.
    #[inline]
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// Bytes it takes, a constant included.
    pub fn bytes(&self) -> usize {
        if constant_follows(self.code.word()) { 32 } else { 16 }
    }

    /// Its bytes in the program.
    pub fn span(&self) -> Span {
        Span::new(self.offset as usize, self.offset as usize + self.bytes())
    }

    /// Whether the program ends behind it.
    #[inline(always)]
    pub fn ends(&self) -> bool {
        self.code.word() & 1 != 0
    }

    #[inline(always)]
    pub(super) fn get(&self, field: &Field) -> u64 {
        field.get(&self.code)
    }

    #[inline(always)]
    pub(super) fn flag(&self, field: &Field) -> bool {
        self.get(field) != 0
    }

    /// Prints it.
    pub fn print(&self, style: Style, out: &mut Out) {
        codec().print(self.row, self.shown(style), style, out);
    }

    /// As text.
    pub fn text(&self, style: Style) -> String {
        codec().text(self.row, self.shown(style), style)
    }

    /// The code as a style shows it: a test that always passes needs no swizzle to anybody but an assembler.
    pub(super) fn shown(&self, style: Style) -> Code {
        let mut code = self.code;
        if style == Style::Vendor && TEST.get(&code) == ALWAYS && has(self.row(), Kind::Result) {
            TEST_SWIZZLE.put(&mut code, IDENTITY);
        }
        code
    }
}
