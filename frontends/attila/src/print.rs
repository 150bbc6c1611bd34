//! Operands as text.

use crate::class::Class;
use crate::fields::*;
use crate::float::{print_exact, print_fixed};
use parallax_isa::{Cursor, Short, Style};

/// Up to seven characters in a word, their number in the top byte.
const fn pack(chars: &[u8]) -> u64 {
    let mut out = (chars.len() as u64) << 56;
    let mut i = 0;
    while i < chars.len() {
        out |= (chars[i] as u64) << (8 * i);
        i += 1;
    }
    out
}

#[inline(always)]
fn put(packed: u64, line: &mut Cursor<'_>) {
    line.packed(packed, (packed >> 56) as usize);
}

/// The characters of a packed text.
const CHARS: u64 = (1 << 56) - 1;

const LETTERS: &[u8; 4] = b"xyzw";

/// Text of each swizzle byte: nothing for the identity, one letter for a broadcast, else four.
const SWIZZLES: [u64; 256] = {
    let mut all = [0; 256];
    let mut s = 0;
    while s < 256 {
        let (x, y, z, w) = (s >> 6 & 3, s >> 4 & 3, s >> 2 & 3, s & 3);
        all[s] = if s == IDENTITY as usize {
            0
        } else if x == y && y == z && z == w {
            pack(&[b'.', LETTERS[x]])
        } else {
            pack(&[b'.', LETTERS[x], LETTERS[y], LETTERS[z], LETTERS[w]])
        };
        s += 1;
    }
    all
};

/// Text of each write mask: nothing for all four.
static MASKS: [u64; 16] = {
    let mut all = [0; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut chars = [b'.'; 5];
        let mut n = 1;
        let mut c = 0;
        while c < 4 {
            if mask >> (3 - c) & 1 != 0 {
                chars[n] = LETTERS[c];
                n += 1;
            }
            c += 1;
        }
        all[mask] = match n {
            1 => pack(b"!INV!"),
            5 => 0,
            n => pack(chars.split_at(n).0),
        };
        mask += 1;
    }
    all
};

/// Decimal text of 0 to 511.
static NUMBERS: [u64; 512] = {
    let mut all = [0; 512];
    let mut n = 0;
    while n < 512 {
        let (h, t, o) = (b'0' + (n / 100) as u8, b'0' + (n / 10 % 10) as u8, b'0' + (n % 10) as u8);
        all[n] = if n >= 100 {
            pack(&[h, t, o])
        } else if n >= 10 {
            pack(&[t, o])
        } else {
            pack(&[o])
        };
        n += 1;
    }
    all
};

/// Letter of each bank; the last two cannot be read.
const BANK_LETTERS: &[u8; 8] = b"iocrac??";

/// Opening of an operand by absolute * 2 + negate.
const OPENINGS: [u64; 4] = [0, pack(b"-"), pack(b"|"), pack(b"-|")];

/// Opening and bank letter of an operand, by the five bits of a source's modifiers: absolute, negate, bank.
static FRONTS: [u64; 32] = {
    let mut all = [0; 32];
    let mut bits = 0;
    while bits < 32 {
        let letter = pack(&[BANK_LETTERS[bits & 7]]);
        all[bits] = join(OPENINGS[bits >> 3], letter);
        bits += 1;
    }
    all
};

/// Two packed texts of at most seven characters as one.
#[inline(always)]
const fn join(first: u64, second: u64) -> u64 {
    let len = first >> 56;
    (first & CHARS | (second & CHARS) << (8 * len)) + ((second >> 56) << 56) + (len << 56)
}

/// What closes an operand, by absolute and the swizzle byte.
static CLOSINGS: [[u64; 256]; 2] = {
    let mut all = [SWIZZLES; 2];
    let mut s = 0;
    while s < 256 {
        all[1][s] = join(SWIZZLES[s], pack(b"|"));
        s += 1;
    }
    all
};

/// A letter and a number below 512.
#[inline(always)]
fn named(letter: u8, number: u64) -> u64 {
    let digits = NUMBERS[number as usize & 511];
    ((digits & CHARS) << 8 | u64::from(letter)) + (digits >> 56 << 56) + (1 << 56)
}

fn register(letter: u8, number: u64, line: &mut Cursor<'_>) {
    put(named(letter, number), line);
}

#[inline(never)]
fn relative(word: u128, line: &mut Cursor<'_>) {
    line.short(const { &Short::new("[a") });
    line.decimal(ADDRESS.get(word));
    line.char(b'.');
    line.char(LETTERS[ADDRESS_COMPONENT.get(word) as usize & 3]);
    line.short(const { &Short::new(" + ") });
    line.signed(ADDRESS_OFFSET.get_signed(word));
    line.char(b']');
}

#[inline(always)]
fn constant_bank(bank: u64) -> bool {
    bank == bank::PARAM || bank == bank::PARAM2
}

