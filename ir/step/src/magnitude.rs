//! How small a nonzero value can be: what a format flushes once needs no test for denormals when it is read again.

use crate::eval::quiet_bits;
use crate::prim::{Prim, Ty};
use crate::program::{Emit, Id, Inst};

/// What a zero reaches.
pub(crate) const ALL: i16 = i16::MAX;
/// Choices and moves of bits that are looked through.
const DEPTH: u32 = 6;

/// Bits of a float type's exponent, and bits below it.
fn exponent_of(ty: Ty) -> Option<(u64, u32)> {
    match ty {
        Ty::F32 => Some((0xff << 23, 23)),
        Ty::F64 => Some((0x7ff << 52, 52)),
        _ => None,
    }
}

/// Exponent of the power of two at or below the magnitude of a pattern; [`ALL`] for zeros, infinities and NaN; `None` for
/// denormals.
pub(crate) fn of_pattern(ty: Ty, bits: u64) -> Option<i16> {
    let (mask, below) = exponent_of(ty)?;
    let (.., sign) = quiet_bits(ty);
    match bits & mask {
        0 => (bits & !sign == 0).then_some(ALL),
        special if special == mask => Some(ALL),
        field => Some((field >> below) as i16 - (mask >> below >> 1) as i16),
    }
}

/// Whether a value is the pattern of a float.
fn is_pattern<E: Emit + ?Sized>(code: &E, id: Id, of: Id) -> bool {
    code.inst(id).is_some_and(|inst| inst.prim == Prim::Bits && inst.args[0] == of)
        || code.inst(of).is_some_and(|inst| inst.prim == Prim::Float && inst.args[0] == id)
}

/// What is compared with a constant, and the constant, in a test whether a magnitude is below it.
fn tested<E: Emit + ?Sized>(code: &E, test: Id) -> Option<(Id, u64)> {
    let test = code.inst(test).filter(|test| test.prim == Prim::Flt)?;
    let size = code.inst(test.args[0]).filter(|size| size.prim == Prim::Fabs)?;
    Some((size.args[0], code.constant(test.args[1])?))
}

/// What a choice reaches that replaces what is below a bound.
pub(crate) fn of_choice<E: Emit + ?Sized>(code: &E, choice: &Inst) -> Option<i16> {
    let [test, small, large, _] = choice.args;
    let (from, bound) = tested(code, test)?;
    let least = of_pattern(choice.ty, bound).filter(|&least| least != ALL && code.ty(from) == choice.ty)?;
    let is_zero = code.facts(small).least == Some(ALL);
    (is_zero && reaches(code, large, (from, least), DEPTH)).then_some(least)
}

/// Whether a value is zero, NaN, or at least 2^least, if another one is.
fn reaches<E: Emit + ?Sized>(code: &E, id: Id, from: (Id, i16), depth: u32) -> bool {
    let (other, least) = from;
    if id == other || code.facts(id).least.is_some_and(|own| own >= least) {
        return true;
    }
    let Some(inst) = code.inst(id).filter(|_| depth > 0) else { return false };
    match inst.prim {
        Prim::Select => inst.args[1..3].iter().all(|&arg| reaches(code, arg, from, depth - 1)),
        Prim::Float => keeps(code, (inst.args[0], inst.ty), from, depth - 1),
        _ => false,
    }
}

/// Whether the float of a pattern reaches.
fn keeps<E: Emit + ?Sized>(code: &E, (pattern, ty): (Id, Ty), from: (Id, i16), depth: u32) -> bool {
    let (Some(inst), Some((exponent, _))) = (code.inst(pattern).filter(|_| depth > 0), exponent_of(ty)) else {
        return false;
    };
    let first = |depth| keeps(code, (inst.args[0], ty), from, depth);
    let constant = code.constant(inst.args[1]);
    match inst.prim {
        Prim::Bits => reaches(code, inst.args[0], from, depth - 1),
        // Bits of the fraction are cut.
        Prim::And => {
            constant.is_some_and(|mask| mask & exponent == exponent)
                && (is_pattern(code, inst.args[0], from.0) || first(depth - 1))
        }
        // A number with a sign.
        Prim::Or => constant.and_then(|number| of_pattern(ty, number)).is_some_and(|own| own != ALL && own >= from.1),
        // A step up, at most to the next exponent; beyond the last one are infinity, NaN, and zero again.
        Prim::Add => constant.is_some_and(|step| step < exponent & exponent.wrapping_neg()) && first(depth - 1),
        _ => false,
    }
}

