//! Words against the primitives.

use super::class::{self, Classes, Given, Operand};
use super::{Key, Routine, Value};
use crate::eval::{Nans, eval};
use crate::prim::{Immediate, Mode, Prim, Ty};
use crate::program::{Code, Inst};
use parallax_random::Random;

/// A word of a type, often a corner of it or one beside another.
fn word(random: &mut Random, ty: Ty, near: u64) -> u64 {
    let bits = random.word();
    let single =
        [0, 1, 0x0080_0000, 0x007f_ffff, 0x7f80_0000, 0x7f7f_ffff, 0x3f80_0000, 0x7f80_0001, 0x4b00_0000, 0x4f00_0000];
    let word = match (ty, random.below(8)) {
        (Ty::F32, 0) => bits & 0x8000_0000 | random.pick(&single),
        (Ty::F32, 1) => bits & 0x80ff_ffff,
        (Ty::F32, 2) => bits & 0x81ff_0000 | 0x3f00_0000,
        (Ty::F32, 3) => near ^ bits & 0x80ff_ffff,
        (Ty::F32, 4) => bits & 0x8fff_ffff | 0x3800_0000,
        (Ty::F64, 0) => {
            let all =
                [0, 1, 1 << 52, (1 << 52) - 1, 0x7ff << 52, (0x7ff << 52) - 1, 0x3ff << 52, 0x7ff0_0000_0000_0001];
            bits & 1 << 63 | random.pick(&all)
        }
        (Ty::F64, 1) => bits & 0x801f_ffff_ffff_ffff,
        (Ty::F64, 2) => bits & 0x801f_ffff_0000_0000 | 0x3fe0_0000_0000_0000,
        (Ty::F64, 3) => near ^ bits & 0x807f_ffff_ffff_ffff,
        (Ty::F64, 4) => bits & 0x83ff_ffff_ffff_ffff | 0x3c00_0000_0000_0000,
        (Ty::F64, 5) => bits & 0x8fff_ffff_e000_0000 | 0x3800_0000_0000_0000 | random.pick(&[0, 0x1000_0000, 1]),
        (Ty::F64, 6) => near ^ bits & 0x800f_ffff_ffff_ffff >> random.below(52),
        (Ty::I32 | Ty::I64, 0) => random.pick(&[0, 1, 0x7fff_ffff, 0x8000_0000, u64::MAX, 1 << 63, 1 << 32]),
        (Ty::I32 | Ty::I64, 1) => bits >> random.below(64),
        (Ty::I32 | Ty::I64, 2) => near ^ 1 << random.below(64),
        _ => bits,
    };
    word & ty.bits()
}

/// Immediates that a row is tried with.
fn immediates(prim: Prim, ty: Ty) -> Vec<u64> {
    match prim.row().immediate {
        Immediate::None => vec![0],
        Immediate::Mode => (0..8).collect(),
        Immediate::Direction => (0..4).collect(),
        Immediate::Bits => vec![0x8123_4567_89ab_cdef & ty.bits(), 1],
        Immediate::Nan => vec![if ty == Ty::F32 { 0xffc0_1234 } else { 0x7ff8_1234_5678_9abc }],
        Immediate::Table => (0..crate::Table::ALL.len() as u64).collect(),
    }
}

/// A primitive over random operands.
fn check(prim: Prim, ty: Ty, imm: u64, count: usize, seed: u64) {
    let operands: Vec<Ty> = prim.row().args.iter().map(|slot| slot.at(ty)).collect();
    let inst = Inst::new(prim, ty, imm, &vec![0; operands.len()]);
    let routine = Routine::of(Key::new(prim, ty, imm));
    let mut random = Random::new(seed);
    for _ in 0..count {
        let mut args = [0; 4];
        for (n, &ty) in operands.iter().enumerate() {
            args[n] = word(&mut random, ty, args[n.saturating_sub(1)]);
        }
        let want = eval(&inst, args, Nans::Plain);
        let words: Vec<u32> = operands
            .iter()
            .zip(args)
            .flat_map(|(ty, arg)| [arg as u32, (arg >> 32) as u32].into_iter().take(1 + usize::from(ty.is_wide())))
            .collect();
        let (got, slow) = routine.eval(&words);
        let got = got.iter().rev().fold(0, |all, &word| all << 32 | u64::from(word));
        assert!(got == want && !slow, "{} {args:x?}: {got:x}, not {want:x}", Key::new(prim, ty, imm));
    }
}

fn check_all(count: usize, seed: u64) {
    for row in Prim::ALL {
        for &ty in row.over {
            for imm in immediates(row.prim, ty) {
                check(row.prim, ty, imm, count, seed);
            }
        }
    }
}

#[test]
fn every_primitive_is_the_same_in_words() {
    check_all(3000, 1);
}

/// `cargo test -p parallax-step --release --lib words -- --ignored`.
#[test]
#[ignore = "long"]
fn millions_of_operands() {
    check_all(1_000_000, 2);
}

