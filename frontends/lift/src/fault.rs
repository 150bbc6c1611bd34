//! Faults: accesses outside of memory, as kernels report them at their end.

use parallax_core::{EntityRef, SourceId};

/// Name of the output that a kernel reports its faults in, in its first three components: the first fault of each invocation.
pub const FAULT: &str = "fault";

/// An access outside of memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The instruction.
    pub source: SourceId,
    /// How many bytes it accesses.
    pub bytes: u32,
    /// Whether the address is one of memory that a workgroup shares, else of the address space of all buffers.
    pub shared: bool,
    /// Where they begin.
    pub address: u64,
}

/// Bits that say how many bytes are accessed.
const BYTES: u32 = 5;

impl Fault {
    /// The first word of a report, which is never 0; the words of the address follow, the low one first. 0 says that there is no fault.
    pub fn first_word(source: SourceId, bytes: u32, shared: bool) -> u32 {
        (source.index() as u32 + 1) << (BYTES + 1) | bytes << 1 | u32::from(shared)
    }

    /// The fault that a report says.
    pub fn of_words([first, low, high]: [u32; 3]) -> Option<Fault> {
        let number = (first >> (BYTES + 1)).checked_sub(1)?;
        Some(Fault {
            source: SourceId::new(number as usize),
            bytes: first >> 1 & ((1 << BYTES) - 1),
            shared: first & 1 != 0,
            address: u64::from(high) << 32 | u64::from(low),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_as_they_are_written() {
        assert_eq!(Fault::of_words([0; 3]), None);
        for (number, bytes, shared) in [(0, 1, false), (7, 16, true), (1 << 20, 8, false)] {
            let source = SourceId::new(number);
            let fault = Fault { source, bytes, shared, address: 0x0100_0000_0050 };
            assert_eq!(Fault::of_words([Fault::first_word(source, bytes, shared), 0x50, 0x100]), Some(fault));
        }
    }
}
