//! Sets of small images: what code can look up itself, and what it leaves to the host.

use crate::batch::CORNERS;
use parallax_core::exec::Textures;
use parallax_random::Random;
use parallax_texture::{Filter, Image, Sampler, TextureSet, Unit, Wrap};
use std::array::from_fn;
use std::sync::{Arc, LazyLock};

/// Size, wrapping and filter of the image of each set, whether its texels are binary32 patterns instead of bytes.
const IMAGES: [([u32; 2], [Wrap; 2], Filter, bool); COUNT] = [
    ([4, 8], [Wrap::Repeat, Wrap::Clamp], Filter::Linear, true),
    ([5, 3], [Wrap::Clamp, Wrap::Clamp], Filter::Linear, true),
    ([1, 1], [Wrap::Repeat, Wrap::Repeat], Filter::Linear, true),
    ([16, 2], [Wrap::Repeat, Wrap::Repeat], Filter::Linear, false),
    ([1, 64], [Wrap::Clamp, Wrap::Repeat], Filter::Linear, false),
    // What the host samples.
    ([4, 4], [Wrap::Repeat, Wrap::Repeat], Filter::Nearest, true),
    ([3, 4], [Wrap::Mirror, Wrap::Border], Filter::Linear, false),
];

/// How many sets there are.
pub(crate) const COUNT: usize = 7;

/// The set of a number below [`COUNT`]: its image in each of the units that random shaders look up.
pub(crate) fn set(number: usize) -> &'static dyn Textures {
    static SETS: LazyLock<[TextureSet; COUNT]> = LazyLock::new(|| from_fn(made));
    &SETS[number]
}

fn made(number: usize) -> TextureSet {
    let ([width, height], [s, t], filter, patterns) = IMAGES[number];
    let mut random = Random::new(number as u64);
    let count = (width * height) as usize;
    let image = if patterns {
        // One component in eight is out of the ordinary.
        let mut component = || match random.word() {
            word if word.is_multiple_of(8) => CORNERS[(word >> 32) as usize % CORNERS.len()],
            word => 0x3f00_0000 | (word >> 40) as u32,
        };
        Image::rgba32f(width, height, (0..count).map(|_| from_fn(|_| component())).collect())
    } else {
        Image::rgba8(width, height, (0..count).map(|_| (random.word() as u32).to_le_bytes()).collect())
    };
    let image = Arc::new(image.expect("as many texels as its size says"));
    let sampler = Sampler { filter, wrap: [s, t, Wrap::Clamp], ..Sampler::default() };
    let mut set = TextureSet::default();
    for unit in 0..2 {
        set.set(unit, Unit::Image { image: Arc::clone(&image), sampler });
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::{TexMode, TexOp, TexTarget};

    #[test]
    fn most_sets_can_be_looked_up_by_code() {
        let op = TexOp::plain(0, TexTarget::D2, TexMode::Implicit);
        let flat: Vec<bool> = (0..COUNT).map(|number| set(number).flat(&op, None).is_some()).collect();
        assert_eq!(flat, [true, true, true, true, true, false, false]);
    }
}
