//! The source instructions of a shader: where ops came from.

use crate::{EntityRef, SourceId};
use std::fmt;

/// A source instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Source<'a> {
    /// Line from 1 in a text; 0 for binaries.
    pub line: u32,
    /// Byte offset in the text or binary.
    pub offset: u32,
    /// The instruction as the frontend prints it.
    pub text: &'a str,
}

/// All source instructions of a shader. Their texts stand behind one another in one string: a program has many short ones.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Sources {
    places: Vec<Place>,
    texts: String,
}

#[derive(Copy, Clone, PartialEq, Eq)]
struct Place {
    line: u32,
    offset: u32,
    /// End of its text; the next one starts there.
    end: u32,
}

impl Sources {
    /// Makes room for `more` instructions of about `text` bytes together.
    pub fn reserve(&mut self, more: usize, text: usize) {
        self.places.reserve(more);
        self.texts.reserve(text);
    }

    /// Adds an instruction.
    pub fn push(&mut self, source: Source<'_>) -> SourceId {
        self.texts.push_str(source.text);
        self.places.push(Place { line: source.line, offset: source.offset, end: self.texts.len() as u32 });
        SourceId::new(self.places.len() - 1)
    }

    /// The instruction, or `None` when there is none of this number.
    pub fn get(&self, id: SourceId) -> Option<Source<'_>> {
        let &Place { line, offset, end } = self.places.get(id.index())?;
        let start = id.index().checked_sub(1).map_or(0, |before| self.places[before].end);
        let text = self.texts.get(start as usize..end as usize).unwrap_or("");
        Some(Source { line, offset, text })
    }

    /// Number of instructions.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All instructions in order.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, Source<'_>)> {
        (0..self.places.len()).map(SourceId::new).filter_map(|id| Some((id, self.get(id)?)))
    }
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        let mut sources = Sources::default();
        let all = [(1, 0, "MOV r0, r1"), (2, 12, ""), (0, 16, "\u{b5}")].map(|(line, offset, text)| Source {
            line,
            offset,
            text,
        });
        let ids = all.map(|source| sources.push(source));
        assert_eq!(ids.map(|id| sources.get(id)), all.map(Some));
        assert!(sources.iter().map(|(_, source)| source).eq(all));
        assert_eq!(sources.get(SourceId::new(3)), None);
    }
}
