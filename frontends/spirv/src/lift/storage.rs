//! Images as resources: their variables, the elements of arrays of them, sizes; and images that are read and written as
//! memory, which are storage images and texel buffers.

use super::image::Asked;
use super::value::{Pointer, Root, Value};
use super::{Ctx, Lift};
use crate::decorations::Decorations;
use crate::module::Instruction;
use crate::types::{ImageTy, Scalar, Ty};
use parallax_core::exec::{ImageFormat, TexelKind};
use parallax_core::{BufferDecl, ImageDecl, ImageShape, OpKind, Stage, Type, UnitDecl, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};
use rspirv::spirv::{Dim, ImageFormat as Format, Op as Code, StorageClass};
use std::rc::Rc;

/// Components of a size that a query asks for, in the order of its result.
fn sides(image: &ImageTy) -> Vec<u8> {
    let mut sides = match image.dim {
        Dim::Dim1D | Dim::DimBuffer => vec![0],
        Dim::Dim3D => vec![0, 1, 2],
        _ => vec![0, 1],
    };
    if image.arrayed {
        sides.push(2);
    }
    sides
}

impl ImageTy {
    /// Whether its texels are memory.
    fn is_memory(&self) -> bool {
        self.sampled == 2 || self.dim == Dim::DimBuffer
    }
}

impl Ctx<'_, '_> {
    /// A variable of images, or of images with samplers: texture units, or buffers of texels.
    pub(super) fn image_variable(&mut self, id: u32, ty: u32, said: &Decorations) -> Lift<Value> {
        let types = &self.tables.types;
        let (elem, count) = match types.get(ty) {
            Some(Ty::Array { elem, count }) => (*elem, *count),
            Some(Ty::RuntimeArray { .. }) => return self.uncounted(),
            _ => (ty, 1),
        };
        let image = match types.get(elem) {
            Some(Ty::Image(image)) => *image,
            Some(Ty::SampledImage { image }) => match types.get(*image) {
                Some(Ty::Image(image)) => *image,
                _ => return self.invalid("a sampled image of what is not an image"),
            },
            // The sampler's state comes with the texture.
            Some(Ty::Sampler) => return Ok(Value::pointer(self.whole(Root::Textures(0, 1), ty))),
            _ => {
                let what = types.no_numbers(elem).unwrap_or_else(|| "numbers among images".into());
                return self.unsupported("spirv-variable-unsupported", format!("variables of {what}"));
            }
        };
        let decl = if image.is_memory() { Some(self.image_decl(&image)?) } else { None };
        let name = super::interface::binding_name(said);
        let names: Vec<String> = match count {
            1 => vec![name],
            _ => (0..count).map(|n| format!("{name}.{n}")).collect(),
        };
        let iface = &mut self.l.b.func.iface;
        // Several variables may look at one binding, each with a type of its own.
        let first = match decl {
            Some(decl) => {
                let known = iface.buffers.iter().position(|buffer| buffer.name == names[0]);
                known.unwrap_or_else(|| {
                    let made = |name: &String| BufferDecl { image: Some(decl), ..BufferDecl::new(name.clone()) };
                    iface.buffers.extend(names.iter().map(made));
                    iface.buffers.len() - names.len()
                })
            }
            None => {
                let known = iface.units.iter().find(|unit| unit.name == names[0]);
                known.map_or_else(|| iface.units.len(), |unit| usize::from(unit.unit))
            }
        };
        if decl.is_none() && first == iface.units.len() {
            let units = (first as u16..).zip(&names).map(|(unit, name)| UnitDecl { name: name.clone(), unit });
            iface.units.extend(units);
        }
        for (n, name) in names.iter().enumerate() {
            let alias = self.tables.debug.name(id).map(|own| match count {
                1 => own.to_string(),
                _ => format!("{own}[{n}]"),
            });
            self.alias(alias, name);
        }
        let (first, count) = (first as u16, count as u16);
        let root = if decl.is_some() { Root::Images(first, count) } else { Root::Textures(first, count) };
        Ok(Value::pointer(self.whole(root, ty)))
    }

