//! Random rules and operands, for tests of everything that evaluates an operation.

use parallax_num::{
    Accuracy, CompareReference, ComputedIn, CubeEdges, CubeFace, Decl, Denormals, Div, Dot, DotOrder, FixedFormat,
    FixedFunctions, FixedPoints, FloatFormat, Fma, Format, FracOne, Grid, Infinite, Kind, LayerRound, LevelSteps,
    Library, LitRule, Log2, LogNegative, LogSpecial, Lrp, Mad, MinMaxDenorm, MinMaxNan, MinMaxZero, NanBits,
    NanCompare, NanResult, Op, Overflow, Pow, Probe, Rcp, RcpZero, Relaxed, Rewrites, Round, Rsq, RsqNegative, Rule,
    SatDenorm, SatNan, SatZero, Saturate, Specials, Sqrt, SqrtNegative, SrgbDecode, StepRules, Storage, SubNan,
    Subgroup, TexelResult, TextureRule, TextureUnit, Tininess, ToInt, Trig, Unit, ZeroMul, ZeroMulAdd, ZeroPowZero,
    ZeroSign,
};
use parallax_random::Random;

const STORAGES: [Storage; 5] = [
    Storage::F16,
    Storage::F32,
    Storage::F64,
    Storage::Fixed(FixedFormat { int: 2, frac: 10 }),
    Storage::Fixed(FixedFormat { int: 1, frac: 8 }),
];

/// Exponent and fraction bits of a float container.
pub fn shape(storage: Storage) -> (u32, u32) {
    match storage {
        Storage::F16 => (5, 10),
        Storage::F32 => (8, 23),
        _ => (11, 52),
    }
}

/// A lane word: random bits, special values, short fractions, numbers near 1, near the ends of the range.
pub fn word(random: &mut Random, storage: Storage) -> u64 {
    if let Storage::Fixed(f) = storage {
        let bits = f.int + f.frac;
        let r = random.word() as i64;
        let v = match random.below(6) {
            0 => 0,
            1 => (1i64 << (bits - 1)) - 1,
            2 => -(1i64 << (bits - 1)),
            3 => 1i64 << f.frac,
            _ => r << (64 - bits) >> (64 - bits),
        };
        return v as i32 as u32 as u64;
    }
    let (e, m) = shape(storage);
    let all = u64::MAX >> (63 - e - m);
    let sign = (random.word() & 1) << (e + m);
    let frac = match random.below(6) {
        0 => 0,
        1 => (1 << m) - 1,
        2 => 1 << random.below(m as u64),
        3 => (1 << m) - (1 << random.below(m as u64 + 1)),
        _ => random.word() & ((1 << m) - 1),
    } & ((1 << m) - 1);
    let bias = (1u64 << (e - 1)) - 1;
    let field = match random.below(12) {
        0 => 0,
        1 => (1 << e) - 1,
        2 => (1 << e) - 2,
        3 => 1,
        4 => 1 + random.below(m as u64),
        5..=8 => (bias + random.below(2 * m as u64)).saturating_sub(m as u64).min((1 << e) - 2),
        _ => random.below(1 << e),
    };
    if random.below(16) == 0 { random.word() & all } else { sign | field << m | frac }
}

/// A word near another one: the same number a few steps away, perhaps negated or scaled by a power of two.
pub fn near(random: &mut Random, other: u64, storage: Storage) -> u64 {
    let steps = random.below(5) as i64 - 2;
    let moved = (other as i64).wrapping_add(steps) as u64;
    let (e, m) = match storage {
        Storage::Fixed(_) => return (moved as u32 as i32).clamp(-2048, 2047) as u32 as u64,
        _ => shape(storage),
    };
    let scale = if random.below(2) == 0 { random.below(4) << m } else { 0 };
    let all = u64::MAX >> (63 - e - m);
    (moved ^ (random.word() & 1) << (e + m)).wrapping_add(scale) & all
}

