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

/// Most bytes of an instruction.
const MOST: usize = 16;

/// The bytes of an instruction.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Buffer {
    bytes: [u8; MOST],
    len: usize,
}

impl Buffer {
    #[inline]
    pub(crate) fn new<const N: usize>(start: [u8; N]) -> Buffer {
        let mut bytes = [0; MOST];
        bytes[..N].copy_from_slice(&start);
        Buffer { bytes, len: N }
    }

    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// What stands behind the opcode: a register, or what takes its place, and a place whose short distances count in units.
    /// `None` if it is too far.
    #[inline]
    pub(crate) fn address(&mut self, reg: u8, address: Address, unit: usize) -> Option<()> {
        let Address { base, index, at } = address;
        let form = match index {
            None => (reg & 7) << 3 | base & 7,
            Some(_) => (reg & 7) << 3 | 4,
        };
        // Units are powers of two.
        let short = at >> unit.trailing_zeros();
        let size = match short {
            _ if at == 0 => 0,
            0..=127 if at & (unit - 1) == 0 => 1,
            _ => 4,
        };
        self.push(form | [0, 0x40, 0, 0, 0x80][size]);
        if let Some((number, power)) = index {
            self.push(power << 6 | (number & 7) << 3 | base & 7);
        }
        match size {
            0 => {}
            1 => self.push(short as u8),
            _ => {
                let distance = i32::try_from(at).ok()?.to_le_bytes();
                self.bytes[self.len..][..4].copy_from_slice(&distance);
                self.len += 4;
            }
        }
        Some(())
    }

    /// Puts them behind others.
    #[inline]
    pub(crate) fn append_to(&self, bytes: &mut Vec<u8>) {
        // A copy of fixed length is a move or two.
        let end = bytes.len() + self.len;
        bytes.extend_from_slice(&self.bytes);
        bytes.truncate(end);
    }

    #[cfg(test)]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
