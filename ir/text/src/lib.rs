//! Text plumbing shared by every reader: byte spans, located diagnostics, one lexer with switches, number
//! literals, and the few `nom` pieces the grammars need. Knows nothing of the IR or of any instruction set.

mod diag;
mod lexer;
mod literal;
mod span;
mod tokens;

pub use diag::{Code, Diag, DiagKind, Label, Severity};
pub use lexer::{Comments, LexOptions, Token, TokenKind, lex, lex_range, mark_len};
pub use literal::{parse_f32, parse_f64, parse_hex_float, parse_hex_u64, parse_u64, print_hex_float};
pub use span::{LineMap, Place, Span};
pub use tokens::{Tokens, TokensError};

/// The known name closest to `found`, for "did you mean" help lines.
///
/// Returns `None` when no candidate is within a third of the word's length in edit distance.
pub fn closest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (found.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'a str)> = None;
    let length = found.chars().count();
    for candidate in known {
        // Nothing shorter or longer by more than the limit is near; words of megabytes are not compared at all.
        if candidate.chars().count().abs_diff(length) > limit {
            continue;
        }
        let distance = edit_distance(found, candidate);
        if distance <= limit && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// Edit distance on ASCII-lowered characters: insertions, deletions, substitutions, and swaps of neighbours, which is what
/// fingers do most.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_ascii_lowercase().chars().collect();
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    // Rows for the prefixes of `a` two back, one back and current.
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1; b.len() + 1];
        for j in 0..b.len() {
            let substitute = above[j] + usize::from(a[i] != b[j]);
            row[j + 1] = substitute.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
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
