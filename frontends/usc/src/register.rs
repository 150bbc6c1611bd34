//! Registers: banks and numbers, as source maps and destinations encode them, and their spellings.
//!
//! A register is a code of 14 bits: an 11-bit number and, above it, the 3-bit bank. Source: PowerVR Instruction Set
//! Reference, section 4.1; the numbers of banks are those of the MIT-licensed Mesa compiler for these GPUs.

use crate::fields;
use parallax_isa::{Cursor, Numeral, Out, Short};
use std::sync::LazyLock;

/// Where a register lives.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bank {
    /// `rN`: private to an instance, undefined at the start.
    Temporary,
    /// `viN`: private to an instance, filled before the start.
    VertexInput,
    /// `cfN`: plane equations, shared by the instances of a task.
    Coefficient,
    /// `cfaN`: the alternate set of these.
    AlternateCoefficient,
    /// `shN`: uniforms and descriptors, shared by the instances of a task.
    Shared,
    /// `idx0`, `idx1`.
    Index,
    /// `oN`.
    PixelOutput,
    /// `iN`, also spelled `siN` and `slN` with other numbers.
    Internal,
    /// `gN`.
    Global,
    /// `cN`, `scN`: constants.
    Constant,
    /// `srN`: state of the machine.
    Special,
    /// What no document names: the register kinds 4 and 5 of an indexed register.
    Reserved(u8),
}

/// A register that an instruction names.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// Its bank.
    pub bank: Bank,
    /// Its number, before any index is added.
    pub number: u16,
    /// The index register that is added to the number, 0 or 1.
    pub index: Option<u8>,
}

/// Bits of a number.
const NUMBER: u16 = 11;
/// Largest number.
const MOST: u64 = (1 << NUMBER) - 1;

/// Codes of banks.
mod bank {
    pub(super) const SPECIAL: u16 = 0;
    pub(super) const TEMPORARY: u16 = 1;
    pub(super) const VERTEX_INPUT: u16 = 2;
    pub(super) const COEFFICIENT: u16 = 3;
    pub(super) const SHARED: u16 = 4;
    pub(super) const ALTERNATE: u16 = 5;
    pub(super) const INDEXED: u16 = 6;
}

/// Kinds of registers behind an index register: the low three bits of the number.
mod indexed {
    pub(super) const TEMPORARY: u16 = 0;
    pub(super) const VERTEX_INPUT: u16 = 1;
    pub(super) const COEFFICIENT: u16 = 2;
    pub(super) const SHARED: u16 = 3;
    pub(super) const ITSELF: u16 = 5;
    pub(super) const ALTERNATE: u16 = 6;
    pub(super) const PIXEL_OUTPUT: u16 = 7;
}

/// First special numbers of the banks inside of the special ones.
const OUTPUTS: u16 = 32;
const INTERNALS: u16 = 36;
const GLOBALS: u16 = 104;
const HIGH_OUTPUTS: u16 = 164;

/// Special number 0: the constant 0, which also fills sources nobody reads.
pub(crate) const ZERO: u16 = 0;

impl Register {
    /// The register of a code of 14 bits.
    #[inline]
    pub fn decode(code: u16) -> Register {
        const PLAIN: [Option<Bank>; 8] = [
            None,
            Some(Bank::Temporary),
            Some(Bank::VertexInput),
            Some(Bank::Coefficient),
            Some(Bank::Shared),
            Some(Bank::AlternateCoefficient),
            None,
            None,
        ];
        match PLAIN[usize::from(code >> NUMBER & 7)] {
            Some(bank) => Register { bank, number: code & MOST as u16, index: None },
            None => Register::decode_other(code),
        }
    }

    /// Whether a code is of a bank that has nothing but registers.
    #[inline]
    pub(crate) fn is_plain(code: u16) -> bool {
        matches!(code >> NUMBER & 7, bank::TEMPORARY..=bank::ALTERNATE)
    }

    /// The bank of a code, as the encoding numbers banks, and the number in it.
    #[inline]
    pub(crate) fn halves(code: u16) -> (usize, u16) {
        (usize::from(code >> NUMBER & 7), code & MOST as u16)
    }

