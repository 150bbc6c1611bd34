//! Numbers rounded to the places that a texture unit has for them.

use parallax_core::num::{Grid, Round};

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

/// The integer that a number is rounded to; a NaN stays.
#[inline(always)]
pub(crate) fn whole(number: f32, round: Round) -> f32 {
    if !(number.abs() < INTEGERS) {
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
