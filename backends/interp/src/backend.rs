//! The interpreter as a backend.

use crate::{Bytecode, Scratch};
use parallax_core::backend::{Backend, Declined, Executable, Made, Operation, Runner};
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_core::{Bound, Verified};
use parallax_num::{Op, Rule};
use parallax_step::{Programs, operation};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

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

    fn operation(&self, op: Op, rule: &Rule) -> Result<Operation, Declined> {
        Ok(Interpreter::operation(op, rule))
    }
}

/// Operations that were prepared: whoever asks what another rule would give asks for the same ones again and again.
static OPERATIONS: LazyLock<Mutex<HashMap<(Op, Rule), Operation>>> = LazyLock::new(Mutex::default);
/// Operations that are kept; then all are forgotten.
const MOST_OPERATIONS: usize = 10_000;

impl Interpreter {
    /// Prepares one operation under a rule, for rows of lanes.
    pub fn operation(op: Op, rule: &Rule) -> Operation {
        let mut known = OPERATIONS.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_OPERATIONS {
            known.clear();
        }
        let prepare =
            || Operation::new(op, Arc::new(Bytecode::of_steps(&operation(op, rule, &mut Programs::shared()))));
        known.entry((op, *rule)).or_insert_with(prepare).clone()
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
