//! The choice of a result inside a documented error bound.

use crate::soft::arith::sum;
use crate::soft::round::{finish, round};
use crate::soft::value::{Real, Val};
use crate::{Accuracy, Op, Overflow, Probe, Round, Rule};

/// Rounds a recipe's exact value, or picks another value inside the rule's bound. `pinned` values are exact points.
pub(crate) fn choose(op: Op, rule: &Rule, words: &[u64], value: Val, pinned: bool) -> Val {
    let (bits, floor) = match rule.accuracy {
        Accuracy::Correct => return finish(value, rule),
        Accuracy::Bounded { bits, floor } => (bits, floor),
    };
    let exact = match value {
        Val::Real(r) if !pinned && rule.probe != Probe::Nearest => r,
        _ => return finish(value, rule),
    };
    let size = exact.top().max(floor as i32) - bits as i32;
    let bound = Real { neg: false, exp: size, sig: 1, sticky: false };
    let (low, high) = (end(rule, exact, bound, true), end(rule, exact, bound, false));
    if low.compare(&high).is_gt() {
        // No value of the format lies inside the bound.
        return finish(value, rule);
    }
    let chosen = match rule.probe {
        Probe::Nearest => value,
        Probe::Lowest => low,
        Probe::Highest => high,
        Probe::Random(seed) => {
            // A point of (-1, 1) with 63 bits, times the bound.
            let offset = hash(seed, op, rule, words) as i64 | 1;
            let step = Real { neg: offset < 0, exp: size - 63, sig: offset.unsigned_abs() as u128, sticky: false };
            let point = round(sum(exact, step).map_or(Val::Zero(false), Val::Real), rule);
            if point.compare(&low).is_lt() {
                low
            } else if point.compare(&high).is_gt() {
                high
            } else {
                point
            }
        }
    };
    finish(chosen, rule)
}

/// The lowest or highest value of the format inside exact +- bound.
fn end(rule: &Rule, exact: Real, bound: Real, lowest: bool) -> Val {
    let shifted = sum(exact, bound.with_sign(lowest)).map_or(Val::Zero(false), Val::Real);
    let round_inward = if lowest { Round::Up } else { Round::Down };
    round(shifted, &Rule { round: round_inward, overflow: Overflow::Ieee, ..*rule })
}

/// A 64-bit hash of what a random choice may depend on: seed, operation, the fields that come from the slot alone, and
/// the operands' bits. Nothing else enters, so optimisation and lane width cannot change it.
pub(crate) fn hash(seed: u64, op: Op, rule: &Rule, words: &[u64]) -> u64 {
    let mut state = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    let slot = (op as u64) << 32 | (rule.decl as u64) << 16 | (rule.saturate as u64) << 8 | rule.scale as u8 as u64;
    state = mix(state ^ slot);
    for word in words {
        state = mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word);
    }
    state
}

/// A bijective mixer: two rounds of xor-shift and multiply.
const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}
