//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod assembly;
mod doubles;
mod kernels;
mod table;
mod watched;
