//! Operations on vectors of four components, said once for all instruction sets.
//!
//! A row of an instruction table names a [`VectorOp`]; what differs between instruction sets are the [`Operands`] it reads
//! and the [`Form`] it computes in. Frontends write the results themselves: masks, predicates and files are theirs.

use crate::{lifter::Lifter, variable::Deferred};
use parallax_core::{Axis, OpKind, SlotId, Type, ValueId};
use parallax_num::{Decl, Kind, Op, Saturate};
use smallvec::SmallVec;

/// A component of an operand: the number of the operand, then that of the component, or [`SCALAR`].
pub type Pick = (u8, u8);

/// In a [`Pick`]: the component that operands of scalar operations are read in.
pub const SCALAR: u8 = 4;

/// What an operation leaves in one component.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// 0.
    Zero,
    /// 1.
    One,
    /// An operation on these components.
    Num(Op, &'static [Pick]),
    /// An operation on the magnitude of a component.
    OfMagnitude(Op, Pick),
    /// A component as it is, clamped where the operation clamps.
    Copy(Pick),
}

/// An operation on vectors.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum VectorOp {
    /// An operation on each component.
    Componentwise(Op),
    /// The same, with the scalar of the last operand.
    ByScalar(Op),
    /// An operation on the scalars of the operands, its result in all components.
    Scalar(Op),
    /// A dot product, its result in all components.
    Dot(Op),
    /// 1 where a comparison has this outcome, else 0.
    Set(Op, bool),
    /// All bits set where a comparison has this outcome, else none.
    SetBits(Op, bool),
    /// The second operand where the first compares so with zero, else the third.
    Select(Op),
    /// Components that differ in what they compute.
    Parts(&'static [Part; 4]),
    /// Differences between neighbours.
    Derivative {
        /// Direction.
        axis: Axis,
        /// Of the pixel's own row or column.
        fine: bool,
    },
    /// Fields of a word from components, in all components.
    Pack(Op),
    /// Fields of this many bits of the word in the scalar, lowest first, again from the first where they end.
    Unpack(Op, u32),
    /// Cross product: products of the second kind are rounded, then subtracted in a mad.
    Cross,
    /// Reflection of the second operand about the first.
    Reflect,
    /// The first operand's x, y plus the second's x, y times the two rows in the third.
    Transform2d,
}

use Part::{Copy as Component, Num, OfMagnitude, One, Zero};

impl VectorOp {
    /// The components of the first operand as they are.
    pub const MOV: VectorOp =
        VectorOp::Parts(&[Component((0, 0)), Component((0, 1)), Component((0, 2)), Component((0, 3))]);
    /// Light coefficients.
    pub const LIT: VectorOp =
        VectorOp::Parts(&[One, Num(Op::LitY, &[(0, 0)]), Num(Op::LitZ, &[(0, 0), (0, 1), (0, 3)]), One]);
    /// Distance vector.
    pub const DST: VectorOp =
        VectorOp::Parts(&[One, Num(Op::Dst, &[(0, 1), (1, 1)]), Component((0, 2)), Component((1, 3))]);
    /// Exponential with its parts.
    pub const EXP: VectorOp = VectorOp::Parts(&[scalar(Op::Exp2Floor), scalar(Op::Frac), scalar(Op::Exp2), One]);
    /// The same, z a coarse result.
    pub const EXP_PART: VectorOp =
        VectorOp::Parts(&[scalar(Op::Exp2Floor), scalar(Op::Frac), scalar(Op::Exp2Part), One]);
    /// Logarithm of the magnitude with its parts.
    pub const LOG: VectorOp =
        VectorOp::Parts(&[scalar(Op::LogExp), scalar(Op::LogMant), OfMagnitude(Op::Log2, (0, SCALAR)), One]);
    /// The same, z a coarse result.
    pub const LOG_PART: VectorOp =
        VectorOp::Parts(&[scalar(Op::LogExp), scalar(Op::LogMant), scalar(Op::Log2Part), One]);
    /// Cosine and sine.
    pub const SCS: VectorOp = VectorOp::Parts(&[scalar(Op::Cos), scalar(Op::Sin), Zero, Zero]);
    /// Normalised xyz; w is zero.
    pub const NRM: VectorOp = VectorOp::Parts(&[
        Num(Op::Nrm, &[(0, 0), (0, 0), (0, 1), (0, 2)]),
        Num(Op::Nrm, &[(0, 1), (0, 0), (0, 1), (0, 2)]),
        Num(Op::Nrm, &[(0, 2), (0, 0), (0, 1), (0, 2)]),
        Zero,
    ]);
    /// 0 in all components.
    pub const ZERO: VectorOp = VectorOp::Parts(&[Zero; 4]);
    /// 1 in all components.
    pub const ONE: VectorOp = VectorOp::Parts(&[One; 4]);
}

