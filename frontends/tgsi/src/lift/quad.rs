//! Discards, and what looks at the other lanes of the quad.

use super::Ctx;
use super::alu::mask;
use crate::ast::Instruction;
use parallax_core::{OpKind, SysVal, Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::{Results, bits_where, each};
use parallax_num::Op;

pub(crate) fn kill(ctx: &mut Ctx<'_, '_>, _: &Instruction) -> Results {
    let always = ctx.l.b.pred(true);
    ctx.discard(always)
}

pub(crate) fn kill_if(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let swizzle = inst.srcs[0].swizzle;
    let mut any = ctx.against_zero(inst, Op::FLt, 0);
    for comp in (1..4).filter(|&comp| !swizzle[..comp].contains(&swizzle[comp])) {
        let pred = ctx.against_zero(inst, Op::FLt, comp);
        any = ctx.l.b.int(Op::Por, &[any, pred]);
    }
    ctx.discard(any)
}

impl Ctx<'_, '_> {
    fn discard(&mut self, pred: ValueId) -> Results {
        self.l.b.op(OpKind::Discard, None, &[pred], &[]);
        if let Some(removed) = self.removed {
            self.l.set_if(pred, removed, Deferred::word(u32::MAX));
        }
        [None; 4]
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

fn vote(ctx: &mut Ctx<'_, '_>, kind: OpKind, pred: ValueId) -> Results {
    let pred = ctx.l.b.quad(kind, pred);
    [Some(bits_where(&mut ctx.l, pred, true)); 4]
}

pub(crate) fn vote_any(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let pred = ctx.against_zero(inst, Op::Ine, 0);
    vote(ctx, OpKind::QuadAny, pred)
}

pub(crate) fn vote_all(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let pred = ctx.against_zero(inst, Op::Ine, 0);
    vote(ctx, OpKind::QuadAll, pred)
}

pub(crate) fn vote_eq(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let bits = ctx.int(&inst.srcs[0], 0);
    let first = ctx.first_lane();
    let theirs = ctx.of_lane(bits, first);
    let same = ctx.l.b.int(Op::Ieq, &[bits, theirs]);
    vote(ctx, OpKind::QuadAll, same)
}

/// The mask has 64 bits: lanes in x, nothing in y.
pub(crate) fn ballot(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let set = ctx.against_zero(inst, Op::Ine, 0);
    let lane = ctx.lane();
    let mut lanes = ctx.l.b.i32(0);
    for n in 0..4 {
        let number = ctx.l.b.i32(n);
        let own = ctx.l.b.int(Op::Ieq, &[lane, number]);
        let own = ctx.l.b.int(Op::Pand, &[own, set]);
        let any = ctx.l.b.quad(OpKind::QuadAny, own);
        let (bit, zero) = (ctx.l.b.i32(1 << n), ctx.l.b.i32(0));
        let bit = ctx.l.b.select(any, bit, zero);
        lanes = ctx.l.b.int(Op::Ior, &[lanes, bit]);
    }
    each(mask(inst), |comp| if comp == 0 { lanes.into() } else { Deferred::word(0) })
}

fn from_lane(ctx: &mut Ctx<'_, '_>, inst: &Instruction, from: ValueId) -> Results {
    each(mask(inst), |comp| {
        let val = ctx.moved_int(&inst.srcs[0], comp);
        // An input is converted where it is read as a float, and only there.
        match (ctx.l.type_of(val), ctx.l.is_undecided(val)) {
            (ty @ (None | Some(Type::Float(_))), true) => {
                let [float, bits] = [ty.unwrap_or(Type::F32), Type::I32].map(|ty| ctx.l.force(val, ty));
                let [float, bits] = [float, bits].map(|value| ctx.of_lane(value, from));
                ctx.l.float_or_bits(float, bits)
            }
            (ty, undecided) => {
                let value = ctx.l.force(val, ty.filter(|_| !undecided).unwrap_or(Type::I32));
                ctx.of_lane(value, from).into()
            }
        }
    })
}

pub(crate) fn read_first(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let first = ctx.first_lane();
    from_lane(ctx, inst, first)
}

pub(crate) fn read_invoc(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let from = ctx.int(&inst.srcs[1], 0);
    from_lane(ctx, inst, from)
}

/// All ones in lanes that help from the start, and in those that were removed since.
pub(crate) fn read_helper(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let from_start = ctx.l.b.read_bits(OpKind::Sys(SysVal::HelperLane), &[]);
    let helper = match ctx.removed {
        None => from_start,
        Some(removed) => {
            let removed = ctx.l.read_bits(removed);
            ctx.l.b.int(Op::Ior, &[from_start, removed])
        }
    };
    each(mask(inst), |_| helper.into())
}
