//! Codes against integers and against lists of all codes.

use super::*;
use parallax_core::num::FixedFunctions;
use parallax_random::Random;

const NEAREST: TargetRule = FixedFunctions::IEEE.target;

fn with(field: &str, value: &str) -> TargetRule {
    FixedFunctions::IEEE.with(field, value).expect("a value").target
}

/// A number from 0 to 1 as an integer over 2^149.
fn over(value: f32) -> (u128, u32) {
    let bits = value.to_bits();
    let field = bits >> 23;
    let significand = u128::from(bits & 0x7f_ffff | if field == 0 { 0 } else { 0x80_0000 });
    (significand, 150 - field.max(1))
}

/// The code nearest to value * most: that for which no other is nearer.
fn nearest(value: f32, most: u128) -> u64 {
    let (n, shift) = over(value.clamp(0.0, 1.0));
    if shift > 80 {
        return 0;
    }
    // Twice the product plus a half, cut. A tie, at 1/2 alone, goes up, where the even code is.
    ((2 * n * most + (1 << shift)) >> (shift + 1)) as u64
}

/// Numbers at all borders and codes of a format of so many bits, with their neighbours, and some at random.
fn numbers(bits: u32) -> Vec<f32> {
    let most = (1u64 << bits) - 1;
    let count = most.min(2000);
    let mut random = Random::new(u64::from(bits));
    let halves = (0..=2 * count).map(|n| (n as f64 / (2 * most) as f64) as f32);
    let near = halves.flat_map(|v| [v.next_down().max(0.0), v, v.next_up()]);
    let some = (0..20_000).map(|_| f32::from_bits((random.word() as u32) % 0x3f80_0001));
    near.chain(some).chain([0.0, 1.0, f32::MIN_POSITIVE, f32::from_bits(1), 0.5]).collect()
}

fn unorm_of(value: f32, bits: u32, rule: &TargetRule) -> u64 {
    Code::Unorm(bits).encode(f64::from(value), 0.0, rule)
}

#[test]
fn normalised_codes_are_the_nearest() {
    for bits in [2, 5, 6, 8, 10, 16, 24] {
        for value in numbers(bits) {
            assert_eq!(unorm_of(value, bits, &NEAREST), nearest(value, (1 << bits) - 1), "{value} in {bits} bits");
        }
        for (value, code) in [(-0.5, 0), (f32::NAN, 0), (f32::INFINITY, (1 << bits) - 1), (1.5, (1 << bits) - 1)] {
            for how in StoreUnorm::WORDS {
                assert_eq!(unorm_of(value, bits, &with("target_unorm", how)), code, "{value} by {how}");
            }
        }
        for code in 0..(1u64 << bits).min(70_000) {
            let value = Code::Unorm(bits).decode(code);
            assert_eq!(Code::Unorm(bits).encode(value, 0.0, &NEAREST), code);
        }
    }
}

/// Halves in order, those of 0 to 1, by their definition.
fn halves() -> Vec<f32> {
    (0..=0x3c00u32)
        .map(|half| match half >> 10 {
            0 => half as f32 / 16_777_216.0,
            field => (half & 0x3ff | 0x400) as f32 / 33_554_432.0 * (1u32 << field) as f32,
        })
        .collect()
}

#[test]
fn amd_stores_the_half_below() {
    let (rule, halves) = (with("target_unorm", "half-toward-zero"), halves());
    let mut lower = [0; 2];
    for bits in [5, 6, 8, 10] {
        for value in numbers(bits) {
            let half = halves[halves.partition_point(|&half| half <= value) - 1];
            let code = unorm_of(value, bits, &rule);
            assert_eq!(code, nearest(half, (1 << bits) - 1), "{value} in {bits} bits");
            if bits == 8 {
                lower[0] += usize::from(code < nearest(value, 255));
                lower[1] += 1;
            }
        }
    }
    // Numbers next to borders are a third of these.
    assert!(lower[0] > 0 && lower[0] < lower[1], "{lower:?}");
    // The share of uniform numbers that lose a code is 4.1 %.
    let count = 1 << 20;
    let uniform = (0..count).map(|n| (n as f32 + 0.5) / count as f32);
    let off = uniform.filter(|&v| unorm_of(v, 8, &rule) != nearest(v, 255)).count();
    let share = off as f64 / f64::from(count);
    assert!((0.040..0.042).contains(&share), "{share}");
}

