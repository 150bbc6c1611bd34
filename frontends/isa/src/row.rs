//! Rows: one instruction form each, as constant data.

use crate::{Cursor, Encoding, Field, Pattern, Style};
use nom::IResult;
use parallax_text::{Tokens, TokensError};
use std::fmt::Debug;

/// An instruction set: its kinds of operands and how they are written. Everything else is read from the rows.
pub trait Isa: Sized + Send + Sync + 'static {
    /// Kinds of operands. A kind fixes the fields, so source one and source two are different kinds.
    type Class: Copy + Eq + Debug + Send + Sync + 'static;
    /// What a frontend needs to lift a row; usually a function or an enumeration.
    type Lift: Copy + Send + Sync + 'static;

    /// The fields of an operand.
    fn fields(class: Self::Class) -> &'static [Field];

    /// The operand's syntax in short notation, for the reference page.
    fn syntax(class: Self::Class) -> &'static str;

    /// What the operand is, for "expected ..." messages: "a source register".
    fn expected(class: Self::Class) -> &'static str;

    /// Spellings that stand directly behind the mnemonic, such as `_sat`, and the value of the operand's only field.
    /// The first spelling of a value is the one printed.
    fn glued(class: Self::Class) -> &'static [(&'static str, u64)] {
        let _ = class;
        &[]
    }

    /// Bits that are all 0 where such an operand has no text, such as a guard that does not count. `None` if it always has
    /// some, or bits cannot tell.
    fn silent(class: Self::Class) -> Option<u128> {
        let _ = class;
        None
    }

    /// Writes an operand.
    fn print(class: Self::Class, word: u128, style: Style, line: &mut Cursor<'_>);

    /// Whether the tokens can start such an operand; decides between rows of one mnemonic.
    fn starts(class: Self::Class, input: Tokens<'_>) -> bool;

    /// Reads an operand.
    fn read<'a>(class: Self::Class, input: Tokens<'a>, encoding: &mut Encoding)
    -> IResult<Tokens<'a>, (), TokensError>;

    /// Reads an operand in its plainest spelling straight from the bytes at `at`, and says where it ends. `None` leaves the
    /// line to [`Isa::read`], which alone decides what is right and what is wrong; where both read an operand, they read
    /// the same.
    fn skim(class: Self::Class, text: &[u8], at: usize, encoding: &mut Encoding) -> Option<usize> {
        let _ = (class, text, at, encoding);
        None
    }

    /// Sets the fields of an operand in front of the mnemonic that is not written; without this they are 0.
    fn omitted(class: Self::Class, encoding: &mut Encoding) {
        let _ = (class, encoding);
    }

    /// The word with operand bits that the text does not show at the values the reader gives them.
    fn canonical(row: &Row<Self>, word: u128) -> u128 {
        let _ = row;
        word
    }

    /// Operand bits that [`Isa::canonical`] may change; a word in which all of them are 0 stays as it is. `None` where
    /// that cannot be told from bits alone.
    fn hidden(row: &Row<Self>) -> Option<u128> {
        let _ = row;
        None
    }

    /// Writes what the text does not show: the exclusive or of the word with its canonical form.
    fn print_remainder(remainder: u128, line: &mut Cursor<'_>);
}

/// How sure a row is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// The source document says it.
    Documented,
    /// Seen in the behaviour of the vendor's own tools or of a simulator.
    Observed,
    /// Our reading.
    Assumed,
}

impl Confidence {
    /// The word used on the reference page.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::Documented => "documented",
            Confidence::Observed => "observed",
            Confidence::Assumed => "assumed",
        }
    }
}

/// What becomes of an instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Meaning<L> {
    /// It is lifted.
    Lift(L),
    /// It decodes, prints and assembles, but is not lifted, for this reason.
    Unsupported(&'static str),
    /// The encoding is known and refused, for this reason.
    Refused(&'static str),
}

/// An operand of a row: its name in the text template, and its kind.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Operand<C> {
    /// Name in the template.
    pub name: &'static str,
    /// Kind.
    pub class: C,
}

/// One instruction form.
///
/// The text template holds the mnemonic and `{name}` for each operand: `{guard}add{sat} {dst}, {a}, {b}{marks}`.
/// Operands before the mnemonic stand in front of it; an operand directly behind it is glued to it.
pub struct Row<I: Isa> {
    /// Mnemonic.
    pub name: &'static str,
    /// Other mnemonics that are read.
    pub aliases: &'static [&'static str],
    /// What tells it from rows of the same mnemonic; empty for the plain form.
    pub form: &'static str,
    /// Encoding.
    pub pattern: Pattern,
    /// Operands.
    pub operands: &'static [Operand<I::Class>],
    /// Text template; empty for refused rows that have no text.
    pub text: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// Where the source document says so.
    pub source: &'static str,
    /// How sure it is.
    pub confidence: Confidence,
    /// What becomes of it.
    pub meaning: Meaning<I::Lift>,
}

impl<I: Isa> Row<I> {
    /// Mnemonic and form, as in `add (immediate)`.
    pub fn title(&self) -> String {
        if self.form.is_empty() { self.name.to_string() } else { format!("{} ({})", self.name, self.form) }
    }
}

/// An instruction set's rows and what heads its reference page.
pub struct Table<I: Isa> {
    /// Name, such as `attila`.
    pub name: &'static str,
    /// Heading.
    pub title: &'static str,
    /// A paragraph about words and forms.
    pub about: &'static str,
    /// The rows by family. Row numbers count through all of them.
    pub families: &'static [Family<I>],
}

/// Rows that belong together; a heading on the reference page.
pub struct Family<I: Isa> {
    /// Heading.
    pub title: &'static str,
    /// The rows.
    pub rows: &'static [Row<I>],
}

impl<I: Isa> Table<I> {
    /// All rows, in the order of their numbers.
    pub fn rows(&self) -> impl Iterator<Item = &'static Row<I>> {
        self.families.iter().flat_map(|family| family.rows)
    }
}

/// Number of a row in its table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub u16);

impl RowId {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
