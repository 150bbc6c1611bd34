//! How a file is cut into words.

/// One word of a stream.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unit<S> {
    /// Byte offset of its first byte.
    pub offset: usize,
    /// Bytes it takes.
    pub len: usize,
    /// The word, as rows see it.
    pub word: u128,
    /// What the stream keeps beside the word, such as control bits.
    pub side: S,
}

/// The bytes end, or go wrong, inside a unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Byte offset of the unit.
    pub offset: usize,
    /// Bytes that are there.
    pub have: usize,
    /// Bytes the unit needs.
    pub need: usize,
}

/// A kind of stream.
pub trait Stream {
    /// What stands beside a word.
    type Side: Copy;

    /// The unit at byte `at`; `None` at the end.
    ///
    /// # Errors
    /// [`Cut`] when the bytes end inside it.
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit<Self::Side>, Cut>>;

    /// Appends the bytes of a word.
    fn put(&self, word: u128, side: Self::Side, out: &mut Vec<u8>);

    /// All units in order; ends after the first cut.
    fn units<'a>(&'a self, bytes: &'a [u8]) -> Units<'a, Self>
    where
        Self: Sized,
    {
        Units { stream: self, bytes, at: Some(0) }
    }
}

/// Iterator over the units of a stream.
#[derive(Clone, Debug)]
pub struct Units<'a, T> {
    stream: &'a T,
    bytes: &'a [u8],
    at: Option<usize>,
}

impl<T: Stream> Iterator for Units<'_, T> {
    type Item = Result<Unit<T::Side>, Cut>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let unit = self.stream.unit(self.bytes, self.at?)?;
        self.at = unit.as_ref().ok().map(|u| u.offset + u.len.max(1));
        Some(unit)
    }
}

/// Takes `N` bytes at `at`.
#[inline]
fn take<const N: usize>(bytes: &[u8], at: usize) -> Option<Result<&[u8; N], Cut>> {
    let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
    let cut = Cut { offset: at, have: rest.len(), need: N };
    Some(rest.first_chunk().ok_or(cut))
}

/// 128-bit little-endian words: ATTILA.
#[derive(Copy, Clone, Debug, Default)]
pub struct Words128;

impl Stream for Words128 {
    type Side = ();

    #[inline]
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit<()>, Cut>> {
        let word = take::<16>(bytes, at)?.map(|raw| u128::from_le_bytes(*raw));
        Some(word.map(|word| Unit { offset: at, len: 16, word, side: () }))
    }

    fn put(&self, word: u128, (): (), out: &mut Vec<u8>) {
        out.extend_from_slice(&word.to_le_bytes());
    }
}

/// Four 32-bit words, first in the low bits: NV40. In the RSX order each word is stored with its 16-bit halves
/// swapped and the bytes of each half big-endian; in the plain order words are little-endian. Some instructions are
/// followed by a constant of the same shape: the side.
#[derive(Copy, Clone, Debug)]
pub struct Words4x32 {
    /// RSX order.
    pub halves_swapped: bool,
    /// Whether a constant follows this instruction.
    pub constant_follows: fn(u128) -> bool,
}

impl Words4x32 {
    fn swap(&self, mut bytes: [u8; 16]) -> [u8; 16] {
        if self.halves_swapped {
            // A little-endian word b0 b1 b2 b3 is stored as b1 b0 b3 b2.
            bytes.as_chunks_mut::<2>().0.iter_mut().for_each(|half| half.swap(0, 1));
        }
        bytes
    }

    fn word(&self, bytes: &[u8], at: usize) -> Option<Result<u128, Cut>> {
        Some(take::<16>(bytes, at)?.map(|raw| u128::from_le_bytes(self.swap(*raw))))
    }
}

impl Stream for Words4x32 {
    type Side = Option<u128>;

    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit<Option<u128>>, Cut>> {
        let word = match self.word(bytes, at)? {
            Ok(word) => word,
            Err(cut) => return Some(Err(cut)),
        };
        if !(self.constant_follows)(word) {
            return Some(Ok(Unit { offset: at, len: 16, word, side: None }));
        }
        let short = Cut { offset: at, have: bytes.len() - at, need: 32 };
        let constant = self.word(bytes, at + 16).and_then(Result::ok).ok_or(short);
        Some(constant.map(|side| Unit { offset: at, len: 32, word, side: Some(side) }))
    }

    fn put(&self, word: u128, side: Option<u128>, out: &mut Vec<u8>) {
        for word in [Some(word), side].into_iter().flatten() {
            out.extend_from_slice(&self.swap(word.to_le_bytes()));
        }
    }
}

/// 64-bit little-endian words in bundles of one control word and three instructions, bundles on multiples of 32
/// bytes: SPA5. The side is the instruction's 21 control bits.
#[derive(Copy, Clone, Debug, Default)]
pub struct Bundles;

impl Stream for Bundles {
    type Side = u32;

    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit<u32>, Cut>> {
        // At a bundle's start the unit takes the control word along.
        let start = at / 32 * 32;
        let first = at == start;
        let control = match take::<8>(bytes, start)? {
            Ok(raw) => u64::from_le_bytes(*raw),
            Err(cut) => return Some(Err(cut)),
        };
        let place = if first { at + 8 } else { at };
        let slot = (place - start) / 8 - 1;
        let raw = match take::<8>(bytes, place) {
            Some(Ok(raw)) => raw,
            Some(Err(cut)) => return Some(Err(cut)),
            // A partial bundle is an error, a complete one may be the last.
            None if first => return Some(Err(Cut { offset: at, have: 8, need: 16 })),
            None if place % 32 != 0 => return Some(Err(Cut { offset: start, have: place - start, need: 32 })),
            None => return None,
        };
        let side = (control >> (21 * slot)) as u32 & 0x1f_ffff;
        let len = if first { 16 } else { 8 };
        Some(Ok(Unit { offset: at, len, word: u128::from(u64::from_le_bytes(*raw)), side }))
    }

