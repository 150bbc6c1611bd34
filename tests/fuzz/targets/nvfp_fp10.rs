//! NV fragment programs: what is read prints and reads back, and lifts to IR that verifies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use parallax_nvfp::{Dialect, lift, parse, print};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (Some(program), _) = parse(&text, Some(Dialect::Fp10)) else { return };
    let printed = print(&program);
    let again = parse(&printed, Some(Dialect::Fp10)).0.expect("printed text reads");
    assert_eq!(print(&again), printed);
    if let Ok(shader) = lift(&program, &text, &Default::default()) {
        assert!(parallax_core::verify(&shader).is_ok());
    }
});
