//! Operands of instructions.

use iced_x86::Register;

/// Operand of an instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A 512-bit vector register.
    Zmm(u8),
    /// A 256-bit vector register, or the lower half of a longer one.
    Ymm(u8),
    /// Its lower half.
    Xmm(u8),
    /// A mask register.
    K(u8),
    /// The arena at an offset.
    Memory(usize),
    /// The arena at an offset: one word for all lanes.
    Broadcast(usize),
    /// The arena at an offset of words of a bit for each lane: those of the block.
    Block(usize),
    /// The frame of the turn at an offset.
    Frame(usize),
    /// What register rax leads to: the words of the block's lanes, of so many bytes, so many bytes further on.
    Plane(u8, usize),
    /// What a register leads to: the words of 32 bits of the upper, or lower, lanes of the block's quads, so many bytes
    /// further on.
    Row(Register, usize),
    /// What register rax leads to: 64-bit words, by the numbers in a 512-bit vector.
    Gather(u8),
    /// What register rax leads to: 64-bit words, by the numbers of 32 bits in a 128-bit vector.
    GatherXmm(u8),
    /// The words that a register leads to, side by side, or the one word.
    Pointed(Register),
    /// What a register leads to, another one further on.
    Sum(Register, Register),
    /// What a register leads to, another one further on, and so many bytes.
    Behind(Register, Register, u32),
    /// What a register leads to: words of so many bytes, by the numbers of 32 bits in a vector, so many bytes further on.
    Numbered(Register, Register, u8, usize),
    /// Register eax.
    Eax,
    /// A number.
    Imm(u8),
}
