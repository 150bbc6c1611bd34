//! Binary64 functions: the pairs keep the error they promise, and the exact evaluation rounds the hardest operands right.

use crate::inputs;

use inputs::real::{Big, big, pattern};
use parallax_num::arithmetic::{Integer, Words};
use parallax_num::double::{self, Binary64, Pair};
use parallax_num::{Decl, Op, Round, Rule, eval};

fn rule() -> Rule {
    Rule::ieee(Decl::F64, Decl::F64.format())
}

/// The relative error of a pair, as a binary64 number.
fn error(pair: Pair, exact: &Big) -> f64 {
    let sum = big(pair.high) + big(pair.low);
    let quotient = (sum - exact) / exact;
    let size = if quotient < big(0.0) { -quotient } else { quotient };
    size.to_f64().value()
}

fn check_errors(name: &str, eps: f64, operands: impl Iterator<Item = f64>, run: impl Fn(f64) -> (Pair, Big)) {
    let mut worst = 0f64;
    for x in operands {
        let (pair, exact) = run(x);
        let found = error(pair, &exact);
        assert!(found < eps, "{name} {x:e}: {found:e}");
        assert_eq!(pair.high + pair.low, pair.high, "{name} {x:e}");
        worst = worst.max(found);
    }
    // A bound that is never come near to bounds something else.
    assert!(worst > eps / 512.0, "{name}: {worst:e} of {eps:e}");
}

/// The sine of an angle and some quarter turns.
fn sine(x: f64, quarters: u64) -> Pair {
    let mut plain = Words(Binary64);
    let (quadrant, rest) = double::reduced(&mut plain, x);
    let quadrant = plain.add(quadrant, quarters);
    let value = double::sine(&mut plain, quadrant, rest);
    let [high, low] = [value.high, value.low].map(|part| double::with_sign_of(&mut plain, quadrant, part));
    Pair { high, low }
}

/// Numbers spread over an interval, its ends among them.
fn spread(low: f64, high: f64) -> impl Iterator<Item = f64> {
    const STEPS: u32 = 150;
    (0..=STEPS).map(move |i| low + (high - low) * (f64::from(i) / f64::from(STEPS)))
}

#[test]
fn errors_stay_inside_their_bounds() {
    let wide = |v: f64| big(v).with_precision(400).value();
    check_errors("exp2", double::EPS_EXP2, spread(-0.5, 0.5).filter(|x| *x != 0.0), |x| {
        (double::exp2_of_fraction(&mut Words(Binary64), x, None), wide(2.0).powf(&wide(x)))
    });
    check_errors("log2", double::EPS_LOG2, spread(0.7, 1.45).chain(spread(3.0, 1e9)).filter(|x| *x != 1.0), |x| {
        (double::log2(&mut Words(Binary64), x), wide(x).log2())
    });
    let angles = || spread(0.01, 7.0).chain(spread(1e3, 2e6)).chain([-1.0, 1e-9]);
    check_errors("sin", double::EPS_TRIG, angles(), |x| (sine(x, 0), wide(x).sin()));
    check_errors("cos", double::EPS_TRIG, angles(), |x| (sine(x, 1), wide(x).cos()));
    check_errors("rsq", double::EPS_RSQ, spread(1.0, 4.0).chain([f64::MAX, 5e-324]), |x| {
        (double::reciprocal_root(&mut Words(Binary64), x).1, big(1.0) / wide(x).sqrt())
    });
}

/// The binary64 number nearest to a multiple of pi/2 below the limit: what is left of it is the smallest rest of all angles.
#[test]
fn angles_next_to_multiples_are_reduced() {
    let wide = |v: f64| big(v).with_precision(400).value();
    for x in [
        0x4169_21fb_5444_2d18u64,
        0x3ff9_21fb_5444_2d18,
        0x4009_21fb_5444_2d18,
        0x4013_e4bd_3ee0_0000,
        0x4136_0000_0000_0000,
    ]
    .map(f64::from_bits)
    .into_iter()
    .filter(|x| *x < double::TRIG_LIMIT)
    {
        let found = error(sine(x, 0), &wide(x).sin());
        assert!(found < double::EPS_TRIG, "{x:e}: {found:e}");
    }
}

