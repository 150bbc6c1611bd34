//! Operations made of several steps against the steps, and exact sums against arbitrary precision.

use crate::inputs;

use inputs::real::pattern;
use inputs::{Random, words};
use parallax_num::{Decl, Denormals, Dot, DotOrder, Format, Lrp, Mad, Op, Round, Rule, Storage, ZeroMul, eval};

const MODES: [Round; 4] = [Round::NearestEven, Round::Zero, Round::Up, Round::Down];

fn rules(random: &mut Random) -> Rule {
    let (decl, format) = random.pick(&[(Decl::F32, Format::F32), (Decl::F16, Format::F16), (Decl::F32, Format::FP24)]);
    let flush = random.pick(&[Denormals::Keep, Denormals::Flush]);
    Rule {
        round: random.pick(&MODES),
        denorm_in: flush,
        denorm_out: flush,
        zero_mul: random.pick(ZeroMul::ALL),
        ..Rule::ieee(decl, format)
    }
}

#[test]
fn dot_products_are_their_steps() {
    let mut random = Random::new(1);
    for _ in 0..30_000 {
        let plain = rules(&mut random);
        let fused = random.below(2) == 0;
        let w: [u64; 8] = words(&mut random, plain.storage);
        let mul = |a: u64, b: u64| eval(Op::Mul, &plain, &[a, b]);
        let add = |a: u64, b: u64| eval(Op::Add, &plain, &[a, b]);
        let onto = |sum: u64, a: u64, b: u64| {
            if fused { eval(Op::Fma, &plain, &[a, b, sum]) } else { add(sum, mul(a, b)) }
        };
        let rule = Rule { dot: Dot { order: DotOrder::LeftToRight, fused, reach: None }, ..plain };
        let two = onto(mul(w[0], w[2]), w[1], w[3]);
        assert_eq!(eval(Op::Dot2, &rule, &w[..4]), two, "{rule:?} {w:x?}");
        assert_eq!(eval(Op::Dp2a, &rule, &w[..5]), add(two, w[4]), "{rule:?} {w:x?}");
        let three = onto(onto(mul(w[0], w[3]), w[1], w[4]), w[2], w[5]);
        assert_eq!(eval(Op::Dot3, &rule, &w[..6]), three, "{rule:?} {w:x?}");
        assert_eq!(eval(Op::Dph, &rule, &w[..7]), add(three, w[6]), "{rule:?} {w:x?}");
        let four = onto(onto(onto(mul(w[0], w[4]), w[1], w[5]), w[2], w[6]), w[3], w[7]);
        assert_eq!(eval(Op::Dot4, &rule, &w), four, "{rule:?} {w:x?}");
        let rule = Rule { dot: Dot { order: DotOrder::Pairwise, fused, reach: None }, ..plain };
        let four = add(onto(mul(w[0], w[4]), w[1], w[5]), onto(mul(w[2], w[6]), w[3], w[7]));
        assert_eq!(eval(Op::Dot4, &rule, &w), four, "{rule:?} {w:x?}");
        let three = add(onto(mul(w[0], w[3]), w[1], w[4]), mul(w[2], w[5]));
        assert_eq!(eval(Op::Dot3, &rule, &w[..6]), three, "{rule:?} {w:x?}");
    }
}

#[test]
fn blends_are_their_steps() {
    let mut random = Random::new(2);
    for _ in 0..30_000 {
        let plain = rules(&mut random);
        let one = if plain.storage == Storage::F16 { 0x3c00 } else { 0x3f80_0000 };
        let w: [u64; 3] = words(&mut random, plain.storage);
        let [a, b, c] = w;
        let mul = |a: u64, b: u64| eval(Op::Mul, &plain, &[a, b]);
        let add = |a: u64, b: u64| eval(Op::Add, &plain, &[a, b]);
        let sub = |a: u64, b: u64| eval(Op::Sub, &plain, &[a, b]);
        let fma = |a: u64, b: u64, c: u64| eval(Op::Fma, &plain, &[a, b, c]);
        let rest = mul(sub(one, a), c);
        for (rule, want) in [
            (Rule { lrp: Lrp::FmaBlend, ..plain }, fma(a, b, rest)),
            (Rule { lrp: Lrp::Blend, ..plain }, add(mul(a, b), rest)),
            (Rule { lrp: Lrp::Difference, mad: Mad::Fused, ..plain }, fma(a, sub(b, c), c)),
            (Rule { lrp: Lrp::Difference, mad: Mad::Separate, ..plain }, add(mul(a, sub(b, c)), c)),
        ] {
            assert_eq!(eval(Op::Lrp, &rule, &w), want, "{rule:?} {w:x?}");
        }
        let rule = Rule { mad: Mad::Separate, ..plain };
        assert_eq!(eval(Op::Mad, &rule, &w), add(mul(a, b), c), "{rule:?} {w:x?}");
        assert_eq!(eval(Op::Mad, &Rule { mad: Mad::Fused, ..plain }, &w), fma(a, b, c));
    }
}

/// A product cut to n bits, then one rounding: by exact binary64 arithmetic on halves.
#[test]
fn truncated_products() {
    let mut random = Random::new(3);
    for _ in 0..30_000 {
        let bits = 8 + random.below(8) as u8;
        let rule = Rule { mad: Mad::Truncated(bits), ..Rule::ieee(Decl::F16, Format::F16) };
        let w: [u64; 3] = words(&mut random, Storage::F16);
        let [a, b, c] = w.map(|x| parallax_num::ulp::to_f64(x, Storage::F16));
        if !(a.is_finite() && b.is_finite() && c.is_finite()) {
            continue;
        }
        let product = a * b;
        let cut = f64::from_bits(product.to_bits() & !((1 << (53 - bits as u32)) - 1));
        if cut == 0.0 || cut + c == 0.0 {
            continue;
        }
        let sum = inputs::real::big(cut) + inputs::real::big(c);
        assert_eq!(eval(Op::Mad, &rule, &w), pattern(&sum, 5, 10, Round::NearestEven), "{bits} {w:x?}");
    }
}

/// Exact sums of exact products, rounded once: binary32 and binary64, with cancellation.
#[test]
fn exact_dot_products() {
    let mut random = Random::new(4);
    let dot = Dot { order: DotOrder::Exact, fused: false, reach: None };
    for i in 0..6000 {
        let decl = if i % 2 == 0 { Decl::F32 } else { Decl::F64 };
        let round = random.pick(&MODES);
        let rule = Rule { dot, round, ..Rule::ieee(decl, decl.format()) };
        let storage = rule.storage;
        let mut w: [u64; 8] = words(&mut random, storage);
        if random.below(3) == 0 {
            // The second pair of products cancels the first but for a few bits.
            w[2] = w[0];
            w[6] = w[4] ^ storage.sign_bit();
        }
        let v = w.map(|x| parallax_num::ulp::to_f64(x, storage));
        if v.iter().any(|x| !x.is_finite()) {
            continue;
        }
        let big = |x: f64| inputs::real::Big::try_from(x).expect("finite").with_precision(6000).value();
        let sum = (0..4).map(|k| big(v[k]) * big(v[k + 4])).fold(big(0.0), |s, p| s + p);
        let (e, m) = inputs::shape(storage);
        let got = eval(Op::Dot4, &rule, &w);
        let want = pattern(&sum, e, m, round);
        // The sign of an exact zero is tested elsewhere.
        let zero = |word: u64| word & !storage.sign_bit() == 0;
        assert!(got == want || zero(got) && zero(want), "{round:?} {w:x?}: got {got:x}, want {want:x}");
    }
}
