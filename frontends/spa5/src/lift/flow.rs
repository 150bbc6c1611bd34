//! Control flow: the stacks of SSY, PBK, PCNT and PRET are followed while lifting, so that every pop has a known target.
//!
//! A place of the control-flow graph is an instruction together with what the stack holds there. Programs made by compilers
//! reach every instruction with one stack; others have such instructions lifted once for every stack.

use super::Ctx;
use super::flags::{ALWAYS, NEVER, is_known_test};
use crate::view::{Name, Operands};
use crate::{instr::Instr, op::Op, program::Program};
use parallax_core::ValueId;
use parallax_lift::Lifter;
use parallax_lift::structure::{Blocks, Successors};
use parallax_text::Diag;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::ops::Range;

/// Most entries of the stack.
const MAX_STACK: u32 = 64;
/// Most places that a computed branch may lead to.
const MAX_TABLE: usize = 256;
/// Most places beyond one for every instruction.
const MAX_COPIES: usize = 1 << 16;

/// What an entry of the stack was pushed for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Purpose {
    Sync,
    Break,
    Continue,
    Return,
}

impl Purpose {
    /// The instruction that pushes it.
    fn pushed_by(self) -> &'static str {
        match self {
            Purpose::Sync => "SSY",
            Purpose::Break => "PBK",
            Purpose::Continue => "PCNT",
            Purpose::Return => "CAL or PRET",
        }
    }
}

/// An entry on top of others.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
struct Entry {
    below: u32,
    purpose: Purpose,
    target: usize,
}

/// All stacks that occur, by number; 0 is empty.
#[derive(Default)]
struct Stacks {
    entries: Vec<(Entry, u32)>,
    known: FxHashMap<Entry, u32>,
}

impl Stacks {
    fn depth(&self, stack: u32) -> u32 {
        if stack == 0 { 0 } else { self.entries[stack as usize - 1].1 }
    }

    fn push(&mut self, entry: Entry) -> u32 {
        let depth = self.depth(entry.below) + 1;
        *self.known.entry(entry).or_insert_with(|| {
            self.entries.push((entry, depth));
            self.entries.len() as u32
        })
    }

    /// Whether an entry of a purpose leads to a place already.
    fn holds(&self, mut stack: u32, purpose: Purpose, target: usize) -> bool {
        while stack != 0 {
            let entry = self.entries[stack as usize - 1].0;
            if (entry.purpose, entry.target) == (purpose, target) {
                return true;
            }
            stack = entry.below;
        }
        false
    }

    /// Takes entries away down to the topmost one of a purpose; gives its target and what is left.
    fn pop(&self, mut stack: u32, purpose: Purpose) -> Option<(usize, u32)> {
        while stack != 0 {
            let entry = self.entries[stack as usize - 1].0;
            if entry.purpose == purpose {
                return Some((entry.target, entry.below));
            }
            stack = entry.below;
        }
        None
    }
}

/// An instruction and the stack it is reached with. Behind the last instruction the program ends.
type Place = (usize, u32);

/// Where control goes from a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    /// To the next instruction, with a stack.
    Next(u32),
    To(Place),
    /// To one place where guard and test hold, else to the next instruction.
    Branch(Place),
    /// To one of several places: the one whose word a register holds.
    Table(Vec<(u32, Place)>),
}

/// A program cut into blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// Instructions of each block, the jump that ends it included.
    blocks: Vec<Range<usize>>,
    pub(super) successors: Vec<Successors>,
    /// Blocks that end in a test of the register of a BRX: the instruction, and the word that leads to the first successor.
    tests: FxHashMap<usize, (usize, u32)>,
    /// What is known of each instruction.
    first: Vec<First>,
    /// What instructions do, whether they can be reached or not.
    ops: Ops,
}

/// Whether an instruction runs in all lanes, in none, or where a predicate says so.
pub(super) fn guard(i: Operands) -> Option<bool> {
    Ctx::literal_predicate(i.get(Name::Guard))
}

/// Whether an instruction with a test of the condition code runs in all lanes, in none, or where guard and test say so.
pub(super) fn tested(i: Operands) -> Option<bool> {
    match (guard(i), i.get(Name::Test)) {
        (Some(false), _) | (_, NEVER) => Some(false),
        (Some(true), ALWAYS) => Some(true),
        _ => None,
    }
}

/// Whether an instruction does nothing but lead control.
pub(super) fn leads(op: Op) -> bool {
    use Op::{Bra, Brk, Brx, Cal, Cont, Exit, Pbk, Pcnt, Pret, Ret, Ssy, Sync};
    matches!(op, Bra | Brk | Brx | Cal | Cont | Exit | Pbk | Pcnt | Pret | Ret | Ssy | Sync)
}

