//! Pictures that real renderers drew, recorded in `captures`: the renderer's model is the first, and every pixel is within a step.

use crate::support;

use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;
use support::Place;

/// Names of the effects in a folder.
fn effects(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures").join(folder);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names = files.map(|file| file.expect("a file").path());
    let mut names: Vec<String> =
        names.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What is wrong with the answers about a folder's pictures.
fn wrong(model: &str, options: &[&str]) -> Vec<String> {
    let effects = effects(model);
    assert_eq!(effects.len(), 12, "{effects:?}");
    let about = |effect: &String| -> Option<String> {
        let place = Place::new();
        for ending in ["spvasm", "toml"] {
            let name = format!("{effect}.{ending}");
            place.put(&name, parallax_corpus::get(&format!("spirv/{name}")).expect("an effect").bytes);
        }
        let picture = format!("{}/tests/captures/{model}/{effect}.png", env!("CARGO_MANIFEST_DIR"));
        let shader = format!("{effect}.spvasm");
        let args = ["identify", &shader, "--capture", &picture, "--json"];
        let lines = place.run(&[&args[..], options].concat()).exits(0).lines();
        let first = &lines[0];
        let is_first = first["models"].as_array().is_some_and(|models| models.iter().any(|name| name == model));
        let is_close = first["close"] == first["pixels"] && first["pixels"] == 4096 && first["undrawn"] == 0;
        let is_as_drawn = first["flip"] == "none" && first["target"] == "unorm8" && first["unlike"] == Value::Null;
        (!is_first || !is_close || !is_as_drawn).then(|| format!("{effect}: {first}"))
    };
    effects.par_iter().filter_map(about).collect()
}

#[test]
fn lavapipe_is_identified() {
    let wrong = wrong("lavapipe", &["--flip", "none", "--target", "unorm8"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn swiftshader_is_identified() {
    let wrong = wrong("swiftshader", &["--flip", "none", "--target", "unorm8"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// With all targets and flips.
#[test]
#[ignore = "half a minute"]
fn renderers_are_identified_whatever_way_pictures_are_stored() {
    for model in ["lavapipe", "swiftshader"] {
        let wrong = wrong(model, &[]);
        assert!(wrong.is_empty(), "{model}: {}", wrong.join("\n"));
    }
}
