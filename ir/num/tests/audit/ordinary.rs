//! Every model and every operation that names a slot, on ordinary numbers: whatever no document says, a sum is a sum and a comparison
//! compares. Results are asked to lie near what the words of the table of operations mean, computed in binary64.

use crate::inputs::Random;
use parallax_num::{Decl, Kind, Model, Op, Slot, Storage, eval};
use std::collections::BTreeSet;

/// What an operation has to give.
enum Want {
    /// A number, and how far the result may be off.
    Near(f64, f64),
    /// Exactly this number.
    Is(f64),
    /// An integer, a predicate or a condition code.
    Word(u64),
    /// Codes in fields of so many bits, the first in the low ones, each at most 1 off; whether they are signed.
    Codes(u32, bool, Vec<f64>),
}

/// A number as a word of a container; it has few enough digits for each.
fn word(value: f64, storage: Storage) -> u64 {
    match storage {
        Storage::F64 => value.to_bits(),
        Storage::F16 if value == 0.0 => 0,
        Storage::F16 => {
            let bits = value.to_bits();
            let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
            assert!((-14..=15).contains(&exponent) && bits.trailing_zeros() >= 42, "{value} is no half");
            bits >> 63 << 15 | ((exponent + 15) as u64) << 10 | bits >> 42 & 0x3ff
        }
        _ => u64::from((value as f32).to_bits()),
    }
}

fn number(word: u64, storage: Storage) -> f64 {
    match storage {
        Storage::F64 => f64::from_bits(word),
        Storage::F16 => {
            let (exponent, fraction) = ((word >> 10 & 31) as i32, (word & 0x3ff) as f64);
            let size = match exponent {
                0 => fraction * (-24f64).exp2(),
                31 if fraction == 0.0 => f64::INFINITY,
                31 => f64::NAN,
                _ => (1024.0 + fraction) * f64::from(exponent - 25).exp2(),
            };
            if word >> 15 & 1 != 0 { -size } else { size }
        }
        _ => f64::from(f32::from_bits(word as u32)),
    }
}

/// Ordinary operands: numbers of eleven digits between 1/8 and 8, and integers.
fn operands(op: Op, random: &mut Random) -> Vec<f64> {
    let mut float = || {
        let size = (1.0 + random.below(1024) as f64 / 1024.0) * (random.below(6) as f64 - 3.0).exp2();
        if random.below(2) == 0 { size } else { -size }
    };
    let mut out: Vec<f64> = op.info().args.iter().map(|_| float()).collect();
    match op {
        Op::Rsq | Op::Sqrt | Op::Log2 | Op::Pow | Op::F2uTrunc | Op::F2uFloor | Op::F2uCeil | Op::F2uRint => {
            out[0] = out[0].abs()
        }
        Op::F2u64Trunc | Op::F2u64Floor | Op::F2u64Ceil | Op::F2u64Rint => out[0] = out[0].abs(),
        Op::Log2Part | Op::LogExp | Op::LogMant => {}
        // Of positive x and y.
        Op::LitZ => out[..2].iter_mut().for_each(|v| *v = v.abs()),
        Op::Sin | Op::Cos => out[0] /= 4.0,
        Op::Nrm => out[0] = out[1],
        Op::PackHalf2 => {}
        Op::PackUnorm2 | Op::PackUnorm4 | Op::PackSnorm4 | Op::PackBiased4 => out.iter_mut().for_each(|v| *v /= 4.0),
        _ => {}
    }
    if op == Op::Pow {
        out[1] /= 8.0;
    }
    if op == Op::LitZ {
        out[2] /= 4.0;
    }
    out
}