/// The product rounded to 24 bits and then to a whole number, both to nearest even, in integers.
#[test]
fn swiftshader_rounds_a_product_of_binary32() {
    let rule = with("target_unorm", "binary32");
    let even = |n: u128, shift: u32| {
        let (whole, rest) = (n >> shift, n & ((1 << shift) - 1));
        let half = 1u128 << shift >> 1;
        whole + u128::from(shift > 0 && (rest > half || rest == half && whole & 1 == 1))
    };
    for bits in [2, 5, 6, 8, 10, 16] {
        let mut other = 0;
        for value in numbers(bits) {
            let (n, shift) = over(value);
            let product = n * ((1 << bits) - 1);
            let excess = (128 - product.leading_zeros()).saturating_sub(24);
            let short = even(product, excess);
            let want = if shift - excess > 80 { 0 } else { even(short, shift - excess) };
            let found = unorm_of(value, bits, &rule);
            assert_eq!(u128::from(found), want, "{value} in {bits} bits");
            other += usize::from(found != nearest(value, (1 << bits) - 1));
        }
        assert!(other > 0, "{bits} bits: no number that has another code than the nearest");
    }
    // A pixel of `spirv/blend` that SwiftShader drew.
    assert_eq!(
        (unorm_of(f32::from_bits(0x3f20_2020), 8, &rule), nearest(f32::from_bits(0x3f20_2020), 255)),
        (160, 159)
    );
}

#[test]
fn nv40_keeps_twelve_bits_behind_the_point() {
    let rule = with("target_unorm", "cut-12");
    for value in numbers(8) {
        let (n, shift) = over(value);
        let kept = if shift > 80 { 0 } else { (n << 12) >> shift };
        assert_eq!(u128::from(unorm_of(value, 8, &rule)), (2 * kept * 255 + 4096) >> 13, "{value}");
    }
    let count = 1 << 20;
    let off = (0..count).map(|n| (n as f32 + 0.5) / count as f32).filter(|&v| unorm_of(v, 8, &rule) != nearest(v, 255));
    let share = off.count() as f64 / f64::from(count);
    assert!((0.030..0.032).contains(&share), "{share}");
    // Columns of a console's picture of the coordinates, 720 pixels wide, that show the code below the nearest one.
    for (column, code) in [(1, 0), (32, 11), (49, 17), (80, 28), (97, 34), (289, 102)] {
        let value = (column as f32 + 0.5) / 720.0;
        assert_eq!((unorm_of(value, 8, &rule), nearest(value, 255)), (code, code + 1), "column {column}");
    }
}

#[test]
fn other_units_store_as_their_sources_say() {
    for value in numbers(8) {
        let (n, shift) = over(value);
        let below = if shift > 80 { 0 } else { ((n * 256) >> shift).min(255) };
        assert_eq!(u128::from(unorm_of(value, 8, &with("target_unorm", "floor-256"))), below, "{value}");
        // gallivm adds a number whose last bit is a 256th, and takes the low bits of the pattern.
        let magic = (value * (255.0 / 256.0) + 32768.0).to_bits() & 0xff;
        assert_eq!(unorm_of(value, 8, &with("target_unorm", "gallivm")), u64::from(magic), "{value}");
    }
    for value in numbers(5) {
        let (n, shift) = over(value);
        let below = if shift > 80 { 0 } else { (n * 31) >> shift };
        let rule = with("target_unorm", "cut-narrow");
        assert_eq!(u128::from(unorm_of(value, 5, &rule)), below, "{value}");
        assert_eq!(unorm_of(value, 8, &rule), nearest(value, 255));
        let magic = (value * (31.0 / 32.0) + 262_144.0).to_bits() & 0x1f;
        assert_eq!(unorm_of(value, 5, &with("target_unorm", "gallivm")), u64::from(magic), "{value}");
    }
}

