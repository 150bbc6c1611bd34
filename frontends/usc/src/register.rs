//! Registers: banks and numbers, as source maps and destinations encode them, and their spellings.
//!
//! A register is a code of 14 bits: an 11-bit number and, above it, the 3-bit bank. Source: PowerVR Instruction Set
//! Reference, section 4.1; the numbers of banks are those of the MIT-licensed Mesa compiler for these GPUs.

use crate::fields;
use parallax_isa::{Cursor, Numeral, Out, Short};
use std::sync::LazyLock;

/// What is known of a bank.
#[derive(Copy, Clone, Debug)]
pub(crate) struct BankData {
    pub(crate) bank: Bank,
    /// Its name in front of numbers.
    pub(crate) name: &'static str,
    /// How many numbers its registers can have.
    pub(crate) count: u16,
    /// Its code, if it has one of its own.
    code: Option<u16>,
    /// Its kind behind an index register.
    kind: Option<u16>,
}

/// Declares the banks: name, count of numbers, code, kind behind an index register.
macro_rules! banks {
    ($($(#[$doc:meta])* $bank:ident = $name:literal, $count:expr, $code:expr, $kind:expr;)*) => {
        /// Where a register lives.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Bank {
            $($(#[$doc])* $bank,)*
        }

        /// The banks, by their number in [`Bank`]; first the [`FILES`].
        pub(crate) static BANKS: [BankData; 13] =
            [$(BankData { bank: Bank::$bank, name: $name, count: $count, code: $code, kind: $kind }),*];
    };
}

banks! {
    /// `rN`: private to an instance, undefined at the start.
    Temporary = "r", NUMBERS, Some(1), Some(0);
    /// `viN`: private to an instance, filled before the start.
    VertexInput = "vi", NUMBERS, Some(2), Some(1);
    /// `cfN`: plane equations, shared by the instances of a task.
    Coefficient = "cf", NUMBERS, Some(3), Some(2);
    /// `cfaN`: the alternate set of these.
    AlternateCoefficient = "cfa", NUMBERS, Some(5), Some(6);
    /// `shN`: uniforms and descriptors, shared by the instances of a task.
    Shared = "sh", NUMBERS, Some(4), Some(3);
    /// `idx0`, `idx1`.
    Index = "idx", 2, None, None;
    /// `oN`.
    PixelOutput = "o", 8, None, Some(7);
    /// `iN`, also spelled `siN` and `slN` with other numbers.
    Internal = "i", 8, None, None;
    /// `gN`.
    Global = "g", 8, None, None;
    /// `cN`, `scN`: constants.
    Constant = "c", NUMBERS, None, None;
    /// `srN`: state of the machine.
    Special = "sr", NUMBERS, None, None;
    /// What no document names: kind 4 of an indexed register.
    Reserved4 = "reserved4_", 0, None, Some(4);
    /// The same, kind 5.
    Reserved5 = "reserved5_", 0, None, Some(5);
}

/// How many banks hold state of a program: the first ones.
pub(crate) const FILES: usize = Bank::Global as usize + 1;

/// The bank of a name, if it is one.
pub(crate) fn bank(name: &str) -> Option<&'static BankData> {
    let name = if name == "sc" { "c" } else { name };
    BANKS.iter().find(|bank| bank.name == name)
}

/// The banks that have nothing but registers, by their codes.
pub(crate) const PLAIN: [Option<Bank>; 8] = [
    None,
    Some(Bank::Temporary),
    Some(Bank::VertexInput),
    Some(Bank::Coefficient),
    Some(Bank::Shared),
    Some(Bank::AlternateCoefficient),
    None,
    None,
];

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
/// How many numbers there are.
pub(crate) const NUMBERS: u16 = 1 << NUMBER;
/// Code of special registers.
const SPECIAL: u16 = 0;
/// Code of registers behind idx0; that of those behind idx1 is the next. The low three bits of the number are the kind.
const INDEXED: u16 = 6;
/// The kind that stands for the index register itself.
const ITSELF: u16 = 5;

/// Banks inside of the special registers: the number of the first register, its special number, how many there are.
const INSIDE: [(Bank, u16, u16, u16); 4] = [
    (Bank::PixelOutput, 0, 32, 4),
    (Bank::Internal, 0, 36, 8),
    (Bank::Global, 0, 104, 8),
    (Bank::PixelOutput, 4, 164, 4),
];

/// Special number 0: the constant 0, which also fills sources nobody reads.
pub(crate) const ZERO: u16 = 0;

impl Register {
    /// The register of a code of 14 bits.
    #[inline]
    pub fn decode(code: u16) -> Register {
        match PLAIN[usize::from(code >> NUMBER & 7)] {
            Some(bank) => Register { bank, number: code & (NUMBERS - 1), index: None },
            None => Register::decode_other(code),
        }
    }

    /// Whether a code is of a bank that has nothing but registers.
    #[inline]
    pub(crate) fn is_plain(code: u16) -> bool {
        PLAIN[usize::from(code >> NUMBER & 7)].is_some()
    }

    /// The bank of a code, as the encoding numbers banks, and the number in it.
    #[inline]
    pub(crate) fn halves(code: u16) -> (usize, u16) {
        (usize::from(code >> NUMBER & 7), code & (NUMBERS - 1))
    }

    /// Special registers and those behind an index.
    fn decode_other(code: u16) -> Register {
        let (bank, number) = (code >> NUMBER & 7, code & (NUMBERS - 1));
        let plain = |bank, number| Register { bank, number, index: None };
        if bank == SPECIAL {
            let inside = INSIDE.iter().find(|(_, _, special, count)| (*special..special + count).contains(&number));
            return match inside {
                Some((bank, first, special, _)) => plain(*bank, first + number - special),
                None if number < 160 && number & 0x20 == 0 => plain(Bank::Constant, number),
                None => plain(Bank::Special, number),
            };
        }
        let (index, kind, number) = (bank.saturating_sub(INDEXED), number & 7, number >> 3);
        if kind == ITSELF && number == 0 {
            return plain(Bank::Index, index);
        }
        let bank = BANKS.iter().find(|bank| bank.kind == Some(kind)).map_or(Bank::Reserved5, |data| data.bank);
        Register { bank, number, index: Some(index as u8) }
    }

    /// The code of the register; `None` where there is none.
    pub fn encode(self) -> Option<u16> {
        let data = &BANKS[self.bank as usize];
        if let Some(index) = self.index {
            let fits = self.number < NUMBERS >> 3 && index < 2;
            return fits.then_some((INDEXED + u16::from(index)) << NUMBER | self.number << 3 | data.kind?);
        }
        let (bank, number) = match (self.bank, data.code) {
            (_, Some(code)) => (code, self.number),
            (Bank::Index, _) if self.number < 2 => (INDEXED + self.number, ITSELF),
            (Bank::Constant | Bank::Special, _) => (SPECIAL, self.number),
            (bank, _) => {
                let holds = |inside: &&(Bank, u16, u16, u16)| {
                    inside.0 == bank && (inside.1..inside.1 + inside.3).contains(&self.number)
                };
                let (_, first, special, _) = INSIDE.iter().find(holds)?;
                (SPECIAL, special + self.number - first)
            }
        };
        (number < NUMBERS).then_some(bank << NUMBER | number)
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
        (self.bank as usize) < FILES
    }
}

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
    line.text(BANKS[register.bank as usize].name);
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
pub(crate) fn read(text: &[u8]) -> Numeral {
    match read_plain(text) {
        Some((code, end)) => Numeral::Value(code.into(), end),
        None => read_any(text),
    }
}

/// The register of one of the banks that most operands are of, without an index: its code, and where it ends. Two numbers come back in
/// registers; what is made of them is written once.
#[inline(always)]
fn read_plain(text: &[u8]) -> Option<(u16, usize)> {
    // As in the tables: the code of the bank, its name's length, the number its registers start at, and how many there are.
    let (bank, start, first, count) = match text {
        [b'r', ..] => (1, 1, 0, NUMBERS),
        [b's', b'h', ..] => (4, 2, 0, NUMBERS),
        [b'i', b'0'..=b'9', ..] => (SPECIAL, 1, 36, 8),
        [b'c', b'0'..=b'9', ..] => (SPECIAL, 1, 0, NUMBERS),
        [b'o', ..] => (SPECIAL, 1, 32, 4),
        [b'c', b'f', b'0'..=b'9', ..] => (3, 2, 0, NUMBERS),
        [b'v', b'i', ..] => (2, 2, 0, NUMBERS),
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
    (end > start && ends && number < count).then(|| (bank << NUMBER | (first + number), end))
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

#[inline(never)]
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
        // No name goes on with a digit: one at most is followed by a number.
        None => {
            BANKS.iter().map(|bank| (bank.name, bank.bank)).chain([("sc", Bank::Constant)]).find_map(|(name, bank)| {
                let (number, len) = digits(text.strip_prefix(name.as_bytes())?)?;
                Some((bank, number, name.len() + len))
            })
        }
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
