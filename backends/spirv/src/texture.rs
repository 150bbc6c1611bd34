//! Texture lookups of the device: it samples; coordinates and what is made of texels are the model's.

use crate::entry::Main;
use crate::interface::{Interface, Texture};
use crate::lookup::{Lookups, Unit, unknown};
use crate::module::Id;
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_num::TextureRule;
use parallax_step::words::{Value, lower};
use parallax_step::{Inst, Mode, Prim, Ty};
use rspirv::spirv::{Capability, Decoration, Dim, ImageOperands, Op, StorageClass};

/// Texel offsets that every device takes, in lookups and in gathers.
const OFFSETS: std::ops::RangeInclusive<i8> = -8..=7;

/// The dimension of an image.
const fn dimension(target: TexTarget) -> Dim {
    use TexTarget::{
        Cube, CubeArray, D1, D1Array, D2, D2Array, D2Samples, D2SamplesArray, D3, Rect, Shadow1D, Shadow1DArray,
        Shadow2D, Shadow2DArray, ShadowCube, ShadowCubeArray, ShadowRect,
    };
    match target {
        D1 | D1Array | Shadow1D | Shadow1DArray => Dim::Dim1D,
        // Images whose coordinates are texels are flat ones whose coordinates are divided.
        D2 | D2Array | Shadow2D | Shadow2DArray | Rect | ShadowRect | D2Samples | D2SamplesArray => Dim::Dim2D,
        D3 => Dim::Dim3D,
        Cube | CubeArray | ShadowCube | ShadowCubeArray => Dim::DimCube,
    }
}

/// The component that a gather takes.
const fn gathered(mode: TexMode) -> Option<u32> {
    match mode {
        TexMode::GatherRed => Some(0),
        TexMode::GatherGreen => Some(1),
        TexMode::GatherBlue => Some(2),
        TexMode::GatherAlpha => Some(3),
        _ => None,
    }
}

/// What a lookup has besides its place.
struct Place {
    pair: Id,
    at: Id,
    /// What texels are compared with.
    reference: Option<Id>,
    /// Computed offsets.
    moved: Option<[Value; 2]>,
    /// The least level of detail.
    least: Option<Id>,
}

