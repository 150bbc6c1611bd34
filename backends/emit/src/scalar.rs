//! What targets share whose registers are single numbers.

pub(crate) mod moves;
pub(crate) mod registers;

use crate::form::{Arg, Move, Node, Value};
use crate::notes::Notes;

/// Outputs that are not written on every way start as zero.
pub(crate) fn start_outputs(body: &mut Vec<Node>, outputs: &[Value]) {
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
pub(crate) fn find_units(body: &[Node], why: &str, notes: &mut Notes) {
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