/// Classes of a random kind.
fn classes(random: &mut Random, ty: Ty) -> Classes {
    let (smallest, normal, largest) = if ty == Ty::F64 { (-1074, -1022, 1023) } else { (-149, -126, 127) };
    let between = |random: &mut Random, low: i64, high: i64| low + random.below((high - low + 1) as u64) as i64;
    let least = match random.below(4) {
        0 => smallest,
        1 => normal,
        2 => between(random, -40, 0),
        _ => between(random, smallest, largest),
    };
    let most = match random.below(3) {
        0 => largest,
        1 => between(random, least, (least + 30).min(largest)),
        _ => between(random, least, largest),
    };
    Classes { nan: random.below(2) == 0, infinite: random.below(2) == 0, least: least as i16, most: most as i16 }
}

/// Whether a float is of these classes.
fn is_of(ty: Ty, bits: u64, classes: Classes) -> bool {
    let own = Classes::of_constant(ty, bits);
    own.or(classes) == classes || bits & ty.bits() >> 1 == 0
}

/// A float of these classes, often at one of their ends.
fn member(random: &mut Random, ty: Ty, classes: Classes) -> u64 {
    let (frac, normal, end) = if ty == Ty::F64 { (52, -1022, 0x7ffu64) } else { (23, -126, 0xff) };
    let bits = random.word();
    let sign = bits & ((ty.bits() >> 1) + 1);
    let special = match random.below(12) {
        0 => Some(0),
        1 if classes.nan => Some(end << frac | bits >> 16 & ((1 << frac) - 1) | 1),
        2 if classes.infinite => Some(end << frac),
        _ => None,
    };
    let (least, most) = (i64::from(classes.least), i64::from(classes.most));
    let exponent = match random.below(4) {
        0 => least,
        1 => most,
        _ => least + random.below((most - least + 1) as u64) as i64,
    };
    let fraction = match random.below(4) {
        0 => 0,
        1 => u64::MAX,
        2 => 1,
        _ => random.word(),
    } & ((1 << frac) - 1);
    let number = if exponent < normal {
        let place = frac as i64 - (normal - exponent);
        1 << place | fraction & ((1 << place) - 1)
    } else {
        ((exponent - normal + 1) as u64) << frac | fraction
    };
    special.unwrap_or(number) | sign
}

/// Routines for operands of which more is known, and what follows for their results.
fn check_known(rounds: usize, lanes: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut known = std::collections::BTreeSet::new();
    let rows = [
        (Prim::Fadd, Ty::F32),
        (Prim::Fmul, Ty::F32),
        (Prim::Fmulz, Ty::F32),
        (Prim::Fma, Ty::F32),
        (Prim::Fdiv, Ty::F32),
        (Prim::Fsqrt, Ty::F32),
        (Prim::Widen, Ty::F32),
        (Prim::Round, Ty::F32),
        (Prim::Flush, Ty::F32),
        (Prim::Fmin, Ty::F32),
        (Prim::Fadd, Ty::F64),
        (Prim::FaddOdd, Ty::F64),
        (Prim::Fmul, Ty::F64),
        (Prim::Fma, Ty::F64),
        (Prim::Narrow, Ty::F64),
        (Prim::First, Ty::F32),
        (Prim::Fneg, Ty::F32),
        (Prim::Fdiv, Ty::F64),
        (Prim::FromHalf, Ty::F32),
        (Prim::FromInt, Ty::F32),
    ];
    for n in 0..rounds {
        let (prim, ty) = rows[n % rows.len()];
        let imms = immediates(prim, ty);
        let imm = imms[n / rows.len() % imms.len()];
        let types: Vec<Ty> = prim.row().args.iter().map(|slot| slot.at(ty)).collect();
        let mut of: Vec<Classes> = types.iter().map(|&ty| classes(&mut random, ty)).collect();
        if prim == Prim::FaddOdd {
            // It asks for room.
            of.iter_mut().for_each(|of| (of.least, of.most) = (of.least.min(900), of.most.min(900)));
        }
        let inst = Inst::new(prim, ty, imm, &vec![0; types.len()]);
        let floats: Vec<Classes> =
            types.iter().zip(&of).filter(|(ty, _)| matches!(ty, Ty::F32 | Ty::F64)).map(|(_, &of)| of).collect();
        let (made, mut about) = class::result(&inst, &floats).expect("a float");
        // One power of two.
        let power = matches!(prim, Prim::Fmul | Prim::Fmulz) && about.operands[1] == Operand::Number && n % 3 == 0;
        if power {
            about.operands[1] = Operand::Power;
        }
        let routine = Routine::of(Key { given: about, ..Key::new(prim, ty, imm) });
        known.insert((prim, ty, about));
        for _ in 0..lanes {
            let mut args = [0; 4];
            for (n, &ty) in types.iter().enumerate() {
                let is_float = matches!(ty, Ty::F32 | Ty::F64);
                args[n] = if is_float { member(&mut random, ty, of[n]) } else { word(&mut random, ty, 0) };
                assert!(!is_float || is_of(ty, args[n], of[n]), "{ty} {:x} {:?}", args[n], of[n]);
            }
            if power {
                let frac = if ty == Ty::F64 { 52 } else { 23 };
                args[1] &= !((1 << frac) - 1);
                if args[1] & ty.bits() >> 1 == 0 {
                    continue;
                }
            }
            let want = eval(&inst, args, Nans::Plain);
            assert!(is_of(inst.result(), want, made), "{inst:?} {args:x?}: {want:x} is none of {made:?} of {of:?}");
            let words: Vec<u32> = types
                .iter()
                .zip(args)
                .flat_map(|(ty, arg)| [arg as u32, (arg >> 32) as u32].into_iter().take(1 + usize::from(ty.is_wide())))
                .collect();
            let got = routine.eval(&words).0.iter().rev().fold(0, |all, &word| all << 32 | u64::from(word));
            assert!(
                got == want,
                "{} {args:x?}: {got:x}, not {want:x}",
                Key { given: about, ..Key::new(prim, ty, imm) }
            );
        }
    }
    assert!(known.len() > rounds.min(4000) / 20, "{}", known.len());
}

