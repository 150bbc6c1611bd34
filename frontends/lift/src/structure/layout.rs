//! Reducible graphs along their dominator trees.

use super::loops::{Edges, Loops, dominators};
use super::{Graph, Kind, MAX_DEPTH, Node, OUT, Step};

/// Layout of a graph whose cycles have one entry each.
pub(super) struct Layout<'a> {
    graph: &'a Graph,
    edges: Edges,
    /// What each node carries behind it, inside the loop it heads if it heads one: children in the dominator tree that
    /// several edges lead to, the last place first.
    merges: Vec<Vec<usize>>,
    /// What stands behind the loop a node heads: where edges out of the loop lead to.
    exits: Vec<Vec<usize>>,
    /// Nodes that are reached by leaving a scope.
    is_jumped: Vec<bool>,
    is_head: Vec<bool>,
    work: Vec<Work>,
    /// Lists of steps that are not closed yet, the innermost last.
    open: Vec<Vec<Step>>,
}

/// What is still to be laid out. A list and not calls: what follows one another may be as long as the program.
enum Work {
    /// A node and everything laid out behind it.
    Tree { node: usize, depth: usize },
    /// A node, and what follows it without being jumped to.
    Body { node: usize, depth: usize },
    /// Ends the scope in front of a node.
    Scope(usize),
    /// Ends the loop a node heads.
    Loop(usize),
    /// Begins the second arm of a branch.
    Other,
    /// Ends both arms of the branch that ends a node.
    If(usize),
}

impl<'a> Layout<'a> {
    pub(super) fn new(graph: &'a Graph, edges: Edges, loops: Loops) -> Layout<'a> {
        let count = graph.nodes.len();
        let above = dominators(&edges);
        let mut is_jumped = vec![false; count];
        let mut merges: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut exits: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &node in edges.order[1..].iter().rev() {
            is_jumped[node] = edges.before[node].iter().filter(|&&from| !edges.back(from, node)).count() > 1;
            // The outermost loop that its dominator is in and it is not; the loops around a node are around its
            // dominator, too.
            let parent = above[node];
            let mut left = None;
            let mut at = loops.around(parent);
            while at != loops.outer[node] {
                left = Some(at);
                at = loops.outer[at];
            }
            if let Some(head) = left {
                is_jumped[node] = true;
                exits[head].push(node);
            } else if is_jumped[node] {
                merges[parent].push(node);
            }
        }
        let is_head = loops.is_head;
        Layout { graph, edges, merges, exits, is_jumped, is_head, work: Vec::new(), open: vec![Vec::new()] }
    }

    /// The program; `None` when it nests too deeply. Labels are node numbers: twice for the scope in front of a node,
    /// twice plus one for the loop it heads.
    pub(super) fn steps(mut self) -> Option<Vec<Step>> {
        self.work.push(Work::Tree { node: 0, depth: 0 });
        while let Some(work) = self.work.pop() {
            match work {
                Work::Tree { depth, .. } if depth > MAX_DEPTH => return None,
                Work::Tree { node, depth } => self.tree(node, depth),
                Work::Body { node, depth } => self.body(node, depth),
                Work::Scope(node) => {
                    let steps = self.close();
                    self.push(Step::Scope(2 * node as u32, steps));
                }
                Work::Loop(node) => {
                    let steps = self.close();
                    self.push(Step::Loop(2 * node as u32 + 1, steps));
                }
                Work::Other => self.open.push(Vec::new()),
                Work::If(node) => {
                    let other = self.close();
                    let then = self.close();
                    self.push(self.arms(node, then, other));
                }
            }
        }
        self.open.pop()
    }

    fn push(&mut self, step: Step) {
        if let Some(steps) = self.open.last_mut() {
            steps.push(step);
        }
    }

    fn close(&mut self) -> Vec<Step> {
        self.open.pop().unwrap_or_default()
    }

    fn tree(&mut self, node: usize, depth: usize) {
        let exits = std::mem::take(&mut self.exits[node]);
        let merges = std::mem::take(&mut self.merges[node]);
        self.behind(&exits, depth);
        let mut inner = depth + exits.len();
        if self.is_head[node] {
            self.work.push(Work::Loop(node));
            self.open.push(Vec::new());
            inner += 1;
        }
        self.behind(&merges, inner);
        self.work.push(Work::Body { node, depth: inner + merges.len() });
    }

    /// Opens a scope in front of each node, the first place innermost.
    fn behind(&mut self, nodes: &[usize], depth: usize) {
        for (n, &node) in nodes.iter().enumerate() {
            self.work.push(Work::Tree { node, depth: depth + n });
            self.work.push(Work::Scope(node));
            self.open.push(Vec::new());
        }
    }

    fn body(&mut self, mut node: usize, depth: usize) {
        loop {
            let Node { kind, next } = &self.graph.nodes[node];
            match *kind {
                Kind::Block(b) => self.push(Step::Block(b)),
                Kind::Select(n) => self.push(Step::Select(n)),
                Kind::Below(_) => {}
                Kind::End => self.push(Step::Break(OUT)),
            }
            let follower = match *next.as_slice() {
                [to] => match self.jump(node, to) {
                    Some(jump) => return self.push(jump),
                    None => to,
                },
                [then, other] => match (self.jump(node, then), self.jump(node, other)) {
                    (Some(a), Some(b)) => return self.push(self.arms(node, vec![a], vec![b])),
                    // An arm that leaves: what follows need not stand in the other.
                    (Some(a), None) => {
                        self.push(self.arms(node, vec![a], Vec::new()));
                        other
                    }
                    (None, Some(b)) => {
                        self.push(self.arms(node, Vec::new(), vec![b]));
                        then
                    }
                    (None, None) => {
                        self.work.push(Work::If(node));
                        self.work.push(Work::Tree { node: other, depth: depth + 1 });
                        self.work.push(Work::Other);
                        self.work.push(Work::Tree { node: then, depth: depth + 1 });
                        return self.open.push(Vec::new());
                    }
                },
                _ => return,
            };
            if self.is_head[follower] || !self.merges[follower].is_empty() {
                return self.work.push(Work::Tree { node: follower, depth });
            }
            node = follower;
        }
    }

    /// The branch that ends a node.
    fn arms(&self, node: usize, then: Vec<Step>, other: Vec<Step>) -> Step {
        match self.graph.nodes[node].kind {
            Kind::Below(n) => Step::IfBelow(n, then, other),
            Kind::Block(b) => Step::If(b, then, other),
            // Other nodes have one successor or none.
            Kind::Select(_) | Kind::End => Step::If(usize::MAX, then, other),
        }
    }

    fn jump(&self, from: usize, to: usize) -> Option<Step> {
        if self.edges.back(from, to) {
            Some(Step::Continue(2 * to as u32 + 1))
        } else if self.is_jumped[to] {
            Some(Step::Break(2 * to as u32))
        } else {
            None
        }
    }
}