impl Main<'_> {
    /// Red, green, blue and alpha, as binary32 patterns.
    pub(crate) fn lookup(&mut self, tex: &TexOp, args: &[Value]) -> [Id; 4] {
        let found = match self.options.lookups {
            Lookups::Native => self.sampled(tex, args),
            Lookups::Faithful(units) => match units.iter().find(|(number, _)| *number == tex.unit) {
                Some((_, unit)) => self.faithful_lookup(tex, unit, args),
                None => Err(unknown(tex.unit)),
            },
        };
        match found {
            Ok(texel) => texel,
            Err(reason) => {
                self.refusals.add(reason);
                [self.module.constant(0); 4]
            }
        }
    }

    fn sampled(&mut self, tex: &TexOp, args: &[Value]) -> Result<[Id; 4], String> {
        let target = tex.target;
        let dim = dimension(target);
        let is_gather = gathered(tex.mode).is_some();
        if tex.moved && !is_gather {
            return Err("lookups with computed offsets: Vulkan has these for gathers alone".to_string());
        }
        if tex.bits && target.is_shadow() {
            return Err("lookups that compare and give words: a device compares numbers alone".to_string());
        }
        if tex.mode == TexMode::Fetch && target.is_cube() {
            return Err("fetches from cubes: Vulkan has none".to_string());
        }
        if tex.mode == TexMode::Fetch {
            // Texels that the image does not have are zeros, which devices promise of buffers alone.
            let plain = TexOp { rule: TextureRule::IEEE, moved: false, project: false, ..*tex };
            return self.faithful_lookup(&plain, &Unit::PLAIN, args);
        }
        if let Some(offset) = tex.offset.iter().find(|offset| !OFFSETS.contains(offset)) {
            return Err(format!("a texel offset of {offset}, where devices take -8 to 7"));
        }
        if dim == Dim::DimCube && tex.offset != [0; 3] {
            return Err("cubes have no texel offsets on devices".to_string());
        }
        if target.is_shadow() && gathered(tex.mode).is_some_and(|component| component != 0) {
            return Err("gathers that compare another component than the first".to_string());
        }
        let count = target.coordinates();
        let operand = |number: Option<usize>| number.and_then(|number| args.get(number)).map(Value::low);
        let mut words: Vec<Id> = args[..count].iter().map(Value::low).collect();
        let mut reference = operand(tex.reference());
        let mut derivatives: Vec<Id> =
            tex.gradients().map_or(Vec::new(), |first| args[first..first + 6].iter().map(Value::low).collect());
        if tex.project {
            let divide = Inst::new(Prim::Fdiv, Ty::F32, Mode::PLAIN.word(), &[]);
            for word in words.iter_mut().chain(&mut reference) {
                *word = lower(self, &divide, &[Value::One(*word), args[3]]).low();
            }
        }
        let (image, pair) = self.pair(tex)?;
        let number = if tex.bits { self.module.word() } else { self.module.float() };
        if target.is_rectangle() {
            self.divided_by_size(image, &mut words);
            derivatives.chunks_mut(3).for_each(|part| self.divided_by_size(image, &mut part[..count]));
        }
        let float = self.module.float();
        if tex.mode == TexMode::Detail {
            self.module.capability(Capability::ImageQuery);
            let (at, two, zero) = (self.floats(&words), self.module.vector(float, 2), self.module.constant(0));
            let levels = self.op(Op::ImageQueryLod, two, &[pair, at]);
            let [taken, computed] = [0, 1].map(|comp| self.op(Op::CompositeExtract, float, &[levels, comp]));
            return Ok([self.pattern(taken), self.pattern(computed), zero, zero]);
        }
        words.extend(operand(tex.layer()));
        let at = self.floats(&words);
        let reference = reference.map(|word| self.number(word));
        let moved = tex.offsets().map(|first| [0, 1].map(|n| args[first + n]));
        let least = operand(tex.least_level_operand());
        let texel = self.image_op(tex, args, &derivatives, &Place { pair, at, reference, moved, least });
        if target.is_shadow() && !is_gather {
            // The answer stands for a colour.
            let (answer, one) = (self.pattern(texel), self.module.constant(1f32.to_bits()));
            return Ok([answer, answer, answer, one]);
        }
        Ok([0, 1, 2, 3].map(|comp| {
            let value = self.op(Op::CompositeExtract, number, &[texel, comp]);
            if tex.bits { value } else { self.pattern(value) }
        }))
    }

    /// The instruction of a lookup: a vector, or the answer of a comparison.
    fn image_op(&mut self, tex: &TexOp, args: &[Value], derivatives: &[Id], place: &Place) -> Id {
        let float = self.module.float();
        let number = if tex.bits { self.module.word() } else { float };
        let vector = self.module.vector(number, 4);
        let compares = place.reference.is_some();
        let mut operands = vec![place.pair, place.at];
        operands.extend(place.reference);
        let mut mask = ImageOperands::NONE;
        let mut more: Vec<Id> = Vec::new();
        let op = match tex.mode {
            TexMode::Implicit | TexMode::Bias if compares => Op::ImageSampleDrefImplicitLod,
            TexMode::Implicit | TexMode::Bias => Op::ImageSampleImplicitLod,
            _ if gathered(tex.mode).is_some() && compares => Op::ImageDrefGather,
            _ if gathered(tex.mode).is_some() => Op::ImageGather,
            _ if compares => Op::ImageSampleDrefExplicitLod,
            _ => Op::ImageSampleExplicitLod,
        };
        match (tex.mode, gathered(tex.mode)) {
            (TexMode::Bias, _) => {
                mask |= ImageOperands::BIAS;
                more.push(self.number(args[3].low()));
            }
            (TexMode::Level, _) => {
                mask |= ImageOperands::LOD;
                let level = args[3].low();
                let level = place.least.map_or(level, |least| {
                    let less = Inst::new(Prim::Flt, Ty::F32, 0, &[]);
                    let is_raised = lower(self, &less, &[Value::One(level), Value::One(least)]).low();
                    let word = self.module.word();
                    self.op(Op::Select, word, &[is_raised, least, level])
                });
                more.push(self.number(level));
            }
            (TexMode::Grad, _) => {
                mask |= ImageOperands::GRAD;
                let count = tex.target.coordinates();
                for part in derivatives.chunks(3) {
                    more.push(self.floats(&part[..count.min(part.len())]));
                }
            }
            (_, Some(component)) if !compares => operands.push(self.module.constant(component)),
            _ => {}
        }
        if let Some(moved) = place.moved {
            self.module.capability(Capability::ImageGatherExtended);
            mask |= ImageOperands::OFFSET;
            more.push(self.offsets(tex, moved));
        } else if tex.offset != [0; 3] {
            mask |= ImageOperands::CONST_OFFSET;
            let offsets: Vec<Id> = tex.offset[..tex.target.coordinates()]
                .iter()
                .map(|&by| self.module.signed_constant(by.into()))
                .collect();
            more.push(match offsets[..] {
                [one] => one,
                _ => {
                    let signed = self.module.signed();
                    let ty = self.module.vector(signed, offsets.len() as u32);
                    self.module.composite(ty, &offsets)
                }
            });
        }
        if let Some(least) = place.least.filter(|_| tex.mode != TexMode::Level) {
            self.module.capability(Capability::MinLod);
            mask |= ImageOperands::MIN_LOD;
            more.push(self.number(least));
        }
        if mask != ImageOperands::NONE {
            operands.push(mask.bits());
            operands.extend(more);
        }
        let is_answer = compares && gathered(tex.mode).is_none();
        self.op(op, if is_answer { float } else { vector }, &operands)
    }

    /// Computed offsets of a gather, with those of the instruction, as signed numbers.
    fn offsets(&mut self, tex: &TexOp, moved: [Value; 2]) -> Id {
        let signed = self.module.signed();
        let cut = Inst::new(Prim::ToInt, Ty::F32, 0, &[]);
        let parts = [0, 1].map(|n| {
            let (whole, by) = (lower(self, &cut, &[moved[n]]), self.module.constant(i32::from(tex.offset[n]) as u32));
            let sum = lower(self, &Inst::new(Prim::Add, Ty::I32, 0, &[]), &[whole, Value::One(by)]).low();
            self.op(Op::Bitcast, signed, &[sum])
        });
        let ty = self.module.vector(signed, 2);
        self.op(Op::CompositeConstruct, ty, &parts)
    }

    /// Numbers in texels of the largest level as numbers from 0 to 1, in the device's floats.
    fn divided_by_size(&mut self, image: Id, words: &mut [Id]) {
        self.module.capability(Capability::ImageQuery);
        let (signed, float) = (self.module.signed(), self.module.float());
        let (ty, largest) = (self.module.vector(signed, 2), self.module.signed_constant(0));
        let size = self.op(Op::ImageQuerySizeLod, ty, &[image, largest]);
        for (comp, word) in (0..).zip(words) {
            let side = self.op(Op::CompositeExtract, signed, &[size, comp]);
            let side = self.op(Op::ConvertSToF, float, &[side]);
            let number = self.number(*word);
            let quotient = self.op(Op::FDiv, float, &[number, side]);
            *word = self.pattern(quotient);
        }
    }

    /// Words as a float, or a vector of floats.
    fn floats(&mut self, words: &[Id]) -> Id {
        let float = self.module.float();
        let numbers: Vec<Id> = words.iter().map(|&word| self.number(word)).collect();
        match numbers[..] {
            [one] => one,
            _ => {
                let ty = self.module.vector(float, numbers.len() as u32);
                self.op(Op::CompositeConstruct, ty, &numbers)
            }
        }
    }

    fn image(&mut self, target: TexTarget, words: bool) -> Id {
        let dim = dimension(target);
        if dim == Dim::Dim1D {
            self.module.capability(Capability::Sampled1D);
        }
        if dim == Dim::DimCube && target.is_array() {
            self.module.capability(Capability::SampledCubeArray);
        }
        let number = if words { self.module.word() } else { self.module.float() };
        // Sampled, of no known format.
        let [depth, arrayed, multisampled] =
            [target.is_shadow(), target.is_array(), target.is_multisampled()].map(u32::from);
        self.module.ty(Op::TypeImage, &[number, dim as u32, depth, arrayed, multisampled, 1, 0])
    }

    /// The image of a unit that the device samples, and its type.
    pub(crate) fn native_image(&mut self, tex: &TexOp) -> Result<(Id, Id), String> {
        let image_ty = self.image(tex.target, tex.bits);
        let sampler_ty = self.module.ty(Op::TypeSampler, &[]);
        Ok((self.unit(tex, image_ty, sampler_ty)?.0, image_ty))
    }

    /// The image of a unit, and image and sampler taken together.
    fn pair(&mut self, tex: &TexOp) -> Result<(Id, Id), String> {
        let image_ty = self.image(tex.target, tex.bits);
        let sampler_ty = self.module.ty(Op::TypeSampler, &[]);
        let pair_ty = self.module.ty(Op::TypeSampledImage, &[image_ty]);
        let (image, sampler) = self.unit(tex, image_ty, sampler_ty)?;
        let image = self.op(Op::Load, image_ty, &[image]);
        let sampler = self.op(Op::Load, sampler_ty, &[sampler]);
        Ok((image, self.op(Op::SampledImage, pair_ty, &[image, sampler])))
    }

    /// Image and sampler of a unit.
    fn unit(&mut self, tex: &TexOp, image_ty: Id, sampler_ty: Id) -> Result<(Id, Id), String> {
        let (target, unit) = (tex.target, tex.unit);
        if let Some(&known) = self.textures.get(&unit) {
            let shape = self.interface.textures.iter().find(|texture| texture.unit == unit).map(|t| t.target);
            return match shape {
                Some(shape) if shape != target => {
                    let [one, other] = [shape, target].map(TexTarget::name);
                    Err(format!("texture unit {unit} is looked up as `{one}` and as `{other}`"))
                }
                _ => self.same_texels(tex).map(|()| known),
            };
        }
        let (set, first) = (Interface::TEXTURES, 2 * u32::from(unit));
        // Images with several samples have no samplers.
        let sampler = (!target.is_multisampled()).then_some(first + 1);
        let parts = [(image_ty, "texture", Some(first)), (sampler_ty, "sampler", sampler)];
        let made = parts.map(|(ty, name, binding)| {
            let Some(binding) = binding else { return 0 };
            let variable = self.module.variable(StorageClass::UniformConstant, ty, None);
            self.module.decorate(variable, Decoration::DescriptorSet, &[set]);
            self.module.decorate(variable, Decoration::Binding, &[binding]);
            self.module.name(variable, &format!("{name}{unit}"));
            variable
        });
        let texture = Texture { unit, target, set, image: first, sampler, words: tex.bits, faithful: None };
        self.interface.textures.push(texture);
        self.textures.insert(unit, made.into());
        Ok(made.into())
    }
}
