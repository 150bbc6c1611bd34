//! From a lifted shader to something that runs: canonicalise, bind, optimise, verify, flatten.

use crate::problem::guarded;
use parallax_core::backend::{Backend, Executable};
use parallax_core::num::{Model, Tier};
use parallax_core::{Bound, Shader, Symbolic, verify};
use parallax_opt::{NoObserver, canonicalise};
use parallax_text::Diag;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Every backend; the first runs what nobody asks another for.
pub const BACKENDS: &[&dyn Backend] = &[&parallax_interp::Interpreter];

/// A shader bound to a model, ready to run.
#[derive(Debug)]
pub struct Compiled {
    /// The shader as it runs.
    pub shader: Shader<Bound>,
    /// Its executable form.
    pub program: Arc<dyn Executable>,
    /// What each stage took.
    pub times: CompileTimes,
}

/// Wall-clock time per stage.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileTimes {
    /// Binding to the model.
    pub bind: Duration,
    /// Passes, on the bound shader and, where no cache had done it, on the symbolic one.
    pub optimise: Duration,
    /// Verification.
    pub verify: Duration,
    /// Preparing for the backend.
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

/// Tidies, binds, optimises, verifies and flattens. An error is a violation of the IR's rules: a bug, not a problem of
/// the input.
pub fn compile(shader: &Shader<Symbolic>, model: &Model, optimise: Optimise) -> Result<Compiled, Vec<Diag>> {
    let job = || match optimise {
        Optimise::Yes => {
            let mut canonicalising = Duration::ZERO;
            let canonical = timed(&mut canonicalising, || canonicalise(shader.clone()));
            let mut compiled = compile_canonical(&canonical, model, optimise)?;
            compiled.times.optimise += canonicalising;
            Ok(compiled)
        }
        Optimise::No => compile_canonical(shader, model, optimise),
    };
    guarded(job).unwrap_or_else(|diag| Err(vec![diag]))
}

/// The stages after the passes that need no model.
fn compile_canonical(shader: &Shader<Symbolic>, model: &Model, optimise: Optimise) -> Result<Compiled, Vec<Diag>> {
    let mut times = CompileTimes::default();
    let bound = timed(&mut times.bind, || shader.bind(model));
    prepare(bound, optimise, times)
}

/// Optimises, verifies and flattens a bound shader, whose rules may come from more than one model. Errors as for [`compile`].
pub fn compile_bound(bound: Shader<Bound>, optimise: Optimise) -> Result<Compiled, Vec<Diag>> {
    guarded(|| prepare(bound, optimise, CompileTimes::default())).unwrap_or_else(|diag| Err(vec![diag]))
}

/// The stages after binding.
fn prepare(mut bound: Shader<Bound>, optimise: Optimise, mut times: CompileTimes) -> Result<Compiled, Vec<Diag>> {
    if optimise == Optimise::Yes {
        bound = timed(&mut times.optimise, || parallax_opt::optimise(bound, &mut NoObserver));
    }
    let program = {
        let verified = timed(&mut times.verify, || verify(&bound))?;
        timed(&mut times.lower, || BACKENDS[0].prepare(verified))
    };
    Ok(Compiled { shader: bound, program: program.into(), times })
}

pub(crate) fn timed<T>(total: &mut Duration, job: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = job();
    *total += start.elapsed();
    result
}
