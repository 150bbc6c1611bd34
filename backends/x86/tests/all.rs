//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod equal;
mod groups;
mod kernels;
mod lookups;
mod random_groups;
mod tiles;
