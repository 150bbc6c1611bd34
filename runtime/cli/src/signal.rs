//! Ctrl-C: the first asks for an orderly end, the second ends at once.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From here on Ctrl-C raises the flag that is returned.
pub(crate) fn watch() -> &'static AtomicBool {
    // Without a handler Ctrl-C simply ends the process: nothing to tell the user.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    });
    &INTERRUPTED
}
