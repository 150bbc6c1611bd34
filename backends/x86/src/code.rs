//! Memory that holds code: first written, then executable, never both.

use memmap2::{Mmap, MmapMut};
use std::io;

/// Where memory for code comes from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum CodeMemory {
    /// From the system.
    #[default]
    System,
    /// From nowhere, as on systems that forbid to execute what was written. For tests.
    Refused,
}

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
    pub(crate) fn new(bytes: &[u8], from: CodeMemory) -> io::Result<Code> {
        if from == CodeMemory::Refused {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let mut memory = MmapMut::map_anon(bytes.len().max(1))?;
        memory[..bytes.len()].copy_from_slice(bytes);
        Ok(Code { memory: memory.make_exec()?, len: bytes.len() })
    }

    /// The instructions.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[..self.len]
    }
}
