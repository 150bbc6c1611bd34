//! Random NV programs that mix formats: what the engine computes is what walking them instruction by instruction computes.
//!
//! The walk is written from the documents of the dialects alone. It knows registers, formats, masks, tests and conversions, and
//! takes every arithmetic result from the reference evaluation of `parallax-num`; programs are built here, written as text for
//! the engine, and walked as they were built, so that reader and lift are both judged.

mod encoder;

use parallax::{Engine, LaneCase, LaneResult, LoadOptions, Optimise, compile, load, run_lanes};
use parallax_core::num::{Decl, Model, Op, Saturate, Slot, eval};
use parallax_gen::{Choices, choices};
use parallax_nvfp::StmtKind;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

const LANES: usize = 4;
const MODELS: [&str; 3] = ["ieee", "nv-patent", "nvfp"];

// ---- programs ----

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Dialect {
    Patent,
    Fp10,
    /// `!!ARBfp1.0` with `NV_fragment_program`.
    Nv1,
    /// `!!ARBfp1.0` with `NV_fragment_program2`.
    Nv2,
}

#[derive(Clone, Debug)]
struct Register {
    name: String,
    decl: Decl,
    /// The 128-bit chunk it lies in; only the patent lets registers share them.
    chunk: usize,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Base {
    Register(usize),
    Attribute(usize),
    Parameter(usize),
    /// Four numbers, and whether they are written as one.
    Literal([f32; 4], bool),
}

#[derive(Clone, Debug)]
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
}

#[derive(Clone, Debug)]
struct Instr {
    name: &'static str,
    precision: Option<Decl>,
    updates: bool,
    saturate: Saturate,
    /// `None`: the condition code alone.
    register: Option<usize>,
    /// Format of the destination.
    decl: Decl,
    mask: [bool; 4],
    test: Option<Test>,
    sources: Vec<Source>,
}

#[derive(Clone, Debug)]
enum Stmt {
    Instr(Instr),
    Kill(Test),
    If(Test, Vec<Stmt>, Vec<Stmt>),
    /// Leaves at the end of an iteration when the test passes.
    Repeat(u32, Vec<Stmt>, Test),
}

struct Program {
    dialect: Dialect,
    registers: Vec<Register>,
    body: Vec<Stmt>,
}

/// Opcodes with their operands (vectors `v` and scalars `s`), precision suffixes, and dialects: patent `p`, `!!FP1.0` `f`, ARB `a`.
const OPCODES: &[(&str, &str, &str, &str)] = &[
    ("MOV", "v", "RHX", "pfa"),
    ("MOV", "v", "RHX", "pfa"),
    ("MOV", "v", "RHX", "pfa"),
    ("ADD", "vv", "RHX", "pfa"),
    ("SUB", "vv", "RHX", "fa"),
    ("MUL", "vv", "RHX", "pfa"),
    ("MAD", "vvv", "RHX", "pfa"),
    ("LRP", "vvv", "RHX", "fa"),
    ("MIN", "vv", "RHX", "pfa"),
    ("MAX", "vv", "RHX", "pfa"),
    ("FLR", "v", "RHX", "pfa"),
    ("FRC", "v", "RHX", "pfa"),
    ("DP3", "vv", "RHX", "pfa"),
    ("DP4", "vv", "RHX", "pfa"),
    ("DPH", "vv", "RHX", "a"),
    ("SLT", "vv", "RHX", "pfa"),
    ("SGE", "vv", "RHX", "pfa"),
    ("SEQ", "vv", "RHX", "fa"),
    ("SNE", "vv", "RHX", "fa"),
    ("SLE", "vv", "RHX", "fa"),
    ("SGT", "vv", "RHX", "fa"),
    ("SFL", "vv", "RHX", "fa"),
    ("STR", "vv", "RHX", "fa"),
    ("ABS", "v", "RHX", "a"),
    ("DST", "vv", "RH", "pfa"),
    ("LIT", "v", "RH", "pfa"),
    ("X2D", "vvv", "RH", "fa"),
    ("RCP", "s", "RH", "pfa"),
    ("RSQ", "s", "RH", "pfa"),
    ("EX2", "s", "RH", "fa"),
    ("LG2", "s", "RH", "fa"),
    ("SIN", "s", "RH", "fa"),
    ("COS", "s", "RH", "fa"),
    ("POW", "ss", "RH", "fa"),
    ("EXP", "s", "", "p"),
    ("LOG", "s", "", "p"),
];
/// Packs and unpacks of the patent, then of the others.
const PACKS: [[&str; 4]; 2] = [["PK2", "PK4", "PK2", "PK4"], ["PK2H", "PK2US", "PK4B", "PK4UB"]];
const UNPACKS: [[&str; 4]; 2] = [["UP2", "UP4", "UP2", "UP4"], ["UP2H", "UP2US", "UP4B", "UP4UB"]];
const CONDITIONS: [&str; 8] = ["GT", "LT", "EQ", "NE", "GE", "LE", "TR", "FL"];

