//! What a sink knows of operands, what follows from it, and what is kept.

use super::class::{self, Classes, Given, Operand};
use super::float::Layout;
use super::lower::Value;
use super::sink::Sink;
use crate::prim::{Prim, Ty};
use crate::program::{Facts, Inst};
use smallvec::SmallVec;

/// Keeps what step form knows of a value.
pub fn learn(sink: &mut dyn Sink, ty: Ty, value: Value, facts: Facts) {
    if matches!(ty, Ty::F32 | Ty::F64) && facts != Facts::default() {
        let classes = sink.classes(value.words()).unwrap_or(Classes::any(ty));
        sink.note(value.words(), classes.with(ty, facts));
    }
}

/// Patterns of floats that are cut, or have no more than a sign to which a constant is added.
fn class_of_pattern(sink: &dyn Sink, inst: &Inst, args: &[Value]) -> Option<Classes> {
    let ty = if inst.ty == Ty::I32 { Ty::F32 } else { Ty::F64 };
    let constants = [0, 1].map(|n| constant_of(sink, &args[n]));
    let (from, bits) = match constants {
        [None, Some(bits)] => (&args[0], bits),
        [Some(bits), None] => (&args[1], bits),
        _ => return None,
    };
    let classes = sink.classes(from.words());
    match inst.prim {
        Prim::And => Some(classes.unwrap_or(Classes::any(ty)).cut(ty, bits)),
        // Nothing but zeros is below the least number.
        Prim::Or if classes? == Classes::of_constant(ty, 0) => Some(Classes::of_constant(ty, bits)),
        Prim::Or | Prim::Xor if bits & ty.bits() >> 1 == 0 => classes,
        _ => None,
    }
}

fn constant_of(sink: &dyn Sink, value: &Value) -> Option<u64> {
    let words = value.words().iter().rev();
    words.map(|&word| sink.constant(word)).try_fold(0, |all, word| Some(all << 32 | u64::from(word?)))
}

/// What follows for a primitive of what is known of its operands.
pub(super) fn class_of(sink: &dyn Sink, inst: &Inst, args: &[Value]) -> (Option<Classes>, Given) {
    if matches!(inst.prim, Prim::And | Prim::Or | Prim::Xor) && matches!(inst.ty, Ty::I32 | Ty::I64) {
        return (class_of_pattern(sink, inst, args), Given::default());
    }
    if inst.prim == Prim::Mul && inst.ty == Ty::I64 {
        let is_short = args.iter().all(|arg| sink.constant(arg.words()[1]) == Some(0));
        let operand = if is_short { Operand::Word } else { Operand::Any };
        return (None, Given { operands: [operand, operand, Operand::Any], ..Given::default() });
    }
    let row = inst.prim.row().args.iter().map(|slot| slot.at(inst.ty));
    let floats = row.zip(args).filter(|(ty, _)| matches!(ty, Ty::F32 | Ty::F64));
    let floats: SmallVec<[(Ty, Option<u64>, Classes); 4]> = floats
        .map(|(ty, arg)| {
            let constant = constant_of(sink, arg);
            let classes = constant.map(|bits| Classes::of_constant(ty, bits)).or_else(|| sink.classes(arg.words()));
            (ty, constant, classes.unwrap_or(Classes::any(ty)))
        })
        .collect();
    let classes: SmallVec<[Classes; 4]> = floats.iter().map(|&(.., classes)| classes).collect();
    let Some((made, mut given)) = class::result(inst, &classes) else { return (None, Given::default()) };
    if matches!(inst.prim, Prim::Fmul | Prim::Fmulz) {
        for (operand, &(ty, constant, _)) in given.operands.iter_mut().zip(&floats) {
            let frac = Layout::of(ty).frac;
            let is_power = constant.is_some_and(|bits| bits & ((1 << frac) - 1) == 0 && bits & ty.bits() >> 1 != 0);
            if is_power && *operand == Operand::Number {
                *operand = Operand::Power;
            }
        }
    }
    (Some(made), given)
}

/// Operands that may change places in the order of what is known of them, so that there are fewer routines.
pub(super) fn ordered(prim: Prim, args: &[Value], mut given: Given) -> (SmallVec<[Value; 4]>, Given) {
    let mut args: SmallVec<[Value; 4]> = args.into();
    let commutes = matches!(prim, Prim::Fadd | Prim::FaddOdd | Prim::Fmul | Prim::Fmulz | Prim::Fma);
    if commutes && given.operands[0] > given.operands[1] {
        given.operands.swap(0, 1);
        args.swap(0, 1);
    }
    (args, given.worthwhile(prim))
}
