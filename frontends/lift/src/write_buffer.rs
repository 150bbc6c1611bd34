//! Buffered writes: a group of operations reads everything before any of them writes.

use crate::{
    lifter::Lifter,
    variable::{Deferred, VarId},
};
use parallax_core::ValueId;
use smallvec::SmallVec;

/// Writes held back until [`Lifter::commit`].
#[derive(Debug, Default)]
pub struct WriteBuffer {
    writes: SmallVec<[(VarId, Deferred, Option<ValueId>); 4]>,
}

impl WriteBuffer {
    /// Nothing held back.
    pub fn new() -> Self {
        WriteBuffer::default()
    }

    /// Holds back a write.
    #[inline]
    pub fn set(&mut self, variable: VarId, val: impl Into<Deferred>) {
        self.writes.push((variable, val.into(), None));
    }

    /// Holds back a write for lanes whose predicate is true.
    #[inline]
    pub fn set_if(&mut self, pred: ValueId, variable: VarId, val: impl Into<Deferred>) {
        self.writes.push((variable, val.into(), Some(pred)));
    }
}

impl Lifter<'_> {
    /// Performs the held-back writes in their order, and forgets them.
    pub fn commit(&mut self, buffer: &mut WriteBuffer) {
        for &(variable, val, pred) in &buffer.writes {
            match pred {
                Some(pred) => self.set_if(pred, variable, val),
                None => self.set(variable, val),
            }
        }
        buffer.writes.clear();
    }
}
