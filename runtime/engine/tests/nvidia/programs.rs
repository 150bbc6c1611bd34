//! Whole programs: shared memory, barriers, warps, atomics, loops, calls.

use super::cubin::{Arg, Call, kernels, random, run, same, words};
use Arg::{Buffer, Words};

/// Runs a kernel for all of its targets, and compares one parameter's buffer.
fn check(name: &str, call: &Call, param: usize, wanted: &[u32]) {
    check_all(name, call, &[(param, wanted)]);
}

fn check_all(name: &str, call: &Call, wanted: &[(usize, &[u32])]) {
    let all = kernels(include_str!("programs.txt"));
    let kernel = all.iter().find(|kernel| kernel.name == name).unwrap_or_else(|| panic!("no kernel {name}"));
    // Sums of products of bytes are Pascal's.
    assert_eq!(kernel.targets.len(), if name == "dot_products" { 1 } else { 2 });
    for target in &kernel.targets {
        let found = run(name, target, call);
        for (param, wanted) in wanted {
            same(&format!("{name} for sm_{}, parameter {param}", target.sm), &found[*param], wanted);
        }
    }
}

fn zeros(count: usize) -> Arg {
    Buffer(vec![0; count])
}

/// Numbers from -1 to 1, as bits.
fn floats(seed: u64, count: usize) -> Vec<u32> {
    random(seed, count).into_iter().map(|word| (word as i32 as f32 / 2f32.powi(31)).to_bits()).collect()
}

fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[test]
fn saxpy() {
    let (x, y) = (floats(1, 300), floats(2, 300));
    let wanted: Vec<u32> =
        (0..300).map(|n| if n < 290 { f(x[n]).mul_add(2.5, f(y[n])).to_bits() } else { y[n] }).collect();
    let call = Call::new(3, 128, vec![Buffer(x), Buffer(y), Words(vec![2.5f32.to_bits()]), Words(vec![290])]);
    check("saxpy", &call, 1, &wanted);
}

#[test]
fn reversal_by_shared_memory() {
    let x = random(3, 384);
    let wanted: Vec<u32> = x.chunks(128).flat_map(|part| part.iter().rev().copied()).collect();
    check("reverse_shared", &Call::new(3, 128, vec![Buffer(x), zeros(384)]), 1, &wanted);
    // A workgroup that is no multiple of a warp.
    let x = random(4, 90);
    let wanted: Vec<u32> = x.chunks(45).flat_map(|part| part.iter().rev().copied()).collect();
    check("reverse_shared", &Call::new(2, 45, vec![Buffer(x), zeros(90)]), 1, &wanted);
}

#[test]
fn matrix_product() {
    const N: usize = 32;
    let (a, b) = (floats(5, N * N), floats(6, N * N));
    let entry = |n: usize| {
        let (row, column) = (n / N, n % N);
        (0..N).fold(0f32, |sum, k| f(a[row * N + k]).mul_add(f(b[k * N + column]), sum)).to_bits()
    };
    let wanted: Vec<u32> = (0..N * N).map(entry).collect();
    let args = vec![Buffer(a.clone()), Buffer(b.clone()), zeros(N * N), Words(vec![N as u32])];
    check("matmul", &Call { grid: [2, 2, 1], block: [16, 16, 1], args }, 2, &wanted);
}

#[test]
fn sums_of_workgroups() {
    let x = random(7, 512);
    let wanted: Vec<u32> = x.chunks(256).map(|part| part.iter().fold(0u32, |sum, n| sum.wrapping_add(*n))).collect();
    check("block_sum", &Call::new(2, 256, vec![Buffer(x), zeros(2)]), 1, &wanted);
}

#[test]
fn sums_of_warps() {
    let x = floats(8, 128);
    let mut all: Vec<f32> = x.iter().map(|&word| f(word)).collect();
    for step in [16, 8, 4, 2, 1] {
        all = (0..128).map(|n: usize| all[n] + all[n ^ step]).collect();
    }
    let wanted: Vec<u32> = all.iter().map(|sum| sum.to_bits()).collect();
    check("warp_sum", &Call::new(2, 64, vec![Buffer(x), zeros(128)]), 1, &wanted);
}

