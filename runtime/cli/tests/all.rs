//! The tests of this crate as one binary: linking each file on its own took longer than running it.

mod bad_input;
mod baseline;
mod bindings;
mod captures;
mod check;
mod containers;
mod cuda_kernels;
mod documents;
mod engines;
mod eval;
mod explain;
mod files;
mod identify;
mod kernels;
mod languages;
mod machine;
mod manifest;
mod page;
mod samples;
mod strips;
mod support;
mod sweep;
mod translate;
mod verbs;
