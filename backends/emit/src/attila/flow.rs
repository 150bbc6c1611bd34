//! Branches and loops of ATTILA: predicates say which pixels write, and a loop is left by a jump when none of the quad is in it.

use super::encode::{AGAIN, DONE, Encoder, Operation};
use super::{CONSTANTS, register};
use crate::Encoding;
use crate::program::{Line, Program, Reg, Src, Written};
use crate::text::{self, Swizzles, numbered};

/// Predicates.
const PREDICATES: u32 = 32;
/// Temporaries.
const REGISTERS: u32 = 32;

/// A construct that is open.
#[derive(Copy, Clone, Debug)]
enum Scope {
    /// An arm of a branch: who executes it, and who does not meet the condition. `left`: whether somebody left the loop around it.
    Arm { on: u32, off: u32, left: bool },
    /// A loop: who is in it, who is in this round, and its label; none where it has one round.
    Loop { lanes: u32, round: u32, label: Option<u32> },
}

impl Scope {
    /// The predicate of who executes here.
    const fn on(self) -> u32 {
        match self {
            Scope::Arm { on, .. } => on,
            Scope::Loop { round, .. } => round,
        }
    }
}

/// A program while it is written.
pub(super) struct Flow<'a> {
    program: &'a Program<'a>,
    /// The text; of words, that of the instruction that is being written.
    text: String,
    words: Option<Encoder>,
    /// Whether a label stands behind the last instruction.
    is_labelled: bool,
    scopes: Vec<Scope>,
    /// Predicates in use, and the most that were.
    used: u32,
    most: u32,
    labels: u32,
    instructions: usize,
    /// Whether a register is needed for what is tested by discards.
    discards: bool,
}

