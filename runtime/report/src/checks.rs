//! Checks that a comparison was asked to pass.

use serde::{Deserialize, Serialize};

/// What was checked.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Check {
    /// A limit on a figure.
    Limit,
    /// Whether operations give what a specification allows.
    Profile,
    /// What the shader's manifest expects of its results.
    Expectation,
    /// Whether anything is worse than in an earlier run.
    Earlier,
}

impl Check {
    /// All of them.
    pub const ALL: [Check; 4] = [Check::Limit, Check::Profile, Check::Expectation, Check::Earlier];

    /// Name in messages and files.
    pub fn name(self) -> &'static str {
        match self {
            Check::Limit => "limit",
            Check::Profile => "profile",
            Check::Expectation => "expectation",
            Check::Earlier => "baseline",
        }
    }
}

/// A check that a shader does not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckFailure {
    /// What was checked.
    pub check: Check,
    /// Under which model; `None` for the shader as a whole.
    pub model: Option<String>,
    /// What was found and what was expected.
    pub message: String,
}
