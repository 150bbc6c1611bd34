//! Bytes as text.

/// Digits of Base64.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let digits = |word: u32| [18, 12, 6, 0].map(|shift| DIGITS[(word >> shift & 63) as usize]);
    let (whole, rest) = bytes.as_chunks::<3>();
    let mut out = Vec::with_capacity(bytes.len() / 3 * 4 + 4);
    for &[a, b, c] in whole {
        out.extend(digits(u32::from_be_bytes([0, a, b, c])));
    }
    if let [first, second @ ..] = rest {
        let last = digits(u32::from_be_bytes([0, *first, second.first().copied().unwrap_or(0), 0]));
        out.extend(&last[..=rest.len()]);
        out.resize(out.len() + 3 - rest.len(), b'=');
    }
    // Digits and signs of equality.
    String::from_utf8(out).unwrap_or_default()
}

/// What padded Base64 stands for; `None` for other text.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut values = [None; 256];
    for (value, digit) in (0u32..).zip(DIGITS) {
        values[usize::from(*digit)] = Some(value);
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let groups = text.as_bytes().chunks(4);
    let last = groups.len().saturating_sub(1);
    for (n, group) in groups.enumerate() {
        let padding = if n == last { group.iter().rev().take_while(|c| **c == b'=').count() } else { 0 };
        if group.len() != 4 || padding > 2 {
            return None;
        }
        let digits = group[..4 - padding].iter();
        let word = digits.map(|c| values[usize::from(*c)]).try_fold(0, |word, v| Some(word << 6 | v?))?;
        let word: u32 = word << (6 * padding);
        out.extend_from_slice(&word.to_be_bytes()[1..4 - padding]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads() {
        assert_eq!([b"Man".as_slice(), b"Ma", b"M"].map(encode), ["TWFu", "TWE=", "TQ=="]);
        for length in 0..7 {
            let bytes: Vec<u8> = (0..length).map(|n: u8| n.wrapping_mul(37).wrapping_add(250)).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
        assert!(["TWF", "TQ==TQ==", "T===", "TW~u", "TQ=a"].iter().all(|text| decode(text).is_none()));
    }
}
