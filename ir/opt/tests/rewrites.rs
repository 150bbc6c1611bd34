//! Every rewrite row under every rule of the built-in models and under random rules, on corner and random operands.

use parallax_gen::{Choices, choices, slots};
use parallax_num::{Accuracy, Field, Kind, Model, Op, Probe, Rule, Slot, Storage, Values, eval};
use parallax_opt::apply_rewrites::rows::{Head, Pat, ROWS, Row, To, settles};
use parallax_opt::merge_equal::{commutes, commutes_with_nan};
use std::collections::HashSet;

const PROBES: [Probe; 5] = [Probe::Nearest, Probe::Lowest, Probe::Highest, Probe::Random(7), Probe::Random(42)];

/// Rules of `op` under every built-in model, probe and slot.
fn builtin_rules(op: Op) -> Vec<Rule> {
    let mut seen = HashSet::new();
    let mut rules = Vec::new();
    for model in Model::builtins() {
        for probe in PROBES {
            let model = model.clone().with_probe(probe);
            for slot in slots() {
                let (rule, _) = model.rule(op, &slot, model.storage(slot.decl));
                if seen.insert(rule) {
                    rules.push(rule);
                }
            }
        }
    }
    rules
}

/// Rules with a few fields set to any of their words.
fn random_rules(op: Op, count: usize, c: &mut Choices<'_>) -> Vec<Rule> {
    let bases = builtin_rules(op);
    (0..count)
        .map(|_| {
            let mut rule = c.one(&bases);
            if c.once_in(2) {
                rule.accuracy =
                    Accuracy::Bounded { bits: 8 + c.below(16) as u8, floor: c.one(&[-200, 0, 3]), strict: false };
                rule.probe = c.one(&PROBES);
            }
            for _ in 0..1 + c.below(6) {
                let field = &Field::ALL[c.below(Field::ALL.len())];
                let words = match field.values {
                    Values::Words(words) => words,
                    // A format chooses the container; the built-in rules have all of them.
                    Values::Pattern(_, _) if field.name == "format" => continue,
                    Values::Pattern(_, examples) => examples,
                };
                if !words.is_empty() {
                    // Words of the list are accepted; an example may not fit the container.
                    let _ = field.set(&mut rule, c.one(words));
                }
            }
            rule
        })
        .collect()
}

/// A lane word of a container: corners and anything.
fn float_word(storage: Storage, c: &mut Choices<'_>) -> u64 {
    let any = u64::from(c.word()) << 32 | u64::from(c.word());
    match storage {
        Storage::F16 => c.one(&[
            0,
            0x8000,
            0x3c00,
            0xbc00,
            0x0001,
            0x83ff,
            0x0400,
            0x7bff,
            0xfbff,
            0x7c00,
            0xfc00,
            0x7e00,
            0xfe01,
            0x7c01,
            0x3800,
            any & 0xffff,
            any >> 3 & 0xffff,
            any >> 7 & 0x7fff,
        ]),
        Storage::F32 => c.one(&[
            0,
            0x8000_0000,
            0x3f80_0000,
            0xbf80_0000,
            1,
            0x807f_ffff,
            0x0080_0000,
            0x7f7f_ffff,
            0xff7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0xffc0_0001,
            0x7f80_0001,
            0x3f00_0000,
            any & 0xffff_ffff,
            any >> 5 & 0xffff_ffff,
            0x3000_0000 + (any & 0x1fff_ffff),
        ]),
        Storage::F64 => c.one(&[
            0,
            1 << 63,
            0x3ff0_0000_0000_0000,
            0xbff0_0000_0000_0000,
            1,
            0x0010_0000_0000_0000,
            0x7fef_ffff_ffff_ffff,
            0x7ff0_0000_0000_0000,
            0xfff0_0000_0000_0000,
            0x7ff8_0000_0000_0000,
            0xfff8_0000_0000_0001,
            0x7ff0_0000_0000_0001,
            any,
            any >> 2,
            0x3f00_0000_0000_0000 + (any & 0x00ff_ffff_ffff_ffff),
        ]),
        Storage::Fixed(f) => {
            let limit = 1i64 << (f.int + f.frac - 1);
            let value = c.one(&[0, 1, -1, limit - 1, -limit, limit / 2, (any as i64).rem_euclid(2 * limit) - limit]);
            u64::from(value as i32 as u32)
        }
    }
}

