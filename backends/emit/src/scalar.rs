//! What targets share whose registers are single numbers.

pub(crate) mod moves;
pub(crate) mod registers;
pub(crate) mod template;

use crate::form::{Arg, Move, Node, Relatives, Value};
use crate::interface::Places;
use crate::notes::Notes;
use crate::prune::Numbers;
use crate::target::Target;
use crate::{finish, prune, select};
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
}

/// Selects the instructions of a program and finds places for what it reads; `None` if something was refused.
pub(crate) fn selected(func: &Func, target: &Target, notes: &mut Notes) -> Option<Selected> {
    let select::Selected { mut body, values, outputs, relatives, .. } = select::select(func, target, notes);
    let mut ends: Vec<((u16, u8), Value)> = outputs.into_iter().collect();
    ends.sort_unstable();
    let numbers = prune::renumber(&mut body, values, &mut ends);
    let kept: Vec<Value> = ends.iter().map(|&(_, value)| value).collect();
    start_outputs(&mut body, &kept);
    let mut places = Places::default();
    finish::find_reads(&body, &relatives, &mut places);
    (target.place)(&func.iface, &mut places);
    places.refused(notes);
    number_units(&mut body, &mut places.carried);
    (!notes.is_refused()).then_some(Selected { body, relatives, numbers, ends, places })
}

/// Outputs that are not written on every way start as zero.
fn start_outputs(body: &mut Vec<Node>, outputs: &[Value]) {
    let mut missing: Vec<Value> = outputs.to_vec();
    for node in body.iter() {
        if let Node::Moves(moves) = node {
            missing.retain(|&value| moves.iter().all(|one| one.to != value));
        }
    }
    if !missing.is_empty() {
        let zero = Arg::imm(0);
        body.insert(0, Node::Moves(missing.into_iter().map(|to| Move { to, from: zero }).collect()));
    }
}

/// Numbers texture units as they follow each other in the program: such sets have no gaps between them.
fn number_units(body: &mut [Node], carried: &mut Carried) {
    let mut units: Vec<u16> = Vec::new();
    each_unit(body, &mut |unit| units.push(*unit));
    units.sort_unstable();
    units.dedup();
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
