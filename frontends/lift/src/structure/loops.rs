//! Loops and dominators of reducible graphs, in nearly linear time.

use super::{Graph, PerNode};
use smallvec::smallvec;

/// No loop, no node.
pub(super) const NONE: u32 = u32::MAX;

/// Edges between the nodes that can be reached.
pub(super) struct Edges {
    /// The nodes in reverse postorder.
    pub(super) order: PerNode<u32>,
    /// Position in that order; [`NONE`] for what cannot be reached.
    place: PerNode<u32>,
    /// Where the predecessors of each node begin in `from`, and where the last ones end.
    starts: PerNode<u32>,
    from: PerNode<u32>,
}

impl Edges {
    pub(super) fn of(graph: &Graph) -> Edges {
        let (order, count) = (graph.order(), graph.nodes.len());
        let mut place: PerNode<u32> = smallvec![NONE; count];
        // Predecessors are counted two places further on, so that filling them in leaves where each begin.
        let mut starts: PerNode<u32> = smallvec![0; count + 2];
        for (n, &node) in (0..).zip(&order) {
            place[node as usize] = n;
            for &to in &*graph.nodes[node as usize].next {
                starts[to as usize + 2] += 1;
            }
        }
        for n in 2..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut from: PerNode<u32> = smallvec![0; starts[count + 1] as usize];
        for &node in &order {
            for &to in &*graph.nodes[node as usize].next {
                let at = &mut starts[to as usize + 1];
                from[*at as usize] = node;
                *at += 1;
            }
        }
        Edges { order, place, starts, from }
    }

    /// Predecessors.
    pub(super) fn before(&self, node: u32) -> &[u32] {
        &self.from[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// Whether an edge leads back.
    pub(super) fn back(&self, from: u32, to: u32) -> bool {
        self.place[to as usize] <= self.place[from as usize]
    }
}

/// The loops of a graph, by their heads.
pub(super) struct Loops {
    /// Head of the innermost loop around each node, other than the one it heads itself; [`NONE`] outside loops.
    pub(super) outer: PerNode<u32>,
    pub(super) is_head: PerNode<bool>,
    /// How many loops a loop stands in, at most.
    pub(super) depth: u32,
}

impl Loops {
    /// `None` if a cycle has several entries.
    pub(super) fn of(edges: &Edges) -> Option<Loops> {
        let count = edges.place.len();
        let mut outer: PerNode<u32> = smallvec![NONE; count];
        let mut is_head: PerNode<bool> = smallvec![false; count];
        // Inner loops first; a loop that is known stands for all of its members, and is entered at its head alone.
        let mut stands_for: PerNode<u32> = (0..count as u32).collect();
        let mut work: PerNode<u32> = PerNode::new();
        let mut any = false;
        for &head in edges.order.iter().rev() {
            work.extend(edges.before(head).iter().copied().filter(|&from| edges.back(from, head)));
            is_head[head as usize] = !work.is_empty();
            any |= !work.is_empty();
            while let Some(from) = work.pop() {
                let member = find(&mut stands_for, from);
                if member == head {
                    continue;
                }
                // What comes before the head is not reached through it.
                if edges.place[member as usize] < edges.place[head as usize] {
                    return None;
                }
                stands_for[member as usize] = head;
                outer[member as usize] = head;
                work.extend_from_slice(edges.before(member));
            }
        }
        let mut depth = 0;
        if any {
            // Those found are not needed any more.
            let mut nesting = stands_for;
            for &node in &edges.order {
                let around = outer[node as usize];
                let around = if around == NONE { 0 } else { nesting[around as usize] };
                nesting[node as usize] = around + u32::from(is_head[node as usize]);
                depth = depth.max(nesting[node as usize]);
            }
        }
        Some(Loops { outer, is_head, depth })
    }

    /// The innermost loop a node is in.
    pub(super) fn around(&self, node: u32) -> u32 {
        if self.is_head[node as usize] { node } else { self.outer[node as usize] }
    }
}

fn find(stands_for: &mut [u32], mut node: u32) -> u32 {
    while stands_for[node as usize] != node {
        stands_for[node as usize] = stands_for[stands_for[node as usize] as usize];
        node = stands_for[node as usize];
    }
    node
}

/// Immediate dominators of a reducible graph: where control enters a cycle at one place only, back edges change none.
/// The first node is its own.
pub(super) fn dominators(edges: &Edges) -> Tree {
    let mut tree = Tree { nodes: smallvec![Dominated { above: NONE, jump: NONE, depth: 0 }; edges.place.len()] };
    let Some((&root, rest)) = edges.order.split_first() else { return tree };
    tree.nodes[root as usize] = Dominated { above: root, jump: root, depth: 0 };
    for &node in rest {
        let forward = edges.before(node).iter().copied().filter(|&from| !edges.back(from, node));
        if let Some(above) = forward.reduce(|a, b| tree.meet(a, b)) {
            tree.add(node, above);
        }
    }
    tree
}

/// A tree that grows at its leaves. Every node also knows a node further up, chosen so that any node above is a
/// logarithmic number of steps away (E. Myers, "An applicative random-access stack", 1983).
pub(super) struct Tree {
    nodes: PerNode<Dominated>,
}

#[derive(Copy, Clone)]
struct Dominated {
    above: u32,
    jump: u32,
    depth: u32,
}

impl Tree {
    /// The node directly above.
    pub(super) fn above(&self, node: u32) -> u32 {
        self.nodes[node as usize].above
    }

    fn add(&mut self, node: u32, above: u32) {
        let at = |node: u32| self.nodes[node as usize];
        let up = at(above);
        let over = at(up.jump);
        let even = up.depth - over.depth == over.depth - at(over.jump).depth;
        let jump = if even { over.jump } else { above };
        self.nodes[node as usize] = Dominated { above, jump, depth: up.depth + 1 };
    }

    /// The deepest node above both, or one of them.
    fn meet(&self, mut a: u32, mut b: u32) -> u32 {
        let at = |node: u32| self.nodes[node as usize];
        if at(a).depth < at(b).depth {
            std::mem::swap(&mut a, &mut b);
        }
        let depth = at(b).depth;
        while at(a).depth > depth {
            let Dominated { above, jump, .. } = at(a);
            a = if at(jump).depth < depth { above } else { jump };
        }
        while a != b {
            // Equally deep nodes jump equally far.
            let (up, over) = (at(a), at(b));
            (a, b) = if up.jump == over.jump { (up.above, over.above) } else { (up.jump, over.jump) };
        }
        a
    }
}