fn int_word(c: &mut Choices<'_>) -> u64 {
    let any = c.word();
    u64::from(c.one(&[0, 1, 2, u32::MAX, 0x8000_0000, 0x7fff_ffff, 31, 32, 0x3f80_0000, any, any & 0xff]))
}

fn word(kind: Kind, rule: &Rule, c: &mut Choices<'_>) -> u64 {
    match kind {
        Kind::F | Kind::AnyF => float_word(rule.storage, c),
        Kind::I32 => int_word(c),
        Kind::I64 => u64::from(c.word()) << 32 | int_word(c),
        Kind::Pred => u64::from(c.word() & 1),
        Kind::Cc => u64::from(c.word() & 3),
    }
}

/// `cvt` under the rule.
fn settled(rule: &Rule, bits: u64) -> u64 {
    eval(Op::Cvt, &Rule { source: rule.storage, ..*rule }, &[bits])
}

fn one(rule: &Rule) -> u64 {
    match rule.storage {
        Storage::F16 => 0x3c00,
        Storage::F32 => 0x3f80_0000,
        Storage::F64 => 0x3ff0_0000_0000_0000,
        Storage::Fixed(f) => 1 << f.frac,
    }
}

/// Operands of one trial.
struct Trial<'a> {
    rule: &'a Rule,
    values: [Option<u64>; 4],
}

impl Trial<'_> {
    /// Evaluates a pattern, choosing its free operands.
    fn pattern(&mut self, pat: &Pat, kind: Kind, c: &mut Choices<'_>) -> u64 {
        match *pat {
            Pat::Any(n) => *self.values[usize::from(n)].get_or_insert_with(|| word(kind, self.rule, c)),
            Pat::Settled(n) => {
                *self.values[usize::from(n)].get_or_insert_with(|| {
                    // Once more than enough for rules whose conversion is not idempotent.
                    let bits = settled(self.rule, settled(self.rule, float_word(self.rule.storage, c)));
                    if settled(self.rule, bits) == bits { bits } else { 0 }
                })
            }
            Pat::Int(word) => u64::from(word),
            Pat::Pred(on) => u64::from(on),
            Pat::Zero => 0,
            Pat::NegZero => self.rule.storage.sign_bit(),
            Pat::One => one(self.rule),
            Pat::Op(op, operands) => {
                let kinds = op.info().args;
                let args: Vec<u64> = operands.iter().zip(kinds).map(|(p, &k)| self.pattern(p, k, c)).collect();
                eval(op, self.rule, &args)
            }
        }
    }

    fn replaced(&self, to: To) -> u64 {
        let value = |n: u8| self.values[usize::from(n)].expect("rows replace by operands they name");
        match to {
            To::Value(n) => value(n),
            To::Int(word) => u64::from(word),
            To::Pred(on) => u64::from(on),
            To::Zero => 0,
            To::Op(op, args) => {
                let args: Vec<u64> = args.iter().map(|&n| value(n)).collect();
                eval(op, self.rule, &args)
            }
            To::Select([p, a, b]) => value(if value(p) & 1 != 0 { a } else { b }),
        }
    }
}

/// The op whose rule a row's guard sees.
fn ruled_op(row: &Row) -> Option<Op> {
    let inner = |pat: &Pat| match *pat {
        Pat::Op(op, _) if op.has_slot() => Some(op),
        _ => None,
    };
    match row.head {
        Head::Num(op) if op.has_slot() => Some(op),
        _ => row.operands.iter().find_map(inner),
    }
}

fn check(row: &Row, rule: &Rule, trials: usize, c: &mut Choices<'_>) {
    for _ in 0..trials {
        let mut trial = Trial { rule, values: [None; 4] };
        let kinds: &[Kind] = match row.head {
            Head::Num(op) => op.info().args,
            Head::Select => &[Kind::Pred; 3],
        };
        let mut args: Vec<u64> = row.operands.iter().zip(kinds).map(|(p, &k)| trial.pattern(p, k, c)).collect();
        for turn in 0..1 + usize::from(row.swap) {
            if turn == 1 {
                args.swap(0, 1);
            }
            let before = match row.head {
                Head::Num(op) => eval(op, rule, &args),
                Head::Select => args[if args[0] & 1 != 0 { 1 } else { 2 }],
            };
            let after = trial.replaced(row.to);
            assert_eq!(before, after, "{} on {args:x?} under {rule:?}", row.name());
        }
    }
}