struct Search<'a> {
    program: &'a Program,
    /// Words of tables of places.
    tables: &'a [u32],
    stacks: Stacks,
    diags: Vec<Diag>,
    refused: FxHashSet<usize>,
}

impl Search<'_> {
    fn error(&mut self, n: usize, diag: impl FnOnce(parallax_text::Span) -> Diag) {
        if self.refused.insert(n) {
            self.diags.push(diag(self.program.lines[n].span));
        }
    }

    /// The instruction a target names, or the end of the program.
    fn target(&mut self, n: usize) -> usize {
        let instr = &self.program.instrs[n];
        let address = instr.target(self.program.addresses.of_instruction(n));
        // Behind the last instruction the program ends; what fills the last bundle is nothing else.
        let count = self.program.instrs.len();
        let inside = |n: &usize| *n <= count.next_multiple_of(3);
        match self.program.addresses.instruction_at(address).filter(inside) {
            Some(found) => found.min(count),
            None => {
                let name = instr.row().name;
                self.error(n, |span| {
                    let message = format!("{name}: the target {address:#x} is not in the program");
                    Diag::invalid("jump-out-of-program", span, message)
                        .with_help("a target is an instruction or the end of the program; a control word means the instruction after it")
                });
                self.program.instrs.len()
            }
        }
    }

    /// The places that a BRX may lead to: those that stand in the tables of the program.
    fn table(&mut self, (n, stack): Place, runs: Option<bool>) -> Way {
        let instr = &self.program.instrs[n];
        let base = instr.target(self.program.addresses.of_instruction(n));
        let mut words = self.tables.to_vec();
        words.sort_unstable();
        words.dedup();
        let count = self.program.instrs.len();
        let place = |word: u32| {
            let address = base.checked_add(i64::from(word))?;
            self.program.addresses.instruction_at(address).filter(|to| *to < count).map(|to| (word, (to, stack)))
        };
        let found: Vec<(u32, Place)> = words.into_iter().filter_map(place).collect();
        let why = if runs.is_none() {
            "with a guard it is not executed"
        } else if found.is_empty() {
            "the places it may lead to are in no constant bank of the program"
        } else if found.len() > MAX_TABLE {
            "its table is too long"
        } else {
            return Way::Table(found);
        };
        self.error(n, |span| Diag::unsupported("not-executed", span, format!("BRX: {why}")));
        Way::To((count, 0))
    }

    /// Where control goes from a place.
    fn way(&mut self, (n, stack): Place) -> Way {
        let instr = &self.program.instrs[n];
        let Some(op) = instr.op().filter(|op| leads(*op)) else { return Way::Next(stack) };
        let i = Operands::of(instr);
        let pushed = match op {
            Op::Ssy => Some(Purpose::Sync),
            Op::Pbk => Some(Purpose::Break),
            Op::Pcnt => Some(Purpose::Continue),
            Op::Pret | Op::Cal => Some(Purpose::Return),
            _ => None,
        };
        if let Some(purpose) = pushed {
            let target = self.target(n);
            if self.stacks.depth(stack) >= MAX_STACK {
                let name = instr.row().name;
                self.error(n, |span| {
                    let message = format!("{name}: the stack holds more than {MAX_STACK} entries");
                    Diag::unsupported("stack-depth", span, message)
                        .with_help("every push needs a pop; calls cannot be recursive")
                });
                return Way::To((self.program.instrs.len(), 0));
            }
            if op == Op::Cal {
                if self.stacks.holds(stack, purpose, n + 1) {
                    self.error(n, |span| {
                        let message = "CAL: the subroutine calls itself, by way of others or at once";
                        Diag::unsupported("call-recursion", span, message)
                            .with_help("calls cannot be recursive: every call needs a place of its own for the return")
                    });
                    return Way::To((self.program.instrs.len(), 0));
                }
                let back = Entry { below: stack, purpose, target: n + 1 };
                return Way::To((target, self.stacks.push(back)));
            }
            return Way::Next(self.stacks.push(Entry { below: stack, purpose, target }));
        }
        if !is_known_test(i.get(Name::Test)) {
            let name = instr.row().name;
            self.error(n, |span| {
                let message = format!("{name}: this test of the condition code is undocumented");
                Diag::unsupported("not-executed", span, message)
            });
        }
        let runs = tested(i);
        if runs == Some(false) {
            return Way::Next(stack);
        }
        if op == Op::Brx {
            return self.table((n, stack), runs);
        }
        let to = match op {
            Op::Exit => (self.program.instrs.len(), 0),
            Op::Bra => (self.target(n), stack),
            _ => {
                let purpose = match op {
                    Op::Sync => Purpose::Sync,
                    Op::Brk => Purpose::Break,
                    Op::Cont => Purpose::Continue,
                    _ => Purpose::Return,
                };
                match self.stacks.pop(stack, purpose) {
                    Some(to) => to,
                    None => {
                        let (name, by) = (instr.row().name, purpose.pushed_by());
                        self.error(n, |span| {
                            let message = format!("{name}: there is no matching {by} on the stack");
                            Diag::invalid("unbalanced-stack", span, message)
                                .with_help(format!("every way to {name} has to lead through {by}"))
                        });
                        (self.program.instrs.len(), 0)
                    }
                }
            }
        };
        if runs.is_none() { Way::Branch(to) } else { Way::To(to) }
    }
}

