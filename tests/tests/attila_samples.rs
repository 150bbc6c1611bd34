//! What ATTILA programs do to single samples of a pixel in a draw: depths and kills.

use parallax::{Control, Draw, Engine, Frame, LoadOptions, Manifest, Optimise, Workers, compile, load, run_draw};
use parallax_core::OutputRole;
use parallax_core::num::Model;

/// Draws four pixels, all samples of which are covered.
fn draw(program: &str, samples: &str) -> Frame {
    let manifest = format!(
        "stage = \"fragment\"\nsize = [2, 2]\n[samples]\n{samples}\n[constants]\n\
         0 = [0.125, 0.25, 0.5, 0.75]\n1 = [-1, 1, 1, 1]\n"
    );
    let manifest = Manifest::parse("t.toml", &manifest).unwrap_or_else(|p| panic!("{p}"));
    let options = LoadOptions { isa: Some("attila".into()), ..LoadOptions::default() };
    let loaded = load("t", program.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    let compiled = compile(&shader, &Model::builtin("attila").unwrap(), Optimise::Yes, Engine::Interp).unwrap();
    run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|d| panic!("{d:#?}"))
}

/// The depths of the samples of the last pixel.
fn depths(frame: &Frame) -> Vec<f32> {
    let at = frame.channels.iter().position(|c| c.role == OutputRole::Depth).expect("a depth");
    let samples = frame.samples.as_ref().expect("samples");
    let words = samples.words[at].to_words();
    let count = samples.positions.len();
    words[3 * count..][..count].iter().map(|word| f32::from_bits(*word as u32)).collect()
}

#[test]
fn every_sample_has_the_depth_that_was_exported_for_it() {
    let all = [0.125, 0.25, 0.5, 0.75];
    assert_eq!(depths(&draw("zxs c0\nend\n", "count = 4")), all);
    assert_eq!(depths(&draw("zxs c0\nend\n", "count = 2")), all[..2]);
    // From the current sample on.
    assert_eq!(depths(&draw("zxs c0.wwww\nchs\nzxs c0\nend\n", "count = 4")), [0.75, 0.125, 0.25, 0.5]);
    let eight = depths(&draw("zxs c0\nchs\nchs\nchs\nchs\nzxs c0.wzyx\nend\n", "count = 8"));
    assert_eq!(eight, [0.125, 0.25, 0.5, 0.75, 0.75, 0.5, 0.25, 0.125]);
    // One depth is that of all; where a fragment is a sample, it has one.
    assert_eq!(depths(&draw("zxp c0\nend\n", "count = 4")), [0.125; 4]);
    assert_eq!(depths(&draw("zxs c0\nend\n", "count = 4\nper_sample = true")), [0.125; 4]);
    // A pixel has the depth of its first covered sample.
    let frame = draw("zxs c0\nkil c1\nend\n", "count = 4");
    let channel = frame.channel(OutputRole::Depth, 2).expect("a depth");
    assert_eq!((frame.coverage(3), f32::from_bits(channel.words.get(3) as u32)), (0b1110, 0.25));
}

#[test]
fn kills_are_of_the_samples_a_fragment_has() {
    let coverage = |program: &str, samples: &str| draw(program, samples).coverage(0);
    for (program, of_pixel, of_sample) in [
        ("kil c1\n", 0b1110, 0),
        // The second sample of a fragment that has one.
        ("chs\nkil c1\n", 0b1101, 0b1111),
        ("kls c1, s3\n", 0b0111, 0b1111),
        ("kls c1, s0\n", 0b1110, 0),
        ("chs\nkls c1, s0\n", 0b1110, 0),
    ] {
        let program = format!("{program}mov o1, c0\nend\n");
        assert_eq!(coverage(&program, "count = 4"), of_pixel, "{program}");
        assert_eq!(coverage(&program, "count = 4\nper_sample = true"), of_sample, "{program}");
    }
}
