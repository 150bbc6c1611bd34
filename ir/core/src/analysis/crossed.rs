//! Values whose bits are seen in lanes that do not execute.

use super::{Tree, Uniformity};
use crate::{EntityRef, Func, OpId, OpKind, ValueDef, ValueId};
use std::cell::OnceCell;

/// The values that a derivative, quad exchange or implicit texture lookup may read in a lane that does not execute at that
/// moment.
///
/// Bits in such lanes are defined by the contract, but they depend on how the value is made: a region result holds its
/// initial operand, an ordinary value is computed. A pass that turns one into the other (a branch into a `select`)
/// changes nothing in executing lanes, and may do so where the value is not crossed.
/// Where a quad executes as a whole, reading a neighbour reads an executing lane, so most shaders cross nothing.
#[derive(Clone, Debug)]
pub struct Crossed {
    /// `None` where nobody reads neighbours.
    found: Option<Found>,
}

#[derive(Clone, Debug)]
struct Found {
    crossed: Vec<bool>,
    uniform: Uniformity,
}

impl Crossed {
    /// Solves a verified function.
    pub fn new(func: &Func, tree: &Tree) -> Crossed {
        let readers = tree.neighbour_reads();
        if readers.is_empty() {
            return Crossed { found: None };
        }
        let uniform = Uniformity::new(func, tree);
        let crossed = feeds(func, tree, readers.iter().copied().filter(|&op| !uniform.is_whole(op)));
        Crossed { found: Some(Found { crossed, uniform }) }
    }

    /// Whether a value is crossed; values made later are not known and count as crossed where anything can be.
    pub fn contains(&self, value: ValueId) -> bool {
        self.found.as_ref().is_some_and(|found| found.crossed.get(value.index()).copied().unwrap_or(true))
    }

    /// Whether somebody may see what a value holds in lanes that do not execute `op` while a neighbour does.
    pub fn shows(&self, op: OpId, value: ValueId) -> bool {
        self.contains(value) && !self.found.as_ref().is_some_and(|found| found.uniform.is_whole(op))
    }
}

/// [`Crossed`] of a function that stays as it is, found when it is asked for. Most values feed no reader at all, which takes
/// little to find.
#[derive(Debug)]
pub struct CrossedOnDemand<'a> {
    func: &'a Func,
    tree: &'a Tree,
    feeds: OnceCell<Vec<bool>>,
    crossed: OnceCell<Crossed>,
}

impl<'a> CrossedOnDemand<'a> {
    /// Of a verified function; solves nothing yet.
    pub fn new(func: &'a Func, tree: &'a Tree) -> CrossedOnDemand<'a> {
        CrossedOnDemand { func, tree, feeds: OnceCell::new(), crossed: OnceCell::new() }
    }

    /// Whether a value is crossed.
    pub fn contains(&self, value: ValueId) -> bool {
        let readers = self.tree.neighbour_reads();
        !readers.is_empty()
            && self.feeds.get_or_init(|| feeds(self.func, self.tree, readers.iter().copied()))[value.index()]
            && self.crossed.get_or_init(|| Crossed::new(self.func, self.tree)).contains(value)
    }
}

/// The values whose bits in lanes that do not execute reach one of the readers.
///
/// Ordinary values are computed in all four lanes from what those lanes hold. Region results hold their initial operand in
/// lanes that did not set them, parameters their first value; what executing lanes pass is no matter. Votes ask executing
/// lanes only.
fn feeds(func: &Func, tree: &Tree, readers: impl Iterator<Item = OpId>) -> Vec<bool> {
    let mut found = vec![false; func.values.len()];
    let mut work: Vec<ValueId> = readers.flat_map(|op| func.ops[op].args.iter().copied()).collect();
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut found[value.index()], true) {
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
    found
}
