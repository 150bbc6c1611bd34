use super::*;
use crate::draw::{Draw, Geometry};
use crate::render_target::Targets;
use parallax_core::{
    AttrDecl, AttrSemantic, BankDecl, ConstDecl, Interface, Interp, Location, OutputDecl, OutputRole, TexDecl,
    TexTarget, Type,
};
use parallax_texture::Unit;

fn iface() -> Interface {
    let mut iface = Interface::new(Stage::Fragment);
    let attr = |name: &str, semantic| AttrDecl {
        name: name.to_string(),
        semantic,
        interp: Interp::Perspective,
        location: Location::Center,
        mediump: false,
    };
    iface.attrs = vec![
        attr("IN[0]", AttrSemantic::Generic(0)),
        attr("IN[1]", AttrSemantic::Position),
        attr("IN[2]", AttrSemantic::Color(1)),
    ]
    .into();
    iface.banks = vec![
        BankDecl { name: "CONST[0]".into(), len: 2, by_bytes: false },
        BankDecl { name: "CONST[1]".into(), len: 3, by_bytes: false },
    ];
    iface.textures = vec![TexDecl { unit: 1, target: TexTarget::D2 }];
    iface
}

/// Codes with line and column, in order.
fn errors(text: &str) -> Vec<(String, u32, u32)> {
    let problems = match Manifest::parse("m.toml", text) {
        Ok(manifest) => Draw::new(&iface(), &manifest).expect_err("an error"),
        Err(problems) => problems,
    };
    let map = parallax_text::LineMap::new(text);
    let place = |d: &Diag| d.span.map(|s| map.place(text, s.start));
    problems
        .diags
        .iter()
        .map(|d| (d.code.to_string(), place(d).map_or(0, |p| p.line), place(d).map_or(0, |p| p.column)))
        .collect()
}

fn one(text: &str) -> (String, u32, u32) {
    let all = errors(text);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0].clone()
}

fn at(code: &str, line: u32, column: u32) -> (String, u32, u32) {
    (code.to_string(), line, column)
}

#[test]
fn an_empty_manifest_gives_the_defaults() {
    let manifest = Manifest::parse("m.toml", "").unwrap();
    assert_eq!(Draw::new(&iface(), &manifest).unwrap(), Draw::defaults(&iface()).unwrap());
}

#[test]
fn constants_are_set_by_name() {
    let text = "[constants]\ntint = [1, 2, 3, 4]\nother = [5, 6, 7, 8]\n\"light[0]\" = [9, 9, 9, 9]\n";
    let manifest = Manifest::parse("m.toml", text).unwrap();
    let mut iface = iface();
    let constant = |name: &str, index| ConstDecl::new(name.into(), 0, index, Some([7; 4]));
    iface.constants = vec![constant("tint", 1), constant("light[0]", 0)];
    let draw = Draw::new(&iface, &manifest).unwrap();
    assert_eq!(draw.banks[0][1], [1f32, 2.0, 3.0, 4.0].map(f32::to_bits));
    assert_eq!(draw.banks[0][0], [9f32.to_bits(); 4]);
    // What the manifest does not name keeps what the program gives.
    let draw = Draw::new(&iface, &Manifest::parse("m.toml", "").unwrap()).unwrap();
    assert_eq!((draw.banks[0][0], draw.banks[0][1]), ([7; 4], [7; 4]));
}

