//! Whose NaN bits anybody sees.
//!
//! The sign and payload of a NaN reach the outside through outputs, patterns, memory and comparisons that order NaN; an
//! operation hands them on where its result is a float. Everything else is free to make any NaN.

use parallax_core::{Bound, EntityRef, OpId, OpKind, Shader, Type, ValueDef, ValueId};
use parallax_num::{Family, MinMaxNan, NanCompare, NanResult, Op, Rule, hides_nan};

/// What an operation does with the NaN bits of its operands.
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

/// Values that are seen where another one is, across the borders of regions: a list for each, as links in one vector.
struct Behind {
    /// Number of the first link of each list, from 1; 0 for none. Empty in a function without regions.
    heads: Vec<u32>,
    /// A value, and the number of the next link.
    links: Vec<(ValueId, u32)>,
    /// Number of values.
    values: usize,
}

impl Behind {
    /// Where `value` is seen, `other` is.
    fn add(&mut self, value: ValueId, other: ValueId) {
        self.heads.resize(self.values, 0);
        let head = &mut self.heads[value.index()];
        self.links.push((other, *head));
        *head = self.links.len() as u32;
    }

    /// The values behind one.
    fn of(&self, value: ValueId) -> impl Iterator<Item = ValueId> {
        let link = |number: u32| self.links.get((number as usize).wrapping_sub(1));
        let head = self.heads.get(value.index()).copied().unwrap_or(0);
        std::iter::successors(link(head), move |(_, next)| link(*next)).map(|&(other, _)| other)
    }
}

/// For every value of a bound shader, whether somebody sees the bits of a NaN it may be.
pub(crate) fn observed(shader: &Shader<Bound>) -> Vec<bool> {
    let func = &shader.func;
    let mut seen = vec![false; func.values.len()];
    let mut work: Vec<ValueId> = Vec::new();
    let mut behind = Behind { heads: Vec::new(), links: Vec::new(), values: func.values.len() };
    // Ops that hand on the NaN bits of their operands.
    let mut hands_on = vec![false; func.ops.len()];
    let mut owners: Vec<Option<OpId>> = vec![None; func.regions.len()];
    let is_float = |value: ValueId| matches!(func.ty(value), Type::Float(_));
    func.walk(|region, op| {
        let data = &func.ops[op];
        let args = || data.args.iter().copied().filter(|&arg| is_float(arg));
        let rule = data.rule.map(|id| &shader.state.rules[id]);
        match (data.kind, rule) {
            (OpKind::Num(num), Some(rule)) => match use_of(num, rule) {
                Use::Ignores => {}
                Use::Shows => work.extend(args()),
                Use::HandsOn => hands_on[op.index()] = true,
            },
            (OpKind::Deriv { .. }, Some(rule)) if rule.nan_result == NanResult::Infinity => work.extend(args()),
            (OpKind::Select | OpKind::Deriv { .. } | OpKind::QuadXor { .. } | OpKind::QuadShuffle, _) => {
                hands_on[op.index()] = true;
            }
            (OpKind::If | OpKind::Block | OpKind::Loop, _) => {
                data.regions.iter().for_each(|region| owners[region.index()] = Some(op));
                for (&result, &initial) in data.results.iter().zip(data.initial()) {
                    behind.add(result, initial);
                }
                if let (OpKind::Loop, Some(&body)) = (data.kind, data.regions.first()) {
                    for (&param, &arg) in func.regions[body].params.iter().zip(&data.args) {
                        behind.add(param, arg);
                    }
                }
            }
            (OpKind::Break(target), _) => {
                for (&result, &arg) in func.ops[target].results.iter().zip(&data.args) {
                    behind.add(result, arg);
                }
            }
            (OpKind::Continue(target), _) => {
                let params = func.ops[target].regions.first().map(|&body| &func.regions[body].params);
                for (&param, &arg) in params.into_iter().flatten().zip(&data.args) {
                    behind.add(param, arg);
                }
            }
            // A coordinate that is NaN names the same texels whatever its bits are; of a cube its sign chooses a face.
            (OpKind::Tex(tex), _) if !tex.target.is_cube() => {}
            (OpKind::Yield, _) => {
                if let Some(owner) = owners[region.index()] {
                    for (&result, &arg) in func.ops[owner].results.iter().zip(&data.args) {
                        behind.add(result, arg);
                    }
                }
            }
            _ => work.extend(args()),
        }
    });
    while let Some(value) = work.pop() {
        if !std::mem::replace(&mut seen[value.index()], true) {
            match func.values[value].def {
                ValueDef::Result(op, _) if hands_on[op.index()] => {
                    work.extend(func.ops[op].args.iter().copied().filter(|&arg| is_float(arg)));
                }
                _ => work.extend(behind.of(value)),
            }
        }
    }
    seen
}
