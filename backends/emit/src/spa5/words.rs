//! Conditions in registers, where more are kept at once than there are predicates: as all bits or none. A predicate is made of one in
//! front of each reader, and one of a predicate behind each comparison.

use super::forms::{Leaves, form, form_of, names};
use super::lower::Lowered;
use crate::form::{Arg, Base, Instr, Lanes, Move, Node, Operand, Precision, Signs, Single, Value};
use smallvec::SmallVec;

const SEL: &str = "SEL";
const NOT: &str = "LOP.NOT";

struct Words {
    /// Which values are predicates; those that were are none any more.
    predicates: Vec<bool>,
    were: Vec<bool>,
    out: Vec<Node>,
}

/// The same program with conditions in registers.
pub(super) fn in_words(lowered: Lowered) -> Lowered {
    let Lowered { body, predicates, groups, local, reads } = lowered;
    let mut words = Words { predicates: vec![false; predicates.len()], were: predicates, out: Vec::new() };
    let body = words.block(body);
    Lowered { body, predicates: words.predicates, groups, local, reads }
}

impl Words {
    fn fresh(&mut self, is_predicate: bool) -> Value {
        self.predicates.push(is_predicate);
        self.were.push(false);
        self.predicates.len() as Value - 1
    }

    fn push(&mut self, name: &str, operands: SmallVec<[Operand; 3]>, result: Value) {
        self.out.push(Node::Op(Box::new(Instr {
            row: form(name).row(),
            saturate: false,
            precise: false,
            precision: Precision::Full,
            lanes: Lanes::One,
            operands,
            results: [Some(result), None, None, None],
            texture: None,
            changes: false,
            origin: None,
        })));
    }

    /// A predicate in place of a condition in a register.
    fn predicate(&mut self, base: Base) -> Base {
        let Base::Value(value) = base else { return base };
        if !self.were[value as usize] {
            return base;
        }
        let predicate = self.fresh(true);
        let operands = [Arg::plain(base), Arg::imm(0)].map(Operand::one).into_iter().collect();
        self.push(names::TEST_WORD, operands, predicate);
        Base::Value(predicate)
    }

    fn block(&mut self, nodes: Vec<Node>) -> Vec<Node> {
        let outer = std::mem::take(&mut self.out);
        for node in nodes {
            self.node(node);
        }
        std::mem::replace(&mut self.out, outer)
    }

    fn node(&mut self, node: Node) {
        match node {
            Node::Single(single) => self.single(single),
            Node::Op(instr) => self.instr(*instr),
            Node::Moves(moves) => {
                let moves = moves.into_iter().map(|one| self.moved(one)).collect();
                self.out.push(Node::Moves(moves));
            }
            Node::If { condition, test, then, other } => {
                let condition = condition.with_base(self.predicate(condition.base()));
                let (then, other) = (self.block(then), self.block(other));
                self.out.push(Node::If { condition, test, then, other });
            }
            Node::Loop { id, rounds, ends, body } => {
                let body = self.block(body);
                self.out.push(Node::Loop { id, rounds, ends, body });
            }
            other => self.out.push(other),
        }
    }

    fn single(&mut self, mut single: Single) {
        let form = form_of(&single.row);
        for (_, arg) in single.args.iter_mut().enumerate().filter(|(n, _)| form.predicates >> n & 1 != 0) {
            *arg = arg.with_base(self.predicate(arg.base()));
        }
        if form.leaves != Leaves::Predicate {
            return self.out.push(Node::Single(single));
        }
        let predicate = self.fresh(true);
        let word = std::mem::replace(&mut single.result, predicate);
        self.out.push(Node::Single(single));
        self.word(predicate, word);
    }

    fn instr(&mut self, mut instr: Instr) {
        let form = form_of(&instr.row);
        for (n, operand) in instr.operands.iter_mut().enumerate() {
            if let (true, Some(base)) = (form.predicates >> n & 1 != 0, operand.lanes[0]) {
                operand.lanes[0] = Some(self.predicate(base));
            }
        }
        let result = instr.results[0].filter(|_| form.leaves == Leaves::Predicate);
        let Some(word) = result else {
            self.out.push(Node::Op(Box::new(instr)));
            return;
        };
        let predicate = self.fresh(true);
        instr.results[0] = Some(predicate);
        self.out.push(Node::Op(Box::new(instr)));
        self.word(predicate, word);
    }

    /// A condition in a register in place of a predicate.
    fn word(&mut self, predicate: Value, word: Value) {
        let not = Arg::new(Base::Value(predicate), Signs { negate: true, absolute: false });
        let operands = [not, Arg::imm(0), Arg::imm(u32::MAX)].map(Operand::one).into_iter().collect();
        self.push(SEL, operands, word);
    }

    /// A move of a condition; its opposite is made before.
    fn moved(&mut self, one: Move) -> Move {
        if !self.were[one.to as usize] || !one.from.signs().negate {
            return one;
        }
        if let Base::Imm(bits) = one.from.base() {
            return Move { from: Arg::imm(!bits), ..one };
        }
        let not = self.fresh(false);
        self.push(NOT, SmallVec::from_iter([Operand::one(Arg::plain(one.from.base()))]), not);
        Move { from: Arg::value(not), ..one }
    }
}