/// Operand rows of an operation under a rule.
pub fn operands(random: &mut Random, op: Op, rule: &Rule, lanes: usize) -> Vec<Vec<u64>> {
    let mut rows: Vec<Vec<u64>> = vec![Vec::new(); op.info().args.len()];
    for _ in 0..lanes {
        for k in 0..rows.len() {
            let w = match op.info().args[k] {
                Kind::F | Kind::AnyF => {
                    let storage = if op == Op::Cvt { rule.source } else { rule.storage };
                    let other = if k > 0 && random.below(4) == 0 { rows[k - 1].last().copied() } else { None };
                    match other {
                        None => word(random, storage),
                        Some(other) => near(random, other, storage),
                    }
                }
                Kind::I32 => match random.below(4) {
                    0 => random.below(40),
                    1 => random.pick(&[0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 32]),
                    _ => random.word() & 0xffff_ffff,
                },
                Kind::I64 => random.word(),
                Kind::Pred => random.below(2),
                Kind::Cc => random.below(4),
            };
            rows[k].push(w);
        }
    }
    rows
}

fn random_format(random: &mut Random) -> Format {
    match random.below(10) {
        0..=2 => Format::F32,
        3..=4 => Format::F16,
        5 => Format::F64,
        6 => Format::FX12,
        7 => random.pick(&[Format::FP24, Format::BF16, Format::TF32, Format::FX9]),
        _ => Format::Float(FloatFormat {
            exp: 3 + random.below(6) as u8,
            frac: 2 + random.below(22) as u8,
            denormals: random.below(2) == 0,
            specials: random.pick(&[Specials::InfNan, Specials::InfNan, Specials::NanOnly, Specials::None]),
        }),
    }
}

const BOUNDS: [&str; 6] =
    ["2.5ulp", "[-2.87,+0.09]ulp", "[-0.99,+0.13]ulp", "2^-9.5rel:0", "2^-8abs<=1;2^-6.5abs<=90", "1+2*|x|ulp"];

const TRIGS: [&str; 6] = [
    "radians",
    "radians",
    "turns(3e22f983)",
    "turns(3e22f983).rtz.fract",
    "turns(3e22f983).fract-half-radians",
    "half-turns(3ea2f983).rint",
];

/// Any rule of a texture unit.
pub fn random_texture_rule(random: &mut Random) -> TextureRule {
    let mut grid = || match random.below(3) {
        0 => Grid::Binary32,
        _ => {
            let bits = 1 + random.below(u64::from(Grid::MOST_BITS)) as u8;
            Grid::Fixed { bits, round: random.pick(Round::ALL) }
        }
    };
    let [linear, nearest, gather, level] = [0; 4].map(|_: u8| grid());
    TextureRule {
        linear,
        nearest,
        gather,
        level,
        steps: random.pick(LevelSteps::ALL),
        layer: random.pick(LayerRound::ALL),
        result: random.pick(TexelResult::ALL),
        srgb: random.pick(SrgbDecode::ALL),
        compare: random.pick(CompareReference::ALL),
        cube: random.pick(CubeEdges::ALL),
        face: random.pick(CubeFace::ALL),
        unit: if random.below(3) == 0 { random.pick(TextureUnit::ALL) } else { TextureUnit::None },
    }
}

