//! Powers of two, and 8-bit values.

/// 2^`exponent` for -1022 to 1023.
pub(crate) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
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
