//! Arbitrary jumps become structured control.
//!
//! A reducible graph is laid out along its dominator tree without copying any block: a block several edges lead to stands
//! behind a scope that those edges leave; a block that is jumped back to heads a loop (N. Ramsey, "Beyond Relooper",
//! 2022, describes the layout). A cycle with several entries is first given a single one: every edge to an entry writes
//! the entry's number into a selector and goes to a chain of tests, so the cycle becomes a loop around a switch on a
//! block number. The same, over all blocks at once, serves graphs that would nest too deeply.

mod entries;
mod layout;
mod loops;
#[cfg(test)]
mod tests;
mod trim;

use crate::{Deferred, Label, Lifter};
use entries::single_entries;
use layout::Layout;
use loops::{Edges, Loops};
use parallax_core::ValueId;
use parallax_num::Op;
use smallvec::{SmallVec, smallvec};
use std::ops::Deref;

/// How a block ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Successors {
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

/// A step of a structured program. Labels are unique. What begins ends in the same list: arms, loops and scopes nest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The instructions of a block, without the jump that ends it.
    Block(usize),
    /// Begins two arms by the condition of a block, which was the last one run.
    If(usize),
    /// Begins two arms by whether the selector is below a number.
    IfBelow(u32),
    /// Begins the second arm; without it, that arm does nothing.
    Else,
    /// Ends both arms.
    EndIf,
    /// Begins a loop.
    Loop(u32),
    /// Ends a loop: starts the next iteration.
    EndLoop(u32),
    /// Begins a region that can be left.
    Scope(u32),
    /// Ends it.
    EndScope(u32),
    /// Leaves a loop or scope.
    Break(u32),
    /// Starts the next iteration of a loop.
    Continue(u32),
    /// Writes the selector.
    Select(u32),
}

impl Step {
    /// How much deeper what follows nests.
    fn nests(self) -> i32 {
        match self {
            Step::If(_) | Step::IfBelow(_) | Step::Loop(_) | Step::Scope(_) => 1,
            Step::EndIf | Step::EndLoop(_) | Step::EndScope(_) => -1,
            Step::Block(_) | Step::Else | Step::Break(_) | Step::Continue(_) | Step::Select(_) => 0,
        }
    }
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
    Block(u32),
    /// Writes the selector.
    Select(u32),
    /// Selector below this: first successor, else second.
    Below(u32),
    End,
}

#[derive(Copy, Clone, Debug)]
struct Node {
    kind: Kind,
    next: Next,
}

/// The successors of a node: two at most.
#[derive(Copy, Clone, Debug)]
struct Next {
    count: u8,
    nodes: [u32; 2],
}

impl Next {
    const NONE: Next = Next { count: 0, nodes: [0; 2] };

    fn one(node: u32) -> Next {
        Next { count: 1, nodes: [node; 2] }
    }

    fn two(then: u32, other: u32) -> Next {
        Next { count: 2, nodes: [then, other] }
    }

    /// Leads to another node what led to one.
    fn turn(&mut self, from: u32, to: u32) {
        self.nodes.iter_mut().filter(|node| **node == from).for_each(|node| *node = to);
    }
}

impl Deref for Next {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.nodes[..usize::from(self.count)]
    }
}

/// An entry for each node: most graphs have no more.
type PerNode<T> = SmallVec<[T; 16]>;

struct Graph {
    nodes: Vec<Node>,
    selectors: u32,
    irreducible: usize,
}

/// Structures a program; `successors[b]` is how block `b` ends, block 0 is where it starts. Blocks that cannot be reached
/// are left out.
///
/// # Panics
/// If an edge leads to a block that is not there.
pub fn structure(successors: &[Successors]) -> Plan {
    if successors.is_empty() {
        return Plan { steps: Vec::new(), irreducible: 0 };
    }
    if let Some(steps) = straight(successors) {
        return Plan { steps, irreducible: 0 };
    }
    let mut graph = Graph::new(successors);
    let mut steps = layout(&mut graph).unwrap_or_else(|| switch(successors));
    steps.push(Step::EndScope(OUT));
    trim::trim(&mut steps, 2 * graph.nodes.len());
    Plan { steps, irreducible: graph.irreducible }
}