    fn image_decl(&self, image: &ImageTy) -> Lift<ImageDecl> {
        let shape = match (image.dim, image.arrayed, image.multisampled) {
            (Dim::DimBuffer, false, false) => ImageShape::Buffer,
            (Dim::Dim1D, false, false) => ImageShape::D1,
            (Dim::Dim1D, true, false) => ImageShape::D1Array,
            (Dim::Dim2D, false, false) => ImageShape::D2,
            (Dim::Dim2D, true, false) => ImageShape::D2Array,
            (Dim::Dim2D, false, true) => ImageShape::D2Samples,
            (Dim::Dim2D, true, true) => ImageShape::D2SamplesArray,
            (Dim::Dim3D, false, false) => ImageShape::D3,
            (Dim::DimCube, false, false) => ImageShape::Cube,
            (Dim::DimCube, true, false) => ImageShape::CubeArray,
            (Dim::DimRect, false, false) => ImageShape::Rect,
            (Dim::DimSubpassData, false, false) => ImageShape::D2,
            (Dim::DimSubpassData, false, true) => ImageShape::D2Samples,
            (dim, ..) => {
                return self.unsupported("spirv-image-unsupported", format!("storage images of dimension {dim:?}"));
            }
        };
        let kind = match self.scalar_type(image.sampled_type)? {
            Scalar::Float(Decl::F32 | Decl::F16) => TexelKind::Float,
            Scalar::Int { bits: 32, signed: true } => TexelKind::Int,
            Scalar::Int { bits: 32, signed: false } => TexelKind::Uint,
            Scalar::Int { bits: 64, signed: true } => TexelKind::Long,
            Scalar::Int { bits: 64, signed: false } => TexelKind::Ulong,
            scalar => {
                return self.unsupported("spirv-image-format-unsupported", format!("images of {} bits", scalar.bits()));
            }
        };
        if image.format == Format::Unknown {
            return Ok(ImageDecl { shape, format: ImageFormat::widest(kind), any_format: true });
        }
        // SPIR-V spells formats as GLSL does, but for case and underscores.
        let asked = format!("{:?}", image.format).to_lowercase();
        let format = ImageFormat::ALL.into_iter().find(|format| format.name().replace('_', "") == asked);
        if format.is_some_and(|format| format.is_long() != matches!(kind, TexelKind::Long | TexelKind::Ulong)) {
            return self
                .invalid(format!("an image of format {:?} whose texels are %{}", image.format, image.sampled_type));
        }
        match format {
            Some(format) => Ok(ImageDecl { shape, format, any_format: false }),
            None => self.unsupported("spirv-image-format-unsupported", format!("images of format {:?}", image.format)),
        }
    }

    /// The units or buffers that an image may be, each with when it is: always, or if the index of an array is its.
    pub(super) fn elements(&mut self, image: &Pointer) -> Lift<Vec<(u16, Option<ValueId>)>> {
        let (Root::Textures(first, count) | Root::Images(first, count)) = image.root else {
            return self.invalid("the operand is not an image");
        };
        let Some(index) = self.sum_of_terms(image, 1) else { return Ok(vec![(first + image.at as u16, None)]) };
        self.expand(usize::from(count) * 16)?;
        let number = |n: u16| {
            let number = self.l.b.i32(u32::from(n));
            (first + n, Some(self.l.b.int(Op::Ieq, &[index, number])))
        };
        Ok((0..count).map(number).collect())
    }

    /// What the elements of an array give, of which each counts where the index is its.
    pub(super) fn chosen_among(
        &mut self,
        before: Option<Vec<ValueId>>,
        is_it: Option<ValueId>,
        values: Vec<ValueId>,
    ) -> Option<Vec<ValueId>> {
        match (before, is_it) {
            (Some(before), Some(is_it)) => {
                let chosen = values.iter().zip(before).map(|(&value, before)| self.l.b.select(is_it, value, before));
                Some(chosen.collect())
            }
            _ => Some(values),
        }
    }

