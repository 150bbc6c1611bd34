//! Runs under observation.

use crate::compile::{CompileTimes, Compiled, timed};
use crate::problem::{Problems, guarded_shader};
use parallax_core::backend::{Executable, Made, Runner};
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_core::{Bound, Shader, verify};
use parallax_interp::{Bytecode, Scratch, Trace};
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

impl Compiled {
    /// The shader interpreted under observation; a draw must run it on one thread.
    ///
    /// # Errors
    /// The shader breaks the IR's rules: a bug.
    pub fn observed(self, trace: Arc<Mutex<dyn Trace + Send>>) -> Result<Compiled, Problems> {
        compile_observed(self.shader, trace)
    }
}

/// A bound shader without passes, interpreted under observation; a draw must run it on one thread.
///
/// # Errors
/// The shader breaks the IR's rules: a bug.
pub fn compile_observed(shader: Shader<Bound>, trace: Arc<Mutex<dyn Trace + Send>>) -> Result<Compiled, Problems> {
    let name = shader.func.name.clone();
    guarded_shader(&name, || {
        let mut times = CompileTimes::default();
        let bytecode = {
            let verified = timed(&mut times.verify, || verify(&shader))?;
            Box::new(timed(&mut times.lower, || Bytecode::traced(verified)))
        };
        Ok(Compiled { shader, program: Arc::new(Observed { bytecode, trace }), note: None, times })
    })
}

/// A program whose every step is told.
struct Observed {
    bytecode: Box<Bytecode>,
    trace: Arc<Mutex<dyn Trace + Send>>,
}

impl Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observed")
    }
}

impl Executable for Observed {
    fn planes(&self) -> Vec<Option<PlaneType>> {
        self.bytecode.planes()
    }

    fn made(&self) -> Made {
        Executable::made(self.bytecode.as_ref())
    }

    fn writes_memory(&self) -> bool {
        self.bytecode.writes_memory()
    }

    fn runner(&self) -> Box<dyn Runner + '_> {
        Box::new(ObservedRunner { observed: self, scratch: Scratch::default() })
    }
}

/// A program with its working memory.
struct ObservedRunner<'p> {
    observed: &'p Observed,
    scratch: Scratch,
}

impl Runner for ObservedRunner<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        // A trace that panicked is not used again.
        let Observed { bytecode, trace } = self.observed;
        let mut trace = trace.lock().unwrap_or_else(PoisonError::into_inner);
        trace.begin(inputs);
        bytecode.run_traced_in(inputs, memory, &mut self.scratch, outputs, &mut *trace);
        trace.end(outputs);
    }
}
