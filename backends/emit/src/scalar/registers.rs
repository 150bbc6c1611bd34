//! Registers for values: words in groups of four, which hold the vectors of lookups and outputs, and predicates.

use crate::form::Value;
use crate::live::{Ranges, overlap};
use crate::registers::{Bank, Order, release, take};
use crate::webs::Webs;
use smallvec::SmallVec;

/// Predicates; the last is kept for moves in a circle.
pub(crate) const PREDICATES: usize = 6;

/// Where a value is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Place {
    Word(u32),
    Predicate(u8),
}

/// Where each value is.
#[derive(Debug, Default)]
pub(crate) struct Places {
    values: Vec<Option<Place>>,
    /// Words in use: one more than the highest.
    pub(crate) words: u32,
    /// The most predicates that hold something at once, where the set has fewer.
    pub(crate) missing: Option<usize>,
}

impl Places {
    /// The place of a value.
    pub(crate) fn get(&self, value: Value) -> Place {
        self.values[value as usize].unwrap_or(Place::Word(0))
    }

    fn put(&mut self, cell: Value, place: Place) {
        if let Place::Word(number) = place {
            self.words = self.words.max(number + 1);
        }
        self.values[cell as usize] = Some(place);
    }
}

/// Finds places. `ranges` are those of cells; webs of outputs say which group of four they are.
pub(crate) fn allocate(webs: &Webs, ranges: &[Ranges], predicates: &[bool]) -> Places {
    let mut places = Places { values: vec![None; webs.len()], ..Places::default() };
    let mut words = Bank::default();
    let mut flags: Vec<Ranges> = Vec::new();
    for (web, group) in webs.outputs() {
        let here = words.register(usize::from(group));
        let (cells, mut comps) = (webs.cells(web), [0; 4]);
        // It is alone there so far, and has four components at most.
        here.place(cells, 0, 0, webs, ranges, &mut comps);
        for (&cell, comp) in cells.iter().zip(comps) {
            here.take_ahead(comp.into(), &ranges[cell as usize]);
            places.put(cell, Place::Word(u32::from(group) * 4 + u32::from(comp)));
        }
    }
    for (start, web) in Order::new(webs, ranges).iter() {
        if predicates[web as usize] {
            let cell = webs.cell(web);
            flags.iter_mut().for_each(|held| release(held, start));
            let free = flags.iter().position(|held| !overlap(held, &ranges[cell as usize])).unwrap_or_else(|| {
                flags.push(Ranges::default());
                flags.len() - 1
            });
            take(&mut flags[free], &ranges[cell as usize]);
            places.put(cell, Place::Predicate(free as u8));
            continue;
        }
        let mut several: SmallVec<[Value; 4]> = SmallVec::new();
        let cells = match webs.cells(web) {
            // It comes alive here.
            alone @ [_] => alone,
            cells => {
                several.extend(cells.iter().copied().filter(|&cell| !ranges[cell as usize].is_empty()));
                &several[..]
            }
        };
        let (group, comps) = words.fit(cells, start, webs, ranges);
        for (&cell, comp) in cells.iter().zip(comps) {
            places.put(cell, Place::Word(group * 4 + u32::from(comp)));
        }
    }
    // Values have the places of their cells, so that nobody has to look for these.
    for value in 0..webs.len() as Value {
        let cell = webs.cell(value);
        if cell != value {
            places.values[value as usize] = places.values[cell as usize];
        }
    }
    places.missing = flags.len().checked_sub(PREDICATES + 1).map(|_| flags.len());
    places
}
