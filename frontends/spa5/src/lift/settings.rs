//! Frontend options.

use parallax_lift::{Options, Setting};

/// Bits of fraction that offsets inside a pixel have, in steps of 1/16 pixel: PIXLD gives and IPA takes them so.
pub const OFFSET_FRAC_BITS: u32 = 8;
const OFFSET: Setting = Setting {
    name: "offset",
    values: &["fixed", "literal"],
    doc: "what PIXLD.OFFSET, PIXLD.CENTROID_OFFSET and IPA.OFFSET count in: steps of 1/16 pixel with 8 bits of fraction, or \
          whole steps as the document says",
};

/// Options of the lift, the default value of each first.
pub const SETTINGS: &[Setting] = &[OFFSET];

/// The chosen options.
#[derive(Copy, Clone, Debug)]
pub(super) struct Settings {
    /// Bits of fraction of an offset in steps of 1/16 pixel.
    pub(super) offset_frac_bits: u32,
}

impl Settings {
    pub(super) fn of(options: &Options) -> Settings {
        let literal = options.value(&OFFSET) == "literal";
        Settings { offset_frac_bits: if literal { 0 } else { OFFSET_FRAC_BITS } }
    }
}