/// Operands whose results lie nearest to halfway between two numbers, of forty million at random for each function.
const HARD: [(Op, &[u64]); 5] = [
    (
        Op::Exp2,
        &[
            0xc06a_118a_eacc_f2bd,
            0xbfc6_f4f9_eeef_8030,
            0xc031_1cb5_c686_4082,
            0xc02d_160e_daca_8f36,
            0x3fb0_77fe_bdea_be70,
            0xc07e_9dfa_1f4c_7a0c,
            0xc022_e81f_f1e9_3998,
            0xc026_7ade_e8ff_cbdf,
            0xbf4b_07e6_fd60_5400,
            0xc012_995b_999b_6f27,
            0xbfbe_d2ed_786d_05c4,
            0x3fec_8169_70a6_ba54,
        ],
    ),
    (
        Op::Log2,
        &[
            0x402d_a5d4_a704_08e5,
            0x3ff9_98bd_aaee_bf8f,
            0x402a_7b28_6463_0ddc,
            0x3fea_9709_a292_090d,
            0x3ffb_f580_b826_d651,
            0x4024_8e19_fd6f_30b8,
            0x3ffa_4050_e93a_65ea,
            0x3ff3_b292_9e80_fdfb,
            0x402d_4a7c_202f_fdd6,
            0x3ffd_2715_77f4_bf91,
            0x3fe4_62f3_b3fd_6cb7,
            0x4027_86cd_8ded_7ce1,
        ],
    ),
    (
        Op::Sin,
        &[
            0x3fb2_a367_4c1b_e3e0,
            0x400d_8769_936f_b196,
            0x4008_3b7d_8ad0_d348,
            0x40f0_ee1b_5f51_871f,
            0x3ff2_ee74_3bc9_f324,
            0x40c4_c810_0011_3838,
            0x40f3_9162_67bf_bedc,
            0x402d_6e91_44d3_b951,
            0x3fed_3a16_df7b_4aa0,
            0x403c_3bbb_95e6_5a10,
            0x400c_2bf7_e8d1_2250,
            0x40f2_48b2_fdc5_4df5,
        ],
    ),
    (
        Op::Cos,
        &[
            0x3ffe_b1c1_e880_2294,
            0x404d_971c_f7b5_865a,
            0x4039_50fc_18f3_1cfa,
            0x40d3_8fba_f1d6_6f60,
            0x3fe3_5a91_8284_4852,
            0x3fd1_7c8e_4753_36bc,
            0x3fd0_5381_1f09_d920,
            0x3fd0_1360_a18f_d9cc,
            0x403c_dc41_6c2d_c190,
            0x4032_337f_8313_bccf,
            0x40f3_ad12_87ed_71d8,
            0x40ee_7afc_c25c_418a,
        ],
    ),
    (
        Op::Rsq,
        &[
            0x400e_2261_45ef_fe8d,
            0x3ff8_40f8_da4a_b62e,
            0x4001_28e4_ad2b_7a96,
            0x3ff9_acc8_9345_1130,
            0x4001_cfa4_c4cf_2e81,
            0x3ff5_3477_eeca_6196,
            0x4003_1377_281c_cd8d,
            0x3ff0_7985_081b_5d29,
            0x3ff7_4972_af9c_c8b9,
            0x400b_382c_45d7_4885,
            0x3fff_a266_3491_e286,
            0x4002_afa6_f843_3b28,
        ],
    ),
];

#[test]
fn hard_operands() {
    let wide = |v: f64| big(v).with_precision(400).value();
    for (op, operands) in HARD {
        for &bits in operands {
            let x = f64::from_bits(bits);
            let exact = match op {
                Op::Rsq => wide(1.0) / wide(x).sqrt(),
                Op::Exp2 => wide(2.0).powf(&wide(x)),
                Op::Log2 => wide(x).log2(),
                Op::Sin => wide(x).sin(),
                _ => wide(x).cos(),
            };
            for round in [Round::NearestEven, Round::NearestAway, Round::Zero, Round::Up, Round::Down] {
                let got = eval(op, &Rule { round, ..rule() }, &[bits]);
                assert_eq!(got, pattern(&exact, 11, 52, round), "{op} {x:e} {round:?}");
            }
        }
    }
}
