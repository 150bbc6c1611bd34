//! Finding shaders: files, folders, standard input, the embedded corpus.

use crate::exit::Failure;
use crate::term::read_from;
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

    /// Files as they are; folders with every shader in them, sorted; without any path the embedded corpus.
    pub(crate) fn all(paths: &[PathBuf]) -> Result<Vec<Input>, Failure> {
        if paths.is_empty() {
            return Ok(Input::corpus());
        }
        let mut out = Vec::new();
        for path in paths {
            if path.is_dir() {
                let before = out.len();
                walk(path, &mut out);
                if out.len() == before {
                    return Err(Failure::invalid(format_args!("no shader in `{}`", path.display())));
                }
            } else {
                out.push(Input::read(path));
            }
        }
        Ok(out)
    }
}

fn name(path: &Path) -> String {
    let name = path.to_string_lossy().replace('\\', "/");
    name.strip_prefix("./").map_or(name.clone(), str::to_string)
}

/// Adds the shaders of a folder and of the folders in it. Links to folders are not followed.
fn walk(folder: &Path, out: &mut Vec<Input>) {
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
            walk(&path, out);
        } else if path.is_file() && is_shader(&path) {
            out.push(Input::read(&path));
        }
    }
}

/// Whether a file of a folder is meant as a shader: by its extension, or because its contents are recognised.
fn is_shader(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if parallax::FRONTENDS.iter().any(|f| f.extensions.contains(&extension.as_str())) {
        return true;
    }
    const OTHERS: [&str; 12] = ["toml", "png", "pfm", "npy", "md", "json", "jsonl", "csv", "html", "svg", "rs", "py"];
    if OTHERS.contains(&extension.as_str()) {
        return false;
    }
    // A file that cannot be read gets its own row, should it have been one.
    let Ok(bytes) = std::fs::read(path) else { return true };
    parallax::FRONTENDS.iter().any(|f| (f.sniff)(&bytes))
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
        let inputs = Input::all(&[dir.path().to_path_buf()]).unwrap();
        let names: Vec<&str> = inputs.iter().map(|i| i.name.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["z.txt", "b.fp"]);
        assert!(Input::all(&[dir.path().join("a/b")]).unwrap()[0].bytes.is_err());
    }
}
