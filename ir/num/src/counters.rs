//! Counts for the proof over all inputs: how many lanes of this thread left the fast path.

use std::cell::Cell;

thread_local! {
    /// Transcendental results that binary64 did not decide.
    pub static WIDE: Cell<u64> = const { Cell::new(0) };
}

pub(crate) fn count(which: &'static std::thread::LocalKey<Cell<u64>>) {
    which.with(|n| n.set(n.get() + 1));
}
