//! One line of a listing: the cursor instructions are printed with.

use crate::recent::Recent;

/// How exactly a listing shows a word.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// As the vendor's own tool prints it. Bits without a spelling are not shown.
    #[default]
    Vendor,
    /// Reassembles to the same bits: literals are exact, and bits without a spelling are added as an annotation.
    Exact,
}

/// Up to 16 ASCII characters, padded for copying.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Short {
    bytes: [u8; 16],
    len: u8,
}

impl Short {
    /// The text, which must be ASCII.
    ///
    /// # Panics
    /// If it is longer than 16 bytes or not ASCII; meant for constants and table text.
    pub const fn new(text: &str) -> Short {
        let from = text.as_bytes();
        assert!(from.len() <= 16 && text.is_ascii());
        let mut bytes = [0; 16];
        let mut i = 0;
        while i < from.len() {
            bytes[i] = from[i];
            i += 1;
        }
        Short { bytes, len: from.len() as u8 }
    }

    /// A letter and a decimal number, as registers are called.
    pub const fn numbered(letter: u8, number: u16) -> Short {
        let mut bytes = [0; 16];
        bytes[0] = letter;
        let (mut len, mut unit) = (1, 10_000);
        while unit > 0 {
            if number >= unit || unit == 1 {
                bytes[len] = b'0' + (number / unit % 10) as u8;
                len += 1;
            }
            unit /= 10;
        }
        Short { bytes, len: len as u8 }
    }

    /// Most characters it holds.
    pub const MOST: usize = 16;

    /// Number of characters.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len()]).unwrap_or("")
    }
}

/// In place of the length of a text that is too long for a table: no line has room for so many characters.
pub(crate) const LONG: u8 = u8::MAX;

/// Bytes reserved for a line: its text, and what copying whole machine words writes behind it.
pub(crate) const ROOM: usize = 512;

/// What a line may hold before it is moved out of the reserved bytes.
const FULL: usize = 254;

/// One line in the making: ASCII only, short pieces copied as whole machine words.
///
/// Room for the usual line is there from the start, so that no piece has to ask for it. What does not fit moves elsewhere. It is handed on
/// by reference and never copied: what was written in parts and is read as a whole stalls a processor.
#[derive(Debug)]
pub struct Cursor<'a> {
    pub(crate) room: &'a mut [u8; ROOM],
    pub(crate) at: usize,
    /// The start of a line longer than [`FULL`] bytes.
    pub(crate) start: &'a mut Vec<u8>,
    /// What was written before.
    pub(crate) recent: &'a mut Recent,
}

/// Moves the start of a long line out of the way; where its next piece goes.
#[cold]
#[inline(never)]
fn move_out(room: &[u8; ROOM], at: usize, start: &mut Vec<u8>) -> usize {
    start.extend_from_slice(&room[..at]);
    0
}

/// Up to eight bytes as a little-endian word.
#[inline(always)]
fn first_eight(bytes: &[u8]) -> u64 {
    if let Some(eight) = bytes.first_chunk() {
        return u64::from_le_bytes(*eight);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // The two overlap, where they say the same.
        let shift = 8 * (bytes.len() - 4);
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << shift;
    }
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The eight decimal digits of a number below 100,000,000 as characters, the first in the lowest byte.
#[inline(always)]
pub(crate) fn eight_digits(value: u32) -> u64 {
    // Two numbers of four digits in 32 bits each, four of two in 16, eight of one in 8.
    let fours = u64::from(value / 10_000) | u64::from(value % 10_000) << 32;
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | (twos - 10 * tens) << 8) + 0x3030_3030_3030_3030
}

