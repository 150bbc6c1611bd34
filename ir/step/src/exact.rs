//! Float arithmetic of the primitives, exact on every host.
//!
//! Binary32 in directions other than to nearest goes through binary64, where products are exact and sums, quotients and
//! roots are rounded to odd; binary64 in those directions goes through the soft arithmetic of `parallax-num`. NaN results
//! are the caller's business: functions here may return any NaN.

use crate::prim::{Direction, Mode};
use parallax_num::{Decl, Denormals, Format, Op, Round, Rule, eval};

/// `s`, which lies next to the exact value on one side of it, as rounded to odd; `above`: the exact value is above.
fn odd(s: f64, exact: bool, above: bool) -> f64 {
    if exact || s.to_bits() & 1 != 0 || !s.is_finite() {
        return s;
    }
    if above { s.next_up() } else { s.next_down() }
}

/// a + b rounded to odd. Magnitudes must leave room: below 2^1000.
pub(crate) fn add_odd(a: f64, b: f64) -> f64 {
    let s = a + b;
    let t = s - a;
    let error = (a - (s - t)) + (b - t);
    odd(s, error.is_nan() || error == 0.0, error > 0.0)
}

/// a / b rounded to odd, for binary32 numbers.
fn div_odd(a: f64, b: f64) -> f64 {
    let q = a / b;
    // The rest of a correctly rounded quotient is a binary64 number.
    let rest = (-q).mul_add(b, a);
    odd(q, rest.is_nan() || rest == 0.0, (rest > 0.0) == (b > 0.0))
}

/// Square root rounded to odd, for binary32 numbers.
fn sqrt_odd(a: f64) -> f64 {
    let r = a.sqrt();
    let rest = (-r).mul_add(r, a);
    odd(r, rest.is_nan() || rest == 0.0, rest > 0.0)
}

/// To an integer, in a direction; zeros keep the sign.
pub(crate) fn integral(v: f64, direction: Direction) -> f64 {
    let r = match direction {
        Direction::Nearest => v.round_ties_even(),
        Direction::Zero => v.trunc(),
        Direction::Up => v.ceil(),
        Direction::Down => v.floor(),
    };
    r.copysign(v)
}

/// 2^exp, of a normal binary64.
pub(crate) fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

/// An exact or odd binary64 of at least 2^-900, or a zero, an infinity or a NaN, rounded to binary32.
pub(crate) fn to_single(v: f64, mode: Mode) -> f32 {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
    const MOST: f64 = f32::MAX as f64;
    if v == 0.0 || !v.is_finite() {
        return v as f32;
    }
    // 24 bits, as if exponents had no end.
    let exp = (v.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let scale = 23 - exp;
    let digits = integral(v * power(scale), mode.direction);
    let wide = digits * power(-scale);
    if wide.abs() < LEAST {
        if mode.flush {
            return 0f32.copysign(v as f32);
        }
        let units = integral(v * power(149), mode.direction);
        return (units * power(-149)) as f32;
    }
    if wide.abs() > MOST {
        let outward = match mode.direction {
            Direction::Nearest => true,
            Direction::Zero => false,
            Direction::Up => v > 0.0,
            Direction::Down => v < 0.0,
        };
        let end = if outward { f32::INFINITY } else { f32::MAX };
        return end.copysign(v as f32);
    }
    wide as f32
}

/// The sign of an exact zero sum: what the direction says, unless both addends are zeros of one sign.
fn signed_zero(sum: f64, a: f64, b: f64, direction: Direction) -> f64 {
    if sum != 0.0 || (a == 0.0 && b == 0.0 && a.is_sign_negative() == b.is_sign_negative()) {
        return sum;
    }
    if direction == Direction::Down { -0.0 } else { 0.0 }
}

/// Float operations of the table by number of operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Float {
    Add,
    Mul,
    Div,
    Sqrt,
    Fma,
}

