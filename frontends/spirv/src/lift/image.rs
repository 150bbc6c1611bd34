//! Image lookups.

use super::value::{Root, Scalars, Value};
use super::{Ctx, Lift};
use crate::module::Instruction;
use crate::types::{ImageTy, Scalar, Ty};
use parallax_core::{TexMode, TexOp, TexTarget, Type, ValueId};
use parallax_num::{Decl, Op};
use rspirv::spirv::{Dim, ImageOperands, Op as Code};

/// What the image operands of a lookup ask for.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) bias: Option<u32>,
    pub(super) lod: Option<u32>,
    pub(super) grad: Option<(u32, u32)>,
    pub(super) offset: Option<u32>,
    pub(super) offsets: Option<u32>,
    pub(super) sample: Option<u32>,
    pub(super) least_level: Option<u32>,
    pub(super) other: Option<&'static str>,
}

impl Asked {
    pub(super) fn of(words: &[u32]) -> Asked {
        let mut asked = Asked::default();
        let [mask, ids @ ..] = words else { return asked };
        let mask = ImageOperands::from_bits_retain(*mask);
        let mut ids = ids.iter().copied();
        let mut take = |bit: ImageOperands| if mask.contains(bit) { ids.next() } else { None };
        asked.bias = take(ImageOperands::BIAS);
        asked.lod = take(ImageOperands::LOD);
        let dx = take(ImageOperands::GRAD);
        asked.grad = dx.and_then(|dx| Some((dx, ids.next()?)));
        let mut take = |bit: ImageOperands| if mask.contains(bit) { ids.next() } else { None };
        asked.offset = take(ImageOperands::CONST_OFFSET);
        asked.offset = take(ImageOperands::OFFSET).or(asked.offset);
        asked.offsets = take(ImageOperands::CONST_OFFSETS);
        asked.sample = take(ImageOperands::SAMPLE);
        asked.least_level = take(ImageOperands::MIN_LOD);
        if mask.contains(ImageOperands::OFFSETS) {
            asked.other = Some("Offsets");
        }
        asked
    }
}

/// A kind of lookup, by opcode: implicit, explicit, with a reference, projected.
struct Lookup {
    reference: bool,
    project: bool,
    gather: bool,
    fetch: bool,
    detail: bool,
}

fn lookup(op: Code) -> Option<Lookup> {
    use Code::*;
    let plain = Lookup { reference: false, project: false, gather: false, fetch: false, detail: false };
    Some(match op {
        ImageSampleImplicitLod | ImageSampleExplicitLod => plain,
        ImageSampleDrefImplicitLod | ImageSampleDrefExplicitLod => Lookup { reference: true, ..plain },
        ImageSampleProjImplicitLod | ImageSampleProjExplicitLod => Lookup { project: true, ..plain },
        ImageSampleProjDrefImplicitLod | ImageSampleProjDrefExplicitLod => {
            Lookup { project: true, reference: true, ..plain }
        }
        ImageFetch => Lookup { fetch: true, ..plain },
        ImageGather => Lookup { gather: true, ..plain },
        ImageDrefGather => Lookup { gather: true, reference: true, ..plain },
        ImageQueryLod => Lookup { detail: true, ..plain },
        _ => return None,
    })
}

/// The lookup or read that a sparse one is, besides telling whether its texels are resident.
fn dense(op: Code) -> Option<Code> {
    use Code::*;
    Some(match op {
        ImageSparseSampleImplicitLod => ImageSampleImplicitLod,
        ImageSparseSampleExplicitLod => ImageSampleExplicitLod,
        ImageSparseSampleDrefImplicitLod => ImageSampleDrefImplicitLod,
        ImageSparseSampleDrefExplicitLod => ImageSampleDrefExplicitLod,
        ImageSparseFetch => ImageFetch,
        ImageSparseGather => ImageGather,
        ImageSparseDrefGather => ImageDrefGather,
        ImageSparseRead => ImageRead,
        _ => return None,
    })
}

/// The code of texels that are all resident, as all are here.
const RESIDENT: u32 = 0;

