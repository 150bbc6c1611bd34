//! Word form: step programs in integers of 32 bits alone, for devices whose float instructions promise too little.
//!
//! A value of 32 bits is one word, one of 64 bits two, the low word first; a mask stays a mask. What takes many instructions,
//! such as a fused multiply-add in binary64, is a [`Routine`] of its own that is called; the rest is written where it stands.
//! [`lower`] makes words of a primitive, [`Routine::of_program`] of a whole step program. Results are those of the primitives,
//! bit for bit; where a row promises no more than *some NaN* it is the negative quiet NaN without payload.
//!
//! What is known of floats is kept beside their words ([`Classes`]). A routine whose operands are better known ([`Given`]) is shorter.

mod big;
mod class;
mod compare;
mod convert;
mod float;
mod infer;
mod integer;
mod lower;
mod quotient;
mod round;
mod routine;
mod sink;
mod sum;
#[cfg(test)]
mod tests;

pub use class::{Classes, Given, Operand};
pub use infer::learn;
pub use lower::{Value, lower};
pub use routine::{Key, Routine};
pub use sink::{Sink, WordInst, WordKind};
