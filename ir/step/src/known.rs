//! The instructions and reads that were made so far, so that equal ones are made once.

use crate::program::Id;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Numbers of values, found by what makes them; what was added last is forgotten first.
pub(crate) struct Known {
    /// Each at the place that its hash names, or the next free one. One more than the number; 0 for none.
    places: Vec<u32>,
    /// In the order in which they were added: number and hash.
    added: Vec<(Id, u32)>,
}

/// Where something stands once it is added.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    hash: u32,
    place: usize,
}

/// The hash by which something is found.
#[inline]
pub(crate) fn hash(made: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    made.hash(&mut hasher);
    hasher.finish() as u32
}

impl Known {
    /// None, with room for some.
    pub(crate) fn new(room: usize) -> Known {
        Known { places: vec![0; (2 * room).next_power_of_two().max(64)], added: Vec::with_capacity(room) }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.added.len()
    }

    /// The number of the value with this hash that `is` what is looked for, or where to [`Known::add`] it.
    #[inline]
    pub(crate) fn find(&self, hash: u32, is: impl Fn(Id) -> bool) -> Result<Id, Free> {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while self.places[place] != 0 {
            let id = self.places[place] - 1;
            if is(id) {
                return Ok(id);
            }
            place = (place + 1) & mask;
        }
        Err(Free { hash, place })
    }

    /// Adds a value that was just not found.
    #[inline]
    pub(crate) fn add(&mut self, Free { hash, place }: Free, id: Id) {
        self.added.push((id, hash));
        self.places[place] = id + 1;
        if 2 * self.added.len() >= self.places.len() {
            self.grow();
        }
    }

    fn put(&mut self, hash: u32, id: Id) {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while self.places[place] != 0 {
            place = (place + 1) & mask;
        }
        self.places[place] = id + 1;
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![0; self.places.len() * 2];
        // In the old order, so that forgetting leaves no gap before one that stays.
        for n in 0..self.added.len() {
            let (id, hash) = self.added[n];
            self.put(hash, id);
        }
    }

    /// Forgets all but the first ones.
    pub(crate) fn forget(&mut self, len: usize) {
        let mask = self.places.len() - 1;
        // The last one of all is behind those with which it shares places: its own becomes free again.
        for (id, hash) in self.added.drain(len..).rev() {
            let mut place = hash as usize & mask;
            while self.places[place] != id + 1 {
                place = (place + 1) & mask;
            }
            self.places[place] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prim::{Prim, Ty};
    use crate::program::Inst;

    #[test]
    fn what_is_forgotten_is_not_found_and_the_rest_is() {
        let insts: Vec<Inst> = (0..5_000).map(|n| Inst::new(Prim::Const, Ty::I32, n * 64, &[])).collect();
        let find = |known: &Known, n: usize| known.find(hash(&insts[n]), |id| insts[id as usize] == insts[n]);
        let mut known = Known::new(4);
        let mut marks = Vec::new();
        for n in 0..insts.len() {
            if n % 700 == 0 {
                marks.push(known.len());
            }
            let place = find(&known, n).expect_err("it is new");
            known.add(place, n as Id);
            assert_eq!(find(&known, n), Ok(n as Id));
        }
        for mark in marks.into_iter().rev() {
            known.forget(mark);
            for n in (0..insts.len()).step_by(13) {
                assert_eq!(find(&known, n).is_ok(), n < mark, "{n} {mark}");
            }
        }
    }
}
