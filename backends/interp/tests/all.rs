//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod batches;
mod contract;
mod double;
mod fused;
mod kernels;
mod kit;
mod memory;
mod operations;
