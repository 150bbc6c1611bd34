//! The range of a channel over covered pixels.

/// The least and the greatest finite value, and how many are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueRange {
    /// The least; `None` without a finite value.
    pub low: Option<f64>,
    /// The greatest.
    pub high: Option<f64>,
    /// NaN.
    pub nan: u64,
    /// Infinities.
    pub infinite: u64,
}

impl ValueRange {
    /// That of some values, where they are covered.
    pub fn of(values: &[f64], covered: &[bool]) -> ValueRange {
        let mut range = ValueRange::default();
        range.add(values, covered);
        range
    }

    /// Adds more values.
    pub fn add(&mut self, values: &[f64], covered: &[bool]) {
        for value in values.iter().zip(covered).filter(|(_, covered)| **covered).map(|(v, _)| *v) {
            if value.is_nan() {
                self.nan += 1;
            } else if value.is_infinite() {
                self.infinite += 1;
            } else {
                self.low = Some(self.low.map_or(value, |low| low.min(value)));
                self.high = Some(self.high.map_or(value, |high| high.max(value)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_span_the_range_and_others_are_counted() {
        let values = [2.0, f64::NAN, -3.0, f64::INFINITY, 9.0];
        let mut range = ValueRange::of(&values, &[true, true, true, true, false]);
        assert_eq!(range, ValueRange { low: Some(-3.0), high: Some(2.0), nan: 1, infinite: 1 });
        range.add(&[f64::NEG_INFINITY, 4.0], &[true, true]);
        assert_eq!(range, ValueRange { low: Some(-3.0), high: Some(4.0), nan: 1, infinite: 2 });
        assert_eq!(ValueRange::of(&values, &[false; 5]), ValueRange::default());
    }
}
