//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod atomics;
mod doubles;
mod fast_math;
mod images;
mod kernel;
mod kernels;
mod pointers;
mod walk;
