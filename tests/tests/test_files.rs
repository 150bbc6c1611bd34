//! Every file of tests is part of its crate's test binary: a file that `all.rs` does not name would never run.

use std::fs::read_dir;
use std::path::{Path, PathBuf};

fn entries(folder: &Path) -> Vec<PathBuf> {
    read_dir(folder).map_or(Vec::new(), |entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|name| name.to_str()).unwrap_or_default()
}

#[test]
fn test_binaries_name_all_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let folders = ["ir", "frontends", "backends", "runtime"].map(|folder| entries(&root.join(folder)));
    let crates = folders.into_iter().flatten().chain([root.join("tests"), root.join("corpus"), root.join("benches")]);
    let mut binaries = 0;
    for tests in crates.map(|path| path.join("tests")) {
        let Ok(all) = std::fs::read_to_string(tests.join("all.rs")) else { continue };
        binaries += 1;
        for path in entries(&tests) {
            let is_file = path.extension().is_some_and(|extension| extension == "rs");
            let is_tested = is_file || path.join("main.rs").exists() || path.join("mod.rs").exists();
            if is_tested && !matches!(name(&path), "all" | "filetests") {
                let line = format!("mod {};", name(&path));
                assert!(all.lines().any(|found| found == line), "{}: no `{line}` in all.rs", path.display());
            }
        }
    }
    assert!(binaries > 10, "{binaries}");
}
