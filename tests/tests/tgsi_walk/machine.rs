//! The walk: what each instruction does to a lane, written from the description of the instruction set.
//!
//! Each lane goes its own way through the program. The walk knows registers, modifiers, masks and control; every arithmetic
//! result comes from the reference evaluation of `parallax-num`.

use crate::tgsi_walk::opcodes::Compute;
use crate::tgsi_walk::program::*;
use parallax_core::num::{Contract, Decl, Format, Kind, Model, Op, Saturate, Slot, Storage, eval};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often something that must be tried was tried.
pub(crate) type Counters = BTreeMap<&'static str, usize>;

const ONE: u32 = 0x3f80_0000;
const HALF: u32 = 0x3f00_0000;
const SIGN: u32 = 1 << 31;
/// Rounds of one loop that no lane takes.
const MANY: usize = 100;

/// What a register component holds.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Held {
    pub(crate) word: u32,
    /// An input, constant or immediate as it came: converted where it is read as a float.
    is_input: bool,
}

impl Held {
    pub(crate) fn input(word: u32) -> Held {
        Held { word, is_input: true }
    }

    pub(crate) fn value(word: u32) -> Held {
        Held { word, is_input: false }
    }
}

/// Registers of one lane.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub(crate) temp: Vec<[Held; 4]>,
    pub(crate) out: [[Held; 4]; OUTPUTS as usize],
    pub(crate) addr: [Held; 4],
    pub(crate) input: [[u32; 4]; INPUTS as usize],
    pub(crate) killed: bool,
    /// Decisions, in order.
    pub(crate) way: Vec<usize>,
}

/// How a lane goes on.
enum Flow {
    Next,
    Break,
    Continue,
    Return,
}

pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) model: &'a Model,
    pub(crate) banks: [&'a [[u32; 4]]; 2],
    /// Words of each buffer, then those of the workgroup.
    pub(crate) memory: RefCell<Vec<Vec<u32>>>,
    pub(crate) counters: RefCell<Counters>,
}

