//! Float formats of at most 24 bits in a binary16 or binary32 container by binary64 arithmetic: products are exact there, sums
//! are rounded to odd, and one rounding to the format follows.

use super::LaneWord;
use super::host32::flushes;
use super::steps::Steps;
use crate::processor::{Baseline, Level};
use crate::{Format, Overflow, Round, Rule, Storage, ZeroMul, ZeroSign};
use std::marker::PhantomData;

/// p + c rounded to odd: exact, or of the two neighbours the one whose last bit is set. Rounded once more to a format of
/// at most 51 bits this gives what the exact sum would have given.
#[inline(always)]
pub(crate) fn odd_sum(p: f64, c: f64) -> f64 {
    let s = p + c;
    // Knuth's error of a sum.
    let b = s - p;
    let error = (p - (s - b)) + (c - b);
    let bits = s.to_bits();
    let even = bits & 1 == 0;
    // A NaN error, from infinities, compares false.
    let inexact = error.abs() > 0.0;
    let outward = (error > 0.0) == (s > 0.0);
    let odd = if outward { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if even & inexact { odd } else { bits })
}

/// A binary16 pattern as binary64.
#[inline(always)]
pub(crate) fn half_to_f64(word: u64) -> f64 {
    let magnitude = word & 0x7fff;
    let normal = (magnitude << 42) + (1008 << 52);
    let special = (magnitude << 42) + (2016 << 52);
    // A denormal's integer stands in the low bits of 2^28; steps there are 2^-24.
    const BASE: u64 = (1023 + 28) << 52;
    let denormal = (f64::from_bits(BASE | magnitude) - f64::from_bits(BASE)).to_bits();
    let bits = if magnitude >= 0x7c00 {
        special
    } else if magnitude >= 0x400 {
        normal
    } else {
        denormal
    };
    f64::from_bits(bits | (word & 0x8000) << 48)
}

/// A binary64 that is a binary16 value, as its pattern.
#[inline(always)]
fn half_from_f64(v: f64) -> u64 {
    let a = v.abs();
    let normal = (a.to_bits() >> 42).wrapping_sub(1008 << 10) & 0xffff;
    const BASE: f64 = f64::from_bits((1023 + 28) << 52);
    let denormal = (a + BASE).to_bits() & 0x3ff;
    const MIN_NORMAL: f64 = f64::from_bits((1023 - 14) << 52);
    let magnitude = if a == f64::INFINITY {
        0x7c00
    } else if a >= MIN_NORMAL {
        normal
    } else {
        denormal
    };
    v.to_bits() >> 63 << 15 | magnitude
}

/// A direction of rounding: where the neighbour further from zero is chosen, and what is given beyond the range.
#[derive(Copy, Clone)]
struct Direction {
    /// Every positive number goes outward; every negative one.
    outward: [bool; 2],
    /// The nearest neighbour is chosen; ties go to even, or outward.
    nearest: bool,
    ties_outward: bool,
    /// What positive and negative numbers beyond the range become.
    ends: [f64; 2],
}

impl Direction {
    fn new(rule: &Rule, largest: f64) -> Direction {
        let (outward, nearest, ties_outward) = match rule.round {
            Round::NearestEven => ([false; 2], true, false),
            Round::NearestAway => ([false; 2], false, true),
            Round::Zero => ([false; 2], false, false),
            Round::Up => ([true, false], false, false),
            Round::Down => ([false, true], false, false),
            Round::Away => ([true; 2], false, false),
        };
        let ends = outward.map(|outward| match rule.overflow {
            Overflow::Infinity => f64::INFINITY,
            Overflow::Largest => largest,
            Overflow::Ieee if outward || nearest || ties_outward => f64::INFINITY,
            Overflow::Ieee => largest,
        });
        Direction { outward, nearest, ties_outward, ends }
    }
}

/// A format's measures, and what a rule marks. `W` are words of binary16 or of binary32. `GENERAL` knows every direction, every
/// way with overflow and rules without -0; without it numbers are rounded to nearest even.
#[derive(Copy, Clone)]
pub(super) struct Narrow<W, L, const GENERAL: bool> {
    /// Binary64 fraction bits below the format's last one.
    drop: u32,
    min_normal: f64,
    largest: f64,
    /// Step of the smallest binade.
    unit: f64,
    /// 2^52 units: adding it rounds to multiples of the unit.
    magic: f64,
    /// Nonzero magnitudes up to this are marked; 0 for none.
    tiny: f64,
    /// As in [`super::host32::Host32`].
    minus_zero: u64,
    /// What is added to every value: +0 turns -0 into +0, -0 changes nothing.
    plus: f64,
    /// Whether the sign of zero sums is the rule's business.
    zero_sums: bool,
    direction: Direction,
    types: PhantomData<(W, L)>,
}

impl<W: LaneWord, L: Level, const GENERAL: bool> Narrow<W, L, GENERAL> {
    /// Whether the container is binary16.
    const HALF: bool = size_of::<W>() == 2;

