//! What texts of several targets spell alike.

use crate::form::Signs;

/// A mask behind a destination; nothing where all components are written.
pub(crate) fn mask(comps: u8) -> String {
    if comps == 0xf {
        return String::new();
    }
    let letters = (0..4).zip("xyzw".chars()).filter(|(n, _)| comps >> n & 1 != 0).map(|(_, letter)| letter);
    std::iter::once('.').chain(letters).collect()
}

/// A source with its signs.
pub(crate) fn signed(signs: Signs, source: String) -> String {
    match (signs.negate, signs.absolute) {
        (false, false) => source,
        (true, false) => format!("-{source}"),
        (false, true) => format!("|{source}|"),
        (true, true) => format!("-|{source}|"),
    }
}
