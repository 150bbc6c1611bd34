//! Conversions between floats, integers and patterns.

use super::round::{largest, round, round_float, round_shift};
use super::unpack::{encode, flush_operand, unpack};
use super::value::{Nan, QUIET, Val, propagated};
use crate::{Format, Kind, Op, Overflow, Round, Rule, Storage, ToInt};

/// Float to float, before rounding. Denormal operands are those of the source.
pub(crate) fn convert(rule: &Rule, bits: u64) -> Val {
    let value = flush_operand(unpack(bits, rule.source), &Rule { format: rule.source.format(), ..*rule });
    propagated(rule, &[value]).unwrap_or(value)
}

/// Signed or unsigned integer to a value.
pub(crate) fn from_int(op: Op, bits: u64) -> Val {
    Val::int(match op {
        Op::I2f => bits as i32 as i128,
        Op::U2f => bits as u32 as i128,
        Op::I64ToF => bits as i64 as i128,
        _ => bits as i128,
    })
}

/// Float to an integer.
pub(crate) fn to_int(op: Op, rule: &Rule, value: Val) -> u64 {
    let (direction, signed) = match op {
        Op::F2iTrunc | Op::F2i64Trunc => (Round::Zero, true),
        Op::F2uTrunc | Op::F2u64Trunc => (Round::Zero, false),
        Op::F2iFloor | Op::F2i64Floor => (Round::Down, true),
        Op::F2uFloor | Op::F2u64Floor => (Round::Down, false),
        Op::F2iCeil | Op::F2i64Ceil => (Round::Up, true),
        Op::F2uCeil | Op::F2u64Ceil => (Round::Up, false),
        Op::F2iRint | Op::F2i64Rint => (Round::NearestEven, true),
        _ => (Round::NearestEven, false),
    };
    // Everything from 2^70 on is equally out of range.
    let far = 1i128 << 70;
    let integer = match value {
        Val::Zero(_) => Some(0),
        Val::Inf(neg) => Some(if neg { -far } else { far }),
        Val::Nan(_) => None,
        Val::Real(r) if r.top() >= 70 => Some(if r.neg { -far } else { far }),
        Val::Real(r) => {
            let magnitude = round_shift(&r, -r.exp, direction).0 as i128;
            Some(if r.neg { -magnitude } else { magnitude })
        }
    };
    let wide = op.info().result == Kind::I64;
    let is_largest = match (value, rule.format) {
        (Val::Real(r), Format::Float(f)) => r.cmp_abs(&largest(f, r.neg)).is_eq(),
        _ => false,
    };
    let (low, high) = match (signed, wide) {
        (true, false) => (i32::MIN as i128, i32::MAX as i128),
        (true, true) => (i64::MIN as i128, i64::MAX as i128),
        (false, false) => (0, u32::MAX as i128),
        (false, true) => (0, u64::MAX as i128),
    };
    // Unsigned words come of a conversion to 64 bits: signed ones, or all of them.
    let (least, most) = if wide { (low, high) } else { (i64::MIN as i128, i64::MAX as i128) };
    // The largest word below the end of the range that the operand's format has.
    let short = match rule.format {
        Format::Float(f) => f.precision() as i32,
        Format::Fixed(_) => 64,
    };
    let width = 128 - high.leading_zeros() as i32;
    let highest = if width > short { high >> (width - short) << (width - short) } else { high };
    let word = match (rule.to_int, integer) {
        (ToInt::SaturateFloat, None) => 0,
        (ToInt::SaturateFloat, Some(v)) => v.clamp(low, highest) as u64,
        (ToInt::Zero, Some(v)) if (low..=high).contains(&v) => v as u64,
        // The largest numbers of both signs give the least integer.
        (ToInt::Zero, Some(_)) if is_largest => 1 << if wide { 63 } else { 31 },
        (ToInt::Zero, _) => 0,
        (ToInt::Saturate, None) => 0,
        (ToInt::Saturate, Some(v)) => v.clamp(low, high) as u64,
        (ToInt::AllOnes, Some(v)) if (low..=high).contains(&v) => v as u64,
        (ToInt::AllOnes, _) => {
            if signed {
                low as u64
            } else {
                high as u64
            }
        }
        (ToInt::Indefinite, Some(v)) if signed && (low..=high).contains(&v) => v as u64,
        (ToInt::Indefinite, _) if signed => low as u64,
        (ToInt::Indefinite, Some(v)) if (least..=most).contains(&v) => v as u64,
        (ToInt::Indefinite, _) => 0,
    };
    if wide { word } else { word & 0xffff_ffff }
}

