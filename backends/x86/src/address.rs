//! Places in memory, and the bytes of one instruction.

use crate::operand::Operand;
use iced_x86::Register;

/// A place in memory as instructions name it: a register, another one times a power of two, and a distance.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Address {
    /// Number of the register.
    base: u8,
    /// Number of the other one, and the power.
    index: Option<(u8, u8)>,
    at: usize,
}

const RAX: u8 = 0;
const RBX: u8 = 3;
/// As a base it always has a distance; so has r13, which is none.
const RBP: u8 = 5;
const R12: u8 = 12;
const R13: u8 = 13;
const R15: u8 = 15;

/// The number of a register of 64 bits. As a base rsp and r12 would ask for other bytes, and as an index rsp: none of them is used so.
fn number(register: Register) -> u8 {
    debug_assert!(register.is_gpr64() && (register as u8 - Register::RAX as u8) & 7 != 4);
    register as u8 - Register::RAX as u8
}

impl Address {
    /// The arena at an offset.
    #[inline(always)]
    pub(crate) fn in_arena(at: usize) -> Address {
        Address { base: RBX, index: None, at }
    }

    /// The place that an operand is, of those that are written here, for the block that starts so many lanes behind the first
    /// one.
    pub(crate) fn of(operand: Operand, ahead: usize) -> Option<Address> {
        let (base, index, at) = match operand {
            Operand::Block(at) => (RBX, Some((R13, 0)), at + ahead / 8),
            Operand::Pointed(base) => (number(base), None, 0),
            Operand::Frame(at) => (R15, None, at),
            Operand::Plane(bytes, at) => {
                (RAX, Some((R12, bytes.trailing_zeros() as u8)), at + ahead * usize::from(bytes))
            }
            Operand::Row(base, at) => (number(base), Some((R12, 1)), at + ahead * 2),
            Operand::Sum(base, index) => (number(base), Some((number(index), 0)), 0),
            Operand::Behind(base, index, at) => (number(base), Some((number(index), 0)), at as usize),
            _ => return None,
        };
        Some(Address { base, index, at })
    }

    /// What of a prefix its registers change.
    pub(crate) fn extensions(self) -> u64 {
        let index = self.index.map_or(0, |(number, _)| number);
        u64::from(self.base & 8) << 10 | u64::from(index & 8) << 11
    }

    /// What stands behind the opcode: a register, or what takes its place, in bits 3 to 5, and this place, whose short distances
    /// count in units, a power of two; the first byte lowest, and how many bits that are.
    #[inline(always)]
    pub(crate) fn bytes(self, reg: u64, unit: u8) -> (u64, u32) {
        let Address { base, index, at } = self;
        let base = u64::from(base & 7);
        let (form, length) = match index {
            None => (reg | base, 8),
            Some((number, power)) => (reg | 4 | (u64::from(power << 6 | (number & 7) << 3) | base) << 8, 16),
        };
        // The layout is made so that no offset is longer.
        debug_assert!(i32::try_from(at).is_ok());
        let (at, short) = (at as u64, at as u64 >> unit);
        if short > 127 || short << unit != at {
            (form | 0x80 | at << length, length + 32)
        } else if at != 0 || base == u64::from(RBP) {
            (form | 0x40 | short << length, length + 8)
        } else {
            (form, length)
        }
    }
}

/// The bytes of an instruction, the first one lowest: in registers, as reading back what was just written byte by byte would
/// have to wait.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Buffer {
    bits: u128,
    bytes: usize,
}

impl Buffer {
    /// So many bits, at least one byte and less than eight, and others behind them, less than eight too.
    #[inline(always)]
    pub(crate) fn new(first: u64, bits: u32, rest: u64, more: u32) -> Buffer {
        let (low, high) = (first | rest << bits, rest >> (64 - bits));
        Buffer { bits: u128::from(high) << 64 | u128::from(low), bytes: (bits + more) as usize / 8 }
    }

    /// Writes them, and what is all the same behind them, and says how many they are.
    #[inline(always)]
    pub(crate) fn write(self, to: &mut [u8; 16]) -> usize {
        // A copy of fixed length is a move or two.
        *to = self.bits.to_le_bytes();
        self.bytes
    }

    /// Them alone.
    pub(crate) fn to_bytes(self) -> ([u8; 16], usize) {
        (self.bits.to_le_bytes(), self.bytes)
    }
}
