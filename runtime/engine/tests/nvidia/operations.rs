//! One operation or a few of PTX on three inputs each, element by element.

use super::cubin::{Arg, Call, kernels, random, run, same, words};

/// Elements of a call: 8 workgroups of 128.
const COUNT: usize = 1024;

const INTEGERS: [u32; 24] = [
    0,
    1,
    2,
    3,
    5,
    7,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    255,
    0x7fff,
    0x8000,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
    0xdead_beef,
];

const FLOATS: [u32; 30] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x3fc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7fff_ffff,
    0xffc1_2345,
    1,
    0x8000_0001,
    0x7f_ffff,
    0x80_0000,
    0x8080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x4b80_0001,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x3dcc_cccd,
    0x3eaa_aaab,
    0x4049_0fdb,
    0x5f00_0000,
    0x0080_0001,
    0xc2c8_0000,
];

const DOUBLES: [u64; 20] = [
    0,
    1 << 63,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x3fe0_0000_0000_0000,
    0x4004_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x3fb9_9999_9999_999a,
    0x3fd5_5555_5555_5555,
    0x43e0_0000_0000_0000,
    0xc3e0_0000_0000_0000,
    0x4340_0000_0000_0001,
    0x4009_21fb_5444_2d18,
    0x0020_0000_0000_0003,
];

/// NaN as the instructions make it. Which one doubles give no document says: any stands for any.
const NAN: u32 = 0x7fff_ffff;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// Every pair of special values, then random ones.
fn inputs<T: Copy>(special: &[T], random: impl Fn(u64, usize) -> Vec<T>) -> [Vec<T>; 3] {
    let count = special.len();
    let [mut a, mut b, mut c] = [1, 2, 3].map(|seed| random(seed, COUNT));
    for n in 0..(count * count).min(COUNT) {
        (a[n], b[n], c[n]) = (special[n % count], special[n / count], special[(n * 7 + n / 5) % count]);
    }
    [a, b, c]
}

type On32 = fn(u32, u32, u32) -> u32;
type On64 = fn(u64, u64, u64) -> u64;

fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

