//! `parallax translate`: a shader as a module or a text for other engines, with the model's bits, or as a program of another
//! instruction set.

#[cfg(feature = "vulkan")]
mod check;
mod listing;
mod many;
mod module;
mod program;
mod words;

use crate::args::TranslateArgs;
use crate::exit::{Exit, Failure};
use crate::term::Term;

pub(crate) fn run(args: &TranslateArgs, term: &Term) -> Result<Exit, Failure> {
    match args.to.target() {
        Some(name) => program::run(args, name, term),
        None => module::run(args, term),
    }
}
