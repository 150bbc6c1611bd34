//! From a primitive to words.

use super::big::Big;
use super::class::{Given, Operand};
use super::float::Layout;
use super::infer::{class_of, ordered};
use super::round::{Kind, Rounding};
use super::routine::{Key, Routine};
use super::sink::{Sink, WordInst, WordKind};
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Id, Inst};
use smallvec::SmallVec;

/// Types of the words of a value.
pub(super) fn words(ty: Ty) -> SmallVec<[Ty; 2]> {
    match ty {
        Ty::Mask => SmallVec::from_slice(&[Ty::Mask]),
        Ty::F32 | Ty::I32 => SmallVec::from_slice(&[Ty::I32]),
        Ty::F64 | Ty::I64 => SmallVec::from_slice(&[Ty::I32; 2]),
    }
}

/// The words of a value of step form.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A mask, or a word.
    One(Id),
    /// The low word and the high one.
    Two([Id; 2]),
}

impl Value {
    /// The value of a type whose words follow one another from `first` on.
    pub const fn at(ty: Ty, first: Id) -> Value {
        if ty.is_wide() { Value::Two([first, first + 1]) } else { Value::One(first) }
    }

    /// Its words, the low one first.
    pub fn words(&self) -> &[Id] {
        match self {
            Value::One(word) => std::slice::from_ref(word),
            Value::Two(words) => words,
        }
    }

    /// Its low word, or the mask.
    pub const fn low(&self) -> Id {
        match *self {
            Value::One(word) | Value::Two([word, _]) => word,
        }
    }

    fn of(words: &[Id]) -> Value {
        match *words {
            [low, high] => Value::Two([low, high]),
            _ => Value::One(words[0]),
        }
    }
}

/// Whether a primitive is a routine: what takes more than a few instructions.
const fn is_routine(prim: Prim, ty: Ty) -> bool {
    use Prim::{
        Fadd, FaddOdd, Fdiv, Fle, Flt, Fma, Fmul, Fmulz, FromHalf, FromInt, Fsqrt, Mul, Narrow, Round, Sar, Shl, Shr,
        ToHalf, ToInt, Widen,
    };
    match prim {
        Fadd | FaddOdd | Fmul | Fmulz | Fdiv | Fsqrt | Fma | Round | Widen | Narrow | FromHalf | ToHalf | FromInt
        | ToInt => true,
        Mul | Shl | Shr | Sar => matches!(ty, Ty::I64),
        Flt | Fle => matches!(ty, Ty::F64),
        _ => false,
    }
}

/// The words of a primitive's result. Routines are called; all else is written here. Nothing depends on operands that the
/// primitive does not have.
pub fn lower(sink: &mut dyn Sink, inst: &Inst, args: &[Value]) -> Value {
    let Inst { prim, ty, imm, .. } = *inst;
    if prim == Prim::Fsub {
        let layout = Layout::of(ty);
        let mut words = Big::from_slice(args[1].words());
        let last = layout.words - 1;
        words[last] = sink.xor_with(words[last], layout.sign());
        return lower(sink, &Inst { prim: Prim::Fadd, ..*inst }, &[args[0], Value::of(&words)]);
    }
    let folds = matches!(prim, Prim::Shl | Prim::Shr | Prim::Sar) && sink.constant(args[1].low()).is_some();
    let (made, given) = class_of(sink, inst, args);
    if !is_routine(prim, ty) || folds {
        let value = body(sink, inst, args, &given);
        if let Some(classes) = made {
            sink.note(value.words(), classes);
        }
        return value;
    }
    let (args, given) = ordered(prim, args, given);
    let operands: SmallVec<[Id; 4]> = args.iter().flat_map(|arg| arg.words()).copied().collect();
    let constants: Option<Vec<u32>> = operands.iter().map(|&word| sink.constant(word)).collect();
    if let Some(constants) = constants {
        let results = Routine::of(Key::new(prim, ty, imm)).eval(&constants).0;
        let is_mask = prim.result(ty) == Ty::Mask;
        let made: Big =
            results.iter().map(|&word| if is_mask { sink.truth(word != 0) } else { sink.int(word) }).collect();
        return Value::of(&made);
    }
    let first = sink.make(WordInst { kind: WordKind::Call(Key { prim, ty, imm, given }), args: operands });
    let value = Value::at(prim.result(ty), first);
    if let Some(classes) = made {
        sink.note(value.words(), classes);
    }
    value
}

