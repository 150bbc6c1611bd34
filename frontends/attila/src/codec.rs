//! Everything that is read from the rows.

use crate::{isa::Attila, table::TABLE};
use parallax_isa::Codec;
use std::sync::LazyLock;

/// Decoder, encoder and text engine of [`TABLE`].
pub fn codec() -> &'static Codec<Attila> {
    static CODEC: LazyLock<Codec<Attila>> = LazyLock::new(|| Codec::new(&TABLE));
    &CODEC
}