#[test]
fn what_is_given_replaces_the_defaults() {
    let text = r#"
        size = [64, 32]
        [[attributes]]
        semantic = "COLOR[1]"
        corners = [[0.5], [1, 2], [inf, "0x80000001"], [0, 0, 0, 0]]
        [constants]
        1 = [0.1, -1e3, 2, "0x7fc00001"]
        [constants.bank1]
        2 = [1, 2, 3, 4]
        [[textures]]
        unit = 1
        source = "ramp"
        size = [4, 2]
        format = "rgba32f"
        filter = "nearest"
        wrap = "border"
        border = [1, 0.5]
    "#;
    let draw = Draw::new(&iface(), &Manifest::parse("m.toml", text).unwrap()).unwrap();
    assert_eq!((draw.width, draw.height), (64, 32));
    let (one, inf) = (1f32.to_bits(), f32::INFINITY.to_bits());
    assert_eq!(
        draw.attributes[2],
        [[0.5f32.to_bits(), 0, 0, one], [one, 2f32.to_bits(), 0, one], [inf, 0x8000_0001, 0, one], [0; 4]]
    );
    assert_eq!(draw.banks[0][1], [0.1f32.to_bits(), (-1000f32).to_bits(), 2f32.to_bits(), 0x7fc0_0001]);
    assert_eq!(draw.banks[1][2][3], 4f32.to_bits());
    assert_eq!(draw.banks[0][0], Draw::defaults(&iface()).unwrap().banks[0][0]);
    let Some(Unit::Image { image, sampler }) = draw.textures.get(1) else { panic!("no image") };
    assert_eq!((image.width(), image.height(), image.format()), (4, 2, TexelFormat::Rgba32F));
    assert_eq!(
        (sampler.filter, sampler.wrap, sampler.border[1]),
        (Filter::Nearest, [Wrap::Border; 3], 0.5f32.to_bits())
    );
}

#[test]
fn triangles_come_with_values_per_vertex() {
    let text = r#"
        [geometry]
        kind = "triangles"
        positions = [[-1, -1], [1, -1], [0, 1, 0, 2]]
        [[attributes]]
        index = 0
        values = [[1], [2], [3]]
    "#;
    let draw = Draw::new(&iface(), &Manifest::parse("m.toml", text).unwrap()).unwrap();
    assert_eq!(
        draw.geometry,
        Geometry::Triangles(vec![[-1.0, -1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 2.0]])
    );
    assert_eq!((draw.attributes[0].len(), draw.attributes[2].len()), (3, 3));
    assert!(draw.check(&iface()).is_empty());
}

#[test]
fn targets_are_named_for_all_outputs_or_one_by_one() {
    let mut iface = iface();
    let colour = |n| OutputDecl { name: format!("OUT[{n}]"), role: OutputRole::Color(n), types: [Some(Type::F32); 4] };
    iface.outputs = vec![colour(0), colour(1)];
    let targets = |text: &str| Draw::new(&iface, &Manifest::parse("m.toml", text).unwrap()).unwrap().targets;
    assert_eq!(targets(""), Targets::default());
    assert_eq!(targets("target = \"fp16\""), Targets::all(Target::Fp16));
    let both = targets("target = \"fp32\"\n[targets]\n1 = \"unorm8\"");
    assert_eq!((both.every, both.by_output.get(&1)), (Some(Target::Fp32), Some(&Target::Unorm8)));
    // A draw made by hand is checked, too.
    let mut draw = Draw::defaults(&iface).unwrap();
    draw.targets.by_output.insert(2, Target::Fp16);
    assert_eq!(draw.check(&iface).iter().map(|d| d.code).collect::<Vec<_>>(), ["draw-target"]);
}

#[test]
fn samplers_have_levels_and_two_filters() {
    let text = "[[textures]]\nunit = 1\nsource = \"noise\"\nsize = [8, 8]\nminify = \"nearest\"\nmip = \"linear\"\n\
                wrap = \"mirror\"\n";
    let draw = Draw::new(&iface(), &Manifest::parse("m.toml", text).unwrap()).unwrap();
    let Some(Unit::Image { image, sampler }) = draw.textures.get(1) else { panic!("no image") };
    assert_eq!((sampler.filter, sampler.minify, sampler.mip), (Filter::Linear, Some(Filter::Nearest), Mip::Linear));
    assert_eq!((sampler.wrap, image.levels()), ([Wrap::Mirror; 3], 4));
}

