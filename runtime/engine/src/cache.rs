//! Compiled shaders by what they compute.
//!
//! Two shaders are the same if their bodies, their rules and their containers are: what a model is called plays no part,
//! and two models of one name are kept apart. Hashes only choose what is compared. The cache is bounded: what has not been
//! asked for longest goes first.

use crate::compile::{Compiled, Optimise, compile_bound};
use crate::driver::apply_driver_rewrites;
use crate::engine::Engine;
use crate::load::Loaded;
use crate::problem::{Problems, guarded_shader};
use parallax_core::num::Model;
use parallax_core::{Bound, EntityRef, Func, Shader, Symbolic};
use parallax_opt::canonicalise;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shaders a cache keeps unless told otherwise.
const DEFAULT_LIMIT: usize = 256;

/// Shaders compiled for one engine, at most so many.
#[derive(Debug)]
pub struct Cache {
    engine: Engine,
    limit: usize,
    compiled: Mutex<Vec<CompiledEntry>>,
    /// Shaders after the passes that need no model.
    canonical: Mutex<Vec<CanonicalEntry>>,
}

#[derive(Debug)]
struct CompiledEntry {
    hash: u64,
    optimise: Optimise,
    bound: Arc<Shader<Bound>>,
    compiled: Arc<Compiled>,
}

#[derive(Debug)]
struct CanonicalEntry {
    hash: u64,
    lifted: Shader<Symbolic>,
    canonical: Arc<Shader<Symbolic>>,
}

impl Default for Cache {
    fn default() -> Self {
        Cache::new(DEFAULT_LIMIT, Engine::default())
    }
}

/// Locks; a panic elsewhere cannot leave these lists half changed.
fn lock<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Finds an entry and makes it the last.
fn find<T>(list: &mut Vec<T>, is_it: impl Fn(&T) -> bool) -> Option<&T> {
    let at = list.iter().rposition(is_it)?;
    let entry = list.remove(at);
    list.push(entry);
    list.last()
}

impl Cache {
    /// A cache that keeps this many compiled shaders, one at least.
    pub fn new(limit: usize, engine: Engine) -> Cache {
        Cache { engine, limit: limit.max(1), compiled: Mutex::default(), canonical: Mutex::default() }
    }

    /// Number of compiled shaders it holds.
    pub fn len(&self) -> usize {
        lock(&self.compiled).len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The compiled form of a loaded program, made when it is not known yet. Where only the name of the model or its trust
    /// differs from what is known, the executable form is shared.
    ///
    /// # Errors
    /// The program's own errors if it cannot be run; those of [`crate::compile`].
    pub fn get(&self, loaded: &Loaded, model: &Model, optimise: Optimise) -> Result<Arc<Compiled>, Problems> {
        let shader = loaded.runnable()?;
        let bound = match optimise {
            Optimise::No => apply_driver_rewrites(shader, model).bind(model),
            Optimise::Yes => {
                let canonical = self.canonical(shader)?;
                apply_driver_rewrites(&canonical, model).bind(model)
            }
        };
        let hash = hash(&bound.func);
        let same =
            |entry: &CompiledEntry| entry.hash == hash && entry.optimise == optimise && is_same(&entry.bound, &bound);
        let named = |entry: &CompiledEntry| {
            let state = &entry.compiled.shader.state;
            let around = state.has_around(&bound.state);
            same(entry) && around && state.model == bound.state.model && state.tier == bound.state.tier
        };
        let relative = {
            let mut known = lock(&self.compiled);
            if let Some(entry) = find(&mut known, named) {
                return Ok(entry.compiled.clone());
            }
            find(&mut known, same).map(|entry| entry.compiled.clone())
        };
        // Made outside the lock: other threads compile other shaders meanwhile.
        let made = match relative {
            Some(other) => {
                let mut shader = other.shader.clone();
                (shader.state.model, shader.state.tier) = (bound.state.model.clone(), bound.state.tier);
                shader.state.take_around(&bound.state);
                Compiled { shader, program: other.program.clone(), note: other.note.clone(), times: other.times }
            }
            None => compile_bound(bound.clone(), optimise, self.engine)?,
        };
        let mut known = lock(&self.compiled);
        // Another thread may have been first.
        if let Some(entry) = find(&mut known, named) {
            return Ok(entry.compiled.clone());
        }
        let compiled = Arc::new(made);
        if known.len() == self.limit {
            known.remove(0);
        }
        known.push(CompiledEntry { hash, optimise, bound: Arc::new(bound), compiled: compiled.clone() });
        Ok(compiled)
    }

    fn canonical(&self, shader: &Shader<Symbolic>) -> Result<Arc<Shader<Symbolic>>, Problems> {
        let hash = hash(&shader.func);
        let same = |entry: &CanonicalEntry| entry.hash == hash && entry.lifted.func == shader.func;
        if let Some(entry) = find(&mut lock(&self.canonical), same) {
            return Ok(entry.canonical.clone());
        }
        let canonical = Arc::new(guarded_shader(&shader.func.name, || Ok(canonicalise(shader.clone())))?);
        let mut known = lock(&self.canonical);
        if let Some(entry) = find(&mut known, same) {
            return Ok(entry.canonical.clone());
        }
        if known.len() == self.limit {
            known.remove(0);
        }
        known.push(CanonicalEntry { hash, lifted: shader.clone(), canonical: canonical.clone() });
        Ok(canonical)
    }
}

/// Whether two bound shaders are one apart from the name of their model and its trust.
fn is_same(a: &Shader<Bound>, b: &Shader<Bound>) -> bool {
    a.state.storage == b.state.storage && a.state.rules == b.state.rules && a.func == b.func
}

/// What a body does, in 64 bits: kinds, operands and rules of its ops, in order.
fn hash(func: &Func) -> u64 {
    let mut hasher = FxHasher::default();
    func.walk(|_, op| {
        let data = &func.ops[op];
        data.kind.hash(&mut hasher);
        data.rule.map(EntityRef::index).hash(&mut hasher);
        data.args.iter().for_each(|arg| arg.index().hash(&mut hasher));
    });
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load};
    use parallax_core::num::ModelSpec;

