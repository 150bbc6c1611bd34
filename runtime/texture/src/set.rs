//! Texture units.

use crate::sample::{flat, sample, sample_rows};
use crate::{image::Image, sampler::Sampler};
use parallax_core::exec::{FlatImage, TexQuad, TexRows, Textures};
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

/// Texture units by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureSet {
    units: Vec<Option<Unit>>,
}

impl TextureSet {
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

    /// The units that the body looks up and that have no texture, in the order of their first lookups.
    pub fn missing(&self, func: &Func) -> Vec<u16> {
        let mut found = Vec::new();
        func.walk(|_, op| {
            let OpKind::Tex(tex) = func.ops[op].kind else { return };
            if self.get(tex.unit).is_none() && !found.contains(&tex.unit) {
                found.push(tex.unit);
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

    fn flat(&self, op: &TexOp) -> Option<FlatImage<'_>> {
        match self.get(op.unit) {
            Some(Unit::Image { image, sampler }) => flat(image, sampler, op)?.image(),
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
        b.tex(TexOp { unit: 3, target, mode: TexMode::Implicit, project: false, offset: [0; 3] }, slot, &[zero; 4]);
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
        let op = TexOp { unit: 3, target: TexTarget::Cube, mode: TexMode::Implicit, project: false, offset: [0; 3] };
        assert_eq!(set.sample(&op, &TexQuad::default()), [[1, 2, 3, 4]; 4]);
    }
}