#[test]
fn prefix_sums_of_warps_and_workgroups() {
    let x = random(9, 512);
    let scan = |size: usize| -> Vec<u32> {
        let sums = |part: &[u32]| {
            part.iter()
                .scan(0u32, |sum, n| {
                    *sum = sum.wrapping_add(*n);
                    Some(*sum)
                })
                .collect::<Vec<_>>()
        };
        x.chunks(size).flat_map(sums).collect()
    };
    check("warp_scan", &Call::new(4, 128, vec![Buffer(x.clone()), zeros(512)]), 1, &scan(32));
    check("block_scan", &Call::new(2, 256, vec![Buffer(x.clone()), zeros(512)]), 1, &scan(256));
}

#[test]
fn shuffles() {
    let x = random(10, 64);
    let each = |n: usize| {
        let (lane, warp) = (n % 32, n - n % 32);
        let own = x[n];
        let by_index = x[warp + (own & 31) as usize];
        // Segments of 8 lanes: mask 0x18, the last of a segment is the own one with the low bits of 7.
        let down = lane + 3;
        let valid = down <= (lane & 0x18 | 7);
        let by_distance = if valid { x[warp + down] } else { own };
        // Segments of 8 lanes, last lane 0xf of which 7 counts.
        let fifth = x[warp + (lane & 0x18 | 5)];
        (by_index ^ by_distance ^ fifth).wrapping_add(1 + if valid { 2 } else { 0 })
    };
    let wanted: Vec<u32> = (0..64).map(each).collect();
    check("shuffles", &Call::new(1, 64, vec![Buffer(x.clone()), zeros(64)]), 1, &wanted);
}

#[test]
fn votes() {
    let mut x = random(11, 96);
    x[32..64].iter_mut().for_each(|word| *word |= 1);
    x[64..].iter_mut().for_each(|word| *word &= !1);
    let each = |n: usize| {
        let (lane, warp) = (n % 32, n - n % 32);
        let ballot = (0..32).fold(0, |bits, other| bits | (x[warp + other] & 1) << other);
        let before = (ballot & ((1u32 << lane) - 1)).count_ones();
        let held = u32::from(ballot != 0) + 2 * u32::from(ballot == u32::MAX) + (before << 8) + ((lane as u32) << 16);
        held ^ ballot
    };
    let wanted: Vec<u32> = (0..96).map(each).collect();
    check("votes", &Call::new(1, 96, vec![Buffer(x.clone()), zeros(96)]), 1, &wanted);
}

#[test]
fn votes_of_barriers() {
    let mut x = random(12, 300);
    x[100..200].iter_mut().for_each(|word| *word |= 1);
    x[200..].iter_mut().for_each(|word| *word &= !1);
    let each = |n: usize| {
        let part = &x[n - n % 100..][..100];
        let count = part.iter().filter(|word| *word & 1 != 0).count() as u32;
        count + if count == 100 { 1000 } else { 0 } + if count != 0 { 2000 } else { 0 }
    };
    let wanted: Vec<u32> = (0..300).map(each).collect();
    check("barrier_votes", &Call::new(3, 100, vec![Buffer(x.clone()), zeros(300)]), 1, &wanted);
}

#[test]
fn bitonic_sort() {
    let x = random(13, 512);
    let mut wanted = x.clone();
    wanted.chunks_mut(256).for_each(|part| part.sort_by_key(|word| *word as i32));
    check("bitonic_sort", &Call::new(2, 256, vec![Buffer(x)]), 0, &wanted);
}

#[test]
fn histogram() {
    let x = random(14, 600);
    let mut wanted = vec![0; 64];
    x[..590].iter().for_each(|word| wanted[(word >> 26) as usize] += 1);
    check("histogram", &Call::new(5, 128, vec![Buffer(x), zeros(64), Words(vec![590])]), 1, &wanted);
}