/// Numbers on both sides of what the formats hold.
const NUMBERS: [f32; 24] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    -0.25,
    3.0,
    -1.5,
    0.1,
    2.5,
    -2.0,
    2047.0 / 1024.0,
    0.000_488_281_25,
    2049.0,
    65504.0,
    -65520.0,
    100_000.0,
    6.103_515_6e-5,
    5.960_464_5e-8,
    1.2e-7,
    1e-9,
    1e30,
    -0.0,
    7.75,
    1000.0,
];

/// Patterns that no literal has.
const CORNERS: [u32; 5] = [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_1234, 0x7f7f_ffff];

/// Patterns that reading as a number may change: denormals and signalling NaN.
const CHANGED: [u32; 5] = [1, 0x8000_0001, 0x007f_ffff, 0x7f80_0001, 0xffa0_0000];

struct Writer<'c> {
    c: Choices<'c>,
    dialect: Dialect,
    registers: Vec<Register>,
    /// No tests, jumps or packs: what inputs hold is read as a number, or copied as it is, but never merged with others.
    straight: bool,
}

impl Writer<'_> {
    fn number(&mut self) -> f32 {
        if self.c.once_in(3) { self.c.below(97) as f32 * 0.375 - 18.0 } else { self.c.one(&NUMBERS) }
    }

    fn swizzle(&mut self) -> [usize; 4] {
        match self.c.below(3) {
            0 => [0, 1, 2, 3],
            1 => [self.c.below(4); 4],
            _ => [(); 4].map(|()| self.c.below(4)),
        }
    }

    fn test(&mut self) -> Test {
        Test { condition: self.c.one(&CONDITIONS), swizzle: self.swizzle() }
    }

    /// The attribute, parameter or literal that operands of an instruction may share.
    fn outer(&mut self) -> Base {
        match self.c.below(5) {
            0 => Base::Attribute(self.c.below(3)),
            1 => Base::Parameter(self.c.below(3)),
            // The patent has no literals.
            _ if self.dialect == Dialect::Patent => Base::Parameter(self.c.below(3)),
            2 => Base::Literal([self.number(); 4], true),
            _ => Base::Literal([(); 4].map(|()| self.number()), false),
        }
    }

    fn source(&mut self, outer: Base, scalar: bool) -> Source {
        let base = if self.c.once_in(2) { outer } else { Base::Register(self.c.below(self.registers.len())) };
        let mut swizzle = if scalar { [self.c.below(4); 4] } else { self.swizzle() };
        if let Base::Literal(_, true) = base {
            swizzle = [0; 4];
        }
        let absolute = self.dialect != Dialect::Patent && self.c.once_in(5);
        Source { base, swizzle, negate: self.c.once_in(4), absolute }
    }

    fn instruction(&mut self) -> Instr {
        let letter = match self.dialect {
            Dialect::Patent => 'p',
            Dialect::Fp10 => 'f',
            Dialect::Nv1 | Dialect::Nv2 => 'a',
        };
        let set = usize::from(letter != 'p');
        let kind = if self.straight { 2 } else { self.c.below(12) };
        let wide: Vec<usize> = (0..self.registers.len()).filter(|n| self.registers[*n].decl == Decl::F32).collect();
        let outer = self.outer();
        let mut register = Some(self.c.below(self.registers.len()));
        let mut updates = self.c.once_in(3);
        let (mut precision, mut saturate) = (None, Saturate::None);
        let (name, sources) = match kind {
            0 => {
                (register, updates) = (Some(self.c.one(&wide)), false);
                (self.c.one(&PACKS[set]), vec![self.source(outer, false)])
            }
            1 => {
                let (register, swizzle) = (self.c.one(&wide), [self.c.below(4); 4]);
                let negate = self.c.once_in(4);
                let source = Source { base: Base::Register(register), swizzle, negate, absolute: false };
                (self.c.one(&UNPACKS[set]), vec![source])
            }
            _ => {
                let known: Vec<_> = OPCODES.iter().filter(|op| op.3.contains(letter)).collect();
                let (name, shape, letters, _) = *self.c.one(&known);
                if letter != 'p' {
                    let letters: Vec<_> = letters.chars().map(Some).chain([None]).collect();
                    precision = self.c.one(&letters).map(|letter| match letter {
                        'R' => Decl::F32,
                        'H' => Decl::F16,
                        _ => Decl::Fx12,
                    });
                }
                (name, shape.chars().map(|kind| self.source(outer, kind == 's')).collect())
            }
        };
        if kind > 0 && letter != 'p' && self.c.once_in(4) {
            let signed = self.dialect == Dialect::Nv2 && self.c.once_in(2);
            saturate = if signed { Saturate::Signed } else { Saturate::Unsigned };
        }
        let mut decl = self.registers[register.unwrap_or(0)].decl;
        if kind > 1 && letter != 'a' && self.c.once_in(8) {
            (register, updates) = (None, true);
            decl = if letter == 'p' {
                self.c.one(&[Decl::F32, Decl::F16, Decl::Fx12])
            } else {
                self.c.one(&[Decl::F32, Decl::F16])
            };
        }
        let bits = self.c.below(31);
        let mask = if (1..15).contains(&bits) { [0, 1, 2, 3].map(|n| bits >> n & 1 == 1) } else { [true; 4] };
        let test = (!self.straight && self.c.once_in(3)).then(|| self.test());
        Instr { name, precision, updates, saturate, register, decl, mask, test, sources }
    }

    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..if depth == 0 { 40 } else { 1 + self.c.below(4) } {
            if self.c.is_empty() {
                break;
            }
            let flow = self.dialect == Dialect::Nv2 && depth < 3;
            body.push(match self.c.below(16) {
                0 if !self.straight => Stmt::Kill(Test { condition: self.c.one(&["LT", "FL", "FL"]), ..self.test() }),
                1 | 2 if flow && !self.straight => Stmt::If(self.test(), self.block(depth + 1), self.block(depth + 1)),
                3 if flow && !self.straight => Stmt::Repeat(self.c.below(4) as u32, self.block(depth + 1), self.test()),
                _ => Stmt::Instr(self.instruction()),
            });
        }
        body
    }
}

