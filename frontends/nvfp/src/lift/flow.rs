//! The order of execution: straight lines, and the blocks, loops and subroutines of NV_fragment_program2.

use super::{Unit, jumps};
use crate::ast::{Instr, Stmt, StmtKind};
use crate::dialect::Dialect;
use crate::table::{Flow, Sem};
use parallax_core::{Type, ValueId};
use parallax_lift::{Label, VarId, unplaced};
use parallax_num::{Decl, Op};
use parallax_text::Diag;

/// An open loop.
struct Loop {
    label: Label,
    counter: VarId,
    /// Index variable and step of LOOP.
    index: Option<(VarId, ValueId)>,
}

/// Calls that may be open at once (NV_fragment_program2, MAX_PROGRAM_CALL_DEPTH_NV).
const CALL_DEPTH: usize = 4;

impl Unit<'_, '_> {
    /// The whole program.
    pub(super) fn body(&mut self) {
        if jumps::jumps(self.program) {
            return self.jumping_body();
        }
        let main = self.label("main").unwrap_or(0);
        let end = self.lifter.begin_block();
        self.end = Some(end);
        self.run_from(main, end);
        self.lifter.end_block();
    }

    /// Index of the statement after a label.
    fn label(&self, name: &str) -> Option<usize> {
        let at = self.program.body.iter().position(|s| matches!(&s.kind, StmtKind::Label(n) if n == name))?;
        Some(at + 1)
    }

    /// Lifts from a statement to the RET that ends its path, or to the end of the program. `leave` is where RET goes.
    fn run_from(&mut self, start: usize, leave: Label) {
        let program = self.program;
        let mut loops: Vec<Loop> = Vec::new();
        let mut depth = 0usize;
        for stmt in &program.body[start..] {
            let (instr, flow) = match &stmt.kind {
                StmtKind::Instr(instr) => match instr.row.sem {
                    Sem::Flow(flow) => (instr, flow),
                    _ => {
                        self.statement(stmt);
                        continue;
                    }
                },
                _ => {
                    self.statement(stmt);
                    continue;
                }
            };
            self.begin(instr, stmt.span);
            match flow {
                Flow::If => {
                    depth += 1;
                    if let Some(test) = instr.test {
                        let pred = self.any_test(test);
                        self.lifter.begin_if(pred);
                    }
                }
                Flow::Else => self.lifter.begin_else(),
                Flow::EndIf => {
                    depth -= 1;
                    self.lifter.end_if();
                }
                Flow::Loop { indexed } => {
                    depth += 1;
                    let open = self.open_loop(instr, indexed);
                    loops.push(open);
                }
                Flow::EndLoop { .. } => {
                    depth -= 1;
                    if let Some(open) = loops.pop() {
                        self.close_loop(&open);
                    }
                }
                Flow::Break => {
                    let Some(label) = loops.last().map(|l| l.label) else { continue };
                    self.conditional(instr, |unit| unit.lifter.break_to(label));
                }
                Flow::Return => {
                    self.conditional(instr, |unit| unit.lifter.break_to(leave));
                    // Past an unconditional RET outside all blocks stands other code: subroutines.
                    if depth == 0 && instr.test.is_none() {
                        return;
                    }
                }
                // Programs with jumps are cut into blocks.
                Flow::Jump => {}
                Flow::Call => self.conditional(instr, |unit| unit.call(instr, stmt.span)),
            }
        }
        // The end of the words ends the program, in a subroutine too.
        if program.dialect == Dialect::Nv40
            && !self.calls.is_empty()
            && let Some(end) = self.end
        {
            self.lifter.break_to(end);
        }
    }

