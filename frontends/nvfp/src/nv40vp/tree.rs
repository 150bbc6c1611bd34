//! Microcode to the tree that the text dialects are read to: an instruction becomes the operations it issues together, and the
//! jump behind them.

use super::fields::*;
use super::isa::sources;
use super::operand::REGISTERS;
use super::program::{Instr, Program, span};
use crate::ast::{
    Array, Base, CcTest, Clamp, Cond, Dst, File, Image, Instr as Operation, Name, NameId, Out, ParamFile,
    Program as Tree, Src, Stmt, StmtKind, Suffix, Swizzle,
};
use crate::check;
use crate::dialect::{Dialect, Features, VERTEX_RESULTS, result};
use crate::read::OPERAND;
use crate::table::{Flow, Row, Sem, microcode};
use parallax_isa::Meaning;
use parallax_text::{Diag, Span};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The tests by their number in a word.
const TESTS: [Cond; 8] = [Cond::Fl, Cond::Lt, Cond::Eq, Cond::Le, Cond::Gt, Cond::Ne, Cond::Ge, Cond::Tr];

/// Results that have a name.
const RESULTS: u64 = 16;

/// The label behind the last instruction.
const BEHIND: &str = "end";

const JUMP: &Row = microcode("BRA");
const CALL: &Row = microcode("CAL");
const RETURN: &Row = microcode("RET");

/// The scalar operations by their opcode.
const SCALARS: [Option<&Row>; 17] = [
    None,
    Some(microcode("MOV")),
    Some(microcode("RCP")),
    Some(microcode("RCC")),
    Some(microcode("RSQ")),
    Some(microcode("EXP")),
    Some(microcode("LOG")),
    Some(microcode("LIT")),
    None,
    None,
    None,
    None,
    None,
    Some(microcode("LG2")),
    Some(microcode("EX2")),
    Some(microcode("SIN")),
    Some(microcode("COS")),
];

/// The tree being made.
struct Maker<'p> {
    instrs: &'p [Instr],
    body: Vec<Stmt>,
    diags: Vec<Diag>,
}

impl Program {
    /// The program as the tree that [`crate::lift`] takes. All problems are returned, in order of place; there is no tree when
    /// any of them is an error.
    pub fn tree(self) -> (Option<Tree>, Vec<Diag>) {
        let mut maker = Maker { instrs: &self.instrs, body: Vec::new(), diags: Vec::new() };
        let targets: FxHashSet<u64> =
            self.instrs.iter().filter(|instr| leads(instr)).map(|instr| instr.get(&TARGET)).collect();
        for (at, instr) in self.instrs.iter().enumerate() {
            if targets.contains(&(at as u64)) {
                maker.push(StmtKind::Label(label(at as u64)), span(at));
            }
            maker.instruction(at, instr);
        }
        maker.push(StmtKind::Label(BEHIND.into()), Span::default());
        let Maker { body, mut diags, .. } = maker;
        let tree = Tree {
            dialect: Dialect::Nv40Vertex,
            options: Vec::new(),
            features: Features::empty(),
            names: Name::addresses(Dialect::Nv40Vertex),
            body,
            microcode: Arc::default(),
            vertex_microcode: Arc::new(self.instrs),
        };
        if !diags.iter().any(Diag::is_error) {
            check::program(&tree, &mut diags);
        }
        parallax_text::sort_by_key(&mut diags, |diag| diag.span.map(|span| span.start));
        (if diags.iter().any(Diag::is_error) { None } else { Some(tree) }, diags)
    }
}

/// Whether an instruction names another.
fn leads(instr: &Instr) -> bool {
    scalar::has(scalar::JUMPS & !(1 << scalar::RETURN), instr.get(&SCALAR_OPCODE))
}

fn label(at: u64) -> String {
    format!("L{at}")
}

/// The components of a swizzle whose value has x highest.
fn swizzle(value: u64) -> Swizzle {
    Swizzle([6, 4, 2, 0].map(|shift| (value >> shift) as u8 & 3))
}

/// The components of a mask whose value has x highest, x lowest.
fn mask(value: u64) -> u8 {
    (value as u8).reverse_bits() >> 4
}

/// The test of an instruction; `None` where it always passes.
fn test(instr: &Instr) -> Option<CcTest> {
    let value = instr.get(&TEST);
    let cond = TESTS[value as usize & 7];
    let swizzle = swizzle(instr.get(&TEST_SWIZZLE));
    (cond != Cond::Tr).then_some(CcTest { cond, swizzle, code: (value >> 3) as u8 })
}

