//! Removes instructions whose results nobody reads, and the results of others.

use crate::form::{Arg, Base, Node, Value};

/// Removes what nobody reads. `values`: how many there are; `kept`: those that are read at the end.
pub(crate) fn prune(body: &mut Vec<Node>, values: u32, kept: &[Value]) {
    let read = find_reads(body, values, kept.iter().copied());
    Removal { read: &read, visit: |_: &mut Value| {}, stays: |_: &Node, _| {} }.remove(body, true);
}

/// The same; values that are left get numbers without gaps, in the order of the old ones, since later steps have tables of all values.
/// `ends`: outputs and the values that they are.
pub(crate) fn renumber<T>(body: &mut Vec<Node>, values: u32, ends: &mut [(T, Value)]) -> Numbers {
    let needed = Needed::new(body, values, ends);
    needed.renumber(body, |_, _| {});
    needed.numbers
}

/// What is read, and the numbers of what stays.
pub(crate) struct Needed {
    read: Vec<bool>,
    pub(crate) numbers: Numbers,
}

impl Needed {
    /// Finds it out, and gives the values of `ends` their numbers.
    pub(crate) fn new<T>(body: &[Node], values: u32, ends: &mut [(T, Value)]) -> Needed {
        let read = find_reads(body, values, ends.iter().map(|&(_, value)| value));
        let mut used = read.clone();
        find_others(body, &mut used);
        let mut numbers = Numbers { new: vec![NONE; values as usize], count: 0 };
        for (new, _) in numbers.new.iter_mut().zip(used).filter(|(_, used)| *used) {
            *new = numbers.count;
            numbers.count += 1;
        }
        ends.iter_mut().for_each(|(_, value)| *value = numbers.new[*value as usize]);
        Needed { read, numbers }
    }

    /// Removes what nobody reads and renumbers the rest. `stays` sees each statement that does, and whether no branch and no loop is
    /// around it; what stands inside of one comes before it.
    pub(crate) fn renumber(&self, body: &mut Vec<Node>, stays: impl FnMut(&Node, bool)) {
        let visit = |value: &mut Value| *value = self.numbers.new[*value as usize];
        Removal { read: &self.read, visit, stays }.remove(body, true);
    }
}

/// No number.
const NONE: Value = Value::MAX;

/// New numbers of values.
#[derive(Debug)]
pub(crate) struct Numbers {
    new: Vec<Value>,
    /// How many there are.
    pub(crate) count: u32,
}

impl Numbers {
    /// The number of a value, if it is still there.
    pub(crate) fn get(&self, old: Value) -> Option<Value> {
        self.new.get(old as usize).copied().filter(|&new| new != NONE)
    }

    /// A table by the new numbers.
    pub(crate) fn of(&self, old: &[bool]) -> Vec<bool> {
        let mut table = vec![false; self.count as usize];
        for (&new, &is_set) in self.new.iter().zip(old).filter(|&(&new, _)| new != NONE) {
            table[new as usize] = is_set;
        }
        table
    }
}

/// Marks what stays though nobody reads it: results of what changes memory, and flags on the way out of loops.
fn find_others(nodes: &[Node], used: &mut [bool]) {
    for node in nodes {
        match node {
            Node::Op(instr) if instr.changes => {
                instr.results.iter().flatten().for_each(|&value| used[value as usize] = true);
            }
            Node::Leave { flags, .. } => flags.iter().for_each(|&flag| used[flag as usize] = true),
            Node::If { then, other, .. } => {
                find_others(then, used);
                find_others(other, used);
            }
            Node::Loop { body, .. } => find_others(body, used),
            _ => {}
        }
    }
}

