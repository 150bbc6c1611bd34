//! Lane words as numbers: exact values, distances and errors, text.
//!
//! Two measures are kept apart. The *ulp error* compares a result with an exact value; its unit is the size of one
//! step of the format *at the exact value*: 2^(max(e, min) - p + 1) for an exact value in [2^e, 2^(e+1)), where p is the
//! precision and min the exponent of the smallest normal number. The *step distance* counts representable values between
//! two results. They differ next to powers of two, where the step changes size.

use crate::soft::round::{finish, largest, round_float};
use crate::soft::unpack::{encode, half_to_f64, shape, unpack};
use crate::soft::value::Val;
use crate::{Format, Op, Overflow, Round, Rule, Storage, eval};

/// The exact value of a lane word. Every container's numbers are binary64 numbers; any NaN gives NaN.
pub fn to_f64(bits: u64, storage: Storage) -> f64 {
    match storage {
        Storage::F64 => f64::from_bits(bits),
        Storage::F32 => f32::from_bits(bits as u32) as f64,
        Storage::F16 => {
            let value = half_to_f64(bits);
            if value.is_nan() { f64::NAN } else { value }
        }
        Storage::Fixed(_) => f64::from_bits(encode(unpack(bits, storage), Storage::F64)),
    }
}

/// The lane word of a number under a rule: rounded, flushed, clamped as a conversion from binary64.
pub fn from_f64(value: f64, rule: &Rule) -> u64 {
    eval(Op::Cvt, &Rule { source: Storage::F64, ..*rule }, &[value.to_bits()])
}

/// The size of one step of `format` at `value`. Zero and what lies below the smallest normal number have the step of
/// the smallest binade (of a format without denormals too); beyond the largest finite number the largest step holds.
/// Fixed point has one step everywhere. NaN for NaN.
pub fn step(value: f64, format: Format) -> f64 {
    if value.is_nan() {
        return value;
    }
    let exp = match format {
        Format::Fixed(f) => -(f.frac as i32),
        Format::Float(f) => {
            let top = match (value.to_bits() >> 52 & 0x7ff) as i32 {
                0x7ff => i32::MAX,
                // No format's normal numbers are smaller than those of binary64.
                0 => i32::MIN,
                exponent => exponent - 1023,
            };
            top.clamp(f.min_exp(), f.max_exp()) - f.frac as i32
        }
    };
    power_of_two(exp)
}

