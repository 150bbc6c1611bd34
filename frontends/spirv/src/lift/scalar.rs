//! Operations on single scalars: integers of every width, floats under the slot of a result, conversions.

use super::{Ctx, Lift};
use crate::types::Scalar;
use parallax_core::{Builder, SlotId, Type, ValueId};
use parallax_num::ulp::from_f64;
use parallax_num::{Decl, Op, Rule};

/// The 64-bit operation of a 32-bit one.
pub(super) fn wide(op: Op) -> Option<Op> {
    Some(match op {
        Op::Iadd => Op::Iadd64,
        Op::Isub => Op::Isub64,
        Op::Imul => Op::Imul64,
        Op::ImulHi => Op::ImulHi64,
        Op::UmulHi => Op::UmulHi64,
        Op::Idiv => Op::Idiv64,
        Op::Imod => Op::Imod64,
        Op::Udiv => Op::Udiv64,
        Op::Umod => Op::Umod64,
        Op::Iand => Op::Iand64,
        Op::Ior => Op::Ior64,
        Op::Ixor => Op::Ixor64,
        Op::Shl => Op::Shl64,
        Op::Ishr => Op::Ishr64,
        Op::Ushr => Op::Ushr64,
        Op::Imin => Op::Imin64,
        Op::Imax => Op::Imax64,
        Op::Umin => Op::Umin64,
        Op::Umax => Op::Umax64,
        Op::Inot => Op::Inot64,
        Op::Ineg => Op::Ineg64,
        Op::Iabs => Op::Iabs64,
        Op::Isign => Op::Isign64,
        Op::Ieq => Op::Ieq64,
        Op::Ine => Op::Ine64,
        Op::Ilt => Op::Ilt64,
        Op::Ile => Op::Ile64,
        Op::Ult => Op::Ult64,
        Op::Ule => Op::Ule64,
        _ => return None,
    })
}

/// Whether an operation reads its operands as signed integers.
fn is_signed(op: Op) -> bool {
    matches!(
        op,
        Op::Idiv | Op::Imod | Op::Ishr | Op::Imin | Op::Imax | Op::Iabs | Op::Isign | Op::Ilt | Op::Ile | Op::ImulHi
    )
}

impl Ctx<'_, '_> {
    /// The low `bits` of a word, extended by their sign.
    pub(super) fn sign_extended(&mut self, value: ValueId, bits: u32) -> ValueId {
        if bits >= 32 {
            return value;
        }
        let (from, width) = (self.l.b.i32(0), self.l.b.i32(bits));
        self.l.b.int(Op::Ibfe, &[value, from, width])
    }

    /// The low `bits` of a word.
    pub(super) fn low_bits(&mut self, value: ValueId, bits: u32) -> ValueId {
        if bits >= 32 {
            return value;
        }
        let mask = self.l.b.i32((1 << bits) - 1);
        self.l.b.int(Op::Iand, &[value, mask])
    }

    /// An integer of at most 32 bits, extended as its type says.
    pub(super) fn extended(&mut self, value: ValueId, scalar: Scalar) -> ValueId {
        match scalar {
            Scalar::Int { bits, signed: true } => self.sign_extended(value, bits),
            _ => value,
        }
    }

    /// An operation on integers of a type. Shift amounts have 32 bits.
    pub(super) fn integer(&mut self, op: Op, scalar: Scalar, args: &[ValueId]) -> Lift<ValueId> {
        match scalar.bits() {
            64 => match wide(op) {
                Some(op) => Ok(self.l.b.int(op, args)),
                None => self.unsupported("spirv-int64-unsupported", format!("{} of 64 bits", op.name())),
            },
            32 => Ok(self.l.b.int(op, args)),
            bits => {
                let mut args: smallvec::SmallVec<[ValueId; 4]> = args.into();
                if is_signed(op) {
                    let count = if op == Op::Ishr { 1 } else { args.len() };
                    for arg in &mut args[..count] {
                        *arg = self.sign_extended(*arg, bits);
                    }
                }
                let value = self.l.b.int(op, &args);
                Ok(if self.l.b.func.ty(value) == Type::I32 { self.low_bits(value, bits) } else { value })
            }
        }
    }

