//! Removes instructions whose results nobody reads, and the results of others.

use crate::form::{Arg, Base, Node, Value};
use rustc_hash::FxHashSet;

/// Removes what nobody reads, until all is read. `kept`: values that are read at the end.
pub(crate) fn prune(body: &mut Vec<Node>, kept: &[Value]) {
    loop {
        let mut read: FxHashSet<Value> = kept.iter().copied().collect();
        reads(body, &mut read);
        if !remove(body, &read) {
            return;
        }
    }
}

fn read_base(base: Base, read: &mut FxHashSet<Value>) {
    if let Base::Value(value) | Base::ConstAt { at: value, .. } = base {
        read.insert(value);
    }
}

fn reads(nodes: &[Node], read: &mut FxHashSet<Value>) {
    let arg = |arg: &Arg, read: &mut FxHashSet<Value>| read_base(arg.base, read);
    for node in nodes {
        match node {
            Node::Op(instr) => {
                instr.operands.iter().flat_map(|operand| operand.bases()).for_each(|base| read_base(base, read))
            }
            Node::Moves(moves) => moves.iter().for_each(|one| arg(&one.from, read)),
            Node::If { condition, then, other, .. } => {
                arg(condition, read);
                reads(then, read);
                reads(other, read);
            }
            Node::Loop { body, .. } => reads(body, read),
            Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => {}
        }
    }
}

fn remove(nodes: &mut Vec<Node>, read: &FxHashSet<Value>) -> bool {
    let mut changed = false;
    nodes.retain_mut(|node| {
        let keep = match node {
            Node::Op(instr) => {
                let had = instr.results.iter().flatten().count();
                for result in &mut instr.results {
                    if result.is_some_and(|value| !read.contains(&value)) {
                        *result = None;
                    }
                }
                had == 0 || instr.results.iter().any(Option::is_some)
            }
            Node::Moves(moves) => {
                let had = moves.len();
                moves.retain(|one| read.contains(&one.to));
                changed |= had != moves.len();
                !moves.is_empty()
            }
            Node::If { then, other, .. } => {
                changed |= remove(then, read) | remove(other, read);
                !then.is_empty() || !other.is_empty()
            }
            Node::Loop { body, .. } => {
                changed |= remove(body, read);
                true
            }
            Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => true,
        };
        changed |= !keep;
        keep
    });
    changed
}
