//! Places in memory, and the bytes of one instruction.

use crate::asm::Operand;
use iced_x86::Register;

/// A place in memory as instructions name it: a register, another one times a power of two, and a distance.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Address {
    /// Number of the register.
    pub(crate) base: u8,
    /// Number of the other one, and the power.
    index: Option<(u8, u8)>,
    at: usize,
}

const RAX: u8 = 0;
const RCX: u8 = 1;
const RBX: u8 = 3;
const R12: u8 = 12;
const R13: u8 = 13;

impl Address {
    /// The place that an operand is, of those that are written here.
    #[inline]
    pub(crate) fn of(operand: Operand) -> Option<Address> {
        let (base, index, at) = match operand {
            Operand::Memory(at) | Operand::Broadcast(at) => (RBX, None, at),
            Operand::Block(at) => (RBX, Some((R13, 0)), at),
            Operand::Plane(bytes, at) => (RAX, Some((R12, bytes.trailing_zeros() as u8)), at),
            Operand::Row(Register::RAX, at) => (RAX, Some((R12, 1)), at),
            Operand::Row(Register::RCX, at) => (RCX, Some((R12, 1)), at),
            _ => return None,
        };
        Some(Address { base, index, at })
    }

    /// Number of the register that is multiplied; 0 if there is none.
    #[inline]
    pub(crate) fn index_number(self) -> u8 {
        self.index.map_or(0, |(number, _)| number)
    }
}

/// The bytes of an instruction, the first one lowest: in a register, as reading back what was just written byte by byte would
/// have to wait.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Buffer {
    bits: u128,
    len: usize,
}

impl Buffer {
    #[inline]
    pub(crate) fn new<const N: usize>(start: [u8; N]) -> Buffer {
        let bits = start.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        Buffer { bits: bits.into(), len: N }
    }

    /// Adds so many bytes.
    #[inline]
    fn add(&mut self, bits: u64, len: usize) {
        self.bits |= u128::from(bits) << (8 * self.len);
        self.len += len;
    }

    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        self.add(byte.into(), 1);
    }

    /// What stands behind the opcode: a register, or what takes its place, and a place whose short distances count in units.
    /// `None` if it is too far.
    #[inline]
    pub(crate) fn address(&mut self, reg: u8, address: Address, unit: usize) -> Option<()> {
        let Address { base, index, at } = address;
        let (form, len) = match index {
            None => (u64::from((reg & 7) << 3 | base & 7), 1),
            Some((number, power)) => {
                let index = power << 6 | (number & 7) << 3 | base & 7;
                (u64::from((reg & 7) << 3 | 4) | u64::from(index) << 8, 2)
            }
        };
        // Units are powers of two.
        let short = at >> unit.trailing_zeros();
        if at == 0 {
            self.add(form, len);
        } else if short <= 127 && at & (unit - 1) == 0 {
            self.add(form | 0x40 | (short as u64) << (8 * len), len + 1);
        } else {
            let distance = i32::try_from(at).ok()?;
            self.add(form | 0x80 | (distance as u64) << (8 * len), len + 4);
        }
        Some(())
    }

    /// Puts them behind others.
    #[inline]
    pub(crate) fn append_to(&self, bytes: &mut Vec<u8>) {
        // A copy of fixed length is a move or two.
        let end = bytes.len() + self.len;
        bytes.extend_from_slice(&self.bits.to_le_bytes());
        bytes.truncate(end);
    }

    #[cfg(test)]
    pub(crate) fn to_vec(self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.len].to_vec()
    }
}