impl Cursor<'_> {
    /// Lets a printer write on whose calls are all inlined: the place of the next piece is in a register then.
    #[inline(always)]
    pub fn apart(&mut self, print: impl FnOnce(&mut Cursor<'_>)) {
        let mut line = Cursor { room: self.room, at: self.at, start: self.start, recent: self.recent };
        print(&mut line);
        self.at = line.at;
    }

    /// Where the next piece goes.
    #[inline(always)]
    pub(crate) fn place(&mut self) -> usize {
        if self.at > FULL {
            self.at = move_out(self.room, self.at, self.start);
        }
        self.at
    }

    /// Writes `N` bytes, at most 16, of which the first `len` count.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        const { assert!(N <= 16) };
        let at = self.place();
        self.room[at..at + N].copy_from_slice(bytes);
        self.at += len;
    }

    /// Appends a short constant.
    #[inline(always)]
    pub fn short(&mut self, text: &Short) {
        self.put(&text.bytes, text.len());
    }

    /// Copies the first `len` of these characters behind those up to `end`, unless the line must first be moved; `len` is [`LONG`] of a
    /// text that no table holds.
    #[inline(always)]
    pub(crate) fn copy_chars(room: &mut [u8; ROOM], end: &mut usize, chars: &[u8; 16], len: u8) -> bool {
        const { assert!(LONG as usize > FULL && ROOM > u8::MAX as usize + 16) };
        let next = *end + usize::from(len);
        let fits = next <= FULL;
        if fits {
            // What fits starts in front of byte 255: the mask changes nothing, but tells that there is room.
            let at = *end & usize::from(u8::MAX);
            room[at..at + 16].copy_from_slice(chars);
            *end = next;
        }
        fits
    }

    /// The same at the end of the line.
    #[inline(always)]
    pub(crate) fn try_chars(&mut self, chars: &[u8; 16], len: u8) -> bool {
        Cursor::copy_chars(self.room, &mut self.at, chars, len)
    }

    /// Appends the first `len` of these characters.
    #[inline(always)]
    pub(crate) fn first_of(&mut self, chars: &[u8; 16], len: usize) {
        self.put(chars, len);
    }

    /// Where the next character goes: characters that were moved out of the way, and those that were not.
    pub(crate) fn place_of_next(&self) -> (usize, usize) {
        (self.start.len(), self.at)
    }

    /// How many characters were written since.
    pub(crate) fn len_since(&self, (moved, at): (usize, usize)) -> usize {
        self.start.len() + self.at - (moved + at)
    }

    /// Takes back what was written since.
    pub(crate) fn cut_back(&mut self, (moved, at): (usize, usize)) {
        if self.start.len() == moved {
            self.at = at;
        } else {
            self.start.truncate(moved + at);
            self.at = 0;
        }
    }

    /// Appends the low `len` bytes of a little-endian word of ASCII characters; `len` is at most 8.
    #[inline(always)]
    pub(crate) fn chars(&mut self, chars: u64, len: usize) {
        self.put(&chars.to_le_bytes(), len);
    }

    /// Appends one ASCII character.
    #[inline(always)]
    pub fn char(&mut self, c: u8) {
        self.chars(u64::from(c), 1);
    }

    /// Ends the line: behind what it may hold there is room for one more character.
    #[inline(always)]
    pub(crate) fn end(&mut self) {
        if let Some(place) = self.room.get_mut(self.at) {
            *place = b'\n';
        }
        self.at += 1;
    }

    /// Appends one ASCII character if `yes`, without a branch.
    #[inline(always)]
    pub fn char_if(&mut self, c: u8, yes: bool) {
        self.chars(u64::from(c), usize::from(yes));
    }

    /// Appends text; characters that are not ASCII become `?`.
    pub fn text(&mut self, text: &str) {
        for piece in text.as_bytes().chunks(8) {
            let mut chars = first_eight(piece);
            if chars & 0x8080_8080_8080_8080 != 0 {
                chars = u64::from_le_bytes(chars.to_le_bytes().map(|c| if c.is_ascii() { c } else { b'?' }));
            }
            self.chars(chars, piece.len());
        }
    }

    /// Appends a decimal number.
    #[inline]
    pub fn decimal(&mut self, value: u64) {
        if value < 1000 {
            let v = value as u32;
            let (hundreds, tens, ones) = (v / 100, v / 10 % 10, v % 10);
            let digits = 1 + usize::from(v >= 10) + usize::from(v >= 100);
            let all = u64::from(hundreds | tens << 8 | ones << 16) + 0x30_3030;
            self.chars(all >> (8 * (3 - digits)), digits);
        } else {
            self.decimal_long(value);
        }
    }

    fn decimal_long(&mut self, value: u64) {
        self.digits(value, value.ilog10() as usize + 1);
    }

    /// The last `count` decimal digits.
    fn digits(&mut self, value: u64, count: usize) {
        const BLOCK: u64 = 100_000_000;
        if count > 8 {
            self.digits(value / BLOCK, count - 8);
        }
        let last = count.min(8);
        let all = eight_digits((value % BLOCK) as u32);
        self.chars(if last == 0 { 0 } else { all >> (8 * (8 - last)) }, last);
    }

    /// Appends decimal digits, exactly `count` of them, at most 20.
    pub fn decimal_places(&mut self, value: u64, count: usize) {
        self.digits(value, count.min(20));
    }

    /// Appends a decimal number of up to 128 bits.
    pub fn decimal_wide(&mut self, value: u128) {
        const DIGITS: usize = 18;
        const PART: u128 = 10u128.pow(DIGITS as u32);
        if value >= PART {
            self.decimal_wide(value / PART);
            self.digits((value % PART) as u64, DIGITS);
        } else {
            self.decimal(value as u64);
        }
    }

    /// Appends a point and six decimals: millionths, below 1,000,000.
    #[inline]
    pub fn millionths(&mut self, value: u32) {
        let digits = |v: u32| u64::from((v / 100) | ((v / 10 % 10) << 8) | ((v % 10) << 16)) + 0x30_3030;
        let (high, low) = (value / 1000 % 1000, value % 1000);
        self.chars(u64::from(b'.') | digits(high) << 8 | digits(low) << 32, 7);
    }

    /// Appends a signed decimal number.
    #[inline]
    pub fn signed(&mut self, value: i64) {
        self.char_if(b'-', value < 0);
        self.decimal(value.unsigned_abs());
    }

    /// Appends hexadecimal digits, lower case, exactly `digits` of them (at most 16).
    pub fn hex(&mut self, value: u64, digits: usize) {
        let digits = digits.min(16);
        if digits > 8 {
            self.eight_hex(value >> 32, digits - 8);
        }
        self.eight_hex(value, digits.min(8));
    }

    /// The last up to eight hexadecimal digits.
    #[inline]
    fn eight_hex(&mut self, value: u64, digits: usize) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        // Each digit in a byte of its own, the highest in the lowest.
        let mut v = value & 0xffff_ffff;
        v = (v | v << 16) & 0x0000_ffff_0000_ffff;
        v = (v | v << 8) & 0x00ff_00ff_00ff_00ff;
        v = (v | v << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        let v = v.swap_bytes();
        let letters = (v + 6 * ONES) >> 4 & ONES;
        let all = v + 0x30 * ONES + letters * u64::from(b'a' - b'0' - 10);
        self.chars(if digits == 0 { 0 } else { all >> (8 * (8 - digits)) }, digits);
    }
}

