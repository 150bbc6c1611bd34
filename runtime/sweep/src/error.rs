//! Why sweeps do not finish.

use crate::plan::PlanError;

/// Why a sweep did not finish.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The plan is not possible.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A file could not be read or written.
    #[error("cannot {what} {path}: {error}")]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// A part is no part, or belongs to another sweep.
    #[error("{path}: {message}")]
    Part {
        /// The file.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// Parts are missing.
    #[error("the sweep is incomplete: {missing} of {total} shards are missing, the first is {first}")]
    Incomplete {
        /// Missing shards.
        missing: u32,
        /// All shards.
        total: u32,
        /// The first missing one, from 1.
        first: u32,
    },
    /// The caller stopped it; finished parts are kept.
    #[error("interrupted; finished parts are kept, and the same command resumes")]
    Interrupted,
}
