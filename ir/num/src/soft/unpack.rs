//! Lane words to exact values and back.

use super::round::round_float;
use super::value::{Nan, QUIET, Real, Val};
use crate::{Denormals, FixedFormat, Format, Overflow, Round, Rule, Specials, Storage, ZeroSign};

/// Exponent bits and fraction bits of a float container.
pub(crate) const fn shape(storage: Storage) -> Option<(u32, u32)> {
    match storage {
        Storage::F16 => Some((5, 10)),
        Storage::F32 => Some((8, 23)),
        Storage::F64 => Some((11, 52)),
        Storage::Fixed(_) => None,
    }
}

/// Reads a lane word. Fixed point words are taken as the 32-bit integer they hold, also beyond the format's range.
pub(crate) fn unpack(bits: u64, storage: Storage) -> Val {
    let Some((exp_bits, frac_bits)) = shape(storage) else {
        let Storage::Fixed(f) = storage else { return Val::Zero(false) };
        return Real::from_int(bits as u32 as i32 as i128, -(f.frac as i32)).map_or(Val::Zero(false), Val::Real);
    };
    let neg = bits >> (exp_bits + frac_bits) & 1 != 0;
    let field = (bits >> frac_bits) as u32 & ((1 << exp_bits) - 1);
    let frac = bits & ((1 << frac_bits) - 1);
    let bias = (1i32 << (exp_bits - 1)) - 1;
    let unit = 1 - bias - frac_bits as i32;
    if field == 0 {
        if frac == 0 { Val::Zero(neg) } else { Val::Real(Real { neg, exp: unit, sig: frac as u128, sticky: false }) }
    } else if field == (1 << exp_bits) - 1 {
        if frac == 0 { Val::Inf(neg) } else { Val::Nan(Nan { neg, payload: frac << (52 - frac_bits) }) }
    } else {
        Val::Real(Real { neg, exp: unit + field as i32 - 1, sig: (frac | 1 << frac_bits) as u128, sticky: false })
    }
}

/// Reads an operand: unpacked, denormals of the rule's format treated as the rule says.
pub(crate) fn operand(bits: u64, rule: &Rule) -> Val {
    flush_operand(unpack(bits, rule.storage), rule)
}

/// Denormal operands under a rule.
pub(crate) fn flush_operand(value: Val, rule: &Rule) -> Val {
    match (rule.denorm_in, rule.format, value) {
        (_, Format::Float(_), Val::Zero(true)) if rule.zero_sign == ZeroSign::Positive => Val::Zero(false),
        (Denormals::Keep, _, v) | (_, Format::Fixed(_), v) => v,
        (how, Format::Float(f), Val::Real(r)) if r.top() < f.min_exp() => {
            Val::Zero(r.neg && how == Denormals::Flush && rule.zero_sign == ZeroSign::Keep)
        }
        (_, _, v) => v,
    }
}

/// Writes a value into a container. A value that the container cannot hold is rounded to nearest even (floats) or
/// toward zero and clamped (fixed point); NaN in a fixed-point container is 0.
pub(crate) fn encode(value: Val, storage: Storage) -> u64 {
    let Some((exp_bits, frac_bits)) = shape(storage) else {
        let Storage::Fixed(f) = storage else { return 0 };
        return encode_fixed(value, f);
    };
    let sign = (value.neg() as u64) << (exp_bits + frac_bits);
    let top_field = ((1u64 << exp_bits) - 1) << frac_bits;
    match value {
        Val::Zero(_) => sign,
        Val::Inf(_) => sign | top_field,
        Val::Nan(n) => {
            let frac = n.payload >> (52 - frac_bits);
            sign | top_field | if frac == 0 { QUIET >> (52 - frac_bits) } else { frac }
        }
        Val::Real(r) => match encode_real(r, exp_bits, frac_bits) {
            Some(bits) => sign | bits,
            None => {
                let Format::Float(f) = storage.format() else { return sign };
                match round_float(r, f, Round::NearestEven, Overflow::Ieee) {
                    Val::Real(rounded) => sign | encode_real(rounded, exp_bits, frac_bits).unwrap_or(0),
                    other => encode(other, storage),
                }
            }
        },
    }
}

/// Exponent and fraction fields of a number the container holds exactly; `None` if it does not.
fn encode_real(r: Real, exp_bits: u32, frac_bits: u32) -> Option<u64> {
    let bias = (1i32 << (exp_bits - 1)) - 1;
    let unit = 1 - bias - frac_bits as i32;
    let top = r.top();
    if top > bias || r.sticky {
        return None;
    }
    let quantum = (top - frac_bits as i32).max(unit);
    let shift = quantum - r.exp;
    let sig = if shift <= 0 {
        (r.sig << -shift) as u64
    } else {
        if shift > 127 || r.sig & ((1 << shift) - 1) != 0 {
            return None;
        }
        (r.sig >> shift) as u64
    };
    // The hidden bit of a normal number adds one to the exponent field.
    Some((((quantum - unit) as u64) << frac_bits) + sig)
}

fn encode_fixed(value: Val, f: FixedFormat) -> u64 {
    let top = (1i64 << (f.int + f.frac - 1)) - 1;
    let integer = match value {
        Val::Zero(_) | Val::Nan(_) => 0,
        Val::Inf(neg) => {
            if neg {
                -top - 1
            } else {
                top
            }
        }
        Val::Real(r) => {
            let shift = r.exp + f.frac as i32;
            let magnitude = if r.top() + f.frac as i32 > 62 {
                i64::MAX
            } else if shift >= 0 {
                (r.sig << shift) as i64
            } else {
                r.sig.checked_shr(-shift as u32).unwrap_or(0) as i64
            };
            (if r.neg { -magnitude } else { magnitude }).clamp(-top - 1, top)
        }
    };
    integer as i32 as u32 as u64
}

/// Whether a format can hold NaN; those that cannot turn it into a number.
pub(crate) const fn has_nan(format: Format) -> bool {
    match format {
        Format::Float(f) => !matches!(f.specials, Specials::None),
        Format::Fixed(_) => false,
    }
}

/// A binary16 pattern as binary64.
pub(crate) fn half_to_f64(word: u64) -> f64 {
    let magnitude = word & 0x7fff;
    let normal = (magnitude << 42) + (1008 << 52);
    let special = (magnitude << 42) + (2016 << 52);
    // A denormal's integer stands in the low bits of 2^28; steps there are 2^-24.
    const BASE: u64 = (1023 + 28) << 52;
    let denormal = (f64::from_bits(BASE | magnitude) - f64::from_bits(BASE)).to_bits();
    let bits = if magnitude >= 0x7c00 {
        special
    } else if magnitude >= 0x400 {
        normal
    } else {
        denormal
    };
    f64::from_bits(bits | (word & 0x8000) << 48)
}