fn program(dialect: Dialect, list: &[u32]) -> (Program, bool) {
    let files: &[(&str, Decl, usize, usize)] = match dialect {
        Dialect::Patent => &[("R", Decl::F32, 3, 1), ("H", Decl::F16, 6, 2), ("I", Decl::Fx12, 6, 2)],
        Dialect::Fp10 => &[("R", Decl::F32, 4, 1), ("H", Decl::F16, 4, 1)],
        Dialect::Nv1 | Dialect::Nv2 => {
            &[("wide", Decl::F32, 3, 1), ("long", Decl::F32, 2, 1), ("short", Decl::F16, 4, 1)]
        }
    };
    let mut registers = Vec::new();
    for (file, decl, count, share) in files {
        registers.extend((0..*count).map(|n| Register { name: format!("{file}{n}"), decl: *decl, chunk: n / share }));
    }
    let mut c = Choices::new(list);
    let straight = c.once_in(4);
    let mut writer = Writer { c, dialect, registers, straight };
    let body = writer.block(0);
    (Program { dialect, registers: writer.registers, body }, straight)
}

// ---- programs as text ----

impl Program {
    fn attribute(&self, n: usize) -> &'static str {
        match self.dialect {
            Dialect::Patent => ["p[4]", "p[1]", "p[5]"][n],
            Dialect::Fp10 => ["f[TEX0]", "f[COL0]", "f[FOGC]"][n],
            Dialect::Nv1 | Dialect::Nv2 => ["fragment.texcoord[0]", "fragment.color.primary", "fragment.fogcoord"][n],
        }
    }

    /// Whether an attribute has one component, the others being zero.
    fn is_fog(&self, n: usize) -> bool {
        self.dialect != Dialect::Patent && n == 2
    }

    fn parameter(&self, n: usize) -> String {
        match self.dialect {
            Dialect::Patent => format!("c[{n}]"),
            Dialect::Fp10 => format!("p[{n}]"),
            Dialect::Nv1 | Dialect::Nv2 => format!("program.local[{n}]"),
        }
    }

    fn text(&self) -> String {
        let mut out = match self.dialect {
            Dialect::Patent => "!!NVP7136070\n".to_string(),
            Dialect::Fp10 => "!!FP1.0\n".to_string(),
            Dialect::Nv1 => "!!ARBfp1.0\nOPTION NV_fragment_program;\n".to_string(),
            Dialect::Nv2 => "!!ARBfp1.0\nOPTION NV_fragment_program2;\n".to_string(),
        };
        if matches!(self.dialect, Dialect::Nv1 | Dialect::Nv2) {
            out.push_str(
                "TEMP wide0, wide1, wide2;\nLONG TEMP long0, long1;\nSHORT TEMP short0, short1, short2, short3;\n",
            );
        }
        self.block(&self.body, &mut out);
        match self.dialect {
            Dialect::Patent => {}
            Dialect::Fp10 => out.push_str("MOVR o[COLR], R0;\nEND\n"),
            Dialect::Nv1 | Dialect::Nv2 => out.push_str("MOV result.color, wide0;\nEND\n"),
        }
        out
    }

    fn block(&self, body: &[Stmt], out: &mut String) {
        for stmt in body {
            match stmt {
                Stmt::Instr(instr) => out.push_str(&self.instruction(instr)),
                Stmt::Kill(test) => out.push_str(&format!("KIL {}", test_text(test))),
                Stmt::If(test, then, other) => {
                    out.push_str(&format!("IF {};\n", test_text(test)));
                    self.block(then, out);
                    out.push_str("ELSE;\n");
                    self.block(other, out);
                    out.push_str("ENDIF");
                }
                Stmt::Repeat(count, body, test) => {
                    out.push_str(&format!("REP {{{count}}};\n"));
                    self.block(body, out);
                    out.push_str(&format!("BRK ({});\nENDREP", test_text(test)));
                }
            }
            out.push_str(";\n");
        }
    }

    fn instruction(&self, instr: &Instr) -> String {
        let mut out = instr.name.to_string();
        match instr.precision {
            None => {}
            Some(Decl::F32) => out.push('R'),
            Some(Decl::F16) => out.push('H'),
            Some(_) => out.push('X'),
        }
        if instr.updates {
            out.push(if self.dialect == Dialect::Patent { 'c' } else { 'C' });
        }
        out.push_str(match instr.saturate {
            Saturate::None => "",
            Saturate::Unsigned => "_SAT",
            Saturate::Signed => "_SSAT",
        });
        out.push(' ');
        match (instr.register, instr.decl) {
            (Some(register), _) => out.push_str(&self.registers[register].name),
            (None, Decl::F32) => out.push_str("RC"),
            (None, Decl::F16) => out.push_str("HC"),
            (None, _) => out.push_str("IC"),
        }
        if instr.mask != [true; 4] {
            out.push('.');
            out.extend("xyzw".chars().zip(instr.mask).filter(|(_, on)| *on).map(|(letter, _)| letter));
        }
        if let Some(test) = &instr.test {
            let _ = write!(out, " ({})", test_text(test));
        }
        for source in &instr.sources {
            let base = match source.base {
                Base::Register(n) => self.registers[n].name.clone(),
                Base::Attribute(n) => self.attribute(n).to_string(),
                Base::Parameter(n) => self.parameter(n),
                Base::Literal(values, true) => values[0].to_string(),
                Base::Literal([x, y, z, w], false) => format!("{{{x}, {y}, {z}, {w}}}"),
            };
            // ARB programs name a component of a literal where one number is read; it changes nothing elsewhere.
            let bare = self.dialect == Dialect::Fp10 && matches!(source.base, Base::Literal(_, true));
            let base = if bare { base } else { format!("{base}{}", swizzle_text(source.swizzle)) };
            let base = if source.absolute { format!("|{base}|") } else { base };
            let _ = write!(out, ", {}{base}", if source.negate { "-" } else { "" });
        }
        // A sign before a negative number is one too many.
        out.replace(", --", ", ").replace("|--", "|")
    }
}

