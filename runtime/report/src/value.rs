//! Powers of two.

/// 2^`exponent` for -1022 to 1023.
pub(crate) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

/// The largest power of two that is no larger than the magnitude of a finite number; 0 for zero and denormals.
pub(crate) fn binade(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & f64::INFINITY.to_bits())
}

/// Leading bits in which two numbers agree: the whole part of -log2 of the relative error of `found`, at most `most`; none
/// where the reference alone is zero.
pub(crate) fn correct_bits(found: f64, reference: f64, most: u32) -> u32 {
    if found == reference {
        return most;
    }
    let error = ((found - reference) / reference).abs();
    // 2^e <= error < 2^(e+1); -log2 of a power of two is whole.
    let exponent = (error.to_bits() >> 52) as i32 - 1023;
    let whole = if error.to_bits() << 12 == 0 { -exponent } else { -exponent - 1 };
    whole.clamp(0, most as i32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correct_bits_count_down_from_the_relative_error() {
        for (found, want) in [(1.0, 24), (1.5, 1), (1.25, 2), (1.3, 1), (0.0, 0), (9.0, 0), (1.0 + 1e-9, 24)] {
            assert_eq!(correct_bits(found, 1.0, 24), want, "{found}");
        }
        assert_eq!(
            (correct_bits(-3.0, 1e-300, 24), correct_bits(1.0, 0.0, 24), correct_bits(0.0, 0.0, 24)),
            (0, 0, 24)
        );
    }

    #[test]
    fn a_binade_starts_at_a_power_of_two() {
        for (value, want) in [(1.0, 1.0), (-1.99, 1.0), (0.3, 0.25), (0.0, 0.0), (1e-320, 0.0)] {
            assert_eq!(binade(value), want, "{value}");
        }
    }
}
