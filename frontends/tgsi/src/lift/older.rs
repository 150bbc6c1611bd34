//! Operations that TGSI lost between Mesa 10 and 18, and that no other opcode computes.

use super::Ctx;
use super::alu::mask;
use crate::ast::Instruction;
use parallax_lift::vector::{Form, Part, Pick, Results, SCALAR, VectorOp, each, one};
use parallax_num::{Decl, Op};

const X: &[Pick] = &[(0, SCALAR)];

/// Cosine and sine of x; unlike that of ARB programs it leaves 1 in w.
pub(crate) const SCS: VectorOp =
    VectorOp::Parts(&[Part::Num(Op::Cos, X), Part::Num(Op::Sin, X), Part::Zero, Part::One]);

/// Normalised xyz; w is 1.
pub(crate) const NRM: VectorOp = VectorOp::Parts(&[
    Part::Num(Op::Nrm, &[(0, 0), (0, 0), (0, 1), (0, 2)]),
    Part::Num(Op::Nrm, &[(0, 1), (0, 0), (0, 1), (0, 2)]),
    Part::Num(Op::Nrm, &[(0, 2), (0, 0), (0, 1), (0, 2)]),
    Part::One,
]);

const HALF: u64 = 0x3F00_0000;

/// The second source where the first is below it, the third where the first is above that, else the first, NaN too.
pub(crate) fn clamp(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let slot = ctx.slot_with(false, inst.precise);
    each(mask(inst), |comp| {
        let [value, low, high] = [0, 1, 2].map(|n| ctx.float(&inst.srcs[n], comp));
        let below = ctx.l.b.num(Op::FLt, slot, &[value, low]);
        let above = ctx.l.b.num(Op::FGt, slot, &[value, high]);
        let upper = ctx.l.b.select(above, high, value);
        ctx.l.b.select(below, low, upper).into()
    })
}

pub(crate) fn cnd(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let slot = ctx.slot_with(false, inst.precise);
    each(mask(inst), |comp| {
        let [then, other, test] = [0, 1, 2].map(|n| ctx.float(&inst.srcs[n], comp));
        let plain = ctx.l.plain(Decl::F32);
        let half = ctx.l.b.float(plain, HALF);
        let above = ctx.l.b.num(Op::FGt, slot, &[test, half]);
        ctx.l.b.select(above, then, other).into()
    })
}

pub(crate) fn cross(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    of_three(ctx, inst, VectorOp::Cross)
}

pub(crate) fn reflect(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    of_three(ctx, inst, VectorOp::Reflect)
}

/// An operation on xyz that leaves 1 in w.
fn of_three(ctx: &mut Ctx<'_, '_>, inst: &Instruction, op: VectorOp) -> Results {
    let slot = ctx.slot_with(false, inst.precise);
    let form = Form { decl: Decl::F32, slot, test: slot, mask: mask(inst) & 7 };
    let mut results = ctx.compute(inst, op, &form);
    if mask(inst) & 8 != 0 {
        let plain = ctx.l.plain(Decl::F32);
        results[3] = Some(ctx.l.b.float(plain, one(Decl::F32)).into());
    }
    results
}

/// Sum of the squares in order, its reciprocal root, a product for each component, each step rounded.
pub(crate) fn nrm4(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let slot = ctx.slot_with(false, inst.precise);
    let all = [0, 1, 2, 3].map(|comp| ctx.float(&inst.srcs[0], comp));
    let square = ctx.l.b.num(Op::Dot4, slot, &[all, all].concat());
    let scale = ctx.l.b.num(Op::Rsq, slot, &[square]);
    each(mask(inst), |comp| ctx.l.b.num(Op::Mul, slot, &[all[comp], scale]).into())
}
