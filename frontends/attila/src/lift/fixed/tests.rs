//! The integer operations against the same arithmetic written with 128 bits and host floats.

use super::{Fixed, Number};
use parallax_core::exec::{FUEL, Inputs, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::{
    AttrDecl, AttrSemantic, Builder, Func, Interp, Location, OpKind, OutputDecl, OutputRole, Shader, Stage, Type,
    verify,
};
use parallax_interp::Bytecode;
use parallax_num::Op;

/// An operand: sign, integer, fraction left-aligned in 64 bits.
#[derive(Copy, Clone)]
struct Taken {
    sign: i32,
    int: u64,
    frac: u64,
}

/// Takes a binary32 pattern as 16.F: truncated toward zero, the integer modulo 2^16. From 2^24 on the integer is 0x7fff
/// and the fraction next to nothing; infinity has all bits set.
fn operand(pattern: u32, fraction_bits: u32) -> Taken {
    let sign = if pattern >> 31 != 0 { -1 } else { 1 };
    let exponent = pattern >> 23 & 0xff;
    let fraction = pattern & 0x7f_ffff;
    match exponent {
        0xff if fraction != 0 => Taken { sign: 0, int: 0, frac: 0 },
        0xff => Taken { sign, int: u64::MAX, frac: u64::MAX },
        151..=254 => Taken { sign, int: 0x7fff, frac: (1 << fraction_bits) - 1 },
        _ => {
            let significand = u64::from(if exponent == 0 { fraction } else { fraction | 1 << 23 });
            // The value is significand * 2^(exponent - 150); the result counts in 2^-F.
            let shift = exponent.max(1) as i32 - 150 + fraction_bits as i32;
            let fixed = if shift >= 0 { significand << shift } else { significand >> shift.unsigned_abs().min(63) };
            let int = fixed >> fraction_bits & 0xffff;
            Taken { sign, int, frac: fixed << (64 - fraction_bits) }
        }
    }
}

/// A 32.32 magnitude in 64.64.
fn wide(magnitude: u64) -> u128 {
    u128::from(magnitude) << 32
}

/// A 32.32 magnitude with its fraction cut to 2F bits.
fn cut(magnitude: u64, fraction_bits: u32) -> u64 {
    magnitude & u64::MAX << (32 - 2 * fraction_bits)
}

/// The first factor passes the cut of a product by itself, which an infinite one shows.
fn mul(a: Taken, b: Taken, fraction_bits: u32) -> u64 {
    let a = u128::from(cut(a.int << 32 | a.frac >> 32, fraction_bits));
    let whole = a.wrapping_mul(u128::from(b.int));
    let parts = (a * u128::from(b.frac)) >> 64;
    cut(whole.wrapping_add(parts) as u64, fraction_bits)
}

fn sum(a: u128, a_sign: i32, b: u128, b_sign: i32, fraction_bits: u32) -> (u64, i32) {
    let (magnitude, sign) = if a_sign == b_sign {
        (a.wrapping_add(b), a_sign)
    } else if b > a {
        (b - a, b_sign)
    } else {
        (a - b, a_sign)
    };
    (cut((magnitude >> 32) as u64, fraction_bits), sign)
}

fn float(magnitude: u64, sign: i32) -> u32 {
    // Conversions from integers, products with 1, 0 or a power of two and one addition: exact IEEE on any host.
    let sign = sign as f32;
    let fraction = ((magnitude << 32) as f32) * f32::from_bits(0x1f80_0000);
    (sign * (magnitude >> 32) as f32 + sign * fraction).to_bits()
}

/// Most fraction bits of an operand: products have twice as many.
const MAX_FRACTION: u32 = 16;

/// Patterns a, b, c, then magnitude (low, high) and sign of the accumulator.
type Case = [u32; 6];

/// Product, product plus c, product plus accumulator, and that as a float.
fn expected(case: Case, fraction_bits: u32) -> [u64; 7] {
    let [a, b, c, low, high, sign] = case;
    let (a, b, c) = (operand(a, fraction_bits), operand(b, fraction_bits), operand(c, fraction_bits));
    let held = u64::from(high) << 32 | u64::from(low);
    let (product, product_sign) = (mul(a, b, fraction_bits), a.sign * b.sign);
    let other = u128::from(c.int) << 64 | u128::from(c.frac);
    let plus = sum(wide(product), product_sign, other, c.sign, fraction_bits);
    let total = sum(wide(product), product_sign, wide(held), sign as i32, MAX_FRACTION);
    let word = |sign: i32| u64::from(sign as u32);
    let pattern = u64::from(float(total.0, total.1));
    [product, word(product_sign), plus.0, word(plus.1), total.0, word(total.1), pattern]
}

/// The same by the interpreter.
fn computed(cases: &[Case], fraction_bits: u32) -> Vec<[u64; 7]> {
    let mut func = Func::new("fixed", "test", Stage::Fragment);
    for n in 0..2 {
        func.iface.attrs.to_mut().push(AttrDecl {
            name: format!("i{n}"),
            semantic: AttrSemantic::Generic(n),
            interp: Interp::Flat,
            location: Location::Center,
            mediump: false,
        });
    }
    let (wide, word) = (Some(Type::I64), Some(Type::I32));
    for types in [[wide, word, wide, word], [wide, word, word, None]] {
        func.iface.outputs.push(OutputDecl { name: String::new(), role: OutputRole::Watch, types });
    }
    let body = func.body;
    let mut b = Builder::at(&mut func, body);
    let [a, b_bits, c, low, high, sign] =
        [0u8, 1, 2, 3, 4, 5].map(|n| b.read_bits(OpKind::Attr { index: u16::from(n / 4), comp: n % 4 }, &[]));
    let held = b.int(Op::Join, &[low, high]);
    let mut fixed = Fixed { b: &mut b, fraction_bits };
    let (a, b_operand, c) = (fixed.operand(a), fixed.operand(b_bits), fixed.operand(c));
    let product = fixed.product(a, b_operand);
    let plus = fixed.plus(product, c);
    let total = fixed.sum(product, Number { magnitude: held, sign });
    let pattern = fixed.float(total);
    let results = [product.magnitude, product.sign, plus.magnitude, plus.sign, total.magnitude, total.sign, pattern];
    for (n, value) in (0u16..).zip(results) {
        b.op(OpKind::Out { index: n / 4, comp: (n % 4) as u8 }, None, &[value], &[]);
    }
    b.op(OpKind::Yield, None, &[], &[]);
    let bound = Shader::new(func).bind(&Model::builtin("nv40").unwrap());
    let lanes = cases.len();
    let mut attrs = vec![0; 8 * lanes];
    for (lane, case) in cases.iter().enumerate() {
        for (n, word) in case.iter().enumerate() {
            attrs[n * lanes + lane] = *word;
        }
    }
    let mut out = Outputs::default();
    let inputs = Inputs {
        lanes,
        attrs: &attrs,
        banks: &[],
        sysvals: &[],
        covered: &vec![true; lanes],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    Bytecode::new(verify(&bound).unwrap()).run(&inputs, &mut out);
    (0..lanes).map(|lane| [0, 1, 2, 3, 4, 5, 6].map(|n| out.planes[n].get(lane))).collect()
}

/// Patterns near every border of the format, and others.
fn pattern(next: &mut impl FnMut() -> u32) -> u32 {
    const CORNERS: [u32; 14] = [
        0,
        0x8000_0000,
        1,
        0x7f_ffff,
        0x3f80_0000,
        0x4b80_0000,
        0x4b7f_ffff,
        0xcb80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7f80_0001,
        0xffc0_0000,
        0x7f7f_ffff,
        0x4780_0000,
    ];
    match next() % 4 {
        0 => CORNERS[next() as usize % CORNERS.len()],
        1 => next(),
        // From 2^-24 to 2^24.
        _ => (103 + next() % 49) << 23 | next() & 0x807f_ffff,
    }
}

fn check(cases: &[Case], fraction_bits: u32) {
    for (case, found) in cases.iter().zip(computed(cases, fraction_bits)) {
        assert_eq!(found, expected(*case, fraction_bits), "{case:x?} with {fraction_bits} fraction bits");
    }
}

#[test]
fn integer_operations_give_the_bits_of_the_wide_reference() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    for fraction_bits in 1..=MAX_FRACTION {
        let cases: Vec<Case> = (0..2000)
            .map(|_| {
                let [a, b, c] = [0; 3].map(|_| pattern(&mut next));
                let (low, high) = (next() >> (next() % 32), next() >> (next() % 32));
                [a, b, c, low, high, [1, 0, u32::MAX][next() as usize % 3]]
            })
            .collect();
        check(&cases, fraction_bits);
    }
}

#[test]
fn floats_round_ties_of_both_parts_to_even() {
    let halves = [0, 1, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ff7f, 0xffff_ff80, 0xffff_ff81, u32::MAX];
    let wholes = [0, 1, 0x00ff_ffff, 0x0100_0001, 0x0100_0003, 0xffff_ff7f, 0xffff_ff80, u32::MAX];
    let signs = [1, 0, u32::MAX];
    let all = halves.into_iter().flat_map(|low| wholes.map(|high| (low, high)));
    let mut cases: Vec<Case> = all.flat_map(|(low, high)| signs.map(|sign| [0, 0, 0, low, high, sign])).collect();
    cases.resize(cases.len().next_multiple_of(4), [0; 6]);
    check(&cases, 16);
}

#[test]
fn known_products_and_sums() {
    let f = |v: f32| v.to_bits();
    let product = |a: f32, b: f32, bits: u32| expected([f(a), f(b), 0, 0, 0, 1], bits)[0];
    // 1.5 * 2.25 = 3.375 in 16.8 and in 16.16; 1/3 is 0x55/256, or 0x5555/65536.
    assert_eq!((product(1.5, -2.25, 8), product(1.5, 2.25, 16)), (0x3_6000_0000, 0x3_6000_0000));
    assert_eq!((product(1.0 / 3.0, 1.0 / 3.0, 8), product(1.0 / 3.0, 1.0 / 3.0, 16)), (0x1c39_0000, 0x1c71_8e39));
    // Integers are taken modulo 2^16, from 2^24 on as 0x7fff; infinity has all bits set.
    assert_eq!((product(65537.0, 3.0, 8), product(3e7, 2.0, 8)), (0x3_0000_0000, 0xfffe_0000_0000));
    assert_eq!(product(f32::INFINITY, 1.0, 8), 0xffff_ffff_ffff_0000);
    assert_eq!(product(f32::NAN, 2.0, 16), 0);
    // Equal but for a little that borrows: the sign is the pattern's.
    let little = expected([f(0x7fff as f32), f(1.0), f(-3e7), 0, 0, 1], 8);
    assert_eq!((little[2], little[3] as u32 as i32), (0, -1));
}