/// An operation on binary32.
pub(crate) fn single(op: Float, [a, b, c]: [f32; 3], mode: Mode) -> f32 {
    if mode == Mode::PLAIN {
        match op {
            Float::Add => return a + b,
            Float::Mul => return a * b,
            Float::Div => return a / b,
            Float::Sqrt => return a.sqrt(),
            Float::Fma => {}
        }
    }
    let (x, y, z) = (f64::from(a), f64::from(b), f64::from(c));
    let exact = match op {
        Float::Add => signed_zero(add_odd(x, y), x, y, mode.direction),
        Float::Mul => x * y,
        Float::Div => div_odd(x, y),
        Float::Sqrt => sqrt_odd(x),
        Float::Fma => signed_zero(add_odd(x * y, z), x * y, z, mode.direction),
    };
    to_single(exact, mode)
}

/// An operation on binary64.
pub(crate) fn double(op: Float, [a, b, c]: [f64; 3], mode: Mode) -> f64 {
    if mode != Mode::PLAIN {
        return soft(op, [a, b, c], mode);
    }
    match op {
        Float::Add => a + b,
        Float::Mul => a * b,
        Float::Div => a / b,
        Float::Sqrt => a.sqrt(),
        // IEEE 754 fixes every bit but those of NaN.
        Float::Fma => a.mul_add(b, c),
    }
}

fn soft(op: Float, args: [f64; 3], mode: Mode) -> f64 {
    let op = match op {
        Float::Add => Op::Add,
        Float::Mul => Op::Mul,
        Float::Div => Op::Div,
        Float::Sqrt => Op::Sqrt,
        Float::Fma => Op::Fma,
    };
    let rule = Rule { round: round(mode.direction), denorm_out: flush(mode), ..Rule::ieee(Decl::F64, Format::F64) };
    f64::from_bits(eval(op, &rule, &args.map(f64::to_bits)))
}

/// Binary64 to binary32.
pub(crate) fn narrow(v: f64, mode: Mode) -> f32 {
    // Below 2^-900 nothing is left but the direction.
    let v = if v != 0.0 && v.abs() < power(-900) { power(-900).copysign(v) } else { v };
    to_single(v, mode)
}

fn flush(mode: Mode) -> Denormals {
    if mode.flush { Denormals::Flush } else { Denormals::Keep }
}

/// The rule's name of a direction.
fn round(direction: Direction) -> Round {
    match direction {
        Direction::Nearest => Round::NearestEven,
        Direction::Zero => Round::Zero,
        Direction::Up => Round::Up,
        Direction::Down => Round::Down,
    }
}

/// A binary16 pattern as binary32; NaN quieted.
pub(crate) fn from_half(word: u32) -> u32 {
    let (sign, magnitude) = ((word & 0x8000) << 16, word & 0x7fff);
    let bits = match magnitude {
        0x7c01.. => 0x7fc0_0000 | (magnitude & 0x3ff) << 13,
        0x7c00 => 0x7f80_0000,
        0x400.. => (magnitude << 13) + (112 << 23),
        _ => (magnitude as f32 * f32::from_bits((127 - 24) << 23)).to_bits(),
    };
    sign | bits
}

