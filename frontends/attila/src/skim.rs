//! Operands in their plainest spelling, straight from the bytes: what listings print and people mostly write.
//!
//! Everything else, and everything wrong, is left to the reader over tokens.

use crate::class::Class;
use crate::fields::*;
use parallax_isa::{Encoding, Field, byte, skip_blanks};
use parallax_text::parse_f32;

/// A component's number by its letter; 255 for other characters.
static COMPONENTS: [u8; 256] = {
    let mut all = [255; 256];
    (all[b'x' as usize], all[b'y' as usize], all[b'z' as usize], all[b'w' as usize]) = (0, 1, 2, 3);
    all
};

#[inline(always)]
fn component(text: &[u8], at: usize) -> u64 {
    u64::from(COMPONENTS[usize::from(byte(text, at))])
}

/// A decimal number of up to three digits, and where it ends.
#[inline(always)]
fn number(text: &[u8], at: usize) -> Option<(u64, usize)> {
    let digit = |at: usize| u64::from(byte(text, at).wrapping_sub(b'0'));
    let (a, b, c) = (digit(at), digit(at + 1), digit(at + 2));
    match (a < 10, b < 10, c < 10) {
        (false, ..) => None,
        (_, false, _) => Some((a, at + 1)),
        (_, _, false) => Some((10 * a + b, at + 2)),
        _ => Some((100 * a + 10 * b + c, at + 3)),
    }
}

#[inline(always)]
fn put(e: &mut Encoding, field: &Field, value: u64) -> Option<()> {
    e.put(field, value).ok()
}

/// `letter` and a number up to `most`.
#[inline(always)]
fn numbered(text: &[u8], at: usize, letter: u8, most: u64) -> Option<(u64, usize)> {
    if byte(text, at) != letter {
        return None;
    }
    number(text, at + 1).filter(|(n, _)| *n <= most)
}

fn marker(text: &[u8], at: usize, wanted: &[u8]) -> Option<usize> {
    text.get(at..)?.starts_with(wanted).then_some(at + wanted.len())
}

/// One letter or four.
#[inline(always)]
fn swizzle(text: &[u8], at: usize) -> Option<(u64, usize)> {
    if byte(text, at) != b'.' {
        return Some((IDENTITY, at));
    }
    let x = component(text, at + 1);
    if x > 3 {
        return None;
    }
    let y = component(text, at + 2);
    if y > 3 {
        return Some((x * 0x55, at + 2));
    }
    let (z, w) = (component(text, at + 3), component(text, at + 4));
    (z < 4 && w < 4).then_some((x << 6 | y << 4 | z << 2 | w, at + 5))
}

#[inline(always)]
fn mask(text: &[u8], mut at: usize) -> Option<(u64, usize)> {
    if byte(text, at) != b'.' {
        return (byte(text, at) != b'!').then_some((15, at));
    }
    at += 1;
    let (mut bits, mut next) = (0, 0);
    loop {
        let c = component(text, at);
        if c > 3 {
            return (bits != 0).then_some((bits, at));
        }
        if c < next {
            return None;
        }
        bits |= 8 >> c;
        next = c + 1;
        at += 1;
    }
}

/// `[a0.x]`, `[a0.x + 1]`, `[a0.x - 1]`, `[a0.x + -1]`
fn relative(text: &[u8], at: usize, e: &mut Encoding) -> Option<usize> {
    let (address, at) = numbered(text, at + 1, b'a', 3)?;
    let component = component(text, at + 1);
    if byte(text, at) != b'.' || component > 3 {
        return None;
    }
    let (mut at, mut offset) = (skip_blanks(text, at + 2), 0);
    if let sign @ (b'+' | b'-') = byte(text, at) {
        at = skip_blanks(text, at + 1);
        let mut negative = sign == b'-';
        if byte(text, at) == b'-' {
            negative = !negative;
            at += 1;
        }
        let value;
        (value, at) = number(text, at)?;
        offset = if negative { -(value as i64) } else { value as i64 };
        at = skip_blanks(text, at);
    }
    if byte(text, at) != b']' || !ADDRESS_OFFSET.fits(offset) {
        return None;
    }
    put(e, &RELATIVE, 1)?;
    put(e, &ADDRESS, address)?;
    put(e, &ADDRESS_COMPONENT, component)?;
    put(e, &ADDRESS_OFFSET, offset as u64)?;
    Some(at + 1)
}