impl Ctx<'_, '_> {
    /// A lookup or read that also gives a code of residency.
    fn sparse(&mut self, instruction: &Instruction, op: Code, words: &[u32]) -> Lift<Option<Value>> {
        let Some(Ty::Struct { members, .. }) = self.tables.types.get(instruction.ty) else {
            return self.invalid("the result is not a structure of a code and a texel");
        };
        let (code, texel) = match members[..] {
            [code, texel] => (self.scalar_type(code)?, texel),
            _ => return self.invalid("the result is not a structure of a code and a texel"),
        };
        let found = self.image_instruction(&instruction.becoming(op, texel), words)?;
        let Some(Value::Scalars(texel)) = found else { return self.invalid("the texel is not a number") };
        let mut scalars = Scalars::from_elem(self.integer_literal(code, u64::from(RESIDENT)).into(), 1);
        scalars.extend(texel);
        Ok(Some(Value::Scalars(scalars)))
    }

    /// Instructions on images; `None` for others.
    pub(super) fn image_instruction(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        if let Some(op) = dense(instruction.op) {
            return self.sparse(instruction, op, words);
        }
        match instruction.op {
            Code::ImageSparseTexelsResident => {
                let (code, resident) = (self.index(words[0])?, self.l.b.i32(RESIDENT));
                let is_resident = self.l.b.int(Op::Ieq, &[code, resident]);
                return self.scalars_for(instruction.ty, [is_resident]).map(Some);
            }
            // The sampler's state comes with the texture.
            Code::SampledImage | Code::Image => return self.value(words[0]).map(Some),
            Code::ImageRead => return self.read_texel(instruction, words).map(Some),
            Code::ImageTexelPointer => return self.texel_pointer(instruction, words).map(Some),
            _ => {}
        }
        let Some(lookup) = lookup(instruction.op) else { return self.image_query(instruction, words) };
        let (from, image) = self.image_operand(words[0])?;
        match from.root {
            Root::Images(..) if lookup.fetch => return self.read_texel(instruction, words).map(Some),
            Root::Images(..) => return self.invalid("a lookup in an image that is memory"),
            _ => {}
        }
        let target = self.target(&image, lookup.reference)?;
        let coordinate = words[1];
        let (extra, operands) = match lookup.reference || lookup.gather {
            true => (words.get(2).copied(), &words[3..]),
            false => (None, &words[2..]),
        };
        let asked = Asked::of(if lookup.detail { &[] } else { operands });
        if let Some(name) = asked.other {
            return self.unsupported("spirv-image-operand-unsupported", format!("image operand {name}"));
        }
        if image.multisampled && !lookup.fetch {
            return self.invalid("a lookup with a sampler in a multisampled image");
        }
        let bits = matches!(self.scalar_type(image.sampled_type)?, Scalar::Int { .. }) && !lookup.detail;
        let mut mode = match (&asked, lookup.gather, extra) {
            _ if lookup.detail => TexMode::Detail,
            _ if lookup.fetch => TexMode::Fetch,
            (_, true, Some(component)) if !lookup.reference => match self.needs_constant(component)? {
                0 => TexMode::GatherRed,
                1 => TexMode::GatherGreen,
                2 => TexMode::GatherBlue,
                3 => TexMode::GatherAlpha,
                n => return self.invalid(format!("component {n} does not exist")),
            },
            (_, true, _) => TexMode::GatherRed,
            (Asked { grad: Some(_), .. }, ..) => TexMode::Grad,
            (Asked { lod: Some(_), .. }, ..) => TexMode::Level,
            (Asked { bias: Some(_), .. }, ..) => TexMode::Bias,
            _ => TexMode::Implicit,
        };
        let is_fragment = self.l.b.func.iface.stage == parallax_core::Stage::Fragment;
        let mut level = asked.lod.or(asked.bias);
        let mut base_level = false;
        if mode == TexMode::Implicit && !is_fragment {
            // Without neighbours there are no differences: the base level.
            (mode, level, base_level) = (TexMode::Level, None, true);
        }
        let ty = if lookup.fetch { Type::I32 } else { Type::F32 };
        let parts = self.coordinates(coordinate, lookup.fetch)?;
        let count = target.coordinates();
        // A level of detail is that of all layers, and none is named.
        let has_layer = target.is_array() && !lookup.detail;
        let needed = count + usize::from(has_layer) + usize::from(lookup.project);
        if parts.len() < needed {
            let message = format!("{} coordinates where {target:?} takes {needed}", parts.len());
            return self.invalid(message);
        }
        let zero = if lookup.fetch { self.l.b.i32(0) } else { self.number(Decl::F32, 0.0) };
        let mut args = vec![zero; 4];
        args[..count].copy_from_slice(&parts[..count]);
        let q = lookup.project.then(|| parts[parts.len() - 1]);
        let mut reference = match lookup.reference {
            true => Some(self.float32(words[2])?),
            false => None,
        };
        // The fourth operand is the divisor or the level, so one of them is done by hand.
        let mut project = false;
        match (q, mode) {
            (Some(q), TexMode::Implicit) => {
                args[3] = q;
                project = true;
            }
            (Some(q), _) => {
                let slot = self.slot(instruction.id, Decl::F32);
                for arg in args[..count].iter_mut().chain(reference.as_mut()) {
                    *arg = self.l.b.num(Op::Div, slot, &[*arg, q]);
                }
            }
            (None, _) => {}
        }
        match (mode, level) {
            (TexMode::Fetch, _) if image.multisampled => match asked.sample {
                Some(sample) => args[3] = self.index(sample)?,
                None => return self.invalid("a fetch from a multisampled image names no sample"),
            },
            (TexMode::Fetch, Some(level)) => args[3] = self.index(level)?,
            (TexMode::Level | TexMode::Bias, Some(level)) => args[3] = self.float32(level)?,
            _ if base_level => args[3] = zero,
            _ => {}
        }
        if target.is_array() {
            args.push(if has_layer { parts[count] } else { zero });
        }
        args.extend(reference);
        if let (TexMode::Grad, Some((dx, dy))) = (mode, asked.grad) {
            for id in [dx, dy] {
                let mut values = self.coordinates(id, false)?;
                values.truncate(count);
                values.resize(3, zero);
                args.extend(values);
            }
        }
        let (mut offset, mut moved) = ([0; 3], false);
        match asked.offset {
            Some(id) if self.tables.constants.get(id).is_some() => offset = self.offset(id, 0)?,
            // Texels have numbers that anything can be added to.
            Some(id) if lookup.fetch => {
                let offsets = self.coordinates(id, true)?;
                for (arg, by) in args[..count].iter_mut().zip(offsets) {
                    *arg = self.l.b.int(Op::Iadd, &[*arg, by]);
                }
            }
            Some(id) => {
                moved = true;
                let slot = self.l.plain(Decl::F32);
                let offsets = self.coordinates(id, true)?;
                let offsets: Vec<ValueId> =
                    offsets.into_iter().map(|offset| self.l.b.num(Op::I2f, slot, &[offset])).collect();
                args.extend((0..3).map(|n| offsets.get(n).copied().unwrap_or(zero)));
            }
            None => {}
        }
        if let Some(least) = asked.least_level.filter(|_| mode.filters()) {
            args.push(self.float32(least)?);
        }
        debug_assert!(args.iter().all(|&arg| self.l.b.func.ty(arg) == ty));
        let mut texels = None;
        for (unit, is_it) in self.elements(&from)? {
            self.l.need_texture(unit, target);
            let least_level = asked.least_level.is_some() && mode.filters();
            let plain = TexOp::plain(unit, target, mode);
            let op = TexOp { project, bits, offset, moved, least_level, ..plain };
            let found = match asked.offsets {
                None => self.lookup(instruction, op, &args),
                // Each texel of the four is the upper left of a gather of its own.
                Some(id) => {
                    let mut texels = Vec::new();
                    for n in 0..4 {
                        let offset = self.offset(id, 2 * n)?;
                        texels.push(self.lookup(instruction, TexOp { offset, ..op }, &args)[3]);
                    }
                    texels
                }
            };
            texels = self.chosen_among(texels, is_it, found);
        }
        let wanted = self.tables.types.size(instruction.ty) as usize;
        let texels: Vec<ValueId> = texels.unwrap_or_default().into_iter().take(wanted).collect();
        if bits {
            return self.texel_scalars(instruction, texels).map(Some);
        }
        let scalar = self.scalar_type(instruction.ty)?;
        let texels = match self.decl(scalar)? {
            Decl::F32 => texels,
            decl => texels.into_iter().map(|texel| self.float_to(instruction.id, decl, texel)).collect(),
        };
        self.scalars_for(instruction.ty, texels).map(Some)
    }

