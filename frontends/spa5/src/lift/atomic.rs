//! Atomics of global and shared memory.
//!
//! The IR has those of 32-bit integers as ops. Others are atomic loads, an operation and atomic stores, which the lanes of a warp do
//! one after the other in their order; nobody else runs at that time. So a sum of floats in memory rounds as every sum of the model does.

use super::Ctx;
use super::global::{Places, Space};
use super::operand::Modifiers;
use crate::fields::RZ;
use crate::op::Op as Instruction;
use crate::view::{Name, Operands};
use parallax_core::{Access, AtomicOp, OpKind, SysVal, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

/// Operations by number.
const EXCHANGE: u32 = 8;
/// Types by number.
const U32: u32 = 0;
const S32: u32 = 1;
const U64: u32 = 2;
const F32: u32 = 3;
const PAIR: u32 = 4;
const S64: u32 = 5;
const F64: u32 = 6;
/// Types of shared memory by number.
const SHARED_TYPES: [u32; 4] = [U32, S32, U64, S64];

/// The atomic of 32-bit integers of a number.
fn integer(operation: u32, signed: bool) -> Option<AtomicOp> {
    use AtomicOp::*;
    Some(match (operation, signed) {
        (0, _) => Add,
        (1, false) => MinU,
        (1, true) => MinI,
        (2, false) => MaxU,
        (2, true) => MaxI,
        (3, false) => IncWrap,
        (4, false) => DecWrap,
        (5, _) => And,
        (6, _) => Or,
        (7, _) => Xor,
        (EXCHANGE, _) => Exchange,
        _ => return None,
    })
}

/// The same of 64-bit integers.
fn wide(operation: u32, signed: bool) -> Option<Op> {
    Some(match (operation, signed) {
        (0, _) => Op::Iadd64,
        (1, false) => Op::Umin64,
        (1, true) => Op::Imin64,
        (2, false) => Op::Umax64,
        (2, true) => Op::Imax64,
        (5, _) => Op::Iand64,
        (6, _) => Op::Ior64,
        (7, _) => Op::Ixor64,
        _ => return None,
    })
}

/// What becomes of the words in memory.
#[derive(Copy, Clone)]
pub(super) enum Change {
    Word(AtomicOp),
    /// A pair of words becomes the operand.
    ExchangePair,
    /// A pair of words becomes the second operand where it equals the first.
    ComparePair,
    Wide(Op),
    /// A float in a word.
    Float(Op),
    /// Two halves in a word.
    Halves(Op),
    Double(Op),
}

impl Change {
    pub(super) fn words(self) -> u8 {
        match self {
            Change::Word(_) | Change::Float(_) | Change::Halves(_) => 1,
            Change::ExchangePair | Change::ComparePair | Change::Wide(_) | Change::Double(_) => 2,
        }
    }
}

impl Ctx<'_, '_> {
    /// ATOM, ATOMS and RED that combine what is in memory with an operand.
    pub(super) fn atomic(&mut self, i: Operands, op: Instruction) {
        let space = if op == Instruction::Atoms { Space::Shared } else { Space::Global };
        let (operation, ty) = (i.get(Name::Operation), i.get(Name::Type));
        let ty = if space == Space::Shared { SHARED_TYPES[ty as usize & 3] } else { ty };
        let Some(change) = self.change_of(operation, ty, None) else { return };
        let result = (op != Instruction::Red).then(|| i.d());
        let operand = if op == Instruction::Red { i.d() } else { i.b().register() };
        self.change(i, space, change, operand, RZ, result);
    }

    /// What an operation on a type does; one that `exchanges` compares first, words or pairs of them. Nothing, with an error, for those
    /// that are not documented.
    pub(super) fn change_of(&mut self, operation: u32, ty: u32, exchanges: Option<bool>) -> Option<Change> {
        let float = |op: Op| if operation == 0 { Some(op) } else { None };
        let change = match ty {
            U32 | S32 if exchanges == Some(false) => Some(Change::Word(AtomicOp::CompareExchange)),
            U64 | S64 if exchanges == Some(true) => Some(Change::ComparePair),
            _ if exchanges.is_some() => None,
            U32 | S32 => integer(operation, ty == S32).map(Change::Word),
            U64 | S64 if operation == EXCHANGE => Some(Change::ExchangePair),
            U64 | S64 => wide(operation, ty == S64).map(Change::Wide),
            F32 => float(Op::Add).map(Change::Float),
            PAIR => float(Op::Add).map(Change::Halves),
            F64 => float(Op::Add).map(Change::Double),
            _ => None,
        };
        if change.is_none() {
            self.refuse("this operation on this type is not executed: no document says what it gives");
        }
        change
    }

    /// ATOM.CAS and ATOMS.CAS. The form says which of the words is zero; else the new one stands behind the expected one.
    pub(super) fn compare_and_swap(&mut self, i: Operands, space: Space) {
        let (form, number) = (self.program.instrs[self.current].form(), i.b().register());
        let is_wide = i.has(Name::Wide);
        let (expected, new) = if form.ends_with("with zero") {
            (number, RZ)
        } else if form.ends_with("of zero") {
            (RZ, number)
        } else if number == RZ {
            (RZ, RZ)
        } else {
            (number, number.saturating_add(if is_wide { 2 } else { 1 }))
        };
        let change = if is_wide { Change::ComparePair } else { Change::Word(AtomicOp::CompareExchange) };
        self.change(i, space, change, expected, new, Some(i.d()));
    }

    fn change(&mut self, i: Operands, space: Space, change: Change, operand: u8, second: u8, result: Option<u8>) {
        let offset = i.signed(Name::Offset);
        let offset = if space == Space::Shared { offset.wrapping_mul(4) } else { offset };
        let bytes = 4 * u32::from(change.words());
        let Some(places) = self.places_at(i, space, offset, bytes, true) else { return };
        self.change_at(&places, change, operand, second, result);
        if let Some(number) = self.flipped_predicate(i) {
            let yes = self.l.b.pred(true);
            self.write_predicate(number, yes);
        }
    }

    /// Changes what is at places.
    pub(super) fn change_at(&mut self, places: &Places, change: Change, operand: u8, second: u8, result: Option<u8>) {
        let words = |own: &mut Self, number: u8| {
            [0, 1].map(|n| {
                let val = own.register_after(number, n);
                own.word_of(val)
            })
        };
        let (operand, second) = (words(self, operand), words(self, second));
        let old = match change {
            Change::Word(op) => {
                let mut found = Vec::new();
                for &(buffer, address) in places {
                    let all = [address, operand[0], second[0]];
                    let count = if op == AtomicOp::CompareExchange { 3 } else { 2 };
                    found.push(self.l.b.value(OpKind::Atomic { op, buffer }, None, &all[..count]));
                }
                vec![self.together(&found)]
            }
            _ => self.in_turn(change, places, operand, second),
        };
        if let Some(number) = result {
            for (n, value) in (0..).zip(old) {
                self.write_after(number, n, value);
            }
        }
    }

    /// Lets the lanes of a warp change memory one after the other; gives what each found.
    fn in_turn(
        &mut self,
        change: Change,
        places: &Places,
        operand: [ValueId; 2],
        second: [ValueId; 2],
    ) -> Vec<ValueId> {
        let count = u32::from(change.words());
        let old = self.l.add_variables(count);
        for n in 0..count {
            self.l.set(old.offset(n), Deferred::word(0));
        }
        let (lane, size) = (self.lane(), self.l.b.read_bits(OpKind::Sys(SysVal::SubgroupSize), &[]));
        let turns = self.l.begin_turns(lane, size);
        let found: Vec<ValueId> = (0..count).map(|n| self.word_at(places, n, Access::Atomic)).collect();
        for (n, &value) in (0..).zip(&found) {
            self.l.set(old.offset(n), value);
        }
        let changed = self.changed(change, &found, operand, second);
        for (n, value) in (0..).zip(changed) {
            self.set_word_at(places, n, value, true);
        }
        self.l.end_turns(turns);
        (0..count).map(|n| self.l.read_bits(old.offset(n))).collect()
    }

    fn joined(&mut self, [low, high]: [ValueId; 2]) -> ValueId {
        self.l.b.int(Op::Join, &[low, high])
    }

    fn parted(&mut self, pair: ValueId) -> Vec<ValueId> {
        vec![self.l.b.int(Op::Low, &[pair]), self.l.b.int(Op::High, &[pair])]
    }

    /// What memory holds afterwards.
    fn changed(
        &mut self,
        change: Change,
        found: &[ValueId],
        operand: [ValueId; 2],
        second: [ValueId; 2],
    ) -> Vec<ValueId> {
        let pair = |found: &[ValueId]| [found[0], found[found.len() - 1]];
        match change {
            Change::Word(_) => vec![operand[0]],
            Change::ExchangePair => operand.to_vec(),
            Change::ComparePair => {
                let (held, expected, new) = (self.joined(pair(found)), self.joined(operand), self.joined(second));
                let is_equal = self.l.b.int(Op::Ieq64, &[held, expected]);
                let value = self.l.b.select(is_equal, new, held);
                self.parted(value)
            }
            Change::Wide(op) => {
                let (held, operand) = (self.joined(pair(found)), self.joined(operand));
                let value = self.l.b.int(op, &[held, operand]);
                self.parted(value)
            }
            Change::Float(op) => {
                let flushed = Modifiers { flush: 1, ..Modifiers::default() };
                let slot = self.l.b.slot(flushed.slot(Decl::F32));
                let args = [found[0], operand[0]].map(|word| self.l.convert(word, Type::F32));
                let value = self.l.b.num(op, slot, &args);
                vec![self.l.convert(value, Type::I32)]
            }
            Change::Halves(op) => {
                let slot = self.l.b.slot(Modifiers::default().slot(Decl::F16));
                let parts = [0, 1].map(|n| {
                    let args = [found[0], operand[0]].map(|word| self.half_of_word(word, n));
                    let value = self.l.b.num(op, slot, &args);
                    self.word_of_half(value)
                });
                let sixteen = self.lit(16);
                vec![self.l.b.int(Op::Bfi, &[parts[0], parts[1], sixteen, sixteen])]
            }
            Change::Double(op) => {
                let slot = self.asked_double(0);
                let args = [pair(found), operand].map(|words| {
                    let pair = self.joined(words);
                    self.l.convert(pair, Type::Float(Decl::F64))
                });
                let value = self.l.b.num(op, slot, &args);
                let value = self.l.convert(value, Type::I64);
                self.parted(value)
            }
        }
    }

    /// The lower or the upper half of a word as a binary16 number.
    pub(super) fn half_of_word(&mut self, word: ValueId, n: u32) -> ValueId {
        let (at, sixteen) = (self.lit(16 * n), self.lit(16));
        let bits = self.l.b.int(Op::Ubfe, &[word, at, sixteen]);
        self.l.convert(bits, Type::Float(Decl::F16))
    }

    /// The pattern of a binary16 number in the lower half of a word.
    pub(super) fn word_of_half(&mut self, value: ValueId) -> ValueId {
        self.l.convert(value, Type::I32)
    }
}
