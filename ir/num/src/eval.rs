//! Evaluation of one operation in one lane.

use crate::reads::bounded_sum;
use crate::recipe::{chosen, eval_short, recipe};
use crate::soft::compare::Chosen;
use crate::soft::unpack::{encode, operand, unpack};
use crate::soft::value::Val;
use crate::soft::{arith, compare, convert, integer, pack, round::finish, shape};
use crate::{Accuracy, Denormals, Family, Fma, Format, MinMaxDenorm, MinMaxNan, Op, Rule, StepRules};

/// Most operands any operation has.
pub(crate) const MAX_ARGS: usize = 8;

/// Evaluates `op` under `rule`. Operands and result are lane words: floats in the rule's container, `i32`
/// zero-extended, predicates 0 or 1, condition codes 0 less, 1 equal, 2 greater, 3 unordered. Operations without slot
/// ignore the rule. Missing operands count as 0, superfluous ones are ignored.
pub fn eval(op: Op, rule: &Rule, args: &[u64]) -> u64 {
    let info = op.info();
    let mut words = [0u64; MAX_ARGS];
    let n = info.args.len();
    for (word, arg) in words.iter_mut().zip(args).take(n) {
        *word = *arg;
    }
    let words = &words[..n];
    let family = info.family;
    match family {
        Family::Int | Family::Logic => return integer::integer(op, words),
        Family::Bits => {
            return match op {
                // 32 bits hold the low word of a binary64 pattern only; it is read as such.
                Op::BitsOf => convert::bits_of(rule, words[0]) & 0xffff_ffff,
                Op::BitsOf64 => convert::bits_of(rule, words[0]),
                Op::BitsTo | Op::BitsTo64 => convert::bits_to(rule, words[0]),
                _ => convert::sign_move(op, rule, words[0]),
            };
        }
        Family::Convert => return encode(finish(convert::convert(rule, words[0]), rule), rule.storage),
        Family::FromInt => return encode(finish(convert::from_int(op, words[0]), rule), rule.storage),
        _ => {}
    }
    if family == Family::Arith
        && let Some(word) = eval_short(op, rule, words)
    {
        return word;
    }
    if matches!(op, Op::UpHalf | Op::UpUnorm16 | Op::UpBiased8 | Op::UpUnorm8 | Op::UpSnorm8) {
        return encode(finish(pack::unpack_field(op, rule, words[0]), rule), rule.storage);
    }
    let mut values = [Val::Zero(false); MAX_ARGS];
    for (value, word) in values.iter_mut().zip(words) {
        *value = operand(*word, rule);
    }
    // A chain flushes its operands where its steps read them.
    if rule.steps != StepRules::OWN && crate::steps::chain(op, rule).is_some() {
        for (value, word) in values.iter_mut().zip(words) {
            *value = unpack(*word, rule.storage);
        }
    }
    let v = &values[..n];
    let exact = match family {
        Family::Arith if op == Op::Ldexp => arith::exact_ldexp(rule, v[0], words[1] as u32 as i32),
        Family::Arith => {
            let exact = arithmetic(op, rule, v);
            let is_bounded = rule.accuracy != Accuracy::Correct && matches!(rule.format, Format::Float(_));
            if is_bounded && bounded_sum(op) { chosen(op, rule, words, exact, false) } else { exact }
        }
        Family::Recipe => return encode(recipe(op, rule, words, v), rule.storage),
        Family::Shape => shape::shape(op, rule, v[0]),
        Family::MinMax if rule.minmax_nan == MinMaxNan::CompareBIsNan && v[1].is_nan() => {
            let untouched = Rule { denorm_out: Denormals::Keep, ..*rule };
            return encode(finish(unpack(words[0], rule.storage), &untouched), rule.storage);
        }
        Family::MinMax => match (compare::min_max(rule, op == Op::Max, v[0], v[1]), rule.minmax_denorm) {
            (Chosen::Nan(nan), _) => nan,
            (chosen, MinMaxDenorm::Operand) => {
                let word = words[usize::from(matches!(chosen, Chosen::Second))];
                let untouched = Rule { denorm_out: Denormals::Keep, ..*rule };
                return encode(finish(unpack(word, rule.storage), &untouched), rule.storage);
            }
            (Chosen::First, MinMaxDenorm::Result) => v[0],
            (Chosen::Second, MinMaxDenorm::Result) => v[1],
        },
        Family::Compare if op == Op::CcOf => return compare::condition(rule, v[0]),
        Family::Compare => return compare::test(op, rule, v[0], v[1]) as u64,
        Family::ToInt => return convert::to_int(op, rule, v[0]),
        Family::Pack => return pack::pack(op, rule, v),
        Family::Int | Family::Logic | Family::Bits | Family::Convert | Family::FromInt => v[0],
    };
    encode(finish(exact, rule), rule.storage)
}

/// An operation of the arithmetic family, its last step unrounded.
fn arithmetic(op: Op, rule: &Rule, v: &[Val]) -> Val {
    match op {
        Op::Add => arith::exact_add(rule, v[0], v[1]),
        Op::Sub => arith::exact_difference(rule, v[0], v[1]),
        Op::Mul | Op::Dst => arith::exact_mul(rule, v[0], v[1]),
        Op::Fma if rule.fma == Fma::Mad && matches!(rule.format, Format::Float(_)) => {
            // Bounds are for sums and products by name.
            arith::exact_mad(&Rule { accuracy: Accuracy::Correct, ..*rule }, v[0], v[1], v[2])
        }
        Op::Fma => arith::exact_fma(rule, v[0], v[1], v[2]),
        Op::Mad => arith::exact_mad(rule, v[0], v[1], v[2]),
        Op::Dot2 => arith::exact_dot(rule, &v[..2], &v[2..4], None),
        Op::Dot3 => arith::exact_dot(rule, &v[..3], &v[3..6], None),
        Op::Dot4 => arith::exact_dot(rule, &v[..4], &v[4..8], None),
        Op::Dph => arith::exact_dot(rule, &v[..3], &v[3..6], Some(v[6])),
        Op::Dp2a => arith::exact_dot(rule, &v[..2], &v[2..4], Some(v[4])),
        Op::Lrp => arith::exact_lrp(rule, v[0], v[1], v[2]),
        _ => lit_y(rule, v[0]),
    }
}

/// max(x, 0) of LIT.
fn lit_y(rule: &Rule, x: Val) -> Val {
    let zero = Val::Zero(false);
    match x {
        Val::Nan(_) if rule.lit.keep_nan => crate::soft::value::propagated(rule, &[x]).unwrap_or(x),
        Val::Nan(_) => zero,
        // x < 0 ? 0 : x keeps -0, max(x, 0) does not.
        Val::Zero(_) if rule.lit.keep_nan => x,
        v if v.compare(&zero).is_gt() => v,
        _ => zero,
    }
}
