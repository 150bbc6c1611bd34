//! Machine code as a backend.

use crate::code::CodeMemory;
use crate::level::Level;
use crate::program::{Program, Space, compile_operation, of_steps};
use parallax_core::backend::{Backend, Declined, Executable, Made, Operation, Runner, Tile};
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_core::{Bound, Verified};
use parallax_num::{Op, Rule};
use parallax_step::{Arithmetic, Programs, legalise_for};
use std::sync::Arc;

/// Machine code for the host's processor.
#[derive(Copy, Clone, Debug)]
pub struct MachineCode {
    /// What it is made for; `None` for the most that the host can.
    pub level: Option<Level>,
    /// Where its memory comes from.
    pub memory: CodeMemory,
}

impl MachineCode {
    /// With as many lanes as the host can.
    pub const BEST: MachineCode = MachineCode { level: None, memory: CodeMemory::System };
}

impl MachineCode {
    fn level(self) -> Result<Level, Declined> {
        let missing = || Declined(format!("the processor lacks {}", Level::Avx2.needs()));
        self.level.or_else(Level::best).ok_or_else(missing)
    }
}

impl Backend for MachineCode {
    fn name(&self) -> &'static str {
        "machine code"
    }

    fn prepare(&self, shader: Verified<'_, Bound>) -> Result<Box<dyn Executable>, Declined> {
        let level = self.level()?;
        let steps = legalise_for(shader, &mut Programs::shared(), Arithmetic::FirstNan);
        let program = of_steps(shader, (level, self.memory), &steps).map_err(|reason| Declined(reason.0))?;
        Ok(Box::new(program))
    }

    fn operation(&self, op: Op, rule: &Rule) -> Result<Operation, Declined> {
        let level = self.level()?;
        let program =
            compile_operation(op, rule, level, &mut Programs::shared()).map_err(|reason| Declined(reason.0))?;
        Ok(Operation::new(op, Arc::new(program)))
    }
}

impl Executable for Program {
    fn planes(&self) -> Vec<Option<PlaneType>> {
        Program::planes(self).to_vec()
    }

    fn made(&self) -> Made {
        Made { engine: MachineCode::BEST.name(), code_bytes: self.bytes().len(), fallbacks: self.fallbacks().0 }
    }

    fn writes_memory(&self) -> bool {
        self.function.turns.is_some()
    }

    fn runner(&self) -> Box<dyn Runner + '_> {
        Box::new(Space::new(self))
    }
}

impl Runner for Space<'_> {
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs) {
        self.batch(inputs, memory, outputs);
    }

    fn run_tile(&mut self, inputs: &Inputs<'_>, memory: &Memory<'_>, tile: &mut Tile<'_, '_>) -> bool {
        self.tile(inputs, memory, tile)
    }
}
