//! Error bounds that are not one power of two: in steps of the format, parts of the result or absolute, with two sides, growing
//! with the operand, ending at a range.

use crate::Round;
use std::fmt;

/// The size of one side of a bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// digits / 10^places.
    Decimal {
        /// The number without its point.
        digits: u32,
        /// Digits after the point, at most 22.
        places: u8,
    },
    /// 2^(hundredths / 100).
    Power {
        /// The exponent.
        hundredths: i16,
    },
}

/// Those that are numbers of binary64.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

impl Extent {
    /// Nothing.
    pub const ZERO: Extent = Extent::Decimal { digits: 0, places: 0 };

    /// Reads a decimal number such as `0.0008`, or `2^-22.9`.
    pub fn from_name(word: &str) -> Option<Extent> {
        let (power, number) = match word.strip_prefix("2^") {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let (negative, number) = match number.strip_prefix('-').filter(|_| power) {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let is_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(part) || number.ends_with('.') {
            return None;
        }
        if power {
            let whole: i16 = whole.parse().ok().filter(|n| *n <= 200)?;
            let part: i16 = match part.len() {
                0 => 0,
                1 => part.parse::<i16>().ok()? * 10,
                2 => part.parse().ok()?,
                _ => return None,
            };
            let size = whole * 100 + part;
            return Some(Extent::Power { hundredths: if negative { -size } else { size } });
        }
        let digits = format!("{whole}{part}");
        let digits = digits.parse().ok().filter(|n| *n <= 999_999_999)?;
        Some(Extent::Decimal { digits, places: u8::try_from(part.len()).ok().filter(|n| *n <= 20)? })
    }

    /// Its value, rounded to binary64.
    pub(crate) fn value(self) -> f64 {
        use crate::soft::unpack::encode;
        use crate::soft::value::Val;
        match self {
            // Both are numbers of binary64, so one division rounds once.
            Extent::Decimal { digits, places } => f64::from(digits) / POWERS_OF_TEN[usize::from(places)],
            Extent::Power { hundredths } => {
                let exponent = crate::recipe::exp2_of_hundredths(hundredths);
                f64::from_bits(encode(Val::Real(exponent), crate::Storage::F64))
            }
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Extent::Decimal { digits, places: 0 } => write!(f, "{digits}"),
            Extent::Decimal { digits, places } => {
                let unit = 10u128.pow(u32::from(places));
                let (whole, part) = (u128::from(digits) / unit, u128::from(digits) % unit);
                write!(f, "{whole}.{part:0width$}", width = usize::from(places))
            }
            Extent::Power { hundredths } => {
                let sign = if hundredths < 0 { "-" } else { "" };
                let (whole, part) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
                match part {
                    0 => write!(f, "2^{sign}{whole}"),
                    p if p % 10 == 0 => write!(f, "2^{sign}{whole}.{}", p / 10),
                    p => write!(f, "2^{sign}{whole}.{p:02}"),
                }
            }
        }
    }
}

/// What a bound is a multiple of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scale {
    /// Steps of the format in the binade of the result.
    Ulp,
    /// The result; below 2^floor that power, if there is a floor.
    Relative {
        /// The floor, or -200.
        floor: i16,
    },
    /// 1.
    Absolute,
}

/// A bound for a range of operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// How far below the exact value a positive result may be, and how far above; mirrored for negative results.
    pub sides: [Extent; 2],
    /// What is added to both sides for each unit of the operand's magnitude.
    pub per_operand: Extent,
    /// Unit of the sides.
    pub scale: Scale,
    /// Largest magnitude of the operand, as a binary32 pattern; infinity for all.
    pub upto: u32,
}

/// Pattern of infinity: no end of the range.
const ALL: u32 = 0x7f80_0000;
/// A bound that is purely relative.
const NO_FLOOR: i16 = -200;

