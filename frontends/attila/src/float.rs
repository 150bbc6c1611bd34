//! Printing of float literals: six decimals as C's `%f` does, and the shortest text that reads back.

use parallax_isa::Cursor;

/// Parts of a finite binary32: `significand * 2^exponent`.
fn parts(bits: u32) -> (u64, i32) {
    let exponent = (bits >> 23 & 0xff) as i32;
    let fraction = u64::from(bits & 0x7f_ffff);
    if exponent == 0 { (fraction, -149) } else { (fraction | 1 << 23, exponent - 150) }
}

/// A value in millionths, rounded to nearest even, when it is small enough for 64-bit integers; and whether the six
/// decimals read back as the same value.
fn millionths(bits: u32) -> Option<(u64, bool)> {
    let (significand, exponent) = parts(bits);
    if exponent >= 0 {
        // Up to 24 + 16 bits times 10^6 (20 bits); integers are exact.
        return (exponent <= 16).then(|| ((significand << exponent) * 1_000_000, true));
    }
    let shift = exponent.unsigned_abs();
    if shift > 62 {
        return Some((0, significand == 0));
    }
    let scaled = significand * 1_000_000;
    let floor = scaled >> shift;
    let rest = scaled - (floor << shift);
    let half = 1u64 << (shift - 1);
    let up = rest > half || rest == half && floor & 1 == 1;
    let rounded = floor + u64::from(up);
    // The text is off by |error| / (10^6 * 2^shift); neighbours are 2^-shift away, half of that below a power of two.
    let error = (rounded << shift).abs_diff(scaled);
    let closer = significand == 1 << 23;
    let exact = if closer { 4 * error < 1_000_000 } else { 2 * error < 1_000_000 };
    Some((rounded, exact))
}

/// Appends the value with six decimals, as C's `%f`.
pub(crate) fn print_fixed(bits: u32, line: &mut Cursor<'_>) {
    line.char_if(b'-', bits >> 31 != 0);
    let bits = bits & 0x7fff_ffff;
    if bits >= 0x7f80_0000 {
        line.text(if bits == 0x7f80_0000 { "inf" } else { "nan" });
        return;
    }
    match millionths(bits) {
        Some((value, _)) => {
            line.decimal(value / 1_000_000);
            line.millionths((value % 1_000_000) as u32);
        }
        None => {
            // 24 bits, at most 104 places to the left: an integer of 128 bits.
            let (significand, exponent) = parts(bits);
            line.decimal_wide(u128::from(significand) << exponent);
            line.millionths(0);
        }
    }
}

/// Appends a text that reads back as the same pattern: six decimals where they do, else the shortest decimal, else
/// `#` and the bits.
pub(crate) fn print_exact(bits: u32, line: &mut Cursor<'_>) {
    // A minus sign in the text is the operand's modifier, so negative values have no decimal spelling.
    if bits >= 0x7f80_0000 {
        line.char(b'#');
        line.hex(u64::from(bits), 8);
        return;
    }
    match millionths(bits) {
        Some((_, true)) => print_fixed(bits, line),
        _ => {
            let value = f32::from_bits(bits);
            let plain = bits > 0x3500_0000 && bits < 0x5000_0000;
            line.text(&if plain { format!("{value}") } else { format!("{value:e}") });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_isa::Out;

    fn fixed(bits: u32) -> String {
        let mut out = Out::new();
        out.line(|line| print_fixed(bits, line));
        out.as_str().to_string()
    }

    fn exact(bits: u32) -> String {
        let mut out = Out::new();
        out.line(|line| print_exact(bits, line));
        out.as_str().to_string()
    }

    fn sample() -> impl Iterator<Item = u32> {
        let grid = (0u32..0x7f80).map(|high| high << 16 | high.wrapping_mul(0x9e37) & 0xffff);
        let edges = (0u32..255).flat_map(|e| [e << 23, e << 23 | 1, (e << 23).wrapping_sub(1) & 0x7f7f_ffff]);
        grid.chain(edges).filter(|b| *b < 0x7f80_0000)
    }

    #[test]
    fn six_decimals_are_rounded_like_the_standard_library() {
        for bits in sample() {
            assert_eq!(fixed(bits), format!("{:.6}", f32::from_bits(bits)), "{bits:08x}");
        }
        // A tie goes to even.
        assert_eq!(fixed(0.0078125f32.to_bits()), "0.007812");
        assert_eq!(fixed(0.0234375f32.to_bits()), "0.023438");
        assert_eq!(fixed(0xbf80_0000), "-1.000000");
        assert_eq!((fixed(0x7f80_0000).as_str(), fixed(0xffc0_0000).as_str()), ("inf", "-nan"));
    }

    #[test]
    fn exact_text_reads_back() {
        for bits in sample() {
            let text = exact(bits);
            assert_eq!(text.parse::<f32>().map(f32::to_bits), Ok(bits), "{text}");
        }
        assert_eq!(exact(0x3fc0_0000), "1.500000");
        assert_eq!(exact(0x4049_0fdb), "3.1415927");
        assert_eq!(exact(0x8000_0000), "#80000000");
        assert_eq!(exact(0x0000_0001), "1e-45");
    }
}
