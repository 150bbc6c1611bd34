//! Arbitrary jumps become structured control.
//!
//! A reducible graph is laid out along its dominator tree without copying any block: a block several ways lead to stands
//! behind a scope that those ways leave; a block that is jumped back to heads a loop (N. Ramsey, "Beyond Relooper",
//! 2022, describes the layout). A cycle with several entries is first given a single one: every way to an entry writes
//! the entry's number into a selector and goes to a chain of tests, so the cycle becomes a loop around a switch on a
//! block number. The same, over all blocks at once, serves graphs that would nest too deeply.

mod layout;
#[cfg(test)]
mod tests;
mod trim;

use crate::{Lifter, Val};
use layout::Layout;
use parallax_core::ValueId;
use parallax_num::Op;
use std::collections::BTreeSet;

/// How a block ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Always goes to one block.
    Goto(usize),
    /// Goes to `then` where the block's condition holds, else to `other`.
    Branch {
        /// Where the condition holds.
        then: usize,
        /// Elsewhere.
        other: usize,
    },
    /// Ends the program.
    End,
}

/// A step of a structured program. Labels are unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The instructions of a block, without the jump that ends it.
    Block(usize),
    /// Two arms by the condition of a block, which was the last one run.
    If(usize, Vec<Step>, Vec<Step>),
    /// A loop; its end starts the next round.
    Loop(u32, Vec<Step>),
    /// A region that can be left.
    Scope(u32, Vec<Step>),
    /// Leaves a loop or scope.
    Break(u32),
    /// Starts the next round of a loop.
    Continue(u32),
    /// Writes the selector.
    Select(u32),
    /// Two arms by whether the selector is below a number.
    IfBelow(u32, Vec<Step>, Vec<Step>),
}

/// A structured program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<Step>,
    /// Cycles with several entries that needed a selector.
    pub irreducible: usize,
}

/// Label of the whole program.
const OUT: u32 = u32::MAX;

/// Deepest nesting of the dominator layout; graphs that nest deeper run as one switch.
const MAX_DEPTH: usize = 200;

/// What a node of the graph does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Block(usize),
    /// Writes the selector.
    Select(u32),
    /// Selector below this: first successor, else second.
    Below(u32),
    End,
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    next: Vec<usize>,
}

struct Graph {
    nodes: Vec<Node>,
    selectors: u32,
    irreducible: usize,
}

/// Structures a program; `ways[b]` is how block `b` ends, block 0 is where it starts. Blocks that cannot be reached
/// are left out.
///
/// # Panics
/// If a way leads to a block that is not there.
pub fn structure(ways: &[Way]) -> Plan {
    if ways.is_empty() {
        return Plan { steps: Vec::new(), irreducible: 0 };
    }
    let mut graph = Graph::new(ways);
    let all: BTreeSet<usize> = graph.order().into_iter().collect();
    graph.single_entries(&all, 0);
    let mut layout = Layout::new(&graph);
    let steps = layout.tree(0, 0).unwrap_or_else(|| switch(ways));
    let mut steps = vec![Step::Scope(OUT, steps)];
    trim::trim(&mut steps);
    Plan { steps, irreducible: graph.irreducible }
}

impl Graph {
    fn new(ways: &[Way]) -> Graph {
        let end = ways.len();
        let mut nodes: Vec<Node> = ways
            .iter()
            .enumerate()
            .map(|(b, way)| Node {
                kind: Kind::Block(b),
                next: match *way {
                    Way::Goto(to) => vec![to],
                    Way::Branch { then, other } if then == other => vec![then],
                    Way::Branch { then, other } => vec![then, other],
                    Way::End => vec![end],
                },
            })
            .collect();
        nodes.push(Node { kind: Kind::End, next: Vec::new() });
        Graph { nodes, selectors: 0, irreducible: 0 }
    }

    /// Reachable nodes in reverse postorder.
    fn order(&self) -> Vec<usize> {
        let mut state = vec![0usize; self.nodes.len()];
        let mut seen = vec![false; self.nodes.len()];
        let mut stack = vec![0];
        let mut post = Vec::new();
        seen[0] = true;
        while let Some(&node) = stack.last() {
            // The last successor first, so that the first one comes first in the reversed order.
            let next = &self.nodes[node].next;
            let at = state[node];
            if at == next.len() {
                post.push(node);
                stack.pop();
                continue;
            }
            state[node] += 1;
            let to = next[next.len() - 1 - at];
            if !seen[to] {
                seen[to] = true;
                stack.push(to);
            }
        }
        post.reverse();
        post
    }

