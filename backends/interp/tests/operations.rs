//! Operations over rows give the bits of `eval`, for every operation, under built-in and random rules.

use parallax_gen::{operands, random_rule, word};
use parallax_interp::Interpreter;
use parallax_num::{
    Accuracy, ComputedIn, Decl, Denormals, Family, Field, Format, Kind, Mad, Model, Op, Pow, Probe, Rcp, Rsq, Rule,
    Slot, Sqrt, Storage, Trig, eval, ulp,
};
use parallax_random::Random;

/// Compares an operation with `eval`; true if it has a step program.
fn check(random: &mut Random, op: Op, rule: &Rule, lanes: usize, what: &str) -> bool {
    let rows = operands(random, op, rule, lanes);
    let args: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    compare(op, rule, &args, what);
    parallax_step::program(op, rule, true).is_some()
}

/// Compares an operation with `eval` in rows of operands.
fn compare(op: Op, rule: &Rule, args: &[&[u64]], what: &str) {
    let mut out = vec![0; args[0].len()];
    Interpreter::operation(op, rule).runner().run(args, &mut out);
    for (lane, got) in out.iter().enumerate() {
        let words: Vec<u64> = args.iter().map(|row| row[lane]).collect();
        let want = eval(op, rule, &words);
        assert_eq!(*got, want, "{op} {words:x?} {what}: got {got:x}, want {want:x}\n{rule:?}");
    }
}

/// An exponent that a tiny clamp makes denormal, which the steps of a power then flush: 0^0, not what the chain makes of it.
#[test]
fn lit_with_a_denormal_clamp() {
    let (mut rule, _) =
        Model::builtin("ieee").expect("built in").rule(Op::LitZ, &Slot::parse("fp32").expect("a slot"), Storage::F32);
    rule.denorm_in = Denormals::Flush;
    rule.lit.clamp = Some(1e-40f32.to_bits());
    let word = |v: f32| u64::from(v.to_bits());
    for pow in [Pow::ExpLog, Pow::ExpLogOne, Pow::ExpLogZero] {
        let rule = Rule { pow, ..rule };
        for [x, y, w] in [[1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [1.0, -2.0, 1e-39], [1.0, 0.5, 3.0]] {
            let args = [word(x), word(y), word(w)];
            let rows = args.map(|word| vec![word; 64]);
            compare(Op::LitZ, &rule, &[&rows[0], &rows[1], &rows[2]], &format!("{pow:?} {x} {y} {w}"));
        }
    }
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
    // What has no step program under the plainest rule is known.
    let expected = "idiv64 imod64 udiv64 umod64 prmt f2i64.trunc f2u64.trunc f2i64.floor f2u64.floor f2i64.ceil \
                    f2u64.ceil f2i64.rint f2u64.rint i64.to.f u64.to.f";
    assert_eq!(slow.join(" "), expected);
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

/// Built-in rules with a few fields of a random one, in rows long enough for vectors: what vendors' formulas, orders and special
/// values give in combinations that no model has.
#[test]
fn rules_beside_built_in_ones() {
    let mut random = Random::new(6);
    let mut served = std::collections::BTreeMap::new();
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        for slot in ["fp32", "half", "fp32.sat"] {
            let parsed = Slot::parse(slot).expect("a slot");
            for row in Op::ALL.iter().filter(|row| row.op.has_slot() && row.family != Family::Pack) {
                let (mut rule, _) = model.rule(row.op, &parsed, Storage::F32);
                let other = random_rule(&mut random);
                for _ in 0..random.below(4) {
                    let field = &Field::ALL[random.below(Field::ALL.len() as u64) as usize];
                    if field.name != "format" {
                        field.copy(&mut rule, &other);
                    }
                }
                let fast = check(&mut random, row.op, &rule, 70, &format!("{name} {slot}"));
                if rule.accuracy == Accuracy::Correct || rule.probe == Probe::Nearest {
                    *served.entry((formula(row.op, &rule), fast)).or_insert(0) += 1;
                }
            }
        }
    }
    // Formulas of vendors have fast paths.
    for formula in ["rcp by Newton", "rsq by Newton", "angle", "cut product", "power of lit", "a*rsq(a)", "in binary32"]
    {
        let count = |fast| served.get(&(formula, fast)).copied().unwrap_or(0);
        assert!(count(true) > 2 * count(false), "{formula}: {} fast, {} slow", count(true), count(false));
    }
}

/// The formula of an operation, where a rule gives it one that few models have.
fn formula(op: Op, rule: &Rule) -> &'static str {
    let narrow = rule.format == Format::F16 && rule.computed_in == ComputedIn::F32;
    let cuts = matches!(rule.mad, Mad::Truncated(_) | Mad::TruncatedUnlessZero(_));
    match op {
        Op::Rcp | Op::Rsq | Op::Exp2 | Op::Log2 | Op::Sin | Op::Cos if narrow => "in binary32",
        Op::Rcp if rule.rcp == Rcp::Newton => "rcp by Newton",
        Op::Rsq if rule.rsq == Rsq::Newton => "rsq by Newton",
        Op::Sin | Op::Cos if rule.trig != Trig::RADIANS => "angle",
        Op::Mad if cuts => "cut product",
        Op::LitZ if rule.pow != Pow::C && rule.storage == Storage::F32 => "power of lit",
        Op::Sqrt if rule.sqrt == Sqrt::TimesRsq => "a*rsq(a)",
        _ => "",
    }
}