/// `args` are numbers for operands that are floats, integers else.
fn want(op: Op, args: &[f64], digits: i32, word_of: impl Fn(f64) -> u64) -> Want {
    let unit = f64::from(-digits).exp2();
    let [a, b, c] = [0, 1, 2].map(|n| args.get(n).copied().unwrap_or(0.0));
    // Two units of the largest part of a sum, for each part.
    let sum = |parts: &[f64]| {
        let most: f64 = parts.iter().map(|part| part.abs()).sum();
        Want::Near(parts.iter().sum(), 2.0 * unit * most * parts.len() as f64)
    };
    let products = |n: usize, more: &[f64]| {
        let parts: Vec<f64> = (0..n).map(|k| args[k] * args[n + k]).chain(more.iter().copied()).collect();
        sum(&parts)
    };
    // Functions are good to ten bits, seven in halves.
    let rough = if digits > 10 { 1.0 / 1024.0 } else { 1.0 / 128.0 };
    let relative = |value: f64| Want::Near(value, rough * value.abs());
    let absolute = |value: f64| Want::Near(value, rough * value.abs().max(1.0));
    let compared = |holds: bool| Want::Word(u64::from(holds));
    let int = |value: f64| Want::Word(u64::from(value as i64 as u32));
    let long = |value: f64| Want::Word(value as i64 as u64);
    let levels = |scale: f64, low: f64, add: f64| args.iter().map(|v| scale * v.clamp(low, 1.0) + add).collect();
    match op {
        Op::Add => sum(&[a, b]),
        Op::Sub => sum(&[a, -b]),
        Op::Mul | Op::Dst => sum(&[a * b]),
        Op::Fma | Op::Mad => sum(&[a * b, c]),
        Op::Dot2 => products(2, &[]),
        Op::Dot3 => products(3, &[]),
        Op::Dot4 => products(4, &[]),
        Op::Dph => products(3, &[args[6]]),
        Op::Dp2a => products(2, &[args[4]]),
        Op::Lrp => {
            let Want::Near(value, off) = sum(&[a * b, c, -a * c]) else { unreachable!() };
            Want::Near(value, 2.0 * off)
        }
        Op::LitY => Want::Is(a.max(0.0)),
        Op::LitZ => relative(b.powf(c)),
        Op::Nrm => relative(a / (args[1] * args[1] + args[2] * args[2] + args[3] * args[3]).sqrt()),
        Op::Div => relative(a / b),
        Op::Rcp => relative(1.0 / a),
        Op::Rsq => relative(1.0 / a.sqrt()),
        Op::Sqrt => relative(a.sqrt()),
        Op::Exp2 | Op::Exp2Part => relative(a.exp2()),
        Op::Log2 | Op::Log2Part => absolute(a.abs().log2()),
        Op::Exp2Floor => Want::Is(a.floor().exp2()),
        Op::LogExp => Want::Is(a.abs().log2().floor()),
        Op::LogMant => Want::Is(a.abs() / a.abs().log2().floor().exp2()),
        Op::Sin => absolute(a.sin()),
        Op::Cos => absolute(a.cos()),
        Op::Pow => relative(a.powf(b)),
        Op::Min => Want::Is(a.min(b)),
        Op::Max => Want::Is(a.max(b)),
        Op::Floor => Want::Is(a.floor()),
        Op::Ceil => Want::Is(a.ceil()),
        Op::Trunc => Want::Is(a.trunc()),
        Op::Rint => Want::Is(a.round_ties_even()),
        Op::Frac => Want::Near(a - a.floor(), unit),
        Op::Sign => Want::Is(a.signum()),
        Op::Neg => Want::Is(-a),
        Op::Abs => Want::Is(a.abs()),
        Op::FEq => compared(a == b),
        Op::FNe => compared(a != b),
        Op::FLt => compared(a < b),
        Op::FLe => compared(a <= b),
        Op::FGt => compared(a > b),
        Op::FGe => compared(a >= b),
        Op::Funo => compared(false),
        Op::CcOf => Want::Word(if a < 0.0 { 0 } else { 2 }),
        Op::Cvt => Want::Near(a, 2.0 * unit * a.abs()),
        Op::F2iTrunc | Op::F2uTrunc => int(a.trunc()),
        Op::F2iFloor | Op::F2uFloor => int(a.floor()),
        Op::F2iCeil | Op::F2uCeil => int(a.ceil()),
        Op::F2iRint | Op::F2uRint => int(a.round_ties_even()),
        Op::F2i64Trunc | Op::F2u64Trunc => long(a.trunc()),
        Op::F2i64Floor | Op::F2u64Floor => long(a.floor()),
        Op::F2i64Ceil | Op::F2u64Ceil => long(a.ceil()),
        Op::F2i64Rint | Op::F2u64Rint => long(a.round_ties_even()),
        Op::I2f | Op::I64ToF | Op::U2f | Op::U64ToF => Want::Near(a, 2.0 * unit * a.abs()),
        Op::BitsOf | Op::BitsOf64 => Want::Word(word_of(a)),
        Op::BitsTo | Op::BitsTo64 => Want::Is(a),
        Op::PackHalf2 => Want::Codes(16, false, vec![word(a, Storage::F16) as f64, word(b, Storage::F16) as f64]),
        Op::PackUnorm2 => Want::Codes(16, false, levels(65535.0, 0.0, 0.0)),
        Op::PackBiased4 => Want::Codes(8, false, levels(127.0, -128.0 / 127.0, 128.0)),
        Op::PackUnorm4 => Want::Codes(8, false, levels(255.0, 0.0, 0.0)),
        Op::PackSnorm4 => Want::Codes(8, true, levels(127.0, -1.0, 0.0)),
        Op::UpHalf => Want::Is(number(a as u64, Storage::F16)),
        Op::UpUnorm16 => Want::Near(a / 65535.0, 2.0 * unit),
        Op::UpBiased8 => Want::Near((a - 128.0) / 127.0, 2.0 * unit),
        Op::UpUnorm8 => Want::Near(a / 255.0, 2.0 * unit),
        Op::UpSnorm8 => Want::Near((f64::from(a as u8 as i8) / 127.0).max(-1.0), 2.0 * unit),
        Op::Ldexp => Want::Is(a * b.exp2()),
        other => panic!("{other} has a slot, and nothing here says what it gives"),
    }
}

