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
#[inline(always)]
pub(crate) fn correct_bits(found: f64, reference: f64, most: u32) -> u32 {
    let error = ((found - reference) / reference).abs();
    let bits = (-ceiling(error)).clamp(0, most as i32) as u32;
    if found == reference { most } else { bits }
}

/// Exponent of the smallest power of two that is no smaller than a magnitude; that of the smallest normal number for what is
/// smaller still.
#[inline(always)]
pub(crate) fn ceiling(magnitude: f64) -> i32 {
    ((magnitude.to_bits() + ((1 << 52) - 1)) >> 52) as i32 - 1023
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
