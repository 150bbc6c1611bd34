//! Changes of a text that keep its lines where they are.

use std::ops::Range;

/// Replacements of places of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewriting {
    changes: Vec<(Range<usize>, String)>,
}

impl Rewriting {
    /// Puts a text in the place of another; line ends of what was there stay.
    pub(crate) fn replace(&mut self, place: Range<usize>, text: impl Into<String>) {
        self.changes.push((place, text.into()));
    }

    /// Puts a text before what stands at a place.
    pub(crate) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Leaves a place blank.
    pub(crate) fn remove(&mut self, place: Range<usize>) {
        self.replace(place, "");
    }

    /// These changes and others, which follow them where both are at one place.
    pub(crate) fn followed_by(mut self, others: Rewriting) -> Rewriting {
        self.changes.extend(others.changes);
        self
    }

    /// The changed text. Of changes that overlap the first one holds; at one place they follow each other as they were made.
    pub(crate) fn apply(mut self, text: &str) -> String {
        parallax_text::sort_by_key(&mut self.changes, |(place, _)| (place.start, place.end));
        let mut out = String::with_capacity(text.len() + 256);
        let mut at = 0;
        for (place, new) in &self.changes {
            if place.start < at {
                continue;
            }
            out.push_str(&text[at..place.start]);
            out.push_str(new);
            out.extend(text[place.clone()].matches('\n'));
            at = place.end;
        }
        out.push_str(&text[at..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_what_is_replaced_stay() {
        let mut changes = Rewriting::default();
        changes.replace(2..5, "X");
        changes.insert(0, "<");
        changes.insert(0, ">");
        changes.remove(3..4);
        assert_eq!(changes.apply("a b\nc d"), "<>a X\n d");
    }
}
