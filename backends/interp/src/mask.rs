//! Sets of lanes as bits.

/// A set of lanes; bit `l % 64` of word `l / 64` stands for lane `l`, bits beyond the last lane are clear.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Mask<'a> {
    words: &'a [u64],
}

impl<'a> Mask<'a> {
    pub(crate) fn new(words: &'a [u64]) -> Self {
        Mask { words }
    }

    /// The set's words.
    pub fn words(self) -> &'a [u64] {
        self.words
    }

    /// Whether `lane` is in the set.
    pub fn get(self, lane: usize) -> bool {
        self.words.get(lane / 64).is_some_and(|word| word >> (lane % 64) & 1 != 0)
    }

    /// Number of lanes in the set.
    pub fn count(self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Lanes in the set, in order.
    pub fn lanes(self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        self.words.iter().enumerate().flat_map(|(w, &word)| Bits(word).map(move |bit| w * 64 + bit))
    }
}

/// Positions of the set bits of a word.
#[derive(Clone)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Words needed for `lanes` lanes.
pub(crate) fn words_for(lanes: usize) -> usize {
    lanes.div_ceil(64)
}

/// The word with a bit for every lane of word `w` that exists.
pub(crate) fn full_word(lanes: usize, w: usize) -> u64 {
    match lanes - w * 64 {
        n if n >= 64 => !0,
        n => (1 << n) - 1,
    }
}

/// The lanes from the first to the last quad with a set bit, as `start..end`, both multiples of 4; `None` when no bit is
/// set.
pub(crate) fn quad_span(words: &[u64]) -> Option<(usize, usize)> {
    let first = words.iter().position(|&w| w != 0)?;
    let last = words.iter().rposition(|&w| w != 0)?;
    let start = first * 64 + words[first].trailing_zeros() as usize;
    let end = last * 64 + 63 - words[last].leading_zeros() as usize;
    Some((start & !3, (end | 3) + 1))
}

/// The bits of `count` lanes from `first` on, at most 128; their first bit is the lowest.
pub(crate) fn part(words: &[u64], first: usize, count: usize) -> u128 {
    let word = |w: usize| words.get(w).copied().map_or(0, u128::from);
    let bits = (word(first / 64) | word(first / 64 + 1) << 64) >> (first % 64);
    if count < 128 { bits & ((1 << count) - 1) } else { bits }
}

/// Sets the bits of lanes from `first` on that are set in `bits`, and no others.
pub(crate) fn set_part(words: &mut [u64], first: usize, bits: u128) {
    let bits = bits << (first % 64);
    words.fill(0);
    for (word, bits) in words[first / 64..].iter_mut().zip([bits as u64, (bits >> 64) as u64]) {
        *word = bits;
    }
}

/// Sets the bits of lanes whose word in `row` is odd; the other bits of `out` are cleared.
pub(crate) fn from_row(row: &[u8], out: &mut [u64]) {
    for (chunk, word) in row.chunks(64).zip(out) {
        let mut bytes = [0; 64];
        bytes[..chunk.len()].copy_from_slice(chunk);
        *word = bytes.as_chunks::<8>().0.iter().enumerate().fold(0, |mask, (n, eight)| {
            // Bit 0 of byte k to bit 56 + k of the product, without carries.
            let odd = u64::from_le_bytes(*eight) & 0x0101_0101_0101_0101;
            mask | odd.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * n)
        });
    }
}

/// Sets `to` to the bits of a mask, `lanes` in all.
pub(crate) fn to_flags(words: &[u64], lanes: usize, to: &mut Vec<bool>) {
    to.clear();
    if words.iter().enumerate().all(|(w, &word)| word == full_word(lanes, w)) {
        return to.resize(lanes, true);
    }
    if words.iter().all(|&word| word == 0) {
        return to.resize(lanes, false);
    }
    to.extend((0..lanes).map(|lane| words[lane / 64] >> (lane % 64) & 1 != 0));
}

/// The mask of flags.
pub(crate) fn from_flags(flags: &[bool], out: &mut [u64]) {
    for (chunk, word) in flags.chunks(64).zip(out) {
        *word = chunk.iter().enumerate().fold(0, |mask, (bit, &flag)| mask | u64::from(flag) << bit);
    }
}

/// Copies `from` to `to` in the lanes of `words`.
pub(crate) fn copy_masked<T: Copy>(words: &[u64], from: &[T], to: &mut [T]) {
    for ((&word, from), to) in words.iter().zip(from.chunks(64)).zip(to.chunks_mut(64)) {
        if word.count_ones() as usize == to.len() {
            to.copy_from_slice(&from[..to.len()]);
        } else {
            for bit in Bits(word) {
                to[bit] = from[bit];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_cover_whole_quads() {
        assert_eq!(quad_span(&[0, 0]), None);
        assert_eq!(quad_span(&[1 << 5, 0]), Some((4, 8)));
        assert_eq!(quad_span(&[1 << 63, 1 << 1]), Some((60, 68)));
    }

    #[test]
    fn masks_and_rows_of_flags_agree() {
        for lanes in [4, 64, 68, 132] {
            for pattern in [0u64, u64::MAX, 0x0123_4567_89ab_cdef, 1, 1 << 63] {
                let flag = |lane: usize| pattern >> (lane * 7 % 64) & 1 != 0;
                let row: Vec<u8> = (0..lanes).map(|lane| u8::from(flag(lane)) | 0xfe).collect();
                let flags: Vec<bool> = (0..lanes).map(flag).collect();
                let (mut a, mut b) = (vec![9; words_for(lanes)], vec![9; words_for(lanes)]);
                from_row(&row, &mut a);
                from_flags(&flags, &mut b);
                assert_eq!(a, b);
                assert!((0..lanes).all(|lane| Mask::new(&a).get(lane) == flag(lane)));
                let mut back = Vec::new();
                to_flags(&a, lanes, &mut back);
                assert_eq!(back, flags);
            }
        }
    }

    #[test]
    fn copies_touch_masked_lanes_only() {
        let from: Vec<u64> = (0..68).collect();
        let mut to = vec![99; 68];
        copy_masked(&[!0 ^ 2, 0b1010], &from, &mut to);
        assert_eq!((to[0], to[1], to[2], to[63]), (0, 99, 2, 63));
        assert_eq!(to[64..], [99, 65, 99, 67]);
        assert_eq!(Mask::new(&[0b1010]).lanes().collect::<Vec<_>>(), [1, 3]);
    }
}