fn swizzle_text(swizzle: [usize; 4]) -> String {
    let letter = |n: usize| ['x', 'y', 'z', 'w'][n];
    match swizzle {
        [0, 1, 2, 3] => String::new(),
        [a, b, c, d] if a == b && b == c && c == d => format!(".{}", letter(a)),
        all => format!(".{}", all.map(letter).iter().collect::<String>()),
    }
}

fn test_text(test: &Test) -> String {
    format!("{}{}", test.condition, swizzle_text(test.swizzle))
}

// ---- the walk ----

/// What a register component holds.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Held {
    /// An input as it came: bits until somebody reads it as a number.
    Input(u32),
    /// A number in the register's format, or a packed word.
    Value(u64),
}

#[derive(Clone)]
struct Lane {
    registers: Vec<[Held; 4]>,
    /// Less, equal, greater, unordered.
    codes: [u64; 4],
    attributes: [[u32; 4]; 3],
    /// What is seen of the lane, once it was killed.
    killed: Option<Vec<[u64; 4]>>,
}

struct Machine<'a> {
    program: &'a Program,
    model: &'a Model,
    parameters: [[u32; 4]; 3],
}

impl Machine<'_> {
    fn num(&self, op: Op, decl: Decl, saturate: Saturate, args: &[u64]) -> u64 {
        let slot = Slot { saturate, ..Slot::plain(decl) };
        eval(op, &self.model.rule(op, &slot, self.model.storage(decl)).0, args)
    }

    fn convert(&self, bits: u64, from: Decl, to: Decl, saturate: Saturate) -> u64 {
        let slot = Slot { saturate, ..Slot::plain(to) };
        eval(Op::Cvt, &self.model.rule(Op::Cvt, &slot, self.model.storage(from)).0, &[bits])
    }

    /// A component as a number in its own format.
    fn number(&self, held: Held) -> u64 {
        match held {
            Held::Input(word) => self.convert(word.into(), Decl::F32, Decl::F32, Saturate::None),
            Held::Value(bits) => bits,
        }
    }

    /// What a source component holds, and its format.
    fn stored(&self, lane: &Lane, tags: &Tags, source: &Source, comp: usize) -> (Held, Decl) {
        let comp = source.swizzle[comp];
        match source.base {
            Base::Register(n) if !tags.shows(&self.program.registers[n]) => {
                (Held::Value(0), self.program.registers[n].decl)
            }
            Base::Register(n) => (lane.registers[n][comp], self.program.registers[n].decl),
            Base::Attribute(n) if self.program.is_fog(n) && comp > 0 => (Held::Input(0), Decl::F32),
            Base::Attribute(n) => (Held::Input(lane.attributes[n][comp]), Decl::F32),
            Base::Parameter(n) => (Held::Input(self.parameters[n][comp]), Decl::F32),
            Base::Literal(values, _) => (Held::Input(values[comp].to_bits()), Decl::F32),
        }
    }

    /// Signs at storage precision, then the conversion to the operation's format.
    fn fetch(&self, lane: &Lane, tags: &Tags, source: &Source, comp: usize, decl: Decl) -> u64 {
        let (held, stored) = self.stored(lane, tags, source, comp);
        let mut bits = self.number(held);
        if source.absolute {
            bits = self.num(Op::Abs, stored, Saturate::None, &[bits]);
        }
        if source.negate {
            bits = self.num(Op::Neg, stored, Saturate::None, &[bits]);
        }
        if stored == decl { bits } else { self.convert(bits, stored, decl, Saturate::None) }
    }

    /// The format an instruction runs in.
    fn precision(&self, instr: &Instr) -> Decl {
        let full = |source: &Source| matches!(source.base, Base::Attribute(0 | 2));
        match self.program.dialect {
            Dialect::Patent => instr.decl,
            _ if instr.sources.iter().any(full) => Decl::F32,
            _ => instr.precision.unwrap_or(instr.decl),
        }
    }

    /// Results of the four components with their format.
    fn results(&self, lane: &Lane, tags: &Tags, instr: &Instr) -> ([Held; 4], Decl) {
        let (decl, sat) = (self.precision(instr), instr.saturate);
        let src = |n: usize, comp: usize| self.fetch(lane, tags, &instr.sources[n], comp, decl);
        let num = |op: Op, args: &[u64]| self.num(op, decl, sat, args);
        let plain = |op: Op, args: &[u64]| self.num(op, decl, Saturate::None, args);
        let clamp = |bits: u64| if sat == Saturate::None { bits } else { self.convert(bits, decl, decl, sat) };
        let one = match decl {
            Decl::F32 => 0x3f80_0000,
            Decl::F16 => 0x3c00,
            _ => 1024,
        };
        let count = instr.sources.len();
        let each = |op: Op| [0, 1, 2, 3].map(|comp| num(op, &(0..count).map(|n| src(n, comp)).collect::<Vec<_>>()));
        let scalar = |op: Op| [num(op, &(0..count).map(|n| src(n, 0)).collect::<Vec<_>>()); 4];
        let dot = |op: Op, a: usize, b: usize| {
            let args: Vec<u64> = (0..a).map(|comp| src(0, comp)).chain((0..b).map(|comp| src(1, comp))).collect();
            [num(op, &args); 4]
        };
        let set =
            |op: Op| [0, 1, 2, 3].map(|comp| if plain(op, &[src(0, comp), src(1, comp)]) & 1 == 1 { one } else { 0 });
        let bits = match instr.name {
            "MOV" => {
                let source = &instr.sources[0];
                let moves = !source.negate && !source.absolute && sat == Saturate::None && decl == instr.decl;
                let copied = [0, 1, 2, 3].map(|comp| match self.stored(lane, tags, source, comp) {
                    (held, stored) if moves && stored == decl => held,
                    _ => Held::Value(clamp(src(0, comp))),
                });
                return (copied, decl);
            }
            "ABS" => [0, 1, 2, 3].map(|comp| clamp(plain(Op::Abs, &[src(0, comp)]))),
            "ADD" => each(Op::Add),
            "SUB" => each(Op::Sub),
            "MUL" => each(Op::Mul),
            "MAD" => each(Op::Mad),
            "LRP" => each(Op::Lrp),
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
            "SFL" => [0; 4],
            "STR" => [one; 4],
            "DST" => [one, num(Op::Dst, &[src(0, 1), src(1, 1)]), clamp(src(0, 2)), clamp(src(1, 3))],
            "LIT" => {
                let (x, y, w) = (src(0, 0), src(0, 1), src(0, 3));
                [one, num(Op::LitY, &[x]), num(Op::LitZ, &[x, y, w]), one]
            }
            "X2D" => [0, 1, 0, 1].map(|row| {
                let first = plain(Op::Mad, &[src(1, 0), src(2, row * 2), src(0, row)]);
                num(Op::Mad, &[src(1, 1), src(2, row * 2 + 1), first])
            }),
            "RCP" => scalar(Op::Rcp),
            "RSQ" => scalar(Op::Rsq),
            "EX2" => scalar(Op::Exp2),
            "LG2" => scalar(Op::Log2),
            "SIN" => scalar(Op::Sin),
            "COS" => scalar(Op::Cos),
            "POW" => scalar(Op::Pow),
            "EXP" => {
                [num(Op::Exp2Floor, &[src(0, 0)]), num(Op::Frac, &[src(0, 0)]), num(Op::Exp2Part, &[src(0, 0)]), one]
            }
            "LOG" => {
                [num(Op::LogExp, &[src(0, 0)]), num(Op::LogMant, &[src(0, 0)]), num(Op::Log2Part, &[src(0, 0)]), one]
            }
            name => return self.packing(lane, tags, instr, name),
        };
        (bits.map(Held::Value), decl)
    }

    /// Packs read at fp32 and give a word, unpacks read a word and give fp32.
    fn packing(&self, lane: &Lane, tags: &Tags, instr: &Instr, name: &str) -> ([Held; 4], Decl) {
        let source = &instr.sources[0];
        let pack = |op: Op, count: usize| {
            let args: Vec<u64> = (0..count).map(|comp| self.fetch(lane, tags, source, comp, Decl::F32)).collect();
            [self.num(op, Decl::F32, Saturate::None, &args); 4]
        };
        let unpack = |op: Op, width: u32| {
            let word = match self.stored(lane, tags, source, 0).0 {
                Held::Input(word) => u64::from(word),
                Held::Value(bits) => bits,
            };
            let word = if source.negate { word ^ 0x8000_0000 } else { word };
            [0, 1, 2, 3].map(|n| {
                let field = word >> (n * width % 32) & ((1 << width) - 1);
                self.num(op, Decl::F32, instr.saturate, &[field])
            })
        };
        let bits = match name {
            "PK2" | "PK2H" => pack(Op::PackHalf2, 2),
            "PK2US" => pack(Op::PackUnorm2, 2),
            "PK4" | "PK4B" => pack(Op::PackBiased4, 4),
            "PK4UB" => pack(Op::PackUnorm4, 4),
            "UP2" | "UP2H" => unpack(Op::UpHalf, 16),
            "UP2US" => unpack(Op::UpUnorm16, 16),
            "UP4" | "UP4B" => unpack(Op::UpBiased8, 8),
            "UP4UB" => unpack(Op::UpUnorm8, 8),
            other => unreachable!("no program here has {other}"),
        };
        (bits.map(Held::Value), Decl::F32)
    }

    fn passes(&self, lane: &Lane, test: &Test, comp: usize) -> bool {
        let (less, equal, greater) = (0, 1, 2);
        let code = lane.codes[test.swizzle[comp]];
        match test.condition {
            "EQ" => code == equal,
            "NE" => code != equal,
            "LT" => code == less,
            "LE" => code == less || code == equal,
            "GT" => code == greater,
            "GE" => code == greater || code == equal,
            condition => condition == "TR",
        }
    }

    fn any(&self, lane: &Lane, test: &Test) -> bool {
        (0..4).any(|comp| self.passes(lane, test, comp))
    }

    fn step(&self, lane: &mut Lane, tags: &Tags, instr: &Instr, retagged: bool) {
        let (results, from) = self.results(lane, tags, instr);
        let before = lane.clone();
        if retagged && let Some(register) = instr.register {
            let own = &self.program.registers[register];
            for (n, other) in self.program.registers.iter().enumerate() {
                if other.decl == own.decl && other.chunk == own.chunk {
                    lane.registers[n] = [Held::Value(0); 4];
                }
            }
        }
        for comp in (0..4).filter(|comp| instr.mask[*comp]) {
            if instr.test.is_some_and(|test| !self.passes(&before, &test, comp)) {
                continue;
            }
            let result = match results[comp] {
                Held::Value(bits) if from != instr.decl => {
                    Held::Value(self.convert(bits, from, instr.decl, Saturate::None))
                }
                held => held,
            };
            if let Some(register) = instr.register {
                lane.registers[register][comp] = result;
            }
            if instr.updates {
                lane.codes[comp] = self.num(Op::CcOf, instr.decl, Saturate::None, &[self.number(result)]);
            }
        }
    }

    /// All registers and the condition code as they are seen from outside.
    fn seen(&self, lane: &Lane, tags: &Tags) -> Vec<[u64; 4]> {
        let registers = self.program.registers.iter().zip(&lane.registers);
        registers
            .map(|(register, held)| if tags.shows(register) { held.map(|held| self.number(held)) } else { [0; 4] })
            .chain([lane.codes])
            .collect()
    }

    /// Walks one lane; the tags of chunks are the same in all, as they change in programs without jumps only.
    fn walk(&self, lane: &mut Lane, tags: &mut Tags, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Instr(instr) => {
                    let before = tags.clone();
                    let retagged = instr.register.is_some_and(|register| tags.write(&self.program.registers[register]));
                    self.step(lane, &before, instr, retagged);
                }
                Stmt::Kill(test) => {
                    if lane.killed.is_none() && self.any(lane, test) {
                        lane.killed = Some(self.seen(lane, tags));
                    }
                }
                Stmt::If(test, then, other) => {
                    let arm = if self.any(lane, test) { then } else { other };
                    self.walk(lane, tags, arm);
                }
                Stmt::Repeat(count, body, test) => {
                    for _ in 0..*count {
                        self.walk(lane, tags, body);
                        if self.any(lane, test) {
                            break;
                        }
                    }
                }
            }
        }
    }
}