    /// An image operand, with its type.
    pub(super) fn image_operand(&mut self, id: u32) -> Lift<(Rc<Pointer>, ImageTy)> {
        let ty = self.image_type(id)?;
        match self.value(id)? {
            Value::Image(image) => Ok((image, ty)),
            _ => self.invalid("the operand is not an image"),
        }
    }

    /// Sizes of images; `None` for other instructions.
    pub(super) fn image_query(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        let asks_size = match instruction.op {
            Code::ImageQuerySizeLod | Code::ImageQuerySize => true,
            Code::ImageQueryLevels | Code::ImageQuerySamples => false,
            _ => return Ok(None),
        };
        let (image, ty) = self.image_operand(words[0])?;
        let level = match instruction.op {
            Code::ImageQuerySizeLod => self.index(words[1])?,
            _ => self.l.b.i32(0),
        };
        let comps = if asks_size { sides(&ty) } else { vec![3] };
        let mut found = None;
        for (number, is_it) in self.elements(&image)? {
            let mut values = Vec::new();
            for &comp in &comps {
                let value = match image.root {
                    Root::Images(..) => self.l.b.value(OpKind::ImageSize { buffer: number, comp }, None, &[]),
                    _ => {
                        let target = self.target(&ty, false)?;
                        self.l.need_texture(number, target);
                        self.l.b.value(OpKind::TextureSize { unit: number, comp }, None, &[level])
                    }
                };
                // Layers of cubes are six slices each.
                values.push(match (comp, ty.dim) {
                    (2, Dim::DimCube) => {
                        let six = self.l.b.i32(6);
                        self.l.b.int(Op::Udiv, &[value, six])
                    }
                    _ => value,
                });
            }
            found = self.chosen_among(found, is_it, values);
        }
        let (from, to) = (Scalar::Int { bits: 32, signed: false }, self.scalar_type(instruction.ty)?);
        let values = found.unwrap_or_default().into_iter().map(|value| self.integer_to(from, to, false, value));
        let values: Vec<ValueId> = values.collect();
        self.scalars_for(instruction.ty, values).map(Some)
    }

    // ---- memory ----

    /// x, y, z and sample of a texel.
    fn texel_place(&mut self, image: &ImageTy, coordinate: u32, sample: Option<u32>) -> Lift<[ValueId; 4]> {
        let parts = self.coordinates(coordinate, true)?;
        let count = match image.dim {
            Dim::Dim1D | Dim::DimBuffer => 1,
            Dim::Dim2D | Dim::DimRect | Dim::DimSubpassData => 2,
            // The third of a cube is its face, of an array of them the face behind those of the layers before.
            _ => 3,
        };
        let has_layer = image.arrayed && image.dim != Dim::DimCube;
        if parts.len() < count + usize::from(has_layer) {
            let message =
                format!("{} coordinates where the image takes {}", parts.len(), count + usize::from(has_layer));
            return self.invalid(message);
        }
        let mut place = [self.l.b.i32(0); 4];
        place[..count].copy_from_slice(&parts[..count]);
        // An input attachment is read where the fragment is.
        if image.dim == Dim::DimSubpassData {
            for (axis, part) in (0..2).zip(&mut place) {
                let pixel = self.pixel(axis)?;
                *part = self.l.b.int(Op::Iadd, &[*part, pixel]);
            }
        }
        if has_layer {
            place[2] = parts[count];
        }
        if let Some(sample) = sample.filter(|_| image.multisampled) {
            place[3] = self.index(sample)?;
        }
        Ok(place)
    }

