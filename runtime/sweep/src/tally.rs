//! What a sweep counts. Every field merges exactly, in any order.

use serde::{Deserialize, Serialize};

/// Kinds of values, for the special-value matrix.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Class {
    NegInf,
    NegNormal,
    NegDenormal,
    NegZero,
    Zero,
    Denormal,
    Normal,
    Inf,
    NaN,
}

impl Class {
    /// Number of kinds.
    pub const COUNT: usize = 9;
    /// Headings of tables, by `Class as usize`.
    pub const NAMES: [&'static str; Class::COUNT] =
        ["-inf", "-normal", "-denormal", "-0", "+0", "+denormal", "+normal", "+inf", "NaN"];

    /// The kind of a number, given the smallest normal magnitude of its format (0 for fixed point).
    #[inline]
    pub fn of(value: f64, smallest: f64) -> Class {
        let negative = value.is_sign_negative();
        let pick = |below: Class, above: Class| if negative { below } else { above };
        if value.is_nan() {
            Class::NaN
        } else if value == 0.0 {
            pick(Class::NegZero, Class::Zero)
        } else if value.is_infinite() {
            pick(Class::NegInf, Class::Inf)
        } else if value.abs() < smallest {
            pick(Class::NegDenormal, Class::Denormal)
        } else {
            pick(Class::NegNormal, Class::Normal)
        }
    }
}

/// Borders of the signed error histogram, in ulps: below -8, -8 to -4, .. above 8; exact results apart, in the middle.
pub const SIGNED_BUCKETS: [&str; 15] = [
    "<-8",
    "-8..-4",
    "-4..-2",
    "-2..-1",
    "-1..-0.5",
    "-0.5..-0.25",
    "-0.25..0",
    "0",
    "0..0.25",
    "0.25..0.5",
    "0.5..1",
    "1..2",
    "2..4",
    "4..8",
    ">8",
];

/// Rows of the per-binade histogram: 2^-150 and below to 2^128 and above, by the exponent of the first operand, for
/// positive and negative operands together.
pub(crate) const BINADES: usize = 280;
/// Exponent of row 0.
pub(crate) const LOWEST_BINADE: i32 = -150;
/// Buckets of the magnitude histogram: four per power of two from 2^-24 up, with one for exact results in front.
pub(crate) const MAGNITUDES: usize = 1 + 4 * 96;

/// Counts over some inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Inputs seen.
    pub inputs: u64,
    /// Inputs that have an error: result and reference are finite, or the same special value, which is an error of 0.
    pub measured: u64,
    /// Results equal to the correctly rounded one (to nearest even), bit for bit.
    pub correct: u64,
    /// Errors below one ulp.
    pub faithful: u64,
    /// Inputs where only one of result and reference is a finite number, or infinities differ.
    pub special_mismatch: u64,
    /// Places where the result moves against the direction of the function.
    pub not_monotonic: u64,
    /// First of those, by number of the input.
    pub first_not_monotonic: Option<u64>,
    /// Sum of error magnitudes in units of 2^-32 ulp; each counts at most 2^32 ulp.
    pub sum: u128,
    /// Largest error, as the pattern of a positive binary64, and the first input that has it.
    pub max: (u64, u64),
    /// Errors by magnitude.
    pub magnitudes: Vec<u64>,
    /// Errors by binade of the first operand and [`SIGNED_BUCKETS`].
    pub binades: Vec<u64>,
    /// Largest error per binade, as a pattern of a positive binary64.
    pub binade_max: Vec<u64>,
    /// Results by class of the operands (first operand slowest) and class of the result.
    pub matrix: Vec<u64>,
    /// What the plan's profile says of the results; nothing is counted without one.
    pub legal: Rulings,
}

/// Results by what a profile says of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rulings {
    /// Results on operands for which any result is legal.
    pub free: u64,
    /// Results outside the legal intervals.
    pub outside: u64,
    /// The first of those, by number of the input.
    pub first: Option<Offence>,
    /// The one furthest outside; of equals the first.
    pub worst: Option<Offence>,
}

/// A result outside the legal intervals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offence {
    /// Number of the input.
    pub input: u64,
    /// Units in the last place beyond the nearest end of what is legal, as the pattern of a positive binary64.
    pub excess: u64,
    /// The result: pattern and decimal.
    pub result: String,
    /// The legal intervals, both ends as decimals. Empty: only NaN was legal.
    pub legal: Vec<[String; 2]>,
}

impl Rulings {
    /// Counts a result outside; `describe` is asked only for the ones that are kept.
    pub(crate) fn outside(&mut self, input: u64, excess: u64, describe: impl FnOnce() -> (String, Vec<[String; 2]>)) {
        self.outside += 1;
        let is_first = self.first.as_ref().is_none_or(|first| input < first.input);
        let is_worst = self.worst.as_ref().is_none_or(|worst| worst.rank() < (excess, std::cmp::Reverse(input)));
        if is_first || is_worst {
            let (result, legal) = describe();
            self.keep(&Offence { input, excess, result, legal });
        }
    }

