//! The embedded shader corpus: every file under `corpus/<isa>/`, as it is on disk.
//!
//! Adding a file is putting it into its folder.

/// One file of the corpus.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path below `corpus`, with forward slashes: `tgsi/blend.tgsi`.
    pub path: &'static str,
    /// Contents.
    pub bytes: &'static [u8],
}

impl File {
    /// The folder, which names the instruction set: `tgsi`.
    pub fn folder(&self) -> &'static str {
        self.path.split('/').next().unwrap_or("")
    }

    /// The name without folder and extension: `blend`.
    pub fn stem(&self) -> &'static str {
        let name = self.path.rsplit('/').next().unwrap_or("");
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The extension without its point: `tgsi`; empty where there is none.
    pub fn extension(&self) -> &'static str {
        let name = self.path.rsplit('/').next().unwrap_or("");
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// The file of this name in the same folder, such as the vertex program that a manifest names.
    pub fn beside(&self, name: &str) -> Option<&'static File> {
        get(&format!("{}/{name}", self.folder()))
    }

    /// The contents as text, if they are UTF-8.
    pub fn text(&self) -> Option<&'static str> {
        std::str::from_utf8(self.bytes).ok()
    }

    /// Whether it is a shader, not a manifest, a picture or what a shader was compiled from.
    pub fn is_shader(&self) -> bool {
        !matches!(self.extension(), "toml" | "png" | "md") && !self.is_source()
    }

    /// Whether it is a source that a shader beside it was compiled from.
    pub fn is_source(&self) -> bool {
        matches!(self.extension(), "frag" | "vert" | "comp" | "glsl" | "hlsl" | "slang" | "wgsl")
    }
}

/// Every file, sorted by path. The build lists them.
pub const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file at `path` (`tgsi/blend.tgsi`).
pub fn get(path: &str) -> Option<&'static File> {
    FILES.binary_search_by(|f| f.path.cmp(path)).ok().map(|at| &FILES[at])
}

/// The shaders of the corpus, sorted by path.
pub fn shaders() -> impl Iterator<Item = &'static File> {
    FILES.iter().filter(|f| f.is_shader())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_on_disk_is_listed_sorted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        for folder in std::fs::read_dir(root).unwrap() {
            let folder = folder.unwrap();
            let name = folder.file_name().into_string().unwrap();
            if name == "src" || !folder.file_type().unwrap().is_dir() {
                continue;
            }
            for file in std::fs::read_dir(folder.path()).unwrap() {
                let file = file.unwrap();
                assert!(file.file_type().unwrap().is_file(), "{name} holds a folder");
                found.push(format!("{name}/{}", file.file_name().into_string().unwrap()));
            }
        }
        found.sort();
        let listed: Vec<&str> = FILES.iter().map(|f| f.path).collect();
        assert_eq!(listed, found, "the list and the folders disagree");
    }

    #[test]
    fn every_shader_has_its_manifest_and_the_other_way_round() {
        for file in FILES.iter().filter(|f| f.extension() == "toml" || f.is_shader()) {
            let beside = |f: &&File| f.folder() == file.folder() && f.stem() == file.stem();
            let mut others = FILES.iter().filter(beside).filter(|f| f.is_shader() != file.is_shader());
            // Twins share their manifest.
            let found = others.any(|f| f.is_shader() || f.extension() == "toml");
            assert!(found, "{} has no shader or no manifest", file.path);
        }
    }

    #[test]
    fn every_source_has_the_shader_that_was_made_of_it() {
        let sources: Vec<&File> = FILES.iter().filter(|f| f.is_source()).collect();
        for file in &sources {
            let path = format!("{}/{}.spvasm", file.folder(), file.stem());
            let shader = get(&path).and_then(File::text).expect(&path);
            // Its text is part of the debug information, whose quotes are escaped.
            let text = file.text().expect("text").replace('\\', "\\\\").replace('"', "\\\"");
            assert!(shader.contains(text.trim_end()), "{path} was made of another {}", file.path);
        }
        assert!(sources.len() >= 12, "{}", sources.len());
    }

    #[test]
    fn paths_come_apart_into_folder_stem_and_extension() {
        let file = File { path: "tgsi/blend.tgsi", bytes: b"FRAG" };
        assert_eq!((file.folder(), file.stem(), file.extension()), ("tgsi", "blend", "tgsi"));
        assert!(file.is_shader());
        assert!(!File { path: "tgsi/blend.toml", bytes: b"" }.is_shader());
    }
}
