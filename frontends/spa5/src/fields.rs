//! Where things stand in an instruction: one little-endian word of 64 bits; beside it, as side data, the 21 control bits of
//! the instruction and the place a branch leads to.
//!
//! Fields that several instructions have in common are named here. All others are declared where their operands are; the
//! names of fields are the same in all instructions, so that [`Instr::field`](crate::Instr::field) finds them.

use parallax_isa::{Code, Field};

/// Register 255 reads as zero and keeps nothing.
pub const RZ: u8 = 255;
/// Predicate 7 is true and keeps nothing.
pub const PT: u8 = 7;

/// Result register; 255 is RZ.
pub const D: Field = Field::new("d", 0, 8);
/// First source register.
pub const A: Field = Field::new("a", 8, 8);
/// Second source register.
pub const B: Field = Field::new("b", 20, 8);
/// Third source register.
pub const C: Field = Field::new("c", 39, 8);
/// Guard predicate; 7 is PT.
pub const GUARD: Field = Field::new("guard", 16, 3);
/// Run where the guard predicate is false.
pub const GUARD_NOT: Field = Field::new("guard_not", 19, 1);
/// Constant bank of an arithmetic instruction.
pub const BANK: Field = Field::new("bank", 34, 5);
/// Offset in the bank, in words.
pub const BANK_OFFSET: Field = Field::new("offset", 20, 14).signed();
/// Literal of 20 bits as an integer.
pub const INT20: Field = Field::new("imm", 20, 19).then(56, 1).signed();
/// Literal of 20 bits: an integer without a sign, or the high bits of a binary32 number.
pub const UINT20: Field = Field::new("imm", 20, 19).then(56, 1);
/// Literal of 32 bits as an integer.
pub const INT32: Field = Field::new("imm", 20, 32).signed();
/// Literal of 32 bits.
pub const UINT32: Field = Field::new("imm", 20, 32);
/// Literal of a shift of a pair: 20 bits like others, less the two that are the width of the shift. Text shows six of them.
pub const SHIFT_LITERAL: Field = Field::new("imm", 20, 17).then(56, 1);
/// Distance of a branch in bytes, from the next instruction on.
pub const DISTANCE: Field = Field::new("distance", 20, 24).signed();

/// Stall cycles, and above them the bit that is 0 where another warp may take over.
pub const SCHEDULE: Field = Field::new("schedule", Code::SIDE, 5);
/// Barrier that is signalled when the result is there; 7 for none.
pub const WRITE_BARRIER: Field = Field::new("wr", Code::SIDE + 5, 3);
/// Barrier that is signalled when the sources have been read; 7 for none.
pub const READ_BARRIER: Field = Field::new("rd", Code::SIDE + 8, 3);
/// Barriers to wait for, one bit each.
pub const WAIT_MASK: Field = Field::new("req", Code::SIDE + 11, 6);
/// Keep the first source in the reuse cache.
pub const REUSE_A: Field = Field::new("reuse_a", Code::SIDE + 17, 1);
/// Keep the second source in the reuse cache.
pub const REUSE_B: Field = Field::new("reuse_b", Code::SIDE + 18, 1);
/// Keep the third source in the reuse cache.
pub const REUSE_C: Field = Field::new("reuse_c", Code::SIDE + 19, 1);
/// Reuse flag of no operand.
pub const REUSE_UNUSED: Field = Field::new("reuse_unused", Code::SIDE + 20, 1);
/// The bit of the control word that belongs to no instruction; only the first of a bundle has it.
pub const SPARE: Field = Field::new("spare", Code::SIDE + 21, 1);
/// All bits an instruction has in its control word.
pub const CONTROL: Field = Field::new("control", Code::SIDE, 22);
/// Byte address a branch leads to: its own address, 8, and its distance.
pub const TARGET: Field = Field::new("target", Code::SIDE + 64, 64).signed();

/// Control bits of an instruction whose text says nothing about them, and of instructions in bare words: no stall, no
/// barriers.
pub const NO_CONTROL: u32 = 0x7e0;
