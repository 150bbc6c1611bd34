//! The interpreter as a backend.

use crate::{Bytecode, Scratch};
use parallax_core::backend::{Backend, Declined, Executable, Made, Runner};
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_core::{Bound, Verified};

/// The reference interpreter.
#[derive(Copy, Clone, Debug)]
pub struct Interpreter;

impl Backend for Interpreter {
    fn name(&self) -> &'static str {
        "interpreter"
    }

    fn prepare(&self, shader: Verified<'_, Bound>) -> Result<Box<dyn Executable>, Declined> {
        Ok(Box::new(Bytecode::new(shader)))
    }
}

impl Executable for Bytecode {
    fn planes(&self) -> Vec<Option<PlaneType>> {
        Bytecode::planes(self)
    }

    fn made(&self) -> Made {
        Made { engine: Interpreter.name(), code_bytes: 0, fallbacks: self.fallbacks }
    }

    fn writes_memory(&self) -> bool {
        Bytecode::writes_memory(self)
    }

    fn runner(&self) -> Box<dyn Runner + '_> {
        Box::new(WithScratch { program: self, scratch: Scratch::default() })
    }
}

/// A program with its working memory.
struct WithScratch<'p> {
    program: &'p Bytecode,
    scratch: Scratch,
}

impl Runner for WithScratch<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        self.program.run_in(inputs, memory, &mut self.scratch, outputs);
    }
}