impl Piece {
    fn from_name(word: &str) -> Option<Piece> {
        let (word, upto) = match word.split_once("<=") {
            None => (word, ALL),
            Some((word, end)) => {
                let end: f32 = end.parse().ok().filter(|v: &f32| v.is_finite() && *v > 0.0)?;
                (word, end.to_bits())
            }
        };
        let (rest, scale) = if let Some(rest) = word.strip_suffix("ulp") {
            (rest, Scale::Ulp)
        } else if let Some(rest) = word.strip_suffix("abs") {
            (rest, Scale::Absolute)
        } else if let Some(rest) = word.strip_suffix("rel") {
            (rest, Scale::Relative { floor: NO_FLOOR })
        } else {
            let (rest, floor) = word.split_once("rel:")?;
            (rest, Scale::Relative { floor: floor.parse().ok().filter(|e| (-199..=1023).contains(e))? })
        };
        let (sides, per_operand) = match rest.strip_suffix("*|x|") {
            None => (rest, Extent::ZERO),
            Some(rest) => {
                let (sides, slope) = rest.rsplit_once('+')?;
                (sides, Extent::from_name(slope)?)
            }
        };
        let sides = match sides.strip_prefix("[-") {
            None => [Extent::from_name(sides)?; 2],
            Some(rest) => {
                let (low, high) = rest.strip_suffix(']')?.split_once(",+")?;
                [Extent::from_name(low)?, Extent::from_name(high)?]
            }
        };
        // A bound of nothing at all is `correct`.
        let some = sides.iter().chain([&per_operand]).any(|e| e.value() > 0.0);
        some.then_some(Piece { sides, per_operand, scale, upto })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = self.sides;
        if low == high {
            write!(f, "{low}")?
        } else {
            write!(f, "[-{low},+{high}]")?
        }
        if self.per_operand != Extent::ZERO {
            write!(f, "+{}*|x|", self.per_operand)?;
        }
        match self.scale {
            Scale::Ulp => f.write_str("ulp")?,
            Scale::Absolute => f.write_str("abs")?,
            Scale::Relative { floor: NO_FLOOR } => f.write_str("rel")?,
            Scale::Relative { floor } => write!(f, "rel:{floor}")?,
        }
        if self.upto == ALL { Ok(()) } else { write!(f, "<={}", f32::from_bits(self.upto)) }
    }
}

/// Up to two pieces, the first one for the smaller operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bound {
    /// The bound nearest to zero.
    pub first: Piece,
    /// What holds beyond its range.
    pub second: Option<Piece>,
}

impl Bound {
    /// Reads what [`fmt::Display`] prints: `2.5ulp`, `[-2.87,+0.09]ulp`, `2^-22.9rel`, `3+2*|x|ulp`, `2^-22rel:0`,
    /// `2^-20.5abs<=6.2831855;2^-14.7abs<=314.15927`.
    pub fn from_name(word: &str) -> Option<Bound> {
        let (first, second) = match word.split_once(';') {
            None => (Piece::from_name(word)?, None),
            Some((first, second)) => (Piece::from_name(first)?, Some(Piece::from_name(second)?)),
        };
        // A second piece has to reach further than the first.
        if second.is_some_and(|s| f32::from_bits(s.upto) <= f32::from_bits(first.upto)) {
            return None;
        }
        Some(Bound { first, second })
    }

    /// The piece for an operand's magnitude; `None` beyond the last one's range.
    pub(crate) fn at(&self, magnitude: f64) -> Option<&Piece> {
        let reaches = |p: &&Piece| magnitude <= f64::from(f32::from_bits(p.upto));
        Some(&self.first).filter(reaches).or_else(|| self.second.as_ref().filter(reaches))
    }

    /// The piece with the largest range.
    pub(crate) fn last(&self) -> &Piece {
        self.second.as_ref().unwrap_or(&self.first)
    }
}

impl Bound {
    /// Whether results rounded in a direction can lie outside, where the bound is stated in steps of the format.
    pub fn leaves_out(&self, round: Round) -> bool {
        let [below, above] = match round {
            Round::NearestEven | Round::NearestAway => [0.5, 0.5],
            Round::Zero => [1.0, 0.0],
            Round::Away => [0.0, 1.0],
            Round::Up | Round::Down => [1.0, 1.0],
        };
        let short = |p: &Piece| p.scale == Scale::Ulp && (p.sides[0].value() < below || p.sides[1].value() < above);
        short(&self.first) || self.second.as_ref().is_some_and(short)
    }

    /// How many steps of the format a positive result may lie below and above the exact value, if that is all it says.
    pub fn steps(&self) -> Option<[f64; 2]> {
        let plain = self.second.is_none() && self.first.upto == ALL && self.first.per_operand == Extent::ZERO;
        (plain && self.first.scale == Scale::Ulp).then(|| self.first.sides.map(Extent::value))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        match &self.second {
            None => Ok(()),
            Some(second) => write!(f, ";{second}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soft::unpack::encode;
    use crate::soft::value::{Real, Val};

    /// The host's division rounds as the quotient of exact numbers does.
    #[test]
    fn a_decimal_is_rounded_once() {
        let number = |n: u128| Real { neg: false, exp: 0, sig: n, sticky: false };
        let mut digits = 1u32;
        for n in 0..5000u32 {
            digits = digits.wrapping_mul(0x9e37_79b1).wrapping_add(n);
            for places in 0..=20u8 {
                let quotient =
                    crate::soft::divide::quotient(number(digits.max(1).into()), number(10u128.pow(places.into())));
                let wanted = encode(Val::Real(quotient), crate::Storage::F64);
                let found = Extent::Decimal { digits: digits.max(1), places }.value();
                assert_eq!(found.to_bits(), wanted, "{digits} / 10^{places}");
            }
        }
        assert_eq!(Extent::ZERO.value().to_bits(), 0);
    }
}
