//! What an engine needs of an executor.

use crate::exec::{Inputs, Memory, Outputs, PlaneType};
use crate::{Bound, Verified};
use std::fmt::Debug;

/// Makes shaders ready to run. All backends give the same bits.
pub trait Backend: Sync {
    /// Name in messages: `interpreter`.
    fn name(&self) -> &'static str;

    /// Prepares a shader.
    fn prepare(&self, shader: Verified<'_, Bound>) -> Box<dyn Executable>;
}

/// A shader ready to run, shared between threads.
pub trait Executable: Debug + Send + Sync {
    /// Type and container of component `c` of output `o` at `o * 4 + c`; `None` for components that are not written.
    fn planes(&self) -> Vec<Option<PlaneType>>;

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
}
