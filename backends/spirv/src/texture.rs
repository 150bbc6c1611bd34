//! Texture lookups: the device samples; coordinates and texels are the model's.

use crate::entry::Main;
use crate::interface::{Interface, Texture};
use crate::module::Id;
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_step::words::{Value, lower};
use parallax_step::{Inst, Mode, Prim, Ty};
use rspirv::spirv::{Decoration, Dim, Op, StorageClass};

/// The dimension of an image, and how many coordinates it has.
const fn shape(target: TexTarget) -> Option<(Dim, usize)> {
    match target {
        TexTarget::D2 => Some((Dim::Dim2D, 2)),
        TexTarget::D3 => Some((Dim::Dim3D, 3)),
        TexTarget::Cube => Some((Dim::DimCube, 3)),
        _ => None,
    }
}

impl Main<'_> {
    /// Red, green, blue and alpha, as binary32 patterns.
    pub(crate) fn lookup(&mut self, tex: &TexOp, args: &[Value]) -> [Id; 4] {
        let zeros = [self.module.constant(0); 4];
        let Some((dim, count)) = shape(tex.target) else {
            self.refusals.add(format!("lookups of shape `{}` have no translation yet", tex.target.name()));
            return zeros;
        };
        let is_plain = tex.offset == [0; 3] && !tex.moved && !tex.least_level && !tex.bits;
        if !is_plain || !matches!(tex.mode, TexMode::Implicit | TexMode::Bias | TexMode::Level) {
            self.refusals
                .add("lookups with offsets, gradients, a least level, gathers and fetches have no translation yet");
            return zeros;
        }
        let mut coordinates: Vec<Id> = args[..count].iter().map(Value::low).collect();
        if tex.project {
            let divide = Inst::new(Prim::Fdiv, Ty::F32, Mode::PLAIN.word(), &[]);
            for coordinate in &mut coordinates {
                *coordinate = lower(self, &divide, &[Value::One(*coordinate), args[3]]).low();
            }
        }
        let float = self.module.float();
        let coordinates: Vec<Id> = coordinates.into_iter().map(|word| self.number(word)).collect();
        let ty = self.module.vector(float, count as u32);
        let place = self.op(Op::CompositeConstruct, ty, &coordinates);
        let (image, sampler) = self.unit(tex, dim);
        let image_ty = self.image(dim);
        let sampler_ty = self.module.ty(Op::TypeSampler, &[]);
        let pair_ty = self.module.ty(Op::TypeSampledImage, &[image_ty]);
        let image = self.op(Op::Load, image_ty, &[image]);
        let sampler = self.op(Op::Load, sampler_ty, &[sampler]);
        let pair = self.op(Op::SampledImage, pair_ty, &[image, sampler]);
        let vector = self.module.vector(float, 4);
        const BIAS: u32 = 1;
        const LOD: u32 = 2;
        let texel = match tex.mode {
            TexMode::Implicit => self.op(Op::ImageSampleImplicitLod, vector, &[pair, place]),
            TexMode::Bias => {
                let bias = self.number(args[3].low());
                self.op(Op::ImageSampleImplicitLod, vector, &[pair, place, BIAS, bias])
            }
            _ => {
                let level = self.number(args[3].low());
                self.op(Op::ImageSampleExplicitLod, vector, &[pair, place, LOD, level])
            }
        };
        [0, 1, 2, 3].map(|comp| {
            let value = self.op(Op::CompositeExtract, float, &[texel, comp]);
            self.pattern(value)
        })
    }

    fn image(&mut self, dim: Dim) -> Id {
        let float = self.module.float();
        // No depth, no array, one sample, sampled, of no known format.
        self.module.ty(Op::TypeImage, &[float, dim as u32, 0, 0, 0, 1, 0])
    }

    /// Image and sampler of a unit.
    fn unit(&mut self, tex: &TexOp, dim: Dim) -> (Id, Id) {
        if let Some(&known) = self.textures.get(&tex.unit) {
            return known;
        }
        let image = self.image(dim);
        let sampler = self.module.ty(Op::TypeSampler, &[]);
        let (set, first) = (Interface::TEXTURES, 2 * u32::from(tex.unit));
        let mut made = [0; 2];
        for ((variable, ty), binding) in made.iter_mut().zip([image, sampler]).zip(first..) {
            *variable = self.module.variable(StorageClass::UniformConstant, ty, None);
            self.module.decorate(*variable, Decoration::DescriptorSet, &[set]);
            self.module.decorate(*variable, Decoration::Binding, &[binding]);
        }
        self.module.name(made[0], &format!("texture{}", tex.unit));
        self.module.name(made[1], &format!("sampler{}", tex.unit));
        let texture = Texture { unit: tex.unit, target: tex.target, set, image: first, sampler: first + 1 };
        self.interface.textures.push(texture);
        self.textures.insert(tex.unit, (made[0], made[1]));
        (made[0], made[1])
    }
}
