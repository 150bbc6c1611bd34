//! What was made so far, so that what is equal is made once: the table of value numbering.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Numbers, found by what they stand for; what was added last is forgotten first.
#[derive(Debug)]
pub struct Known {
    /// Each at one of the places that its name tells. 0 for none.
    places: Vec<Place>,
    /// In the order in which they were added.
    added: Vec<(u32, Name)>,
}

/// One more than a number, and part of its name: most that are not looked for differ there, and nothing else is read of them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Place {
    number: u32,
    tag: u32,
}

/// By what something is found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where the first places to look at lie.
    near: u32,
    hash: u32,
}

/// How many places are looked at where a name says before those where its hash says.
const NEAR: usize = 16;

impl Name {
    /// That of what is made of nothing.
    #[inline]
    pub fn of(made: &impl Hash) -> Name {
        let mut hasher = FxHasher::default();
        made.hash(&mut hasher);
        Name::hashed(hasher.finish() as u32)
    }

    /// The same, by its hash.
    #[inline]
    pub const fn hashed(hash: u32) -> Name {
        Name { near: hash, hash }
    }

    /// The same of what is made of values, the newest of which is this. What is made one after the other then stands close together: a
    /// table of a long function is larger than the caches.
    #[inline]
    pub fn behind(self, newest: u32) -> Name {
        Name { near: newest.wrapping_mul(2), ..self }
    }

    /// The places it may have, the first free one of which it takes.
    #[inline]
    fn places(self, mask: usize) -> impl Iterator<Item = usize> {
        let at = move |n: usize| if n < NEAR { self.near as usize + n } else { self.hash as usize + n };
        (0..).map(move |n| at(n) & mask)
    }
}

/// Where something stands once it is added.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Free {
    name: Name,
    place: usize,
}

impl Known {
    /// None, with room for some.
    pub fn new(room: usize) -> Known {
        Known {
            places: vec![Place::default(); (2 * room).next_power_of_two().max(64)],
            added: Vec::with_capacity(room),
        }
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "only ever given back to `forget`")]
    pub fn len(&self) -> usize {
        self.added.len()
    }

    /// The number of the value with this name that `is` what is looked for, or where to [`Known::add`] it.
    #[inline]
    pub fn find(&self, name: Name, is: impl Fn(u32) -> bool) -> Result<u32, Free> {
        for place in name.places(self.places.len() - 1) {
            let found = self.places[place];
            match found.number.checked_sub(1) {
                None => return Err(Free { name, place }),
                Some(id) if found.tag == name.hash && is(id) => return Ok(id),
                Some(_) => {}
            }
        }
        unreachable!("half of the places are free")
    }

    /// Adds a value that was just not found.
    #[inline]
    pub fn add(&mut self, Free { name, place }: Free, id: u32) {
        self.added.push((id, name));
        self.places[place] = Place { number: id + 1, tag: name.hash };
        if 2 * self.added.len() >= self.places.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![Place::default(); self.places.len() * 2];
        // In the old order, so that forgetting leaves no gap before one that stays.
        for &(id, name) in &self.added {
            let mut places = name.places(self.places.len() - 1);
            let Some(free) = places.find(|place| self.places[*place].number == 0) else { continue };
            self.places[free] = Place { number: id + 1, tag: name.hash };
        }
    }

    /// Forgets all but the first ones.
    pub fn forget(&mut self, len: usize) {
        let mask = self.places.len() - 1;
        // The last one of all is behind those with which it shares places: its own becomes free again.
        for (id, name) in self.added.drain(len..).rev() {
            let Some(own) = name.places(mask).find(|place| self.places[*place].number == id + 1) else { continue };
            self.places[own] = Place::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_is_not_found_and_the_rest_is() {
        let made: Vec<u64> = (0..5_000).map(|n| n * 64).collect();
        // Every third has many neighbours that are made of the same value.
        let name = |n: usize| match n % 3 {
            0 => Name::of(&made[n]).behind(7),
            1 => Name::of(&made[n]).behind(n as u32),
            _ => Name::of(&made[n]),
        };
        let find = |known: &Known, n: usize| known.find(name(n), |id| made[id as usize] == made[n]);
        let mut known = Known::new(4);
        let mut marks = Vec::new();
        for n in 0..made.len() {
            if n % 700 == 0 {
                marks.push(known.len());
            }
            let place = find(&known, n).expect_err("it is new");
            known.add(place, n as u32);
            assert_eq!(find(&known, n), Ok(n as u32));
        }
        for mark in marks.into_iter().rev() {
            known.forget(mark);
            for n in (0..made.len()).step_by(13) {
                assert_eq!(find(&known, n).is_ok(), n < mark, "{n} {mark}");
            }
        }
    }
}
