//! Texture units.

use crate::sample::{flat, sample, sample_rows};
use crate::{image::Image, sampler::Sampler};
use parallax_core::exec::{FlatImage, ImageLayout, TexQuad, TexRows, Textures};
use parallax_core::{Func, OpKind, TexOp};
use std::sync::Arc;

/// What a unit gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Unit {
    /// The same four binary32 patterns for every lookup.
    Constant([u32; 4]),
    /// A filtered image.
    Image {
        /// Texels.
        image: Arc<Image>,
        /// Filter, wrapping, border.
        sampler: Sampler,
    },
}

/// Texture units by number, and the images in buffers by the numbers of those.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureSet {
    units: Vec<Option<Unit>>,
    images: Vec<Option<ImageLayout>>,
}

impl TextureSet {
    /// The same textures at other units, where `to` says so; images stay.
    pub fn renumbered(&self, to: impl Fn(u16) -> Option<u16>) -> TextureSet {
        let mut set = TextureSet { units: Vec::new(), images: self.images.clone() };
        for (unit, texture) in (0..).zip(&self.units) {
            if let (Some(texture), Some(unit)) = (texture, to(unit)) {
                set.set(unit, texture.clone());
            }
        }
        set
    }

    /// Binds a unit.
    pub fn set(&mut self, unit: u16, texture: Unit) {
        let at = usize::from(unit);
        if self.units.len() <= at {
            self.units.resize(at + 1, None);
        }
        self.units[at] = Some(texture);
    }

    /// What is bound to a unit.
    pub fn get(&self, unit: u16) -> Option<&Unit> {
        self.units.get(usize::from(unit))?.as_ref()
    }

    /// Says what the image in a buffer is like.
    pub fn set_image(&mut self, buffer: u16, image: ImageLayout) {
        let at = usize::from(buffer);
        if self.images.len() <= at {
            self.images.resize(at + 1, None);
        }
        self.images[at] = Some(image);
    }

    /// The units that the body looks up and that have no texture, in the order of their first lookups.
    pub fn missing(&self, func: &Func) -> Vec<u16> {
        let mut found = Vec::new();
        func.walk(|_, op| {
            let unit = match func.ops[op].kind {
                OpKind::Tex(tex) => tex.unit,
                OpKind::TextureSize { unit, .. } => unit,
                _ => return,
            };
            if self.get(unit).is_none() && !found.contains(&unit) {
                found.push(unit);
            }
        });
        found
    }
}

impl Textures for TextureSet {
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
        match self.get(op.unit) {
            None => [[0; 4]; 4],
            Some(Unit::Constant(texel)) => match op.mode.gathered() {
                Some(comp) => [[texel[comp]; 4]; 4],
                None => [*texel; 4],
            },
            Some(Unit::Image { image, sampler }) => sample(image, sampler, op, quad),
        }
    }

    fn size(&self, unit: u16, level: u32) -> [u32; 4] {
        match self.get(unit) {
            Some(Unit::Constant(_)) if level == 0 => [1; 4],
            Some(Unit::Constant(_)) => [0, 0, 0, 1],
            Some(Unit::Image { image, .. }) => {
                let (samples, levels) = (image.samples(), image.levels());
                let [width, height, depth] = if level < levels { image.size(level) } else { [0; 3] };
                [width, height, depth / samples, levels.max(samples)]
            }
            None => [0; 4],
        }
    }

    fn image(&self, buffer: u16) -> Option<ImageLayout> {
        *self.images.get(usize::from(buffer))?
    }

    fn flat(&self, op: &TexOp, only: Option<usize>) -> Option<FlatImage<'_>> {
        match self.get(op.unit) {
            Some(Unit::Image { image, sampler }) => flat(image, sampler, op)?.image(only),
            _ => None,
        }
    }

    fn sample_rows(&self, op: &TexOp, lookup: &TexRows<'_>, texels: &mut [&mut [u32]; 4]) {
        match self.get(op.unit) {
            Some(Unit::Image { image, sampler }) => sample_rows(image, sampler, op, lookup, texels),
            // The same for all lanes.
            _ => {
                let [texel, ..] = self.sample(op, &TexQuad::default());
                texels.iter_mut().zip(texel).for_each(|(row, word)| row.fill(word));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::num::{Decl, Slot};
    use parallax_core::{Builder, Stage, TexMode, TexTarget};

    fn lookup(target: TexTarget) -> Func {
        let mut func = Func::new("t", "test", Stage::Fragment);
        let body = func.body;
        let mut b = Builder::at(&mut func, body);
        let slot = b.slot(Slot::plain(Decl::F32));
        let zero = b.float(slot, 0);
        b.tex(TexOp::plain(3, target, TexMode::Implicit), slot, &[zero; 4]);
        func
    }

    #[test]
    fn missing_units_are_found() {
        let mut set = TextureSet::default();
        assert_eq!(set.missing(&lookup(TexTarget::D2)), [3]);
        let image = Arc::new(Image::rgba8(1, 1, vec![[7; 4]]).unwrap());
        set.set(3, Unit::Image { image, sampler: Sampler::default() });
        assert_eq!(set.missing(&lookup(TexTarget::D2)), []);
        set.set(3, Unit::Constant([1, 2, 3, 4]));
        let op = TexOp::plain(3, TexTarget::Cube, TexMode::Implicit);
        assert_eq!(set.sample(&op, &TexQuad::default()), [[1, 2, 3, 4]; 4]);
    }
}
