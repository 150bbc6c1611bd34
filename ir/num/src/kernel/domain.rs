//! Operands outside of a function's domain: half of all patterns for roots and logarithms, and one result for all of them.

use crate::soft::unpack::shape;
use crate::{Format, Op, Rule, eval};

/// Negative operands that give one result.
#[derive(Copy, Clone, Debug)]
pub(super) struct Outside {
    /// Patterns from the largest negative normal number to minus infinity.
    least: u64,
    most: u64,
    /// What they give.
    pub(super) result: u64,
}

impl Outside {
    /// Whether a pattern is one of them.
    #[inline(always)]
    pub(super) fn holds(self, word: u64) -> bool {
        (self.least..=self.most).contains(&word)
    }
}

/// The operands of `op` that are outside of its domain under `rule`. Denormal numbers are left out: a rule may read them
/// as zero. So are rules that read the magnitude instead: they give -1 and -4 a number.
pub(super) fn outside(op: Op, rule: &Rule) -> Option<Outside> {
    let Format::Float(format) = rule.format else { return None };
    let (exp_bits, frac_bits) = shape(rule.storage)?;
    if !matches!(op, Op::Rsq | Op::Sqrt | Op::Log2) {
        return None;
    }
    let sign = rule.storage.sign_bit();
    let bias = (1i32 << (exp_bits - 1)) - 1;
    let infinity = ((1u64 << exp_bits) - 1) << frac_bits;
    let power = |exp: i32| sign | ((exp + bias) as u64) << frac_bits;
    let result = eval(op, rule, &[power(0)]);
    let is_nan = result & !sign > infinity;
    let same = eval(op, rule, &[power(2)]) == result;
    let least = power(format.min_exp().max(1 - bias));
    (is_nan && same).then_some(Outside { least, most: sign | infinity, result })
}
