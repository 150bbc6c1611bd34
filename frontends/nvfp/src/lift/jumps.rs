//! Programs that jump: vertex programs with BRA, CAL and RET (NV_vertex_program2, section 2.14.2.3) and the stack that calls
//! share with addresses (NV_vertex_program3, sections 2.14.5.34, 2.14.5.43 and 2.14.5.44).
//!
//! Blocks are cut for every stack of calls that control can have: a subroutine called from two places is lifted twice, and one
//! that calls itself as often as the stack has entries. What stands in an entry is known while lifting, so returns are jumps.

use super::Unit;
use crate::ast::{Base, Instr, Program, StmtKind};
use crate::table::{Flow, Group, Sem};
use parallax_core::{Type, ValueId};
use parallax_lift::structure::{Blocks, Successors, structure};
use parallax_lift::{Lifter, VarId, unplaced};
use parallax_num::{Decl, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Entries of the stack (NV_vertex_program2: MAX_PROGRAM_CALL_DEPTH_NV).
const STACK: usize = 4;

/// Statements that blocks may have together: calls can multiply a program without measure.
const MOST: usize = 1 << 16;

/// An entry of the stack.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Entry {
    /// The statement to return to.
    Return(usize),
    /// An address register.
    Address,
}

type Stack = SmallVec<[Entry; STACK]>;

/// Statements in a row.
struct Piece {
    /// The first, and the one behind the last that is lifted as it stands.
    first: usize,
    end: usize,
    /// The statement behind them that goes elsewhere or moves an address, if there is one.
    last: Option<usize>,
    /// Entries of the stack.
    depth: usize,
}

/// A program cut into blocks.
struct Pieces {
    pieces: Vec<Piece>,
    successors: Vec<Successors>,
}

/// Places still to be cut, by their stack and their statement.
struct Cutter<'p> {
    program: &'p Program,
    labels: FxHashMap<&'p str, usize>,
    /// Labels that something goes to.
    sought: FxHashSet<usize>,
    numbers: FxHashMap<(Stack, usize), usize>,
    places: Vec<(Stack, usize)>,
    left: usize,
}

impl<'p> Cutter<'p> {
    fn new(program: &'p Program) -> Cutter<'p> {
        let mut labels = FxHashMap::default();
        for (n, stmt) in program.body.iter().enumerate() {
            if let StmtKind::Label(name) = &stmt.kind {
                labels.entry(name.as_str()).or_insert(n);
            }
        }
        let names = program.instrs().filter_map(|instr| instr.label.as_deref());
        let sought = names.filter_map(|name| labels.get(name).copied()).collect();
        Cutter { program, labels, sought, numbers: FxHashMap::default(), places: Vec::new(), left: MOST }
    }

    /// The number of the block at a place.
    fn block(&mut self, stack: Stack, at: usize) -> usize {
        // All ends are one.
        let stack = if at < self.program.body.len() { stack } else { Stack::new() };
        let Cutter { numbers, places, .. } = self;
        *numbers.entry((stack, at)).or_insert_with_key(|place| {
            places.push(place.clone());
            places.len() - 1
        })
    }

    fn end(&mut self) -> usize {
        self.block(Stack::new(), self.program.body.len())
    }

    /// All blocks that control can reach; nothing where there are too many.
    fn cut(mut self) -> Option<Pieces> {
        let main = self.labels.get("main").copied().unwrap_or(0);
        self.block(Stack::new(), main);
        let mut all = Pieces { pieces: Vec::new(), successors: Vec::new() };
        while let Some((stack, first)) = self.places.get(all.pieces.len()).cloned() {
            let leads = |at: &usize| {
                let is_label = *at > first && self.sought.contains(at);
                is_label || self.program.body[*at].kind.instrs().iter().any(|instr| moves(instr.row.sem))
            };
            let end = (first..self.program.body.len()).find(leads).unwrap_or(self.program.body.len());
            self.left = self.left.checked_sub(end + 1 - first)?;
            let last = match self.program.body.get(end).map(|stmt| &stmt.kind) {
                Some(StmtKind::Instr(instr)) => Some(instr),
                _ => None,
            };
            let depth = stack.len();
            all.successors.push(match last {
                _ if first == self.program.body.len() => Successors::End,
                None => Successors::Goto(self.block(stack, end)),
                Some(instr) => self.successors(instr, stack, end),
            });
            all.pieces.push(Piece { first, end, last: last.map(|_| end), depth });
        }
        Some(all)
    }

    /// Where an instruction at a place leads.
    fn successors(&mut self, instr: &Instr, mut stack: Stack, at: usize) -> Successors {
        let other = at + 1;
        let before = stack.clone();
        let then = match instr.row.sem {
            Sem::Flow(Flow::Jump) => self.target(instr).map(|to| (stack, to)),
            // A full stack ends the program, and so does an empty one, or one with something else on it.
            Sem::Flow(Flow::Call) if stack.len() < STACK => {
                stack.push(Entry::Return(other));
                self.target(instr).map(|to| (stack, to))
            }
            Sem::Push if stack.len() < STACK => {
                stack.push(Entry::Address);
                Some((stack, other))
            }
            Sem::Flow(Flow::Return) => match stack.pop() {
                Some(Entry::Return(to)) => Some((stack, to)),
                _ => None,
            },
            Sem::Pop => match stack.pop() {
                Some(Entry::Address) => Some((stack, other)),
                _ => None,
            },
            _ => None,
        };
        let then = match then {
            Some((stack, to)) => self.block(stack, to),
            None => self.end(),
        };
        match instr.test.is_some() || !instr.srcs.is_empty() && instr.row.group == Group::Flow {
            true => Successors::Branch { then, other: self.block(before, other) },
            false => Successors::Goto(then),
        }
    }

    fn target(&self, instr: &Instr) -> Option<usize> {
        self.labels.get(instr.label.as_deref()?).copied()
    }
}

/// Whether an operation goes elsewhere or changes the stack.
fn moves(sem: Sem) -> bool {
    matches!(sem, Sem::Flow(_) | Sem::Push | Sem::Pop)
}

/// Whether a program is cut into blocks: no other vertex program needs it.
pub(super) fn jumps(program: &Program) -> bool {
    program.dialect.is_vertex() && program.instrs().any(|instr| moves(instr.row.sem))
}

impl Unit<'_, '_> {
    /// The whole program.
    pub(super) fn jumping_body(&mut self) {
        let Some(pieces) = Cutter::new(self.program).cut() else {
            let diag = unplaced("nvfp-call-size", "the program expands to too many calls");
            self.diags
                .push(diag.with_help("calls are expanded in place: call from fewer places, or from fewer levels"));
            return;
        };
        let plan = structure(&pieces.successors);
        let stack = self.lifter.add_variables(STACK as u32 * 4);
        plan.lift(&mut Walk { unit: self, pieces: &pieces, stack });
    }

