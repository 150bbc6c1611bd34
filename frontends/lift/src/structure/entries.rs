//! Cycles with several entries get a single one.

use super::loops::Edges;
use super::{Graph, Kind, MAX_DEPTH, Next, Node, PerNode};
use smallvec::{SmallVec, smallvec};

/// A few nodes.
type Nodes = SmallVec<[u32; 4]>;

/// A cycle of a graph: nodes that all reach each other, and where it is entered.
struct Cycle {
    nodes: PerNode<u32>,
    /// Edges to this node do not count.
    head: u32,
    /// Cycles around it.
    depth: usize,
}

/// Gives every cycle of a graph a single entry. Where cycles nest deeper than a layout may, the result is false and
/// some are left as they were.
pub(super) fn single_entries(graph: &mut Graph, edges: &Edges) -> bool {
    let count = graph.nodes.len();
    let before = (0..count as u32).map(|node| Nodes::from_slice(edges.before(node))).collect();
    let mut entries = Entries { inside: smallvec![0; count], position: smallvec![0; count], before, parts: 0, graph };
    let mut work: SmallVec<[Cycle; 4]> = smallvec![Cycle { nodes: edges.order.clone(), head: 0, depth: 0 }];
    while let Some(part) = work.pop() {
        if part.depth > MAX_DEPTH {
            return false;
        }
        for nodes in entries.cycles(&part) {
            entries.parts += 1;
            for &node in &nodes {
                entries.inside[node as usize] = entries.parts;
            }
            let found = entries.entries(&nodes);
            let (nodes, head) = match found.as_slice() {
                [only] => (nodes, *only),
                _ => entries.add_selector(nodes, found),
            };
            work.push(Cycle { nodes, head, depth: part.depth + 1 });
        }
    }
    true
}

struct Entries<'a> {
    graph: &'a mut Graph,
    /// Predecessors, kept true as nodes are added.
    before: PerNode<Nodes>,
    /// Number of the innermost cycle found so far that each node is in; parts that are still to be looked at share no
    /// node.
    inside: PerNode<usize>,
    /// Where each node stands in the part that is looked at.
    position: PerNode<usize>,
    parts: usize,
}

