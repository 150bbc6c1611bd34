//! Blocks of groups, and the branches between them.

use super::Ctx;
use crate::{Group, Opcode, Phase, Program, Who};
use parallax_core::{OpKind, ValueId};
use parallax_lift::Lifter;
use parallax_lift::structure::{Blocks, Successors};
use parallax_text::{Diag, Span};
use std::ops::Range;

/// A program cut into blocks.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// Groups of each block, the branch that ends it included.
    blocks: Vec<Range<usize>>,
    pub(super) successors: Vec<Successors>,
    /// Which groups can be reached.
    pub(super) reached: Vec<bool>,
}

/// Where a group goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Way {
    Next,
    Branch(usize),
    End,
}

/// The span of group `n`.
pub(super) fn span(program: &Program, n: usize) -> Span {
    program.places.get(n).map_or(Span::default(), |place| place.span)
}

/// The group a branch in group `n` leads to; the number behind the last one for the end of the program.
fn target(program: &Program, n: usize, group: &Group) -> Option<Result<usize, Diag>> {
    let operation = group.operation(Phase::Control)?;
    let branch = operation.branch()?;
    let from = if branch.absolute { 0 } else { i64::from(group.offset) };
    let at = from + i64::from(branch.target);
    let found = program.groups.binary_search_by_key(&at, |group| i64::from(group.offset));
    if let Ok(found) = found {
        return Some(Ok(first_at(program, found)));
    }
    let end = program.groups.last().map_or(0, |last| i64::from(last.offset) + i64::from(last.len));
    if at == end {
        return Some(Ok(program.groups.len()));
    }
    let message = format!("the branch leads to byte {at:#x}, where no group begins");
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

impl Flow {
    /// Cuts a program.
    pub(super) fn of(program: &Program, diags: &mut Vec<Diag>) -> Flow {
        let count = program.groups.len();
        let mut ways = Vec::with_capacity(count);
        for (n, group) in program.groups.iter().enumerate() {
            ways.push(match target(program, n, group) {
                _ if group.end => Way::End,
                None => Way::Next,
                Some(Ok(to)) => Way::Branch(to),
                Some(Err(diag)) => {
                    diags.push(diag);
                    Way::Next
                }
            });
        }
        let mut leads = vec![false; count + 1];
        leads[0] = true;
        for (n, way) in ways.iter().enumerate() {
            match way {
                Way::Next => continue,
                Way::Branch(to) => leads[*to] = true,
                Way::End => {}
            }
            leads[n + 1] = true;
        }
        let mut block_of = vec![0; count + 1];
        let mut blocks: Vec<Range<usize>> = Vec::new();
        for n in 0..count {
            if leads[n] {
                blocks.push(n..n);
            }
            block_of[n] = blocks.len().saturating_sub(1);
            if let Some(block) = blocks.last_mut() {
                block.end = n + 1;
            }
        }
        // Behind the last group stands a block of none, which ends the program.
        let end = blocks.len();
        block_of[count] = end;
        let successors: Vec<Successors> = blocks
            .iter()
            .map(|block| match ways[block.end - 1] {
                Way::Next => Successors::Goto(block_of[block.end]),
                Way::End => Successors::End,
                Way::Branch(to) => Successors::Branch { then: block_of[to], other: block_of[block.end] },
            })
            .chain([Successors::End])
            .collect();
        blocks.push(count..count);
        let mut flow = Flow { blocks, successors, reached: vec![false; count] };
        flow.reach();
        flow
    }

    /// Marks the groups that can be reached.
    fn reach(&mut self) {
        let mut seen = vec![false; self.blocks.len()];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if std::mem::replace(&mut seen[block], true) {
                continue;
            }
            self.reached[self.blocks[block].clone()].fill(true);
            match self.successors[block] {
                Successors::Goto(to) => open.push(to),
                Successors::Branch { then, other } => open.extend([then, other]),
                Successors::End => {}
            }
        }
    }

    /// The groups that can be reached, with their numbers.
    pub(super) fn groups<'p>(&self, program: &'p Program) -> impl Iterator<Item = (usize, &'p Group)> {
        program.groups.iter().enumerate().filter(|(n, _)| self.reached[*n])
    }

    /// Whether some group that can be reached does this.
    pub(super) fn does(&self, program: &Program, what: impl Fn(Opcode) -> bool) -> bool {
        self.groups(program).flat_map(|(_, group)| &group.operations).any(|operation| what(operation.opcode()))
    }
}

impl<'f> Blocks<'f> for Ctx<'_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.l
    }

    fn begin_loop(&mut self, block: usize) {
        let first = self.flow.blocks[block].start;
        self.begin(first);
    }

    fn block(&mut self, block: usize) {
        for n in self.flow.blocks[block].clone() {
            self.begin(n);
            self.group(n);
        }
    }

    /// The instances of a quad branch together: where any of those that satisfy the condition does, or all do.
    fn condition(&mut self, block: usize) -> ValueId {
        let program = self.program;
        let last = self.flow.blocks[block].end.saturating_sub(1);
        self.begin(last);
        let Some(group) = program.groups.get(last) else { return self.l.b.pred(false) };
        let who = group.operation(Phase::Control).and_then(|operation| operation.branch()).map(|branch| branch.who);
        let holds = match self.holds(group.condition) {
            Some(pred) => pred,
            None => return self.l.b.pred(true),
        };
        let kind = if who == Some(Who::All) { OpKind::QuadAll } else { OpKind::QuadAny };
        self.l.b.quad(kind, holds)
    }
}
