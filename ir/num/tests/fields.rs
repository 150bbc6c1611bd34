//! The field table against evaluation: what an operation is said not to look at cannot change a bit, and what it is said
//! to look at can.

use parallax_num::{
    Accuracy, Decl, Family, Field, FixedFormat, FloatFormat, Format, Kind, Op, Probe, Rule, Saturate, Specials,
    Storage, Values, eval,
};
use parallax_random::Random;

fn formats() -> Vec<Format> {
    let odd = |exp, frac, denormals, specials| Format::Float(FloatFormat { exp, frac, denormals, specials });
    vec![
        Format::F32,
        Format::F16,
        Format::F64,
        Format::FX12,
        Format::FX9,
        Format::BF16,
        Format::FP24,
        odd(4, 3, true, Specials::NanOnly),
        odd(5, 2, true, Specials::None),
        odd(2, 4, true, Specials::InfNan),
        odd(2, 1, false, Specials::InfNan),
        odd(9, 10, true, Specials::InfNan),
        Format::Fixed(FixedFormat { int: 16, frac: 16 }),
    ]
}

fn any_value(numbers: &mut Random, field: &Field, rule: &mut Rule) {
    let word = match field.values {
        Values::Words(words) => numbers.pick(words),
        Values::Pattern(_, examples) => numbers.pick(examples),
    };
    assert!(field.set(rule, word), "{} {word}", field.name);
}

/// A rule with every field anywhere; half of the fields stay at their defaults.
fn any_rule(numbers: &mut Random, formats: &[Format]) -> Rule {
    let decl = numbers.pick(&Decl::ALL);
    let format = if numbers.below(3) == 0 { decl.format() } else { numbers.pick(formats) };
    let mut rule = Rule::ieee(decl, format);
    for field in Field::ALL.iter().filter(|f| f.name != "format") {
        if numbers.below(2) == 0 {
            any_value(numbers, field, &mut rule);
        }
    }
    if numbers.below(2) == 0 {
        rule.saturate = numbers.pick(Saturate::ALL);
    }
    if numbers.below(2) == 0 {
        rule.scale = numbers.below(7) as i8 - 3;
    }
    rule.probe = numbers.pick(&[Probe::Nearest, Probe::Lowest, Probe::Highest, Probe::Random(7)]);
    // A format narrower than its container, as a what-if model may set for single operations.
    if numbers.below(4) == 0 {
        let wider = numbers.pick(formats).storage();
        if format.fits(wider.format()) {
            rule.storage = wider;
        }
    }
    rule.source = if numbers.below(2) == 0 { numbers.pick(formats).storage() } else { rule.storage };
    rule
}

/// A lane word of a container, often near a special value.
fn any_word(numbers: &mut Random, storage: Storage, format: Format) -> u64 {
    let (exp, frac) = match storage {
        Storage::F16 => (5, 10),
        Storage::F32 => (8, 23),
        Storage::F64 => (11, 52),
        Storage::Fixed(f) => {
            let top = 1i64 << (f.int + f.frac - 1);
            let v = match numbers.below(4) {
                0 => numbers.pick(&[0, 1, -1, top - 1, -top, 1 << f.frac.min(f.int + f.frac - 2)]),
                _ => numbers.word() as i64 % top,
            };
            return v as i32 as u32 as u64;
        }
    };
    let sign = (numbers.word() & 1) << (exp + frac);
    let bias = (1u64 << (exp - 1)) - 1;
    let fraction = match numbers.below(3) {
        0 => 0,
        1 => numbers.pick(&[1, (1 << frac) - 1, 1 << (frac - 1)]),
        _ => numbers.word() & ((1 << frac) - 1),
    };
    let min_exp = match format {
        Format::Float(f) => f.min_exp(),
        Format::Fixed(f) => -i32::from(f.frac),
    };
    let around = |numbers: &mut Random, at: i64| (at + numbers.below(7) as i64 - 3).clamp(0, (1 << exp) - 1) as u64;
    let field = match numbers.below(8) {
        0 => 0,
        1 => (1 << exp) - 1,
        2 => around(numbers, bias as i64 + i64::from(min_exp)),
        3 => around(numbers, (1 << exp) - 3),
        4 => numbers.word() & ((1 << exp) - 1),
        _ => around(numbers, bias as i64),
    };
    sign | field << frac | fraction
}

