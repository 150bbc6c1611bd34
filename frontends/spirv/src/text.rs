//! The assembly text of modules, as the Khronos tools spell it: [`disassemble`] prints what `spirv-dis --raw-id` prints and
//! [`assemble`] reads what `spirv-as --preserve-numeric-ids` reads. What an instruction has for operands is the grammar of
//! `rspirv`.
//!
//! Words that the grammar does not explain are printed as `!0x…`. Unlike for `spirv-as`, where lines do not count, such a
//! word belongs to the instruction on its line, and in front of a line begins words of no instruction: so broken modules
//! can be read back, too. Names are those of the newest grammar; those from before an extension was renamed or became part
//! of the core are read, but not written.

mod header;
mod ids;
mod literal;
mod names;
mod pattern;
mod print;
mod read;
#[cfg(test)]
mod tests;
mod tokens;

use crate::module::Module;
use parallax_text::{Diag, Span};

pub use print::{disassemble, instruction_text};
pub use read::assemble;

/// What [`assemble`] makes of a text.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The words of the module, the header first. Instructions with problems are left out.
    pub words: Vec<u32>,
    /// Where each instruction stands in the text.
    pub spans: Vec<Span>,
    /// All problems, in order of place.
    pub diags: Vec<Diag>,
}

impl Assembled {
    /// Cuts the words into a module whose spans lie in the text. The problems are those of both.
    ///
    /// # Errors
    /// Those of the text, or, where it has none, those of [`Module::new`].
    pub fn module(self) -> (Module, Vec<Diag>) {
        let spans = self.spans;
        let at = |number: usize| spans.get(number).copied().unwrap_or_default();
        let (module, diags) = Module::new(self.words, |number, _| at(number));
        (module, if self.diags.is_empty() { diags } else { self.diags })
    }
}