    fn program(value: &str) -> Loaded {
        load(
            "t.fp",
            format!("!!FP1.0\nADDR R0, f[TEX0], {{{value}}};\nRCPR o[COLR], R0.x;\nEND\n").as_bytes(),
            &LoadOptions::default(),
        )
    }

    fn model(name: &str) -> Model {
        Model::builtin(name).unwrap()
    }

    #[test]
    fn shaders_are_known_by_what_they_compute() {
        let cache = Cache::default();
        let (loaded, again) = (program("1"), program("1"));
        let first = cache.get(&loaded, &model("ieee"), Optimise::Yes).unwrap();
        // The same text, loaded once more.
        assert!(Arc::ptr_eq(&first, &cache.get(&again, &model("ieee"), Optimise::Yes).unwrap()));
        for (other, name, optimise) in [
            (program("2"), "ieee", Optimise::Yes),
            (program("1"), "nv40", Optimise::Yes),
            (program("1"), "ieee", Optimise::No),
        ] {
            let other = cache.get(&other, &model(name), optimise).unwrap();
            assert!(!Arc::ptr_eq(&first.program, &other.program), "{name} {optimise:?}");
        }
        assert_eq!(cache.len(), 4);
    }

    #[test]
    fn names_of_models_do_not_matter() {
        let cache = Cache::default();
        let loaded = program("1");
        let named = |text: &str| ModelSpec::parse(text).unwrap().apply(model("ieee")).unwrap();
        let plain = cache.get(&loaded, &model("ieee"), Optimise::Yes).unwrap();
        // What the model has anyway, under another label.
        let same = named("ieee[round=rne]");
        let other = cache.get(&loaded, &same, Optimise::Yes).unwrap();
        assert_ne!(plain.model(), other.model());
        assert!(Arc::ptr_eq(&plain.program, &other.program));
        let rtz = cache.get(&loaded, &named("ieee[round=rtz]"), Optimise::Yes).unwrap();
        assert!(!Arc::ptr_eq(&plain.program, &rtz.program));
    }

    #[test]
    fn what_was_not_asked_for_longest_goes_first() {
        let cache = Cache::new(2, Engine::Interp);
        let get = |value: &str| cache.get(&program(value), &model("ieee"), Optimise::Yes).unwrap();
        let (one, two) = (get("1"), get("2"));
        assert!(Arc::ptr_eq(&one, &get("1")));
        get("3");
        assert_eq!(cache.len(), 2);
        assert!(Arc::ptr_eq(&one, &get("1")));
        assert!(!Arc::ptr_eq(&two, &get("2")));
    }

    #[test]
    fn programs_with_errors_give_their_errors() {
        let broken = load("t.fp", b"!!FP1.0\nADDR R0, f[TEX0];\nEND\n", &LoadOptions::default());
        let problems = Cache::default().get(&broken, &model("ieee"), Optimise::Yes).unwrap_err();
        assert!(problems.to_string().starts_with("t.fp:2:"), "{problems}");
        assert!(problems.diags.iter().all(|diag| diag.is_error()));
    }
}
