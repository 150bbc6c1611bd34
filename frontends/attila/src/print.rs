//! Operands as text.

use crate::class::Class;
use crate::fields::*;
use crate::float::{print_exact, print_fixed};
use parallax_isa::{Out, Short, Style};

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
fn put(packed: u64, out: &mut Out) {
    out.packed(packed, (packed >> 56) as usize);
}

/// Two packed texts, one behind the other, in one go.
#[inline(always)]
fn put_both(first: u64, second: u64, out: &mut Out) {
    let len = first >> 56;
    let chars = u128::from(first & CHARS) | u128::from(second & CHARS) << (8 * len);
    out.packed_long(chars, (len + (second >> 56)) as usize);
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

/// Decimal text of 0 to 511, one character free in front for the bank's letter.
static NUMBERS: [u64; 512] = {
    let mut all = [0; 512];
    let mut n = 0;
    while n < 512 {
        let (h, t, o) = (b'0' + (n / 100) as u8, b'0' + (n / 10 % 10) as u8, b'0' + (n % 10) as u8);
        all[n] = if n >= 100 {
            pack(&[0, h, t, o])
        } else if n >= 10 {
            pack(&[0, t, o])
        } else {
            pack(&[0, o])
        };
        n += 1;
    }
    all
};

/// Letter of each bank; the last two cannot be read.
const BANK_LETTERS: &[u8; 8] = b"iocrac??";

/// Opening of an operand by absolute * 2 + negate.
static OPENINGS: [u64; 4] = [0, pack(b"-"), pack(b"|"), pack(b"-|")];

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

#[inline(always)]
fn named(letter: u8, number: u64) -> u64 {
    NUMBERS[number as usize & 511] | u64::from(letter)
}

#[inline(always)]
fn register(letter: u8, number: u64, out: &mut Out) {
    put(named(letter, number), out);
}

fn relative(word: u128, out: &mut Out) {
    out.short(const { &Short::new("[a") });
    out.decimal(ADDRESS.get(word));
    out.char(b'.');
    out.char(LETTERS[ADDRESS_COMPONENT.get(word) as usize & 3]);
    out.short(const { &Short::new(" + ") });
    out.signed(ADDRESS_OFFSET.get_signed(word));
    out.char(b']');
}

#[inline(always)]
fn constant_bank(bank: u64) -> bool {
    bank == bank::PARAM || bank == bank::PARAM2
}

#[inline(always)]
fn source(f: &'static SourceFields, word: u128, out: &mut Out) {
    let bank = f.any_bank.get(word);
    let absolute = f.absolute.get(word);
    let opening = OPENINGS[(absolute * 2 + f.negate.get(word)) as usize & 3];
    let high = u64::from(bank == bank::PARAM2) << 8;
    let front = join(opening, named(BANK_LETTERS[bank as usize & 7], f.register.get(word) | high));
    let closing = CLOSINGS[absolute as usize & 1][f.swizzle.get(word) as usize & 255];
    if RELATIVE.get(word) != 0 && constant_bank(bank) {
        put(front, out);
        relative(word, out);
        put(closing, out);
    } else {
        put_both(front, closing, out);
    }
}

fn condition(f: &'static SourceFields, word: u128, out: &mut Out) {
    let negate = f.negate.get(word) != 0;
    if f.absolute.get(word) != 0 {
        out.text(if negate { "true" } else { "false" });
        return;
    }
    out.char_if(b'!', negate);
    let bank = f.any_bank.get(word);
    let number = f.register.get(word);
    if !constant_bank(bank) {
        return register(b'p', number, out);
    }
    register(b'c', number | u64::from(bank == bank::PARAM2) << 8, out);
    if RELATIVE.get(word) != 0 {
        relative(word, out);
    }
    out.char(b'.');
    out.char(LETTERS[f.swizzle.get(word) as usize & 3]);
}

fn literal(float: bool, word: u128, style: Style, out: &mut Out) {
    let absolute = SOURCES[1].absolute.get(word);
    put(OPENINGS[(absolute * 2 + SOURCES[1].negate.get(word)) as usize & 3], out);
    let bits = IMMEDIATE.get(word) as u32;
    match (style, float) {
        (Style::Vendor, true) => print_fixed(bits, out),
        (Style::Exact, true) => print_exact(bits, out),
        (Style::Exact, false) if (bits as i32) < 0 => {
            out.char(b'#');
            out.hex(u64::from(bits), 8);
        }
        (_, false) => out.signed(i64::from(bits as i32)),
    }
    out.char_if(b'|', absolute != 0);
}

/// Writes an operand of `class`.
#[inline(always)]
pub(crate) fn print(class: Class, word: u128, style: Style, out: &mut Out) {
    match class {
        Class::Source1 => source(const { &SOURCES[0] }, word, out),
        Class::Source2 => source(const { &SOURCES[1] }, word, out),
        Class::Source3 => source(const { &SOURCES[2] }, word, out),
        Class::Result => {
            let front = named(BANK_LETTERS[RESULT_BANK.get(word) as usize & 7], RESULT.get(word));
            put_both(front, MASKS[MASK.get(word) as usize & 15], out);
        }
        Class::Marks => {
            if word as u32 & (END.mask() | WAIT.mask()) as u32 != 0 {
                if END.get(word) != 0 {
                    out.short(const { &Short::new(" <- end") });
                }
                if WAIT.get(word) != 0 {
                    out.short(const { &Short::new(" <- wait") });
                }
            }
        }
        Class::Guard => {
            if PREDICATED.get(word) != 0 {
                out.char(b'(');
                out.char_if(b'!', INVERT_GUARD.get(word) != 0);
                register(b'p', GUARD.get(word), out);
                put(const { pack(b") ") }, out);
            }
        }
        // Glued to the mnemonic.
        Class::Saturate => {}
        Class::PredicateResult => register(b'p', RESULT.get(word), out),
        Class::AndResult => {
            out.char_if(b'!', SATURATE.get(word) != 0);
            register(b'p', RESULT.get(word), out);
        }
        Class::FloatLiteral => literal(true, word, style, out),
        Class::IntLiteral => literal(false, word, style, out),
        Class::Condition1 => condition(const { &SOURCES[0] }, word, out),
        Class::Condition2 => condition(const { &SOURCES[1] }, word, out),
        Class::Unit | Class::Attribute => register(b't', SOURCES[1].register.get(word), out),
        Class::Sample => {
            put(const { pack(b", ") }, out);
            register(b's', SOURCES[1].register.get(word), out);
        }
        Class::Target => out.signed(i64::from(IMMEDIATE.get(word) as i32)),
    }
}

/// Writes bits that no operand shows.
pub(crate) fn print_remainder(remainder: u128, out: &mut Out) {
    out.text(&format!(" <- bits {:#x} {:#x}", remainder as u64, (remainder >> 64) as u64));
}