/// The leading `-` and `|`: whether a bar was opened, and where they end.
#[inline(always)]
fn modifiers(text: &[u8], mut at: usize, f: &'static SourceFields, e: &mut Encoding) -> Option<(bool, usize)> {
    if byte(text, at) == b'-' {
        put(e, &f.negate, 1)?;
        at += 1;
    }
    let absolute = byte(text, at) == b'|';
    if absolute {
        put(e, &f.absolute, 1)?;
    }
    Some((absolute, at + usize::from(absolute)))
}

#[inline(always)]
fn close(text: &[u8], at: usize, absolute: bool) -> Option<usize> {
    (!absolute || byte(text, at) == b'|').then_some(at + usize::from(absolute))
}

#[inline(always)]
fn source(text: &[u8], at: usize, f: &'static SourceFields, e: &mut Encoding) -> Option<usize> {
    let (absolute, at) = modifiers(text, at, f, e)?;
    let letter = byte(text, at);
    let bank = match letter {
        b'i' => bank::IN,
        b'r' => bank::TEMP,
        b'a' => bank::ADDR,
        b'c' => bank::PARAM,
        _ => return None,
    };
    let (number, mut at) = number(text, at + 1)?;
    let bank = match number {
        0..256 => bank,
        256..512 if letter == b'c' => bank::PARAM2,
        _ => return None,
    };
    put(e, &f.any_bank, bank)?;
    put(e, &f.register, number & 255)?;
    if byte(text, at) == b'[' {
        if letter != b'c' {
            return None;
        }
        at = relative(text, at, e)?;
    }
    let (swizzle, at) = swizzle(text, at)?;
    put(e, &f.swizzle, swizzle)?;
    close(text, at, absolute)
}

/// `p0`, `!p0`
fn condition(text: &[u8], mut at: usize, f: &'static SourceFields, e: &mut Encoding) -> Option<usize> {
    if byte(text, at) == b'!' {
        put(e, &f.negate, 1)?;
        at += 1;
    }
    let (number, at) = numbered(text, at, b'p', 255)?;
    put(e, &f.any_bank, bank::TEMP)?;
    put(e, &f.register, number)?;
    Some(at)
}

fn literal(text: &[u8], at: usize, float: bool, e: &mut Encoding) -> Option<usize> {
    let (absolute, at) = modifiers(text, at, &SOURCES[1], e)?;
    let hex = byte(text, at) == b'#';
    let start = at + usize::from(hex);
    let rest = text.get(start..)?;
    let inside = |b: &u8| match b {
        b'0'..=b'9' => true,
        b'a'..=b'f' | b'A'..=b'F' if hex => true,
        b'.' | b'e' => float && !hex,
        // The sign of an exponent belongs to the long way.
        _ => false,
    };
    let len = rest.iter().take(24).take_while(|b| inside(b)).count();
    let digits = std::str::from_utf8(&rest[..len]).ok()?;
    let end = start + len;
    if byte(text, end).is_ascii_alphanumeric() || matches!(byte(text, end), b'_' | b'$' | b'.') || len == 0 {
        return None;
    }
    let bits = match (hex, float) {
        (true, _) if len <= 8 => u32::from_str_radix(digits, 16).ok()?,
        (true, _) => return None,
        // A plain number starts with a digit; a point that starts one belongs to the long way.
        (_, true) if digits.starts_with('.') => return None,
        (_, true) => parse_f32(digits).filter(|v| v.is_finite())?.to_bits(),
        _ => digits.parse().ok()?,
    };
    put(e, &IMMEDIATE, u64::from(bits))?;
    close(text, end, absolute)
}

