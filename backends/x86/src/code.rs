//! Memory that holds code: first written, then executable, never both.

use memmap2::{Mmap, MmapMut};
use std::io;

/// Machine code that can be executed and no longer changed.
#[derive(Debug)]
pub(crate) struct Code {
    memory: Mmap,
    len: usize,
}

impl Code {
    /// Takes over instructions.
    ///
    /// # Errors
    /// Those of the system: it may refuse executable memory.
    pub(crate) fn new(bytes: &[u8]) -> io::Result<Code> {
        let mut memory = MmapMut::map_anon(bytes.len().max(1))?;
        memory[..bytes.len()].copy_from_slice(bytes);
        Ok(Code { memory: memory.make_exec()?, len: bytes.len() })
    }

    /// The instructions.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[..self.len]
    }
}
