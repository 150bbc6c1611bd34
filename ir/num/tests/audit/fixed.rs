//! Fixed point: two's complement in whole numbers, by the figures that the documents give for `fx12` and `fx9`. Where an exact result lies between
//! two codes, no document says which one it becomes; what is computed exactly, clamped and compared is fixed.

use super::triples;
use crate::inputs::Random;
use parallax_num::{Decl, Format, Model, Op, Saturate, Setting, Slot, Storage, eval};
use std::collections::BTreeSet;

/// What the documents say of a format of a model.
struct Fixed {
    model: &'static str,
    decl: Decl,
    /// Fraction bits, and the least code.
    fraction: u32,
    least: i64,
    /// What a NaN becomes: zero, or clamped like an infinity of its sign.
    nan: &'static str,
}

/// NV_fragment_program, section 3.11.4.1 (fx12: -2048/1024 to 2047/1024, clamped, a NaN is 0); US patent 7136070, number formats (s12; a NaN
/// counts as infinity); RPCS3 and the nouveau NV40 header (0.8 with a sign, a NaN is 0).
const FIXED: [Fixed; 4] = [
    Fixed { model: "nv-patent", decl: Decl::Fx12, fraction: 10, least: -2048, nan: "infinity" },
    Fixed { model: "nvfp", decl: Decl::Fx12, fraction: 10, least: -2048, nan: "zero" },
    Fixed { model: "nv40", decl: Decl::Fx12, fraction: 10, least: -2048, nan: "zero" },
    Fixed { model: "nv40", decl: Decl::Fx9, fraction: 8, least: -256, nan: "zero" },
];

/// The codes next to `top / 2^down`, clamped.
struct Codes<'a>(&'a Fixed);

impl Codes<'_> {
    fn clamped(&self, code: i64) -> i64 {
        code.clamp(self.0.least, -self.0.least - 1)
    }

    /// The one that a fraction is, or the two around it.
    fn around(&self, top: i128, down: u32) -> BTreeSet<i64> {
        let (low, is_exact) = match down {
            0 => (top, true),
            1..127 => (top >> down, top & ((1 << down) - 1) == 0),
            _ => (top.signum().min(0), top == 0),
        };
        let narrow = |code: i128| self.clamped(code.clamp(i64::MIN.into(), i64::MAX.into()) as i64);
        [narrow(low), narrow(if is_exact { low } else { low + 1 })].into()
    }

    fn any(&self, random: &mut Random) -> i64 {
        let most = -self.0.least;
        match random.below(4) {
            0 => [0, 1, -1, most / 2, most - 1, -most, 1 - most, most / 2 - 1, -most / 2][random.below(9) as usize],
            _ => random.below(2 * most as u64) as i64 - most,
        }
    }
}

fn word(code: i64) -> u64 {
    u64::from(code as i32 as u32)
}

fn code(word: u64) -> i64 {
    i64::from(word as u32 as i32)
}

#[test]
fn fixed_point_is_that_of_the_documents() {
    let (mut checked, mut between) = (0, 0);
    for fixed in &FIXED {
        let model = Model::parse(fixed.model).expect("a model");
        let codes = Codes(fixed);
        let slot = Slot::plain(fixed.decl);
        let storage = model.storage(fixed.decl);
        let of = |op: Op, args: &[i64]| {
            let words: Vec<u64> = args.iter().map(|&arg| word(arg)).collect();
            eval(op, &model.rule(op, &slot, storage).0, &words)
        };
        let mut random = Random::new(17);
        for _ in 0..20_000 {
            let [a, b, c, d, e, f] = [0; 6].map(|_| codes.any(&mut random));
            let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
            let one = 1i128 << fixed.fraction;
            let cases = [
                (Op::Add, &[a, b][..], codes.around((a + b).into(), 0)),
                (Op::Sub, &[a, b], codes.around((a - b).into(), 0)),
                (Op::Mul, &[a, b], codes.around(product(a, b), fixed.fraction)),
                // Sums are wide: what clamps is the result alone.
                (Op::Mad, &[a, b, c], codes.around(product(a, b) + i128::from(c) * one, fixed.fraction)),
                (Op::Lrp, &[a, b, c], {
                    let rest = one - i128::from(a);
                    codes.around(product(a, b) + rest * i128::from(c), fixed.fraction)
                }),
                (Op::Dot3, &[a, b, c, d, e, f], {
                    codes.around(product(a, d) + product(b, e) + product(c, f), fixed.fraction)
                }),
                (Op::Dot2, &[a, b, c, d], codes.around(product(a, c) + product(b, d), fixed.fraction)),
                (Op::Min, &[a, b], [a.min(b)].into()),
                (Op::Max, &[a, b], [a.max(b)].into()),
                (Op::Floor, &[a], [codes.clamped(a >> fixed.fraction << fixed.fraction)].into()),
                (Op::Frac, &[a], [a & (one as i64 - 1)].into()),
            ];
            for (op, args, want) in cases {
                let found = code(of(op, args));
                assert!(want.contains(&found), "{} {op} of {args:?} is {found}, not {want:?}", fixed.model);
                checked += 1;
                between += usize::from(want.len() == 2);
            }
            for (op, want) in [
                (Op::FLt, a < b),
                (Op::FLe, a <= b),
                (Op::FEq, a == b),
                (Op::FNe, a != b),
                (Op::FGt, a > b),
                (Op::FGe, a >= b),
            ] {
                assert_eq!(of(op, &[a, b]) & 1 != 0, want, "{} {op} of {a} and {b}", fixed.model);
            }
            // Results of the suffix _SAT.
            let bounded = Slot { saturate: Saturate::Unsigned, ..slot };
            let rule = model.rule(Op::Add, &bounded, storage).0;
            let found = code(eval(Op::Add, &rule, &[word(a), word(b)]));
            // 1 is no code of a format that ends before it.
            let most = (one as i64).min(-fixed.least - 1);
            assert_eq!(found, (a + b).clamp(0, most), "{} add of {a} and {b}, clamped", fixed.model);
        }
    }
    assert!(checked > 800_000 && between > 100_000, "{checked} {between}");
}

