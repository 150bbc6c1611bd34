//! Between which numbers a float is, as far as minima, maxima, clamps and literals say.

use parallax_core::{Func, OpKind, Type, ValueId};
use parallax_num::{Op, Saturate};

/// How far back a value is followed.
const DEPTH: u32 = 12;

/// The least and the greatest number, and whether a value may be NaN.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
    nan: bool,
}

impl Interval {
    const ANY: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };

    /// A computed one, some roundings wider.
    fn rounded(ends: &[f64], nan: bool) -> Interval {
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(low.is_finite() && high.is_finite()) || nan {
            return Interval::ANY;
        }
        let slack = |end: f64| end.abs() * f64::from(f32::EPSILON);
        Interval { low: low - slack(low), high: high + slack(high), nan }
    }

    /// The numbers, if it has no others.
    pub(super) fn numbers(self) -> Option<(f64, f64)> {
        (!self.nan && self.low.is_finite() && self.high.is_finite()).then_some((self.low, self.high))
    }

    fn join(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan }
    }

    /// The smaller of two; one that is NaN gives the other.
    fn least(self, other: Interval) -> Interval {
        let high = match (self.nan, other.nan) {
            (false, false) => self.high.min(other.high),
            (true, false) => other.high,
            (false, true) => self.high,
            (true, true) => f64::INFINITY,
        };
        Interval { low: self.low.min(other.low), high, nan: self.nan && other.nan }
    }

    fn opposite(self) -> Interval {
        Interval { low: -self.high, high: -self.low, nan: self.nan }
    }
}

/// The interval of a float.
pub(super) fn interval(func: &Func, value: ValueId) -> Interval {
    find(func, value, DEPTH)
}

fn find(func: &Func, value: ValueId, depth: u32) -> Interval {
    let Some(op) = func.def_op(value).filter(|_| depth > 0) else { return Interval::ANY };
    let data = &func.ops[op];
    let of = |n: usize| data.args.get(n).map_or(Interval::ANY, |&arg| find(func, arg, depth - 1));
    let found = match data.kind {
        OpKind::Literal(bits) if matches!(func.ty(value), Type::F32 | Type::I32) => {
            let number = f64::from(f32::from_bits(bits as u32));
            Interval { low: number, high: number, nan: number.is_nan() }
        }
        OpKind::Select => of(1).join(of(2)),
        OpKind::Num(num) => match num {
            // Their bits are those of the float.
            Op::BitsOf | Op::BitsTo | Op::Cvt => of(0),
            Op::Min => of(0).least(of(1)),
            Op::Max => of(0).opposite().least(of(1).opposite()).opposite(),
            Op::Neg => of(0).opposite(),
            Op::Abs => {
                let all = of(0);
                let inside = all.low <= 0.0 && all.high >= 0.0;
                let low = if inside { 0.0 } else { all.low.abs().min(all.high.abs()) };
                Interval { low, high: all.low.abs().max(all.high.abs()), ..all }
            }
            Op::Floor | Op::Ceil | Op::Trunc | Op::Rint => {
                let all = of(0);
                Interval { low: all.low.floor(), high: all.high.ceil(), ..all }
            }
            Op::Frac => match of(0).numbers() {
                Some(_) => Interval { low: 0.0, high: 1.0, nan: false },
                None => Interval::ANY,
            },
            Op::Add | Op::Sub | Op::Mul => {
                let (a, b) = (of(0), of(1));
                let ends = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
                let ends = ends.map(|(a, b)| match num {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    _ => a * b,
                });
                Interval::rounded(&ends, a.nan || b.nan)
            }
            Op::Mad => {
                let (a, b, c) = (of(0), of(1), of(2));
                let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
                let product = Interval::rounded(&ends, a.nan || b.nan);
                Interval::rounded(&[product.low + c.low, product.high + c.high], product.nan || c.nan)
            }
            _ => Interval::ANY,
        },
        _ => Interval::ANY,
    };
    let clamps = data.slot.is_some_and(|slot| func.slots[slot].saturate == Saturate::Unsigned);
    if !clamps {
        return found;
    }
    // NaN becomes 0.
    Interval {
        low: found.low.clamp(0.0, 1.0).min(if found.nan { 0.0 } else { 1.0 }),
        high: found.high.clamp(0.0, 1.0),
        nan: false,
    }
}
