//! Packs instructions on single components into instructions on vectors.
//!
//! Operands of dot products, lookups and discards have to stand in one register each: their values become webs first, and moves
//! gather what cannot. Then each instruction joins an earlier one of its stretch that does the same to other components of the same
//! registers, as far as values allow. What joins moves up, behind what it reads.

use crate::form::{Arg, Args, Base, Instr, Lanes, Node, Operand, Single, Value, Vector};
use crate::target::Row;
use crate::webs::Webs;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Instructions that are looked at for one that another may join.
const WINDOW: u32 = 48;

/// Packs a program. `moves`: the opcode that moves.
pub(crate) fn pack(body: &mut Vec<Node>, webs: &mut Webs, moves: Row) {
    gather(body, webs, moves);
    let mut place = vec![(0, 0); webs.len()];
    let mut stretch = 0;
    block(body, webs, &mut place, &mut stretch);
}

/// The register of a base.
pub(crate) fn vector(base: Base, webs: &Webs) -> Vector {
    match base {
        Base::Value(value) => Vector::Web(webs.web(value)),
        Base::Imm(_) => Vector::Imm,
        Base::Const { bank, index, .. } => Vector::Const(bank, index),
        Base::ConstAt { from, at, .. } => Vector::ConstAt(from, at),
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
    Node::Single(Single::new(row, Args::from_iter([Arg::plain(from)]), result, origin))
}

/// Puts the components of an operand into one register.
fn gather_operand(operand: &mut Operand, webs: &mut Webs, emit: &mut impl FnMut(Value, Base)) {
    let Some(first) = operand.bases().next() else { return };
    let register = vector(first, webs);
    if operand.bases().skip(1).all(|base| vector(base, webs) == register) {
        return;
    }
    let bases: SmallVec<[Base; 4]> = operand.bases().collect();
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

/// What instructions have to have in common to be one: opcode, clamp, format, signs of the operands.
fn likeness(single: &Single) -> u64 {
    let signs = single.args.iter().fold(0, |signs, arg| signs << 2 | arg.sign_bits());
    let Single { row, saturate, precise, precision, .. } = *single;
    u64::from(row.key) | u64::from(saturate) << 32 | u64::from(precise) << 33 | (precision as u64) << 34 | signs << 36
}

/// An instruction that may have room.
#[derive(Copy, Clone)]
struct Roomy {
    /// Its number in the stretch.
    number: u32,
    /// The statements that are its first and its last lane.
    first: u32,
    last: u32,
    lanes: u8,
}

/// The instructions of a stretch.
#[derive(Default)]
struct Open {
    count: u32,
    /// Those that may have room, in their order.
    alike: FxHashMap<u64, Vec<Roomy>>,
}

impl Open {
    fn close(&mut self) {
        self.count = 0;
        self.alike.clear();
    }
}

/// Packs the stretches of a block.
fn block(nodes: &mut [Node], webs: &mut Webs, place: &mut Place, stretch: &mut u32) {
    let mut open = Open::default();
    *stretch += 1;
    let mut own = *stretch;
    for n in 0..nodes.len() {
        match &mut nodes[n] {
            Node::Single(_) => {
                join(nodes, n, &mut open, webs, place, own);
                continue;
            }
            Node::Op(instr) => {
                for &result in instr.results.iter().flatten() {
                    place[result as usize] = (own, open.count);
                }
                open.count += 1;
                continue;
            }
            Node::If { then, other, .. } => {
                block(then, webs, place, stretch);
                block(other, webs, place, stretch);
            }
            Node::Loop { body, .. } => block(body, webs, place, stretch),
            Node::Moves(_) | Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => {}
        }
        open.close();
        *stretch += 1;
        own = *stretch;
    }
}

/// Adds the instruction at `n` to a stretch: to one that is there, or behind it.
fn join(nodes: &mut [Node], n: usize, open: &mut Open, webs: &mut Webs, place: &mut Place, stretch: u32) {
    let Node::Single(single) = &nodes[n] else { return };
    let here = open.count;
    let mut earliest = here.saturating_sub(WINDOW);
    for arg in &single.args {
        if let Some(value) = arg.read()
            && let (of, at) = place[value as usize]
            && of == stretch
        {
            earliest = earliest.max(at + 1);
        }
    }
    let result = single.result as usize;
    let alike = open.alike.entry(likeness(single)).or_default();
    if alike.len() > 2 * WINDOW as usize {
        alike.retain(|one| one.number + WINDOW >= here);
    }
    // Nearly all of them are looked at below, so that a search by halves takes longer.
    let from = alike.iter().rposition(|one| one.number < earliest).map_or(0, |before| before + 1);
    for k in from..alike.len() {
        let roomy = &mut alike[k];
        let Node::Single(first) = &nodes[roomy.first as usize] else { continue };
        let Some(pairs) = can_take(first, single, webs) else { continue };
        for (a, b) in pairs {
            webs.join(a, b);
        }
        place[result] = (stretch, roomy.number);
        let last = std::mem::replace(&mut roomy.last, n as u32);
        roomy.lanes += 1;
        if roomy.lanes == 4 {
            alike.remove(k);
        }
        if let Node::Single(last) = &mut nodes[last as usize] {
            last.next = n as u32;
        }
        if let Node::Single(single) = &mut nodes[n] {
            single.follows = true;
        }
        return;
    }
    alike.push(Roomy { number: here, first: n as u32, last: n as u32, lanes: 1 });
    place[result] = (stretch, here);
    open.count += 1;
}

/// Whether an instruction takes one like it as one more lane, and which values have to share registers then.
fn can_take(first: &Single, single: &Single, webs: &Webs) -> Option<SmallVec<[(Value, Value); 4]>> {
    let mut pairs: SmallVec<[(Value, Value); 4]> = SmallVec::new();
    for (x, y) in first.args.iter().zip(&single.args) {
        match (x.base(), y.base()) {
            (Base::Value(x), Base::Value(y)) => {
                let (x, y) = (webs.web(x), webs.web(y));
                if x != y {
                    pairs.push((x, y));
                }
            }
            _ if x.register() == y.register() => {}
            _ => return None,
        }
    }
    let (x, y) = (webs.web(first.result), webs.web(single.result));
    if x != y {
        pairs.push((x, y));
    }
    webs.can_join(&pairs).then_some(pairs)
}
