//! Ten kernels as texts, each against the same computation written in Rust: shared memory, barriers, atomics, images,
//! doubles and integers of 64 bits. Every engine carries them out.
//!
//! Under `ieee` additions, products, quotients and square roots are those of Rust's `f32` and `f64`, which round as IEEE 754 says.

use parallax::{Dispatch, LoadOptions, load, run_dispatch};
use parallax_core::exec::{ImageFormat, ImageLayout};
use parallax_core::num::Model;
use parallax_gen::choices;
use parallax_tests::engines::{compiled, ways};

/// Buffers by name.
type Buffers = Vec<(&'static str, Vec<u32>)>;

/// Runs a kernel on a grid and makes sure that it leaves the words that are expected in the buffers that are named.
fn check(text: &str, grid: [u32; 3], given: &Buffers, images: &[(&str, ImageLayout)], want: &Buffers) {
    let options = LoadOptions { isa: Some("tgsi".into()), ..LoadOptions::default() };
    let loaded = load("kernel", text.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let iface = &shader.func.iface;
    let place = |name: &str| iface.buffers.iter().position(|buffer| buffer.name == name).expect("a buffer");
    let words = given.iter().map(|(name, words)| (name.to_string(), words.clone())).collect();
    let mut dispatch = Dispatch { grid, words, ..Dispatch::default() };
    for (name, layout) in images {
        dispatch.textures.set_image(place(name) as u16, *layout);
    }
    let model = Model::builtin("ieee").expect("a built-in model");
    for way in ways() {
        let compiled = compiled(&shader, &model, way).unwrap_or_else(|what| panic!("{what}"));
        let result = run_dispatch(&compiled, &dispatch).unwrap_or_else(|found| panic!("{:#?}", found.diags));
        assert_eq!(result.out_of_fuel, 0);
        for (name, want) in want {
            assert_eq!(result.buffers[place(name)], *want, "{name}, {way:?}");
        }
    }
}

/// Floats from -4 to 4.
fn floats(seed: u64, count: usize) -> Vec<f32> {
    choices(seed, count).into_iter().map(|word| (word >> 8) as f32 / (1 << 21) as f32 - 4.0).collect()
}

fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|float| float.to_bits()).collect()
}

/// Words of numbers of 64 bits.
fn halves(longs: &[u64]) -> Vec<u32> {
    longs.iter().flat_map(|&long| [long as u32, (long >> 32) as u32]).collect()
}

fn longs(seed: u64, count: usize) -> Vec<u64> {
    choices(seed, 2 * count).chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
}

#[test]
fn product_of_matrices_through_shared_memory() {
    const SIDE: usize = 16;
    let (a, b) = (floats(1, SIDE * SIDE), floats(2, SIDE * SIDE));
    let mut product = vec![0f32; SIDE * SIDE];
    for (at, sum) in product.iter_mut().enumerate() {
        for n in 0..SIDE {
            *sum += a[at / SIDE * SIDE + n] * b[n * SIDE + at % SIDE];
        }
    }
    let given = vec![("BUFFER[0]", bits(&a)), ("BUFFER[1]", bits(&b)), ("BUFFER[2]", vec![0; SIDE * SIDE])];
    check(include_str!("matrix.tgsi"), [2, 2, 1], &given, &[], &vec![("BUFFER[2]", bits(&product))]);
}

#[test]
fn prefix_sums_by_doubling() {
    const BLOCK: usize = 64;
    let numbers = floats(3, 3 * BLOCK);
    let mut sums = numbers.clone();
    for block in sums.chunks_mut(BLOCK) {
        let mut width = 1;
        while width < BLOCK {
            let before = block.to_vec();
            for lane in width..BLOCK {
                block[lane] += before[lane - width];
            }
            width *= 2;
        }
    }
    let given = vec![("BUFFER[0]", bits(&numbers)), ("BUFFER[1]", vec![0; 3 * BLOCK])];
    check(include_str!("prefix.tgsi"), [3, 1, 1], &given, &[], &vec![("BUFFER[1]", bits(&sums))]);
}

