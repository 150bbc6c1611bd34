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

const UNITS: Setting = Setting {
    name: "units",
    values: &["order", "handle"],
    doc: "the texture units of handles: 0, 1 and so on in the order of their numbers, or these numbers themselves",
};

/// Options of the lift, the default value of each first.
pub const SETTINGS: &[Setting] = &[OFFSET, UNITS];

/// The chosen options.
#[derive(Copy, Clone, Debug)]
pub(super) struct Settings {
    /// Bits of fraction of an offset in steps of 1/16 pixel.
    pub(super) offset_frac_bits: u32,
    /// Whether texture units are numbered in the order of their handles.
    pub(super) units_by_order: bool,
}

impl Settings {
    pub(super) fn of(options: &Options) -> Settings {
        let literal = options.value(&OFFSET) == "literal";
        let offset_frac_bits = if literal { 0 } else { OFFSET_FRAC_BITS };
        Settings { offset_frac_bits, units_by_order: options.value(&UNITS) == "order" }
    }
}
