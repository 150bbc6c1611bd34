//! Lists the files of the corpus: those of every folder that an instruction set or dialect names.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by the build"));
    let mut paths = Vec::new();
    for folder in entries(&root)?.into_iter().filter(|path| path.is_dir() && !path.ends_with("src")) {
        // A folder is looked into anew when a file comes or goes.
        println!("cargo:rerun-if-changed={}", folder.display());
        paths.extend(entries(&folder)?.into_iter().filter(|path| path.is_file()));
    }
    println!("cargo:rerun-if-changed={}", root.display());
    let line = |path: &PathBuf| {
        let name = path.strip_prefix(&root).expect("below the crate").iter().map(|part| part.to_string_lossy());
        let name = name.collect::<Vec<_>>().join("/");
        format!("    File {{ path: {name:?}, bytes: include_bytes!({path:?}) }},\n")
    };
    let mut lines: Vec<String> = paths.iter().map(line).collect();
    lines.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by the build")).join("files.rs");
    fs::write(out, format!("&[\n{}]\n", lines.concat()))
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
