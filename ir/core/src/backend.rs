//! What an engine needs of an executor.

mod operation;

pub use operation::{OperandRows, Operation, OperationRunner};

use crate::exec::{Inputs, Memory, Outputs, PlaneType};
use crate::{Bound, Verified};
use parallax_num::{Op, Rule};
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

    /// Prepares one operation under a rule, for rows of lanes.
    ///
    /// # Errors
    /// Why this backend cannot.
    fn operation(&self, op: Op, rule: &Rule) -> Result<Operation, Declined>;
}

/// Why a backend does not run a shader: what it lacks, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined(pub String);

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Declined {}

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

    /// Runs all pixels of a tile and puts the results where they are. Pixels that are not covered in the end become zeros. `inputs`
    /// have neither attributes nor coverage. False if this runner cannot do that; then nothing has happened.
    fn run_tile(&mut self, _: &Inputs<'_>, _: &Memory<'_>, _: &mut Tile<'_, '_>) -> bool {
        false
    }
}

/// An attribute component that is linear over the window: `fma(dady, y, fma(dadx, x, a0))` in binary32 at (x, y), rounded to
/// nearest, denormals kept; x and y are not negative.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Linear {
    /// Its value at the origin.
    pub a0: f32,
    /// What a pixel to the right adds.
    pub dadx: f32,
    /// What a pixel down adds.
    pub dady: f32,
}

/// Pixels in rows of a frame, all covered: whole quads, two rows each.
#[derive(Debug)]
pub struct Tile<'t, 'w> {
    /// Component `c` of attribute `a` at `a * 4 + c`; `None` for what nobody reads.
    pub attributes: &'t [Option<Linear>],
    /// x of the pixels of a row of quads: upper left, upper right, lower left, lower right of one quad after the other.
    pub xs: &'t [f32],
    /// y of the pixels of each row.
    pub ys: &'t [f32],
    /// Pixels from a row to the next in memory.
    pub stride: usize,
    /// By plane, the words of the pixels; the first one is that of the tile's first pixel. `None` for words that do not have 32
    /// bits.
    pub words: Vec<Option<&'w mut [u32]>>,
    /// Whether each pixel is covered, set for all of them at the start.
    pub covered: &'t mut [bool],
    /// How many of them were discarded; zero at the start.
    pub discarded: u64,
}
