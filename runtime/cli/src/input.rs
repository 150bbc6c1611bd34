//! Finding shaders: files, folders, containers, standard input, the embedded corpus.

use crate::exit::Failure;
use crate::term::{Term, read_from};
use parallax::{Content, Contents, File, LoadOptions, Source};
use parallax_text::clean;
use std::path::{Path, PathBuf};

/// A shader to be read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Name as printed, with forward slashes: the file's, and behind colons the names inside of it.
    pub(crate) name: String,
    /// Where the file is.
    pub(crate) place: Place,
    /// What is in the file, or why that cannot be said.
    pub(crate) source: Result<Source, String>,
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

/// A path as it was typed, with what is there.
pub(crate) struct Opened {
    /// Name as printed, without names inside of the file.
    pub(crate) name: String,
    place: Place,
    /// The names inside of the file that were typed behind it.
    pub(crate) member: Option<String>,
    /// The file, or why it cannot be had.
    pub(crate) file: Result<File, String>,
}

impl Opened {
    /// A file, standard input for `-`, or a shader of the corpus where there is no file of its name; and the member named behind a
    /// colon.
    pub(crate) fn read(path: &Path) -> Opened {
        let (path, member) = member_of(path);
        if let Some(file) = embedded(&path) {
            let (name, place) = (file.path.to_string(), Place::Embedded(file.path));
            return Opened { file: Ok(File::open(name.clone(), file.bytes)), name, place, member };
        }
        let stdin = path == Path::new("-");
        let bytes = match path.is_dir() {
            true => Err("it is a folder".to_string()),
            false => read_from(&path).map_err(|e| e.to_string()),
        };
        let name = if stdin { "<stdin>".to_string() } else { name(&path) };
        let file = bytes.map(|bytes| File::open(name.clone(), bytes));
        Opened { name, place: if stdin { Place::Stdin } else { Place::Disk(path) }, member, file }
    }

    /// The shaders in it, and names of members that are none.
    pub(crate) fn inputs(&self) -> (Vec<Input>, Vec<String>) {
        let input = |name: String, source| Input { name, place: self.place.clone(), source };
        let found = match (&self.file, &self.member) {
            (Err(error), _) => Err(error.clone()),
            (Ok(file), None) => Ok(file.contents()),
            (Ok(file), Some(member)) => file.member(member).map_err(|diag| {
                let help: String = diag.help.iter().map(|help| format!("; {help}")).collect();
                format!("{}{help}", diag.message)
            }),
        };
        match found {
            Err(error) => (vec![input(self.name.clone(), Err(error))], Vec::new()),
            Ok(Contents { sources, skipped }) => {
                (sources.into_iter().map(|source| input(source.name.clone(), Ok(source))).collect(), skipped)
            }
        }
    }
}

impl Input {
    /// The only shader of a file, for verbs that take one.
    pub(crate) fn one(path: &Path) -> Result<Input, Failure> {
        let opened = Opened::read(path);
        let (mut inputs, _) = opened.inputs();
        match (inputs.pop(), inputs.first()) {
            (Some(only), None) => Ok(only),
            (_, Some(first)) => {
                let (count, first) = (inputs.len() + 1, clean(&first.name));
                let message = format!("{} holds {count} programs; select one, such as {first}", clean(&opened.name));
                Err(Failure::invalid(message))
            }
            (None, None) => Err(Failure::invalid(format_args!("{}: it is empty", clean(&opened.name)))),
        }
    }

    /// Its bytes, with what a container has around them; none where they cannot be had.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.source.as_ref().map_or(&[], |source| source.bytes())
    }

    /// The embedded corpus, sorted by path.
    pub(crate) fn corpus() -> Vec<Input> {
        parallax_corpus::shaders()
            .flat_map(|file| {
                let sources = File::open(file.path, file.bytes).contents().sources.into_iter();
                sources.map(|source| Input {
                    name: source.name.clone(),
                    place: Place::Embedded(file.path),
                    source: Ok(source),
                })
            })
            .collect()
    }

    /// Files as they are; containers with every shader in them; folders with every shader in them, sorted; without any path the
    /// embedded corpus. Files of folders and members of containers that are left out although nothing tells what else they
    /// are get a note, as do names that lead to no file.
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
                    let source = Err("it is a folder without shaders".to_string());
                    out.push(Input { name: name(path), place: Place::Disk(path.clone()), source });
                }
            } else {
                let (inputs, left_out) = Opened::read(path).inputs();
                out.extend(inputs);
                skipped.extend(left_out.into_iter().filter(|name| !is_other(Path::new(name))));
            }
        }
        (out, skipped, no_files)
    }
}

