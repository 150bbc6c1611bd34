//! Files of words: NumPy's `.npy`, or raw bytes.

use crate::read_file::read_file;
use std::path::Path;

/// How a `.npy` file begins.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The words of a file, least significant byte first; the last one is filled with zero bytes. A `.npy` file has an array in C
/// order, of little-endian numbers of any kind.
pub(crate) fn words(path: &Path) -> Result<Vec<u32>, String> {
    let bytes = read_file(path).map_err(|e| format!("cannot be read: {e}"))?;
    let data = if bytes.starts_with(MAGIC) { data(&bytes)? } else { &bytes[..] };
    let word = |part: &[u8]| {
        let mut word = [0; 4];
        word[..part.len()].copy_from_slice(part);
        u32::from_le_bytes(word)
    };
    Ok(data.chunks(4).map(word).collect())
}

/// An array of a `.npy` file.
pub(crate) struct Array<'b> {
    /// Kind and bytes of the numbers, such as `u1` or `f4`.
    pub(crate) kind: String,
    /// Lengths of the dimensions.
    pub(crate) shape: Vec<usize>,
    /// Bytes of the numbers, in C order, least significant first.
    pub(crate) data: &'b [u8],
}

/// The array of a `.npy` file; `None` for a file that is none.
///
/// # Errors
/// Why it is not read.
pub(crate) fn array(bytes: &[u8]) -> Option<Result<Array<'_>, String>> {
    bytes.starts_with(MAGIC).then(|| split(bytes))
}

fn data(bytes: &[u8]) -> Result<&[u8], String> {
    Ok(split(bytes)?.data)
}

/// What the header of a `.npy` file says, and what follows it (NumPy's documentation of `numpy.lib.format`).
fn split(bytes: &[u8]) -> Result<Array<'_>, String> {
    let cut = "the header is cut off";
    let version = *bytes.get(6).ok_or(cut)?;
    let (from, length) = match (version, bytes.get(8..12).ok_or(cut)?) {
        (1, &[a, b, ..]) => (10usize, usize::from(u16::from_le_bytes([a, b]))),
        (2 | 3, &[a, b, c, d]) => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        _ => return Err(format!("version {version} of the format is not known")),
    };
    let header = bytes.get(from..from.saturating_add(length)).ok_or(cut)?;
    let header = String::from_utf8_lossy(header);
    let of = |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start_matches([' ', ':', '\'']));
    let kind = of("'descr'").ok_or("the header has no 'descr'")?;
    if !kind.starts_with(['<', '|']) {
        return Err("the numbers are not little-endian: `descr` must begin with `<` or `|`".into());
    }
    if of("'fortran_order'").is_some_and(|order| order.starts_with("True")) {
        return Err("the array is in Fortran order: save it in C order".into());
    }
    let inside =
        of("'shape'").and_then(|shape| shape.trim_start_matches(['(', '[']).split(')').next().map(str::to_string));
    let shape = inside.unwrap_or_default().split(',').filter_map(|n| n.trim().parse().ok()).collect();
    let kind = kind.trim_start_matches(['<', '|']).split('\'').next().unwrap_or("").to_string();
    Ok(Array { kind, shape, data: &bytes[from + length..] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, rest: &[u8]) -> Vec<u8> {
        [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes(), rest].concat()
    }

    #[test]
    fn arrays_are_words() {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
        let bytes = file(header, &[0, 0, 0x80, 0x3f, 1, 0, 0, 0]);
        assert_eq!(data(&bytes).unwrap(), [0, 0, 0x80, 0x3f, 1, 0, 0, 0]);
        for (header, part) in [
            ("{'descr': '>f4', 'fortran_order': False}", "little-endian"),
            ("{'descr': '<f4', 'fortran_order': True}", "Fortran"),
            ("{}", "descr"),
        ] {
            assert!(data(&file(header, &[])).unwrap_err().contains(part), "{header}");
        }
        assert!(data(b"\x93NUMPY\x01\x00\xff\xff").is_err());
        assert!(data(MAGIC).is_err());
    }
}
