//! The rewrites: one row each. A row says nothing that a test does not check under every rule its guard lets through.
//!
//! No row turns a float operation into one of another kind (a `mad` by 1 into an `add`, say): the new op would carry the
//! rule of the old one, which a model may set apart from its own. Opposite comparisons are the exception; no model tells
//! them apart.
//!
//! Recipes (division, roots, exponentials and the like) may have an error bound, and a probe moves every result inside it:
//! a row that names a recipe must say in its guard that nothing is moved.

use parallax_num::{
    Accuracy, Div, FixedFormat, Format, Infinite, NanCompare, Op, Probe, Round, Rule, Saturate, Storage, ZeroMul,
    ZeroSign,
};

/// What an operand must be.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Pat {
    /// Any value; the same number twice asks for the same value twice.
    Any(u8),
    /// A value that `cvt` under the row's rule leaves as it is: the result of an operation under a like rule.
    Settled(u8),
    /// This `i32` literal.
    Int(u32),
    /// This predicate literal.
    Pred(bool),
    /// The float literal +0, -0 or 1 in the rule's container.
    Zero,
    /// -0.
    NegZero,
    /// 1.
    One,
    /// The result of another operation whose operands match in turn.
    Op(Op, &'static [Pat]),
}

/// What takes its place.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum To {
    /// An operand.
    Value(u8),
    /// An `i32` literal.
    Int(u32),
    /// A predicate literal.
    Pred(bool),
    /// The float literal +0.
    Zero,
    /// Another operation on operands, under the slot and rule of the inner operation if the outer has none.
    Op(Op, &'static [u8]),
    /// A `select` of operands.
    Select([u8; 3]),
}

/// The op a row starts at.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Head {
    /// Arithmetic.
    Num(Op),
    /// `select`; its operands may have any type.
    Select,
}

/// A rewrite: wherever an op matches `head` and `operands`, and its rule passes `guard`, `to` gives the same bits.
#[derive(Copy, Clone, Debug)]
pub struct Row {
    /// The op.
    pub head: Head,
    /// Its operands.
    pub operands: &'static [Pat],
    /// Whether the first two operands may also stand the other way round.
    pub swap: bool,
    /// Rules under which it holds: the rule of the op, or of the inner op where it has none.
    pub guard: fn(&Rule) -> bool,
    /// What takes its place.
    pub to: To,
}

fn any(_: &Rule) -> bool {
    true
}

/// The result is neither scaled nor, unless the operand is settled under the same rule, changed.
fn unscaled(rule: &Rule) -> bool {
    rule.scale == 0
}

/// No probe moves the result.
fn steady(rule: &Rule) -> bool {
    rule.accuracy == Accuracy::Correct || rule.probe == Probe::Nearest
}

fn ieee_mul(rule: &Rule) -> bool {
    rule.scale == 0 && steady(rule) && rule.zero_mul == ZeroMul::Ieee
}

fn zero_wins(rule: &Rule) -> bool {
    rule.zero_mul == ZeroMul::Zero
}

/// One is a value of the format.
fn has_one(rule: &Rule) -> bool {
    one(rule).is_some()
}

fn times_one(rule: &Rule) -> bool {
    ieee_mul(rule) && has_one(rule)
}

/// x / 1 is the exact quotient, and that is what is chosen inside a bound. No quotient is pinned (see [`Accuracy`]).
fn divided_by_one(rule: &Rule) -> bool {
    times_one(rule) && rule.div == Div::Direct
}

fn is_float(rule: &Rule) -> bool {
    matches!(rule.storage, Storage::F16 | Storage::F32 | Storage::F64)
}

/// x + -0 and x - 0 give x, except that zeros of both signs add up to -0 when rounding down.
fn float_sum(rule: &Rule) -> bool {
    rule.scale == 0 && steady(rule) && is_float(rule) && rule.round != Round::Down
}

/// Rounding down, x + 0 gives x.
fn sum_rounded_down(rule: &Rule) -> bool {
    rule.scale == 0 && steady(rule) && is_float(rule) && rule.round == Round::Down
}

fn fixed_sum(rule: &Rule) -> bool {
    rule.scale == 0 && !is_float(rule)
}

/// The container is that of the declared format, and a pattern fills 32 bits.
fn word_of_its_own(rule: &Rule) -> bool {
    rule.storage == rule.decl.format().storage() && rule.storage.bits() == 32
}

fn kept_as_declared(rule: &Rule) -> bool {
    rule.storage == rule.decl.format().storage()
}

fn pattern_of_its_own(rule: &Rule) -> bool {
    rule.storage == rule.decl.format().storage() && rule.storage.bits() <= 32
}

