//! Bitwise groups: mask, shift1, count, logical, shift2 and test units.

use super::Ctx;
use crate::view::{Name, Source};
use crate::{group::Group, opcode::Opcode, operation::Operation};
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;

/// Spreads the low 16 bits of a word to its even bits: shifts, and the bits that stay.
const SPREAD: [(u32, u32); 4] = [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)];

/// What the units pass on.
#[derive(Copy, Clone, Debug, Default)]
struct Units {
    ft0: Option<ValueId>,
    ft1: Option<Deferred>,
    ft2: Option<Deferred>,
    ft3: Option<Deferred>,
    ft4: Option<Deferred>,
    ft5: Option<Deferred>,
}

impl Ctx<'_, '_> {
    /// A bitwise group. Units that are missing pass on: the mask unit zeros, the shifter s2, the counter the number of ones of
    /// what the shifter gives.
    pub(super) fn bitwise(&mut self, group: &Group) {
        let mut units = Units::default();
        for operation in &group.operations {
            match operation.opcode() {
                Opcode::Mask => self.mask(group, operation, &mut units),
                Opcode::MaskBypass | Opcode::MaskLiteral => {
                    let copied = self.operand(group, operation, Source::First);
                    units.ft1 = Some(match operation.opcode() {
                        Opcode::MaskLiteral => Deferred::word(operation.get(Name::Literal)),
                        _ => self.operand(group, operation, Source::Second),
                    });
                    units.ft0 = Some(self.l.force(copied, Type::I32));
                }
                Opcode::Shift1Bypass => units.ft2 = Some(self.operand(group, operation, Source::First)),
                Opcode::Shfl | Opcode::Rev | Opcode::Lsl1 => units.ft2 = Some(self.shift1(group, operation)),
                Opcode::Cbs | Opcode::Ftb | Opcode::FtbShi | Opcode::FtbMsb | Opcode::CountBypass => {
                    units.ft3 = Some(self.count(group, operation, &units));
                }
                Opcode::LogicalBypass => units.ft4 = Some(self.ft1(&units)),
                Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Nand | Opcode::Nor | Opcode::Xnor => {
                    units.ft4 = Some(self.logical(group, operation, &units));
                }
                Opcode::Tz | Opcode::Tnz => {
                    let val = if operation.has(Name::TestsFt3) { self.ft3(group, &units) } else { self.ft5(&units) };
                    let word = self.l.force(val, Type::I32);
                    let zero = self.l.b.i32(0);
                    let op = if operation.opcode() == Opcode::Tz { Op::Ieq } else { Op::Ine };
                    let outcome = self.l.b.int(op, &[word, zero]);
                    self.set(self.registers.p0, outcome);
                }
                _ => units.ft5 = Some(self.shift2(group, operation, &units)),
            }
        }
        if let Some(register) = group.output(0) {
            let val = match units.ft5.or(units.ft4) {
                Some(val) => val,
                None => self.ft1(&units),
            };
            self.write(register, val);
        }
        if let Some(register) = group.output(1) {
            let val = self.ft3(group, &units);
            self.write(register, val);
        }
    }

    fn ft1(&mut self, units: &Units) -> Deferred {
        units.ft1.unwrap_or(Deferred::word(0))
    }

    fn ft2(&mut self, group: &Group, units: &Units) -> ValueId {
        let val = units.ft2.unwrap_or_else(|| self.source(group, 2));
        self.l.force(val, Type::I32)
    }

    fn ft3(&mut self, group: &Group, units: &Units) -> Deferred {
        units.ft3.unwrap_or_else(|| {
            let word = self.ft2(group, units);
            self.l.b.int(Op::Popc, &[word]).into()
        })
    }

    fn ft5(&mut self, units: &Units) -> Deferred {
        units.ft5.or(units.ft4).unwrap_or(Deferred::word(0))
    }

    /// MSK: s0 ones from bit s1 on; ft0 is the top one's number.
    fn mask(&mut self, group: &Group, operation: &Operation, units: &mut Units) {
        let [width, position] = [Source::First, Source::Second].map(|source| self.word(group, operation, source));
        let b = &mut self.l.b;
        let [zero, one, all, thirty_two, sixty_three] = [0, 1, u32::MAX, 32, 63].map(|n| b.i32(n));
        let sum = b.int(Op::Iadd, &[width, position]);
        let top = b.int(Op::Isub, &[sum, one]);
        units.ft0 = Some(b.int(Op::Iand, &[top, sixty_three]));
        // Shifts take five bits of their amounts.
        let power = b.int(Op::Shl, &[one, width]);
        let some = b.int(Op::Isub, &[power, one]);
        let six = b.int(Op::Iand, &[width, thirty_two]);
        let is_wide = b.int(Op::Ine, &[six, zero]);
        let ones = b.select(is_wide, all, some);
        let placed = b.int(Op::Shl, &[ones, position]);
        let six = b.int(Op::Iand, &[position, thirty_two]);
        let is_high = b.int(Op::Ine, &[six, zero]);
        units.ft1 = Some(b.select(is_high, zero, placed).into());
    }

    fn shift1(&mut self, group: &Group, operation: &Operation) -> Deferred {
        let word = self.word(group, operation, Source::First);
        let value = match operation.opcode() {
            Opcode::Rev => self.l.b.int(Op::Brev, &[word]),
            Opcode::Lsl1 => {
                let amount = self.word(group, operation, Source::Second);
                self.l.b.int(Op::Shl, &[word, amount])
            }
            _ => {
                let other = self.word(group, operation, Source::Second);
                let (even, odd) = (self.spread(word), self.spread(other));
                let one = self.l.b.i32(1);
                let odd = self.l.b.int(Op::Shl, &[odd, one]);
                self.l.b.int(Op::Ior, &[even, odd])
            }
        };
        value.into()
    }