/// The last of what instructions do still fits in a set.
const _: () = assert!((Op::Depbar as u32) < u128::BITS);

/// A set of what instructions do.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Ops(u128);

impl Ops {
    /// These.
    pub(super) const fn of(all: &[Op]) -> Ops {
        let (mut set, mut n) = (0, 0);
        while n < all.len() {
            set |= 1 << all[n] as u32;
            n += 1;
        }
        Ops(set)
    }
}

/// Places, of which most instructions have one: those that control reaches, and those where a block begins.
struct Places {
    first: Vec<First>,
    ops: Ops,
    seen: FxHashSet<Place>,
    leaders: FxHashSet<Place>,
}

/// What is known of an instruction.
#[derive(Copy, Clone, Debug)]
pub(super) struct First {
    /// The stack it was first reached with.
    seen: u32,
    /// The stack with which it was first found to begin a block.
    leader: u32,
    /// Whether it does nothing but lead control.
    leads: bool,
}

/// No stack.
const NONE: u32 = u32::MAX;

/// Adds a place to a set whose first one of each instruction stands apart; says whether it is new.
#[inline]
fn insert(first: &mut u32, more: &mut FxHashSet<Place>, place: Place) -> bool {
    if *first == NONE {
        *first = place.1;
        return true;
    }
    *first != place.1 && more.insert(place)
}

impl Places {
    fn of(program: &Program) -> Places {
        let mut first = Vec::with_capacity(program.instrs.len() + 1);
        let unknown = First { seen: NONE, leader: NONE, leads: false };
        let mut ops = Ops::default();
        first.extend(program.instrs.iter().map(|instr| {
            let op = instr.op();
            ops.0 |= op.map_or(0, |op| 1 << op as u32);
            First { leads: op.is_some_and(leads), ..unknown }
        }));
        first.push(unknown);
        Places { first, ops, seen: FxHashSet::default(), leaders: FxHashSet::default() }
    }

    /// Notes that control reaches a place; says whether that is new.
    #[inline]
    fn see(&mut self, place: Place) -> bool {
        insert(&mut self.first[place.0].seen, &mut self.seen, place)
    }

    /// Notes that a block begins at a place.
    #[inline]
    fn lead(&mut self, place: Place, starts: &mut Starts) {
        if insert(&mut self.first[place.0].leader, &mut self.leaders, place) {
            starts.push(place);
        }
    }

    #[inline]
    fn is_leader(&self, place: Place) -> bool {
        self.first[place.0].leader == place.1 || !self.leaders.is_empty() && self.leaders.contains(&place)
    }
}

/// Where blocks begin: few programs have more.
type Starts = SmallVec<[Place; 16]>;