/// A NaN compares like an infinity, so that every comparison has an opposite.
fn total_order(rule: &Rule) -> bool {
    rule.nan_compare == NanCompare::Infinity
}

/// Two values are equal or unequal, NaN too.
fn unequal_or_not(rule: &Rule) -> bool {
    rule.nan_compare != NanCompare::False
}

/// The pattern of 1 in the rule's container, if it is a value of its format.
pub(crate) fn one(rule: &Rule) -> Option<u64> {
    match rule.storage {
        Storage::F16 => Some(0x3c00),
        Storage::F32 => Some(0x3f80_0000),
        Storage::F64 => Some(0x3ff0_0000_0000_0000),
        Storage::Fixed(FixedFormat { int, frac }) => match rule.format {
            Format::Fixed(f) if f.int >= 2 && int >= 2 => Some(1 << frac),
            _ => None,
        },
    }
}

/// The pattern of -0, if the container has one.
pub(crate) fn negative_zero(rule: &Rule) -> Option<u64> {
    Some(rule.storage.sign_bit()).filter(|&bit| bit != 0)
}

const fn num(op: Op, operands: &'static [Pat], to: To) -> Row {
    Row { head: Head::Num(op), operands, swap: false, guard: any, to }
}

const fn select(operands: &'static [Pat], to: To) -> Row {
    Row { head: Head::Select, operands, swap: false, guard: any, to }
}

impl Row {
    const fn either_way(self) -> Row {
        Row { swap: true, ..self }
    }

    const fn when(self, guard: fn(&Rule) -> bool) -> Row {
        Row { guard, ..self }
    }

    /// How a row is named in messages.
    pub fn name(&self) -> String {
        format!("{:?} {:?} -> {:?}", self.head, self.operands, self.to)
    }
}

use Pat::{Any, NegZero, One, Pred, Settled, Zero};

const A: Pat = Any(0);
const B: Pat = Any(1);
const S: Pat = Settled(0);
const ZERO: Pat = Pat::Int(0);
const ONES: Pat = Pat::Int(u32::MAX);
const I1: Pat = Pat::Int(1);

