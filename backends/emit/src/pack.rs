//! Packs instructions on single components into instructions on vectors.
//!
//! Operands of dot products, lookups and discards have to stand in one register each: their values become webs first, and moves
//! gather what cannot. Then each instruction joins an earlier one of its stretch that does the same to other components of the same
//! registers, as far as values allow. What joins moves up, behind what it reads.

use crate::form::{Arg, Base, Instr, Lanes, Node, Operand, Precision, Single, Value, Vector};
use crate::target::Row;
use crate::webs::Webs;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Instructions that are looked at for one that another may join.
const WINDOW: usize = 48;

/// Packs a program. `moves`: the opcode that moves.
pub(crate) fn pack(mut body: Vec<Node>, webs: &mut Webs, moves: Row) -> Vec<Node> {
    gather(&mut body, webs, moves);
    let mut place = vec![(0, 0); webs.len()];
    let mut stretch = 0;
    block(body, webs, &mut place, &mut stretch)
}

/// The register of a base.
pub(crate) fn vector(base: Base, webs: &Webs) -> Vector {
    match base {
        Base::Value(value) => Vector::Web(webs.web(value)),
        Base::Imm(_) => Vector::Imm,
        Base::Const { bank, index, .. } => Vector::Const(bank, index),
        Base::ConstAt { bank, base, at, .. } => Vector::ConstAt(bank, base, at),
        Base::Attr { index, .. } => Vector::Attr(index),
        Base::Buffer(buffer) => Vector::Buffer(buffer),
        Base::System(place, _) => Vector::System(place),
    }
}

/// Gathers the operands of instructions that read several components of a register.
fn gather(nodes: &mut Vec<Node>, webs: &mut Webs, moves: Row) {
    // Moves, and the number of the instruction that they stand before.
    let mut before: Vec<(usize, Node)> = Vec::new();
    for (n, node) in nodes.iter_mut().enumerate() {
        match node {
            Node::Op(instr) => {
                let Instr { operands, origin, .. } = &mut **instr;
                for operand in operands {
                    gather_operand(operand, webs, &mut |to, from| before.push((n, moved(moves, to, from, *origin))));
                }
                if instr.lanes == Lanes::Fixed {
                    let results: SmallVec<[Value; 4]> = instr.results.iter().flatten().copied().collect();
                    for (comp, result) in (0..).zip(instr.results) {
                        if let Some(result) = result {
                            webs.fix(result, comp);
                        }
                    }
                    results.windows(2).for_each(|pair| webs.join(pair[0], pair[1]));
                }
            }
            Node::If { then, other, .. } => {
                gather(then, webs, moves);
                gather(other, webs, moves);
            }
            Node::Loop { body, .. } => gather(body, webs, moves),
            _ => {}
        }
    }
    if before.is_empty() {
        return;
    }
    let mut out = Vec::with_capacity(nodes.len() + before.len());
    let mut before = before.into_iter().peekable();
    for (n, node) in nodes.drain(..).enumerate() {
        while let Some((_, node)) = before.next_if(|(at, _)| *at == n) {
            out.push(node);
        }
        out.push(node);
    }
    *nodes = out;
}

fn moved(row: Row, result: Value, from: Base, origin: Option<parallax_core::SourceId>) -> Node {
    let args = SmallVec::from_iter([Arg::plain(from)]);
    Node::Single(Single { row, saturate: false, precise: false, precision: Precision::Full, args, result, origin })
}

/// Puts the components of an operand into one register.
fn gather_operand(operand: &mut Operand, webs: &mut Webs, emit: &mut impl FnMut(Value, Base)) {
    let bases: SmallVec<[Base; 4]> = operand.bases().collect();
    let Some(&first) = bases.first() else { return };
    if bases.iter().all(|&base| vector(base, webs) == vector(first, webs)) {
        return;
    }
    // Values that can share a register stay where they are; halves do if all are, else they widen on their way.
    let is_half = |base: Base| matches!(base, Base::Value(value) if webs.is_half(value));
    let halves = bases.iter().filter(|&&base| is_half(base)).count();
    let widened = halves != 0 && halves < bases.len();
    let mut kept: SmallVec<[Value; 4]> = SmallVec::new();
    let mut others: SmallVec<[Base; 4]> = SmallVec::new();
    for &base in &bases {
        match base {
            Base::Value(value)
                if !(widened && webs.is_half(value))
                    && kept
                        .first()
                        .is_none_or(|&to| webs.web(to) == webs.web(value) || webs.can_join(&[(to, value)])) =>
            {
                if let Some(&to) = kept.first() {
                    webs.join(to, value);
                }
                kept.push(value);
            }
            base if others.contains(&base) => {}
            base => others.push(base),
        }
    }
    // Moves need room behind what stays.
    let room = 4 - kept.first().map_or(0, |&value| webs.cells(webs.web(value)).len());
    if others.len() > room {
        others = SmallVec::new();
        bases.iter().for_each(|base| {
            if !others.contains(base) {
                others.push(*base);
            }
        });
        kept.clear();
    }
    let mut to = kept.first().copied();
    let mut copies: SmallVec<[(Base, Value); 4]> = SmallVec::new();
    for base in others {
        let copy = webs.push();
        if let Some(to) = to {
            webs.join(to, copy);
        }
        to = Some(copy);
        emit(copy, base);
        copies.push((base, copy));
    }
    for lane in operand.lanes.iter_mut().flatten() {
        if let Some(&(_, copy)) = copies.iter().find(|(base, _)| base == lane) {
            *lane = Base::Value(copy);
        }
    }
}

