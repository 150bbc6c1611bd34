//! Cases that panic or do not end.

use crate::Outcome;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Bytes of stack of a case.
const STACK: usize = 64 << 20;

/// Runs a job on a thread of its own. One that takes too long is left to itself.
pub fn guarded(limit: Duration, job: impl FnOnce() -> Outcome + Send + 'static) -> Outcome {
    let (sender, receiver) = channel();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|payload| {
            let message = payload
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| payload.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            Outcome::Failed(format!("panicked: {message}"))
        });
        // Nobody listens any more where it took too long.
        let _ = sender.send(outcome);
    });
    match thread {
        Err(error) => Outcome::Failed(format!("no thread: {error}")),
        Ok(_) => receiver.recv_timeout(limit).unwrap_or_else(|error| match error {
            RecvTimeoutError::Timeout => Outcome::Failed(format!("took more than {} seconds", limit.as_secs())),
            RecvTimeoutError::Disconnected => Outcome::Failed("the thread ended without a result".into()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_and_endless_jobs_fail() {
        // A panic may take its time to print where it was.
        let minute = Duration::from_secs(60);
        assert_eq!(guarded(minute, || Outcome::Passed), Outcome::Passed);
        assert_eq!(guarded(minute, || panic!("so")), Outcome::Failed("panicked: so".into()));
        let endless = || loop {
            std::thread::park();
        };
        assert!(matches!(guarded(Duration::from_millis(10), endless), Outcome::Failed(_)));
    }
}
