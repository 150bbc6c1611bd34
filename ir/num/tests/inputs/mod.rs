//! Deterministic operand streams that dwell on the places where arithmetic goes wrong.
#![allow(dead_code, unreachable_pub)]

pub mod real;

use parallax_num::Storage;
pub use parallax_random::Random;

/// Exponent and fraction bits of a float container.
pub fn shape(storage: Storage) -> (u32, u32) {
    match storage {
        Storage::F16 => (5, 10),
        Storage::F32 => (8, 23),
        _ => (11, 52),
    }
}

/// A lane word: random bits, special values, short fractions, numbers near 1, near the ends of the range.
pub fn word(random: &mut Random, storage: Storage) -> u64 {
    if let Storage::Fixed(f) = storage {
        let bits = f.int + f.frac;
        let r = random.word() as i64;
        let v = match random.below(6) {
            0 => 0,
            1 => (1i64 << (bits - 1)) - 1,
            2 => -(1i64 << (bits - 1)),
            3 => 1i64 << f.frac,
            _ => r << (64 - bits) >> (64 - bits),
        };
        return v as i32 as u32 as u64;
    }
    let (e, m) = shape(storage);
    let all = u64::MAX >> (63 - e - m);
    let sign = (random.word() & 1) << (e + m);
    let frac = match random.below(6) {
        0 => 0,
        1 => (1 << m) - 1,
        2 => 1 << random.below(m as u64),
        3 => (1 << m) - (1 << random.below(m as u64 + 1)),
        _ => random.word() & ((1 << m) - 1),
    } & ((1 << m) - 1);
    let bias = (1u64 << (e - 1)) - 1;
    let field = match random.below(12) {
        0 => 0,
        1 => (1 << e) - 1,
        2 => (1 << e) - 2,
        3 => 1,
        4 => 1 + random.below(m as u64),
        5..=8 => (bias + random.below(2 * m as u64)).saturating_sub(m as u64).min((1 << e) - 2),
        _ => random.below(1 << e),
    };
    if random.below(16) == 0 { random.word() & all } else { sign | field << m | frac }
}

/// A word near another one: the same number a few steps away, perhaps negated or scaled by a power of two.
pub fn near(random: &mut Random, other: u64, storage: Storage) -> u64 {
    let steps = random.below(5) as i64 - 2;
    let moved = (other as i64).wrapping_add(steps) as u64;
    let (e, m) = match storage {
        Storage::Fixed(_) => return (moved as u32 as i32).clamp(-2048, 2047) as u32 as u64,
        _ => shape(storage),
    };
    let scale = if random.below(2) == 0 { random.below(4) << m } else { 0 };
    let all = u64::MAX >> (63 - e - m);
    (moved ^ (random.word() & 1) << (e + m)).wrapping_add(scale) & all
}

/// Operands of an operation: independent, or close to each other.
pub fn words<const N: usize>(random: &mut Random, storage: Storage) -> [u64; N] {
    let mut out = [0; N];
    for i in 0..N {
        out[i] = if i > 0 && random.below(4) == 0 { near(random, out[i - 1], storage) } else { word(random, storage) };
    }
    out
}