/// All rewrites. The first that matches is taken, and its result is tried again.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    // Floats: neutral operands.
    num(Op::Cvt, &[S], To::Value(0)).when(unscaled),
    num(Op::Add, &[S, NegZero], To::Value(0)).either_way().when(float_sum),
    num(Op::Add, &[S, Zero], To::Value(0)).either_way().when(sum_rounded_down),
    num(Op::Add, &[S, Zero], To::Value(0)).either_way().when(fixed_sum),
    num(Op::Sub, &[S, Zero], To::Value(0)).when(float_sum),
    num(Op::Sub, &[S, Zero], To::Value(0)).when(fixed_sum),
    num(Op::Mul, &[S, One], To::Value(0)).either_way().when(times_one),
    num(Op::Dst, &[S, One], To::Value(0)).either_way().when(times_one),
    num(Op::Div, &[S, One], To::Value(0)).when(divided_by_one),
    num(Op::Mul, &[A, Zero], To::Zero).either_way().when(zero_wins),
    num(Op::Dst, &[A, Zero], To::Zero).either_way().when(zero_wins),
    num(Op::Min, &[S, S], To::Value(0)).when(unscaled),
    num(Op::Max, &[S, S], To::Value(0)).when(unscaled),
    // Signs.
    num(Op::Neg, &[Pat::Op(Op::Neg, &[A])], To::Value(0)).when(is_float),
    num(Op::Abs, &[Pat::Op(Op::Neg, &[A])], To::Op(Op::Abs, &[0])).when(is_float),
    num(Op::Abs, &[Pat::Op(Op::Abs, &[A])], To::Op(Op::Abs, &[0])),
    // Patterns.
    num(Op::BitsTo, &[Pat::Op(Op::BitsOf, &[A])], To::Value(0)).when(pattern_of_its_own),
    num(Op::BitsOf, &[Pat::Op(Op::BitsTo, &[A])], To::Value(0)).when(word_of_its_own),
    num(Op::BitsTo64, &[Pat::Op(Op::BitsOf64, &[A])], To::Value(0)).when(kept_as_declared),
    // Halves.
    num(Op::Low, &[Pat::Op(Op::Join, &[A, B])], To::Value(0)),
    num(Op::High, &[Pat::Op(Op::Join, &[A, B])], To::Value(1)),
    num(Op::Join, &[Pat::Op(Op::Low, &[A]), Pat::Op(Op::High, &[A])], To::Value(0)),
    num(Op::Low, &[Pat::Op(Op::Sext64, &[A])], To::Value(0)),
    num(Op::Low, &[Pat::Op(Op::Zext64, &[A])], To::Value(0)),
    num(Op::High, &[Pat::Op(Op::Zext64, &[A])], To::Int(0)),
    // Opposite comparisons.
    num(Op::Pnot, &[Pat::Op(Op::FEq, &[A, B])], To::Op(Op::FNe, &[0, 1])).when(unequal_or_not),
    num(Op::Pnot, &[Pat::Op(Op::FNe, &[A, B])], To::Op(Op::FEq, &[0, 1])).when(unequal_or_not),
    num(Op::Pnot, &[Pat::Op(Op::FLt, &[A, B])], To::Op(Op::FGe, &[0, 1])).when(total_order),
    num(Op::Pnot, &[Pat::Op(Op::FLe, &[A, B])], To::Op(Op::FGt, &[0, 1])).when(total_order),
    num(Op::Pnot, &[Pat::Op(Op::FGt, &[A, B])], To::Op(Op::FLe, &[0, 1])).when(total_order),
    num(Op::Pnot, &[Pat::Op(Op::FGe, &[A, B])], To::Op(Op::FLt, &[0, 1])).when(total_order),
    num(Op::Pnot, &[Pat::Op(Op::Ieq, &[A, B])], To::Op(Op::Ine, &[0, 1])),
    num(Op::Pnot, &[Pat::Op(Op::Ine, &[A, B])], To::Op(Op::Ieq, &[0, 1])),
    num(Op::Pnot, &[Pat::Op(Op::Ilt, &[A, B])], To::Op(Op::Ile, &[1, 0])),
    num(Op::Pnot, &[Pat::Op(Op::Ile, &[A, B])], To::Op(Op::Ilt, &[1, 0])),
    num(Op::Pnot, &[Pat::Op(Op::Ult, &[A, B])], To::Op(Op::Ule, &[1, 0])),
    num(Op::Pnot, &[Pat::Op(Op::Ule, &[A, B])], To::Op(Op::Ult, &[1, 0])),
    num(Op::Pnot, &[Pat::Op(Op::CcEq, &[A])], To::Op(Op::CcNe, &[0])),
    num(Op::Pnot, &[Pat::Op(Op::CcNe, &[A])], To::Op(Op::CcEq, &[0])),
    // Predicates.
    num(Op::Pnot, &[Pat::Op(Op::Pnot, &[A])], To::Value(0)),
    num(Op::Pand, &[A, A], To::Value(0)),
    num(Op::Pand, &[A, Pred(true)], To::Value(0)).either_way(),
    num(Op::Pand, &[A, Pred(false)], To::Pred(false)).either_way(),
    num(Op::Pand, &[A, Pat::Op(Op::Pnot, &[A])], To::Pred(false)).either_way(),
    num(Op::Por, &[A, A], To::Value(0)),
    num(Op::Por, &[A, Pred(false)], To::Value(0)).either_way(),
    num(Op::Por, &[A, Pred(true)], To::Pred(true)).either_way(),
    num(Op::Por, &[A, Pat::Op(Op::Pnot, &[A])], To::Pred(true)).either_way(),
    num(Op::Pxor, &[A, A], To::Pred(false)),
    num(Op::Pxor, &[A, Pred(false)], To::Value(0)).either_way(),
    num(Op::Pxor, &[A, Pred(true)], To::Op(Op::Pnot, &[0])).either_way(),
    // Integers.
    num(Op::Iadd, &[A, ZERO], To::Value(0)).either_way(),
    num(Op::Isub, &[A, ZERO], To::Value(0)),
    num(Op::Isub, &[A, A], To::Int(0)),
    num(Op::Isub, &[ZERO, A], To::Op(Op::Ineg, &[0])),
    num(Op::Iadd, &[A, Pat::Op(Op::Ineg, &[B])], To::Op(Op::Isub, &[0, 1])).either_way(),
    num(Op::Isub, &[A, Pat::Op(Op::Ineg, &[B])], To::Op(Op::Iadd, &[0, 1])),
    num(Op::Ineg, &[Pat::Op(Op::Ineg, &[A])], To::Value(0)),
    num(Op::Iabs, &[Pat::Op(Op::Ineg, &[A])], To::Op(Op::Iabs, &[0])),
    num(Op::Iabs, &[Pat::Op(Op::Iabs, &[A])], To::Op(Op::Iabs, &[0])),
    num(Op::Imul, &[A, I1], To::Value(0)).either_way(),
    num(Op::Imul, &[A, ZERO], To::Int(0)).either_way(),
    num(Op::Imul, &[A, ONES], To::Op(Op::Ineg, &[0])).either_way(),
    num(Op::Idiv, &[A, I1], To::Value(0)),
    num(Op::Udiv, &[A, I1], To::Value(0)),
    num(Op::Imod, &[A, I1], To::Int(0)),
    num(Op::Umod, &[A, I1], To::Int(0)),
    num(Op::Inot, &[Pat::Op(Op::Inot, &[A])], To::Value(0)),
    num(Op::Iand, &[A, A], To::Value(0)),
    num(Op::Iand, &[A, ONES], To::Value(0)).either_way(),
    num(Op::Iand, &[A, ZERO], To::Int(0)).either_way(),
    num(Op::Ior, &[A, A], To::Value(0)),
    num(Op::Ior, &[A, ZERO], To::Value(0)).either_way(),
    num(Op::Ior, &[A, ONES], To::Int(u32::MAX)).either_way(),
    num(Op::Ixor, &[A, A], To::Int(0)),
    num(Op::Ixor, &[A, ZERO], To::Value(0)).either_way(),
    num(Op::Ixor, &[A, ONES], To::Op(Op::Inot, &[0])).either_way(),
    num(Op::Shl, &[A, ZERO], To::Value(0)),
    num(Op::Ishr, &[A, ZERO], To::Value(0)),
    num(Op::Ushr, &[A, ZERO], To::Value(0)),
    num(Op::Imin, &[A, A], To::Value(0)),
    num(Op::Imax, &[A, A], To::Value(0)),
    num(Op::Umin, &[A, A], To::Value(0)),
    num(Op::Umax, &[A, A], To::Value(0)),
    num(Op::Umin, &[A, ZERO], To::Int(0)).either_way(),
    num(Op::Umax, &[A, ZERO], To::Value(0)).either_way(),
    num(Op::Ieq, &[A, A], To::Pred(true)),
    num(Op::Ine, &[A, A], To::Pred(false)),
    num(Op::Ilt, &[A, A], To::Pred(false)),
    num(Op::Ile, &[A, A], To::Pred(true)),
    num(Op::Ult, &[A, A], To::Pred(false)),
    num(Op::Ule, &[A, A], To::Pred(true)),
    num(Op::Ult, &[A, ZERO], To::Pred(false)),
    num(Op::Ule, &[ZERO, A], To::Pred(true)),
    num(Op::Brev, &[Pat::Op(Op::Brev, &[A])], To::Value(0)),
    // Choices.
    select(&[A, B, B], To::Value(1)),
    select(&[Pat::Op(Op::Pnot, &[A]), B, Any(2)], To::Select([0, 2, 1])),
    select(&[A, Pred(true), Pred(false)], To::Value(0)),
    select(&[A, Pred(false), Pred(true)], To::Op(Op::Pnot, &[0])),
    select(&[A, Pred(true), B], To::Op(Op::Por, &[0, 1])),
    select(&[A, B, Pred(false)], To::Op(Op::Pand, &[0, 1])),
];