#[test]
fn bitonic_sort() {
    let numbers = choices(4, 64);
    let mut sorted = numbers.clone();
    sorted.sort_by_key(|&word| word as i32);
    check(include_str!("bitonic.tgsi"), [1; 3], &vec![("BUFFER[0]", numbers)], &[], &vec![("BUFFER[0]", sorted)]);
}

#[test]
fn histogram_by_atomics() {
    let numbers = choices(5, 512);
    let mut bins = vec![0; 16];
    numbers.iter().for_each(|word| bins[(word & 15) as usize] += 1);
    let given = vec![("BUFFER[0]", numbers), ("BUFFER[1]", vec![0; 16])];
    check(include_str!("histogram.tgsi"), [8, 1, 1], &given, &[], &vec![("BUFFER[1]", bins)]);
}

/// The first 32 bits of the fractions of the roots of the first primes, found by whole numbers alone.
fn fraction_of_root(prime: u128, degree: u32) -> u32 {
    // The root of prime * 2^(32 * degree) is the root of the prime times 2^32.
    let scaled = prime << (32 * degree);
    let (mut low, mut high) = (0u128, 1 << 37);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.pow(degree) <= scaled { low = middle } else { high = middle }
    }
    low as u32
}

#[test]
fn sha_256() {
    let primes: Vec<u128> = (2..312).filter(|n| (2..*n).all(|d| n % d != 0)).take(64).collect();
    let rounds: Vec<u32> = primes.iter().map(|&prime| fraction_of_root(prime, 3)).collect();
    let start: Vec<u32> = primes[..8].iter().map(|&prime| fraction_of_root(prime, 2)).collect();
    // The padded message "abc" and seven others.
    let mut blocks = choices(6, 8 * 16);
    blocks[..16].fill(0);
    (blocks[0], blocks[15]) = (0x6162_6380, 24);
    let mut hashes = Vec::new();
    for block in blocks.chunks(16) {
        let mut w = block.to_vec();
        for t in 16..64 {
            let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ w[t - 15] >> 3;
            let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ w[t - 2] >> 10;
            w.push(w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1));
        }
        let mut v: [u32; 8] = start.clone().try_into().expect("eight words");
        for t in 0..64 {
            let [a, b, c, d, e, f, g, h] = v;
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let t1 = [s1, e & f ^ !e & g, rounds[t], w[t]].into_iter().fold(h, u32::wrapping_add);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add(a & b ^ a & c ^ b & c);
            v = [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g];
        }
        hashes.extend(v.iter().zip(&start).map(|(a, b)| a.wrapping_add(*b)));
    }
    // FIPS 180-4, example of one block.
    assert_eq!((hashes[0], hashes[7]), (0xba78_16bf, 0xf200_15ad));
    let given =
        vec![("BUFFER[0]", blocks), ("BUFFER[1]", rounds), ("BUFFER[2]", start), ("BUFFER[3]", vec![0; hashes.len()])];
    check(include_str!("sha256.tgsi"), [2, 1, 1], &given, &[], &vec![("BUFFER[3]", hashes)]);
}

#[test]
fn mandelbrot_in_doubles() {
    const SIDE: u32 = 16;
    let mut counts = Vec::new();
    for (row, column) in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
        let c = [column, row].map(|n| f64::from(n) * 0.25 - 2.0);
        let (mut z, mut count) = ([0f64; 2], 0);
        while count < 100 && z[0] * z[0] + z[1] * z[1] <= 4.0 {
            let product = z[0] * z[1];
            z = [z[0] * z[0] - z[1] * z[1] + c[0], product + product + c[1]];
            count += 1;
        }
        counts.push(count);
    }
    assert!(counts.contains(&100) && counts.iter().any(|&n| (5..100).contains(&n)));
    let given = vec![("BUFFER[0]", vec![0; counts.len()])];
    check(include_str!("mandelbrot.tgsi"), [4, 4, 1], &given, &[], &vec![("BUFFER[0]", counts)]);
}

