//! The row interpreter: step programs over rows of lanes, on every host.
//!
//! [`Bytecode::new`] takes a verified shader's step form and flattens it into a list of instructions over *rows*: a row holds
//! one value for every lane of a batch. Instructions run one at a time over all lanes, so the cost of dispatch is shared by the
//! batch. The evaluation contract at the head of `parallax-core` is obeyed to the letter; how many lanes a batch has changes
//! no bit.
//!
//! What makes that work: a value defined inside a region is visible inside that region only, and lanes of a region
//! only ever leave it. Rows of ordinary values may therefore hold anything in quads that do not execute, and those
//! quads are skipped. Region results and loop parameters are what outlives a region; they have rows of their own, which are
//! filled from initial operands and first values in all lanes and from then on written in executing lanes only. Parameters
//! change at the start of an iteration, not at `continue`, so that lanes still in the iteration see their neighbours'
//! values of this one.
//!
//! A shader that writes memory runs quad by quad through the same instructions ([`Bytecode::run_in`]).
//!
//! [`Bytecode::run_traced`] reports every value of every op of the bound shader with its mask to a [`Trace`].

mod arena;
mod backend;
mod exec;
mod fuse;
mod lower;
mod mask;
mod program;
mod scratch;
mod steps;
mod trace;

pub use backend::Interpreter;
pub use mask::Mask;
pub use program::Bytecode;
pub use scratch::Scratch;
pub use trace::{Event, NoTrace, Trace};