    fn keep(&mut self, offence: &Offence) {
        if self.first.as_ref().is_none_or(|first| offence.input < first.input) {
            self.first = Some(offence.clone());
        }
        if self.worst.as_ref().is_none_or(|worst| worst.rank() < offence.rank()) {
            self.worst = Some(offence.clone());
        }
    }

    fn merge(&mut self, other: &Rulings) {
        self.free += other.free;
        self.outside += other.outside;
        for offence in [&other.first, &other.worst].into_iter().flatten() {
            self.keep(offence);
        }
    }
}

impl Offence {
    fn rank(&self) -> (u64, std::cmp::Reverse<u64>) {
        (self.excess, std::cmp::Reverse(self.input))
    }
}

impl Tally {
    /// Nothing counted, for an operation of `arity` operands.
    pub fn new(arity: usize) -> Tally {
        Tally {
            inputs: 0,
            measured: 0,
            correct: 0,
            faithful: 0,
            special_mismatch: 0,
            not_monotonic: 0,
            first_not_monotonic: None,
            sum: 0,
            max: (0, u64::MAX),
            magnitudes: vec![0; MAGNITUDES],
            binades: vec![0; BINADES * SIGNED_BUCKETS.len()],
            binade_max: vec![0; BINADES],
            matrix: vec![0; Class::COUNT.pow(arity.min(2) as u32) * Class::COUNT],
            legal: Rulings::default(),
        }
    }

    /// Counts one error, in ulps, at input number `n` whose first operand lies in `binade`.
    pub(crate) fn error(&mut self, error: f64, n: u64, binade: usize) {
        self.measured += 1;
        let size = error.abs();
        self.faithful += u64::from(size < 1.0);
        self.sum += u128::from((size.min(4_294_967_296.0) * 4_294_967_296.0) as u64);
        let bits = size.to_bits();
        self.largest(bits, n);
        if bits > self.binade_max[binade] {
            self.binade_max[binade] = bits;
        }
        self.magnitudes[magnitude(bits)] += 1;
        self.binades[binade * SIGNED_BUCKETS.len() + signed_bucket(error)] += 1;
    }

    /// Keeps the largest error; of equal ones the first.
    #[inline(always)]
    pub(crate) fn largest(&mut self, bits: u64, n: u64) {
        if bits > self.max.0 || bits == self.max.0 && n < self.max.1 {
            self.max = (bits, n);
        }
    }

    /// Adds what another tally counted.
    pub fn merge(&mut self, other: &Tally) {
        self.inputs += other.inputs;
        self.measured += other.measured;
        self.correct += other.correct;
        self.faithful += other.faithful;
        self.special_mismatch += other.special_mismatch;
        self.not_monotonic += other.not_monotonic;
        self.first_not_monotonic = match (self.first_not_monotonic, other.first_not_monotonic) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.sum += other.sum;
        self.largest(other.max.0, other.max.1);
        for (mine, theirs) in self.binade_max.iter_mut().zip(&other.binade_max) {
            *mine = (*mine).max(*theirs);
        }
        self.legal.merge(&other.legal);
        let lists = [
            (&mut self.magnitudes, &other.magnitudes),
            (&mut self.binades, &other.binades),
            (&mut self.matrix, &other.matrix),
        ];
        for (mine, theirs) in lists {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        }
    }

    /// Largest error in ulps.
    pub fn max_ulp(&self) -> f64 {
        f64::from_bits(self.max.0)
    }

    /// Mean error magnitude in ulps; 0 when nothing was measured.
    pub fn mean_ulp(&self) -> f64 {
        if self.measured == 0 { 0.0 } else { self.sum as f64 / 4_294_967_296.0 / self.measured as f64 }
    }

    /// The smallest bucket border that at least `share` of the errors do not exceed; at most a quarter above the percentile.
    pub fn percentile(&self, share: f64) -> f64 {
        let need = (share * self.measured as f64).ceil() as u64;
        let mut seen = 0;
        for (bucket, count) in self.magnitudes.iter().enumerate() {
            seen += count;
            if seen >= need.max(1) {
                return upper_border(bucket).min(self.max_ulp());
            }
        }
        self.max_ulp()
    }

