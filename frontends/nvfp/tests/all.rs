//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod lifting;
mod nv40;
mod nv40vp;
mod reading;
mod semantics;
mod vertex;
