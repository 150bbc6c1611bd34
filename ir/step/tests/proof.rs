//! Step programs against the reference evaluation: built-in and random rules, every NaN that primitives may give.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_gen::{operands, random_rule};
use parallax_num::{
    Accuracy, ComputedIn, Decl, Denormals, Dot, FloatFormat, Format, Kind, LogSpecial, Model, NanBits, NanResult, Op,
    Probe, Rcp, Round, Rsq, Rule, Slot, Specials, Storage, ToInt, eval,
};
use parallax_random::Random;
use parallax_step::{Nans, Program, params, program, result};
use std::collections::BTreeMap;

/// What a comparison has met.
#[derive(Default)]
struct Seen {
    lanes: u64,
    slow: u64,
}

/// One lane: the bits of the reference, or, where nobody sees them, any NaN for a NaN.
fn lane(
    program: &Program,
    op: Op,
    rule: &Rule,
    words: &[u64],
    observed: bool,
    seen: &mut Seen,
    what: &dyn Fn() -> String,
) {
    let nans = Nans::Scrambled(seen.lanes);
    seen.lanes += 1;
    let (got, slow) = program.eval(words, nans);
    if slow {
        seen.slow += 1;
        return;
    }
    let want = eval(op, rule, words);
    let float = op.info().result == Kind::F && !matches!(rule.storage, Storage::Fixed(_));
    let is_nan = |word: u64| {
        let v = match rule.storage {
            Storage::F16 => word & 0x7fff > 0x7c00,
            Storage::F32 => f32::from_bits(word as u32).is_nan(),
            _ => f64::from_bits(word).is_nan(),
        };
        float && v
    };
    let open = !observed && is_nan(got) && is_nan(want);
    assert!(got == want || open, "{op} {words:x?} {}: got {got:x}, want {want:x}\n{rule:?}\n{program}", what());
}

fn check(random: &mut Random, op: Op, rule: &Rule, lanes: usize, what: &str, seen: &mut Seen) -> bool {
    let mut some = false;
    for observed in [true, false] {
        let Some(program) = program(op, rule, observed) else { continue };
        some = true;
        assert_eq!(program.check(), None, "{op} {what}\n{program}");
        assert_eq!(program.params, params(op, rule), "{op}");
        assert_eq!(program.ty(program.result), result(op, rule), "{op}");
        let rows = operands(random, op, rule, lanes);
        for n in 0..lanes {
            let words: Vec<u64> = rows.iter().map(|row| row[n]).collect();
            lane(&program, op, rule, &words, observed, seen, &|| what.to_string());
        }
    }
    some
}

/// Slots that operations of built-in models are tried under.
pub(crate) const SLOTS: [&str; 10] =
    ["fp32", "half", "fx12", "fx9", "fp64", "fp32.sat", "half.ssat", "fx12.sat", "fp32.ftz", "fp32.fmz.rtz"];

/// Share of the lanes of an operation that may be slow, over all built-in models and corner operands.
const MOST_SLOW: f64 = 0.4;

#[test]
fn built_in_models() {
    let mut random = Random::new(1);
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    let mut slow: BTreeMap<&str, Seen> = BTreeMap::new();
    let mut plain = Vec::new();
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        for slot in SLOTS {
            let parsed = Slot::parse(slot).expect("a slot");
            for row in Op::ALL {
                let (rule, _) = model.rule(row.op, &parsed, Storage::F32);
                let seen = slow.entry(row.name).or_default();
                if !check(&mut random, row.op, &rule, 60, &format!("{name} {slot}"), seen) {
                    *missing.entry(row.name).or_default() += 1;
                    if *name == "ieee" && slot == "fp32" {
                        plain.push(row.name);
                    }
                }
            }
        }
    }
    for (name, n) in &missing {
        println!("{n:5} of {} without program: {name}", SLOTS.len() * Model::builtin_names().len());
    }
    for (name, seen) in &slow {
        let share = seen.slow as f64 / seen.lanes.max(1) as f64;
        println!("{:6.2} % slow: {name}", 100.0 * share);
        assert!(share < MOST_SLOW, "{name}: {share} of the lanes are slow");
    }
    // What has no program under the plainest rule is known.
    let expected = "idiv64 imod64 udiv64 umod64 prmt \
                    f2i64.trunc f2u64.trunc f2i64.floor f2u64.floor f2i64.ceil f2u64.ceil f2i64.rint f2u64.rint \
                    i64.to.f u64.to.f";
    assert_eq!(plain.join(" "), expected);
}