    /// Whether a jump is taken: any of the tested components passes, or a Boolean constant is as asked for.
    fn taken(&mut self, instr: &Instr) -> ValueId {
        if let Some(src) = instr.srcs.first() {
            let slot = self.lifter.plain(Decl::F32);
            let (held, _) = self.held(&src.base, 0);
            let value = self.lifter.force(held, Type::F32);
            let zero = self.lifter.b.float(slot, 0);
            let is_set = self.lifter.b.num(Op::FNe, slot, &[value, zero]);
            return if src.negate { self.lifter.b.int(Op::Pnot, &[is_set]) } else { is_set };
        }
        match instr.test {
            Some(test) => self.any_test(test),
            None => self.lifter.b.pred(true),
        }
    }
}

/// A program on its way to structured control.
struct Walk<'u, 'p, 'f> {
    unit: &'u mut Unit<'p, 'f>,
    pieces: &'u Pieces,
    /// Four variables for each entry of the stack.
    stack: VarId,
}

impl Walk<'_, '_, '_> {
    /// Moves the components of an address between its register and an entry of the stack.
    fn carry(&mut self, base: &Base, entry: usize, is_push: bool) {
        let Base::Name(id, _) = base else { return };
        let register = self.unit.registers.address(self.unit.program.target(*id));
        for comp in 0..4 {
            let (register, entry) = (register.offset(comp), self.stack.offset(entry as u32 * 4 + comp));
            let (from, to) = if is_push { (register, entry) } else { (entry, register) };
            let value = self.unit.lifter.read_bits(from);
            self.unit.lifter.set(to, value);
        }
    }

    /// Makes the first instruction of a statement the origin of what follows.
    fn begin(&mut self, at: usize) {
        let stmt = &self.unit.program.body[at];
        if let Some(instr) = stmt.kind.instrs().first() {
            self.unit.begin(instr, stmt.span);
        }
    }
}

impl<'f> Blocks<'f> for Walk<'_, '_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.unit.lifter
    }

    fn begin_loop(&mut self, block: usize) {
        let Piece { first, end, last, .. } = self.pieces.pieces[block];
        let instrs = |at: &usize| !self.unit.program.body[*at].kind.instrs().is_empty();
        if let Some(at) = (first..last.map_or(end, |last| last + 1)).find(instrs) {
            self.begin(at);
        }
    }

    fn block(&mut self, block: usize) {
        let Piece { first, end, last, depth } = self.pieces.pieces[block];
        let program = self.unit.program;
        for stmt in &program.body[first..end] {
            self.unit.statement(stmt);
        }
        let Some(last) = last else { return };
        let StmtKind::Instr(instr) = &program.body[last].kind else { return };
        match (instr.row.sem, &instr.dst, instr.srcs.first()) {
            (Sem::Push, _, Some(src)) if depth < STACK => {
                self.begin(last);
                self.carry(&src.base, depth, true);
            }
            (Sem::Pop, Some(dst), _) if depth > 0 => {
                self.begin(last);
                self.carry(&dst.base, depth - 1, false);
            }
            _ => {}
        }
    }

    fn condition(&mut self, block: usize) -> ValueId {
        let program = self.unit.program;
        let last = self.pieces.pieces[block].last.map(|at| (at, &program.body[at].kind));
        let Some((at, StmtKind::Instr(instr))) = last else { return self.unit.lifter.b.pred(false) };
        self.begin(at);
        self.unit.taken(instr)
    }
}
