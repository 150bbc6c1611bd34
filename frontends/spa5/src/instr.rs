//! One instruction, and typed views of its fields.

use crate::fields::{self, *};
use crate::{codec::codec, isa::Spa5, op::Op, table};
use parallax_isa::{Code, Codec, Field, Reject, Row, RowId, Style};
use std::sync::LazyLock;

/// A decoded instruction: its word, its control bits and its row. Nothing of the word is dropped.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instr {
    word: u64,
    control: u32,
    row: RowId,
}

impl Instr {
    /// The instruction of a row that was found already.
    #[inline(always)]
    pub(crate) fn new(row: RowId, code: &Code) -> Instr {
        Instr { word: code.word() as u64, control: CONTROL.get(code) as u32, row }
    }

    /// Decodes a word with its control bits as side data.
    ///
    /// # Errors
    /// What is wrong with it.
    #[inline(always)]
    pub fn decode(codec: &Codec<Spa5>, code: Code) -> Result<Instr, Reject> {
        Ok(Instr::new(codec.decode(code)?, &code))
    }

    /// The word.
    #[inline(always)]
    pub fn word(&self) -> u64 {
        self.word
    }

    /// The control bits: see [`fields`], counted from [`Code::SIDE`] there and from 0 here.
    #[inline(always)]
    pub fn control(&self) -> u32 {
        self.control
    }

    /// Word and control bits.
    #[inline(always)]
    pub fn code(&self) -> Code {
        Code::new(u128::from(self.word), u128::from(self.control))
    }

    /// The same for an instruction at byte `address`: with the place a branch leads to.
    #[inline(always)]
    pub fn code_at(&self, address: u64) -> Code {
        let side = u128::from(self.control) | u128::from(self.target(address) as u64) << 64;
        Code::new(u128::from(self.word), side)
    }

    /// Number of its row.
    #[inline(always)]
    pub fn row_id(&self) -> RowId {
        self.row
    }

    /// Its row.
    #[inline]
    pub fn row(&self) -> &'static Row<Spa5> {
        codec().row(self.row)
    }

    /// What it does, if it is lifted.
    #[inline]
    pub fn op(&self) -> Option<Op> {
        static ALL: LazyLock<Vec<Option<Op>>> =
            LazyLock::new(|| codec().rows().map(|(_, row)| table::op(row)).collect());
        ALL[self.row.index()]
    }

    /// Which of its operands is what: `R`, `C`, `I`, `RC`, `CR`, or as the row says.
    #[inline]
    pub fn form(&self) -> &'static str {
        self.row().form
    }

    /// A field at a known place.
    #[inline(always)]
    pub fn get(&self, field: &Field) -> u64 {
        field.get(&self.code())
    }

    /// A field of one bit at a known place.
    #[inline(always)]
    pub fn bit(&self, n: u8) -> bool {
        self.word >> n & 1 != 0
    }

    /// The operand field of this name; `None` where the row has none. Names are the same in all rows: `ftz`, `sat`, `rnd`,
    /// `cc`, `x`, `neg_a`, `abs_b`, `signed`, `cmp`, `bop`, `pd`, ...
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        static ALL: LazyLock<Vec<Vec<&'static Field>>> =
            LazyLock::new(|| codec().rows().map(|(_, row)| row.fields()).collect());
        ALL[self.row.index()].iter().find(|field| field.name == name).copied()
    }

    /// The value of the operand field of this name; 0 where the row has none.
    pub fn value(&self, name: &str) -> u64 {
        self.field(name).map_or(0, |field| self.get(field))
    }

    /// The guard predicate and whether it is inverted. PT, not inverted, where the instruction is not guarded.
    #[inline]
    pub fn guard(&self) -> (u8, bool) {
        // Instructions that push places have no guard.
        if self.field("guard").is_none() {
            return (7, false);
        }
        (self.get(&fields::GUARD) as u8, self.get(&GUARD_NOT) != 0)
    }

    /// Whether it shows the place its distance leads to.
    pub(crate) fn is_branch(&self) -> bool {
        static ALL: LazyLock<Vec<bool>> = LazyLock::new(|| {
            let target = |field: &&'static Field| **field == TARGET;
            codec().rows().map(|(_, row)| row.fields().iter().any(target)).collect()
        });
        ALL[self.row.index()]
    }

    /// Where a branch at byte `address` leads to. Meaningful where the row has a distance.
    #[inline(always)]
    pub fn target(&self, address: u64) -> i64 {
        (address as i64).wrapping_add(8).wrapping_add(DISTANCE.get_signed(&Code::from(u128::from(self.word))))
    }

    /// The instruction with this distance, if the word can hold it.
    #[must_use]
    pub fn with_distance(mut self, distance: i64) -> Option<Instr> {
        let mut code = self.code();
        DISTANCE.put(&mut code, distance as u64);
        self.word = code.word() as u64;
        DISTANCE.fits(distance).then_some(self)
    }

    /// As text, at byte `address`.
    pub fn text(&self, address: u64, style: Style) -> String {
        trimmed(codec().text(self.row, self.code_at(address), style))
    }
}

/// A text without blanks at its end.
pub(crate) fn trimmed(mut text: String) -> String {
    text.truncate(text.trim_end().len());
    text
}
