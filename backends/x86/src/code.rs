//! Memory that holds code: first written, then executable, never both.
//!
//! Memory whose code is gone is kept for the next: getting it from the system and giving it back takes longer than making
//! the code of a short shader.

use memmap2::{Mmap, MmapMut};
use std::io;
use std::sync::{Mutex, PoisonError};

/// Where memory for code comes from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum CodeMemory {
    /// From the system.
    #[default]
    System,
    /// From nowhere, as on systems that forbid to execute what was written. For tests.
    Refused,
}

/// Memory to be written, which is not executable.
static SPARE: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());
/// Pieces that are kept, and bytes that a kept piece has at most.
const MOST_SPARE: usize = 16;
const MOST_BYTES: usize = 1 << 18;
/// Bytes of the smallest piece.
const LEAST_BYTES: usize = 1 << 14;

/// Writable memory of at least so many bytes.
fn memory(bytes: usize) -> io::Result<MmapMut> {
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    let fitting = spare.iter().enumerate().filter(|(_, memory)| memory.len() >= bytes);
    if let Some((found, _)) = fitting.min_by_key(|(_, memory)| memory.len()) {
        return Ok(spare.swap_remove(found));
    }
    drop(spare);
    MmapMut::map_anon(bytes.next_power_of_two().max(LEAST_BYTES))
}

/// Machine code that can be executed and no longer changed.
#[derive(Debug)]
pub(crate) struct Code {
    /// There until it is dropped.
    memory: Option<Mmap>,
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
        let mut memory = memory(bytes.len())?;
        memory[..bytes.len()].copy_from_slice(bytes);
        Ok(Code { memory: Some(memory.make_exec()?), len: bytes.len() })
    }

    /// The instructions.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.as_ref().map_or(&[], |memory| &memory[..self.len])
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take().filter(|memory| memory.len() <= MOST_BYTES) else { return };
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < MOST_SPARE
            && let Ok(memory) = memory.make_mut()
        {
            spare.push(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_and_never_by_two() {
        let bytes = |n: usize| -> Vec<u8> { (0..1 + n * 7919 % 100_000).map(|at| (at ^ n) as u8).collect() };
        let mut alive: Vec<(usize, Code)> = Vec::new();
        for n in 0..200 {
            alive.push((n, Code::new(&bytes(n), CodeMemory::System).expect("executable memory")));
            if n % 3 != 0 {
                alive.remove(n % alive.len());
            }
            if n % 20 == 0 {
                for (n, code) in &alive {
                    assert!(code.bytes() == bytes(*n), "{n}");
                }
            }
        }
        drop(alive);
        assert!(SPARE.lock().expect("no panic").iter().all(|memory| memory.len() <= MOST_BYTES));
    }
}
