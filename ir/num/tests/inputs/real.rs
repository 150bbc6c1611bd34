//! Arbitrary-precision values and their rounding, independent of the library under test.

use dashu_base::{Abs, BitTest, Signed, UnsignedAbs};
use dashu_float::{FBig, round::mode::HalfEven};
use dashu_int::UBig;
use parallax_num::Round;

pub type Big = FBig<HalfEven, 2>;

/// Digits the oracle works with.
pub const PRECISION: usize = 200;

/// A finite double as an oracle number.
pub fn big(v: f64) -> Big {
    Big::try_from(v).expect("finite").with_precision(PRECISION).value()
}

/// Rounds an oracle number to `p` bits, the last one not below 2^`lowest`. Gives the magnitude as integer and exponent.
/// Asserts that the oracle's own error cannot reach a rounding boundary; a number exactly on one is taken to be exact.
pub fn rounded(v: &Big, p: i32, lowest: i32, round: Round) -> (bool, u64, i32) {
    let neg = v.is_negative();
    let precision = v.precision() as i32;
    let (sig, exp) = v.clone().abs().into_repr().into_parts();
    let sig = sig.unsigned_abs();
    if sig.is_zero() {
        return (neg, 0, lowest);
    }
    let top = sig.bit_len() as i32 + exp as i32 - 1;
    let unit = (top - p + 1).max(lowest);
    // Everything counted in steps finer than the oracle's last digit.
    let step = (top - precision - 8).min(unit - 2);
    let scaled = sig << (exp as i32 - step) as usize;
    let one = UBig::ONE << (unit - step) as usize;
    let half = one.clone() >> 1;
    let whole = scaled.clone() >> (unit - step) as usize;
    let rest = scaled - (whole.clone() << (unit - step) as usize);
    let far = |a: &UBig, b: &UBig| {
        let d = if a > b { a - b } else { b - a };
        d.is_zero() || d.bit_len() > 12
    };
    assert!(far(&rest, &UBig::ZERO) && far(&rest, &half) && far(&rest, &one), "oracle too close to a boundary: {v}");
    let inexact = !rest.is_zero();
    let whole: u64 = whole.try_into().expect("fits");
    let up = match round {
        Round::NearestEven => rest > half || rest == half && whole & 1 != 0,
        Round::NearestAway => rest >= half,
        Round::Zero => false,
        Round::Up => !neg && inexact,
        Round::Down => neg && inexact,
        Round::Away => inexact,
    };
    (neg, whole + up as u64, unit)
}

/// The pattern of an oracle number rounded to a float format with `e` exponent and `m` fraction bits.
pub fn pattern(v: &Big, e: u32, m: u32, round: Round) -> u64 {
    let bias = (1i32 << (e - 1)) - 1;
    let lowest = 1 - bias - m as i32;
    let (neg, sig, unit) = rounded(v, m as i32 + 1, lowest, round);
    let sign = (neg as u64) << (e + m);
    let infinite = ((1u64 << e) - 1) << m;
    let bits = if sig == 0 { 0 } else { (((unit - lowest) as u64) << m) + sig };
    if bits < infinite {
        return sign | bits;
    }
    let largest = match round {
        Round::Zero => true,
        Round::Up => neg,
        Round::Down => !neg,
        _ => false,
    };
    sign | if largest { infinite - 1 } else { infinite }
}