/// A value moved into another container with its bits in mind: numbers are rounded in the rule's direction, NaNs keep
/// as much of their payload as fits, signalling ones too.
fn moved(value: Val, to: Storage, direction: Round) -> Val {
    match (value, to.format()) {
        (Val::Real(r), Format::Float(f)) => round_float(r, f, direction, Overflow::Ieee),
        (Val::Nan(n), Format::Float(f)) => {
            let payload = n.payload >> (52 - f.frac) << (52 - f.frac);
            Val::Nan(Nan { payload: if payload == 0 { QUIET } else { payload }, ..n })
        }
        (v, _) => v,
    }
}

/// The pattern of a value in the declared format, zero-extended (fixed point: sign-extended to 32 bits).
pub(crate) fn bits_of(rule: &Rule, bits: u64) -> u64 {
    let to = rule.decl.format().storage();
    if to == rule.storage {
        return bits & mask(to);
    }
    encode(declared(rule, unpack(bits, rule.storage)), to)
}

/// A value rounded to the declared format, as before every observation of its bits.
pub(crate) fn declared(rule: &Rule, value: Val) -> Val {
    let decl = rule.decl.format();
    if decl == rule.format {
        return value;
    }
    match decl {
        Format::Float(_) => moved(value, decl.storage(), rule.round),
        Format::Fixed(_) => round(value, &Rule { format: decl, ..*rule }),
    }
}

/// The value whose pattern in the declared format is `bits`.
pub(crate) fn bits_to(rule: &Rule, bits: u64) -> u64 {
    let from = rule.decl.format().storage();
    if from == rule.storage {
        return bits & mask(from);
    }
    let value = unpack(bits, from);
    encode(
        match rule.format {
            Format::Float(_) => moved(value, rule.storage, rule.round),
            Format::Fixed(_) => round(value, rule),
        },
        rule.storage,
    )
}

const fn mask(storage: Storage) -> u64 {
    u64::MAX >> (64 - storage.bits())
}

/// Sign flipped or cleared. Floats: the sign bit, NaN too; fixed point: arithmetic, clamped.
pub(crate) fn sign_move(op: Op, rule: &Rule, bits: u64) -> u64 {
    let sign = rule.storage.sign_bit();
    if sign != 0 {
        return if op == Op::Neg { bits ^ sign } else { bits & !sign };
    }
    let value = unpack(bits, rule.storage);
    encode(if op == Op::Neg { value.negated() } else { value.with_sign(false) }, rule.storage)
}

/// A value as a half: rounded as the rule says, denormal halves as its `denorm_out` says.
pub(crate) fn to_half(rule: &Rule, value: Val) -> u64 {
    let half = Rule { format: Format::F16, storage: Storage::F16, ..*rule };
    let value = propagated(rule, &[value]).unwrap_or(value);
    encode(round(value, &half), Storage::F16)
}

/// A half as a value, denormal halves as the rule's `denorm_in` says.
pub(crate) fn from_half(rule: &Rule, bits: u64) -> Val {
    let half = Rule { format: Format::F16, ..*rule };
    let value = flush_operand(unpack(bits & 0xffff, Storage::F16), &half);
    propagated(rule, &[value]).unwrap_or(value)
}
