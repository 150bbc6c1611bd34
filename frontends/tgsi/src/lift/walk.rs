//! The walk over the instructions: blocks, loops, switches, calls.

use super::Ctx;
use crate::ast::Instruction;
use crate::opcode::Opcode;
use crate::structure::Structure;
use parallax_core::{EntityRef, MAX_DEPTH, SourceId, ValueId};
use parallax_lift::Label;
use parallax_num::Op;
use smallvec::SmallVec;

/// Instructions that calls may expand to, in all.
const MAX_EXPANDED: usize = 1 << 17;

/// A construct being lifted.
enum Open {
    If,
    Loop(Label),
    Switch(Box<Switch>),
    Call { back: usize, label: Option<Label> },
}

struct Switch {
    label: Label,
    /// For each CASE in order: whether the lane's value matches it.
    matches: SmallVec<[ValueId; 4]>,
    next: usize,
    /// Whether the lane's value matches no CASE.
    none: Option<ValueId>,
    /// Whether the lane has entered.
    entered: Option<ValueId>,
    /// Whether the `if` around the current part is open.
    open: bool,
}

impl Ctx<'_, '_> {
    /// Lifts the main program and, where they are called, the subroutines.
    pub(crate) fn walk(&mut self, structure: &Structure) {
        let program = self.program;
        let main = structure.main_returns.then(|| self.l.begin_block());
        let mut open: Vec<Open> = Vec::new();
        let mut expanded = 0usize;
        let mut pc = 0;
        while let Some(inst) = program.instructions.get(pc) {
            let at = pc;
            pc += 1;
            if inst.op == Opcode::END {
                break;
            }
            // Two regions, for a switch, and what ends of blocks may add.
            if self.l.depth() + 4 > MAX_DEPTH {
                let message = format!("blocks and calls nest deeper than {} regions", MAX_DEPTH - 4);
                self.unsupported("tgsi-depth-unsupported", inst.op_span, message);
                break;
            }
            let source = match self.sources[at] {
                Some(source) => source,
                None => {
                    let source = SourceId::new(self.order.len());
                    self.order.push(at as u32);
                    self.places.push((inst.line, inst.op_span.start));
                    self.sources[at] = Some(source);
                    source
                }
            };
            self.l.at(Some(source));
            if self.calls.depth() > 0 {
                expanded += 1;
                if expanded > MAX_EXPANDED {
                    let message = format!("calls expand to more than {MAX_EXPANDED} instructions");
                    self.unsupported("call-size", inst.op_span, message);
                    break;
                }
            }
            match inst.op {
                Opcode::BGNSUB => {
                    // A definition in the way of the main program is stepped over.
                    if let Some(sub) = structure.subs.get(&(at as u32)) {
                        pc = sub.end as usize + 1;
                    }
                }
                Opcode::CAL => {
                    if let Some(target) = self.call(structure, inst, &mut open, pc) {
                        pc = target + 1;
                    }
                }
                Opcode::ENDSUB => {
                    if let Some(Open::Call { back, label }) = open.pop() {
                        if label.is_some() {
                            self.l.end_block();
                        }
                        self.calls.leave();
                        pc = back;
                    }
                }
                Opcode::RET => {
                    let call = open.iter().rev().find_map(|o| match o {
                        Open::Call { label, .. } => Some(*label),
                        _ => None,
                    });
                    if let Some(label) = call.unwrap_or(main) {
                        self.l.break_to(label);
                    }
                }
                Opcode::SWITCH => pc = self.switch(structure, inst, at, &mut open),
                Opcode::CASE | Opcode::DEFAULT => {
                    let more = program
                        .instructions
                        .get(pc)
                        .is_some_and(|next| matches!(next.op, Opcode::CASE | Opcode::DEFAULT | Opcode::ENDSWITCH));
                    self.arm(inst.op == Opcode::DEFAULT, more, &mut open);
                }
                Opcode::ENDSWITCH => {
                    if let Some(Open::Switch(switch)) = open.pop() {
                        if switch.open {
                            self.l.end_if();
                        }
                        self.l.end_block();
                    }
                }
                _ => self.step(inst, &mut open),
            }
        }
        if main.is_some() && self.diags.is_empty() {
            self.l.end_block();
        }
    }

