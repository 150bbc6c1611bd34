//! Counting a row of results: what [`Tally::error`] and [`Class::of`] say, for many lanes at a time.
//!
//! A first pass computes the errors; it has no branches, so it vectorises. A second pass looks up where each lane counts, by
//! the leading bits of its numbers, and adds ones there. Lanes that the formulas do not cover are marked and counted one by
//! one.

use crate::tally::{BINADES, Class, MAGNITUDES, SIGNED_BUCKETS, Tally, binade, magnitude, signed_bucket};
use parallax_num::{FloatFormat, Format, Specials, Storage, ulp};

/// Lanes of the first pass.
const CHUNK: usize = 64;
const SIGNED: usize = SIGNED_BUCKETS.len();

/// Results, references and operands of a row as numbers, all of one length.
#[derive(Copy, Clone)]
pub(crate) struct Numbers<'a> {
    pub(crate) got: &'a [f64],
    pub(crate) want: &'a [f64],
    pub(crate) first: &'a [f64],
    /// `None` where results are counted by the class of one operand.
    pub(crate) second: Option<&'a [f64]>,
}

/// Where marked lanes count, behind the tables.
const NO_MAGNITUDE: usize = MAGNITUDES;
const NO_BUCKET: usize = BINADES * SIGNED;

/// Sizes of the tables, rounded up to powers of two: an index cut off at its size needs no check.
const ALL_MAGNITUDES: usize = (MAGNITUDES + 1).next_power_of_two();
const ALL_BUCKETS: usize = (BINADES * SIGNED + NO_BUCKET + SIGNED).next_power_of_two();
const ALL_BINADES: usize = BINADES.next_power_of_two();
const ALL_CELLS: usize = Class::COUNT.pow(3).next_power_of_two();

/// Counts of one block that are not yet in its tally. A block has fewer inputs than 32 bits can count.
pub(crate) struct Counter {
    classes: Classes,
    error: ErrorScale,
    places: Option<Places>,
    magnitudes: Box<[u32; ALL_MAGNITUDES]>,
    binades: Box<[u32; ALL_BUCKETS]>,
    /// Patterns, plus one: 0 for nothing.
    binade_max: Box<[u64; ALL_BINADES]>,
    /// Twice, for odd and even lanes: neighbours count in the same cell, and one would wait for the other.
    matrix: [Box<[u32; ALL_CELLS]>; 2],
}

impl<'a> Numbers<'a> {
    fn part(self, start: usize, end: usize) -> Numbers<'a> {
        let cut = |row: &'a [f64]| &row[start..end];
        Numbers { got: cut(self.got), want: cut(self.want), first: cut(self.first), second: self.second.map(cut) }
    }
}

impl Counter {
    /// A counter of results in a container, declared in a format.
    pub(crate) fn new(format: Format, storage: Storage) -> Counter {
        let (classes, error) = (Classes::new(format), ErrorScale::new(format));
        // Binary64 has numbers that the tables cannot tell from zero.
        let places = (error.float.is_some() && storage != Storage::F64).then(|| Places::new(classes));
        Counter {
            classes,
            error,
            places,
            magnitudes: Box::new([0; ALL_MAGNITUDES]),
            binades: Box::new([0; ALL_BUCKETS]),
            binade_max: Box::new([0; ALL_BINADES]),
            matrix: [Box::new([0; ALL_CELLS]), Box::new([0; ALL_CELLS])],
        }
    }

    /// Counts errors and classes of a row whose first input has number `at`. [`Counter::finish`] must follow before the
    /// tally is whole.
    pub(crate) fn row(&mut self, at: u64, row: Numbers<'_>, tally: &mut Tally) {
        let whole = if self.places.is_some() { row.got.len() / CHUNK * CHUNK } else { 0 };
        for start in (0..whole).step_by(CHUNK) {
            let (at, part) = (at + start as u64, row.part(start, start + CHUNK));
            match part.second {
                Some(_) => self.chunk::<true>(at, part, tally),
                None => self.chunk::<false>(at, part, tally),
            }
        }
        self.plain(at + whole as u64, row.part(whole, row.got.len()), tally);
    }