/// Source `n` from 0. All three share this code: which bits it looks at is data, so that the compiler does not take the
/// fields of sources an instruction does not have out of the word in advance.
#[inline(always)]
fn source(n: usize, word: u128, line: &mut Cursor<'_>) {
    let bits = SourceBits::of(n, word as u64, (word >> 64) as u64);
    let bank = bits.bank();
    let high = usize::from(bank == bank::PARAM2) << 8;
    let (front, number) = (FRONTS[bits.modifiers as usize & 31], NUMBERS[usize::from(bits.register) | high]);
    let closing = CLOSINGS[usize::from(bits.absolute())][usize::from(bits.swizzle)];
    put(front, line);
    put(number, line);
    if word as u64 & RELATIVE.mask() as u64 != 0 && constant_bank(bank) {
        line.apart(|line| relative(word, line));
    }
    put(closing, line);
}

fn condition(f: &'static SourceFields, word: u128, line: &mut Cursor<'_>) {
    let negate = f.negate.get(word) != 0;
    if f.absolute.get(word) != 0 {
        line.text(if negate { "true" } else { "false" });
        return;
    }
    line.char_if(b'!', negate);
    let bank = f.any_bank.get(word);
    let number = f.register.get(word);
    if !constant_bank(bank) {
        return register(b'p', number, line);
    }
    register(b'c', number | u64::from(bank == bank::PARAM2) << 8, line);
    if RELATIVE.get(word) != 0 {
        relative(word, line);
    }
    line.char(b'.');
    line.char(LETTERS[f.swizzle.get(word) as usize & 3]);
}

fn literal(float: bool, word: u128, style: Style, line: &mut Cursor<'_>) {
    let absolute = SOURCES[1].absolute.get(word);
    put(OPENINGS[(absolute * 2 + SOURCES[1].negate.get(word)) as usize & 3], line);
    let bits = IMMEDIATE.get(word) as u32;
    match (style, float) {
        (Style::Vendor, true) => print_fixed(bits, line),
        (Style::Exact, true) => print_exact(bits, line),
        (Style::Exact, false) if (bits as i32) < 0 => {
            line.char(b'#');
            line.hex(u64::from(bits), 8);
        }
        (_, false) => line.signed(i64::from(bits as i32)),
    }
    line.char_if(b'|', absolute != 0);
}

/// Bits that are 0 where an operand of `class` has no text.
pub(crate) const fn silent(class: Class) -> Option<u128> {
    match class {
        Class::Guard => Some(PREDICATED.mask()),
        Class::Marks => Some(END.mask() | WAIT.mask()),
        _ => None,
    }
}

/// Writes an operand of `class`.
#[inline(always)]
pub(crate) fn print(class: Class, word: u128, style: Style, line: &mut Cursor<'_>) {
    match class {
        Class::Source1 | Class::Source2 | Class::Source3 => {
            source(class as usize - Class::Source1 as usize, word, line)
        }
        Class::Result => {
            let front = named(BANK_LETTERS[RESULT_BANK.get(word) as usize & 7], RESULT.get(word));
            put(front, line);
            put(MASKS[MASK.get(word) as usize & 15], line);
        }
        // Glued to the mnemonic.
        Class::Saturate => {}
        _ => line.apart(|line| rare(class, word, style, line)),
    }
}

/// Operands most instructions do not have.
#[inline(never)]
fn rare(class: Class, word: u128, style: Style, line: &mut Cursor<'_>) {
    match class {
        Class::Source1 | Class::Source2 | Class::Source3 | Class::Result | Class::Saturate => {}
        Class::Marks => {
            if END.get(word) != 0 {
                line.short(const { &Short::new(" <- end") });
            }
            if WAIT.get(word) != 0 {
                line.short(const { &Short::new(" <- wait") });
            }
        }
        Class::Guard if PREDICATED.get(word) == 0 => {}
        Class::Guard => {
            line.char(b'(');
            line.char_if(b'!', INVERT_GUARD.get(word) != 0);
            register(b'p', GUARD.get(word), line);
            line.text(") ");
        }
        Class::PredicateResult => register(b'p', RESULT.get(word), line),
        Class::AndResult => {
            line.char_if(b'!', SATURATE.get(word) != 0);
            register(b'p', RESULT.get(word), line);
        }
        Class::FloatLiteral => literal(true, word, style, line),
        Class::IntLiteral => literal(false, word, style, line),
        Class::Condition1 => condition(&SOURCES[0], word, line),
        Class::Condition2 => condition(&SOURCES[1], word, line),
        Class::Unit | Class::Attribute => register(b't', SOURCES[1].register.get(word), line),
        Class::Sample => {
            line.text(", ");
            register(b's', SOURCES[1].register.get(word), line);
        }
        Class::Target => line.signed(i64::from(IMMEDIATE.get(word) as i32)),
    }
}

/// Writes bits that no operand shows.
pub(crate) fn print_remainder(remainder: u128, line: &mut Cursor<'_>) {
    line.text(&format!(" <- bits {:#x} {:#x}", remainder as u64, (remainder >> 64) as u64));
}
