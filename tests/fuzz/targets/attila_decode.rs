//! ATTILA binaries: what is read writes back, prints, and reassembles to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use parallax_attila::{Program, assemble, list};
use parallax_isa::Style;

fuzz_target!(|data: &[u8]| {
    let _ = list(data, Style::default());
    let (program, diags) = Program::decode(data);
    if diags.iter().any(|d| d.is_error()) || program.instrs.is_empty() {
        return;
    }
    let bytes = program.encode();
    let (again, _) = Program::decode(&bytes);
    assert_eq!(again.encode(), bytes);
    let (read, _) = assemble(&program.text(Style::Exact));
    assert_eq!(read.expect("printed text assembles").encode(), bytes);
});
