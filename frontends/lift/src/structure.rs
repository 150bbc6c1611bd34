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

use crate::{Deferred, Lifter};
use entries::single_entries;
use layout::Layout;
use loops::{Edges, Loops};
use parallax_core::ValueId;
use parallax_num::Op;
use smallvec::{SmallVec, smallvec};

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

/// A step of a structured program. Labels are unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The instructions of a block, without the jump that ends it.
    Block(usize),
    /// Two arms by the condition of a block, which was the last one run.
    If(usize, Vec<Step>, Vec<Step>),
    /// A loop; its end starts the next iteration.
    Loop(u32, Vec<Step>),
    /// A region that can be left.
    Scope(u32, Vec<Step>),
    /// Leaves a loop or scope.
    Break(u32),
    /// Starts the next iteration of a loop.
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

/// A few nodes: most have two neighbours at most.
type Nodes = SmallVec<[usize; 2]>;

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    next: Nodes,
}

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
    let steps = layout(&mut graph).unwrap_or_else(|| switch(successors));
    let mut steps = vec![Step::Scope(OUT, steps)];
    trim::trim(&mut steps);
    Plan { steps, irreducible: graph.irreducible }
}

/// The blocks of a program that neither branches nor comes back, in their order.
fn straight(successors: &[Successors]) -> Option<Vec<Step>> {
    let (mut steps, mut at) = (Vec::new(), 0);
    while steps.len() < successors.len() {
        steps.push(Step::Block(at));
        at = match successors[at] {
            Successors::Goto(to) => to,
            Successors::Branch { then, other } if then == other => then,
            Successors::Branch { .. } => return None,
            Successors::End => return Some(steps),
        };
    }
    None
}

/// The layout along dominators, or `None` where that nests too deeply.
fn layout(graph: &mut Graph) -> Option<Vec<Step>> {
    let mut edges = Edges::of(graph);
    let loops = match Loops::of(&edges) {
        Some(loops) => loops,
        None if single_entries(graph) => {
            edges = Edges::of(graph);
            Loops::of(&edges)?
        }
        None => return None,
    };
    // Every loop around a place nests it.
    if loops.depth > MAX_DEPTH { None } else { Layout::new(graph, edges, loops).steps() }
}

impl Graph {
    fn new(successors: &[Successors]) -> Graph {
        let end = successors.len();
        let mut nodes: Vec<Node> = successors
            .iter()
            .enumerate()
            .map(|(b, way)| Node {
                kind: Kind::Block(b),
                next: match *way {
                    Successors::Goto(to) => smallvec![to],
                    Successors::Branch { then, other } if then == other => smallvec![then],
                    Successors::Branch { then, other } => smallvec![then, other],
                    Successors::End => smallvec![end],
                },
            })
            .collect();
        nodes.push(Node { kind: Kind::End, next: Nodes::new() });
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
}

/// One loop around a switch on the block number.
fn switch(successors: &[Successors]) -> Vec<Step> {
    const SWITCH: u32 = 0;
    let to = |block: usize| vec![Step::Select(block as u32)];
    let arm = |block: usize| {
        let mut steps = vec![Step::Block(block)];
        match successors[block] {
            Successors::Goto(next) => steps.extend(to(next)),
            Successors::Branch { then, other } if then == other => steps.extend(to(then)),
            Successors::Branch { then, other } => steps.push(Step::If(block, to(then), to(other))),
            Successors::End => steps.push(Step::Break(OUT)),
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
    let body = pick(0, successors.len(), &arm);
    vec![Step::Select(0), Step::Loop(SWITCH, body)]
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
        let mut open = Vec::new();
        lift(&self.steps, blocks, selector, &mut open);
    }
}

fn lift<'f>(steps: &[Step], blocks: &mut impl Blocks<'f>, selector: crate::VarId, open: &mut Vec<(u32, crate::Label)>) {
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
                if let Some(block) = first_block(body) {
                    blocks.begin_loop(block);
                }
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
                let word = Deferred::word(*n);
                l.set(selector, word);
            }
        }
    }
}

/// The block that steps begin with; one of them where a choice comes first.
fn first_block(steps: &[Step]) -> Option<usize> {
    steps.iter().find_map(|step| match step {
        Step::Block(block) => Some(*block),
        Step::Loop(_, body) | Step::Scope(_, body) => first_block(body),
        Step::If(_, then, other) | Step::IfBelow(_, then, other) => first_block(then).or_else(|| first_block(other)),
        Step::Break(_) | Step::Continue(_) | Step::Select(_) => None,
    })
}
