//! Lines of a text, asked for in about the order of their places.

use parallax_text::{LineMap, newlines};

/// Where a text was last asked about.
pub(super) struct Lines<'p> {
    text: &'p str,
    /// The line of byte `at`.
    line: u32,
    at: u32,
    /// All lines, once there was a jump.
    map: Option<LineMap>,
}

/// Bytes that are looked at to find the next line: more than any instruction has.
const NEAR: u32 = 1024;

impl<'p> Lines<'p> {
    pub(super) fn new(text: &'p str) -> Self {
        Lines { text, line: 1, at: 0, map: None }
    }

    /// The line of byte `offset`, from 1.
    pub(super) fn line(&mut self, offset: u32) -> u32 {
        self.line = match self.text.as_bytes().get(self.at as usize..offset as usize) {
            Some(between) if offset - self.at <= NEAR => self.line + newlines(between) as u32,
            _ => self.map.get_or_insert_with(|| LineMap::new(self.text)).line(offset),
        };
        self.at = offset;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_map_in_any_order() {
        let text = format!("a;\n\nb;{}c;\r\nd;\ne", "\n#".repeat(700));
        let map = LineMap::new(&text);
        let mut lines = Lines::new(&text);
        let len = text.len() as u32;
        for offset in (0..=len).chain([0, 5, len, 3, len - 1]).chain((0..=len).rev().step_by(97)) {
            assert_eq!(lines.line(offset), map.line(offset), "{offset}");
        }
    }
}
