//! Which inputs a sweep runs over, and the numbering of them.

use parallax_num::Decl;
use serde::{Deserialize, Serialize};

/// The inputs of a sweep. Every kind numbers its inputs from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inputs {
    /// Consecutive values of one operand in ascending order: places `first` to `last` of [`place_of`], both included.
    Unary {
        /// First place.
        first: u64,
        /// Last place.
        last: u64,
    },
    /// Every pair of patterns of a format of at most 16 bits.
    Pairs,
    /// For formats too wide for all pairs: for every pair of binades (sign and exponent of either operand) `per_cell`
    /// pairs with hashed fractions, then all pairs of corner values, then `random` pairs of hashed patterns.
    Stratified {
        /// Pairs per pair of binades.
        per_cell: u32,
        /// Pairs of any patterns.
        random: u64,
        /// Start of the hash.
        seed: u64,
    },
    /// All combinations of a few corner values, then `random` tuples, half of them with operands of similar size.
    Tuples {
        /// Hashed tuples.
        random: u64,
        /// Start of the hash.
        seed: u64,
    },
}

/// Bits of the pattern that stands at a place in ascending order: -NaN, -inf .. -0, +0 .. +inf, +NaN for floats of
/// `bits` bits; for fixed point the numbers in order.
pub fn bits_at(place: u64, decl: Decl) -> u64 {
    let width = width(decl);
    let half = 1u64 << (width - 1);
    if is_fixed(decl) {
        // Sign-extended to the 32 bits of the container.
        return u64::from((place as i64 - half as i64) as i32 as u32);
    }
    if place < half { 2 * half - 1 - place } else { place - half }
}

/// The place of a pattern: the inverse of [`bits_at`].
pub fn place_of(bits: u64, decl: Decl) -> u64 {
    let width = width(decl);
    let half = 1u64 << (width - 1);
    if is_fixed(decl) {
        return (i64::from(bits as u32 as i32) + half as i64) as u64;
    }
    if bits >= half { 2 * half - 1 - bits } else { bits + half }
}

/// Bits of a pattern.
pub(crate) fn width(decl: Decl) -> u32 {
    decl.format().bits()
}

fn is_fixed(decl: Decl) -> bool {
    matches!(decl, Decl::Fx12 | Decl::Fx9)
}

/// Patterns whose neighbourhood breaks things: zeros, ones, ends of ranges, infinities, NaN.
fn corners(decl: Decl) -> Vec<u64> {
    let width = width(decl);
    if is_fixed(decl) {
        let half = 1i64 << (width - 1);
        let one = 1i64 << decl.format().bits().saturating_sub(2);
        return [0, 1, -1, one, -one, half - 1, -half].iter().map(|&v| u64::from(v as i32 as u32)).collect();
    }
    let (exp, frac) = match decl {
        Decl::F16 => (5u32, 10u32),
        Decl::F64 => (11, 52),
        _ => (8, 23),
    };
    let top = ((1u64 << exp) - 1) << frac;
    let one = ((1u64 << (exp - 1)) - 1) << frac;
    let positive = [
        0,
        1,
        (1 << frac) - 1,
        1 << frac,
        (1 << frac) + 1,
        one - 1,
        one,
        one + 1,
        one + (1 << frac),
        one + (frac as u64) * (1 << frac),
        top - 1,
        top,
        top | 1 << (frac - 1),
        top | 1,
    ];
    positive.iter().flat_map(|&p| [p, p | 1 << (width - 1)]).collect()
}

/// A word for operand `k` of an input that depends on all bits of its arguments (the finaliser of SplitMix64, twice).
fn hash(seed: u64, n: u64, k: u64) -> u64 {
    mix(hash_input(seed, n) ^ k.wrapping_mul(0xd1b5_4a32_d192_ed03))
}

