//! Whose NaN bits anybody sees.
//!
//! The sign and payload of a NaN reach the outside through outputs, patterns, memory and comparisons that order NaN; an
//! operation hands them on where its result is a float. Everything else is free to make any NaN.

use parallax_core::{Bound, EntityRef, OpId, OpKind, RegionId, RuleId, Shader, Type, ValueId};
use parallax_num::{Family, MinMaxNan, NanCompare, NanResult, Op, Rule, hides_nan};

/// What an operation does with the NaN bits of its operands.
#[derive(Copy, Clone)]
enum Use {
    /// Nothing.
    Ignores,
    /// It hands them on.
    HandsOn,
    /// It shows them, whatever becomes of its result.
    Shows,
}

fn use_of(op: Op, rule: &Rule) -> Use {
    let family = op.info().family;
    let orders = rule.nan_compare == NanCompare::Infinity
        || rule.nan_result == NanResult::Infinity
        || family == Family::MinMax && rule.minmax_nan == MinMaxNan::Ordered;
    match family {
        Family::ToInt => Use::Ignores,
        Family::Compare if !orders => Use::Ignores,
        Family::Pack if op.info().result == parallax_num::Kind::I32 => Use::Shows,
        Family::Bits if matches!(op, Op::BitsOf | Op::BitsOf64) => Use::Shows,
        _ if orders => Use::Shows,
        _ if hides_nan(op, rule) => Use::Ignores,
        _ => Use::HandsOn,
    }
}

/// What is found of a shader.
pub(crate) struct Observed {
    /// For every value whether somebody sees the bits of a NaN it may be.
    pub(crate) values: Vec<bool>,
    /// Number of ops, without those that passes dropped.
    pub(crate) ops: usize,
}

/// Looks at all ops of a bound shader.
pub(crate) fn observed(shader: &Shader<Bound>) -> Observed {
    let func = &shader.func;
    let mut observer =
        Observer { shader, seen: vec![false; func.values.len()], recent: [None; RECENT], carried: 0, ops: 0 };
    // Uses stand behind definitions, but for what a loop carries: as long as more of that is seen, once more. No shader
    // needs many turns; one that does has all seen that loops carry, which is never wrong.
    for turn in 0.. {
        let carried = std::mem::take(&mut observer.carried);
        observer.ops = 0;
        observer.region(func.body, None);
        if observer.carried == carried {
            break;
        }
        if turn == MOST_TURNS {
            func.walk(|_, op| {
                if func.ops[op].kind == OpKind::Loop {
                    observer.params(op).iter().for_each(|&param| observer.see(param));
                }
            });
        }
    }
    Observed { values: observer.seen, ops: observer.ops }
}

/// Turns after which all values that loops carry are seen.
const MOST_TURNS: usize = 16;

/// Uses that are remembered.
const RECENT: usize = 8;

struct Observer<'a> {
    shader: &'a Shader<Bound>,
    seen: Vec<bool>,
    /// What operations under rules do that were looked at last, by operation.
    recent: [Option<(Op, RuleId, Use)>; RECENT],
    /// How many of the values that loops carry are seen.
    carried: usize,
    /// How many ops there are.
    ops: usize,
}

impl<'a> Observer<'a> {
    #[inline]
    fn see(&mut self, value: ValueId) {
        let seen = &mut self.seen[value.index()];
        *seen = *seen || matches!(self.shader.func.ty(value), Type::Float(_));
    }

    /// Where one of `values` is seen, its partner is.
    fn behind<'v>(&mut self, values: &[ValueId], partners: impl IntoIterator<Item = &'v ValueId>) {
        for (value, &partner) in values.iter().zip(partners) {
            if self.seen[value.index()] {
                self.see(partner);
            }
        }
    }

    /// Parameters of a loop.
    fn params(&self, op: OpId) -> &'a [ValueId] {
        let func = &self.shader.func;
        func.ops[op].regions.first().map_or(&[], |&body| &func.regions[body].params)
    }

    #[inline]
    fn use_of(&mut self, op: Op, rule: RuleId) -> Use {
        let recent = &mut self.recent[op as usize % RECENT];
        match *recent {
            Some((known, of, what)) if known == op && of == rule => what,
            _ => {
                let what = use_of(op, &self.shader.state.rules[rule]);
                *recent = Some((op, rule, what));
                what
            }
        }
    }

    /// Looks at the ops of a region from behind. Nesting is bounded by the verifier.
    fn region(&mut self, region: RegionId, owner: Option<OpId>) {
        let func = &self.shader.func;
        let ops = &func.regions[region].ops;
        self.ops += ops.len();
        ops.iter().rev().for_each(|&op| self.op(op, owner));
    }

    /// Looks at an op and those in it, those behind it being known.
    #[inline]
    fn op(&mut self, op: OpId, owner: Option<OpId>) {
        let func = &self.shader.func;
        let data = &func.ops[op];
        let what = match (data.kind, data.rule) {
            (OpKind::Num(num), Some(rule)) => self.use_of(num, rule),
            (OpKind::Deriv { .. }, Some(rule)) if self.shader.state.rules[rule].nan_result == NanResult::Infinity => {
                Use::Shows
            }
            (OpKind::Select | OpKind::Deriv { .. } | OpKind::QuadXor { .. } | OpKind::QuadShuffle, _) => Use::HandsOn,
            (OpKind::If | OpKind::Block | OpKind::Loop, _) => {
                data.regions.iter().rev().for_each(|&inner| self.region(inner, Some(op)));
                self.behind(&data.results, data.initial());
                if data.kind == OpKind::Loop {
                    let params = self.params(op);
                    self.behind(params, &data.args);
                    self.carried += params.iter().filter(|param| self.seen[param.index()]).count();
                }
                Use::Ignores
            }
            (OpKind::Break(target), _) => {
                self.behind(&func.ops[target].results, &data.args);
                Use::Ignores
            }
            (OpKind::Continue(target), _) => {
                self.behind(self.params(target), &data.args);
                Use::Ignores
            }
            (OpKind::Yield, _) => {
                if let Some(owner) = owner {
                    self.behind(&func.ops[owner].results, &data.args);
                }
                Use::Ignores
            }
            // A coordinate that is NaN names the same texels whatever its bits are; of a cube its sign chooses a face.
            (OpKind::Tex(tex), _) if !tex.target.is_cube() => Use::Ignores,
            _ => Use::Shows,
        };
        let shows = match what {
            Use::Ignores => false,
            Use::Shows => true,
            Use::HandsOn => data.results.iter().any(|result| self.seen[result.index()]),
        };
        if shows {
            data.args.iter().for_each(|&arg| self.see(arg));
        }
    }
}
