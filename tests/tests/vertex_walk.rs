//! Random vertex programs of NV_vertex_program to NV_vertex_program3, and NV40 vertex microcode: what the engine computes is
//! what walking them instruction by instruction computes.
//!
//! The walk is written from the documents alone. It has a place in the program, a stack of calls, registers, addresses and
//! condition codes, and takes every arithmetic result from the reference evaluation of `parallax-num`. Programs are built
//! here and written as text for the engine, so that reader and lift are both judged.

use parallax::{LaneCase, LoadOptions, load, run_lanes};
use parallax_core::num::{Decl, Model, Op, Saturate, Slot, eval};
use parallax_gen::{Choices, choices};
use parallax_tests::engines::{compiled, ways};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

const LANES: usize = 4;
const MODELS: [&str; 3] = ["ieee", "nvfp", "nv20"];
const PARAMETERS: usize = 8;
/// Calls that may be open (NV_vertex_program2: MAX_PROGRAM_CALL_DEPTH_NV).
const STACK: usize = 4;

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Vp10,
    Vp11,
    Vp20,
    Option2,
    Option3,
    Words,
}

const KINDS: [Kind; 6] = [Kind::Vp10, Kind::Vp11, Kind::Vp20, Kind::Option2, Kind::Option3, Kind::Words];

impl Kind {
    /// Whether there are jumps, condition codes and vectors of addresses.
    fn jumps(self) -> bool {
        self >= Kind::Vp20
    }

    fn is_arb(self) -> bool {
        matches!(self, Kind::Option2 | Kind::Option3)
    }

    fn codes(self) -> usize {
        if matches!(self, Kind::Option3 | Kind::Words) { 2 } else { 1 }
    }
}

/// Opcodes with their operands, vectors `v` and scalars `s`; the first of the texts that has each; whether microcode has it as
/// a vector operation `v`, a scalar one `s`, or not.
const OPCODES: &[(&str, &str, Kind, char)] = &[
    ("MOV", "v", Kind::Vp10, 'v'),
    ("ADD", "vv", Kind::Vp10, 'v'),
    ("MUL", "vv", Kind::Vp10, 'v'),
    ("MAD", "vvv", Kind::Vp10, 'v'),
    ("MIN", "vv", Kind::Vp10, 'v'),
    ("MAX", "vv", Kind::Vp10, 'v'),
    ("SLT", "vv", Kind::Vp10, 'v'),
    ("SGE", "vv", Kind::Vp10, 'v'),
    ("DP3", "vv", Kind::Vp10, 'v'),
    ("DP4", "vv", Kind::Vp10, 'v'),
    ("DST", "vv", Kind::Vp10, 'v'),
    ("LIT", "v", Kind::Vp10, 's'),
    ("RCP", "s", Kind::Vp10, 's'),
    ("RSQ", "s", Kind::Vp10, 's'),
    ("EXP", "s", Kind::Vp10, 's'),
    ("LOG", "s", Kind::Vp10, 's'),
    ("ABS", "v", Kind::Vp11, ' '),
    ("SUB", "vv", Kind::Vp11, ' '),
    ("DPH", "vv", Kind::Vp11, 'v'),
    ("RCC", "s", Kind::Vp11, 's'),
    ("FLR", "v", Kind::Vp20, 'v'),
    ("FRC", "v", Kind::Vp20, 'v'),
    ("SEQ", "vv", Kind::Vp20, 'v'),
    ("SGT", "vv", Kind::Vp20, 'v'),
    ("SLE", "vv", Kind::Vp20, 'v'),
    ("SNE", "vv", Kind::Vp20, 'v'),
    ("SSG", "v", Kind::Vp20, 'v'),
    ("EX2", "s", Kind::Vp20, 's'),
    ("LG2", "s", Kind::Vp20, 's'),
    ("SIN", "s", Kind::Vp20, 's'),
    ("COS", "s", Kind::Vp20, 's'),
    ("MOVS", "v", Kind::Words, 's'),
];

const CONDITIONS: [&str; 8] = ["GT", "LT", "EQ", "NE", "GE", "LE", "TR", "FL"];
const NUMBERS: [f32; 14] =
    [0.0, 1.0, -1.0, 0.5, -0.25, 3.0, -1.5, 0.1, 2.5, -2.0, 100_000.0, -0.0, 7.75, f32::INFINITY];

