//! The source instructions of a shader: where ops came from.

use crate::{EntityRef, SourceId};
use std::fmt;
use std::sync::{Arc, OnceLock};

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

/// Lines of text behind one another in one string: a program has many short ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    text: String,
    /// Where each line ends.
    ends: Vec<u32>,
}

/// All source instructions of a shader.
///
/// What a frontend prints of binary instructions is seen in listings and reports only, so it may be printed when somebody
/// first looks at it; copies of the shader share it.
#[derive(Clone, Default)]
pub struct Sources {
    /// Line and offset of each.
    places: Vec<(u32, u32)>,
    texts: Texts,
}

#[derive(Clone)]
enum Texts {
    Known(Listing),
    Later(Arc<Later<dyn Fn() -> Listing + Send + Sync>>),
}

struct Later<P: ?Sized> {
    printed: OnceLock<Listing>,
    print: P,
}

impl Listing {
    /// An empty listing with room for `lines` lines of about `text` bytes together.
    pub fn with_capacity(lines: usize, text: usize) -> Listing {
        Listing { text: String::with_capacity(text), ends: Vec::with_capacity(lines) }
    }

    /// Adds a line.
    pub fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.ends.push(self.text.len() as u32);
    }

    /// Line `n` from 0; empty where there is none.
    pub fn line(&self, n: usize) -> &str {
        let start = n.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(n).copied().unwrap_or(start);
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}

impl Default for Texts {
    fn default() -> Self {
        Texts::Known(Listing::default())
    }
}

impl Texts {
    fn listing(&self) -> &Listing {
        match self {
            Texts::Known(listing) => listing,
            Texts::Later(later) => later.printed.get_or_init(|| (later.print)()),
        }
    }
}

impl Sources {
    /// Instructions at these places, given by line and offset, whose texts `print` gives when they are first asked for.
    pub fn printed_later(places: Vec<(u32, u32)>, print: impl Fn() -> Listing + Send + Sync + 'static) -> Sources {
        Sources { places, texts: Texts::Later(Arc::new(Later { printed: OnceLock::new(), print })) }
    }

    /// Adds an instruction.
    pub fn push(&mut self, source: Source<'_>) -> SourceId {
        if let Texts::Later(_) = self.texts {
            self.texts = Texts::Known(self.texts.listing().clone());
        }
        if let Texts::Known(listing) = &mut self.texts {
            listing.push(source.text);
        }
        self.places.push((source.line, source.offset));
        SourceId::new(self.places.len() - 1)
    }

    /// Whether there is an instruction of this number.
    pub fn contains(&self, id: SourceId) -> bool {
        id.index() < self.places.len()
    }

    /// The instruction, or `None` when there is none of this number.
    pub fn get(&self, id: SourceId) -> Option<Source<'_>> {
        let &(line, offset) = self.places.get(id.index())?;
        Some(Source { line, offset, text: self.texts.listing().line(id.index()) })
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

impl PartialEq for Sources {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
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
    use std::sync::atomic::{AtomicU32, Ordering};

    const ALL: [Source<'_>; 3] = [
        Source { line: 1, offset: 0, text: "MOV r0, r1" },
        Source { line: 2, offset: 12, text: "" },
        Source { line: 0, offset: 16, text: "\u{b5}" },
    ];

    #[test]
    fn texts_are_told_apart() {
        let mut sources = Sources::default();
        let ids = ALL.map(|source| sources.push(source));
        assert_eq!(ids.map(|id| sources.get(id)), ALL.map(Some));
        assert!(sources.iter().map(|(_, source)| source).eq(ALL));
        assert_eq!(sources.get(SourceId::new(3)), None);
        assert!(sources.contains(ids[2]) && !sources.contains(SourceId::new(3)));
    }

    #[test]
    fn texts_are_printed_once_and_only_when_asked_for() {
        static PRINTED: AtomicU32 = AtomicU32::new(0);
        let later = Sources::printed_later(ALL.map(|s| (s.line, s.offset)).to_vec(), || {
            PRINTED.fetch_add(1, Ordering::Relaxed);
            let mut listing = Listing::with_capacity(3, 12);
            ALL.iter().for_each(|source| listing.push(source.text));
            listing
        });
        let copy = later.clone();
        assert_eq!((copy.len(), PRINTED.load(Ordering::Relaxed)), (3, 0));
        assert!(copy.iter().map(|(_, source)| source).eq(ALL));
        let mut now = Sources::default();
        for source in ALL {
            now.push(source);
        }
        assert_eq!(later, now);
        assert_eq!(PRINTED.load(Ordering::Relaxed), 1);
        // What is added behind them changes no copy.
        let mut more = copy.clone();
        let id = more.push(Source { line: 9, offset: 9, text: "NOP" });
        assert_eq!(more.get(id).map(|s| s.text), Some("NOP"));
        assert_eq!((more.len(), copy.len()), (4, 3));
    }
}