#[test]
fn signed_codes_are_the_nearest() {
    for bits in [8, 16] {
        let most = (1i64 << (bits - 1)) - 1;
        for size in numbers(bits - 1) {
            for value in [size, -size] {
                let want = nearest(size, most as u128) as i64 * if value < 0.0 { -1 } else { 1 };
                let code = Code::Snorm(bits).encode(f64::from(value), 0.0, &NEAREST);
                assert_eq!((code << (64 - bits)) as i64 >> (64 - bits), want, "{value}");
            }
        }
        // The lowest code is -1 as well.
        assert_eq!(Code::Snorm(bits).decode(1 << (bits - 1)), -1.0);
        assert_eq!(Code::Snorm(bits).encode(f64::NAN, 0.0, &NEAREST), 0);
    }
}

/// All positive finite codes of a float format, by its definition.
fn all(exponent: u32, fraction: u32) -> Vec<f64> {
    let bias = (1i32 << (exponent - 1)) - 1;
    (0..((1u64 << exponent) - 1) << fraction)
        .map(|code| {
            let (field, rest) = ((code >> fraction) as i32, (code & ((1 << fraction) - 1)) as f64);
            let unit = 2f64.powi(-(fraction as i32));
            if field == 0 { rest * unit * 2f64.powi(1 - bias) } else { (1.0 + rest * unit) * 2f64.powi(field - bias) }
        })
        .collect()
}

#[test]
fn small_floats_are_the_nearest_or_cut() {
    for (exponent, fraction, sign) in [(5, 6, false), (5, 5, false), (5, 10, true)] {
        let code = Code::Float { exponent, fraction, sign };
        let all = all(exponent, fraction);
        let infinity = all.len() as u64;
        for (number, &value) in all.iter().enumerate() {
            assert_eq!((code.decode(number as u64), code.encode(value, 0.0, &NEAREST)), (value, number as u64));
            let next = all.get(number + 1).copied().unwrap_or_else(|| value + (value - all[number - 1]));
            let middle = f64::midpoint(value, next);
            let even = (number + number % 2) as u64;
            let cut = with("target_float", "toward-zero");
            for (at, to_nearest) in
                [(middle.next_down(), number as u64), (middle, even), (middle.next_up(), number as u64 + 1)]
            {
                assert_eq!(code.encode(at, 0.0, &NEAREST), to_nearest, "{at} in {code:?}");
                assert_eq!(code.encode(at, 0.0, &cut), number as u64, "{at} in {code:?}");
            }
            assert_eq!(code.encode(next.next_down(), 0.0, &cut), number as u64);
        }
        let cut = with("target_float", "toward-zero");
        assert_eq!((code.encode(1e9, 0.0, &NEAREST), code.encode(1e9, 0.0, &cut)), (infinity, infinity - 1));
        assert_eq!(code.encode(f64::INFINITY, 0.0, &cut), infinity);
        assert!(code.decode(code.encode(f64::NAN, 0.0, &NEAREST)).is_nan());
        let below = code.encode(-1.0, 0.0, &NEAREST);
        assert_eq!(code.decode(below), if sign { -1.0 } else { 0.0 });
    }
    // A half to nearest that is cut: 1 + 31.9/32 of a step goes up first.
    let rule = with("target_float", "half-then-cut");
    let code = Code::Float { exponent: 5, fraction: 5, sign: false };
    let near = 1.0 + 0.99999 / 32.0;
    assert_eq!(
        (code.encode(near, 0.0, &rule), code.encode(near, 0.0, &with("target_float", "toward-zero"))),
        (0x1e1, 0x1e0)
    );
    assert_eq!(Code::HALF.encode(near, 0.0, &rule), Code::HALF.encode(near, 0.0, &NEAREST));
}