#[derive(Copy, Clone, Debug, PartialEq)]
enum Base {
    Register(usize),
    Attribute(usize),
    Parameter(usize),
    /// The parameter that a component of an address register names, plus this.
    Relative(usize, usize, i32),
}

#[derive(Copy, Clone, Debug)]
struct Source {
    base: Base,
    swizzle: [usize; 4],
    negate: bool,
    absolute: bool,
}

#[derive(Copy, Clone, Debug)]
struct Test {
    condition: &'static str,
    swizzle: [usize; 4],
    code: usize,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Dest {
    Register(usize),
    Result(usize),
    Address(usize),
    Code,
}

#[derive(Clone, Debug)]
struct Operation {
    name: &'static str,
    sources: Vec<Source>,
    dest: Dest,
    mask: [bool; 4],
}

#[derive(Clone, Debug)]
enum Jump {
    To(usize),
    Call(usize),
    Return,
}

/// What is issued together: operations, which all read before any writes, then a jump.
#[derive(Clone, Debug, Default)]
struct Step {
    operations: Vec<Operation>,
    test: Option<Test>,
    /// Whether writes depend on the test.
    tested: bool,
    updates: [bool; 2],
    saturates: bool,
    jump: Option<Jump>,
}

struct Program {
    kind: Kind,
    steps: Vec<Step>,
}

struct Writer<'c> {
    c: Choices<'c>,
    kind: Kind,
}