impl Flow {
    /// Cuts a program into blocks. What is never reached is left out.
    ///
    /// # Errors
    /// Targets outside of the program, pops without a push, stacks that grow without end.
    pub(super) fn of(program: &Program, tables: &[u32]) -> Result<Flow, Vec<Diag>> {
        let count = program.instrs.len();
        let mut search =
            Search { program, tables, stacks: Stacks::default(), diags: Vec::new(), refused: FxHashSet::default() };
        let (mut places, mut starts) = (Places::of(program), Starts::new());
        places.lead((0, 0), &mut starts);
        let mut work: Starts = smallvec![(0, 0)];
        let mut copies = 0;
        while let Some(mut place) = work.pop() {
            while place.0 < count {
                if !places.see(place) {
                    places.lead(place, &mut starts);
                    break;
                }
                copies += usize::from(places.first[place.0].seen != place.1);
                if copies > MAX_COPIES {
                    search.error(place.0, |span| {
                        let message = format!("the stacks differ at more than {MAX_COPIES} places");
                        Diag::unsupported("stack-depth", span, message)
                    });
                    return Err(search.diags);
                }
                if !places.first[place.0].leads {
                    place.0 += 1;
                    continue;
                }
                match search.way(place) {
                    Way::Next(stack) => place = (place.0 + 1, stack),
                    Way::To(to) => {
                        places.lead(to, &mut starts);
                        place = to;
                    }
                    Way::Table(all) => {
                        for (_, to) in &all {
                            places.lead(*to, &mut starts);
                            work.push(*to);
                        }
                        break;
                    }
                    Way::Branch(to) => {
                        let next = (place.0 + 1, place.1);
                        places.lead(to, &mut starts);
                        places.lead(next, &mut starts);
                        work.push(to);
                        place = next;
                    }
                }
            }
        }
        if !search.diags.is_empty() {
            return Err(search.diags);
        }
        starts.retain(|place| place.0 < count);
        starts.sort_unstable();
        let end = starts.len();
        let block_of = |place: Place| if place.0 >= count { end } else { starts.binary_search(&place).unwrap_or(end) };
        let mut flow =
            Flow { blocks: Vec::with_capacity(end + 1), successors: Vec::with_capacity(end + 1), ..Flow::default() };
        // Blocks of nothing but a test of where BRX leads; they stand behind all others.
        let mut chained: Vec<(Successors, (usize, u32))> = Vec::new();
        for (block, &start) in starts.iter().enumerate() {
            let mut place = start;
            let successors = loop {
                let way = if places.first[place.0].leads { search.way(place) } else { Way::Next(place.1) };
                match way {
                    Way::Next(stack) => place = (place.0 + 1, stack),
                    Way::To(to) => {
                        place.0 += 1;
                        break Successors::Goto(block_of(to));
                    }
                    Way::Table(all) => {
                        let n = place.0;
                        place.0 += 1;
                        let mut places = all.iter().map(|(word, to)| (*word, block_of(*to)));
                        let Some((word, first)) = places.next() else { break Successors::Goto(end) };
                        flow.tests.insert(block, (n, word));
                        let mut rest: Vec<(u32, usize)> = places.collect();
                        let Some((_, last)) = rest.pop() else { break Successors::Goto(first) };
                        // Whatever is in no table leads to the last place.
                        let mut other = last;
                        for (word, then) in rest.into_iter().rev() {
                            chained.push((Successors::Branch { then, other }, (n, word)));
                            other = end + chained.len();
                        }
                        break Successors::Branch { then: first, other };
                    }
                    Way::Branch(to) => {
                        place.0 += 1;
                        break Successors::Branch { then: block_of(to), other: block_of(place) };
                    }
                }
                if place.0 >= count || places.is_leader(place) {
                    break Successors::Goto(block_of(place));
                }
            };
            flow.blocks.push(start.0..place.0);
            flow.successors.push(successors);
        }
        // Behind the last instruction stands a block of none, which ends the program.
        flow.blocks.push(count..count);
        flow.successors.push(Successors::End);
        for (successors, test) in chained {
            flow.tests.insert(flow.blocks.len(), test);
            flow.blocks.push(count..count);
            flow.successors.push(successors);
        }
        (flow.first, flow.ops) = (places.first, places.ops);
        Ok(flow)
    }

    /// Whether an instruction may do one of these.
    pub(super) fn may_do(&self, ops: Ops) -> bool {
        self.ops.0 & ops.0 != 0
    }

    /// The instructions that can be reached.
    pub(super) fn instrs<'p>(&self, program: &'p Program) -> impl Iterator<Item = &'p Instr> {
        program.instrs.iter().zip(&self.first).filter_map(|(instr, first)| (first.seen != NONE).then_some(instr))
    }
}

impl<'f> Blocks<'f> for Ctx<'_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.l
    }

    fn begin_loop(&mut self, block: usize) {
        let first = self.flow.blocks[block].start;
        if first < self.program.instrs.len() {
            self.begin(first);
        }
    }

    fn block(&mut self, block: usize) {
        for n in self.flow.blocks[block].clone() {
            self.begin(n);
            self.instruction(n);
        }
    }

    fn condition(&mut self, block: usize) -> ValueId {
        if let Some(&(n, word)) = self.flow.tests.get(&block) {
            self.begin(n);
            let source = Operands::of(&self.program.instrs[n]).a();
            let val = self.source(source);
            let (held, word) = (self.word_of(val), self.lit(word));
            return self.l.b.int(parallax_num::Op::Ieq, &[held, word]);
        }
        let Some(last) = self.flow.blocks[block].clone().last() else { return self.l.b.pred(false) };
        self.begin(last);
        let i = Operands::of(&self.program.instrs[last]);
        self.holds(i)
    }
}

impl Ctx<'_, '_> {
    /// Whether the guard of an instruction and its test of the condition code hold.
    pub(super) fn holds(&mut self, i: Operands) -> ValueId {
        let guard = (guard(i) != Some(true)).then(|| self.predicate(i.get(Name::Guard)));
        let code = i.get(Name::Test);
        let test = if code == ALWAYS { None } else { self.test(code) };
        match (guard, test) {
            (Some(guard), Some(test)) => self.l.b.int(parallax_num::Op::Pand, &[guard, test]),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => self.l.b.pred(true),
        }
    }
}
