//! Removes instructions whose results nobody reads, and the results of others.

use crate::form::{Base, Node, Value};

/// Removes what nobody reads. `values`: how many there are; `kept`: those that are read at the end.
pub(crate) fn prune(body: &mut Vec<Node>, values: u32, kept: &[Value]) {
    let mut reads = Reads { read: vec![false; values as usize], changed: false };
    kept.iter().for_each(|&value| reads.value(value));
    // From the end, so that a straight program is seen once; loops read what their ends wrote.
    loop {
        reads.changed = false;
        reads.block(body);
        if !reads.changed || !has_loops(body) {
            break;
        }
    }
    remove(body, &reads.read);
}

fn has_loops(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::If { then, other, .. } => has_loops(then) || has_loops(other),
        Node::Loop { .. } => true,
        _ => false,
    })
}

/// Which values are read by what is needed.
struct Reads {
    read: Vec<bool>,
    changed: bool,
}

impl Reads {
    fn value(&mut self, value: Value) {
        let known = &mut self.read[value as usize];
        self.changed |= !*known;
        *known = true;
    }

    fn base(&mut self, base: Base) {
        if let Base::Value(value) | Base::ConstAt { at: value, .. } = base {
            self.value(value);
        }
    }

    fn block(&mut self, nodes: &[Node]) {
        for node in nodes.iter().rev() {
            match node {
                Node::Single(single) => {
                    if self.read[single.result as usize] {
                        single.args.iter().for_each(|arg| self.base(arg.base));
                    }
                }
                Node::Op(instr) => {
                    let mut results = instr.results.iter().flatten().peekable();
                    if instr.changes || results.peek().is_none() || results.any(|&value| self.read[value as usize]) {
                        instr.operands.iter().flat_map(|operand| operand.bases()).for_each(|base| self.base(base));
                    }
                }
                Node::Moves(moves) => {
                    for one in moves.iter().filter(|one| self.read[one.to as usize]).collect::<Vec<_>>() {
                        self.base(one.from.base);
                    }
                }
                Node::If { condition, then, other, .. } => {
                    self.block(other);
                    self.block(then);
                    if !is_empty(then, &self.read) || !is_empty(other, &self.read) {
                        self.base(condition.base);
                    }
                }
                Node::Loop { body, .. } => self.block(body),
                Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => {}
            }
        }
    }
}

/// Whether nothing of a block is needed.
fn is_empty(nodes: &[Node], read: &[bool]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Single(single) => !read[single.result as usize],
        Node::Op(instr) => {
            !instr.changes
                && instr.results.iter().any(Option::is_some)
                && instr.results.iter().flatten().all(|&value| !read[value as usize])
        }
        Node::Moves(moves) => moves.iter().all(|one| !read[one.to as usize]),
        Node::If { then, other, .. } => is_empty(then, read) && is_empty(other, read),
        Node::Loop { .. } | Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => false,
    })
}

fn remove(nodes: &mut Vec<Node>, read: &[bool]) {
    nodes.retain_mut(|node| match node {
        Node::Single(single) => read[single.result as usize],
        Node::Op(instr) => {
            if instr.changes {
                return true;
            }
            let had = instr.results.iter().any(Option::is_some);
            for result in &mut instr.results {
                *result = result.filter(|&value| read[value as usize]);
            }
            !had || instr.results.iter().any(Option::is_some)
        }
        Node::Moves(moves) => {
            moves.retain(|one| read[one.to as usize]);
            !moves.is_empty()
        }
        Node::If { then, other, .. } => {
            remove(then, read);
            remove(other, read);
            !then.is_empty() || !other.is_empty()
        }
        Node::Loop { body, .. } => {
            remove(body, read);
            true
        }
        Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => true,
    });
}
