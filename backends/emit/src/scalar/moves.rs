//! Moves that all read before one writes, one after the other.

use super::registers::Place;
use crate::form::Base;
use smallvec::SmallVec;

/// What a move reads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A place, or a predicate's opposite.
    Place(Place, bool),
    Other(Base),
}

impl Source {
    /// The place that is read.
    pub(crate) const fn place(self) -> Option<Place> {
        match self {
            Source::Place(place, _) => Some(place),
            Source::Other(_) => None,
        }
    }
}

/// Moves: where to, and what is read. Those of a lookup are four at most.
pub(crate) type Moving = SmallVec<[(Place, Source); 4]>;

/// An order in which no move overwrites what another still reads. `spare`: a place like another that nothing is in; whether one was
/// needed, because moves go in a circle.
pub(crate) fn ordered(mut left: Moving, spare: impl Fn(Place) -> Place) -> (Moving, bool) {
    let (mut done, mut takes_spare) = (Moving::with_capacity(left.len()), false);
    while !left.is_empty() {
        let is_read = |n: usize| {
            let place = left[n].0;
            left.iter().enumerate().any(|(m, (_, from))| m != n && from.place() == Some(place))
        };
        let n = match (0..left.len()).find(|&n| !is_read(n)) {
            Some(n) => n,
            None => {
                // A circle: the first place is kept aside.
                let (first, spare) = (left[0].0, spare(left[0].0));
                takes_spare |= matches!(first, Place::Word(_));
                done.push((spare, Source::Place(first, false)));
                for (_, from) in &mut left {
                    if let Source::Place(place, _) = from
                        && *place == first
                    {
                        *place = spare;
                    }
                }
                0
            }
        };
        done.push(left.remove(n));
    }
    (done, takes_spare)
}