/// The blocks of a program that neither branches nor comes back, in their order.
fn straight(successors: &[Successors]) -> Option<Vec<Step>> {
    let next = |block: usize| match successors[block] {
        Successors::Goto(to) => Some(Some(to)),
        Successors::Branch { then, other } => (then == other).then_some(Some(then)),
        Successors::End => Some(None),
    };
    let (mut count, mut at) = (1, 0);
    while let Some(to) = next(at)? {
        (count, at) = (count + 1, to);
        if count > successors.len() {
            return None;
        }
    }
    let blocks = std::iter::successors(Some(0), |&block| next(block).flatten());
    let mut steps = Vec::with_capacity(count);
    steps.extend(blocks.map(Step::Block));
    Some(steps)
}

/// The layout along dominators inside the scope of the program, or `None` where that nests too deeply.
fn layout(graph: &mut Graph) -> Option<Vec<Step>> {
    let mut edges = Edges::of(graph);
    let loops = match Loops::of(&edges) {
        Some(loops) => loops,
        None if single_entries(graph, &edges) => {
            edges = Edges::of(graph);
            Loops::of(&edges)?
        }
        None => return None,
    };
    // Every loop around a place nests it.
    if loops.depth as usize > MAX_DEPTH {
        return None;
    }
    let mut steps = Vec::with_capacity(4 * graph.nodes.len());
    steps.push(Step::Scope(OUT));
    Layout::new(graph, edges, &loops, steps).steps()
}

impl Graph {
    fn new(successors: &[Successors]) -> Graph {
        let end = successors.len() as u32;
        let mut nodes: Vec<Node> = Vec::with_capacity(successors.len() + 1);
        nodes.extend((0..).zip(successors).map(|(b, way)| Node {
            kind: Kind::Block(b),
            next: match *way {
                Successors::Goto(to) => Next::one(to as u32),
                Successors::Branch { then, other } if then == other => Next::one(then as u32),
                Successors::Branch { then, other } => Next::two(then as u32, other as u32),
                Successors::End => Next::one(end),
            },
        }));
        nodes.push(Node { kind: Kind::End, next: Next::NONE });
        Graph { nodes, selectors: 0, irreducible: 0 }
    }

    /// Reachable nodes in reverse postorder.
    fn order(&self) -> PerNode<u32> {
        let mut seen: PerNode<bool> = smallvec![false; self.nodes.len()];
        let mut post: PerNode<u32> = PerNode::with_capacity(self.nodes.len());
        // Nodes, and how many ways out of each were taken.
        let mut stack: PerNode<(u32, usize)> = smallvec![(0, 0)];
        seen[0] = true;
        while let Some((node, taken)) = stack.last_mut() {
            // The last successor first, so that the first one comes first in the reversed order.
            let next = &self.nodes[*node as usize].next;
            if *taken == next.len() {
                post.push(*node);
                stack.pop();
                continue;
            }
            *taken += 1;
            let to = next[next.len() - *taken];
            if !std::mem::replace(&mut seen[to as usize], true) {
                stack.push((to, 0));
            }
        }
        post.reverse();
        post
    }
}

/// One loop around a switch on the block number.
fn switch(successors: &[Successors]) -> Vec<Step> {
    const SWITCH: u32 = 0;
    fn arm(block: usize, successors: &[Successors], steps: &mut Vec<Step>) {
        let to = |block: usize| Step::Select(block as u32);
        steps.push(Step::Block(block));
        match successors[block] {
            Successors::Goto(next) => steps.push(to(next)),
            Successors::Branch { then, other } if then == other => steps.push(to(then)),
            Successors::Branch { then, other } => {
                steps.extend([Step::If(block), to(then), Step::Else, to(other), Step::EndIf]);
            }
            Successors::End => steps.push(Step::Break(OUT)),
        }
    }
    fn pick(low: usize, high: usize, successors: &[Successors], steps: &mut Vec<Step>) {
        if high - low == 1 {
            return arm(low, successors, steps);
        }
        let middle = low + (high - low) / 2;
        steps.push(Step::IfBelow(middle as u32));
        pick(low, middle, successors, steps);
        steps.push(Step::Else);
        pick(middle, high, successors, steps);
        steps.push(Step::EndIf);
    }
    let mut steps = vec![Step::Scope(OUT), Step::Select(0), Step::Loop(SWITCH)];
    pick(0, successors.len(), successors, &mut steps);
    steps.push(Step::EndLoop(SWITCH));
    steps
}

