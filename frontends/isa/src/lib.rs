//! Instruction rows and everything that is read from them.
//!
//! An instruction set is a [`Table`] of constant [`Row`]s and an [`Isa`] that says how its kinds of operands are
//! spelled. A row states its encoding as a [`Pattern`] in which every bit is constant, operand or ignored, its operands
//! as [`Field`]s, its text as a template. From the rows alone come, through [`Codec`]: the decoder (a tree of lookups,
//! then checks of fields with few valid values), the canonical encoder, the disassembler, the assembler's reader; and
//! beside it [`check()`], [`Generator`], [`Coverage`], [`dictionary`] and [`page()`].
//!
//! The record of a decoded instruction is its word and the number of its row: fields are taken from the word when
//! asked for, and bits that no field claims are kept, printed in [`Style::Exact`], and reassembled.
//!
//! Words come from files through a [`Stream`], and from texts through an [`Assembler`].
//!
//! ```
//! use parallax_isa::*;
//! use parallax_text::{Comments, LexOptions};
//!
//! /// A machine with one instruction.
//! struct Tiny;
//!
//! static DST: Field = Field::new("dst", 0, 4);
//! static REGISTER: Syntax = Syntax {
//!     items: &[Item::Register(&Register {
//!         number: &DST,
//!         bank: None,
//!         banks: &[Bank { name: "r", code: 0, first: 0, count: 16, exist: 16 }],
//!         what: "a register",
//!         literal: "",
//!     })],
//!     notation: "rn",
//! };
//!
//! impl Isa for Tiny {
//!     type Kind = ();
//!     type Lift = ();
//!     const LEXER: LexOptions =
//!         LexOptions { comments: Comments::Slashes, newlines: true, carriage_return: true, floats: false };
//!     fn syntax(_: ()) -> &'static Syntax {
//!         &REGISTER
//!     }
//! }
//!
//! static TABLE: Table<Tiny> = Table {
//!     name: "tiny",
//!     title: "Tiny",
//!     about: "",
//!     widths: &[8],
//!     families: &[Family {
//!         title: "All",
//!         rows: &[Row {
//!             name: "clear",
//!             aliases: &[],
//!             form: "",
//!             pattern: Pattern::new("0101 -{4}"),
//!             operands: &[Operand { name: "dst", kind: () }],
//!             text: "clear {dst}",
//!             doc: "Sets a register to 0.",
//!             source: "made up",
//!             confidence: Confidence::Documented,
//!             meaning: Meaning::Lift(()),
//!         }],
//!     }],
//! };
//!
//! let codec = Codec::new(&TABLE);
//! let word = Code::new(0x57, 0);
//! let row = codec.decode(word).expect("an instruction");
//! assert_eq!(codec.text(row, word, Style::Exact), "clear r7");
//! ```

mod assembly;
mod check;
mod code;
mod codec;
mod cursor;
mod field;
mod generate;
mod group;
mod lex;
mod lines;
mod lookup;
mod mixed;
mod nearest;
mod out;
mod page;
mod pattern;
mod plan;
mod power;
mod recent;
mod row;
mod scan;
mod shortest;
mod sniff;
mod straight;
mod stream;
mod syntax;
mod template;
mod text;
mod tree;
mod words;

pub use assembly::{
    Assembler, Directive, Labels, Line, Tail, bytes_directive, label, next_line, only_warn, read_bytes,
};
pub use check::check;
pub use code::{Code, Encoding};
pub use codec::{Codec, Reject};
pub use cursor::{Cursor, Short, Style};
pub use field::{Allowed, Bits, Field};
pub use generate::{Coverage, Generator, dictionary};
pub use group::{Binary, Group, Groups, Layout, MOST_BYTES, MOST_PARTS, Part, Slot};
pub use lex::{byte, find_any, skip_blanks, word_end};
pub use lines::Lines;
pub use mixed::Words32;
pub use out::Out;
pub use page::page;
pub use pattern::Pattern;
pub use power::power_of_ten;
pub use row::{Confidence, Family, Isa, Meaning, Operand, Row, RowId, Table};
pub use scan::Label;
pub use sniff::{LineShape, is_text};
pub use straight::{Instr, ListedLine, Straight};
pub use stream::{Bundles, Cut, Stream, Unit, Units, Words4x32, Words128};
pub use syntax::{Bank, Candidate, Form, Item, Number, Numeral, Problem, Register, Selected, Syntax, SyntaxKind};
pub use text::{MnemonicId, Parsed, Reading};
pub use tree::Tree;
pub use words::Words;
