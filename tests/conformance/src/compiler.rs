//! GLSL to SPIR-V.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// A stage that shaders of the tests have.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ShaderStage {
    /// Vertices.
    Vertex,
    /// Fragments.
    Fragment,
    /// Kernels.
    Compute,
}

impl ShaderStage {
    /// The stage as parallax has it.
    pub fn stage(self) -> parallax::Stage {
        match self {
            ShaderStage::Vertex => parallax::Stage::Vertex,
            ShaderStage::Fragment => parallax::Stage::Fragment,
            ShaderStage::Compute => parallax::Stage::Compute,
        }
    }

    fn name(self) -> &'static str {
        match self {
            ShaderStage::Vertex => "vert",
            ShaderStage::Fragment => "frag",
            ShaderStage::Compute => "comp",
        }
    }
}

/// Why there is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCompiled(pub String);

/// `glslangValidator`. What it made of a source is kept in a folder, so that a second run need not ask it again.
#[derive(Clone, Debug)]
pub struct Compiler {
    program: PathBuf,
    kept: PathBuf,
}

/// Makes names of files that are written at the same time different.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Compiler {
    /// The compiler on the path, which keeps its modules in `folder`.
    pub fn new(folder: &Path) -> Compiler {
        Compiler { program: "glslangValidator".into(), kept: folder.to_path_buf() }
    }

    /// Its version, if it is installed.
    pub fn version(&self) -> Option<String> {
        let output = Command::new(&self.program).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).lines().next()?.to_string())
    }

    /// Bytes of the module that a source becomes. `environment` is Amber's: `spv1.3`, `vulkan1.1`.
    ///
    /// # Errors
    /// What the compiler says, or why it could not be asked.
    pub fn glsl(&self, stage: ShaderStage, source: &str, environment: Option<&str>) -> Result<Vec<u8>, NotCompiled> {
        let environment = match environment.unwrap_or("vulkan1.0") {
            name if name.starts_with("spv") => name.replacen("spv", "spirv", 1),
            name => name.to_string(),
        };
        let options = ["-V", "--stdin", "-S", stage.name(), "--target-env", &environment, "--aml", "--amb"];
        let mut hasher = DefaultHasher::new();
        (source, &options[1..]).hash(&mut hasher);
        let name = format!("{:016x}-{:x}", hasher.finish(), source.len());
        let (module, refusal) = (self.kept.join(format!("{name}.spv")), self.kept.join(format!("{name}.txt")));
        if let Ok(bytes) = std::fs::read(&module) {
            return Ok(bytes);
        }
        if let Ok(text) = std::fs::read_to_string(&refusal) {
            return Err(NotCompiled(text));
        }
        let lost = |error: std::io::Error| NotCompiled(format!("glslangValidator: {error}"));
        std::fs::create_dir_all(&self.kept).map_err(lost)?;
        let own = format!("{name}-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let part = self.kept.join(own);
        let mut child = Command::new(&self.program)
            .args(options)
            .arg("-o")
            .arg(&part)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(lost)?;
        if let Some(mut input) = child.stdin.take() {
            // A compiler that has seen enough says why.
            let _ = input.write_all(source.as_bytes());
        }
        let output = child.wait_with_output().map_err(lost)?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            let first = text.lines().find(|line| line.contains("ERROR")).unwrap_or("no message").to_string();
            std::fs::write(&part, &first).map_err(lost)?;
            std::fs::rename(&part, &refusal).map_err(lost)?;
            return Err(NotCompiled(first));
        }
        let bytes = std::fs::read(&part).map_err(lost)?;
        std::fs::rename(&part, &module).map_err(lost)?;
        Ok(bytes)
    }
}
