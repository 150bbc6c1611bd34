//! What an instruction comes to, given those that make its operands. Every rule is exact, NaN bits included, where the
//! table of primitives promises them.

use crate::eval::{self, Nans};
use crate::magnitude;
use crate::prim::{Mode, NanEffect, Prim, Ty};
use crate::program::{Emit, Id, Inst, MAX_ARGS};

/// What an instruction comes to.
pub(crate) enum Simplified {
    /// A value that exists.
    Value(Id),
    /// Another instruction.
    Inst(Inst),
}

/// Simplifies one instruction; `None` if it stays.
#[inline]
pub(crate) fn simplify<E: Emit + ?Sized>(code: &E, inst: &Inst) -> Option<Simplified> {
    if inst.prim == Prim::Const {
        return None;
    }
    if let Some(folded) = folded(code, inst) {
        return Some(Simplified::Inst(folded));
    }
    if !may_change(inst.prim) {
        return None;
    }
    match forwarded(code, inst) {
        Some(id) => Some(Simplified::Value(id)),
        None => rewritten(code, inst).filter(|simple| simple != inst).map(Simplified::Inst),
    }
}

/// Whether there is anything but constant operands that makes a primitive something else.
#[inline]
const fn may_change(prim: Prim) -> bool {
    use Prim::{
        FaddOdd, Fdiv, Feq, Fle, Flt, Fma, Fmax, Fmin, Fmul, FromHalf, FromInt, Fsqrt, Mul, Round, ToHalf, ToInt, Widen,
    };
    !matches!(
        prim,
        FaddOdd
            | Fdiv
            | Feq
            | Fle
            | Flt
            | Fma
            | Fmax
            | Fmin
            | Fmul
            | FromHalf
            | FromInt
            | Fsqrt
            | Mul
            | Round
            | ToHalf
            | ToInt
            | Widen
    )
}

/// A comparison of numbers that binary32 holds, as one of binary32.
pub(crate) fn narrowed<E: Emit + ?Sized>(code: &mut E, inst: &Inst) -> Option<Inst> {
    let compares = matches!(inst.prim, Prim::Feq | Prim::Flt | Prim::Fle | Prim::Funo) && inst.ty == Ty::F64;
    if !compares || !inst.args().iter().all(|&arg| is_narrow(code, arg)) {
        return None;
    }
    let args = [inst.args[0], inst.args[1]].map(|arg| narrow(code, arg));
    Some(Inst::new(inst.prim, Ty::F32, 0, &args))
}

/// Whether a binary64 value comes from one of binary32 without a change.
fn is_narrow<E: Emit + ?Sized>(code: &E, id: Id) -> bool {
    match code.inst(id) {
        Some(inst) if inst.prim == Prim::Widen => true,
        Some(inst) if inst.prim == Prim::Const => f64::from(f64::from_bits(inst.imm) as f32).to_bits() == inst.imm,
        Some(inst) if matches!(inst.prim, Prim::Fneg | Prim::Fabs) => is_narrow(code, inst.args[0]),
        _ => false,
    }
}

/// The value of binary32 behind it.
fn narrow<E: Emit + ?Sized>(code: &mut E, id: Id) -> Id {
    match code.inst(id).copied() {
        Some(inst) if inst.prim == Prim::Const => {
            let bits = (f64::from_bits(inst.imm) as f32).to_bits();
            code.emit(Inst::new(Prim::Const, Ty::F32, bits.into(), &[]))
        }
        Some(inst) if inst.prim != Prim::Widen => {
            let inner = narrow(code, inst.args[0]);
            code.emit(Inst::new(inst.prim, Ty::F32, 0, &[inner]))
        }
        Some(inst) => inst.args[0],
        None => id,
    }
}

/// Whether a comparison's operand is another value, or the one of binary32 that it comes from.
fn is_same<E: Emit + ?Sized>(code: &E, compared: Id, value: Id) -> bool {
    if compared == value {
        return true;
    }
    match (code.inst(value), code.constant(compared)) {
        (Some(inst), _) if inst.prim == Prim::Widen => inst.args[0] == compared,
        (Some(inst), Some(bits)) if inst.prim == Prim::Const && inst.ty == Ty::F64 && code.ty(compared) == Ty::F32 => {
            f64::from(f32::from_bits(bits as u32)).to_bits() == inst.imm
        }
        _ => false,
    }
}