/// The format each chunk was last written in: a chunk read in another one reads as zero.
#[derive(Clone)]
struct Tags {
    shared: bool,
    chunks: BTreeMap<usize, Decl>,
}

impl Tags {
    fn shows(&self, register: &Register) -> bool {
        !self.shared || self.chunks.get(&register.chunk).is_none_or(|decl| *decl == register.decl)
    }

    /// Whether the chunk changes its format and loses what it held.
    fn write(&mut self, register: &Register) -> bool {
        self.shared && self.chunks.insert(register.chunk, register.decl) != Some(register.decl)
    }
}

// ---- both, side by side ----

/// How often something that must be tried was tried.
type Counters = BTreeMap<String, usize>;

fn input(c: &mut Choices<'_>, straight: bool) -> u32 {
    match c.below(16) {
        0..12 => c.one(&NUMBERS).to_bits(),
        12 | 13 => c.one(&CORNERS),
        14 if straight => c.one(&CHANGED),
        _ => (c.below(97) as f32 * 0.375 - 18.0).to_bits(),
    }
}

/// What a quad computed, and how registers of the text are spelled there.
type Found<'a> = ([LaneResult; LANES], Box<dyn Fn(&str) -> Option<String> + 'a>);

fn options_watch(program: &Program) -> Vec<String> {
    program.registers.iter().map(|r| r.name.clone()).collect()
}

