//! Textures of modules that look up themselves: whole images, with all levels, and no samplers.

use crate::device::Failure;
use crate::{Image as Bound, Use};
use parallax_core::TexTarget;
use parallax_spirv_out::{Fetched, Interface, Texture, Unit as Taken};
use parallax_texture::{Image, Sampler, TexelFormat, TextureSet, Unit, srgb_number};
use std::sync::Arc;

/// Textures of the engine and images of the device.
///
/// # Errors
/// A unit without a texture, or with another than the module takes it for.
pub(crate) fn whole(interface: &Interface, given: &TextureSet) -> Result<(TextureSet, Vec<Bound>), Failure> {
    let (mut ours, mut theirs) = (TextureSet::default(), Vec::new());
    for texture in &interface.textures {
        let unit = texture.unit;
        let (image, sampler) = match given.get(unit) {
            None => return Err(Failure::new(format!("no texture is given for unit {unit}"))),
            Some(Unit::Image { image, sampler }) => (image.clone(), *sampler),
            Some(Unit::Constant(texel)) => {
                let size = [1, 1, if texture.target.is_cube() { 6 } else { 1 }];
                let image = Image::rgba32f_volume(size, vec![*texel; size[2] as usize]);
                let image = image.map_err(|problem| Failure::new(problem.to_string()))?;
                (Arc::new(image), Sampler::default())
            }
        };
        let taken = Taken { format: image.format(), sampler };
        if texture.faithful != Some(taken) {
            return Err(Failure::new(format!(
                "unit {unit} has another format or sampler than the module was made for: expected {:?}, found {taken:?}",
                texture.faithful
            )));
        }
        theirs.push(bound(texture, &image, taken));
        ours.set(unit, Unit::Image { image, sampler });
    }
    Ok((ours, theirs))
}

/// An image as a module fetches from it.
fn bound(texture: &Texture, image: &Image, taken: Taken) -> Bound {
    let shape = texture.shape();
    let (format, words) = match texture.fetched().unwrap_or(taken.fetched()) {
        Fetched::Unorm8 => ("rgba8", texels(image).map(|texel| packed(taken.format, texel)).collect()),
        Fetched::Binary32 => ("rgba32f", texels(image).flatten().collect()),
        Fetched::Words => ("rgba32ui", texels(image).flatten().collect()),
    };
    let [width, height, depth] = image.size(0);
    Bound {
        set: texture.set,
        binding: texture.image,
        used: Use::Fetched(image.levels()),
        dim: shape.coordinates() as u32,
        arrayed: shape.is_array(),
        size: [width, if matches!(shape, TexTarget::D1 | TexTarget::D1Array) { 1 } else { height }, depth],
        format,
        words,
    }
}

/// All texels, level by level.
fn texels(image: &Image) -> impl Iterator<Item = [u32; 4]> {
    (0..image.levels()).flat_map(move |level| {
        let [width, height, depth] = image.size(level);
        let rows = (0..depth).flat_map(move |z| (0..height).map(move |y| (y, z)));
        rows.flat_map(move |(y, z)| (0..width).map(move |x| image.texel(level, [x, y, z])))
    })
}

/// Four bytes of a texel that is given as numbers.
fn packed(format: TexelFormat, texel: [u32; 4]) -> u32 {
    let [color @ .., alpha] = texel.map(f32::from_bits);
    // Exact up to far less than half a step.
    let plain = |number: f32| (number * 255.0 + 0.5) as u8;
    let [red, green, blue] = color.map(|number| match format {
        TexelFormat::Srgb8 => (0..=255).find(|&code| srgb_number(code) >= number).unwrap_or(255),
        _ => plain(number),
    });
    u32::from_le_bytes([red, green, blue, plain(alpha)])
}
