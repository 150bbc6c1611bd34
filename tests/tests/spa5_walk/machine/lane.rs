//! Fields of words, and what a lane holds.

use super::REGISTERS;

/// What the registers of a lane hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lane {
    pub(crate) r: [u32; REGISTERS],
    pub(crate) p: [bool; 7],
    pub(crate) carry: bool,
    pub(crate) zero: bool,
    pub(crate) negative: bool,
    pub(crate) overflow: bool,
    /// Local memory, in words.
    pub(crate) local: Vec<u32>,
}

pub(super) fn field(word: u64, lo: u32, len: u32) -> u32 {
    (word >> lo & ((1 << len) - 1)) as u32
}

pub(super) fn bit(word: u64, n: u32) -> bool {
    word >> n & 1 != 0
}

pub(super) fn extend(value: u32, len: u32) -> i32 {
    ((value << (32 - len)) as i32) >> (32 - len)
}

/// The upper 16 bits of a word.
pub(super) fn top(word: u64) -> u32 {
    (word >> 48) as u32
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    R,
    C,
    Rc,
    I,
}

pub(super) fn form(word: u64) -> Form {
    match top(word) >> 8 {
        0x51..=0x53 => Form::Rc,
        0x50..=0x5f => Form::R,
        0x40..=0x4f | 0x02 | 0x03 => Form::C,
        _ => Form::I,
    }
}

impl Lane {
    pub(super) fn reg(&self, n: u32) -> u32 {
        // Operands are fetched before it is known which of them count.
        self.r.get(n as usize).copied().unwrap_or(0)
    }

    pub(super) fn pred(&self, field: u32) -> bool {
        let value = field & 7 == 7 || self.p[(field & 7) as usize];
        value != (field & 8 != 0)
    }

    pub(super) fn set(&mut self, n: u32, value: u32) {
        if n != 255 {
            self.r[n as usize] = value;
        }
    }

    pub(super) fn set_pred(&mut self, n: u32, value: bool) {
        if n != 7 {
            self.p[n as usize] = value;
        }
    }

    /// Whether a word's guard lets this lane execute it.
    pub(crate) fn guarded(&self, word: u64) -> bool {
        self.pred(field(word, 16, 4))
    }
}
