//! From bytes to a lifted shader.

use crate::frontend::{FRONTENDS, LayoutRequest, named_frontend, sniff};
use crate::problem::{guarded, invalid, worst};
use parallax_core::{Shader, Symbolic};
use parallax_lift::{Frontend, Options, Request};
use parallax_text::{Diag, DiagKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Largest program, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// What the caller wants from loading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Instruction set; sniffed when absent.
    pub isa: Option<String>,
    /// Dialect, and how machine words lie.
    pub layout: LayoutRequest,
    /// Watched and preset registers, frontend options.
    pub lift: Options,
}

/// A program that was read, with all there is to say about it, whether or not it can be run.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Tells loaded programs apart within a process.
    pub id: u64,
    /// Name, such as a path.
    pub name: String,
    /// Instruction set; empty when none was recognised.
    pub isa: &'static str,
    /// The model whose arithmetic the program's documents describe; empty when no instruction set was recognised.
    pub model: &'static str,
    /// The text problems are located in.
    pub text: String,
    /// All problems, warnings included.
    pub diags: Vec<Diag>,
    /// The lifted shader; `None` if there were errors.
    pub shader: Option<Shader<Symbolic>>,
    /// What each stage took.
    pub times: LoadTimes,
}

/// Wall-clock time per stage.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadTimes {
    /// Reading the text.
    pub parse: Duration,
    /// Lifting.
    pub lift: Duration,
}

/// Whether a shader can be run.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// It can.
    Ok,
    /// It is legal, but something in it is not supported.
    Unsupported,
    /// It breaks its own rules.
    Invalid,
    /// A bug of parallax stands in the way.
    Internal,
}

impl Status {
    /// The word used in machine output.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Unsupported => "unsupported",
            Status::Invalid => "invalid",
            Status::Internal => "internal",
        }
    }

    /// The status errors amount to.
    pub fn of(diags: &[Diag]) -> Status {
        match worst(diags) {
            None => Status::Ok,
            Some(DiagKind::Unsupported) => Status::Unsupported,
            Some(DiagKind::Invalid) => Status::Invalid,
            Some(DiagKind::Internal) => Status::Internal,
        }
    }
}

impl Loaded {
    /// Whether the shader can be run.
    pub fn status(&self) -> Status {
        Status::of(&self.diags)
    }

    /// Number of source instructions of a shader that can be run.
    pub fn instructions(&self) -> usize {
        self.shader.as_ref().map_or(0, |shader| shader.func.sources.len())
    }
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// Reads and lifts a program. Never fails: what is wrong is in [`Loaded::diags`], so that one bad program loses no
/// result of another.
pub fn load(name: &str, bytes: &[u8], options: &LoadOptions) -> Loaded {
    let mut loaded = Loaded {
        id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        name: name.to_string(),
        isa: "",
        model: "",
        text: String::new(),
        diags: Vec::new(),
        shader: None,
        times: LoadTimes::default(),
    };
    let found = choose(name, bytes, options).and_then(|found| {
        loaded.isa = found.name;
        let layout = options.layout.of(found)?;
        guarded(|| (found.read)(&Request { bytes, layout, options: &options.lift }))
    });
    match found {
        Ok(read) => {
            loaded.model = read.model;
            loaded.text = read.text;
            loaded.diags = read.diags;
            loaded.shader = read.shader;
            loaded.times = LoadTimes { parse: read.parse, lift: read.lift };
            if loaded.shader.is_some() && loaded.status() != Status::Ok {
                loaded.shader = None;
            }
        }
        Err(diag) => {
            loaded.text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)]).into_owned();
            loaded.diags.push(diag);
        }
    }
    if let Some(shader) = &mut loaded.shader {
        shader.func.name = stem(name).to_string();
    }
    loaded
}

fn choose(name: &str, bytes: &[u8], options: &LoadOptions) -> Result<&'static Frontend, Diag> {
    if bytes.len() > MAX_BYTES {
        return Err(invalid("engine-size", format!("{} bytes are too large for a shader", bytes.len())));
    }
    if let Some(isa) = &options.isa {
        return named_frontend(isa);
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(invalid("engine-empty", "the file is empty"));
    }
    sniff(name, bytes).ok_or_else(|| {
        invalid("engine-unrecognised", "no instruction set recognises this program")
            .with_help(format!("name it: --from {}", FRONTENDS.iter().map(|f| f.name).collect::<Vec<_>>().join(" | ")))
    })
}

/// File name without folder and extension.
pub(crate) fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(loaded: &Loaded) -> (&'static str, Status) {
        (loaded.diags[0].code, loaded.status())
    }

    #[test]
    fn nothing_recognisable_is_a_problem_with_a_name() {
        let options = LoadOptions::default();
        assert_eq!(code(&load("x.bin", &[0, 1, 2, 255], &options)), ("engine-unrecognised", Status::Invalid));
        assert_eq!(code(&load("x", b" \n", &options)), ("engine-empty", Status::Invalid));
        let forced = LoadOptions { isa: Some("nvfq".into()), ..LoadOptions::default() };
        let loaded = load("x", b"!!FP1.0 END", &forced);
        assert_eq!((code(&loaded).0, loaded.diags[0].help[0].as_str()), ("engine-isa", "did you mean `nvfp`?"));
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        let loaded = load("x.fp", b"!!FP1.0\n\xff", &LoadOptions::default());
        assert_eq!((code(&loaded), loaded.isa), (("utf8", Status::Invalid), "nvfp"));
        assert_eq!(loaded.diags[0].span.map(|s| s.start), Some(8));
    }

    #[test]
    fn a_program_is_sniffed_and_lifted() {
        let loaded = load("dir/half.fp", b"!!FP1.0\nMOVR o[COLR], f[COL0];\nEND\n", &LoadOptions::default());
        assert_eq!((loaded.isa, loaded.model, loaded.status()), ("nvfp", "nvfp", Status::Ok), "{:?}", loaded.diags);
        assert_eq!(loaded.shader.as_ref().map(|s| s.func.name.as_str()), Some("half"));
        let wrong = LoadOptions {
            layout: LayoutRequest { dialect: Some("fp1.1".into()), ..LayoutRequest::default() },
            ..LoadOptions::default()
        };
        assert_eq!(code(&load("half.fp", b"!!FP1.0\nEND\n", &wrong)), ("engine-dialect", Status::Invalid));
    }

    #[test]
    fn stems() {
        assert_eq!((stem("a/b.c.tgsi"), stem(".x"), stem("-")), ("b.c", ".x", "-"));
    }
}
