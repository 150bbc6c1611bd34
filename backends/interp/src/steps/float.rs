//! What the host's floats lack: other directions of rounding, sums rounded to odd, binary16, tests for rare results.

use crate::arena::Word;
use parallax_step::Direction;

/// A float of the host.
pub(super) trait Float: Copy {
    /// Its pattern.
    type Word: Word;
    /// The float of a pattern.
    fn of(word: Self::Word) -> Self;
    /// Its pattern.
    fn word(self) -> Self::Word;
    /// Whether it is NaN.
    fn is_nan(self) -> bool;
    /// The negative quiet NaN without payload, which arithmetic gives ([`parallax_step::Nans::Plain`]).
    fn plain_nan() -> Self::Word;
    /// A NaN's pattern with the quiet bit.
    fn quieted(word: Self::Word) -> Self::Word;
    /// Whether a pattern is not zero and at most the least normal number, which rounding may have made of a tiny one.
    fn is_tiny(word: Self::Word) -> bool;
    /// Whether a pattern is that, infinite or NaN.
    fn is_special(word: Self::Word) -> bool;
}

impl Float for f32 {
    type Word = u32;

    #[inline(always)]
    fn of(word: u32) -> f32 {
        f32::from_bits(word)
    }

    #[inline(always)]
    fn word(self) -> u32 {
        self.to_bits()
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        self.is_nan()
    }

    fn plain_nan() -> u32 {
        0xffc0_0000
    }

    fn quieted(word: u32) -> u32 {
        word | 0x40_0000
    }

    #[inline(always)]
    fn is_tiny(word: u32) -> bool {
        (word & 0x7fff_ffff).wrapping_sub(1) < 0x80_0000
    }

    #[inline(always)]
    fn is_special(word: u32) -> bool {
        f32::is_tiny(word) | (word & 0x7f80_0000 == 0x7f80_0000)
    }
}

impl Float for f64 {
    type Word = u64;

    #[inline(always)]
    fn of(word: u64) -> f64 {
        f64::from_bits(word)
    }

    #[inline(always)]
    fn word(self) -> u64 {
        self.to_bits()
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        self.is_nan()
    }

    fn plain_nan() -> u64 {
        0xfff8 << 48
    }

    fn quieted(word: u64) -> u64 {
        word | 1 << 51
    }

    #[inline(always)]
    fn is_tiny(word: u64) -> bool {
        (word & !(1 << 63)).wrapping_sub(1) < 1 << 52
    }

    #[inline(always)]
    fn is_special(word: u64) -> bool {
        f64::is_tiny(word) | (word & 0x7ff0_0000_0000_0000 == 0x7ff0_0000_0000_0000)
    }
}

/// p + c rounded to odd, without branches. Sums that overflow are infinite: [`Float::is_special`] finds them.
#[inline(always)]
pub(super) fn odd_sum(p: f64, c: f64) -> f64 {
    let s = p + c;
    let bits = s.to_bits();
    let error = error_of_sum(p, c, s);
    let inexact = (error.abs() > 0.0) & (bits & 1 == 0);
    let outward = (error > 0.0) == (s > 0.0);
    let odd = if outward { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if inexact { odd } else { bits })
}

/// What p + c lacks to be exact; NaN where it is not finite.
#[inline(always)]
fn error_of_sum(p: f64, c: f64, s: f64) -> f64 {
    let b = s - p;
    (p - (s - b)) + (c - b)
}

/// A direction of rounding other than to nearest.
#[derive(Copy, Clone)]
pub(super) struct Directed {
    nearest: bool,
    up: bool,
    down: bool,
}

impl Directed {
    pub(super) fn new(direction: Direction) -> Directed {
        Directed {
            nearest: direction == Direction::Nearest,
            up: direction == Direction::Up,
            down: direction == Direction::Down,
        }
    }

    /// Whether numbers of this sign are rounded away from zero.
    #[inline(always)]
    fn is_away(self, negative: bool) -> bool {
        (self.up & !negative) | (self.down & negative)
    }

    /// A binary64 number as one of binary32.
    #[inline(always)]
    pub(super) fn narrow(self, v: f64) -> f32 {
        let near = v as f32;
        let (size, wanted) = (f64::from(near).abs(), v.abs());
        let bits = near.to_bits();
        let away = self.is_away(v.is_sign_negative());
        let outward = u32::from(away & (size < wanted));
        let inward = u32::from(!away & (size > wanted));
        f32::from_bits(bits.wrapping_add(outward).wrapping_sub(inward))
    }