    fn lookup(&mut self, instruction: &Instruction, op: TexOp, args: &[ValueId]) -> Vec<ValueId> {
        if op.bits {
            return self.l.b.tex_bits(op, args).to_vec();
        }
        let slot = self.slot(instruction.id, Decl::F32);
        self.l.b.tex(op, slot, args).to_vec()
    }

    /// Two or three texel offsets of a constant, from scalar `first` on.
    fn offset(&mut self, id: u32, first: usize) -> Lift<[i8; 3]> {
        let mut out = [0; 3];
        let Some(constant) = self.tables.constants.get(id) else {
            return self.invalid("the offsets of a gather are not constants");
        };
        let is_list = matches!(self.tables.types.get(constant.ty), Some(Ty::Array { .. }));
        let count = if is_list { 2 } else { 3 };
        for (to, bits) in out.iter_mut().take(count).zip(constant.bits.iter().skip(first)) {
            match i8::try_from(*bits as u32 as i32) {
                Ok(value) => *to = value,
                Err(_) => return self.invalid(format!("a texel offset of {}", *bits as u32 as i32)),
            }
        }
        Ok(out)
    }

    /// Coordinates as binary32 or, for a fetch, integers.
    pub(super) fn coordinates(&mut self, id: u32, integers: bool) -> Lift<Vec<ValueId>> {
        match (integers, self.scalar_of(id)?) {
            (true, Scalar::Int { bits: 32, .. }) | (false, Scalar::Float(Decl::F32)) => self.forced(id),
            (true, scalar @ Scalar::Int { .. }) => {
                let values = self.forced(id)?;
                let word = Scalar::Int { bits: 32, signed: true };
                let signed = matches!(scalar, Scalar::Int { signed: true, .. });
                Ok(values.into_iter().map(|value| self.integer_to(scalar, word, signed, value)).collect())
            }
            (false, Scalar::Float(_)) => {
                let values = self.forced(id)?;
                Ok(values.into_iter().map(|value| self.float_to(id, Decl::F32, value)).collect())
            }
            _ => self.invalid("the coordinates have the wrong type"),
        }
    }

