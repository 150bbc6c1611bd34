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
//! Words come from files through a [`Stream`].

mod check;
mod codec;
mod cursor;
mod encode;
mod field;
mod generate;
mod out;
mod page;
mod pattern;
mod row;
mod skim;
mod stream;
mod template;
mod text;
mod tree;

pub use check::check;
pub use codec::{Codec, Reject};
pub use cursor::{Cursor, Short, Style};
pub use encode::{Clash, Encoding};
pub use field::{Allowed, Bits, Field};
pub use generate::{Coverage, Generator, dictionary};
pub use out::Out;
pub use page::page;
pub use pattern::Pattern;
pub use row::{Confidence, Family, Isa, Meaning, Operand, Row, RowId, Table};
pub use skim::{agrees, byte, skip_blanks};
pub use stream::{Bundles, Cut, Groups, Stream, Unit, Units, Words4x32, Words128, window};
pub use text::Parsed;
pub use tree::Tree;