    /// The same, lane by lane.
    pub(crate) fn plain(&self, at: u64, row: Numbers<'_>, tally: &mut Tally) {
        for i in 0..row.got.len() {
            self.lane(at, row, i, tally);
            let mut cell = self.classes.of(row.first[i]);
            if let Some(second) = row.second {
                cell = cell * Class::COUNT + self.classes.of(second[i]);
            }
            tally.matrix[cell * Class::COUNT + self.classes.of(row.got[i])] += 1;
        }
    }

    /// The error of one lane.
    fn lane(&self, at: u64, row: Numbers<'_>, i: usize, tally: &mut Tally) {
        match self.error.of(row.got[i], row.want[i]) {
            Some(error) => tally.error(error, at + i as u64, binade(row.first[i])),
            None => tally.special_mismatch += u64::from(!same_special(row.got[i], row.want[i])),
        }
    }

    /// Counts a row of [`CHUNK`] lanes; `TWO`: by the classes of two operands.
    #[inline(never)]
    fn chunk<const TWO: bool>(&mut self, at: u64, row: Numbers<'_>, tally: &mut Tally) {
        // The length is known to the compiler from here on.
        fn lanes(row: &[f64]) -> Option<&[f64; CHUNK]> {
            row.try_into().ok()
        }
        let operands = (lanes(row.first), lanes(row.second.unwrap_or(row.first)));
        let (Some(places), Some(got), Some(want), (Some(first), Some(second))) =
            (&self.places, lanes(row.got), lanes(row.want), operands)
        else {
            return self.plain(at, row, tally);
        };
        let scale = self.error;
        let mut errors = [0f64; CHUNK];
        let (mut sum, mut faithful, mut counted) = (0u64, 0u64, 0u64);
        for i in 0..CHUNK {
            let lane = scale.lane(got[i], want[i]);
            errors[i] = lane.error;
            sum += lane.units;
            faithful += lane.faithful;
            counted += lane.counts;
        }
        tally.measured += counted;
        tally.faithful += faithful;
        tally.sum += u128::from(sum);
        for i in 0..CHUNK {
            let bits = errors[i].to_bits();
            let (error, operand) = (places.error(bits), places.operand(first[i]));
            self.magnitudes[error.magnitude() % ALL_MAGNITUDES] += 1;
            self.binades[(operand.buckets() + error.bucket()) % ALL_BUCKETS] += 1;
            let mut cell = operand.class();
            if TWO {
                cell = cell * Class::COUNT + places.operand(second[i]).class();
            }
            cell = cell * Class::COUNT + places.operand(got[i]).class();
            self.matrix[i % 2][cell % ALL_CELLS] += 1;
            // The largest of all is the largest of its binade when it comes.
            let size = (bits & !SIGN) + 1;
            let row = &mut self.binade_max[operand.binade() % ALL_BINADES];
            if size > *row && !errors[i].is_nan() {
                *row = size;
                tally.largest(size - 1, at + i as u64);
            }
        }
        if counted < CHUNK as u64 {
            for i in (0..CHUNK).filter(|i| errors[*i].is_nan()) {
                self.lane(at, row, i, tally);
            }
        }
    }

    /// Moves what was counted apart into the tally.
    pub(crate) fn finish(&mut self, tally: &mut Tally) {
        fn add(total: &mut [u64], counted: &mut [u32]) {
            for (total, counted) in total.iter_mut().zip(counted.iter()) {
                *total += u64::from(*counted);
            }
            counted.fill(0);
        }
        add(&mut tally.magnitudes, &mut self.magnitudes[..]);
        add(&mut tally.binades, &mut self.binades[..]);
        for matrix in &mut self.matrix {
            add(&mut tally.matrix, &mut matrix[..]);
        }
        for (total, counted) in tally.binade_max.iter_mut().zip(self.binade_max.iter()) {
            *total = (*total).max(counted.saturating_sub(1));
        }
        self.binade_max.fill(0);
    }
}

/// One lane of the first pass.
struct Lane {
    /// The error in ulps; NaN if the lane must be counted on its own.
    error: f64,
    /// The error's magnitude in units of 2^-32 ulp, cut off.
    units: u64,
    /// 1 below one ulp.
    faithful: u64,
    /// 1 unless the lane must be counted on its own.
    counts: u64,
}

