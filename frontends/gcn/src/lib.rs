//! AMD GCN 3 shader instructions, a subset: words of 32 and 64 bits, their assembly, and their lifting.
//!
//! The rows in [`TABLE`] say what is encoded where; [`PROGRAMS`] reads, lists and assembles programs. `docs/adding-an-isa.md` goes
//! through this crate file by file.

pub mod fields;
mod frontend;
mod lift;
mod operand;
mod program;
mod table;
mod trials;

pub use frontend::FRONTEND;
pub use lift::lift;
pub use program::PROGRAMS;
pub use table::{Gcn, Sem, TABLE};
