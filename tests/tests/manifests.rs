//! The manifests of the workspace: a dependency that no source file names goes.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What cargo knows of the members, without resolving anything.
fn packages() -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let root = root().join("Cargo.toml");
    let mut command = Command::new(cargo);
    command.args(["metadata", "--offline", "--no-deps", "--format-version", "1", "--manifest-path"]).arg(root);
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    serde_json::from_value(metadata["packages"].take()).expect("a list of packages")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// Text of all Rust files under a folder; other packages inside it are left out.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.join("Cargo.toml").exists() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &std::fs::read_to_string(&path).expect("a source file");
        }
    }
    text
}

/// Whether a text has a name as a whole word.
fn names(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(part) && !text[at + name.len()..].chars().next().is_some_and(part)
    })
}

/// Dependencies of a package that nothing under it names: those of the program in `src`, others anywhere.
fn unused(package: &Value) -> Vec<String> {
    let folder = Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder");
    let (own, all) = (sources(&folder.join("src")), sources(folder));
    let is_unused = |dependency: &&Value| {
        let name = dependency["rename"].as_str().or(dependency["name"].as_str()).expect("a name").replace('-', "_");
        // What is optional may be for tests: those cannot have optional dependencies of their own.
        let anywhere = dependency["kind"] == "dev" || dependency["optional"] == true;
        !names(if anywhere { &all } else { &own }, &name)
    };
    let list = package["dependencies"].as_array().expect("dependencies");
    list.iter().filter(is_unused).map(|d| d["name"].as_str().expect("a name").to_string()).collect()
}

#[test]
fn every_dependency_is_used() {
    let packages = packages();
    assert!(packages.len() > 15);
    let unused: Vec<String> =
        packages.iter().flat_map(|p| unused(p).into_iter().map(move |d| format!("{}: {d}", p["name"]))).collect();
    assert!(unused.is_empty(), "no source file names these dependencies, remove them: {unused:#?}");
}

#[test]
fn every_version_in_the_workspace_has_a_user() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let (_, list) = manifest.split_once("[workspace.dependencies]").expect("a list of versions");
    let list = list.split("\n[").next().expect("the list");
    let packages = packages();
    let used: Vec<&str> = packages
        .iter()
        .flat_map(|p| p["dependencies"].as_array().expect("dependencies"))
        .filter_map(|d| d["name"].as_str())
        .collect();
    let names = list.lines().filter_map(|line| Some(line.split_once(" = ")?.0));
    let unused: Vec<&str> = names.filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "no member uses these, remove them: {unused:?}");
}

#[test]
fn names_are_whole_words() {
    assert!(names("use half::f16;", "half") && names("half", "half"));
    assert!(!names("halfway, a_half, HALF", "half"));
}
