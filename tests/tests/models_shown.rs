//! What the corpus shows of the models: every field added for a vendor's arithmetic decides a picture, and the pictures tell
//! vendors apart.

use parallax::{Control, Draw, Engine, LoadOptions, Manifest, Optimise, Workers, compile, load, run_draw, unorm8};
use parallax_core::OutputRole;
use parallax_num::{Field, Model};
use std::path::Path;

/// Field, the effect whose picture it decides, and two models that differ in that field alone.
const SHOWN: &[(&str, &str, &str, &str)] = &[
    ("zero_mul_add", "tgsi/test_card.tgsi", "ieee[zero_mul=zero]", "ieee[zero_mul=zero,zero_mul_add=addend]"),
    ("zero_sign", "tgsi/test_card.tgsi", "ieee", "ieee[zero_sign=positive]"),
    ("infinite", "tgsi/test_card.tgsi", "ieee", "ieee[infinite=largest]"),
    ("sub_nan", "nvfp/nan_sign.nvfp", "nv-patent", "nv-patent[sub_nan=negated]"),
    ("frac_one", "tgsi/test_card.tgsi", "ieee", "ieee[frac_one=below]"),
    ("fma", "tgsi/test_card.tgsi", "ieee[mad=separate]", "ieee[mad=separate,fma=mad]"),
    ("lit_zero_pow_zero", "tgsi/test_card.tgsi", "ieee", "ieee[lit_zero_pow_zero=zero]"),
    ("lit_nan_lights", "tgsi/test_card.tgsi", "ieee", "ieee[lit_nan_lights=true]"),
    (
        "minmax_denorm",
        "tgsi/test_card.tgsi",
        "ieee[min.denorm_in=flush,min.denorm_out=flush]",
        "ieee[min.denorm_in=flush,min.denorm_out=flush,minmax_denorm=operand]",
    ),
    ("sat_denorm", "tgsi/test_card.tgsi", "ieee", "ieee[sat_denorm=flush]"),
    ("sqrt", "tgsi/test_card.tgsi", "ieee", "ieee[sqrt=rcp(rsq(a))]"),
    ("sqrt_negative", "tgsi/test_card.tgsi", "ieee", "ieee[sqrt_negative=magnitude]"),
    ("rcp_zero", "tgsi/test_card.tgsi", "ieee", "ieee[rcp_zero=positive]"),
    ("rcp", "tgsi/test_card.tgsi", "ieee[round=rtz]", "ieee[round=rtz,rcp=r*(2-a*r)]"),
    ("rsq", "tgsi/test_card.tgsi", "ieee[round=rtz]", "ieee[round=rtz,rsq=r*(1.5-0.5*(a*(r*r)))]"),
    ("div", "tgsi/test_card.tgsi", "ieee", "ieee[div=a*rcp(b)]"),
    ("log_special", "tgsi/test_card.tgsi", "ieee", "ieee[log_special=finite]"),
    ("trig", "tgsi/test_card.tgsi", "ieee", "ieee[trig=turns(3e22f983).fract]"),
    ("unit", "tgsi/test_card.tgsi", "ieee", "ieee[unit=nv-sfu]"),
    ("unit_fused", "tgsi/sine_hash.tgsi", "llvmpipe", "llvmpipe[unit_fused=false]"),
    (
        "computed_in",
        "tgsi/test_card.tgsi",
        "ieee[half.exp2.accuracy=2^-11,fp32=half]@high",
        "ieee[half.exp2.accuracy=2^-11,computed_in=f32,fp32=half]@high",
    ),
    ("driver", "tgsi/ulp_rings.tgsi", "llvmpipe", "llvmpipe[driver=none]"),
    ("relaxed", "spirv/silk.spvasm", "ieee", "ieee[relaxed=half]"),
    ("accuracy", "tgsi/test_card.tgsi", "ieee@low", "ieee[mul.accuracy=2ulp]@low"),
    (
        "fixed_points",
        "tgsi/test_card.tgsi",
        "ieee[recipe.accuracy=4ulp]@high",
        "ieee[recipe.accuracy=4ulp,fixed_points=none]@high",
    ),
    (
        "trig_clamp",
        "tgsi/test_card.tgsi",
        "ieee[sin.accuracy=2^-16]@high",
        "ieee[sin.accuracy=2^-16,trig_clamp=true]@high",
    ),
    ("round", "tgsi/test_card.tgsi", "ieee", "ieee[pack.half2.round=raz]"),
    ("to_int", "tgsi/test_card.tgsi", "ieee", "ieee[to_int=zero]"),
    ("nan_result", "tgsi/test_card.tgsi", "ieee", "ieee[nan_result=infinity]"),
    ("nan_compare", "tgsi/test_card.tgsi", "ieee", "ieee[nan_compare=false]"),
    ("minmax_nan", "tgsi/test_card.tgsi", "ieee", "ieee[minmax_nan=ordered]"),
    ("texture_linear", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_linear=rne8]"),
    ("texture_nearest", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_nearest=rne8]"),
    ("texture_gather", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_gather=rne8]"),
    ("texture_level", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_level=rne6]"),
    ("texture_cube", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_cube=seamless]"),
    ("texture_face", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_face=z-y-x]"),
    ("texture_compare", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_compare=quantised]"),
    ("texture_srgb", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_srgb=table-4095]"),
    ("texture_result", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_result=unorm8]"),
    ("texture_unit", "tgsi/dune.tgsi", "ieee", "ieee[texture_unit=gallivm]"),
    ("texture_layer", "tgsi/texture_card.tgsi", "ieee", "ieee[texture_layer=nearest-even]"),
    ("target_unorm", "tgsi/road.tgsi", "ieee", "ieee[target_unorm=half-toward-zero]"),
    ("target_float", "tgsi/embers.tgsi", "ieee", "ieee[target_float=toward-zero]"),
    ("target_blend", "tgsi/panes.tgsi", "ieee", "ieee[target_blend=codes-floor]"),
    ("target_alpha", "tgsi/panes.tgsi", "ieee", "ieee[target_alpha=stored]"),
    ("raster_interpolation", "tgsi/road.tgsi", "ieee", "ieee[raster_interpolation=times-rcp]"),
    ("raster_color", "tgsi/panes.tgsi", "ieee", "ieee[raster_color=clamped]"),
    ("raster_mediump", "spirv/kilim.spvasm", "ieee[raster_mediump=half]", "ieee[raster_mediump=half-but-coordinates]"),
    ("raster_grid", "tgsi/road.tgsi", "ieee", "ieee[raster_grid=rtz4]"),
    ("mad", "tgsi/mandelbrot.tgsi", "ieee", "ieee[mad=truncated:24;separate-at-0]"),
];

