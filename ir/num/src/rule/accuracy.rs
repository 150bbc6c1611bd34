//! How close results are to exact ones.

use crate::Bound;
use std::fmt;

/// How close a recipe's result is to the exact one.
///
/// A bound moves every finite, nonzero result, except at these *pinned* points, which are exact under every probe: `rcp`,
/// `rsq` and `log2.part` of 1 and -1; `sqrt` and `log2` of 1; `exp2`, `exp2.part`, `sin` and `cos` of a zero; `pow` and the
/// power in `lit.z` where the C function is exact by definition (x^0, 1^y, (-1)^n). Division has none: x / 1 moves. `fixed_points`
/// adds points or takes them away.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Accuracy {
    /// Correctly rounded.
    Correct,
    /// The documents allow an error of 2^-`bits` times the size of the result's binade (absolute for results below
    /// `floor`, as a power of two: 2^-bits * 2^max(exponent, floor)). Reciprocals, and those of roots, that are powers of two
    /// count as the upper ends of their binades: operands of [1, 2) have results in (1/2, 1].
    Bounded {
        /// Relative size of the bound, as a power of two: 22 means 2^-22.
        bits: u8,
        /// Exponent below which the bound stops shrinking; -200 for a purely relative bound.
        floor: i16,
        /// The error is less than the bound, not equal to it.
        strict: bool,
    },
    /// An error bound of another shape.
    Within(Bound),
}

impl Accuracy {
    /// Reads what [`fmt::Display`] prints.
    pub fn from_name(word: &str) -> Option<Accuracy> {
        if word == "correct" {
            return Some(Accuracy::Correct);
        }
        let (strict, power) = match word.strip_prefix('<') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        if let Some(rest) = power.strip_prefix("2^-") {
            let (bits, floor) = match rest.split_once(':') {
                None => (rest, Some(RELATIVE)),
                Some((bits, floor)) => (bits, floor.parse().ok().filter(|e| (-199..=1023).contains(e))),
            };
            if let (Ok(bits), Some(floor)) = (bits.parse(), floor) {
                return (1..=60).contains(&bits).then_some(Accuracy::Bounded { bits, floor, strict });
            }
        }
        if strict { None } else { Bound::from_name(word).map(Accuracy::Within) }
    }
}

/// `correct`, `2^-22`, `<2^-22:0`, and bounds as [`Bound`] prints them.
impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Accuracy::Correct => f.write_str("correct"),
            Accuracy::Bounded { bits, floor, strict } => {
                write!(f, "{}2^-{bits}", if strict { "<" } else { "" })?;
                if floor > RELATIVE { write!(f, ":{floor}") } else { Ok(()) }
            }
            Accuracy::Within(bound) => bound.fmt(f),
        }
    }
}

/// `floor` of a purely relative bound.
const RELATIVE: i16 = -200;

/// Which value inside a bound is chosen. Only [`Accuracy::Bounded`] operations look at it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Probe {
    /// The correctly rounded value, in the rule's direction; of a sum or product the nearest value inside a bound in steps of the
    /// format, if that is not.
    Nearest,
    /// The lowest representable value inside the bound.
    Lowest,
    /// The highest representable value inside the bound.
    Highest,
    /// A representable value inside the bound, chosen by a hash of (seed, operation, slot, operand bits).
    Random(u64),
}

/// `nearest`, `low`, `high`, `random:42`, as in the names of models.
impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Probe::Nearest => f.write_str("nearest"),
            Probe::Lowest => f.write_str("low"),
            Probe::Highest => f.write_str("high"),
            Probe::Random(seed) => write!(f, "random:{seed}"),
        }
    }
}
