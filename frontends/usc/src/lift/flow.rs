//! Blocks of groups, and the branches and calls between them.
//!
//! Where `lapc` leads and what `sbo` adds to the numbers of registers are no values here: subroutines are expanded. A group is
//! lifted once for each return address and each pair of base offsets it is reached with.

use crate::group::{Condition, Group, Program};
use crate::opcode::{Opcode, Phase};
use crate::operation::Operation;
use crate::register::{Bank, Register};
use crate::view::Name;
use parallax_lift::MAX_CALLS;
use parallax_lift::structure::Successors;
use parallax_text::{Diag, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What stands in the link register.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Link {
    /// What was there before the program.
    #[default]
    Unknown,
    /// The address of this group.
    Group(usize),
    /// The address that `cndsetl` took from a register.
    Computed,
}

/// What is added to the numbers of registers.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Base {
    pub(super) coefficient: u16,
    pub(super) shared: u16,
}

impl Base {
    /// The register that is meant.
    pub(super) fn apply(self, register: Register) -> Register {
        let more = match register.bank {
            Bank::Coefficient => self.coefficient,
            Bank::Shared => self.shared,
            _ => return register,
        };
        Register { number: register.number.saturating_add(more), ..register }
    }
}

/// What groups on the way to a block have left behind that the groups of the block depend on.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Context {
    pub(super) link: Link,
    pub(super) base: Base,
}

/// A program cut into blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// Groups of each block, the branch that ends it included.
    pub(super) blocks: Vec<Range<usize>>,
    pub(super) contexts: Vec<Context>,
    pub(super) successors: Vec<Successors>,
    /// The groups that can be reached, each once for each base.
    visits: Vec<(usize, Base)>,
    /// Opcodes of these, as a set.
    opcodes: u128,
    masked: bool,
    /// How many operations they have.
    operations: usize,
    /// Whether some way leads behind the last group.
    pub(super) runs_out: bool,
}

/// Where a group goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Way {
    Next,
    Branch(usize),
    /// A branch that leaves the address of the next group.
    Call(usize),
    /// To the link address.
    Return,
    End,
}

/// Code of a branch that is taken if all instances satisfy its condition.
pub(super) const ALL: u32 = 1;

/// Most blocks that calls are expanded to.
const MOST_BLOCKS: usize = 16 * MAX_CALLS;

/// The span of group `n`.
pub(super) fn span(program: &Program, n: usize) -> Span {
    program.places.get(n).map_or(Span::default(), |place| place.span)
}

/// The group a branch in group `n` leads to; the number behind the last one for the end of the program.
fn target(program: &Program, n: usize, operation: &Operation) -> Option<Result<usize, Diag>> {
    let group = &program.groups[n];
    let from = if operation.has(Name::IsAbsolute) { 0 } else { i64::from(group.offset) };
    let at = from + i64::from(operation.target()?);
    let found = program.groups.binary_search_by_key(&at, |group| i64::from(group.offset));
    if let Ok(found) = found {
        return Some(Ok(first_at(program, found)));
    }
    let end = program.groups.last().map_or(0, |last| i64::from(last.offset) + i64::from(last.len));
    if at == end {
        return Some(Ok(program.groups.len()));
    }
    let message = format!("the branch target, byte {at:#x}, is not the start of a group");
    let help = match found {
        Err(next @ 1..) if at < end => {
            format!("the group around it begins at byte {:#x}", program.groups[next - 1].offset)
        }
        _ => format!("the groups lie between bytes 0 and {end:#x}"),
    };
    Some(Err(Diag::invalid("branch-target", span(program, n), message).with_help(help)))
}

/// Groups without encoding take no bytes: the first of those that stand at one place.
fn first_at(program: &Program, mut n: usize) -> usize {
    while n > 0 && program.groups[n - 1].offset == program.groups[n].offset {
        n -= 1;
    }
    n
}

/// Whether all instances that are asked satisfy a condition. `masked`: some group may switch instances off.
fn is_certain(condition: Condition, masked: bool) -> bool {
    condition == Condition::Always || condition == Condition::Running && !masked
}

/// Whether groups behind this one depend on it in another way than through registers.
fn changes_context(group: &Group) -> bool {
    group.operations.iter().any(|operation| matches!(operation.opcode(), Opcode::Sbo | Opcode::CndsetlB))
}

/// Blocks in the making.
struct Expansion<'a> {
    program: &'a Program,
    ways: Vec<Way>,
    /// Where blocks start.
    leads: Vec<bool>,
    masked: bool,
    known: FxHashMap<(usize, Context), usize>,
    flow: Flow,
    diags: &'a mut Vec<Diag>,
}

impl Flow {
    /// Cuts a program. `masked`: the caller may switch instances off.
    pub(super) fn of(program: &Program, mut masked: bool, diags: &mut Vec<Diag>) -> Flow {
        let count = program.groups.len();
        let mut ways = Vec::with_capacity(count);
        let mut leads = vec![false; count + 1];
        leads[0] = true;
        for (n, group) in program.groups.iter().enumerate() {
            let mut way = if group.head.end { Way::End } else { Way::Next };
            if group.head.kind == crate::group::GroupKind::Control
                && let Some(operation) = group.operation(Phase::Control)
            {
                let opcode = operation.opcode();
                masked |= opcode.is_conditional();
                match target(program, n, operation) {
                    _ if group.head.end => {}
                    None if opcode == Opcode::Lapc => way = Way::Return,
                    None => leads[n + 1] |= changes_context(group),
                    Some(Err(diag)) => diags.push(diag),
                    Some(Ok(to)) => {
                        leads[to] = true;
                        way = if operation.has(Name::Links) { Way::Call(to) } else { Way::Branch(to) };
                    }
                }
            }
            leads[n + 1] |= way != Way::Next;
            ways.push(way);
        }
        let known = FxHashMap::default();
        let mut expansion = Expansion { program, ways, leads, masked, known, flow: Flow::default(), diags };
        expansion.run();
        expansion.flow
    }

