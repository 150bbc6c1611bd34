//! How a file is cut into instructions of words.

use crate::code::Code;

/// One instruction of a stream.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Byte offset of its first byte.
    pub offset: usize,
    /// Bytes it takes.
    pub len: usize,
    /// Its word, and as side data what the stream stores beside the word.
    pub code: Code,
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
    /// The unit at byte `at`; `None` at the end.
    ///
    /// # Errors
    /// [`Cut`] when the bytes end inside it.
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit, Cut>>;

    /// Appends the bytes of an instruction.
    fn put(&self, code: &Code, out: &mut Vec<u8>);

    /// Appends what must follow the last instruction.
    fn finish(&self, out: &mut Vec<u8>) {
        let _ = out;
    }

    /// The bytes of a whole stream.
    fn encode(&self, codes: &[Code]) -> Vec<u8> {
        let mut out = Vec::new();
        codes.iter().for_each(|code| self.put(code, &mut out));
        self.finish(&mut out);
        out
    }

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
    type Item = Result<Unit, Cut>;

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
    #[inline]
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit, Cut>> {
        let word = take::<16>(bytes, at)?.map(|raw| u128::from_le_bytes(*raw));
        Some(word.map(|word| Unit { offset: at, len: 16, code: Code::from(word) }))
    }

    fn put(&self, code: &Code, out: &mut Vec<u8>) {
        out.extend_from_slice(&code.word().to_le_bytes());
    }
}

/// Four 32-bit words, first in the low bits: NV40. In the RSX order each word is stored with its 16-bit halves
/// swapped and the bytes of each half big-endian; in the plain order words are little-endian. Some instructions are
/// followed by a constant of the same shape: their side data.
#[derive(Copy, Clone, Debug)]
pub struct Words4x32 {
    /// RSX order.
    pub halves_swapped: bool,
    /// Whether a constant follows this instruction.
    pub constant_follows: fn(u128) -> bool,
}

impl Words4x32 {
    /// Four words in RSX order from ones read as little-endian, and back: a word b0 b1 b2 b3 is stored as b1 b0 b3 b2.
    #[inline(always)]
    pub fn exchanged(words: u128) -> u128 {
        const LOW: u128 = u128::MAX / 0x101;
        (words & LOW) << 8 | (words >> 8) & LOW
    }

    #[inline]
    fn ordered(&self, words: u128) -> u128 {
        if self.halves_swapped { Words4x32::exchanged(words) } else { words }
    }

    #[inline]
    fn word(&self, bytes: &[u8], at: usize) -> Option<Result<u128, Cut>> {
        Some(take::<16>(bytes, at)?.map(|raw| self.ordered(u128::from_le_bytes(*raw))))
    }
}

impl Stream for Words4x32 {
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit, Cut>> {
        let word = match self.word(bytes, at)? {
            Ok(word) => word,
            Err(cut) => return Some(Err(cut)),
        };
        if !(self.constant_follows)(word) {
            return Some(Ok(Unit { offset: at, len: 16, code: Code::from(word) }));
        }
        let short = Cut { offset: at, have: bytes.len() - at, need: 32 };
        let constant = self.word(bytes, at + 16).and_then(Result::ok).ok_or(short);
        Some(constant.map(|side| Unit { offset: at, len: 32, code: Code::new(word, side) }))
    }

    fn put(&self, code: &Code, out: &mut Vec<u8>) {
        let constant = (self.constant_follows)(code.word()).then_some(code.side());
        for word in [Some(code.word()), constant].into_iter().flatten() {
            out.extend_from_slice(&self.ordered(word).to_le_bytes());
        }
    }
}

/// 64-bit little-endian words in bundles of one control word and three instructions, bundles on multiples of 32
/// bytes: SPA5. The side data is the instruction's 21 control bits; above them the first of a bundle has the bit of the
/// control word that belongs to none.
#[derive(Copy, Clone, Debug)]
pub struct Bundles {
    /// The instruction that fills the last bundle.
    pub filler: Code,
}

/// Control bits of an instruction in a bundle.
const CONTROL: usize = 21;

impl Bundles {
    /// Bytes of a bundle.
    pub const BYTES: usize = 32;

