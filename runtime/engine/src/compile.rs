//! From a lifted shader to something that runs: canonicalise, bind, optimise, verify, flatten.

use crate::load::Loaded;
use crate::problem::{guarded, invalid};
use parallax_core::backend::{Backend, Executable};
use parallax_core::num::{Model, Tier};
use parallax_core::{Bound, Shader, Symbolic, verify};
use parallax_opt::{NoObserver, canonicalise};
use parallax_text::Diag;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Every backend; the first runs what nobody asks another for.
pub const BACKENDS: &[&dyn Backend] = &[&parallax_interp::Interpreter];

/// A shader bound to a model, ready to run.
#[derive(Debug)]
pub struct Compiled {
    /// The shader as it runs.
    pub shader: Shader<Bound>,
    /// Its executable form.
    pub program: Box<dyn Executable>,
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
    Ok(Compiled { shader: bound, program, times })
}

pub(crate) fn timed<T>(total: &mut Duration, job: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = job();
    *total += start.elapsed();
    result
}

/// Compiled shaders by (program, model).
#[derive(Debug, Default)]
pub struct Cache {
    known: Mutex<FxHashMap<(u64, String, Optimise), Arc<Compiled>>>,
    /// Shaders after the passes that need no model.
    canonical: Mutex<FxHashMap<u64, Arc<Shader<Symbolic>>>>,
}

/// Locks; a panic elsewhere cannot leave these maps half changed.
fn lock<T>(map: &Mutex<T>) -> MutexGuard<'_, T> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// The compiled form of a loaded program, made when it is not known yet. Models are told apart by their label, so
    /// two user models must not share a name.
    ///
    /// # Errors
    /// The program's own errors if it cannot be run; those of [`compile`].
    pub fn get(&self, loaded: &Loaded, model: &Model, optimise: Optimise) -> Result<Arc<Compiled>, Vec<Diag>> {
        let Some(shader) = &loaded.shader else {
            let errors: Vec<Diag> = loaded.diags.iter().filter(|d| d.is_error()).cloned().collect();
            let none = || vec![invalid("engine-no-shader", "the program was not lifted")];
            return Err(if errors.is_empty() { none() } else { errors });
        };
        let key = (loaded.id, model.label(), optimise);
        if let Some(known) = lock(&self.known).get(&key) {
            return Ok(known.clone());
        }
        // Made outside the lock: other threads compile other shaders meanwhile.
        let made = match optimise {
            Optimise::No => compile(shader, model, optimise)?,
            Optimise::Yes => {
                let canonical = self.canonical(loaded.id, shader).map_err(|diag| vec![diag])?;
                guarded(|| compile_canonical(&canonical, model, optimise)).unwrap_or_else(|diag| Err(vec![diag]))?
            }
        };
        Ok(lock(&self.known).entry(key).or_insert(Arc::new(made)).clone())
    }

    fn canonical(&self, id: u64, shader: &Shader<Symbolic>) -> Result<Arc<Shader<Symbolic>>, Diag> {
        if let Some(known) = lock(&self.canonical).get(&id) {
            return Ok(known.clone());
        }
        let made = Arc::new(guarded(|| canonicalise(shader.clone()))?);
        Ok(lock(&self.canonical).entry(id).or_insert(made).clone())
    }
}
