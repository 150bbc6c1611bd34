//! Floats of 16 bits and fewer.

/// A binary16 number.
pub(super) fn half(bits: u16) -> f64 {
    let size = small(u32::from(bits & 0x7fff), 10);
    if bits >> 15 == 1 { -size } else { size }
}

/// The binary16 number nearest to another.
pub(super) fn half_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    if value.is_nan() {
        return sign | 0x7e00;
    }
    sign | small_bits(value.abs(), 10).min(0x7c00) as u16
}

/// The binary16 number next to another on the side of zero.
pub(super) fn half_below(value: f64) -> u16 {
    let nearest = half_bits(value);
    if half(nearest).abs() > value.abs() { nearest - 1 } else { nearest }
}

/// A float without sign of 10 or 11 bits, of which 5 are the exponent.
pub(super) fn unsigned(bits: u32, width: u32) -> f64 {
    small(bits, width - 5)
}

/// The float without sign nearest to another number (Vulkan, "Unsigned 11-Bit Floating-Point Numbers"): 0 below zero, the
/// largest finite one for what is larger.
pub(super) fn unsigned_bits(value: f64, width: u32) -> u32 {
    let infinite = 31 << (width - 5);
    match value {
        _ if value.is_nan() => infinite | 1 << (width - 6),
        _ if value <= 0.0 => 0,
        f64::INFINITY => infinite,
        _ => small_bits(value, width - 5).min(infinite - 1),
    }
}

/// The number of an exponent of 5 bits and a fraction of so many.
fn small(bits: u32, places: u32) -> f64 {
    let (exponent, fraction) = ((bits >> places) as i32, f64::from(bits & ((1 << places) - 1)));
    let ulp = |exponent: i32| 2f64.powi(exponent - 15 - places as i32);
    match exponent {
        0 => fraction * ulp(1),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (f64::from(1 << places) + fraction) * ulp(exponent),
    }
}

/// Exponent and fraction of the nearest number, ties to even; those of infinity or more where it is too large.
fn small_bits(size: f64, places: u32) -> u32 {
    let exponent = if size == 0.0 { -14 } else { (size.log2().floor()).clamp(-14.0, 16.0) as i32 };
    if size.is_infinite() || exponent > 15 {
        return 31 << places;
    }
    // In steps of the last place; what rounds up to the next power of two carries into the exponent.
    let steps = (size / 2f64.powi(exponent - places as i32)).round_ties_even();
    (((exponent + 14) as u32) << places) + steps as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_is_read_and_written() {
        for bits in (0..=0xffffu16).filter(|bits| !half(*bits).is_nan()) {
            assert_eq!(half_bits(half(bits)), bits);
        }
        assert_eq!([half_bits(65519.0), half_bits(65520.0), half_bits(f64::NAN)], [0x7bff, 0x7c00, 0x7e00]);
        assert_eq!(
            [half_below(1.9999), half_below(-1.9999), half_below(2.0), half_below(1e9)],
            [0x3fff, 0xbfff, 0x4000, 0x7bff]
        );
        assert_eq!([half_bits(2f64.powi(-25)), half_bits(3.0 * 2f64.powi(-25))], [0, 2]);
    }

    #[test]
    fn every_float_without_sign_is_read_and_written() {
        for width in [10, 11] {
            for bits in (0..1 << width).filter(|bits| !unsigned(*bits, width).is_nan()) {
                assert_eq!(unsigned_bits(unsigned(bits, width), width), bits);
            }
        }
        assert_eq!([unsigned(0x3e0, 11), unsigned(0x1e0, 10)], [1.5, 1.0]);
        assert_eq!([unsigned_bits(-1.0, 11), unsigned_bits(1e9, 11), unsigned_bits(f64::NAN, 10)], [0, 0x7bf, 0x3f0]);
    }
}
