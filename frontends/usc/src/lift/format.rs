//! The formats of PCK and UNPCK.

use crate::operation::Conversion;

/// What the fields of a format hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Unsigned,
    Signed,
    /// Signed numbers whose scaled values lie symmetrically: (2 c + 1) / (2^n - 1). Unpacked with scale only.
    Symmetric,
    /// The number 0 is the least one.
    Offset,
    /// Binary16, or its upper bits without the sign.
    Half,
    /// Binary32.
    Float,
    /// The same whatever is packed.
    Fixed(u32),
}

/// A format: what its fields hold, and how wide they are, lowest first.
#[derive(Copy, Clone, Debug)]
pub(super) struct Format {
    pub(super) code: Code,
    pub(super) fields: &'static [u32],
}

pub(super) const BYTES: &[u32] = &[8; 4];
pub(super) const HALVES: &[u32] = &[16; 2];
pub(super) const WORD: &[u32] = &[32];
pub(super) const TENS: &[u32] = &[10, 10, 10, 2];
pub(super) const ELEVENS: &[u32] = &[11, 11, 10];
pub(super) const COLOURS: &[u32] = &[5, 6, 5, 5, 6, 5];

/// The formats that are defined, by their codes.
pub(super) const FORMATS: &[(u8, Code, &[u32])] = &[
    (0, Code::Unsigned, BYTES),
    (1, Code::Signed, BYTES),
    (2, Code::Offset, BYTES),
    (3, Code::Unsigned, HALVES),
    (4, Code::Signed, HALVES),
    (5, Code::Offset, HALVES),
    (6, Code::Unsigned, WORD),
    (7, Code::Signed, WORD),
    (8, Code::Unsigned, TENS),
    (9, Code::Signed, TENS),
    (10, Code::Unsigned, ELEVENS),
    (11, Code::Signed, ELEVENS),
    (12, Code::Half, ELEVENS),
    (14, Code::Half, HALVES),
    (15, Code::Float, WORD),
    (17, Code::Unsigned, COLOURS),
    (22, Code::Symmetric, BYTES),
    (23, Code::Symmetric, HALVES),
    (30, Code::Fixed(0), WORD),
    (31, Code::Fixed(0x3f80_0000), WORD),
];

pub(super) fn format(code: u8) -> Option<Format> {
    let (_, code, fields) = *FORMATS.iter().find(|(known, ..)| *known == code)?;
    Some(Format { code, fields })
}

/// Why a conversion cannot be done; `None` where it can.
pub(super) fn refusal(conversion: &Conversion, pack: bool) -> Option<&'static str> {
    let Some(format) = format(conversion.format) else { return Some("its fields are undocumented") };
    if conversion.programmable {
        return Some("its format is a value of the program");
    }
    match format.code {
        Code::Offset if conversion.scale => Some("offset binary has no normalised form"),
        Code::Symmetric if pack || !conversion.scale => Some("only its normalised unpacking is described"),
        _ => None,
    }
}
