//! The tests of this crate as one binary.

mod back;
mod corpus;
mod proof;
mod vectors;
