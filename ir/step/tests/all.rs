//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod exhaustive;
mod page;
mod proof;
mod shaders;
mod words;
