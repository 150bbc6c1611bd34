//! A kernel gives the bits of `eval`, for every operation, under built-in and random rules.

mod inputs;

use inputs::{Random, word};
use parallax_num::{
    Accuracy, Decl, Denormals, Div, Dot, DotOrder, FixedFormat, FixedPoints, FloatFormat, Format, FracOne, Infinite,
    Kernel, Kind, LitRule, Log2, LogNegative, LogSpecial, Lrp, Mad, MinMaxNan, MinMaxZero, Model, NanBits, NanCompare,
    NanResult, Op, Overflow, Pow, Probe, RcpZero, Round, Rsq, RsqNegative, Rule, SatDenorm, SatNan, SatZero, Saturate,
    Slot, Specials, Sqrt, SqrtNegative, StepRules, Storage, SubNan, Tininess, ToInt, Trig, Unit, ZeroMul, ZeroMulAdd,
    ZeroPowZero, ZeroSign, eval,
};

const STORAGES: [Storage; 5] = [
    Storage::F16,
    Storage::F32,
    Storage::F64,
    Storage::Fixed(FixedFormat { int: 2, frac: 10 }),
    Storage::Fixed(FixedFormat { int: 1, frac: 8 }),
];

/// Operand rows of an operation under a rule.
fn operands(random: &mut Random, op: Op, rule: &Rule, lanes: usize) -> Vec<Vec<u64>> {
    let mut rows: Vec<Vec<u64>> = vec![Vec::new(); op.info().args.len()];
    for _ in 0..lanes {
        for k in 0..rows.len() {
            let w = match op.info().args[k] {
                Kind::F | Kind::AnyF => {
                    let storage = if op == Op::Cvt { rule.source } else { rule.storage };
                    let other = if k > 0 && random.below(4) == 0 { rows[k - 1].last().copied() } else { None };
                    match other {
                        None => word(random, storage),
                        Some(other) => inputs::near(random, other, storage),
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

/// Compares a kernel with `eval`; true if the kernel has a fast path.
fn check(random: &mut Random, op: Op, rule: &Rule, lanes: usize, what: &str) -> bool {
    let kernel = Kernel::new(op, rule);
    if kernel.is_slow() {
        return false;
    }
    let rows = operands(random, op, rule, lanes);
    let args: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    let mut out = vec![0; lanes];
    kernel.run(&args, &mut out);
    for lane in 0..lanes {
        let words: Vec<u64> = args.iter().map(|row| row[lane]).collect();
        let want = eval(op, rule, &words);
        assert_eq!(out[lane], want, "{op} {words:x?} {what}: got {:x}, want {want:x}\n{rule:?}", out[lane]);
    }
    true
}

#[test]
fn built_in_models() {
    let mut random = Random::new(1);
    let mut slow = Vec::new();
    let slots =
        ["fp32", "half", "fx12", "fx9", "fp64", "fp32.sat", "half.ssat", "fx12.sat", "fp32.ftz", "fp32.fmz.rtz"];
    for name in Model::builtin_names() {
        let probe = random.pick(&[Probe::Nearest, Probe::Lowest, Probe::Highest, Probe::Random(11)]);
        let model = Model::builtin(name).expect("built in").with_probe(probe);
        for slot in slots {
            let parsed = Slot::parse(slot).expect("a slot");
            for row in Op::ALL {
                let (rule, _) = model.rule(row.op, &parsed, Storage::F32);
                if !check(&mut random, row.op, &rule, 400, &format!("{name} {slot}"))
                    && *name == "ieee"
                    && slot == "fp32"
                {
                    slow.push(row.name);
                }
            }
        }
    }
    // What has no fast path under the plainest rule is known.
    let expected = "exp2.floor log.exp log.mant \
                    pack.half2 pack.unorm2x16 pack.biased4x8 pack.unorm4x8 pack.snorm4x8 \
                    unpack.half unpack.unorm16 unpack.biased8 unpack.unorm8 unpack.snorm8 \
                    f2i64.trunc f2u64.trunc f2i64.floor f2u64.floor f2i64.ceil f2u64.ceil f2i64.rint f2u64.rint \
                    i64.to.f u64.to.f ldexp";
    assert_eq!(slow.join(" "), expected);
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

const BOUNDS: [&str; 5] = ["2.5ulp", "[-2.87,+0.09]ulp", "2^-9.5rel:0", "2^-8abs<=1;2^-6.5abs<=90", "1+2*|x|ulp"];

const TRIGS: [&str; 6] = [
    "radians",
    "radians",
    "turns(3e22f983)",
    "turns(3e22f983).rtz.fract",
    "turns(3e22f983).fract-half-radians",
    "half-turns(3ea2f983).rint",
];

fn random_rule(random: &mut Random) -> Rule {
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
        _ => Accuracy::from_name(random.pick(&BOUNDS)).expect("a bound"),
    };
    Rule {
        format,
        storage,
        source: random.pick(&STORAGES),
        decl: random.pick(&Decl::ALL),
        round: if nearest { Round::NearestEven } else { random.pick(Round::ALL) },
        denorm_in: random.pick(&denormals),
        denorm_out: random.pick(&denormals),
        tininess: random.pick(Tininess::ALL),
        overflow: random.pick(Overflow::ALL),
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
        dot: Dot { order: random.pick(DotOrder::ALL), fused: random.below(2) == 0 },
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
        div: random.pick(Div::ALL),
        log_special: random.pick(&[LogSpecial::Ieee, LogSpecial::Ieee, LogSpecial::Finite]),
        log_negative: random.pick(LogNegative::ALL),
        log2: random.pick(Log2::ALL),
        pow: random.pick(Pow::ALL),
        fixed_wide: random.below(2) == 0,
        pack_round: random.pick(Round::ALL),
        trig: Trig::from_name(random.pick(&TRIGS)).expect("an angle"),
        unit: if random.below(4) == 0 { random.pick(Unit::ALL) } else { Unit::None },
        unit_fused: random.below(2) == 0,
        accuracy,
        fixed_points: random.pick(FixedPoints::ALL),
        trig_clamp: random.below(4) == 0,
        probe: random.pick(&[Probe::Nearest, Probe::Lowest, Probe::Highest, Probe::Random(7)]),
        steps: StepRules::OWN,
    }
}

#[test]
fn random_rules() {
    let mut random = Random::new(2);
    for _ in 0..6000 {
        let rule = random_rule(&mut random);
        for row in Op::ALL.iter().filter(|row| row.op.has_slot()) {
            check(&mut random, row.op, &rule, 24, "");
        }
    }
}

/// Rows longer and shorter than the chunk kernels work in.
#[test]
fn every_row_length() {
    let mut random = Random::new(3);
    let rule = Rule { denorm_out: Denormals::Flush, ..Rule::ieee(Decl::F32, Format::F32) };
    for lanes in [0, 1, 3, 4, 63, 64, 65, 128, 200] {
        for op in [Op::Add, Op::Dot4, Op::Exp2, Op::FLt] {
            check(&mut random, op, &rule, lanes, "");
        }
    }
}

/// Negative operands of roots and logarithms have a way of their own.
#[test]
fn negative_operands() {
    let mut random = Random::new(4);
    let mut constant = 0;
    for round in 0..3000 {
        let rule = random_rule(&mut random);
        let op = random.pick(&[Op::Rsq, Op::Sqrt, Op::Log2]);
        let kernel = Kernel::new(op, &rule);
        if matches!(rule.storage, Storage::Fixed(_)) {
            continue;
        }
        let row: Vec<u64> = (0..64).map(|_| word(&mut random, rule.storage) | rule.storage.sign_bit()).collect();
        let mut out = vec![0; row.len()];
        kernel.run(&[&row], &mut out);
        for (w, got) in row.iter().zip(&out) {
            assert_eq!(*got, eval(op, &rule, &[*w]), "{op} {w:x} in round {round}\n{rule:?}");
        }
        constant += usize::from(out.windows(2).filter(|pair| pair[0] == pair[1]).count() > 40);
    }
    assert!(constant > 500, "too few rules reject negative operands: {constant}");
}
