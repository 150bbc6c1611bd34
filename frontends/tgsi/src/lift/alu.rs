//! Arithmetic, comparisons, moves and packs.

use super::Ctx;
use crate::ast::Instruction;
use crate::opcode::Sem;
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;
use smallvec::SmallVec;

const ONE: u32 = 0x3F80_0000;
const HALF: u32 = 0x3F00_0000;

impl Ctx<'_, '_> {
    /// Executes an instruction of one of the regular kinds.
    pub(crate) fn execute(&mut self, inst: &Instruction) {
        self.addresses.clear();
        match inst.op.row().sem {
            Sem::Float(op) => {
                let slot = self.slot(inst);
                self.per_component(inst, |ctx, comp| {
                    let args: SmallVec<[ValueId; 4]> = inst.srcs.iter().map(|s| ctx.float(s, comp)).collect();
                    ctx.l.b.num(op, slot, &args).into()
                });
            }
            Sem::Scalar(op) => {
                let slot = self.slot(inst);
                let args: SmallVec<[ValueId; 4]> = inst.srcs.iter().map(|s| self.float(s, 0)).collect();
                let result = self.l.b.num(op, slot, &args);
                self.replicated(inst, result.into());
            }
            Sem::Dot(op, n) => {
                let slot = self.slot(inst);
                let mut args: SmallVec<[ValueId; 8]> = SmallVec::new();
                for src in &inst.srcs {
                    for comp in 0..usize::from(n) {
                        args.push(self.float(src, comp));
                    }
                }
                let result = self.l.b.num(op, slot, &args);
                self.replicated(inst, result.into());
            }
            // 1.0 and 0.0 are their own clamp, so `_SAT` changes nothing.
            Sem::SetFloat(op) => {
                let slot = self.slot_with(false, inst.precise);
                self.per_component(inst, |ctx, comp| {
                    let args: SmallVec<[ValueId; 2]> = inst.srcs.iter().map(|s| ctx.float(s, comp)).collect();
                    let pred = ctx.l.b.num(op, slot, &args);
                    let (one, zero) = (Deferred::word(ONE), Deferred::word(0));
                    let (one, zero) = (ctx.l.force(one, Type::F32), ctx.l.force(zero, Type::F32));
                    ctx.l.b.select(pred, one, zero).into()
                });
            }
            Sem::SetBits(op) => {
                let slot = self.slot_with(false, inst.precise);
                self.per_component_sat(inst, |ctx, comp| {
                    let args: SmallVec<[ValueId; 2]> = inst.srcs.iter().map(|s| ctx.float(s, comp)).collect();
                    let pred = ctx.l.b.num(op, slot, &args);
                    ctx.all_ones(pred)
                });
            }
            Sem::Int(op) => self.per_component_sat(inst, |ctx, comp| {
                let args: SmallVec<[ValueId; 4]> = inst.srcs.iter().map(|s| ctx.int(s, comp)).collect();
                ctx.l.b.int(op, &args).into()
            }),
            Sem::SetInt(op, swap) => self.per_component_sat(inst, |ctx, comp| {
                let mut args: SmallVec<[ValueId; 2]> = inst.srcs.iter().map(|s| ctx.int(s, comp)).collect();
                if swap {
                    args.reverse();
                }
                let pred = ctx.l.b.int(op, &args);
                ctx.all_ones(pred)
            }),
            Sem::ToInt(op) => {
                let slot = self.slot_with(false, inst.precise);
                self.per_component_sat(inst, |ctx, comp| {
                    let value = ctx.float(&inst.srcs[0], comp);
                    ctx.l.b.num(op, slot, &[value]).into()
                });
            }
            Sem::ToFloat(op) => {
                let slot = self.slot(inst);
                self.per_component(inst, |ctx, comp| {
                    let value = ctx.int(&inst.srcs[0], comp);
                    ctx.l.b.num(op, slot, &[value]).into()
                });
            }
            Sem::Custom(run) => run(self, inst),
            Sem::Control | Sem::Unsupported(_) => {}
        }
    }

    /// All ones where the predicate holds, else 0.
    pub(crate) fn all_ones(&mut self, pred: ValueId) -> Deferred {
        let (ones, zero) = (self.l.b.i32(u32::MAX), self.l.b.i32(0));
        self.l.b.select(pred, ones, zero).into()
    }
}

pub(crate) fn mov(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.per_component_sat(inst, |ctx, comp| ctx.moved(&inst.srcs[0], comp));
}

pub(crate) fn uarl(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.per_component_sat(inst, |ctx, comp| match inst.srcs[0].negate {
        true => ctx.int(&inst.srcs[0], comp).into(),
        false => ctx.raw(&inst.srcs[0], comp),
    });
}

/// The reference adds a half and takes the floor; halves go up.
pub(crate) fn arr(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let slot = ctx.slot_with(false, inst.precise);
    ctx.per_component_sat(inst, |ctx, comp| {
        let value = ctx.float(&inst.srcs[0], comp);
        let half = Deferred::word(HALF);
        let half = ctx.l.force(half, Type::F32);
        let sum = ctx.l.b.num(Op::Add, slot, &[value, half]);
        ctx.l.b.num(Op::F2iFloor, slot, &[sum]).into()
    });
}

pub(crate) fn cmp(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.per_component_sat(inst, |ctx, comp| {
        let pred = ctx.below_zero(inst, comp);
        let (a, b) = (ctx.moved(&inst.srcs[1], comp), ctx.moved(&inst.srcs[2], comp));
        ctx.l.choose(pred, a, b, Type::F32)
    });
}

