#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parallax_smoke::targets::nv40_asm(data));