#[test]
fn random_rules() {
    try_rules(2, 700);
}

/// `cargo test -p parallax-step --release --test all proof -- --ignored`.
#[test]
#[ignore = "long"]
fn many_random_rules() {
    try_rules(3, 30_000);
}

fn try_rules(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let (mut with, mut without) = (0, 0);
    let mut seen = Seen::default();
    for _ in 0..count {
        let rule = random_rule(&mut random);
        for row in Op::ALL.iter().filter(|row| row.op.has_slot()) {
            let some = check(&mut random, row.op, &rule, 8, "", &mut seen);
            *(if some { &mut with } else { &mut without }) += 1;
        }
    }
    println!("{with} programs, {without} rules without, {} of {} lanes slow", seen.slow, seen.lanes);
    assert!(seen.slow * 10 < seen.lanes, "{} of {}", seen.slow, seen.lanes);
    assert!(with > without / 2, "{with} of {}", with + without);
}

/// Every pattern of binary16, for operations of one operand.
#[test]
fn all_halves() {
    let mut seen = Seen::default();
    for op in
        [Op::Rcp, Op::Rsq, Op::Sqrt, Op::Exp2, Op::Log2, Op::Sin, Op::Floor, Op::Frac, Op::LitY, Op::F2iRint, Op::Neg]
    {
        let rule = Rule::ieee(Decl::F16, Format::F16).normalised(op);
        let program = program(op, &rule, true).expect("a program");
        for word in 0..=0xffffu64 {
            lane(&program, op, &rule, &[word], true, &mut seen, &String::new);
        }
    }
    let cvt = Rule { source: Storage::F16, ..Rule::ieee(Decl::F32, Format::F32) };
    let program = program(Op::Cvt, &cvt, true).expect("a program");
    for word in 0..=0xffffu64 {
        lane(&program, Op::Cvt, &cvt, &[word], true, &mut seen, &String::new);
    }
    assert!(seen.slow * 50 < seen.lanes, "{} of {} slow", seen.slow, seen.lanes);
}

/// Every pair of s12 words.
#[test]
#[ignore = "long"]
fn all_pairs_of_fixed_point() {
    let mut seen = Seen::default();
    for op in [Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::FLt] {
        for text in ["fx12", "fx12.sat"] {
            let slot = Slot::parse(text).expect("a slot");
            let (rule, _) = Model::builtin("ieee").expect("built in").rule(op, &slot, Storage::F32);
            let program = program(op, &rule, true).expect("a program");
            for pair in 0..1u64 << 24 {
                let words = [pair >> 12, pair & 0xfff].map(|w| ((w << 52) as i64 >> 52) as u32 as u64);
                lane(&program, op, &rule, &words, true, &mut seen, &String::new);
            }
        }
    }
    assert_eq!(seen.slow, 0);
}

/// What lighting computes, clamped angles that are 0 included: fewer than one lane in a thousand goes to the reference.
#[test]
fn shading_is_seldom_marked() {
    let mut random = Random::new(11);
    for name in ["ieee", "tgsi", "nv-patent", "maxwell", "binary64"] {
        let model = Model::builtin(name).expect("built in");
        for op in [Op::Pow, Op::LitZ, Op::Rsq, Op::Rcp, Op::Exp2, Op::Log2, Op::Sin, Op::Cos] {
            let (rule, _) = model.rule(op, &Slot::parse("fp32").expect("a slot"), Storage::F32);
            let program = program(op, &rule, true).expect("a program");
            let wide = rule.storage == Storage::F64;
            let number = |v: f64| if wide { v.to_bits() } else { u64::from((v as f32).to_bits()) };
            let bits = if wide { 53 } else { 24 };
            let mut seen = Seen::default();
            for n in 0..20_000 {
                let cosine = (random.word() >> (64 - bits)) as f64 / (1u64 << bits) as f64;
                let clamped = if n % 4 == 0 { 0.0 } else { cosine };
                let power = (1 + random.below(128)) as f64;
                let words = match op {
                    Op::Pow => vec![number(clamped), number(power)],
                    Op::LitZ => vec![number(cosine), number(clamped), number(power)],
                    _ => vec![number(if cosine == 0.0 { 1.0 } else { cosine })],
                };
                lane(&program, op, &rule, &words, true, &mut seen, &|| name.to_string());
            }
            assert!(seen.slow * 1000 < seen.lanes, "{op} {name}: {} of {}", seen.slow, seen.lanes);
        }
    }
}

