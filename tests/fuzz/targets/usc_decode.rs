#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parallax_smoke::targets::usc_decode(data));
