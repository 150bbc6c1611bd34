//! Code of translations, made of what the assembler has shown: texts and assembler stay the only description of an instruction.

mod template;

use rustc_hash::FxHashMap;
pub(crate) use template::{Range, Template};

/// A shape is learned when it has been assembled so often: that takes as long as learning it. Tests are to see templates at once.
const PATIENCE: u32 = if cfg!(any(test, debug_assertions)) { 0 } else { 32 };

/// Most shapes that are kept from one program to the next.
const KEPT: usize = 1 << 14;

/// What is known of instructions that differ in numbers alone, by what they have in common.
#[derive(Debug)]
pub(crate) struct Shapes<T> {
    known: FxHashMap<u64, Known<T>>,
}

/// What is known of a shape.
#[derive(Debug)]
enum Known<T> {
    /// It was assembled so often.
    Assembled(u32),
    Learned(T),
    /// It has no template.
    Irregular,
}

impl<T> Default for Shapes<T> {
    fn default() -> Shapes<T> {
        Shapes { known: FxHashMap::default() }
    }
}

impl<T> Shapes<T> {
    /// The template of a shape, if it is known.
    #[inline(always)]
    pub(crate) fn get(&self, shape: u64) -> Option<&T> {
        match self.known.get(&shape) {
            Some(Known::Learned(template)) => Some(template),
            _ => None,
        }
    }

    /// The template of a shape that was not known so far, if it is worth learning by now. One that is none will never be.
    #[cold]
    pub(crate) fn learned(&mut self, shape: u64, learn: impl FnOnce() -> Option<T>) -> Option<&T> {
        let known = self.known.entry(shape).or_insert(Known::Assembled(0));
        match known {
            Known::Assembled(PATIENCE) => *known = learn().map_or(Known::Irregular, Known::Learned),
            Known::Assembled(times) => *times += 1,
            Known::Learned(_) | Known::Irregular => {}
        }
        if let Known::Learned(template) = known { Some(template) } else { None }
    }

    /// Whether a shape has no template.
    pub(crate) fn is_irregular(&self, shape: u64) -> bool {
        matches!(self.known.get(&shape), Some(Known::Irregular))
    }

    /// The same for another program: nothing of it where there is too much.
    pub(crate) fn kept(self) -> Shapes<T> {
        if self.known.len() > KEPT { Shapes::default() } else { self }
    }

    /// How many have a template and how many have none.
    #[cfg(test)]
    pub(crate) fn counts(&self) -> (usize, usize) {
        let learned = self.known.values().filter(|known| matches!(known, Known::Learned(_))).count();
        (learned, self.known.len() - learned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_learned_once() {
        let mut shapes = Shapes::default();
        let mut tries = 0;
        for n in 0..=PATIENCE {
            let mut learn = || {
                tries += 1;
                Some('a')
            };
            assert_eq!(shapes.learned(7, &mut learn).copied(), (n == PATIENCE).then_some('a'));
            assert_eq!(shapes.learned(8, || None), None);
        }
        assert_eq!((shapes.get(7), shapes.get(8), shapes.get(9), tries), (Some(&'a'), None, None, 1));
        assert!(shapes.is_irregular(8) && !shapes.is_irregular(7));
        assert_eq!(shapes.learned(8, || Some('b')), None);
        assert_eq!(shapes.counts(), (1, 1));
    }
}