    /// Rounds a binary64 to the format.
    #[inline(always)]
    fn round(self, v: f64, mark: &mut bool) -> f64 {
        let a = v.abs();
        let bits = a.to_bits();
        let is_normal = a >= self.min_normal;
        let half = 1u64 << (self.drop - 1);
        let last = bits >> self.drop & 1;
        let near = f64::from_bits(bits.wrapping_add(half - 1 + last) & !(half * 2 - 1));
        let near_low = (a + self.magic) - self.magic;
        let near = if is_normal { near } else { near_low };
        let rounded = if GENERAL {
            let step = half * 2;
            let cut = f64::from_bits(bits & !(step - 1));
            let cut_low = if near_low > a { near_low - self.unit } else { near_low };
            let down = if is_normal { cut } else { cut_low };
            let next = if is_normal { f64::from_bits(down.to_bits().wrapping_add(step)) } else { down + self.unit };
            let up = if down == a { down } else { next };
            let d = self.direction;
            // Both differences are exact.
            let outward = (d.outward[0] & (v > 0.0))
                | (d.outward[1] & (v < 0.0))
                | (d.nearest & (near > down))
                | (d.ties_outward & ((a - down) * 2.0 >= next - down));
            let r = if outward { up } else { down };
            let end = if v < 0.0 { d.ends[1] } else { d.ends[0] };
            if (r > self.largest) & (a != f64::INFINITY) { end } else { r }
        } else if near > self.largest {
            f64::INFINITY
        } else {
            near
        };
        *mark |= (rounded != 0.0) & (rounded <= self.tiny) | v.is_nan();
        rounded.copysign(v)
    }

    /// Without -0 where a rule has none.
    #[inline(always)]
    fn signed(self, v: f64) -> f64 {
        if GENERAL { v + self.plus } else { v }
    }

    #[inline(always)]
    fn product(self, v: f64, mark: &mut bool) -> f64 {
        let r = self.signed(self.round(v, mark));
        *mark |= r.to_bits() == self.minus_zero;
        r
    }

    /// Downward the sign of a zero sum is not the host's.
    #[inline(always)]
    fn sum(self, v: f64, mark: &mut bool) -> f64 {
        *mark |= GENERAL & self.zero_sums & (v == 0.0);
        self.product(v, mark)
    }
}

fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

impl<W: LaneWord, L: Level, const GENERAL: bool> Steps for Narrow<W, L, GENERAL> {
    type V = f64;
    type Word = W;
    type Level = L;
    type Base = Narrow<W, Baseline, GENERAL>;

    #[inline(always)]
    fn new(rule: &Rule) -> Self {
        let Format::Float(f) = rule.format else {
            // `select` asks for float formats only.
            return Narrow {
                drop: 29,
                min_normal: 0.0,
                largest: 0.0,
                unit: 0.0,
                magic: 0.0,
                tiny: f64::INFINITY,
                minus_zero: u64::MAX,
                plus: -0.0,
                zero_sums: true,
                direction: Direction::new(rule, 0.0),
                types: PhantomData,
            };
        };
        let unit = power(f.min_exp() - f.frac as i32);
        let min_normal = power(f.min_exp());
        let largest = power(f.max_exp()) * (2.0 - power(-(f.frac as i32)));
        let no_minus_zero = rule.zero_sign == ZeroSign::Positive;
        Narrow {
            drop: 52 - f.frac as u32,
            min_normal,
            largest,
            unit,
            magic: unit * 4_503_599_627_370_496.0,
            tiny: if flushes(rule) || !f.denormals { min_normal } else { 0.0 },
            minus_zero: if rule.zero_mul == ZeroMul::Zero { 1 << 63 } else { u64::MAX },
            plus: if no_minus_zero { 0.0 } else { -0.0 },
            zero_sums: rule.round == Round::Down && !no_minus_zero,
            direction: Direction::new(rule, largest),
            types: PhantomData,
        }
    }

    #[inline(always)]
    fn get(self, word: u64, mark: &mut bool) -> f64 {
        let v = if Self::HALF { half_to_f64(word) } else { f32::from_bits(word as u32) as f64 };
        *mark |= (v != 0.0) & (v.abs() < self.tiny);
        self.signed(v)
    }

    #[inline(always)]
    fn put(self, v: f64, mark: &mut bool) -> u64 {
        *mark |= v.is_nan();
        let v = self.signed(v);
        if Self::HALF { half_from_f64(v) } else { (v as f32).to_bits() as u64 }
    }

    #[inline(always)]
    fn add(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        self.sum(odd_sum(a, b), mark)
    }

    #[inline(always)]
    fn mul(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        self.product(a * b, mark)
    }

    #[inline(always)]
    fn fma(self, a: f64, b: f64, c: f64, mark: &mut bool) -> f64 {
        self.sum(odd_sum(a * b, c), mark)
    }

    #[inline(always)]
    fn div(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        // A quotient of 24-bit numbers is a format value, or further from one and from a midpoint than the rounding
        // to binary64 can reach.
        self.product(a / b, mark)
    }

    #[inline(always)]
    fn sqrt(self, a: f64, mark: &mut bool) -> f64 {
        self.round(a.sqrt(), mark)
    }

    #[inline(always)]
    fn neg(self, a: f64) -> f64 {
        self.signed(-a)
    }

    #[inline(always)]
    fn round_f64(self, v: f64, mark: &mut bool) -> f64 {
        self.round(v, mark)
    }

    #[inline(always)]
    fn exact(self, v: f64) -> f64 {
        v
    }

    #[inline(always)]
    fn settle(self, v: f64, mark: &mut bool) -> f64 {
        self.round(v, mark)
    }
}

/// Whether [`Narrow`] covers a rule, and whether that takes the general form.
pub(super) fn covers(rule: &Rule) -> Option<bool> {
    let Format::Float(f) = rule.format else { return None };
    let general =
        rule.round != Round::NearestEven || rule.overflow == Overflow::Largest || rule.zero_sign == ZeroSign::Positive;
    let fits = f.specials == crate::Specials::InfNan
        && f.frac <= 23
        && f.exp <= 8
        && matches!(rule.storage, Storage::F16 | Storage::F32)
        && rule.format.storage().bits() <= rule.storage.bits();
    fits.then_some(general)
}