/// Lanes change memory in their order.
#[test]
fn atomics() {
    let start = [5, 0xffff_fff0, 3, 8, 2, 0, 0x1234_5678, u32::MAX, 77, 9, 0xffff_0000, 1, 0x3fc0_0000, 0];
    let mut m = start;
    let mut out = Vec::new();
    for n in 0..70u32 {
        let x = 5u32.wrapping_sub(n);
        let bit = 1u32.checked_shl(n).unwrap_or(0);
        let old = m;
        m[0] = m[0].wrapping_add(n);
        m[1] = (m[1] as i32).min(n as i32) as u32;
        m[2] = (m[2] as i32).max(x as i32) as u32;
        m[3] = if m[3] >= 10 { 0 } else { m[3] + 1 };
        m[4] = if m[4] == 0 || m[4] > 7 { 7 } else { m[4] - 1 };
        m[5] |= bit;
        m[6] ^= bit;
        m[7] &= !bit;
        m[8] = n;
        m[9] = if m[9] == n { x } else { m[9] };
        let pair = (u64::from(m[10]) | u64::from(m[11]) << 32).wrapping_add(u64::from(n) << 31);
        (m[10], m[11]) = (pair as u32, (pair >> 32) as u32);
        m[12] = (f(m[12]) + n as f32 * 0.1).to_bits();
        out.extend(&old[..13]);
        out.push(0);
    }
    let call = Call::new(1, 70, vec![Buffer(start.to_vec()), zeros(14 * 70)]);
    check_all("atomics", &call, &[(0, &m), (1, &out)]);
}

#[test]
fn loops_of_compare_and_swap() {
    let x = floats(15, 96);
    let most = x.iter().map(|&word| f(word)).fold(-5f32, f32::max);
    check(
        "float_max_by_cas",
        &Call::new(3, 32, vec![Buffer(x.clone()), Buffer(vec![(-5f32).to_bits()])]),
        1,
        &[most.to_bits()],
    );
    // Floats in shared memory are added by such a loop, too: in the order of lanes.
    let wanted: Vec<u32> =
        x.chunks(48).map(|part| part.iter().fold(0f32, |sum, &word| sum + f(word)).to_bits()).collect();
    check("shared_float_sum", &Call::new(2, 48, vec![Buffer(x), zeros(2)]), 1, &wanted);
}

/// The first 32 bits of the fraction of a root of each of the first primes.
fn roots(count: usize, cube: bool) -> Vec<u32> {
    let primes = (2u128..).filter(|&n| (2..n).take_while(|k| k * k <= n).all(|k| n % k != 0));
    let root = |prime: u128| {
        // The greatest number whose square or cube is at most prime times 2^64 or 2^96.
        let mut low = 0u128;
        for bit in (0..40).rev() {
            let next = low | 1 << bit;
            let fits = if cube { next * next * next <= prime << 96 } else { next * next <= prime << 64 };
            if fits {
                low = next;
            }
        }
        low as u32
    };
    primes.take(count).map(root).collect()
}

fn sha256(block: &[u32]) -> Vec<u32> {
    let (k, start) = (roots(64, true), roots(8, false));
    let mut w = block.to_vec();
    for n in 16..64 {
        let small = |x: u32, a: u32, b: u32, c: u32| x.rotate_right(a) ^ x.rotate_right(b) ^ x >> c;
        let next = small(w[n - 15], 7, 18, 3).wrapping_add(small(w[n - 2], 17, 19, 10));
        w.push(next.wrapping_add(w[n - 16]).wrapping_add(w[n - 7]));
    }
    let mut s = start.clone();
    for n in 0..64 {
        let big = |x: u32, a: u32, b: u32, c: u32| x.rotate_right(a) ^ x.rotate_right(b) ^ x.rotate_right(c);
        let t1 = s[7]
            .wrapping_add(big(s[4], 6, 11, 25))
            .wrapping_add(s[4] & s[5] ^ !s[4] & s[6])
            .wrapping_add(k[n])
            .wrapping_add(w[n]);
        let t2 = big(s[0], 2, 13, 22).wrapping_add(s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]);
        s.rotate_right(1);
        s[4] = s[4].wrapping_add(t1);
        s[0] = t1.wrapping_add(t2);
    }
    s.iter().zip(&start).map(|(a, b)| a.wrapping_add(*b)).collect()
}

