//! The patent dialect's comments and `#define`, done on tokens: a macro's value is put in place of its name, spans
//! staying where the text is.

use super::{NAME, SYNTAX};
use parallax_text::{Comments, Diag, LexOptions, Span, Token, TokenKind, TokenStream, lex};
use rustc_hash::FxHashMap;

/// The value of each macro by its name.
type Macros<'a> = FxHashMap<&'a str, Vec<Token>>;

/// Tokens of a patent-dialect text after its first `skip` bytes, macros expanded.
pub(super) fn tokens<'a>(text: &'a str, skip: usize, diags: &mut Vec<Diag>) -> TokenStream<'a> {
    let mut blanked = text.as_bytes().to_vec();
    blanked[..skip].fill(b' ');
    let mut defines: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if start < skip && at <= skip {
            continue;
        }
        let start = start.max(skip);
        let body = text[start..at].trim_end_matches(['\n', '\r']);
        let first = start + (body.len() - body.trim_start().len());
        let end = start + body.len();
        if text[first..end].starts_with(';') {
            blanked[first..end].fill(b' ');
        } else if text[first..end].starts_with('#') {
            // The rest of a #define line after `;` is a comment.
            let stop = text[first..end].find(';').map_or(end, |n| first + n);
            defines.push((first, stop));
            blanked[first..end].fill(b' ');
        }
    }
    let options = LexOptions { comments: Comments::Slashes, newlines: false, carriage_return: true, floats: true };
    // Only whole characters were replaced, each byte by a blank.
    let blanked = String::from_utf8(blanked).unwrap_or_default();
    let plain = lex(&blanked, options);

    let mut macros = Macros::default();
    let mut pending = defines.into_iter().peekable();
    let mut out = Vec::with_capacity(plain.len());
    for token in plain {
        while let Some(&(first, stop)) = pending.peek() {
            if first > token.span.start as usize {
                break;
            }
            pending.next();
            define(text, first, stop, options, &mut macros, diags);
        }
        expand(text, token, &macros, &mut out);
    }
    TokenStream::of(text, out, options)
}

fn define<'a>(
    text: &'a str,
    first: usize,
    stop: usize,
    options: LexOptions,
    macros: &mut Macros<'a>,
    diags: &mut Vec<Diag>,
) {
    let shifted: Vec<Token> = lex(&text[first..stop], options)
        .into_iter()
        .map(|t| Token { span: Span::new(t.span.start as usize + first, t.span.end as usize + first), ..t })
        .collect();
    let word = |i: usize| shifted.get(i).filter(|t| t.kind == TokenKind::Word).map(|t| t.span.text(text));
    if word(1) != Some("define") {
        let message = format!("unknown directive `{}`", text[first..stop].trim_end());
        diags.push(Diag::invalid(SYNTAX, Span::new(first, stop), message).with_help("only `#define NAME value`"));
        return;
    }
    let Some(name) = word(2) else {
        let span = shifted.get(2).map_or(Span::new(stop, stop), |t| t.span);
        diags.push(Diag::invalid(SYNTAX, span, "expected the name of a macro after `#define`"));
        return;
    };
    if macros.contains_key(name) {
        diags.push(Diag::invalid(NAME, shifted[2].span, format!("macro `{name}` is defined twice")));
        return;
    }
    let mut value = Vec::new();
    for &token in &shifted[3..shifted.len() - 1] {
        expand(text, token, macros, &mut value);
    }
    if value.is_empty() {
        diags.push(Diag::invalid(SYNTAX, Span::new(stop, stop), format!("macro `{name}` has no value")));
        return;
    }
    // Values hold expanded tokens only, so a chain of macros cannot grow without bound unless each repeats the last.
    if value.len() > 64 {
        diags.push(Diag::invalid(SYNTAX, shifted[2].span, format!("macro `{name}` is longer than 64 tokens")));
        return;
    }
    macros.insert(name, value);
}

fn expand(text: &str, token: Token, macros: &Macros<'_>, out: &mut Vec<Token>) {
    let known = (token.kind == TokenKind::Word).then(|| macros.get(token.span.text(text))).flatten();
    match known {
        Some(value) => out.extend_from_slice(value),
        None => out.push(token),
    }
}
