//! Reducible graphs along their dominator trees.

use super::loops::{Edges, Loops, NONE, dominators};
use super::{Graph, Kind, MAX_DEPTH, Node, OUT, PerNode, Step};
use smallvec::smallvec;

/// Layout of a graph whose cycles have one entry each.
pub(super) struct Layout<'a> {
    graph: &'a Graph,
    edges: Edges,
    places: PerNode<Place>,
    work: PerNode<Work>,
    steps: Vec<Step>,
}

/// Where a node goes. A node stands in one list at most, which the next links.
#[derive(Copy, Clone)]
struct Place {
    /// What the node carries behind it, inside the loop it heads if it heads one: children in the dominator tree that
    /// several edges lead to, the last place first.
    merges: u32,
    /// What stands behind the loop it heads: where edges out of the loop lead to.
    exits: u32,
    next: u32,
    /// Whether it is reached by leaving a scope.
    is_jumped: bool,
    is_head: bool,
}

/// What is still to be laid out. A list and not calls: what follows one another may be as long as the program.
enum Work {
    /// A node and everything laid out behind it.
    Tree { node: u32, depth: usize },
    /// A node, and what follows it without being jumped to.
    Body { node: u32, depth: usize },
    /// Ends a scope or a loop, begins the second arm of a branch, ends both.
    Step(Step),
}

impl<'a> Layout<'a> {
    /// `steps`: what comes before the program.
    pub(super) fn new(graph: &'a Graph, edges: Edges, loops: &Loops, steps: Vec<Step>) -> Layout<'a> {
        let above = dominators(&edges);
        let free = Place { merges: NONE, exits: NONE, next: NONE, is_jumped: false, is_head: false };
        let mut places: PerNode<Place> = smallvec![free; graph.nodes.len()];
        for (place, &is_head) in places.iter_mut().zip(&loops.is_head) {
            place.is_head = is_head;
        }
        // Each is put in front, so that lists come out with the last place first.
        for &node in &edges.order[1..] {
            let entered = edges.before(node).iter().filter(|&&from| !edges.back(from, node)).count();
            let mut is_jumped = entered > 1;
            // The outermost loop that its dominator is in and it is not; the loops around a node are around its
            // dominator, too.
            let parent = above.above(node);
            let mut left = NONE;
            let mut at = loops.around(parent);
            while at != loops.outer[node as usize] {
                left = at;
                at = loops.outer[at as usize];
            }
            let list = if left != NONE {
                is_jumped = true;
                &mut places[left as usize].exits
            } else if is_jumped {
                &mut places[parent as usize].merges
            } else {
                continue;
            };
            let next = std::mem::replace(list, node);
            places[node as usize].next = next;
            places[node as usize].is_jumped = is_jumped;
        }
        Layout { graph, edges, places, work: PerNode::new(), steps }
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
                Work::Step(step) => self.steps.push(step),
            }
        }
        Some(self.steps)
    }

    fn tree(&mut self, node: u32, depth: usize) {
        let Place { merges, exits, is_head, .. } = self.places[node as usize];
        let mut inner = self.behind(exits, depth);
        if is_head {
            let label = 2 * node + 1;
            self.work.push(Work::Step(Step::EndLoop(label)));
            self.steps.push(Step::Loop(label));
            inner += 1;
        }
        let depth = self.behind(merges, inner);
        self.work.push(Work::Body { node, depth });
    }

    /// Opens a scope in front of each node of a list, the first place innermost; gives how deep that is.
    fn behind(&mut self, mut node: u32, mut depth: usize) -> usize {
        while node != NONE {
            self.work.push(Work::Tree { node, depth });
            self.work.push(Work::Step(Step::EndScope(2 * node)));
            self.steps.push(Step::Scope(2 * node));
            depth += 1;
            node = self.places[node as usize].next;
        }
        depth
    }

    fn body(&mut self, mut node: u32, depth: usize) {
        loop {
            let Node { kind, next } = self.graph.nodes[node as usize];
            match kind {
                Kind::Block(b) => self.steps.push(Step::Block(b as usize)),
                Kind::Select(n) => self.steps.push(Step::Select(n)),
                Kind::Below(_) => {}
                Kind::End => self.steps.push(Step::Break(OUT)),
            }
            let follower = match *next {
                [to] => match self.jump(node, to) {
                    Some(jump) => return self.steps.push(jump),
                    None => to,
                },
                [then, other] => {
                    self.steps.push(match kind {
                        Kind::Below(n) => Step::IfBelow(n),
                        Kind::Block(b) => Step::If(b as usize),
                        // Other nodes have one successor or none.
                        Kind::Select(_) | Kind::End => return,
                    });
                    match (self.jump(node, then), self.jump(node, other)) {
                        (Some(a), Some(b)) => return self.steps.extend([a, Step::Else, b, Step::EndIf]),
                        // An arm that leaves: what follows need not stand in the other.
                        (Some(a), None) => {
                            self.steps.extend([a, Step::Else, Step::EndIf]);
                            other
                        }
                        (None, Some(b)) => {
                            self.steps.extend([Step::Else, b, Step::EndIf]);
                            then
                        }
                        (None, None) => {
                            self.work.push(Work::Step(Step::EndIf));
                            self.work.push(Work::Tree { node: other, depth: depth + 1 });
                            self.work.push(Work::Step(Step::Else));
                            return self.work.push(Work::Tree { node: then, depth: depth + 1 });
                        }
                    }
                }
                _ => return,
            };
            let Place { is_head, merges, .. } = self.places[follower as usize];
            if is_head || merges != NONE {
                return self.work.push(Work::Tree { node: follower, depth });
            }
            node = follower;
        }
    }

    fn jump(&self, from: u32, to: u32) -> Option<Step> {
        if self.edges.back(from, to) {
            Some(Step::Continue(2 * to + 1))
        } else if self.places[to as usize].is_jumped {
            Some(Step::Break(2 * to))
        } else {
            None
        }
    }
}
