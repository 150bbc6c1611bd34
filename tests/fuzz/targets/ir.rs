//! Textual IR: what reads and verifies prints and reads back to the same text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use parallax_core::{text, verify};

fuzz_target!(|data: &[u8]| {
    let source = String::from_utf8_lossy(data);
    let Ok(shader) = text::read(&source) else { return };
    if verify(&shader).is_err() {
        return;
    }
    let printed = text::print(&shader);
    let again = text::read(&printed).expect("printed IR reads");
    assert_eq!(text::print(&again), printed);
});
