//! Texture lookups.

use super::Ctx;
use crate::ast::{Instruction, Src};
use crate::opcode::Lookup;
use crate::words::{File, Target};
use parallax_core::{TexMode, TexOp, TexTarget, Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::Results;
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

    /// Refuses a sampler of another unit than the view's.
    fn sampler(&mut self, inst: &Instruction, unit: u16) -> Option<()> {
        let Some(sampler) = inst.srcs.get(2).filter(|s| s.reg.file == File::Samp) else { return Some(()) };
        let other = self.unit(sampler)?;
        if other != unit {
            let message = format!("{}: SVIEW[{unit}] with SAMP[{other}] is not executed", inst.op);
            self.unsupported("tgsi-sampler-unsupported", sampler.span, message);
            return None;
        }
        Some(())
    }

    /// A texture lookup; nothing if it is not executed.
    pub(super) fn texture(&mut self, inst: &Instruction, mode: TexMode, lookup: Lookup) -> Option<Results> {
        let by_view = lookup == Lookup::View;
        let resource = if by_view { inst.srcs.get(1) } else { inst.srcs.last() }?;
        let declared = if by_view { self.registers.lookup.view(resource.reg.index.base as u32) } else { inst.target };
        let (target, unit) = (self.shape(inst, declared), self.unit(resource));
        let offset = if by_view {
            self.sampler(inst, unit?)?;
            [0; 3]
        } else {
            self.offset(inst)?
        };
        let (target, unit) = (target?, unit?);
        let mut args: Args = match mode {
            TexMode::Fetch => (0..4).map(|comp| self.int(&inst.srcs[0], comp)).collect(),
            _ => (0..4).map(|comp| self.float(&inst.srcs[0], comp)).collect(),
        };
        match (mode, lookup) {
            (TexMode::Grad, _) => {
                // ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy.
                let first = if by_view { 3 } else { 1 };
                for src in &inst.srcs[first..first + 2] {
                    args.extend((0..3).map(|comp| self.float(src, comp)));
                }
            }
            (TexMode::Fetch, Lookup::LevelZero) => args[3] = self.l.b.i32(0),
            (_, Lookup::LevelZero) => args[3] = self.l.force(Deferred::word(0), Type::F32),
            (TexMode::Bias | TexMode::Level, Lookup::View) => args[3] = self.float(&inst.srcs[3], 0),
            _ => {}
        }
        self.l.need_texture(unit, target);
        let slot = self.slot(inst);
        let op = TexOp { unit, target, mode, project: lookup == Lookup::Projected, offset };
        let texel = self.l.b.tex(op, slot, &args);
        let swizzle = if by_view { resource.swizzle } else { [0, 1, 2, 3] };
        Some(swizzle.map(|comp| Some(texel[usize::from(comp)].into())))
    }
}
