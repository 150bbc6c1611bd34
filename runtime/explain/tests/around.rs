//! Fixed functions around a shader are causes of their own: each field is named, with what it alone changes.

use parallax::{Draw, LoadOptions, Manifest, load};
use parallax_core::num::{Model, Tier};
use parallax_explain::{Explanation, Options, explain};

fn explained(effect: &str, model: &str, against: &str) -> Explanation {
    let named = |name: String| parallax_corpus::get(&name);
    let file = named(format!("tgsi/{effect}.tgsi")).or_else(|| named(format!("spirv/{effect}.spvasm"))).expect(effect);
    let beside = named(format!("{}/{effect}.toml", file.folder())).and_then(|file| file.text()).expect(effect);
    let manifest = Manifest::parse("m.toml", beside).unwrap_or_else(|p| panic!("{p}"));
    let shader = load(file.path, file.bytes, &LoadOptions::default()).shader.expect(effect);
    let mut draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    (draw.width, draw.height) = (64, 64);
    let [model, against] = [model, against].map(|name| Model::parse(name).expect("a model"));
    explain(&shader, &draw, &model, &against, &Options { brief: true, ..Options::default() }).expect("a frame")
}

/// Effect, field, value.
const PLANTED: [(&str, &str, &str); 13] = [
    ("road", "target_unorm", "half-toward-zero"),
    ("road", "target_unorm", "cut-narrow"),
    ("embers", "target_float", "toward-zero"),
    ("embers", "target_float", "half-then-cut"),
    ("panes", "target_blend", "codes-floor"),
    ("panes", "target_blend", "gallivm"),
    ("panes", "target_alpha", "stored"),
    ("road", "raster_interpolation", "times-rcp"),
    ("road", "raster_interpolation", "barycentric"),
    ("panes", "raster_color", "clamped"),
    ("kilim", "raster_mediump", "half"),
    ("kilim", "raster_mediump", "half-but-coordinates"),
    ("road", "raster_grid", "rtz4"),
];

#[test]
fn a_planted_field_is_the_only_cause() {
    for (effect, field, value) in PLANTED {
        let planted = format!("ieee[{field}={value}]");
        for (model, against) in [(planted.as_str(), "ieee"), ("ieee", planted.as_str())] {
            let found = explained(effect, model, against);
            let name = format!("{effect} under {model} against {against}");
            assert!(found.whole.changed > 0, "{name}");
            let [around] = &found.around[..] else { panic!("{name}: {:?}", found.around) };
            assert_eq!((around.field, around.alone.changed), (field, found.whole.changed), "{name}");
            let planted = [around.value.as_str(), around.other.as_str()].contains(&value);
            assert!(planted && around.value != around.other, "{name}: {around:?}");
            assert!(found.ranking.instructions.is_empty() && found.unlike == 0, "{name}");
        }
    }
}

/// Beside an operation, which is found as if nothing were around the shader.
#[test]
fn an_instruction_and_a_field_are_both_found() {
    let found = explained("road", "ieee[raster_interpolation=times-rcp,fp32.mul.format=float(1.8.5)]", "ieee");
    assert_eq!(found.around.len(), 1);
    assert!(!found.ranking.instructions.is_empty() && found.unlike == 0, "{:?}", found.ranking);
    assert!(found.around[0].alone.changed <= found.whole.changed, "{found:?}");
}

/// What counts in no draw is no cause: a target's rounding without a target, places of vertices of a quad.
#[test]
fn fields_that_do_not_count_are_not_named() {
    let settings =
        "target_blend=gallivm,target_alpha=stored,raster_interpolation=times-rcp,raster_grid=rtz4,raster_color=fp20";
    let found = explained("embers", &format!("ieee[{settings}]"), "ieee");
    assert_eq!((found.whole.changed, found.around.len()), (0, 0));
}

#[test]
fn the_source_of_a_field_is_told() {
    let found = explained("road", "amd-gcn", "ieee");
    let unorm = found.around.iter().find(|around| around.field == "target_unorm").expect("it differs");
    assert!(unorm.tier == Tier::Format && unorm.source.contains("v_cvt_pkrtz"), "{unorm:?}");
}
