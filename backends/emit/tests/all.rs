//! The tests of this crate as one binary.

mod corpus;
mod proof;
