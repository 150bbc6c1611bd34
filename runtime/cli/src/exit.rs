//! Exit codes, and failures that end a verb.

use parallax::{Problems, Status};
use std::fmt;
use std::io;

/// What a finished command reports.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// A check that was asked for failed.
    CheckFailed = 1,
    /// Usage or invalid input.
    Invalid = 2,
    /// Valid but unsupported, or nothing could be analysed.
    Unsupported = 3,
    /// A bug of parallax.
    Internal = 4,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl Exit {
    /// The exit with this code; anything unknown is a bug.
    pub(crate) fn of_code(code: u8) -> Exit {
        let all = [Exit::Done, Exit::CheckFailed, Exit::Invalid, Exit::Unsupported, Exit::Interrupted];
        all.into_iter().find(|exit| *exit as u8 == code).unwrap_or(Exit::Internal)
    }

    /// Trouble first: of two outcomes the one that says less can be trusted about the results.
    pub(crate) fn worse(self, other: Exit) -> Exit {
        let rank = |e: Exit| match e {
            Exit::Done => 0,
            Exit::Unsupported => 1,
            Exit::CheckFailed => 2,
            Exit::Invalid => 3,
            Exit::Internal => 4,
            Exit::Interrupted => 5,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<parallax_text::DiagKind> for Exit {
    fn from(kind: parallax_text::DiagKind) -> Exit {
        match kind {
            parallax_text::DiagKind::Invalid => Exit::Invalid,
            parallax_text::DiagKind::Unsupported => Exit::Unsupported,
            parallax_text::DiagKind::Internal => Exit::Internal,
        }
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Exit {
        match status {
            Status::Ok => Exit::Done,
            Status::Unsupported => Exit::Unsupported,
            Status::Invalid => Exit::Invalid,
            Status::Internal => Exit::Internal,
        }
    }
}

/// A reason to stop a verb at once.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Stop with this code and say why on standard error.
    Stop(Exit, String),
    /// Problems of an input: draw them, and stop with the code that they ask for.
    Problems(Box<Problems>),
    /// A problem of what was typed at an option, which is its name: draw it.
    Typed(Box<Problems>),
    /// Stop with this code; everything has been said.
    Silent(Exit),
    /// The reader of standard output went away.
    Pipe,
}

impl Failure {
    /// Wrong usage or invalid input.
    pub(crate) fn invalid(message: impl fmt::Display) -> Failure {
        Failure::Stop(Exit::Invalid, message.to_string())
    }

    /// Writing a result failed.
    pub(crate) fn write(what: impl fmt::Display, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Pipe,
            _ => Failure::invalid(format_args!("cannot write {what}: {error}")),
        }
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Failure {
        Failure::Problems(Box::new(problems))
    }
}

/// For standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::write("standard output", &error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_outranks_a_failed_check() {
        assert_eq!(Exit::Done.worse(Exit::Unsupported), Exit::Unsupported);
        assert_eq!(Exit::CheckFailed.worse(Exit::Unsupported), Exit::CheckFailed);
        assert_eq!(Exit::Invalid.worse(Exit::CheckFailed), Exit::Invalid);
        assert_eq!(Exit::Interrupted.worse(Exit::Internal), Exit::Interrupted);
    }
}
