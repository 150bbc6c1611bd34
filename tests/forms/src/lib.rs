//! Readers of the textual forms of step form and lane form. Only tests read them back: that everything printed reads back to the
//! same function holds the printers to account, and tests are written in them.
//!
//! Both forms have a statement on each line, and are read with the pieces that the text of the IR is read with.

pub mod lanes;
mod pieces;
pub mod steps;

use parallax_text::LineMap;
use std::fmt;

/// Where a text is no function, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, what was expected.
    pub message: String,
}

impl ReadError {
    fn new(source: &str, offset: u32, message: String) -> ReadError {
        ReadError { line: LineMap::new(source).line(offset) as usize, message }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}