#[test]
fn mistakes_are_located() {
    assert_eq!(one("target = \"rgba8\""), at("manifest-word", 1, 10));
    assert_eq!(one("[targets]\n0 = \"fp24\""), at("manifest-word", 2, 5));
    assert_eq!(one("[targets]\nx = \"fp16\""), at("manifest-target", 2, 1));
    assert_eq!(one("[targets]\n3 = \"fp16\""), at("manifest-target", 2, 1));
    assert_eq!(one("[[textures]]\nunit = 1\nsource = \"noise\"\nmip = \"cubic\""), at("manifest-word", 4, 7));
    assert_eq!(one("size = 5"), at("manifest-type", 1, 8));
    assert_eq!(one("title = \"x\"\nsizes = [1, 1]"), at("manifest-key", 2, 1));
    assert_eq!(one("size = [0, 10]"), at("draw-size", 1, 8));
    assert_eq!(one("size = [100000, 100000]"), at("draw-size", 1, 8));
    assert_eq!(one("size = [-1, 10]"), at("manifest-range", 1, 9));
    assert_eq!(one("stage = \"pixel\""), at("manifest-word", 1, 9));
    assert_eq!(one("stage = \"vertex\""), at("manifest-stage", 1, 9));
    assert_eq!(one("[constants]\n0 = [1, 2]"), at("manifest-vector", 2, 5));
    assert_eq!(one("[constants]\n0 = [1, 2, 3, 0x10]"), at("manifest-number", 2, 15));
    assert_eq!(one("[constants]\n0 = [1, 2, 3, \"1.0\"]"), at("manifest-number", 2, 15));
    for key in ["-1", "01", "bank01", "\"1 x\""] {
        assert_eq!(one(&format!("[constants]\n{key} = [1, 2, 3, 4]")), at("manifest-constant", 2, 1));
    }
    assert_eq!(one("[constants]\ntint = [1, 2, 3, 4, 5]"), at("manifest-vector", 2, 8));
    assert_eq!(one("[constants.bank1]\ntint = [1, 2, 3, 4]"), at("manifest-constant", 2, 1));
    assert_eq!(one("[[attributes]]\nindex = 9\ncorners = [[0]]"), at("manifest-attribute", 1, 1));
    assert_eq!(one("[[attributes]]\nindex = 1\ncorners = [[0]]"), at("manifest-attribute", 1, 1));
    assert_eq!(one("[[attributes]]\nindex = 0\nvalues = [[0]]"), at("manifest-attribute", 1, 1));
    assert_eq!(one("[[attributes]]\nindex = 0\ncorners = [[0], [1]]"), at("manifest-corners", 3, 11));
    assert_eq!(one("[[attributes]]\ncorners = [[0]]"), at("manifest-missing", 1, 1));
    assert_eq!(one("[geometry]\nkind = \"triangles\"\npositions = [[1]]"), at("manifest-triangles", 3, 13));
    assert_eq!(one("[geometry]\nkind = \"triangles\""), at("manifest-missing", 1, 1));
    assert_eq!(one("[[textures]]\nunit = 300\nsource = \"noise\""), at("manifest-range", 2, 8));
    assert_eq!(one("[[textures]]\nunit = 1\nsource = \"noise\"\nsize = [0, 1]"), at("manifest-texture-size", 4, 8));
    assert_eq!(one("[[textures]]\nunit = 1\nsource = \"noise\"\nsize = [1, 2, 3]"), at("manifest-texture-size", 4, 8));
    assert_eq!(one("[[textures]]\nunit = 1\nfile = \"no such.png\""), at("manifest-texture-file", 3, 8));
    assert_eq!(one("[[textures]]\nunit = 0"), at("manifest-missing", 1, 1));
    assert_eq!(one("[options]\nalias = [1]"), at("manifest-type", 2, 9));
}

#[test]
fn all_mistakes_of_a_file_are_reported() {
    let found = errors("sise = [1, 1]\nstage = 1\n[[textures]]\nunit = 0\nsource = \"nose\"\nfilter = \"cubic\"\n");
    let lines: Vec<u32> = found.iter().map(|e| e.1).collect();
    assert_eq!(lines, [1, 2, 5, 6], "{found:?}");
    // Broken TOML is reported as such, without follow-up errors.
    let syntax = errors("size = [1,\n[geometry\nkind = = 1\n");
    assert!(syntax.iter().all(|e| e.0 == "manifest-syntax"), "{syntax:?}");
    assert!(!syntax.is_empty());
}

