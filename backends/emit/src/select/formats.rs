//! Values of halves and of fixed point of 12 bits.
//!
//! Sets without them compute in binary32, and say so. Sets that have them say the format of each instruction, and results of halves go to
//! registers of half the size. Such an instruction converts what it reads, so a conversion is nothing but an operand until somebody else
//! reads it: the value is *loose* then. Fixed point stands in half registers, which hold all its numbers.

use super::{Held, Select};
use crate::form::{Arg, Base, Operand, Precision, Value};
use crate::target::{Meaning, Row, Target};
use parallax_core::{EntityRef, Func, OpId, OpKind, Type, ValueId};
use parallax_num::{Decl, Op, Saturate, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The words for a format.
const fn word(decl: Decl) -> Option<&'static str> {
    match decl {
        Decl::F16 => Some("halves"),
        Decl::Fx12 => Some("fixed point of 12 bits"),
        _ => None,
    }
}

/// The format of an instruction.
pub(super) const fn precision(decl: Decl) -> Precision {
    match decl {
        Decl::F16 => Precision::Half,
        Decl::Fx12 => Precision::Fixed,
        _ => Precision::Full,
    }
}

/// The half of some bits as a number of binary32, which has all of them.
pub(super) fn widened(bits: u16) -> u32 {
    let (sign, exponent, fraction) = (u32::from(bits) >> 15 << 31, u32::from(bits) >> 10 & 31, u32::from(bits) & 0x3ff);
    match (exponent, fraction) {
        (0, _) => {
            // A multiple of 2^-24 below 2^10 of them: exact.
            let magnitude = fraction as f32 * f32::from_bits(0x3380_0000);
            magnitude.to_bits() | sign
        }
        (31, _) => sign | 0x7f80_0000 | fraction << 13,
        _ => sign | (exponent + 112) << 23 | fraction << 13,
    }
}

/// The number of fixed point of some bits, sign and 10 bits behind the point among them, as one of binary32.
fn fixed(bits: u64) -> u32 {
    let steps = ((bits as u32) << 20) as i32 >> 20;
    // At most 11 bits and a power of two: exact.
    (steps as f32 * f32::from_bits(0x3a80_0000)).to_bits()
}

/// Operations that sets with halves have with every format.
const fn is_arithmetic(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Mad
            | Op::Min
            | Op::Max
            | Op::Dot2
            | Op::Dot3
            | Op::Dot4
            | Op::Dph
            | Op::Frac
            | Op::Floor
            | Op::Lrp
            | Op::Rcp
            | Op::Rsq
            | Op::Exp2
            | Op::Log2
            | Op::Sin
            | Op::Cos
    )
}

/// Whether a target packs and unpacks halves of which it has no registers. A sum or product of two halves in binary32, rounded once more
/// to a half, is the sum or product of halves: 24 bits are twice their 11 and two more.
pub(super) fn rounds_halves(target: &Target) -> bool {
    let has = |meaning| target.rows.get(meaning).is_some();
    target.abilities.halves.is_none()
        && target.abilities.integers
        && [Meaning::Each(Op::UpHalf), Meaning::Unpack(Op::UpHalf, 16)].into_iter().any(has)
        && [Meaning::Field(Op::PackHalf2), Meaning::Each(Op::PackHalf2), Meaning::Pack(Op::PackHalf2)]
            .into_iter()
            .any(has)
}

/// Operations on halves whose results in binary32 are rounded to the same halves.
const fn is_rounded(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Cvt | Op::Neg | Op::Abs | Op::Min | Op::Max | Op::Floor | Op::BitsTo)
}

