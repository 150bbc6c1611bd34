//! Draws of ATTILA programs: samples and attributes.

use parallax::{
    Control, Draw, Engine, Frame, LoadOptions, Manifest, Optimise, Workers, compile, load, run_draw, run_vertices,
};
use parallax_core::OutputRole;
use parallax_core::num::Model;

/// i0.x goes from left to right over the picture.
fn drawn(text: &str) -> Frame {
    drawn_with(text, "size = [4, 2]")
}

fn drawn_with(text: &str, manifest: &str) -> Frame {
    let loaded = load("test.attila", text.as_bytes(), &LoadOptions::default());
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let manifest = Manifest::parse("m.toml", manifest).unwrap_or_else(|p| panic!("{p}"));
    let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    let compiled = compile(&shader, &Model::builtin("attila").expect("built in"), Optimise::Yes, Engine::Interp)
        .expect("a valid shader");
    run_draw(&compiled, &draw, &Workers::serial(), Control::default()).expect("a draw")
}

fn killed(text: &str) -> Vec<bool> {
    let frame = drawn(text);
    assert_eq!(frame.discarded, frame.covered.iter().filter(|c| !**c).count() as u64, "{text}");
    frame.covered[..4].iter().map(|c| !c).collect()
}

#[test]
fn programs_with_kls_or_chs_draw() {
    let left = [true, true, false, false];
    for (text, want) in [
        ("add r0, i0.x, -0.5\nkls r0, s0\nmov o0, i0", left),
        // There is only the first sample.
        ("add r0, i0.x, -0.5\nkls r0, s1\nmov o0, i0", [false; 4]),
        ("kls r5, s0\nmov o0, i0", [false; 4]),
        ("chs\nmov o0, i0", [false; 4]),
        ("add r0, i0.x, -0.5\nkil r0\nchs\nmov o0, i0", left),
        ("add r0, i0.x, -0.5\nchs\nkil r0\nmov o0, i0", [false; 4]),
        ("add r0, i0.x, -0.5\nkil r0\nmov o0, i0", left),
    ] {
        assert_eq!(killed(text), want, "{text}");
        let colour = drawn(text);
        let x = colour.channel(OutputRole::Color(0), 0).expect("a colour").values();
        for (n, &killed) in want.iter().enumerate() {
            assert_eq!(x[n], if killed { 0.0 } else { 0.125 + 0.25 * n as f64 }, "{text}");
        }
    }
}

#[test]
fn programs_with_zxs_draw_their_first_depth() {
    for (text, want) in [("zxs i0.x\nmov o0, i0", 0.875), ("chs\nzxs i0.x\nmov o0, i0", 0.0)] {
        let frame = drawn(text);
        assert_eq!(frame.discarded, 0, "{text}");
        let depth = frame.channel(OutputRole::Depth, 2).expect("a depth").values();
        assert_eq!(depth[3], want, "{text}");
    }
}

#[test]
fn vertices_have_one_sample() {
    let mut options = LoadOptions::default();
    options.lift.settings.insert("stage".into(), "vertex".into());
    let loaded = load("test.attila", b"kls r5, s0\nchs\nmov o0, i0", &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let draw = Draw::new(&shader.func.iface, &Manifest::default()).unwrap_or_else(|p| panic!("{p}"));
    let compiled = compile(&shader, &Model::builtin("attila").expect("built in"), Optimise::Yes, Engine::Interp)
        .expect("a valid shader");
    let frame = run_vertices(&compiled, &draw).expect("vertices");
    assert!(!frame.covered.is_empty() && frame.covered.iter().all(|c| *c));
}

const IMAGE: &str = "size = [4, 2]\n[[textures]]\nunit = 5\nsource = \"ramp\"\nformat = \"rgba32f\"\n";

#[test]
fn lda_reads_the_texels_of_its_unit_and_zeros_behind_them() {
    let manifest = format!("{IMAGE}size = [3]\n");
    let w = |text: &str| {
        let frame = drawn_with(text, &manifest);
        let values = frame.channel(OutputRole::Color(0), 3).expect("a colour").values();
        values[..4].iter().map(|v| *v != 0.0).collect::<Vec<_>>()
    };
    // Elements 0 to 2 are there: every texel of the ramp has an alpha.
    assert_eq!(w("mul r0, i0.x, 4.0\narl a0, r0\nlda o0, a0, t5"), [true, true, true, false]);
    assert_eq!(w("mul r0, -i0.x, 4.0\narl a0, r0\nlda o0, a0, t5"), [false; 4]);
    // The index is bits, not a number: 1.0 is far behind the end, 0.0 is not.
    assert_eq!(w("slt r0, i0.x, 0.5\nlda o0, r0, t5"), [false, false, true, true]);
    assert_eq!(w("lda o0, a0, i5"), [true; 4]);
}

#[test]
fn lda_and_tex_share_their_numbers() {
    let manifest = format!("{IMAGE}size = [4, 4]\nfilter = \"nearest\"\n");
    // At the left of the first row a lookup finds what element 0 is.
    let text = "tex r0, r5, t5\nlda r1, a0, t5\nadd o0, r0, -r1";
    let frame = drawn_with(text, &manifest);
    for comp in 0..4 {
        let values = frame.channel(OutputRole::Color(0), comp).expect("a colour").values();
        assert_eq!(values[0], 0.0);
    }
    let frame = drawn_with("tex r0, r5, t5\nlda o0, a0, t5", &manifest);
    assert_ne!(frame.channel(OutputRole::Color(0), 3).expect("a colour").values()[0], 0.0);
}

/// KIL takes the current sample, which is the first until CHS; KLS the one it names. Shading per sample, a fragment has one sample,
/// whichever it is.
#[test]
fn kills_take_single_samples_of_a_pixel() {
    let four = "size = [4, 2]\n[samples]\ncount = 4\n";
    let each = format!("{four}per_sample = true\n");
    let coverage = |text: &str, manifest: &str| {
        let frame = drawn_with(text, manifest);
        [0, 3].map(|pixel| frame.coverage(pixel))
    };
    // i0.x is below one half on the left.
    let kill = |text: &str| format!("add r0, i0.x, -0.5\n{text}\nmov o0, i0");
    for (text, left) in [
        ("kil r0", 0b1110),
        ("kls r0, s2", 0b1011),
        ("kls r0, s9", 0b1111),
        ("chs\nkil r0", 0b1101),
        ("kil r0\nchs\nkil r0\nkls r0, s3", 0b0100),
        ("kil r0\nchs\nkil r0\nchs\nkil r0\nchs\nkil r0", 0),
    ] {
        assert_eq!(coverage(&kill(text), four), [left, 0b1111], "{text}");
    }
    for text in ["kil r0", "kls r0, s0"] {
        assert_eq!(coverage(&kill(text), &each)[1], 0b1111, "{text}");
    }
    assert_eq!(coverage(&kill("kil r0"), &each)[0], 0);
}