/// A binary32 pattern as binary16, rounded; NaN keeps its sign and leading payload bits, quieted.
pub(crate) fn to_half(word: u32, direction: Direction) -> u32 {
    let (sign, magnitude) = (word >> 16 & 0x8000, word & 0x7fff_ffff);
    if magnitude > 0x7f80_0000 {
        return sign | 0x7e00 | (magnitude >> 13 & 0x3ff);
    }
    let v = f64::from(f32::from_bits(word));
    if v == 0.0 || v.is_infinite() {
        return sign | if v == 0.0 { 0 } else { 0x7c00 };
    }
    let exp = ((v.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-14);
    let digits = integral(v * power(10 - exp), direction).abs() as u32;
    // The hidden bit adds one to the exponent field; a carry of the digits does the rest.
    let pattern = if digits < 1024 { digits } else { (((exp + 14) as u32) << 10) + digits };
    if pattern >= 0x7c00 {
        let outward = match direction {
            Direction::Nearest => true,
            Direction::Zero => false,
            Direction::Up => v > 0.0,
            Direction::Down => v < 0.0,
        };
        return sign | if outward { 0x7c00 } else { 0x7bff };
    }
    sign | pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_num::Storage;
    use parallax_random::Random;

    fn word(random: &mut Random) -> u32 {
        let bits = random.word() as u32;
        match random.below(6) {
            0 => bits & 0x80ff_ffff,
            1 => bits & 0x807f_0000 | 0x0100_0000,
            2 => bits & 0xbfff_ffff | 0x3000_0000,
            3 => (bits & 0x8000_0000) | random.pick(&[0, 1, 0x0080_0000, 0x7f80_0000, 0x7f7f_ffff, 0x3f80_0000]),
            _ => bits,
        }
    }

    /// The soft arithmetic is written without host floats.
    #[test]
    fn binary32_agrees_with_the_soft_arithmetic() {
        let mut random = Random::new(11);
        let ops = [
            (Float::Add, Op::Add),
            (Float::Mul, Op::Mul),
            (Float::Div, Op::Div),
            (Float::Sqrt, Op::Sqrt),
            (Float::Fma, Op::Fma),
        ];
        for i in 0..400_000u64 {
            let (float, op) = random.pick(&ops);
            let mode = Mode::from_word(i % 8).unwrap_or(Mode::PLAIN);
            let words: [u32; 3] = std::array::from_fn(|_| word(&mut random));
            let rule =
                Rule { round: round(mode.direction), denorm_out: flush(mode), ..Rule::ieee(Decl::F32, Format::F32) };
            let want = eval(op, &rule, &words.map(u64::from)) as u32;
            let got = single(float, words.map(f32::from_bits), mode);
            let same = got.to_bits() == want || got.is_nan() && f32::from_bits(want).is_nan();
            assert!(same, "{op} {mode:?} {words:x?}: {:x}, not {want:x}", got.to_bits());
        }
    }

    #[test]
    fn conversions_agree_with_the_soft_arithmetic() {
        let mut random = Random::new(12);
        for half in 0..=0xffffu32 {
            let rule = Rule { source: Storage::F16, ..Rule::ieee(Decl::F32, Format::F32) };
            assert_eq!(u64::from(from_half(half)), eval(Op::Cvt, &rule, &[half.into()]), "{half:x}");
        }
        for i in 0..300_000u64 {
            let mode = Mode::from_word(i % 8).unwrap_or(Mode::PLAIN);
            let word = if i % 3 == 0 { word(&mut random) } else { word(&mut random) & 0x8fff_ffff | 0x3000_0000 };
            let rule = Rule { round: round(mode.direction), ..Rule::ieee(Decl::F16, Format::F16) };
            let rule = Rule { source: Storage::F32, ..rule };
            let want = eval(Op::Cvt, &rule, &[word.into()]) as u32;
            assert_eq!(to_half(word, mode.direction), want, "{mode:?} {word:x}");
            let wide = random.word() & 0x8fff_ffff_ffff_ffff | random.pick(&[0x3000, 0x3800, 0x4000, 0]) << 48;
            let rule =
                Rule { round: round(mode.direction), denorm_out: flush(mode), ..Rule::ieee(Decl::F32, Format::F32) };
            let want = eval(Op::Cvt, &Rule { source: Storage::F64, ..rule }, &[wide]) as u32;
            let got = narrow(f64::from_bits(wide), mode);
            let same = got.to_bits() == want || got.is_nan() && f32::from_bits(want).is_nan();
            assert!(same, "{mode:?} {wide:x}: {:x}, not {want:x}", got.to_bits());
        }
    }
}