    fn put(&self, word: u128, side: u32, out: &mut Vec<u8>) {
        if out.len().is_multiple_of(32) {
            out.extend_from_slice(&[0; 8]);
        }
        let start = out.len() / 32 * 32;
        let slot = (out.len() - start) / 8 - 1;
        if let Some(control) = out[start..].first_chunk_mut::<8>() {
            let bits = u64::from_le_bytes(*control) | u64::from(side & 0x1f_ffff) << (21 * slot);
            *control = bits.to_le_bytes();
        }
        out.extend_from_slice(&(word as u64).to_le_bytes());
    }
}

/// Groups whose length is in their first byte: USC. The length function sees the bytes from the group's start on and
/// answers how many it takes, or `None` when it needs more to tell. A word shows the first 16 bytes of the group;
/// longer groups are matched part by part through [`window`].
#[derive(Copy, Clone, Debug)]
pub struct Groups {
    /// Length of the group that starts here.
    pub len: fn(&[u8]) -> Option<usize>,
}

impl Stream for Groups {
    type Side = usize;

    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit<usize>, Cut>> {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let need = (self.len)(rest).unwrap_or(rest.len() + 1).max(1);
        if need > rest.len() {
            return Some(Err(Cut { offset: at, have: rest.len(), need }));
        }
        Some(Ok(Unit { offset: at, len: need, word: window(&rest[..need], 0), side: need }))
    }

    fn put(&self, word: u128, side: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(&word.to_le_bytes()[..side.min(16)]);
    }
}

/// Up to 16 bytes from byte `at` on as a little-endian word; bytes beyond the end read 0.
pub fn window(bytes: &[u8], at: usize) -> u128 {
    let rest = bytes.get(at..).unwrap_or(&[]);
    let mut raw = [0; 16];
    let n = rest.len().min(16);
    raw[..n].copy_from_slice(&rest[..n]);
    u128::from_le_bytes(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_little_endian_and_a_short_tail_is_a_cut() {
        let bytes: Vec<u8> = (0..20).collect();
        let units: Vec<_> = Words128.units(&bytes).collect();
        assert_eq!(units.len(), 2);
        assert_eq!(units[0].map(|u| u.word), Ok(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100));
        assert_eq!(units[1], Err(Cut { offset: 16, have: 4, need: 16 }));
        assert!(Words128.units(&[]).next().is_none());
    }

    #[test]
    fn half_swapped_words_round_trip_with_their_constants() {
        let rsx = Words4x32 { halves_swapped: true, constant_follows: |word| word & 1 == 0 };
        let stored = [0x9e, 0x02, 0x01, 0x00, 0xc8, 0x01, 0x1c, 0x9d, 0xc8, 0, 0, 1, 0xc8, 0, 0x3f, 0xe1];
        let constant = [0x3f, 0x80, 0, 0, 0, 0, 0x3f, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];
        let both = [stored, constant].concat();
        let unit = rsx.unit(&both, 0).unwrap().unwrap();
        assert_eq!((unit.word as u32, unit.len), (0x0100_9e02, 32));
        assert_eq!(unit.side.map(|c| c as u32), Some(0x0000_3f80));
        let mut back = Vec::new();
        rsx.put(unit.word, unit.side, &mut back);
        assert_eq!(back, both);
        assert_eq!(rsx.unit(&stored, 0), Some(Err(Cut { offset: 0, have: 16, need: 32 })));
    }

    #[test]
    fn bundles_hand_out_their_control_bits() {
        let mut bytes = Vec::new();
        for (n, side) in [0x1f_ffff, 0, 0x12345].into_iter().enumerate() {
            Bundles.put(n as u128 + 10, side, &mut bytes);
        }
        assert_eq!(bytes.len(), 32);
        let units: Vec<_> = Bundles.units(&bytes).map(Result::unwrap).collect();
        assert_eq!(
            units.iter().map(|u| (u.word, u.side)).collect::<Vec<_>>(),
            [(10, 0x1f_ffff), (11, 0), (12, 0x12345)]
        );
        assert_eq!(units[1].offset, 16);
        assert!(Bundles.units(&bytes[..24]).last().unwrap().is_err());
        assert!(Bundles.units(&bytes[..8]).next().unwrap().is_err());
    }

    #[test]
    fn groups_tell_their_own_length() {
        let groups = Groups { len: |b| Some(usize::from(b[0] & 15) + 1) };
        let bytes = [0x02, 0xaa, 0xbb, 0x00, 0x05, 1];
        let units: Vec<_> = groups.units(&bytes).collect();
        assert_eq!(units[0].map(|u| (u.word, u.side)), Ok((0xbb_aa02, 3)));
        assert_eq!(units[1].map(|u| (u.offset, u.side)), Ok((3, 1)));
        assert_eq!(units[2], Err(Cut { offset: 4, have: 2, need: 6 }));
    }
}
