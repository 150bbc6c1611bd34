//! What targets share whose registers are single numbers.

pub(crate) mod moves;
pub(crate) mod registers;
pub(crate) mod template;

use crate::form::{Arg, Base, Move, Node, Operand, Relatives, Value};
use crate::interface::Places;
use crate::notes::Notes;
use crate::prune::Numbers;
use crate::target::{Row, Target};
use crate::{prune, select};
use parallax_core::{Carried, Func};

/// A program whose values have no registers yet.
pub(crate) struct Selected {
    /// What addresses of constants are added to.
    pub(crate) relatives: Relatives,
    pub(crate) body: Vec<Node>,
    pub(crate) numbers: Numbers,
    /// The value that is component `comp` of output `index`, in their order.
    pub(crate) ends: Vec<((u16, u8), Value)>,
    pub(crate) places: Places,
    /// Components of attributes that are read.
    pub(crate) attributes: Vec<(u16, u8)>,
    /// Which values instructions write that leave predicates.
    pub(crate) predicates: Vec<bool>,
}

/// Selects the instructions of a program and finds places for what it reads; `None` if something was refused. `leaves_predicate`:
/// whether an opcode does.
pub(crate) fn selected(
    func: &Func,
    target: &Target,
    notes: &mut Notes,
    leaves_predicate: impl Fn(&Row) -> bool,
) -> Option<Selected> {
    let select::Selected { mut body, values, outputs, relatives, .. } = select::select(func, target, notes);
    let mut ends: Vec<((u16, u8), Value)> = outputs.into_iter().collect();
    ends.sort_unstable();
    let needed = prune::Needed::new(&body, values, &mut ends);
    let mut survey = Survey {
        leaves_predicate,
        relatives: &relatives,
        places: Places::default(),
        attributes: Vec::new(),
        predicates: vec![false; needed.numbers.count as usize],
        units: Vec::new(),
        unwritten: ends.iter().map(|&(_, value)| value).collect(),
    };
    needed.renumber(&mut body, |node, is_outer| survey.node(node, is_outer));
    let numbers = needed.numbers;
    let Survey { mut places, attributes, predicates, units, unwritten, .. } = survey;
    if !unwritten.is_empty() {
        // Outputs that are not written on every way start as zero.
        let zero = Arg::imm(0);
        body.insert(0, Node::Moves(unwritten.into_iter().map(|to| Move { to, from: zero }).collect()));
    }
    places.read = attributes.iter().map(|&(index, _)| index).collect();
    places.read.sort_unstable();
    places.read.dedup();
    (target.place)(&func.iface, &mut places);
    places.refused(notes);
    number_units(&mut body, units, &mut places.carried);
    (!notes.is_refused()).then_some(Selected { body, relatives, numbers, ends, places, attributes, predicates })
}

/// What is to be known of all statements, found in one go: those of a long program do not fit into a cache.
struct Survey<'a, F> {
    leaves_predicate: F,
    relatives: &'a Relatives,
    places: Places,
    attributes: Vec<(u16, u8)>,
    predicates: Vec<bool>,
    /// Texture units.
    units: Vec<u16>,
    /// Outputs that no move outside of branches and loops writes.
    unwritten: Vec<Value>,
}

impl<F: Fn(&Row) -> bool> Survey<'_, F> {
    /// One more statement, behind those inside of it. `is_outer`: whether no branch and no loop is around it.
    fn node(&mut self, node: &Node, is_outer: bool) {
        match node {
            Node::Single(single) => {
                if (self.leaves_predicate)(&single.row) {
                    self.predicates[single.result as usize] = true;
                }
                single.args.iter().for_each(|arg| self.read(arg.base()));
            }
            Node::Op(instr) => {
                if (self.leaves_predicate)(&instr.row) {
                    instr.results.iter().flatten().for_each(|&value| self.predicates[value as usize] = true);
                }
                if let Some(tex) = &instr.texture
                    && !self.units.contains(&tex.unit)
                {
                    self.units.push(tex.unit);
                }
                instr.operands.iter().flat_map(Operand::bases).for_each(|base| self.read(base));
            }
            Node::Moves(moves) => {
                if is_outer {
                    self.unwritten.retain(|&value| moves.iter().all(|one| one.to != value));
                }
                moves.iter().for_each(|one| self.read(one.from.base()));
            }
            Node::If { condition, .. } => self.read(condition.base()),
            Node::Loop { .. } | Node::Break { .. } | Node::Continue { .. } | Node::Leave { .. } => {}
        }
    }

    fn read(&mut self, base: Base) {
        match base {
            Base::Attr { index, comp } if !self.attributes.contains(&(index, comp)) => {
                self.attributes.push((index, comp));
            }
            Base::Const { bank, index, .. } => self.places.read_bank(bank, index),
            Base::ConstAt { from, .. } => self.places.read_bank(self.relatives.get(from).0, u32::MAX),
            _ => {}
        }
    }
}

/// A list of statements with room in front for those that are found on the way. `front` is a guess of how many these are: if it is
/// right, nothing has to be moved.
pub(crate) fn room(front: usize, statements: usize) -> Vec<Node> {
    let mut list = Vec::with_capacity(front + statements + statements / 4);
    list.resize_with(front, || Node::Moves(Vec::new()));
    list
}

/// Fills the room of `size` in front of a list.
pub(crate) fn fill_room(list: &mut Vec<Node>, size: usize, front: Vec<Node>) {
    match front.len() == size {
        true => list.iter_mut().zip(front).for_each(|(to, node)| *to = node),
        false => drop(list.splice(..size, front)),
    }
}

/// Numbers texture units as they follow each other in the program: such sets have no gaps between them.
fn number_units(body: &mut [Node], mut units: Vec<u16>, carried: &mut Carried) {
    units.sort_unstable();
    let numbered: Vec<(u16, u16)> = units.into_iter().zip(0..).collect();
    if numbered.iter().any(|(from, to)| from != to) {
        carried.units = numbered;
        each_unit(body, &mut |unit| *unit = carried.unit(*unit).unwrap_or(*unit));
    }
}

fn each_unit(nodes: &mut [Node], each: &mut impl FnMut(&mut u16)) {
    for node in nodes {
        match node {
            Node::Op(instr) => {
                if let Some(tex) = &mut instr.texture {
                    each(&mut tex.unit);
                }
            }
            Node::If { then, other, .. } => {
                each_unit(then, each);
                each_unit(other, each);
            }
            Node::Loop { body, .. } => each_unit(body, each),
            _ => {}
        }
    }
}
