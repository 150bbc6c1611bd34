//! Comparisons and choices of floats.

use super::big::Big;
use super::float::Layout;
use super::sink::Sink;
use crate::program::Id;

impl dyn Sink + '_ {
    pub(super) fn float_eq(&mut self, layout: Layout, a: &[Id], b: &[Id]) -> Id {
        let same = self.eq_big(a, b);
        let last = layout.words - 1;
        // Zeros of either sign are equal.
        let mut any: Big = a.iter().zip(b).map(|(&a, &b)| self.or(a, b)).collect();
        any[last] = self.and_with(any[last], layout.sign() - 1);
        let any = self.is_set_big(&any);
        let zeros = self.not(any);
        let equal = self.either(same, zeros);
        let nan = self.unordered(layout, a, b);
        let ordered = self.not(nan);
        self.both(equal, ordered)
    }

    pub(super) fn unordered(&mut self, layout: Layout, a: &[Id], b: &[Id]) -> Id {
        let [a, b] = [a, b].map(|value| self.is_nan(layout, value));
        self.either(a, b)
    }

    /// a < b, or a <= b.
    pub(super) fn float_less(&mut self, layout: Layout, a: &[Id], b: &[Id], or_equal: bool) -> Id {
        let [x, y] = [a, b].map(|value| self.ordered(layout, value));
        let holds = if or_equal {
            let above = self.less_big(&y, &x);
            self.not(above)
        } else {
            self.less_big(&x, &y)
        };
        let nan = self.unordered(layout, a, b);
        let ordered = self.not(nan);
        self.both(holds, ordered)
    }

    /// A signed number that lies where the float does among others.
    fn ordered(&mut self, layout: Layout, value: &[Id]) -> Big {
        let last = layout.words - 1;
        let negative = self.is_below(value[last], 0);
        let mut size = Big::from_slice(value);
        size[last] = self.and_with(size[last], layout.sign() - 1);
        let zero = self.int(0);
        let zeros = Big::from_elem(zero, layout.words);
        let minus = self.sub_big(&zeros, &size);
        self.select_big(negative, &minus, &size)
    }

    /// Signed a < b.
    pub(super) fn less_big(&mut self, a: &[Id], b: &[Id]) -> Id {
        let last = a.len() - 1;
        let mut less = self.lt(a[last], b[last]);
        if last > 0 {
            let below = self.ult_big(&a[..last], &b[..last]);
            let equal = self.eq(a[last], b[last]);
            let below = self.both(equal, below);
            less = self.either(less, below);
        }
        less
    }

    /// The first unless it is NaN, else the first NaN of the others, quieted, or `default`.
    pub(super) fn first_nan(&mut self, layout: Layout, values: &[Big], default: u64) -> Big {
        let mut chosen: Big = (0..layout.words).map(|n| self.int((default >> (32 * n)) as u32)).collect();
        for value in values[1..].iter().rev() {
            let nan = self.is_nan(layout, value);
            let mut quiet = value.clone();
            quiet[layout.words - 1] = self.or_with(quiet[layout.words - 1], 1 << (layout.shift - 1));
            chosen = self.select_big(nan, &quiet, &chosen);
        }
        let nan = self.is_nan(layout, &values[0]);
        self.select_big(nan, &chosen, &values[0])
    }

    /// Denormals as zeros of their sign.
    pub(super) fn flushed(&mut self, layout: Layout, value: &[Id]) -> Big {
        let top = value[layout.words - 1];
        let field = self.and_with(top, layout.infinity());
        let small = self.is(field, 0);
        let sign = self.and_with(top, layout.sign());
        self.or_special(small, sign, value)
    }
}
