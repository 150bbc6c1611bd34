//! Which backend runs shaders.

use parallax_core::backend::{Backend, Executable};
use parallax_core::{Bound, Verified};
use parallax_interp::Interpreter;
use parallax_x86::MachineCode;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

/// Every backend; the first runs every shader.
pub const BACKENDS: &[&dyn Backend] = &[&Interpreter, &MachineCode];

/// Which backend runs shaders. Results are the same whichever does.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Machine code where the host and the shader allow it, else the interpreter.
    Auto,
    /// The interpreter.
    #[default]
    Interp,
    /// Machine code; where that is not possible the interpreter, and a note says why.
    Jit,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 3] = [Engine::Auto, Engine::Interp, Engine::Jit];

    /// Spelling on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Interp => "interp",
            Engine::Jit => "jit",
        }
    }

    /// Makes it the one that [`crate::compile`] and its relatives use from now on, in the whole process. It is the
    /// interpreter until somebody says something else. Results do not depend on it.
    pub fn set(self) {
        CURRENT.store(self as u8, Ordering::Relaxed);
    }

    /// The one in use.
    pub fn current() -> Engine {
        Engine::ALL[usize::from(CURRENT.load(Ordering::Relaxed)) % Engine::ALL.len()]
    }

    /// Whether shaders can be machine code on this host at all.
    pub fn has_machine_code() -> bool {
        parallax_x86::is_supported()
    }
}

static CURRENT: AtomicU8 = AtomicU8::new(Engine::Interp as u8);

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == text);
        found.ok_or_else(|| format!("`{text}` is no engine; there are auto, interp and jit"))
    }
}

/// A shader ready to run.
pub(crate) struct Prepared {
    pub(crate) program: Box<dyn Executable>,
    /// Why it is not machine code, where that was asked for.
    pub(crate) note: Option<String>,
}

/// Prepares a shader for an engine.
pub(crate) fn prepare(shader: Verified<'_, Bound>, engine: Engine) -> Prepared {
    let note = match engine {
        Engine::Interp => None,
        Engine::Auto | Engine::Jit => match MachineCode.prepare(shader) {
            Ok(program) => return Prepared { program, note: None },
            Err(reason) => Some(reason.0),
        },
    };
    Prepared { program: Box::new(parallax_interp::Bytecode::new(shader)), note }
}
