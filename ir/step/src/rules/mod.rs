//! The step program of an operation, built from the fields of its rule.

mod arith;
mod arithmetic;
mod chain;
mod convert;
mod double;
mod fixed;
pub(crate) mod float;
mod integer;
mod integers;
mod nearest;
mod recipe;
mod second;
mod sfu;

pub use second::second;

use crate::prim::Ty;
use crate::program::Program;
use crate::words::Routine;
use float::container;
use parallax_num::{Family, Format, Kind, Op, Rule};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Types of the operands of an operation under a rule, as step programs take them.
pub fn params(op: Op, rule: &Rule) -> Vec<Ty> {
    op.info().args.iter().map(|&kind| ty(kind, op, rule)).collect()
}

/// Type of the result of an operation under a rule.
pub fn result(op: Op, rule: &Rule) -> Ty {
    ty(op.info().result, op, rule)
}

fn ty(kind: Kind, op: Op, rule: &Rule) -> Ty {
    match kind {
        Kind::AnyF if op == Op::Cvt => container(rule.source),
        Kind::F | Kind::AnyF => container(rule.storage),
        Kind::I32 | Kind::Cc => Ty::I32,
        Kind::I64 => Ty::I64,
        Kind::Pred => Ty::Mask,
    }
}

/// The step program of `op` under `rule`; `None` if there is none yet. `observed`: whether anybody sees the bits of a NaN
/// result; if not, any NaN does.
pub fn program(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let family = op.info().family;
    match family {
        Family::Int | Family::Logic => integer::program(op),
        Family::Bits => convert::moves(op, rule, false),
        _ if matches!(rule.format, Format::Fixed(_)) && !matches!(family, Family::Pack) => {
            fixed::program(op, rule, false)
        }
        Family::Arith => arith::program(op, rule, observed, false),
        Family::Shape => arith::shape(op, rule, observed, false),
        Family::MinMax => arith::min_max(op, rule, observed, false),
        Family::Compare => arith::compare(op, rule, false),
        Family::Convert => convert::convert(rule, observed, false),
        Family::ToInt => convert::to_int(op, rule, false),
        Family::FromInt => convert::of_int(op, rule, observed),
        Family::Pack => convert::pack(op, rule, observed, false),
        Family::Recipe => recipe::program(op, rule, observed),
    }
}

/// Step programs by operation and rule. Equal programs are kept once, whatever rules they were made of.
#[derive(Debug, Default)]
pub struct Programs {
    asked: FxHashMap<(Op, Rule, bool), Option<Arc<Program>>>,
    in_integers: FxHashMap<(Op, Rule), Option<Arc<Program>>>,
    known: FxHashSet<Arc<Program>>,
    without_floats: bool,
    is_shared: bool,
}

/// Programs of all shaders of the process.
static SHARED: LazyLock<Mutex<Programs>> = LazyLock::new(Mutex::default);
/// Instructions of the longest program that is better written where it is needed, since much is known of its operands there.
const MOST_IN_PLACE: usize = 16;
/// Rules whose programs are shared; then all are forgotten.
const MOST_SHARED: usize = 20_000;

impl Programs {
    /// Those that all threads share. They are locked to be looked up and to be added, not while one is made or a shader is legalised.
    pub fn shared() -> Programs {
        Programs { is_shared: true, ..Programs::default() }
    }

    /// Those that a machine without floats executes, on any machine: [`Programs::in_integers`] where there is one.
    pub fn without_floats() -> Programs {
        Programs { without_floats: true, ..Programs::default() }
    }

    /// The step program of an operation under a rule, as [`program`] says it.
    pub fn get(&mut self, op: Op, rule: &Rule, observed: bool) -> Option<Arc<Program>> {
        let own = if self.without_floats { self.in_integers(op, rule) } else { None };
        own.or_else(|| self.first(op, rule, observed))
    }

    fn first(&mut self, op: Op, rule: &Rule, observed: bool) -> Option<Arc<Program>> {
        if self.is_shared {
            return first_of_all(op, rule, observed);
        }
        if let Some(found) = self.asked.get(&(op, *rule, observed)) {
            return found.clone();
        }
        let made = program(op, rule, observed).map(|program| self.kept(program));
        self.asked.insert((op, *rule, observed), made.clone());
        made
    }

    /// The program of an operation under a rule for a machine without floats: the one that takes fewer word instructions of those that
    /// decide all lanes. `None` if neither does, or if it is the first and so short that it need not be a function.
    pub fn in_integers(&mut self, op: Op, rule: &Rule) -> Option<Arc<Program>> {
        if let Some(found) = self.in_integers.get(&(op, *rule)) {
            return found.clone();
        }
        let weight = |program: &Program| Routine::of_program(program).weight();
        let first = self.first(op, rule, true);
        let second = second(op, rule, true).filter(|second| second.slow.is_none());
        let second = second.filter(|second| first.as_deref().is_none_or(|first| weight(second) < weight(first)));
        let made = match second {
            Some(second) => Some(self.kept(second)),
            None => first.filter(|first| first.slow.is_none() && first.insts.len() > MOST_IN_PLACE),
        };
        self.in_integers.insert((op, *rule), made.clone());
        made
    }

    fn kept(&mut self, program: Program) -> Arc<Program> {
        if let Some(same) = self.known.get(&program) {
            return same.clone();
        }
        let made = Arc::new(program);
        self.known.insert(made.clone());
        made
    }

    /// Number of pairs of operation and rule asked for, and of different programs made for them.
    pub fn counts(&self) -> (usize, usize) {
        (self.asked.len(), self.known.len())
    }
}

/// [`Programs::first`] of those that all threads share.
fn first_of_all(op: Op, rule: &Rule, observed: bool) -> Option<Arc<Program>> {
    let lock = || SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (op, *rule, observed);
    if let Some(found) = lock().asked.get(&key) {
        return found.clone();
    }
    let made = program(op, rule, observed);
    let mut all = lock();
    if all.counts().0 > MOST_SHARED {
        *all = Programs::default();
    }
    let made = made.map(|program| all.kept(program));
    all.asked.entry(key).or_insert(made).clone()
}
