//! Staged writes: a group of operations reads everything before any of them writes.

use crate::{CellId, Lifter, Val};
use parallax_core::ValueId;
use smallvec::SmallVec;

/// Writes held back until [`Lifter::commit`].
#[derive(Debug, Default)]
pub struct Stage {
    writes: SmallVec<[(CellId, Val, Option<ValueId>); 4]>,
}

impl Stage {
    /// Nothing held back.
    pub fn new() -> Self {
        Stage::default()
    }

    /// Holds back a write.
    pub fn set(&mut self, cell: CellId, val: impl Into<Val>) {
        self.writes.push((cell, val.into(), None));
    }

    /// Holds back a write for lanes whose predicate is true.
    pub fn set_if(&mut self, pred: ValueId, cell: CellId, val: impl Into<Val>) {
        self.writes.push((cell, val.into(), Some(pred)));
    }
}

impl Lifter<'_> {
    /// Performs the held-back writes in the order they were staged.
    pub fn commit(&mut self, stage: Stage) {
        for (cell, val, pred) in stage.writes {
            match pred {
                Some(pred) => self.set_if(pred, cell, val),
                None => self.set(cell, val),
            }
        }
    }
}
