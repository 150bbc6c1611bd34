//! Numbers in operands: hexadecimal integers, constants' offsets, sets of barriers, signs of lanes.

use crate::fields::{self, BANK_OFFSET, DISTANCE, INT20, INT32, UINT20, UINT32};
use crate::float;
use parallax_isa::{Cursor, Field, Number, Numeral, Problem, Style};

const RANGE: Problem =
    Problem { code: "literal-range", message: "the instruction has too few bits for this number", help: "" };

/// Writes a hexadecimal number.
pub(crate) fn print_hex(value: u64, line: &mut Cursor<'_>) {
    line.char(b'0');
    line.char(b'x');
    line.hex(value, (67 - value.leading_zeros() as usize).max(4) / 4);
}

/// Writes a hexadecimal number with a sign in front.
pub(crate) fn print_signed(value: i64, line: &mut Cursor<'_>) {
    line.char_if(b'-', value < 0);
    print_hex(value.unsigned_abs(), line);
}

const fn integer(field: &'static Field, print: fn(i64, Style, &mut Cursor<'_>)) -> Number {
    Number { field, print, read: Numeral::integer, what: "a number", allowed: "an integer of 63 bits", range: &RANGE }
}

const fn hex(field: &'static Field) -> Number {
    integer(field, |value, _, line| print_hex(value as u64, line))
}

const fn signed(field: &'static Field) -> Number {
    integer(field, |value, _, line| print_signed(value, line))
}

const fn decimal(field: &'static Field) -> Number {
    integer(field, |value, _, line| line.decimal(value as u64))
}

macro_rules! numbers {
    ($($kind:ident $name:ident($lo:expr, $len:literal) $field:literal;)*) => {
        $(pub(crate) static $name: Number = $kind(&const { Field::new($field, $lo, $len) });)*
    };
}

numbers! {
    hex UINT16(20, 16) "imm";
    hex UINT6_20(20, 6) "imm";
    hex SHIFT_39(39, 5) "shift";
    hex SHIFT_53(53, 5) "shift";
    hex SHIFT_28(28, 5) "shift";
    hex SHIFT_51(51, 5) "shift";
    hex LUT_28(28, 8) "lut";
    hex LUT_48(48, 8) "lut";
    hex ATTRIBUTE(28, 10) "attribute";
    hex ATTRIBUTE_20(20, 10) "attribute";
    hex CHANNELS_31(31, 4) "mask";
    hex HANDLE(36, 13) "handle";
    hex BANK_36(36, 5) "bank";
    hex LANE_20(20, 5) "lane";
    hex SEGMENT_34(34, 13) "segment";
    hex LANES_39(39, 4) "lanes";
    hex LANES_12(12, 4) "lanes";
    hex COUNT_20(20, 6) "count";
    hex ABSOLUTE(20, 24) "target";
    hex ADDRESS_8(20, 8) "imm";
    hex ADDRESS_24(20, 24) "imm";
    hex ADDRESS_20(20, 20) "imm";
    hex ADDRESS_32(20, 32) "imm";
    hex ADDRESS_20_AT_28(28, 20) "imm";
    hex THREADS_20(20, 12) "imm";
    hex BARRIER_8(8, 8) "imm";
    hex BARRIER_28(28, 4) "barrier";
}

pub(crate) static ADDRESS_8_SIGNED: Number = signed(&const { Field::new("imm", 20, 8).signed() });
pub(crate) static ADDRESS_16_SIGNED: Number = signed(&const { Field::new("imm", 20, 16).signed() });
pub(crate) static ADDRESS_24_SIGNED: Number = signed(&const { Field::new("imm", 20, 24).signed() });
pub(crate) static ADDRESS_32_SIGNED: Number = signed(&const { Field::new("imm", 20, 32).signed() });
pub(crate) static ADDRESS_20_SIGNED: Number = signed(&const { Field::new("imm", 20, 20).signed() });
pub(crate) static ADDRESS_20_AT_28_SIGNED: Number = signed(&const { Field::new("imm", 28, 20).signed() });
pub(crate) static PATCH_SIGNED: Number = signed(&const { Field::new("imm", 20, 11).signed() });
pub(crate) static BYTES_20: Number = signed(&const { Field::new("offset", 20, 16).signed() });
pub(crate) static SINT16: Number = signed(&const { Field::new("imm", 20, 16).signed() });
pub(crate) static BANK: Number = hex(&fields::BANK);
pub(crate) static INT_20: Number = signed(&INT20);
pub(crate) static UINT_20: Number = hex(&UINT20);
pub(crate) static INT_32: Number = signed(&INT32);
pub(crate) static UINT_32: Number = hex(&UINT32);
pub(crate) static BRX_OFFSET: Number = signed(&DISTANCE);
pub(crate) static WRITE_BARRIER: Number = decimal(&fields::WRITE_BARRIER);
pub(crate) static READ_BARRIER: Number = decimal(&fields::READ_BARRIER);

