//! ATTILA text: what assembles prints and assembles to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use parallax_attila::assemble;
use parallax_isa::Style;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (Some(program), _) = assemble(&text) else { return };
    let bytes = program.encode_ended();
    let (again, _) = assemble(&program.text(Style::Exact));
    assert_eq!(again.expect("printed text assembles").encode_ended(), bytes);
});
