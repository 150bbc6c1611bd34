//! The walk: what each instruction does to a lane, written from the description of the instruction set.
//!
//! Each lane goes its own way through the program. The walk knows registers, modifiers, masks and control; every arithmetic
//! result comes from the reference evaluation of `parallax-num`.

use crate::tgsi_walk::opcodes::Compute;
use crate::tgsi_walk::program::*;
use parallax_core::num::{Contract, Decl, Kind, Model, Op, Saturate, Slot, Storage, eval};
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
        if held.is_input { self.num(Op::Cvt, Slot::plain(Decl::F32), &[held.word]) } else { held.word }
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

    pub(crate) fn instr(&self, lane: &mut Lane, instr: &Instr) {
        let (_, compute, kinds) = instr.opcode;
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
