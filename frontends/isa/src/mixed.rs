//! Streams whose instructions have one or two 32-bit words, and perhaps a literal behind them.

use crate::{Code, Cut, Stream, Unit};

/// 32-bit little-endian words: GCN, RDNA. The first word is the low half of the instruction's word and says whether a second one
/// follows, its high half. The whole says whether a literal of 32 bits stands behind it: the side data.
#[derive(Copy, Clone, Debug)]
pub struct Words32 {
    /// Whether an instruction with this first word has a second one.
    pub is_long: fn(u32) -> bool,
    /// Whether a literal stands behind this instruction.
    pub has_literal: fn(u64) -> bool,
}

impl Stream for Words32 {
    #[inline]
    fn unit(&self, bytes: &[u8], at: usize) -> Option<Result<Unit, Cut>> {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let word = |n: usize| rest.as_chunks::<4>().0.get(n).map(|raw| u64::from(u32::from_le_bytes(*raw)));
        let cut = |words: usize| Some(Err(Cut { offset: at, have: rest.len().min(4 * words), need: 4 * words }));
        let Some(first) = word(0) else { return cut(1) };
        let mut count = 1 + usize::from((self.is_long)(first as u32));
        let Some(high) = word(count - 1) else { return cut(count) };
        let code = if count == 2 { high << 32 | first } else { first };
        let mut side = 0;
        if (self.has_literal)(code) {
            count += 1;
            let Some(literal) = word(count - 1) else { return cut(count) };
            side = literal;
        }
        Some(Ok(Unit { offset: at, len: 4 * count, code: Code::new(u128::from(code), u128::from(side)) }))
    }

    fn put(&self, code: &Code, out: &mut Vec<u8>) {
        let word = code.word() as u64;
        out.extend_from_slice(&(word as u32).to_le_bytes());
        if (self.is_long)(word as u32) {
            out.extend_from_slice(&((word >> 32) as u32).to_le_bytes());
        }
        if (self.has_literal)(word) {
            out.extend_from_slice(&(code.side() as u32).to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit 0 of the first word asks for a second one, bit 1 of the last for a literal.
    const STREAM: Words32 =
        Words32 { is_long: |first| first & 1 != 0, has_literal: |word| (word >> (32 * (word & 1))) & 2 != 0 };

    #[test]
    fn words_and_literals_follow_as_their_instructions_say() {
        let words: [u32; 8] = [0x10, 0x12, 0xaaaa, 0x11, 0x20, 0x13, 0x22, 0xbbbb];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let units: Vec<Unit> = STREAM.units(&bytes).map(Result::unwrap).collect();
        let seen: Vec<_> = units.iter().map(|u| (u.offset, u.len, u.code.word(), u.code.side())).collect();
        let long = |low: u128, high: u128| high << 32 | low;
        let want =
            [(0, 4, 0x10, 0), (4, 8, 0x12, 0xaaaa), (12, 8, long(0x11, 0x20), 0), (20, 12, long(0x13, 0x22), 0xbbbb)];
        assert_eq!(seen, want);
        assert_eq!(STREAM.encode(&units.iter().map(|unit| unit.code).collect::<Vec<_>>()), bytes);
    }

    #[test]
    fn a_cut_says_what_is_missing() {
        let bytes: Vec<u8> = [0x13u32, 0x22, 0xbbbb].iter().flat_map(|word| word.to_le_bytes()).collect();
        for (len, need) in [(1, 4), (3, 4), (4, 8), (7, 8), (8, 12), (11, 12)] {
            assert_eq!(STREAM.unit(&bytes[..len], 0), Some(Err(Cut { offset: 0, have: len, need })), "{len}");
        }
        assert_eq!(STREAM.unit(&bytes, 12), None);
    }
}
