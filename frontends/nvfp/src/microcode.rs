//! Reading microcode, of fragment and of vertex programs alike: words, or their assembly.

use crate::ast::Program;
use crate::dialect::Dialect;
use crate::lift::lift;
use parallax_isa::is_text;
use parallax_lift::{Read, Request};
use parallax_text::Diag;

/// A text that was assembled.
pub(crate) trait Assembly {
    /// The words.
    fn bytes(&self) -> &[u8];

    /// Problems of the text.
    fn diags(&self) -> &[Diag];

    /// Locates a problem of the words in the text.
    fn locate(&self, diag: Diag) -> Diag;
}

/// Reads words, or their assembly. Problems of words are located by byte offset. `parse` makes a program of words.
pub(crate) fn read<A: Assembly>(
    request: &Request<'_>,
    dialect: Dialect,
    assemble: impl FnOnce(&str) -> A,
    parse: impl FnOnce(&[u8]) -> (Option<Program>, Vec<Diag>),
) -> Read {
    if !is_text(request.bytes) {
        return read_words(request, dialect, parse);
    }
    let mut read = Read { model: dialect.model(), ..Read::default() };
    let text = match parallax_lift::utf8(request.bytes) {
        Ok(text) => text,
        Err(diag) => {
            read.text = String::from_utf8_lossy(request.bytes).into_owned();
            read.diags.push(*diag);
            return read;
        }
    };
    read.text = text.to_string();
    let assembly = read.parse(|| {
        let assembly = assemble(text);
        let diags = assembly.diags().to_vec();
        (assembly, diags)
    });
    if read.diags.iter().any(Diag::is_error) {
        return read;
    }
    let known = read.diags.len();
    make(&mut read, assembly.bytes(), request, parse);
    let located: Vec<_> = read.diags.drain(known..).map(|diag| assembly.locate(diag)).collect();
    read.diags.extend(located);
    read
}

/// Reads words.
pub(crate) fn read_words(
    request: &Request<'_>,
    dialect: Dialect,
    parse: impl FnOnce(&[u8]) -> (Option<Program>, Vec<Diag>),
) -> Read {
    let mut read = Read { model: dialect.model(), ..Read::default() };
    make(&mut read, request.bytes, request, parse);
    read
}

/// Makes a program of words, and lifts it.
fn make(
    read: &mut Read,
    words: &[u8],
    request: &Request<'_>,
    parse: impl FnOnce(&[u8]) -> (Option<Program>, Vec<Diag>),
) {
    if let Some(program) = read.parse(|| parse(words)) {
        read.lift(|| lift(&program, "", request.options));
    }
}

/// The instructions of an assembly, and all problems; without an error there are some. `decode` reads them from words.
pub(crate) fn instructions<A: Assembly, P>(
    assembly: &A,
    decode: impl FnOnce(&[u8]) -> (P, Vec<Diag>),
) -> (Option<P>, Vec<Diag>) {
    let mut diags = assembly.diags().to_vec();
    if diags.iter().any(Diag::is_error) {
        return (None, diags);
    }
    let (program, problems) = decode(assembly.bytes());
    diags.extend(problems.into_iter().map(|diag| assembly.locate(diag)));
    (if diags.iter().any(Diag::is_error) { None } else { Some(program) }, diags)
}
