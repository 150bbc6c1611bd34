#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parallax_smoke::targets::spa5_asm(data));
