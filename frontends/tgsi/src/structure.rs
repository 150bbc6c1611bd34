//! Blocks: which instruction closes which, what a switch holds, where subroutines are.

use crate::ast::Instruction;
use crate::opcode::Opcode;
use crate::words::File;
use parallax_text::{Diag, Span};
use rustc_hash::FxHashMap;

/// No more errors than this are collected from one text.
pub(crate) const MAX_ERRORS: usize = 500;

/// The blocks of a program, found by matching instructions; labels of anything but calls are ignored.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    /// Subroutines by the number of their BGNSUB.
    pub(crate) subs: FxHashMap<u32, Sub>,
    /// Switches by the number of their SWITCH.
    pub(crate) switches: FxHashMap<u32, Switch>,
    /// Whether the main program has a RET.
    pub(crate) main_returns: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Sub {
    /// Number of its ENDSUB.
    pub(crate) end: u32,
    /// Whether it has a RET.
    pub(crate) returns: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Switch {
    /// Numbers of its CASE and DEFAULT instructions, then of its ENDSWITCH.
    pub(crate) arms: Vec<u32>,
}

struct Open {
    op: Opcode,
    at: usize,
    has_else: bool,
    default: Option<usize>,
}

struct Matcher<'a> {
    insts: &'a [Instruction],
    open: Vec<Open>,
    /// Loops and switches open in the current subroutine.
    loops: usize,
    switches: usize,
    /// The BGNSUB that is open.
    sub: Option<u32>,
    diags: &'a mut Vec<Diag>,
    found: Structure,
}

impl Structure {
    /// Matches blocks; problems go to `diags`.
    pub(crate) fn of(insts: &[Instruction], header: Span, diags: &mut Vec<Diag>) -> Structure {
        let mut m =
            Matcher { insts, open: Vec::new(), loops: 0, switches: 0, sub: None, diags, found: Structure::default() };
        let mut end: Option<usize> = None;
        for (at, inst) in insts.iter().enumerate() {
            if m.diags.len() >= MAX_ERRORS {
                return m.found;
            }
            if let Some(end) = end
                && m.open.is_empty()
                && inst.op != Opcode::BGNSUB
            {
                let diag = Diag::invalid("tgsi-after-end", inst.op_span, format!("`{}` after END", inst.op));
                m.diags.push(diag.with_label(insts[end].op_span, "the program ends here").with_help("remove it"));
                continue;
            }
            if inst.op == Opcode::END {
                m.close_all(at);
                end = Some(at);
            } else {
                m.step(at, inst);
            }
        }
        m.close_all(insts.len());
        if end.is_none() {
            let place = insts.last().map_or(header, |last| last.span);
            let place = Span { start: place.end, end: place.end };
            let diag = Diag::invalid("tgsi-missing-end", place, "the program has no END");
            m.diags.push(diag.with_help("write END as the last instruction"));
        }
        m.calls();
        m.found
    }
}

