//! What targets share whose registers are single numbers.

pub(crate) mod moves;
pub(crate) mod registers;
pub(crate) mod template;

use crate::form::{Arg, Move, Node, Value};
use crate::interface::Places;
use crate::notes::Notes;
use crate::prune::Numbers;
use crate::target::Target;
use crate::{finish, prune, select};
use parallax_core::Func;

/// A program whose values have no registers yet.
pub(crate) struct Selected {
    pub(crate) body: Vec<Node>,
    pub(crate) numbers: Numbers,
    /// The value that is component `comp` of output `index`, in their order.
    pub(crate) ends: Vec<((u16, u8), Value)>,
    pub(crate) places: Places,
}

/// Selects the instructions of a program and finds places for what it reads; `None` if something was refused. `units`: why texture units
/// may have no gaps.
pub(crate) fn selected(func: &Func, target: &Target, units: &str, notes: &mut Notes) -> Option<Selected> {
    let select::Selected { mut body, values, outputs, .. } = select::select(func, target, notes);
    let mut ends: Vec<((u16, u8), Value)> = outputs.into_iter().collect();
    ends.sort_unstable();
    let numbers = prune::renumber(&mut body, values, &mut ends);
    let kept: Vec<Value> = ends.iter().map(|&(_, value)| value).collect();
    start_outputs(&mut body, &kept);
    let mut places = Places::default();
    finish::find_reads(&body, &mut places);
    (target.place)(&func.iface, &mut places);
    places.refused(notes);
    find_units(&body, units, notes);
    (!notes.is_refused()).then_some(Selected { body, numbers, ends, places })
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

/// Refuses gaps between texture units, where these are numbered by their order in the program.
fn find_units(body: &[Node], why: &str, notes: &mut Notes) {
    let mut units: Vec<u16> = Vec::new();
    collect_units(body, &mut units);
    units.sort_unstable();
    units.dedup();
    if let Some((n, unit)) = (0..).zip(&units).find(|(n, unit)| n != *unit) {
        notes.refuse(format!("texture unit {unit} without unit {n}: {why}"), None);
    }
}

fn collect_units(nodes: &[Node], units: &mut Vec<u16>) {
    for node in nodes {
        match node {
            Node::Op(instr) => units.extend(instr.texture.map(|tex| tex.unit)),
            Node::If { then, other, .. } => {
                collect_units(then, units);
                collect_units(other, units);
            }
            Node::Loop { body, .. } => collect_units(body, units),
            _ => {}
        }
    }
}
