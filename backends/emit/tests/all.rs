//! The tests of this crate as one binary.

mod addresses;
mod arrays;
mod back;
mod corpus;
mod encoding;
mod found;
mod kernels;
mod mesa;
mod operations;
mod proof;
mod samples;
mod schedule;
mod spills;
mod vectors;
mod whole;
mod wide;