/// Where a branch leads.
pub(crate) static TARGET: Number =
    Number { what: "a label or an address", allowed: "a label or an address", ..signed(&fields::TARGET) };

/// Offset in a constant bank.
pub(crate) static CONST_OFFSET: Number = OFFSET_IN_WORDS;

/// An offset: words in the instruction, bytes in text.
const OFFSET_IN_WORDS: Number = Number {
    field: &BANK_OFFSET,
    print: |words, _, line| print_signed(words * 4, line),
    read: |text| match Numeral::integer(text) {
        Numeral::Value(bytes, len) if bytes % 4 == 0 => Numeral::Value(bytes / 4, len),
        Numeral::Value(..) => Numeral::Bad,
        other => other,
    },
    what: "an offset in bytes",
    allowed: "an offset in bytes that is a multiple of 4",
    range: &RANGE,
};

const fn words(field: &'static Field) -> Number {
    Number { field, ..OFFSET_IN_WORDS }
}

/// Offset in shared memory of an atomic operation, in words.
pub(crate) static WORDS_30: Number = words(&const { Field::new("imm", 30, 22) });
pub(crate) static WORDS_30_SIGNED: Number = words(&const { Field::new("imm", 30, 22).signed() });
/// Offset of a line of the cache, in words.
pub(crate) static WORDS_22: Number = words(&const { Field::new("imm", 22, 30) });
pub(crate) static WORDS_22_SIGNED: Number = words(&const { Field::new("imm", 22, 30).signed() });
/// The same of local memory.
pub(crate) static LOCAL_WORDS_22: Number = words(&const { Field::new("imm", 22, 22) });
pub(crate) static LOCAL_WORDS_22_SIGNED: Number = words(&const { Field::new("imm", 22, 22).signed() });

/// The high 20 bits of a binary32 number.
pub(crate) static FLOAT20: Number = Number {
    field: &UINT20,
    print: |bits, style, line| float::print((bits as u32) << 12, style, line),
    read: |text| match float::read(text) {
        Numeral::Value(bits, len) if bits & 0xfff == 0 => Numeral::Value(bits >> 12, len),
        Numeral::Value(..) => Numeral::Bad,
        other => other,
    },
    what: "a number",
    allowed: "a binary32 number whose last 12 bits are 0; for others use a constant or FADD32I, FMUL32I, FFMA32I",
    range: &RANGE,
};

/// The high 20 bits of a binary64 number.
pub(crate) static DOUBLE20: Number = Number {
    field: &UINT20,
    print: |bits, style, line| float::print_double(bits as u32, style, line),
    read: float::read_double,
    what: "a number",
    allowed: "a binary64 number whose last 44 bits are 0; for others use a constant",
    range: &RANGE,
};

/// A binary16 number.
const fn half(field: &'static Field) -> Number {
    Number {
        field,
        print: |bits, style, line| float::print_half(bits as u32, style, line),
        read: float::read_half,
        what: "a number",
        allowed: "a binary16 number",
        range: &RANGE,
    }
}

/// The high ten bits of a binary16 number.
const fn half_of_ten_bits(field: &'static Field) -> Number {
    Number {
        print: |bits, style, line| float::print_half((bits as u32) << 6, style, line),
        read: |text| match float::read_half(text) {
            Numeral::Value(bits, len) if bits & 0x3f == 0 => Numeral::Value(bits >> 6, len),
            Numeral::Value(..) => Numeral::Bad,
            other => other,
        },
        allowed: "a binary16 number whose last 6 bits are 0; for others use a constant or HADD2_32I, HMUL2_32I, HFMA2_32I",
        ..half(field)
    }
}

/// The low half of a pair of literals.
pub(crate) static HALF20_LOW: Number = half_of_ten_bits(&const { Field::new("imm", 20, 10) });
/// The high half of a pair of literals.
pub(crate) static HALF20_HIGH: Number = half_of_ten_bits(&const { Field::new("imm_high", 30, 9).then(56, 1) });
/// The low half of a pair of literals of 32 bits.
pub(crate) static HALF32_LOW: Number = half(&const { Field::new("imm", 20, 16) });
/// The high half of a pair of literals of 32 bits.
pub(crate) static HALF32_HIGH: Number = half(&const { Field::new("imm_high", 36, 16) });

