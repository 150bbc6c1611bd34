//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod around;
mod edits;
mod identify;
mod planted;
mod planted_models;
mod values;
mod written;
