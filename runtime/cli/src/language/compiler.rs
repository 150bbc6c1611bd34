//! Compilers: which there are, where they are, how they are called.

use super::{messages, unplaced_error};
use parallax_language::{Language, Prepared, Stage};
use parallax_text::{Diag, Span};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A family of compilers that are called alike.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Family {
    Glslang,
    Glslc,
    Dxc,
    Slangc,
    Naga,
}

/// Names of compilers by family.
const NAMES: &[(&str, Family)] = &[
    ("glslangValidator", Family::Glslang),
    ("glslang", Family::Glslang),
    ("glslc", Family::Glslc),
    ("dxc", Family::Dxc),
    ("slangc", Family::Slangc),
    ("naga", Family::Naga),
];

/// The families that compile a language, the first choice first.
fn families(language: Language) -> &'static [Family] {
    match language {
        Language::Glsl => &[Family::Glslang, Family::Glslc, Family::Slangc],
        Language::Hlsl => &[Family::Dxc, Family::Glslang, Family::Slangc],
        Language::Slang => &[Family::Slangc],
        Language::Wgsl => &[Family::Naga],
    }
}

/// What to install for a language.
fn package(language: Language) -> &'static str {
    match language {
        Language::Glsl => {
            "install one: `apt install glslang-tools` (Debian, Ubuntu), `dnf install glslang` (Fedora), \
             `brew install glslang` (macOS), or the Vulkan SDK"
        }
        Language::Hlsl => {
            "install one: DirectXShaderCompiler (`dxc`) comes with the Vulkan SDK, `glslangValidator` with the package \
             glslang-tools"
        }
        Language::Slang => "install Slang: https://github.com/shader-slang/slang/releases, or the Vulkan SDK",
        Language::Wgsl => "install one: `cargo install naga-cli`; or build parallax with `--features wgsl`",
    }
}

/// A compiler that is installed.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    path: PathBuf,
    family: Family,
}

/// The name of the file that is compiled.
pub(super) fn file_name(language: Language, stage: Stage) -> String {
    format!("shader.{}", language.extension(stage))
}

impl Compiler {
    /// The compiler of a name or path, else the first that is installed.
    pub(super) fn find(language: Language, asked: Option<&str>) -> Result<Compiler, Box<Diag>> {
        let fail = |message: String, help: &str| {
            let diag = Diag::unsupported("compiler-missing", Span::default(), message).with_help(help);
            Err(Box::new(Diag { span: None, ..diag }))
        };
        let able = families(language);
        let Some(asked) = asked else {
            let usual = NAMES.iter().filter(|(_, family)| able.contains(family));
            // In the order of choice.
            let mut usual: Vec<_> = usual.collect();
            parallax_text::sort_by_key(&mut usual, |(_, family)| able.iter().position(|able| able == family));
            let found =
                usual.iter().find_map(|(name, family)| Some(Compiler { path: on_path(name)?, family: *family }));
            let names: Vec<&str> = usual.iter().map(|(name, _)| *name).collect();
            let message = format!(
                "this is {} source, and none of its compilers is on PATH: {}",
                language.name(),
                names.join(", ")
            );
            return found.map_or_else(|| fail(message, package(language)), Ok);
        };
        let stem = Path::new(asked).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let family = NAMES.iter().find(|(name, _)| stem == *name || stem.starts_with(&format!("{name}-")));
        let known = || NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let Some((_, family)) = family else {
            let help = "a compiler is known by the name of its file, which may be a link";
            return fail(format!("--compiler {asked}: expected one of {}, or a path to one", known()), help);
        };
        if !able.contains(family) {
            let help = "leave out --compiler to choose one that does";
            return fail(format!("--compiler {asked}: it does not compile {} to SPIR-V", language.name()), help);
        }
        let path = if asked.contains(['/', '\\']) { Some(PathBuf::from(asked)) } else { on_path(asked) };
        match path.filter(|path| path.is_file()) {
            Some(path) => Ok(Compiler { path, family: *family }),
            None => fail(format!("--compiler {asked}: there is no such program"), package(language)),
        }
    }

