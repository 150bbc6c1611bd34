//! Control: branches, loops, and blocks that are left early, which become loops of one round.

use super::Select;
use super::rounds::rounds;
use crate::form::{Arg, Move, Node, Test, Value};
use crate::target::Truth;
use parallax_core::{OpId, OpKind, RegionId, ValueId};
use parallax_num::Op;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// A construct that is a loop of the target.
#[derive(Debug)]
pub(super) struct Construct {
    op: OpId,
    /// Values that say where a lane goes when this loop ends on its way out: to the end of another or to its next iteration.
    leaving: Vec<((OpId, bool), Value)>,
}

impl Select<'_> {
    /// Whether somebody may see what a value holds in lanes that do not execute an op while a neighbour does.
    fn shows(&self, op: OpId, value: ValueId) -> bool {
        self.crossed.as_ref().is_some_and(|crossed| crossed.shows(op, value))
    }

    /// Whether somebody leaves a block before its end.
    fn is_left(&self, block: OpId) -> bool {
        let mut found = false;
        let mut stack: Vec<RegionId> = self.func.ops[block].regions.iter().copied().collect();
        while let Some(region) = stack.pop() {
            for &op in &self.func.regions[region].ops {
                found |= self.func.ops[op].kind == OpKind::Break(block);
                stack.extend(self.func.ops[op].regions.iter().copied());
            }
        }
        found
    }

    /// Moves of what a terminator passes to results or parameters.
    fn pass(&mut self, to: &[ValueId], from: &[ValueId]) {
        let mut moves: Vec<Move> = Vec::new();
        for (&to, &from) in to.iter().zip(from) {
            if self.is_wide(to) {
                let words = self.words(from);
                moves.extend(self.own_words(to).into_iter().zip(words).map(|(to, from)| Move { to, from }));
                continue;
            }
            let from = self.arg_for(to, from);
            let from = self.movable(from);
            moves.push(Move { to: to_value(to), from });
        }
        if !moves.is_empty() {
            self.nodes.push(Node::Moves(moves));
        }
    }

    /// The values that a result or parameter gets in the program, which is passed to it.
    fn own_passed(&mut self, value: ValueId) {
        if self.is_wide(value) {
            let words = self.own_words(value);
            return self.hold_wide(value, words.map(Arg::value));
        }
        self.fits(self.func.ty(value));
        self.own(value);
    }

    /// The words of a number of 64 bits that is passed: its own value, and one behind those of the shader.
    fn own_words(&mut self, value: ValueId) -> [Value; 2] {
        let high = match self.highs.get(&value) {
            Some(&high) => high,
            None => {
                let high = self.fresh();
                self.highs.insert(value, high);
                high
            }
        };
        [to_value(value), high]
    }

    /// A region as statements of its own, up to its terminator.
    fn inner(&mut self, region: RegionId, yields_to: &[ValueId]) -> Vec<Node> {
        let outer = std::mem::take(&mut self.nodes);
        self.known.enter();
        self.region(region);
        let last = self.func.regions[region].ops.last().map(|&op| &self.func.ops[op]);
        if let Some(last) = last.filter(|last| last.kind == OpKind::Yield) {
            self.pass(yields_to, &last.args.clone());
        }
        self.known.leave();
        std::mem::replace(&mut self.nodes, outer)
    }

    /// An `if`, a loop or a block.
    pub(super) fn construct(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        let is_left = data.kind == OpKind::Block && self.is_left(op);
        let is_branch = data.kind != OpKind::Block || is_left;
        if data.kind == OpKind::If && !self.target.abilities.flow {
            return self.flattened(op);
        }
        if is_branch && !self.target.abilities.flow {
            let what = match data.kind {
                OpKind::If => "branches",
                OpKind::Loop => "loops",
                _ => "blocks that are left early",
            };
            self.refuse(format!("{what}: {} has none", self.target.title));
            return;
        }
        data.results.iter().for_each(|&result| self.own_passed(result));
        // What lanes hold that do not come by, where a neighbour may look.
        let shown: Vec<(ValueId, ValueId)> = data
            .results
            .iter()
            .zip(data.initial())
            .filter(|(result, _)| self.shows(op, **result))
            .map(|(&result, &initial)| (result, initial))
            .collect();
        let (to, from): (Vec<ValueId>, Vec<ValueId>) = shown.into_iter().unzip();
        self.pass(&to, &from);
        let results: Vec<ValueId> = data.results.to_vec();
        match data.kind {
            OpKind::If => {
                let (condition, test) = self.branch_condition(data.args[0]);
                let condition = self.unsigned(condition);
                let then = self.inner(data.regions[0], &results);
                let other = self.inner(data.regions[1], &results);
                self.nodes.push(Node::If { condition, test, then, other });
            }
            OpKind::Block if !is_left => {
                let mut body = self.inner(data.regions[0], &results);
                self.nodes.append(&mut body);
            }
            _ => self.looped(op, &results),
        }
    }

    /// A branch as both arms and a choice.
    fn flattened(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        if data.results.iter().any(|&result| self.shows(op, result)) {
            self.refuse(format!(
                "a branch that a neighbouring pixel looks into: {} has no branches",
                self.target.title
            ));
        }
        let truth = self.arg(data.args[0]);
        let not = self.combined(Op::Pnot, truth, None).unwrap_or(truth);
        let mut passed: Vec<Vec<ValueId>> = Vec::new();
        for (&region, guard) in data.regions.iter().zip([truth, not]) {
            self.guards.push(guard);
            self.region(region);
            self.guards.pop();
            let last = func.regions[region].ops.last().map(|&op| &func.ops[op]);
            match last.filter(|last| last.kind == OpKind::Yield) {
                Some(last) => passed.push(last.args.to_vec()),
                None => {
                    self.refuse(format!("branches that leave a loop or block: {} has none", self.target.title));
                    passed.push(data.results.to_vec());
                }
            }
        }
        for (n, &result) in data.results.iter().enumerate() {
            if !self.fits(func.ty(result)) {
                continue;
            }
            let [then, other] = [&passed[0], &passed[1]].map(|args| self.arg_for(result, args[n]));
            self.choose_between(truth, then, other, result);
        }
    }

    /// A condition without signs, which branches do not have.
    fn unsigned(&mut self, condition: Arg) -> Arg {
        // A predicate can be asked for its opposite.
        if !condition.has_signs() || self.target.abilities.truth == Truth::Predicate {
            condition
        } else {
            Arg::value(self.moved(condition, false))
        }
    }

    fn looped(&mut self, op: OpId, results: &[ValueId]) {
        let func = self.func;
        let data = &func.ops[op];
        let body = data.regions[0];
        let params: Vec<ValueId> = func.regions[body].params.to_vec();
        let first: Vec<ValueId> = data.args[..params.len()].to_vec();
        self.pass(&params, &first);
        params.iter().for_each(|&param| self.own_passed(param));
        let leaving: Vec<((OpId, bool), Value)> = self.leaving(op).into_iter().map(|to| (to, self.fresh())).collect();
        if !leaving.is_empty() {
            let not = self.truth(false);
            let moves = leaving.iter().map(|&(_, to)| Move { to, from: Arg::imm(not) }).collect();
            self.nodes.push(Node::Moves(moves));
        }
        self.loops.push(Construct { op, leaving });
        let mut nodes = self.inner(body, results);
        let ends = func.regions[body].ops.last().map(|&last| func.ops[last].kind);
        if data.kind == OpKind::Block && ends == Some(OpKind::Yield) {
            nodes.push(Node::Break { to: number(op) });
        }
        let done = self.loops.pop();
        let rounds = if data.kind == OpKind::Block { Some(1) } else { rounds(func, op) };
        // A loop of all rounds in one of all rounds, where one is not enough.
        let nested = self.target.abilities.rounds.filter(|&most| rounds.is_none_or(|rounds| rounds > most));
        if let Some(most) = nested
            && rounds.is_none_or(|rounds| rounds > most * most)
        {
            self.notes.inexact(format!(
                "a loop of which no count is known as one of {} rounds: other bits where a pixel goes on",
                most * most
            ));
        }
        let node = match nested {
            Some(most) => self.nested(op, most, nodes),
            None => Node::Loop { id: number(op), rounds, ends: false, body: nodes },
        };
        self.nodes.push(node);
        for ((to, again), value) in done.into_iter().flat_map(|done| done.leaving) {
            let test = self.truth_test();
            let then = vec![self.way_out(to, again)];
            let condition = Arg::value(value);
            self.nodes.push(Node::If { condition, test, then, other: Vec::new() });
        }
    }

    /// A loop as two, one in the other. Who leaves it sets a flag and leaves both; who has made all rounds of the inner one comes back.
    fn nested(&mut self, op: OpId, most: u32, body: Vec<Node>) -> Node {
        let flag = self.fresh();
        // Numbers behind those of all ops.
        let outer = self.func.ops.len() as u32 + number(op);
        let [not, yes] = [false, true].map(|holds| self.truth(holds));
        let set = |bits| Node::Moves(vec![Move { to: flag, from: Arg::imm(bits) }]);
        let id = number(op);
        let inner =
            Node::Loop { id, rounds: Some(most), ends: true, body: leaving(body, id, outer, Some((flag, &set(yes)))) };
        let left = Node::If {
            condition: Arg::value(flag),
            test: self.truth_test(),
            then: vec![Node::Break { to: outer }],
            other: Vec::new(),
        };
        Node::Loop { id: outer, rounds: Some(most), ends: true, body: vec![set(not), inner, left] }
    }

    /// How a branch looks at a flag.
    fn truth_test(&self) -> Test {
        match self.target.abilities.truth {
            Truth::Bits | Truth::Predicate => Test::Bits,
            Truth::Float => Test::Float,
        }
    }

    /// The jump that takes a lane to the end of a construct or to its next iteration, or nearer to it.
    fn way_out(&self, to: OpId, again: bool) -> Node {
        match (self.loops.last().is_some_and(|innermost| innermost.op == to), again) {
            (true, false) => Node::Break { to: number(to) },
            (true, true) => Node::Continue { to: number(to) },
            (false, again) => {
                let on_the_way = self.loops.iter().rev().take_while(|construct| construct.op != to);
                let flag = |construct: &Construct| {
                    let found = construct.leaving.iter().find(|(way, _)| *way == (to, again));
                    found.map(|&(_, flag)| flag)
                };
                Node::Leave { to: number(to), again, flags: on_the_way.filter_map(flag).collect() }
            }
        }
    }

    /// Where lanes go that leave a construct for one further out.
    fn leaving(&self, op: OpId) -> Vec<(OpId, bool)> {
        let mut inside = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack: Vec<RegionId> = self.func.ops[op].regions.iter().copied().collect();
        inside.insert(op);
        let mut jumps = Vec::new();
        while let Some(region) = stack.pop() {
            for &op in &self.func.regions[region].ops {
                match self.func.ops[op].kind {
                    OpKind::Break(to) => jumps.push((to, false)),
                    OpKind::Continue(to) => jumps.push((to, true)),
                    OpKind::Loop | OpKind::Block => {
                        inside.insert(op);
                    }
                    _ => {}
                }
                stack.extend(self.func.ops[op].regions.iter().copied());
            }
        }
        for jump in jumps {
            if !inside.contains(&jump.0) && !found.contains(&jump) {
                found.push(jump);
            }
        }
        found.sort_unstable_by_key(|&(to, again)| (number(to), again));
        found
    }

    /// A terminator that leaves.
    pub(super) fn jump(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        let (to, again) = match data.kind {
            OpKind::Break(to) => (to, false),
            OpKind::Continue(to) => (to, true),
            _ => return,
        };
        let targets: Vec<ValueId> = match again {
            false => func.ops[to].results.to_vec(),
            true => func.regions[func.ops[to].regions[0]].params.to_vec(),
        };
        self.pass(&targets, &data.args.clone());
        let yes = self.truth(true);
        let on_the_way = self.loops.iter().rev().take_while(|construct| construct.op != to);
        let flags: Vec<Move> = on_the_way
            .filter_map(|construct| construct.leaving.iter().find(|(way, _)| *way == (to, again)))
            .map(|&(_, to)| Move { to, from: Arg::imm(yes) })
            .collect();
        if !flags.is_empty() {
            self.nodes.push(Node::Moves(flags));
        }
        let node = self.way_out(to, again);
        if !self.target.abilities.again && matches!(node, Node::Continue { .. }) && !self.is_last(op) {
            self.refuse(format!("the next round of a loop from its middle: {} has none", self.target.title));
        }
        self.nodes.push(node);
    }

    /// Whether a terminator ends the body of the innermost loop itself.
    fn is_last(&self, op: OpId) -> bool {
        let Some(innermost) = self.loops.last() else { return false };
        let body = self.func.ops[innermost.op].regions[0];
        self.func.regions[body].ops.last() == Some(&op)
    }
}

