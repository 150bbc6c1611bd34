//! The programs that benchmarks measure.

use parallax::{LoadOptions, load};
use parallax_benches::kernels::sha256_of_block;
use parallax_benches::{CONSTANT, PROGRAMS, chain, long_text, nvfp, straight};

#[test]
fn every_nv_program_loads() {
    let texts = nvfp::DIALECTS.iter().map(|dialect| dialect.long_text(1000)).chain([nvfp::sixty_four()]);
    for text in texts {
        let loaded = load("bench.nvfp", text.as_bytes(), &LoadOptions::default());
        assert!(loaded.shader.is_some(), "{:#?}", loaded.diags);
    }
    let loaded = load("bench.nvfp", nvfp::sixty_four().as_bytes(), &LoadOptions::default());
    assert_eq!(loaded.instructions(), 64);
    assert_eq!(nvfp::corpus().len(), 17);
}

#[test]
fn straight_programs_load() {
    for set in &straight::STRAIGHT {
        let loaded = load("bench", &set.program(900), &set.options());
        assert!(loaded.shader.is_some(), "{}: {:#?}", set.set, loaded.diags);
        let found = loaded.instructions();
        assert!(found >= 880, "{}: {found} instructions", set.set);
    }
}

#[test]
fn every_program_loads() {
    let long = long_text(500);
    let chains = [false, true].map(|control| chain(50, control));
    let made = [long.as_str(), CONSTANT.text].into_iter().chain(chains.iter().map(String::as_str));
    for text in PROGRAMS.iter().map(|p| p.text).chain(made) {
        let loaded = load("bench.tgsi", text.as_bytes(), &LoadOptions::default());
        assert!(loaded.shader.is_some(), "{:#?}", loaded.diags);
    }
}

#[test]
fn the_digest_of_abc_is_that_of_the_standard() {
    let mut block = [0; 16];
    (block[0], block[15]) = (0x6162_6380, 24);
    let wanted =
        [0xba78_16bf, 0x8f01_cfea, 0x4141_40de, 0x5dae_2223, 0xb003_61a3, 0x9617_7a9c, 0xb410_ff61, 0xf200_15ad];
    assert_eq!(sha256_of_block(&block), wanted);
}