#[test]
fn sha_256() {
    // The padded block of "abc", whose digest the standard has.
    let mut x = vec![0; 16];
    (x[0], x[15]) = (0x6162_6380, 24);
    assert_eq!(sha256(&x)[..2], [0xba78_16bf, 0x8f01_cfea]);
    x.extend(random(16, 16 * 31));
    let wanted: Vec<u32> = x.chunks(16).flat_map(sha256).collect();
    check("sha256", &Call::new(1, 32, vec![Buffer(x), zeros(256)]), 1, &wanted);
}

#[test]
fn mandelbrot() {
    const WIDTH: u32 = 32;
    let scale = 2.5 / 32.0f64;
    let each = |n: u32| {
        let (cx, cy) = (f64::from(n % WIDTH).mul_add(scale, -2.0), f64::from(n / WIDTH).mul_add(scale, -1.25));
        let (mut x, mut y, mut count) = (0f64, 0f64, 0);
        while count < 50 && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, (x * y).mul_add(2.0, cy));
            count += 1;
        }
        count
    };
    let wanted: Vec<u32> = (0..1024).map(each).collect();
    let call = Call::new(8, 128, vec![zeros(1024), Words(vec![WIDTH]), Words(words([scale.to_bits()]))]);
    check("mandelbrot", &call, 0, &wanted);
}

#[test]
fn bodies() {
    let x = floats(17, 4 * 64);
    let body = |n: usize| [0, 1, 2, 3].map(|k| f(x[4 * n + k]));
    let each = |n: usize| {
        let (own, mut sum) = (body(n), [0f32; 3]);
        for other in 0..64 {
            let there = body(other);
            let away = [0, 1, 2].map(|k| there[k] - own[k]);
            let square = away[2].mul_add(away[2], away[1].mul_add(away[1], away[0] * away[0])) + 0.01;
            let force = there[3] / (square.sqrt() * square);
            sum = [0, 1, 2].map(|k| away[k].mul_add(force, sum[k]));
        }
        [sum[0], sum[1], sum[2], own[3]].map(f32::to_bits)
    };
    let wanted: Vec<u32> = (0..64).flat_map(each).collect();
    check("n_body", &Call::new(2, 32, vec![Buffer(x.clone()), zeros(256), Words(vec![64])]), 1, &wanted);
}

#[test]
fn stencil_and_transposition() {
    let x = floats(18, 32 * 32);
    let at = |row: usize, column: usize| f(x[row * 32 + column]);
    let each = |n: usize| {
        let (y, x) = (n / 32, n % 32);
        if x == 0 || y == 0 || x == 31 || y == 31 {
            return 0;
        }
        let around = (at(y, x - 1) + at(y, x + 1)) + (at(y - 1, x) + at(y + 1, x));
        around.mul_add(0.125, at(y, x) * 0.5).to_bits()
    };
    let wanted: Vec<u32> = (0..1024).map(each).collect();
    let args = vec![Buffer(x.clone()), zeros(1024), Words(vec![32]), Words(vec![32])];
    check("stencil", &Call { grid: [2, 4, 1], block: [16, 8, 1], args }, 1, &wanted);
    let wanted: Vec<u32> = (0..1024).map(|n| x[n % 32 * 32 + n / 32]).collect();
    let args = vec![Buffer(x.clone()), zeros(1024), Words(vec![32])];
    check("transpose", &Call { grid: [2, 2, 1], block: [16, 16, 1], args }, 1, &wanted);
}

