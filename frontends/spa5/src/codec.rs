//! Everything that is read from the rows.

use crate::{isa::Spa5, table::TABLE};
use parallax_isa::Codec;
use std::sync::LazyLock;

/// Decoder, encoder and text engine of [`TABLE`].
pub fn codec() -> &'static Codec<Spa5> {
    static CODEC: LazyLock<Codec<Spa5>> = LazyLock::new(|| Codec::new(&TABLE));
    &CODEC
}
