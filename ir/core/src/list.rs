//! Short lists of ids, in 16 bytes.

use crate::EntityRef;
use smallvec::SmallVec;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A list of ids. Up to three stand in the list itself, which is what nearly all ops need; up to eight, as lookups and dot
/// products have, take one small allocation.
pub struct EntityList<T>(Items<T>);

enum Items<T> {
    Three(u8, [T; 3]),
    Eight(u8, Box<[T; 8]>),
    // A vector of its own would not fit.
    #[expect(clippy::box_collection, reason = "three words in one")]
    Many(Box<Vec<T>>),
}

impl<T: EntityRef> EntityList<T> {
    /// No ids.
    #[inline]
    pub fn new() -> Self {
        EntityList(Items::Three(0, [T::new(0); 3]))
    }

    /// One id.
    #[inline]
    pub fn one(id: T) -> Self {
        EntityList(Items::Three(1, [id; 3]))
    }

    /// These ids.
    #[inline]
    pub fn of(ids: &[T]) -> Self {
        match *ids {
            [] => EntityList::new(),
            [a] => EntityList::one(a),
            [a, b] => EntityList(Items::Three(2, [a, b, b])),
            [a, b, c] => EntityList(Items::Three(3, [a, b, c])),
            _ => EntityList::long(ids),
        }
    }

    /// The first `count` of three ids.
    #[inline]
    pub(crate) fn few(count: usize, ids: [T; 3]) -> Self {
        EntityList(Items::Three(count.min(3) as u8, ids))
    }

    /// Number and ids, if they stand in the list itself; what [`EntityList::few`] takes.
    #[inline]
    pub(crate) fn if_few(&self) -> Option<(usize, [T; 3])> {
        match self.0 {
            Items::Three(count, ids) => Some((usize::from(count), ids)),
            _ => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn long(ids: &[T]) -> Self {
        if ids.len() > 8 {
            return EntityList(Items::Many(Box::new(ids.to_vec())));
        }
        let mut all = Box::new([T::new(0); 8]);
        all[..ids.len()].copy_from_slice(ids);
        EntityList(Items::Eight(ids.len() as u8, all))
    }

    /// Whether there are none. Asked of every op, so answered without finding the ids first.
    #[inline]
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Items::Three(len, _) | Items::Eight(len, _) => *len == 0,
            Items::Many(items) => items.is_empty(),
        }
    }

    /// Appends an id.
    pub fn push(&mut self, id: T) {
        match &mut self.0 {
            Items::Three(len, items) if *len < 3 => {
                items[usize::from(*len)] = id;
                *len += 1;
            }
            Items::Eight(len, items) if *len < 8 => {
                items[usize::from(*len)] = id;
                *len += 1;
            }
            Items::Many(items) => items.push(id),
            _ => {
                let mut all = self.to_vec();
                all.push(id);
                *self = EntityList::of(&all);
            }
        }
    }

    /// Takes the last id away.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.last().copied()?;
        match &mut self.0 {
            Items::Three(len, _) | Items::Eight(len, _) => *len -= 1,
            Items::Many(items) => {
                items.pop();
            }
        }
        Some(last)
    }

    /// Puts an id at place `at`.
    ///
    /// # Panics
    /// If `at` is beyond the end.
    pub fn insert(&mut self, at: usize, id: T) {
        self.push(id);
        self[at..].rotate_right(1);
    }

    /// Takes all ids away.
    pub fn clear(&mut self) {
        *self = EntityList::new();
    }
}

impl<T: EntityRef> Clone for EntityList<T> {
    #[inline]
    fn clone(&self) -> Self {
        match self.if_few() {
            Some((count, ids)) => EntityList::few(count, ids),
            None => EntityList::long(self),
        }
    }
}

impl<T> Deref for EntityList<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Items::Three(len, items) => &items[..usize::from(*len)],
            Items::Eight(len, items) => &items[..usize::from(*len)],
            Items::Many(items) => items,
        }
    }
}

impl<T> DerefMut for EntityList<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Items::Three(len, items) => &mut items[..usize::from(*len)],
            Items::Eight(len, items) => &mut items[..usize::from(*len)],
            Items::Many(items) => items,
        }
    }
}

impl<T: EntityRef> Default for EntityList<T> {
    fn default() -> Self {
        EntityList::new()
    }
}

impl<T: EntityRef> Extend<T> for EntityList<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, ids: I) {
        let all: SmallVec<[T; 16]> = self.iter().copied().chain(ids).collect();
        *self = EntityList::of(&all);
    }
}

impl<T: EntityRef> FromIterator<T> for EntityList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(ids: I) -> Self {
        let ids: SmallVec<[T; 16]> = ids.into_iter().collect();
        EntityList::of(&ids)
    }
}

/// The ids of a list, in order.
#[derive(Debug)]
pub struct Ids<T> {
    list: EntityList<T>,
    at: usize,
}

impl<T: EntityRef> Iterator for Ids<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let id = self.list.get(self.at).copied()?;
        self.at += 1;
        Some(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.at;
        (left, Some(left))
    }
}

impl<T: EntityRef> IntoIterator for EntityList<T> {
    type Item = T;
    type IntoIter = Ids<T>;

    fn into_iter(self) -> Ids<T> {
        Ids { list: self, at: 0 }
    }
}

impl<'a, T> IntoIterator for &'a EntityList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut EntityList<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for EntityList<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for EntityList<T> {}

impl<T: std::hash::Hash> std::hash::Hash for EntityList<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug> fmt::Debug for EntityList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ValueId;

    #[test]
    fn lists_of_any_length_hold_what_was_put_in() {
        assert_eq!(size_of::<EntityList<ValueId>>(), 16);
        let mut pushed: EntityList<ValueId> = EntityList::new();
        let mut all: Vec<ValueId> = Vec::new();
        for n in 0..20 {
            assert_eq!(*pushed, *all);
            assert_eq!(EntityList::of(&all), pushed);
            assert_eq!(pushed.clone(), all.iter().copied().collect());
            let mut shorter = pushed.clone();
            assert_eq!(shorter.pop(), all.last().copied());
            assert_eq!(*shorter, all[..all.len().saturating_sub(1)]);
            shorter.push(ValueId::new(99));
            assert_eq!(shorter.last(), Some(&ValueId::new(99)));
            assert!(pushed.clone().into_iter().eq(all.iter().copied()));
            let (mut inserted, mut expected) = (pushed.clone(), all.clone());
            inserted.insert(n / 2, ValueId::new(50));
            expected.insert(n / 2, ValueId::new(50));
            assert_eq!(*inserted, expected);
            pushed.push(ValueId::new(n));
            all.push(ValueId::new(n));
        }
        pushed.iter_mut().for_each(|id| *id = ValueId::new(7));
        assert!(pushed.len() == 20 && pushed.iter().all(|id| *id == ValueId::new(7)));
        pushed.clear();
        assert!(pushed.is_empty());
    }
}
