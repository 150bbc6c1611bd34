#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parallax_smoke::targets::machine_code(data));
