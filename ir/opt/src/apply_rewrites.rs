//! Algebra, as data: the rows in [`rows`] with their guards over rules.

pub mod rows;

use crate::edit::{Subst, literal, live_ops, make_literal, unite_origins};
use parallax_core::{Bound, EntityList, Func, OpId, OpKind, RuleId, Shader, SlotId, ValueId};
use parallax_num::{Op, Rule, eval};
use rows::{Head, Pat, ROWS, Row, To, settles};
use smallvec::SmallVec;
use std::sync::OnceLock;

/// Runs the pass.
pub fn run(shader: &mut Shader<Bound>) {
    let mut subst = Subst::default();
    for op in live_ops(&shader.func) {
        subst.rewrite(&mut shader.func, op);
        apply(shader, op, &mut subst);
    }
}

/// Applies the rows to one op, whose operands are up to date.
pub(crate) fn apply(shader: &mut Shader<Bound>, op: OpId, subst: &mut Subst) {
    // Every rewrite leaves a simpler op; the bound only guards against rows that undo each other.
    for _ in 0..8 {
        if !rewrite(shader, op, subst) {
            break;
        }
    }
}

/// A row, and what must be so for it to match: some operand is a literal, some operand is the result of an operation, two operands
/// are one value.
struct Entry {
    row: &'static Row,
    literal: bool,
    inner: Option<Op>,
    same: Option<[usize; 2]>,
}

impl Entry {
    fn new(row: &'static Row) -> Entry {
        let is_literal = |pat: &Pat| matches!(pat, Pat::Int(_) | Pat::Pred(_) | Pat::Zero | Pat::NegZero | Pat::One);
        let inner = |pat: &Pat| match *pat {
            Pat::Op(op, _) => Some(op),
            _ => None,
        };
        let pats = row.operands;
        let repeated = |&at: &usize| matches!(pats[at], Pat::Any(_) | Pat::Settled(_)) && pats[at - 1] == pats[at];
        Entry {
            row,
            literal: pats.iter().any(is_literal),
            inner: pats.iter().find_map(inner),
            same: (1..pats.len()).find(repeated).map(|at| [at - 1, at]),
        }
    }

    fn may_match(&self, args: &[ValueId], literal: bool, inner: &[Op]) -> bool {
        (literal || !self.literal)
            && self.inner.is_none_or(|op| inner.contains(&op))
            && self.same.is_none_or(|[a, b]| args.get(a) == args.get(b))
    }
}

/// Rows by op; the last list is that of `select`.
fn index() -> &'static [Vec<Entry>] {
    static INDEX: OnceLock<Vec<Vec<Entry>>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut lists: Vec<Vec<Entry>> = std::iter::repeat_with(Vec::new).take(Op::ALL.len() + 1).collect();
        for row in ROWS {
            let at = match row.head {
                Head::Num(op) => op as usize,
                Head::Select => Op::ALL.len(),
            };
            lists[at].push(Entry::new(row));
        }
        lists
    })
}

fn rewrite(shader: &mut Shader<Bound>, op: OpId, subst: &mut Subst) -> bool {
    let func = &shader.func;
    let at = match func.ops[op].kind {
        OpKind::Num(asked) => asked as usize,
        OpKind::Select => Op::ALL.len(),
        _ => return false,
    };
    let entries = &index()[at];
    if entries.is_empty() {
        return false;
    }
    // Nearly all ops have neither literals nor what a row looks for as operands.
    let args = &func.ops[op].args;
    let (mut literal, mut inner) = (false, SmallVec::<[Op; 8]>::new());
    for &arg in args {
        match func.def_op(arg).map(|def| func.ops[def].kind) {
            Some(OpKind::Literal(_)) => literal = true,
            Some(OpKind::Num(made)) => inner.push(made),
            _ => {}
        }
    }
    let mut candidates = entries.iter().filter(|entry| entry.may_match(args, literal, &inner));
    let hit = candidates.find_map(|entry| Some((Match::new(shader, op, entry.row)?, entry.row.to)));
    hit.is_some_and(|(found, to)| found.replace(shader, op, to, subst))
}

/// An op that matches a row.
#[derive(Default)]
struct Match {
    values: [Option<ValueId>; 4],
    /// Slot and rule of the op, or of an inner one.
    rule: Option<(SlotId, RuleId)>,
    /// Inner ops, whose origins the result takes on.
    inner: Option<OpId>,
}

impl Match {
    fn new(shader: &Shader<Bound>, op: OpId, row: &Row) -> Option<Match> {
        let data = &shader.func.ops[op];
        let mut order: [usize; 2] = [0, 1];
        for turn in 0..1 + usize::from(row.swap) {
            if turn == 1 {
                order.swap(0, 1);
            }
            let mut found = Match { rule: data.slot.zip(data.rule), ..Match::default() };
            let fits = row.operands.iter().enumerate().all(|(n, pat)| {
                let arg = data.args[order.get(n).copied().unwrap_or(n).min(data.args.len() - 1)];
                found.operand(shader, arg, pat)
            });
            if fits && found.passes(shader, row) && found.has_type_of(shader, op, row.to) {
                return Some(found);
            }
        }
        None
    }

