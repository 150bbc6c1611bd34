//! The short way to read assembly: instructions in their plainest spelling, straight from the bytes.
//!
//! It knows no errors. Whatever is not plain is left to the reader over tokens, which decides alone what is right.

use crate::template::{Literal, Step};
use crate::{Codec, Encoding, Isa, RowId};
use parallax_text::{TokenKind, Tokens};

/// The byte at `at`; behind the end stands a line feed.
#[inline(always)]
pub fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'\n')
}

/// Where the blanks from `at` on end.
#[inline(always)]
pub fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(byte(text, at), b' ' | b'\t') {
        at += 1;
    }
    at
}

/// A word of up to 15 characters as a number, its length on top: a zero is a character like any other.
pub(crate) fn key(word: &str) -> Option<u128> {
    let bytes = word.as_bytes();
    let chars = || bytes.iter().rev().fold(0, |key, b| key << 8 | u128::from(*b));
    (bytes.len() < 16).then(|| chars() | (bytes.len() as u128) << 120)
}

/// The word at `at` that a blank ends, as [`key`] makes it, and the place of the blank.
#[inline(always)]
fn word(text: &[u8], at: usize) -> Option<(u128, usize)> {
    const ONES: u128 = u128::MAX / 255;
    let rest = text.get(at..)?;
    let bytes = match rest.first_chunk::<16>() {
        Some(chunk) => *chunk,
        None => {
            let mut padded = [b'\n'; 16];
            padded[..rest.len()].copy_from_slice(rest);
            padded
        }
    };
    let chars = u128::from_le_bytes(bytes);
    // The lowest byte that is a blank: zero after the exclusive or.
    let apart = chars ^ (ONES * u128::from(b' '));
    let blanks = apart.wrapping_sub(ONES) & !apart & ONES << 7;
    let end = blanks.trailing_zeros() / 8;
    if blanks == 0 || end == 0 {
        return None;
    }
    Some((chars & ((1 << (8 * end)) - 1) | u128::from(end) << 120, at + end as usize))
}

impl<I: Isa> Codec<I> {
    /// Reads the instruction at `at`, if it is written plainly: its row, its word, and where it ends. What follows is the
    /// caller's to judge; where it cannot follow an instruction, [`Codec::read`] has to read the line.
    #[inline]
    pub fn skim(&self, text: &[u8], at: usize) -> Option<(RowId, u128, usize)> {
        let reader = self.reader();
        let mut encoding = Encoding::default();
        let mut at = at;
        let mut given = 0u8;
        if byte(text, at) == b'(' {
            let &[class] = reader.leading.as_slice() else { return None };
            at = skip_blanks(text, I::skim(class, text, at, &mut encoding)?);
            given = 1;
        }
        let (key, end) = word(text, at)?;
        let mnemonic = reader.plain.get(&key)?;
        at = end;
        if let Some((field, value)) = mnemonic.preset {
            encoding.put(field, value).ok()?;
        }
        let mut node = &reader.nodes[usize::from(mnemonic.root)];
        loop {
            let (next, end) = match *node.next.as_slice() {
                [] => break,
                [only] if node.row.is_none() => {
                    (only, step::<I>(reader.nodes[usize::from(only)].step?, text, at, &mut encoding)?)
                }
                _ => node.next.iter().find_map(|&next| {
                    let mut tried = encoding;
                    let end = step::<I>(reader.nodes[usize::from(next)].step?, text, at, &mut tried)?;
                    encoding = tried;
                    Some((next, end))
                })?,
            };
            node = &reader.nodes[usize::from(next)];
            at = end;
        }
        let row = node.row?;
        let leading = reader.has_leading[row.index()];
        if given & !leading != 0 {
            return None;
        }
        if leading & !given != 0 {
            reader.leading.iter().for_each(|&class| I::omitted(class, &mut encoding));
        }
        let word = encoding.finish(self.row(row).pattern.base());
        (self.decode(word) == Ok(row)).then_some((row, word, at))
    }
}

#[inline(always)]
fn step<I: Isa>(step: Step<I::Class>, text: &[u8], at: usize, encoding: &mut Encoding) -> Option<usize> {
    match step {
        Step::Operand(class) => I::skim(class, text, skip_blanks(text, at), encoding),
        Step::Literal(Literal::Punct(punct)) => {
            let at = skip_blanks(text, at);
            (byte(text, at) == punct).then_some(at + 1)
        }
        Step::Literal(Literal::Word(_)) => None,
    }
}

/// Whether both readers agree about a line: what the short way reads to the end, the long way reads too, and the same. For
/// tests and fuzzers.
pub fn agrees<I: Isa>(codec: &Codec<I>, line: &str, tokens: Tokens<'_>) -> bool {
    let text = line.as_bytes();
    match codec.skim(text, 0) {
        Some((row, word, end)) if byte(text, skip_blanks(text, end)) == b'\n' => {
            let at_end = |rest: Tokens<'_>| matches!(rest.peek().kind, TokenKind::Newline | TokenKind::End);
            codec.read(tokens).is_ok_and(|(rest, read)| at_end(rest) && (row, word) == (read.row, read.word))
        }
        _ => true,
    }
}
