//! Powers of two.

/// 2^`exponent` for -1022 to 1023.
pub(crate) fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}