/// What a plan is made of: the frontend's blocks.
pub trait Blocks<'f> {
    /// The lifter everything is emitted through.
    fn lifter(&mut self) -> &mut Lifter<'f>;

    /// Says that a loop is opened next whose iterations begin with a block: what is emitted for it comes from there.
    fn begin_loop(&mut self, block: usize);

    /// Lifts the instructions of a block, without the jump that ends it.
    fn block(&mut self, block: usize);

    /// Emits the condition of the branch that ends a block, directly behind it.
    fn condition(&mut self, block: usize) -> ValueId;
}

impl Plan {
    /// Lifts the program.
    pub fn lift<'f>(&self, blocks: &mut impl Blocks<'f>) {
        let selector = blocks.lifter().add_variables(1);
        let mut open: SmallVec<[(u32, Label); 8]> = SmallVec::new();
        let find = |open: &[(u32, Label)], label: u32| open.iter().rev().find(|o| o.0 == label).map(|o| o.1);
        let mut at = 0;
        while let Some(&step) = self.steps.get(at) {
            let is_end = matches!(step, Step::Else) || step.nests() < 0;
            if !is_end && !blocks.lifter().live() {
                // What no lane gets to, up to where the list ends.
                at += rest_of_list(&self.steps[at..]);
                continue;
            }
            at += 1;
            match step {
                Step::Block(block) => blocks.block(block),
                Step::If(block) => {
                    let pred = blocks.condition(block);
                    blocks.lifter().begin_if(pred);
                }
                Step::IfBelow(n) => {
                    let l = blocks.lifter();
                    let value = l.read_bits(selector);
                    let limit = l.b.i32(n);
                    let pred = l.b.int(Op::Ult, &[value, limit]);
                    l.begin_if(pred);
                }
                Step::Else => blocks.lifter().begin_else(),
                Step::EndIf => blocks.lifter().end_if(),
                Step::Loop(label) => {
                    let body = self.steps[at..].iter().take_while(|step| **step != Step::EndLoop(label));
                    let mut inside =
                        body.filter_map(|step| if let Step::Block(block) = *step { Some(block) } else { None });
                    // One of them where a choice comes first.
                    if let Some(block) = inside.next() {
                        blocks.begin_loop(block);
                    }
                    open.push((label, blocks.lifter().begin_loop()));
                }
                Step::EndLoop(_) => {
                    open.pop();
                    blocks.lifter().end_loop();
                }
                Step::Scope(label) => open.push((label, blocks.lifter().begin_block())),
                Step::EndScope(_) => {
                    open.pop();
                    blocks.lifter().end_block();
                }
                Step::Break(label) => {
                    if let Some(target) = find(&open, label) {
                        blocks.lifter().break_to(target);
                    }
                }
                Step::Continue(label) => {
                    if let Some(target) = find(&open, label) {
                        blocks.lifter().continue_to(target);
                    }
                }
                Step::Select(n) => blocks.lifter().set(selector, Deferred::word(n)),
            }
        }
    }
}

/// How many steps stand in front of the one that ends the list in which they begin.
fn rest_of_list(steps: &[Step]) -> usize {
    let mut depth = 0;
    let end = steps.iter().position(|step| {
        let ends = depth == 0 && (*step == Step::Else || step.nests() < 0);
        depth += step.nests();
        ends
    });
    end.unwrap_or(steps.len())
}
