//! Packed words: halves, normalised integers.

use super::convert::{declared, from_half, to_half};
use super::round::round_shift;
use super::value::{Real, Val};
use crate::{NanCompare, Op, Rule};

/// A normalised integer field.
struct Field {
    bits: u32,
    /// The integer that stands for 1.
    one: i128,
    /// The integer that stands for 0.
    zero: i128,
    /// Lowest and highest integer the value is clamped to, `zero` not yet added.
    range: (i128, i128),
}

const fn field(op: Op) -> Field {
    match op {
        Op::PackUnorm2 | Op::UpUnorm16 => Field { bits: 16, one: 65535, zero: 0, range: (0, 65535) },
        Op::PackUnorm4 | Op::UpUnorm8 => Field { bits: 8, one: 255, zero: 0, range: (0, 255) },
        Op::PackBiased4 | Op::UpBiased8 => Field { bits: 8, one: 127, zero: 128, range: (-128, 127) },
        _ => Field { bits: 8, one: 127, zero: 0, range: (-127, 127) },
    }
}

/// one * clamp(value) + zero, rounded to an integer. NaN counts as 0, or as an infinity.
fn quantised(rule: &Rule, value: Val, f: &Field) -> u64 {
    let (low, high) = f.range;
    let scaled = match value {
        Val::Nan(n) if rule.nan_compare == NanCompare::Infinity => Real::from_int(if n.neg { low } else { high }, 0),
        Val::Nan(_) | Val::Zero(_) => None,
        Val::Inf(neg) => Real::from_int(if neg { low } else { high }, 0),
        Val::Real(r) => {
            let product = Real { sig: r.sig * f.one as u128, ..r };
            let v = Val::Real(product);
            if v.compare(&Val::int(low)).is_lt() {
                Real::from_int(low, 0)
            } else if v.compare(&Val::int(high)).is_gt() {
                Real::from_int(high, 0)
            } else {
                Some(product)
            }
        }
    };
    // The offset enters before the rounding, so that truncation goes the same way on both sides of 0.
    let offset = Real::from_int(f.zero, 0);
    let total = match (scaled, offset) {
        (Some(a), Some(b)) => super::arith::sum(a, b),
        (a, b) => a.or(b),
    };
    let Some(total) = total else { return 0 };
    let magnitude = round_shift(&total, -total.exp, rule.pack_round).0 as i64;
    let integer = if total.neg { -magnitude } else { magnitude };
    integer as u64 & ((1 << f.bits) - 1)
}

/// Packs operands into one word, the first in the low bits.
pub(crate) fn pack(op: Op, rule: &Rule, args: &[Val]) -> u64 {
    let mut word = 0;
    let f = field(op);
    for (i, v) in args.iter().enumerate() {
        let v = declared(rule, *v);
        word |= match op {
            Op::PackHalf2 => to_half(rule, v) << (16 * i),
            _ => quantised(rule, v, &f) << (f.bits as usize * i),
        };
    }
    word
}

/// Unpacks the lowest field of a word, before rounding.
pub(crate) fn unpack_field(op: Op, rule: &Rule, word: u64) -> Val {
    if op == Op::UpHalf {
        return from_half(rule, word);
    }
    let f = field(op);
    let raw = word & ((1 << f.bits) - 1);
    let integer = match op {
        Op::UpSnorm8 => (raw as u8 as i8 as i128).max(f.range.0),
        _ => raw as i128 - f.zero,
    };
    match (Real::from_int(integer, 0), Real::from_int(f.one, 0)) {
        (Some(a), Some(b)) => Val::Real(super::divide::quotient(a, b)),
        _ => Val::Zero(false),
    }
}
