//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod atomics;
mod constants;
mod doubles;
mod fast_math;
mod images;
mod integers;
mod kernel;
mod kernels;
mod pointers;
mod subgroups;
mod walk;
