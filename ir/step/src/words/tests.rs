//! Words against the primitives.

use super::{Key, Routine, Value};
use crate::eval::{Nans, eval};
use crate::prim::{Immediate, Prim, Ty};
use crate::program::Inst;
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
    let routine = Routine::of(Key { prim, ty, imm });
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
        assert!(got == want && !slow, "{} {args:x?}: {got:x}, not {want:x}", Key { prim, ty, imm });
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

/// Nothing but integers of 32 bits, masks and calls.
#[test]
fn routines_have_words_alone() {
    for row in Prim::ALL {
        for &ty in row.over {
            for imm in immediates(row.prim, ty) {
                let routine = Routine::of(Key { prim: row.prim, ty, imm });
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