fn any_args(numbers: &mut Random, op: Op, rule: &Rule) -> Vec<u64> {
    op.info()
        .args
        .iter()
        .map(|kind| match kind {
            Kind::F => any_word(numbers, rule.storage, rule.format),
            Kind::AnyF => any_word(numbers, rule.source, rule.format),
            Kind::I64 if numbers.below(2) == 0 => (numbers.word() as i64 >> numbers.below(64)) as u64,
            _ if numbers.below(2) == 0 => {
                numbers.pick(&[0, 1, 7, 0x8000_0000, 0xffff_ffff, 0x7c01, 0x7e00, 0xfc00, 0x0001, 0x83ff])
            }
            _ => numbers.word() as u32 as u64,
        })
        .collect()
}

fn slotted() -> impl Iterator<Item = Op> {
    Op::ALL.iter().map(|row| row.op).filter(|op| op.has_slot())
}

#[test]
fn fields_an_operation_does_not_look_at_change_nothing() {
    let formats = formats();
    let mut numbers = Random::new(1);
    for op in slotted() {
        let rounds = if op.info().family == Family::Recipe { 3_000 } else { 10_000 };
        for _ in 0..rounds {
            let rule = any_rule(&mut numbers, &formats);
            let rule = if op == Op::Cvt { rule } else { Rule { source: rule.storage, ..rule } };
            let normal = rule.normalised(op);
            assert_eq!(normal, normal.normalised(op), "{op}");
            let args = any_args(&mut numbers, op, &rule);
            let (a, b) = (eval(op, &rule, &args), eval(op, &normal, &args));
            assert_eq!(a, b, "{op} {args:x?}\n{}", explain(op, &rule, &normal, &args));
        }
    }
}

/// Names the fields whose reset alone changes the result.
fn explain(op: Op, rule: &Rule, normal: &Rule, args: &[u64]) -> String {
    let mut text = format!("{rule:?}\n");
    for field in Field::ALL {
        let mut one = *rule;
        field.copy(&mut one, normal);
        let (a, b) = (eval(op, rule, args), eval(op, &one, args));
        if a != b {
            text += &format!("{}: {} gives {a:x}, {} gives {b:x}\n", field.name, field.get(rule), field.get(normal));
        }
    }
    text
}

#[test]
fn fields_an_operation_is_said_to_look_at_can_change_it() {
    let formats = formats();
    let mut numbers = Random::new(2);
    let mut unused = Vec::new();
    for field in Field::ALL.iter().filter(|field| !field.is_of_programs()) {
        for op in slotted().filter(|op| field.concerns(*op)) {
            // Too rare for chance, or a matter of the container, which this test leaves alone.
            if matches!(
                (field.name, op),
                ("tininess" | "rsq_negative", Op::Nrm)
                    | ("zero_mul", Op::Sqrt)
                    | ("zero_sign" | "sat_zero", Op::Exp2Floor | Op::LogMant)
                    | ("format", Op::BitsTo | Op::BitsTo64)
            ) {
                continue;
            }
            let tries = if field.name == "tininess" { 2_000_000 } else { 400_000 };
            let seen = (0..tries).any(|_| {
                let mut rule = any_rule(&mut numbers, &formats);
                if let Accuracy::Bounded { .. } = rule.accuracy {
                    rule.accuracy = Accuracy::Bounded { bits: 4, floor: 0, strict: false };
                }
                let mut other = rule;
                if field.name == "format" {
                    let format = numbers.pick(&formats);
                    if !format.fits(rule.storage.format()) {
                        return false;
                    }
                    other.format = format;
                } else {
                    any_value(&mut numbers, field, &mut other);
                    if let Accuracy::Bounded { bits, .. } = other.accuracy {
                        other.accuracy = Accuracy::Bounded { bits: bits.min(4), floor: 0, strict: false };
                    }
                }
                let args = any_args(&mut numbers, op, &rule);
                eval(op, &rule, &args) != eval(op, &other, &args)
            });
            if !seen {
                unused.push(format!("{} {op}", field.name));
            }
        }
    }
    assert!(unused.is_empty(), "{}", unused.join(", "));
}
