//! The user's models: TOML files in the format of the built-in ones, which may inherit from other files. [`ModelFile`] reads
//! their text; here are the paths.

use crate::problem::{Problems, invalid};
use crate::read_file::{check_length, read_text_file};
use parallax_num::{Model, ModelFile};
use parallax_text::{Diag, Span};
use std::path::{Path, PathBuf};

/// Longest chain of files that inherit from each other.
const MAX_CHAIN: usize = 16;

/// A model that was read, and what is odd about its file.
#[derive(Clone, Debug)]
pub struct ReadModel {
    /// The model.
    pub model: Model,
    /// Warnings: settings that change nothing.
    pub warnings: Problems,
}

/// Reads a model file. `inherits` names a built-in model, or another model file (a name that ends in `.toml`, relative to
/// the folder of the file that says so).
///
/// # Errors
/// All problems of the first file that has any: unreadable, not TOML, unknown keys, values a field does not accept, a
/// chain of `inherits` that comes back to itself.
pub fn read_model_file(path: &Path) -> Result<ReadModel, Problems> {
    read(path, &mut Vec::new())
}

/// Reads a model from text. Files it inherits from are relative to `folder`; `name` is for messages.
///
/// # Errors
/// As [`read_model_file`].
pub fn parse_model_file(name: &str, text: &str, folder: &Path) -> Result<ReadModel, Problems> {
    parse(name, text, folder, &mut Vec::new())
}

/// `open` holds the files that wait for their parents.
fn read(path: &Path, open: &mut Vec<PathBuf>) -> Result<ReadModel, Problems> {
    let name = path.display().to_string();
    let unreadable =
        |e: std::io::Error| Problems::new(&name, "", vec![invalid("model-read", format!("cannot be read: {e}"))]);
    let identity = path.canonicalize().map_err(unreadable)?;
    let text = read_text_file(path).map_err(unreadable)?;
    open.push(identity);
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let model = parse(&name, &text, &folder, open);
    open.pop();
    model
}

fn parse(name: &str, text: &str, folder: &Path, open: &mut Vec<PathBuf>) -> Result<ReadModel, Problems> {
    check_length("model-read", name, text)?;
    let problems = |diags: Vec<Diag>| Problems::new(name, text, diags);
    let file = ModelFile::parse(text).map_err(problems)?;
    let parent = match file.inherits() {
        None => Model::builtin("ieee"),
        Some((path, span)) if path.ends_with(".toml") => {
            Some(inherited(path, span, folder, open).map_err(|e| match e {
                Inherited::Here(diag) => problems(vec![*diag]),
                Inherited::There(problems) => problems,
            })?)
        }
        Some((name, _)) => Model::builtin(name),
    };
    let model = file.define(parent.as_ref()).map_err(|diag| problems(vec![diag]))?;
    let warnings = problems(file.warnings(&model));
    Ok(ReadModel { model, warnings })
}

/// What is wrong with a parent: the name here, or the file there.
enum Inherited {
    Here(Box<Diag>),
    There(Problems),
}

fn inherited(parent: &str, span: Span, folder: &Path, open: &mut Vec<PathBuf>) -> Result<Model, Inherited> {
    let here = |diag: Diag| Inherited::Here(Box::new(diag));
    let path = folder.join(parent);
    let identity = path.canonicalize().map_err(|e| {
        here(Diag::invalid("model-inherits", span, format!("`{}` cannot be read: {e}", path.display())))
    })?;
    if open.contains(&identity) {
        let message = format!("`{parent}` inherits, directly or through others, from this file");
        return Err(here(Diag::invalid("model-cycle", span, message)));
    }
    if open.len() >= MAX_CHAIN {
        let message = format!("the chain of model files is longer than {MAX_CHAIN}");
        return Err(here(Diag::invalid("model-cycle", span, message)));
    }
    read(&path, open).map(|read| read.model).map_err(Inherited::There)
}

#[cfg(test)]
mod tests;
