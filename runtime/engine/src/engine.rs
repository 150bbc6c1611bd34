//! Which backend runs shaders.

use crate::machine_code;
use crate::problem::invalid;
use parallax_core::backend::{Backend, Declined, Executable};
use parallax_core::{Bound, Verified};
use parallax_interp::{Bytecode, Interpreter};
use parallax_text::Diag;
#[cfg(feature = "machine-code")]
use parallax_x86::Level;
use std::fmt;
use std::str::FromStr;

/// Every backend; the first runs every shader.
pub const BACKENDS: &[&dyn Backend] = &[
    &Interpreter,
    #[cfg(feature = "machine-code")]
    &parallax_x86::MachineCode::BEST,
];

/// Which backend runs shaders: by default the fastest of the host. Results are the same whichever does.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Machine code where the host and the shader allow it, else the interpreter.
    #[default]
    Auto,
    /// The interpreter.
    Interp,
    /// Machine code; where that is not possible the interpreter, and a note says why.
    Jit,
    /// Machine code of 8 lanes for AVX2, whatever more the host has.
    JitAvx2,
    /// Machine code of 16 lanes for AVX-512.
    JitAvx512,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 5] = [Engine::Auto, Engine::Interp, Engine::Jit, Engine::JitAvx2, Engine::JitAvx512];

    /// Spelling on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Interp => "interp",
            Engine::Jit => "jit",
            Engine::JitAvx2 => "jit-avx2",
            Engine::JitAvx512 => "jit-avx512",
        }
    }

    /// Whether shaders can be machine code in this build and on this host at all.
    pub fn has_machine_code() -> bool {
        machine_code::is_available()
    }

    /// What machine code is made for, where the engine says so.
    #[cfg(feature = "machine-code")]
    pub const fn level(self) -> Option<Level> {
        match self {
            Engine::JitAvx2 => Some(Level::Avx2),
            Engine::JitAvx512 => Some(Level::Avx512),
            Engine::Auto | Engine::Interp | Engine::Jit => None,
        }
    }

    /// Whether it is machine code or nothing: where that is not possible, whoever asked wants to know.
    pub const fn asks_for_machine_code(self) -> bool {
        matches!(self, Engine::Jit | Engine::JitAvx2 | Engine::JitAvx512)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = Diag;

    fn from_str(text: &str) -> Result<Engine, Diag> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == text);
        found.ok_or_else(|| {
            let names = Engine::ALL.map(Engine::name).join(", ");
            invalid("engine-name", format!("there is no engine `{text}`")).with_help(format!("engines: {names}"))
        })
    }
}

/// A shader ready to run.
pub(crate) struct Prepared {
    pub(crate) program: Box<dyn Executable>,
    /// Why it is not machine code, where that was asked for.
    pub(crate) note: Option<String>,
}

/// The backend of an engine, or why there is none.
pub(crate) fn backend(engine: Engine) -> Result<Box<dyn Backend>, Declined> {
    if engine == Engine::Interp { Ok(Box::new(Interpreter)) } else { machine_code::backend(engine) }
}

/// Prepares a shader for an engine.
pub(crate) fn prepare(shader: Verified<'_, Bound>, engine: Engine) -> Prepared {
    prepare_by(shader, backend(engine))
}

/// By a backend, or if there is none or it declines by the interpreter.
fn prepare_by(shader: Verified<'_, Bound>, backend: Result<Box<dyn Backend>, Declined>) -> Prepared {
    match backend.and_then(|backend| backend.prepare(shader)) {
        Ok(program) => Prepared { program, note: None },
        Err(reason) => Prepared { program: Box::new(Bytecode::new(shader)), note: Some(reason.0) },
    }
}

#[cfg(all(test, feature = "machine-code"))]
mod tests {
    use super::*;
    use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
    use parallax_core::num::Model;
    use parallax_core::{text, verify};
    use parallax_x86::{CodeMemory, MachineCode};

    const SHADER: &str = "shader \"sum\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  output 0 \"OUT[0]\" color(0) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = add %0, %1
  out o0.x, %2
  yield
}
";

    fn run(prepared: &Prepared) -> Vec<u64> {
        let attrs: Vec<u32> = (0..16).map(|n| (n as f32 * 0.3).to_bits()).collect();
        let inputs = Inputs {
            lanes: 4,
            attrs: &attrs,
            banks: &[],
            sysvals: &[],
            covered: &[true; 4],
            textures: &NoTextures,
            interpolator: &NoInterpolator,
            fuel: FUEL,
        };
        let mut outputs = Outputs::default();
        prepared.program.runner().run(&inputs, Memory::NONE, &mut outputs);
        outputs.planes[0].to_words()
    }

    #[test]
    fn without_memory_for_code_shaders_are_interpreted() {
        let bound = text::read(SHADER).expect("reads").bind(&Model::builtin("ieee").expect("built in"));
        let shader = verify(&bound).expect("sound");
        let wanted = run(&prepare(shader, Engine::Interp));
        let no_memory = MachineCode { memory: CodeMemory::Refused, ..MachineCode::BEST };
        let refused = prepare_by(shader, Ok(Box::new(no_memory)));
        assert_eq!(run(&refused), wanted);
        assert_eq!(refused.program.made().code_bytes, 0);
        let note = refused.note.expect("a note");
        let has_machine_code = Engine::has_machine_code();
        assert!(note.contains(if has_machine_code { "executable memory" } else { "the processor" }), "{note}");
        let allowed = prepare(shader, Engine::Auto);
        assert_eq!(run(&allowed), wanted);
        assert_eq!(allowed.program.made().code_bytes > 0, has_machine_code);
    }
}
