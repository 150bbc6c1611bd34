//! Texture lookups, gathers and queries.

use super::Ctx;
use super::alu::mask;
use super::image::arranged;
use crate::ast::{Instruction, Offset, Reg, Src};
use crate::opcode::{Lookup, Opcode};
use crate::words::{File, ReturnType, Target};
use parallax_core::exec::{ImageFormat, TexelKind};
use parallax_core::{
    Axis, BufferDecl, ImageDecl, ImageShape, OpKind, Stage, SysVal, TexMode, TexOp, TexTarget, Type, ValueId,
};
use parallax_lift::Deferred;
use parallax_lift::vector::{Results, each};
use parallax_num::{Decl, Op};
use smallvec::SmallVec;

/// Operands of a lookup, see [`TexOp`].
type Args = SmallVec<[ValueId; TexOp::MOST_OPERANDS]>;

/// Modes of gathers, by component.
const GATHERS: [TexMode; 4] = [TexMode::GatherRed, TexMode::GatherGreen, TexMode::GatherBlue, TexMode::GatherAlpha];

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
        Target::D2Msaa => TexTarget::D2Samples,
        Target::D2ArrayMsaa => TexTarget::D2SamplesArray,
        Target::Buffer | Target::Unknown => return None,
    })
}

/// The same shape of an image, whose sides are asked for.
fn sides_of(target: TexTarget) -> ImageShape {
    use TexTarget::*;
    match target {
        D1 | Shadow1D => ImageShape::D1,
        D2 | Shadow2D => ImageShape::D2,
        D3 => ImageShape::D3,
        Cube | ShadowCube => ImageShape::Cube,
        Rect | ShadowRect => ImageShape::Rect,
        D1Array | Shadow1DArray => ImageShape::D1Array,
        D2Array | Shadow2DArray => ImageShape::D2Array,
        CubeArray | ShadowCubeArray => ImageShape::CubeArray,
        D2Samples => ImageShape::D2Samples,
        D2SamplesArray => ImageShape::D2SamplesArray,
    }
}