impl Writer<'_> {
    fn swizzle(&mut self) -> [usize; 4] {
        match self.c.below(3) {
            0 => [0, 1, 2, 3],
            1 => [self.c.below(4); 4],
            _ => [(); 4].map(|()| self.c.below(4)),
        }
    }

    fn test(&mut self) -> Test {
        let code = self.c.below(self.kind.codes());
        Test { condition: self.c.one(&CONDITIONS), swizzle: self.swizzle(), code }
    }

    fn mask(&mut self) -> [bool; 4] {
        let bits = self.c.below(31);
        if (1..15).contains(&bits) { [0, 1, 2, 3].map(|n| bits >> n & 1 == 1) } else { [true; 4] }
    }

    /// The attribute and the parameter that operands of a step share.
    fn outer(&mut self) -> [Base; 2] {
        let (registers, comps) = if self.kind.jumps() { (2, 4) } else { (1, 1) };
        let parameter = match self.c.once_in(3) {
            true => Base::Relative(self.c.below(registers), self.c.below(comps), self.c.below(6) as i32),
            false => Base::Parameter(self.c.below(PARAMETERS)),
        };
        [Base::Attribute(self.c.below(3)), parameter]
    }

    fn source(&mut self, outer: [Base; 2], scalar: bool) -> Source {
        let base = if self.c.once_in(2) { self.c.one(&outer) } else { Base::Register(self.c.below(4)) };
        let swizzle = if scalar { [self.c.below(4); 4] } else { self.swizzle() };
        Source { base, swizzle, negate: self.c.once_in(4), absolute: self.kind.jumps() && self.c.once_in(5) }
    }

    fn operation(&mut self, outer: [Base; 2], of: impl Fn(&(&str, &str, Kind, char)) -> bool) -> Operation {
        let known: Vec<_> = OPCODES.iter().filter(|op| of(op)).collect();
        let (name, shape, ..) = *self.c.one(&known);
        let sources = shape.chars().map(|kind| self.source(outer, kind == 's')).collect();
        let dest = if self.c.once_in(3) { Dest::Result(self.c.below(2)) } else { Dest::Register(self.c.below(4)) };
        Operation { name, sources, dest, mask: self.mask() }
    }

    fn step(&mut self, at: usize, count: usize, subs: &[usize]) -> Step {
        let (kind, outer) = (self.kind, self.outer());
        let mut step = Step::default();
        if kind.jumps() && self.c.once_in(3) {
            (step.test, step.tested) = (Some(self.test()), true);
        }
        if kind.jumps() {
            step.updates = [self.c.once_in(3), kind.codes() == 2 && self.c.once_in(3)];
            if kind != Kind::Words && step.updates == [true; 2] {
                step.updates = [self.c.once_in(2), false];
            }
        }
        step.saturates = kind.codes() == 2 && self.c.once_in(5);
        let own = subs.iter().filter(|sub| **sub <= at).count();
        let end = subs.get(own).copied().unwrap_or(count);
        match self.c.below(12) {
            // Addresses.
            0 | 1 => {
                let name = if kind.jumps() { self.c.one(&["ARL", "ARL", "ARR", "ARA"]) } else { "ARL" };
                let mut operation = self.operation(outer, |op| op.1 == "v" && op.0 == "MOV");
                operation.name = name;
                operation.dest = Dest::Address(if kind.jumps() { self.c.below(2) } else { 0 });
                if !kind.jumps() {
                    operation.mask = [true, false, false, false];
                    operation.sources[0].swizzle = [self.c.below(4); 4];
                }
                if name == "ARA" {
                    operation.sources[0].base = Base::Relative(self.c.below(2), 0, 0);
                }
                step.saturates = false;
                step.operations.push(operation);
            }
            // Jumps lead forward, and calls to subroutines behind.
            2 if kind.jumps() => {
                let sub = subs.get(own).copied().filter(|_| self.c.once_in(2));
                let to = at + 1 + self.c.below(end - at);
                step = Step {
                    test: self.c.once_in(2).then(|| self.test()),
                    jump: Some(match sub {
                        Some(sub) => Jump::Call(sub),
                        None if to >= end => Jump::Return,
                        None => Jump::To(to),
                    }),
                    ..Step::default()
                };
                if kind == Kind::Words && self.c.once_in(2) {
                    step.operations.push(self.operation(outer, |op| op.3 == 'v' && !["ADD", "MAD"].contains(&op.0)));
                    step.tested = step.test.is_some() && self.c.once_in(2);
                    step.updates[0] = self.c.once_in(2);
                }
            }
            _ if kind == Kind::Words => {
                let paired = self.c.once_in(2);
                let first = match paired {
                    true => self.operation(outer, |op| op.3 == 'v' && !["ADD", "MAD"].contains(&op.0)),
                    false => self.operation(outer, |op| op.3 != ' '),
                };
                step.operations.push(first);
                if paired {
                    let mut second = self.operation(outer, |op| op.3 == 's');
                    if let (Dest::Result(_), Dest::Result(_)) = (step.operations[0].dest, second.dest) {
                        second.dest = Dest::Register(self.c.below(4));
                    }
                    step.operations.push(second);
                }
            }
            _ => step.operations.push(self.operation(outer, |op| op.2 <= kind && op.2 != Kind::Words)),
        }
        // What goes nowhere else is there for a condition code.
        let computes = step.operations.first().is_some_and(|operation| !matches!(operation.dest, Dest::Address(_)));
        if step.updates != [false; 2] && computes && !kind.is_arb() && self.c.once_in(5) {
            let n = self.c.below(step.operations.len());
            step.operations[n].dest = Dest::Code;
        }
        step
    }
}

fn program(kind: Kind, list: &[u32]) -> Program {
    let mut writer = Writer { c: Choices::new(list), kind };
    let count = 12 + writer.c.below(30);
    let subs = if kind.jumps() { vec![count - 9, count - 6, count - 3] } else { Vec::new() };
    let mut steps: Vec<Step> = (0..count).map(|at| writer.step(at, count, &subs)).collect();
    // What stands before a subroutine and at the end returns.
    for at in subs.iter().chain([&count]).filter(|_| kind.jumps()) {
        steps[at - 1] = Step { jump: Some(Jump::Return), ..Step::default() };
    }
    // Every program places its vertex.
    let sources = vec![Source { base: Base::Register(0), swizzle: [0, 1, 2, 3], negate: false, absolute: false }];
    let place = Operation { name: "MOV", sources, dest: Dest::Result(0), mask: [true; 4] };
    steps[0] = Step { operations: vec![place], ..Step::default() };
    Program { kind, steps }
}

