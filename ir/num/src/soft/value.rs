//! Exact values outside any container.

use crate::{NanBits, NanResult, Rule};
use std::cmp::Ordering;

/// A nonzero finite number: (-1)^neg * (sig + t) * 2^exp, where t is 0, or, if `sticky`, some number with 0 < t < 1.
/// `sig` is not zero.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Real {
    pub(crate) neg: bool,
    pub(crate) exp: i32,
    pub(crate) sig: u128,
    pub(crate) sticky: bool,
}

/// A NaN: its sign and its fraction, aligned to the top of 52 bits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Nan {
    pub(crate) neg: bool,
    pub(crate) payload: u64,
}

/// The quiet bit of a payload.
pub(crate) const QUIET: u64 = 1 << 51;

/// A value of a float or fixed-point container, or an exact intermediate.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Val {
    /// Zero with a sign.
    Zero(bool),
    /// Nonzero and finite.
    Real(Real),
    /// Infinity with a sign.
    Inf(bool),
    /// Not a number.
    Nan(Nan),
}

impl Real {
    /// An exact number from a signed integer and an exponent; `None` for 0.
    pub(crate) fn from_int(value: i128, exp: i32) -> Option<Real> {
        (value != 0).then(|| Real { neg: value < 0, exp, sig: value.unsigned_abs(), sticky: false })
    }

    /// Exponent of the value: 2^top <= |value| < 2^(top+1).
    pub(crate) fn top(&self) -> i32 {
        self.exp + 127 - self.sig.leading_zeros() as i32
    }

    /// The same number with the leading bit of `sig` at bit 125, so that two of them can be added without overflow.
    pub(crate) fn aligned(self) -> Real {
        let zeros = self.sig.leading_zeros() as i32;
        let shift = zeros - 2;
        if shift >= 0 {
            Real { sig: self.sig << shift, exp: self.exp - shift, ..self }
        } else {
            let lost = self.sig & ((1 << -shift) - 1) != 0;
            Real { sig: self.sig >> -shift, exp: self.exp - shift, sticky: self.sticky | lost, ..self }
        }
    }

    /// The same number with the leading bit of `sig` at bit 127.
    pub(crate) fn normal(self) -> Real {
        let zeros = self.sig.leading_zeros();
        Real { sig: self.sig << zeros, exp: self.exp - zeros as i32, ..self }
    }

    /// The same number in at most 64 bits; sums come with many zeros below their last bit. What does not fit is sticky.
    pub(crate) fn compact(self) -> Real {
        if self.sig >> 64 == 0 {
            return self;
        }
        let shift = self.sig.trailing_zeros().max(64 - self.sig.leading_zeros());
        let lost = self.sig & ((1 << shift) - 1) != 0;
        Real { sig: self.sig >> shift, exp: self.exp + shift as i32, sticky: self.sticky | lost, ..self }
    }

    /// The same magnitude with another sign.
    pub(crate) fn with_sign(self, neg: bool) -> Real {
        Real { neg, ..self }
    }

    /// Magnitudes compared; both exact.
    pub(crate) fn cmp_abs(&self, other: &Real) -> Ordering {
        let (a, b) = (self.normal(), other.normal());
        a.exp.cmp(&b.exp).then(a.sig.cmp(&b.sig)).then(a.sticky.cmp(&b.sticky))
    }
}

impl Val {
    /// +1.
    pub(crate) const ONE: Val = Val::Real(Real { neg: false, exp: 0, sig: 1, sticky: false });

    /// An integer.
    pub(crate) fn int(value: i128) -> Val {
        Real::from_int(value, 0).map_or(Val::Zero(false), Val::Real)
    }

    /// Whether it is NaN.
    pub(crate) fn is_nan(&self) -> bool {
        matches!(self, Val::Nan(_))
    }

    /// Whether it is a zero.
    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Val::Zero(_))
    }

    /// The sign bit.
    pub(crate) fn neg(&self) -> bool {
        match *self {
            Val::Zero(neg) | Val::Inf(neg) => neg,
            Val::Real(r) => r.neg,
            Val::Nan(n) => n.neg,
        }
    }

    /// The same value with another sign bit.
    pub(crate) fn with_sign(self, neg: bool) -> Val {
        match self {
            Val::Zero(_) => Val::Zero(neg),
            Val::Inf(_) => Val::Inf(neg),
            Val::Real(r) => Val::Real(r.with_sign(neg)),
            Val::Nan(n) => Val::Nan(Nan { neg, ..n }),
        }
    }

    /// The sign bit flipped.
    pub(crate) fn negated(self) -> Val {
        self.with_sign(!self.neg())
    }

    /// Order of two values that are not NaN; zeros are equal.
    pub(crate) fn compare(&self, other: &Val) -> Ordering {
        fn class(v: &Val) -> i8 {
            let magnitude = match v {
                Val::Zero(_) => 0,
                Val::Real(_) => 1,
                Val::Inf(_) | Val::Nan(_) => 2,
            };
            if v.neg() { -magnitude } else { magnitude }
        }
        match (self, other) {
            (Val::Real(a), Val::Real(b)) if a.neg == b.neg => {
                let order = a.cmp_abs(b);
                if a.neg { order.reverse() } else { order }
            }
            _ => class(self).cmp(&class(other)),
        }
    }
}

/// The default NaN of a rule.
pub(crate) fn default_nan(rule: &Rule) -> Val {
    let (neg, payload) = match rule.nan_bits {
        NanBits::NegativeQuiet => (true, QUIET),
        NanBits::PositiveQuiet => (false, QUIET),
        NanBits::AllOnes => (false, (1 << 52) - 1),
    };
    // Where no operation gives NaN, none makes one.
    if rule.nan_result == NanResult::Infinity { Val::Inf(false) } else { Val::Nan(Nan { neg, payload }) }
}

/// The NaN that an operation with these operands gives, if any of them is one.
pub(crate) fn propagated(rule: &Rule, args: &[Val]) -> Option<Val> {
    let first = args.iter().find_map(|v| if let Val::Nan(n) = v { Some(*n) } else { None })?;
    Some(match rule.nan_result {
        NanResult::First if !rule.quiets => Val::Nan(first),
        NanResult::First => Val::Nan(Nan { payload: first.payload | QUIET, ..first }),
        NanResult::Default => default_nan(rule),
        NanResult::Infinity => Val::Inf(args.iter().rev().find(|v| v.is_nan()).is_some_and(Val::neg)),
    })
}
