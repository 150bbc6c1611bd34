//! Kernels that compute in integers.

use super::{Kernel, numbers};

/// Initial hash value and round constants: the fractional bits of square and cube roots of the first primes.
fn roots() -> ([u32; 8], [u32; 64]) {
    let primes: Vec<u128> = (2..312).filter(|n| (2..*n).all(|d| n % d != 0)).collect();
    // The largest number whose power is not above, 32 bits of it behind the point.
    let root = |prime: u128, power: u32| {
        (0..36).rev().fold(0u128, |root, bit| {
            let more = root | 1 << bit;
            if more.pow(power) <= prime << (32 * power) { more } else { root }
        }) as u32
    };
    (std::array::from_fn(|n| root(primes[n], 2)), std::array::from_fn(|n| root(primes[n], 3)))
}

/// SHA-256 of one block, which holds its own padding: FIPS 180-4, section 6.2.2.
fn compressed(block: &[u32], hash: [u32; 8], constants: &[u32; 64]) -> [u32; 8] {
    let mut w = block.to_vec();
    for t in 16..64 {
        let (a, b) = (w[t - 15], w[t - 2]);
        let a = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let b = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        w.push(w[t - 16].wrapping_add(a).wrapping_add(w[t - 7]).wrapping_add(b));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
    for (w, k) in w.iter().zip(constants) {
        let chosen = (e & f) ^ (!e & g);
        let first = h
            .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
            .wrapping_add(chosen)
            .wrapping_add(*k)
            .wrapping_add(*w);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    let working = [a, b, c, d, e, f, g, h];
    std::array::from_fn(|n| hash[n].wrapping_add(working[n]))
}

/// The digest of one block of 16 words, which holds its own padding.
pub fn sha256_of_block(block: &[u32]) -> [u32; 8] {
    let (hash, constants) = roots();
    compressed(block, hash, &constants)
}

pub(super) fn sha256() -> Kernel {
    const BLOCKS: u32 = 16 * 1024;
    /// Bits of a message of 52 bytes.
    const BITS: u32 = 52 * 8;
    let mut blocks = numbers(0, BLOCKS * 16);
    for block in blocks.chunks_mut(16) {
        block[13..].copy_from_slice(&[1 << 31, 0, BITS]);
    }
    let (hash, constants) = roots();
    let digests: Vec<u32> = blocks.chunks(16).flat_map(|block| compressed(block, hash, &constants)).collect();
    Kernel {
        name: "sha256",
        text: include_str!("../../shaders/sha256.plx"),
        grid: [BLOCKS / 256, 1, 1],
        buffer: 1,
        count: u64::from(BLOCKS),
        words: vec![("blocks".into(), blocks), ("digests".into(), vec![0; digests.len()])],
        wanted: digests,
    }
}

pub(super) fn prefix_sum() -> Kernel {
    let data = numbers(0, 16 * 1024);
    let sums = data.chunks(1024).flat_map(|group| {
        group.iter().scan(0u32, |sum, &n| {
            *sum = sum.wrapping_add(n);
            Some(*sum)
        })
    });
    Kernel {
        name: "prefix_sum",
        text: include_str!("../../shaders/prefix_sum.plx"),
        grid: [16, 1, 1],
        buffer: 0,
        wanted: sums.collect(),
        count: data.len() as u64,
        words: vec![("data".into(), data)],
    }
}

pub(super) fn histogram() -> Kernel {
    let data = numbers(0, 1 << 16);
    let mut counts = vec![0; 256];
    data.iter().for_each(|n| counts[(n & 255) as usize] += 1);
    Kernel {
        name: "histogram",
        text: include_str!("../../shaders/histogram.plx"),
        grid: [256, 1, 1],
        buffer: 1,
        wanted: counts,
        count: data.len() as u64,
        words: vec![("data".into(), data), ("counts".into(), vec![0; 256])],
    }
}