    /// The instructions of a whole bundle.
    #[inline(always)]
    pub fn whole(bytes: &[u8; 32]) -> [Code; 3] {
        [0, 1, 2].map(|slot| {
            let (word, control) = Bundles::slot(bytes, slot);
            Code::new(word.into(), control.into())
        })
    }

    /// Word and control bits of an instruction of a whole bundle, which has three.
    #[inline(always)]
    pub fn slot(bytes: &[u8; 32], slot: usize) -> (u64, u32) {
        let word = |n: usize| bytes.as_chunks::<8>().0.get(n).map_or(0, |word| u64::from_le_bytes(*word));
        (word(slot + 1), side(word(0), slot) as u32)
    }
}

/// The side data of an instruction.
#[inline(always)]
const fn side(control: u64, slot: usize) -> u64 {
    let bits = control >> (CONTROL * slot) & ((1 << CONTROL) - 1);
    if slot == 0 { bits | control >> 63 << CONTROL } else { bits }
}

impl Stream for Bundles {
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit, Cut>> {
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
        let side = u128::from(side(control, slot));
        let len = if first { 16 } else { 8 };
        Some(Ok(Unit { offset: at, len, code: Code::new(u128::from(u64::from_le_bytes(*raw)), side) }))
    }

    fn put(&self, code: &Code, out: &mut Vec<u8>) {
        if out.len().is_multiple_of(32) {
            out.extend_from_slice(&[0; 8]);
        }
        let start = out.len() / 32 * 32;
        let slot = (out.len() - start) / 8 - 1;
        if let Some(control) = out[start..].first_chunk_mut::<8>() {
            let side = code.side() as u64;
            let spare = if slot == 0 { side >> CONTROL << 63 } else { 0 };
            let bits = (side & ((1 << CONTROL) - 1)) << (CONTROL * slot) | spare;
            *control = (u64::from_le_bytes(*control) | bits).to_le_bytes();
        }
        out.extend_from_slice(&(code.word() as u64).to_le_bytes());
    }

    fn finish(&self, out: &mut Vec<u8>) {
        while !out.len().is_multiple_of(32) {
            self.put(&self.filler, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_little_endian_and_a_short_tail_is_a_cut() {
        let bytes: Vec<u8> = (0..20).collect();
        let units: Vec<_> = Words128.units(&bytes).collect();
        assert_eq!(units.len(), 2);
        assert_eq!(units[0].map(|u| u.code.word()), Ok(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100));
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
        assert_eq!((unit.code.word() as u32, unit.len), (0x0100_9e02, 32));
        assert_eq!(unit.code.side() as u32, 0x0000_3f80);
        assert_eq!(rsx.encode(&[unit.code]), both);
        assert_eq!(rsx.unit(&stored, 0), Some(Err(Cut { offset: 0, have: 16, need: 32 })));
    }

    #[test]
    fn bundles_hand_out_their_control_bits() {
        let bundles = Bundles { filler: Code::new(7, 1) };
        let codes = [Code::new(10, 0x3f_ffff), Code::new(11, 0), Code::new(12, 0x12345)];
        let bytes = bundles.encode(&codes);
        assert_eq!(bytes.len(), 32);
        assert_eq!((bytes[7] >> 7, bytes.first_chunk().map(Bundles::whole)), (1, Some(codes)));
        let units: Vec<_> = bundles.units(&bytes).map(Result::unwrap).collect();
        assert_eq!(units.iter().map(|u| u.code).collect::<Vec<_>>(), codes);
        assert_eq!(units[1].offset, 16);
        assert!(bundles.units(&bytes[..24]).last().unwrap().is_err());
        assert!(bundles.units(&bytes[..8]).next().unwrap().is_err());
    }

    /// Their reader refuses partial bundles, so their writer must not leave one.
    #[test]
    fn a_bundle_written_partly_is_filled() {
        let bundles = Bundles { filler: Code::new(7, 0x7e0) };
        for count in 0..8 {
            let codes: Vec<Code> = (0..count).map(|n| Code::new(n, n)).collect();
            let bytes = bundles.encode(&codes);
            let read: Vec<Code> = bundles.units(&bytes).map(|unit| unit.unwrap().code).collect();
            let filled = read.len() - codes.len();
            assert_eq!(read[..codes.len()], codes);
            assert!(filled < 3 && read[codes.len()..].iter().all(|code| *code == bundles.filler), "{count}");
        }
    }
}
