//! The target that the variable `PARALLAX_TARGET` names.

#![no_main]

use parallax_smoke::{Target, targets};
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("PARALLAX_TARGET").expect("PARALLAX_TARGET names a target");
    targets().into_iter().find(|target| target.name == name).expect("a target of parallax-smoke")
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET.run(data));