fn swizzle_text(swizzle: [usize; 4]) -> String {
    let letter = |n: usize| ['x', 'y', 'z', 'w'][n];
    match swizzle {
        [0, 1, 2, 3] => String::new(),
        [a, b, c, d] if a == b && b == c && c == d => format!(".{}", letter(a)),
        all => format!(".{}", all.map(letter).iter().collect::<String>()),
    }
}

impl Program {
    fn attribute(&self, n: usize) -> &'static str {
        match self.kind.is_arb() {
            true => ["vertex.position", "vertex.color.primary", "vertex.texcoord[0]"][n],
            false => ["v[OPOS]", "v[COL0]", "v[TEX0]"][n],
        }
    }

    fn parameter(&self, n: usize) -> String {
        if self.kind.is_arb() { format!("program.local[{n}]") } else { format!("c[{n}]") }
    }

    fn register(&self, n: usize) -> String {
        if self.kind.is_arb() { format!("t{n}") } else { format!("R{n}") }
    }

    fn result(&self, n: usize) -> &'static str {
        match self.kind.is_arb() {
            true => ["result.position", "result.texcoord[1]"][n],
            false => ["o[HPOS]", "o[TEX1]"][n],
        }
    }

    /// Everything that is compared, by its spelling.
    fn watched(&self) -> Vec<String> {
        let registers = (0..4).map(|n| self.register(n)).chain((0..2).map(|n| self.result(n).to_string()));
        let codes = ["cc", "cc1"].into_iter().take(if self.kind.jumps() { self.kind.codes() } else { 0 });
        registers.chain(codes.map(str::to_string)).collect()
    }

    fn test_text(&self, test: &Test) -> String {
        format!("({}{}{})", test.condition, ["", "1"][test.code], swizzle_text(test.swizzle))
    }

    fn source_text(&self, source: &Source) -> String {
        let base = match source.base {
            Base::Register(n) => self.register(n),
            Base::Attribute(n) => self.attribute(n).to_string(),
            Base::Parameter(n) => self.parameter(n),
            Base::Relative(register, comp, offset) => {
                let array = if self.kind.is_arb() { "p" } else { "c" };
                let offset = if offset == 0 { String::new() } else { format!("{offset:+}") };
                format!("{array}[A{register}.{}{offset}]", ['x', 'y', 'z', 'w'][comp])
            }
        };
        let base = base + &swizzle_text(source.swizzle);
        let base = if source.absolute { format!("|{base}|") } else { base };
        format!("{}{base}", if source.negate { "-" } else { "" })
    }

    fn operation_text(&self, step: &Step, operation: &Operation, is_first: bool) -> String {
        let mut out = operation.name.to_string();
        if is_first {
            match (self.kind, step.updates) {
                (Kind::Words, [first, second]) => {
                    out += if first { "C" } else { "" };
                    out += if second { "_C1" } else { "" };
                }
                (_, [true, _]) => out.push('C'),
                (_, [_, true]) => out += "C1",
                _ => {}
            }
            out += if step.saturates { "_SAT" } else { "" };
        }
        out.push(' ');
        out += &match operation.dest {
            Dest::Register(n) => self.register(n),
            Dest::Result(n) => self.result(n).to_string(),
            Dest::Address(n) => format!("A{n}"),
            Dest::Code => "CC".to_string(),
        };
        if operation.mask != [true; 4] {
            out.push('.');
            out.extend("xyzw".chars().zip(operation.mask).filter(|(_, on)| *on).map(|(letter, _)| letter));
        }
        if let (true, true, Some(test)) = (is_first, step.tested, &step.test) {
            out += &self.test_text(test);
        }
        if operation.name == "ARA" {
            let Base::Relative(n, ..) = operation.sources[0].base else { unreachable!("made so") };
            return out + &format!(", A{n}");
        }
        let sources: Vec<String> = operation.sources.iter().map(|source| self.source_text(source)).collect();
        out + ", " + &sources.join(", ")
    }

    fn text(&self) -> String {
        let mut out = match self.kind {
            Kind::Vp10 => "!!VP1.0\n".to_string(),
            Kind::Vp11 => "!!VP1.1\n".to_string(),
            Kind::Vp20 => "!!VP2.0\n".to_string(),
            Kind::Option2 | Kind::Option3 => format!(
                "!!ARBvp1.0\nOPTION NV_vertex_program{};\nPARAM p[8] = {{ program.local[0..7] }};\n\
                 ADDRESS A0, A1;\nTEMP t0, t1, t2, t3;\n",
                if self.kind == Kind::Option2 { 2 } else { 3 }
            ),
            Kind::Words => String::new(),
        };
        let end = if self.kind == Kind::Words { "\n" } else { ";\n" };
        for (at, step) in self.steps.iter().enumerate() {
            let leads = |jump: &Jump| matches!(jump, Jump::To(to) | Jump::Call(to) if *to == at);
            if self.steps.iter().filter_map(|step| step.jump.as_ref()).any(leads) {
                let _ = write!(out, "L{at}: ");
            }
            let texts = step.operations.iter().enumerate().map(|(n, one)| self.operation_text(step, one, n == 0));
            let words = self.kind == Kind::Words;
            let jump = step.jump.as_ref().map(|jump| {
                let mut text = match jump {
                    Jump::To(to) => format!("{} L{to}", if words { "BRI" } else { "BRA" }),
                    Jump::Call(to) => format!("CAL L{to}"),
                    Jump::Return => "RET".to_string(),
                };
                if let Some(test) = &step.test {
                    text += &format!(" {}", self.test_text(test));
                }
                text
            });
            out += &texts.chain(jump).collect::<Vec<_>>().join(" || ");
            out += end;
        }
        if self.kind != Kind::Words {
            out += "END\n";
        }
        out
    }
}