    fn step(&mut self, inst: &Instruction, open: &mut Vec<Open>) {
        match inst.op {
            Opcode::IF | Opcode::UIF => {
                self.addresses.clear();
                let differs = if inst.op == Opcode::IF { Op::FNe } else { Op::Ine };
                let pred = self.against_zero(inst, differs, 0);
                self.l.begin_if(pred);
                open.push(Open::If);
            }
            Opcode::ELSE => self.l.begin_else(),
            Opcode::ENDIF => {
                open.pop();
                self.l.end_if();
            }
            Opcode::BGNLOOP => {
                let label = self.l.begin_loop();
                open.push(Open::Loop(label));
            }
            Opcode::ENDLOOP => {
                open.pop();
                self.l.end_loop();
            }
            Opcode::BRK => {
                let label = open.iter().rev().find_map(|o| match o {
                    Open::Loop(label) => Some(*label),
                    Open::Switch(switch) => Some(switch.label),
                    _ => None,
                });
                if let Some(label) = label {
                    self.l.break_to(label);
                }
            }
            Opcode::CONT => {
                let label = open.iter().rev().find_map(|o| match o {
                    Open::Loop(label) => Some(*label),
                    _ => None,
                });
                if let Some(label) = label {
                    self.l.continue_to(label);
                }
            }
            _ if self.l.live() => self.execute(inst),
            _ => {}
        }
    }

    /// Starts a call; the result is the BGNSUB to go on behind.
    fn call(&mut self, structure: &Structure, inst: &Instruction, open: &mut Vec<Open>, back: usize) -> Option<usize> {
        let target = inst.label?;
        let sub = structure.subs.get(&target)?;
        if !self.l.live() {
            return None;
        }
        if let Err(diag) = self.calls.enter(target, inst.span) {
            self.diags.push(diag);
            return None;
        }
        let label = sub.returns.then(|| self.l.begin_block());
        open.push(Open::Call { back, label });
        Some(target as usize)
    }

    /// Opens a switch; the result is the first CASE or DEFAULT, or the end: what stands before it is never reached.
    fn switch(&mut self, structure: &Structure, inst: &Instruction, at: usize, open: &mut Vec<Open>) -> usize {
        self.addresses.clear();
        let program = self.program;
        let arms = structure.switches.get(&(at as u32)).map_or(&[][..], |s| &s.arms[..]);
        let value = self.int(&inst.srcs[0], 0);
        let mut matches = SmallVec::new();
        let mut any = None;
        let mut has_default = false;
        for &arm in arms {
            let arm = &program.instructions[arm as usize];
            has_default |= arm.op == Opcode::DEFAULT;
            if arm.op != Opcode::CASE {
                continue;
            }
            let case = self.int(&arm.srcs[0], 0);
            let equal = self.l.b.int(Op::Ieq, &[value, case]);
            matches.push(equal);
            any = Some(match any {
                None => equal,
                Some(before) => self.l.b.int(Op::Por, &[before, equal]),
            });
        }
        let none = has_default.then(|| match any {
            Some(any) => self.l.b.int(Op::Pnot, &[any]),
            None => self.l.b.pred(true),
        });
        let label = self.l.begin_block();
        open.push(Open::Switch(Box::new(Switch { label, matches, next: 0, none, entered: None, open: false })));
        arms.first().map_or(at + 1, |&first| first as usize)
    }

    /// Passes a CASE or DEFAULT: lanes it lets in join those that are in already. `more`: the next instruction is
    /// another one, or the end.
    fn arm(&mut self, default: bool, more: bool, open: &mut [Open]) {
        let Some(Open::Switch(switch)) = open.last_mut() else { return };
        if switch.open {
            self.l.end_if();
            switch.open = false;
        }
        let enters = if default {
            switch.none
        } else {
            switch.next += 1;
            switch.matches.get(switch.next - 1).copied()
        };
        let Some(enters) = enters else { return };
        let entered = match switch.entered {
            None => enters,
            Some(before) => self.l.b.int(Op::Por, &[before, enters]),
        };
        switch.entered = Some(entered);
        if !more {
            self.l.begin_if(entered);
            switch.open = true;
        }
    }
}
