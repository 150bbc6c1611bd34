//! Texture lookups.

use super::Ctx;
use crate::ast::{Instruction, Src};
use crate::words::{File, Target};
use parallax_core::{TexMode, TexOp, TexTarget, Type, ValueId};
use parallax_lift::Deferred;
use smallvec::SmallVec;

/// Operands of a lookup: s, t, r, q, then derivatives.
type Args = SmallVec<[ValueId; 10]>;

impl Ctx<'_, '_> {
    /// The shape of a lookup, if it is executed.
    fn shape(&mut self, inst: &Instruction, target: Option<Target>) -> Option<TexTarget> {
        match target {
            Some(Target::D1) => Some(TexTarget::D1),
            Some(Target::D2) => Some(TexTarget::D2),
            Some(Target::Rect) => Some(TexTarget::Rect),
            Some(other) => {
                let shadow = other.name().starts_with("SHADOW");
                let reason = "no document at hand says how depths are compared and how the answers are filtered";
                let why = if shadow { format!(": {reason}") } else { String::new() };
                let message = format!("{}: {other} textures are not executed{why}", inst.op);
                self.unsupported("tgsi-target-unsupported", inst.span, message);
                None
            }
            None => None,
        }
    }

    /// The unit a SAMP or SVIEW operand names.
    fn unit(&mut self, src: &Src) -> Option<u16> {
        if src.reg.index.indirect.is_some() {
            let message = format!("{} registers addressed by a register are not executed", src.reg.file);
            self.unsupported("tgsi-indirect-unsupported", src.reg.span, message);
            return None;
        }
        Some(src.reg.index.base as u16)
    }

    /// Constant texel offsets.
    fn offset(&mut self, inst: &Instruction) -> Option<[i8; 3]> {
        let offsets = inst.extra.as_ref().map_or(&[][..], |e| &e.offsets[..]);
        let mut out = [0i8; 3];
        match offsets {
            [] => {}
            [one] => {
                let imm = (one.reg.file == File::Imm && one.reg.index.indirect.is_none())
                    .then(|| self.program.immediates.get(one.reg.index.base as usize))
                    .flatten();
                let Some(imm) = imm else {
                    let message = "texel offsets that are no immediates are not executed".to_string();
                    self.unsupported("tgsi-offset-unsupported", one.reg.span, message);
                    return None;
                };
                for (to, &comp) in out.iter_mut().zip(&one.swizzle) {
                    let texels = imm.words[usize::from(comp)] as i32;
                    let Ok(texels) = i8::try_from(texels) else {
                        let message = format!("a texel offset of {texels} is not executed");
                        self.unsupported("tgsi-offset-unsupported", one.reg.span, message);
                        return None;
                    };
                    *to = texels;
                }
            }
            [_, second, ..] => {
                let message = "only one texel offset is executed".to_string();
                self.unsupported("tgsi-offset-unsupported", second.reg.span, message);
                return None;
            }
        }
        Some(out)
    }

    fn coords(&mut self, src: &Src) -> Args {
        (0..4).map(|comp| self.float(src, comp)).collect()
    }

    fn zero_level(&mut self, args: &mut Args) {
        let zero = Deferred::word(0);
        args[3] = self.l.force(zero, Type::F32);
    }

    fn lookup(&mut self, inst: &Instruction, op: TexOp, args: &Args, swizzle: [u8; 4]) {
        self.l.need_texture(op.unit, op.target);
        let slot = self.slot(inst);
        let texel = self.l.b.tex(op, slot, args);
        self.per_component(inst, |_, comp| texel[usize::from(swizzle[comp])].into());
    }

    /// TEX and its kin: the sampler is the last source, the shape is written behind it.
    fn tex(&mut self, inst: &Instruction, mode: TexMode, project: bool, args: impl FnOnce(&mut Self) -> Args) {
        let target = self.shape(inst, inst.target);
        let Some(sampler) = inst.srcs.last() else { return };
        let (unit, offset) = (self.unit(sampler), self.offset(inst));
        let (Some(target), Some(unit), Some(offset)) = (target, unit, offset) else { return };
        let args = args(self);
        self.lookup(inst, TexOp { unit, target, mode, project, offset }, &args, [0, 1, 2, 3]);
    }

