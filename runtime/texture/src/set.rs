//! Texture units.

use crate::sample::{handled, sample, sample_rows};
use crate::{Image, Sampler};
use parallax_core::exec::{TexQuad, TexRows, Textures};
use parallax_core::{Func, OpKind, TexOp, TexTarget};
use std::fmt;
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

/// A lookup that would not give what the shader means.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No texture is bound to the unit.
    Unit(u16),
    /// Lookups of this shape are not done.
    Target {
        /// Unit.
        unit: u16,
        /// Shape.
        target: TexTarget,
    },
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Unit(unit) => write!(f, "no texture is given for unit {unit}"),
            Missing::Target { unit, target } => {
                let shape = target.name();
                write!(f, "lookups of shape {shape} are not supported (texture unit {unit}): ")?;
                f.write_str(match target {
                    TexTarget::Shadow1D
                    | TexTarget::Shadow2D
                    | TexTarget::ShadowRect
                    | TexTarget::Shadow1DArray
                    | TexTarget::Shadow2DArray
                    | TexTarget::ShadowCube
                    | TexTarget::ShadowCubeArray => {
                        "no document at hand says how depths are compared and how the answers are filtered"
                    }
                    _ => "manifests have no images of this shape",
                })
            }
        }
    }
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

    /// Finds every lookup of the body that would not give what the shader means: units without texture and shapes that
    /// are not handled. A unit bound to [`Unit::Constant`] has any shape. Empty when all is well.
    pub fn check(&self, func: &Func) -> Vec<Missing> {
        let mut found = Vec::new();
        func.walk(|_, op| {
            let OpKind::Tex(tex) = func.ops[op].kind else { return };
            let problem = match self.get(tex.unit) {
                None => Missing::Unit(tex.unit),
                Some(Unit::Image { .. }) if !handled(tex.target) => {
                    Missing::Target { unit: tex.unit, target: tex.target }
                }
                Some(_) => return,
            };
            if !found.contains(&problem) {
                found.push(problem);
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
    use parallax_core::{Builder, Stage, TexMode};

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
    fn missing_units_and_shapes_are_reported() {
        let mut set = TextureSet::default();
        assert_eq!(set.check(&lookup(TexTarget::D2)), [Missing::Unit(3)]);
        let image = Arc::new(Image::rgba8(1, 1, vec![[7; 4]]).unwrap());
        set.set(3, Unit::Image { image, sampler: Sampler::default() });
        assert_eq!(set.check(&lookup(TexTarget::D2)), []);
        assert_eq!(set.check(&lookup(TexTarget::D2Array)), [Missing::Target { unit: 3, target: TexTarget::D2Array }]);
        // Reasons differ: shadow maps are not defined, arrays have no images.
        for (target, reason) in [(TexTarget::Shadow2D, "how depths are compared"), (TexTarget::D2Array, "no images")] {
            let [missing] = set.check(&lookup(target))[..] else { panic!("{target:?}") };
            assert!(missing.to_string().contains(reason), "{missing}");
        }
        set.set(3, Unit::Constant([1, 2, 3, 4]));
        assert_eq!(set.check(&lookup(TexTarget::D2Array)), []);
        let op = TexOp { unit: 3, target: TexTarget::Cube, mode: TexMode::Implicit, project: false, offset: [0; 3] };
        assert_eq!(set.sample(&op, &TexQuad::default()), [[1, 2, 3, 4]; 4]);
    }
}
