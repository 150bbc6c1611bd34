//! Random programs that end: every loop has a register that counts, which nothing else writes.

use crate::tgsi_walk::opcodes::{ADDRESSES, ATOMICS, FLOATS, INTEGERS, Opcode, VOTES, WIDES, opcode};
use crate::tgsi_walk::program::*;
use parallax_gen::Choices;

const NUMBERS: [f32; 14] =
    [0.0, 1.0, -1.0, 0.5, -0.25, 3.0, -1.5, 0.1, 2.5, -2.0, 255.0, 100_000.0, -0.0, f32::INFINITY];
/// Register of what is made to be tested at once.
const TESTED: u32 = 5;

/// A word to begin with: numbers of either kind that comparisons tell apart, sometimes any word.
pub(crate) fn word(c: &mut Choices<'_>) -> u32 {
    match c.below(12) {
        0..6 => c.one(&NUMBERS).to_bits(),
        6..10 => c.below(7) as u32,
        10 => (c.below(5) as i32 - 4) as u32,
        _ => c.word(),
    }
}

pub(crate) fn vector(c: &mut Choices<'_>) -> [u32; 4] {
    [(); 4].map(|()| word(c))
}

/// What may stand at a place.
#[derive(Copy, Clone, Default)]
struct Around {
    depth: usize,
    in_loop: bool,
    in_switch: bool,
    /// Subroutines that may be called: those from here on.
    callable: usize,
}

struct Writer<'c> {
    c: Choices<'c>,
    program: Program,
    /// Instructions that may still be written.
    left: usize,
}

/// Parts of a kernel between barriers.
const PARTS: usize = 3;

/// A program of choices; without any, an empty one.
pub(crate) fn program(list: &[u32], mode: Mode) -> Program {
    let mut c = Choices::new(list);
    let program = Program {
        mode,
        subs_first: c.once_in(2),
        whole_file: c.once_in(4) && mode != Mode::Kernel,
        immediates: [vector(&mut c), [0, 1, 2, 3], vector(&mut c), [60, 28, 124, u32::MAX]],
        ..Program::default()
    };
    let mut writer = Writer { c, program, left: 60 };
    let subs = writer.c.below(4);
    let mut bodies = Vec::new();
    for n in 0..subs {
        writer.left = writer.left.max(10);
        bodies.push(writer.block(Around { callable: n + 1, depth: 1, ..Around::default() }, subs));
    }
    if mode == Mode::Kernel {
        // Returns leave a part, and all get to the barriers.
        for n in 0..PARTS {
            writer.left = writer.left.max(20);
            bodies.push(writer.block(Around { callable: 0, ..Around::default() }, subs));
            let barrier = (n > 0).then_some(Stmt::Barrier);
            writer.program.body.extend(barrier.into_iter().chain([Stmt::Call(subs + n)]));
        }
        writer.program.subs = bodies;
        return writer.program;
    }
    writer.left = writer.left.max(40);
    writer.program.body = writer.block(Around::default(), subs);
    writer.program.subs = bodies;
    writer.program
}

