//! Numbers rounded to the places that a texture unit has for them.

use parallax_core::num::{Grid, Round, TexelResult};

/// Numbers from here on are integers.
pub(crate) const INTEGERS: f32 = 8_388_608.0;

/// A number at one of the places; what is too large to have a fraction there stays, and so does a NaN.
#[inline(always)]
pub(crate) fn snap(grid: Grid, number: f32) -> f32 {
    let Grid::Fixed { bits, round } = grid else { return number };
    // Powers of two: nothing is rounded. A number of the smallest has no place but 0 or that next to it.
    let steps = (1u32 << bits) as f32;
    let scaled = number * steps;
    // A large one may overflow on the way, and is an integer.
    if scaled.abs() < INTEGERS { whole(scaled, round) * (1.0 / steps) } else { number }
}

/// The number of a texel. Beyond 2^62 every one is as good as any other; staying below leaves room for neighbours and offsets.
#[inline(always)]
pub(crate) fn texel_number(floor: f32) -> i64 {
    (floor as i64).clamp(-(1 << 62), 1 << 62)
}

/// A component of an image of bytes as lookups give it. What is rounded is clamped to 0 and 1 first: border colours may lie
/// elsewhere.
#[inline(always)]
pub(crate) fn given(result: TexelResult, number: f32) -> f32 {
    let number = match result {
        TexelResult::Binary32 => number,
        // A NaN is not above.
        _ if number > 0.0 => number.min(1.0),
        _ => 0.0,
    };
    match result {
        TexelResult::Binary32 => number,
        TexelResult::Unorm8 => whole(number * 255.0 + 0.5, Round::Down) / 255.0,
        // Numbers below the least normal half are multiples of 2^-24.
        TexelResult::Half if number < 6.103_515_6e-5 => {
            whole(number * 16_777_216.0, Round::NearestEven) * (1.0 / 16_777_216.0)
        }
        TexelResult::Half => {
            let bits = number.to_bits();
            f32::from_bits((bits + 0xfff + (bits >> 13 & 1)) & !0x1fff)
        }
    }
}

/// The integer that a number is rounded to; a NaN stays.
#[inline(always)]
pub(crate) fn whole(number: f32, round: Round) -> f32 {
    // Large numbers are integers.
    if number.is_nan() || number.abs() >= INTEGERS {
        return number;
    }
    let near = number as i32;
    // Exact: what is left over has the sign of the number, and no bits below it.
    let rest = number - near as f32;
    let (size, is_odd) = (rest.abs(), near & 1 != 0);
    let is_next = match round {
        Round::NearestEven => size > 0.5 || size == 0.5 && is_odd,
        Round::NearestAway => size >= 0.5,
        Round::Zero => false,
        Round::Up => rest > 0.0,
        Round::Down => rest < 0.0,
        Round::Away => rest != 0.0,
    };
    let next = if rest < 0.0 { -1 } else { 1 };
    (if is_next { near + next } else { near }) as f32
}
