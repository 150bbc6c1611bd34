//! Texture lookups. Coordinates are taken at fp32; the result is delivered in the destination's format.

use super::{SETTINGS, SHAPES, Unit};
use crate::ast::{Instr, Target};
use crate::dialect::Dialect;
use parallax_core::{TexMode, TexOp, TexTarget, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::Results;
use parallax_num::{Decl, Op};

/// 2 and -1 as binary32.
const TWO: u64 = 0x4000_0000;
const MINUS_ONE: u64 = 0xbf80_0000;

impl Unit<'_, '_> {
    /// The shape of a unit's textures, as an option says it.
    fn shape_of(&self, unit: u8) -> TexTarget {
        match SETTINGS.get(SHAPES + usize::from(unit)).map_or("", |setting| self.options.value(setting)) {
            "1d" => TexTarget::D1,
            "3d" => TexTarget::D3,
            "cube" => TexTarget::Cube,
            "rect" => TexTarget::Rect,
            "shadow1d" => TexTarget::Shadow1D,
            "shadow2d" => TexTarget::Shadow2D,
            "shadowrect" => TexTarget::ShadowRect,
            _ => TexTarget::D2,
        }
    }

    pub(super) fn lookup(&mut self, instr: &Instr, mode: TexMode, project: bool) -> Results {
        let (Some(dst), Some(image)) = (&instr.dst, instr.image) else { return [None; 4] };
        let target = match image.target {
            None if self.program.dialect.is_words() => self.shape_of(image.unit),
            None | Some(Target::D2) => TexTarget::D2,
            Some(Target::D1) => TexTarget::D1,
            Some(Target::D3) => TexTarget::D3,
            Some(Target::Cube) => TexTarget::Cube,
            Some(Target::Rect) => TexTarget::Rect,
            Some(Target::Shadow1D) => TexTarget::Shadow1D,
            Some(Target::Shadow2D) => TexTarget::Shadow2D,
            Some(Target::ShadowRect) => TexTarget::ShadowRect,
        };
        // `!!FP1.0` leaves cube coordinates undivided, ARB always divides.
        let cube = target == TexTarget::Cube && self.program.dialect != Dialect::Arb;
        let project = project && !cube;
        let unit = u16::from(image.unit);
        self.lifter.need_texture(unit, target);
        let mut args: Vec<ValueId> = (0..4).map(|c| self.fetch(&instr.srcs[0], c, Decl::F32)).collect();
        let (mode, project) = match self.program.dialect.is_vertex() {
            true => (self.at_level(&mut args, mode, project), false),
            false => (mode, project),
        };
        // ARB_fragment_program_shadow: the third coordinate is what texels are compared with.
        args.extend(target.is_shadow().then(|| args[2]));
        if mode == TexMode::Grad {
            for src in &instr.srcs[1..3] {
                for comp in 0..3 {
                    args.push(self.fetch(src, comp, Decl::F32));
                }
            }
        }
        if let (Dialect::Nv40, TexMode::Bias | TexMode::Level, Some(src)) =
            (self.program.dialect, mode, instr.srcs.get(1))
            && !self.level_in_w
        {
            args[3] = self.fetch(src, 0, Decl::F32);
        }
        let decl = self.dst_decl(dst);
        let changed = instr.suffix.expand || instr.suffix.scale != 0;
        let slot = if changed { self.lifter.plain(Decl::F32) } else { self.slot_of(instr, decl) };
        let op = TexOp { project, ..TexOp::plain(unit, target, mode) };
        let mut texel = self.lifter.b.tex(op, slot, &args);
        if changed {
            let slot = self.slot_of(instr, Decl::F32);
            let plain = self.lifter.plain(Decl::F32);
            texel = texel.map(|value| match instr.suffix.expand {
                true => {
                    let (two, less) = (self.lifter.b.float(plain, TWO), self.lifter.b.float(plain, MINUS_ONE));
                    self.lifter.b.num(Op::Mad, slot, &[value, two, less])
                }
                false => self.lifter.b.num(Op::Cvt, slot, &[value]),
            });
        }
        texel.map(|v| Some(Deferred::value(v)))
    }

    /// Vertices have no neighbours: the level is 0, or what w says (NV_vertex_program3, sections 2.14.5.45 to 2.14.5.48).
    fn at_level(&mut self, args: &mut [ValueId], mode: TexMode, project: bool) -> TexMode {
        let plain = self.lifter.plain(Decl::F32);
        if project {
            let w = args[3];
            args[..3].iter_mut().for_each(|value| *value = self.lifter.b.num(Op::Div, plain, &[*value, w]));
        }
        if mode == TexMode::Implicit {
            args[3] = self.lifter.b.float(plain, 0);
        }
        TexMode::Level
    }
}