    /// Why this cannot be the tally of `own` inputs of an operation of `arity` operands, out of `all`. Read from a file, it
    /// may be anything.
    pub(crate) fn damage(&self, arity: usize, all: u64, own: u64) -> Option<String> {
        let empty = Tally::new(arity);
        let lengths = |t: &Tally| [t.magnitudes.len(), t.binades.len(), t.binade_max.len(), t.matrix.len()];
        if lengths(self) != lengths(&empty) {
            return Some("its lists have the wrong length".into());
        }
        let sum = |list: &[u64]| list.iter().map(|n| u128::from(*n)).sum::<u128>();
        let (inputs, measured) = (u128::from(self.inputs), u128::from(self.measured));
        let beyond = |input: &u64| *input >= all;
        let largest = if self.measured == 0 { None } else { Some(&self.max.1) };
        let outside = [&self.legal.first, &self.legal.worst].into_iter().flatten().map(|offence| &offence.input);
        for (wrong, what) in [
            (self.inputs != own, format!("it counts {} inputs, but the shard has {own}", self.inputs)),
            (sum(&self.matrix) != inputs, "its special values do not add up to its inputs".into()),
            (sum(&self.magnitudes) != measured, "its errors by magnitude do not add up".into()),
            (sum(&self.binades) != measured, "its errors by binade do not add up".into()),
            (self.correct > self.inputs, "it counts more correct results than inputs".into()),
            (measured + u128::from(self.special_mismatch) > inputs, "it counts more errors than results".into()),
            (self.faithful > self.measured, "it counts more errors below one ulp than errors".into()),
            (self.sum > measured << 64, "the sum of its errors is too large".into()),
            (self.not_monotonic > self.inputs, "it counts more places out of order than inputs".into()),
            (
                u128::from(self.legal.free) + u128::from(self.legal.outside) > inputs,
                "it counts more checked results than inputs".into(),
            ),
            (
                largest.into_iter().chain(&self.first_not_monotonic).chain(outside).any(beyond),
                "it names an input that the sweep does not have".into(),
            ),
        ] {
            if wrong {
                return Some(what);
            }
        }
        None
    }
}

/// Bucket of an error magnitude given as a pattern: exact zero, then quarter octaves from 2^-24. Borders belong to the
/// bucket below.
pub(crate) fn magnitude(bits: u64) -> usize {
    let quarter = (bits.wrapping_sub(1) >> 50) as i64 - ((1023 - 24) << 2);
    let bucket = (1 + quarter.max(0) as usize).min(MAGNITUDES - 1);
    if bits == 0 { 0 } else { bucket }
}

/// Upper border of a magnitude bucket.
fn upper_border(bucket: usize) -> f64 {
    match bucket {
        0 => 0.0,
        n => f64::from_bits(((n as u64) + ((1023 - 24) << 2)) << 50),
    }
}

/// Index into [`SIGNED_BUCKETS`].
pub(crate) fn signed_bucket(error: f64) -> usize {
    let bits = error.abs().to_bits();
    // The exponent of the next lower number: borders belong to the bucket nearer to zero.
    let exp = (bits.wrapping_sub(1) >> 52) as i64 - 1023;
    let step = (exp + 3).clamp(0, 6) as usize;
    let signed = if error > 0.0 { 8 + step } else { 6 - step };
    if bits == 0 { 7 } else { signed }
}

/// Row of the per-binade tables for an operand.
#[inline(always)]
pub(crate) fn binade(value: f64) -> usize {
    // Zero has the lowest exponent field, and so the lowest row.
    let exp = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    (exp - LOWEST_BINADE).clamp(0, BINADES as i32 - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_in_any_order_gives_the_same() {
        let mut parts = Vec::new();
        for k in 0..7u64 {
            let mut tally = Tally::new(1);
            for n in 0..50 {
                let error = ((n * 37 + k * 11) % 23) as f64 / 7.0 - 1.5;
                tally.error(error, k * 50 + n, (n % 5) as usize);
            }
            parts.push(tally);
        }
        let fold = |order: &[usize]| {
            let mut all = Tally::new(1);
            for &k in order {
                all.merge(&parts[k]);
            }
            all
        };
        assert_eq!(fold(&[0, 1, 2, 3, 4, 5, 6]), fold(&[6, 2, 4, 0, 1, 5, 3]));
    }

    #[test]
    fn buckets_hold_what_their_names_say() {
        let name = |e: f64| SIGNED_BUCKETS[signed_bucket(e)];
        assert_eq!(
            [name(0.0), name(0.1), name(-0.1), name(0.3), name(-0.6)],
            ["0", "0..0.25", "-0.25..0", "0.25..0.5", "-1..-0.5"]
        );
        assert_eq!([name(1e9), name(-1e9), name(-3.0), name(8.0)], [">8", "<-8", "-4..-2", "4..8"]);
        let mut tally = Tally::new(1);
        for error in [0.0, 0.1, 0.4, 0.5, 1.5] {
            tally.error(error, 0, 0);
        }
        assert_eq!(tally.percentile(0.2), 0.0);
        assert!(tally.percentile(0.8) >= 0.5 && tally.percentile(0.8) < 0.63);
        assert_eq!(tally.percentile(1.0), 1.5);
        assert_eq!(tally.faithful, 4);
    }
}
