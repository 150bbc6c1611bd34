//! Why sweeps do not finish.

use crate::plan::PlanError;
use std::{error, fmt, io};

/// Why a sweep did not finish.
#[derive(Debug)]
pub enum SweepError {
    /// The plan is not possible.
    Plan(PlanError),
    /// A file could not be read or written.
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: String,
        /// What the system said.
        error: io::Error,
    },
    /// A part is no part, or belongs to another sweep.
    Part {
        /// The file.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// Parts are missing.
    Incomplete {
        /// Missing shards.
        missing: u32,
        /// All shards.
        total: u32,
        /// The first missing one, from 1.
        first: u32,
    },
    /// The caller stopped it; finished parts are kept.
    Interrupted,
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::Plan(error) => error.fmt(f),
            SweepError::File { what, path, error } => write!(f, "cannot {what} {path}: {error}"),
            SweepError::Part { path, message } => write!(f, "{path}: {message}"),
            SweepError::Incomplete { missing, total, first } => {
                write!(f, "the sweep is incomplete: {missing} of {total} shards are missing, the first is {first}")
            }
            SweepError::Interrupted => {
                write!(f, "interrupted; finished parts are kept, and the same command resumes")
            }
        }
    }
}

// Messages say what the system said; there is no source to add.
impl error::Error for SweepError {}

impl From<PlanError> for SweepError {
    fn from(error: PlanError) -> SweepError {
        SweepError::Plan(error)
    }
}
