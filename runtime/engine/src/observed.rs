//! Runs under observation.

use crate::compile::Compiled;
use crate::problem::Problems;
use parallax_core::backend::{Executable, Made, Runner};
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_core::verify;
use parallax_interp::{Bytecode, Trace};
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

impl Compiled {
    /// The shader interpreted under observation; a draw must run it on one thread.
    ///
    /// # Errors
    /// The shader breaks the IR's rules: a bug.
    pub fn observed(self, trace: Arc<Mutex<dyn Trace + Send>>) -> Result<Compiled, Problems> {
        let name = &self.shader.func.name;
        let verified = verify(&self.shader).map_err(|diags| Problems::new(name, "", diags))?;
        let bytecode = Box::new(Bytecode::traced(verified));
        Ok(Compiled { program: Arc::new(Observed { bytecode, trace }), ..self })
    }
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
        Box::new(ObservedRunner(self))
    }
}

struct ObservedRunner<'p>(&'p Observed);

impl Runner for ObservedRunner<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        // A trace that panicked is not used again.
        let mut trace = self.0.trace.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.bytecode.run_traced_in(inputs, memory, outputs, &mut *trace);
    }
}
