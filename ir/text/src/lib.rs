//! Text plumbing shared by every reader: byte spans, located diagnostics, one lexer with switches, number
//! literals, and the few `nom` pieces the grammars need. Knows nothing of the IR or of any instruction set.

mod diag;
mod lexer;
mod literal;
mod span;
mod tokens;

pub use diag::{Code, Diag, DiagKind, Label, Severity};
pub use lexer::{Comments, LexOptions, Token, TokenKind, lex};
pub use literal::{parse_f32, parse_f64, parse_hex_float, parse_hex_u64, parse_u64, print_hex_float};
pub use span::{LineMap, Place, Span};
pub use tokens::{Tokens, TokensError};

/// The known name closest to `found`, for "did you mean" help lines.
///
/// Returns `None` when no candidate is within a third of the word's length in edit distance.
pub fn closest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (found.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in known {
        let distance = edit_distance(found, candidate);
        if distance <= limit && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// Levenshtein distance on ASCII-lowered characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.to_ascii_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn closest_finds_a_near_name_and_refuses_a_far_one() {
        assert_eq!(closest("ADDD", ["MUL", "ADD"]), Some("ADD"));
        assert_eq!(closest("nv30", ["ieee", "nv40"]), Some("nv40"));
        assert_eq!(closest("zzzz", ["ieee", "nv40"]), None);
    }
}