    /// Special registers and those behind an index.
    fn decode_other(code: u16) -> Register {
        let (bank, number) = (code >> NUMBER & 7, code & MOST as u16);
        let plain = |bank, number| Register { bank, number, index: None };
        match bank {
            bank::SPECIAL => match number {
                32..=35 => plain(Bank::PixelOutput, number - OUTPUTS),
                36..=43 => plain(Bank::Internal, number - INTERNALS),
                104..=111 => plain(Bank::Global, number - GLOBALS),
                164..=167 => plain(Bank::PixelOutput, number - HIGH_OUTPUTS + 4),
                0..=31 | 64..=95 | 128..=159 => plain(Bank::Constant, number),
                _ => plain(Bank::Special, number),
            },
            _ => {
                let (index, kind, number) = (bank.saturating_sub(bank::INDEXED) as u8, number & 7, number >> 3);
                let bank = match kind {
                    indexed::TEMPORARY => Bank::Temporary,
                    indexed::VERTEX_INPUT => Bank::VertexInput,
                    indexed::COEFFICIENT => Bank::Coefficient,
                    indexed::SHARED => Bank::Shared,
                    indexed::ITSELF if number == 0 => return plain(Bank::Index, u16::from(index)),
                    indexed::ALTERNATE => Bank::AlternateCoefficient,
                    indexed::PIXEL_OUTPUT => Bank::PixelOutput,
                    kind => Bank::Reserved(kind as u8),
                };
                Register { bank, number, index: Some(index) }
            }
        }
    }

    /// The code of the register; `None` where there is none.
    pub fn encode(self) -> Option<u16> {
        let special = |first: u16, count: u16| (self.number < count).then_some(first + self.number);
        if let Some(index) = self.index {
            let kind = match self.bank {
                Bank::Temporary => indexed::TEMPORARY,
                Bank::VertexInput => indexed::VERTEX_INPUT,
                Bank::Coefficient => indexed::COEFFICIENT,
                Bank::Shared => indexed::SHARED,
                Bank::AlternateCoefficient => indexed::ALTERNATE,
                Bank::PixelOutput => indexed::PIXEL_OUTPUT,
                Bank::Reserved(kind) => u16::from(kind),
                _ => return None,
            };
            let fits = self.number < 1 << (NUMBER - 3) && index < 2;
            return fits.then_some((bank::INDEXED + u16::from(index)) << NUMBER | self.number << 3 | kind);
        }
        let (bank, number) = match self.bank {
            Bank::Temporary => (bank::TEMPORARY, self.number),
            Bank::VertexInput => (bank::VERTEX_INPUT, self.number),
            Bank::Coefficient => (bank::COEFFICIENT, self.number),
            Bank::AlternateCoefficient => (bank::ALTERNATE, self.number),
            Bank::Shared => (bank::SHARED, self.number),
            Bank::Index if self.number < 2 => (bank::INDEXED + self.number, indexed::ITSELF),
            Bank::Index | Bank::Reserved(_) => return None,
            Bank::PixelOutput if self.number >= 4 => {
                (bank::SPECIAL, (self.number < 8).then_some(HIGH_OUTPUTS + self.number - 4)?)
            }
            Bank::PixelOutput => (bank::SPECIAL, special(OUTPUTS, 4)?),
            Bank::Internal => (bank::SPECIAL, special(INTERNALS, 8)?),
            Bank::Global => (bank::SPECIAL, special(GLOBALS, 8)?),
            Bank::Constant | Bank::Special => (bank::SPECIAL, self.number),
        };
        (u64::from(number) <= MOST).then_some(bank << NUMBER | number)
    }

    /// The bits of a constant; `None` for every other register, and for numbers without a constant.
    #[inline]
    pub fn constant(self) -> Option<u32> {
        match self.bank {
            Bank::Constant if self.index.is_none() => crate::constants::value(self.number),
            _ => None,
        }
    }

    /// Whether the register is a plain register, whose number advances when a group is repeated: neither a constant nor state
    /// of the machine.
    #[inline]
    pub fn advances(self) -> bool {
        !matches!(self.bank, Bank::Constant | Bank::Special | Bank::Reserved(_))
    }
}

