//! Values whose bits are seen in lanes that do not execute.

use super::{Tree, Uniformity};
use crate::{EntityRef, Func, OpKind, ValueDef, ValueId};

/// The values that a derivative, quad exchange or implicit texture lookup may read in a lane that does not execute at that
/// moment.
///
/// Bits in such lanes are defined by the contract, but they depend on how the value is made: a region result holds its
/// initial operand, an ordinary value is computed. A pass that turns one into the other (a branch into a `select`)
/// changes nothing in executing lanes, and may do so where the value is not crossed.
/// Where a quad executes as a whole, reading a neighbour reads an executing lane, so most shaders cross nothing.
#[derive(Clone, Debug)]
pub struct Crossed {
    crossed: Vec<bool>,
}

impl Crossed {
    /// Solves a verified function.
    pub fn new(func: &Func, tree: &Tree, uniform: &Uniformity) -> Crossed {
        let mut crossed = vec![false; func.values.len()];
        let mut work: Vec<ValueId> = Vec::new();
        for &op in tree.order() {
            let data = &func.ops[op];
            let reads_neighbours = match data.kind {
                OpKind::Deriv { .. } | OpKind::QuadXor { .. } | OpKind::QuadShuffle => true,
                OpKind::Tex(tex) => tex.mode.reads_neighbours(),
                _ => false,
            };
            if reads_neighbours && !uniform.is_whole(op) {
                work.extend_from_slice(&data.args);
            }
        }
        // Ordinary values are computed in all four lanes from what those lanes hold. Region results hold their initial
        // operand in lanes that did not set them, parameters their first value; what executing lanes pass is no matter.
        // Votes ask executing lanes only.
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut crossed[value.index()], true) {
                continue;
            }
            match func.values[value].def {
                ValueDef::Param(region, n) => {
                    work.extend(tree.owner(region).map(|owner| func.ops[owner].args[usize::from(n)]));
                }
                ValueDef::Result(op, n) => {
                    let data = &func.ops[op];
                    match data.kind {
                        OpKind::If | OpKind::Loop | OpKind::Block => work.push(data.initial()[usize::from(n)]),
                        OpKind::QuadAny | OpKind::QuadAll => {}
                        _ => work.extend_from_slice(&data.args),
                    }
                }
            }
        }
        Crossed { crossed }
    }

    /// Whether a value is crossed; values made later are not known and count as crossed.
    pub fn contains(&self, value: ValueId) -> bool {
        self.crossed.get(value.index()).copied().unwrap_or(true)
    }
}
