//! Inputs at places of the pixel that the program chooses.

use super::Ctx;
use super::alu::mask;
use crate::ast::Instruction;
use parallax_core::{Interp, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::{Results, each};
use parallax_num::Decl;

pub(crate) fn at_centroid(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    input(ctx, inst, |index, comp| OpKind::AttrCentroid { index, comp }, &[])
}

pub(crate) fn at_sample(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let sample = ctx.int(&inst.srcs[1], 0);
    input(ctx, inst, |index, comp| OpKind::AttrSample { index, comp }, &[sample])
}

pub(crate) fn at_offset(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let offset = [0, 1].map(|comp| {
        let moved = ctx.moved(&inst.srcs[1], comp);
        ctx.l.force(moved, Type::I32)
    });
    input(ctx, inst, |index, comp| OpKind::AttrOffset { index, comp }, &offset)
}

/// The first source, read by `kind`. What is flat or no attribute is the same everywhere in the pixel, bit for bit.
fn input(ctx: &mut Ctx<'_, '_>, inst: &Instruction, kind: impl Fn(u16, u8) -> OpKind, args: &[ValueId]) -> Results {
    let src = &inst.srcs[0];
    if src.reg.index.indirect.is_some() {
        let message = format!("{}: an indirect input is not executed", inst.op);
        ctx.unsupported("tgsi-indirect-unsupported", src.reg.span, message);
        return Results::default();
    }
    let Some(input) = ctx.registers.input(src.reg.index.base as u32).copied() else { return Results::default() };
    let varies = ctx.l.b.func.iface.attrs[usize::from(input.attr)].interp != Interp::Flat;
    let slot = ctx.l.plain(Decl::F32);
    each(mask(inst), |comp| {
        let from = src.swizzle[comp];
        let val = input.vals[usize::from(from)];
        let val = if varies && val == Deferred::attr(input.attr, from) {
            ctx.l.b.read_float(kind(input.attr, from), slot, args).into()
        } else {
            val
        };
        if !src.absolute && !src.negate {
            return val;
        }
        let value = ctx.l.moved(val, Decl::F32);
        ctx.modified(src, value).into()
    })
}
