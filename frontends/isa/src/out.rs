//! The buffer listings are printed into.

/// How exactly a listing shows a word.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// As the vendor's own tool prints it. Bits without a spelling are not shown.
    #[default]
    Vendor,
    /// Reassembles to the same bits: literals are exact, and bits without a spelling are added as a mark.
    Exact,
}

/// Text in the making: ASCII only, short pieces copied as whole machine words.
#[derive(Clone, Debug, Default)]
pub struct Out {
    buf: Vec<u8>,
    len: usize,
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

const SLACK: usize = 64;

impl Out {
    /// An empty buffer.
    pub fn new() -> Out {
        Out::default()
    }

    /// An empty buffer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Out {
        Out { buf: vec![0; capacity + SLACK], len: 0 }
    }

    /// Number of bytes written.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// What is written.
    pub fn as_str(&self) -> &str {
        // Only ASCII ever enters.
        std::str::from_utf8(&self.buf[..self.len]).unwrap_or("")
    }

    /// Writes `N` bytes, of which the first `len` count.
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        debug_assert!(len <= N);
        match self.buf.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut) {
            Some(room) => *room = *bytes,
            None => self.put_behind_the_end(bytes),
        }
        self.len += len.min(N);
    }

    #[cold]
    #[inline(never)]
    fn put_behind_the_end(&mut self, bytes: &[u8]) {
        self.grow(bytes.len());
        self.buf[self.len..self.len + bytes.len()].copy_from_slice(bytes);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let size = (self.buf.len() * 2).max(self.len + more + 256);
        self.buf.resize(size, 0);
    }

    /// Appends a short constant.
    #[inline(always)]
    pub fn short(&mut self, text: &Short) {
        self.put(&text.bytes, text.len());
    }

    /// Appends the low `len` bytes of a little-endian word of ASCII characters; `len` is at most 8.
    #[inline(always)]
    pub fn packed(&mut self, chars: u64, len: usize) {
        self.put(&chars.to_le_bytes(), len);
    }

    /// The same with up to 16 characters.
    #[inline(always)]
    pub fn packed_long(&mut self, chars: u128, len: usize) {
        self.put(&chars.to_le_bytes(), len);
    }

    /// Appends one ASCII character.
    #[inline(always)]
    pub fn char(&mut self, c: u8) {
        self.packed(u64::from(c), 1);
    }

    /// Appends one ASCII character if `yes`, without a branch.
    #[inline(always)]
    pub fn char_if(&mut self, c: u8, yes: bool) {
        self.packed(u64::from(c), usize::from(yes));
    }

    /// Appends text; characters that are not ASCII become `?`.
    pub fn text(&mut self, text: &str) {
        if self.len + text.len() > self.buf.len() {
            self.grow(text.len());
        }
        let at = &mut self.buf[self.len..self.len + text.len()];
        at.copy_from_slice(text.as_bytes());
        if !text.is_ascii() {
            at.iter_mut().filter(|b| !b.is_ascii()).for_each(|b| *b = b'?');
        }
        self.len += text.len();
    }

    /// Appends a decimal number.
    #[inline]
    pub fn decimal(&mut self, value: u64) {
        if value < 1000 {
            let v = value as u32;
            let (hundreds, tens, ones) = (v / 100, v / 10 % 10, v % 10);
            let digits = 1 + usize::from(v >= 10) + usize::from(v >= 100);
            let all = u64::from(hundreds | tens << 8 | ones << 16) + 0x30_3030;
            self.packed(all >> (8 * (3 - digits)), digits);
        } else {
            self.decimal_long(value);
        }
    }

    fn decimal_long(&mut self, mut value: u64) {
        let mut digits = [0u8; 20];
        let mut at = digits.len();
        while value != 0 {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        self.bytes(&digits[at..]);
    }

    /// Appends a point and six decimals: millionths, below 1,000,000.
    #[inline]
    pub fn millionths(&mut self, value: u32) {
        let digits = |v: u32| u64::from((v / 100) | ((v / 10 % 10) << 8) | ((v % 10) << 16)) + 0x30_3030;
        let (high, low) = (value / 1000 % 1000, value % 1000);
        self.packed(u64::from(b'.') | digits(high) << 8 | digits(low) << 32, 7);
    }

    /// Appends a signed decimal number.
    #[inline]
    pub fn signed(&mut self, value: i64) {
        self.char_if(b'-', value < 0);
        self.decimal(value.unsigned_abs());
    }

    /// Appends hexadecimal digits, lower case, exactly `digits` of them (at most 16).
    pub fn hex(&mut self, value: u64, digits: usize) {
        let mut buf = [0u8; 16];
        for (i, b) in buf.iter_mut().rev().enumerate() {
            let d = (value >> (4 * i) & 15) as u8;
            *b = if d < 10 { b'0' + d } else { b'a' + d - 10 };
        }
        self.bytes(&buf[16 - digits.min(16)..]);
    }

    fn bytes(&mut self, ascii: &[u8]) {
        if self.len + ascii.len() > self.buf.len() {
            self.grow(ascii.len());
        }
        self.buf[self.len..self.len + ascii.len()].copy_from_slice(ascii);
        self.len += ascii.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_pieces_append() {
        let mut out = Out::new();
        for v in [0u64, 7, 10, 99, 100, 255, 999, 1000, 65_536, u64::MAX] {
            out.clear();
            out.decimal(v);
            assert_eq!(out.as_str(), v.to_string());
        }
        out.clear();
        out.signed(-256);
        out.char(b' ');
        out.hex(0xbf8, 4);
        out.char_if(b'|', false);
        out.short(&Short::new(" <- end"));
        out.millionths(1042);
        out.millionths(999_999);
        out.text(" e\u{e9}");
        assert_eq!(out.as_str(), "-256 0bf8 <- end.001042.999999 e??");
    }
}
