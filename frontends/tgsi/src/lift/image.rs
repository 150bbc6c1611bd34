//! Images that are read and written as memory: their shapes and formats, places of texels.

use super::Ctx;
use super::alu::mask;
use crate::ast::{Declaration, Instruction, Program, Reg, Resource};
use crate::opcode::{Opcode, Sem};
use crate::words::{File, Target};
use parallax_core::exec::{ImageFormat, TexelKind};
use parallax_core::{ImageDecl, ImageShape, OpKind, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::{Results, each};
use parallax_num::Op;
use parallax_text::Diag;

/// The shape of an image by its target.
fn shape_of(target: Target) -> Option<ImageShape> {
    Some(match target {
        Target::Buffer => ImageShape::Buffer,
        Target::D1 => ImageShape::D1,
        Target::D2 => ImageShape::D2,
        Target::D3 => ImageShape::D3,
        Target::Cube => ImageShape::Cube,
        Target::Rect => ImageShape::Rect,
        Target::D1Array => ImageShape::D1Array,
        Target::D2Array => ImageShape::D2Array,
        Target::CubeArray => ImageShape::CubeArray,
        Target::D2Msaa => ImageShape::D2Samples,
        Target::D2ArrayMsaa => ImageShape::D2SamplesArray,
        _ => return None,
    })
}

/// Which side of an image component 0 to 2 of a size is: width, height, depth or layers. A list of lines has its layers
/// behind the width (TXQ, SVIEWINFO).
pub(super) fn arranged(shape: ImageShape, comp: u8) -> Option<u8> {
    use ImageShape::*;
    let sides: &[u8] = match shape {
        Buffer | D1 => &[0],
        D1Array => &[0, 2],
        D2 | Cube | Rect | D2Samples => &[0, 1],
        D3 | D2Array | CubeArray | D2SamplesArray => &[0, 1, 2],
    };
    sides.get(usize::from(comp)).copied()
}

/// `PIPE_FORMAT_R16G16_SNORM` as GLSL spells it; nothing for formats that images cannot have.
fn format_of(name: &str) -> Option<ImageFormat> {
    let name = name.strip_prefix("PIPE_FORMAT_")?;
    let (layout, numbers) = name.rsplit_once('_')?;
    let suffix = match numbers {
        "FLOAT" => "f",
        "UNORM" => "",
        "SNORM" => "_snorm",
        "UINT" => "ui",
        "SINT" => "i",
        _ => return None,
    };
    if (layout, numbers) == ("R11G11B10", "FLOAT") {
        return ImageFormat::from_name("r11f_g11f_b10f");
    }
    let spelling = match layout {
        "R10G10B10A2" => format!("rgb10_a2{suffix}"),
        _ => {
            let letters: String = layout.chars().filter(char::is_ascii_alphabetic).collect();
            let first: String = layout.chars().skip(1).take_while(char::is_ascii_digit).collect();
            let is_even = letters.chars().map(|letter| format!("{letter}{first}")).collect::<String>() == layout;
            if !is_even || !"RGBA".starts_with(&letters) {
                return None;
            }
            format!("{}{first}{suffix}", letters.to_lowercase())
        }
    };
    ImageFormat::from_name(&spelling).filter(|format| !format.is_long())
}

/// An image of a declared register. Where the declaration has no format, the instructions on the register may.
pub(super) fn declared(program: &Program, decl: &Declaration, index: u32, diags: &mut Vec<Diag>) -> Option<ImageDecl> {
    let Resource::Image { target, format, raw, .. } = &decl.resource else { return None };
    let mut refuse = |code, why: String| {
        diags.push(Diag::unsupported(code, decl.span, format!("IMAGE[{index}]: {why}")));
        None
    };
    let Some(shape) = shape_of(*target) else {
        return refuse("tgsi-target-unsupported", format!("{target} images are not executed"));
    };
    if *raw {
        return refuse("tgsi-format-unsupported", "raw images, whose texels have no format, are not executed".into());
    }
    let users = || program.instructions.iter().filter(|inst| inst.resource() == Some((File::Image, index)));
    let is_named = |name: &&String| *name != "PIPE_FORMAT_NONE";
    let named = format
        .as_ref()
        .filter(is_named)
        .or_else(|| users().find_map(|inst| inst.extra.as_ref()?.format.as_ref().filter(is_named)));
    let any = named.is_none();
    let format = match named.map(|name| (name, format_of(name))) {
        Some((_, Some(format))) => format,
        Some((name, None)) => {
            return refuse("tgsi-format-unsupported", format!("images of format {name} are not executed"));
        }
        None => ImageFormat::widest(TexelKind::Float),
    };
    let changed = users().find(|inst| inst.op == Opcode::ATOMFADD || matches!(inst.op.row().sem, Sem::Atomic(_)));
    if let Some(inst) = changed.filter(|_| !any && !matches!(format.name(), "r32i" | "r32ui" | "r32f")) {
        return refuse(
            "tgsi-format-unsupported",
            format!("{} on an image of format {}: atomics take one component of 32 bits", inst.op, format.name()),
        );
    }
    Some(ImageDecl { shape, format, any_format: any })
}

impl Instruction {
    /// The resource that it reads or writes, if a number names it.
    fn resource(&self) -> Option<(File, u32)> {
        let shape = &self.op.row().shape;
        let reg = if shape.writes_resource { &self.dsts.first()?.reg } else { &self.srcs.first()?.reg };
        reg.index.indirect.is_none().then_some((reg.file, reg.index.base as u32))
    }
}

impl Ctx<'_, '_> {
    /// x, y, z (depth, layer or face) and sample of the texel that source `n` names.
    pub(super) fn texel(&mut self, inst: &Instruction, reg: &Reg, n: usize) -> Option<[ValueId; 4]> {
        use ImageShape::*;
        let (buffer, _) = *self.candidates(reg).first()?;
        let shape = self.l.b.func.iface.buffers[usize::from(buffer)].image?.shape;
        let sources: [Option<usize>; 4] = match shape {
            Buffer | D1 => [Some(0), None, None, None],
            D1Array => [Some(0), None, Some(1), None],
            D2 | Rect => [Some(0), Some(1), None, None],
            D3 | Cube | D2Array | CubeArray => [Some(0), Some(1), Some(2), None],
            // The sample stands in w, as Mesa's drivers have it.
            D2Samples => [Some(0), Some(1), None, Some(3)],
            D2SamplesArray => [Some(0), Some(1), Some(2), Some(3)],
        };
        Some(sources.map(|comp| match comp {
            Some(comp) => self.int(&inst.srcs[n], comp),
            None => self.l.b.i32(0),
        }))
    }

    /// Layers of cubes are six slices each.
    pub(super) fn layers(&mut self, shape: ImageShape, side: u8, size: ValueId) -> ValueId {
        if shape != ImageShape::CubeArray || side != 2 {
            return size;
        }
        let six = self.l.b.i32(6);
        self.l.b.int(Op::Udiv, &[size, six])
    }

    pub(super) fn load_texel(&mut self, inst: &Instruction) -> Results {
        let src = &inst.srcs[0];
        let Some(place) = self.texel(inst, &src.reg, 1) else { return Results::default() };
        let found = self.each_candidate(&src.reg, |own, (buffer, _)| {
            let address = own.l.b.value(OpKind::ImageAddress { buffer }, None, &place);
            [0, 1, 2, 3].map(|comp| Some(own.l.b.value(OpKind::ImageLoad { buffer, comp }, None, &[address])))
        });
        each(mask(inst), |comp| found[usize::from(src.swizzle[comp])].map_or(Deferred::word(0), Deferred::from))
    }

    pub(super) fn store_texel(&mut self, inst: &Instruction) {
        let reg = inst.dsts[0].reg;
        let Some(place) = self.texel(inst, &reg, 0) else { return };
        let texel = [0, 1, 2, 3].map(|comp| self.int(&inst.srcs[1], comp));
        for (buffer, is_it) in self.candidates(&reg) {
            let mut address = self.l.b.value(OpKind::ImageAddress { buffer }, None, &place);
            if let Some(is_it) = is_it {
                let nowhere = self.l.b.i32(u32::MAX);
                address = self.l.b.select(is_it, address, nowhere);
            }
            let [r, g, b, a] = texel;
            self.l.b.op(OpKind::ImageStore { buffer }, None, &[address, r, g, b, a], &[]);
        }
    }
}
