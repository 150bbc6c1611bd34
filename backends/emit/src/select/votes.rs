//! Questions to the executing lanes of a quad.
//!
//! A set that has differences between neighbours and no votes asks with them, where all four lanes execute: a neighbour has another
//! answer where the difference of 1 and 0 is not 0.

use super::Select;
use crate::form::{Arg, Operand};
use crate::target::{Meaning, Truth};
use parallax_core::{Axis, EntityRef, Func, OpId, OpKind, RegionId, ValueId};
use parallax_num::{Decl, Op, Slot};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Votes at places that whole quads come to or do not.
pub(super) fn in_whole_quads(func: &Func) -> FxHashSet<OpId> {
    let mut any = false;
    func.walk(|_, op| any |= matches!(func.ops[op].kind, OpKind::QuadAny | OpKind::QuadAll));
    if !any {
        return FxHashSet::default();
    }
    let mut find = Find { func, alike: Vec::new(), apart: FxHashSet::default(), votes: FxHashSet::default() };
    find.alike = vec![None; func.values.len()];
    // Constructs that single lanes leave take away places from others.
    loop {
        let before = find.apart.len();
        find.votes.clear();
        find.region(func.body, true);
        if find.apart.len() == before {
            return find.votes;
        }
    }
}

struct Find<'a> {
    func: &'a Func,
    /// Whether all lanes of a quad have the same value, of those that were asked for.
    alike: Vec<Option<bool>>,
    /// Constructs that single lanes leave or begin again.
    apart: FxHashSet<OpId>,
    votes: FxHashSet<OpId>,
}

impl Find<'_> {
    /// Whether all lanes of a quad have the same value, if all execute.
    fn is_alike(&mut self, value: ValueId) -> bool {
        if let Some(known) = self.alike[value.index()] {
            return known;
        }
        let func = self.func;
        let alike = func.def_op(value).is_some_and(|op| match func.ops[op].kind {
            OpKind::QuadAny | OpKind::QuadAll | OpKind::Literal(_) | OpKind::Const { .. } => true,
            OpKind::Num(_) | OpKind::Select => func.ops[op].args.iter().all(|&arg| self.is_alike(arg)),
            _ => false,
        });
        self.alike[value.index()] = Some(alike);
        alike
    }

    fn region(&mut self, region: RegionId, whole: bool) {
        let func = self.func;
        for &op in &func.regions[region].ops {
            let data = &func.ops[op];
            let inside = match data.kind {
                OpKind::If => whole && self.is_alike(data.args[0]),
                OpKind::Loop | OpKind::Block => whole && !self.apart.contains(&op),
                OpKind::Break(to) | OpKind::Continue(to) => {
                    if !whole {
                        self.apart.insert(to);
                    }
                    continue;
                }
                OpKind::QuadAny | OpKind::QuadAll => {
                    if whole {
                        self.votes.insert(op);
                    }
                    continue;
                }
                _ => continue,
            };
            data.regions.iter().for_each(|&region| self.region(region, inside));
        }
    }
}

impl Select<'_> {
    /// A question to the executing lanes of a quad. It depends on who executes: none is like another.
    pub(super) fn vote(&mut self, op: OpId, meaning: Meaning) {
        let data = &self.func.ops[op];
        let arg = self.arg(data.args[0]);
        if let Some(row) = self.rows.get(meaning) {
            let own = self.own(data.results[0]);
            return self.put_at(row, Slot::plain(Decl::F32), 0, SmallVec::from_iter([Operand::one(arg)]), own);
        }
        let answer = (self.votes.contains(&op) && self.target.abilities.truth == Truth::Float)
            .then(|| {
                let row = self.over(Axis::X, arg, meaning)?;
                self.over(Axis::Y, row, meaning)
            })
            .flatten();
        match answer {
            Some(answer) => self.hold(data.results[0], answer),
            None => self.missing(data.kind.word()),
        }
    }

    /// The answer of two neighbours, of 1 and 0.
    fn over(&mut self, axis: Axis, own: Arg, meaning: Meaning) -> Option<Arg> {
        let plain = Slot::plain(Decl::F32);
        let differs = self.rows.get(Meaning::Derivative(axis, true))?;
        let fresh = self.fresh();
        let difference = Arg::value(self.each(differs, plain, &[own], fresh)).magnitude();
        let (row, args) = match meaning {
            Meaning::QuadAny => (self.rows.get(Meaning::Each(Op::Max))?, vec![own, difference]),
            _ => (self.rows.get(Meaning::Each(Op::Mad))?, vec![own.negated(), difference, own]),
        };
        let fresh = self.fresh();
        Some(Arg::value(self.each(row, plain, &args, fresh)))
    }
}
