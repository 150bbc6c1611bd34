//! Random programs that mix formats.

use parallax_core::num::{Decl, Saturate};
use parallax_gen::Choices;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Patent,
    Fp10,
    /// `!!ARBfp1.0` with `NV_fragment_program`.
    Nv1,
    /// `!!ARBfp1.0` with `NV_fragment_program2`.
    Nv2,
    /// `!!ARBvp1.0`.
    Vertex,
}

#[derive(Clone, Debug)]
pub(crate) struct Register {
    pub(crate) name: String,
    pub(crate) decl: Decl,
    /// The 128-bit chunk it lies in; only the patent lets registers share them.
    pub(crate) chunk: usize,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Base {
    Register(usize),
    Attribute(usize),
    Parameter(usize),
    /// The parameter that the address register names, plus this.
    Relative(i32),
    /// Four numbers, and whether they are written as one.
    Literal([f32; 4], bool),
}

#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) base: Base,
    pub(crate) swizzle: [usize; 4],
    pub(crate) negate: bool,
    pub(crate) absolute: bool,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct Test {
    pub(crate) condition: &'static str,
    pub(crate) swizzle: [usize; 4],
}

#[derive(Clone, Debug)]
pub(crate) struct Instr {
    pub(crate) name: &'static str,
    pub(crate) precision: Option<Decl>,
    pub(crate) updates: bool,
    pub(crate) saturate: Saturate,
    /// `None`: the condition code alone.
    pub(crate) register: Option<usize>,
    /// Format of the destination.
    pub(crate) decl: Decl,
    pub(crate) mask: [bool; 4],
    pub(crate) test: Option<Test>,
    pub(crate) sources: Vec<Source>,
}

#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Instr(Instr),
    Kill(Test),
    If(Test, Vec<Stmt>, Vec<Stmt>),
    /// Leaves at the end of an iteration when the test passes.
    Repeat(u32, Vec<Stmt>, Test),
}

pub(crate) struct Program {
    pub(crate) dialect: Dialect,
    pub(crate) registers: Vec<Register>,
    pub(crate) body: Vec<Stmt>,
}

/// Opcodes with their operands (vectors `v` and scalars `s`), precision suffixes, and dialects: patent `p`, `!!FP1.0` `f`, ARB
/// `a`, ARB vertex programs `v`.
pub(crate) const OPCODES: &[(&str, &str, &str, &str)] = &[
    ("MOV", "v", "RHX", "pfav"),
    ("MOV", "v", "RHX", "pfav"),
    ("MOV", "v", "RHX", "pfav"),
    ("ADD", "vv", "RHX", "pfav"),
    ("SUB", "vv", "RHX", "fav"),
    ("MUL", "vv", "RHX", "pfav"),
    ("MAD", "vvv", "RHX", "pfav"),
    ("LRP", "vvv", "RHX", "fa"),
    ("MIN", "vv", "RHX", "pfav"),
    ("MAX", "vv", "RHX", "pfav"),
    ("FLR", "v", "RHX", "pfav"),
    ("FRC", "v", "RHX", "pfav"),
    ("DP3", "vv", "RHX", "pfav"),
    ("DP4", "vv", "RHX", "pfav"),
    ("DPH", "vv", "RHX", "av"),
    ("SLT", "vv", "RHX", "pfav"),
    ("SGE", "vv", "RHX", "pfav"),
    ("SEQ", "vv", "RHX", "fa"),
    ("SNE", "vv", "RHX", "fa"),
    ("SLE", "vv", "RHX", "fa"),
    ("SGT", "vv", "RHX", "fa"),
    ("SFL", "vv", "RHX", "fa"),
    ("STR", "vv", "RHX", "fa"),
    ("ABS", "v", "RHX", "av"),
    ("DST", "vv", "RH", "pfav"),
    ("LIT", "v", "RH", "pfav"),
    ("X2D", "vvv", "RH", "fa"),
    ("RCP", "s", "RH", "pfav"),
    ("RSQ", "s", "RH", "pfav"),
    ("EX2", "s", "RH", "fav"),
    ("LG2", "s", "RH", "fav"),
    ("SIN", "s", "RH", "fa"),
    ("COS", "s", "RH", "fa"),
    ("POW", "ss", "RH", "fav"),
    ("EXP", "s", "", "pv"),
    ("LOG", "s", "", "pv"),
];
/// Packs and unpacks of the patent, then of the others.
pub(crate) const PACKS: [[&str; 4]; 2] = [["PK2", "PK4", "PK2", "PK4"], ["PK2H", "PK2US", "PK4B", "PK4UB"]];
pub(crate) const UNPACKS: [[&str; 4]; 2] = [["UP2", "UP4", "UP2", "UP4"], ["UP2H", "UP2US", "UP4B", "UP4UB"]];
pub(crate) const CONDITIONS: [&str; 8] = ["GT", "LT", "EQ", "NE", "GE", "LE", "TR", "FL"];

