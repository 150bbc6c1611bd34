//! Finding shaders: files, folders, standard input, the embedded corpus.

use crate::draw::clean;
use crate::term::{Term, read_from};
use std::path::{Path, PathBuf};

/// A shader to be read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Name as printed, with forward slashes.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) place: Place,
    /// Its bytes, or why they cannot be had.
    pub(crate) bytes: Result<Vec<u8>, String>,
}

/// Where a shader is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Standard input.
    Stdin,
    /// A file.
    Disk(PathBuf),
    /// The embedded corpus, by path.
    Embedded(&'static str),
}

impl Input {
    /// A file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Input {
        let bytes = match path.is_dir() {
            true => Err("it is a folder".to_string()),
            false => read_from(path).map_err(|e| e.to_string()),
        };
        if path == Path::new("-") {
            return Input { name: "<stdin>".into(), place: Place::Stdin, bytes };
        }
        Input { name: name(path), place: Place::Disk(path.to_path_buf()), bytes }
    }

    /// The embedded corpus, sorted by path.
    pub(crate) fn corpus() -> Vec<Input> {
        parallax_corpus::shaders()
            .map(|file| Input {
                name: file.path.to_string(),
                place: Place::Embedded(file.path),
                bytes: Ok(file.bytes.to_vec()),
            })
            .collect()
    }

    /// Files as they are; folders with every shader in them, sorted; without any path the embedded corpus. Files of
    /// folders that are left out although nothing tells what else they are get a note, as do names that lead to no file.
    pub(crate) fn all(paths: &[PathBuf], term: &Term) -> Vec<Input> {
        let (inputs, skipped, no_files) = Input::found(paths);
        for (name, what) in no_files {
            term.note(&format!("skipped {}: {what}", clean(&name)));
        }
        match skipped.as_slice() {
            [] => {}
            [only] => term.note(&format!("skipped {}: no instruction set recognises it", clean(only))),
            [first, others @ ..] => {
                // A folder of other things should not fill the screen.
                const MOST: usize = 5;
                let mut names = clean(first);
                others.iter().take(MOST - 1).for_each(|name| names.push_str(&format!(", {}", clean(name))));
                if skipped.len() > MOST {
                    names.push_str(&format!(" and {} more", skipped.len() - MOST));
                }
                term.note(&format!("skipped {} files that no instruction set recognises: {names}", skipped.len()));
            }
        }
        inputs
    }

    /// The inputs, the names of files that were left out, and names that lead to no file, with what is there instead.
    fn found(paths: &[PathBuf]) -> (Vec<Input>, Vec<String>, Vec<(String, &'static str)>) {
        if paths.is_empty() {
            return (Input::corpus(), Vec::new(), Vec::new());
        }
        let (mut out, mut skipped, mut no_files) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            if path.is_dir() {
                let before = out.len();
                walk(path, &mut out, &mut skipped, &mut no_files);
                if out.len() == before {
                    // What is wrong with one path says nothing of the others.
                    let bytes = Err("it is a folder without a shader".to_string());
                    out.push(Input { name: name(path), place: Place::Disk(path.clone()), bytes });
                }
            } else {
                out.push(Input::read(path));
            }
        }
        (out, skipped, no_files)
    }
}

fn name(path: &Path) -> String {
    let name = path.to_string_lossy().replace('\\', "/");
    name.strip_prefix("./").map_or(name.clone(), str::to_string)
}

/// Adds the shaders of a folder and of the folders in it. Links to folders are not followed.
fn walk(folder: &Path, out: &mut Vec<Input>, skipped: &mut Vec<String>, no_files: &mut Vec<(String, &'static str)>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let place = Place::Disk(folder.to_path_buf());
            out.push(Input { name: name(folder), place, bytes: Err(error.to_string()) });
            return;
        }
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        let link = path.symlink_metadata().is_ok_and(|m| m.is_symlink());
        if hidden || link && path.is_dir() {
            continue;
        }
        if path.is_dir() {
            walk(&path, out, skipped, no_files);
        } else if path.is_file() {
            match is_shader(&path) {
                Some(true) => out.push(Input::read(&path)),
                Some(false) => skipped.push(name(&path)),
                None => {}
            }
        } else {
            let what = if link && !path.exists() { "a link that leads nowhere" } else { "neither a file nor a folder" };
            no_files.push((name(&path), what));
        }
    }
}

/// Whether a file of a folder is meant as a shader: by its extension, or because its contents are recognised, damaged as
/// they may be. `None` for files that are known to be something else.
fn is_shader(path: &Path) -> Option<bool> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if parallax::FRONTENDS.iter().any(|f| f.extensions.contains(&extension.as_str())) {
        return Some(true);
    }
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        // Texts.
        "toml", "md", "json", "jsonl", "csv", "html", "xml", "yaml", "yml", "rs", "py", "c", "h", "cpp", "glsl", "hlsl",
        // Pictures and textures.
        "png", "pfm", "svg", "tga", "dds", "bmp", "jpg", "jpeg", "gif", "ppm", "pgm", "exr", "hdr", "ktx", "ktx2", "webp",
        "tif", "tiff",
        // Data, archives, compiled code.
        "npy", "npz", "raw", "spv", "gz", "zip", "xz", "zst", "tar", "o", "a", "so", "pyc", "pdf",
    ];
    if OTHERS.contains(&extension.as_str()) {
        return None;
    }
    // A file that cannot be read gets its own row, should it have been one.
    let Ok(bytes) = parallax::read_file(path) else { return Some(true) };
    Some(parallax::sniff("", &bytes).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_in_order_and_only_shaders_are_taken() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("b.fp", "junk");
        put("a/z.txt", "!!ARBfp1.0\nEND\n");
        put("a/readme.txt", "nothing");
        put("b.toml", "");
        put(".hidden.fp", "");
        let (inputs, skipped, no_files) = Input::found(&[dir.path().to_path_buf()]);
        let names: Vec<&str> = inputs.iter().map(|i| i.name.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["z.txt", "b.fp"]);
        assert!(skipped.len() == 1 && skipped[0].ends_with("a/readme.txt"), "{skipped:?}");
        assert!(no_files.is_empty(), "{no_files:?}");
        assert!(Input::found(&[dir.path().join("a/b")]).0[0].bytes.is_err());
    }
}