const fn scalar(op: Op) -> Part {
    // A promoted slice: the same for every operation.
    Num(op, &[(0, SCALAR)])
}

/// How an instruction computes.
#[derive(Copy, Clone, Debug)]
pub struct Form {
    /// Format of its operands and results.
    pub decl: Decl,
    /// Slot with its clamp.
    pub slot: SlotId,
    /// Slot of comparisons and of results that are no floats: without the clamp.
    pub test: SlotId,
    /// Components that are wanted, bit 0 = x.
    pub mask: u8,
}

/// What an operation leaves in each component; `None` where it was not wanted.
pub type Results = [Option<Deferred>; 4];

/// The operands of an instruction as an operation reads them, modifiers and swizzles applied.
pub trait Operands<'f> {
    /// The lifter.
    fn lifter(&mut self) -> &mut Lifter<'f>;

    /// A component as a float of the operation's format.
    fn float(&mut self, n: usize, comp: usize) -> ValueId;

    /// The scalar.
    fn scalar(&mut self, n: usize) -> ValueId {
        self.float(n, 0)
    }

    /// A component as a word.
    fn word(&mut self, n: usize, comp: usize) -> ValueId;

    /// A component that is moved, not computed with.
    fn moved(&mut self, n: usize, comp: usize) -> Deferred;

    /// A literal result, given by its pattern in the operation's format.
    fn literal(&mut self, _: Decl, bits: u32) -> Deferred {
        Deferred::word(bits)
    }
}

/// The pattern of 1.
pub fn one(decl: Decl) -> u64 {
    match decl {
        Decl::F32 | Decl::Mediump => 0x3f80_0000,
        Decl::F16 => 0x3c00,
        Decl::F64 => 0x3ff0_0000_0000_0000,
        Decl::Fx12 => 1024,
        Decl::Fx9 => 255,
    }
}

/// Components of a mask, in order.
pub fn components(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |comp| mask >> comp & 1 != 0)
}

/// Components of each operand of a dot product.
pub fn widths(op: Op) -> &'static [usize] {
    match op {
        Op::Dot2 => &[2, 2],
        Op::Dot3 => &[3, 3],
        Op::Dph => &[3, 4],
        Op::Dp2a => &[2, 2, 1],
        _ => &[4, 4],
    }
}