/// The words of a primitive's result, written out.
pub(super) fn body(sink: &mut dyn Sink, inst: &Inst, args: &[Value], given: &Given) -> Value {
    let Inst { prim, ty, imm, .. } = *inst;
    let layout = Layout::of(ty);
    let mode = Mode::from_word(imm).unwrap_or(Mode::PLAIN);
    let rounding = Rounding { kind: Kind::To(mode), in_range: given.in_range };
    let operands = given.operands;
    let direction = Direction::ALL[(imm & 3) as usize];
    let arg = |n: usize| args[n].words();
    let one = |n: usize| args[n].low();
    let each = |own: &mut dyn Sink, prim: Prim| -> Big {
        let operands = args[0].words().iter().zip(args[1].words());
        let at = if ty == Ty::Mask { Ty::Mask } else { Ty::I32 };
        operands.map(|(&a, &b)| own.step(prim, at, &[a, b])).collect()
    };
    let last = layout.words - 1;
    let wide = ty.is_wide();
    let made: Big = match prim {
        Prim::Const if ty == Ty::Mask => Big::from_slice(&[sink.truth(imm & 1 != 0)]),
        Prim::Const => (0..layout.words).map(|n| sink.int((imm >> (32 * n)) as u32)).collect(),
        Prim::Select if ty == Ty::Mask => Big::from_slice(&[sink.step(prim, ty, &[one(0), one(1), one(2)])]),
        Prim::Select => sink.select_big(one(0), arg(1), arg(2)),
        Prim::Fadd => sink.sum(layout, rounding, operands, [arg(0), arg(1)]),
        Prim::Fsub => return lower(sink, inst, args),
        Prim::FaddOdd => sink.sum(layout, Rounding { kind: Kind::Odd, ..rounding }, operands, [arg(0), arg(1)]),
        Prim::Fmul | Prim::Fmulz => sink.product(layout, rounding, operands, prim == Prim::Fmulz, [arg(0), arg(1)]),
        Prim::Fdiv => sink.quotient(layout, rounding, operands, [arg(0), arg(1)]),
        Prim::Fsqrt => sink.root(layout, rounding, arg(0)),
        Prim::Fma => sink.fused(layout, rounding, operands, [arg(0), arg(1), arg(2)]),
        Prim::Fneg | Prim::Fabs => {
            let mut words = Big::from_slice(arg(0));
            words[last] = match prim {
                Prim::Fneg => sink.xor_with(words[last], layout.sign()),
                _ => sink.and_with(words[last], layout.sign() - 1),
            };
            words
        }
        Prim::Fmin | Prim::Fmax => {
            let (x, y) = if prim == Prim::Fmin { (0, 1) } else { (1, 0) };
            let less = lower(sink, &Inst::new(Prim::Flt, ty, 0, &[]), &[args[x], args[y]]).low();
            sink.select_big(less, arg(0), arg(1))
        }
        Prim::Round => sink.integral(layout, direction, arg(0)),
        Prim::Flush => sink.flushed(layout, arg(0)),
        Prim::First => {
            let values: Vec<Big> = args.iter().map(|arg| Big::from_slice(arg.words())).collect();
            sink.first_nan(layout, &values, imm)
        }
        Prim::Feq => Big::from_slice(&[sink.float_eq(layout, arg(0), arg(1))]),
        Prim::Flt | Prim::Fle => Big::from_slice(&[sink.float_less(layout, arg(0), arg(1), prim == Prim::Fle)]),
        Prim::Funo => Big::from_slice(&[sink.unordered(layout, arg(0), arg(1))]),
        Prim::Widen => sink.widened(operands[0], one(0)),
        Prim::Narrow => sink.narrowed(rounding, operands[0], arg(0)),
        Prim::FromHalf => sink.of_half(one(0)),
        Prim::ToHalf => sink.rounded_to_half(direction, one(0)),
        Prim::FromInt => sink.of_int(layout, direction, one(0)),
        Prim::ToInt => Big::from_slice(&[sink.truncated_to_int(layout, arg(0))]),
        Prim::Bits | Prim::Float => Big::from_slice(arg(0)),
        Prim::Add if wide => sink.add_big(arg(0), arg(1)),
        Prim::Sub if wide => sink.sub_big(arg(0), arg(1)),
        Prim::Mul if operands[0] == Operand::Word => sink.mul_words(one(0), one(1)).into_iter().collect(),
        Prim::Mul if wide => sink.mul_pair(arg(0), arg(1)),
        Prim::Shl | Prim::Shr | Prim::Sar if wide => sink.shift_pair(prim, arg(0), one(1)),
        Prim::LeadingZeros => Big::from_slice(&[sink.clz_big(arg(0))]),
        Prim::Ones => {
            let counts: Big = arg(0).iter().map(|&word| sink.step(prim, Ty::I32, &[word])).collect();
            let sum = counts.iter().skip(1).fold(counts[0], |sum, &count| sink.add(sum, count));
            Big::from_slice(&[sum])
        }
        Prim::Eq => Big::from_slice(&[sink.eq_big(arg(0), arg(1))]),
        Prim::Lt => Big::from_slice(&[sink.less_big(arg(0), arg(1))]),
        Prim::Ult => Big::from_slice(&[sink.ult_big(arg(0), arg(1))]),
        Prim::Disjoint => {
            let common = each(sink, Prim::And);
            let any = sink.is_set_big(&common);
            Big::from_slice(&[sink.not(any)])
        }
        Prim::Low => Big::from_slice(&[one(0)]),
        Prim::Zext => Big::from_slice(&[one(0), sink.int(0)]),
        Prim::Sext => {
            let all = sink.int(31);
            Big::from_slice(&[one(0), sink.sar(one(0), all)])
        }
        Prim::Not => Big::from_slice(&[sink.not(one(0))]),
        Prim::Table => [false, true]
            .map(|upper| sink.make(WordInst { kind: WordKind::Row(imm, upper), args: SmallVec::from_slice(&[one(0)]) }))
            .into_iter()
            .collect(),
        Prim::Add | Prim::Sub | Prim::Mul | Prim::And | Prim::Or | Prim::Xor | Prim::Shl | Prim::Shr | Prim::Sar => {
            each(sink, prim)
        }
    };
    Value::of(&made)
}
