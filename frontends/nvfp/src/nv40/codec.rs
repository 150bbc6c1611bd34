//! Everything that is read from the rows.

use super::{Nv40, TABLE};
use parallax_isa::Codec;
use std::sync::LazyLock;

/// Decoder, encoder and text engine of [`TABLE`].
pub fn codec() -> &'static Codec<Nv40> {
    static CODEC: LazyLock<Codec<Nv40>> = LazyLock::new(|| Codec::new(&TABLE));
    &CODEC
}
