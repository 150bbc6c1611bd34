//! The lists of a body, which each thread keeps for its next one.
//!
//! Most programs are so short that growing new lists takes a large part of the time of making them.

use super::{Func, OpData, OpId, RegionData, RegionId, ValueData, ValueId};
use crate::{EntityRef, PrimaryMap};
use std::cell::Cell;

/// Empty lists, with the room that those of another body had.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) values: PrimaryMap<ValueId, ValueData>,
    pub(super) ops: PrimaryMap<OpId, OpData>,
    pub(super) regions: PrimaryMap<RegionId, RegionData>,
    /// Ops of the outermost region.
    pub(super) body: Vec<OpId>,
}

thread_local! {
    static LISTS: Cell<Lists> = Cell::default();
}

/// Most ops that a kept list has room for; values and regions are about as many, or fewer.
const KEPT: usize = 1 << 11;

impl Lists {
    /// Those that the thread keeps.
    pub(super) fn take() -> Lists {
        LISTS.try_with(Cell::take).unwrap_or_default()
    }
}

impl Drop for Func {
    fn drop(&mut self) {
        let lists = [self.ops.capacity(), self.values.capacity(), self.regions.capacity()];
        if lists.into_iter().any(|room| room > KEPT) || self.ops.capacity() == 0 {
            return;
        }
        let mut lists = Lists {
            values: std::mem::take(&mut self.values),
            ops: std::mem::take(&mut self.ops),
            regions: std::mem::take(&mut self.regions),
            body: Vec::new(),
        };
        if self.body.index() < lists.regions.len() {
            lists.body = std::mem::take(&mut lists.regions[self.body].ops);
        }
        lists.values.clear();
        lists.ops.clear();
        lists.regions.clear();
        lists.body.clear();
        // A thread that ends needs none.
        let _ = LISTS.try_with(|kept| kept.set(lists));
    }
}