#[test]
fn options_are_words() {
    let manifest = Manifest::parse("m", "[options]\nalias = \"bits\"\nlevel = 3\nfast = true").unwrap();
    let options: Vec<_> = manifest.options.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(options, ["alias=bits", "fast=true", "level=3"]);
}

/// The page describes what is read: its example is read and fits.
#[test]
fn the_example_of_the_page_is_valid() {
    let page = include_str!("../../../../docs/manifest.md");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 2);
    for block in blocks {
        let manifest = Manifest::parse("docs/manifest.md", block).unwrap_or_else(|problems| panic!("{problems}"));
        let mut shader = iface();
        if manifest.textures.iter().any(|t| matches!(t.source, Source::File { .. })) || manifest.stage.is_none() {
            continue;
        }
        shader.banks[0].len = 8;
        Draw::new(&shader, &manifest).unwrap_or_else(|problems| panic!("{problems}"));
    }
}

#[test]
fn samples_have_a_count_and_perhaps_positions() {
    let samples = |text: &str| {
        let manifest = Manifest::parse("m.toml", text).unwrap_or_else(|p| panic!("{p}"));
        Draw::new(&iface(), &manifest).unwrap().samples
    };
    assert_eq!(samples(""), Samples::default());
    assert_eq!(samples("[samples]\ncount = 1"), Samples::default());
    for count in [2u32, 4, 8, 16] {
        assert_eq!(samples(&format!("[samples]\ncount = {count}")), Samples::standard(count).unwrap());
    }
    let given = samples("[samples]\ncount = 2\npositions = [[-8, 7], [0, 0x3]]\nper_sample = false");
    assert_eq!(given, Samples { positions: vec![[-8, 7], [0, 3]], per_sample: Some(false) });
}

#[test]
fn bad_samples_are_pointed_at() {
    for (text, want) in [
        ("samples = 4", at("manifest-type", 1, 11)),
        ("[samples]\ncount = 3", at("manifest-samples", 2, 9)),
        ("[samples]\ncount = 0", at("manifest-samples", 2, 9)),
        ("[samples]\ncount = 4.0", at("manifest-type", 2, 9)),
        ("[samples]\nper_sample = true", at("manifest-missing", 1, 1)),
        ("[samples]\ncount = 2\nper_sample = 1", at("manifest-type", 3, 14)),
        ("[samples]\ncount = 2\npositions = [[0, 0]]", at("manifest-samples", 3, 13)),
        ("[samples]\ncount = 1\npositions = [[0, 8]]", at("manifest-range", 3, 18)),
        ("[samples]\ncount = 1\npositions = [[-9, 0]]", at("manifest-range", 3, 15)),
        ("[samples]\ncount = 1\npositions = [[0, 0.5]]", at("manifest-type", 3, 18)),
        ("[samples]\ncount = 1\npositions = [0]", at("manifest-type", 3, 14)),
        ("[samples]\ncount = 1\npositions = 0", at("manifest-type", 3, 13)),
        ("[samples]\ncount = 1\nposition = []", at("manifest-key", 3, 1)),
        ("size = [4096, 4096]\n[samples]\ncount = 2", at("draw-samples", 2, 2)),
    ] {
        assert_eq!(one(text), want, "{text}");
    }
    let two = errors("[samples]\ncount = 2\npositions = [[9, 0], [0, -10]]");
    assert_eq!(two, [at("manifest-range", 3, 15), at("manifest-range", 3, 26)]);
}

#[test]
fn anisotropic_filters_are_refused_with_a_reason() {
    let manifest =
        |most: &str| format!("[[textures]]\nunit = 1\nsource = \"noise\"\nformat = \"rgb565\"\nanisotropy = {most}\n");
    assert_eq!(errors(&manifest("4")), [("manifest-anisotropy".to_string(), 5, 14)]);
    let draw = Draw::new(&iface(), &Manifest::parse("m.toml", &manifest("1")).unwrap()).unwrap();
    let Some(Unit::Image { image, .. }) = draw.textures.get(1) else { panic!("no image") };
    assert_eq!(image.format(), TexelFormat::Rgb565);
}
