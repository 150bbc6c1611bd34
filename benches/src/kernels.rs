//! Kernels to measure: text, grid, what they read, and what must come out, computed directly.

mod floats;
mod integers;

pub use integers::sha256_of_block;

use parallax::{Dispatch, NamedWords};

/// A kernel, what it runs on, and what comes out.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Name in benchmark ids and tables.
    pub name: &'static str,
    /// Textual IR.
    pub text: &'static str,
    grid: [u32; 3],
    words: NamedWords,
    /// The buffer of the results.
    pub buffer: usize,
    /// Its words afterwards.
    pub wanted: Vec<u32>,
    /// Elements of a run.
    pub count: u64,
}

impl Kernel {
    /// A run of the whole grid.
    pub fn dispatch(&self) -> Dispatch {
        Dispatch { grid: self.grid, words: self.words.clone(), ..Dispatch::default() }
    }
}

/// All of them.
pub fn all() -> Vec<Kernel> {
    vec![
        integers::sha256(),
        floats::matrix_product(),
        floats::n_body(),
        floats::mandelbrot(),
        integers::prefix_sum(),
        integers::histogram(),
    ]
}

/// FNV-1a over words. `benches/kernels/kernels.c` computes the same of its results.
pub fn checksum(words: &[u32]) -> u32 {
    words.iter().fold(0x811c_9dc5, |sum, word| (sum ^ word).wrapping_mul(0x0100_0193))
}

/// Numbers that seem random, from the `first` on.
fn numbers(first: u32, count: u32) -> Vec<u32> {
    (first..first + count).map(|n| n.wrapping_mul(0x9e37_79b9).rotate_left(9) ^ n).collect()
}