/// Numbers of binary32 that nobody reads but conversions to halves: they can be written to half registers, which converts them.
pub(super) fn narrowed(func: &Func) -> FxHashSet<ValueId> {
    let mut all = FxHashMap::default();
    func.walk(|_, op| {
        let data = &func.ops[op];
        let converts = data.kind == OpKind::Num(Op::Cvt)
            && data.slot.is_some_and(|slot| {
                let slot = func.slots[slot];
                slot.decl == Decl::F16 && slot.saturate == Saturate::None
            });
        for &arg in &data.args {
            *all.entry(arg).or_insert(true) &= converts;
        }
    });
    let is_computed = |value: ValueId| {
        let kind = func.def_op(value).map(|op| func.ops[op].kind);
        func.ty(value) == Type::F32 && matches!(kind, Some(OpKind::Num(op)) if is_arithmetic(op))
    };
    all.into_iter().filter(|&(value, only)| only && is_computed(value)).map(|(value, _)| value).collect()
}

/// The half that an op takes from words which are the bits of it, and the ops between: rounding by packing and unpacking. Where a number
/// was packed, that number, which is not rounded yet.
pub(super) fn half_of_words(func: &Func, op: OpId) -> Option<(ValueId, SmallVec<[OpId; 2]>)> {
    let data = &func.ops[op];
    let is_half = |value: ValueId| func.ty(value) == Type::F16;
    match data.kind {
        OpKind::Num(Op::UpHalf) => {}
        OpKind::Num(Op::BitsTo) if is_half(data.results[0]) => {}
        _ => return None,
    }
    let literal = |value: ValueId| match func.ops[func.def_op(value)?].kind {
        OpKind::Literal(bits) => Some(bits),
        _ => None,
    };
    let (mut word, mut between) = (data.args[0], SmallVec::new());
    loop {
        let op = func.def_op(word)?;
        let data = &func.ops[op];
        between.push(op);
        match (data.kind, &data.args[..]) {
            (OpKind::Num(Op::BitsOf), &[half]) => return is_half(half).then_some((half, between)),
            (OpKind::Num(Op::PackHalf2), &[number, _]) => return Some((number, between)),
            (OpKind::Num(Op::Ubfe), &[of, at, count]) if literal(at) == Some(0) && literal(count) == Some(16) => {
                word = of;
            }
            _ => return None,
        }
    }
}

