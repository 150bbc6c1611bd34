//! Functions taken apart: blocks, how they end, which ids several of them use.

use super::{Ctx, Lift};
use crate::id_map::IdMap;
use crate::module::{Instruction, Module};
use parallax_lift::structure::{Plan, Successors, structure};
use rspirv::spirv::Op;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;

/// Blocks that a function may have, tests of switches included.
const MAX_BLOCKS: usize = 1 << 16;

/// A function, ready to be expanded.
pub(super) struct FunctionInfo {
    /// Its instructions, by number.
    pub(super) body: Range<usize>,
    /// The type of its result.
    pub(super) result: u32,
    /// Its parameters.
    pub(super) parameters: Vec<u32>,
    pub(super) blocks: Vec<Block>,
    /// Tests of switches; test number `n` is block number `blocks.len() + n` of the plan.
    pub(super) tests: Vec<Test>,
    pub(super) plan: Plan,
    /// What each phi takes from the block of a label.
    pub(super) passed: FxHashMap<(u32, u32), u32>,
    /// Ids that are used in other blocks than they are defined in.
    pub(super) crossing: FxHashSet<u32>,
}

/// A block of a module.
pub(super) struct Block {
    /// Its instructions behind the label and the phis, with the one that ends it, by number.
    pub(super) body: Range<usize>,
    /// Numbers of its phis.
    pub(super) phis: Range<usize>,
    /// The blocks it leads to, each once.
    pub(super) next: Vec<usize>,
    pub(super) label: u32,
}

/// Whether the value of a switch is that of a case.
pub(super) struct Test {
    pub(super) selector: u32,
    pub(super) literal: u64,
}

/// Cases of a switch with their targets, and the default target.
pub(super) fn cases(module: &Module, instruction: &Instruction, is_wide: bool) -> (u32, Vec<(u64, u32)>) {
    let words = module.operands(instruction);
    let step = if is_wide { 3 } else { 2 };
    let case = |words: &[u32]| match words {
        [low, high, label] => (u64::from(*low) | u64::from(*high) << 32, *label),
        [low, label] => (u64::from(*low), *label),
        _ => (0, 0),
    };
    (words[1], words[2..].chunks_exact(step).map(case).collect())
}

impl Ctx<'_, '_> {
    /// A function of the module, taken apart.
    pub(super) fn function(&mut self, id: u32) -> Lift<Rc<FunctionInfo>> {
        if let Some(known) = self.functions.get(&id) {
            return Ok(known.clone());
        }
        let info = Rc::new(self.take_apart(id)?);
        self.functions.insert(id, info.clone());
        Ok(info)
    }

