//! Float literals: exact conversion between patterns of a declared format and numbers. Nothing here rounds.

use parallax_num::{Decl, FixedFormat, FloatFormat, Format};
use parallax_text::print_hex_float;

/// The number a pattern stands for; `None` for NaN, infinities and patterns that are none of the format.
fn value_of(decl: Decl, bits: u64) -> Option<f64> {
    match decl.format() {
        Format::Fixed(FixedFormat { int, frac }) => {
            let raw = bits as u32 as i32;
            let limit = 1i32 << (int + frac - 1);
            let inside = bits >> 32 == 0 && (-limit..limit).contains(&raw);
            inside.then(|| f64::from(raw) / f64::from(1u32 << frac))
        }
        Format::Float(f) => {
            let width = u32::from(f.exp) + u32::from(f.frac) + 1;
            if width < 64 && bits >> width != 0 {
                return None;
            }
            let field = bits >> f.frac & ((1 << f.exp) - 1);
            let fraction = bits & ((1 << f.frac) - 1);
            if field == (1 << f.exp) - 1 {
                return None;
            }
            let sign = if bits >> (width - 1) & 1 != 0 { -1.0 } else { 1.0 };
            let (significand, exponent) = match field {
                0 => (fraction, f.min_exp()),
                _ => (fraction | 1 << f.frac, field as i32 - f.bias()),
            };
            // Both factors and the product are exact: the format is no wider than binary64.
            Some(sign * scale(significand as f64, exponent - i32::from(f.frac)))
        }
    }
}

/// `value * 2^exponent`, for products that are binary64 numbers.
fn scale(mut value: f64, mut exponent: i32) -> f64 {
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    while exponent < -1000 {
        value *= power(-1000);
        exponent += 1000;
    }
    value * power(exponent)
}

/// The pattern of a finite number, if it is one of the format.
pub(super) fn pattern_of(decl: Decl, value: f64) -> Option<u64> {
    if !value.is_finite() {
        return None;
    }
    match decl.format() {
        Format::Fixed(FixedFormat { int, frac }) => {
            let raw = value * f64::from(1u32 << frac);
            let limit = f64::from(1u32 << (int + frac - 1));
            let inside = raw >= -limit && raw < limit && raw.fract() == 0.0 && !(raw == 0.0 && raw.is_sign_negative());
            inside.then_some(u64::from(raw as i32 as u32))
        }
        Format::Float(f) => float_pattern(f, value),
    }
}

fn float_pattern(f: FloatFormat, value: f64) -> Option<u64> {
    let bits = value.to_bits();
    let sign = (bits >> 63) << (f.exp + f.frac);
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if field == 0 && fraction == 0 {
        return Some(sign);
    }
    if f.frac == 52 {
        return Some(bits);
    }
    // A binary64 denormal lies far below every narrower format.
    if field == 0 {
        return None;
    }
    let exponent = field - 1023;
    if exponent > f.max_exp() {
        return None;
    }
    let significand = fraction | 1 << 52;
    let drop = 52 - i32::from(f.frac) + (f.min_exp() - exponent).max(0);
    if drop > 52 || significand & ((1 << drop) - 1) != 0 {
        return None;
    }
    let kept = significand >> drop;
    let biased = if exponent < f.min_exp() { 0 } else { (exponent + f.bias()) as u64 };
    Some(sign | biased << f.frac | kept & ((1 << f.frac) - 1))
}

/// Spelling of a float literal given as a pattern of its declared format.
pub(super) fn print_float(decl: Decl, bits: u64) -> String {
    if let Some(value) = value_of(decl, bits) {
        return print_hex_float(value);
    }
    if bits == infinity(decl, false).unwrap_or(!0) {
        return "inf".into();
    }
    if bits == infinity(decl, true).unwrap_or(!0) {
        return "-inf".into();
    }
    if is_nan(decl, bits) { format!("nan:{bits:#x}") } else { format!("{bits:#x}") }
}

/// The pattern of an infinity, if the format has some.
pub(super) fn infinity(decl: Decl, negative: bool) -> Option<u64> {
    match decl.format() {
        Format::Fixed(_) => None,
        Format::Float(f) => Some(u64::from(negative) << (f.exp + f.frac) | ((1 << f.exp) - 1) << f.frac),
    }
}

/// Whether a pattern is a NaN of the format.
pub(super) fn is_nan(decl: Decl, bits: u64) -> bool {
    match decl.format() {
        Format::Fixed(_) => false,
        Format::Float(f) => {
            let width = u32::from(f.exp) + u32::from(f.frac) + 1;
            let field = ((1u64 << f.exp) - 1) << f.frac;
            (width == 64 || bits >> width == 0) && bits & field == field && bits & ((1 << f.frac) - 1) != 0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_and_fixed_pattern_converts_back() {
        for bits in 0..0x1_0000u64 {
            match value_of(Decl::F16, bits) {
                Some(value) => assert_eq!(pattern_of(Decl::F16, value), Some(bits)),
                None => assert!(is_nan(Decl::F16, bits) || print_float(Decl::F16, bits).ends_with("inf")),
            }
        }
        for raw in -2048..2048i32 {
            let bits = u64::from(raw as u32);
            assert_eq!(value_of(Decl::Fx12, bits).and_then(|v| pattern_of(Decl::Fx12, v)), Some(bits));
        }
        assert_eq!(value_of(Decl::Fx12, 2048), None);
        assert_eq!(pattern_of(Decl::Fx12, 2.0), None);
        assert_eq!(pattern_of(Decl::Fx9, 0.001), None);
    }

    #[test]
    fn binary32_agrees_with_the_host() {
        let mut bits = 1u32;
        for _ in 0..100_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f32::from_bits(bits);
            if value.is_finite() {
                assert_eq!(value_of(Decl::F32, u64::from(bits)), Some(f64::from(value)));
                assert_eq!(pattern_of(Decl::F32, f64::from(value)), Some(u64::from(bits)));
            }
        }
        assert_eq!(pattern_of(Decl::F32, 1.0 / 3.0), None);
        assert_eq!(pattern_of(Decl::F32, 1e39), None);
        assert_eq!(pattern_of(Decl::F32, 1e-60), None);
        assert_eq!(pattern_of(Decl::F16, 65536.0), None);
        assert_eq!(value_of(Decl::F64, 1), Some(f64::from_bits(1)));
        assert_eq!(pattern_of(Decl::F64, f64::from_bits(1)), Some(1));
    }
}