/// The register behind that of a field, as a second operand of the field: its number less `Rn`.
const fn register_behind(print: fn(i64, Style, &mut Cursor<'_>), read: fn(&[u8]) -> Numeral) -> Number {
    Number { field: &fields::B, print, read, what: "a register", allowed: "a register", range: &RANGE }
}

/// Reads a register that is so many behind the one it stands for.
fn read_behind(text: &[u8], distance: i64) -> Numeral {
    let Some(rest) = text.strip_prefix(b"R") else { return Numeral::None };
    match Numeral::integer(rest) {
        Numeral::Value(value, len) if rest[0].is_ascii_digit() && value >= distance => {
            Numeral::Value(value - distance, len + 1)
        }
        _ => Numeral::None,
    }
}

fn print_register(number: i64, line: &mut Cursor<'_>) {
    line.char(b'R');
    line.decimal(number as u64);
}

/// The register behind b, which holds the new value of an exchange of 32 bits.
pub(crate) static NEXT_REGISTER: Number =
    register_behind(|value, _, line| print_register(value + 1, line), |text| read_behind(text, 1));
/// The register behind the pair b, where the new value of an exchange of 64 bits starts.
pub(crate) static NEXT_PAIR: Number =
    register_behind(|value, _, line| print_register(value + 2, line), |text| read_behind(text, 2));

/// A binary32 number.
pub(crate) static FLOAT32: Number = Number {
    field: &UINT32,
    print: |bits, style, line| float::print(bits as u32, style, line),
    read: float::read,
    what: "a number",
    allowed: "a binary32 number",
    range: &RANGE,
};

/// Which of a and b FSWZADD adds with which sign in each lane: two letters each, lane 3 first.
pub(crate) static SIGNS: Number = Number {
    field: &const { Field::new("selector", 28, 8) },
    print: |value, _, line| {
        for lane in (0..4).rev() {
            line.text(["PP", "NP", "PN", "ZP"][value as usize >> (2 * lane) & 3]);
        }
    },
    read: |text| {
        let word = text.first_chunk::<8>().filter(|_| !text.get(8).is_some_and(u8::is_ascii_alphanumeric));
        let Some(word) = word else { return Numeral::None };
        let lane = |pair: &[u8; 2]| [b"PP", b"NP", b"PN", b"ZP"].iter().position(|known| *known == pair);
        let lanes: Option<Vec<usize>> = word.as_chunks::<2>().0.iter().map(lane).collect();
        match lanes {
            Some(lanes) => Numeral::Value(lanes.iter().fold(0, |value, lane| value << 2 | *lane as i64), 8),
            None => Numeral::None,
        }
    },
    what: "signs of four lanes, lane 3 first, each PP, NP, PN or ZP, such as PNNPPNNP",
    allowed: "signs of four lanes",
    range: &RANGE,
};

/// A set of barriers, without its braces.
const fn barriers(field: &'static Field) -> Number {
    Number {
        field,
        print: |set, _, line| {
            let mut comma = false;
            for n in (0..6).rev().filter(|n| set >> n & 1 != 0) {
                line.char_if(b',', comma);
                line.char(b'0' + n as u8);
                comma = true;
            }
        },
        read: |text| {
            let (mut set, mut len) = (0, 0);
            loop {
                match text.get(len) {
                    Some(n @ b'0'..=b'5') => set |= 1 << (n - b'0'),
                    _ if len == 0 => return Numeral::None,
                    _ => return Numeral::Bad,
                }
                len += 1;
                if text.get(len) != Some(&b',') {
                    return Numeral::Value(set, len);
                }
                len += 1;
            }
        },
        what: "barriers, such as 5,0",
        allowed: "barriers 0 to 5, separated by commas",
        range: &RANGE,
    }
}

/// Barriers an instruction waits for.
pub(crate) static WAIT_MASK: Number = barriers(&fields::WAIT_MASK);
/// Barriers DEPBAR waits for.
pub(crate) static BARRIERS: Number = barriers(&const { Field::new("set", 0, 6) });

/// The number of NOP and BPT: nothing where it is 0.
const fn unless_zero(field: &'static Field, print: fn(i64, Style, &mut Cursor<'_>)) -> Number {
    Number {
        field,
        print,
        read: |text| {
            let comma = usize::from(text.first() == Some(&b','));
            let blanks = text[comma..].iter().take_while(|b| **b == b' ').count() * comma;
            match Numeral::integer(&text[comma + blanks..]) {
                Numeral::Value(value, len) => Numeral::Value(value, comma + blanks + len),
                Numeral::None if comma == 0 => Numeral::Value(0, 0),
                other => other,
            }
        },
        what: "a number",
        allowed: "an integer of the width of the instruction's",
        range: &RANGE,
    }
}

/// Writes a number other than 0 behind a blank.
fn print_apart(value: i64, _: Style, line: &mut Cursor<'_>) {
    if value != 0 {
        line.char(b' ');
        print_hex(value as u64, line);
    }
}

const NOP_NUMBER: Field = Field::new("imm", 20, 16);
pub(crate) static TRAP_CODE: Number = unless_zero(&const { Field::new("imm", 20, 20) }, print_apart);
pub(crate) static NOP_ALONE: Number = unless_zero(&NOP_NUMBER, print_apart);
pub(crate) static NOP_BEHIND_TEST: Number = unless_zero(&NOP_NUMBER, |value, _, line| {
    if value != 0 {
        line.text(", ");
        print_hex(value as u64, line);
    }
});
