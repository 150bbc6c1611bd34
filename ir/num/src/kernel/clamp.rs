//! The clamp of a float container, on patterns, as a second pass over a row. NaN has been dealt with.

use super::{Kernel, LaneWord, RowMut};
use crate::processor::Level;
use crate::soft::round::largest;
use crate::soft::unpack::{encode, shape};
use crate::soft::value::Val;
use crate::{Format, Infinite, Rule, SatDenorm, SatZero, Saturate, Storage, ZeroSign};

/// A second pass over a row.
pub(super) type ClampFn = fn(&Kernel, RowMut<'_>);

/// The pass over rows of a container; `None` for fixed point, which clamps as it rounds.
pub(super) fn select<L: Level>(storage: Storage) -> Option<ClampFn> {
    match storage {
        Storage::F16 => Some(clamp::<u16, L>),
        Storage::F32 => Some(clamp::<u32, L>),
        Storage::F64 => Some(clamp::<u64, L>),
        Storage::Fixed(_) => None,
    }
}

/// What a rule does to results, in patterns.
#[derive(Copy, Clone)]
struct Clamp {
    sign: u64,
    infinity: u64,
    /// What infinity becomes, without its sign; infinity where it stays.
    end: u64,
    /// The sign bit, where what infinity becomes keeps it.
    end_sign: u64,
    saturate: Saturate,
    one: u64,
    /// Magnitudes below become zero.
    flushed: u64,
    keep_zero: bool,
}

impl Clamp {
    fn new(rule: &Rule) -> Option<Clamp> {
        let (exp_bits, frac_bits) = shape(rule.storage)?;
        let Format::Float(format) = rule.format else { return None };
        let infinity = ((1u64 << exp_bits) - 1) << frac_bits;
        let positive = rule.zero_sign == ZeroSign::Positive;
        let end = match rule.infinite {
            Infinite::Keep => infinity,
            Infinite::Largest => encode(Val::Real(largest(format, false)), rule.storage),
            _ => 0,
        };
        let flushed = match rule.sat_denorm {
            SatDenorm::Flush => ((format.min_exp() + (1 << (exp_bits - 1)) - 1).max(0) as u64) << frac_bits,
            _ => 0,
        };
        Some(Clamp {
            sign: rule.storage.sign_bit(),
            infinity,
            end,
            end_sign: if end == 0 && positive { 0 } else { rule.storage.sign_bit() },
            saturate: rule.saturate,
            one: ((1u64 << (exp_bits - 1)) - 1) << frac_bits,
            flushed,
            keep_zero: rule.sat_zero == SatZero::Keep && !positive,
        })
    }
}

/// The pass in words of `W`, which hold all patterns of the container.
#[inline(always)]
fn pass<W: LaneWord>(c: Clamp, words: &mut [W]) {
    let word = W::narrow;
    let (zero, sign, magnitude) = (word(0), word(c.sign), word(!c.sign));
    let (infinity, end, one, flushed) = (word(c.infinity), word(c.end), word(c.one), word(c.flushed));
    if c.end != c.infinity {
        let end_sign = word(c.end_sign);
        for word in words.iter_mut() {
            let bounded = *word & end_sign | end;
            *word = if *word & magnitude == infinity { bounded } else { *word };
        }
    }
    if c.saturate == Saturate::None {
        return;
    }
    let signed = c.saturate == Saturate::Signed;
    // What becomes of the sign of zeros, and of numbers below zero.
    let zero_sign = if c.keep_zero { sign } else { zero };
    let (below_sign, below) = if signed { (sign, magnitude) } else { (zero, zero) };
    for word in words {
        let size = *word & magnitude;
        let number = if size < flushed { zero } else { size };
        let bound = if number < one { number } else { one };
        let negative = if number == zero { *word & zero_sign } else { (*word & below_sign) | (bound & below) };
        let clamped = if *word & sign == zero { bound } else { negative };
        *word = if size > infinity { *word } else { clamped };
    }
}

fn clamp<W: LaneWord, L: Level>(kernel: &Kernel, out: RowMut<'_>) {
    let Some(clamp) = Clamp::new(&kernel.rule) else { return };
    match W::words_mut(out) {
        Ok(words) => L::run(
            kernel.processor,
            #[inline(always)]
            || pass(clamp, words),
        ),
        Err(mut row) => {
            for lane in 0..row.len() {
                let mut word = [W::narrow(row.as_row().get(lane))];
                pass(clamp, &mut word);
                row.set(lane, word[0].widen());
            }
        }
    }
}