    /// SAMPLE and its kin: the view is the second source, its declaration has the shape, its swizzle applies to the
    /// texel.
    fn view(&mut self, inst: &Instruction, mode: TexMode, args: impl FnOnce(&mut Self) -> Args) {
        let view = &inst.srcs[1];
        let declared = self.registers.lookup.view(view.reg.index.base as u32);
        let target = self.shape(inst, declared);
        let Some(unit) = self.unit(view) else { return };
        if let Some(sampler) = inst.srcs.get(2).filter(|s| s.reg.file == File::Samp) {
            let Some(other) = self.unit(sampler) else { return };
            if other != unit {
                let message = format!("{}: SVIEW[{unit}] with SAMP[{other}] is not executed", inst.op);
                let code = "tgsi-sampler-unsupported";
                return self.unsupported(code, sampler.span, message);
            }
        }
        let Some(target) = target else { return };
        let args = args(self);
        self.lookup(inst, TexOp { unit, target, mode, project: false, offset: [0; 3] }, &args, view.swizzle);
    }

    /// Derivatives: ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy.
    fn add_derivatives(&mut self, args: &mut Args, x: &Src, y: &Src) {
        for src in [x, y] {
            for comp in 0..3 {
                args.push(self.float(src, comp));
            }
        }
    }

    fn texel_coords(&mut self, src: &Src) -> Args {
        (0..4).map(|comp| self.int(src, comp)).collect()
    }
}

pub(crate) fn tex(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Implicit, false, |ctx| ctx.coords(&inst.srcs[0]));
}

pub(crate) fn txp(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Implicit, true, |ctx| ctx.coords(&inst.srcs[0]));
}

pub(crate) fn txb(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Bias, false, |ctx| ctx.coords(&inst.srcs[0]));
}

pub(crate) fn txl(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Level, false, |ctx| ctx.coords(&inst.srcs[0]));
}

pub(crate) fn tex_lz(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Level, false, |ctx| {
        let mut args = ctx.coords(&inst.srcs[0]);
        ctx.zero_level(&mut args);
        args
    });
}

pub(crate) fn txd(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Grad, false, |ctx| {
        let mut args = ctx.coords(&inst.srcs[0]);
        ctx.add_derivatives(&mut args, &inst.srcs[1], &inst.srcs[2]);
        args
    });
}

pub(crate) fn txf(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Fetch, false, |ctx| ctx.texel_coords(&inst.srcs[0]));
}

pub(crate) fn txf_lz(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.tex(inst, TexMode::Fetch, false, |ctx| {
        let mut args = ctx.texel_coords(&inst.srcs[0]);
        args[3] = ctx.l.b.i32(0);
        args
    });
}

pub(crate) fn sample(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.view(inst, TexMode::Implicit, |ctx| ctx.coords(&inst.srcs[0]));
}

pub(crate) fn sample_i(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.view(inst, TexMode::Fetch, |ctx| ctx.texel_coords(&inst.srcs[0]));
}

/// Bias and level are the x component of the fourth source.
fn with_level(ctx: &mut Ctx<'_, '_>, inst: &Instruction, mode: TexMode) {
    ctx.view(inst, mode, |ctx| {
        let mut args = ctx.coords(&inst.srcs[0]);
        args[3] = ctx.float(&inst.srcs[3], 0);
        args
    });
}

pub(crate) fn sample_b(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    with_level(ctx, inst, TexMode::Bias);
}

pub(crate) fn sample_l(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    with_level(ctx, inst, TexMode::Level);
}

pub(crate) fn sample_d(ctx: &mut Ctx<'_, '_>, inst: &Instruction) {
    ctx.view(inst, TexMode::Grad, |ctx| {
        let mut args = ctx.coords(&inst.srcs[0]);
        ctx.add_derivatives(&mut args, &inst.srcs[3], &inst.srcs[4]);
        args
    });
}
