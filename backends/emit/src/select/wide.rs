//! Numbers of 64 bits: two words, the low one first. What computes with them has them in the first two components of registers, or in
//! two registers one after the other.

use super::{Held, Select};
use crate::form::{Arg, Instr, Lanes, Node, Operand, Precision, Signs};
use crate::target::{Meaning, Row};
use parallax_core::{EntityRef, OpId, OpKind, Type, ValueId};
use parallax_num::{Contract, Decl, Kind, Op, Saturate, Slot};
use smallvec::SmallVec;

/// The words of a number.
pub(super) type Words = [Arg; 2];

/// An operand of an operation with numbers of 64 bits.
#[derive(Copy, Clone, Debug)]
pub(super) enum Taken {
    Word(Arg),
    Wide(Words),
}

impl Select<'_> {
    /// Whether a value is a number of 64 bits that the target computes with.
    pub(super) fn is_wide(&self, value: ValueId) -> bool {
        self.target.abilities.wide && matches!(self.func.ty(value), Type::I64 | Type::Float(Decl::F64))
    }

    /// Whether an op reads or gives such numbers.
    pub(super) fn has_wide(&self, op: OpId) -> bool {
        let data = &self.func.ops[op];
        data.results.iter().chain(&data.args).any(|&value| self.is_wide(value))
    }

    /// An op with such numbers.
    pub(super) fn wide(&mut self, op: OpId) {
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::Literal(bits) => {
                self.hold_wide(data.results[0], [bits, bits >> 32].map(|word| Arg::imm(word as u32)));
            }
            OpKind::Select => self.choose_wide(op),
            OpKind::Num(num) => self.compute_wide(op, num),
            OpKind::If | OpKind::Loop | OpKind::Block => self.construct(op),
            OpKind::Break(_) | OpKind::Continue(_) => self.jump(op),
            // Whoever it yields to takes what it passes.
            OpKind::Yield => {}
            kind => self.refuse(format!("`{}` of 64 bits: not written for {} yet", kind.word(), self.target.title)),
        }
    }

    pub(super) fn hold_wide(&mut self, value: ValueId, words: Words) {
        self.held[value.index()] = Some(Held::Wide(self.words.len() as u32));
        self.words.push(words);
    }

    pub(super) fn words(&self, value: ValueId) -> Words {
        match self.held[value.index()] {
            Some(Held::Wide(number)) => self.words[number as usize],
            _ => [Arg::imm(0); 2],
        }
    }

    /// An operand without signs, as words have none.
    pub(super) fn unsigned_word(&mut self, arg: Arg) -> Arg {
        if !arg.has_signs() { arg } else { Arg::value(self.moved(arg, false)) }
    }

    /// What an instruction on single components gives.
    pub(super) fn word_of(&mut self, row: Row, args: &[Arg]) -> Arg {
        let fresh = self.fresh();
        Arg::value(self.each(row, Slot::plain(Decl::F32), args, fresh))
    }

    /// A choice between two numbers, word by word.
    fn choose_wide(&mut self, op: OpId) {
        let data = &self.func.ops[op];
        let (result, condition) = (data.results[0], data.args[0]);
        let [then, other] = [1, 2].map(|n| self.words(data.args[n]));
        if then == other {
            return self.hold_wide(result, then);
        }
        let truth = match self.comparison(condition) {
            Some((num, a, b)) => self.compared(num, a, b),
            None => Some(self.arg(condition)),
        };
        let (Some(truth), Some(row)) = (truth, self.chooses()) else {
            return self.missing("select");
        };
        let words = [0, 1].map(|n| match then[n] == other[n] {
            true => then[n],
            false => self.word_of(row, &[truth, then[n], other[n]]),
        });
        self.hold_wide(result, words);
    }

    fn compute_wide(&mut self, op: OpId, num: Op) {
        let data = &self.func.ops[op];
        let result = data.results[0];
        let slot = match data.slot {
            Some(slot) => {
                let Some(slot) = self.simple(self.func.slots[slot]) else { return };
                slot
            }
            None => Slot::plain(Decl::F64),
        };
        let mut taken: SmallVec<[Taken; 3]> = SmallVec::new();
        for &arg in &data.args {
            taken.push(match self.is_wide(arg) {
                true => Taken::Wide(self.words(arg)),
                false => Taken::Word(self.arg(arg)),
            });
        }
        let is_plain = slot.saturate == Saturate::None;
        match (num, &taken[..]) {
            (Op::Join, &[Taken::Word(low), Taken::Word(high)]) => {
                let words = [low, high].map(|word| self.unsigned_word(word));
                return self.hold_wide(result, words);
            }
            (Op::Zext64, &[Taken::Word(low)]) => {
                let low = self.unsigned_word(low);
                return self.hold_wide(result, [low, Arg::imm(0)]);
            }
            (Op::Low, &[Taken::Wide([word, _])]) | (Op::High, &[Taken::Wide([_, word])]) => {
                return self.hold(result, word);
            }
            // Registers hold bits.
            (Op::BitsOf64 | Op::BitsTo64, &[Taken::Wide(words)]) => return self.hold_wide(result, words),
            (Op::Cvt, &[Taken::Wide(words)]) if is_plain && self.is_wide(result) => {
                self.notes.inexact(
                    "a conversion to the format that a value has as a move: other bits under rules that flush or quiet",
                );
                return self.hold_wide(result, words);
            }
            _ => {}
        }
        let made = match num.info().result {
            Kind::Pred => self.compare_wide(num, slot, &taken).map(|word| [word, word]),
            _ => self.wide_number(num, slot, &taken),
        };
        match made {
            Some(words) if self.is_wide(result) => self.hold_wide(result, words),
            Some([word, _]) => self.hold(result, word),
            // The same word may stand for an operation on 32 bits, which the target has.
            None if num.has_slot() => {
                self.refuse(format!("`{}` of 64 bits: {} has no such operation", num.name(), self.target.title));
            }
            None => self.missing(num.name()),
        }
    }

    /// A comparison, as all bits or none or as a predicate.
    pub(super) fn compare_wide(&mut self, num: Op, slot: Slot, taken: &[Taken]) -> Option<Arg> {
        let &[a, b] = taken else { return None };
        let (op, outcome, args) = match num {
            Op::FGt => (Op::FLt, true, [b, a]),
            Op::FLe => (Op::FGe, true, [b, a]),
            Op::Ule64 => (Op::Ult64, false, [b, a]),
            Op::Ile64 => (Op::Ilt64, false, [b, a]),
            op => (op, true, [a, b]),
        };
        let row = self.rows.get(Meaning::WideBits(op, outcome))?;
        Some(self.instruction(row, slot, &args, false)[0])
    }

    /// What an operation gives: both words of a number, or a word.
    pub(super) fn wide_number(&mut self, num: Op, slot: Slot, taken: &[Taken]) -> Option<Words> {
        use Taken::{Wide, Word};
        let is_double = !num.has_slot() || slot.decl == Decl::F64;
        if let Some(row) = self.rows.get(Meaning::Wide(num, is_double)) {
            let is_wide = num.info().result == Kind::I64 || num.info().result == Kind::F && is_double;
            return Some(self.instruction(row, slot, taken, is_wide));
        }
        let each = |select: &Self, op| select.rows.get(Meaning::Each(op));
        match (num, taken) {
            (Op::Iand64 | Op::Ior64 | Op::Ixor64, &[Wide(a), Wide(b)]) => {
                let op = match num {
                    Op::Iand64 => Op::Iand,
                    Op::Ior64 => Op::Ior,
                    _ => Op::Ixor,
                };
                let row = each(self, op)?;
                Some([0, 1].map(|n| self.word_of(row, &[a[n], b[n]])))
            }
            (Op::Inot64, &[Wide(a)]) => {
                let row = each(self, Op::Inot)?;
                Some(a.map(|word| self.word_of(row, &[word])))
            }
            (Op::Isub64, &[a, b]) => {
                let negated = self.wide_number(Op::Ineg64, slot, &[b])?;
                self.wide_number(Op::Iadd64, slot, &[a, Wide(negated)])
            }
            // Without instructions of their own, by the word that has the sign.
            (Op::Neg | Op::Abs, &[Wide([low, high])]) => {
                let (op, mask) = if num == Op::Neg { (Op::Ixor, 1 << 31) } else { (Op::Iand, u32::MAX >> 1) };
                let (low, row) = (self.unsigned_word(low), each(self, op)?);
                Some([low, self.word_of(row, &[high, Arg::imm(mask)])])
            }
            (Op::Fma, _) => {
                let row = self.rows.get(Meaning::Wide(Op::Mad, is_double))?;
                self.notes.inexact_elsewhere("`fma` as MAD: other bits under rules whose multiply-add rounds twice");
                Some(self.instruction(row, slot, taken, true))
            }
            (Op::Frac, &[a]) => {
                self.notes.inexact_elsewhere(
                    "`frac` as floor and a difference: other bits under rules whose fraction is clamped or has a sign",
                );
                let plain = Slot { saturate: Saturate::None, ..slot };
                let whole = self.wide_number(Op::Floor, plain, &[a])?;
                let negated = self.wide_number(Op::Neg, plain, &[Wide(whole)])?;
                self.wide_number(Op::Add, slot, &[a, Wide(negated)])
            }
            (Op::Sub, &[a, b]) => {
                self.notes.inexact("`sub` as ADD of the negated operand: NaN operands keep the other sign");
                let plain = Slot { saturate: Saturate::None, ..slot };
                let negated = self.wide_number(Op::Neg, plain, &[b])?;
                self.wide_number(Op::Add, slot, &[a, Wide(negated)])
            }
            (Op::Umsb64, &[Wide([low, high])]) => {
                let (of_word, add) = (each(self, Op::Umsb)?, each(self, Op::Iadd)?);
                let choose = self.rows.get(Meaning::Select(Op::Ine))?;
                let [in_low, in_high] = [low, high].map(|word| self.word_of(of_word, &[word]));
                let in_high = self.word_of(add, &[in_high, Arg::imm(32)]);
                let index = self.word_of(choose, &[high, in_high, in_low]);
                Some([index, Arg::imm(0)])
            }
            // By words of 32 bits: what is carried into the high half is the sum of three of them.
            (Op::UmulHi64, &[Wide(a), Wide(b)]) => {
                let half = |word| Wide([word, Arg::imm(0)]);
                let mut product = |x: usize, y: usize| self.wide_number(Op::Imul64, slot, &[half(a[x]), half(b[y])]);
                let (low, first, second, high) = (product(0, 0)?, product(0, 1)?, product(1, 0)?, product(1, 1)?);
                let mut sum = |x: Taken, y: Taken| self.wide_number(Op::Iadd64, slot, &[x, y]);
                let carried = sum(half(low[1]), half(first[0]))?;
                let carried = sum(Wide(carried), half(second[0]))?;
                let total = sum(Wide(high), half(first[1]))?;
                let total = sum(Wide(total), half(second[1]))?;
                sum(Wide(total), half(carried[1]))
            }
            (Op::BitsOf64, &[Word(low)]) => {
                let low = self.unsigned_word(low);
                Some([low, Arg::imm(0)])
            }
            _ => self.long_number(num, slot, taken),
        }
    }

    /// An instruction; gives both words of its result, the second of which is nothing where that is a word.
    pub(super) fn instruction(&mut self, row: Row, slot: Slot, taken: &[Taken], is_wide: bool) -> Words {
        let mut operands: SmallVec<[Operand; 3]> = SmallVec::new();
        for (n, &taken) in taken.iter().enumerate() {
            operands.push(match taken {
                Taken::Word(arg) => Operand::one(self.signed(row, n, arg)),
                Taken::Wide([low, high]) => {
                    Operand { lanes: [Some(low.base()), Some(high.base()), None, None], signs: Signs::default() }
                }
            });
        }
        let (low, high) = (self.fresh(), self.fresh());
        self.nodes.push(Node::Op(Box::new(Instr {
            row,
            saturate: slot.saturate == Saturate::Unsigned,
            precise: slot.contract == Contract::Never,
            precision: Precision::Full,
            lanes: Lanes::Fixed,
            operands,
            results: [Some(low), is_wide.then_some(high), None, None],
            texture: None,
            changes: false,
            origin: self.origin,
        })));
        [low, high].map(Arg::value)
    }
}
