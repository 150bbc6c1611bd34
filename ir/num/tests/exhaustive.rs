//! Small formats tried whole. What takes more than a few seconds is ignored by default:
//! `cargo test --release -p parallax-num --test all exhaustive -- --ignored`

use crate::inputs;

use inputs::real::{Big, big, pattern, rounded};
use parallax_num::{Decl, Denormals, Format, Op, Overflow, Round, Rule, Storage, Tininess, eval, ulp};
use rustc_apfloat::ieee::{Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round as ApRound};

const MODES: [Round; 6] = [Round::NearestEven, Round::NearestAway, Round::Zero, Round::Up, Round::Down, Round::Away];

fn half_rule(round: Round) -> Rule {
    Rule { round, ..Rule::ieee(Decl::F16, Format::F16) }
}

/// A binary16 pattern's value; the patterns are those of finite numbers.
fn half(bits: u64) -> f64 {
    ulp::to_f64(bits, Storage::F16)
}

fn finite_halves() -> impl Iterator<Item = u64> {
    (0..1u64 << 16).filter(|b| b & 0x7c00 != 0x7c00)
}

/// Integer functions and roots of every half, by exact binary64 arithmetic.
#[test]
fn every_half_exactly() {
    for bits in finite_halves() {
        let x = half(bits);
        let rule = half_rule(Round::NearestEven);
        let exact = [
            (Op::Floor, x.floor()),
            (Op::Ceil, x.ceil()),
            (Op::Trunc, x.trunc()),
            (Op::Rint, x.round_ties_even()),
            (Op::Neg, -x),
            (Op::Abs, x.abs()),
        ];
        for (op, want) in exact {
            assert_eq!(half(eval(op, &rule, &[bits])).to_bits(), want.to_bits(), "{op} {bits:x}");
        }
        for round in MODES {
            let rule = half_rule(round);
            // Fractions of halves are binary64 numbers, and so are their differences from 1.
            let frac = pattern(&big(x - x.floor()), 5, 10, round);
            let got = eval(Op::Frac, &rule, &[bits]);
            // The sign of an exact zero difference is tested elsewhere.
            assert!(got == frac || got & 0x7fff == 0 && frac & 0x7fff == 0, "frac {bits:x} {round:?}");
        }
        for (op, round) in [
            (Op::F2iTrunc, f64::trunc as fn(f64) -> f64),
            (Op::F2iFloor, f64::floor),
            (Op::F2iCeil, f64::ceil),
            (Op::F2iRint, f64::round_ties_even),
        ] {
            assert_eq!(eval(op, &rule, &[bits]) as u32 as i32, round(x) as i32, "{op} {bits:x}");
        }
    }
}

fn recipe(op: Op, x: f64) -> Option<Big> {
    let b = big(x);
    Some(match op {
        Op::Rcp if x != 0.0 => big(1.0) / b,
        Op::Rsq if x > 0.0 => big(1.0) / b.sqrt(),
        Op::Sqrt if x > 0.0 => b.sqrt(),
        Op::Exp2 if x != 0.0 => big(2.0).powf(&b),
        Op::Log2 if x > 0.0 && x != 1.0 => b.log2(),
        Op::Sin if x != 0.0 => b.with_precision(400).value().sin(),
        Op::Cos if x != 0.0 => b.with_precision(400).value().cos(),
        _ => return None,
    })
}

const RECIPES: [Op; 7] = [Op::Rcp, Op::Rsq, Op::Sqrt, Op::Exp2, Op::Log2, Op::Sin, Op::Cos];

/// Recipes of halves round once, from the exact value, in every direction.
fn half_recipes(step: usize) {
    for bits in finite_halves().step_by(step) {
        let x = half(bits);
        for op in RECIPES {
            let Some(exact) = recipe(op, x) else { continue };
            for round in MODES {
                let want = pattern(&exact, 5, 10, round);
                let rule = half_rule(round);
                assert_eq!(eval(op, &rule, &[bits]), want, "{op} {bits:x} {round:?}");
            }
        }
    }
}

