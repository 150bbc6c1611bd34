//! Rows: one instruction form each, as constant data.

use crate::{code::Code, field::Field, pattern::Pattern, syntax::Syntax};
use parallax_text::{Comments, LexOptions};
use std::fmt::Debug;

/// An instruction set: its kinds of operands and how they are written. Everything else is read from the rows.
pub trait Isa: Sized + Send + Sync + 'static {
    /// Kinds of operands. A kind fixes the fields, so source one and source two are different kinds.
    type Kind: Copy + Eq + Debug + Send + Sync + 'static;
    /// What a frontend needs to lift a row; usually a function or an enumeration.
    type Lift: Copy + Send + Sync + 'static;

    /// How texts are cut into tokens, for what messages say is found. Lines count; `//` and `;` start comments.
    const LEXER: LexOptions =
        LexOptions { comments: Comments::SlashesOr(b';'), newlines: true, carriage_return: true, floats: true };
    /// Whether words have more than 64 bits.
    const WIDE: bool = true;

    /// How an operand is written, and so which fields it has.
    fn syntax(kind: Self::Kind) -> &'static Syntax;

    /// The code with operand bits that the text does not show at the values the reader gives them.
    fn canonical(row: &Row<Self>, code: Code) -> Code {
        let _ = row;
        code
    }

    /// Operand bits of the word that [`Isa::canonical`] may change: a word in which all of them are 0 stays as it is.
    /// `None` where that cannot be told from bits alone.
    fn implicit(row: &Row<Self>) -> Option<u128> {
        let _ = row;
        Some(0)
    }
}

/// How sure a row is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// The source document says it.
    Documented,
    /// Seen in the behaviour of the vendor's own tools or of a simulator.
    Observed,
    /// An independent implementation says it: an open compiler, for one.
    Implemented,
    /// Our reading.
    Assumed,
}

impl Confidence {
    /// The word used on the reference page.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::Documented => "documented",
            Confidence::Observed => "observed",
            Confidence::Implemented => "implemented",
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

impl<L: Copy> Meaning<L> {
    /// What it is lifted as, if it is.
    pub const fn lifted(&self) -> Option<L> {
        match self {
            Meaning::Lift(lift) => Some(*lift),
            Meaning::Unsupported(_) | Meaning::Refused(_) => None,
        }
    }
}

/// An operand of a row: its name in the text template, and its kind.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Operand<K> {
    /// Name in the template.
    pub name: &'static str,
    /// Kind.
    pub kind: K,
}

/// One instruction form.
///
/// The text template holds the mnemonic and `{name}` for each operand: `{guard}add{sat} {dst}, {a}, {b}{marks}`.
/// Operands before the mnemonic stand in front of it; operands of spellings directly behind it, such as `_sat`, are its
/// suffixes.
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
    pub operands: &'static [Operand<I::Kind>],
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
    /// All operand fields, those of several operands as often.
    pub fn fields(&self) -> Vec<&'static Field> {
        self.operands.iter().flat_map(|operand| I::syntax(operand.kind).fields()).collect()
    }

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
    /// Bits an encoding may have.
    pub widths: &'static [u32],
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
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub u16);

impl RowId {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
