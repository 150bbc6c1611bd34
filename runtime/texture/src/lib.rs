//! Images, samplers and filtering.
//!
//! Lookups are the same under every model, so that all models see the same inputs. The arithmetic is exactly this,
//! every step rounded to binary32 (to nearest even); [`sample`] holds it:
//!
//! 1. With `project`, s, t and r are divided by q.
//! 2. A coordinate becomes `u = s * width` (rectangle textures: `u = s`). A `u` that is no finite number counts as 0.
//! 3. Nearest: the texel is `floor(u)`. Linear: `v = u - 0.5`; the texels are `floor(v)` and its upper neighbour, the
//!    weight of the neighbour is `w = v - floor(v)`.
//! 4. Texel offsets of the instruction are added to the integers.
//! 5. Wrapping acts on the integers: `repeat` takes them modulo the size, `clamp` moves them to the nearest texel,
//!    `border` gives the border colour for texels outside.
//! 6. Linear results are `p + w * (q - p)`: difference, product and sum each rounded, x first, then y, then z. A NaN
//!    that arises has the bits 0xffc00000.
//!
//! 8-bit components are `value / 255`. A fetch takes integer texels and gives zeros outside the image.
//!
//! What [`TextureSet::check`] accepts is looked up as described; everything else it reports as unsupported, and nothing
//! is silently left out.

mod image;
mod sample;
mod set;
mod source;

pub use image::{Image, ImageError, MAX_SIDE, MAX_TEXELS, TexelFormat};
pub use sample::{Filter, Sampler, Wrap};
pub use set::{Missing, TextureSet, Unit};
pub use source::{Pattern, hash};