/// The choice of the lesser, or greater, of two numbers.
fn least<E: Emit + ?Sized>(code: &E, inst: &Inst) -> Option<Inst> {
    let [test, x, y, _] = inst.args;
    let &Inst { args: [a, b, ..], .. } = code.inst(test).filter(|test| test.prim == Prim::Flt)?;
    if is_same(code, a, x) && is_same(code, b, y) {
        Some(Inst::new(Prim::Fmin, inst.ty, 0, &[x, y]))
    } else if is_same(code, a, y) && is_same(code, b, x) {
        Some(Inst::new(Prim::Fmax, inst.ty, 0, &[x, y]))
    } else {
        None
    }
}

/// The product that a zero wins in, of a choice between +0 and a product.
fn product<E: Emit + ?Sized>(code: &E, inst: &Inst) -> Option<Inst> {
    let &Inst { imm, args: [a, b, ..], .. } = code.inst(inst.args[2]).filter(|made| made.prim == Prim::Fmul)?;
    let is_zero = |test: Id, of: Id| {
        code.inst(test).is_some_and(|test| {
            test.prim == Prim::Feq
                && test.args().contains(&of)
                && test.args().iter().any(|&other| other != of && code.constant(other) == Some(0))
        })
    };
    let both = match code.inst(inst.args[0])? {
        Inst { prim: Prim::Or, args: [x, y, ..], .. } => {
            is_zero(*x, a) && is_zero(*y, b) || is_zero(*x, b) && is_zero(*y, a)
        }
        _ => {
            // A constant that is no zero needs no test.
            let never = |id: Id| code.constant(id).is_some_and(|bits| bits & inst.ty.bits() >> 1 != 0);
            is_zero(inst.args[0], a) && never(b) || is_zero(inst.args[0], b) && never(a)
        }
    };
    both.then(|| Inst::new(Prim::Fmulz, inst.ty, imm, &[a, b]))
}

/// The constant that constant operands give.
fn folded<E: Emit + ?Sized>(code: &E, inst: &Inst) -> Option<Inst> {
    let mut words = [0; MAX_ARGS];
    for (word, &arg) in words.iter_mut().zip(inst.args()) {
        *word = code.constant(arg)?;
    }
    let word = eval::eval(inst, words, Nans::Plain);
    Some(Inst::new(Prim::Const, inst.result(), word, &[]))
}

/// The operand, or value behind it, that the instruction gives.
fn forwarded<E: Emit + ?Sized>(code: &E, inst: &Inst) -> Option<Id> {
    let [a, b, c, _] = inst.args;
    let facts = code.facts(a);
    let is = |id: Id, word: u64| code.constant(id) == Some(word & code.ty(id).bits());
    // The operand of the instruction that makes a value.
    let inner = |id: Id, prim: Prim| code.inst(id).filter(|i| i.prim == prim).map(|i| i.args[0]);
    match inst.prim {
        Prim::Select if b == c || is(a, 1) => Some(b),
        Prim::Select if is(a, 0) => Some(c),
        Prim::Select if inst.ty == Ty::Mask && is(b, 1) && is(c, 0) => Some(a),
        Prim::Select if inst.ty.is_float() => magnitude::unflushed(code, inst),
        Prim::Flush if facts.normal => Some(a),
        Prim::First if facts.number => Some(a),
        Prim::Fneg => inner(a, Prim::Fneg),
        Prim::Fabs if code.inst(a).is_some_and(|i| i.prim == Prim::Fabs) => Some(a),
        Prim::Bits => inner(a, Prim::Float),
        Prim::Float => inner(a, Prim::Bits),
        Prim::Low => inner(a, Prim::Zext).or(inner(a, Prim::Sext)),
        Prim::Not => inner(a, Prim::Not),
        // A number survives the way to binary64 and back; what the flag flushes is not there.
        Prim::Narrow => {
            let flushes = Mode::from_word(inst.imm).is_some_and(|mode| mode.flush);
            inner(a, Prim::Widen).filter(|&x| code.facts(x).number && (!flushes || code.facts(x).normal))
        }
        Prim::Add | Prim::Or | Prim::Xor if is(b, 0) => Some(a),
        Prim::Add | Prim::Or | Prim::Xor if is(a, 0) => Some(b),
        Prim::Sub | Prim::Shl | Prim::Shr | Prim::Sar if is(b, 0) => Some(a),
        Prim::And if is(b, u64::MAX) || a == b || is(a, 0) => Some(a),
        Prim::And if is(a, u64::MAX) || is(b, 0) => Some(b),
        Prim::Or if a == b || is(a, u64::MAX) => Some(a),
        Prim::Or if is(b, u64::MAX) => Some(b),
        _ => None,
    }
}

