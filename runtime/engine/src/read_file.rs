//! Reading files no further than anything that reads them would go.

use crate::load::MAX_BYTES;
use crate::problem::{Problems, invalid};
use parallax_text::Code;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a whole file of at most [`MAX_BYTES`].
///
/// # Errors
/// As the system says; a larger file, a pipe or a device.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_bounded(open_file(path)?)
}

/// Opens a file to read it. A pipe or a device is none: nobody knows when it ends, or whether anything comes at all.
///
/// # Errors
/// As the system says; it is no file.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file; copy what it gives into one"));
    }
    File::open(path)
}

/// Reads at most [`MAX_BYTES`] to the end.
///
/// # Errors
/// As the system says; when there are more.
pub fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}

/// Reads a text file of at most [`MAX_BYTES`].
///
/// # Errors
/// As [`read_file`]; bytes that are no UTF-8 text.
pub(crate) fn read_text_file(path: &Path) -> io::Result<String> {
    String::from_utf8(read_file(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is no UTF-8 text"))
    })
}

/// Refuses a text of more than [`MAX_BYTES`].
pub(crate) fn check_length(code: Code, name: &str, text: &str) -> Result<(), Problems> {
    if text.len() > MAX_BYTES {
        return Err(Problems::new(name, "", vec![invalid(code, "too large")]));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_at_the_limit() {
        assert_eq!(read_bounded(&b"abc"[..]).unwrap(), b"abc");
        let error = read_bounded(io::repeat(0)).unwrap_err();
        assert!(error.to_string().contains("more than"), "{error}");
    }
}