#[test]
fn loops_that_lanes_leave_at_different_times() {
    let x: Vec<u32> = random(19, 100).into_iter().map(|word| word % 5000).collect();
    let steps = |mut n: u32| {
        let mut count = 0;
        while n > 1 && count < 200 {
            n = if n & 1 == 0 { n / 2 } else { 3 * n + 1 };
            count += 1;
        }
        count
    };
    let wanted: Vec<u32> = x.iter().map(|&n| steps(n)).collect();
    check("collatz", &Call::new(2, 50, vec![Buffer(x.clone()), zeros(100)]), 1, &wanted);
    let y = random(20, 100);
    let gcd = |mut a: u32, mut b: u32| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let wanted: Vec<u32> = (0..100).map(|n| gcd(x[n] * 12, y[n] & !3)).collect();
    let x: Vec<u32> = x.iter().map(|n| n * 12).collect();
    let y: Vec<u32> = y.iter().map(|n| n & !3).collect();
    check("gcd", &Call::new(2, 50, vec![Buffer(x), Buffer(y), zeros(100)]), 2, &wanted);
}

#[test]
fn random_numbers_and_checksums() {
    let each = |n: u32| {
        let start = n.wrapping_mul(0x9e37_79b9).wrapping_add(1);
        (0..20).fold(start, |x, _| {
            let x = x ^ x << 13;
            let x = x ^ x >> 17;
            x ^ x << 5
        })
    };
    let wanted: Vec<u32> = (0..64).map(each).collect();
    check("xorshift", &Call::new(2, 32, vec![zeros(64), Words(vec![20])]), 0, &wanted);
    let x = random(21, 32 * 6);
    let bytes: Vec<u8> = x.iter().flat_map(|word| word.to_le_bytes()).collect();
    let crc = |part: &[u8]| {
        !part.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 != 0 { 0xedb8_8320 } else { 0 })
        })
    };
    assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    // Parts of 23 bytes begin anywhere in a word.
    let wanted: Vec<u32> = bytes.chunks(23).take(32).map(crc).collect();
    check("crc32", &Call::new(1, 32, vec![Buffer(x), zeros(32), Words(vec![23])]), 1, &wanted);
}

fn packed(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|part| part.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect()
}

#[test]
fn bytes_and_halves() {
    let cells: Vec<u8> = random(22, 256).iter().map(|word| (word >> 9 & 1) as u8).collect();
    let each = |n: usize| {
        let (row, column) = (n / 16, n % 16);
        let around = [15, 0, 1].iter().flat_map(|dy| [15, 0, 1].map(|dx| (*dy, dx))).filter(|at| *at != (0, 0));
        let count: u8 = around.map(|(dy, dx)| cells[(row + dy) % 16 * 16 + (column + dx) % 16]).sum();
        u8::from(count | cells[n] == 3)
    };
    let next: Vec<u8> = (0..256).map(each).collect();
    let args = vec![Buffer(packed(&cells)), zeros(64), Words(vec![16])];
    check("life", &Call::new(2, 128, args), 1, &packed(&next));
    let bytes: Vec<u8> = random(23, 128).iter().map(|word| *word as u8).collect();
    let half = |n: usize| u16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]]);
    let mut out = vec![0; 512];
    for n in 0..64 {
        out[n] = (u32::from(bytes[n]) + u32::from(half(n))) as u8;
        let other = (i32::from(bytes[n] as i8) ^ i32::from(half(n) as i16)) as u16;
        out[256 + 2 * n..][..2].copy_from_slice(&other.to_le_bytes());
    }
    check("subwords", &Call::new(1, 64, vec![Buffer(packed(&bytes)), zeros(128)]), 1, &packed(&out));
}

#[test]
fn vectors_of_words() {
    let x = random(24, 128);
    let each = |v: &[u32]| {
        let long = (u64::from(v[0]) | u64::from(v[1]) << 32) >> 16;
        [v[3], v[2].wrapping_add(long as u32), v[1] ^ v[2], v[0].wrapping_add(v[3])]
    };
    let wanted: Vec<u32> = x.chunks(4).flat_map(each).collect();
    check("vectors", &Call::new(1, 32, vec![Buffer(x), zeros(128)]), 1, &wanted);
}

