//! Inputs at places of the pixel that the program chooses.

use super::Ctx;
use super::alu::mask;
use crate::ast::Instruction;
use crate::words::File;
use parallax_core::{Interp, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::{Results, each};
use parallax_num::{Decl, Op};

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

/// The first source, read by `kind`: of the inputs that a register may name, the one that it does.
fn input(ctx: &mut Ctx<'_, '_>, inst: &Instruction, kind: impl Fn(u16, u8) -> OpKind, args: &[ValueId]) -> Results {
    let src = &inst.srcs[0];
    let Some(indirect) = src.reg.index.indirect else {
        return at_place(ctx, inst, src.reg.index.base as u32, &kind, args);
    };
    let Some((first, last)) = ctx.registers.lookup.range(File::In, indirect.array) else { return Results::default() };
    let element = ctx.address(&src.reg.index);
    let mut results = each(mask(inst), |_| Deferred::word(0));
    for index in first..=last {
        let read = at_place(ctx, inst, index, &kind, args);
        let own = ctx.l.b.i32(index);
        let is_it = ctx.l.b.int(Op::Ieq, &[element, own]);
        for (result, read) in results.iter_mut().zip(read) {
            if let (Some(before), Some(read)) = (*result, read) {
                *result = Some(ctx.l.choose(is_it, read, before, Type::F32));
            }
        }
    }
    results
}

/// An input read by `kind`. What is flat or no attribute is the same everywhere in the pixel, bit for bit.
fn at_place(
    ctx: &mut Ctx<'_, '_>,
    inst: &Instruction,
    index: u32,
    kind: &impl Fn(u16, u8) -> OpKind,
    args: &[ValueId],
) -> Results {
    let src = &inst.srcs[0];
    let Some(input) = ctx.registers.input(index).copied() else { return Results::default() };
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