/// No factor of a power of two rounds before the last.
#[test]
fn small_numbers_are_scaled_once() {
    let rule = Rule::ieee(Decl::F64, Format::F64).normalised(Op::Ldexp);
    let program = program(Op::Ldexp, &rule, true).expect("a program");
    let mut seen = Seen::default();
    for a in [0x0032_95cb_d85d_369b, 0x0030_0000_0000_0001, 0x8051_2345_6789_abcd, 0x7fe1_2345_6789_abcd, 1] {
        for n in -70i32..70 {
            lane(&program, Op::Ldexp, &rule, &[a, u64::from(n as u32)], true, &mut seen, &String::new);
        }
    }
    assert!(seen.slow * 3 < seen.lanes * 2, "{} of {} slow", seen.slow, seen.lanes);
}

/// A result that is scaled is decided by where it lies after that: before, both ends of an interval may lie beyond the range.
#[test]
fn scaled_functions_are_rounded_where_they_end() {
    let mut seen = Seen::default();
    for (scale, round) in [(-3, Round::Down), (-3, Round::Zero), (3, Round::Up), (3, Round::NearestEven)] {
        let rule = Rule { scale, round, scale_once: true, ..Rule::ieee(Decl::F16, Format::F16) };
        for op in [Op::Exp2, Op::Rsq, Op::Sin] {
            let rule = rule.normalised(op);
            let program = program(op, &rule, true).expect("a program");
            for word in 0..=0xffffu64 {
                lane(&program, op, &rule, &[word], true, &mut seen, &String::new);
            }
        }
    }
    assert!(seen.slow * 5 < seen.lanes, "{} of {} slow", seen.slow, seen.lanes);
}

/// The NaN of a negative logarithm keeps its bits when the result is scaled.
#[test]
fn scaled_logarithms_of_negative_numbers_have_the_default_nan() {
    let mut seen = Seen::default();
    for nan_result in [NanResult::First, NanResult::Default] {
        for &nan_bits in NanBits::ALL {
            let plain = Rule::ieee(Decl::F32, Format::F32);
            let rule = Rule { scale: 1, scale_once: false, nan_result, nan_bits, ..plain }.normalised(Op::Log2);
            let program = program(Op::Log2, &rule, true).expect("a program");
            for word in [0xbf80_0000, 0xff80_0000, 0x8000_0001, 0x4040_0000, 0x8000_0000, 0x7fc0_1234] {
                lane(&program, Op::Log2, &rule, &[word], true, &mut seen, &String::new);
            }
        }
    }
    assert!(seen.slow * 2 < seen.lanes, "{} of {} slow", seen.slow, seen.lanes);
}

/// What has no binary32 step of its own: every half, as the vendors that compute in binary32 do, and by Newton's method.
#[test]
fn all_halves_by_formulas() {
    let mut seen = Seen::default();
    let plain = Rule::ieee(Decl::F16, Format::F16);
    let rules = [
        Rule { computed_in: ComputedIn::F32, ..plain },
        Rule { computed_in: ComputedIn::F32, rcp: Rcp::Newton, rsq: Rsq::Newton, ..plain },
        Rule { rcp: Rcp::Newton, rsq: Rsq::Newton, log_special: LogSpecial::Finite, ..plain },
        Rule { log_special: LogSpecial::LeastOfZero, ..plain },
        Rule { log_special: LogSpecial::LargestExponent, to_int: ToInt::Zero, denorm_out: Denormals::Flush, ..plain },
    ];
    let ops = [
        Op::Rcp,
        Op::Rsq,
        Op::Sqrt,
        Op::Exp2,
        Op::Log2,
        Op::Log2Part,
        Op::Sin,
        Op::Cos,
        Op::Exp2Floor,
        Op::LogExp,
        Op::LogMant,
        Op::F2iRint,
        Op::F2uTrunc,
        Op::PackHalf2,
    ];
    let mut tried = Vec::new();
    for rule in rules {
        for op in ops {
            let rule = rule.normalised(op);
            if tried.contains(&(op, rule)) {
                continue;
            }
            tried.push((op, rule));
            let program = program(op, &rule, true).expect("a program");
            for word in 0..=0xffffu64 {
                lane(&program, op, &rule, &[word, word ^ 0x8001], true, &mut seen, &String::new);
            }
        }
    }
    assert!(seen.slow * 50 < seen.lanes, "{} of {} slow", seen.slow, seen.lanes);
}