/// Tables by the leading bits of patterns: where things are counted.
struct Places {
    /// By sign, exponent and first fraction bit, which tells quiet NaN from infinity.
    operands: Box<[OperandPlace; 1 << 13]>,
    /// By sign, exponent and two fraction bits of the pattern below an error's: borders belong to the bucket nearer to zero.
    errors: Box<[ErrorPlace; 1 << 14]>,
}

/// Class, row of its binade, and first bucket of that row.
#[derive(Copy, Clone)]
struct OperandPlace(u32);

impl OperandPlace {
    #[inline(always)]
    fn class(self) -> usize {
        (self.0 & 0xf) as usize
    }

    #[inline(always)]
    fn binade(self) -> usize {
        (self.0 >> 4 & 0xfff) as usize
    }

    #[inline(always)]
    fn buckets(self) -> usize {
        (self.0 >> 16) as usize
    }
}

/// Bucket of a magnitude, and bucket of a signed error.
#[derive(Copy, Clone)]
struct ErrorPlace(u32);

impl ErrorPlace {
    #[inline(always)]
    fn magnitude(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    #[inline(always)]
    fn bucket(self) -> usize {
        (self.0 >> 16) as usize
    }
}

impl Places {
    fn new(classes: Classes) -> Places {
        let operand = |top: usize| {
            let value = f64::from_bits((top as u64) << 51);
            let row = binade(value);
            OperandPlace(classes.of(value) as u32 | (row as u32) << 4 | ((row * SIGNED) as u32) << 16)
        };
        let error = |top: usize| {
            // The lowest pattern of those that come here, but for the two zeros: nothing is below +0, and NaN below -0.
            let pattern = ((top as u64) << 50) + 1;
            let zero = top == (u64::MAX >> 50) as usize || top == (!SIGN >> 50) as usize;
            let value = if zero { 0.0 } else { f64::from_bits(pattern) };
            let (magnitude, bucket) = match value.is_finite() {
                true => (magnitude(value.to_bits() & !SIGN), signed_bucket(value)),
                false => (NO_MAGNITUDE, NO_BUCKET),
            };
            ErrorPlace(magnitude as u32 | (bucket as u32) << 16)
        };
        Places { operands: Box::new(std::array::from_fn(operand)), errors: Box::new(std::array::from_fn(error)) }
    }

    /// NaN must be quiet, and nonzero numbers normal.
    #[inline(always)]
    fn operand(&self, value: f64) -> OperandPlace {
        self.operands[(value.to_bits() >> 51) as usize]
    }

