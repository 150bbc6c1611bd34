//! Conversions: F2F, F2I, I2I and the operands of I2F.

use super::lane::{bit, extend, field};
use super::{Machine, sign, slot};
use parallax_core::num::{Decl, Op, Slot, Storage, eval};

impl Machine<'_> {
    pub(super) fn half(&self, word: u64, value: u32) -> u32 {
        let half = if bit(word, 41) { value >> 16 } else { value & 0xffff };
        let half = if bit(word, 49) { half & 0x7fff } else { half };
        if bit(word, 45) { half ^ 0x8000 } else { half }
    }

    pub(super) fn float_source(&self, word: u64, value: u32) -> u32 {
        match field(word, 10, 2) {
            1 => self.num(Op::UpHalf, &slot(0, 0, false), &[self.half(word, value)]),
            _ => sign(value, bit(word, 45), bit(word, 49)),
        }
    }

    pub(super) fn float_to_float(&self, word: u64, value: u32) -> u32 {
        let (to, from, round) = (field(word, 8, 2), field(word, 10, 2), field(word, 39, 2));
        let (flush, saturate) = (field(word, 44, 1), bit(word, 50));
        let mut value = self.float_source(word, value);
        if bit(word, 42) {
            let op = [Op::Rint, Op::Floor, Op::Ceil, Op::Trunc][round as usize];
            value = self.num(op, &slot(0, flush, saturate), &[value]);
        }
        let round = if to == from { 0 } else { round };
        let convert = |to: Decl, slot: &Slot, value: u32| {
            let slot = Slot { decl: to, ..*slot };
            let converted = eval(Op::Cvt, &self.model.rule(Op::Cvt, &slot, Storage::F32).0, &[value.into()]);
            let rule = self.model.rule(Op::BitsOf, &Slot::plain(to), self.model.storage(to)).0;
            eval(Op::BitsOf, &rule, &[converted]) as u32
        };
        match to {
            2 if bit(word, 42) => value,
            2 => convert(Decl::F32, &slot(round, flush, saturate), value),
            _ => {
                if flush != 0 && from == 2 {
                    value = convert(Decl::F32, &slot(0, flush, false), value);
                }
                convert(Decl::F16, &slot(round, 0, saturate), value)
            }
        }
    }

    pub(super) fn float_to_int(&self, word: u64, value: u32) -> u32 {
        let value = self.float_source(word, value);
        let ops = if bit(word, 12) {
            [Op::F2iRint, Op::F2iFloor, Op::F2iCeil, Op::F2iTrunc]
        } else {
            [Op::F2uRint, Op::F2uFloor, Op::F2uCeil, Op::F2uTrunc]
        };
        let value = self.num(ops[field(word, 39, 2) as usize], &slot(0, field(word, 44, 1), false), &[value]);
        match (field(word, 8, 2), bit(word, 12)) {
            (1, true) => (value as i32).clamp(-0x8000, 0x7fff) as u32,
            (1, false) => value.min(0xffff),
            _ => value,
        }
    }

    pub(super) fn part(value: u32, size: u32, place: u32, signed: bool) -> u32 {
        let len = match size {
            0 => 8,
            1 => 16,
            _ => return value,
        };
        // A half at the last byte ends with the word.
        let value = value >> (8 * place);
        let len = len.min(32 - 8 * place);
        if signed { extend(value & ((1 << len) - 1), len) as u32 } else { value & ((1 << len) - 1) }
    }

    pub(super) fn int_to_int(word: u64, value: u32) -> u32 {
        let (to, from, to_signed, from_signed) = (field(word, 8, 2), field(word, 10, 2), bit(word, 12), bit(word, 13));
        let mut value = Self::part(value, from, field(word, 41, 2), from_signed);
        if bit(word, 49) {
            value = (value as i32).wrapping_abs() as u32;
        }
        if bit(word, 45) {
            value = value.wrapping_neg();
        }
        if bit(word, 50) {
            let wide = Self::wide(value, from_signed || bit(word, 45));
            let (least, most) = match (8 << to, to_signed) {
                (bits, true) => (-1i64 << (bits - 1), (1i64 << (bits - 1)) - 1),
                (bits, false) => (0, (1i64 << bits) - 1),
            };
            value = wide.clamp(least, most) as u32;
        }
        Self::part(value, to, 0, to_signed)
    }
}