/// The colours of an effect as a screen of 8 bits shows them, row by row; uncovered pixels are `None`.
fn picture(path: &str, model: &str, side: u32) -> Vec<Option<[u8; 3]>> {
    let file = parallax_corpus::get(path).unwrap_or_else(|| panic!("{path}"));
    let beside = format!("{}/{}.toml", file.folder(), file.stem());
    let text = parallax_corpus::get(&beside).and_then(|f| f.text()).expect("a manifest");
    let manifest = Manifest::parse(&beside, text).unwrap_or_else(|p| panic!("{p}"));
    let mut options = LoadOptions::default();
    options.lift.settings.clone_from(&manifest.options);
    let shader = load(file.path, file.bytes, &options).shader.unwrap_or_else(|| panic!("{path}"));
    let mut draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    (draw.width, draw.height) = (side, side);
    draw.samples = Default::default();
    let model = Model::parse(model).unwrap_or_else(|e| panic!("{model}: {e}"));
    let compiled = compile(&shader, &model, Optimise::Yes, Engine::Interp).unwrap_or_else(|d| panic!("{path}: {d:#?}"));
    let frame =
        run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|d| panic!("{path}: {d:#?}"));
    let values: Vec<Vec<f64>> =
        (0..3).map(|k| frame.channel(OutputRole::Color(0), k).map(shown).unwrap_or_default()).collect();
    let pixel =
        |at: usize| frame.covered[at].then(|| std::array::from_fn(|k| values[k].get(at).map_or(0, |v| unorm8(*v))));
    (0..frame.pixels()).map(pixel).collect()
}

/// What the target holds, if there is one.
fn shown(channel: &parallax::Channel) -> Vec<f64> {
    channel.stored.as_ref().map_or_else(|| channel.values(), |stored| stored.values())
}

