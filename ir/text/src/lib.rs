//! Text plumbing shared by every reader: byte spans, located diagnostics, one lexer with switches, number
//! literals, and the few `nom` pieces the grammars need. Knows nothing of the IR or of any instruction set.
//!
//! ```
//! use parallax_text::{Diag, LineMap, Span, closest};
//!
//! let text = "MUL R0\nMOW R1\n";
//! let near = closest("MOW", ["MUL", "MOV"]).expect("a near name");
//! let diag = Diag::invalid("opcode", Span::new(7, 10), "no opcode").with_help(format!("did you mean `{near}`?"));
//! let place = LineMap::new(text).place(text, 7);
//! assert_eq!((place.line, place.column), (2, 1));
//! assert_eq!(diag.to_string(), "error[opcode]: no opcode");
//! assert_eq!(diag.help, ["did you mean `MOV`?"]);
//! ```

mod diag;
mod form;
mod lexer;
mod literal;
mod span;
mod tokens;

pub use diag::{Code, Diag, DiagKind, Label, Severity};
pub use form::{Expected, FormReader, quote};
pub use lexer::{Comments, LexOptions, Token, TokenKind, lex, lex_range, mark_len};
pub use literal::{parse_f32, parse_f64, parse_hex_float, parse_hex_u64, parse_u64, print_hex_float};
pub use span::{LineColumn, LineMap, Span};
pub use tokens::{Tokens, TokensError};

/// The known name closest to `found`, for "did you mean" help lines.
///
/// Returns `None` when no candidate is within a third of the word's length in edit distance.
pub fn closest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = found.chars().count();
    let limit = (length / 3).max(1);
    let lowered = found.to_ascii_lowercase();
    // Nothing shorter or longer by more than the limit is near; words of megabytes are not compared at all.
    let near = known.into_iter().filter(|name| name.chars().count().abs_diff(length) <= limit);
    // A swap of neighbours, which is what fingers do most, counts once.
    near.map(|name| (strsim::osa_distance(&lowered, &name.to_ascii_lowercase()), name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn closest_finds_a_near_name_and_refuses_a_far_one() {
        assert_eq!(closest("ADDD", ["MUL", "ADD"]), Some("ADD"));
        assert_eq!(closest("nv30", ["ieee", "nv40"]), Some("nv40"));
        assert_eq!(closest("ronud", ["mad", "round"]), Some("round"));
        assert_eq!(closest("zzzz", ["ieee", "nv40"]), None);
    }
}
