//! Characters and words of texts.

/// The byte at `at`; behind the end stands a line feed.
#[inline(always)]
pub fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'\n')
}

/// The first place from `at` on where one of these bytes stands; the end of the text where none does.
#[inline]
pub fn find_any<const N: usize>(text: &[u8], at: usize, wanted: [u8; N]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let rest = text.get(at..).unwrap_or_default();
    let (words, last) = rest.as_chunks::<8>();
    for (n, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The high bit of each byte that is one of them, and perhaps of bytes behind the first of these.
        let found = wanted.iter().fold(0, |found, byte| {
            let differing = word ^ (ONES * u64::from(*byte));
            found | differing.wrapping_sub(ONES) & !differing & (ONES << 7)
        });
        if found != 0 {
            return at + 8 * n + found.trailing_zeros() as usize / 8;
        }
    }
    let behind = last.iter().position(|byte| wanted.contains(byte)).unwrap_or(last.len());
    at + 8 * words.len() + behind
}

/// Sixteen bytes from `at` on as a little-endian word; behind the end stand zeros.
#[inline(always)]
pub(crate) fn sixteen(text: &[u8], at: usize) -> u128 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => u128::from_le_bytes(*bytes),
        None => last_bytes(text, at),
    }
}

/// Eight bytes from `at` on as a little-endian word; behind the end stand zeros.
#[inline(always)]
pub(crate) fn eight(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => last_bytes(text, at) as u64,
    }
}

/// The bytes near the end of a text.
#[inline]
fn last_bytes(text: &[u8], at: usize) -> u128 {
    match text.last_chunk() {
        Some(bytes) => {
            let missing = (at + 16).saturating_sub(text.len());
            u128::from_le_bytes(*bytes).checked_shr(8 * missing as u32).unwrap_or(0)
        }
        None => text.iter().skip(at).rev().fold(0, |word, byte| word << 8 | u128::from(*byte)),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_found_wherever_they_stand() {
        let text: Vec<u8> = (0..200u8).flat_map(|n| [n, b'a', n ^ 0x80]).collect();
        for at in 0..text.len() + 2 {
            for wanted in [[b'a', 0], [1, 0x81], [255, 199], [250, 251]] {
                let first = (at..text.len()).find(|n| wanted.contains(&text[*n])).unwrap_or(text.len().max(at));
                assert_eq!(find_any(&text, at, wanted), first, "{at} {wanted:?}");
            }
            let bytes: u128 = (0..16).map(|n| u128::from(text.get(at + n).copied().unwrap_or(0)) << (8 * n)).sum();
            assert_eq!((sixteen(&text, at), sixteen(&text[..3], at.min(4)) >> 24), (bytes, 0));
            assert_eq!((eight(&text, at), eight(&text[..3], at.min(4)) >> 24), (bytes as u64, 0));
        }
        assert_eq!(sixteen(b"ab", 0), 0x6261);
    }
}
