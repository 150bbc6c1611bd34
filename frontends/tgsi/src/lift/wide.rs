//! Numbers of 64 bits. A register holds two: the first in x and y, the second in z and w, the low word first (Double ISA,
//! 64-bit Integer ISA).
//!
//! The document speaks of whole numbers only. A mask with one word of a number writes that word alone.

use super::Ctx;
use super::alu::mask;
use crate::ast::{Instruction, Src};
use crate::opcode::Operand;
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::{self, Results, bits_where};
use parallax_num::{Decl, Kind, Op, Saturate};
use smallvec::SmallVec;

/// What an instruction computes for both numbers of its registers.
#[derive(Copy, Clone, Debug)]
pub enum WideOp {
    /// An operation under the rules of a format. A result of 64 bits is a number; one of 32 bits stands in the first
    /// written component for the first number, in the second for the second one.
    Each(Op, Decl),
    /// All bits set where a comparison has this outcome, else none: in the first written component of each half.
    SetBits(Op, bool),
}

impl WideOp {
    /// An operation on doubles, or that makes one.
    pub(crate) const fn double(op: Op) -> WideOp {
        WideOp::Each(op, Decl::F64)
    }

    /// An operation whose result or operand is a float of 32 bits.
    pub(crate) const fn float(op: Op) -> WideOp {
        WideOp::Each(op, Decl::F32)
    }

    /// An operation on integers.
    pub(crate) const fn long(op: Op) -> WideOp {
        WideOp::Each(op, Decl::F64)
    }
}

/// Words of a number, low word first.
type Words = [ValueId; 2];

/// First component of each number.
const HALVES: [usize; 2] = [0, 2];

impl Ctx<'_, '_> {
    /// Computes an operation on numbers of 64 bits.
    pub(super) fn wide(&mut self, inst: &Instruction, op: WideOp) -> Results {
        let mut results = Results::default();
        let mask = mask(inst);
        match op {
            WideOp::SetBits(op, outcome) => {
                for (half, first) in HALVES.into_iter().enumerate() {
                    let Some(comp) = (first..first + 2).find(|comp| mask >> comp & 1 != 0) else { continue };
                    let pred = self.wide_op(inst, op, Decl::F64, half);
                    let bits = bits_where(&mut self.l, pred, outcome);
                    results[comp] = Some(self.clamped_word(inst, bits));
                }
            }
            WideOp::Each(op, decl) if is_word(op, decl) => {
                for (half, comp) in vector::components(mask).take(2).enumerate() {
                    let value = self.wide_op(inst, op, decl, half);
                    let is_float = op.info().result == Kind::F;
                    results[comp] = Some(if is_float { value.into() } else { self.clamped_word(inst, value.into()) });
                }
            }
            WideOp::Each(op, decl) => {
                for (half, first) in HALVES.into_iter().enumerate() {
                    if mask >> first & 3 == 0 {
                        continue;
                    }
                    let value = self.wide_op(inst, op, decl, half);
                    let value = self.clamped_number(inst, value);
                    for (n, word) in self.words(value).into_iter().enumerate() {
                        results[first + n] = Some(word.into());
                    }
                }
            }
        }
        results
    }

    /// An operation on one number of each source.
    fn wide_op(&mut self, inst: &Instruction, op: Op, decl: Decl, half: usize) -> ValueId {
        let kinds = inst.op.row().shape.srcs();
        let mut args: SmallVec<[ValueId; 3]> = SmallVec::new();
        for (n, (src, &kind)) in inst.srcs.iter().zip(kinds).enumerate() {
            // What is converted stands in x and y, a second operand of 32 bits beside its number.
            let comp = if n == 0 { half } else { HALVES[half] };
            args.push(match (kind, op.info().args[n]) {
                (Operand::Wide, Kind::I64) => self.long(src, half),
                (Operand::Wide, _) => {
                    let pattern = self.long(src, half);
                    self.l.convert(pattern, Type::Float(Decl::F64))
                }
                (Operand::Int, _) => self.int(src, comp),
                _ => self.float(src, comp),
            });
        }
        match op.info().result {
            _ if !op.has_slot() => self.l.b.int(op, &args),
            Kind::F => {
                let slot = self.slot_of(decl, inst.saturate, inst.precise);
                self.l.b.num(op, slot, &args)
            }
            _ => {
                let slot = self.slot_of(decl, false, inst.precise);
                self.l.b.num(op, slot, &args)
            }
        }
    }

