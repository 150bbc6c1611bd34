//! Values whose bits are seen in lanes that do not execute.

use super::{Tree, Uniformity};
use crate::{EntityRef, Func, OpKind, TexMode, ValueId};

/// The values that a derivative, quad exchange or implicit texture lookup may read in a lane that does not execute at that
/// moment.
///
/// Bits in such lanes are defined by the contract, but they depend on how the value is made: a region result keeps what
/// it had, an ordinary value is computed. A pass that turns one into the other (a branch into a `select`, a trivial
/// parameter into what it always is) changes nothing in executing lanes, and may do so where the value is not crossed.
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
                OpKind::Deriv { .. } | OpKind::QuadXor { .. } => true,
                OpKind::Tex(tex) => matches!(tex.mode, TexMode::Implicit | TexMode::Bias),
                _ => false,
            };
            if reads_neighbours && !uniform.is_whole(op) {
                work.extend_from_slice(&data.args);
            }
        }
        // Ordinary values are computed in all four lanes from what those lanes hold; region results and parameters are
        // set by executing lanes only, and votes ask those only.
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut crossed[value.index()], true) {
                continue;
            }
            let Some(op) = func.def_op(value) else { continue };
            let data = &func.ops[op];
            match data.kind {
                OpKind::If | OpKind::Loop | OpKind::Block | OpKind::QuadAny | OpKind::QuadAll => {}
                _ => work.extend_from_slice(&data.args),
            }
        }
        Crossed { crossed }
    }

    /// Whether a value is crossed; values made later are not known and count as crossed.
    pub fn contains(&self, value: ValueId) -> bool {
        self.crossed.get(value.index()).copied().unwrap_or(true)
    }
}
