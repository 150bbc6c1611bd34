//! What an engine needs of an executor.

use crate::exec::{Inputs, Memory, Outputs, PlaneType};
use crate::{Bound, Verified};
use std::fmt::{self, Debug};

/// Makes shaders ready to run. All backends give the same bits.
pub trait Backend: Sync {
    /// Name in messages: `interpreter`.
    fn name(&self) -> &'static str;

    /// Prepares a shader.
    ///
    /// # Errors
    /// Why this backend cannot run the shader here; another one then does.
    fn prepare(&self, shader: Verified<'_, Bound>) -> Result<Box<dyn Executable>, Declined>;
}

/// Why a backend does not run a shader: what it lacks, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined(pub String);

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a backend made of a shader.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Name of the backend.
    pub engine: &'static str,
    /// Bytes of machine code.
    pub code_bytes: usize,
    /// Operations that are left to the reference evaluation in all lanes.
    pub fallbacks: usize,
}

/// A shader ready to run, shared between threads.
pub trait Executable: Debug + Send + Sync {
    /// Type and container of component `c` of output `o` at `o * 4 + c`; `None` for components that are not written.
    fn planes(&self) -> Vec<Option<PlaneType>>;

    /// What was made.
    fn made(&self) -> Made;

    /// Whether the shader changes memory: its batches then run one after the other, in raster order.
    fn writes_memory(&self) -> bool;

    /// A runner with working memory of its own, one per thread.
    fn runner(&self) -> Box<dyn Runner + '_>;

    /// Runs one batch that reads and writes no memory.
    fn run(&self, inputs: &Inputs<'_>, outputs: &mut Outputs) {
        self.runner().run(inputs, Memory::NONE, outputs);
    }
}

/// Runs batches of one shader, keeping its working memory between them.
pub trait Runner {
    /// Runs one batch.
    fn run(&mut self, inputs: &Inputs<'_>, memory: Memory<'_>, outputs: &mut Outputs);

    /// Runs one batch of quads that lie side by side, and puts the results where the pixels are instead of into
    /// [`Outputs::planes`]: `rows` has, by plane, a word for each pixel of the upper and of the lower row. Lanes that are not
    /// covered in the end become zeros. False if this runner cannot do that; then nothing has happened.
    fn run_to_rows(
        &mut self,
        _: &Inputs<'_>,
        _: &mut Memory<'_>,
        _: &mut Outputs,
        _: &mut [Option<[&mut [u32]; 2]>],
    ) -> bool {
        false
    }
}