    fn rule<'a>(&self, shader: &'a Shader<Bound>) -> Option<&'a Rule> {
        self.rule.map(|(_, rule)| &shader.state.rules[rule])
    }

    /// Whether the guard holds; without any rule there is nothing to ask.
    fn passes(&self, shader: &Shader<Bound>, row: &Row) -> bool {
        self.rule(shader).is_none_or(row.guard)
    }

    /// Whether a value that takes the place of the result has its type.
    fn has_type_of(&self, shader: &Shader<Bound>, op: OpId, to: To) -> bool {
        let func = &shader.func;
        match to {
            To::Value(n) => self.value(n).is_some_and(|v| func.ty(v) == func.ty(func.ops[op].results[0])),
            _ => true,
        }
    }

    fn operand(&mut self, shader: &Shader<Bound>, arg: ValueId, pat: &Pat) -> bool {
        let func = &shader.func;
        match *pat {
            Pat::Any(n) => self.bind(n, arg),
            Pat::Settled(n) => self.rule(shader).is_some_and(|rule| is_settled(shader, arg, rule)) && self.bind(n, arg),
            Pat::Int(word) => literal(func, arg) == Some(u64::from(word)),
            Pat::Pred(on) => literal(func, arg) == Some(u64::from(on)) && func.ty(arg) == parallax_core::Type::Pred,
            Pat::Zero => literal(func, arg) == Some(0),
            Pat::NegZero => {
                literal(func, arg).is_some_and(|bits| self.rule(shader).and_then(rows::negative_zero) == Some(bits))
            }
            Pat::One => literal(func, arg).is_some_and(|bits| self.rule(shader).and_then(rows::one) == Some(bits)),
            Pat::Op(wanted, operands) => {
                let Some(inner) = func.def_op(arg) else { return false };
                let data = &func.ops[inner];
                if data.kind != OpKind::Num(wanted) {
                    return false;
                }
                if self.rule.is_none() {
                    self.rule = data.slot.zip(data.rule);
                }
                self.inner = Some(inner);
                data.args.iter().zip(operands).all(|(&arg, pat)| self.operand(shader, arg, pat))
            }
        }
    }

    fn bind(&mut self, n: u8, value: ValueId) -> bool {
        let place = &mut self.values[usize::from(n)];
        match *place {
            Some(known) => known == value,
            None => {
                *place = Some(value);
                true
            }
        }
    }

    fn value(&self, n: u8) -> Option<ValueId> {
        self.values[usize::from(n)]
    }

    /// Puts what the row says in the place of the op. True if it is another op now that may be tried again.
    fn replace(&self, shader: &mut Shader<Bound>, op: OpId, to: To, subst: &mut Subst) -> bool {
        let func: &mut Func = &mut shader.func;
        let result = func.ops[op].results[0];
        match to {
            To::Value(n) => {
                if let Some(value) = self.value(n) {
                    subst.set(result, value);
                }
                false
            }
            To::Int(word) => {
                make_literal(func, op, u64::from(word));
                false
            }
            To::Pred(on) => {
                make_literal(func, op, u64::from(on));
                false
            }
            To::Zero => {
                make_literal(func, op, 0);
                false
            }
            To::Op(new, args) => {
                let args: Option<EntityList<ValueId>> = args.iter().map(|&n| self.value(n)).collect();
                let Some(args) = args else { return false };
                let data = &mut func.ops[op];
                data.kind = OpKind::Num(new);
                data.args = args;
                (data.slot, data.rule) = match self.rule.filter(|_| new.has_slot()) {
                    Some((slot, rule)) => (Some(slot), Some(rule)),
                    None => (None, None),
                };
                self.take_origins(func, op);
                true
            }
            To::Select(args) => {
                for (place, n) in args.into_iter().enumerate() {
                    if let Some(value) = self.value(n) {
                        func.ops[op].args[place] = value;
                    }
                }
                self.take_origins(func, op);
                true
            }
        }
    }

    fn take_origins(&self, func: &mut Func, op: OpId) {
        if let Some(inner) = self.inner {
            unite_origins(func, op, inner);
        }
    }
}

/// Whether `cvt` under `rule` leaves a value as it is.
fn is_settled(shader: &Shader<Bound>, value: ValueId, rule: &Rule) -> bool {
    let func = &shader.func;
    // A chain of choices is followed some way.
    let mut work: SmallVec<[ValueId; 8]> = smallvec::smallvec![value];
    let mut left = 8;
    while let Some(value) = work.pop() {
        let Some(def) = func.def_op(value) else { return false };
        let data = &func.ops[def];
        let made = data.rule.map(|id| &shader.state.rules[id]);
        let settled = match (data.kind, made) {
            (OpKind::Num(op), Some(made)) => settles(op, made, rule),
            // Reads are conversions from binary32.
            (
                OpKind::Const { .. }
                | OpKind::ConstAt { .. }
                | OpKind::Attr { .. }
                | OpKind::AttrAt { .. }
                | OpKind::AttrSample { .. }
                | OpKind::AttrOffset { .. }
                | OpKind::AttrCentroid { .. }
                | OpKind::Tex(_),
                Some(made),
            ) => settles(Op::Cvt, made, rule),
            (OpKind::Deriv { .. }, Some(made)) => settles(Op::Sub, made, rule),
            (OpKind::Literal(bits), Some(_)) => eval(Op::Cvt, &Rule { source: rule.storage, ..*rule }, &[bits]) == bits,
            (OpKind::Select, _) if left > 0 => {
                left -= 1;
                work.extend([data.args[1], data.args[2]]);
                true
            }
            _ => false,
        };
        if !settled {
            return false;
        }
    }
    true
}
