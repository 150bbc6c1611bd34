//! What one walk through the body says of its registers and instructions, for those that decide about its order.

use crate::form::{Class, Function, Op, RegData};
use crate::intervals::Loops;
use crate::schedule::cost;

/// What lives through this share of the code lives long.
const LONG: usize = 4;

/// How often and how long registers of the body live, and what its instructions cost.
#[derive(Clone, Debug)]
pub struct Lives {
    pub(crate) registers: Vec<Life>,
    /// Of each instruction: half cycles until its result is there, and instructions of the machine.
    pub(crate) costs: Vec<(u16, u16)>,
    /// Whether a register is set more than once, or read before it is set.
    pub(crate) changes: bool,
    /// Whether instructions lead elsewhere.
    pub(crate) jumps: bool,
    /// The most values in vector registers that live long at a time: through a quarter of the body and more.
    pub(crate) long: i32,
}

/// The life of a register.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Life {
    /// Where it is first set or read, and where last: twice the number of an instruction, and one more where it is set.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// How often it stands in the code.
    pub(crate) count: u32,
    /// What it counts as; `None` for what takes no room.
    pub(crate) class: Option<Class>,
    /// Whether it is set more than once, or read before it is set.
    pub(crate) changes: bool,
}

impl Lives {
    /// Those of the body of a function.
    pub fn of(function: &Function) -> Lives {
        let body = &function.body;
        let class = |data: &RegData| if data.source.is_some() { None } else { Some(data.class) };
        let fresh = |data: &RegData| Life { start: u32::MAX, end: 0, count: 0, class: class(data), changes: false };
        let mut registers: Vec<Life> = function.regs.iter().map(fresh).collect();
        let mut costs = Vec::with_capacity(body.code.len());
        let (mut changes, mut jumps) = (false, false);
        for (at, inst) in body.code.iter().enumerate() {
            let at = 2 * at as u32;
            let (delay, work) = cost(inst.op, function);
            costs.push((delay as u16, work as u16));
            jumps |= inst.op.is_jump() && !matches!(inst.op, Op::Label(_));
            let (read, set) = body.parts(inst);
            for &reg in read {
                let life = &mut registers[reg as usize];
                life.count += 1;
                life.end = at;
                if life.start == u32::MAX {
                    life.start = at;
                    // It is set again later.
                    life.changes = life.class.is_some();
                    changes |= life.changes;
                }
            }
            for &reg in set {
                let life = &mut registers[reg as usize];
                life.count += 1;
                life.end = at + 1;
                if life.start == u32::MAX {
                    life.start = at + u32::from(!inst.op.is_early());
                } else {
                    (life.changes, changes) = (true, true);
                }
            }
        }
        let mut lives = Lives { registers, costs, changes, jumps, long: 0 };
        lives.long = lives.long(function);
        lives
    }

    fn long(&self, function: &Function) -> i32 {
        let least = function.body.code.len() * 2 / LONG;
        let is_long = |start: u32, end: u32| end as usize > least + start as usize;
        let mut changes: Vec<(u32, i32)> = Vec::new();
        let mut add = |start: u32, end: u32| changes.extend([(start, 1), (end, -1)]);
        let loops = if self.jumps { Loops::of(&function.body) } else { Loops::default() };
        for life in self.registers.iter().filter(|life| life.class == Some(Class::Vector) && life.count > 0) {
            let end = loops.end(life.start, life.end);
            if is_long(life.start, end) {
                add(life.start, end);
            }
        }
        changes.sort_unstable();
        let (mut now, mut most) = (0, 0);
        for (_, change) in changes {
            now += change;
            most = most.max(now);
        }
        most
    }

    /// How many instructions of the machine there are, and at how many more values live in vector registers than there is
    /// `room` for. Nothing jumps.
    pub(crate) fn crowded(&self, function: &Function, room: i32) -> (u32, u32) {
        let work = self.costs.iter().map(|&(_, work)| u32::from(work)).sum();
        if self.changes {
            // From behind: what is read lives until it is set.
            let mut lives = vec![false; self.registers.len()];
            let mut live = 0;
            let mut crowded = 0;
            for inst in function.body.code.iter().rev() {
                crowded += u32::from(live > room);
                let (read, set) = function.body.parts(inst);
                for &reg in set {
                    live -= i32::from(std::mem::replace(&mut lives[reg as usize], false));
                }
                for &reg in read.iter().filter(|&&reg| self.registers[reg as usize].class == Some(Class::Vector)) {
                    live += i32::from(!std::mem::replace(&mut lives[reg as usize], true));
                }
            }
            return (work, crowded);
        }
        // How many more live behind an instruction than behind the one before.
        let mut more = vec![0i32; self.costs.len()];
        for life in self.registers.iter().filter(|life| life.class == Some(Class::Vector) && life.count > 0) {
            more[life.start as usize / 2] += 1;
            more[life.end as usize / 2] -= 1;
        }
        let mut live = 0;
        let crowded = more.iter().filter(|&&more| {
            live += more;
            live > room
        });
        (work, crowded.count() as u32)
    }
}
