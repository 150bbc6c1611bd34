//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod attila;
mod bad_input;
mod blends;
mod containers;
mod corpus;
mod draws;
mod kernels;
mod lookups;
mod memory;
mod nvidia;
mod race_languages;
mod races;
mod replay;
mod rewrites;
mod samples;
mod varyings;
mod vertex_stage;