/// The statements of a loop that has become the inner one of two: who leaves it leaves the outer one. `flag` says so, if they are those
/// of the loop itself and not of one inside.
fn leaving(nodes: Vec<Node>, inner: u32, outer: u32, flag: Option<(Value, &Node)>) -> Vec<Node> {
    let mut out = Vec::with_capacity(nodes.len());
    for node in nodes {
        let node = match node {
            Node::Break { to } if to == inner => Node::Leave { to: outer, again: false, flags: SmallVec::new() },
            // On the way there by a break of its own.
            Node::Leave { to, again: false, flags } if to == inner => Node::Leave { to: outer, again: false, flags },
            Node::If { condition, test, then, other } => {
                let [then, other] = [then, other].map(|nodes| leaving(nodes, inner, outer, flag));
                Node::If { condition, test, then, other }
            }
            Node::Loop { id, rounds, ends, body } => {
                Node::Loop { id, rounds, ends, body: leaving(body, inner, outer, None) }
            }
            other => other,
        };
        match (node, flag) {
            (Node::Leave { to, again, mut flags }, Some((flag, set))) => {
                out.push(set.clone());
                flags.push(flag);
                out.push(Node::Leave { to, again, flags });
            }
            (node, _) => out.push(node),
        }
    }
    out
}

/// The number of a construct.
fn number(op: OpId) -> u32 {
    use parallax_core::EntityRef;
    op.index() as u32
}

/// The value of the program that a result or parameter is.
fn to_value(value: ValueId) -> Value {
    use parallax_core::EntityRef;
    value.index() as u32
}
