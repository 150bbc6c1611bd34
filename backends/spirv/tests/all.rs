//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod effect;
mod round_trip;