    fn float32(&mut self, id: u32) -> Lift<ValueId> {
        match self.coordinates(id, false)?.as_slice() {
            [value] => Ok(*value),
            _ => self.invalid(format!("%{id} is not a scalar")),
        }
    }

    /// The image type of an image or a sampled image.
    pub(super) fn image_type(&self, id: u32) -> Lift<ImageTy> {
        let mut ty = self.type_of(id)?;
        if let Some(Ty::SampledImage { image }) = self.tables.types.get(ty) {
            ty = *image;
        }
        match self.tables.types.get(ty) {
            Some(Ty::Image(image)) => Ok(*image),
            _ => self.invalid(format!("%{id} is not an image")),
        }
    }

    pub(super) fn target(&self, image: &ImageTy, reference: bool) -> Lift<TexTarget> {
        let plain = match (image.dim, image.arrayed) {
            (Dim::Dim2D, false) if image.multisampled => TexTarget::D2Samples,
            (Dim::Dim2D, true) if image.multisampled => TexTarget::D2SamplesArray,
            (Dim::Dim1D, false) => TexTarget::D1,
            (Dim::Dim1D, true) => TexTarget::D1Array,
            (Dim::Dim2D, false) => TexTarget::D2,
            (Dim::Dim2D, true) => TexTarget::D2Array,
            (Dim::Dim3D, false) => TexTarget::D3,
            (Dim::DimCube, false) => TexTarget::Cube,
            (Dim::DimCube, true) => TexTarget::CubeArray,
            (Dim::DimRect, false) => TexTarget::Rect,
            (dim, _) => return self.unsupported("spirv-image-unsupported", format!("images of dimension {dim:?}")),
        };
        match reference {
            false => Ok(plain),
            true => match plain.shadow() {
                Some(target) => Ok(target),
                None => self.invalid("a lookup that compares in a volume"),
            },
        }
    }
}
