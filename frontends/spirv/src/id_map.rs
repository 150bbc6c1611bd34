//! Values by id.

/// Values of some ids of a module: a place for each id, and the values behind one another.
#[derive(Clone, Debug)]
pub(crate) struct IdMap<T> {
    /// For each id the place of its value, plus one; 0 for none.
    places: Vec<u32>,
    items: Vec<T>,
}

impl<T> IdMap<T> {
    /// An empty map for ids below a bound.
    pub(crate) fn new(bound: u32) -> IdMap<T> {
        IdMap { places: vec![0; bound as usize], items: Vec::new() }
    }

    /// The same, with room for so many values.
    pub(crate) fn with_capacity(bound: u32, count: usize) -> IdMap<T> {
        IdMap { items: Vec::with_capacity(count), ..IdMap::new(bound) }
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<&T> {
        self.get_behind(id, 0)
    }

    /// The value of an id, unless it is one of the first.
    #[inline]
    pub(crate) fn get_behind(&self, id: u32, first: usize) -> Option<&T> {
        let place = (*self.places.get(id as usize)? as usize).checked_sub(1)?;
        if place < first { None } else { self.items.get(place) }
    }

    /// Sets the value of an id; ids beyond the bound have none.
    pub(crate) fn insert(&mut self, id: u32, item: T) {
        match self.places.get_mut(id as usize) {
            Some(0) => {
                self.items.push(item);
                self.places[id as usize] = self.items.len() as u32;
            }
            Some(place) => self.items[*place as usize - 1] = item,
            None => {}
        }
    }

    /// Leaves only the first values; `ids` are at least those that the others belong to.
    pub(crate) fn truncate(&mut self, first: usize, ids: impl Iterator<Item = u32>) {
        for id in ids {
            if let Some(place) = self.places.get_mut(id as usize).filter(|place| **place as usize > first) {
                *place = 0;
            }
        }
        self.items.truncate(first);
    }
}