/// Numbers on both sides of what the formats hold.
pub(crate) const NUMBERS: [f32; 24] = [
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
pub(crate) const CORNERS: [u32; 5] = [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_1234, 0x7f7f_ffff];

/// Patterns that reading as a number may change: denormals and signalling NaN.
pub(crate) const CHANGED: [u32; 5] = [1, 0x8000_0001, 0x007f_ffff, 0x7f80_0001, 0xffa0_0000];

pub(crate) struct Writer<'c> {
    pub(crate) c: Choices<'c>,
    pub(crate) dialect: Dialect,
    pub(crate) registers: Vec<Register>,
    /// No tests, jumps or packs: what inputs hold is read as a number, or copied as it is, but never merged with others.
    pub(crate) straight: bool,
}

impl Writer<'_> {
    pub(crate) fn number(&mut self) -> f32 {
        if self.c.once_in(3) { self.c.below(97) as f32 * 0.375 - 18.0 } else { self.c.one(&NUMBERS) }
    }

    pub(crate) fn swizzle(&mut self) -> [usize; 4] {
        match self.c.below(3) {
            0 => [0, 1, 2, 3],
            1 => [self.c.below(4); 4],
            _ => [(); 4].map(|()| self.c.below(4)),
        }
    }

    pub(crate) fn test(&mut self) -> Test {
        Test { condition: self.c.one(&CONDITIONS), swizzle: self.swizzle() }
    }

    /// The attribute, parameter or literal that operands of an instruction may share.
    pub(crate) fn outer(&mut self) -> Base {
        match self.c.below(5) {
            0 => Base::Attribute(self.c.below(3)),
            1 if self.dialect == Dialect::Vertex && self.c.once_in(2) => Base::Relative(self.c.below(5) as i32 - 2),
            1 => Base::Parameter(self.c.below(3)),
            // The patent has no literals.
            _ if self.dialect == Dialect::Patent => Base::Parameter(self.c.below(3)),
            2 => Base::Literal([self.number(); 4], true),
            _ => Base::Literal([(); 4].map(|()| self.number()), false),
        }
    }

    pub(crate) fn source(&mut self, outer: Base, scalar: bool) -> Source {
        let base = if self.c.once_in(2) { outer } else { Base::Register(self.c.below(self.registers.len())) };
        let mut swizzle = if scalar { [self.c.below(4); 4] } else { self.swizzle() };
        if let Base::Literal(_, true) = base {
            swizzle = [0; 4];
        }
        let absolute = !matches!(self.dialect, Dialect::Patent | Dialect::Vertex) && self.c.once_in(5);
        Source { base, swizzle, negate: self.c.once_in(4), absolute }
    }

    pub(crate) fn instruction(&mut self) -> Instr {
        let letter = match self.dialect {
            Dialect::Patent => 'p',
            Dialect::Fp10 => 'f',
            Dialect::Nv1 | Dialect::Nv2 => 'a',
            Dialect::Vertex => 'v',
        };
        let set = usize::from(letter != 'p');
        let kind = if self.straight { 2 } else { self.c.below(12) };
        let wide: Vec<usize> = (0..self.registers.len()).filter(|n| self.registers[*n].decl == Decl::F32).collect();
        let outer = self.outer();
        let mut register = Some(self.c.below(self.registers.len()));
        let mut updates = letter != 'v' && self.c.once_in(3);
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
                if !['p', 'v'].contains(&letter) {
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
        if kind > 0 && !['p', 'v'].contains(&letter) && self.c.once_in(4) {
            let signed = self.dialect == Dialect::Nv2 && self.c.once_in(2);
            saturate = if signed { Saturate::Signed } else { Saturate::Unsigned };
        }
        let mut decl = self.registers[register.unwrap_or(0)].decl;
        if kind > 1 && ['p', 'f'].contains(&letter) && self.c.once_in(8) {
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

    pub(crate) fn block(&mut self, depth: usize) -> Vec<Stmt> {
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

pub(crate) fn program(dialect: Dialect, list: &[u32]) -> (Program, bool) {
    let files: &[(&str, Decl, usize, usize)] = match dialect {
        Dialect::Patent => &[("R", Decl::F32, 3, 1), ("H", Decl::F16, 6, 2), ("I", Decl::Fx12, 6, 2)],
        Dialect::Fp10 => &[("R", Decl::F32, 4, 1), ("H", Decl::F16, 4, 1)],
        Dialect::Nv1 | Dialect::Nv2 => {
            &[("wide", Decl::F32, 3, 1), ("long", Decl::F32, 2, 1), ("short", Decl::F16, 4, 1)]
        }
        Dialect::Vertex => &[("wide", Decl::F32, 4, 1)],
    };
    let mut registers = Vec::new();
    for (file, decl, count, share) in files {
        registers.extend((0..*count).map(|n| Register { name: format!("{file}{n}"), decl: *decl, chunk: n / share }));
    }
    let mut c = Choices::new(list);
    let straight = c.once_in(4) || dialect == Dialect::Vertex;
    let mut writer = Writer { c, dialect, registers, straight };
    let body = writer.block(0);
    (Program { dialect, registers: writer.registers, body }, straight)
}
