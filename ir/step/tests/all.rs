//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod exhaustive;
mod page;
mod proof;
mod second;
mod shaders;
mod words;