impl Writer<'_> {
    fn block(&mut self, around: Around, subs: usize) -> Vec<Stmt> {
        let mut out = Vec::new();
        let count = if around.depth == 0 { 4 + self.c.below(12) } else { 1 + self.c.below(4) };
        for _ in 0..count {
            if self.left == 0 || self.c.is_empty() {
                break;
            }
            self.left -= 1;
            self.stmt(around, subs, &mut out);
        }
        out
    }

    fn stmt(&mut self, around: Around, subs: usize, out: &mut Vec<Stmt>) {
        let inner = Around { depth: around.depth + 1, ..around };
        match self.c.below(20) {
            0..3 if matches!(self.program.mode, Mode::Memory | Mode::Kernel) => self.access(out),
            0..7 => out.push(self.instr()),
            7 => self.address(out),
            8..11 if around.depth < 4 => {
                let (bits, condition) = self.condition(out);
                let then = self.block(inner, subs);
                let other = self.c.once_in(2).then(|| self.block(inner, subs));
                out.push(Stmt::If { bits, condition, then, other });
            }
            11 | 12 if around.depth < 3 => self.a_loop(inner, subs, out),
            13 | 14 if around.depth < 3 => self.switch(inner, subs, out),
            15 if around.callable < subs => {
                let sub = around.callable + self.c.below(subs - around.callable);
                out.push(Stmt::Call(sub));
            }
            16..18 if around.in_loop || around.in_switch => {
                let leave = self.leave(around);
                self.perhaps(leave, out);
            }
            18 => self.perhaps(Stmt::Return, out),
            19 if self.program.mode != Mode::Kernel => {
                let kill = if self.c.once_in(2) { Stmt::KillIf(self.source('F')) } else { Stmt::Kill };
                self.perhaps(kill, out);
            }
            _ => out.push(self.instr()),
        }
    }

    /// A way out of the loop or switch around.
    fn leave(&mut self, around: Around) -> Stmt {
        if around.in_loop && self.c.once_in(2) { Stmt::Continue } else { Stmt::Break }
    }

    /// Mostly under a condition.
    fn perhaps(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) {
        if self.c.once_in(12) {
            out.push(stmt);
            return;
        }
        let (bits, condition) = self.condition(out);
        let other = self.c.once_in(3).then(|| vec![self.instr()]);
        let (then, other) = match other {
            Some(other) if self.c.once_in(2) => (other, Some(vec![stmt])),
            other => (vec![stmt], other),
        };
        out.push(Stmt::If { bits, condition, then, other });
    }

    /// Mostly a test that both outcomes are likely for, made right before.
    fn condition(&mut self, out: &mut Vec<Stmt>) -> (bool, Src) {
        let tested = self.plain(File::Temp, TESTED as i32, 0);
        match self.c.below(4) {
            0 => {
                let own = self.own(IntoBits::Low);
                out.push(own);
                (true, tested)
            }
            1 => {
                let name = self.c.one(&["SLT", "SGE", "SEQ", "SNE"]);
                let sources = vec![self.source('F'), self.source('F')];
                out.push(self.made(opcode(name), TESTED, 1, sources));
                (false, tested)
            }
            2 => {
                let name = self.c.one(&["FSLT", "ISLT", "USGE", "USEQ"]);
                let kind = if name == "FSLT" { 'F' } else { 'I' };
                let sources = vec![self.source(kind), self.source(kind)];
                out.push(self.made(opcode(name), TESTED, 1, sources));
                (true, tested)
            }
            _ => {
                let bits = self.c.once_in(2);
                (bits, self.source(if bits { 'I' } else { 'F' }))
            }
        }
    }

    /// A loop of at most three rounds, as many as the lane's own bits say.
    fn a_loop(&mut self, inner: Around, subs: usize, out: &mut Vec<Stmt>) {
        let counter = COUNTERS + self.program.loops;
        self.program.loops += 1;
        let at = |comp: usize| Reg { file: File::Temp, number: counter as i32, relative: None }.read(comp);
        let one = self.plain(File::Imm, 1, 1);
        let rounds = self.own(IntoBits::Two);
        out.push(rounds.into_register(counter, 2));
        out.push(self.made(opcode("MOV"), counter, 1, vec![self.plain(File::Imm, 1, 0)]));
        let mut body = vec![
            self.made(opcode("USGE"), counter, 2, vec![at(0), at(2)]),
            Stmt::If { bits: true, condition: at(1), then: vec![Stmt::Break], other: None },
            self.made(opcode("UADD"), counter, 1, vec![at(0), one]),
        ];
        body.extend(self.block(Around { in_loop: true, in_switch: false, ..inner }, subs));
        out.push(Stmt::Loop(body));
    }

    fn switch(&mut self, inner: Around, subs: usize, out: &mut Vec<Stmt>) {
        let value = if self.c.once_in(6) {
            self.source('I')
        } else {
            let own = self.own(IntoBits::Two);
            out.push(own);
            self.plain(File::Temp, TESTED as i32, 0)
        };
        let before = if self.c.once_in(6) { vec![self.instr()] } else { Vec::new() };
        let mut has_default = false;
        let mut arms = Vec::new();
        for _ in 0..self.c.below(5) {
            let is_default = !has_default && self.c.once_in(4);
            has_default |= is_default;
            let case = (!is_default).then(|| self.c.below(4));
            let mut body =
                if self.c.once_in(5) { Vec::new() } else { self.block(Around { in_switch: true, ..inner }, subs) };
            if !self.c.once_in(3) {
                body.push(Stmt::Break);
            }
            arms.push(Arm { case, body });
        }
        out.push(Stmt::Switch { value, before, arms });
    }

    // ---- instructions ----

    fn instr(&mut self) -> Stmt {
        let (opcode, is_float) = if self.program.mode == Mode::Votes && self.c.once_in(3) {
            (self.c.one(VOTES), false)
        } else if self.c.once_in(5) {
            (self.c.one(WIDES), true)
        } else if self.c.below(5) < 3 {
            (self.c.one(FLOATS), true)
        } else {
            (self.c.one(INTEGERS), false)
        };
        let sources = opcode.2.chars().map(|kind| self.source(kind)).collect();
        let dst = Dst { reg: self.target(), mask: if self.c.once_in(3) { 15 } else { 1 + self.c.below(15) } };
        let saturate = !VOTES.contains(&opcode) && self.c.once_in(if is_float { 6 } else { 20 });
        Stmt::Instr(Instr { opcode, saturate, precise: self.c.once_in(8), dst, sources })
    }

    /// Something that reads or changes memory: mostly inside of it.
    fn access(&mut self, out: &mut Vec<Stmt>) {
        let address = if self.c.once_in(6) {
            self.source('I')
        } else {
            let (source, mask) = (self.source('I'), self.c.below(3));
            let mask = self.plain(File::Imm, 3, mask);
            out.push(self.made(opcode("AND"), TESTED, 1, vec![source, mask]));
            self.plain(File::Temp, TESTED as i32, 0)
        };
        let buffers = if self.program.mode == Mode::Kernel { BUFFERS + 1 } else { BUFFERS };
        let buffer = self.c.below(buffers);
        let mut sources = vec![address];
        let kind = match self.c.below(8) {
            0..3 => AccessKind::Load,
            3..5 => {
                sources.push(self.source('I'));
                AccessKind::Store
            }
            5 => {
                sources.push(self.source('F'));
                AccessKind::AddFloat
            }
            _ => {
                let (name, change) = self.c.one(ATOMICS);
                let operands = if name == "ATOMCAS" { 2 } else { 1 };
                (0..operands).for_each(|_| sources.push(self.source('I')));
                AccessKind::Atomic(name, change)
            }
        };
        let dst = Dst { reg: self.target(), mask: 1 + self.c.below(15) };
        let swizzle = if self.c.once_in(2) { [0, 1, 2, 3] } else { [(); 4].map(|()| self.c.below(4)) };
        out.push(Stmt::Access(Access { kind, buffer, dst, swizzle, sources }));
    }

    /// Something into the address register: mostly a number from 0 to 3.
    fn address(&mut self, out: &mut Vec<Stmt>) {
        let dst = Dst { reg: Reg { file: File::Addr, number: 0, relative: None }, mask: 1 + self.c.below(15) };
        let (opcode, source) = if self.c.once_in(3) {
            let opcode = self.c.one(ADDRESSES);
            (opcode, self.source(if opcode.2 == "I" { 'I' } else { 'F' }))
        } else {
            let own = self.own(IntoBits::Two);
            out.push(own);
            (opcode("UARL"), self.plain(File::Temp, TESTED as i32, 0))
        };
        out.push(Stmt::Instr(Instr { opcode, saturate: false, precise: false, dst, sources: vec![source] }));
    }

    /// The lowest bits of something that differs from lane to lane, in the register of what is tested.
    fn own(&mut self, bits: IntoBits) -> Stmt {
        let source = match self.c.below(3) {
            0 => self.source('I'),
            _ => {
                let comp = self.c.below(4);
                self.plain(File::In, 1, comp)
            }
        };
        let mask = self.plain(File::Imm, 1, if bits == IntoBits::Low { 1 } else { 3 });
        self.made(opcode("AND"), TESTED, 1, vec![source, mask])
    }

    /// An instruction with this destination in the temporaries: `mask` as a number, bit 0 = x.
    fn made(&self, opcode: Opcode, number: u32, mask: usize, sources: Vec<Src>) -> Stmt {
        let dst = Dst { reg: Reg { file: File::Temp, number: number as i32, relative: None }, mask };
        Stmt::Instr(Instr { opcode, saturate: false, precise: false, dst, sources })
    }

    /// One component of a register.
    fn plain(&self, file: File, number: i32, comp: usize) -> Src {
        Reg { file, number, relative: None }.read(comp)
    }

    fn target(&mut self) -> Reg {
        let number = |n: usize| n as i32;
        match self.c.below(10) {
            0..6 => Reg { file: File::Temp, number: number(self.c.below(TEMPS as usize)), relative: None },
            6 => Reg { file: File::Out, number: number(self.c.below(OUTPUTS as usize)), relative: None },
            // Loops must keep the registers that count.
            7 | 8 if !self.program.whole_file => {
                let number = TEMPS as i32 - 1 + number(self.c.below(3));
                Reg { file: File::Temp, number, relative: Some(self.c.below(4)) }
            }
            _ => Reg { file: File::Temp, number: number(TEMPS as usize + self.c.below(4)), relative: None },
        }
    }

    fn source(&mut self, kind: char) -> Src {
        let relative = self.c.once_in(6).then(|| self.c.below(4));
        let (file, count) = match self.c.below(12) {
            0..6 => (File::Temp, if relative.is_some() { 3 } else { TEMPS + ARRAY + self.program.loops }),
            6 | 7 => (File::In, INPUTS),
            8 if self.c.once_in(2) => (self.c.one(&[File::Second, File::Named(0), File::Named(1)]), CONSTANTS),
            9 if relative.is_none() => (File::Imm, 3),
            10 if relative.is_none() => (File::Out, OUTPUTS),
            11 if relative.is_none() && kind == 'I' => (File::Addr, 1),
            _ => (File::Const, CONSTANTS),
        };
        let mut number = self.c.below(count as usize) as i32;
        match (relative, file) {
            (Some(_), File::Temp) => number += TEMPS as i32 - 1,
            (Some(_), _) => number -= 1,
            (None, _) => {}
        }
        let swizzle = if self.c.once_in(2) { [0, 1, 2, 3] } else { [(); 4].map(|()| self.c.below(4)) };
        let negate = self.c.once_in(5) && kind != 'W';
        let absolute = !matches!(kind, 'I' | 'W') && self.c.once_in(6);
        Src { reg: Reg { file, number, relative }, swizzle, negate, absolute }
    }
}

/// How many bits are kept of a word.
#[derive(Copy, Clone, PartialEq)]
enum IntoBits {
    Low,
    Two,
}

impl Reg {
    /// One component of it in all places.
    fn read(self, comp: usize) -> Src {
        Src { reg: self, swizzle: [comp; 4], negate: false, absolute: false }
    }
}

impl Stmt {
    /// The same instruction with another destination: component `comp` of a temporary.
    fn into_register(self, number: u32, comp: usize) -> Stmt {
        match self {
            Stmt::Instr(instr) => {
                let dst = Dst { reg: Reg { file: File::Temp, number: number as i32, relative: None }, mask: 1 << comp };
                Stmt::Instr(Instr { dst, ..instr })
            }
            other => other,
        }
    }
}
