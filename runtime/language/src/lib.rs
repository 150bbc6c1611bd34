//! Shading languages on their way to SPIR-V. A source is recognised, its stage and entry point are found, old GLSL and
//! Shadertoy scenes become GLSL that compilers take for Vulkan, with every line where it was. Nothing here runs a compiler
//! or touches a file.
//!
//! ```
//! use parallax_language::{Language, Stage, prepare};
//!
//! let text = "precision mediump float;\nuniform float time;\nvoid main() { gl_FragColor = vec4(time); }\n";
//! let prepared = prepare(Language::Glsl, "pulse.frag", text).expect("a fragment shader");
//! assert_eq!(prepared.stage, Stage::Fragment);
//! assert!(prepared.text.starts_with("#version 310 es\n"));
//! ```

mod declaration;
mod embedded;
mod entry;
mod glsl;
mod rewriting;
mod shadertoy;
mod tokens;

pub use embedded::with_source;

use parallax_text::Diag;

/// A language that compilers turn into SPIR-V.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// OpenGL's, OpenGL ES's and Vulkan's, and scenes of Shadertoy.
    Glsl,
    /// Direct3D's.
    Hlsl,
    /// Slang.
    Slang,
    /// WebGPU's.
    Wgsl,
}

/// What a program is run for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Every vertex.
    Vertex,
    /// Every fragment.
    Fragment,
    /// Every invocation of a grid.
    Compute,
}

/// A source as a compiler gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// The text. Compilers report problems at the lines of the text that was given.
    pub text: String,
    /// What it is compiled for.
    pub stage: Stage,
    /// The function it begins with.
    pub entry: String,
    /// Whether it was a scene of Shadertoy.
    pub is_shadertoy: bool,
    /// Values that uniforms have unless somebody sets them, as words.
    pub defaults: Vec<(String, [u32; 4])>,
    /// What gets lost, placed in the text that was given.
    pub warnings: Vec<Diag>,
}

impl Language {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Language::Glsl => "GLSL",
            Language::Hlsl => "HLSL",
            Language::Slang => "Slang",
            Language::Wgsl => "WGSL",
        }
    }

    /// The language that a file's extension stands for.
    pub fn of_name(name: &str) -> Option<Language> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "frag" | "vert" | "comp" | "glsl" | "shadertoy" => Some(Language::Glsl),
            "hlsl" => Some(Language::Hlsl),
            "slang" => Some(Language::Slang),
            "wgsl" => Some(Language::Wgsl),
            _ => None,
        }
    }

    /// The language of a file: that of its extension. `.frag`, `.vert` and `.comp` name a stage and stand for GLSL, unless the text
    /// says otherwise.
    pub fn of_file(name: &str, text: &str) -> Option<Language> {
        let language = Language::of_name(name)?;
        let names_stage = [".frag", ".vert", ".comp"].iter().any(|stage| name.to_ascii_lowercase().ends_with(stage));
        let said = if names_stage { Language::of_text(text) } else { None };
        Some(said.unwrap_or(language))
    }

    /// The language that a text seems to be in.
    pub fn of_text(text: &str) -> Option<Language> {
        entry::language(text)
    }

    /// An extension that compilers know.
    pub fn extension(self, stage: Stage) -> &'static str {
        match (self, stage) {
            (Language::Glsl, stage) => stage.short(),
            (Language::Hlsl, _) => "hlsl",
            (Language::Slang, _) => "slang",
            (Language::Wgsl, _) => "wgsl",
        }
    }
}

impl Stage {
    /// The word that file names and glslang have for it.
    pub fn short(self) -> &'static str {
        match self {
            Stage::Vertex => "vert",
            Stage::Fragment => "frag",
            Stage::Compute => "comp",
        }
    }

    /// The whole word.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
        }
    }

    /// The stage that a file's name speaks of: `x.vert`, `x.vert.glsl`.
    fn of_name(name: &str) -> Option<Stage> {
        let mut parts = name.rsplit(['.', '/', '\\']);
        let named = |part: &str| match part.to_ascii_lowercase().as_str() {
            "vert" => Some(Stage::Vertex),
            "frag" | "shadertoy" => Some(Stage::Fragment),
            "comp" => Some(Stage::Compute),
            _ => None,
        };
        named(parts.next()?).or_else(|| named(parts.next()?))
    }
}

/// Finds stage and entry point of a source and makes it a text that compilers take.
///
/// # Errors
/// The source has no entry point.
pub fn prepare(language: Language, name: &str, text: &str) -> Result<Prepared, Box<Diag>> {
    match language {
        Language::Glsl => glsl::prepare(text, Stage::of_name(name)),
        Language::Hlsl | Language::Slang => entry::prepare(text, Stage::of_name(name)),
        Language::Wgsl => entry::prepare_wgsl(text),
    }
}