impl Maker<'_> {
    fn push(&mut self, kind: StmtKind, span: Span) {
        self.body.push(Stmt { kind, span });
    }

    fn refuse(&mut self, at: usize, message: String) {
        self.diags.push(Diag::invalid(OPERAND, span(at), message));
    }

    fn instruction(&mut self, at: usize, instr: &Instr) {
        let row = instr.row();
        let text = match row.meaning {
            Meaning::Lift(text) => text,
            Meaning::Unsupported(reason) | Meaning::Refused(reason) => {
                let message = format!("{}: {reason}", row.name);
                self.diags.push(Diag::unsupported("nv40vp-unsupported", span(at), message));
                return;
            }
        };
        let (vector, second) = (instr.get(&VECTOR_OPCODE), instr.get(&SCALAR_OPCODE));
        let computed =
            scalar::has(scalar::DATA, second).then(|| SCALARS.get(second as usize).copied().flatten()).flatten();
        let mut all = Vec::new();
        let (vector_bases, scalar_bases) = (self.vector_bases(at, instr), self.scalar_bases(at, instr));
        // What writes nothing else updates the condition code; else the vector operation does, or the scalar one alone.
        let nothing_else = vector != 0 && vector_bases.is_empty() || computed.is_some() && scalar_bases.is_empty();
        let updates = |bases: &[Base], is_vector: bool| match nothing_else {
            true => bases.is_empty(),
            false => is_vector || vector == 0,
        };
        if vector != 0 {
            let operation = self.vector(at, instr, text);
            let mask = mask(instr.get(&VECTOR_MASK));
            copies(&mut all, &operation, instr, &vector_bases, mask, updates(&vector_bases, true), span(at));
        }
        if let Some(row) = computed {
            let mut operation = Operation { suffix: suffix(instr), ..Operation::bare(row) };
            let source = self.source(at, instr, 2);
            operation.srcs.push(source);
            let mask = mask(instr.get(&SCALAR_MASK));
            copies(&mut all, &operation, instr, &scalar_bases, mask, updates(&scalar_bases, false), span(at));
        }
        match all.len() {
            0 => {}
            1 => all.into_iter().for_each(|one| self.push(StmtKind::Instr(one), span(at))),
            _ => self.push(StmtKind::Together(all), span(at)),
        }
        if vector == 0 && matches!(text.sem, Sem::Push | Sem::Pop) {
            let register = Base::Name(NameId(instr.get(&ADDRESS_NUMBER) as usize), None);
            let mut operation = Operation::bare(text);
            match text.sem {
                Sem::Push => operation.srcs.push(Src::plain(register, span(at))),
                _ => operation.dst = Some(Dst { base: register, mask: 15, test: None, span: span(at) }),
            }
            self.push(StmtKind::Instr(operation), span(at));
        }
        if scalar::has(scalar::JUMPS, second) {
            self.jump(at, instr, second);
        }
        if instr.ends() && at + 1 < self.instrs.len() {
            let operation = Operation { label: Some(BEHIND.into()), ..Operation::bare(JUMP) };
            self.push(StmtKind::Instr(operation), span(at));
        }
    }

    /// A jump, behind what the instruction computes: it sees the condition code as that left it (RPCS3's order).
    fn jump(&mut self, at: usize, instr: &Instr, opcode: u64) {
        let row = match opcode {
            9 | 17 => JUMP,
            scalar::RETURN => RETURN,
            _ => CALL,
        };
        let mut operation = Operation::bare(row);
        if !matches!(row.sem, Sem::Flow(Flow::Return)) {
            let target = instr.get(&TARGET);
            if target >= self.instrs.len() as u64 {
                let message = format!("field `target` is {target}; the last instruction is {}", self.instrs.len() - 1);
                self.diags.push(Diag::invalid("nv40vp-target", span(at), message));
                return;
            }
            operation.label = Some(label(target).into());
        }
        if scalar::has(scalar::BOOLEAN, opcode) {
            let constant = Base::State(format!("b[{}]", instr.get(&BOOLEAN)).into());
            let negate = !instr.flag(&BOOLEAN_SET);
            operation.srcs.push(Src { negate, swizzle: Swizzle([0; 4]), ..Src::plain(constant, span(at)) });
        } else {
            operation.test = test(instr);
        }
        self.push(StmtKind::Instr(operation), span(at));
    }

    /// The vector operation without its destination.
    fn vector(&mut self, at: usize, instr: &Instr, row: &'static Row) -> Operation {
        let mut operation = Operation { suffix: suffix(instr), ..Operation::bare(row) };
        for (n, reads) in sources(instr.row()).into_iter().enumerate() {
            if reads {
                let source = self.source(at, instr, n);
                operation.srcs.push(source);
            }
        }
        match row.sem {
            Sem::Texture(..) => {
                operation.image = Some(Image { unit: instr.get(&UNIT) as u8, target: None, span: span(at) });
            }
            Sem::AddressAdd => {
                let register = Base::Name(NameId(instr.get(&ADDRESS_NUMBER) as usize), None);
                operation.srcs.push(Src::plain(register, span(at)));
            }
            _ => {}
        }
        operation
    }

    fn register(&mut self, at: usize, number: u64) -> Base {
        if number >= REGISTERS {
            self.refuse(at, format!("`R{number}` does not exist; the last register is `R{}`", REGISTERS - 1));
        }
        Base::Temp(File::R, number as u8)
    }

    fn result(&mut self, at: usize, number: u64) -> Base {
        if number >= RESULTS {
            self.refuse(at, format!("`o[{number}]` does not exist; results are 0 to {}", RESULTS - 1));
        }
        // Behind texture coordinate 7 stands number 8, whose own number is the last.
        let number = if number == RESULTS - 1 { VERTEX_RESULTS.len() as u8 - 1 } else { number as u8 };
        Base::Out(Out::Vertex(number.min(result::TEXT)))
    }

    /// What the vector operation writes.
    fn vector_bases(&mut self, at: usize, instr: &Instr) -> Vec<Base> {
        let mut all = Vec::new();
        let register = instr.get(&VECTOR_REGISTER);
        if instr.get(&VECTOR_OPCODE) == 0 {
            return all;
        }
        if instr.row().meaning.lifted().is_some_and(|row| matches!(row.sem, Sem::Address(_) | Sem::AddressAdd)) {
            if register > 1 {
                self.refuse(at, format!("`A{register}` does not exist; there are A0 and A1"));
            }
            return vec![Base::Name(NameId(register.min(1) as usize), None)];
        }
        let result = instr.get(&RESULT);
        if instr.flag(&VECTOR_RESULT) && result != NO_RESULT {
            all.push(self.result(at, result));
        }
        if register != NO_REGISTER {
            all.push(self.register(at, register));
        }
        all
    }

    /// What the scalar operation writes: a register, or the result that the vector operation leaves.
    fn scalar_bases(&mut self, at: usize, instr: &Instr) -> Vec<Base> {
        if !scalar::has(scalar::DATA, instr.get(&SCALAR_OPCODE)) {
            return Vec::new();
        }
        let (register, result) = (instr.get(&SCALAR_REGISTER), instr.get(&RESULT));
        if register != NO_REGISTER {
            return vec![self.register(at, register)];
        }
        if instr.flag(&VECTOR_RESULT) || result == NO_RESULT {
            return Vec::new();
        }
        vec![self.result(at, result)]
    }

    fn source(&mut self, at: usize, instr: &Instr, n: usize) -> Src {
        let fields = &SOURCES[n];
        let relative = |array: Array, offset: u64| {
            let address = instr.get(&ADDRESS);
            let (register, comp) = (NameId((address >> 2) as usize), address as u8 & 3);
            Base::Relative { array, address: register, comp, offset: offset as i16 }
        };
        let base = match instr.get(&fields.file) {
            file::REGISTER => self.register(at, instr.get(&fields.register)),
            file::INPUT if instr.flag(&INDEX_INPUT) => relative(Array::Attributes, instr.get(&INPUT)),
            file::INPUT => Base::Attr(instr.get(&INPUT) as u8),
            file::CONSTANT if instr.flag(&INDEX_CONSTANT) => relative(Array::Parameters, instr.get(&CONSTANT)),
            file::CONSTANT => Base::Param(ParamFile::Numbered, instr.get(&CONSTANT) as u16),
            other => {
                self.refuse(at, format!("field `source type` of the third source is {other}; allowed: 1 to 3"));
                Base::Attr(0)
            }
        };
        Src {
            negate: instr.flag(&fields.negate),
            abs: instr.flag(&fields.absolute),
            swizzle: swizzle(instr.get(&fields.swizzle)),
            ..Src::plain(base, span(at))
        }
    }
}

fn suffix(instr: &Instr) -> Suffix {
    let clamp = if instr.flag(&SATURATE) { Clamp::Sat } else { Clamp::None };
    Suffix { clamp, ..Suffix::NONE }
}

/// An operation for everything it writes, and for every condition code it updates.
fn copies(
    all: &mut Vec<Operation>,
    operation: &Operation,
    instr: &Instr,
    bases: &[Base],
    mask: u8,
    updates: bool,
    span: Span,
) {
    let codes: Vec<u8> = (0u8..)
        .zip([&UPDATE_FIRST, &UPDATE_SECOND])
        .filter(|(_, field)| updates && instr.flag(field))
        .map(|(n, _)| n)
        .collect();
    for n in 0..bases.len().max(codes.len()) {
        let base = bases.get(n).cloned().unwrap_or(Base::Cc(File::R));
        let test = if instr.flag(&TESTED) { test(instr) } else { None };
        let code = codes.get(n);
        let suffix = Suffix { cc: code.is_some(), code: code.copied().unwrap_or(0), ..operation.suffix };
        all.push(Operation { suffix, dst: Some(Dst { base, mask, test, span }), ..operation.clone() });
    }
}