#[test]
fn conversions_to_fixed_point_are_those_of_the_documents() {
    let mut checked = 0;
    for fixed in &FIXED {
        let model = Model::parse(fixed.model).expect("a model");
        let codes = Codes(fixed);
        let rule = model.rule(Op::Cvt, &Slot::plain(fixed.decl), Storage::F32).0;
        let back = model.rule(Op::Cvt, &Slot::plain(Decl::F32), model.storage(fixed.decl)).0;
        let mut random = Random::new(18);
        let near = (0..20_000).map(|_| 0x3900_0000 + random.below(0x0900_0000) + (random.below(2) << 31));
        let words: Vec<u64> = near.chain(triples(super::SINGLE).into_iter().flatten()).collect();
        for word in words {
            let float = f32::from_bits(word as u32);
            let (negative, most) = (word >> 31 != 0, -fixed.least - 1);
            let clamped = if negative { fixed.least } else { most };
            let want: BTreeSet<i64> = match (float.is_nan(), fixed.nan) {
                (true, "zero") => [0].into(),
                (true, _) => [clamped].into(),
                (false, _) if float.is_infinite() => [clamped].into(),
                // A denormal may have become zero before.
                (false, _) if float.is_subnormal() => [0, if negative { -1 } else { 1 }].into(),
                _ => {
                    let exponent = (word >> 23 & 0xff) as i32;
                    let size = i128::from(word & 0x7f_ffff | if exponent == 0 { 0 } else { 0x80_0000 });
                    let top = if negative { -size } else { size };
                    // Of the code, whose last bit counts 1.
                    match exponent.max(1) - 150 + fixed.fraction as i32 {
                        up @ 0.. => codes.around(if size == 0 { 0 } else { top << up.min(90) }, 0),
                        down => codes.around(top, down.unsigned_abs()),
                    }
                }
            };
            let found = code(eval(Op::Cvt, &rule, &[word]));
            assert!(want.contains(&found), "{} {:?}: {float:e} is {found}, not {want:?}", fixed.model, fixed.decl);
            checked += 1;
        }
        for number in fixed.least..-fixed.least {
            let exact = number as f32 / (1 << fixed.fraction) as f32;
            let found = f32::from_bits(eval(Op::Cvt, &back, &[word(number)]) as u32);
            assert_eq!(found.to_bits(), exact.to_bits(), "{} {:?}: {number}", fixed.model, fixed.decl);
        }
    }
    assert!(checked > 80_000, "{checked}");
}

/// What a model itself says of its fixed formats has figures here.
#[test]
fn models_with_fixed_point_of_their_own_are_audited() {
    let mut said = 0;
    for model in Model::builtins().into_iter().filter(|model| !model.is_definition()) {
        for decl in [Decl::Fx12, Decl::Fx9] {
            let own = |setting: &&Setting| setting.model.as_deref() == Some(&*model.label());
            let is_format =
                |setting: &&Setting| setting.field.name == "format" && setting.scope.decls().any(|d| d == decl);
            let says = model.settings().iter().filter(own).any(|setting| is_format(&setting));
            let is_known = FIXED.iter().any(|fixed| fixed.model == model.label() && fixed.decl == decl);
            assert!(!says || is_known, "{} says what {decl:?} is", model.label());
            assert!(matches!(model.value_format(decl), Format::Fixed(_)), "{} {decl:?}", model.label());
            said += usize::from(says);
        }
    }
    assert!(said >= 3, "{said}");
}