    /// The only NaN is the canonical one.
    #[inline(always)]
    fn error(&self, bits: u64) -> ErrorPlace {
        self.errors[(bits.wrapping_sub(1) >> 50) as usize]
    }
}

/// 2^exp.
const fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

const SIGN: u64 = 1 << 63;
const EXPONENT: u64 = 0x7ff << 52;
/// Errors from here on are counted lane by lane. Its step is the unit of sums.
const LARGE: f64 = power(20);

/// Whether two results of which at least one is no finite number say the same.
fn same_special(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// Kinds of values of a format.
#[derive(Copy, Clone)]
struct Classes {
    smallest: f64,
}

impl Classes {
    fn new(format: Format) -> Classes {
        let smallest = match format {
            Format::Float(f) => 2f64.powi(f.min_exp()),
            Format::Fixed(_) => 0.0,
        };
        Classes { smallest }
    }

    fn of(self, value: f64) -> usize {
        Class::of(value, self.smallest) as usize
    }
}

/// Errors in ulps of a format.
#[derive(Copy, Clone)]
struct ErrorScale {
    format: Format,
    /// For float formats whose steps binary64 can scale.
    float: Option<FloatFormat>,
    /// Powers of two: the lowest and highest with a step of their own, and the one that takes the first number beyond the
    /// format beyond binary64.
    lowest: f64,
    highest: f64,
    beyond: f64,
    /// A number's exponent field, in place, taken off this gives the pattern of one over its step.
    scale: u64,
}

impl ErrorScale {
    fn new(format: Format) -> Self {
        let float = match format {
            Format::Float(f) if f.frac < 52 && f.specials == Specials::InfNan => Some(f),
            _ => None,
        };
        let (min_exp, max_exp, frac) = float.map_or((0, 0, 0), |f| (f.min_exp(), f.max_exp(), u64::from(f.frac)));
        let (lowest, highest, beyond) = (power(min_exp), power(max_exp), power(1023 - max_exp));
        ErrorScale { format, float, lowest, highest, beyond, scale: (2 * 1023 + frac) << 52 }
    }

    /// One lane of the first pass, for float formats.
    #[inline(always)]
    fn lane(self, got: f64, want: f64) -> Lane {
        // The order in which NaN gives an end, and which is one instruction each.
        let size = want.abs();
        let size = if size > self.lowest { size } else { self.lowest };
        let size = if size < self.highest { size } else { self.highest };
        let scale = f64::from_bits(self.scale.wrapping_sub(size.to_bits() & EXPONENT));
        // The difference of two close binary64 numbers is exact, and scaling by a power of two is.
        let scaled = (got - want) * scale;
        let small = scaled.abs() < LARGE;
        // What overflows to infinity is right there: here both are infinite.
        let overflow = (got.abs() == f64::INFINITY) & (got == want * self.beyond);
        let right = overflow | (got.is_nan() & want.is_nan());
        let counts = small | right;
        let error = if small { scaled } else { 0.0 };
        let shifted = error.abs() + LARGE;
        let units = shifted.to_bits().wrapping_sub(LARGE.to_bits()) - u64::from(shifted - LARGE > error.abs());
        Lane {
            error: if counts { error } else { f64::NAN },
            units,
            faithful: u64::from(counts & (error.abs() < 1.0)),
            counts: u64::from(counts),
        }
    }

    /// Signed error of `got` against `want`, in steps of the format at `want`; `None` unless both are finite, or a
    /// number beyond the range met the infinity it overflows to.
    fn of(&self, got: f64, want: f64) -> Option<f64> {
        ulp::error(got.to_bits(), Storage::F64, want, self.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_num::Decl;

    /// Numbers at all borders of errors, classes and binades.
    fn values() -> Vec<f64> {
        let mut values = vec![0.0, 1.0, 1.5, f64::INFINITY, f64::NAN, 1e-310, f64::MIN_POSITIVE, f64::MAX];
        for exp in [-1000, -160, -151, -150, -149, -130, -127, -126, -125, -24, -14, -1, 0, 15, 16, 126, 127] {
            for m in [1.0, 1.0 + 2f64.powi(-44), 1.3, 2.0 - 2f64.powi(-23), 2.0 - 2f64.powi(-24), 2.0 - 2f64.powi(-52)]
            {
                values.push(m * 2f64.powi(exp));
            }
        }
        values.extend([128, 129, 130, 500].map(|exp| 2f64.powi(exp)));
        values.extend((-30..40).map(|quarter| 1.0 + 2f64.powi(-23) * 1.189_207_115_002_721f64.powi(quarter)));
        values.extend([0.25, 0.5, 1.0, 2.0, 4.0, 8.0].map(|ulps| 1.0 + ulps * 2f64.powi(-23)));
        values.extend(values.clone().iter().map(|v| -v));
        values
    }

    #[test]
    fn rows_count_what_lanes_count() {
        let want = values();
        // Results and operands are numbers of the container.
        let held: Vec<f64> = want.iter().copied().filter(|v| v.is_nan() || f64::from(*v as f32) == *v).collect();
        for decl in [Decl::F32, Decl::F16] {
            for shift in 0..want.len() {
                // Every reference meets every result.
                let turned = |by: usize| held.iter().cycle().skip(by).take(want.len()).copied().collect::<Vec<f64>>();
                let (got, first, second) = (turned(shift), turned(shift / 2), turned(shift * 3));
                let second = (shift % 2 == 0).then_some(&second[..]);
                let row = Numbers { got: &got, want: &want, first: &first, second };
                let arity = 1 + usize::from(second.is_some());
                let (mut fast, mut slow) = (Tally::new(arity), Tally::new(arity));
                let mut counter = Counter::new(decl.format(), decl.format().storage());
                counter.row(1000, row, &mut fast);
                counter.finish(&mut fast);
                counter.plain(1000, row, &mut slow);
                // In the order of the simplest to read.
                assert_eq!(fast.max, slow.max, "{decl} {shift}");
                assert_eq!((fast.measured, fast.faithful, fast.sum), (slow.measured, slow.faithful, slow.sum));
                assert!(fast == slow, "{decl} {shift}");
            }
        }
    }
}