    /// The number of the fragment's pixel along an axis, from the bits of its position: the same under every model.
    fn pixel(&mut self, axis: u8) -> Lift<ValueId> {
        if self.l.b.func.iface.stage != Stage::Fragment {
            return self.invalid("only fragments read input attachments");
        }
        let position = self.position();
        let position = self.l.force(Deferred::attr(position, axis), Type::I32);
        let fraction = self.l.b.i32(23);
        let exponent = self.l.b.int(Op::Ushr, &[position, fraction]);
        let (mask, one) = (self.l.b.i32(0x7f_ffff), self.l.b.i32(0x80_0000));
        let low = self.l.b.int(Op::Iand, &[position, mask]);
        let whole = self.l.b.int(Op::Ior, &[low, one]);
        let (last, bias) = (self.l.b.i32(127 + 23), self.l.b.i32(127));
        let by = self.l.b.int(Op::Isub, &[last, exponent]);
        let number = self.l.b.int(Op::Ushr, &[whole, by]);
        let (is_below_one, zero) = (self.l.b.int(Op::Ult, &[exponent, bias]), self.l.b.i32(0));
        Ok(self.l.b.select(is_below_one, zero, number))
    }

    fn texel_operands(&self, words: &[u32]) -> Lift<Asked> {
        let asked = Asked::of(words);
        let levels = asked.bias.or(asked.lod).or(asked.least_level);
        let is_other = levels.or(asked.offset).or(asked.offsets).is_some() || asked.grad.is_some();
        match asked.other {
            Some(name) => self.unsupported("spirv-image-operand-unsupported", format!("image operand {name}")),
            None if is_other => {
                let message = "a level or an offset of an image that is memory";
                self.unsupported("spirv-image-operand-unsupported", message)
            }
            None => Ok(asked),
        }
    }

    /// Whether texels are numbers of 64 bits, as those are that an instruction reads or writes.
    fn is_long(&self, image: &ImageTy, scalar: Scalar) -> Lift<bool> {
        let is_long = scalar.bits() == 64;
        match is_long == (self.scalar_type(image.sampled_type)?.bits() == 64) {
            true => Ok(is_long),
            false => self.invalid("the texel has another type than the image says"),
        }
    }