#[cfg(test)]
mod tests {
    use crate::cursor::{Cursor, Short};
    use crate::out::Out;

    fn line(print: impl FnOnce(&mut Cursor<'_>)) -> String {
        let mut out = Out::new();
        out.line(print);
        out.as_str().to_string()
    }

    #[test]
    fn registers_have_their_numbers() {
        for number in (0..300).chain([999, 1000, 9999, 10_000, u16::MAX]) {
            assert_eq!(Short::numbered(b'r', number).as_str(), format!("r{number}"));
        }
    }

    #[test]
    fn numbers_and_pieces_append() {
        for v in [0u64, 7, 10, 99, 100, 255, 999, 1000, 65_536, u64::MAX] {
            assert_eq!(line(|l| l.decimal(v)), v.to_string());
            let wide = u128::from(v) * u128::from(u64::MAX) + 1;
            assert_eq!(line(|l| l.decimal_wide(wide)), wide.to_string());
        }
        let text = line(|l| {
            l.signed(-256);
            l.char(b' ');
            l.hex(0xbf8, 4);
            l.char_if(b'|', false);
            l.short(&Short::new(" <- end"));
            l.millionths(1042);
            l.millionths(999_999);
            l.text(" e\u{e9}");
        });
        assert_eq!(text, "-256 0bf8 <- end.001042.999999 e??");
    }

    #[test]
    fn eight_digits_are_those_of_the_number() {
        for n in (0..100_000_000u32).step_by(9_973).chain([9_999, 10_000, 99_999_999]) {
            assert_eq!(super::eight_digits(n).to_le_bytes(), format!("{n:08}").as_bytes(), "{n}");
        }
    }

    #[test]
    fn long_lines_are_whole() {
        let mut out = Out::new();
        let mut want = "> ".to_string();
        out.text("> ");
        for _ in 0..3 {
            out.line(|l| {
                for n in 0..100 {
                    l.text("abc");
                    l.decimal(1_000_000 + n);
                    l.hex(0, 16);
                }
            });
            out.char(b'\n');
            (0..100).for_each(|n| want += &format!("abc{}{:016}", 1_000_000 + n, 0));
            want.push('\n');
        }
        assert_eq!(out.as_str(), want);
    }
}
