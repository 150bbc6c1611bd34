//! Readers of the textual forms of step form and lane form. Only tests read them back: that everything printed reads back to the
//! same function holds the printers to account, and tests are written in them.

pub mod lanes;
pub mod steps;
mod words;

use std::fmt;

/// Where a text is no function, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, what was expected.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}