#[test]
fn routines_of_known_operands_give_the_same() {
    check_known(6_000, 20, 3);
}

/// `cargo test -p parallax-step --release --lib words -- --ignored`.
#[test]
#[ignore = "long"]
fn millions_of_known_operands() {
    check_known(400_000, 500, 4);
}

/// A product with a power of two has none of its digits multiplied, whatever the other operand is.
#[test]
fn products_with_powers_of_two_multiply_nothing() {
    let mut code = Code::new(&[Ty::F32]);
    let four = code.number(Ty::F32, 4.0);
    let product = code.fmul(Mode::PLAIN, 0, four);
    let program = code.finish(product);
    let whole = Routine::of_program(&program);
    let calls: Vec<Key> = whole
        .insts
        .iter()
        .filter_map(|inst| match inst.kind {
            super::WordKind::Call(key) => Some(key),
            _ => None,
        })
        .collect();
    assert_eq!(calls.len(), 1, "{whole:?}");
    assert_eq!(calls[0].given.operands[1], Operand::Power);
    let multiplies = |inst: &super::WordInst| matches!(inst.kind, super::WordKind::Step(Prim::Mul, ..));
    assert!(!Routine::of(calls[0]).insts.iter().any(multiplies));
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let bits = word(&mut random, Ty::F32, 0);
        assert_eq!(u64::from(whole.eval(&[bits as u32]).0[0]), program.eval(&[bits], Nans::Plain).0, "{bits:x}");
    }
}

/// What follows for patterns that are cut, and of what step form knows.
#[test]
fn classes_of_patterns_and_facts_hold() {
    let mut random = Random::new(6);
    for _ in 0..20_000 {
        let ty = random.pick(&[Ty::F32, Ty::F64]);
        let of = classes(&mut random, ty);
        let bits = member(&mut random, ty, of);
        let frac = if ty == Ty::F64 { 52 } else { 23 };
        for mask in [
            u64::MAX << random.below(frac + 1),
            u64::MAX << (frac + 9),
            1 << (ty.bits().count_ones() - 1),
            u64::MAX >> 40,
        ] {
            let cut = bits & mask & ty.bits();
            assert!(is_of(ty, cut, of.cut(ty, mask & ty.bits())), "{ty} {bits:x} {mask:x} {of:?}");
        }
        let own = Classes::of_constant(ty, bits);
        let (size, normal) = (bits & ty.bits() >> 1, own.least >= if ty == Ty::F64 { -1022 } else { -126 });
        let least = (own.nan || own.infinite || size == 0 || own.least >= -20).then_some(-20);
        let facts = crate::Facts { number: !own.nan, normal: normal || size == 0, least };
        let with = of.with(ty, facts);
        assert!(is_of(ty, bits, with) && is_of(ty, bits, with.and(of)), "{ty} {bits:x} {facts:?} {of:?} {with:?}");
    }
}

/// The product of two words.
#[test]
fn products_of_words_have_two() {
    let given = Given { operands: [Operand::Word, Operand::Word, Operand::Any], ..Given::default() };
    let routine = Routine::of(Key { given, ..Key::new(Prim::Mul, Ty::I64, 0) });
    let mut random = Random::new(5);
    for _ in 0..10_000 {
        let [a, b] = [(); 2].map(|()| word(&mut random, Ty::I32, 0));
        let got = routine.eval(&[a as u32, 0, b as u32, 0]).0;
        assert_eq!(u64::from(got[1]) << 32 | u64::from(got[0]), a * b);
    }
}

/// Nothing but integers of 32 bits, masks and calls.
#[test]
fn routines_have_words_alone() {
    for row in Prim::ALL {
        for &ty in row.over {
            for imm in immediates(row.prim, ty) {
                let routine = Routine::of(Key::new(row.prim, ty, imm));
                for inst in &routine.insts {
                    if let super::WordKind::Step(prim, ty, _) = inst.kind {
                        assert!(
                            matches!(ty, Ty::I32 | Ty::Mask) && prim.row().over.contains(&ty),
                            "{} {inst:?}",
                            row.name
                        );
                    }
                }
            }
        }
    }
    assert_eq!(Value::at(Ty::I64, 4).words(), [4, 5]);
}