    /// a + b of two numbers as one of binary32, where binary64 holds each exactly.
    #[inline(always)]
    pub(super) fn sum(self, a: f64, b: f64) -> f32 {
        self.narrow(self.zero_sign(odd_sum(a, b), a, b))
    }

    /// a + b in binary64. Infinite results are left to the definition: see [`Float::is_special`].
    #[inline(always)]
    pub(super) fn double_sum(self, a: f64, b: f64) -> f64 {
        let s = a + b;
        let error = error_of_sum(a, b, s);
        let negative = s.is_sign_negative();
        // Whether the exact sum is larger in magnitude, or smaller.
        let (larger, smaller) =
            (if negative { error < 0.0 } else { error > 0.0 }, if negative { error > 0.0 } else { error < 0.0 });
        let away = self.is_away(negative);
        let bits = s.to_bits().wrapping_add(u64::from(away & larger)).wrapping_sub(u64::from(!away & smaller));
        self.zero_sign(f64::from_bits(bits), a, b)
    }

    /// A sum that is exactly zero is negative when rounding down, unless both summands are +0.
    #[inline(always)]
    fn zero_sign(self, s: f64, a: f64, b: f64) -> f64 {
        let sign = (a.to_bits() | b.to_bits()) & 1 << 63;
        if self.down & (s == 0.0) { f64::from_bits(sign) } else { s }
    }
}

/// To an integer; zeros keep the operand's sign. Adding 2^52 rounds what is smaller, to nearest.
#[inline(always)]
pub(super) fn integral(v: f64, direction: Direction) -> f64 {
    const INTEGERS: f64 = 4_503_599_627_370_496.0;
    let size = v.abs();
    let near = (size + INTEGERS) - INTEGERS;
    let near = if size < INTEGERS { near } else { size };
    let away = match direction {
        Direction::Nearest => near,
        Direction::Zero => inward(near, size),
        Direction::Up if v > 0.0 => outward(near, size),
        Direction::Down if v < 0.0 => outward(near, size),
        Direction::Up | Direction::Down => inward(near, size),
    };
    away.copysign(v)
}

#[inline(always)]
fn inward(near: f64, size: f64) -> f64 {
    if near > size { near - 1.0 } else { near }
}

#[inline(always)]
fn outward(near: f64, size: f64) -> f64 {
    if near < size { near + 1.0 } else { near }
}

/// The binary32 pattern of a binary16 pattern.
#[inline(always)]
pub(super) fn half_from(half: u32) -> u32 {
    let sign = (half & 0x8000) << 16;
    let magnitude = (half & 0x7fff) << 13;
    // 2^112 makes up for the bias, and makes denormals normal.
    let scaled = (f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23)).to_bits();
    let nan = u32::from(magnitude > 0x0f80_0000) << 22;
    sign | if magnitude >= 0x0f80_0000 { magnitude | 0x7f80_0000 | nan } else { scaled }
}

/// The binary16 pattern nearest to a binary32 pattern, or next to it in a direction; NaN are quieted.
#[inline(always)]
pub(super) fn half_of(single: u32, direction: Directed) -> u32 {
    let sign = single >> 16 & 0x8000;
    let size = single & 0x7fff_ffff;
    let rounded = (size.wrapping_add(0xfff + (size >> 13 & 1)) >> 13).wrapping_sub(112 << 10);
    // Below 2^-14 the last place is 2^-24, which is that of numbers from a half on.
    let tiny = (f32::from_bits(size) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let finite = if size < 0x3880_0000 { tiny } else { rounded };
    let near = if size >= 0x4780_0000 { 0x7c00 } else { finite };
    let back = half_from(near);
    let away = direction.is_away(sign != 0);
    let outward = u32::from(!direction.nearest & away & (back < size));
    let inward = u32::from(!direction.nearest & !away & (back > size));
    let nan = 0x7e00 | size >> 13 & 0x3ff;
    sign | if size > 0x7f80_0000 { nan } else { near.wrapping_add(outward).wrapping_sub(inward) }
}