#[derive(Clone)]
struct Lane {
    registers: [[u64; 4]; 4],
    results: [[u64; 4]; 2],
    addresses: [[i32; 4]; 2],
    /// Less, equal, greater, unordered.
    codes: [[u64; 4]; 2],
    attributes: [[u32; 4]; 3],
}

struct Machine<'a> {
    program: &'a Program,
    model: &'a Model,
    parameters: [[u32; 4]; PARAMETERS],
}

const ONE: u64 = 0x3f80_0000;

impl Machine<'_> {
    fn num(&self, op: Op, saturate: Saturate, args: &[u64]) -> u64 {
        let slot = Slot { saturate, ..Slot::plain(Decl::F32) };
        eval(op, &self.model.rule(op, &slot, self.model.storage(Decl::F32)).0, args)
    }

    fn source(&self, lane: &Lane, source: &Source, comp: usize) -> u64 {
        let comp = source.swizzle[comp];
        let mut bits = match source.base {
            Base::Register(n) => lane.registers[n][comp],
            Base::Attribute(n) => u64::from(lane.attributes[n][comp]),
            Base::Parameter(n) => u64::from(self.parameters[n][comp]),
            Base::Relative(register, part, offset) => {
                let place = usize::try_from(lane.addresses[register][part].wrapping_add(offset)).ok();
                place.and_then(|place| self.parameters.get(place)).map_or(0, |vector| u64::from(vector[comp]))
            }
        };
        if source.absolute {
            bits = self.num(Op::Abs, Saturate::None, &[bits]);
        }
        if source.negate {
            bits = self.num(Op::Neg, Saturate::None, &[bits]);
        }
        bits
    }

    /// The four components of a result.
    fn results(&self, lane: &Lane, operation: &Operation, saturates: bool) -> [u64; 4] {
        let sat = if saturates { Saturate::Unsigned } else { Saturate::None };
        let src = |n: usize, comp: usize| self.source(lane, &operation.sources[n], comp);
        let num = |op: Op, args: &[u64]| self.num(op, sat, args);
        let holds = |op: Op, args: [u64; 2]| self.num(op, Saturate::None, &args) & 1 == 1;
        let clamp = |bits: u64| if saturates { num(Op::Cvt, &[bits]) } else { bits };
        let count = operation.sources.len();
        let each = |op: Op| [0, 1, 2, 3].map(|comp| num(op, &(0..count).map(|n| src(n, comp)).collect::<Vec<_>>()));
        let scalar = |op: Op| [num(op, &[src(0, 0)]); 4];
        let dot = |op: Op, a: usize, b: usize| {
            let args: Vec<u64> = (0..a).map(|comp| src(0, comp)).chain((0..b).map(|comp| src(1, comp))).collect();
            [num(op, &args); 4]
        };
        let set = |op: Op| [0, 1, 2, 3].map(|comp| if holds(op, [src(0, comp), src(1, comp)]) { ONE } else { 0 });
        let integer = |op: Op| [0, 1, 2, 3].map(|comp| self.num(op, Saturate::None, &[src(0, comp)]));
        match operation.name {
            "MOV" | "MOVS" => [0, 1, 2, 3].map(|comp| clamp(src(0, comp))),
            "ABS" => [0, 1, 2, 3].map(|comp| clamp(self.num(Op::Abs, Saturate::None, &[src(0, comp)]))),
            "ADD" => each(Op::Add),
            "SUB" => each(Op::Sub),
            "MUL" => each(Op::Mul),
            "MAD" => each(Op::Mad),
            "MIN" => each(Op::Min),
            "MAX" => each(Op::Max),
            "FLR" => each(Op::Floor),
            "FRC" => each(Op::Frac),
            "DP3" => dot(Op::Dot3, 3, 3),
            "DP4" => dot(Op::Dot4, 4, 4),
            "DPH" => dot(Op::Dph, 3, 4),
            "SLT" => set(Op::FLt),
            "SGE" => set(Op::FGe),
            "SEQ" => set(Op::FEq),
            "SNE" => set(Op::FNe),
            "SLE" => set(Op::FLe),
            "SGT" => set(Op::FGt),
            "SSG" => [0, 1, 2, 3].map(|comp| {
                let value = src(0, comp);
                match () {
                    () if holds(Op::FGt, [value, 0]) => ONE,
                    () if holds(Op::FLt, [value, 0]) => clamp(0xbf80_0000),
                    () if holds(Op::FEq, [value, 0]) => 0,
                    () => clamp(value),
                }
            }),
            "DST" => [ONE, num(Op::Dst, &[src(0, 1), src(1, 1)]), clamp(src(0, 2)), clamp(src(1, 3))],
            "LIT" => {
                let (x, y, w) = (src(0, 0), src(0, 1), src(0, 3));
                [ONE, num(Op::LitY, &[x]), num(Op::LitZ, &[x, y, w]), ONE]
            }
            "RCP" => scalar(Op::Rcp),
            "RSQ" => scalar(Op::Rsq),
            "EX2" => scalar(Op::Exp2),
            "LG2" => scalar(Op::Log2),
            "SIN" => scalar(Op::Sin),
            "COS" => scalar(Op::Cos),
            "EXP" => {
                [num(Op::Exp2Floor, &[src(0, 0)]), num(Op::Frac, &[src(0, 0)]), num(Op::Exp2Part, &[src(0, 0)]), ONE]
            }
            "LOG" => {
                [num(Op::LogExp, &[src(0, 0)]), num(Op::LogMant, &[src(0, 0)]), num(Op::Log2Part, &[src(0, 0)]), ONE]
            }
            "RCC" => {
                // By patterns: the magnitude is kept between those of 2^-64 and 2^64, and the sign stays.
                let bits = self.num(Op::Rcp, Saturate::None, &[src(0, 0)]) as u32;
                let magnitude = bits & 0x7fff_ffff;
                // NaN is beyond 2^64 where it counts as infinity.
                let is_nan = magnitude > 0x7f80_0000 && !holds(Op::FGt, [magnitude.into(), 0x5f80_0000]);
                let kept = if is_nan { magnitude } else { magnitude.clamp(0x1f80_0000, 0x5f80_0000) };
                [clamp(u64::from(bits & 0x8000_0000 | kept)); 4]
            }
            "ARL" => integer(Op::F2iFloor),
            "ARR" => integer(Op::F2iRint),
            "ARA" => {
                let Base::Relative(n, ..) = operation.sources[0].base else { unreachable!("made so") };
                let address = lane.addresses[n];
                [0, 1, 0, 1].map(|comp| u64::from(address[comp].wrapping_add(address[comp + 2]) as u32))
            }
            name => unreachable!("no program here has {name}"),
        }
    }

    fn passes(&self, lane: &Lane, test: &Test, comp: usize) -> bool {
        let code = lane.codes[test.code][test.swizzle[comp]];
        match test.condition {
            "EQ" => code == 1,
            "NE" => code != 1,
            "LT" => code == 0,
            "LE" => code <= 1,
            "GT" => code == 2,
            "GE" => code == 1 || code == 2,
            condition => condition == "TR",
        }
    }

    fn step(&self, lane: &mut Lane, step: &Step) {
        let before = lane.clone();
        // What has no other destination updates codes; else the first operation does.
        let lone = step.operations.iter().any(|operation| operation.dest == Dest::Code);
        for (n, operation) in step.operations.iter().enumerate() {
            let results = self.results(&before, operation, step.saturates);
            let updates = if lone { operation.dest == Dest::Code } else { n == 0 };
            for comp in (0..4).filter(|comp| operation.mask[*comp]) {
                let test = step.test.as_ref().filter(|_| step.tested);
                if test.is_some_and(|test| !self.passes(&before, test, comp)) {
                    continue;
                }
                let mut number = results[comp];
                match operation.dest {
                    Dest::Register(n) => lane.registers[n][comp] = results[comp],
                    Dest::Result(n) => lane.results[n][comp] = results[comp],
                    Dest::Address(n) => {
                        lane.addresses[n][comp] = results[comp] as u32 as i32;
                        number = u64::from((lane.addresses[n][comp] as f32).to_bits());
                    }
                    Dest::Code => {}
                }
                for code in (0..2).filter(|code| updates && step.updates[*code]) {
                    lane.codes[code][comp] = self.num(Op::CcOf, Saturate::None, &[number]);
                }
            }
        }
    }

    fn walk(&self, lane: &mut Lane, jumps: &mut usize) {
        let (mut at, mut stack) = (0, Vec::new());
        while let Some(step) = self.program.steps.get(at) {
            self.step(lane, step);
            at += 1;
            let Some(jump) = &step.jump else { continue };
            if step.test.is_some_and(|test| (0..4).all(|comp| !self.passes(lane, &test, comp))) {
                continue;
            }
            *jumps += 1;
            match jump {
                Jump::To(to) => at = *to,
                Jump::Call(_) if stack.len() == STACK => return,
                Jump::Call(to) => {
                    stack.push(at);
                    at = *to;
                }
                Jump::Return => match stack.pop() {
                    Some(back) => at = back,
                    None => return,
                },
            }
        }
    }
}