#[test]
fn step_of_bodies() {
    const COUNT: usize = 32;
    let (mut places, mut speeds) = (floats(7, 4 * COUNT), floats(8, 4 * COUNT));
    let given = vec![("BUFFER[0]", bits(&places)), ("BUFFER[1]", bits(&speeds))];
    let before = places.clone();
    for n in 0..COUNT {
        let mut pull = [0f32; 3];
        for other in before.chunks(4) {
            let apart: [f32; 3] = std::array::from_fn(|k| other[k] - before[4 * n + k]);
            let square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2] + 0.001;
            let scale = other[3] / (square * square.sqrt());
            pull.iter_mut().zip(apart).for_each(|(pull, apart)| *pull += apart * scale);
        }
        for (k, pull) in pull.into_iter().enumerate() {
            speeds[4 * n + k] += pull * 0.01;
            places[4 * n + k] += speeds[4 * n + k] * 0.01;
        }
    }
    let want = vec![("BUFFER[0]", bits(&places)), ("BUFFER[1]", bits(&speeds))];
    check(include_str!("bodies.tgsi"), [1; 3], &given, &[], &want);
}

#[test]
fn stencil_on_images() {
    const SIDE: usize = 16;
    let layout = ImageLayout {
        format: ImageFormat::from_name("r32f").expect("a format"),
        size: [SIDE as u32, SIDE as u32, 1],
        samples: 1,
    };
    let texels = floats(9, SIDE * SIDE);
    let at = |x: usize, y: usize| if x < SIDE && y < SIDE { texels[y * SIDE + x] } else { 0.0 };
    let mean = |n: usize| {
        let (x, y) = (n % SIDE, n / SIDE);
        (at(x.wrapping_sub(1), y) + at(x + 1, y) + at(x, y.wrapping_sub(1)) + at(x, y + 1)) * 0.25
    };
    let means: Vec<f32> = (0..SIDE * SIDE).map(mean).collect();
    let given = vec![("IMAGE[0]", bits(&texels)), ("IMAGE[1]", vec![0; SIDE * SIDE])];
    let images = [("IMAGE[0]", layout), ("IMAGE[1]", layout)];
    check(include_str!("stencil.tgsi"), [2, 2, 1], &given, &images, &vec![("IMAGE[1]", bits(&means))]);
}

#[test]
fn reduction_of_long_integers() {
    const BLOCK: usize = 64;
    let numbers = longs(10, 4 * BLOCK);
    let sums: Vec<u64> =
        numbers.chunks(BLOCK).map(|block| block.iter().fold(0u64, |a, b| a.wrapping_add(*b))).collect();
    let given = vec![("BUFFER[0]", halves(&numbers)), ("BUFFER[1]", vec![0; 8])];
    check(include_str!("reduction.tgsi"), [4, 1, 1], &given, &[], &vec![("BUFFER[1]", halves(&sums))]);
}

#[test]
fn random_numbers_by_shifts() {
    let mut state = longs(11, 64);
    let given = vec![("BUFFER[0]", halves(&state)), ("BUFFER[1]", vec![0; 128])];
    for x in &mut state {
        for _ in 0..10 {
            *x ^= *x >> 12;
            *x ^= *x << 25;
            *x ^= *x >> 27;
        }
    }
    let out: Vec<u64> = state.iter().map(|x| x.wrapping_mul(2_685_821_657_736_338_717)).collect();
    let want = vec![("BUFFER[0]", halves(&state)), ("BUFFER[1]", halves(&out))];
    check(include_str!("random.tgsi"), [4, 1, 1], &given, &[], &want);
}
