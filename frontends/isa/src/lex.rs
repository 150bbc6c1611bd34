//! Characters and words of texts.

/// The byte at `at`; behind the end stands a line feed.
#[inline(always)]
pub fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'\n')
}

/// Where the blanks from `at` on end. A carriage return is one unless a line feed follows.
#[inline(always)]
pub fn skip_blanks(text: &[u8], at: usize) -> usize {
    if byte(text, at) > b' ' { at } else { skip_some(text, at) }
}

fn skip_some(text: &[u8], mut at: usize) -> usize {
    loop {
        match byte(text, at) {
            b' ' | b'\t' => at += 1,
            b'\r' if byte(text, at + 1) != b'\n' => at += 1,
            _ => return at,
        }
    }
}

/// Whether a byte can stand inside of a word.
#[inline(always)]
pub(crate) const fn in_word(byte: u8) -> bool {
    const IN_WORD: [bool; 256] = {
        let mut all = [false; 256];
        let mut b = 0;
        while b < 256 {
            all[b] = (b as u8).is_ascii_alphanumeric() || matches!(b as u8, b'_' | b'$');
            b += 1;
        }
        all
    };
    IN_WORD[byte as usize]
}

/// Where the word at `at` ends; `at` where there is none.
#[inline(always)]
pub fn word_end(text: &[u8], at: usize) -> usize {
    if byte(text, at).is_ascii_digit() {
        return at;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|b| !in_word(*b)).unwrap_or(rest.len())
}