/// The text or words of a program, or what is missing.
pub(super) fn write(program: &Program<'_>) -> Result<Written, Vec<String>> {
    let mut flow = Flow {
        program,
        text: String::new(),
        words: (program.encoding == Encoding::Words).then(|| Encoder::new(program.lines.len() + 1)),
        is_labelled: false,
        scopes: Vec::new(),
        used: 0,
        most: 0,
        labels: 0,
        instructions: 0,
        discards: false,
    };
    for (n, line) in program.lines.iter().enumerate() {
        flow.line(line, &program.lines[n + 1..]);
    }
    if flow.instructions == 0 || flow.is_labelled {
        // A program has an instruction, and a label one behind it.
        flow.push("nop");
    }
    let mut problems = Vec::new();
    if flow.most > PREDICATES {
        let missing = flow.most - PREDICATES;
        problems.push(format!("{} predicates: ATTILA has {PREDICATES}; {missing} are missing", flow.most));
    }
    let constants = program.places.first_literal + program.imms.len() as u32;
    if constants > CONSTANTS {
        let missing = constants - CONSTANTS;
        problems.push(format!("{constants} constants and literals: ATTILA has {CONSTANTS}; {missing} are missing"));
    }
    if flow.discards && program.temps >= REGISTERS {
        problems.push(format!("a register for discards in branches: ATTILA has {REGISTERS}; 1 is missing"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let binary = flow.words.map(Encoder::finish).transpose().map_err(|problem| vec![problem])?;
    Ok(Written { text: flow.text, binary, instructions: flow.instructions, ..Written::default() })
}

/// Whether somebody begins the next round of a loop in its middle; `lines` are those behind its first.
fn is_continued(lines: &[Line]) -> bool {
    let mut depth = 0;
    for line in lines {
        match line {
            Line::Loop { .. } => depth += 1,
            Line::EndLoop if depth == 0 => return false,
            Line::EndLoop => depth -= 1,
            Line::Continue if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

impl Flow<'_> {
    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        match &mut self.words {
            Some(words) => {
                words.text(&self.text);
                self.text.clear();
            }
            None => self.text.push('\n'),
        }
        self.done();
    }

    /// Counts an instruction.
    fn done(&mut self) {
        self.instructions += 1;
        self.is_labelled = false;
    }

    fn label(&mut self, name: &'static str, number: u32) {
        match &mut self.words {
            Some(words) => words.label(name, number),
            None => numbered(&mut self.text, name, number, ":\n"),
        }
        self.is_labelled = true;
    }

    fn predicate(&mut self) -> u32 {
        self.used += 1;
        self.most = self.most.max(self.used);
        self.used - 1
    }

    /// Who executes here, as an operand.
    fn here(&self) -> String {
        self.scopes.last().map_or_else(|| "true".to_string(), |scope| format!("p{}", scope.on()))
    }

    fn line(&mut self, line: &Line, behind: &[Line]) {
        match line {
            Line::Op { dst: None, row, srcs, .. } => self.discard(row.name, &srcs[0]),
            Line::Op { row, saturate, dst: Some(to), srcs, texture, .. } => {
                let operation = Operation {
                    row: *row,
                    saturate: *saturate,
                    guard: self.scopes.last().map(|scope| scope.on()),
                    to: *to,
                    sources: srcs,
                    unit: texture.as_ref().map(|tex| tex.unit),
                };
                let program = self.program;
                match &mut self.words {
                    Some(words) => words.operation(&operation, program),
                    None => {
                        operation.put(&mut self.text, |text, reg| register(program, reg, text));
                        self.text.push('\n');
                    }
                }
                self.done();
            }
            Line::Address { comp, src } => {
                // All components of it are written, of every pixel.
                let mut text = String::new();
                numbered(&mut text, "arl a", (*comp).into(), ".x, ");
                self.source(&mut text, src);
                self.push(&text);
            }
            Line::If { src, .. } => {
                let here = self.here();
                let (on, off) = (self.predicate(), self.predicate());
                let mut text = format!("setpeq p{off}, ");
                self.source(&mut text, src);
                text.push_str(", 0.0");
                self.push(&text);
                self.push(&format!("andp p{on}, !p{off}, {here}"));
                self.scopes.push(Scope::Arm { on, off, left: false });
            }
            Line::Else => {
                let Some(Scope::Arm { on, off, .. }) = self.scopes.last().copied() else { return };
                let around = self.scopes.len().checked_sub(2).map(|at| self.scopes[at].on());
                let around = around.map_or_else(|| "true".to_string(), |on| format!("p{on}"));
                self.push(&format!("andp p{on}, p{off}, {around}"));
            }
            Line::EndIf => self.end_branch(),
            Line::Loop { rounds } => self.begin_loop(*rounds == Some(1), behind),
            Line::EndLoop => {
                let Some(Scope::Loop { lanes, round, label }) = self.scopes.pop() else { return };
                if let Some(label) = label {
                    self.push(&format!("jmp true, {AGAIN}{label}"));
                    self.label(DONE, label);
                }
                self.used -= if lanes == round { 1 } else { 2 };
            }
            Line::Break => self.leave(true),
            Line::Continue => self.leave(false),
        }
    }

    fn source(&self, text: &mut String, src: &Src) {
        text::source(text, src, Swizzles::Short, |text| register(self.program, src.reg, text));
    }

    /// Discards ask no predicate: what they test is 0 where a pixel does not come by.
    fn discard(&mut self, name: &str, src: &Src) {
        let mut text = String::new();
        let Some(scope) = self.scopes.last().copied() else {
            text.push_str(name);
            text.push(' ');
            self.source(&mut text, src);
            return self.push(&text);
        };
        self.discards = true;
        let spare = self.program.temps.min(REGISTERS - 1);
        // Nothing is less than itself.
        self.push(&format!("slt r{spare}, r{spare}, r{spare}"));
        numbered(&mut text, "(p", scope.on(), ") mov ");
        register(self.program, Reg::Temp(spare), &mut text);
        text.push_str(", ");
        self.source(&mut text, src);
        self.push(&text);
        self.push(&format!("{name} r{spare}"));
    }

    fn end_branch(&mut self) {
        let Some(Scope::Arm { left, .. }) = self.scopes.pop() else { return };
        self.used -= 2;
        if !left {
            return;
        }
        // Who left the loop does not execute what follows here either.
        let round = self.scopes.iter().rev().find_map(|scope| match scope {
            Scope::Loop { round, .. } => Some(*round),
            Scope::Arm { .. } => None,
        });
        if let (Some(Scope::Arm { on, left, .. }), Some(round)) = (self.scopes.last_mut(), round) {
            *left = true;
            let on = *on;
            self.push(&format!("andp p{on}, p{on}, p{round}"));
        }
    }

    fn begin_loop(&mut self, once: bool, behind: &[Line]) {
        let here = self.here();
        let lanes = self.predicate();
        self.push(&format!("andp p{lanes}, {here}, true"));
        if once {
            self.scopes.push(Scope::Loop { lanes, round: lanes, label: None });
            return;
        }
        self.labels += 1;
        let label = self.labels;
        self.label(AGAIN, label);
        self.push(&format!("jmp !p{lanes}, {DONE}{label}"));
        let mut round = lanes;
        if is_continued(behind) {
            round = self.predicate();
            self.push(&format!("andp p{round}, p{lanes}, true"));
        }
        self.scopes.push(Scope::Loop { lanes, round, label: Some(label) });
    }

    /// Pixels that execute here leave the loop, or its round.
    fn leave(&mut self, for_good: bool) {
        let Some(on) = self.scopes.last().map(|scope| scope.on()) else { return };
        for scope in self.scopes.iter_mut().rev() {
            match scope {
                Scope::Arm { left, .. } => *left = true,
                Scope::Loop { lanes, round, .. } => {
                    let (lanes, round) = (*lanes, *round);
                    if for_good && lanes != round {
                        self.push(&format!("andp p{lanes}, p{lanes}, !p{on}"));
                    }
                    return self.push(&format!("andp p{round}, p{round}, !p{on}"));
                }
            }
        }
    }
}