    /// The groups that can be reached with their numbers, once for each base.
    pub(super) fn groups<'p>(&self, program: &'p Program) -> impl Iterator<Item = (usize, &'p Group, Base)> {
        self.visits.iter().map(|(n, base)| (*n, &program.groups[*n], *base))
    }

    /// The group of a number among these.
    pub(super) fn group<'p>(&self, program: &'p Program, visit: usize) -> &'p Group {
        &program.groups[self.visits[visit].0]
    }

    /// How many operations the groups have that can be reached.
    pub(super) fn operations(&self) -> usize {
        self.operations
    }

    /// Whether some group that can be reached does this.
    pub(super) fn does(&self, opcode: Opcode) -> bool {
        self.opcodes >> (opcode as u32) & 1 != 0
    }

    /// Whether some group that can be reached sets the execution predicate.
    pub(super) fn is_masked(&self) -> bool {
        self.masked
    }
}

impl Expansion<'_> {
    fn run(&mut self) {
        self.block(0, Context::default());
        let mut at = 0;
        while at < self.flow.blocks.len() {
            if at == MOST_BLOCKS {
                let message = format!("calls and base offsets expand the program to more than {MOST_BLOCKS} blocks");
                let diag = Diag::unsupported("call-count", Span::default(), message);
                self.diags.push(Diag { span: None, ..diag });
                self.flow.successors.resize(self.flow.blocks.len(), Successors::End);
                return;
            }
            let successors = self.successors(at);
            self.flow.successors.push(successors);
            at += 1;
        }
        let flow = &mut self.flow;
        let all = flow.blocks.iter().zip(&flow.contexts);
        flow.visits = all.flat_map(|(block, context)| block.clone().map(|n| (n, context.base))).collect();
        flow.visits.sort_unstable();
        flow.visits.dedup();
        for (n, _) in &flow.visits {
            let operations = &self.program.groups[*n].operations;
            flow.operations += operations.len();
            operations.iter().for_each(|operation| flow.opcodes |= 1 << operation.opcode() as u32);
        }
        flow.masked |= Opcode::CONDITIONAL.iter().any(|opcode| flow.opcodes >> *opcode as u32 & 1 != 0);
    }

    /// The block that starts with group `n` in a context.
    fn block(&mut self, n: usize, context: Context) -> usize {
        let Expansion { known, flow, leads, .. } = self;
        *known.entry((n, context)).or_insert_with(|| {
            let count = leads.len() - 1;
            let end = (n + 1..count).find(|n| leads[*n]).unwrap_or(count);
            flow.blocks.push(n..end.max(n));
            flow.contexts.push(context);
            flow.runs_out |= n == count;
            flow.blocks.len() - 1
        })
    }

    fn successors(&mut self, at: usize) -> Successors {
        let (block, context) = (self.flow.blocks[at].clone(), self.flow.contexts[at]);
        let Some(last) = block.clone().last() else { return Successors::End };
        for n in block.clone() {
            let saves = |operation: &Operation| operation.opcode() == Opcode::Savl;
            if self.program.groups[n].head.kind == crate::group::GroupKind::Control
                && self.program.groups[n].operations.iter().any(saves)
            {
                self.linked(n, context);
            }
        }
        let group = &self.program.groups[last];
        let (to, with) = match self.ways[last] {
            Way::End => return Successors::End,
            Way::Next => {
                let after = self.after(last, group, context);
                return Successors::Goto(self.block(block.end, after));
            }
            Way::Branch(to) => (to, context),
            Way::Call(to) => (to, Context { link: Link::Group(last + 1), ..context }),
            Way::Return => match self.linked(last, context) {
                Some(to) => (to, context),
                None => return Successors::End,
            },
        };
        let then = self.block(to, with);
        if is_certain(group.head.condition, self.masked) {
            return Successors::Goto(then);
        }
        Successors::Branch { then, other: self.block(block.end, context) }
    }

    /// The group whose address the link register holds.
    fn linked(&mut self, n: usize, context: Context) -> Option<usize> {
        let why = match context.link {
            Link::Group(to) => return Some(to),
            Link::Unknown => "no call before it has set the link address",
            Link::Computed => {
                "`cndsetl` has taken the link address from a register, and where it leads is known only \
                               when the program runs"
            }
        };
        let title = self.program.groups[n].operations.first().map(|operation| operation.view.row.title());
        let message = format!("`{}` cannot be executed: {why}", title.unwrap_or_default());
        self.report(Diag::unsupported("link-address", span(self.program, n), message));
        None
    }

    /// Says something about a group once, however often it is expanded.
    fn report(&mut self, diag: Diag) {
        if !self.diags.contains(&diag) {
            self.diags.push(diag);
        }
    }

    /// The context behind a group that may change it.
    fn after(&mut self, n: usize, group: &Group, mut context: Context) -> Context {
        for operation in &group.operations {
            match operation.opcode() {
                Opcode::CndsetlB => context.link = Link::Computed,
                Opcode::Sbo => {
                    if !is_certain(group.head.condition, self.masked) {
                        let message = "`sbo` is executed only where all instances run it: it renames registers";
                        self.report(Diag::unsupported("conditional-base", span(self.program, n), message));
                    }
                    let offset = operation.get(Name::BaseOffset) as u16;
                    if operation.has(Name::OfShared) {
                        context.base.shared = offset;
                    } else {
                        context.base.coefficient = offset;
                    }
                }
                _ => {}
            }
        }
        context
    }
}