fn guard(text: &[u8], at: usize, e: &mut Encoding) -> Option<usize> {
    let invert = byte(text, at + 1) == b'!';
    let (number, at) = numbered(text, at + 1 + usize::from(invert), b'p', 31)?;
    put(e, &INVERT_GUARD, u64::from(invert))?;
    put(e, &PREDICATED, 1)?;
    put(e, &GUARD, number)?;
    (byte(text, at) == b')').then_some(at + 1)
}

#[inline(always)]
fn result(text: &[u8], at: usize, e: &mut Encoding) -> Option<usize> {
    let bank = match byte(text, at) {
        b'r' => bank::TEMP,
        b'o' => bank::OUT,
        b'a' => bank::ADDR,
        _ => return None,
    };
    let (number, at) = number(text, at + 1).filter(|(n, _)| *n < 256)?;
    put(e, &RESULT_BANK, bank)?;
    put(e, &RESULT, number)?;
    let (bits, at) = mask(text, at)?;
    put(e, &MASK, bits)?;
    Some(at)
}

fn predicate_result(text: &[u8], at: usize, invertible: bool, e: &mut Encoding) -> Option<usize> {
    let invert = invertible && byte(text, at) == b'!';
    if invert {
        put(e, &SATURATE, 1)?;
    }
    let (number, at) = numbered(text, at + usize::from(invert), b'p', 255)?;
    put(e, &RESULT, number)?;
    Some(at)
}

fn target(text: &[u8], at: usize, e: &mut Encoding) -> Option<usize> {
    let negative = byte(text, at) == b'-';
    let (number, at) = number(text, at + usize::from(negative))?;
    let distance = if negative { -(number as i64) } else { number as i64 };
    put(e, &IMMEDIATE, u64::from(distance as i32 as u32))?;
    Some(at)
}

#[inline(always)]
fn marks(text: &[u8], mut at: usize, e: &mut Encoding) -> Option<usize> {
    while byte(text, at) == b'<' {
        let end;
        (end, at) = match (marker(text, at, b"<- end"), marker(text, at, b"<- wait")) {
            (Some(at), _) => (true, at),
            (_, Some(at)) => (false, at),
            _ => return None,
        };
        put(e, if end { &END } else { &WAIT }, 1)?;
        at = skip_blanks(text, at);
    }
    Some(at)
}

/// Reads an operand of `class`; see [`parallax_isa::Isa::skim`].
#[inline]
pub(crate) fn skim(class: Class, text: &[u8], at: usize, e: &mut Encoding) -> Option<usize> {
    match class {
        Class::Source1 => source(text, at, const { &SOURCES[0] }, e),
        Class::Source2 => source(text, at, const { &SOURCES[1] }, e),
        Class::Source3 => source(text, at, const { &SOURCES[2] }, e),
        Class::Result => result(text, at, e),
        Class::Marks => marks(text, at, e),
        Class::Guard => guard(text, at, e),
        Class::Saturate => Some(at),
        Class::PredicateResult => predicate_result(text, at, false, e),
        Class::AndResult => predicate_result(text, at, true, e),
        Class::FloatLiteral => literal(text, at, true, e),
        Class::IntLiteral => literal(text, at, false, e),
        Class::Condition1 => condition(text, at, const { &SOURCES[0] }, e),
        Class::Condition2 => condition(text, at, const { &SOURCES[1] }, e),
        Class::Unit | Class::Attribute => {
            let (number, at) = numbered(text, at, b't', 255)?;
            put(e, &SOURCES[1].register, number)?;
            Some(at)
        }
        Class::Sample => {
            if byte(text, at) != b',' {
                return Some(at);
            }
            let (number, at) = numbered(text, skip_blanks(text, at + 1), b's', 255)?;
            put(e, &SOURCES[1].register, number)?;
            Some(at)
        }
        Class::Target => target(text, at, e),
    }
}
