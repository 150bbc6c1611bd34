//! Numbers that operands take.

use crate::writer::{scalars, type_of};
use parallax_random::Random;

/// Floats that are not like the others.
const FLOATS: [u32; 72] = [
    0x0000_0000,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7f80_0001,
    0xffa0_1234,
    0x7fd5_5555,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0040_0000,
    0x0080_0000,
    0x8080_0000,
    0x0080_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7e80_0000,
    0x7e80_0001,
    0x3f00_0000,
    0xbf00_0000,
    0x3eff_ffff,
    0x3f00_0001,
    0x3f7f_ffff,
    0x3f80_0001,
    0xbf7f_ffff,
    0xbf80_0001,
    0x3fc0_0000,
    0xbfc0_0000,
    0x4000_0000,
    0xc000_0000,
    0x4020_0000,
    0x4040_0000,
    0x4060_0000,
    0x4080_0000,
    0x4120_0000,
    0x42c8_0000,
    0x4b00_0000,
    0x4aff_ffff,
    0x4b00_0001,
    0x4b7f_ffff,
    0xcb00_0001,
    0x4f00_0000,
    0xcf00_0000,
    0x4eff_ffff,
    0x4f80_0000,
    0x4f7f_ffff,
    0xcf00_0001,
    0x5d5e_0b6b,
    0x4049_0fdb,
    0x3fc9_0fdb,
    0xbfc9_0fdb,
    0x3f31_7218,
    0x42b1_7218,
    0xc2b1_7218,
    0x4300_0000,
    0xc2fc_0000,
    0xc316_0000,
    0x4d89_5440,
    0x2f80_0000,
    0x3380_0000,
    0x3400_0000,
    0x477f_e000,
    0x477f_f000,
    0x3880_0000,
    0x387f_c000,
    0x3300_0000,
    0x3dcc_cccd,
];

/// Halves that are not like the others.
const HALVES: [u32; 24] = [
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7d01, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400,
    0x7bff, 0xfbff, 0x3800, 0xb800, 0x3bff, 0x3c01, 0x4000, 0xc248, 0x6400, 0x6801,
];

/// 64-bit floats that are not like the others.
const DOUBLES: [u64; 24] = [
    0x0000_0000_0000_0000,
    0x8000_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_1234,
    0x7ff0_0000_0000_0001,
    0x0000_0000_0000_0001,
    0x800f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    0x3fe0_0000_0000_0000,
    0x3fdf_ffff_ffff_ffff,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0001,
    0x4004_0000_0000_0000,
    0xc008_0000_0000_0000,
    0x4330_0000_0000_0001,
    0x4340_0000_0000_0000,
    0x47ef_ffff_e000_0000,
    0x3690_0000_0000_0000,
];

const INTEGERS: [u32; 16] = [
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    255,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
];

/// The words of `count` elements of an operand such as `f32` or `v3i32:shift`.
pub(crate) fn words(operand: &str, count: usize, random: &mut Random) -> Vec<u32> {
    let kind = operand.split_once(':').map_or("", |(_, kind)| kind);
    let scalars = scalars(type_of(operand));
    let mut out = Vec::new();
    for _ in 0..count {
        for scalar in &scalars {
            scalar_words(scalar, kind, random, &mut out);
        }
    }
    out
}

fn scalar_words(scalar: &str, kind: &str, random: &mut Random, out: &mut Vec<u32>) {
    let bits: u32 = scalar.get(1..).and_then(|bits| bits.parse().ok()).unwrap_or(1);
    let mask = if bits >= 32 { u32::MAX } else { (1 << bits) - 1 };
    match (scalar, kind) {
        ("bool", _) => out.push(random.below(2) as u32),
        ("f32", _) => out.push(float(kind, random)),
        ("f16", _) => out.push(half(kind, random)),
        ("f64", _) => {
            let bits = double(kind, random);
            out.extend([bits as u32, (bits >> 32) as u32]);
        }
        (_, "shift") => {
            out.push(random.below(u64::from(bits)) as u32);
            out.resize(out.len() + usize::from(bits == 64), 0);
        }
        (_, "field") => out.push(random.below(17) as u32),
        (_, "small") => out.push(random.below(8) as u32),
        (_, "exponent") => out.push((random.below(320) as u32).wrapping_sub(160)),
        (_, "power") => out.push((random.below(4600) as u32).wrapping_sub(2300)),
        _ => {
            let low = integer(random);
            let high = if bits == 64 { integer(random) } else { 0 };
            // What divides is neither 0 nor -1, with which the smallest number would overflow.
            let is_bad = |low: u32, high: u32| {
                let all = low & mask;
                (all == 0 && high == 0) || (all == mask && (bits < 64 || high == u32::MAX))
            };
            let low = if kind == "divisor" && is_bad(low, high) { 3 } else { low };
            out.push(low & mask);
            if bits == 64 {
                out.push(high);
            }
        }
    }
}

fn integer(random: &mut Random) -> u32 {
    match random.below(4) {
        0 | 1 => random.pick(&INTEGERS),
        2 => random.below(1000) as u32,
        _ => random.word() as u32,
    }
}

fn float(kind: &str, random: &mut Random) -> u32 {
    let unit = |random: &mut Random| (random.below(1 << 24) as f32) / (1 << 24) as f32;
    match kind {
        // From -1 to 1.
        "unit" => (unit(random) * 2.0 - 1.0).to_bits(),
        // From -10 to 10.
        "plain" => (unit(random) * 20.0 - 10.0).to_bits(),
        // Inside of what every integer type holds.
        "byte" => (unit(random) * 120.0).to_bits(),
        "int" => ((unit(random) - 0.5) * 4.0e9).to_bits(),
        "finite" => loop {
            let bits = float("", random);
            if f32::from_bits(bits).is_finite() {
                return bits;
            }
        },
        _ => match random.below(4) {
            0 | 1 => random.pick(&FLOATS),
            2 => (unit(random) * 20.0 - 10.0).to_bits(),
            _ => random.word() as u32,
        },
    }
}

fn double(kind: &str, random: &mut Random) -> u64 {
    let unit = |random: &mut Random| (random.below(1 << 53) as f64) / (1u64 << 53) as f64;
    match kind {
        // From -10 to 10.
        "plain" => (unit(random) * 20.0 - 10.0).to_bits(),
        // Inside of what every integer type holds, of what those of 32 and 64 bits hold.
        "byte" => (unit(random) * 120.0).to_bits(),
        "int" => ((unit(random) - 0.5) * 4.0e9).to_bits(),
        "long" => ((unit(random) - 0.5) * 1.8e19).to_bits(),
        _ => match random.below(4) {
            0 => random.pick(&DOUBLES),
            // A binary32 number.
            1 => f64::from(f32::from_bits(float("finite", random))).to_bits(),
            2 => (unit(random) * 20.0 - 10.0).to_bits(),
            _ => random.word(),
        },
    }
}

fn half(kind: &str, random: &mut Random) -> u32 {
    match (kind, random.below(4)) {
        ("plain", _) => (0x3000 + random.below(0x1800) as u32) | ((random.below(2) as u32) << 15),
        (_, 0 | 1) => random.pick(&HALVES),
        (_, 2) => (0x3000 + random.below(0x1800) as u32) | ((random.below(2) as u32) << 15),
        _ => random.word() as u32 & 0xffff,
    }
}