fn bits(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn bits64(value: f64) -> u64 {
    if value.is_nan() { NAN64 } else { value.to_bits() }
}

fn hi(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

fn byte(word: u32, n: u32) -> u32 {
    word >> (8 * n) & 0xff
}

fn msb(word: u32) -> u32 {
    if word == 0 { u32::MAX } else { 31 - word.leading_zeros() }
}

fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

fn smaller(a: f32, b: f32) -> f32 {
    if a.is_nan() || (!b.is_nan() && (b < a || b == a && b.is_sign_negative())) { b } else { a }
}

fn larger(a: f32, b: f32) -> f32 {
    -smaller(-a, -b)
}

/// A sum rounded toward zero, down or up: the nearest sum, corrected by its error, which is a number itself.
fn directed(a: f32, b: f32, up: bool, down: bool) -> u32 {
    let sum = a + b;
    if sum.is_nan() || a.is_infinite() || b.is_infinite() {
        return bits(sum);
    }
    if sum == 0.0 {
        let is_cancelled = a != 0.0 || a.is_sign_negative() != b.is_sign_negative();
        return if is_cancelled { if down { 1 << 31 } else { 0 } } else { sum.to_bits() };
    }
    let toward_zero = !up && !down;
    if sum.is_infinite() {
        let stays = if sum > 0.0 { up } else { down };
        return if stays { sum.to_bits() } else { f32::MAX.copysign(sum).to_bits() };
    }
    // Exact: 24 bits each and exponents at most 277 apart do not fit, but a sum of two terms does as two numbers.
    let back = sum - a;
    let error = (a - (sum - back)) + (b - back);
    let goes_up = error > 0.0 && (up || toward_zero && sum < 0.0);
    let goes_down = error < 0.0 && (down || toward_zero && sum > 0.0);
    match (goes_up, goes_down) {
        (true, _) => sum.next_up().to_bits(),
        (_, true) => sum.next_down().to_bits(),
        _ => sum.to_bits(),
    }
}

fn field(a: u32, pos: u32, len: u32, signed: bool) -> u32 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    if len == 0 {
        return 0;
    }
    let sign = if signed { a >> (pos + len - 1).min(31) & 1 } else { 0 };
    (0..32).fold(0, |all, n| {
        let bit = if n < len && pos + n <= 31 { a >> (pos + n) & 1 } else { sign };
        all | bit << n
    })
}

fn permute(a: u32, b: u32, c: u32) -> u32 {
    let all = u64::from(a) | u64::from(b) << 32;
    (0..4).fold(0, |word, n| {
        let pick = c >> (4 * n) & 15;
        let byte = (all >> (8 * (pick & 7)) & 0xff) as u32;
        let byte = if pick & 8 == 0 {
            byte
        } else if byte & 0x80 == 0 {
            0
        } else {
            0xff
        };
        word | byte << (8 * n)
    })
}

fn i(word: u32) -> i32 {
    word as i32
}

/// A conversion of an integer toward zero.
fn chopped(value: i32) -> f32 {
    let near = value as f32;
    let is_above = f64::from(near).abs() > f64::from(value).abs();
    if is_above { f32::from_bits(near.to_bits() - 1) } else { near }
}

fn integral(value: f32, by: fn(f32) -> f32) -> u32 {
    bits(by(value))
}

fn carries(a: u32, b: u32, c: u32) -> u32 {
    let (t0, carry) = a.overflowing_add(b);
    let sum = u64::from(b) + u64::from(c) + u64::from(carry);
    let (t1, carry) = (sum as u32, sum >> 32 != 0);
    let t2 = c.wrapping_add(a).wrapping_add(u32::from(carry));
    let (t3, borrow) = a.overflowing_sub(c);
    let t4 = b.wrapping_sub(a).wrapping_sub(u32::from(borrow));
    t0 ^ t1 ^ t2 ^ t3 ^ t4
}

#[rustfmt::skip]
const ON_INTEGERS: &[(&str, On32)] = &[
    ("add_s32", |a, b, _| a.wrapping_add(b)),
    ("sub_s32", |a, b, _| a.wrapping_sub(b)),
    ("mul_lo_s32", |a, b, _| a.wrapping_mul(b)),
    ("mul_hi_u32", |a, b, _| hi(a, b)),
    ("mul_hi_s32", |a, b, _| ((i64::from(i(a)) * i64::from(i(b))) >> 32) as u32),
    ("mad_lo_s32", |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
    ("mad_hi_u32", |a, b, c| hi(a, b).wrapping_add(c)),
    ("div_u32", |a, b, _| a.checked_div(b).unwrap_or(u32::MAX)),
    ("rem_u32", |a, b, _| a.checked_rem(b).unwrap_or(u32::MAX)),
    ("div_s32", |a, b, _| if b == 0 { u32::MAX } else { i(a).wrapping_div(i(b)) as u32 }),
    ("rem_s32", |a, b, _| if b == 0 { u32::MAX } else { i(a).wrapping_rem(i(b)) as u32 }),
    ("logic", |a, b, c| !((a & b) ^ (b | c))),
    ("lop3", |a, b, c| (0..32).fold(0, |all, n| {
        let index = (a >> n & 1) << 2 | (b >> n & 1) << 1 | c >> n & 1;
        all | (0xd8 >> index & 1) << n
    })),
    ("shl_b32", |a, b, _| a.checked_shl(b).unwrap_or(0)),
    ("shr_u32", |a, b, _| a.checked_shr(b).unwrap_or(0)),
    ("shr_s32", |a, b, _| (i(a) >> b.min(31)) as u32),
    ("shf_l_wrap", |a, b, c| (((u64::from(b) << 32 | u64::from(a)) << (c & 31)) >> 32) as u32),
    ("shf_r_clamp", |a, b, c| ((u64::from(b) << 32 | u64::from(a)) >> c.min(32)) as u32),
    ("min_max", |a, b, c| {
        let t = (i(a).min(i(b)) as u32).min(b.max(c));
        i(t).max(i(c)) as u32
    }),
    ("abs_neg", |a, b, _| (i(a).wrapping_abs() as u32).wrapping_sub(b)),
    ("popc_clz_brev", |a, b, c| (a.count_ones() * 33 + b.leading_zeros()) ^ c.reverse_bits()),
    ("bfind", |a, b, c| {
        let signed = msb(if i(b) < 0 { !b } else { b });
        let shift = if c == 0 { u32::MAX } else { c.leading_zeros() };
        msb(a).wrapping_mul(1000).wrapping_add(signed).wrapping_mul(1000).wrapping_add(shift)
    }),
    ("bfe", |a, b, c| field(a, b, c, false) ^ field(a, b, c, true)),
    ("bfi", |a, b, _| b & !(0x7ff << 5) | (a & 0x7ff) << 5),
    ("prmt", permute),
    ("sad", |a, b, c| b.abs_diff(i(a).abs_diff(i(b)).wrapping_add(c)).wrapping_add(c)),
    ("setp_selp", |a, b, c| if b > c || i(a) >= i(b) { a } else { c }),
    ("slct", |a, b, c| if i(c) >= 0 { a } else { b }),
    ("cvt_s32_f32", |a, b, c| bits(i(a) as f32) ^ bits(b as f32) ^ bits(chopped(i(c)))),
    ("cvt_small", |a, b, c| {
        let t = (a & 0xff).wrapping_add(i(b) as i8 as u32).wrapping_add(i(c) as i16 as u32);
        let t = t.wrapping_mul(3).wrapping_add(i(a).clamp(0, 255) as u32);
        t.wrapping_mul(5).wrapping_add(i(b).clamp(-32768, 32767) as u32)
    }),
    ("carry", carries),
    ("video_add", |a, b, c| {
        let t0 = byte(a, 1).wrapping_add((b >> 16) as i16 as u32);
        let t1 = (i64::from(i(a)) - i64::from(byte(c, 3))).clamp(i32::MIN.into(), i32::MAX.into()) as u32;
        t0.wrapping_add(t1) ^ byte(b, 0).abs_diff(byte(c, 2))
    }),
    ("video_minmax", |a, b, c| {
        let t0 = i32::from(a as i16).min(i32::from((b >> 16) as i16)) as u32;
        let t1 = byte(a, 3).max(byte(b, 2)).wrapping_add(c);
        t0.wrapping_add(t1).wrapping_add(u32::from(byte(a, 0) < byte(b, 1)))
    }),
    ("video_shift", |a, b, c| {
        let t0 = a.checked_shl(byte(b, 0)).unwrap_or(0);
        let t1 = (i(a) >> (c & 31)) as u32;
        t0 ^ t1 ^ (a >> 16).wrapping_mul(b & 0xffff).wrapping_add(c)
    }),
    ("video_four", |a, b, c| (0..4).map(|n| byte(a, n).abs_diff(byte(b, n))).sum::<u32>().wrapping_add(c)),
];

#[rustfmt::skip]
const ON_FLOATS: &[(&str, On32)] = &[
    ("add_f32", |a, b, _| bits(f(a) + f(b))),
    ("sub_f32", |a, b, _| bits(f(a) - f(b))),
    ("mul_f32", |a, b, _| bits(f(a) * f(b))),
    ("fma_f32", |a, b, c| bits(f(a).mul_add(f(b), f(c)))),
    ("div_f32", |a, b, _| bits(f(a) / f(b))),
    ("rcp_f32", |a, _, _| bits(1.0 / f(a))),
    ("sqrt_f32", |a, _, _| bits(f(a).sqrt())),
    ("min_max_f32", |a, b, c| bits(larger(f(bits(smaller(f(a), f(b)))), f(c)))),
    ("add_f32_rz", |a, b, _| directed(f(a), f(b), false, false) ^ directed(f(a), f(b), false, true) ^ directed(f(a), f(b), true, false)),
    ("add_f32_ftz", |a, b, _| bits(flush(flush(f(a)) + flush(f(b))))),
    ("mul_f32_sat", |a, b, _| {
        let product = f(a) * f(b);
        if product == 0.0 { product.to_bits() } else if product > 0.0 { product.min(1.0).to_bits() } else { 0 }
    }),
    ("setp_f32", |a, b, c| {
        let (x, y, z) = (f(a), f(b), f(c));
        let is_less = x < y;
        u32::from(is_less) | u32::from(!is_less) << 1 | u32::from(!x.is_nan() && !z.is_nan()) << 2 | u32::from(y.is_nan() || z.is_nan()) << 3
    }),
    ("cvt_f32_s32", |a, _, _| {
        let to = |by: fn(f32) -> f32| by(f(a)) as i32 as u32;
        let t0 = to(f32::round_ties_even).wrapping_mul(3).wrapping_add(to(f32::trunc));
        let t2 = to(f32::floor).wrapping_mul(5).wrapping_add(to(f32::ceil));
        t0.wrapping_mul(7).wrapping_add(t2)
    }),
    ("cvt_f32_u32", |a, _, _| (f(a).round_ties_even() as u32).wrapping_mul(3).wrapping_add(f(a) as u32)),
    ("cvt_integral", |a, b, c| {
        integral(f(a), f32::round_ties_even) ^ integral(f(b), f32::floor) ^ integral(f(c), f32::ceil) ^ integral(f(a), f32::trunc)
    }),
    ("cvt_f64", |a, b, _| bits((f64::from(f(a)) * f64::from(f(b))) as f32)),
];

fn smaller64(a: f64, b: f64) -> f64 {
    if a.is_nan() || (!b.is_nan() && (b < a || b == a && b.is_sign_negative())) { b } else { a }
}

#[rustfmt::skip]
const ON_PAIRS: &[(&str, On64)] = &[
    ("add_u64", |a, b, _| a.wrapping_add(b)),
    ("sub_mul_u64", |a, b, c| a.wrapping_sub(b).wrapping_mul(c)),
    ("mul_hi_u64", |a, b, _| ((u128::from(a) * u128::from(b)) >> 64) as u64),
    ("shift_u64", |a, b, c| {
        let n = c & 63;
        a << n ^ b >> n ^ ((b as i64) >> n) as u64
    }),
    ("min_max_s64", |a, b, c| {
        let (x, y) = ((a as i64).min(b as i64), b.max(c) as i64);
        x.min(y) as u64
    }),
    ("div_u64", |a, b, _| a.checked_div(b).unwrap_or(u64::MAX)),
    ("popc_clz_64", |a, b, c| u64::from(a.count_ones() * 100 + b.leading_zeros()) ^ c.reverse_bits()),
];

#[rustfmt::skip]
const ON_DOUBLES: &[(&str, On64)] = &[
    ("fma_f64", |a, b, c| bits64(d(a).mul_add(d(b), d(c)))),
    ("add_mul_f64", |a, b, c| bits64((d(a) + d(b)) * d(c))),
    ("min_max_f64", |a, b, c| bits64(-smaller64(-d(bits64(smaller64(d(a), d(b)))), -d(c)))),
    ("cvt_f64_s64", |a, b, _| {
        let whole = if d(a).is_nan() { 1 << 63 } else { d(a) as i64 as u64 };
        whole ^ (b as i64 as f64).to_bits()
    }),
];

/// Runs the kernels of a list, and says how many there were.
fn check<T>(list: &[(&str, T)], inputs: &[Vec<u32>; 3], wanted: impl Fn(&T, usize) -> Vec<u32>) -> usize {
    let all = kernels(include_str!("operations.txt"));
    let mut failed = Vec::new();
    for (name, model) in list {
        let kernel = all.iter().find(|kernel| kernel.name == *name).unwrap_or_else(|| panic!("no kernel {name}"));
        for target in &kernel.targets {
            let mut args: Vec<Arg> = inputs.iter().cloned().map(Arg::Buffer).collect();
            args.push(Arg::Buffer(vec![0; inputs[0].len()]));
            let call = Call::new(8, 128, args);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut found = run(name, target, &call);
                if name.ends_with("_f64") && !name.starts_with("cvt") {
                    let pairs = found[3].chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32);
                    found[3] = words(pairs.map(|pair| bits64(d(pair))).collect::<Vec<_>>());
                }
                same(&format!("{name} for sm_{}", target.sm), &found[3], &wanted(model, COUNT));
            }));
            if outcome.is_err() {
                failed.push(format!("{name} for sm_{}", target.sm));
            }
        }
    }
    assert!(failed.is_empty(), "these fail: {failed:?}");
    list.len()
}

