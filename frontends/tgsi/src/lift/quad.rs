//! Derivatives, discards, and what looks at the other lanes of the quad.

use super::Ctx;
use crate::ast::Instruction;
use parallax_core::{Axis, OpKind, SysVal, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;

fn derivative(ctx: &mut Ctx<'_, '_>, inst: &Instruction, axis: Axis, fine: bool) {
    let slot = ctx.slot(inst);
    ctx.per_component(inst, |ctx, comp| {
        let value = ctx.float(&inst.srcs[0], comp);
        ctx.l.b.deriv(OpKind::Deriv { axis, fine }, slot, value).into()
    });
}

pub(crate) fn ddx(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    derivative(ctx, inst, Axis::X, false);
}

pub(crate) fn ddx_fine(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    derivative(ctx, inst, Axis::X, true);
}

pub(crate) fn ddy(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    derivative(ctx, inst, Axis::Y, false);
}

pub(crate) fn ddy_fine(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    derivative(ctx, inst, Axis::Y, true);
}

pub(crate) fn kill(ctx: &mut Ctx<'_, '_>, _: &Instruction) {
    let always = ctx.l.b.pred(true);
    ctx.l.b.op(OpKind::Discard, None, &[always], &[]);
}

pub(crate) fn kill_if(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let mut tested = 0u8;
    let mut any = None;
    for comp in 0..4 {
        let bit = 1 << inst.srcs[0].swizzle[comp];
        if tested & bit != 0 {
            continue;
        }
        tested |= bit;
        let pred = ctx.below_zero(inst, comp);
        any = Some(match any {
            None => pred,
            Some(before) => ctx.l.b.int(Op::Por, &[before, pred]),
        });
    }
    if let Some(any) = any {
        ctx.l.b.op(OpKind::Discard, None, &[any], &[]);
    }
}

impl Ctx<'_, '_> {
    fn is_set(&mut self, bits: ValueId) -> ValueId {
        let zero = self.l.b.i32(0);
        self.l.b.int(Op::Ine, &[bits, zero])
    }

    fn lane(&mut self) -> ValueId {
        self.l.b.read_bits(OpKind::Sys(SysVal::QuadLane), &[])
    }

    /// The first running lane of the quad.
    fn first_lane(&mut self) -> ValueId {
        let lane = self.lane();
        let mut first = self.l.b.i32(3);
        for n in (0..3).rev() {
            let number = self.l.b.i32(n);
            let own = self.l.b.int(Op::Ieq, &[lane, number]);
            let runs = self.l.b.quad(OpKind::QuadAny, own);
            first = self.l.b.select(runs, number, first);
        }
        first
    }

    /// A value as the lane with number `from & 3` of the quad has it.
    fn of_lane(&mut self, value: ValueId, from: ValueId) -> ValueId {
        let lane = self.lane();
        let three = self.l.b.i32(3);
        let apart = self.l.b.int(Op::Ixor, &[lane, from]);
        let apart = self.l.b.int(Op::Iand, &[apart, three]);
        let mut result = value;
        for mask in 1..4 {
            let other = self.l.b.quad(OpKind::QuadXor { mask }, value);
            let number = self.l.b.i32(u32::from(mask));
            let this = self.l.b.int(Op::Ieq, &[apart, number]);
            result = self.l.b.select(this, other, result);
        }
        result
    }
}

fn vote(ctx: &mut Ctx<'_, '_>, inst: &Instruction, pred: ValueId, kind: OpKind) {
    let result = ctx.l.b.quad(kind, pred);
    let val = ctx.all_ones(result);
    let val = ctx.saturated(inst, val);
    ctx.replicated(inst, val);
}

pub(crate) fn vote_any(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let bits = ctx.int(&inst.srcs[0], 0);
    let pred = ctx.is_set(bits);
    vote(ctx, inst, pred, OpKind::QuadAny);
}

pub(crate) fn vote_all(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let bits = ctx.int(&inst.srcs[0], 0);
    let pred = ctx.is_set(bits);
    vote(ctx, inst, pred, OpKind::QuadAll);
}

pub(crate) fn vote_eq(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let bits = ctx.int(&inst.srcs[0], 0);
    let first = ctx.first_lane();
    let theirs = ctx.of_lane(bits, first);
    let same = ctx.l.b.int(Op::Ieq, &[bits, theirs]);
    vote(ctx, inst, same, OpKind::QuadAll);
}

/// The mask has 64 bits: lanes in x, nothing in y.
pub(crate) fn ballot(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let bits = ctx.int(&inst.srcs[0], 0);
    let set = ctx.is_set(bits);
    let lane = ctx.lane();
    let mut mask = ctx.l.b.i32(0);
    for n in 0..4 {
        let number = ctx.l.b.i32(n);
        let own = ctx.l.b.int(Op::Ieq, &[lane, number]);
        let own = ctx.l.b.int(Op::Pand, &[own, set]);
        let any = ctx.l.b.quad(OpKind::QuadAny, own);
        let (bit, zero) = (ctx.l.b.i32(1 << n), ctx.l.b.i32(0));
        let bit = ctx.l.b.select(any, bit, zero);
        mask = ctx.l.b.int(Op::Ior, &[mask, bit]);
    }
    let zero = Deferred::word(0);
    ctx.per_component_sat(inst, |_, comp| if comp == 0 { mask.into() } else { zero });
}

fn from_lane(ctx: &mut Ctx<'_, '_>, inst: &Instruction, from: ValueId) {
    ctx.per_component_sat(inst, |ctx, comp| {
        let val: Deferred = ctx.raw(&inst.srcs[0], comp);
        let ty = ctx.l.type_of(val).filter(|_| !ctx.l.is_undecided(val)).unwrap_or(Type::I32);
        let value = if inst.srcs[0].negate { ctx.int(&inst.srcs[0], comp) } else { ctx.l.force(val, ty) };
        ctx.of_lane(value, from).into()
    });
}

pub(crate) fn read_first(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let first = ctx.first_lane();
    from_lane(ctx, inst, first);
}

pub(crate) fn read_invoc(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let from = ctx.int(&inst.srcs[1], 0);
    from_lane(ctx, inst, from);
}
