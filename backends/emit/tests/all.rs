//! The tests of this crate as one binary.

mod back;
mod corpus;
mod mesa;
mod proof;
mod vectors;