/// The words of EXT_texture_shared_exponent, with logarithms counted.
fn by_extension([r, g, b]: [f64; 3]) -> [u64; 3] {
    let clamp = |v: f64| if v.is_nan() || v < 0.0 { 0.0 } else { v.min(65408.0) };
    let colour = [r, g, b].map(clamp);
    let largest = colour.into_iter().fold(0.0, f64::max);
    let mut log = -16;
    while largest >= 2f64.powi(log + 1) {
        log += 1;
    }
    let preliminary = log.max(-16) + 1 + 15;
    let most = (largest / 2f64.powi(preliminary - 15 - 9) + 0.5).floor();
    let exponent = if most == 512.0 { preliminary + 1 } else { preliminary };
    colour.map(|v| (v / 2f64.powi(exponent - 15 - 9) + 0.5).floor() as u64 | (exponent as u64) << 9)
}

#[test]
fn shared_exponents_are_those_of_the_extension() {
    let mut random = Random::new(9);
    for _ in 0..50_000 {
        let colour: [f64; 3] = std::array::from_fn(|_| {
            let word = random.word();
            let size = f32::from_bits(0x3300_0000 + (word >> 32) as u32 % 0x1500_0000);
            f64::from(if word & 15 == 0 { -size } else { size })
        });
        let largest = colour.into_iter().fold(0.0, f64::max);
        let words = colour.map(|v| Code::Shared.encode(v, largest, &NEAREST));
        assert_eq!(words, by_extension(colour), "{colour:?}");
        let back = words.map(|word| Code::Shared.decode(word));
        let step = 2f64.powi((words[0] >> 9) as i32 - 24);
        for (value, back) in colour.into_iter().zip(back) {
            assert!((value.clamp(0.0, 65408.0) - back).abs() <= step / 2.0 + f64::EPSILON, "{value} {back}");
        }
        let cut = colour.map(|v| Code::Shared.encode(v, largest, &with("target_float", "toward-zero")));
        for (value, word) in colour.into_iter().zip(cut) {
            let low = Code::Shared.decode(word);
            let step = 2f64.powi((word >> 9) as i32 - 24);
            assert!(low <= value.max(0.0) && (value >= 65408.0 || value.max(0.0) < low + step), "{value} {low}");
        }
    }
    assert_eq!(Code::Shared.encode(1.0, 1.0, &NEAREST), 256 | 16 << 9);
    assert_eq!(Code::Shared.encode(f64::NAN, 0.0, &NEAREST), 0);
}

#[test]
fn distances_are_steps() {
    let steps =
        |code: Code, a: f64, b: f64| code.steps(code.encode(a, a.max(b), &NEAREST), code.encode(b, a.max(b), &NEAREST));
    assert_eq!(steps(Code::Unorm(5), 1.0, 0.0), Some(31.0));
    assert_eq!(steps(Code::Snorm(8), -1.0, 1.0), Some(-254.0));
    assert_eq!(steps(Code::Float { exponent: 5, fraction: 6, sign: false }, 1.25, 1.0), Some(16.0));
    assert_eq!(steps(Code::Float { exponent: 5, fraction: 6, sign: false }, f64::INFINITY, 1.0), None);
    assert_eq!(steps(Code::Float { exponent: 5, fraction: 6, sign: false }, f64::INFINITY, f64::INFINITY), Some(0.0));
    assert_eq!(steps(Code::Shared, 0.5, 1.0), Some(-128.0));
    assert_eq!(steps(Code::Srgb, 1.0, 0.5), Some(255.0 - 188.0));
}

/// The quick way and the exact one, next to ties and everywhere else.
#[test]
fn bytes_of_numbers_are_those_of_the_exact_product() {
    let mut random = Random::new(5);
    let byte = crate::render_target::unorm8;
    let near_ties = (0..255u32).flat_map(|n| {
        let tie = (f64::from(n) + 0.5) / 255.0;
        (-4i64..=4).map(move |step| f64::from_bits(tie.to_bits().wrapping_add_signed(step)))
    });
    let others = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, f64::NAN, f64::INFINITY, 5e-324, 1.0 - f64::EPSILON];
    let anywhere = (0..100_000).map(|n| f64::from_bits(random.word() >> (n % 4)));
    let inside: Vec<f64> = anywhere.chain((0..100_000).map(|n| f64::from(n) / 99_999.0)).collect();
    for value in near_ties.chain(others).chain(inside) {
        assert_eq!(u64::from(byte(value)), scaled(value, 255), "{value:e}");
    }
}
