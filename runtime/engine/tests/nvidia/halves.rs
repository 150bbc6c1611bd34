//! Operations on pairs of halves, from sm_53 on, against sums and products of integers that are rounded once.

use super::cubin::{Arg, Call, kernels, random, run, same};

/// Stands for every NaN: which one comes out no document says.
const NAN: u16 = 0x7e00;

fn is_nan(half: u16) -> bool {
    half & 0x7fff > 0x7c00
}

fn is_infinite(half: u16) -> bool {
    half & 0x7fff == 0x7c00
}

fn sign(half: u16) -> u16 {
    half & 0x8000
}

/// A finite half as a multiple of 2^-24.
fn whole(half: u16) -> i128 {
    let (exponent, fraction) = (half >> 10 & 31, i128::from(half & 0x3ff));
    let magnitude = if exponent == 0 { fraction } else { (fraction | 0x400) << (exponent - 1) };
    if sign(half) == 0 { magnitude } else { -magnitude }
}

/// A multiple of 2^-48, rounded to nearest, ties to even.
fn rounded(value: i128, sign_of_zero: u16) -> u16 {
    if value == 0 {
        return sign_of_zero;
    }
    let (sign, magnitude) = (if value < 0 { 0x8000 } else { 0 }, value.unsigned_abs());
    // Eleven bits of a normal number stay, all down to 2^-24 of a small one.
    let length = 128 - magnitude.leading_zeros();
    let cut = (length.saturating_sub(11)).max(24);
    let (kept, rest, tie) = (magnitude >> cut, magnitude & ((1 << cut) - 1), 1u128 << (cut - 1));
    let kept = kept + u128::from(rest > tie || rest == tie && kept & 1 == 1);
    // The exponent counts up by itself where the fraction overflows.
    let bits = ((u128::from(cut - 24)) << 10) + kept;
    sign | bits.min(0x7c00) as u16
}

fn fma(a: u16, b: u16, c: u16) -> u16 {
    let product_sign = sign(a) ^ sign(b);
    if is_nan(a) || is_nan(b) || is_nan(c) {
        return NAN;
    }
    if is_infinite(a) || is_infinite(b) {
        let zero = |half: u16| half & 0x7fff == 0;
        let clashes = is_infinite(c) && sign(c) != product_sign;
        return if zero(a) || zero(b) || clashes { NAN } else { product_sign | 0x7c00 };
    }
    if is_infinite(c) {
        return c;
    }
    let product = whole(a) * whole(b);
    let both_negative = product_sign & sign(c);
    let of_zero = if product == 0 && whole(c) == 0 { both_negative } else { 0 };
    rounded(product + (whole(c) << 24), of_zero)
}

fn add(a: u16, b: u16) -> u16 {
    fma(a, 0x3c00, b)
}

fn mul(a: u16, b: u16) -> u16 {
    // A zero of the sign of the product changes nothing.
    fma(a, b, sign(a) ^ sign(b))
}

fn less(a: u16, b: u16) -> bool {
    let order = |half: u16| if sign(half) == 0 { i32::from(half) } else { -i32::from(half & 0x7fff) };
    !is_nan(a) && !is_nan(b) && order(a) < order(b)
}

fn halves(word: u32) -> [u16; 2] {
    [word as u16, (word >> 16) as u16]
}

fn packed([low, high]: [u16; 2]) -> u32 {
    u32::from(low) | u32::from(high) << 16
}

type On32 = fn(u32, u32, u32) -> u32;

fn each(a: u32, b: u32, by: fn(u16, u16) -> u16) -> u32 {
    let (a, b) = (halves(a), halves(b));
    packed([by(a[0], b[0]), by(a[1], b[1])])
}

const MODELS: &[(&str, On32)] = &[
    ("add_f16x2", |a, b, _| each(a, b, add)),
    ("mul_f16x2", |a, b, _| each(a, b, mul)),
    ("fma_f16x2", |a, b, c| {
        let (a, b, c) = (halves(a), halves(b), halves(c));
        packed([fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])])
    }),
    ("setp_f16x2", |a, b, _| {
        let (a, b) = (halves(a), halves(b));
        u32::from(less(a[0], b[0])) | u32::from(less(a[1], b[1])) << 1
    }),
    ("set_f16x2", |a, b, _| each(b, a, |b, a| if less(b, a) { 0x3c00 } else { 0 })),
    ("fma_f16", |a, b, _| {
        let (a, b) = (halves(a), halves(b));
        let first = fma(a[0], b[1], a[1]);
        packed([first, add(b[0], first)])
    }),
];

#[test]
fn packed_halves() {
    let special: [u16; 16] = [
        0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0xfbff, 0x3555, 0x2e66,
        0x4248,
    ];
    let pick = |n: usize| packed([special[n % 16], special[(n / 16 + n) % 16]]);
    // Special numbers first, each input by another step, then random ones.
    let inputs = [(31, 1), (32, 16), (33, 7)].map(|(seed, step)| {
        let specials = (0..256).map(|n| if step == 16 { pick(n / 16) } else { pick(n * step) });
        specials.chain(random(seed, 768)).collect::<Vec<u32>>()
    });
    let all = kernels(include_str!("halves.txt"));
    assert_eq!(all.len(), MODELS.len());
    for (name, model) in MODELS {
        let kernel = all.iter().find(|kernel| kernel.name == *name).expect("a kernel");
        let wanted: Vec<u32> = (0..1024).map(|n| model(inputs[0][n], inputs[1][n], inputs[2][n])).collect();
        for target in &kernel.targets {
            let mut args: Vec<Arg> = inputs.iter().cloned().map(Arg::Buffer).collect();
            args.push(Arg::Buffer(vec![0; 1024]));
            let mut found = run(name, target, &Call::new(8, 128, args));
            if name.ends_with("f16x2") && !name.starts_with("set") || *name == "fma_f16" {
                let one = |half: u16| if is_nan(half) { NAN } else { half };
                found[3].iter_mut().for_each(|word| *word = packed(halves(*word).map(one)));
            }
            same(&format!("{name} for sm_{}", target.sm), &found[3], &wanted);
        }
    }
}
