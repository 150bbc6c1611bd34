//! What the lanes of a quad know of each other.
//!
//! A fine derivative is the difference of two neighbours: of integers of 16 bits it is exact, and tells what the neighbour has.

use crate::entry::Main;
use crate::module::Id;
use parallax_core::OpKind;
use parallax_step::Ty;
use parallax_step::words::Value;
use rspirv::spirv::{BuiltIn, Capability, Op};

impl Main<'_> {
    /// The lane's number in its quad.
    pub(crate) fn quad_lane(&mut self) -> Id {
        let (column, row) = (self.parity(0), self.parity(1));
        let (word, one) = (self.module.word(), self.module.constant(1));
        let row = self.op(Op::ShiftLeftLogical, word, &[row, one]);
        self.op(Op::BitwiseOr, word, &[column, row])
    }

    /// Whether the pixel is the right one (axis 0) or the lower one (axis 1) of its quad: 1 or 0.
    pub(crate) fn parity(&mut self, axis: u32) -> Id {
        let (float, word) = (self.module.float(), self.module.word());
        let ty = self.module.vector(float, 4);
        let position = self.built_in(BuiltIn::FragCoord, ty);
        let (pointer, place) =
            (self.module.pointer(rspirv::spirv::StorageClass::Input, float), self.module.constant(axis));
        let pointer = self.op(Op::AccessChain, pointer, &[position, place]);
        let value = self.op(Op::Load, float, &[pointer]);
        let number = self.op(Op::ConvertFToU, word, &[value]);
        let one = self.module.constant(1);
        self.op(Op::BitwiseAnd, word, &[number, one])
    }

    /// A word as the neighbour along an axis holds it.
    pub(crate) fn neighbour(&mut self, word: Id, axis: u32) -> Id {
        self.module.capability(Capability::DerivativeControl);
        let (ty, float, truth) = (self.module.word(), self.module.float(), self.module.bool());
        let parity = self.parity(axis);
        let zero = self.module.constant(0);
        let is_second = self.op(Op::INotEqual, truth, &[parity, zero]);
        let derivative = if axis == 0 { Op::DPdxFine } else { Op::DPdyFine };
        let half = |own: &mut Self, half: Id| {
            let number = own.op(Op::ConvertUToF, float, &[half]);
            let difference = own.op(derivative, float, &[number]);
            let minus = own.op(Op::FNegate, float, &[difference]);
            let toward = own.op(Op::Select, float, &[is_second, minus, difference]);
            let other = own.op(Op::FAdd, float, &[number, toward]);
            own.op(Op::ConvertFToU, ty, &[other])
        };
        let (low, sixteen) = (self.module.constant(0xffff), self.module.constant(16));
        let lower = self.op(Op::BitwiseAnd, ty, &[word, low]);
        let upper = self.op(Op::ShiftRightLogical, ty, &[word, sixteen]);
        let (lower, upper) = (half(self, lower), half(self, upper));
        let upper = self.op(Op::ShiftLeftLogical, ty, &[upper, sixteen]);
        self.op(Op::BitwiseOr, ty, &[upper, lower])
    }

    /// A word as the lane with number `own ^ mask` holds it.
    fn exchanged(&mut self, word: Id, mask: u8) -> Id {
        let beside = if mask & 1 != 0 { self.neighbour(word, 0) } else { word };
        if mask & 2 != 0 { self.neighbour(beside, 1) } else { beside }
    }

    pub(crate) fn quad(&mut self, kind: OpKind, ty: Ty, args: &[Value]) -> Value {
        if ty == Ty::Mask {
            let (word, truth) = (self.module.word(), self.module.bool());
            let (one, zero) = (self.module.constant(1), self.module.constant(0));
            let bit = self.op(Op::Select, word, &[args[0].low(), one, zero]);
            let found = match kind {
                OpKind::QuadAny | OpKind::QuadAll => {
                    let join = if kind == OpKind::QuadAny { Op::BitwiseOr } else { Op::BitwiseAnd };
                    let beside = self.exchanged(bit, 1);
                    let row = self.op(join, word, &[bit, beside]);
                    let below = self.exchanged(row, 2);
                    self.op(join, word, &[row, below])
                }
                _ => self.moved(kind, bit, args),
            };
            return Value::One(self.op(Op::INotEqual, truth, &[found, zero]));
        }
        let words: Vec<Id> = args[0].words().to_vec().into_iter().map(|word| self.moved(kind, word, args)).collect();
        if let [low, high] = words[..] { Value::Two([low, high]) } else { Value::One(words[0]) }
    }

    fn moved(&mut self, kind: OpKind, word: Id, args: &[Value]) -> Id {
        if let OpKind::QuadXor { mask } = kind {
            return self.exchanged(word, mask);
        }
        // The lane that is asked for, as a mask on the own number.
        let (ty, truth) = (self.module.word(), self.module.bool());
        let lane = self.quad_lane();
        let toggled = self.op(Op::BitwiseXor, ty, &[lane, args[1].low()]);
        let beside = self.exchanged(word, 1);
        let [row, crossed] = [word, beside].map(|word| self.exchanged(word, 2));
        let zero = self.module.constant(0);
        let [column_bit, row_bit] = [1, 2].map(|bit| {
            let bit = self.module.constant(bit);
            let set = self.op(Op::BitwiseAnd, ty, &[toggled, bit]);
            self.op(Op::INotEqual, truth, &[set, zero])
        });
        let same = self.op(Op::Select, ty, &[column_bit, beside, word]);
        let other = self.op(Op::Select, ty, &[column_bit, crossed, row]);
        self.op(Op::Select, ty, &[row_bit, other, same])
    }
}