#[test]
fn half_recipes_sampled() {
    half_recipes(229);
}

#[test]
#[ignore = "minutes"]
fn half_recipes_all() {
    half_recipes(1);
}

/// s12 integers.
fn fixed() -> impl Iterator<Item = i64> + Clone {
    -2048..2048
}

fn word(v: i64) -> u64 {
    v as i32 as u32 as u64
}

/// Recipes of every s12 number round once and clamp.
#[test]
fn every_fixed_recipe() {
    for round in MODES {
        let rule = Rule { round, ..Rule::ieee(Decl::Fx12, Format::FX12) };
        for v in fixed().step_by(if round == Round::NearestEven { 3 } else { 41 }) {
            let x = v as f64 / 1024.0;
            for op in RECIPES {
                let Some(exact) = recipe(op, x) else { continue };
                let (neg, sig, unit) = rounded(&exact, 60, -10, round);
                let magnitude = if unit > -10 { i64::MAX } else { sig as i64 };
                let want = (if neg { -magnitude } else { magnitude }).clamp(-2048, 2047);
                assert_eq!(eval(op, &rule, &[word(v)]), word(want), "{op} {v} {round:?}");
            }
        }
    }
}

/// Pairs of s12 numbers against integer formulas written out.
fn fixed_pairs(step: usize) {
    let floor = |p: i64| p >> 10;
    let rules = MODES.map(|round| Rule { round, ..Rule::ieee(Decl::Fx12, Format::FX12) });
    for a in fixed().step_by(step) {
        for b in fixed() {
            let clamp = |v: i64| word(v.clamp(-2048, 2047));
            let args = [word(a), word(b)];
            for (rule, round) in rules.iter().zip(MODES) {
                let p = a * b;
                let rest = p & 1023;
                let rounded = match round {
                    Round::NearestEven => floor(p) + (rest > 512 || rest == 512 && floor(p) & 1 != 0) as i64,
                    Round::NearestAway => floor(p) + (rest > 512 || rest == 512 && p > 0) as i64,
                    Round::Zero => p / 1024,
                    Round::Up => floor(p) + (rest != 0) as i64,
                    Round::Down => floor(p),
                    Round::Away => {
                        if p < 0 {
                            floor(p)
                        } else {
                            floor(p) + (rest != 0) as i64
                        }
                    }
                };
                assert_eq!(eval(Op::Mul, rule, &args), clamp(rounded), "mul {a} {b} {round:?}");
            }
            let rule = &rules[0];
            for (op, want) in [
                (Op::Add, clamp(a + b)),
                (Op::Sub, clamp(a - b)),
                (Op::Min, word(a.min(b))),
                (Op::Max, word(a.max(b))),
                (Op::FLt, (a < b) as u64),
            ] {
                assert_eq!(eval(op, rule, &args), want, "{op} {a} {b}");
            }
        }
    }
}

#[test]
fn fixed_pairs_sampled() {
    fixed_pairs(67);
}

#[test]
#[ignore = "a minute"]
fn fixed_pairs_all() {
    fixed_pairs(1);
}

/// Products of halves near the smallest normal number, flushed before or after rounding.
#[test]
fn tininess() {
    let significand = |bits: u64| (bits & 0x3ff | 0x400) as u128;
    for round in MODES {
        for tininess in [Tininess::Before, Tininess::After] {
            let rule = Rule { tininess, denorm_out: Denormals::Flush, ..half_rule(round) };
            // 2^-7 m * 2^-8 n with 11-bit m and n: the product of significands decides.
            for a in (0x2000..0x2400u64).step_by(7) {
                for b in 0x1c00..0x2000u64 {
                    // value = p 2^-35, in [2^-15, 2^-13).
                    let p = significand(a) * significand(b);
                    let threshold = 1u128 << 21;
                    let tiny = match tininess {
                        Tininess::Before => p < threshold,
                        // Eleven bits of a 21-bit product: the last ten are rounded.
                        Tininess::After => {
                            let (keep, rest) = (p >> 10, p & 1023);
                            let up = match round {
                                Round::NearestEven => rest > 512 || rest == 512 && keep & 1 != 0,
                                Round::NearestAway => rest >= 512,
                                Round::Up | Round::Away => rest != 0,
                                Round::Zero | Round::Down => false,
                            };
                            p < threshold && (keep + up as u128) << 10 < threshold
                        }
                    };
                    let got = eval(Op::Mul, &rule, &[a, b]);
                    assert_eq!(got == 0, tiny, "{a:x} {b:x} {round:?} {tininess:?}: {got:x}");
                    assert!(tiny || got >= 0x400);
                }
            }
        }
    }
}