impl Entries<'_> {
    /// Strongly connected parts of `part` with a cycle, edges to its head left out.
    fn cycles(&mut self, part: &Cycle) -> SmallVec<[PerNode<u32>; 2]> {
        // Tarjan's algorithm with an explicit stack, on positions in the part.
        for (n, &node) in part.nodes.iter().enumerate() {
            self.position[node as usize] = n;
        }
        let next = |at: usize, way: usize| -> Option<Option<usize>> {
            let node = part.nodes[at];
            let &to = self.graph.nodes[node as usize].next.get(way)?;
            let counts = to != part.head && self.inside[to as usize] == self.inside[node as usize];
            Some(counts.then(|| self.position[to as usize]))
        };
        let count = part.nodes.len();
        let mut index: PerNode<usize> = smallvec![usize::MAX; count];
        let mut low: PerNode<usize> = smallvec![0; count];
        let mut on_stack: PerNode<bool> = smallvec![false; count];
        let mut stack: PerNode<usize> = PerNode::new();
        let mut calls: PerNode<(usize, usize)> = PerNode::new();
        let mut found = SmallVec::new();
        let mut counter = 0;
        for root in 0..count {
            if index[root] != usize::MAX {
                continue;
            }
            calls.push((root, 0));
            while let Some(&mut (at, ref mut way)) = calls.last_mut() {
                if *way == 0 {
                    index[at] = counter;
                    low[at] = counter;
                    counter += 1;
                    stack.push(at);
                    on_stack[at] = true;
                }
                if let Some(to) = next(at, *way) {
                    *way += 1;
                    match to {
                        Some(to) if index[to] == usize::MAX => calls.push((to, 0)),
                        Some(to) if on_stack[to] => low[at] = low[at].min(index[to]),
                        _ => {}
                    }
                    continue;
                }
                calls.pop();
                if let Some(&mut (parent, _)) = calls.last_mut() {
                    low[parent] = low[parent].min(low[at]);
                }
                if low[at] == index[at] {
                    let mut cycle = PerNode::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        cycle.push(part.nodes[member]);
                        if member == at {
                            break;
                        }
                    }
                    let node = part.nodes[at];
                    if cycle.len() > 1 || node != part.head && self.graph.nodes[node as usize].next.contains(&node) {
                        found.push(cycle);
                    }
                }
            }
        }
        found
    }

    /// Nodes of the newest cycle that are reached from outside it (or where the program starts), in order.
    fn entries(&self, cycle: &[u32]) -> Nodes {
        let outside = |&from: &u32| self.inside[from as usize] != self.parts;
        let mut entries: Nodes =
            cycle.iter().copied().filter(|&n| n == 0 || self.before[n as usize].iter().any(outside)).collect();
        entries.sort_unstable();
        entries
    }

    fn add(&mut self, kind: Kind, next: Next, inside: usize) -> u32 {
        let node = self.graph.nodes.len() as u32;
        for &to in &*next {
            self.before[to as usize].push(node);
        }
        self.graph.nodes.push(Node { kind, next });
        self.before.push(Nodes::new());
        self.inside.push(inside);
        self.position.push(0);
        node
    }

    /// Has an edge lead elsewhere.
    fn turn(&mut self, from: u32, to: u32, instead: u32) {
        self.graph.nodes[from as usize].next.turn(to, instead);
        self.before[instead as usize].push(from);
    }

    /// Leads every edge to one of `entries` through a selector. The result is the cycle with what was added, and its
    /// new single entry.
    fn add_selector(&mut self, mut cycle: PerNode<u32>, mut entries: Nodes) -> (PerNode<u32>, u32) {
        self.graph.irreducible += 1;
        let first = self.graph.selectors;
        self.graph.selectors += entries.len() as u32;
        let inside = self.parts;
        // The program must not start inside: its start moves to a new node in place of the old one.
        if entries.first() == Some(&0) {
            let start = self.graph.nodes[0];
            let moved = self.add(start.kind, start.next, inside);
            for &to in &*start.next {
                self.before[to as usize].retain(|from| *from != 0);
            }
            self.graph.nodes[0] = Node { kind: Kind::Select(0), next: Next::one(moved) };
            for from in std::mem::take(&mut self.before[0]) {
                self.turn(from, 0, moved);
            }
            self.before[moved as usize].push(0);
            self.inside[0] = 0;
            cycle.retain(|node| *node != 0);
            cycle.push(moved);
            entries[0] = moved;
        }
        let edges: SmallVec<[Nodes; 4]> =
            entries.iter().map(|&e| std::mem::take(&mut self.before[e as usize])).collect();
        let tests = self.chain(&entries, first, &mut cycle);
        for (number, (&entry, edges)) in (first..).zip(entries.iter().zip(edges)) {
            for from in edges {
                let outside = self.inside[from as usize] != inside;
                let select = self.add(Kind::Select(number), Next::one(tests), if outside { 0 } else { inside });
                self.turn(from, entry, select);
                if !outside {
                    cycle.push(select);
                }
            }
        }
        (cycle, tests)
    }

    /// A tree of tests that leads to `targets[n]` where the selector is `first + n`; the tests belong to the cycle.
    fn chain(&mut self, targets: &[u32], first: u32, cycle: &mut PerNode<u32>) -> u32 {
        match targets {
            [only] => *only,
            _ => {
                let (low, high) = targets.split_at(targets.len() / 2);
                let middle = first + low.len() as u32;
                let low = self.chain(low, first, cycle);
                let high = self.chain(high, middle, cycle);
                let node = self.add(Kind::Below(middle), Next::two(low, high), self.parts);
                cycle.push(node);
                node
            }
        }
    }
}
