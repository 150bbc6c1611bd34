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

mod closest;
mod components;
mod diag;
mod form;
mod lexer;
mod literal;
mod order;
mod printable;
mod span;
mod stream;
mod tokens;

pub use closest::closest;
pub use components::four_components;
pub use diag::{Code, Diag, DiagKind, Label, Severity};
pub use form::{Expected, FormReader, quote};
pub use lexer::{Comments, LexOptions, Token, TokenKind, lex, lex_range, mark_len};
pub use literal::{parse_f32, parse_f64, parse_hex_float, parse_hex_u64, parse_u64, print_hex_float};
pub use order::{sort_by, sort_by_key};
pub use printable::{cell, clean, clean_json, clean_lines};
pub use span::{LineColumn, LineMap, Span, newlines};
pub use stream::TokenStream;
pub use tokens::{Tokens, TokensError};