/// A rule with every field anywhere, half of them at their usual values.
pub fn random_rule(random: &mut Random) -> Rule {
    let format = random_format(random);
    let denormals = [Denormals::Keep, Denormals::Keep, Denormals::Flush, Denormals::FlushPositive];
    let nearest = random.below(2) == 0;
    let (bits, floor) = (4 + random.below(20) as u8, random.pick(&[-200, 0, -3, 2]));
    let mut storage = format.storage();
    if storage == Storage::F16 && random.below(3) == 0 {
        storage = Storage::F32;
    }
    let accuracy = match random.below(3) {
        0 => Accuracy::Correct,
        1 => Accuracy::Bounded { bits, floor, strict: random.below(4) == 0 },
        _ => Accuracy::from_name(random.pick(&BOUNDS)).unwrap_or(Accuracy::Correct),
    };
    Rule {
        format,
        storage,
        source: random.pick(&STORAGES),
        decl: random.pick(&Decl::WITH_RULES),
        round: if nearest { Round::NearestEven } else { random.pick(Round::ALL) },
        denorm_in: random.pick(&denormals),
        denorm_out: random.pick(&denormals),
        tininess: random.pick(Tininess::ALL),
        overflow: random.pick(Overflow::ALL),
        quiets: true,
        nan_result: random.pick(&[NanResult::First, NanResult::Default, NanResult::First, NanResult::Infinity]),
        nan_bits: random.pick(NanBits::ALL),
        nan_compare: random.pick(NanCompare::ALL),
        zero_mul: random.pick(ZeroMul::ALL),
        zero_mul_add: random.pick(ZeroMulAdd::ALL),
        zero_sign: random.pick(&[ZeroSign::Keep, ZeroSign::Keep, ZeroSign::Keep, ZeroSign::Positive]),
        infinite: random.pick(Infinite::ALL),
        sub_nan: random.pick(SubNan::ALL),
        frac_one: random.pick(FracOne::ALL),
        mad: random.pick(&[Mad::Fused, Mad::Separate, Mad::Truncated(12), Mad::TruncatedUnlessZero(12)]),
        fma: random.pick(Fma::ALL),
        dot: Dot {
            order: random.pick(DotOrder::ALL),
            fused: random.below(2) == 0,
            reach: random.pick(&[None, None, Some(3), Some(25)]),
        },
        lrp: random.pick(Lrp::ALL),
        lit: LitRule {
            clamp: random.pick(&[None, Some(0x4300_0000)]),
            keep_nan: random.below(2) == 0,
            nan_clamps: random.below(2) == 0,
            zero_pow_zero: random.pick(ZeroPowZero::ALL),
            nan_lights: random.below(2) == 0,
        },
        minmax_nan: random.pick(MinMaxNan::ALL),
        minmax_zero: random.pick(MinMaxZero::ALL),
        minmax_denorm: random.pick(MinMaxDenorm::ALL),
        saturate: random.pick(&[Saturate::None, Saturate::None, Saturate::Unsigned, Saturate::Signed]),
        sat_nan: random.pick(SatNan::ALL),
        sat_denorm: random.pick(SatDenorm::ALL),
        sat_zero: random.pick(SatZero::ALL),
        scale: random.pick(&[0, 0, 0, 1, -3]),
        scale_once: random.below(2) == 0,
        to_int: random.pick(ToInt::ALL),
        rsq_negative: random.pick(RsqNegative::ALL),
        rsq: random.pick(Rsq::ALL),
        sqrt: random.pick(Sqrt::ALL),
        sqrt_negative: random.pick(SqrtNegative::ALL),
        rcp_zero: random.pick(RcpZero::ALL),
        rcp: random.pick(Rcp::ALL),
        div: random.pick(Div::ALL),
        log_special: random.pick(&[
            LogSpecial::Ieee,
            LogSpecial::Ieee,
            LogSpecial::Finite,
            LogSpecial::LargestExponent,
            LogSpecial::LeastOfZero,
        ]),
        log_negative: random.pick(LogNegative::ALL),
        log2: random.pick(Log2::ALL),
        pow: random.pick(Pow::ALL),
        fixed_wide: random.below(2) == 0,
        pack_round: random.pick(Round::ALL),
        trig: Trig::from_name(random.pick(&TRIGS)).unwrap_or(Trig::RADIANS),
        unit: if random.below(4) == 0 { random.pick(Unit::ALL) } else { Unit::None },
        unit_fused: random.below(2) == 0,
        computed_in: if random.below(4) == 0 { ComputedIn::F32 } else { ComputedIn::Own },
        driver: Rewrites::NONE,
        library: Library::Mesa,
        relaxed: Relaxed::Ignore,
        subgroup: Subgroup::Four,
        texture: TextureRule::IEEE,
        fixed: FixedFunctions::IEEE,
        accuracy,
        fixed_points: random.pick(FixedPoints::ALL),
        trig_clamp: random.below(4) == 0,
        probe: random.pick(&[Probe::Nearest, Probe::Lowest, Probe::Highest, Probe::Random(7)]),
        steps: StepRules::OWN,
    }
}