#[test]
fn local_and_constant_memory() {
    let x = random(25, 64);
    let held = |x: u32, n: u32| x.wrapping_mul(n & 15);
    let wanted: Vec<u32> = x.iter().map(|&x| held(x, x) ^ held(x, x >> 4)).collect();
    check("local_array", &Call::new(1, 64, vec![Buffer(x.clone()), zeros(64)]), 1, &wanted);
    let table = [3u32, 1, 4, 1, 5, 9, 2, 6];
    let wanted: Vec<u32> = x.iter().map(|&x| table[x as usize & 7].wrapping_add(x)).collect();
    check("constant_table", &Call::new(1, 64, vec![Buffer(x), zeros(64)]), 1, &wanted);
}

/// Addresses that lead to shared, local or global memory.
#[test]
fn generic_addresses() {
    let x = random(26, 64);
    let wanted: Vec<u32> = x.iter().map(|x| x.wrapping_add(1) << 1).collect();
    let mut changed = x.clone();
    changed[5] = changed[5].wrapping_add(1);
    check_all("generic", &Call::new(1, 64, vec![Buffer(x), zeros(64)]), &[(1, &wanted), (0, &changed)]);
}

#[test]
fn indices_and_sizes() {
    let count = 5 * 3 * 2 * 2 * 3 * 4;
    let wanted: Vec<u32> = (0..count).map(|n| 4000 + n).collect();
    let call = Call { grid: [2, 3, 4], block: [5, 3, 2], args: vec![zeros(count as usize)] };
    check("indices", &call, 0, &wanted);
}

#[test]
fn polynomial_of_doubles() {
    let x: Vec<f64> = random(27, 32).iter().map(|word| f64::from(*word as i32) / 2f64.powi(31)).collect();
    let each = |x: &f64| {
        let factors: [f64; 6] = [
            0x3f81_1111_1111_1111u64,
            0x3fa5_5555_5555_5555,
            0x3fc5_5555_5555_5555,
            0x3fe0_0000_0000_0000,
            0x3ff0_0000_0000_0000,
            0x3ff0_0000_0000_0000,
        ]
        .map(f64::from_bits);
        factors[1..].iter().fold(factors[0], |sum, factor| sum.mul_add(*x, *factor)).to_bits()
    };
    let wanted = words(x.iter().map(each));
    let call = Call::new(1, 32, vec![Buffer(words(x.iter().map(|x| x.to_bits()))), zeros(64)]);
    check("horner", &call, 1, &wanted);
}

#[test]
fn branches_by_number() {
    let x = random(28, 96);
    let each = |&x: &u32| match x & 7 {
        0 => x.wrapping_add(7),
        1 => x.wrapping_mul(13),
        2 => x ^ 0x55,
        3 => x >> 3,
        4 => !x,
        5 => x.count_ones(),
        6 => 9u32.wrapping_sub(x),
        _ => x.reverse_bits(),
    };
    let wanted: Vec<u32> = x.iter().map(each).collect();
    check("switch", &Call::new(1, 96, vec![Buffer(x), zeros(96)]), 1, &wanted);
}

#[test]
fn calls() {
    let x = random(29, 64);
    let mix = |x: u32| {
        let x = (x ^ x >> 16).wrapping_mul(0x85eb_ca6b);
        x ^ x >> 13
    };
    let wanted: Vec<u32> = x.iter().map(|&x| mix(mix(x)) ^ mix(x)).collect();
    check("call", &Call::new(2, 32, vec![Buffer(x), zeros(64)]), 1, &wanted);
}

#[test]
fn parameters_of_all_sizes() {
    let structure = [7, 0, 0x1234_5678, 9, 0, 0, 0, 0, 0x5555_5555, 0x4005_5555];
    let wanted: Vec<u32> = (0..32).flat_map(|n| [7 + 200 + n, 0x1234_5678, 0x5555_5555, 0x4005_5555]).collect();
    let call = Call::new(1, 32, vec![zeros(128), Words(structure.to_vec()), Words(vec![0xffff_ffc8])]);
    check("struct_param", &call, 0, &wanted);
}