/// Computes an operation on vectors.
pub fn compute<'f>(src: &mut impl Operands<'f>, op: VectorOp, form: &Form) -> Results {
    let &Form { decl, slot, mask, .. } = form;
    match op {
        VectorOp::Componentwise(op) => match op.info().args.len() {
            1 => each(mask, |comp| componentwise(src, op, [0], form, comp)),
            2 => each(mask, |comp| componentwise(src, op, [0, 1], form, comp)),
            3 => each(mask, |comp| componentwise(src, op, [0, 1, 2], form, comp)),
            count => each(mask, |comp| {
                let args: Args = (0..count).map(|n| argument(src, op, n, comp)).collect();
                emit(src.lifter(), op, form, &args)
            }),
        },
        VectorOp::ByScalar(op) => {
            let last = op.info().args.len() - 1;
            let scalar = src.scalar(last);
            each(mask, |comp| {
                let mut args: Args = (0..last).map(|n| src.float(n, comp)).collect();
                args.push(scalar);
                src.lifter().b.num(op, slot, &args).into()
            })
        }
        VectorOp::Scalar(op) => {
            let args: Args = (0..op.info().args.len()).map(|n| src.scalar(n)).collect();
            all(src.lifter().b.num(op, slot, &args).into())
        }
        VectorOp::Dot(op) => {
            let picks = widths(op).iter().enumerate().flat_map(|(n, &width)| (0..width).map(move |comp| (n, comp)));
            let args: Args = picks.map(|(n, comp)| src.float(n, comp)).collect();
            all(src.lifter().b.num(op, slot, &args).into())
        }
        VectorOp::Set(op, outcome) => each(mask, |comp| {
            let pred = compare(src, op, form, comp);
            let plain = src.lifter().plain(decl);
            let b = &mut src.lifter().b;
            let (one, zero) = (b.float(plain, one(decl)), b.float(plain, 0));
            let (then, other) = if outcome { (one, zero) } else { (zero, one) };
            let val = b.select(pred, then, other).into();
            scaled(src.lifter(), form, val)
        }),
        VectorOp::SetBits(op, outcome) => each(mask, |comp| {
            let pred = compare(src, op, form, comp);
            let val = bits_where(src.lifter(), pred, outcome);
            clamped(src.lifter(), form, val)
        }),
        VectorOp::Select(op) => each(mask, |comp| {
            let pred = against_zero(src, op, form, comp);
            let (a, b) = (src.moved(1, comp), src.moved(2, comp));
            // Bits as well, but an input that is chosen is converted where it is read as a float.
            let val = src.lifter().choose(pred, a, b, Type::Float(decl));
            clamped(src.lifter(), form, val)
        }),
        VectorOp::Parts(parts) => each(mask, |comp| part(src, parts[comp], form)),
        VectorOp::Derivative { axis, fine } => each(mask, |comp| {
            let value = src.float(0, comp);
            src.lifter().b.deriv(OpKind::Deriv { axis, fine }, slot, value).into()
        }),
        VectorOp::Pack(op) => {
            let args: Args = (0..op.info().args.len()).map(|comp| src.float(0, comp)).collect();
            all(emit(src.lifter(), op, form, &args))
        }
        VectorOp::Unpack(op, width) => {
            let word = src.word(0, 0);
            each(mask, |comp| {
                let b = &mut src.lifter().b;
                let field = match comp as u32 * width % 32 {
                    0 => word,
                    shift => {
                        let shift = b.i32(shift);
                        b.int(Op::Ushr, &[word, shift])
                    }
                };
                b.num(op, slot, &[field]).into()
            })
        }
        VectorOp::Cross => each(mask, |comp| {
            if comp == 3 {
                return src.literal(decl, 0);
            }
            let (y, z) = ((comp + 1) % 3, (comp + 2) % 3);
            let [ay, az, by, bz] = [(0, y), (0, z), (1, y), (1, z)].map(|(n, comp)| src.float(n, comp));
            let plain = src.lifter().plain(decl);
            let b = &mut src.lifter().b;
            let second = b.num(Op::Mul, plain, &[az, by]);
            let second = b.num(Op::Neg, plain, &[second]);
            b.num(Op::Mad, slot, &[ay, bz, second]).into()
        }),
        // (2 (axis . dir) / (axis . axis)) axis - dir, each step rounded.
        VectorOp::Reflect => {
            let [axis, dir] = [0, 1].map(|n| [0, 1, 2].map(|comp| src.float(n, comp)));
            let plain = src.lifter().plain(decl);
            let b = &mut src.lifter().b;
            let [length, along] = [axis, dir].map(|with| b.num(Op::Dot3, plain, &[axis, with].concat()));
            let twice = b.num(Op::Add, plain, &[along, along]);
            let scale = b.num(Op::Div, plain, &[twice, length]);
            each(mask & 7, |comp| {
                let product = b.num(Op::Mul, plain, &[scale, axis[comp]]);
                b.num(Op::Sub, slot, &[product, dir[comp]]).into()
            })
        }
        VectorOp::Transform2d => each(mask, |comp| {
            let row = comp % 2;
            let [base, bx, by] = [(0, row), (1, 0), (1, 1)].map(|(n, comp)| src.float(n, comp));
            let [cx, cy] = [0, 1].map(|column| src.float(2, row * 2 + column));
            let plain = src.lifter().plain(decl);
            let b = &mut src.lifter().b;
            let first = b.num(Op::Mad, plain, &[bx, cx, base]);
            b.num(Op::Mad, slot, &[by, cy, first]).into()
        }),
    }
}

type Args = SmallVec<[ValueId; 8]>;

/// Computes the components of a mask.
pub fn each(mask: u8, mut compute: impl FnMut(usize) -> Deferred) -> Results {
    let mut results = [None; 4];
    components(mask).for_each(|comp| results[comp] = Some(compute(comp)));
    results
}

fn all(val: Deferred) -> Results {
    [Some(val); 4]
}