fn check(dialect: Dialect, list: &[u32], seed: u64, counters: &mut Counters) {
    let (program, straight) = program(dialect, list);
    let text = program.text();
    let inputs = choices(seed, 200);
    let mut c = Choices::new(&inputs).around();
    let mut vector = || [(); 4].map(|()| input(&mut c, straight));
    let parameters = [(); 3].map(|()| vector());
    let attributes = [(); LANES].map(|()| [(); 3].map(|()| vector()));

    let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
    options.lift.watch = options_watch(&program).into_iter().chain(["cc".into()]).collect();
    let loaded = load("walk", text.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diags));
    let case = LaneCase {
        state: (0..3).map(|n| (program.parameter(n), parameters[n].to_vec())).collect(),
        lanes: attributes.map(|lane| (0..3).map(|n| (program.attribute(n).to_string(), lane[n].to_vec())).collect()),
        ..LaneCase::default()
    };

    // The same program as microcode, with its parameters in place.
    let (parsed, _) = parallax_nvfp::parse(&text, None);
    let value = |name: &str| parameters[name.split(['[', ']']).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)];
    // A sum with a negated operand is no difference in fixed point, nor for the sign of a NaN.
    let differs = |kind: &StmtKind| matches!(kind, StmtKind::Instr(instr) if instr.row.name == "SUB");
    let exact = parsed.as_ref().filter(|parsed| !parsed.body.iter().any(|stmt| differs(&stmt.kind)));
    let words = exact.and_then(|parsed| encoder::encode(parsed, &value).ok()).map(|words| {
        *counters.entry("microcode".into()).or_default() += 1;
        let flow = parsed.as_ref().is_some_and(encoder::has_flow);
        *counters.entry("microcode with flow".into()).or_default() += usize::from(flow);
        let bytes = words.bytes(flow);
        let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
        options.layout.dialect = Some("nv40".into());
        options.layout.order = Some(if flow { "rsx" } else { "le" }.into());
        let used = |name: &String| words.registers.get(name).cloned();
        options.lift.control = Some(words.control);
        options.lift.settings = words.settings.clone();
        options.lift.watch = options_watch(&program).iter().filter_map(used).chain(["cc".into()]).collect();
        let loaded = load("words", &bytes, &options);
        let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diags));
        let attributes = ["f[TEX0]", "f[COL0]", "f[FOGC]"];
        let lanes = case
            .lanes
            .clone()
            .map(|lane| lane.into_iter().zip(attributes).map(|((_, words), name)| (name.to_string(), words)).collect());
        (shader, words.registers, LaneCase { lanes, ..LaneCase::default() })
    });

    for name in MODELS {
        let model = Model::builtin(name).expect("a built-in model");
        let machine = Machine { program: &program, model: &model, parameters };
        let walked = attributes.map(|attributes| {
            let registers = vec![[Held::Value(0); 4]; program.registers.len()];
            let mut lane = Lane { registers, codes: [1; 4], attributes, killed: None };
            let mut tags = Tags { shared: dialect == Dialect::Patent, chunks: BTreeMap::new() };
            machine.walk(&mut lane, &mut tags, &program.body);
            let killed = lane.killed.is_some();
            *counters.entry("killed".into()).or_default() += usize::from(killed);
            (lane.killed.take().unwrap_or_else(|| machine.seen(&lane, &tags)), killed)
        });
        // What is optimised runs as machine code, where the host can.
        let machine_code = [Engine::JitAvx2, Engine::JitAvx512].map(|engine| (Optimise::Yes, engine));
        for (optimise, engine) in [(Optimise::No, Engine::Interp)].into_iter().chain(machine_code) {
            engine.set();
            let run = |shader, case| {
                let compiled = compile(shader, &model, optimise).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
                run_lanes(&compiled, case).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
            };
            let same = |register: &str| Some(register.to_string());
            let mut found: Vec<Found<'_>> = vec![(run(&shader, &case), Box::new(same))];
            if let Some((shader, registers, case)) = &words {
                let moved = |register: &str| match register {
                    "cc" => Some("cc".to_string()),
                    other => registers.get(other).cloned(),
                };
                found.push((run(shader, case), Box::new(moved)));
            }
            let lanes = found.iter().flat_map(|(lanes, spell)| {
                lanes.iter().zip(&walked).enumerate().map(move |(lane, (result, walked))| (lane, result, walked, spell))
            });
            for (lane, result, (seen, killed), spell) in lanes {
                let place = || format!("lane {lane} under {name}, {optimise:?}\nafter\n{text}{case:?}");
                assert_eq!(result.killed, *killed, "{}", place());
                for (register, expected) in options.lift.watch.iter().zip(seen) {
                    // What no instruction names is nowhere in microcode.
                    let Some(spelling) = spell(register) else { continue };
                    let values = result.watched(&spelling).expect("watched");
                    let width =
                        program.registers.iter().find(|r| r.name == *register).map_or(2, |r| r.decl.format().bits());
                    let mask = (1u64 << width) - 1;
                    for (comp, value) in values.iter().enumerate() {
                        let bits = value.map_or(0, |value| value.bits) & mask;
                        let want = expected[comp] & mask;
                        assert_eq!(bits, want, "{register}.{comp}: {bits:#x} for {want:#x} in {}", place());
                    }
                }
            }
        }
    }
    count(&program, &program.body, counters);
}

