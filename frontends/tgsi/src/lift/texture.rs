//! Texture lookups.

use super::Ctx;
use crate::ast::{Instruction, Src};
use crate::opcode::Lookup;
use crate::words::{File, Target};
use parallax_core::{TexMode, TexOp, TexTarget, Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::Results;
use smallvec::SmallVec;

/// Operands of a lookup, see [`TexOp`].
type Args = SmallVec<[ValueId; TexOp::MOST_OPERANDS]>;

/// Shape of lookups with a target.
fn shape_of(target: Target) -> Option<TexTarget> {
    Some(match target {
        Target::D1 => TexTarget::D1,
        Target::D2 => TexTarget::D2,
        Target::D3 => TexTarget::D3,
        Target::Cube => TexTarget::Cube,
        Target::Rect => TexTarget::Rect,
        Target::D1Array => TexTarget::D1Array,
        Target::D2Array => TexTarget::D2Array,
        Target::CubeArray => TexTarget::CubeArray,
        Target::Shadow1D => TexTarget::Shadow1D,
        Target::Shadow2D => TexTarget::Shadow2D,
        Target::ShadowRect => TexTarget::ShadowRect,
        Target::Shadow1DArray => TexTarget::Shadow1DArray,
        Target::Shadow2DArray => TexTarget::Shadow2DArray,
        Target::ShadowCube => TexTarget::ShadowCube,
        Target::ShadowCubeArray => TexTarget::ShadowCubeArray,
        Target::Buffer | Target::D2Msaa | Target::D2ArrayMsaa | Target::Unknown => return None,
    })
}

/// The component of the first source that holds the layer: the one behind the coordinates.
fn layer_component(target: TexTarget) -> Option<usize> {
    target.is_array().then(|| target.coordinates())
}

/// The component of the first source that holds the reference value, unless another source does: at least the third.
fn reference_component(target: TexTarget) -> Option<usize> {
    let behind = target.coordinates() + usize::from(target.is_array());
    target.is_shadow().then(|| behind.max(2))
}

impl Ctx<'_, '_> {
    /// The shape of a lookup, if it is executed.
    fn shape(
        &mut self,
        inst: &Instruction,
        target: Option<Target>,
        mode: TexMode,
        lookup: Lookup,
    ) -> Option<TexTarget> {
        let target = target?;
        let shape = shape_of(target);
        let refused = match shape {
            None => Some("textures are not executed"),
            Some(shape) => {
                // Where the first source has no component left.
                let in_fourth = [layer_component(shape), reference_component(shape)].contains(&Some(3));
                let by_view = matches!(lookup, Lookup::View | Lookup::Compared | Lookup::ComparedLevelZero);
                let by_second = matches!(lookup, Lookup::SecondReference | Lookup::SecondLevel);
                let needs_fourth = match lookup {
                    Lookup::Sampler => matches!(mode, TexMode::Bias | TexMode::Level | TexMode::Fetch),
                    _ => lookup == Lookup::Projected,
                };
                if by_view && shape.is_shadow() {
                    Some("views are not compared: a comparison has an opcode of its own")
                } else if matches!(lookup, Lookup::Compared | Lookup::ComparedLevelZero) && shape.shadow().is_none() {
                    Some("textures are not compared")
                } else if reference_component(shape) == Some(4) && !by_second && !by_view {
                    Some("textures have their reference value in a second source: TEX2")
                } else if lookup == Lookup::SecondReference && reference_component(shape) != Some(4) {
                    Some("textures have no reference value in a second source")
                } else if lookup == Lookup::SecondLevel && reference_component(shape) == Some(4) {
                    Some("textures have no operand left for a level")
                } else if needs_fourth && in_fourth {
                    Some("textures need the fourth component for a coordinate")
                } else if lookup == Lookup::Projected && shape.is_array() {
                    Some("textures are not projected")
                } else if shape.is_cube() && mode == TexMode::Fetch {
                    Some("textures cannot be fetched by texel number")
                } else {
                    None
                }
            }
        };
        if let Some(why) = refused {
            let message = format!("{}: {target} {why}", inst.op);
            self.unsupported("tgsi-target-unsupported", inst.span, message);
            return None;
        }
        match lookup {
            Lookup::Compared | Lookup::ComparedLevelZero => shape?.shadow(),
            _ => shape,
        }
    }

    /// The unit a SAMP or SVIEW operand names.
    fn unit(&mut self, src: &Src) -> Option<u16> {
        if src.reg.index.indirect.is_some() {
            let message = format!("indirect {} registers are not executed", src.reg.file);
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
                    let message = "texel offsets must be immediates".to_string();
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
        let compares = matches!(lookup, Lookup::Compared | Lookup::ComparedLevelZero);
        let by_view = lookup == Lookup::View || compares;
        let resource = if by_view { inst.srcs.get(1) } else { inst.srcs.last() }?;
        let declared = if by_view { self.registers.lookup.view(resource.reg.index.base as u32) } else { inst.target };
        let (target, unit) = (self.shape(inst, declared, mode, lookup), self.unit(resource));
        let offset = if by_view {
            self.sampler(inst, unit?)?;
            [0; 3]
        } else {
            self.offset(inst)?
        };
        let (target, unit) = (target?, unit?);
        let is_fetch = mode == TexMode::Fetch;
        let operand =
            |ctx: &mut Self, src: &Src, comp| if is_fetch { ctx.int(src, comp) } else { ctx.float(src, comp) };
        let first = &inst.srcs[0];
        let mut args: Args = (0..4).map(|comp| operand(self, first, comp)).collect();
        match (mode, lookup) {
            (TexMode::Fetch, Lookup::LevelZero) => args[3] = self.l.b.i32(0),
            (_, Lookup::LevelZero | Lookup::ComparedLevelZero) => args[3] = self.l.force(Deferred::word(0), Type::F32),
            (TexMode::Bias | TexMode::Level, Lookup::View) => args[3] = self.float(&inst.srcs[3], 0),
            (_, Lookup::SecondLevel) => args[3] = self.float(&inst.srcs[1], 0),
            _ => {}
        }
        args.extend(layer_component(target).map(|comp| operand(self, first, comp)));
        if target.is_shadow() {
            let reference = match (lookup, reference_component(target)) {
                (Lookup::Compared | Lookup::ComparedLevelZero, _) => self.float(&inst.srcs[3], 0),
                (_, Some(comp @ ..4)) => operand(self, first, comp),
                _ => self.float(&inst.srcs[1], 0),
            };
            args.push(reference);
        }
        if mode == TexMode::Grad {
            // ds/dx, dt/dx, dr/dx, ds/dy, dt/dy, dr/dy.
            let at = if by_view { 3 } else { 1 };
            for src in &inst.srcs[at..at + 2] {
                args.extend((0..3).map(|comp| self.float(src, comp)));
            }
        }
        self.l.need_texture(unit, target);
        let slot = self.slot(inst);
        let op = TexOp { project: lookup == Lookup::Projected, offset, ..TexOp::plain(unit, target, mode) };
        let texel = self.l.b.tex(op, slot, &args);
        let swizzle = if by_view { resource.swizzle } else { [0, 1, 2, 3] };
        Some(swizzle.map(|comp| Some(texel[usize::from(comp)].into())))
    }
}