    /// The texel of an image that is memory: `OpImageRead`, and `OpImageFetch` of a texel buffer.
    pub(super) fn read_texel(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Value> {
        let (image, ty) = self.image_operand(words[0])?;
        if !matches!(image.root, Root::Images(..)) {
            return self.invalid("a read of an image that is sampled");
        }
        let asked = self.texel_operands(&words[2..])?;
        let place = self.texel_place(&ty, words[1], asked.sample)?;
        let scalar = self.scalar_type(instruction.ty)?;
        let is_long = self.is_long(&ty, scalar)?;
        let mut found = None;
        for (buffer, is_it) in self.elements(&image)? {
            let address = self.l.b.value(OpKind::ImageAddress { buffer }, None, &place);
            let wanted = self.tables.types.size(instruction.ty).min(4) as u8;
            let count = if is_long { 2 } else { wanted };
            let load = |comp| self.l.b.value(OpKind::ImageLoad { buffer, comp }, None, &[address]);
            let texel = (0..count).map(load).collect();
            found = self.chosen_among(found, is_it, texel);
        }
        let words = found.unwrap_or_default();
        if !is_long {
            return self.texel_scalars(instruction, words);
        }
        // Red, and what a format of red alone has besides.
        let (red, zero, one) = (self.of_words(scalar, &words), self.l.b.i64(0), self.l.b.i64(1));
        let wanted = self.tables.types.size(instruction.ty) as usize;
        self.scalars_for(instruction.ty, [red, zero, zero, one].into_iter().take(wanted))
    }

    /// Scalars of the words of a texel.
    pub(super) fn texel_scalars(&mut self, instruction: &Instruction, words: Vec<ValueId>) -> Lift<Value> {
        let scalar = self.scalar_type(instruction.ty)?;
        let mut values = Vec::new();
        for word in words {
            values.push(match scalar {
                Scalar::Int { bits: 32, .. } => word,
                Scalar::Float(decl) => {
                    let value = self.l.convert(word, Type::F32);
                    if decl == Decl::F32 { value } else { self.float_to(instruction.id, decl, value) }
                }
                _ => {
                    let message = format!("texels of {} bits a component", scalar.bits());
                    return self.unsupported("spirv-image-format-unsupported", message);
                }
            });
        }
        self.scalars_for(instruction.ty, values)
    }

    /// `OpImageWrite`; whether it was one.
    pub(super) fn image_effect(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<bool> {
        if instruction.op != Code::ImageWrite {
            return Ok(false);
        }
        let (image, ty) = self.image_operand(words[0])?;
        if !matches!(image.root, Root::Images(..)) || ty.sampled != 2 {
            return self.invalid("a write to an image that is only read");
        }
        let asked = self.texel_operands(&words[3..])?;
        let place = self.texel_place(&ty, words[1], asked.sample)?;
        let mut args = vec![self.l.b.i32(0); 5];
        let scalar = self.scalar_of(words[2])?;
        let mut values = self.forced(words[2])?;
        if self.is_long(&ty, scalar)? {
            values = self.words_of(scalar, values[0]);
        }
        for (arg, value) in args[1..].iter_mut().zip(values) {
            *arg = match scalar {
                Scalar::Int { bits: 32 | 64, .. } => value,
                Scalar::Float(decl) => {
                    let value = if decl == Decl::F32 { value } else { self.float_to(words[2], Decl::F32, value) };
                    self.l.convert(value, Type::I32)
                }
                _ => {
                    let message = format!("texels of {} bits a component", scalar.bits());
                    return self.unsupported("spirv-image-format-unsupported", message);
                }
            };
        }
        for (buffer, is_it) in self.elements(&image)? {
            args[0] = self.l.b.value(OpKind::ImageAddress { buffer }, None, &place);
            if let Some(is_it) = is_it {
                let nowhere = self.l.b.i32(u32::MAX);
                args[0] = self.l.b.select(is_it, args[0], nowhere);
            }
            self.l.b.op(OpKind::ImageStore { buffer }, None, &args, &[]);
        }
        Ok(true)
    }

    /// `OpImageTexelPointer`: a pointer to the word that is a texel.
    pub(super) fn texel_pointer(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Value> {
        let image = self.pointer(words[0])?;
        let (Root::Images(first, _), Some(Ty::Image(ty))) = (image.root, self.tables.types.get(image.ty)) else {
            return self.invalid("the operand is not a pointer to a storage image");
        };
        let ty = *ty;
        let Some((StorageClass::Image, to)) = self.tables.pointee(instruction.ty) else {
            return self.invalid("the type is not a pointer to a texel");
        };
        let place = self.texel_place(&ty, words[1], Some(words[2]))?;
        let mut address = None;
        let mut roots = Vec::new();
        for (buffer, is_it) in self.elements(&image)? {
            let found = self.l.b.value(OpKind::ImageAddress { buffer }, None, &place);
            address = self.chosen_among(address, is_it, vec![found]);
            roots.push(Root::Buffer(buffer));
        }
        let Some([mut address]) = address.as_deref().and_then(|all| <[ValueId; 1]>::try_from(all).ok()) else {
            return self.invalid("an array without elements");
        };
        if self.tables.types.scalar(to).is_some_and(|scalar| scalar.bits() == 64) {
            // The second word of a texel outside must not be the first of the buffer.
            let (outside, far) = (self.l.b.i32(u32::MAX), self.l.b.i32(u32::MAX - 7));
            let is_outside = self.l.b.int(Op::Ieq, &[address, outside]);
            address = self.l.b.select(is_outside, far, address);
        }
        let mut pointer = self.whole(Root::Buffer(first + image.at as u16), to);
        if let Some(index) = self.sum_of_terms(&image, 1) {
            let number = self.l.b.i32(Root::Buffer(first).number());
            pointer.number = Some(self.l.b.int(Op::Iadd, &[index, number]).into());
            pointer.root = self.one_of(roots);
        }
        pointer.terms.push((address.into(), 1));
        Ok(Value::pointer(pointer))
    }
}
