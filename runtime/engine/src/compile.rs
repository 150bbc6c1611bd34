//! From a lifted shader to something that runs: canonicalise, bind, optimise, verify, flatten.

use crate::draw::Draw;
use crate::driver::apply_driver_rewrites;
use crate::engine::{Engine, prepare};
use crate::problem::{Problems, guarded_shader};
use parallax_core::backend::Executable;
use parallax_core::num::{Model, Tier};
use parallax_core::{Bound, Func, Shader, Symbolic, verify};
use parallax_opt::{NoObserver, canonicalise};
use parallax_text::Diag;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A shader bound to a model, ready to run.
#[derive(Debug)]
pub struct Compiled {
    /// The shader as it runs.
    pub shader: Shader<Bound>,
    /// Its executable form.
    pub program: Arc<dyn Executable>,
    /// Why it is interpreted, where machine code was asked for.
    pub note: Option<Arc<str>>,
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

/// Tidies, binds, optimises, verifies, and prepares for an engine. Without passes that is the interpreter.
///
/// # Errors
/// A violation of the IR's rules: a bug, not a problem of the input.
pub fn compile(
    shader: &Shader<Symbolic>,
    model: &Model,
    optimise: Optimise,
    engine: Engine,
) -> Result<Compiled, Problems> {
    let job = || match optimise {
        Optimise::Yes => {
            let mut canonicalising = Duration::ZERO;
            let canonical = timed(&mut canonicalising, || canonicalise(shader.clone()));
            let mut compiled = compile_canonical(canonical, model, optimise, engine)?;
            compiled.times.optimise += canonicalising;
            Ok(compiled)
        }
        Optimise::No => compile_canonical(shader.clone(), model, optimise, engine),
    };
    guarded_shader(&shader.func.name, job)
}

/// A shader after the passes that need no model, to be compiled for one model after the other.
#[derive(Clone, Debug)]
pub struct Canonical(Shader<Symbolic>);

impl Canonical {
    /// Runs those passes.
    ///
    /// # Errors
    /// A violation of the IR's rules: a bug, not a problem of the input.
    pub fn new(shader: &Shader<Symbolic>) -> Result<Canonical, Problems> {
        guarded_shader(&shader.func.name, || Ok(Canonical(canonicalise(shader.clone()))))
    }

    /// Binds to a model.
    ///
    /// # Errors
    /// As [`Canonical::new`].
    pub fn bind(&self, model: &Model) -> Result<Shader<Bound>, Problems> {
        guarded_shader(&self.0.func.name, || Ok(apply_driver_rewrites(&self.0, model).bind(model)))
    }
}

/// Whether two models gave a shader the same rules, and what is around it in a draw does the same: then they give it the same
/// results, and it need be run only once.
pub fn same_bound_shader(a: &Shader<Bound>, b: &Shader<Bound>, draw: &Draw) -> bool {
    a.func == b.func && same_rules((&a.func, &a.state), (&b.func, &b.state), draw)
}

/// The rest of [`same_bound_shader`], for two shaders with equal bodies.
pub fn same_rules((a_func, a): (&Func, &Bound), (b_func, b): (&Func, &Bound), draw: &Draw) -> bool {
    let around = |func: &Func, state: &Bound| draw.counted(&func.iface, state);
    a.rules == b.rules && a.storage == b.storage && around(a_func, a) == around(b_func, b)
}

/// [`compile`] for a bound shader, whose rules may come from more than one model.
///
/// # Errors
/// As [`compile`].
pub fn compile_bound(bound: Shader<Bound>, optimise: Optimise, engine: Engine) -> Result<Compiled, Problems> {
    let name = bound.func.name.clone();
    guarded_shader(&name, || finish(bound, CompileTimes::default(), optimise, engine))
}

/// The stages after the passes that need no model.
fn compile_canonical(
    shader: Shader<Symbolic>,
    model: &Model,
    optimise: Optimise,
    engine: Engine,
) -> Result<Compiled, Vec<Diag>> {
    let mut times = CompileTimes::default();
    let written = timed(&mut times.optimise, || match apply_driver_rewrites(&shader, model) {
        Cow::Borrowed(_) => None,
        Cow::Owned(written) => Some(written),
    });
    let bound = timed(&mut times.bind, || written.unwrap_or(shader).into_bound(model));
    finish(bound, times, optimise, engine)
}

fn finish(
    mut bound: Shader<Bound>,
    mut times: CompileTimes,
    optimise: Optimise,
    engine: Engine,
) -> Result<Compiled, Vec<Diag>> {
    if optimise == Optimise::Yes {
        bound = timed(&mut times.optimise, || parallax_opt::optimise(bound, &mut NoObserver));
    }
    // Who wants no passes wants to watch the shader op by op: that is the interpreter's.
    let engine = if optimise == Optimise::No { Engine::Interp } else { engine };
    let prepared = {
        let verified = timed(&mut times.verify, || verify(&bound))?;
        timed(&mut times.lower, || prepare(verified, engine))
    };
    Ok(Compiled { shader: bound, program: prepared.program.into(), note: prepared.note.map(Into::into), times })
}

pub(crate) fn timed<T>(total: &mut Duration, job: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = job();
    *total += start.elapsed();
    result
}