/// Names in front of numbers, in the order they are tried: longer ones first.
const NAMES: &[(&[u8], Bank)] = &[
    (b"cfa", Bank::AlternateCoefficient),
    (b"cf", Bank::Coefficient),
    (b"sh", Bank::Shared),
    (b"sc", Bank::Constant),
    (b"sr", Bank::Special),
    (b"vi", Bank::VertexInput),
    (b"idx", Bank::Index),
    (b"r", Bank::Temporary),
    (b"c", Bank::Constant),
    (b"i", Bank::Internal),
    (b"o", Bank::PixelOutput),
    (b"g", Bank::Global),
    (b"reserved4_", Bank::Reserved(4)),
    (b"reserved5_", Bank::Reserved(5)),
];

/// Slot registers are the internal ones, counted from the end.
const SLOTS: [&[u8]; 2] = [b"si", b"sl"];

/// Writes the register of a code.
pub(crate) fn print(code: u16, line: &mut Cursor<'_>) {
    static SHORT: LazyLock<Vec<Option<Short>>> = LazyLock::new(|| {
        let mut out = Out::new();
        let name = |code: u16| {
            out.clear();
            out.line(|line| write(code, line));
            (out.len() <= Short::MOST).then(|| Short::new(out.as_str()))
        };
        (0..1 << fields::REGISTER).map(name).collect()
    });
    match SHORT.get(usize::from(code)) {
        Some(Some(name)) => line.short(name),
        _ => write(code, line),
    }
}

fn write(code: u16, line: &mut Cursor<'_>) {
    let register = Register::decode(code);
    let name = match register.bank {
        Bank::Temporary => "r",
        Bank::VertexInput => "vi",
        Bank::Coefficient => "cf",
        Bank::AlternateCoefficient => "cfa",
        Bank::Shared => "sh",
        Bank::Index => "idx",
        Bank::PixelOutput => "o",
        Bank::Internal => "i",
        Bank::Global => "g",
        Bank::Constant => "c",
        Bank::Special => "sr",
        Bank::Reserved(4) => "reserved4_",
        Bank::Reserved(_) => "reserved5_",
    };
    line.text(name);
    line.decimal(u64::from(register.number));
    if let Some(index) = register.index {
        line.text(if index == 0 { "[idx0]" } else { "[idx1]" });
    }
}

/// Digits at the start: their value, and how many there are.
fn digits(text: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    let mut len = 0;
    while let digit @ 0..10 = text.get(len).copied().unwrap_or(0).wrapping_sub(b'0') {
        value = value * 10 + u64::from(digit);
        len += 1;
        if len > 5 {
            break;
        }
    }
    (len > 0).then_some((value, len))
}