/// What is left of a choice of zeros, with its sign, for what is below a bound, if nothing is but zeros.
pub(crate) fn unflushed<E: Emit + ?Sized>(code: &E, choice: &Inst) -> Option<Id> {
    let [test, small, large, _] = choice.args;
    let (from, bound) = tested(code, test).filter(|(from, _)| *from == large)?;
    let least = code.facts(from).least?;
    let is_power = exponent_of(choice.ty).is_some_and(|(mask, _)| bound & !mask == 0);
    let reached = is_power && of_pattern(choice.ty, bound).is_some_and(|bound| bound != ALL && bound <= least);
    let zero = code.inst(small).filter(|_| reached).filter(|zero| zero.prim == Prim::Float)?;
    let sign = code.inst(zero.args[0]).filter(|sign| sign.prim == Prim::And)?;
    let (.., bit) = quiet_bits(choice.ty);
    (code.constant(sign.args[1]) == Some(bit) && is_pattern(code, sign.args[0], large)).then_some(large)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Nans;
    use crate::program::{Code, Program};
    use crate::rules::program;
    use parallax_num::{Decl, Model, Op, Rule, Slot, eval};
    use parallax_random::Random;

    /// Adds what a program does.
    fn append(code: &mut Code, program: &Program, args: &[Id]) -> Id {
        let mut values: Vec<Id> = args[..program.params.len()].to_vec();
        for inst in &program.insts {
            let mut inst = *inst;
            let count = usize::from(inst.count);
            inst.args[..count].iter_mut().for_each(|arg| *arg = values[*arg as usize]);
            values.push(code.emit(inst));
        }
        values[program.result as usize]
    }

    /// Two operations of a format that flushes, one after the other: the second reads what the first gives as it is.
    #[test]
    fn what_was_flushed_is_read_as_it_is() {
        let model = Model::parse("ati-r300").unwrap();
        let rule = |op: Op| -> Rule { model.rule(op, &Slot::plain(Decl::F32), model.storage(Decl::F32)).0 };
        let mut random = Random::new(5);
        for first in [Op::Mul, Op::Add, Op::Cvt] {
            let (one, two) = (rule(first), rule(Op::Add));
            let (a, b) = (program(first, &one, true).unwrap(), program(Op::Add, &two, true).unwrap());
            let mut chain = Code::new(&[Ty::F32, Ty::F32]);
            let made = append(&mut chain, &a, &[0, 1]);
            let before = chain.finish(made).insts.len();
            let mut chain = Code::new(&[Ty::F32, Ty::F32]);
            let made = append(&mut chain, &a, &[0, 1]);
            assert_eq!(chain.facts(made).least, Some(-62), "{first}");
            let result = append(&mut chain, &b, &[made, made]);
            let chain = chain.finish(result);
            // Neither test nor zero of the second one.
            assert!(chain.insts.len() < before + b.insts.len() - 5, "{first}: {chain}");
            for n in 0..20_000u32 {
                // Many about the smallest normal number.
                let mut word = |shift: u32| {
                    let word = random.word() as u32;
                    let near = word & 0x8000_007f | (n >> shift & 3).wrapping_sub(1) << 7 | (65 - (n & 3)) << 23;
                    u64::from(if n % 3 == 0 { word } else { near })
                };
                let operands = [word(3), word(5)];
                let inner = eval(first, &one, &operands[..first.info().args.len()]);
                let wanted = eval(Op::Add, &two, &[inner, inner]);
                assert_eq!(chain.eval(&operands, Nans::Plain), (wanted, false), "{first} {operands:x?}");
            }
        }
    }
}