fn check(kind: Kind, list: &[u32], seed: u64, counters: &mut BTreeMap<String, usize>) {
    let program = program(kind, list);
    let text = program.text();
    let inputs = choices(seed, 200);
    let mut c = Choices::new(&inputs).around();
    let mut vector = || {
        [(); 4].map(|()| match c.below(4) {
            0 | 1 => c.one(&NUMBERS).to_bits(),
            2 => (c.below(9) as f32 - 2.0).to_bits(),
            _ => (c.below(97) as f32 * 0.375 - 18.0).to_bits(),
        })
    };
    let parameters = [(); PARAMETERS].map(|()| vector());
    let attributes = [(); LANES].map(|()| [(); 3].map(|()| vector()));

    let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
    options.layout.dialect = (kind == Kind::Words).then(|| "nv40vp".into());
    options.lift.watch = program.watched();
    let loaded = load("walk", text.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diags));
    let case = LaneCase {
        state: (0..PARAMETERS).map(|n| (program.parameter(n), parameters[n].to_vec())).collect(),
        lanes: attributes.map(|lane| (0..3).map(|n| (program.attribute(n).to_string(), lane[n].to_vec())).collect()),
        ..LaneCase::default()
    };
    for name in MODELS {
        let model = Model::builtin(name).expect("a built-in model");
        let machine = Machine { program: &program, model: &model, parameters };
        let walked = attributes.map(|attributes| {
            let w = if kind.is_arb() { 0 } else { ONE };
            let mut lane = Lane {
                registers: [[0; 4]; 4],
                results: [[0, 0, 0, w]; 2],
                addresses: [[0; 4]; 2],
                codes: [[1; 4]; 2],
                attributes,
            };
            machine.walk(&mut lane, counters.entry("jumps".into()).or_default());
            lane.registers.into_iter().chain(lane.results).chain(lane.codes).collect::<Vec<_>>()
        });
        for way in ways() {
            let compiled = compiled(&shader, &model, way).unwrap_or_else(|what| panic!("{what}\n{text}"));
            let found = run_lanes(&compiled, &case).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
            for (lane, (result, walked)) in found.iter().zip(&walked).enumerate() {
                for (register, expected) in options.lift.watch.iter().zip(walked) {
                    let values = result.watched(register).expect("watched");
                    for (comp, value) in values.iter().enumerate() {
                        let bits = value.map_or(0, |value| value.bits);
                        let want = expected[comp];
                        assert_eq!(
                            bits, want,
                            "{register}.{comp}: {bits:#x} for {want:#x} in lane {lane} under {name}, {way:?}\n{text}{case:?}"
                        );
                    }
                }
            }
        }
    }
    for step in &program.steps {
        let mut add = |name: &str| *counters.entry(format!("{kind:?} {name}")).or_default() += 1;
        step.operations.iter().for_each(|operation| add(operation.name));
        if step.operations.len() > 1 {
            add("together");
        }
        match step.jump {
            Some(Jump::Call(_)) => add("call"),
            Some(Jump::To(_)) => add("to"),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vertex_programs_are_the_walk(
        list in prop::collection::vec(any::<u32>(), 0..500),
        kind in 0..KINDS.len(),
        seed in any::<u64>(),
    ) {
        check(KINDS[kind], &list, seed, &mut BTreeMap::new());
    }
}

/// Where NaN counts as infinity of its sign, it is beyond 2^64; else it stays.
#[test]
fn clamped_reciprocals_of_nan_are_those_of_the_comparisons() {
    let text = "!!VP1.1\nRCC R0, v[OPOS].x;\nMOV o[HPOS], R0;\nEND\n";
    let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
    options.lift.watch = vec!["R0".into()];
    let shader = load("rcc", text.as_bytes(), &options).shader.expect("a program");
    let inputs: [u32; LANES] = [0x7fc0_0000, 0xffc0_0000, 0xff80_0000, 0x7f80_0000];
    let lanes = inputs.map(|bits| vec![("v[OPOS]".to_string(), vec![bits; 4])]);
    for (name, nan) in [("ieee", [0x7fc0_0000u32, 0xffc0_0000]), ("nv20", [0x5f80_0000, 0xdf80_0000])] {
        let model = Model::builtin(name).expect("a built-in model");
        let wanted = [nan[0], nan[1], 0x9f80_0000, 0x1f80_0000];
        for way in ways() {
            let compiled = compiled(&shader, &model, way).expect("compiles");
            let found = run_lanes(&compiled, &LaneCase { lanes: lanes.clone(), ..LaneCase::default() }).expect("runs");
            let found: Vec<u64> = found
                .iter()
                .map(|result| result.watched("R0").expect("watched")[0].map_or(0, |value| value.bits))
                .collect();
            assert_eq!(found, wanted.map(u64::from), "{name}, {way:?}");
        }
    }
}

/// Fixed seeds, which must cover every opcode of every kind of program.
#[test]
fn fixed_vertex_programs_are_the_walk() {
    let mut counters = BTreeMap::new();
    for seed in 0..60 {
        for kind in KINDS {
            check(kind, &choices(seed, 900), seed + 500, &mut counters);
        }
    }
    let at_least = |name: &str, least: usize| {
        let found = counters.get(name).copied().unwrap_or(0);
        assert!(found >= least, "{name}: {found} of {least}\n{counters:#?}");
    };
    for kind in KINDS {
        for (name, _, since, unit) in OPCODES {
            let has = if kind == Kind::Words { *unit != ' ' } else { *since <= kind && *since != Kind::Words };
            if has {
                at_least(&format!("{kind:?} {name}"), 3);
            }
        }
        if kind.jumps() {
            for name in ["ARL", "ARR", "ARA", "call", "to"] {
                at_least(&format!("{kind:?} {name}"), 5);
            }
        }
    }
    at_least("Words together", 100);
    at_least("jumps", 500);
}