fn on_words(list: &[(&str, On32)], special: &[u32]) -> usize {
    let inputs = inputs(special, random);
    check(list, &inputs, |model, count| (0..count).map(|n| model(inputs[0][n], inputs[1][n], inputs[2][n])).collect())
}

fn on_pairs(list: &[(&str, On64)], special: &[u64]) -> usize {
    let long = |seed: u64, count: usize| {
        random(seed, 2 * count).chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect()
    };
    let values = inputs(special, long);
    let inputs = [0, 1, 2].map(|n: usize| words(values[n].iter().copied()));
    check(list, &inputs, |model, count| words((0..count).map(|n| model(values[0][n], values[1][n], values[2][n]))))
}

#[test]
fn integers() {
    assert_eq!(on_words(ON_INTEGERS, &INTEGERS), 35);
}

#[test]
fn floats() {
    assert_eq!(on_words(ON_FLOATS, &FLOATS), 16);
}

#[test]
fn pairs() {
    let special: Vec<u64> =
        INTEGERS.iter().flat_map(|&a| [u64::from(a), u64::from(a) << 32 | 0x8000_0001]).step_by(2).collect();
    assert_eq!(on_pairs(ON_PAIRS, &special), 7);
}

#[test]
fn doubles() {
    assert_eq!(on_pairs(ON_DOUBLES, &DOUBLES), 4);
}