/// A path without what is named behind a colon in it, and that. A file that has a colon in its own name comes first.
fn member_of(path: &Path) -> (PathBuf, Option<String>) {
    let whole = (path.to_path_buf(), None);
    let Some(text) = path.to_str() else { return whole };
    if path.exists() || text == "-" {
        return whole;
    }
    let is_file = |file: &str| file == "-" || Path::new(file).is_file();
    let split = text.rmatch_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..])).find(|(file, _)| is_file(file));
    split.map_or(whole, |(file, member)| (PathBuf::from(file), Some(member.to_string())))
}

/// The shader of the corpus with this path, unless a file has it.
fn embedded(path: &Path) -> Option<&'static parallax_corpus::File> {
    let text = path.to_str().filter(|_| !path.exists())?;
    parallax_corpus::get(text).filter(|file| file.is_shader())
}

/// A path as it is printed. Bytes that are no text become `\xff`, so that no two files have one name.
fn name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| name.push_str(&format!("\\x{byte:02x}")));
    }
    // Elsewhere a backslash is part of a name.
    if cfg!(windows) {
        name = name.replace('\\', "/");
    }
    name.strip_prefix("./").map_or(name.clone(), str::to_string)
}

/// Adds the shaders of a folder and of the folders in it. Links to folders are not followed.
fn walk(folder: &Path, out: &mut Vec<Input>, skipped: &mut Vec<String>, no_files: &mut Vec<(String, &'static str)>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let place = Place::Disk(folder.to_path_buf());
            out.push(Input { name: name(folder), place, source: Err(error.to_string()) });
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
            file(&path, out, skipped);
        } else {
            let what = if link && !path.exists() { "a dangling link" } else { "neither a file nor a folder" };
            no_files.push((name(&path), what));
        }
    }
}

/// Adds the shaders of a file in a folder: a file that is meant as one by its extension, or because its contents are recognised,
/// damaged as they may be; those of a container.
fn file(path: &Path, out: &mut Vec<Input>, skipped: &mut Vec<String>) {
    if parallax_language::Language::of_name(&path.to_string_lossy()).is_some() {
        // Where its module stands beside it, that is the program.
        if crate::language::is_source(path) {
            out.extend(Opened { member: None, ..Opened::read(path) }.inputs().0);
        }
        return;
    }
    let meant = parallax::FRONTENDS.iter().any(|f| f.extensions.contains(&extension(path).as_str()));
    if !meant && is_other(path) {
        return;
    }
    let opened = Opened { member: None, ..Opened::read(path) };
    let (inputs, left_out) = opened.inputs();
    let Ok(file) = &opened.file else {
        // A file that cannot be read gets its own row, should it have been one.
        out.extend(inputs);
        return;
    };
    if meant || is_container(file) && !inputs.iter().all(is_foreign) {
        out.extend(inputs);
        skipped.extend(left_out.into_iter().filter(|name| !is_other(Path::new(name))));
        return;
    }
    let [input] = inputs.as_slice() else { return };
    if input.source.as_ref().is_ok_and(|source| source.resolve(&LoadOptions::default()).is_ok()) {
        out.extend(inputs);
    } else if !is_foreign(input) {
        // Nobody knows what else it is.
        skipped.push(name(path));
    }
}

/// Whether a file has a container's structure.
fn is_container(file: &File) -> bool {
    !matches!(file.root().content, Content::Plain | Content::Foreign(_))
}

/// Whether an input is a file of another tool, or a container of such files.
fn is_foreign(input: &Input) -> bool {
    let Ok(source) = &input.source else { return false };
    let own = source.diags().iter().find(|diag| diag.is_error()).cloned();
    let diag = own.or_else(|| source.resolve(&LoadOptions::default()).err());
    diag.is_some_and(|diag| matches!(diag.code, "engine-foreign" | "engine-no-program"))
}

fn extension(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

/// Whether a name's extension says that it is no shader.
fn is_other(path: &Path) -> bool {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        // Texts.
        "toml", "md", "json", "jsonl", "csv", "html", "xml", "yaml", "yml", "rs", "py", "c", "h", "cpp", "glsl", "hlsl",
        // Pictures and textures.
        "png", "pfm", "svg", "tga", "dds", "bmp", "jpg", "jpeg", "gif", "ppm", "pgm", "exr", "hdr", "ktx", "ktx2", "webp",
        "tif", "tiff",
        // Data, archives of other kinds, compiled code.
        "npy", "npz", "raw", "spv", "gz", "zip", "xz", "zst", "tar", "so", "pyc", "pdf",
    ];
    OTHERS.contains(&extension(path).as_str())
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
        assert!(Input::found(&[dir.path().join("a/b")]).0[0].source.is_err());
    }
}