/// An operation on a component of so many operands.
fn componentwise<'f, const N: usize>(
    src: &mut impl Operands<'f>,
    op: Op,
    operands: [usize; N],
    form: &Form,
    comp: usize,
) -> Deferred {
    let args = operands.map(|n| argument(src, op, n, comp));
    emit(src.lifter(), op, form, &args)
}

/// A component as an operation takes it: as a float or as a word.
#[inline]
fn argument<'f>(src: &mut impl Operands<'f>, op: Op, n: usize, comp: usize) -> ValueId {
    if op.info().args[n] == Kind::I32 { src.word(n, comp) } else { src.float(n, comp) }
}

/// Emits an operation. A result that is no float is clamped like a moved component.
#[inline]
fn emit(l: &mut Lifter<'_>, op: Op, form: &Form, args: &[ValueId]) -> Deferred {
    if op.info().result == Kind::F {
        return l.b.num(op, form.slot, args).into();
    }
    let value = unclamped(l, op, form, args);
    clamped(l, form, value.into())
}

fn unclamped(l: &mut Lifter<'_>, op: Op, form: &Form, args: &[ValueId]) -> ValueId {
    if op.has_slot() { l.b.num(op, form.test, args) } else { l.b.int(op, args) }
}

/// How a component of the first operand compares with that of the second.
fn compare<'f>(src: &mut impl Operands<'f>, op: Op, form: &Form, comp: usize) -> ValueId {
    let args = [0, 1].map(|n| argument(src, op, n, comp));
    unclamped(src.lifter(), op, form, &args)
}

/// How a component of the first operand compares with zero.
pub fn against_zero<'f>(src: &mut impl Operands<'f>, op: Op, form: &Form, comp: usize) -> ValueId {
    let value = argument(src, op, 0, comp);
    let plain = src.lifter().plain(form.decl);
    let b = &mut src.lifter().b;
    let zero = if op.has_slot() { b.float(plain, 0) } else { b.i32(0) };
    unclamped(src.lifter(), op, form, &[value, zero])
}

/// All bits set where the predicate has this outcome, else none.
pub fn bits_where(l: &mut Lifter<'_>, pred: ValueId, outcome: bool) -> Deferred {
    let [then, other] = [outcome, !outcome].map(|set| l.b.i32(if set { u32::MAX } else { 0 }));
    l.b.select(pred, then, other).into()
}

fn pick<'f>(src: &mut impl Operands<'f>, (n, comp): Pick) -> ValueId {
    if comp == SCALAR { src.scalar(n.into()) } else { src.float(n.into(), comp.into()) }
}

fn part<'f>(src: &mut impl Operands<'f>, part: Part, form: &Form) -> Deferred {
    match part {
        Part::Zero => src.literal(form.decl, 0),
        Part::One => {
            let one = src.literal(form.decl, one(form.decl) as u32);
            scaled(src.lifter(), form, one)
        }
        Part::Num(op, picks) => {
            let args: Args = picks.iter().map(|&from| pick(src, from)).collect();
            src.lifter().b.num(op, form.slot, &args).into()
        }
        Part::OfMagnitude(op, from) => {
            let value = pick(src, from);
            let plain = src.lifter().plain(form.decl);
            let magnitude = src.lifter().b.num(Op::Abs, plain, &[value]);
            src.lifter().b.num(op, form.slot, &[magnitude]).into()
        }
        Part::Copy((n, comp)) => {
            let val = src.moved(n.into(), comp.into());
            clamped(src.lifter(), form, val)
        }
    }
}

/// The clamp and scale of an operation on a component that is only copied.
pub fn clamped(l: &mut Lifter<'_>, form: &Form, val: Deferred) -> Deferred {
    if l.b.func.slots[form.slot].saturate == Saturate::None {
        return scaled(l, form, val);
    }
    let value = l.force(val, Type::Float(form.decl));
    l.b.num(Op::Cvt, form.slot, &[value]).into()
}

/// The scale of an operation, and its clamp with it, on a component that is 0, 1 or only copied.
fn scaled(l: &mut Lifter<'_>, form: &Form, val: Deferred) -> Deferred {
    if l.b.func.slots[form.slot].scale == 0 {
        return val;
    }
    let value = l.force(val, Type::Float(form.decl));
    l.b.num(Op::Cvt, form.slot, &[value]).into()
}
