//! Shaders as programs of another instruction set.
//!
//! A translation keeps the program: it starts from a shader before a model is bound, and the arithmetic of the target computes the
//! operations then. What a target cannot express is refused by name; what it says in other words, with other bits under some rules,
//! is named.
//!
//! 1. `select` finds an instruction for each op, component by component: the tables of the frontends say what rows mean, and these
//!    meanings are read backwards.
//! 2. `pack` makes instructions on vectors of them.
//! 3. `live` finds where values are alive, `coalesce` makes one of those that branches and loops pass on.
//! 4. `registers` finds registers and components.
//! 5. `program` is the result, which each target writes in its own words.

mod allocator;
mod arb;
mod attila;
mod coalesce;
mod code;
mod finish;
mod form;
mod interface;
mod live;
mod notes;
mod nv40;
mod pack;
mod program;
mod prune;
mod registers;
mod scalar;
mod select;
mod spa5;
mod target;
mod text;
mod tgsi;
mod usc;
mod vertex;
mod webs;

pub use allocator::keep_freed_memory;
pub use interface::Places;
pub use notes::Inexact;
pub use parallax_core::Carried;
pub use target::Target;

use parallax_core::{Shader, Symbolic};
use parallax_text::Diag;

/// The targets, in the order of listings.
pub static TARGETS: &[&Target] =
    &[&tgsi::TARGET, &arb::ARB, &arb::NV, &nv40::TARGET, &attila::TARGET, &spa5::TARGET, &usc::TARGET];

/// What a program is written as.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A text; of NV40 a Cg binary and its assembly.
    #[default]
    Text,
    /// The words of an instruction set that has them, as its assembler makes them of the text: ATTILA, SPA 5.0, USC. Others as above.
    Words,
}

/// A program in another instruction set.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Its text; the assembly of programs that are words. Empty where words alone were asked for.
    pub text: String,
    /// The file of programs that are words.
    pub binary: Option<Vec<u8>>,
    /// Which input of it is which of the source.
    pub carried: Carried,
    /// Instructions, without declarations.
    pub instructions: usize,
    /// Temporary registers.
    pub registers: u32,
    /// What is said in other words, with other bits under some rules.
    pub inexact: Vec<Inexact>,
    /// The first and the last constant that hold literals, which the manifest has to set.
    pub literals: Option<(u32, u32)>,
}

impl Translation {
    /// The bytes of its file.
    pub fn file(&self) -> &[u8] {
        self.binary.as_deref().unwrap_or(self.text.as_bytes())
    }
}

/// Translates a shader that no pass but [`canonicalise`](../parallax_opt/fn.canonicalise.html) has seen, to a listing.
///
/// # Errors
/// What the target cannot express, each reason once.
pub fn translate(shader: &Shader<Symbolic>, target: &Target) -> Result<Translation, Vec<Diag>> {
    finish::translate(shader, target, Encoding::Text)
}

/// The same to words, where the target has them.
///
/// # Errors
/// What the target cannot express, each reason once.
pub fn translate_to_words(shader: &Shader<Symbolic>, target: &Target) -> Result<Translation, Vec<Diag>> {
    finish::translate(shader, target, Encoding::Words)
}