/// Texel offsets that are added to a lookup.
enum Moved {
    /// Numbers.
    By([i8; 3]),
    /// Values.
    ByValues([ValueId; 3]),
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
            None if target == Target::Buffer => Some("textures are fetched, not sampled"),
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
                let gathers = mode.gathered().is_some();
                let takes_sample = inst.op == Opcode::SAMPLE_I_MS;
                if shape.is_multisampled() && mode != TexMode::Fetch {
                    Some("textures are fetched, not sampled")
                } else if by_view && takes_sample != shape.is_multisampled() {
                    Some(if takes_sample {
                        "textures have one sample: SAMPLE_I"
                    } else {
                        "textures have several samples: SAMPLE_I_MS"
                    })
                } else if by_view && shape.is_shadow() {
                    Some("views are not compared: a comparison has an opcode of its own")
                } else if matches!(lookup, Lookup::Compared | Lookup::ComparedLevelZero) && shape.shadow().is_none() {
                    Some("textures are not compared")
                } else if gathers && (shape.coordinates() == 1 || shape == TexTarget::D3) {
                    Some("textures are not gathered")
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

    /// The units that a SAMP or SVIEW operand may name, each with when it is: always, or if the index is its.
    fn units(&mut self, reg: &Reg) -> SmallVec<[(u16, Option<ValueId>); 2]> {
        let Some(indirect) = reg.index.indirect else {
            return SmallVec::from_elem((reg.index.base as u16, None), 1);
        };
        let Some((first, last)) = self.registers.lookup.range(reg.file, indirect.array) else {
            return SmallVec::new();
        };
        if !self.may_try(reg, (last - first + 1) as usize) {
            return SmallVec::new();
        }
        let element = self.address(&reg.index);
        let unit = |number: u32| {
            let own = self.l.b.i32(number);
            (number as u16, Some(self.l.b.int(Op::Ieq, &[element, own])))
        };
        (first..=last).map(unit).collect()
    }

    /// What the declared view of a unit says: its shape, and whether its texels are integers.
    fn view(&self, reg: &Reg) -> Option<(Target, bool)> {
        let number = match reg.index.indirect {
            None => reg.index.base as u32,
            Some(indirect) => self.registers.lookup.range(reg.file, indirect.array)?.0,
        };
        let (target, ty) = self.registers.lookup.view(number)?;
        Some((target, matches!(ty, ReturnType::Sint | ReturnType::Uint)))
    }

    /// A texel offset: small immediates are part of the lookup, everything else is added to it.
    fn moved_by(&mut self, offset: &Offset) -> Moved {
        let imm = (offset.reg.file == File::Imm && offset.reg.index.indirect.is_none())
            .then(|| self.program.immediates.get(offset.reg.index.base as usize))
            .flatten();
        if let Some(imm) = imm {
            let texels = offset.swizzle.map(|comp| i8::try_from(imm.words[usize::from(comp)] as i32));
            if let [Ok(x), Ok(y), Ok(z)] = texels {
                return Moved::By([x, y, z]);
            }
        }
        Moved::ByValues(offset.swizzle.map(|comp| {
            let texels = self.component(&offset.reg, usize::from(comp));
            self.l.force(texels, Type::I32)
        }))
    }

    /// The one texel offset of a lookup.
    fn offset(&mut self, inst: &Instruction) -> Option<Moved> {
        match inst.offsets() {
            [] => Some(Moved::By([0; 3])),
            [one] => Some(self.moved_by(one)),
            [_, second, ..] => {
                let message = "only gathers have more than one texel offset".to_string();
                self.unsupported("tgsi-offset-unsupported", second.reg.span, message);
                None
            }
        }
    }

    /// A lookup in the units that an operand may name, moved by texels. `op` says everything but the unit and the offset.
    fn look_up(&mut self, inst: &Instruction, resource: &Reg, op: TexOp, args: &Args, moved: &Moved) -> [ValueId; 4] {
        let (mut op, mut args) = (op, args.clone());
        match *moved {
            Moved::By(offset) => op.offset = offset,
            // Texels have numbers that anything can be added to.
            Moved::ByValues(offsets) if op.mode == TexMode::Fetch => {
                for (arg, by) in args[..op.target.coordinates()].iter_mut().zip(offsets) {
                    *arg = self.l.b.int(Op::Iadd, &[*arg, by]);
                }
            }
            Moved::ByValues(offsets) => {
                op.moved = true;
                let slot = self.l.plain(Decl::F32);
                args.extend(offsets.map(|by| self.l.b.num(Op::I2f, slot, &[by])));
            }
        }
        let slot = self.slot(inst);
        let mut found = None;
        for (unit, is_it) in self.units(resource) {
            self.l.need_texture(unit, op.target);
            let op = TexOp { unit, ..op };
            let texel = if op.bits { self.l.b.tex_bits(op, &args) } else { self.l.b.tex(op, slot, &args) };
            found = Some(match (found, is_it) {
                (Some(before), Some(is_it)) => {
                    let before: [ValueId; 4] = before;
                    std::array::from_fn(|n| self.l.b.select(is_it, texel[n], before[n]))
                }
                _ => texel,
            });
        }
        found.unwrap_or_else(|| [self.l.force(Deferred::word(0), Type::F32); 4])
    }

    /// The buffer of texels behind a unit whose target is `BUFFER`.
    fn texel_buffer(&mut self, unit: u16) -> u16 {
        let kind = match self.registers.lookup.view(unit.into()) {
            Some((_, ReturnType::Sint)) => TexelKind::Int,
            Some((_, ReturnType::Uint)) => TexelKind::Uint,
            _ => TexelKind::Float,
        };
        let image = ImageDecl { shape: ImageShape::Buffer, format: ImageFormat::widest(kind), any_format: true };
        let decl = BufferDecl { image: Some(image), ..BufferDecl::new(format!("SVIEW[{unit}]")) };
        self.registers.memories.add(&mut self.l, File::SView, unit.into(), decl)
    }

    /// A texel of a buffer.
    fn buffer_texel(&mut self, inst: &Instruction, resource: &Src) -> Option<Results> {
        let (zero, mut x) = (self.l.b.i32(0), self.int(&inst.srcs[0], 0));
        match self.offset(inst)? {
            Moved::By([0, ..]) => {}
            Moved::By([by, ..]) => {
                let by = self.l.b.i32(i32::from(by) as u32);
                x = self.l.b.int(Op::Iadd, &[x, by]);
            }
            Moved::ByValues([by, ..]) => x = self.l.b.int(Op::Iadd, &[x, by]),
        }
        let mut found: [ValueId; 4] = [zero; 4];
        for (unit, is_it) in self.units(&resource.reg) {
            let buffer = self.texel_buffer(unit);
            let address = self.l.b.value(OpKind::ImageAddress { buffer }, None, &[x, zero, zero, zero]);
            // Outside all components are 0 (SAMPLE_I), and not only those of the format.
            let outside = self.l.b.i32(u32::MAX);
            let is_outside = self.l.b.int(Op::Ieq, &[address, outside]);
            for (comp, found) in (0..4).zip(&mut found) {
                let word = self.l.b.value(OpKind::ImageLoad { buffer, comp }, None, &[address]);
                let word = self.l.b.select(is_outside, zero, word);
                *found = is_it.map_or(word, |is_it| self.l.b.select(is_it, word, *found));
            }
        }
        Some(swizzled(resource, found))
    }

    /// Refuses a sampler of another unit than the view's.
    fn sampler(&mut self, inst: &Instruction, view: &Reg) -> Option<()> {
        let Some(sampler) = inst.srcs.get(2).filter(|s| s.reg.file == File::Samp) else { return Some(()) };
        let same = match (view.index.indirect, sampler.reg.index.indirect) {
            (None, None) => view.index.base == sampler.reg.index.base,
            (Some(a), Some(b)) => {
                (view.index.base, a.file, a.index, a.comp) == (sampler.reg.index.base, b.file, b.index, b.comp)
            }
            _ => false,
        };
        if !same {
            let [view, sampler] = [view, &sampler.reg].map(|reg| {
                let mut text = String::new();
                reg.print(&mut text);
                text
            });
            let message = format!("{}: {view} with {sampler} is not executed", inst.op);
            self.unsupported("tgsi-sampler-unsupported", inst.srcs[2].span, message);
            return None;
        }
        Some(())
    }

    /// s, t, r, q of a lookup and its layer.
    fn coordinates(&mut self, first: &Src, target: TexTarget, integers: bool) -> Args {
        let layer = layer_component(target);
        let comps = (0..4).chain(layer);
        comps.map(|comp| if integers { self.int(first, comp) } else { self.float(first, comp) }).collect()
    }

    /// Divides coordinates and reference value by q: where the level takes the place of q.
    fn divide(&mut self, inst: &Instruction, target: TexTarget, args: &mut Args) {
        let slot = self.slot_with(false, inst.precise);
        let (q, count) = (args[3], target.coordinates());
        for n in (0..count).chain(TexOp::plain(0, target, TexMode::Level).reference()) {
            args[n] = self.l.b.num(Op::Div, slot, &[args[n], q]);
        }
    }

    /// A texture lookup; nothing if it is not executed.
    pub(super) fn texture(&mut self, inst: &Instruction, mode: TexMode, lookup: Lookup) -> Option<Results> {
        let compares = matches!(lookup, Lookup::Compared | Lookup::ComparedLevelZero);
        let by_view = lookup == Lookup::View || compares;
        let resource = if by_view { inst.srcs.get(1) } else { inst.srcs.last() }?;
        let view = self.view(&resource.reg);
        let declared = if by_view { view.map(|view| view.0) } else { inst.target };
        let is_fetch = mode == TexMode::Fetch;
        if is_fetch && declared == Some(Target::Buffer) {
            return self.buffer_texel(inst, resource);
        }
        let target = self.shape(inst, declared, mode, lookup);
        let moved = if by_view {
            self.sampler(inst, &resource.reg)?;
            Moved::By([0; 3])
        } else {
            self.offset(inst)?
        };
        let target = target?;
        let bits = view.is_some_and(|view| view.1) && !target.is_shadow();
        let first = &inst.srcs[0];
        let mut args = self.coordinates(first, target, is_fetch);
        match (mode, lookup) {
            (TexMode::Fetch, Lookup::LevelZero) if !target.is_multisampled() => args[3] = self.l.b.i32(0),
            (TexMode::Fetch, Lookup::LevelZero) => {}
            (TexMode::Fetch, Lookup::View) if target.is_multisampled() => args[3] = self.int(&inst.srcs[2], 0),
            (_, Lookup::LevelZero | Lookup::ComparedLevelZero) => args[3] = self.l.force(Deferred::word(0), Type::F32),
            (TexMode::Bias | TexMode::Level, Lookup::View) => args[3] = self.float(&inst.srcs[3], 0),
            (_, Lookup::SecondLevel) => args[3] = self.float(&inst.srcs[1], 0),
            _ => {}
        }
        if target.is_shadow() {
            let reference = match (lookup, reference_component(target)) {
                (Lookup::Compared | Lookup::ComparedLevelZero, _) => self.float(&inst.srcs[3], 0),
                (_, Some(comp @ ..4)) => self.float(first, comp),
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
        // Only pixels have neighbours whose coordinates differ: elsewhere the level is the largest, with its bias.
        let (mut mode, mut project) = (mode, lookup == Lookup::Projected);
        if mode.reads_neighbours() && !self.has_neighbours() {
            if project {
                self.divide(inst, target, &mut args);
            }
            if mode == TexMode::Implicit {
                args[3] = self.l.force(Deferred::word(0), Type::F32);
            }
            (mode, project) = (TexMode::Level, false);
        }
        let op = TexOp { project, bits, ..TexOp::plain(0, target, mode) };
        let texel = self.look_up(inst, &resource.reg, op, &args, &moved);
        Some(if by_view { swizzled(resource, texel) } else { texel.map(|value| Some(value.into())) })
    }

    /// Whether the lanes of a quad are neighbours in a picture.
    fn has_neighbours(&self) -> bool {
        self.l.b.func.iface.stage == Stage::Fragment
    }

    /// Sides of a texture on a level, and how many levels it has; of a buffer, its texels.
    fn sides(&mut self, resource: &Src, target: Target, level: ValueId) -> [Option<ValueId>; 4] {
        let one = self.l.b.i32(1);
        let mut found = [None; 4];
        for (unit, is_it) in self.units(&resource.reg) {
            let sizes: [Option<ValueId>; 4] = match shape_of(target) {
                None => {
                    let buffer = self.texel_buffer(unit);
                    let texels = self.l.b.value(OpKind::ImageSize { buffer, comp: 0 }, None, &[]);
                    [Some(texels), None, None, Some(one)]
                }
                Some(shape) => {
                    self.l.need_texture(unit, shape);
                    let sides = sides_of(shape);
                    [0, 1, 2, 3].map(|comp| {
                        let side = if comp == 3 { 3 } else { arranged(sides, comp)? };
                        if comp == 3 && shape.is_multisampled() {
                            return Some(one);
                        }
                        let size = self.l.b.value(OpKind::TextureSize { unit, comp: side }, None, &[level]);
                        Some(self.layers(sides, side, size))
                    })
                }
            };
            for (found, size) in found.iter_mut().zip(sizes) {
                *found = match (*found, size, is_it) {
                    (Some(before), Some(size), Some(is_it)) => Some(self.l.b.select(is_it, size, before)),
                    (_, size, _) => size,
                };
            }
        }
        found
    }

    /// The number of samples of a texture.
    fn samples(&mut self, resource: &Reg, target: Target) -> ValueId {
        let mut found = self.l.b.i32(1);
        let Some(shape) = shape_of(target).filter(|shape| shape.is_multisampled()) else { return found };
        let level = self.l.b.i32(0);
        for (unit, is_it) in self.units(resource) {
            self.l.need_texture(unit, shape);
            let samples = self.l.b.value(OpKind::TextureSize { unit, comp: 3 }, None, &[level]);
            found = is_it.map_or(samples, |is_it| self.l.b.select(is_it, samples, found));
        }
        found
    }

    /// The target of a query, which takes any but `UNKNOWN`.
    fn asked_target(&mut self, inst: &Instruction, target: Option<Target>) -> Option<Target> {
        match target {
            Some(Target::Unknown) => {
                let message = format!("{}: UNKNOWN textures are not executed", inst.op);
                self.unsupported("tgsi-target-unsupported", inst.span, message);
                None
            }
            target => target,
        }
    }
}

/// A texel as a view's swizzle puts it.
fn swizzled(view: &Src, texel: [ValueId; 4]) -> Results {
    view.swizzle.map(|comp| Some(texel[usize::from(comp)].into()))
}

/// One component of four texels (TG4, GATHER4). With four offsets each texel is the last of a gather of its own.
pub(crate) fn gather(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    gathered(ctx, inst).unwrap_or_default()
}

fn gathered(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Option<Results> {
    let by_view = inst.op == Opcode::GATHER4;
    let resource = if by_view { inst.srcs.get(1) } else { inst.srcs.last() }?;
    let view = ctx.view(&resource.reg);
    let declared = if by_view { view.map(|view| view.0) } else { inst.target };
    let is_second = declared == Some(Target::ShadowCubeArray) && !by_view;
    let lookup = match (by_view, is_second) {
        (true, _) => Lookup::View,
        (_, true) => Lookup::SecondReference,
        _ => Lookup::Sampler,
    };
    let target = ctx.shape(inst, declared, TexMode::GatherRed, lookup)?;
    if by_view {
        ctx.sampler(inst, &resource.reg)?;
    }
    let first = &inst.srcs[0];
    let mut args = ctx.coordinates(first, target, false);
    if let Some(comp) = reference_component(target) {
        args.push(if comp < 4 { ctx.float(first, comp) } else { ctx.float(&inst.srcs[1], 0) });
    }
    let bits = view.is_some_and(|view| view.1) && !target.is_shadow();
    let op = TexOp { bits, ..TexOp::plain(0, target, TexMode::GatherRed) };
    if by_view || target.is_shadow() {
        let texels = ctx.gather_moved(inst, &resource.reg, op, &args);
        return Some(if by_view { swizzled(resource, texels) } else { texels.map(|value| Some(value.into())) });
    }
    // The component is a number, or the low two bits of a value.
    let component = ctx.raw(&inst.srcs[1], 0);
    if let Some(number) = ctx.l.literal(component).filter(|_| !inst.srcs[1].negate) {
        let op = TexOp { mode: GATHERS[number as usize & 3], ..op };
        return Some(ctx.gather_moved(inst, &resource.reg, op, &args).map(|value| Some(value.into())));
    }
    let (component, three) = (ctx.int(&inst.srcs[1], 0), ctx.l.b.i32(3));
    let component = ctx.l.b.int(Op::Iand, &[component, three]);
    let mut found = ctx.gather_moved(inst, &resource.reg, op, &args);
    for (number, mode) in (0..4).zip(GATHERS).skip(1) {
        let texels = ctx.gather_moved(inst, &resource.reg, TexOp { mode, ..op }, &args);
        let number = ctx.l.b.i32(number);
        let is_it = ctx.l.b.int(Op::Ieq, &[component, number]);
        found = std::array::from_fn(|n| ctx.l.b.select(is_it, texels[n], found[n]));
    }
    Some(found.map(|value| Some(value.into())))
}

impl Ctx<'_, '_> {
    fn gather_moved(&mut self, inst: &Instruction, resource: &Reg, op: TexOp, args: &Args) -> [ValueId; 4] {
        match inst.offsets() {
            [] => self.look_up(inst, resource, op, args, &Moved::By([0; 3])),
            [one] => {
                let moved = self.moved_by(one);
                self.look_up(inst, resource, op, args, &moved)
            }
            several => std::array::from_fn(|n| {
                let moved = several.get(n).map_or(Moved::By([0; 3]), |offset| self.moved_by(offset));
                self.look_up(inst, resource, op, args, &moved)[3]
            }),
        }
    }
}

/// Sides and levels of a texture (TXQ, SVIEWINFO). Components that are no side are 0.
pub(crate) fn size(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let Some(resource) = inst.srcs.get(1) else { return Results::default() };
    let declared = if inst.op == Opcode::SVIEWINFO { ctx.view(&resource.reg).map(|view| view.0) } else { inst.target };
    let Some(target) = ctx.asked_target(inst, declared) else { return Results::default() };
    let level = if inst.op == Opcode::TXQ_LZ { ctx.l.b.i32(0) } else { ctx.int(&inst.srcs[0], 0) };
    let found = ctx.sides(resource, target, level);
    each(mask(inst), |comp| found[comp].map_or(Deferred::word(0), Deferred::from))
}

/// Samples of a texture in x (TXQS).
pub(crate) fn samples(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let Some(target) = ctx.asked_target(inst, inst.target) else { return Results::default() };
    let samples = ctx.samples(&inst.srcs[0].reg, target);
    each(mask(inst), |comp| if comp == 0 { samples.into() } else { Deferred::word(0) })
}

/// The level of detail of a lookup (LODQ, LOD): the one it takes in x, the one that is computed in y. Without neighbours
/// both are the largest level.
pub(crate) fn detail(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let by_view = inst.op == Opcode::LOD;
    let Some(resource) = inst.srcs.get(1) else { return Results::default() };
    let declared = if by_view { ctx.view(&resource.reg).map(|view| view.0) } else { inst.target };
    let lookup = if by_view { Lookup::View } else { Lookup::Sampler };
    let Some(target) = ctx.shape(inst, declared, TexMode::Detail, lookup) else { return Results::default() };
    if by_view && ctx.sampler(inst, &resource.reg).is_none() {
        return Results::default();
    }
    let mut found = [None; 2];
    if ctx.has_neighbours() {
        let mut args = ctx.coordinates(&inst.srcs[0], target, false);
        if target.is_shadow() {
            args.push(args[0]);
        }
        let op = TexOp::plain(0, target, TexMode::Detail);
        let levels = ctx.look_up(inst, &resource.reg, op, &args, &Moved::By([0; 3]));
        found = [Some(levels[0]), Some(levels[1])];
    }
    each(mask(inst), |comp| found.get(comp).copied().flatten().map_or(Deferred::word(0), Deferred::from))
}

/// Where a sample of the render target is in its pixel, from 0 to 1 (SAMPLE_POS); the centre unless samples are shaded.
pub(crate) fn sample_position(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let source = &inst.srcs[0];
    if source.reg.file == File::SView {
        let message = "SAMPLE_POS: nothing says where the samples of a texture are".to_string();
        ctx.unsupported("tgsi-sample-unsupported", source.span, message);
        return Results::default();
    }
    let (sample, zero) = (ctx.int(&inst.srcs[1], 0), ctx.l.b.i32(0));
    let shading = ctx.l.b.read_bits(OpKind::Sys(SysVal::SampleShading), &[]);
    let is_shaded = ctx.l.b.int(Op::Ine, &[shading, zero]);
    let slot = ctx.l.plain(Decl::F32);
    let centre = ctx.l.b.float(slot, u64::from(0.5f32.to_bits()));
    let place = [Axis::X, Axis::Y].map(|axis| {
        let place = super::registers::sample_position(&mut ctx.l, axis, sample);
        let place = ctx.l.force(place, Type::F32);
        ctx.l.b.select(is_shaded, place, centre)
    });
    each(mask(inst), |comp| {
        place.get(usize::from(source.swizzle[comp])).copied().map_or(Deferred::word(0), Deferred::from)
    })
}

/// How many samples a texture has, or the render target where samples are shaded (SAMPLE_INFO).
pub(crate) fn sample_count(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let source = &inst.srcs[0];
    let count = if source.reg.file == File::SView {
        let target = ctx.view(&source.reg).map(|view| view.0);
        let Some(target) = ctx.asked_target(inst, target) else { return Results::default() };
        ctx.samples(&source.reg, target)
    } else {
        let [shading, count] =
            [SysVal::SampleShading, SysVal::SampleCount].map(|value| ctx.l.b.read_bits(OpKind::Sys(value), &[]));
        let (zero, one) = (ctx.l.b.i32(0), ctx.l.b.i32(1));
        let is_shaded = ctx.l.b.int(Op::Ine, &[shading, zero]);
        ctx.l.b.select(is_shaded, count, one)
    };
    each(mask(inst), |comp| if source.swizzle[comp] == 0 { count.into() } else { Deferred::word(0) })
}
