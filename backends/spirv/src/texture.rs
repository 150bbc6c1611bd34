//! Texture lookups of the device: it samples; coordinates and what is made of texels are the model's.

use crate::entry::Main;
use crate::interface::{Interface, Texture};
use crate::lookup::Lookups;
use crate::module::Id;
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_step::words::{Value, lower};
use parallax_step::{Inst, Mode, Prim, Ty};
use rspirv::spirv::{Capability, Decoration, Dim, ImageOperands, Op, StorageClass};

/// Texel offsets that every device takes, in lookups and in gathers.
const OFFSETS: std::ops::RangeInclusive<i8> = -8..=7;

/// The dimension of an image; none where Vulkan has no such image, or none that is sampled.
const fn dimension(target: TexTarget) -> Option<Dim> {
    use TexTarget::{
        Cube, CubeArray, D1, D1Array, D2, D2Array, D2Samples, D2SamplesArray, D3, Rect, Shadow1D, Shadow1DArray,
        Shadow2D, Shadow2DArray, ShadowCube, ShadowCubeArray, ShadowRect,
    };
    match target {
        D1 | D1Array | Shadow1D | Shadow1DArray => Some(Dim::Dim1D),
        D2 | D2Array | Shadow2D | Shadow2DArray => Some(Dim::Dim2D),
        D3 => Some(Dim::Dim3D),
        Cube | CubeArray | ShadowCube | ShadowCubeArray => Some(Dim::DimCube),
        Rect | ShadowRect | D2Samples | D2SamplesArray => None,
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
}

impl Main<'_> {
    /// Red, green, blue and alpha, as binary32 patterns.
    pub(crate) fn lookup(&mut self, tex: &TexOp, args: &[Value]) -> [Id; 4] {
        let found = match self.options.lookups {
            Lookups::Native => self.sampled(tex, args),
            Lookups::Faithful(units) => match units.iter().find(|(number, _)| *number == tex.unit) {
                Some((_, unit)) => self.faithful_lookup(tex, unit, args),
                None => Err(format!("faithful lookups need to know format and sampler of texture unit {}", tex.unit)),
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
        let Some(dim) = dimension(target) else {
            return Err(format!("lookups of shape `{}` have no translation yet", target.name()));
        };
        if tex.moved || tex.least_level || tex.bits || matches!(tex.mode, TexMode::Fetch | TexMode::Detail) {
            return Err("lookups with computed offsets or a least level, fetches, and queries for the level have no translation yet"
                .to_string());
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
        let (count, arrayed) = (target.coordinates(), target.is_array());
        let mut words: Vec<Id> = args[..count].iter().map(Value::low).collect();
        let mut rest = args[4..].iter().map(Value::low);
        let layer = arrayed.then(|| rest.next()).flatten();
        let mut reference = target.is_shadow().then(|| rest.next()).flatten();
        let derivatives: Vec<Id> = rest.take(6).collect();
        if tex.project {
            let divide = Inst::new(Prim::Fdiv, Ty::F32, Mode::PLAIN.word(), &[]);
            for word in words.iter_mut().chain(&mut reference) {
                *word = lower(self, &divide, &[Value::One(*word), args[3]]).low();
            }
        }
        words.extend(layer);
        let at = self.floats(&words);
        let pair = self.pair(tex, dim)?;
        let reference = reference.map(|word| self.number(word));
        let texel = self.image_op(tex, args, &derivatives, &Place { pair, at, reference });
        let (float, is_gather) = (self.module.float(), gathered(tex.mode).is_some());
        if target.is_shadow() && !is_gather {
            // The answer stands for a colour.
            let (answer, one) = (self.pattern(texel), self.module.constant(1f32.to_bits()));
            return Ok([answer, answer, answer, one]);
        }
        Ok([0, 1, 2, 3].map(|comp| {
            let value = self.op(Op::CompositeExtract, float, &[texel, comp]);
            self.pattern(value)
        }))
    }

    /// The instruction of a lookup: a vector, or the answer of a comparison.
    fn image_op(&mut self, tex: &TexOp, args: &[Value], derivatives: &[Id], place: &Place) -> Id {
        let float = self.module.float();
        let vector = self.module.vector(float, 4);
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
                more.push(self.number(args[3].low()));
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
        if tex.offset != [0; 3] {
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
        if mask != ImageOperands::NONE {
            operands.push(mask.bits());
            operands.extend(more);
        }
        let is_answer = compares && gathered(tex.mode).is_none();
        self.op(op, if is_answer { float } else { vector }, &operands)
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

    fn image(&mut self, target: TexTarget, dim: Dim) -> Id {
        if dim == Dim::Dim1D {
            self.module.capability(Capability::Sampled1D);
        }
        if dim == Dim::DimCube && target.is_array() {
            self.module.capability(Capability::SampledCubeArray);
        }
        let float = self.module.float();
        // One sample, sampled, of no known format.
        let (depth, arrayed) = (target.is_shadow().into(), target.is_array().into());
        self.module.ty(Op::TypeImage, &[float, dim as u32, depth, arrayed, 0, 1, 0])
    }

    /// Image and sampler of a unit, taken together.
    fn pair(&mut self, tex: &TexOp, dim: Dim) -> Result<Id, String> {
        let image_ty = self.image(tex.target, dim);
        let sampler_ty = self.module.ty(Op::TypeSampler, &[]);
        let pair_ty = self.module.ty(Op::TypeSampledImage, &[image_ty]);
        let (image, sampler) = self.unit(tex, image_ty, sampler_ty)?;
        let image = self.op(Op::Load, image_ty, &[image]);
        let sampler = self.op(Op::Load, sampler_ty, &[sampler]);
        Ok(self.op(Op::SampledImage, pair_ty, &[image, sampler]))
    }

    /// Image and sampler of a unit.
    fn unit(&mut self, tex: &TexOp, image_ty: Id, sampler_ty: Id) -> Result<(Id, Id), String> {
        if let Some(&known) = self.textures.get(&tex.unit) {
            let shape = self.interface.textures.iter().find(|texture| texture.unit == tex.unit).map(|t| t.target);
            return match shape {
                Some(shape) if shape != tex.target => Err(format!(
                    "texture unit {} is looked up as `{}` and as `{}`",
                    tex.unit,
                    shape.name(),
                    tex.target.name()
                )),
                _ => Ok(known),
            };
        }
        let (set, first) = (Interface::TEXTURES, 2 * u32::from(tex.unit));
        let mut made = [0; 2];
        for ((variable, ty), binding) in made.iter_mut().zip([image_ty, sampler_ty]).zip(first..) {
            *variable = self.module.variable(StorageClass::UniformConstant, ty, None);
            self.module.decorate(*variable, Decoration::DescriptorSet, &[set]);
            self.module.decorate(*variable, Decoration::Binding, &[binding]);
        }
        self.module.name(made[0], &format!("texture{}", tex.unit));
        self.module.name(made[1], &format!("sampler{}", tex.unit));
        let sampler = Some(first + 1);
        let texture = Texture { unit: tex.unit, target: tex.target, set, image: first, sampler, faithful: None };
        self.interface.textures.push(texture);
        self.textures.insert(tex.unit, (made[0], made[1]));
        Ok((made[0], made[1]))
    }
}
