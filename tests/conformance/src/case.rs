//! The cases of a folder.

use crate::library::{self, ValuesCase};
use crate::{Compiler, Outcome, ShaderStage, amber};
use parallax::Engine;
use std::path::{Path, PathBuf};

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its file below the folder of the tests, and for one of several its path in there.
    pub name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Amber(PathBuf),
    Values(Box<ValuesCase>, Option<ShaderStage>),
    NotParsed(String),
}

impl Case {
    /// Runs it.
    pub fn run(&self, compiler: &Compiler, engine: Engine) -> Outcome {
        match &self.kind {
            Kind::NotParsed(reason) => Outcome::NotParsed(reason.clone()),
            Kind::Values(case, stage) => library::run(case, *stage, compiler, engine),
            Kind::Amber(path) => {
                let text = match std::fs::read_to_string(path) {
                    Ok(text) => text,
                    Err(error) => return Outcome::NotParsed(format!("the file: {error}")),
                };
                match amber::parse(&text, path.parent().unwrap_or(Path::new(""))) {
                    Ok(script) => amber::run(&script, compiler, engine),
                    Err(reason) => Outcome::NotParsed(reason),
                }
            }
        }
    }
}

/// All cases below a folder whose names contain a text, in order of their names.
///
/// # Errors
/// If the folder cannot be listed.
pub fn cases(folder: &Path, only: &str) -> std::io::Result<Vec<Case>> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("amber") => cases.push(Case { name, kind: Kind::Amber(path) }),
            Some("test") => {
                // Reading takes long enough to leave out what was not asked for.
                let is_asked = name.contains(only) || only.starts_with(&name);
                for parsed in if is_asked { library::parse(&std::fs::read_to_string(&path)?) } else { Vec::new() } {
                    match parsed {
                        Ok(case) => {
                            for (stage, ending) in case.stages() {
                                let name = format!("{name}/{}{ending}", case.name);
                                cases.push(Case { name, kind: Kind::Values(Box::new(case.clone()), stage) });
                            }
                        }
                        Err((inner, reason)) => {
                            cases.push(Case { name: format!("{name}/{inner}"), kind: Kind::NotParsed(reason) });
                        }
                    }
                }
            }
            _ => {}
        }
    }
    cases.retain(|case| case.name.contains(only));
    Ok(cases)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && entry.file_name() != ".git" {
            list(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}