impl Machine<'_> {
    /// Walks a lane from beginning to end.
    pub(crate) fn walk(&self, lane: &mut Lane) {
        if let Flow::Return = self.block(lane, &self.program.body) {
            self.count("stopped");
        }
    }

    pub(crate) fn count(&self, what: &'static str) {
        *self.counters.borrow_mut().entry(what).or_default() += 1;
    }

    fn block(&self, lane: &mut Lane, body: &[Stmt]) -> Flow {
        for stmt in body {
            match self.stmt(lane, stmt) {
                Flow::Next => {}
                leaves => return leaves,
            }
        }
        Flow::Next
    }

    fn stmt(&self, lane: &mut Lane, stmt: &Stmt) -> Flow {
        match stmt {
            Stmt::Instr(instr) => self.instr(lane, instr),
            Stmt::If { bits, condition, then, other } => {
                let holds = self.holds(lane, condition, *bits);
                lane.way.push(usize::from(holds));
                self.count(if holds { "then" } else { "else" });
                return match (holds, other) {
                    (true, _) => self.block(lane, then),
                    (false, Some(other)) => self.block(lane, other),
                    (false, None) => Flow::Next,
                };
            }
            Stmt::Loop(body) => {
                for round in 0..MANY {
                    match self.block(lane, body) {
                        Flow::Next => {}
                        Flow::Continue => self.count("continued"),
                        Flow::Break => {
                            self.count(if round > 1 { "loop of several rounds" } else { "loop" });
                            return Flow::Next;
                        }
                        Flow::Return => {
                            self.count("returned from a loop");
                            return Flow::Return;
                        }
                    }
                }
                panic!("{MANY} rounds");
            }
            Stmt::Switch { value, arms, .. } => {
                let Some(entry) = self.entry(lane, value, arms) else {
                    self.count("switch without a match");
                    return Flow::Next;
                };
                lane.way.push(entry);
                self.count(if arms[entry].case.is_some() { "case" } else { "default" });
                for (n, arm) in arms[entry..].iter().enumerate() {
                    if n > 0 {
                        self.count("fell through");
                    }
                    match self.block(lane, &arm.body) {
                        Flow::Next => {}
                        Flow::Break => return Flow::Next,
                        leaves => return leaves,
                    }
                }
            }
            Stmt::Break => return Flow::Break,
            Stmt::Continue => return Flow::Continue,
            Stmt::Return => return Flow::Return,
            Stmt::Call(sub) => {
                self.count("called");
                if let Flow::Return = self.block(lane, &self.program.subs[*sub]) {
                    self.count("returned");
                }
            }
            Stmt::Kill | Stmt::KillIf(_) => self.kill(lane, stmt),
            Stmt::Access(_) | Stmt::Barrier => unreachable!("{stmt:?} of one lane"),
        }
        Flow::Next
    }

    /// Whether a lane takes a branch. A NaN differs from zero; -0 does not, but for its bits.
    pub(crate) fn holds(&self, lane: &Lane, condition: &Src, bits: bool) -> bool {
        if bits {
            self.integer(lane, condition, 0) != 0
        } else {
            self.test(Op::FNe, &[self.float(lane, condition, 0), 0])
        }
    }

    /// Where a lane enters a switch.
    pub(crate) fn entry(&self, lane: &Lane, value: &Src, arms: &[Arm]) -> Option<usize> {
        let value = self.integer(lane, value, 0);
        let matching = |arm: &Arm| arm.case.is_some_and(|comp| self.program.immediates[1][comp] == value);
        let default = || arms.iter().position(|arm| arm.case.is_none());
        arms.iter().position(matching).or_else(default)
    }

    /// Removes a pixel, which goes on unseen. Zeros and NaN do not kill.
    pub(crate) fn kill(&self, lane: &mut Lane, stmt: &Stmt) {
        lane.killed |= match stmt {
            Stmt::KillIf(src) => (0..4).any(|comp| self.test(Op::FLt, &[self.float(lane, src, comp), 0])),
            _ => true,
        };
    }

    // ---- operands ----

    /// The number of a register, if there is one with it.
    fn place(&self, lane: &Lane, reg: &Reg) -> Option<usize> {
        let Some(comp) = reg.relative else { return Some(reg.number as usize) };
        let number = (lane.addr[comp].word as i32).wrapping_add(reg.number);
        let (first, end) = match reg.file {
            File::Temp => self.program.reached(),
            File::In => (0, INPUTS as i32),
            _ => (0, CONSTANTS as i32),
        };
        let is_there = (first..end).contains(&number);
        self.count(if is_there { "addressed" } else { "addressed beyond" });
        is_there.then_some(number as usize)
    }

    /// A component of a source without its modifiers; what does not exist reads zero.
    fn held(&self, lane: &Lane, src: &Src, comp: usize) -> Held {
        let comp = src.swizzle[comp];
        let Some(n) = self.place(lane, &src.reg) else { return Held::default() };
        match src.reg.file {
            File::Temp => lane.temp[n][comp],
            File::Out => lane.out[n][comp],
            File::Addr => lane.addr[comp],
            // A kernel has loaded them.
            File::In if self.program.mode == Mode::Kernel => Held::value(lane.input[n][comp]),
            File::In => Held::input(lane.input[n][comp]),
            File::Const => Held::input(self.banks[0][n][comp]),
            File::Second => Held::input(self.banks[1][n][comp]),
            File::Named(bank) => match self.banks.get(lane.addr[bank].word as usize) {
                Some(bank) => {
                    self.count("bank named");
                    Held::input(bank[n][comp])
                }
                None => Held::default(),
            },
            File::Imm => Held::input(self.program.immediates[n][comp]),
        }
    }

    /// What is held, as a float.
    fn number(&self, held: Held) -> u32 {
        // Reading is no operation where the format has every value of binary32.
        let converts = held.is_input && self.model.value_format(Decl::F32) != Format::F32;
        if converts { self.num(Op::Cvt, Slot::plain(Decl::F32), &[held.word]) } else { held.word }
    }

    fn float(&self, lane: &Lane, src: &Src, comp: usize) -> u32 {
        modified(src, self.number(self.held(lane, src, comp)))
    }

    pub(crate) fn integer(&self, lane: &Lane, src: &Src, comp: usize) -> u32 {
        let word = self.held(lane, src, comp).word;
        if src.negate { word.wrapping_neg() } else { word }
    }

    /// A component that is moved, by the letter of its source: modifiers change bits, nothing is converted.
    pub(crate) fn moved(&self, lane: &Lane, src: &Src, comp: usize, kind: u8) -> Held {
        match (kind, src.negate || src.absolute) {
            (_, false) => self.held(lane, src, comp),
            (b'I', true) => Held::value(self.integer(lane, src, comp)),
            (_, true) => Held::value(modified(src, self.held(lane, src, comp).word)),
        }
    }

    // ---- arithmetic ----

    fn num(&self, op: Op, slot: Slot, args: &[u32]) -> u32 {
        let words: Vec<u64> = args.iter().map(|word| u64::from(*word)).collect();
        eval(op, &self.model.rule(op, &slot, Storage::F32).0, &words) as u32
    }

    fn test(&self, op: Op, args: &[u32]) -> bool {
        self.num(op, Slot::plain(Decl::F32), args) != 0
    }

    /// An operation on numbers of 64 bits, or under the rules of a format.
    fn wide(&self, op: Op, slot: Slot, source: Storage, args: &[u64]) -> u64 {
        eval(op, &self.model.rule(op, &slot, source).0, args)
    }

    /// One number of each source: of the first those of x and y where it has 32 bits, of the second those of x and z.
    fn wide_args(&self, lane: &Lane, instr: &Instr, half: usize) -> Vec<u64> {
        let kinds = instr.opcode.2.bytes().zip(&instr.sources).enumerate();
        let arg = |(n, (kind, src)): (usize, (u8, &Src))| {
            let comp = if n == 0 { half } else { 2 * half };
            match kind {
                b'W' => {
                    let [low, high] = [0, 1].map(|word| self.held(lane, src, 2 * half + word).word);
                    u64::from(low) | u64::from(high) << 32
                }
                b'I' => self.integer(lane, src, comp).into(),
                _ => self.float(lane, src, comp).into(),
            }
        };
        kinds.map(arg).collect()
    }

    /// The results of an instruction on numbers of 64 bits.
    fn wide_results(&self, lane: &Lane, instr: &Instr) -> [Held; 4] {
        let contract = if instr.precise { Contract::Never } else { Contract::Model };
        let slot = |decl: Decl, clamps: bool| Slot {
            contract,
            saturate: if clamps && instr.saturate { Saturate::Unsigned } else { Saturate::None },
            ..Slot::plain(decl)
        };
        let is_from_float = instr.opcode.2.starts_with('F');
        let source = if is_from_float { Storage::F32 } else { Storage::F64 };
        let word = |word: u64| {
            let clamped = |word: u64| self.wide(Op::Cvt, slot(Decl::F32, true), Storage::F32, &[word]);
            Held::value(if instr.saturate { clamped(word) } else { word } as u32)
        };
        let written: Vec<usize> = (0..4).filter(|comp| instr.dst.mask >> comp & 1 != 0).collect();
        let mut results = [Held::default(); 4];
        for half in 0..2 {
            let args = self.wide_args(lane, instr, half);
            match instr.opcode.1 {
                Compute::WideBits(op, outcome) => {
                    let holds = self.wide(op, slot(Decl::F64, false), source, &args) != 0;
                    let Some(&first) = written.iter().find(|comp| **comp / 2 == half) else { continue };
                    results[first] = word(if holds == outcome { u32::MAX.into() } else { 0 });
                }
                Compute::Narrow(op, decl) => {
                    let Some(&comp) = written.get(half) else { continue };
                    let is_float = op.info().result == Kind::F;
                    let value = self.wide(op, slot(decl, is_float), source, &args);
                    results[comp] = if is_float { Held::value(value as u32) } else { word(value) };
                }
                Compute::Wide(op) => {
                    // The operand of a conversion from binary32 to an integer has its format.
                    let is_long = op.info().result == Kind::I64;
                    let decl = if is_long && is_from_float { Decl::F32 } else { Decl::F64 };
                    let mut value = self.wide(op, slot(decl, !is_long), source, &args);
                    if is_long && instr.saturate {
                        value = self.wide(Op::Cvt, slot(Decl::F64, true), Storage::F64, &[value]);
                    }
                    (results[2 * half], results[2 * half + 1]) =
                        (Held::value(value as u32), Held::value((value >> 32) as u32));
                }
                other => unreachable!("{other:?} of 64 bits"),
            }
        }
        results
    }

    pub(crate) fn instr(&self, lane: &mut Lane, instr: &Instr) {
        let (_, compute, kinds) = instr.opcode;
        if let Compute::Wide(_) | Compute::Narrow(..) | Compute::WideBits(..) = compute {
            self.count("wide");
            let results = self.wide_results(lane, instr);
            self.write_some(lane, &instr.dst, results, compute);
            return;
        }
        let contract = if instr.precise { Contract::Never } else { Contract::Model };
        let plain = Slot { contract, ..Slot::plain(Decl::F32) };
        let clamping = Slot { saturate: if instr.saturate { Saturate::Unsigned } else { Saturate::None }, ..plain };
        let kind = |n: usize| kinds.as_bytes()[n];
        let src = |n: usize, comp: usize| match kind(n) {
            b'I' => self.integer(lane, &instr.sources[n], comp),
            _ => self.float(lane, &instr.sources[n], comp),
        };
        // What is copied, and what is no float, is clamped as the float with these bits.
        let clamped = |held: Held| {
            if instr.saturate { Held::value(self.num(Op::Cvt, clamping, &[self.number(held)])) } else { held }
        };
        let moved = |n: usize, comp: usize| clamped(self.moved(lane, &instr.sources[n], comp, kind(n)));
        let word = |word: u32| clamped(Held::value(word));
        let num = |op: Op, args: &[u32]| match op.info().result {
            Kind::F => Held::value(self.num(op, clamping, args)),
            _ => word(self.num(op, plain, args)),
        };
        let all = |comp: usize| -> Vec<u32> { (0..kinds.len()).map(|n| src(n, comp)).collect() };
        let one = Held::value(ONE);
        let result = |comp: usize| match compute {
            Compute::Each(op) => num(op, &all(comp)),
            Compute::Scalar(op) => num(op, &all(0)),
            Compute::Dot(op, width) => {
                let args: Vec<u32> = (0..2 * width).map(|n| src(n / width, n % width)).collect();
                num(op, &args)
            }
            Compute::Set(op) => Held::value(u32::from(self.num(op, plain, &all(comp)) != 0) * ONE),
            Compute::Bits(op, outcome) => {
                let holds = self.num(op, plain, &all(comp)) != 0;
                word(if holds == outcome { u32::MAX } else { 0 })
            }
            Compute::Choose(op) => {
                let holds = self.num(op, plain, &[src(0, comp), 0]) != 0;
                moved(if holds { 1 } else { 2 }, comp)
            }
            Compute::Move => moved(0, comp),
            Compute::NearestAddress => {
                let sum = self.num(Op::Add, plain, &[src(0, comp), HALF]);
                Held::value(self.num(Op::F2iFloor, plain, &[sum]))
            }
            Compute::WrappingMad => word(src(0, comp).wrapping_mul(src(1, comp)).wrapping_add(src(2, comp))),
            Compute::Lit => match comp {
                1 => num(Op::LitY, &[src(0, 0)]),
                2 => num(Op::LitZ, &[src(0, 0), src(0, 1), src(0, 3)]),
                _ => one,
            },
            Compute::Exp => match comp {
                0 => num(Op::Exp2Floor, &all(0)),
                1 => num(Op::Frac, &all(0)),
                2 => num(Op::Exp2, &all(0)),
                _ => one,
            },
            Compute::Log => match comp {
                0 => num(Op::LogExp, &all(0)),
                1 => num(Op::LogMant, &all(0)),
                2 => num(Op::Log2, &[src(0, 0) & !SIGN]),
                _ => one,
            },
            Compute::Distance => match comp {
                0 => one,
                1 => num(Op::Dst, &[src(0, 1), src(1, 1)]),
                2 => moved(0, 2),
                _ => moved(1, 3),
            },
            Compute::Pack(op, count) => num(op, &(0..count).map(|comp| src(0, comp)).collect::<Vec<_>>()),
            Compute::Unpack(op, width) => num(op, &[src(0, 0) >> (comp as u32 * width % 32)]),
            asks => unreachable!("{asks:?} of one lane"),
        };
        // Everything is read before anything is written.
        let results =
            [0, 1, 2, 3].map(|comp| if instr.dst.mask >> comp & 1 != 0 { result(comp) } else { Held::default() });
        self.write(lane, &instr.dst, results);
    }

    /// Writes the components that a result of 64-bit numbers has: all of the mask, or those that its words take.
    fn write_some(&self, lane: &mut Lane, dst: &Dst, results: [Held; 4], compute: Compute) {
        let written = || (0..4).filter(|comp| dst.mask >> comp & 1 != 0);
        let takes = |comp: &usize| match compute {
            Compute::Narrow(..) => written().take(2).any(|first| first == *comp),
            Compute::WideBits(..) => written().find(|first| first / 2 == comp / 2) == Some(*comp),
            _ => true,
        };
        let mask = written().filter(takes).fold(0, |mask, comp| mask | 1 << comp);
        self.write(lane, &Dst { mask, ..*dst }, results);
    }

    // ---- memory ----

    /// What the lanes of a quad read from memory and change in it, one after the other.
    pub(crate) fn access(&self, quad: &mut [Lane; 4], access: &Access, active: [bool; 4]) {
        let mut memory = self.memory.borrow_mut();
        let words = &mut memory[access.buffer];
        let lanes = || (0..4).filter(|lane| active[*lane]);
        let address: Vec<u32> = quad.iter().map(|lane| self.integer(lane, &access.sources[0], 0)).collect();
        // Nothing is beyond 2^32, and the lowest two bits of an address do not count.
        let place = |lane: usize, comp: usize| address[lane].checked_add(4 * comp as u32).map(|at| at as usize / 4);
        let written: Vec<usize> = (0..4).filter(|comp| access.dst.mask >> comp & 1 != 0).collect();
        match access.kind {
            AccessKind::Load => {
                let count = written.iter().map(|&comp| access.swizzle[comp] + 1).max().unwrap_or(0);
                for lane in lanes() {
                    // One word is there, or not; of several all are.
                    let fits = count == 1 || u64::from(address[lane]) + 4 * count as u64 <= 4 * words.len() as u64;
                    self.count(if fits { "loaded" } else { "loaded beyond" });
                    let word = |comp: usize| {
                        let at = place(lane, access.swizzle[comp]).filter(|_| fits);
                        Held::value(at.and_then(|at| words.get(at)).copied().unwrap_or(0))
                    };
                    self.write(&mut quad[lane], &access.dst, [0, 1, 2, 3].map(word));
                }
            }
            AccessKind::Store => {
                let values: Vec<[u32; 4]> = quad
                    .iter()
                    .map(|lane| [0, 1, 2, 3].map(|comp| self.integer(lane, &access.sources[1], comp)))
                    .collect();
                // Word after word, each for all lanes.
                for comp in written {
                    for lane in lanes().filter(|lane| !quad[*lane].killed) {
                        let word = place(lane, comp).and_then(|at| words.get_mut(at));
                        self.count(if word.is_some() { "stored" } else { "dropped" });
                        if let Some(word) = word {
                            *word = values[lane][comp];
                        }
                    }
                }
            }
            AccessKind::Atomic(_, change) => {
                for lane in lanes() {
                    let operand = |n: usize| access.sources.get(n).map_or(0, |src| self.integer(&quad[lane], src, 0));
                    let (a, b) = (operand(1), operand(2));
                    let word = place(lane, 0).and_then(|at| words.get_mut(at)).filter(|_| !quad[lane].killed);
                    self.count(if word.is_some() { "changed" } else { "not changed" });
                    let old = word.map_or(0, |word| {
                        let old = *word;
                        *word = change(old, a, b);
                        old
                    });
                    self.write(&mut quad[lane], &access.dst, [Held::value(old); 4]);
                }
            }
            AccessKind::AddFloat => {
                for lane in lanes() {
                    let by = self.float(&quad[lane], &access.sources[1], 0);
                    let word = place(lane, 0).and_then(|at| words.get_mut(at));
                    let old = word.as_ref().map_or(0, |word| **word);
                    if let Some(word) = word.filter(|_| !quad[lane].killed) {
                        self.count("added");
                        *word = self.num(Op::Add, Slot::plain(Decl::F32), &[old, by]);
                    }
                    self.write(&mut quad[lane], &access.dst, [Held::value(old); 4]);
                }
            }
        }
    }

    /// Writes the components of a mask.
    pub(crate) fn write(&self, lane: &mut Lane, dst: &Dst, results: [Held; 4]) {
        let Some(n) = self.place(lane, &dst.reg) else { return };
        let register = match dst.reg.file {
            File::Temp => &mut lane.temp[n],
            File::Out => &mut lane.out[n],
            File::Addr => &mut lane.addr,
            file => unreachable!("{file:?} is not written"),
        };
        for comp in (0..4).filter(|comp| dst.mask >> comp & 1 != 0) {
            register[comp] = results[comp];
        }
    }
}

/// Modifiers of a float: its sign bit.
fn modified(src: &Src, word: u32) -> u32 {
    let word = if src.absolute { word & !SIGN } else { word };
    if src.negate { word ^ SIGN } else { word }
}