    /// Gives every cycle inside `part` a single entry. `cut`: ways to this node do not count, it is the entry of the
    /// part.
    fn single_entries(&mut self, part: &BTreeSet<usize>, cut: usize) {
        let mut work = vec![(part.clone(), cut)];
        while let Some((part, cut)) = work.pop() {
            for cycle in self.cycles(&part, cut) {
                let entries = self.entries(&cycle);
                let (cycle, head) = match entries.as_slice() {
                    [only] => (cycle, *only),
                    _ => self.add_selector(cycle, &entries),
                };
                work.push((cycle, head));
            }
        }
    }

    /// Strongly connected parts of `part` with a cycle, ways to `cut` left out.
    fn cycles(&self, part: &BTreeSet<usize>, cut: usize) -> Vec<BTreeSet<usize>> {
        // Tarjan's algorithm with an explicit stack.
        let count = self.nodes.len();
        let mut index = vec![usize::MAX; count];
        let mut low = vec![0; count];
        let mut on_stack = vec![false; count];
        let mut stack = Vec::new();
        let mut found = Vec::new();
        let mut counter = 0;
        for &root in part {
            if index[root] != usize::MAX {
                continue;
            }
            let mut calls = vec![(root, 0)];
            while let Some(&mut (node, ref mut at)) = calls.last_mut() {
                if *at == 0 {
                    index[node] = counter;
                    low[node] = counter;
                    counter += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                if let Some(&to) = self.nodes[node].next.get(*at) {
                    *at += 1;
                    if to == cut || !part.contains(&to) {
                        continue;
                    }
                    if index[to] == usize::MAX {
                        calls.push((to, 0));
                    } else if on_stack[to] {
                        low[node] = low[node].min(index[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&mut (parent, _)) = calls.last_mut() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == index[node] {
                    let mut cycle = BTreeSet::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        cycle.insert(member);
                        if member == node {
                            break;
                        }
                    }
                    let own = cycle.len() > 1 || self.nodes[node].next.iter().any(|&to| to == node && to != cut);
                    if own {
                        found.push(cycle);
                    }
                }
            }
        }
        found
    }

    /// Nodes of a cycle that are reached from outside it (or where the program starts).
    fn entries(&self, cycle: &BTreeSet<usize>) -> Vec<usize> {
        let mut entries = BTreeSet::new();
        if cycle.contains(&0) {
            entries.insert(0);
        }
        for node in self.order() {
            if !cycle.contains(&node) {
                entries.extend(self.nodes[node].next.iter().copied().filter(|to| cycle.contains(to)));
            }
        }
        entries.into_iter().collect()
    }

    /// Leads every way to one of `entries` through a selector. The result is the cycle with what was added, and its
    /// new single entry.
    fn add_selector(&mut self, mut cycle: BTreeSet<usize>, entries: &[usize]) -> (BTreeSet<usize>, usize) {
        self.irreducible += 1;
        let first = self.selectors;
        self.selectors += entries.len() as u32;
        let before = self.nodes.len();
        // The program must not start inside: its start moves to a new node in place of the old one.
        let mut entries = entries.to_vec();
        if let Some(at) = entries.iter().position(|&e| e == 0) {
            let moved = self.nodes.len();
            let start = std::mem::replace(&mut self.nodes[0], Node { kind: Kind::Select(0), next: vec![moved] });
            self.nodes.push(start);
            for node in &mut self.nodes[1..] {
                node.next.iter_mut().filter(|to| **to == 0).for_each(|to| *to = moved);
            }
            cycle.remove(&0);
            cycle.insert(moved);
            entries[at] = moved;
        }
        let tests = self.chain(&entries, first);
        for from in 0..self.nodes.len() {
            let is_test = matches!(self.nodes[from].kind, Kind::Below(_)) && from >= before;
            if is_test {
                continue;
            }
            for way in 0..self.nodes[from].next.len() {
                let Some(at) = entries.iter().position(|&e| e == self.nodes[from].next[way]) else { continue };
                let select = self.nodes.len();
                self.nodes.push(Node { kind: Kind::Select(first + at as u32), next: vec![tests] });
                self.nodes[from].next[way] = select;
                if cycle.contains(&from) {
                    cycle.insert(select);
                }
            }
        }
        for node in before..self.nodes.len() {
            if matches!(self.nodes[node].kind, Kind::Below(_)) {
                cycle.insert(node);
            }
        }
        (cycle, tests)
    }

    /// A tree of tests that leads to `targets[n]` where the selector is `first + n`.
    fn chain(&mut self, targets: &[usize], first: u32) -> usize {
        match targets {
            [only] => *only,
            _ => {
                let (low, high) = targets.split_at(targets.len() / 2);
                let middle = first + low.len() as u32;
                let node = self.nodes.len();
                self.nodes.push(Node { kind: Kind::Below(middle), next: Vec::new() });
                let low = self.chain(low, first);
                let high = self.chain(high, middle);
                self.nodes[node].next = vec![low, high];
                node
            }
        }
    }
}

/// One loop around a switch on the block number.
fn switch(ways: &[Way]) -> Vec<Step> {
    const ROUND: u32 = 0;
    let to = |block: usize| vec![Step::Select(block as u32)];
    let arm = |block: usize| {
        let mut steps = vec![Step::Block(block)];
        match ways[block] {
            Way::Goto(next) => steps.extend(to(next)),
            Way::Branch { then, other } if then == other => steps.extend(to(then)),
            Way::Branch { then, other } => steps.push(Step::If(block, to(then), to(other))),
            Way::End => steps.push(Step::Break(OUT)),
        }
        steps
    };
    fn pick(low: usize, high: usize, arm: &dyn Fn(usize) -> Vec<Step>) -> Vec<Step> {
        if high - low == 1 {
            return arm(low);
        }
        let middle = low + (high - low) / 2;
        vec![Step::IfBelow(middle as u32, pick(low, middle, arm), pick(middle, high, arm))]
    }
    let round = pick(0, ways.len(), &arm);
    vec![Step::Select(0), Step::Loop(ROUND, round)]
}

/// What a plan is made of: the frontend's blocks.
pub trait Blocks<'f> {
    /// The lifter everything is emitted through.
    fn lifter(&mut self) -> &mut Lifter<'f>;

    /// Lifts the instructions of a block, without the jump that ends it.
    fn block(&mut self, block: usize);

    /// Emits the condition of the branch that ends a block, directly behind it.
    fn condition(&mut self, block: usize) -> ValueId;
}

impl Plan {
    /// Lifts the program.
    pub fn lift<'f>(&self, blocks: &mut impl Blocks<'f>) {
        let selector = blocks.lifter().add_cells(1);
        let mut open = Vec::new();
        lift(&self.steps, blocks, selector, &mut open);
    }
}

fn lift<'f>(
    steps: &[Step],
    blocks: &mut impl Blocks<'f>,
    selector: crate::CellId,
    open: &mut Vec<(u32, crate::Label)>,
) {
    for step in steps {
        if !blocks.lifter().live() {
            return;
        }
        match step {
            Step::Block(block) => blocks.block(*block),
            Step::If(_, then, other) | Step::IfBelow(_, then, other) => {
                let pred = match step {
                    Step::If(block, ..) => blocks.condition(*block),
                    Step::IfBelow(n, ..) => {
                        let l = blocks.lifter();
                        let value = l.read_bits(selector);
                        let limit = l.b.i32(*n);
                        l.b.int(Op::Ult, &[value, limit])
                    }
                    _ => continue,
                };
                blocks.lifter().begin_if(pred);
                lift(then, blocks, selector, open);
                if !other.is_empty() {
                    blocks.lifter().begin_else();
                    lift(other, blocks, selector, open);
                }
                blocks.lifter().end_if();
            }
            Step::Loop(label, body) => {
                open.push((*label, blocks.lifter().begin_loop()));
                lift(body, blocks, selector, open);
                open.pop();
                blocks.lifter().end_loop();
            }
            Step::Scope(label, body) => {
                open.push((*label, blocks.lifter().begin_block()));
                lift(body, blocks, selector, open);
                open.pop();
                blocks.lifter().end_block();
            }
            Step::Break(label) | Step::Continue(label) => {
                let Some(&(_, target)) = open.iter().rev().find(|o| o.0 == *label) else { continue };
                match step {
                    Step::Break(_) => blocks.lifter().break_to(target),
                    _ => blocks.lifter().continue_to(target),
                }
            }
            Step::Select(n) => {
                let l = blocks.lifter();
                let word = Val::word(*n);
                l.set(selector, word);
            }
        }
    }
}