#[test]
fn rows_hold_under_every_rule_their_guards_let_through() {
    let plain = builtin_rules(Op::Add)[0];
    for (seed, row) in ROWS.iter().enumerate() {
        let list = choices(seed as u64, 100_000);
        let mut c = Choices::new(&list).around();
        let Some(op) = ruled_op(row) else {
            check(row, &plain, 300, &mut c);
            continue;
        };
        let built_in = builtin_rules(op);
        let random = random_rules(op, 100, &mut c);
        let passed: Vec<&Rule> = built_in.iter().filter(|rule| (row.guard)(rule)).collect();
        assert!(!passed.is_empty() || row.name().contains("FGe"), "{}: no built-in rule passes", row.name());
        for rule in passed.into_iter().chain(random.iter().filter(|rule| (row.guard)(rule))) {
            check(row, rule, 40, &mut c);
        }
    }
}

/// An accuracy moves x / 1 like every other quotient.
#[test]
fn division_by_one_stays_where_a_probe_moves_it() {
    let row = ROWS.iter().find(|row| row.head == Head::Num(Op::Div)).expect("the row of x / 1");
    for (name, holds) in [
        ("maxwell[div=direct]", true),
        ("maxwell[div=direct]@low", false),
        ("maxwell[div=direct]@high", false),
        ("maxwell[div=direct]@random:7", false),
        ("maxwell[div=direct,div.accuracy=correct]@low", true),
        ("rogue@low", true),
    ] {
        let model = Model::parse(name).expect("a model");
        let slot = Slot::parse("fp32").expect("a slot");
        let (rule, _) = model.rule(Op::Div, &slot, Storage::F32);
        assert_eq!((row.guard)(&rule), holds, "{name}");
        let moved = (0x3f9d_0000..0x3f9e_0000).any(|bits| eval(Op::Div, &rule, &[bits, 0x3f80_0000]) != bits);
        assert_eq!(moved, !holds, "{name}");
    }
}

#[test]
fn settled_results_are_left_alone_by_conversion() {
    let list = choices(12, 1_000_003);
    let mut c = Choices::new(&list).around();
    let consumers: Vec<Rule> = [Op::Add, Op::Mul, Op::Cvt, Op::Min, Op::Div, Op::Mad]
        .iter()
        .flat_map(|&op| {
            let mut rules = builtin_rules(op);
            rules.extend(random_rules(op, 40, &mut c));
            rules
        })
        .collect::<HashSet<Rule>>()
        .into_iter()
        .collect();
    let mut hits = 0;
    for row in Op::ALL.iter().filter(|row| row.op.has_slot()) {
        let mut makers = builtin_rules(row.op);
        makers.extend(random_rules(row.op, 20, &mut c));
        for made in &makers {
            let results: Vec<u64> = (0..12)
                .map(|_| {
                    let args: Vec<u64> = row.args.iter().map(|&kind| word(kind, made, &mut c)).collect();
                    eval(row.op, made, &args)
                })
                .collect();
            for rule in consumers.iter().filter(|rule| settles(row.op, made, rule)) {
                hits += 1;
                for &bits in &results {
                    assert_eq!(settled(rule, bits), bits, "{} under {made:?}\nconverted under {rule:?}", row.name);
                }
            }
        }
    }
    assert!(hits > 1000, "only {hits} pairs");
}

#[test]
fn operations_said_to_commute_do() {
    let list = choices(13, 1_000_003);
    let mut c = Choices::new(&list).around();
    for row in Op::ALL.iter().filter(|row| commutes(row.op)) {
        let mut rules = builtin_rules(row.op);
        rules.extend(random_rules(row.op, 60, &mut c));
        rules.retain(|rule| !row.op.has_slot() || commutes_with_nan(row.op, rule.nan_result));
        for rule in &rules {
            for _ in 0..30 {
                let mut args: Vec<u64> = row.args.iter().map(|&kind| word(kind, rule, &mut c)).collect();
                let before = eval(row.op, rule, &args);
                args.swap(0, 1);
                assert_eq!(before, eval(row.op, rule, &args), "{} on {args:x?} under {rule:?}", row.name);
            }
        }
    }
}