    /// Compiles: the module and warnings, or errors, both placed in the text that was written.
    pub(super) fn run(
        &self,
        language: Language,
        prepared: &Prepared,
        written: &str,
        folder: Option<&Path>,
    ) -> Result<(Vec<u8>, Vec<Diag>), Vec<Diag>> {
        let name = file_name(language, prepared.stage);
        let place = Place::new().map_err(|error| vec![unplaced_error(format!("no temporary folder: {error}"))])?;
        let failed = |error: std::io::Error| vec![unplaced_error(format!("{}: {error}", self.path.display()))];
        std::fs::write(place.0.join(&name), &prepared.text).map_err(failed)?;
        // Compilers run elsewhere.
        let folder = folder.and_then(|folder| std::path::absolute(Path::new(".").join(folder)).ok());
        let mut said = String::new();
        for (attempt, debug) in self.family.debug().iter().enumerate() {
            // It runs in another folder.
            let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
            let mut command = Command::new(path);
            command.args(self.family.arguments(language, prepared, &name, debug, folder.as_deref()));
            let output = command.current_dir(&place.0).output().map_err(failed)?;
            said = [output.stdout, output.stderr].iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
            if output.status.success()
                && let Ok(module) = std::fs::read(place.0.join(OUTPUT))
                && !module.is_empty()
            {
                return Ok((module, messages::parse(&said, &name, written)));
            }
            // Older releases have fewer options: without a located problem the next is tried.
            let found = messages::parse(&said, &name, written);
            let last = attempt + 1 == self.family.debug().len();
            if found.iter().any(|diag| diag.span.is_some()) || last && found.iter().any(Diag::is_error) {
                return Err(found);
            }
        }
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
        let message = format!("{} failed: {}", self.path.display(), lines.join("; "));
        Err(vec![unplaced_error(message)])
    }
}

/// The module that compilers write.
const OUTPUT: &str = "shader.spv";

impl Family {
    /// Options for debug information, the richest first.
    fn debug(self) -> &'static [&'static str] {
        match self {
            Family::Glslang => &["-gVS", "-g"],
            Family::Glslc | Family::Naga => &["-g"],
            Family::Dxc => &["-fspv-debug=vulkan-with-source", "-Zi"],
            Family::Slangc => &["-g2"],
        }
    }

    fn arguments(
        self,
        language: Language,
        prepared: &Prepared,
        name: &str,
        debug: &str,
        folder: Option<&Path>,
    ) -> Vec<OsString> {
        let mut out: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| out.extend(words.iter().map(OsString::from));
        let (stage, entry) = (prepared.stage, prepared.entry.as_str());
        match self {
            Family::Glslang => {
                add(&["-V", debug, "-S", stage.short(), "-o", OUTPUT]);
                if language == Language::Hlsl {
                    add(&["-D", "-e", entry]);
                }
            }
            Family::Glslc => {
                let stage = format!("-fshader-stage={}", stage.short());
                add(&[debug, "-O0", &stage, "-o", OUTPUT]);
            }
            Family::Dxc => {
                let profile = match stage {
                    Stage::Vertex => "vs_6_0",
                    Stage::Fragment => "ps_6_0",
                    Stage::Compute => "cs_6_0",
                };
                add(&["-spirv", "-T", profile, "-E", entry, "-Od", debug, "-Fo", OUTPUT]);
            }
            Family::Slangc => {
                add(&["-target", "spirv", "-entry", entry, "-stage", stage.name(), "-O0", debug, "-o", OUTPUT]);
            }
            Family::Naga => add(&[debug, "--keep-coordinate-space"]),
        }
        if let Some(folder) = folder.filter(|_| self != Family::Naga) {
            match self {
                Family::Dxc | Family::Slangc => out.extend(["-I".into(), folder.into()]),
                _ => out.push([OsStr::new("-I"), folder.as_os_str()].into_iter().collect()),
            }
        }
        out.push(name.into());
        if self == Family::Naga {
            out.push(OUTPUT.into());
        }
        out
    }
}

/// Where a program is.
fn on_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// A folder that goes when it is no longer needed.
struct Place(PathBuf);

impl Place {
    fn new() -> std::io::Result<Place> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let base = std::env::temp_dir();
        let mut attempts = 0;
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("parallax-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Place(path)),
                // Left behind by another process of this number.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && attempts < 1000 => attempts += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_are_known_by_their_file_names() {
        let message = |language, asked: &str| Compiler::find(language, Some(asked)).expect_err("no compiler").message;
        assert!(message(Language::Glsl, "gcc").contains("expected one of glslangValidator, glslang"));
        assert!(message(Language::Glsl, "/nowhere/glslang").contains("there is no such program"));
        assert!(message(Language::Glsl, "naga").contains("does not compile GLSL"));
        assert!(message(Language::Wgsl, "./dxc").contains("does not compile WGSL"));
    }

    #[test]
    fn every_language_has_a_compiler_and_a_package() {
        for language in [Language::Glsl, Language::Hlsl, Language::Slang, Language::Wgsl] {
            assert!(families(language).iter().all(|family| NAMES.iter().any(|(_, known)| known == family)));
            assert!(package(language).contains("install"));
        }
    }
}
