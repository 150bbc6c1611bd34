//! Filetests, differential property tests, tests of the documents.

pub mod engines;
pub mod filetest;