/// Moves by source, operation and destination format; literals by opcode; statements by kind.
fn count(program: &Program, body: &[Stmt], counters: &mut Counters) {
    for stmt in body {
        let mut add = |name: String| *counters.entry(name).or_default() += 1;
        match stmt {
            Stmt::Instr(instr) => {
                let literal = |source: &Source| matches!(source.base, Base::Literal(..));
                if instr.sources.iter().any(literal) {
                    add(format!("literal {}", instr.name));
                }
                if instr.name == "MOV" {
                    let from = match instr.sources[0].base {
                        Base::Register(n) => program.registers[n].decl.name(),
                        Base::Literal(..) => "literal",
                        _ => "input",
                    };
                    let by = instr.precision.map_or("plain", Decl::name);
                    let tested = if instr.test.is_some() { " tested" } else { "" };
                    add(format!("MOV {from} {by} {}{tested}", instr.decl.name()));
                }
            }
            Stmt::Kill(_) => add("KIL".into()),
            Stmt::If(_, then, other) => {
                add("IF".into());
                count(program, then, counters);
                count(program, other, counters);
            }
            Stmt::Repeat(_, body, _) => {
                add("REP".into());
                count(program, body, counters);
            }
        }
    }
}

const DIALECTS: [Dialect; 4] = [Dialect::Patent, Dialect::Fp10, Dialect::Nv1, Dialect::Nv2];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mixed_formats_are_the_walk(
        list in prop::collection::vec(any::<u32>(), 0..400),
        dialect in 0..4usize,
        seed in any::<u64>(),
    ) {
        check(DIALECTS[dialect], &list, seed, &mut Counters::new());
    }
}

/// Fixed seeds, which must cover moves between all formats, and literals as operands of every opcode that has any.
#[test]
fn fixed_programs_are_the_walk() {
    let mut counters = Counters::new();
    for seed in 0..400 {
        for dialect in DIALECTS {
            check(dialect, &choices(seed, 400), seed + 1000, &mut counters);
        }
    }
    let at_least = |name: &str, least: usize| {
        let found = counters.get(name).copied().unwrap_or(0);
        assert!(found >= least, "{name}: {found} of {least}\n{counters:#?}");
    };
    for from in ["fp32", "half", "literal", "input"] {
        for by in ["fp32", "half", "fx12", "plain"] {
            for to in ["fp32", "half"] {
                at_least(&format!("MOV {from} {by} {to}"), 3);
                at_least(&format!("MOV {from} {by} {to} tested"), 1);
            }
        }
    }
    for (name, ..) in OPCODES.iter().filter(|op| op.3 != "p") {
        at_least(&format!("literal {name}"), 10);
    }
    for (name, least) in
        [("KIL", 50), ("IF", 50), ("REP", 20), ("killed", 50), ("microcode", 100), ("microcode with flow", 20)]
    {
        at_least(name, least);
    }
}