#[test]
fn overflow_by_direction_and_policy() {
    let (max, inf, neg) = (0x7bff, 0x7c00, 0x8000);
    for (round, up, down) in [
        (Round::NearestEven, inf, inf),
        (Round::NearestAway, inf, inf),
        (Round::Zero, max, max),
        (Round::Up, inf, max),
        (Round::Down, max, inf),
    ] {
        for (overflow, up, down) in
            [(Overflow::Ieee, up, down), (Overflow::Infinity, inf, inf), (Overflow::Largest, max, max)]
        {
            let rule = Rule { overflow, ..half_rule(round) };
            assert_eq!(eval(Op::Add, &rule, &[max, max]), up, "{round:?} {overflow:?}");
            assert_eq!(eval(Op::Add, &rule, &[neg | max, neg | max]), neg | down, "{round:?} {overflow:?}");
            // An infinite operand is not an overflow.
            assert_eq!(eval(Op::Add, &rule, &[inf, max]), inf);
            assert_eq!(eval(Op::Rcp, &rule, &[neg]), neg | inf);
        }
    }
    // Just below and at the point where nearest becomes infinity: 65519 and 65520.
    let rule = Rule { source: Storage::F32, ..half_rule(Round::NearestEven) };
    assert_eq!(eval(Op::Cvt, &rule, &[0x477f_ef00]), max);
    assert_eq!(eval(Op::Cvt, &rule, &[0x477f_f000]), inf);
}

/// Fused multiply-add of halves must not round to binary32 on the way.
#[test]
fn half_fma_rounds_once() {
    let rule = half_rule(Round::NearestEven);
    let mut random = inputs::Random::new(5);
    let mut differ = 0;
    for _ in 0..200_000 {
        let w: [u64; 3] = inputs::words(&mut random, Storage::F16);
        let h = w.map(|x| Half::from_bits(x as u128));
        let want = h[0].mul_add(h[1], h[2]).value;
        let got = eval(Op::Fma, &rule, &w);
        if want.is_nan() {
            continue;
        }
        assert_eq!(got, want.to_bits() as u64, "{w:x?}");
        let [a, b, c] = h.map(|x| FloatConvert::<Single>::convert(x, &mut false).value);
        let twice: Half = FloatConvert::<Half>::convert(a.mul_add(b, c).value, &mut false).value;
        differ += (twice.to_bits() as u64 != got) as usize;
    }
    assert!(differ > 20, "the inputs do not reach double rounding: {differ}");
}

/// Every binary32 number as a half.
#[test]
#[ignore = "minutes"]
fn every_binary32_to_half() {
    for (round, ap) in [(Round::NearestEven, ApRound::NearestTiesToEven), (Round::Zero, ApRound::TowardZero)] {
        let rule = Rule { source: Storage::F32, ..half_rule(round) };
        for bits in 0..1u64 << 32 {
            let got = eval(Op::Cvt, &rule, &[bits]);
            let want: Half = Single::from_bits(u128::from(bits)).convert_r(ap, &mut false).value;
            assert!(got == want.to_bits() as u64 || want.is_nan(), "{bits:x} {round:?}: {got:x}");
        }
    }
}