impl Select<'_> {
    /// A half that its own words give.
    pub(super) fn half(&mut self, op: OpId, half: ValueId) {
        self.note_bits_of_halves();
        let mut arg = self.arg(half);
        if self.func.ty(half) != Type::F16
            && let Some(row) = self.rows.get(Meaning::Move)
        {
            let slot = Slot::plain(Decl::F16);
            let (number, fresh) = (self.readable(slot, arg), self.fresh());
            self.keep_half(fresh);
            arg = Arg::value(self.each(row, slot, &[number], fresh));
        }
        self.hold(self.func.ops[op].results[0], arg);
    }

    fn note_bits_of_halves(&mut self) {
        self.notes
            .inexact_elsewhere("the bits of a half as a word packed of it: other bits under rules that flush or quiet");
    }

    /// Whether the target has registers of halves.
    pub(super) fn has_halves(&self) -> bool {
        self.target.abilities.halves.is_some()
    }

    /// The format of an instruction and whether its result goes to a half register; refuses formats that the opcode does not have.
    pub(super) fn kind(&mut self, row: Row, slot: Slot, result: Value) -> (Precision, bool) {
        let precision = precision(slot.decl);
        if precision != Precision::Full
            && let Some(has) = self.target.abilities.halves
            && !has(row.name, precision)
        {
            let word = word(slot.decl).unwrap_or_default();
            self.refuse(format!("`{}` of {word}: {} computes it in binary32 alone", row.name, self.target.title));
        }
        (precision, self.is_half(result))
    }

    /// Whether the target holds values of a format other than binary32; says what it does in their place.
    pub(super) fn fits_format(&mut self, decl: Decl) -> bool {
        let Some(word) = word(decl) else { return false };
        if !(self.has_halves() || decl == Decl::F16 && self.rounds_halves) {
            self.note_binary32(word);
        }
        true
    }

    fn note_binary32(&mut self, word: &str) {
        self.notes.inexact(format!("{word} as binary32: other bits where a result is rounded or out of range"));
    }

    /// Says where an op on halves is not rounded as halves are, of targets that pack and unpack them.
    pub(super) fn note_halves(&mut self, op: OpId) {
        let data = &self.func.ops[op];
        if data.slot.is_none_or(|slot| self.func.slots[slot].decl != Decl::F16) {
            return;
        }
        let is_rounded = match data.kind {
            OpKind::Num(num) => is_rounded(num) || !data.results.iter().any(|&value| self.func.ty(value) == Type::F16),
            OpKind::Const { .. } | OpKind::ConstAt { .. } | OpKind::Attr { .. } | OpKind::Literal(_) => true,
            _ => false,
        };
        if !is_rounded || self.is_ever_wide && self.has_wide(op) {
            self.note_binary32("halves");
        }
    }

    /// Rounds what is held of a half to its format, on targets that pack and unpack halves.
    pub(super) fn round_half(&mut self, value: ValueId) {
        if !self.rounds_halves || self.func.ty(value) != Type::F16 {
            return;
        }
        let Some(arg) = self.held_arg(value) else { return };
        self.notes.inexact_elsewhere("halves rounded by packing them: other bits under rules that flush or quiet");
        let (plain, rows) = (Slot::plain(Decl::F32), self.rows);
        let fresh = self.fresh();
        let packed = if let Some(row) = rows.get(Meaning::Field(Op::PackHalf2)) {
            self.each(row, plain, &[arg], fresh)
        } else if let Some(row) = rows.get(Meaning::Each(Op::PackHalf2)) {
            self.each(row, plain, &[arg, Arg::imm(0)], fresh)
        } else if let Some(row) = rows.get(Meaning::Pack(Op::PackHalf2)) {
            let operand = self.gathered(row, 0, [Some(arg), Some(Arg::imm(0)), None, None]);
            self.put(row, plain, SmallVec::from_iter([operand]), fresh)
        } else {
            return;
        };
        let word = Arg::value(packed);
        let mut half = self.fresh();
        if let Some(row) = rows.get(Meaning::Each(Op::UpHalf)) {
            half = self.each(row, plain, &[word], half);
        } else if let Some(row) = rows.get(Meaning::Unpack(Op::UpHalf, 16)) {
            self.put_at(row, plain, 0, SmallVec::from_iter([Operand::one(word)]), half);
        }
        if rows.get(Meaning::Field(Op::PackHalf2)).is_none() {
            self.packed.insert(half, packed);
        }
        self.hold(value, Arg::value(half));
    }

    /// The slot in a format that the target has.
    pub(super) fn in_format(&self, slot: Slot) -> Slot {
        if self.has_halves() || word(slot.decl).is_none() {
            return slot;
        }
        Slot { decl: Decl::F32, ..slot }
    }

    /// Whether the result of an op goes to a half register.
    pub(super) fn is_kept_half(&self, value: ValueId) -> bool {
        self.has_halves()
            && (matches!(self.func.ty(value), Type::Float(Decl::F16 | Decl::Fx12)) || self.narrowed.contains(&value))
    }

    /// Notes that a value of the program is in a half register.
    pub(super) fn keep_half(&mut self, value: Value) {
        let at = value as usize;
        if self.half.len() <= at {
            self.half.resize(at + 1, false);
        }
        self.half[at] = true;
    }

    pub(super) fn is_half(&self, value: Value) -> bool {
        self.half.get(value as usize).is_some_and(|&half| half)
    }

    /// Whether what is held has still to be converted.
    pub(super) fn is_loose(&self, value: ValueId) -> bool {
        self.loose.contains(&value)
    }

    /// A loose value converted.
    pub(super) fn rounded(&mut self, value: ValueId) -> Arg {
        let arg = match self.held[value.index()] {
            Some(Held::Arg(arg)) => arg,
            _ => return Arg::imm(0),
        };
        let (Type::Float(decl), Some(row)) = (self.func.ty(value), self.rows.get(Meaning::Move)) else { return arg };
        let fresh = self.fresh();
        self.keep_half(fresh);
        let arg = if decl == Decl::Fx12 { self.readable(Slot::plain(decl), arg) } else { arg };
        Arg::value(self.each(row, Slot::plain(decl), &[arg], fresh))
    }

    /// The bits of a literal as those of binary32.
    pub(super) fn literal_of(decl: Decl, bits: u64) -> u32 {
        match decl {
            Decl::F16 => widened(bits as u16),
            Decl::Fx12 => fixed(bits),
            _ => bits as u32,
        }
    }

    /// A conversion that clamps nothing, between formats of which one is not binary32. Gives whether it was one.
    pub(super) fn converted(&mut self, result: ValueId, from: ValueId, to: Decl) -> bool {
        let Type::Float(decl) = self.func.ty(from) else { return false };
        if word(decl).is_none() && word(to).is_none() || decl == to {
            return false;
        }
        let arg = self.arg(from);
        self.hold(result, arg);
        // Halves have all numbers of fixed point, and binary32 those of both.
        let is_stored = match (decl, to) {
            (Decl::Fx12, Decl::F16) => true,
            (_, Decl::F16) => matches!(arg.base(), Base::Value(value) if self.is_half(value)),
            (_, Decl::Fx12) => false,
            _ => true,
        };
        if self.has_halves() && !is_stored {
            self.loose.insert(result);
        }
        true
    }

    /// A sign of a value of fixed point, whose least number has no opposite: what reads it clamps.
    pub(super) fn sign_is_loose(&mut self, result: ValueId, decl: Decl) {
        if decl == Decl::Fx12 && self.has_halves() {
            self.loose.insert(result);
        }
    }

    /// Operands of an instruction of halves: attributes would make it one of binary32.
    pub(super) fn readable(&mut self, slot: Slot, arg: Arg) -> Arg {
        if precision(slot.decl) == Precision::Full || !matches!(arg.base(), Base::Attr { .. }) {
            return arg;
        }
        let value = self.moved(Arg::plain(arg.base()), false);
        arg.with_base(Base::Value(value))
    }

    /// The bits of a half, or the half of some bits.
    pub(super) fn bits_of_half(&mut self, result: ValueId, num: Op, arg: Arg) -> bool {
        self.note_bits_of_halves();
        let plain = Slot::plain(Decl::F32);
        if num == Op::BitsOf
            && let Some(value) = arg.plain_value()
            && let Some(&packed) = self.packed.get(&value)
        {
            self.hold(result, Arg::value(packed));
            return true;
        }
        match num {
            Op::BitsOf => self.try_op(result, Op::PackHalf2, plain, &[arg, Arg::imm(0)]),
            _ => self.try_op(result, Op::UpHalf, plain, &[arg]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_fixed_point_are_numbers_of_binary32() {
        let halves = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x0001, 2.0f32.powi(-24)),
            (0x03ff, 1023.0 * 2.0f32.powi(-24)),
            (0x7bff, 65504.0),
            (0x8000, -0.0),
            (0xfc00, f32::NEG_INFINITY),
        ];
        for (bits, number) in halves {
            assert_eq!(widened(bits), number.to_bits(), "{bits:#06x}");
        }
        assert!(f32::from_bits(widened(0x7e01)).is_nan());
        for (bits, number) in [(0x400, 1.0), (0x800, -2.0), (0xfff, -1.0 / 1024.0), (0x7ff, 2047.0 / 1024.0), (0, 0.0)]
        {
            assert_eq!(f32::from_bits(fixed(bits)), number, "{bits:#05x}");
        }
    }
}