/// A simpler instruction.
fn rewritten<E: Emit + ?Sized>(code: &E, inst: &Inst) -> Option<Inst> {
    let [a, b, ..] = inst.args;
    let constant = |word: bool| Some(Inst::new(Prim::Const, Ty::Mask, u64::from(word), &[]));
    let inner = |id: Id, prim: Prim| code.inst(id).filter(|i| i.prim == prim).map(|i| i.args[0]);
    match inst.prim {
        Prim::Funo => {
            let (x, y) = (code.facts(a).number, code.facts(b).number);
            match (x, y) {
                (true, true) => constant(false),
                (true, false) if a != b => Some(Inst::new(Prim::Funo, inst.ty, 0, &[b, b])),
                (false, true) if a != b => Some(Inst::new(Prim::Funo, inst.ty, 0, &[a, a])),
                _ => {
                    // Moves of bits and quieting leave a NaN a NaN.
                    let through = |id: Id| {
                        code.inst(id)
                            .filter(|i| {
                                matches!(i.prim, Prim::Fneg | Prim::Fabs | Prim::Flush)
                                    || (i.prim == Prim::First && i.count > 0)
                            })
                            .map(|i| i.args[0])
                    };
                    (a == b).then(|| through(a)).flatten().map(|x| Inst::new(Prim::Funo, inst.ty, 0, &[x, x]))
                }
            }
        }
        Prim::Fabs => inner(a, Prim::Fneg).map(|x| Inst::new(Prim::Fabs, inst.ty, 0, &[x])),
        // A second choice of the NaN is the first one's where that leaves none.
        Prim::First => {
            let mut left = Inst { count: 0, args: [0; MAX_ARGS], ..*inst };
            for (n, &arg) in inst.args().iter().enumerate() {
                if n == 0 || !code.facts(arg).number && !inst.args[1..n].contains(&arg) {
                    left.args[usize::from(left.count)] = arg;
                    left.count += 1;
                }
            }
            (left.count < inst.count).then_some(left)
        }
        // The square of a zero is +0 anyway.
        Prim::Fmulz if a == b => Some(Inst::new(Prim::Fmul, inst.ty, inst.imm, &[a, a])),
        Prim::Fmulz
            if [a, b].iter().any(|&id| code.constant(id).is_some_and(|bits| bits & inst.ty.bits() >> 1 == 0)) =>
        {
            Some(Inst::new(Prim::Const, inst.ty, 0, &[]))
        }
        // Rounding and NaN of x + (-y) are those of x - y.
        Prim::Fadd if inst.prim.row().nan == NanEffect::Some => inner(b, Prim::Fneg)
            .map(|y| Inst::new(Prim::Fsub, inst.ty, inst.imm, &[a, y]))
            .or_else(|| inner(a, Prim::Fneg).map(|x| Inst::new(Prim::Fsub, inst.ty, inst.imm, &[b, x]))),
        Prim::Fsub => inner(b, Prim::Fneg).map(|y| Inst::new(Prim::Fadd, inst.ty, inst.imm, &[a, y])),
        Prim::Select if inst.ty.is_float() && code.inst(a).is_some_and(|test| test.prim == Prim::Flt) => {
            least(code, inst)
        }
        Prim::Select => match inner(a, Prim::Not) {
            Some(m) => Some(Inst::new(Prim::Select, inst.ty, 0, &[m, inst.args[2], b])),
            None if inst.ty.is_float() && code.constant(b) == Some(0) => product(code, inst),
            None => None,
        },
        Prim::Eq if a == b => constant(true),
        Prim::Lt | Prim::Ult if a == b => constant(false),
        _ => None,
    }
}
