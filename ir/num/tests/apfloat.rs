//! Sums, products, quotients, fused multiply-adds and conversions against LLVM's float library.

use crate::inputs;

use inputs::{Random, words};
use parallax_num::{Decl, Format, Op, Round, Rule, Storage, eval};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round as ApRound};

const MODES: [(Round, ApRound); 5] = [
    (Round::NearestEven, ApRound::NearestTiesToEven),
    (Round::NearestAway, ApRound::NearestTiesToAway),
    (Round::Zero, ApRound::TowardZero),
    (Round::Up, ApRound::TowardPositive),
    (Round::Down, ApRound::TowardNegative),
];

fn same(got: u64, want: u64, storage: Storage) -> bool {
    let (e, m) = inputs::shape(storage);
    let nan = |w: u64| w >> m & ((1 << e) - 1) == (1 << e) - 1 && w & ((1 << m) - 1) != 0;
    got == want || (nan(got) && nan(want))
}

fn arithmetic<F: Float>(decl: Decl, seed: u64, rounds: usize) {
    let format = decl.format();
    let storage = format.storage();
    let mut random = Random::new(seed);
    for (mode, ap) in MODES {
        let rule = Rule { round: mode, ..Rule::ieee(decl, format) };
        for _ in 0..rounds {
            let w: [u64; 3] = words(&mut random, storage);
            let [a, b, c] = w.map(|x| F::from_bits(x as u128));
            let cases = [
                (Op::Add, a.add_r(b, ap).value),
                (Op::Sub, a.sub_r(b, ap).value),
                (Op::Mul, a.mul_r(b, ap).value),
                (Op::Div, a.div_r(b, ap).value),
                (Op::Fma, a.mul_add_r(b, c, ap).value),
                (Op::Mad, a.mul_add_r(b, c, ap).value),
                (Op::Rcp, F::from_u128(1).value.div_r(a, ap).value),
            ];
            for (op, want) in cases {
                let got = eval(op, &rule, &w[..op.info().args.len()]);
                let want = want.to_bits() as u64;
                assert!(same(got, want, storage), "{op} {mode:?} {w:x?}: got {got:x}, want {want:x}");
            }
        }
    }
}

#[test]
fn binary16_arithmetic() {
    arithmetic::<Half>(Decl::F16, 1, 20_000);
}

#[test]
fn binary32_arithmetic() {
    arithmetic::<Single>(Decl::F32, 2, 20_000);
}

#[test]
fn binary64_arithmetic() {
    arithmetic::<Double>(Decl::F64, 3, 20_000);
}

fn conversion<S: FloatConvert<D>, D: Float>(from: Storage, decl: Decl, values: impl Iterator<Item = u64> + Clone) {
    for (mode, ap) in MODES {
        let rule = Rule { round: mode, source: from, ..Rule::ieee(decl, decl.format()) };
        for bits in values.clone() {
            let want = S::from_bits(bits as u128).convert_r(ap, &mut false).value.to_bits() as u64;
            let got = eval(Op::Cvt, &rule, &[bits]);
            assert!(same(got, want, rule.storage), "{from:?} to {decl} {mode:?} {bits:x}: got {got:x}, want {want:x}");
        }
    }
}

#[test]
fn conversions() {
    let stream = |seed, storage| {
        let mut random = Random::new(seed);
        (0..100_000).map(move |_| inputs::word(&mut random, storage))
    };
    conversion::<Half, Single>(Storage::F16, Decl::F32, 0..1 << 16);
    conversion::<Half, Double>(Storage::F16, Decl::F64, 0..1 << 16);
    conversion::<Single, Half>(Storage::F32, Decl::F16, stream(4, Storage::F32).collect::<Vec<_>>().into_iter());
    conversion::<Single, Double>(Storage::F32, Decl::F64, stream(5, Storage::F32).collect::<Vec<_>>().into_iter());
    conversion::<Double, Single>(Storage::F64, Decl::F32, stream(6, Storage::F64).collect::<Vec<_>>().into_iter());
    conversion::<Double, Half>(Storage::F64, Decl::F16, stream(7, Storage::F64).collect::<Vec<_>>().into_iter());
}

/// Every binary32 value between two neighbouring halves rounds like the neighbours and the midpoint say: all halves
/// with four points in each gap.
#[test]
fn binary32_to_binary16_around_every_half() {
    let around = (0u64..1 << 16).flat_map(|h| {
        let wide: rustc_apfloat::StatusAnd<Single> = Half::from_bits(h as u128).convert(&mut false);
        let wide = wide.value;
        let base = wide.to_bits() as u64;
        [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff].into_iter().map(move |d| (base + d) & 0xffff_ffff)
    });
    conversion::<Single, Half>(Storage::F32, Decl::F16, around.collect::<Vec<_>>().into_iter());
}

#[test]
fn narrow_formats_in_a_wide_container() {
    let mut random = Random::new(8);
    for (mode, ap) in MODES {
        let rule = Rule { round: mode, ..Rule::ieee(Decl::F32, Format::BF16) };
        assert_eq!(rule.storage, Storage::F32);
        for _ in 0..50_000 {
            let w: [u64; 2] = words(&mut random, Storage::F32);
            // Operands are bfloat16 values: the upper half of a binary32 pattern.
            let w = w.map(|x| x & 0xffff_0000);
            let [a, b] = w.map(|x| BFloat::from_bits((x >> 16) as u128));
            for (op, want) in
                [(Op::Add, a.add_r(b, ap).value), (Op::Mul, a.mul_r(b, ap).value), (Op::Div, a.div_r(b, ap).value)]
            {
                let got = eval(op, &rule, &w);
                let want = (want.to_bits() as u64) << 16;
                assert!(same(got, want, Storage::F32), "{op} {mode:?} {w:x?}: got {got:x}, want {want:x}");
            }
        }
    }
}