    /// A number of a source as 64 bits.
    fn long(&mut self, src: &Src, half: usize) -> ValueId {
        let words = [0, 1].map(|n| {
            let word = self.raw(src, HALVES[half] + n);
            self.l.force(word, Type::I32)
        });
        self.l.b.int(Op::Join, &words)
    }

    /// The words of a number.
    fn words(&mut self, value: ValueId) -> Words {
        let pattern = self.l.convert(value, Type::I64);
        [Op::Low, Op::High].map(|op| self.l.b.int(op, &[pattern]))
    }

    /// `_SAT` on a word that is no float: as on the float with these bits.
    fn clamped_word(&mut self, inst: &Instruction, word: Deferred) -> Deferred {
        let form = self.form(inst);
        vector::clamped(&mut self.l, &form, word)
    }

    /// The same on an integer of 64 bits: as on the double. A double is clamped where it is rounded.
    fn clamped_number(&mut self, inst: &Instruction, value: ValueId) -> ValueId {
        let slot = self.slot_of(Decl::F64, inst.saturate, inst.precise);
        if self.l.b.func.slots[slot].saturate == Saturate::None || self.l.b.func.ty(value) != Type::I64 {
            return value;
        }
        let double = self.l.convert(value, Type::Float(Decl::F64));
        self.l.b.num(Op::Cvt, slot, &[double])
    }
}

/// Whether the result of an operation is a word.
fn is_word(op: Op, decl: Decl) -> bool {
    match op.info().result {
        Kind::I64 => false,
        Kind::F | Kind::AnyF => decl != Decl::F64,
        _ => true,
    }
}

/// Significand and exponent of the first number, in both halves of the first destination and all components of the second
/// (as the reference has it; the document names the destinations the other way round). Taken apart by bits: nothing is
/// rounded or flushed. Zeros, infinities and NaN stay what they are, with the exponent 0.
pub(crate) fn fracexp(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    /// Bits of the fraction, and what the exponent field of 0.5 holds.
    const FRACTION: u32 = 52;
    const HALF: u32 = 1022;
    let pattern = ctx.long(&inst.srcs[0], 0);
    let l = &mut ctx.l;
    let high = l.b.int(Op::High, &[pattern]);
    let (from, width) = (l.b.i32(FRACTION - 32), l.b.i32(11));
    let biased = l.b.int(Op::Ubfe, &[high, from, width]);
    let (ones, sign) = (l.b.i64((1 << FRACTION) - 1), l.b.i64(1 << 63));
    let fraction = l.b.int(Op::Iand64, &[pattern, ones]);
    let sign = l.b.int(Op::Iand64, &[pattern, sign]);

    // A denormal is shifted until its highest bit is the one that normal numbers do not store.
    let highest = l.b.int(Op::Umsb64, &[fraction]);
    let (top, zero) = (l.b.i32(FRACTION), l.b.i32(0));
    let by = l.b.int(Op::Isub, &[top, highest]);
    let shifted = l.b.int(Op::Shl64, &[fraction, by]);
    let shifted = l.b.int(Op::Iand64, &[shifted, ones]);
    let is_small = l.b.int(Op::Ieq, &[biased, zero]);
    let fraction_of_half = l.b.select(is_small, shifted, fraction);
    let one = l.b.i32(1);
    let raised = l.b.int(Op::Isub, &[one, by]);
    let biased_of_all = l.b.select(is_small, raised, biased);
    let bias = l.b.i32(HALF);
    let exponent = l.b.int(Op::Isub, &[biased_of_all, bias]);
    let half = l.b.i64(u64::from(HALF) << FRACTION);
    let significand = l.b.int(Op::Ior64, &[sign, half]);
    let significand = l.b.int(Op::Ior64, &[significand, fraction_of_half]);

    let (special, nothing) = (l.b.i32(0x7ff), l.b.i64(0));
    let is_special = l.b.int(Op::Ieq, &[biased, special]);
    let no_fraction = l.b.int(Op::Ieq64, &[fraction, nothing]);
    let is_zero = l.b.int(Op::Pand, &[is_small, no_fraction]);
    let stays = l.b.int(Op::Por, &[is_special, is_zero]);
    let significand = l.b.select(stays, pattern, significand);
    let exponent = l.b.select(stays, zero, exponent);

    let significand = ctx.clamped_number(inst, significand);
    let [low, high] = ctx.words(significand).map(Deferred::from);
    let exponent = ctx.clamped_word(inst, exponent.into());
    ctx.write(&inst.dsts[0], [low, high, low, high].map(Some));
    ctx.write(&inst.dsts[1], [Some(exponent); 4]);
    Results::default()
}