/// Operations of one operand under every built-in rule of a binary16 container, on every `step`th pattern.
fn half_operands(step: usize) {
    let row: Vec<u64> = (0..1 << 16).step_by(step).collect();
    let mut known = std::collections::HashSet::new();
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        for slot in ["half", "half.ssat"] {
            let parsed = Slot::parse(slot).expect("a slot");
            for info in Op::ALL.iter().filter(|info| info.op.has_slot() && info.args == [Kind::F]) {
                let (rule, _) = model.rule(info.op, &parsed, Storage::F32);
                if rule.storage != Storage::F16 || !known.insert((info.op, rule)) {
                    continue;
                }
                compare(info.op, &rule, &[&row], &format!("{name} {slot}"));
            }
        }
    }
    assert!(known.len() > 150, "{} rules", known.len());
}

#[test]
fn half_operands_sampled() {
    half_operands(61);
}

#[test]
#[ignore = "minutes"]
fn half_operands_all() {
    half_operands(1);
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
        if matches!(rule.storage, Storage::Fixed(_)) {
            continue;
        }
        let row: Vec<u64> = (0..64).map(|_| word(&mut random, rule.storage) | rule.storage.sign_bit()).collect();
        compare(op, &rule, &[&row], &format!("in round {round}"));
        let out: Vec<u64> = row.iter().map(|&word| eval(op, &rule, &[word])).collect();
        constant += usize::from(out.windows(2).filter(|pair| pair[0] == pair[1]).count() > 40);
    }
    assert!(constant > 500, "too few rules reject negative operands: {constant}");
}

/// Wider containers change no value, and kernels know them.
#[test]
fn wider_containers() {
    let mut random = Random::new(5);
    let wide = [Storage::F64; Decl::ALL.len()];
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        let wider = model.clone().in_containers(wide);
        for slot in ["fp32", "half", "fx12", "fp32.sat", "half.ssat", "fp32.ftz"] {
            let parsed = Slot::parse(slot).expect("a slot");
            for row in Op::ALL.iter().filter(|row| row.op.has_slot()) {
                let (own, _) = model.rule(row.op, &parsed, Storage::F32);
                let (rule, _) = wider.rule(row.op, &parsed, Storage::F32);
                assert_eq!(rule.storage, Storage::F64, "{name} {slot}");
                check(&mut random, row.op, &rule, 60, &format!("{name} {slot} in binary64"));
                if row.result != Kind::F || row.op == Op::Cvt || row.args.contains(&Kind::AnyF) {
                    continue;
                }
                // Patterns are moved in as far as the container holds them, and the least number of fixed point has a negation.
                let is_fixed = matches!(own.format, Format::Fixed(_));
                if matches!(row.op, Op::BitsTo | Op::BitsTo64) || is_fixed && row.family == Family::Bits {
                    continue;
                }
                let rows = operands(&mut random, row.op, &own, 40);
                for lane in 0..40 {
                    let words: Vec<u64> = rows.iter().map(|row| row[lane]).collect();
                    let is_float = |k: usize| row.args[k] == Kind::F;
                    let number = |word: u64| ulp::to_f64(word, own.storage);
                    // Words of fixed point beyond its range, and patterns of formats without specials, are no values.
                    let plain = Rule { storage: own.storage, source: own.storage, ..Rule::ieee(own.decl, own.format) };
                    let holds = |word: u64| eval(Op::Cvt, &plain, &[word]) == word;
                    if (0..words.len()).any(|k| is_float(k) && (!holds(words[k]) || number(words[k]).is_nan())) {
                        continue;
                    }
                    let widened: Vec<u64> = words
                        .iter()
                        .enumerate()
                        .map(|(k, w)| if is_float(k) { number(*w).to_bits() } else { *w })
                        .collect();
                    let (found, expected) =
                        (f64::from_bits(eval(row.op, &rule, &widened)), number(eval(row.op, &own, &words)));
                    let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                    assert!(same, "{} {words:x?} {name} {slot}: {found:e}, not {expected:e}\n{rule:?}", row.name);
                }
            }
        }
    }
}