/// Atomics at addresses that lead to shared or global memory: half of a warp each.
#[test]
fn generic_atomics() {
    let start = random(30, 8).into_iter().map(|word| word & 0xff).collect::<Vec<u32>>();
    // Pairs of a sum and a maximum, in shared and in global memory.
    let mut memory = [[0; 8].to_vec(), start.clone()];
    let mut out = vec![0u32; 96];
    for group in 0..3 {
        memory[0].fill(0);
        let mut found = [0u32; 32];
        let place = |lane: usize| (usize::from(lane & 4 != 0), 2 * (lane & 3));
        // Four lanes after the other, since nothing looks at a warp.
        for quad in 0..8 {
            let lanes = 4 * quad..4 * quad + 4;
            for lane in lanes.clone() {
                let (which, at) = place(lane);
                found[lane] = memory[which][at];
                memory[which][at] = memory[which][at].wrapping_add(lane as u32);
            }
            for lane in lanes.clone() {
                let (which, at) = place(lane);
                found[lane] = found[lane].wrapping_add(memory[which][at + 1]);
                memory[which][at + 1] = memory[which][at + 1].max(lane as u32);
            }
            for lane in lanes {
                let (which, at) = place(lane);
                let old = memory[which][at];
                found[lane] = found[lane].wrapping_add(old);
                memory[which][at] = if old == 6 { 100 } else { old };
            }
        }
        for lane in 0..32 {
            let [sum, most] = [0, 1].map(|n| memory[0][2 * (lane & 3) + n]);
            out[32 * group + lane] = found[lane].wrapping_mul(31).wrapping_add(sum.wrapping_mul(7)).wrapping_add(most);
        }
    }
    let call = Call::new(3, 32, vec![Buffer(start), zeros(96)]);
    check_all("generic_atomics", &call, &[(0, &memory[1]), (1, &out)]);
}

/// One processor, one launch, and a clock that counts looks at it.
#[test]
fn what_the_driver_and_the_processor_say() {
    let each = |n: u32| [1, 0, 64, n % 64 / 32, 0, 0, 0, 0, (1 << (n % 32)) - 1, 1];
    let wanted: Vec<u32> = (0..128).flat_map(each).collect();
    check("processors", &Call::new(2, 64, vec![zeros(1280)]), 0, &wanted);
}

#[test]
fn products_of_bytes() {
    let (x, y, n) = (random(31, 64), random(32, 64), 0x80ff_7f01u32);
    let byte = |word: u32, n: u32, signed: bool| {
        let byte = (word >> (8 * n)) as u8;
        if signed { i64::from(byte as i8) } else { i64::from(byte) }
    };
    let half = |word: u32, n: u32, signed: bool| {
        let half = (word >> (16 * n)) as u16;
        if signed { i64::from(half as i16) } else { i64::from(half) }
    };
    let each = |at: usize| {
        let (x, y, sum) = (x[at], y[at], at as i64);
        let four = |a: bool, y: u32, b: bool| (0..4).fold(sum, |sum, n| sum + byte(x, n, a) * byte(y, n, b)) as u32;
        let two = |a: bool, y: u32, b: bool, first: u32| {
            (0..2).fold(sum, |sum, n| sum + half(x, n, a) * byte(y, first + n, b)) as u32
        };
        [
            four(false, y, false),
            four(true, y, false),
            four(false, y, true),
            four(true, n, true),
            two(false, y, false, 0),
            two(true, y, false, 0),
            two(false, y, true, 2),
            two(true, n, true, 2),
        ]
    };
    let wanted: Vec<u32> = (0..64).flat_map(each).collect();
    let call = Call::new(2, 32, vec![Buffer(x.clone()), Buffer(y.clone()), zeros(512), Words(vec![n])]);
    check("dot_products", &call, 2, &wanted);
}
