//! Values of lane words, and the size of one step.

use parallax_num::{Decl, Format, Op, Rule, Storage, eval};

/// The exact value of a container word. Every container's values are binary64 values.
pub(crate) fn value(storage: Storage, word: u64) -> f64 {
    match storage {
        Storage::F64 => f64::from_bits(word),
        Storage::F32 => f64::from(f32::from_bits(word as u32)),
        Storage::F16 => {
            let negative = word >> 15 & 1 == 1;
            let (exponent, fraction) = (word >> 10 & 31, word & 1023);
            let magnitude = match (exponent, fraction) {
                (31, 0) => f64::INFINITY,
                (31, _) => f64::NAN,
                (0, f) => f as f64 * power(-24),
                (e, f) => (f + 1024) as f64 * power(e as i32 - 25),
            };
            if negative { -magnitude } else { magnitude }
        }
        Storage::Fixed(format) => f64::from(word as u32 as i32) * power(-i32::from(format.frac)),
    }
}

/// 2^`exponent` for -1074 to 1023.
pub(crate) fn power(exponent: i32) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent.min(1023) + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074).max(0))
    }
}

/// One step of `decl` at the number `expected`: the distance of neighbouring values in the binade that holds it, never
/// below the smallest denormal. For fixed point the weight of the last bit.
pub(crate) fn step(decl: Decl, expected: f64) -> f64 {
    match decl.format() {
        Format::Fixed(fixed) => power(-i32::from(fixed.frac)),
        Format::Float(float) => {
            let field = (expected.to_bits() >> 52 & 0x7ff) as i32;
            let exponent = (field - 1023).max(float.min_exp());
            power(exponent - i32::from(float.frac))
        }
    }
}

/// Turns container words of a declared format into the bits the program believes in.
#[derive(Clone, Debug)]
pub(crate) struct Observe {
    rule: Option<Rule>,
}

impl Observe {
    pub(crate) fn new(decl: Decl, storage: Storage) -> Observe {
        if decl.format().storage() == storage {
            return Observe { rule: None };
        }
        let mut rule = Rule::ieee(decl, decl.format());
        rule.source = storage;
        Observe { rule: Some(rule) }
    }

    /// The word in the declared format's own container.
    pub(crate) fn bits(&self, word: u64) -> u64 {
        match &self.rule {
            None => word,
            Some(rule) => eval(Op::Cvt, rule, &[word]),
        }
    }
}

/// Kinds of values that have no distance from each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Number,
    PlusInfinity,
    MinusInfinity,
    Nan,
}

pub(crate) fn class(value: f64) -> Class {
    if value.is_nan() {
        Class::Nan
    } else if value == f64::INFINITY {
        Class::PlusInfinity
    } else if value == f64::NEG_INFINITY {
        Class::MinusInfinity
    } else {
        Class::Number
    }
}

/// `value` clamped to [0, 1], times 255, rounded to nearest (half up), exactly; NaN gives 0.
pub(crate) fn unorm8(value: f64) -> u8 {
    if value >= 1.0 {
        return 255;
    }
    // Not above zero, or NaN.
    if !matches!(value.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
        return 0;
    }
    let bits = value.to_bits();
    let field = bits >> 52;
    let significand = bits & ((1 << 52) - 1) | if field == 0 { 0 } else { 1 << 52 };
    // value = significand * 2^-shift
    let shift = 1075 - field.max(1);
    if shift > 62 {
        return 0;
    }
    let product = u128::from(significand) * 255 + (1 << (shift - 1));
    (product >> shift) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_words_have_their_values() {
        for (word, want) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x0001, 2f64.powi(-24)),
            (0x03ff, 1023.0 * 2f64.powi(-24)),
            (0x7bff, 65504.0),
            (0xfc00, f64::NEG_INFINITY),
            (0x8000, -0.0),
        ] {
            assert_eq!(value(Storage::F16, word).to_bits(), f64::to_bits(want), "{word:04x}");
        }
        assert!(value(Storage::F16, 0x7e00).is_nan());
    }

    #[test]
    fn fixed_words_are_signed_steps() {
        let fx12 = Format::FX12.storage();
        assert_eq!(value(fx12, 2047), 2047.0 / 1024.0);
        assert_eq!(value(fx12, u64::from(-2048i32 as u32)), -2.0);
    }

    #[test]
    fn a_step_is_taken_at_the_expected_value() {
        let ulp = 2f64.powi(-23);
        assert_eq!(step(Decl::F32, 1.0), ulp);
        assert_eq!(step(Decl::F32, -1.999), ulp);
        assert_eq!(step(Decl::F32, 0.9999), ulp / 2.0);
        assert_eq!(step(Decl::F32, 0.0), 2f64.powi(-149));
        assert_eq!(step(Decl::F32, 1e-300), 2f64.powi(-149));
        assert_eq!(step(Decl::F16, 1.5), 2f64.powi(-10));
        assert_eq!(step(Decl::Fx12, 0.001), 2f64.powi(-10));
        assert_eq!(step(Decl::F64, 0.0), f64::from_bits(1));
    }

    #[test]
    fn eight_bit_values_round_exactly() {
        for (v, want) in [
            (0.0, 0),
            (-1.0, 0),
            (f64::NAN, 0),
            (f64::NEG_INFINITY, 0),
            (f64::INFINITY, 255),
            (1.0, 255),
            (0.5, 128),
            (0.5f64.next_down(), 127),
            (1.0f64.next_down(), 255),
            (f64::from_bits(1), 0),
        ] {
            assert_eq!(unorm8(v), want, "{v:e}");
        }
        for k in 0..=255u8 {
            assert_eq!(unorm8(f64::from(k) / 255.0), k);
            // The borders between k and k + 1 lie at (k + 0.5) / 255, which only k = 127 can meet exactly.
            let border = (f64::from(k) + 0.5) / 255.0;
            if border < 1.0 && k != 127 {
                assert!(unorm8(border.next_down()) == k && unorm8(border.next_up()) == k + 1);
            }
        }
    }
}
