//! Fields of a file: where they stand, what they are called, and whether what they say can be.

use parallax_text::{Code, Diag, Span};
use std::ops::Range;

/// A field as problems name it.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Its name in the document.
    pub(crate) name: &'static str,
    /// Its bytes in the file.
    pub(crate) bytes: Range<usize>,
}

impl Field {
    pub(crate) fn new(name: &'static str, start: usize, len: usize) -> Field {
        Field { name, bytes: start..start + len }
    }

    /// An error of what the field says.
    pub(crate) fn invalid(&self, code: Code, message: impl AsRef<str>) -> Diag {
        Diag::invalid(code, span(&self.bytes), format!("{}: {}", self.name, message.as_ref()))
    }

    /// Something legal that is not supported.
    pub(crate) fn unsupported(&self, code: Code, message: impl AsRef<str>) -> Diag {
        Diag::unsupported(code, span(&self.bytes), format!("{}: {}", self.name, message.as_ref()))
    }

    /// A warning about what the field says.
    pub(crate) fn warning(&self, code: Code, message: impl AsRef<str>) -> Diag {
        Diag::warning(code, span(&self.bytes), format!("{}: {}", self.name, message.as_ref()))
    }

    /// The bytes from `start` on, `len` of them, inside of `outer`; `what` names them.
    ///
    /// # Errors
    /// They are not all there.
    pub(crate) fn range(
        &self,
        code: Code,
        what: &str,
        (start, len): (u64, u64),
        outer: &Range<usize>,
    ) -> Result<Range<usize>, Diag> {
        let size = outer.len() as u64;
        let fits = |end: &u64| *end <= size;
        match start.checked_add(len).filter(fits) {
            // Both are at most the size of something in memory.
            Some(end) => Ok(outer.start + start as usize..outer.start + end as usize),
            None => Err(self.invalid(
                code,
                format!("{what} would be {len} bytes from byte {start}, but there are only {size} bytes"),
            )),
        }
    }
}

/// The place of bytes of a file.
pub(crate) fn span(bytes: &Range<usize>) -> Span {
    let end = |at: usize| at.min(u32::MAX as usize);
    Span::new(end(bytes.start), end(bytes.end))
}

/// A name that ends in a zero byte, from byte `at` of a file on and in front of byte `end`.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn zero_ended(file: &[u8], at: usize, end: usize) -> Result<&str, String> {
    if at >= end {
        return Err(format!("the name would be at byte {at}, and the bytes end at byte {end}"));
    }
    let most = end.min(at.saturating_add(crate::MAX_NAME));
    let bytes = file.get(at..most).unwrap_or(&[]);
    let len = bytes
        .iter()
        .position(|b| *b == 0)
        .ok_or_else(|| format!("the name at byte {at} does not end within {} bytes", most.saturating_sub(at)))?;
    std::str::from_utf8(&bytes[..len]).map_err(|e| format!("byte {} is not valid UTF-8", at + e.valid_up_to()))
}

/// Names that together are no longer than the file they are in: a damaged file could name the same bytes over and over.
pub(crate) struct Names {
    left: usize,
    seen: rustc_hash::FxHashMap<String, usize>,
}

impl Names {
    pub(crate) fn of(file: &[u8]) -> Names {
        Names { left: file.len(), seen: rustc_hash::FxHashMap::default() }
    }

    /// The name for a member, told apart from those before it: the second `blend` is `blend#2`. `None` when there were too
    /// many.
    pub(crate) fn unique(&mut self, name: &str) -> Option<String> {
        self.left = self.left.checked_sub(name.len())?;
        Some(self.told_apart(name))
    }

    /// A name of our own for something that has none.
    pub(crate) fn told_apart(&mut self, name: &str) -> String {
        let Some(count) = self.seen.get_mut(name) else {
            self.seen.insert(name.to_string(), 1);
            return name.to_string();
        };
        *count += 1;
        let mut number = *count;
        // Somebody may have named a member so.
        while self.seen.contains_key(&format!("{name}#{number}")) {
            number += 1;
        }
        if let Some(count) = self.seen.get_mut(name) {
            *count = number;
        }
        let told = format!("{name}#{number}");
        self.seen.insert(told.clone(), 1);
        told
    }
}
