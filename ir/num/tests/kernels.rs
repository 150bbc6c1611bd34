//! A kernel gives the bits of `eval`, for every operation, under built-in and random rules.

mod inputs;

use inputs::{Random, word};
use parallax_gen::{operands, random_rule};
use parallax_num::{
    Accuracy, ComputedIn, Decl, Denormals, Family, Field, Format, Kernel, Kind, Mad, Model, Op, Pow, Probe, Processor,
    Rcp, Row, RowMut, Rsq, Rule, Slot, Sqrt, Storage, Trig, eval, ulp,
};

/// Compares a kernel for one of the levels of instructions of this machine with `eval`; true if it has a fast path.
fn check(random: &mut Random, op: Op, rule: &Rule, lanes: usize, what: &str) -> bool {
    let processors = Processor::all();
    let kernel = Kernel::on(processors[random.below(processors.len() as u64) as usize], op, rule);
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
            let mut out = vec![0; 64];
            Kernel::new(Op::LitZ, &rule).run(&[&rows[0], &rows[1], &rows[2]], &mut out);
            assert_eq!(out, [eval(Op::LitZ, &rule, &args); 64], "{pow:?} {x} {y} {w}");
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
    // What has no fast path under the plainest rule is known.
    let expected = "exp2.floor log.exp log.mant \
                    pack.half2 pack.unorm2x16 pack.biased4x8 pack.unorm4x8 pack.snorm4x8 \
                    unpack.half unpack.unorm16 unpack.biased8 unpack.unorm8 unpack.snorm8 \
                    f2i64.trunc f2u64.trunc f2i64.floor f2u64.floor f2i64.ceil f2u64.ceil f2i64.rint f2u64.rint \
                    i64.to.f u64.to.f ldexp";
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
    let mut out = vec![0; row.len()];
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        for slot in ["half", "half.ssat"] {
            let parsed = Slot::parse(slot).expect("a slot");
            for info in Op::ALL.iter().filter(|info| info.op.has_slot() && info.args == [Kind::F]) {
                let (rule, _) = model.rule(info.op, &parsed, Storage::F32);
                if rule.storage != Storage::F16 || !known.insert((info.op, rule)) {
                    continue;
                }
                Kernel::new(info.op, &rule).run(&[&row], &mut out);
                for (word, got) in row.iter().zip(&out) {
                    assert_eq!(*got, eval(info.op, &rule, &[*word]), "{name} {slot} {} {word:x}", info.name);
                }
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

/// Rows of words wider than their containers, or of other lengths of vectors, give the same.
#[test]
fn rows_of_any_words_agree() {
    let mut random = Random::new(11);
    for model in ["ieee", "nvfp", "attila"] {
        let model = Model::builtin(model).unwrap();
        for op in [Op::Add, Op::Mad, Op::FLt, Op::F2iTrunc, Op::Iadd, Op::Shl64, Op::Pnot] {
            for decl in [Decl::F32, Decl::F16] {
                let (rule, _) = model.rule(op, &Slot::plain(decl), decl.format().storage());
                for (processor, lanes) in Processor::all().into_iter().zip([63, 64, 131]) {
                    let rows = operands(&mut random, op, &rule, lanes);
                    let kernel = Kernel::on(processor, op, &rule);
                    let mut want = vec![0; lanes];
                    let words: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
                    kernel.run(&words, &mut want);
                    let mut got = vec![0; lanes];
                    let wide: Vec<Row<'_>> = rows.iter().map(|row| Row::U64(row)).collect();
                    kernel.run_rows(&wide, RowMut::U64(&mut got));
                    assert_eq!(got, want, "{op} {processor:?}");
                }
            }
        }
    }
}