    /// A zero, one or all ones of an integer type.
    pub(super) fn integer_literal(&mut self, scalar: Scalar, value: u64) -> ValueId {
        match scalar.bits() {
            64 => self.l.b.i64(value),
            bits => self.l.b.i32(crate::constants::masked(value, Scalar::Int { bits, signed: false }) as u32),
        }
    }

    /// The format that the operation of a result has instead of binary32 because of RelaxedPrecision.
    pub(super) fn relaxed(&self, id: u32, decl: Decl) -> Option<Decl> {
        self.relaxed_as.filter(|_| decl == Decl::F32 && self.tables.decorations.id(id).relaxed)
    }

    /// A conversion between float formats under the slot of a result.
    pub(super) fn float_to(&mut self, id: u32, to: Decl, value: ValueId) -> ValueId {
        let slot = self.slot(id, to);
        self.l.b.num(Op::Cvt, slot, &[value])
    }

    /// An operation on floats of a format, under the slot of the result `id`.
    pub(super) fn float(&mut self, id: u32, op: Op, decl: Decl, args: &[ValueId]) -> ValueId {
        self.under_slot(id, decl, args, |b, slot, args| b.num(op, slot, args))
    }

    /// The slot of an operation that is not relaxed: one for all components of a vector.
    pub(super) fn shared_slot(&mut self, id: u32, decl: Decl) -> Option<SlotId> {
        self.relaxed(id, decl).is_none().then(|| self.slot(id, decl))
    }

    /// The same of anything that has a slot.
    #[inline]
    pub(super) fn under_slot(
        &mut self,
        id: u32,
        decl: Decl,
        args: &[ValueId],
        made: impl FnOnce(&mut Builder<'_>, SlotId, &[ValueId]) -> ValueId,
    ) -> ValueId {
        let Some(relaxed) = self.relaxed(id, decl) else {
            let slot = self.slot(id, decl);
            return made(&mut self.l.b, slot, args);
        };
        let args: smallvec::SmallVec<[ValueId; 8]> = args
            .iter()
            .map(|&arg| match self.l.b.func.ty(arg) {
                Type::Float(Decl::F32) => self.float_to(id, relaxed, arg),
                _ => arg,
            })
            .collect();
        let slot = self.slot(id, relaxed);
        let value = made(&mut self.l.b, slot, &args);
        match self.l.b.func.ty(value) {
            Type::Float(found) if found == relaxed => self.float_to(id, Decl::F32, value),
            _ => value,
        }
    }

    /// A literal of a float format, given as binary64.
    pub(super) fn number(&mut self, decl: Decl, value: f64) -> ValueId {
        let bits = from_f64(value, &Rule::ieee(decl, decl.format()));
        let slot = self.l.plain(decl);
        self.l.b.literal(bits, Some(slot), Type::Float(decl))
    }

    /// An integer as another integer type: cut, or extended by the sign where the source has one.
    pub(super) fn integer_to(&mut self, from: Scalar, to: Scalar, signed: bool, value: ValueId) -> ValueId {
        let (from_bits, to_bits) = (from.bits(), to.bits());
        match (from_bits, to_bits) {
            (64, 64) => value,
            (64, _) => {
                let low = self.l.b.int(Op::Low, &[value]);
                self.low_bits(low, to_bits)
            }
            _ => {
                let value = if signed { self.sign_extended(value, from_bits) } else { value };
                match to_bits {
                    64 => self.l.b.int(if signed { Op::Sext64 } else { Op::Zext64 }, &[value]),
                    _ => self.low_bits(value, to_bits),
                }
            }
        }
    }

    /// The pattern of a scalar as 32-bit words, the low one first; what is narrower stands in the low bits.
    pub(super) fn words_of(&mut self, scalar: Scalar, value: ValueId) -> Vec<ValueId> {
        match scalar {
            _ if scalar.bits() == 64 => {
                let pattern = self.l.convert(value, Type::I64);
                vec![self.l.b.int(Op::Low, &[pattern]), self.l.b.int(Op::High, &[pattern])]
            }
            _ => vec![self.l.convert(value, Type::I32)],
        }
    }

    /// The scalar whose pattern words hold.
    pub(super) fn of_words(&mut self, scalar: Scalar, words: &[ValueId]) -> ValueId {
        let pattern = match scalar.bits() {
            64 => self.l.b.int(Op::Join, &[words[0], words[1]]),
            _ => words[0],
        };
        self.l.convert(pattern, scalar.ir())
    }
}