/// Operands that are integers, for the operations that have some.
fn integers(op: Op, args: &mut [f64], random: &mut Random) {
    let n = op.info().args.iter().position(|kind| matches!(kind, Kind::I32 | Kind::I64));
    let Some(n) = n else { return };
    args[n] = match op {
        Op::I2f | Op::I64ToF => random.below(4096) as f64 - 2048.0,
        Op::U2f | Op::U64ToF => random.below(2048) as f64,
        Op::Ldexp => random.below(5) as f64 - 2.0,
        Op::UpHalf => word(args[n], Storage::F16) as f64,
        Op::UpUnorm16 => random.below(1 << 16) as f64,
        Op::BitsTo | Op::BitsTo64 => return,
        _ => random.below(256) as f64,
    };
}

#[test]
fn every_operation_of_every_model_does_what_it_is_called() {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect(name);
        for decl in [Decl::F32, Decl::F16, Decl::F64] {
            let slot = Slot::plain(decl);
            let own = model.storage(decl);
            // R300's numbers have 16 digits behind the first, whatever the container holds.
            let digits = match own {
                Storage::F16 => 10,
                Storage::F64 => 52,
                _ if *name == "ati-r300" => 16,
                _ => 23,
            };
            for op in Op::ALL.iter().map(|row| row.op).filter(|op| op.has_slot()) {
                let mut random = Random::new(9);
                let source = if op == Op::Cvt { model.storage(Decl::F32) } else { own };
                let rule = model.rule(op, &slot, source).0;
                for _ in 0..200 {
                    let mut args = operands(op, &mut random);
                    integers(op, &mut args, &mut random);
                    // The pattern of a declared format, whatever container the model keeps it in.
                    let pattern = |value: f64| word(value, decl.format().storage());
                    let words: Vec<u64> = args
                        .iter()
                        .zip(op.info().args)
                        .map(|(value, kind)| match kind {
                            Kind::F | Kind::AnyF => word(*value, source),
                            _ if matches!(op, Op::BitsTo | Op::BitsTo64) => pattern(*value),
                            Kind::I64 => *value as i64 as u64,
                            _ => u64::from(*value as i64 as u32),
                        })
                        .collect();
                    // Words of 32 bits hold no binary64 pattern, and the other way round.
                    let is_wide = decl == Decl::F64;
                    if is_wide && matches!(op, Op::BitsOf | Op::BitsTo) {
                        continue;
                    }
                    let got = eval(op, &rule, &words);
                    let found = number(got, own);
                    let holds = match want(op, &args, digits, pattern) {
                        Want::Near(value, off) => (found - value).abs() <= off,
                        Want::Is(value) => found == value,
                        Want::Word(value) => got == value,
                        Want::Codes(bits, signed, values) => values.iter().enumerate().all(|(n, value)| {
                            let code = got >> (bits as usize * n) & ((1 << bits) - 1);
                            let code = if signed { f64::from(code as u8 as i8) } else { code as f64 };
                            (code - value).abs() <= 1.0
                        }),
                    };
                    if !holds && wrong.len() < 40 {
                        wrong.push(format!("{name} {slot} {op} of {args:?} is {found} ({got:x})"));
                        break;
                    }
                }
                seen.insert((*name, decl, op));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let slots = Op::ALL.iter().filter(|row| row.op.has_slot()).count();
    assert_eq!(seen.len(), Model::builtin_names().len() * 3 * slots);
}
