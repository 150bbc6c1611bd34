//! The walk: what each instruction does to a lane.

use crate::nv_walk::program::*;
use parallax_core::num::{Decl, Format, Model, Op, Saturate, Slot, eval};
use std::collections::BTreeMap;

/// What a register component holds.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Held {
    /// An input as it came: bits until somebody reads it as a number.
    Input(u32),
    /// A number in the register's format, or a packed word.
    Value(u64),
}

#[derive(Clone)]
pub(crate) struct Lane {
    pub(crate) registers: Vec<[Held; 4]>,
    /// Less, equal, greater, unordered.
    pub(crate) codes: [u64; 4],
    pub(crate) attributes: [[u32; 4]; 3],
    /// What is seen of the lane, once it was killed.
    pub(crate) killed: Option<Vec<[u64; 4]>>,
}

pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) model: &'a Model,
    pub(crate) parameters: [[u32; 4]; 3],
}

impl Machine<'_> {
    pub(crate) fn num(&self, op: Op, decl: Decl, saturate: Saturate, args: &[u64]) -> u64 {
        let slot = Slot { saturate, ..Slot::plain(decl) };
        eval(op, &self.model.rule(op, &slot, self.model.storage(decl)).0, args)
    }

    pub(crate) fn convert(&self, bits: u64, from: Decl, to: Decl, saturate: Saturate) -> u64 {
        let slot = Slot { saturate, ..Slot::plain(to) };
        eval(Op::Cvt, &self.model.rule(Op::Cvt, &slot, self.model.storage(from)).0, &[bits])
    }

    /// A component as a number in its own format.
    pub(crate) fn number(&self, held: Held) -> u64 {
        match held {
            // Reading is no operation where the format has every value of binary32.
            Held::Input(word) if self.model.value_format(Decl::F32) == Format::F32 => word.into(),
            Held::Input(word) => self.convert(word.into(), Decl::F32, Decl::F32, Saturate::None),
            Held::Value(bits) => bits,
        }
    }

    /// What a source component holds, and its format.
    pub(crate) fn stored(&self, lane: &Lane, tags: &Tags, source: &Source, comp: usize) -> (Held, Decl) {
        let comp = source.swizzle[comp];
        match source.base {
            Base::Register(n) if !tags.shows(&self.program.registers[n]) => {
                (Held::Value(0), self.program.registers[n].decl)
            }
            Base::Register(n) => (lane.registers[n][comp], self.program.registers[n].decl),
            Base::Attribute(n) if self.program.is_fog(n) && comp > 0 => {
                // Programs with NV's syntax have 0 in the last component, ARB programs have 1.
                let is_arb = matches!(self.program.dialect, Dialect::Nv1 | Dialect::Nv2);
                (Held::Input(if comp == 3 && is_arb { 1f32.to_bits() } else { 0 }), Decl::F32)
            }
            Base::Attribute(n) => (Held::Input(lane.attributes[n][comp]), Decl::F32),
            Base::Parameter(n) => (Held::Input(self.parameters[n][comp]), Decl::F32),
            Base::Relative(offset) => {
                let first = self.number(Held::Input(lane.attributes[0][0]));
                let floor = self.num(Op::F2iFloor, Decl::F32, Saturate::None, &[first]) as u32 as i32;
                let place = usize::try_from(floor.wrapping_add(offset)).ok();
                let word = place.and_then(|place| self.parameters.get(place)).map_or(0, |vector| vector[comp]);
                (Held::Input(word), Decl::F32)
            }
            Base::Literal(values, _) => (Held::Input(values[comp].to_bits()), Decl::F32),
        }
    }

    /// Signs at storage precision, then the conversion to the operation's format.
    pub(crate) fn fetch(&self, lane: &Lane, tags: &Tags, source: &Source, comp: usize, decl: Decl) -> u64 {
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
    pub(crate) fn precision(&self, instr: &Instr) -> Decl {
        let full = |source: &Source| matches!(source.base, Base::Attribute(0 | 2));
        match self.program.dialect {
            Dialect::Patent => instr.decl,
            _ if instr.sources.iter().any(full) => Decl::F32,
            _ => instr.precision.unwrap_or(instr.decl),
        }
    }

    /// Results of the four components with their format.
    pub(crate) fn results(&self, lane: &Lane, tags: &Tags, instr: &Instr) -> ([Held; 4], Decl) {
        let (decl, sat) = (self.precision(instr), instr.saturate);
        let src = |n: usize, comp: usize| self.fetch(lane, tags, &instr.sources[n], comp, decl);
        let num = |op: Op, args: &[u64]| self.num(op, decl, sat, args);
        let plain = |op: Op, args: &[u64]| self.num(op, decl, Saturate::None, args);
        let clamp = |bits: u64| if sat == Saturate::None { bits } else { self.convert(bits, decl, decl, sat) };
        let one = match decl {
            Decl::F32 | Decl::Mediump => 0x3f80_0000,
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
    pub(crate) fn packing(&self, lane: &Lane, tags: &Tags, instr: &Instr, name: &str) -> ([Held; 4], Decl) {
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

    pub(crate) fn passes(&self, lane: &Lane, test: &Test, comp: usize) -> bool {
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

    pub(crate) fn any(&self, lane: &Lane, test: &Test) -> bool {
        (0..4).any(|comp| self.passes(lane, test, comp))
    }

    pub(crate) fn step(&self, lane: &mut Lane, tags: &Tags, instr: &Instr, retagged: bool) {
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
    pub(crate) fn seen(&self, lane: &Lane, tags: &Tags) -> Vec<[u64; 4]> {
        let registers = self.program.registers.iter().zip(&lane.registers);
        registers
            .map(|(register, held)| if tags.shows(register) { held.map(|held| self.number(held)) } else { [0; 4] })
            .chain([lane.codes])
            .collect()
    }

    /// Walks one lane; the tags of chunks are the same in all, as they change in programs without jumps only.
    pub(crate) fn walk(&self, lane: &mut Lane, tags: &mut Tags, body: &[Stmt]) {
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
pub(crate) struct Tags {
    pub(crate) shared: bool,
    pub(crate) chunks: BTreeMap<usize, Decl>,
}

impl Tags {
    pub(crate) fn shows(&self, register: &Register) -> bool {
        !self.shared || self.chunks.get(&register.chunk).is_none_or(|decl| *decl == register.decl)
    }

    /// Whether the chunk changes its format and loses what it held.
    pub(crate) fn write(&mut self, register: &Register) -> bool {
        self.shared && self.chunks.insert(register.chunk, register.decl) != Some(register.decl)
    }
}
