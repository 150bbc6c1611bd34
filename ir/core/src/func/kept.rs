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

#[cfg(test)]
mod tests {
    use crate::{Builder, Func, OpKind, Stage};

    fn body(ops: u32) -> Func {
        let mut func = Func::new("f", "test", Stage::Fragment);
        let body = func.body;
        let mut b = Builder::at(&mut func, body);
        (0..ops).for_each(|n| _ = b.i32(n));
        let region = b.new_region();
        b.op_with_regions(OpKind::Block, None, &[], &[region], &[]);
        func
    }

    #[test]
    fn a_body_has_nothing_of_the_one_before_but_its_room() {
        for ops in [1, 100, 3000] {
            let (one, other) = (body(ops), body(ops));
            assert_eq!(one, other);
            let copy = one.clone();
            drop(one);
            let empty = Func::new("g", "test", Stage::Vertex);
            assert!(empty.values.is_empty() && empty.ops.is_empty() && empty.regions.len() == 1);
            assert_eq!(empty.ops.capacity() >= ops as usize, ops <= super::KEPT as u32);
            assert!(empty.regions[empty.body].ops.is_empty() && empty.regions[empty.body].params.is_empty());
            assert_eq!(copy, other);
            drop(empty);
            assert_eq!(body(ops), other);
        }
    }
}