/// Whether two pictures look different: more than one step of 8 bits in some pixel, or another coverage.
fn differ(a: &[Option<[u8; 3]>], b: &[Option<[u8; 3]>]) -> bool {
    a.iter().zip(b).any(|pair| match pair {
        (Some(x), Some(y)) => x.iter().zip(y).any(|(x, y)| x.abs_diff(*y) > 1),
        (x, y) => x != y,
    })
}

#[test]
fn every_field_of_vendors_decides_a_picture() {
    for (field, effect, a, b) in SHOWN {
        assert!(Field::from_name(field).is_some() && b.contains(field), "{field}: {b}");
        assert!(
            differ(&picture(effect, a, 64), &picture(effect, b, 64)),
            "{field}: {effect} is the same under {a} and {b}"
        );
    }
}

/// Fields that came with the vendors; the older ones are shown by the effects' own tests, and subgroups are of kernels.
#[test]
fn every_field_of_vendors_is_listed() {
    const OLDER: &str = "format round denorm_in denorm_out tininess overflow nan_result nan_bits nan_compare zero_mul mad dot_order \
                         dot_fused lrp lit_clamp lit_keep_nan lit_nan_clamps minmax_nan minmax_zero sat_nan sat_zero scale_once \
                         to_int rsq_negative rsq log_negative log2 pow fixed_wide pack_round accuracy subgroup dot_reach";
    // No effect of the corpus shows them yet; `library.rs` compares the formulas, the crate `parallax-texture` levels by neighbours.
    const FINER: [&str; 2] = ["library", "texture_steps"];
    for field in Field::ALL.iter().filter(|field| !FINER.contains(&field.name)) {
        let listed = SHOWN.iter().any(|row| row.0 == field.name);
        assert!(
            listed || OLDER.split_whitespace().any(|name| name == field.name),
            "{} is shown by no effect",
            field.name
        );
    }
}

/// Six groups of vendors at least, and ten effects that tell them apart. The models of a group look the same to each other.
#[test]
fn ten_effects_tell_six_groups_of_vendors_apart() {
    const VENDORS: &[&str] = &[
        "ati-r300",
        "amd-terascale",
        "amd-gcn",
        "amd-rdna",
        "nvfp",
        "maxwell",
        "intel-gen9",
        "intel-alt",
        "mali-utgard",
        "adreno",
        "apple-agx",
        "vc4",
        "rogue",
        "llvmpipe",
        "swiftshader",
    ];
    let mut telling = Vec::new();
    for file in parallax_corpus::shaders().filter(|f| f.folder() == "tgsi") {
        let mut groups: Vec<Vec<Option<[u8; 3]>>> = Vec::new();
        for vendor in VENDORS {
            let found = picture(file.path, vendor, 48);
            if groups.iter().all(|known| differ(known, &found)) {
                groups.push(found);
            }
        }
        if groups.len() >= 6 {
            telling.push((file.stem(), groups.len()));
        }
    }
    assert!(telling.len() >= 10, "{telling:?}");
}

/// The table in `docs/models.md`. `PARALLAX_BLESS=1` rewrites it.
#[test]
fn the_documentation_lists_what_is_shown() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/models.md");
    let text = std::fs::read_to_string(&path).expect("docs/models.md");
    let (head, rest) = text.split_once("<!-- generated: shown -->\n").expect("start mark");
    let (_, tail) = rest.split_once("<!-- end -->").expect("end mark");
    let mut table = String::from("| field | effect | pictures differ between |\n|---|---|---|\n");
    for (field, effect, a, b) in SHOWN {
        let effect = effect.rsplit_once('.').map_or(*effect, |(stem, _)| stem);
        table += &format!("| `{field}` | {effect} | `{a}`, `{b}` |\n");
    }
    let fresh = format!("{head}<!-- generated: shown -->\n\n{table}\n<!-- end -->{tail}");
    if text != fresh && std::env::var_os("PARALLAX_BLESS").is_some() {
        std::fs::write(&path, fresh).expect("docs/models.md can be written");
        return;
    }
    assert!(text == fresh, "docs/models.md is out of date; run this test with PARALLAX_BLESS=1");
}
