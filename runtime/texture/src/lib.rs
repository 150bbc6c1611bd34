//! Images, samplers and filtering.
//!
//! The arithmetic is exactly this, every step rounded to binary32 (to nearest even); `sample` holds it. The rule that a lookup
//! carries ([`parallax_core::num::TextureRule`]) says what a model's texture unit does otherwise:
//!
//! 1. With `project`, s, t, r and the reference value are divided by q.
//! 2. Arrays: the layer is `floor(layer + 0.5)`, or what `layer` of the rule says, moved to the nearest there is; a NaN is layer 0.
//!    Cubes: the face is that of the axis with the largest magnitude, x before y before z among equals; with `ma` that
//!    magnitude and `sc`, `tc` the two other components as in the OpenGL table of faces, `s = (sc / ma + 1) * 0.5`, `t`
//!    alike. Faces end at their edges, or where `cube` of the rule says so what is blended there lies on the neighbour. Of equal magnitudes
//!    `face` may prefer z.
//! 3. The level of detail, where a unit uses levels or another filter for minification. Implicit: the steps are right minus
//!    left in the top row and bottom minus top in the left column, one level for the quad, or in each lane's own row and column where
//!    `steps` of the rule says so; given derivatives: per lane. Steps of a cube are taken on the face of the lane whose level it is.
//!    A step's length squared is the sum of squares of its components times the size (rectangles: as they are), in order
//!    s, t, r; the level is half of `log2` (correctly rounded) of the greater one. Bias is added, a given level replaces
//!    it, and the least level of a lookup takes its place where it is greater. It is rounded to the places that `level` of the
//!    rule has. At or below 0 (and NaN): magnification, largest level. Above: the nearest level `floor(level + 0.5)`, or a blend
//!    of `floor(level)` and the next by the fraction.
//! 4. A coordinate becomes `u = s * size` (rectangles: `u = s`). A `u` that is no finite number counts as 0. It is rounded to the
//!    places that the rule has for where texels are blended (`linear`), the nearest one is taken (`nearest`) or some are gathered
//!    (`gather`).
//! 5. Shadow shapes: every texel that is looked up counts as (a, a, a, 1), where `a` is 1 if the comparison of the unit
//!    ([`Compare`]) holds between the reference value and the red component of the texel, else 0. Border texels are compared
//!    as well. What follows blends these answers.
//! 6. Nearest: the texel is `floor(u)`. Linear: `v = u - 0.5`; the texels are `floor(v)` and its upper neighbour, the
//!    weight of the neighbour is `w = v - floor(v)`.
//! 7. Texel offsets of the instruction, constants and operands, are added to the integers.
//! 8. Wrapping acts on the integers: `repeat` takes them modulo the size, `mirror` modulo twice the size and back,
//!    `clamp` moves them to the nearest texel, `border` gives the border colour for texels outside.
//! 9. Blends are `p + w * (q - p)`: difference, product and sum each rounded, x first, then y, then z, then levels. A
//!    NaN that arises has the bits 0xffc00000.
//!
//! With `unit = gallivm` images of bytes are blended in integers, as `gallivm` has it; other lookups repeat a coordinate whose size is
//! no power of two before they scale it: `s - floor(s)`, moved by `offset / size` first. A byte is multiplied by the binary32 next to
//! 1/255, and of levels that are not blended the nearest one is that of `level` rounded to nearest even. With
//! `unit = swiftshader` coordinates are wrapped before they are scaled, and more, as `swiftshader` has it. `result` is what becomes of the components of images of bytes at the end.
//!
//! 8-bit components are `value / 255`; those of sRGB but for alpha are the numbers that `srgb` of the rule says. Smaller levels of images
//! of sRGB are means of the numbers of the curve, the nearest code. A fetch takes integer texels, an integer layer and a level,
//! compares nothing, and gives
//! zeros outside the image. A query for the level of detail gives that of an implicit lookup, as it is taken (of two levels that
//! are blended the lower one plus the fraction) and as it is computed, and zeros. Gathering
//! gives one component of the texels that step 6 would blend, unblended, whatever the filter. Smaller
//! levels are means of the larger one, see [`Image::with_mipmaps`]. Multisampled images are only fetched from: the sample stands in
//! the place of the level.
//!
//! A lookup that gives words, as of images of integers, takes the nearest texel, whatever the filter, on the level that step 3
//! names, of two the larger one.
//!
//! Units without a texture are reported by [`TextureSet::missing`].
//!
//! ```
//! use parallax_texture::{Image, Sampler, TextureSet, Unit};
//! use std::sync::Arc;
//!
//! let image = Image::rgba8(2, 1, vec![[255, 0, 0, 255], [0, 0, 255, 255]]).expect("two texels");
//! let one = 1f32.to_bits();
//! assert_eq!(image.texel(0, [1, 0, 0]), [0, 0, one, one]);
//! let mut textures = TextureSet::default();
//! textures.set(0, Unit::Image { image: Arc::new(image), sampler: Sampler::default() });
//! assert!(textures.get(0).is_some());
//! ```

mod batch;
mod cube;
mod decode;
mod edged;
mod gallivm;
mod grid;
mod image;
mod level;
#[cfg(test)]
mod oracle;
mod place;
mod sample;
mod sampler;
mod set;
mod source;
mod swiftshader;

pub use decode::{srgb_codes, srgb_number, srgb_numbers};
pub use image::{Image, ImageError, MAX_SIDE, MAX_TEXELS, TexelFormat};
pub use sampler::{Compare, Filter, Mip, Sampler, Wrap};
pub use set::{TextureSet, Unit};
pub use source::{Pattern, hash};