fn ends_word(text: &[u8], at: usize) -> bool {
    !text.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// The code of the register that stands at the start.
#[inline]
pub(crate) fn read(text: &[u8]) -> Numeral {
    read_plain(text).unwrap_or_else(|| read_any(text))
}

/// The register of one of the banks that most operands are of, without an index.
#[inline]
fn read_plain(text: &[u8]) -> Option<Numeral> {
    // The bank, its name's length, the number its registers start at, and how many there are.
    let (bank, start, first, count) = match text {
        [b'r', ..] => (bank::TEMPORARY, 1, 0, 1 << NUMBER),
        [b's', b'h', ..] => (bank::SHARED, 2, 0, 1 << NUMBER),
        [b'i', b'0'..=b'9', ..] => (bank::SPECIAL, 1, INTERNALS, 8),
        [b'c', b'0'..=b'9', ..] => (bank::SPECIAL, 1, 0, 1 << NUMBER),
        [b'o', ..] => (bank::SPECIAL, 1, OUTPUTS, 4),
        [b'c', b'f', b'0'..=b'9', ..] => (bank::COEFFICIENT, 2, 0, 1 << NUMBER),
        [b'v', b'i', ..] => (bank::VERTEX_INPUT, 2, 0, 1 << NUMBER),
        _ => return None,
    };
    let (mut number, mut end) = (0u16, start);
    while let Some(digit @ 0..10) = text.get(end).map(|b| b.wrapping_sub(b'0')) {
        // Longer numbers are too large anyway.
        if end == start + 4 {
            return None;
        }
        number = number * 10 + u16::from(digit);
        end += 1;
    }
    let ends = text.get(end).is_none_or(|b| ENDS[usize::from(*b)]);
    (end > start && ends && number < count).then(|| Numeral::Value(i64::from(bank << NUMBER | (first + number)), end))
}

/// The characters a register without an index ends in front of.
const ENDS: [bool; 256] = {
    let mut all = [false; 256];
    let mut b = 0;
    while b < 256 {
        all[b] = !((b as u8).is_ascii_alphanumeric() || matches!(b as u8, b'_' | b'['));
        b += 1;
    }
    all
};

fn read_any(text: &[u8]) -> Numeral {
    let first = text.first().copied().unwrap_or_default();
    if !matches!(first, b'c' | b's' | b'v' | b'i' | b'r' | b'o' | b'g') {
        return Numeral::None;
    }
    let slots: &[&[u8]] = if first == b's' { &SLOTS } else { &[] };
    let slot = slots.iter().find_map(|name| Some((digits(text.strip_prefix(*name)?)?, name.len())));
    let found = match slot {
        Some(((number @ 0..8, len), name)) => Some((Bank::Internal, 7 - number, name + len)),
        Some(_) => return Numeral::Bad,
        None => NAMES.iter().filter(|(name, _)| name[0] == first).find_map(|(name, bank)| {
            let (number, len) = digits(text.strip_prefix(*name)?)?;
            Some((*bank, number, name.len() + len))
        }),
    };
    let Some((bank, number, mut len)) = found else { return Numeral::None };
    let mut index = None;
    if text.get(len) == Some(&b'[') {
        match read_index(&text[len..]) {
            Some((register, more)) => (index, len) = (Some(register), len + more),
            None => return Numeral::Bad,
        }
    }
    if !ends_word(text, len) {
        return Numeral::None;
    }
    let Ok(number) = u16::try_from(number) else { return Numeral::Bad };
    match (Register { bank, number, index }).encode() {
        Some(code) => Numeral::Value(i64::from(code), len),
        None => Numeral::Bad,
    }
}

/// `[idx0]`, `[idx1]`, either with the dimension 1.
fn read_index(text: &[u8]) -> Option<(u8, usize)> {
    let mut rest = text.strip_prefix(b"[idx")?;
    let register = match rest.first()? {
        b'0' => 0,
        b'1' => 1,
        _ => return None,
    };
    rest = rest[1..].trim_ascii_start();
    if let Some(behind) = rest.strip_prefix(b",") {
        // The encoding has no place for a dimension: only 1, which changes nothing, can be said.
        rest = behind.trim_ascii_start().strip_prefix(b"1")?.trim_ascii_start();
    }
    rest = rest.strip_prefix(b"]")?;
    Some((register, text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(code: u16) -> String {
        let mut out = Out::new();
        out.line(|line| print(code, line));
        out.as_str().to_string()
    }

    #[test]
    fn every_code_has_a_spelling_of_its_own() {
        for code in 0..1u16 << 14 {
            let text = text(code);
            assert_eq!(Register::decode(code).encode(), Some(code), "{text}");
            assert_eq!(read(text.as_bytes()), Numeral::Value(i64::from(code), text.len()), "{text}");
        }
    }

    #[test]
    fn spellings() {
        for (name, want) in [
            ("sc64", "c64"),
            ("si0", "i7"),
            ("sl7", "i0"),
            ("r3[idx0]", "r3[idx0]"),
            ("sh5[idx1, 1]", "sh5[idx1]"),
            ("cfa2", "cfa2"),
            ("idx1", "idx1"),
            ("o7", "o7"),
            ("sr51", "sr51"),
        ] {
            let Numeral::Value(code, len) = read(name.as_bytes()) else { panic!("{name}") };
            assert_eq!((text(code as u16).as_str(), len), (want, name.len()));
        }
        for bad in ["o8", "i8", "g9", "idx2", "r2048", "r0[idx2]", "r0[idx0, 4]", "i0[idx0]", "si8", "sh123456"] {
            assert_eq!(read(bad.as_bytes()), Numeral::Bad, "{bad}");
        }
        for none in ["ft0", "r", "x0", "rx", "r1x", "_", "0", "", "fadd"] {
            assert_eq!(read(none.as_bytes()), Numeral::None, "{none}");
        }
    }
}
