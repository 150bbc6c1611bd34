//! Every way to run a shader on this host: as it was lifted, and optimised by each engine.

use crate::filetest::vendor::problems;
use parallax::{Compiled, Engine, Optimise, compile};
use parallax_core::num::Model;
use parallax_core::{Shader, Symbolic};

/// A way to run a shader.
pub type Way = (Optimise, Engine);

/// What all others are compared with: no pass, the interpreter.
pub const AS_LIFTED: Way = (Optimise::No, Engine::Interp);

/// Optimised: interpreted, and as machine code of every level that this host runs.
pub fn optimised() -> impl Iterator<Item = Way> {
    let runs = |engine: &Engine| engine.level().is_none_or(|level| level.is_supported());
    let engines = [Engine::Interp, Engine::JitAvx2, Engine::JitAvx512];
    engines.into_iter().filter(runs).map(|engine| (Optimise::Yes, engine))
}

/// All ways.
pub fn ways() -> impl Iterator<Item = Way> {
    std::iter::once(AS_LIFTED).chain(optimised())
}

/// Compiles a shader for one of these ways and makes sure that it is machine code where it is meant to be.
///
/// # Errors
/// Violations of the IR's rules; why the interpreter would run instead.
pub fn compiled(shader: &Shader<Symbolic>, model: &Model, (optimise, engine): Way) -> Result<Compiled, String> {
    let compiled = compile(shader, model, optimise, engine).map_err(|found| problems("", &found.diags).join("\n"))?;
    if engine.asks_for_machine_code() && compiled.program.made().code_bytes == 0 {
        let reason = compiled.note.as_deref().unwrap_or("nobody knows why");
        return Err(format!("{engine} made no machine code: {reason}"));
    }
    Ok(compiled)
}
