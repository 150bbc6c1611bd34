//! Reducible graphs along their dominator trees.

use super::{Graph, Kind, MAX_DEPTH, Node, OUT, Step};
use std::collections::BTreeSet;

/// Layout of a graph whose cycles have one entry each.
pub(super) struct Layout<'a> {
    graph: &'a Graph,
    /// Position in reverse postorder.
    place: Vec<usize>,
    /// What each node carries behind it, inside the loop it heads if it heads one: children in the dominator tree that
    /// several ways lead to, the last place first.
    merges: Vec<Vec<usize>>,
    /// What stands behind the loop a node heads: where ways out of the loop lead to.
    exits: Vec<Vec<usize>>,
    /// Nodes that are reached by leaving a scope.
    is_jumped: Vec<bool>,
    is_head: Vec<bool>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(graph: &'a Graph) -> Layout<'a> {
        let order = graph.order();
        let count = graph.nodes.len();
        let mut place = vec![usize::MAX; count];
        for (n, &node) in order.iter().enumerate() {
            place[node] = n;
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut forward = vec![0usize; count];
        for &node in &order {
            for &to in &graph.nodes[node].next {
                before[to].push(node);
                if place[to] <= place[node] {
                    back[to].push(node);
                } else {
                    forward[to] += 1;
                }
            }
        }
        let above = dominators(&order, &place, &before);
        // The members of each loop: what reaches its back edges without passing its head.
        let mut loops: Vec<Option<BTreeSet<usize>>> = vec![None; count];
        for &head in &order {
            if back[head].is_empty() {
                continue;
            }
            let mut members = BTreeSet::from([head]);
            let mut work = back[head].clone();
            while let Some(node) = work.pop() {
                if members.insert(node) {
                    work.extend(&before[node]);
                }
            }
            loops[head] = Some(members);
        }
        let is_head: Vec<bool> = loops.iter().map(Option::is_some).collect();
        let mut is_jumped: Vec<bool> = forward.iter().map(|&n| n > 1).collect();
        let mut merges: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut exits: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &node in order[1..].iter().rev() {
            // The outermost loop that its dominator is in and it is not.
            let parent = above[node];
            let mut left = None;
            let mut at = parent;
            loop {
                if let Some(members) = &loops[at]
                    && members.contains(&parent)
                    && !members.contains(&node)
                {
                    left = Some(at);
                }
                if at == 0 {
                    break;
                }
                at = above[at];
            }
            if let Some(head) = left {
                is_jumped[node] = true;
                exits[head].push(node);
            } else if is_jumped[node] {
                merges[parent].push(node);
            }
        }
        Layout { graph, place, merges, exits, is_jumped, is_head }
    }

    /// A node and everything laid out behind it; `None` when that nests too deeply. Labels are node numbers: twice for
    /// the scope in front of a node, twice plus one for the loop it heads.
    pub(super) fn tree(&mut self, node: usize, depth: usize) -> Option<Vec<Step>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let exits = std::mem::take(&mut self.exits[node]);
        let mut inner = depth + exits.len();
        let merges = std::mem::take(&mut self.merges[node]);
        inner += merges.len() + usize::from(self.is_head[node]);
        let mut steps = self.body(node, inner)?;
        inner -= merges.len();
        self.behind(&merges, inner, &mut steps)?;
        if self.is_head[node] {
            steps = vec![Step::Loop(2 * node as u32 + 1, steps)];
        }
        self.behind(&exits, depth, &mut steps)?;
        Some(steps)
    }

    /// Puts nodes behind scopes around `steps`, the first place innermost.
    fn behind(&mut self, nodes: &[usize], depth: usize, steps: &mut Vec<Step>) -> Option<()> {
        for (n, &node) in nodes.iter().enumerate().rev() {
            *steps = vec![Step::Scope(2 * node as u32, std::mem::take(steps))];
            steps.extend(self.tree(node, depth + n)?);
        }
        Some(())
    }

    /// A node, and what follows it without being jumped to.
    fn body(&mut self, mut node: usize, depth: usize) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            let Node { kind, next } = &self.graph.nodes[node];
            match *kind {
                Kind::Block(b) => steps.push(Step::Block(b)),
                Kind::Select(n) => steps.push(Step::Select(n)),
                Kind::Below(_) => {}
                Kind::End => steps.push(Step::Break(OUT)),
            }
            let arms = |then, other| match *kind {
                Kind::Below(n) => Step::IfBelow(n, then, other),
                Kind::Block(b) => Step::If(b, then, other),
                // Other nodes have one successor or none.
                _ => Step::If(usize::MAX, then, other),
            };
            let follower = match *next.as_slice() {
                [to] => match self.jump(node, to) {
                    Some(jump) => {
                        steps.push(jump);
                        return Some(steps);
                    }
                    None => to,
                },
                [then, other] => match (self.jump(node, then), self.jump(node, other)) {
                    (Some(a), Some(b)) => {
                        steps.push(arms(vec![a], vec![b]));
                        return Some(steps);
                    }
                    // An arm that leaves: what follows need not stand in the other.
                    (Some(a), None) => {
                        steps.push(arms(vec![a], Vec::new()));
                        other
                    }
                    (None, Some(b)) => {
                        steps.push(arms(Vec::new(), vec![b]));
                        then
                    }
                    (None, None) => {
                        let then = self.tree(then, depth + 1)?;
                        let other = self.tree(other, depth + 1)?;
                        steps.push(arms(then, other));
                        return Some(steps);
                    }
                },
                _ => return Some(steps),
            };
            if self.is_head[follower] || !self.merges[follower].is_empty() {
                steps.extend(self.tree(follower, depth)?);
                return Some(steps);
            }
            node = follower;
        }
    }

    fn jump(&self, from: usize, to: usize) -> Option<Step> {
        if self.place[to] <= self.place[from] {
            Some(Step::Continue(2 * to as u32 + 1))
        } else if self.is_jumped[to] {
            Some(Step::Break(2 * to as u32))
        } else {
            None
        }
    }
}

/// Immediate dominators (Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm").
fn dominators(order: &[usize], place: &[usize], before: &[Vec<usize>]) -> Vec<usize> {
    let mut above = vec![usize::MAX; place.len()];
    above[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in &order[1..] {
            let mut best = usize::MAX;
            for &from in &before[node] {
                if above[from] == usize::MAX {
                    continue;
                }
                best = if best == usize::MAX { from } else { meet(&above, place, best, from) };
            }
            if above[node] != best {
                above[node] = best;
                changed = true;
            }
        }
    }
    above
}

fn meet(above: &[usize], place: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if place[a] > place[b] {
            a = above[a];
        } else {
            b = above[b];
        }
    }
    a
}