/// 2^exp; 0 or infinity where binary64 ends.
fn power_of_two(exp: i32) -> f64 {
    match exp {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exp + 1074)),
        -1022..=1023 => f64::from_bits(((exp + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

/// Signed error of the lane word `got` against an exact value, in steps of `format` at the exact value. Words that say
/// what a correct rounding of the exact value to nearest would say are 0, also NaN for NaN and infinity for a number
/// beyond the range. `None` when only one side is a finite number, or infinities differ: a special value in the wrong
/// place has no distance.
pub fn error(got: u64, storage: Storage, exact: f64, format: Format) -> Option<f64> {
    let got = to_f64(got, storage);
    if got.is_nan() || exact.is_nan() {
        return (got.is_nan() && exact.is_nan()).then_some(0.0);
    }
    if got.is_finite() && exact.is_finite() {
        // Fixed point clamps: its end is the right answer to everything beyond.
        if matches!(format, Format::Fixed(_)) && exact.abs() > got.abs() && is_extreme(got, exact, format) {
            return Some(0.0);
        }
        return Some((got - exact) / step(exact, format));
    }
    let rounded = match (format, unpack(exact.to_bits(), Storage::F64)) {
        (Format::Float(f), Val::Real(r)) => round_float(r, f, Round::NearestEven, Overflow::Ieee),
        (_, v) => v,
    };
    let same = match rounded {
        Val::Inf(neg) => got.is_infinite() && neg == got.is_sign_negative(),
        _ => false,
    };
    if same {
        return Some(0.0);
    }
    // An exact infinity that the format must clamp is as far away as its largest number says.
    match (format, exact.is_infinite() && got.is_finite()) {
        (Format::Fixed(_), true) => Some(0.0).filter(|_| is_extreme(got, exact, format)),
        (Format::Float(f), true) if f.specials != crate::Specials::InfNan => {
            Some(0.0).filter(|_| is_extreme(got, exact, format))
        }
        _ => None,
    }
}

/// Whether `got` is the end of the format's range on the side of the infinity `exact`.
fn is_extreme(got: f64, exact: f64, format: Format) -> bool {
    let neg = exact.is_sign_negative();
    let end = match format {
        Format::Float(f) => f64::from_bits(encode(Val::Real(largest(f, neg)), Storage::F64)),
        Format::Fixed(f) => {
            let top = power_of_two(f.int as i32 - 1);
            if neg { -top } else { top - power_of_two(-(f.frac as i32)) }
        }
    };
    got == end
}

/// Position of a lane word among the values of its container, in ascending order: both zeros are 0, the smallest positive
/// number is 1, the largest negative one -1; infinities count as the next step after the largest number. `None` for NaN.
pub fn index(bits: u64, storage: Storage) -> Option<i64> {
    let Some((exp_bits, frac_bits)) = shape(storage) else {
        return Some(bits as u32 as i32 as i64);
    };
    let sign = storage.sign_bit();
    let magnitude = bits & (sign - 1);
    if magnitude > ((1 << exp_bits) - 1) << frac_bits {
        return None;
    }
    let magnitude = magnitude as i64;
    Some(if bits & sign != 0 { -magnitude } else { magnitude })
}

/// The lane word at a position that [`index`] gives; +0 for 0. Positions beyond infinity or the container give infinity
/// or its end.
pub fn at_index(index: i64, storage: Storage) -> u64 {
    let Some((exp_bits, frac_bits)) = shape(storage) else {
        let Storage::Fixed(f) = storage else { return 0 };
        let top = (1i64 << (f.int + f.frac - 1)) - 1;
        return index.clamp(-top - 1, top) as i32 as u32 as u64;
    };
    let infinity = ((1u64 << exp_bits) - 1) << frac_bits;
    let magnitude = index.unsigned_abs().min(infinity);
    if index < 0 { magnitude | storage.sign_bit() } else { magnitude }
}

/// Steps of the container from `a` to `b`, negative when `b` is lower; saturates at the ends of `i64` (binary64 only).
/// NaN to NaN is 0, NaN to a number `None`.
pub fn steps(a: u64, b: u64, storage: Storage) -> Option<i64> {
    match (index(a, storage), index(b, storage)) {
        (Some(a), Some(b)) => Some(b.saturating_sub(a)),
        (None, None) => Some(0),
        _ => None,
    }
}

/// Hexadecimal bits: 4, 8 or 16 digits; fixed point as many as its own bits need (3 for s12).
pub fn hex(bits: u64, storage: Storage) -> String {
    let width = match storage {
        Storage::Fixed(f) => (f.int + f.frac) as u32,
        other => other.bits(),
    };
    let mask = u64::MAX >> (64 - width);
    format!("{:0digits$x}", bits & mask, digits = width.div_ceil(4) as usize)
}

/// The shortest decimal that reads back as the same lane word; `nan`, `inf`, `-inf` for special values. NaN bits are
/// only in [`hex`].
pub fn decimal(bits: u64, storage: Storage) -> String {
    let value = to_f64(bits, storage);
    if value.is_nan() {
        return "nan".to_string();
    }
    match storage {
        Storage::F64 => format!("{value:?}"),
        Storage::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        _ if !value.is_finite() || value == 0.0 => format!("{value:?}"),
        _ => {
            let rule = Rule { storage, ..Rule::ieee(crate::Decl::F32, storage.format()) };
            let want = encode(unpack(bits, storage), storage);
            (0..17)
                .filter_map(|digits| format!("{value:.digits$e}").parse::<f64>().ok())
                .find(|v| encode(finish(unpack(v.to_bits(), Storage::F64), &rule), storage) == want)
                .map_or_else(|| format!("{value:?}"), |v| format!("{v:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decl, FixedFormat};

    const F32_ONE: u64 = 0x3f80_0000;
    const FX12: Storage = Storage::Fixed(FixedFormat { int: 2, frac: 10 });

    #[test]
    fn steps_are_those_at_the_exact_value() {
        assert_eq!(step(1.0, Format::F32), 2f64.powi(-23));
        assert_eq!(step(0.999, Format::F32), 2f64.powi(-24));
        assert_eq!(step(0.0, Format::F32), 2f64.powi(-149));
        assert_eq!(step(1e300, Format::F32), 2f64.powi(104));
        assert_eq!(step(-1.5, Format::FX12), 1.0 / 1024.0);
        // The value below 1 is half a step of 1 away, and one step of its own.
        assert_eq!(error(F32_ONE - 1, Storage::F32, 1.0, Format::F32), Some(-0.5));
        assert_eq!(error(F32_ONE, Storage::F32, 1.0 - 2f64.powi(-24), Format::F32), Some(1.0));
        assert_eq!(steps(F32_ONE - 1, F32_ONE, Storage::F32), Some(1));
    }

    #[test]
    fn special_values_have_no_distance() {
        let inf = 0x7f80_0000;
        assert_eq!(error(inf, Storage::F32, 1.0, Format::F32), None);
        assert_eq!(error(inf, Storage::F32, 1e300, Format::F32), Some(0.0));
        assert_eq!(error(0x7f7f_ffff, Storage::F32, f64::INFINITY, Format::F32), None);
        assert_eq!(error(0x7fc0_0000, Storage::F32, f64::NAN, Format::F32), Some(0.0));
        assert_eq!(error(0x7fc0_0000, Storage::F32, 0.0, Format::F32), None);
        assert_eq!(error(2047, FX12, f64::INFINITY, Format::FX12), Some(0.0));
        assert_eq!(index(0x7fc0_0000, Storage::F32), None);
        assert_eq!(steps(0x8000_0001, 1, Storage::F32), Some(2));
        assert_eq!(steps(0x8000_0000, 0, Storage::F32), Some(0));
    }

    #[test]
    fn indices_lead_back() {
        for bits in 0..1u64 << 16 {
            if let Some(i) = index(bits, Storage::F16) {
                let back = at_index(i, Storage::F16);
                assert!(back == bits || bits == 0x8000 && back == 0, "{bits:x}");
            }
        }
        assert_eq!(at_index(5000, FX12), 2047);
    }

    #[test]
    fn text_is_short_and_exact() {
        assert_eq!(decimal(0x3dcc_cccd, Storage::F32), "0.1");
        assert_eq!(decimal(0x2e66, Storage::F16), "0.1");
        assert_eq!(decimal(0xfbff, Storage::F16), "-65500.0");
        assert_eq!(decimal(0x8000, Storage::F16), "-0.0");
        assert_eq!(decimal(0xfc00, Storage::F16), "-inf");
        assert_eq!(decimal(0xffff_fc00, FX12), "-1.0");
        assert_eq!(hex(0xffff_fc00, FX12), "c00");
        assert_eq!(hex(0x2e66, Storage::F16), "2e66");
        for bits in (0..1u64 << 16).filter(|b| b & 0x7c00 != 0x7c00) {
            let rule = Rule::ieee(Decl::F16, Format::F16);
            let value: f64 = decimal(bits, Storage::F16).parse().expect("a number");
            assert_eq!(from_f64(value, &rule), bits);
        }
    }
}