    fn take_apart(&mut self, id: u32) -> Lift<FunctionInfo> {
        let module = self.tables.module;
        let start = match module.definition(id) {
            Some(number) if module.instructions[number].op == Op::Function => number,
            _ => return self.invalid(format!("%{id} is not a function")),
        };
        let result = module.instructions[start].ty;
        let mut parameters = Vec::new();
        let mut blocks: Vec<Block> = Vec::new();
        let mut by_label: FxHashMap<u32, usize> = FxHashMap::default();
        let mut defined_in: IdMap<usize> = IdMap::new(module.bound());
        let mut number = start + 1;
        // A block is open between its label and what ends it.
        let mut open = false;
        loop {
            let Some(instruction) = module.instructions.get(number) else {
                return self.invalid("the function has no end");
            };
            match instruction.op {
                Op::FunctionEnd => break,
                Op::Function => return self.invalid("a function begins inside of a function"),
                Op::FunctionParameter => parameters.push(instruction.id),
                Op::Label => {
                    if open {
                        self.span = module.spans[number];
                        return self.invalid("a block begins before the one before it has ended");
                    }
                    by_label.insert(instruction.id, blocks.len());
                    let behind = number + 1;
                    blocks.push(Block {
                        body: behind..behind,
                        phis: behind..behind,
                        next: Vec::new(),
                        label: instruction.id,
                    });
                    open = true;
                }
                op => {
                    let at = blocks.len().wrapping_sub(1);
                    match blocks.last_mut().filter(|_| open) {
                        Some(block) => {
                            if instruction.id != 0 {
                                defined_in.insert(instruction.id, at);
                            }
                            // Lines may stand between phis.
                            if matches!(op, Op::Phi | Op::Line | Op::NoLine) && block.body.is_empty() {
                                block.phis.end = number + 1;
                                block.body = number + 1..number + 1;
                            } else {
                                block.body.end = number + 1;
                            }
                            open = !ends_block(op);
                        }
                        None if matches!(op, Op::Line | Op::NoLine | Op::Nop | Op::ExtInst) => {}
                        None => {
                            self.span = module.spans[number];
                            return self.invalid(format!("Op{op:?} stands outside of a block"));
                        }
                    }
                }
            }
            number += 1;
        }
        if open || blocks.is_empty() {
            return self.invalid(match open {
                true => "the last block of the function does not end",
                false => "the function has no body: it is imported",
            });
        }
        if blocks.len() > MAX_BLOCKS {
            return self.unsupported("spirv-blocks-unsupported", format!("a function of {} blocks", blocks.len()));
        }
        let mut tests = Vec::new();
        let mut ways = vec![Successors::End; blocks.len()];
        let mut chains = Vec::new();
        for at in 0..blocks.len() {
            let last = blocks[at].body.end - 1;
            let instruction = module.instructions[last];
            let words = module.operands(&instruction);
            self.span = module.spans[last];
            let target = |label: u32| by_label.get(&label).copied();
            let needs = |ctx: &Self, label: u32| match target(label) {
                Some(0) => ctx.invalid("a branch leads to the first block of the function"),
                Some(block) => Ok(block),
                None => ctx.invalid(format!("%{label} is not a block of this function")),
            };
            match instruction.op {
                Op::Branch => {
                    let to = needs(self, words[0])?;
                    blocks[at].next = vec![to];
                    ways[at] = Successors::Goto(to);
                }
                Op::BranchConditional => {
                    let (then, other) = (needs(self, words[1])?, needs(self, words[2])?);
                    blocks[at].next = if then == other { vec![then] } else { vec![then, other] };
                    ways[at] = Successors::Branch { then, other };
                }
                Op::Switch => {
                    let is_wide = self.scalar_of(words[0])?.bits() == 64;
                    let (default, cases) = cases(module, &instruction, is_wide);
                    let default = needs(self, default)?;
                    let mut next = vec![default];
                    let mut seen = FxHashSet::from_iter([default]);
                    let mut targets = Vec::new();
                    for (literal, label) in cases {
                        let to = needs(self, label)?;
                        targets.push((literal, to));
                        if seen.insert(to) {
                            next.push(to);
                        }
                    }
                    // A case that goes where the default goes needs no test.
                    targets.retain(|(_, to)| *to != default);
                    chains.push((at, words[0], targets, default));
                    blocks[at].next = next;
                }
                _ => {}
            }
        }
        let count = blocks.len();
        for (at, selector, targets, default) in chains {
            let first = count + tests.len();
            ways[at] = Successors::Goto(if targets.is_empty() { default } else { first });
            let cases = targets.len();
            for (n, (literal, then)) in targets.into_iter().enumerate() {
                let other = if n + 1 == cases { default } else { first + n + 1 };
                tests.push(Test { selector, literal });
                ways.push(Successors::Branch { then, other });
            }
        }
        if ways.len() > MAX_BLOCKS {
            return self.unsupported("spirv-blocks-unsupported", format!("a function of {} blocks", ways.len()));
        }
        let (mut crossing, mut passed) = (FxHashSet::default(), FxHashMap::default());
        for (at, block) in blocks.iter().enumerate() {
            for instruction in &module.instructions[block.body.clone()] {
                for word in module.operands(instruction) {
                    if defined_in.get(*word).is_some_and(|&defined| defined != at) {
                        crossing.insert(*word);
                    }
                }
            }
            for phi in &module.instructions[block.phis.clone()] {
                if phi.op != Op::Phi {
                    continue;
                }
                for pair in module.operands(phi).chunks_exact(2) {
                    passed.insert((phi.id, pair[1]), pair[0]);
                    let from = by_label.get(&pair[1]);
                    if defined_in.get(pair[0]).is_some_and(|defined| Some(defined) != from) {
                        crossing.insert(pair[0]);
                    }
                }
            }
        }
        // Tests of a switch are blocks of their own.
        crossing.extend(tests.iter().map(|test| test.selector).filter(|id| defined_in.get(*id).is_some()));
        Ok(FunctionInfo {
            body: start..number,
            result,
            parameters,
            blocks,
            tests,
            plan: structure(&ways),
            passed,
            crossing,
        })
    }
}

/// Whether an instruction ends a block.
pub(super) fn ends_block(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Branch
            | BranchConditional
            | Switch
            | Return
            | ReturnValue
            | Kill
            | TerminateInvocation
            | Unreachable
            | TerminateRayKHR
            | IgnoreIntersectionKHR
            | EmitMeshTasksEXT
    )
}
