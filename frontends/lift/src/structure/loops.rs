//! Loops and dominators of reducible graphs, in nearly linear time.

use super::{Graph, Nodes};

/// No loop, no node.
pub(super) const NONE: usize = usize::MAX;

/// Edges between the nodes that can be reached.
pub(super) struct Edges {
    /// The nodes in reverse postorder.
    pub(super) order: Vec<usize>,
    /// Position in that order; [`NONE`] for what cannot be reached.
    pub(super) place: Vec<usize>,
    /// Predecessors.
    pub(super) before: Vec<Nodes>,
}

impl Edges {
    pub(super) fn of(graph: &Graph) -> Edges {
        let order = graph.order();
        let mut place = vec![NONE; graph.nodes.len()];
        for (n, &node) in order.iter().enumerate() {
            place[node] = n;
        }
        let mut before: Vec<Nodes> = vec![Nodes::new(); graph.nodes.len()];
        for &node in &order {
            for &to in &graph.nodes[node].next {
                before[to].push(node);
            }
        }
        Edges { order, place, before }
    }

    /// Whether an edge leads back.
    pub(super) fn back(&self, from: usize, to: usize) -> bool {
        self.place[to] <= self.place[from]
    }
}

/// The loops of a graph, by their heads.
pub(super) struct Loops {
    /// Head of the innermost loop around each node, other than the one it heads itself; [`NONE`] outside loops.
    pub(super) outer: Vec<usize>,
    pub(super) is_head: Vec<bool>,
    /// How many loops a loop stands in, at most.
    pub(super) depth: usize,
}

impl Loops {
    /// `None` if a cycle has several entries.
    pub(super) fn of(edges: &Edges) -> Option<Loops> {
        let count = edges.place.len();
        let mut outer = vec![NONE; count];
        let mut is_head = vec![false; count];
        // Inner loops first; a loop that is known stands for all of its members, and is entered at its head alone.
        let mut stands_for: Vec<usize> = (0..count).collect();
        let mut work = Vec::new();
        for &head in edges.order.iter().rev() {
            let back = edges.before[head].iter().copied().filter(|&from| edges.back(from, head));
            work.extend(back);
            is_head[head] = !work.is_empty();
            while let Some(from) = work.pop() {
                let member = find(&mut stands_for, from);
                if member == head {
                    continue;
                }
                // What comes before the head is not reached through it.
                if edges.place[member] < edges.place[head] {
                    return None;
                }
                stands_for[member] = head;
                outer[member] = head;
                work.extend(&edges.before[member]);
            }
        }
        let mut nesting = vec![0usize; count];
        for &node in &edges.order {
            let around = if outer[node] == NONE { 0 } else { nesting[outer[node]] };
            nesting[node] = around + usize::from(is_head[node]);
        }
        let depth = nesting.into_iter().max().unwrap_or(0);
        Some(Loops { outer, is_head, depth })
    }

    /// The innermost loop a node is in.
    pub(super) fn around(&self, node: usize) -> usize {
        if self.is_head[node] { node } else { self.outer[node] }
    }
}

fn find(stands_for: &mut [usize], mut node: usize) -> usize {
    while stands_for[node] != node {
        stands_for[node] = stands_for[stands_for[node]];
        node = stands_for[node];
    }
    node
}

/// Immediate dominators of a reducible graph: where control enters a cycle at one place only, back edges change none.
/// The first node is its own.
pub(super) fn dominators(edges: &Edges) -> Vec<usize> {
    let count = edges.place.len();
    let mut tree = Tree { above: vec![NONE; count], jump: vec![NONE; count], depth: vec![0; count] };
    let Some((&root, rest)) = edges.order.split_first() else { return tree.above };
    tree.above[root] = root;
    tree.jump[root] = root;
    for &node in rest {
        let forward = edges.before[node].iter().copied().filter(|&from| !edges.back(from, node));
        if let Some(above) = forward.reduce(|a, b| tree.meet(a, b)) {
            tree.add(node, above);
        }
    }
    tree.above
}

/// A tree that grows at its leaves. Every node also knows a node further up, chosen so that any node above is a
/// logarithmic number of steps away (E. Myers, "An applicative random-access stack", 1983).
struct Tree {
    above: Vec<usize>,
    jump: Vec<usize>,
    depth: Vec<usize>,
}

impl Tree {
    fn add(&mut self, node: usize, above: usize) {
        let jump = self.jump[above];
        let even = self.depth[above] - self.depth[jump] == self.depth[jump] - self.depth[self.jump[jump]];
        self.above[node] = above;
        self.jump[node] = if even { self.jump[jump] } else { above };
        self.depth[node] = self.depth[above] + 1;
    }

    /// The deepest node above both, or one of them.
    fn meet(&self, mut a: usize, mut b: usize) -> usize {
        if self.depth[a] < self.depth[b] {
            std::mem::swap(&mut a, &mut b);
        }
        while self.depth[a] > self.depth[b] {
            let jump = self.jump[a];
            a = if self.depth[jump] < self.depth[b] { self.above[a] } else { jump };
        }
        while a != b {
            // Equally deep nodes jump equally far.
            let (up, over) = (self.jump[a], self.jump[b]);
            (a, b) = if up == over { (self.above[a], self.above[b]) } else { (up, over) };
        }
        a
    }
}
