//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod effect;
mod faithful;
mod host;
mod kernels;
mod lookups;
mod random;
mod random_stages;
mod round_trip;
#[cfg(feature = "read-texts")]
mod texts;
mod vertices;
#[cfg(feature = "read-texts")]
mod webgpu;
