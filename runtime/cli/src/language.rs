//! GLSL, HLSL, Slang and WGSL: compilers that are installed make SPIR-V of them.

mod compiler;
mod messages;
#[cfg(feature = "wgsl")]
mod wgsl;

use crate::input::{Input, Place};
use compiler::Compiler;
use parallax::{File, LoadOptions, Loaded};
use parallax_core::{Source, Sources};
use parallax_language::{Language, prepare, with_source};
use parallax_text::{Diag, Span};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A source as a module.
#[derive(Clone, Debug)]
pub(crate) struct Translation {
    /// The module.
    pub(crate) source: parallax::Source,
    /// Values of uniforms, as words.
    defaults: Vec<(String, [u32; 4])>,
    /// The entry point, where the module may have several.
    pub(crate) entry: Option<String>,
    /// Whether the size of the viewport is a uniform, `iResolution`.
    pub(crate) is_shadertoy: bool,
    /// What the compiler remarks, placed in the text.
    warnings: Vec<Diag>,
    /// What was written.
    text: String,
}

impl Translation {
    /// Gives a loaded module the values of uniforms and the text it was made of, in which its instructions get their places.
    pub(crate) fn explain(&self, loaded: &mut Loaded) {
        // Problems of the module are placed by byte.
        if loaded.diags.is_empty() {
            loaded.text.clone_from(&self.text);
            loaded.diags.extend(self.warnings.iter().cloned());
        }
        let Some(shader) = &mut loaded.shader else { return };
        for constant in &mut shader.func.iface.constants {
            let own = self.defaults.iter().find(|(name, _)| *name == constant.name);
            constant.default = own.map(|(_, words)| *words).or(constant.default);
        }
        let starts: Vec<usize> =
            std::iter::once(0).chain(self.text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut sources = Sources::default();
        for (_, source) in shader.func.sources.iter() {
            let start = (source.line as usize).checked_sub(1).and_then(|line| starts.get(line)).copied();
            let rest = start.and_then(|start| self.text.get(start..)).unwrap_or("");
            let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            // Compilers write lines of their own, too.
            let offset = match start {
                Some(start) if rest[indent..].starts_with(source.text) => (start + indent) as u32,
                _ => 0,
            };
            sources.push(Source { offset, ..source });
        }
        shader.func.sources = sources;
    }
}

/// A source that was not compiled.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The text that problems are located in.
    pub(crate) text: String,
    pub(crate) diags: Vec<Diag>,
}

type Outcome = Arc<Result<Translation, Refusal>>;

/// Compiles every source once.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    /// `--compiler`.
    asked: Option<String>,
    known: Mutex<FxHashMap<String, Outcome>>,
}

impl Translator {
    /// With the compiler of this name or path; without one, the first that is installed.
    pub(crate) fn new(asked: Option<String>) -> Translator {
        Translator { asked, known: Mutex::default() }
    }

    /// An input as a module; `None` where it is in no language that is compiled.
    pub(crate) fn translate(&self, input: &Input, options: &LoadOptions) -> Option<Outcome> {
        let source = input.source.as_ref().ok()?;
        let language = language(input, source, options)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = known.entry(input.name.clone()).or_insert_with(|| {
            let folder = match &input.place {
                Place::Disk(path) => path.parent(),
                Place::Stdin | Place::Embedded(_) => None,
            };
            Arc::new(self.compile(language, &input.name, source.bytes(), folder))
        });
        Some(outcome.clone())
    }

    fn compile(
        &self,
        language: Language,
        name: &str,
        bytes: &[u8],
        folder: Option<&Path>,
    ) -> Result<Translation, Refusal> {
        let text = parallax::utf8(bytes)
            .map_err(|diag| Refusal { text: String::from_utf8_lossy(bytes).into_owned(), diags: vec![*diag] })?;
        let refuse = |diags: Vec<Diag>| Refusal { text: text.to_string(), diags };
        let prepared = prepare(language, name, text).map_err(|diag| refuse(vec![*diag]))?;
        #[cfg(feature = "wgsl")]
        if language == Language::Wgsl && self.asked.is_none() {
            let module = wgsl::compile(text).map_err(refuse)?;
            return translation(language, name, module, &prepared, Vec::new(), text).map_err(refuse);
        }
        let compiler = Compiler::find(language, self.asked.as_deref()).map_err(|diag| refuse(vec![*diag]))?;
        let (module, warnings) = compiler.run(language, &prepared, text, folder).map_err(refuse)?;
        let own_name = name.rsplit('/').next().unwrap_or(name);
        let module = with_source(&module, &compiler::file_name(language, prepared.stage), own_name, text);
        translation(language, name, module, &prepared, warnings, text).map_err(refuse)
    }
}

fn translation(
    language: Language,
    name: &str,
    module: Vec<u8>,
    prepared: &parallax_language::Prepared,
    warnings: Vec<Diag>,
    text: &str,
) -> Result<Translation, Vec<Diag>> {
    match File::open(name, module).contents().sources.pop() {
        Some(source) => Ok(Translation {
            source,
            defaults: prepared.defaults.clone(),
            entry: (language == Language::Wgsl).then(|| prepared.entry.clone()),
            is_shadertoy: prepared.is_shadertoy,
            warnings: prepared.warnings.iter().chain(&warnings).cloned().collect(),
            text: text.to_string(),
        }),
        None => Err(vec![unplaced_error("the compiler made an empty module".into())]),
    }
}

/// An error that has no place.
fn unplaced_error(message: String) -> Diag {
    Diag { span: None, ..Diag::invalid("compiler", Span::default(), message) }
}

/// The language of an input that no instruction set recognises: by its name, else by its text.
fn language(input: &Input, source: &parallax::Source, options: &LoadOptions) -> Option<Language> {
    if options.isa.is_some() || !source.path.is_empty() || source.diags().iter().any(Diag::is_error) {
        return None;
    }
    let bytes = source.bytes();
    let is_recognised = || parallax::FRONTENDS.iter().any(|frontend| (frontend.sniff)(bytes));
    match Language::of_name(&input.name) {
        Some(language) if !is_recognised() => {
            std::str::from_utf8(bytes).map_or(Some(language), |text| Language::of_file(&input.name, text))
        }
        Some(_) => None,
        None => {
            let extension = input.name.rsplit_once('.').map_or("", |(_, extension)| extension);
            if parallax::FRONTENDS.iter().any(|frontend| frontend.extensions.contains(&extension)) {
                return None;
            }
            let is_foreign = source.resolve(options).is_err_and(|diag| diag.code == "engine-foreign");
            let is_own = || is_foreign || input.place == Place::Stdin && !is_recognised();
            is_own().then(|| Language::of_text(std::str::from_utf8(bytes).ok()?)).flatten()
        }
    }
}

/// Whether a file in a folder is a source to compile: one whose module does not stand beside it.
pub(crate) fn is_source(path: &Path) -> bool {
    Language::of_name(&path.to_string_lossy()).is_some()
        && ["spvasm", "spv"].iter().all(|extension| !path.with_extension(extension).exists())
}
/// The module of a text of WGSL, or the first problem with it.
#[cfg(all(feature = "wgsl", feature = "vulkan"))]
pub(crate) fn words_of_wgsl(text: &str) -> Result<Vec<u32>, String> {
    let bytes =
        wgsl::compile(text).map_err(|diags| diags.into_iter().next().map_or(String::new(), |diag| diag.message))?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}