pub(crate) fn ucmp(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.per_component_sat(inst, |ctx, comp| {
        let bits = ctx.int(&inst.srcs[0], comp);
        let zero = ctx.l.b.i32(0);
        let pred = ctx.l.b.int(Op::Ine, &[bits, zero]);
        let (a, b) = (ctx.moved(&inst.srcs[1], comp), ctx.moved(&inst.srcs[2], comp));
        ctx.l.choose(pred, a, b, Type::I32)
    });
}

impl Ctx<'_, '_> {
    /// Whether a channel of the first source is below zero; not so for -0 and NaN.
    pub(crate) fn below_zero(&mut self, inst: &Instruction, comp: usize) -> ValueId {
        let value = self.float(&inst.srcs[0], comp);
        let zero = Deferred::word(0);
        let zero = self.l.force(zero, Type::F32);
        let slot = self.slot_with(false, inst.precise);
        self.l.b.num(Op::FLt, slot, &[value, zero])
    }
}

pub(crate) fn umad(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.per_component_sat(inst, |ctx, comp| {
        let (a, b) = (ctx.int(&inst.srcs[0], comp), ctx.int(&inst.srcs[1], comp));
        let product = ctx.l.b.int(Op::Imul, &[a, b]);
        let c = ctx.int(&inst.srcs[2], comp);
        ctx.l.b.int(Op::Iadd, &[product, c]).into()
    });
}

pub(crate) fn ldexp(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let slot = ctx.slot(inst);
    ctx.per_component(inst, |ctx, comp| {
        let (value, power) = (ctx.float(&inst.srcs[0], comp), ctx.int(&inst.srcs[1], comp));
        ctx.l.b.num(Op::Ldexp, slot, &[value, power]).into()
    });
}

pub(crate) fn lit(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let slot = ctx.slot(inst);
    ctx.per_component(inst, |ctx, comp| {
        let src = &inst.srcs[0];
        match comp {
            1 => {
                let x = ctx.float(src, 0);
                ctx.l.b.num(Op::LitY, slot, &[x]).into()
            }
            2 => {
                let (x, y, w) = (ctx.float(src, 0), ctx.float(src, 1), ctx.float(src, 3));
                ctx.l.b.num(Op::LitZ, slot, &[x, y, w]).into()
            }
            _ => Deferred::word(ONE),
        }
    });
}

pub(crate) fn exp(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let slot = ctx.slot(inst);
    ctx.per_component(inst, |ctx, comp| {
        let op = match comp {
            0 => Op::Exp2Floor,
            1 => Op::Frac,
            2 => Op::Exp2,
            _ => return Deferred::word(ONE),
        };
        let x = ctx.float(&inst.srcs[0], 0);
        ctx.l.b.num(op, slot, &[x]).into()
    });
}

pub(crate) fn log(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let slot = ctx.slot(inst);
    ctx.per_component(inst, |ctx, comp| {
        let op = match comp {
            0 => Op::LogExp,
            1 => Op::LogMant,
            2 => Op::Log2,
            _ => return Deferred::word(ONE),
        };
        let mut x = ctx.float(&inst.srcs[0], 0);
        if op == Op::Log2 {
            let plain = ctx.l.plain(parallax_num::Decl::F32);
            x = ctx.l.b.num(Op::Abs, plain, &[x]);
        }
        ctx.l.b.num(op, slot, &[x]).into()
    });
}

pub(crate) fn dst(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    let slot = ctx.slot(inst);
    ctx.per_component(inst, |ctx, comp| match comp {
        0 => Deferred::word(ONE),
        1 => {
            let (a, b) = (ctx.float(&inst.srcs[0], 1), ctx.float(&inst.srcs[1], 1));
            ctx.l.b.num(Op::Dst, slot, &[a, b]).into()
        }
        _ => {
            let val = ctx.moved(&inst.srcs[comp - 2], comp);
            ctx.saturated(inst, val)
        }
    });
}

fn pack(ctx: &mut Ctx<'_, '_>, inst: &Instruction, op: Op, count: usize) {
    let slot = ctx.slot_with(false, inst.precise);
    let args: SmallVec<[ValueId; 4]> = (0..count).map(|comp| ctx.float(&inst.srcs[0], comp)).collect();
    let packed = ctx.l.b.num(op, slot, &args);
    let val = ctx.saturated(inst, packed.into());
    ctx.replicated(inst, val);
}

pub(crate) fn pk2h(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    pack(ctx, inst, Op::PackHalf2, 2);
}

pub(crate) fn pk2us(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    pack(ctx, inst, Op::PackUnorm2, 2);
}

pub(crate) fn pk4b(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    pack(ctx, inst, Op::PackBiased4, 4);
}

pub(crate) fn pk4ub(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    pack(ctx, inst, Op::PackUnorm4, 4);
}

/// Unpacks fields of `width` bits of x; components beyond the last field start again at the first.
fn unpack(ctx: &mut Ctx<'_, '_>, inst: &Instruction, op: Op, width: u32) {
    let slot = ctx.slot(inst);
    ctx.per_component(inst, |ctx, comp| {
        let mut bits = ctx.int(&inst.srcs[0], 0);
        let shift = comp as u32 * width % 32;
        if shift != 0 {
            let shift = ctx.l.b.i32(shift);
            bits = ctx.l.b.int(Op::Ushr, &[bits, shift]);
        }
        ctx.l.b.num(op, slot, &[bits]).into()
    });
}

pub(crate) fn up2h(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    unpack(ctx, inst, Op::UpHalf, 16);
}

pub(crate) fn up2us(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    unpack(ctx, inst, Op::UpUnorm16, 16);
}

pub(crate) fn up4b(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    unpack(ctx, inst, Op::UpBiased8, 8);
}

pub(crate) fn up4ub(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    unpack(ctx, inst, Op::UpUnorm8, 8);
}
