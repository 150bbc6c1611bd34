//! Deterministic operand streams that dwell on the places where arithmetic goes wrong.
#![allow(dead_code, unreachable_pub, unused_imports, reason = "each test file uses a part")]

pub mod real;

pub use parallax_gen::{near, shape, word};
use parallax_num::Storage;
pub use parallax_random::Random;

/// Operands of an operation: independent, or close to each other.
pub fn words<const N: usize>(random: &mut Random, storage: Storage) -> [u64; N] {
    let mut out = [0; N];
    for i in 0..N {
        out[i] = if i > 0 && random.below(4) == 0 { near(random, out[i - 1], storage) } else { word(random, storage) };
    }
    out
}