/// Where each value is defined: in which stretch, by which instruction of it.
type Place = Vec<(u32, u32)>;

/// What instructions have to have in common to be one.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Likeness {
    row: Row,
    saturate: bool,
    precise: bool,
    precision: Precision,
    /// Signs of the operands, two bits each.
    signs: u16,
}

impl Likeness {
    fn of(single: &Single) -> Likeness {
        let signs = single
            .args
            .iter()
            .fold(0, |signs, arg| signs << 2 | u16::from(arg.signs.negate) << 1 | u16::from(arg.signs.absolute));
        let Single { row, saturate, precise, precision, .. } = *single;
        Likeness { row, saturate, precise, precision, signs }
    }
}

/// The instructions of a stretch.
#[derive(Default)]
struct Open {
    #[expect(
        clippy::vec_box,
        reason = "instructions come in boxes and leave in them: their 300 bytes stay where they are"
    )]
    instrs: Vec<Box<Instr>>,
    /// Those that may have room, in their order.
    alike: FxHashMap<Likeness, Vec<u32>>,
}

impl Open {
    /// Adds an instruction behind all others.
    fn push(&mut self, instr: Box<Instr>, place: &mut Place, stretch: u32) {
        for &result in instr.results.iter().flatten() {
            place[result as usize] = (stretch, self.instrs.len() as u32);
        }
        self.instrs.push(instr);
    }

    fn close(&mut self, out: &mut Vec<Node>) {
        out.extend(self.instrs.drain(..).map(Node::Op));
        self.alike.clear();
    }
}

/// Packs the stretches of a block.
fn block(nodes: Vec<Node>, webs: &mut Webs, place: &mut Place, stretch: &mut u32) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::with_capacity(nodes.len());
    let mut open = Open::default();
    *stretch += 1;
    let mut own = *stretch;
    for node in nodes {
        match node {
            Node::Single(single) => join(single, &mut open, webs, place, own),
            Node::Op(instr) => open.push(instr, place, own),
            other => {
                open.close(&mut out);
                out.push(match other {
                    Node::If { condition, test, then, other } => {
                        let then = block(then, webs, place, stretch);
                        let other = block(other, webs, place, stretch);
                        Node::If { condition, test, then, other }
                    }
                    Node::Loop { id, rounds, ends, body } => {
                        Node::Loop { id, rounds, ends, body: block(body, webs, place, stretch) }
                    }
                    other => other,
                });
                *stretch += 1;
                own = *stretch;
            }
        }
    }
    open.close(&mut out);
    out
}

/// Adds an instruction on one component to a stretch: to one that is there, or behind it.
fn join(single: Single, open: &mut Open, webs: &mut Webs, place: &mut Place, stretch: u32) {
    let here = open.instrs.len();
    let mut earliest = here.saturating_sub(WINDOW);
    for arg in &single.args {
        if let Base::Value(value) | Base::ConstAt { at: value, .. } = arg.base
            && let (of, at) = place[value as usize]
            && of == stretch
        {
            earliest = earliest.max(at as usize + 1);
        }
    }
    let alike = open.alike.entry(Likeness::of(&single)).or_default();
    if alike.len() > 2 * WINDOW {
        alike.retain(|&at| at as usize + WINDOW >= here);
    }
    for n in alike.partition_point(|&at| (at as usize) < earliest)..alike.len() {
        let at = alike[n] as usize;
        let other = &mut open.instrs[at];
        let Some(pairs) = can_take(other, &single, webs) else { continue };
        for (a, b) in pairs {
            webs.join(a, b);
        }
        let lane = other.results.iter().flatten().count();
        for (to, from) in other.operands.iter_mut().zip(&single.args) {
            to.lanes[lane] = Some(from.base);
        }
        other.results[lane] = Some(single.result);
        place[single.result as usize] = (stretch, at as u32);
        if lane == 3 {
            alike.remove(n);
        }
        return;
    }
    alike.push(here as u32);
    open.push(Box::new(single.widened()), place, stretch);
}

/// Whether an instruction takes one like it as one more lane, and which values have to share registers then.
fn can_take(to: &Instr, single: &Single, webs: &Webs) -> Option<SmallVec<[(Value, Value); 4]>> {
    let mut pairs: SmallVec<[(Value, Value); 4]> = SmallVec::new();
    for (operand, arg) in to.operands.iter().zip(&single.args) {
        match (operand.lanes[0]?, arg.base) {
            (Base::Value(x), Base::Value(y)) => {
                if webs.web(x) != webs.web(y) {
                    pairs.push((x, y));
                }
            }
            (x, y) if vector(x, webs) == vector(y, webs) => {}
            _ => return None,
        }
    }
    if let Some(first) = to.results[0]
        && webs.web(first) != webs.web(single.result)
    {
        pairs.push((first, single.result));
    }
    webs.can_join(&pairs).then_some(pairs)
}