/// Products that are cut unless that leaves their bound, and sums that lose terms far below the largest, under rules that are
/// random otherwise.
#[test]
fn confined_products_and_lost_terms() {
    let mut random = Random::new(4);
    let mut seen = Seen::default();
    let (mut products, mut sums) = (0, 0);
    for _ in 0..600 {
        let any = random_rule(&mut random);
        let (frac, denormals) = (2 + random.below(15) as u8, random.below(2) == 0);
        let format = FloatFormat { exp: 7, frac, denormals, specials: Specials::InfNan };
        let bound = random.pick(&["[-0.99,+0.13]ulp", "[-0.75,+0.5]ulp", "[-0.5,+0.5]ulp"]);
        let accuracy = Accuracy::from_name(bound).expect("a bound");
        let (format, storage, round) = (Format::Float(format), Storage::F32, Round::Zero);
        let confined = Rule { format, storage, accuracy, round, scale: 0, probe: Probe::Nearest, ..any };
        products += usize::from(check(&mut random, Op::Mul, &confined, 16, bound, &mut seen));
        let reach = Some(1 + random.below(8) as u8);
        let dot = Dot { fused: false, reach, ..any.dot };
        let lost = Rule { dot, accuracy: Accuracy::Correct, ..any };
        for op in [Op::Dot2, Op::Dot3, Op::Dot4, Op::Dph, Op::Dp2a] {
            sums += usize::from(check(&mut random, op, &lost, 16, "reach", &mut seen));
        }
    }
    assert!(products > 450 && sums > 300, "{products} {sums}");
}

/// Products that lack about as much as their bound allows go up by a step or stay cut, by the last bit.
#[test]
fn products_at_the_end_of_their_bound() {
    let model = Model::parse("ati-r300").unwrap();
    let rule = model.rule(Op::Mul, &Slot::plain(Decl::F32), model.storage(Decl::F32)).0;
    let program = program(Op::Mul, &rule, true).expect("a program");
    let (mut random, mut seen, mut near, mut up) = (Random::new(6), Seen::default(), 0, 0);
    while near < 5_000 {
        // Numbers of 17 bits; between exponents whose products may be flushed or too large, too.
        let number = |random: &mut Random| {
            let word = random.word() as u32;
            word & 0x807f_ff80 | (62 + (word >> 8) % 130) << 23
        };
        let [a, b] = [number(&mut random), number(&mut random)];
        let product = f64::from(f32::from_bits(a)) * f64::from(f32::from_bits(b));
        let below_step = (product.to_bits() >> 26 & 0x3ff) as f64 / 1024.0;
        if (0.98..0.999).contains(&below_step) {
            near += 1;
            lane(&program, Op::Mul, &rule, &[a.into(), b.into()], true, &mut seen, &|| format!("{a:x} {b:x}"));
            let cut = product.to_bits() >> 36 << 36;
            up += usize::from(
                f64::from(f32::from_bits(eval(Op::Mul, &rule, &[a.into(), b.into()]) as u32)) > f64::from_bits(cut),
            );
        }
    }
    assert!(seen.slow == 0 && (300..4_500).contains(&up), "{} slow, {up} up", seen.slow);
}

/// Binary64 numbers beside every half and beside every middle between two.
#[test]
fn doubles_beside_halves_round_once() {
    let mut seen = Seen::default();
    for round in [Round::NearestEven, Round::Zero, Round::Up, Round::Down] {
        let rule = Rule { round, decl: Decl::F16, ..Rule::ieee(Decl::F64, Format::F64) }.normalised(Op::BitsOf);
        let program = program(Op::BitsOf, &rule, true).expect("a program");
        for half in 0..=0x7c00u64 {
            let cvt = Rule { source: Storage::F16, ..Rule::ieee(Decl::F64, Format::F64) };
            let [a, b] = [half, half + 1].map(|half| f64::from_bits(eval(Op::Cvt, &cvt, &[half])));
            let middle = (a + b) / 2.0;
            for v in [a, a.next_up(), middle.next_down(), middle, middle.next_up(), -middle, -a.next_up(), f64::MAX] {
                lane(&program, Op::BitsOf, &rule, &[v.to_bits()], true, &mut seen, &String::new);
            }
        }
    }
    assert!(seen.slow * 50 < seen.lanes, "{} of {} slow", seen.slow, seen.lanes);
}

#[test]
fn equal_rules_share_programs() {
    let mut programs = parallax_step::Programs::default();
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        for row in Op::ALL {
            let (rule, _) = model.rule(row.op, &Slot::parse("fp32").expect("a slot"), Storage::F32);
            programs.get(row.op, &rule, true);
        }
    }
    let (asked, known) = programs.counts();
    assert!(known * 5 < asked * 4, "{known} programs for {asked} pairs of operation and rule");
}