    /// Lifts a statement that goes nowhere else.
    pub(super) fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Instr(instr) => {
                self.begin(instr, stmt.span);
                match instr.row.sem {
                    Sem::Nop | Sem::Flow(_) | Sem::Push | Sem::Pop => {}
                    Sem::Kill => self.kill(instr),
                    _ => self.compute(instr),
                }
            }
            StmtKind::Together(all) => {
                if let Some(first) = all.first() {
                    self.begin(first, stmt.span);
                }
                self.compute_together(all);
            }
            StmtKind::Label(_) | StmtKind::Declare(_) => {}
        }
    }

    /// Runs something for the lanes that pass the instruction's test, or for all.
    fn conditional(&mut self, instr: &Instr, then: impl FnOnce(&mut Self)) {
        match instr.test {
            None => then(self),
            Some(test) => {
                let pred = self.any_test(test);
                self.lifter.begin_if(pred);
                then(self);
                self.lifter.end_if();
            }
        }
    }

    fn kill(&mut self, instr: &Instr) {
        let pred = match (instr.test, instr.srcs.first()) {
            (Some(test), _) => self.any_test(test),
            (None, Some(src)) => {
                // ARB form: any component below zero.
                let slot = self.lifter.plain(Decl::F32);
                let mut any: Option<ValueId> = None;
                for comp in (0..4u8).filter(|comp| src.swizzle.is_first(*comp)) {
                    let value = self.fetch(src, comp, Decl::F32);
                    let zero = self.lifter.b.float(slot, 0);
                    let below = self.lifter.b.num(Op::FLt, slot, &[value, zero]);
                    any = Some(any.map_or(below, |other| self.lifter.b.int(Op::Por, &[other, below])));
                }
                match any {
                    Some(pred) => pred,
                    None => return,
                }
            }
            (None, None) => return,
        };
        self.discard(pred);
    }

    /// Count, start and step are floors of x, y, z of a parameter; the index is start + i * step, never below 0.
    fn open_loop(&mut self, instr: &Instr, indexed: bool) -> Loop {
        let slot = self.lifter.plain(Decl::F32);
        let floor = |unit: &mut Self, comp: u8| {
            let value = unit.fetch(&instr.srcs[0], comp, Decl::F32);
            unit.lifter.b.num(Op::F2iFloor, slot, &[value])
        };
        let count = floor(self, 0);
        let counter = self.lifter.add_variables(1);
        self.lifter.set(counter, count);
        let index = indexed.then(|| {
            let (start, step) = (floor(self, 1), floor(self, 2));
            let variable = self.lifter.add_variables(1);
            self.lifter.set(variable, start);
            (variable, step)
        });
        let label = self.lifter.begin_loop();
        let left = self.lifter.read_as(counter, Type::I32);
        let zero = self.lifter.b.i32(0);
        let done = self.lifter.b.int(Op::Ile, &[left, zero]);
        self.lifter.begin_if(done);
        self.lifter.break_to(label);
        self.lifter.end_if();
        if let Some((variable, _)) = index {
            let value = self.lifter.read_as(variable, Type::I32);
            let zero = self.lifter.b.i32(0);
            let clamped = self.lifter.b.int(Op::Imax, &[value, zero]);
            self.a0.push(clamped);
        }
        Loop { label, counter, index }
    }

    fn close_loop(&mut self, open: &Loop) {
        let left = self.lifter.read_as(open.counter, Type::I32);
        let one = self.lifter.b.i32(1);
        let less = self.lifter.b.int(Op::Isub, &[left, one]);
        self.lifter.set(open.counter, less);
        if let Some((variable, step)) = open.index {
            let value = self.lifter.read_as(variable, Type::I32);
            let next = self.lifter.b.int(Op::Iadd, &[value, step]);
            self.lifter.set(variable, next);
            self.a0.pop();
        }
        self.lifter.end_loop();
    }

    /// Expands a subroutine in place.
    fn call(&mut self, instr: &Instr, span: parallax_text::Span) {
        let Some(name) = &instr.label else { return };
        let Some(start) = self.label(name) else { return };
        if self.calls.contains(name) {
            let message = format!("subroutine `{name}` calls itself");
            self.diags
                .push(Diag::unsupported("nvfp-recursion", span, message).with_help("calls are expanded in place"));
            return;
        }
        if self.calls.len() == CALL_DEPTH {
            // A full stack ends the program; outputs keep their last values.
            self.diags.push(Diag::unsupported(
                "nvfp-call-depth",
                span,
                format!("calls are nested deeper than {CALL_DEPTH}; ending the program there is not supported"),
            ));
            return;
        }
        self.calls.push(name.clone());
        let program_is_text = self.program.dialect != Dialect::Nv40;
        // A0.x of the texts is known inside of the loop's text alone, the loop register stays.
        let a0 = if program_is_text { std::mem::take(&mut self.a0) } else { self.a0.clone() };
        let leave = self.lifter.begin_block();
        self.run_from(start, leave);
        self.lifter.end_block();
        self.a0 = a0;
        self.calls.pop();
        if self.expanded_too_far() {
            let diag = unplaced("nvfp-call-size", "the program expands to too many calls");
            if !self.diags.iter().any(|d| d.code == diag.code) {
                self.diags.push(diag);
            }
        }
    }

    /// Guards against expansion without measure: four levels of many calls each.
    fn expanded_too_far(&self) -> bool {
        self.lifter.b.func.ops.len() > 4_000_000
    }
}
