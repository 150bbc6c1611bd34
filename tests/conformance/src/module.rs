//! From a module to a program that runs.

use crate::{NotCompiled, Outcome, ShaderStage};
use parallax::{Compiled, Engine, LoadOptions, Model, Optimise, Status};
use std::collections::BTreeMap;

/// A module and what is chosen of it.
#[derive(Clone, Debug)]
pub struct SpirvModule {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The stage of the entry point.
    pub stage: ShaderStage,
    /// The entry point.
    pub entry: String,
    /// Specialisation constants.
    pub spec: BTreeMap<u32, u64>,
}

/// A program that runs.
pub type Prepared = Compiled;

/// Lifts and compiles.
///
/// # Errors
/// What stands in the way, as an outcome.
pub fn prepare(module: &SpirvModule, engine: Engine) -> Result<Prepared, Outcome> {
    let mut options = LoadOptions { isa: Some("spirv".into()), ..LoadOptions::default() };
    options.lift.entry = Some(module.entry.clone());
    options.lift.stage = Some(module.stage.stage());
    options.lift.spec = module.spec.clone();
    let loaded = parallax::load("case", &module.bytes, &options);
    if loaded.status() != Status::Ok {
        return Err(Outcome::of_diags(&loaded.diags));
    }
    let Some(model) = Model::builtin(loaded.model) else {
        return Err(Outcome::Failed(format!("unknown model `{}`", loaded.model)));
    };
    Ok(parallax::compile(loaded.runnable()?, &model, Optimise::Yes, engine)?)
}

impl From<NotCompiled> for Outcome {
    fn from(NotCompiled(message): NotCompiled) -> Outcome {
        Outcome::NotCompiled(message)
    }
}