/// Whether `cvt` under `rule` leaves every result of `op` under `made` as it is.
pub fn settles(op: Op, made: &Rule, rule: &Rule) -> bool {
    use parallax_num::{Denormals, Family, NanResult};
    let rounds = match op.info().family {
        Family::Arith | Family::Recipe | Family::Convert | Family::FromInt => true,
        // The chosen operand or the sign of one may pass as it is.
        Family::Shape => op != Op::Sign,
        _ => false,
    };
    let flushes = |d: Denormals| d != Denormals::Keep;
    let wants_flush = flushes(rule.denorm_in) || flushes(rule.denorm_out);
    let nan = rule.nan_result == NanResult::First
        || (made.nan_result == NanResult::Default && made.nan_bits == rule.nan_bits);
    let no_nan = rule.nan_result != NanResult::Infinity || made.nan_result == NanResult::Infinity;
    let clamped = rule.saturate == Saturate::None
        || (made.saturate == rule.saturate
            && made.sat_nan == rule.sat_nan
            && made.sat_zero == rule.sat_zero
            && made.sat_denorm == rule.sat_denorm);
    let infinities = rule.infinite == Infinite::Keep || made.infinite == rule.infinite;
    let zeros = rule.zero_sign == ZeroSign::Keep
        && rule.denorm_out != Denormals::FlushPositive
        && rule.denorm_in != Denormals::FlushPositive;
    rounds
        && (made.quiets || !rule.quiets)
        && made.format == rule.format
        && made.storage == rule.storage
        && made.decl == rule.decl
        && (!wants_flush || flushes(made.denorm_out))
        && zeros
        && infinities
        && nan
        && no_nan
        && clamped
        && rule.scale == 0
}
