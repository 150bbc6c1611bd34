//! Textures of both sides of a comparison: those of the engine, and those that the device is given.

use crate::device::Failure;
use crate::draw::{Border, Texture, Wrapping};
use crate::fetched;
use parallax_core::TexOp;
use parallax_core::exec::{TexQuad, Textures};
use parallax_num::{LayerRound, TextureRule};
use parallax_spirv_out::Interface;
use parallax_texture::{Filter, Image, Mip, Sampler, TextureSet, Unit, Wrap};
use std::sync::Arc;

/// Textures of a draw: the engine's, and the device's with or without samplers.
pub(crate) struct Bound {
    pub(crate) ours: Box<dyn Textures>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) images: Vec<crate::Image>,
}

/// Textures for both sides.
pub(crate) fn both_sides(interface: &Interface, given: &TextureSet) -> Result<Bound, Failure> {
    if interface.textures.iter().any(|texture| texture.faithful.is_some()) {
        let (ours, images) = fetched::whole(interface, given)?;
        return Ok(Bound { ours: Box::new(ours), textures: Vec::new(), images });
    }
    let (ours, textures) = nearest(interface, given)?;
    Ok(Bound { ours: Box::new(Plainest(ours)), textures, images: Vec::new() })
}

/// Textures for both sides: the largest level, the nearest texel.
fn nearest(interface: &Interface, given: &TextureSet) -> Result<(TextureSet, Vec<Texture>), Failure> {
    let (mut ours, mut theirs) = (TextureSet::default(), Vec::new());
    for unit in &interface.textures {
        let (is_cube, compares) = (unit.target.is_cube(), unit.target.is_shadow());
        let dim = if is_cube { 6 } else { unit.target.coordinates() as u32 };
        let (size, texels, sampler) = match given.get(unit.unit) {
            None => return Err(Failure::new(format!("no texture is given for unit {}", unit.unit))),
            Some(Unit::Constant(texel)) => {
                let size = [1, 1, if is_cube { 6 } else { 1 }];
                (size, vec![*texel; size[2] as usize], Sampler::default())
            }
            Some(Unit::Image { image, sampler }) => {
                let size @ [width, height, depth] = image.size(0);
                let rows = (0..depth).flat_map(|z| (0..height).map(move |y| (y, z)));
                let texels = rows.flat_map(|(y, z)| (0..width).map(move |x| image.texel(0, [x, y, z]))).collect();
                (size, texels, *sampler)
            }
        };
        let one = 1f32.to_bits();
        // Of depths red alone is compared.
        let border = match sampler.border {
            [red, ..] if compares && red == 0 => Border::Transparent,
            [red, ..] if compares && red == one => Border::White,
            [0, 0, 0, 0] => Border::Transparent,
            [0, 0, 0, alpha] if alpha == one && !unit.words => Border::Black,
            border if border == [one; 4] && !unit.words => Border::White,
            _ if unit.words && !is_cube && sampler.wrap.contains(&Wrap::Border) => {
                return Err(Failure::new(format!("unit {}: a border of integers other than zeros", unit.unit)));
            }
            // Nobody sees it.
            _ if is_cube || !sampler.wrap.contains(&Wrap::Border) => Border::Transparent,
            _ => {
                return Err(Failure::new(format!(
                    "unit {}: a border of another colour than black and white",
                    unit.unit
                )));
            }
        };
        let wrap = sampler.wrap.map(|wrap| match wrap {
            _ if is_cube => Wrapping::Clamp,
            Wrap::Repeat => Wrapping::Repeat,
            Wrap::Mirror => Wrapping::Mirror,
            Wrap::Clamp => Wrapping::Clamp,
            Wrap::Border => Wrapping::Border,
        });
        let words = match compares {
            false => texels.iter().flatten().copied().collect(),
            true => texels.iter().map(|texel| texel[0]).collect::<Vec<u32>>(),
        };
        let is_depth = |&word: &u32| (0.0..=1.0).contains(&f32::from_bits(word));
        if compares && !words.iter().all(is_depth) {
            return Err(Failure::new(format!("unit {}: depths lie outside of 0 to 1", unit.unit)));
        }
        let (arrayed, compare, integers) = (unit.target.is_array(), compares.then_some(sampler.compare), unit.words);
        let (set, sampler_at) = (unit.set, unit.sampler.unwrap_or(unit.image + 1));
        let image = unit.image;
        theirs.push(Texture {
            set,
            image,
            sampler: sampler_at,
            dim,
            arrayed,
            size,
            words,
            integers,
            compare,
            wrap,
            border,
        });
        let image = Image::rgba32f_volume(size, texels).map_err(|problem| Failure::new(problem.to_string()))?;
        let sampler = Sampler { filter: Filter::Nearest, minify: None, mip: Mip::None, ..sampler };
        ours.set(unit.unit, Unit::Image { image: Arc::new(image), sampler });
    }
    Ok((ours, theirs))
}

/// Lookups as the plainest unit does them, whatever the model's does: those of the device are not the model's. Layers are rounded as
/// Vulkan says.
struct Plainest(TextureSet);

impl Textures for Plainest {
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
        let rule = TextureRule { layer: LayerRound::NearestEven, ..TextureRule::IEEE };
        self.0.sample(&TexOp { rule, ..*op }, quad)
    }
}
