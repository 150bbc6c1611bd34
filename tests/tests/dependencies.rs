//! What the workspace depends on: licences and duplicates, as `deny.toml` says.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The dependencies of this host, as cargo knows them.
fn packages() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let version = Command::new("rustc").arg("-vV").output().expect("rustc");
    let version = String::from_utf8(version.stdout).expect("text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--locked",
            "--offline",
            "--format-version",
            "1",
            "--filter-platform",
            host,
            "--manifest-path",
        ])
        .arg(manifest)
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let used: BTreeSet<&str> =
        all["resolve"]["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["id"].as_str()).collect();
    let is_used = |package: &&Value| package["id"].as_str().is_some_and(|id| used.contains(id));
    all["packages"].as_array().expect("packages").iter().filter(is_used).cloned().collect()
}

/// The strings of a list of `deny.toml` that follow a key.
fn listed(key: &str, quoted_after: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../deny.toml")).expect("deny.toml");
    let list = text.split_once(&format!("\n{key} = [")).expect("the list").1.split_once("\n]").expect("its end").0;
    let items = list.split(quoted_after).skip(1).filter_map(|item| item.split('"').next());
    let items: BTreeSet<String> =
        items.map(str::to_string).filter(|item| !item.trim().trim_matches(',').is_empty()).collect();
    assert!(!items.is_empty(), "{key}");
    items
}

/// Whether an expression of licences (SPDX, or with `/` as older packages have it) is met by those that are allowed.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let all_of = |text: &str| {
        text.split(" AND ").all(|part| {
            let part = part.trim().trim_matches(['(', ')']);
            part.split(" OR ").any(|one| allowed.contains(one.trim()))
        })
    };
    match expression.contains(" AND ") {
        true => all_of(expression),
        false => expression.replace('/', " OR ").split(" OR ").any(|one| allowed.contains(one.trim())),
    }
}

#[test]
fn licences_are_allowed_ones() {
    let allowed = listed("allow", "    \"");
    for (expression, is_met) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR Zlib", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND GPL-3.0-only", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), is_met, "{expression}");
    }
    let packages = packages();
    assert!(packages.len() > 50);
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(
            is_allowed(licence, &allowed),
            "{} has the licence {licence}, which deny.toml does not allow",
            package["name"]
        );
    }
}

#[test]
fn packages_have_one_version() {
    let skipped = listed("skip", "crate = \"");
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        let text = |key: &str| package[key].as_str().expect("text").to_string();
        versions.entry(text("name")).or_default().insert(text("version"));
    }
    let mut left = skipped.clone();
    for (name, versions) in versions.into_iter().filter(|(_, versions)| versions.len() > 1) {
        let kept = versions.iter().filter(|version| !left.remove(&format!("{name}@{version}"))).count();
        assert_eq!(kept, 1, "{name} is here as {versions:?}: drop one, or name it in deny.toml with the reason");
    }
    assert!(left.is_empty(), "deny.toml skips {left:?}, of which there is one version");
}