fn find_reads(body: &[Node], values: u32, kept: impl Iterator<Item = Value>) -> Vec<bool> {
    let mut reads = Reads { read: vec![false; values as usize], changed: false };
    kept.for_each(|value| reads.value(value));
    // From the end, so that a straight program is seen once; loops read what their ends wrote.
    loop {
        reads.changed = false;
        reads.block(body);
        if !reads.changed || !has_loops(body) {
            break;
        }
    }
    reads.read
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

    fn read(&mut self, value: Option<Value>) {
        if let Some(value) = value {
            self.value(value);
        }
    }

    fn block(&mut self, nodes: &[Node]) {
        for node in nodes.iter().rev() {
            match node {
                Node::Single(single) => {
                    if self.read[single.result as usize] {
                        single.args.iter().for_each(|arg| self.read(arg.read()));
                    }
                }
                Node::Op(instr) => {
                    let mut results = instr.results.iter().flatten().peekable();
                    if instr.changes || results.peek().is_none() || results.any(|&value| self.read[value as usize]) {
                        instr
                            .operands
                            .iter()
                            .flat_map(|operand| operand.bases())
                            .for_each(|base| self.read(base.read()));
                    }
                }
                Node::Moves(moves) => {
                    for one in moves.iter().filter(|one| self.read[one.to as usize]).collect::<Vec<_>>() {
                        self.read(one.from.read());
                    }
                }
                Node::If { condition, then, other, .. } => {
                    self.block(other);
                    self.block(then);
                    if !is_empty(then, &self.read) || !is_empty(other, &self.read) {
                        self.read(condition.read());
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

/// Removes what is not read, and visits what is left: its values, then the statement.
struct Removal<'a, V, S> {
    read: &'a [bool],
    visit: V,
    stays: S,
}

impl<V: FnMut(&mut Value), S: FnMut(&Node, bool)> Removal<'_, V, S> {
    fn remove(&mut self, nodes: &mut Vec<Node>, is_outer: bool) {
        nodes.retain_mut(|node| {
            let stays = self.changed(node);
            if stays {
                (self.stays)(node, is_outer);
            }
            stays
        });
    }

    /// Whether a statement stays, with the new numbers of its values then.
    #[inline(always)]
    fn changed(&mut self, node: &mut Node) -> bool {
        let (read, visit) = (self.read, &mut self.visit);
        match node {
            Node::Single(single) => {
                let stays = read[single.result as usize];
                if stays {
                    visit(&mut single.result);
                    single.args.iter_mut().for_each(|arg| visit_arg(arg, visit));
                }
                stays
            }
            Node::Op(instr) => {
                let had = instr.results.iter().any(Option::is_some);
                if !instr.changes {
                    for result in &mut instr.results {
                        *result = result.filter(|&value| read[value as usize]);
                    }
                }
                let stays = instr.changes || !had || instr.results.iter().any(Option::is_some);
                if stays {
                    instr.results.iter_mut().flatten().for_each(&mut *visit);
                    let lanes = instr.operands.iter_mut().flat_map(|operand| &mut operand.lanes);
                    lanes.flatten().for_each(|base| visit_base(base, visit));
                }
                stays
            }
            Node::Moves(moves) => {
                moves.retain(|one| read[one.to as usize]);
                for one in moves.iter_mut() {
                    visit(&mut one.to);
                    visit_arg(&mut one.from, visit);
                }
                !moves.is_empty()
            }
            Node::If { condition, then, other, .. } => {
                self.remove(then, false);
                self.remove(other, false);
                let stays = !then.is_empty() || !other.is_empty();
                if stays {
                    visit_arg(condition, &mut self.visit);
                }
                stays
            }
            Node::Loop { body, .. } => {
                self.remove(body, false);
                true
            }
            Node::Leave { flags, .. } => {
                flags.iter_mut().for_each(visit);
                true
            }
            Node::Break { .. } | Node::Continue { .. } => true,
        }
    }
}

fn visit_arg(arg: &mut Arg, visit: &mut impl FnMut(&mut Value)) {
    if let Some(mut value) = arg.read() {
        visit(&mut value);
        *arg = arg.renumbered(value);
    }
}

fn visit_base(base: &mut Base, visit: &mut impl FnMut(&mut Value)) {
    if let Base::Value(value) | Base::ConstAt { at: value, .. } = base {
        visit(value);
    }
}