impl Matcher<'_> {
    fn step(&mut self, at: usize, inst: &Instruction) {
        match inst.op {
            Opcode::IF | Opcode::UIF | Opcode::BGNLOOP => self.push(at, inst),
            Opcode::SWITCH => {
                self.push(at, inst);
                self.found.switches.insert(at as u32, Switch::default());
            }
            Opcode::BGNSUB => {
                if let Some(open) = self.open.last() {
                    let message = format!("BGNSUB inside {}", open.op);
                    let label = self.insts[open.at].op_span;
                    self.diags.push(
                        Diag::invalid("tgsi-mismatched", inst.op_span, message)
                            .with_label(label, "opened here")
                            .with_help("subroutines must be outside all blocks"),
                    );
                }
                self.push(at, inst);
                self.found.subs.insert(at as u32, Sub { end: at as u32, returns: false });
            }
            Opcode::ELSE => {
                if self.top_is(inst, &[Opcode::IF, Opcode::UIF])
                    && let Some(open) = self.open.last_mut()
                {
                    if open.has_else {
                        let label = self.insts[open.at].op_span;
                        let diag = Diag::invalid("tgsi-mismatched", inst.op_span, "second ELSE of an IF");
                        self.diags.push(diag.with_label(label, "the IF"));
                    }
                    open.has_else = true;
                }
            }
            Opcode::ENDIF => self.close(at, inst, &[Opcode::IF, Opcode::UIF]),
            Opcode::ENDLOOP => self.close(at, inst, &[Opcode::BGNLOOP]),
            Opcode::ENDSWITCH => self.close(at, inst, &[Opcode::SWITCH]),
            Opcode::ENDSUB => self.close(at, inst, &[Opcode::BGNSUB]),
            Opcode::CASE | Opcode::DEFAULT => self.arm(at, inst),
            Opcode::BRK if self.loops + self.switches == 0 => self.outside(inst, "a loop or switch"),
            Opcode::CONT if self.loops == 0 => self.outside(inst, "a loop"),
            Opcode::RET => match self.sub {
                Some(at) => {
                    if let Some(sub) = self.found.subs.get_mut(&at) {
                        sub.returns = true;
                    }
                }
                None => self.found.main_returns = true,
            },
            _ => {}
        }
    }

    fn push(&mut self, at: usize, inst: &Instruction) {
        match inst.op {
            Opcode::BGNLOOP => self.loops += 1,
            Opcode::SWITCH => self.switches += 1,
            // What is open around a subroutine, by mistake, cannot be left from inside.
            Opcode::BGNSUB => (self.loops, self.switches, self.sub) = (0, 0, Some(at as u32)),
            _ => {}
        }
        self.open.push(Open { op: inst.op, at, has_else: false, default: None });
    }

    /// Whether the innermost block is one of `ops`; says so if not.
    fn top_is(&mut self, inst: &Instruction, ops: &[Opcode]) -> bool {
        let Some(open) = self.open.last() else {
            let message = format!("{} without {}", inst.op, ops[0]);
            self.diags.push(Diag::invalid("tgsi-mismatched", inst.op_span, message));
            return false;
        };
        if ops.contains(&open.op) {
            return true;
        }
        let message = format!("{} where {} is open", inst.op, open.op);
        let label = self.insts[open.at].op_span;
        self.diags.push(Diag::invalid("tgsi-mismatched", inst.op_span, message).with_label(label, "opened here"));
        false
    }

    fn close(&mut self, at: usize, inst: &Instruction, ops: &[Opcode]) {
        if !self.top_is(inst, ops) {
            // Go on behind the block that was meant, if there is one.
            match self.open.iter().rposition(|o| ops.contains(&o.op)) {
                Some(meant) => {
                    while self.open.len() > meant + 1 {
                        self.pop();
                    }
                }
                None => return,
            }
        }
        let Some(open) = self.pop() else { return };
        match open.op {
            Opcode::BGNSUB => {
                if let Some(sub) = self.found.subs.get_mut(&(open.at as u32)) {
                    sub.end = at as u32;
                }
            }
            Opcode::SWITCH => {
                if let Some(switch) = self.found.switches.get_mut(&(open.at as u32)) {
                    switch.arms.push(at as u32);
                }
            }
            _ => {}
        }
    }

    fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        match open.op {
            Opcode::BGNLOOP => self.loops = self.loops.saturating_sub(1),
            Opcode::SWITCH => self.switches = self.switches.saturating_sub(1),
            Opcode::BGNSUB => self.sub = None,
            _ => {}
        }
        Some(open)
    }

    fn arm(&mut self, at: usize, inst: &Instruction) {
        if !self.top_is(inst, &[Opcode::SWITCH]) {
            return;
        }
        let Some(open) = self.open.last_mut() else { return };
        if let Some(switch) = self.found.switches.get_mut(&(open.at as u32)) {
            switch.arms.push(at as u32);
        }
        if inst.op == Opcode::DEFAULT {
            if let Some(first) = open.default {
                let diag = Diag::invalid("tgsi-mismatched", inst.op_span, "second DEFAULT of a SWITCH");
                self.diags.push(diag.with_label(self.insts[first].op_span, "the first"));
            }
            open.default = Some(at);
        } else if let Some(src) = inst.srcs.first() {
            let plain = src.reg.file == File::Imm && src.reg.index.indirect.is_none() && !src.negate;
            if !plain {
                let diag = Diag::invalid("tgsi-case", src.span, "the operand of CASE must be an integer immediate");
                self.diags.push(diag.with_help("declare it with IMM and use IMM[n] here"));
            }
        }
    }

    fn outside(&mut self, inst: &Instruction, what: &str) {
        let message = format!("{} outside {what}", inst.op);
        self.diags.push(Diag::invalid("tgsi-outside", inst.op_span, message));
    }

    fn close_all(&mut self, at: usize) {
        let end = self.insts.get(at).map(|i| i.op_span);
        for open in self.open.drain(..) {
            let close = match open.op {
                Opcode::BGNLOOP => "ENDLOOP",
                Opcode::SWITCH => "ENDSWITCH",
                Opcode::BGNSUB => "ENDSUB",
                _ => "ENDIF",
            };
            let message = format!("{} is never closed", open.op);
            let mut diag = Diag::invalid("tgsi-unclosed", self.insts[open.at].op_span, message)
                .with_help(format!("close it with {close}"));
            if let Some(end) = end {
                diag = diag.with_label(end, "the program ends here");
            }
            self.diags.push(diag);
        }
    }

    /// Every CAL must name a BGNSUB.
    fn calls(&mut self) {
        for inst in self.insts.iter().filter(|i| i.op == Opcode::CAL) {
            let problem = match inst.label {
                None => "CAL without a label".to_string(),
                Some(n) if self.found.subs.contains_key(&n) => continue,
                Some(n) => match self.insts.get(n as usize) {
                    Some(other) => format!("CAL of instruction {n}, which is {}", other.op),
                    None => format!("CAL of instruction {n}, which does not exist"),
                },
            };
            let diag = Diag::invalid("tgsi-call", inst.span, problem);
            self.diags.push(diag.with_help("the label is the number of a BGNSUB, counted from 0"));
        }
    }
}