    fn spread(&mut self, word: ValueId) -> ValueId {
        let b = &mut self.l.b;
        let low = b.i32(0xffff);
        let mut word = b.int(Op::Iand, &[word, low]);
        for (shift, mask) in SPREAD {
            let (shift, mask) = (b.i32(shift), b.i32(mask));
            let moved = b.int(Op::Shl, &[word, shift]);
            let both = b.int(Op::Ior, &[word, moved]);
            word = b.int(Op::Iand, &[both, mask]);
        }
        word
    }

    fn count(&mut self, group: &Group, operation: &Operation, units: &Units) -> Deferred {
        let of_ft2 = operation.has(Name::CountsFt2);
        if operation.opcode() == Opcode::CountBypass {
            return match (of_ft2, units.ft2) {
                (true, Some(val)) => val,
                _ => self.operand(group, operation, Source::First),
            };
        }
        let word = if of_ft2 { self.ft2(group, units) } else { self.word(group, operation, Source::First) };
        let value = match operation.opcode() {
            Opcode::Cbs => self.l.b.int(Op::Popc, &[word]),
            Opcode::Ftb => self.l.b.int(Op::Umsb, &[word]),
            Opcode::FtbShi => self.l.b.int(Op::Imsb, &[word]),
            _ => {
                // Leading zeros, but -1 where there is no one.
                let top = self.l.b.int(Op::Umsb, &[word]);
                let (thirty_one, none) = (self.l.b.i32(31), self.l.b.i32(u32::MAX));
                let zeros = self.l.b.int(Op::Isub, &[thirty_one, top]);
                let is_none = self.l.b.int(Op::Ieq, &[top, none]);
                self.l.b.select(is_none, none, zeros)
            }
        };
        value.into()
    }

    fn logical(&mut self, group: &Group, operation: &Operation, units: &Units) -> Deferred {
        let mut first = self.ft2(group, units);
        let mut second = self.word(group, operation, Source::Second);
        let (masks_first, masks_second) = (operation.has(Name::MasksFt2), operation.has(Name::MasksS3));
        if masks_first || masks_second {
            let mask = self.ft1(units);
            let mask = self.l.force(mask, Type::I32);
            if masks_first {
                first = self.l.b.int(Op::Iand, &[mask, first]);
            }
            if masks_second {
                let inverted = self.l.b.int(Op::Inot, &[mask]);
                second = self.l.b.int(Op::Iand, &[inverted, second]);
            }
        }
        let (op, inverted) = match operation.opcode() {
            Opcode::And => (Op::Iand, false),
            Opcode::Nand => (Op::Iand, true),
            Opcode::Or => (Op::Ior, false),
            Opcode::Nor => (Op::Ior, true),
            Opcode::Xor => (Op::Ixor, false),
            _ => (Op::Ixor, true),
        };
        let value = self.l.b.int(op, &[first, second]);
        if inverted { self.l.b.int(Op::Inot, &[value]).into() } else { value.into() }
    }

    fn shift2(&mut self, group: &Group, operation: &Operation, units: &Units) -> Deferred {
        let val = units.ft4.unwrap_or(Deferred::word(0));
        let word = self.l.force(val, Type::I32);
        let amount = self.word(group, operation, Source::First);
        let value = match operation.opcode() {
            Opcode::Lsl2 => self.l.b.int(Op::Shl, &[word, amount]),
            Opcode::Shr => self.l.b.int(Op::Ushr, &[word, amount]),
            Opcode::Rol => self.l.b.int(Op::FunnelShl, &[word, word, amount]),
            Opcode::Cps => {
                let inverted = self.l.b.int(Op::Inot, &[word]);
                let cleared = self.l.b.int(Op::Iand, &[amount, inverted]);
                let p0 = self.l.read_as(self.registers.p0, Type::Pred);
                let zero = self.l.b.i32(0);
                let set = self.l.b.select(p0, word, zero);
                self.l.b.int(Op::Ior, &[cleared, set])
            }
            Opcode::AsrTwb => self.l.b.int(Op::Ishr, &[word, amount]),
            _ => {
                let sign = match operation.opcode() {
                    Opcode::AsrPwb => self.l.b.i32(15),
                    Opcode::AsrMtb => units.ft0.unwrap_or_else(|| self.l.b.i32(0)),
                    _ => {
                        let val = self.ft3(group, units);
                        self.l.force(val, Type::I32)
                    }
                };
                self.shift_signed(word, amount, sign)
            }
        };
        value.into()
    }

    /// An arithmetic shift of the bits up to a sign bit.
    fn shift_signed(&mut self, word: ValueId, amount: ValueId, sign: ValueId) -> ValueId {
        let b = &mut self.l.b;
        let thirty_one = b.i32(31);
        let sign = b.int(Op::Iand, &[sign, thirty_one]);
        let amount = b.int(Op::Iand, &[amount, thirty_one]);
        let above = b.int(Op::Isub, &[thirty_one, sign]);
        let up = b.int(Op::Shl, &[word, above]);
        let down = b.int(Op::Iadd, &[above, amount]);
        let down = b.int(Op::Umin, &[down, thirty_one]);
        b.int(Op::Ishr, &[up, down])
    }
}
