//! Observation of a run.

use crate::Mask;
use parallax_core::exec::{Inputs, Outputs};
use parallax_core::{OpId, RegionId, ValueId};

/// Something that happened in a run. Rows hold one lane word per lane of the batch. Where a whole quad is not in `exec`,
/// words mean nothing.
#[derive(Copy, Clone, Debug)]
pub enum Event<'a> {
    /// An op other than `if`, `loop`, `block` and terminators was evaluated. Values stand in all four lanes of a quad
    /// in which any lane executes; state ops acted in the lanes of `exec` only.
    Op {
        /// The op.
        op: OpId,
        /// Executing lanes.
        exec: Mask<'a>,
        /// Rows of the operands.
        args: &'a [&'a [u64]],
        /// Rows of the results.
        results: &'a [&'a [u64]],
    },
    /// Lanes start to execute a region of `op`; for a loop, an iteration of it.
    Enter {
        /// The `if`, `loop` or `block`.
        op: OpId,
        /// Its region.
        region: RegionId,
        /// Lanes that execute it.
        exec: Mask<'a>,
    },
    /// A terminator was reached by the lanes of `exec`.
    Leave {
        /// The terminator.
        op: OpId,
        /// Lanes that leave.
        exec: Mask<'a>,
    },
    /// A region result or loop parameter took new values.
    Assign {
        /// What causes it: an `if`, `loop` or `block` for the initial values of its results, a `loop` for the first values
        /// of its parameters and for those of a new iteration, else the terminator.
        op: OpId,
        /// The result or parameter.
        value: ValueId,
        /// Lanes that change; with initial and first values, all lanes of their quads do.
        exec: Mask<'a>,
        /// Its row.
        row: &'a [u64],
    },
    /// An `if`, `loop` or `block` ended; `exec` are the lanes that go on after it.
    Join {
        /// The `if`, `loop` or `block`.
        op: OpId,
        /// Lanes that go on.
        exec: Mask<'a>,
    },
}

/// Receives the events of a run in order.
pub trait Trace {
    /// Takes one event.
    fn event(&mut self, event: Event<'_>);

    /// A batch of lanes begins.
    fn begin(&mut self, _inputs: &Inputs<'_>) {}

    /// It has ended.
    fn end(&mut self, _outputs: &Outputs) {}

    /// Whether it looks at the rows of an op. If not, its [`Event::Op`] comes without any.
    fn reads(&self, _op: OpId) -> bool {
        true
    }

    /// Whether it looks at values that regions are given. If not, no [`Event::Assign`] comes.
    fn reads_regions(&self) -> bool {
        true
    }
}

/// Ignores everything.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    fn event(&mut self, _: Event<'_>) {}
}

impl<F: FnMut(Event<'_>)> Trace for F {
    fn event(&mut self, event: Event<'_>) {
        self(event);
    }
}
