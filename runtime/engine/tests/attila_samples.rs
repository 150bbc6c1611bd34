//! Draws of programs that speak of samples: a pixel that is drawn has one.

use parallax::{Control, Draw, Frame, LoadOptions, Manifest, Optimise, Workers, compile, load, run_draw, run_vertices};
use parallax_core::OutputRole;
use parallax_core::num::Model;

/// i0.x goes from left to right over the picture.
fn drawn(text: &str) -> Frame {
    let loaded = load("test.attila", text.as_bytes(), &LoadOptions::default());
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let manifest = Manifest::parse("m.toml", "size = [4, 2]").unwrap_or_else(|p| panic!("{p}"));
    let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    let compiled =
        compile(&shader, &Model::builtin("attila").expect("built in"), Optimise::Yes).expect("a valid shader");
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
        ("kls c0, s0\nmov o0, i0", [false; 4]),
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
    let loaded = load("test.attila", b"kls c0, s0\nchs\nmov o0, i0", &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let draw = Draw::new(&shader.func.iface, &Manifest::default()).unwrap_or_else(|p| panic!("{p}"));
    let compiled =
        compile(&shader, &Model::builtin("attila").expect("built in"), Optimise::Yes).expect("a valid shader");
    let frame = run_vertices(&compiled, &draw).expect("vertices");
    assert!(!frame.covered.is_empty() && frame.covered.iter().all(|c| *c));
}