/// A word for a whole input (SplitMix64).
#[inline(always)]
fn hash_input(seed: u64, n: u64) -> u64 {
    mix(seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[inline(always)]
fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Inputs {
    /// All values of one operand.
    pub fn all(decl: Decl) -> Inputs {
        let last = (1u64 << width(decl)) - 1;
        Inputs::Unary { first: 0, last }
    }

    /// Number of inputs, given the operand format and the number of operands.
    pub fn count(&self, decl: Decl, arity: usize) -> u64 {
        let corners = corners(decl).len() as u64;
        match *self {
            Inputs::Unary { first, last } => last - first + 1,
            Inputs::Pairs => 1 << (2 * width(decl)),
            Inputs::Stratified { per_cell, random, .. } => {
                cells(decl) * u64::from(per_cell) + corners * corners + random
            }
            Inputs::Tuples { random, .. } => corners.pow(arity.min(3) as u32) + random,
        }
    }

    /// Writes the operands of inputs `start..start + rows[0].len()` into one row per operand.
    pub(crate) fn fill(&self, decl: Decl, start: u64, rows: &mut [Vec<u64>]) {
        let mask = u64::MAX >> (64 - width(decl));
        let len = rows[0].len();
        match *self {
            Inputs::Unary { first, .. } => {
                let start = first + start;
                let half = 1 << (width(decl) - 1);
                if is_fixed(decl) {
                    for (place, slot) in (start..).zip(rows[0].iter_mut()) {
                        *slot = bits_at(place, decl);
                    }
                } else {
                    // Patterns of negative floats go down as the places go up.
                    let below = len.min(half.max(start) as usize - start as usize);
                    let (negative, positive) = rows[0].split_at_mut(below);
                    for (i, slot) in negative.iter_mut().enumerate() {
                        *slot = 2 * half - 1 - start - i as u64;
                    }
                    for (i, slot) in positive.iter_mut().enumerate() {
                        *slot = start.max(half) - half + i as u64;
                    }
                }
            }
            Inputs::Pairs => {
                let width = width(decl);
                for (k, row) in rows.iter_mut().enumerate() {
                    let shift = if k == 0 { width } else { 0 };
                    for (i, slot) in row.iter_mut().enumerate() {
                        *slot = bits_at((start + i as u64) >> shift & mask, decl);
                    }
                }
            }
            Inputs::Stratified { per_cell, seed, .. } => {
                let [first, second] = rows else { return };
                stratified(decl, per_cell, seed, start, first, second);
            }
            Inputs::Tuples { seed, .. } => {
                let corners = corners(decl);
                let arity = rows.len();
                let combos = (corners.len() as u64).pow(arity.min(3) as u32);
                for i in 0..len {
                    let n = start + i as u64;
                    let mut left = n;
                    for (k, row) in rows.iter_mut().enumerate() {
                        row[i] = if n < combos {
                            let at = (left % corners.len() as u64) as usize;
                            left /= corners.len() as u64;
                            // Operands beyond the third repeat the first three.
                            corners[if k < 3 { at } else { (n as usize + k) % corners.len() }]
                        } else if n.is_multiple_of(2) || frac_bits(decl) == 0 {
                            container(hash(seed, n, k as u64) & mask, decl)
                        } else {
                            near_one(hash(seed, n, k as u64), decl)
                        };
                    }
                }
            }
        }
    }

    /// What the inputs cover, as a sentence.
    pub fn describe(&self, decl: Decl, arity: usize) -> String {
        let count = self.count(decl, arity);
        match self {
            Inputs::Unary { .. } if count == 1 << width(decl) => format!("all {count} patterns"),
            Inputs::Unary { first, last } => format!(
                "{count} consecutive values, from pattern {:#x} to {:#x}",
                bits_at(*first, decl),
                bits_at(*last, decl)
            ),
            Inputs::Pairs => format!("all {count} pairs of patterns"),
            Inputs::Stratified { per_cell, random, seed } => format!(
                "{count} pairs: {per_cell} for each of {} pairs of binades, {} pairs of corner values, {random} random \
                 pairs (seed {seed})",
                cells(decl),
                corners(decl).len().pow(2)
            ),
            Inputs::Tuples { random, seed } => format!(
                "{count} tuples: {} combinations of corner values, {random} random tuples (seed {seed})",
                count - random
            ),
        }
    }
}

/// Pairs from number `start` on, for [`Inputs::Stratified`]. A word of the hash is two patterns of at most 32 bits.
fn stratified(decl: Decl, per_cell: u32, seed: u64, start: u64, first: &mut [u64], second: &mut [u64]) {
    let frac = frac_bits(decl);
    let (mask, fraction) = (u64::MAX >> (64 - width(decl)), (1u64 << frac) - 1);
    let side_bits = width(decl) - frac;
    let corners = corners(decl);
    let per_cell = u64::from(per_cell);
    let strata = cells(decl) * per_cell;
    let pairs = strata + (corners.len() * corners.len()) as u64;
    let len = first.len().min(second.len());
    let mut i = 0;
    while i < len {
        let n = start + i as u64;
        if n >= pairs {
            for (i, (a, b)) in first[i..len].iter_mut().zip(&mut second[i..len]).enumerate() {
                let word = hash_input(seed, n + i as u64);
                (*a, *b) = (word >> 32 & mask, word & mask);
            }
            return;
        }
        if n >= strata {
            let m = (n - strata) as usize;
            (first[i], second[i]) = (corners[m / corners.len()], corners[m % corners.len()]);
            i += 1;
            continue;
        }
        // To the end of the cell.
        let cell = n / per_cell;
        let end = len.min(i + ((cell + 1) * per_cell - n) as usize);
        let (a_binade, b_binade) = ((cell >> side_bits) << frac, (cell & ((1 << side_bits) - 1)) << frac);
        for (i, (a, b)) in first[i..end].iter_mut().zip(&mut second[i..end]).enumerate() {
            let word = hash_input(seed, n + i as u64);
            *a = a_binade | word >> 32 & fraction;
            *b = b_binade | word & fraction;
        }
        i = end;
    }
}

/// Stored fraction bits; 0 for fixed point.
fn frac_bits(decl: Decl) -> u32 {
    match decl {
        Decl::F32 | Decl::Mediump => 23,
        Decl::F16 => 10,
        Decl::F64 => 52,
        Decl::Fx12 | Decl::Fx9 => 0,
    }
}

/// Pairs of (sign, exponent) fields.
fn cells(decl: Decl) -> u64 {
    let side = 1u64 << (width(decl) - frac_bits(decl));
    side * side
}

/// A pattern as its container holds it: fixed point is sign-extended.
fn container(pattern: u64, decl: Decl) -> u64 {
    if is_fixed(decl) {
        let shift = 32 - width(decl);
        return u64::from((((pattern as u32) << shift) as i32 >> shift) as u32);
    }
    pattern
}

/// A float of either sign between 2^-4 and 2^4.
fn near_one(word: u64, decl: Decl) -> u64 {
    let (frac, width) = (frac_bits(decl), width(decl));
    let bias = (1u64 << (width - 2 - frac)) - 1;
    let exp = bias - 4 + (word >> 56) % 8;
    (word & 1) << (width - 1) | exp << frac | word >> 1 & ((1 << frac) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_ascending_order_and_invert() {
        for decl in [Decl::F16, Decl::Fx12, Decl::F32] {
            let total = 1u64 << width(decl);
            let step = (total / 5000).max(1) | 1;
            let mut last = f64::NEG_INFINITY;
            let mut place = 0;
            while place < total {
                let bits = bits_at(place, decl);
                assert_eq!(place_of(bits, decl), place);
                let value = parallax_num::ulp::to_f64(bits, decl.format().storage());
                if !value.is_nan() {
                    assert!(value >= last, "{decl} {bits:#x}");
                    last = value;
                }
                place += step;
            }
        }
        assert_eq!(bits_at(1 << 31, Decl::F32), 0);
        assert_eq!(bits_at((1 << 31) - 1, Decl::F32), 1 << 31);
    }

    #[test]
    fn ranges_hold_their_places() {
        for (decl, first) in [(Decl::F32, (1 << 31) - 20), (Decl::F32, 1 << 31), (Decl::F32, 9), (Decl::Fx12, 2030)] {
            let inputs = Inputs::Unary { first, last: first + 49 };
            let mut rows = vec![vec![0; 45]];
            inputs.fill(decl, 5, &mut rows);
            for (place, bits) in (first + 5..).zip(&rows[0]) {
                assert_eq!(*bits, bits_at(place, decl), "{decl} {place}");
            }
        }
    }

    #[test]
    fn numbering_does_not_depend_on_where_a_row_starts() {
        let kinds = [
            (Inputs::Stratified { per_cell: 1, random: 1000, seed: 7 }, Decl::F32, 2),
            (Inputs::Tuples { random: 100, seed: 7 }, Decl::F16, 3),
            (Inputs::Pairs, Decl::Fx12, 2),
        ];
        for (inputs, decl, arity) in kinds {
            let count = inputs.count(decl, arity);
            for start in [0, 5, count - 40] {
                let mut long = vec![vec![0; 40]; arity];
                inputs.fill(decl, start, &mut long);
                let mut short = vec![vec![0; 7]; arity];
                inputs.fill(decl, start + 11, &mut short);
                for (long, short) in long.iter().zip(&short) {
                    assert_eq!(long[11..18], short[..]);
                }
            }
        }
    }
}
