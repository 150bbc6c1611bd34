//! ATTILA binaries: what is read writes back, prints, and reassembles to the same bytes; so does a listing of anything.
#![no_main]

use libfuzzer_sys::fuzz_target;
use parallax_attila::{Program, assemble, assemble_bytes, list};
use parallax_isa::Style;

fuzz_target!(|data: &[u8]| {
    let line = |line: Result<String, (String, _)>| line.unwrap_or_else(|(line, _)| line) + "\n";
    let listing: String = list(data, Style::Exact).into_iter().map(line).collect();
    if !data.is_empty() {
        assert_eq!(assemble_bytes(&listing, true).0.as_deref(), Some(data));
    }
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
