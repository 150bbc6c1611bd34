//! Deterministic operand streams that dwell on the places where arithmetic goes wrong.
#![allow(dead_code, unreachable_pub)]

pub mod real;

use parallax_num::Storage;

/// A small generator: the same numbers on every host.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// Exponent and fraction bits of a float container.
pub fn shape(storage: Storage) -> (u32, u32) {
    match storage {
        Storage::F16 => (5, 10),
        Storage::F32 => (8, 23),
        _ => (11, 52),
    }
}

/// A lane word: random bits, special values, short fractions, numbers near 1, near the ends of the range.
pub fn word(rng: &mut Rng, storage: Storage) -> u64 {
    if let Storage::Fixed(f) = storage {
        let bits = f.int + f.frac;
        let r = rng.next() as i64;
        let v = match rng.below(6) {
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
    let sign = (rng.next() & 1) << (e + m);
    let frac = match rng.below(6) {
        0 => 0,
        1 => (1 << m) - 1,
        2 => 1 << rng.below(m as u64),
        3 => (1 << m) - (1 << rng.below(m as u64 + 1)),
        _ => rng.next() & ((1 << m) - 1),
    } & ((1 << m) - 1);
    let bias = (1u64 << (e - 1)) - 1;
    let field = match rng.below(12) {
        0 => 0,
        1 => (1 << e) - 1,
        2 => (1 << e) - 2,
        3 => 1,
        4 => 1 + rng.below(m as u64),
        5..=8 => (bias + rng.below(2 * m as u64)).saturating_sub(m as u64).min((1 << e) - 2),
        _ => rng.below(1 << e),
    };
    if rng.below(16) == 0 { rng.next() & all } else { sign | field << m | frac }
}

/// A word near another one: the same number a few steps away, perhaps negated or scaled by a power of two.
pub fn near(rng: &mut Rng, other: u64, storage: Storage) -> u64 {
    let steps = rng.below(5) as i64 - 2;
    let moved = (other as i64).wrapping_add(steps) as u64;
    let (e, m) = match storage {
        Storage::Fixed(_) => return (moved as u32 as i32).clamp(-2048, 2047) as u32 as u64,
        _ => shape(storage),
    };
    let scale = if rng.below(2) == 0 { rng.below(4) << m } else { 0 };
    let all = u64::MAX >> (63 - e - m);
    (moved ^ (rng.next() & 1) << (e + m)).wrapping_add(scale) & all
}

/// Operands of an operation: independent, or close to each other.
pub fn words<const N: usize>(rng: &mut Rng, storage: Storage) -> [u64; N] {
    let mut out = [0; N];
    for i in 0..N {
        out[i] = if i > 0 && rng.below(4) == 0 { near(rng, out[i - 1], storage) } else { word(rng, storage) };
    }
    out
}