/// NVIDIA's function unit, gallivm's and SwiftShader's polynomials.
#[test]
fn function_units() {
    use Op::{Cos, Dot3, Dot4, Exp2, Exp2Part, LitZ, Log2, Log2Part, Nrm, Rsq, Sin};
    let nvidia = ["maxwell", "pascal", "volta", "volta[trig=turns(3e22f983)]", "volta[trig=half-turns(3ea2f983).rint]"];
    let gallivm = ["llvmpipe", "llvmpipe[unit_fused=false]", "llvmpipe[denorm_in=keep,denorm_out=keep]"];
    let swiftshader = ["swiftshader", "swiftshader[unit_fused=true]", "swiftshader[denorm_in=keep,denorm_out=keep]"];
    let mut random = Random::new(5);
    let mut all = |names: &[&str], slots: &[&str], ops: &[Op]| {
        for name in names {
            for text in slots {
                let slot = Slot::parse(text).expect("a slot");
                for &op in ops {
                    let rule = Model::parse(name).expect(name).rule(op, &slot, Storage::F32).0;
                    let mut row = |_| (0..500).map(|_| word(&mut random, rule.storage)).collect::<Vec<u64>>();
                    let rows: Vec<Vec<u64>> = (0..op.info().args.len()).map(&mut row).collect();
                    let args: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
                    compare(op, &rule, &args, &format!("{name} {text}"));
                }
            }
        }
    };
    let functions = [Op::Rcp, Rsq, Op::Sqrt, Exp2, Exp2Part, Log2, Log2Part, Sin, Cos, Op::Pow, Nrm];
    let slots = ["fp32", "fp32.sat", "fp32.ssat", "fp32.denorm", "fp32.denorm.sat", "fp32.ftz+"];
    all(&nvidia, &slots, &functions);
    let functions = [Exp2, Exp2Part, Log2, Log2Part, Sin, Cos, Op::Pow, LitZ, Dot3, Dot4];
    for names in [gallivm, swiftshader] {
        all(&names, &["fp32", "fp32.sat", "fp32.ftz+", "half"], &functions);
    }
}

/// Pairs of all s12 numbers.
#[test]
fn fixed_pairs() {
    let rule = Rule::ieee(Decl::Fx12, Format::FX12);
    let word = |n: i32| u64::from(n.cast_unsigned());
    let all: Vec<u64> = (-2048..=2047).map(word).collect();
    for op in [Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max] {
        for a in (-2048..=2047).step_by(19) {
            compare(op, &rule, &[&vec![word(a); all.len()], &all], "");
        }
    }
}

/// Truth values are operands and results as well.
#[test]
fn truth_values_are_words() {
    let rule = Rule::ieee(Decl::F32, Format::F32);
    let [no, yes] = [0u64, 1].map(|word| vec![word; 70]);
    compare(Op::Pnot, &rule, &[&no], "");
    compare(Op::Pnot, &rule, &[&yes], "");
    let mut random = Random::new(8);
    check(&mut random, Op::FLt, &rule, 300, "");
}
