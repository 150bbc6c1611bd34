//! How many rounds a loop has at most: of loops that count in whole numbers up to a literal.

use parallax_core::{Func, OpId, OpKind, RegionId, ValueDef, ValueId};
use parallax_num::Op;

/// Whole numbers that every format and every rounding has exactly.
const MOST: f32 = 1024.0;

/// The most rounds that a loop begins.
pub(super) fn rounds(func: &Func, op: OpId) -> Option<u32> {
    let data = &func.ops[op];
    let body = *data.regions.first()?;
    // A test behind a place from which a lane begins again need not be seen.
    let tests = func.regions[body].ops.iter().take_while(|&&inner| !begins_again(func, op, inner));
    let exits = tests.filter_map(|&inner| exit(func, op, inner));
    let counts = exits.filter_map(|(param, most)| {
        let ValueDef::Param(region, n) = func.values[param].def else { return None };
        if region != body {
            return None;
        }
        let first = whole(func, *data.args.get(usize::from(n))?)?;
        let (step, _) = steps(func, op, body, param, usize::from(n))?;
        (step >= 1.0).then(|| ((most - first) / step).max(0.0).ceil() as u32 + 2)
    });
    counts.min()
}

/// Whether a statement has a jump to the next round of a loop.
fn begins_again(func: &Func, looped: OpId, op: OpId) -> bool {
    let data = &func.ops[op];
    data.kind == OpKind::Continue(looped)
        || data.regions.iter().any(|&region| func.regions[region].ops.iter().any(|&op| begins_again(func, looped, op)))
}

/// A literal that is a whole number.
fn whole(func: &Func, value: ValueId) -> Option<f32> {
    let op = func.def_op(value)?;
    let OpKind::Literal(bits) = func.ops[op].kind else { return None };
    let is_float = func.ty(value).decl().is_some();
    let number = if is_float { f32::from_bits(bits as u32) } else { bits as u32 as i32 as f32 };
    (number.fract() == 0.0 && number.abs() <= MOST).then_some(number)
}

/// The least and the most that a round adds to a parameter.
pub(super) fn steps(func: &Func, looped: OpId, body: RegionId, param: ValueId, n: usize) -> Option<(f32, f32)> {
    let mut steps: Option<(f32, f32)> = None;
    let mut stack = vec![body];
    while let Some(region) = stack.pop() {
        for &op in &func.regions[region].ops {
            let data = &func.ops[op];
            stack.extend(data.regions.iter().copied());
            if data.kind != OpKind::Continue(looped) {
                continue;
            }
            let sum = &func.ops[func.def_op(data.args[n])?];
            let (OpKind::Num(Op::Add | Op::Iadd), &[a, b]) = (sum.kind, &sum.args[..]) else { return None };
            let by = if a == param { b } else { a };
            if a != param && b != param {
                return None;
            }
            let by = whole(func, by)?;
            steps = Some(steps.map_or((by, by), |(least, most)| (least.min(by), most.max(by))));
        }
    }
    steps
}

/// The parameter that ends a loop when it reaches a number, if a statement of its body does that.
fn exit(func: &Func, looped: OpId, op: OpId) -> Option<(ValueId, f32)> {
    let data = &func.ops[op];
    if data.kind != OpKind::If {
        return None;
    }
    let leaves = |n: usize| {
        let last = func.regions[data.regions[n]].ops.last()?;
        (func.ops[*last].kind == OpKind::Break(looped)).then_some(())
    };
    match (leaves(0), leaves(1)) {
        (Some(()), _) => reached(func, data.args[0], true),
        (_, Some(())) => reached(func, data.args[0], false),
        _ => None,
    }
}

/// The value and the number of which a condition says that the one has reached the other.
fn reached(func: &Func, condition: ValueId, holds: bool) -> Option<(ValueId, f32)> {
    let data = &func.ops[func.def_op(condition)?];
    let OpKind::Num(num) = data.kind else { return None };
    let (a, b) = (*data.args.first()?, data.args.get(1).copied());
    match (num, holds) {
        (Op::Pnot, _) => reached(func, a, !holds),
        // Either is enough to leave.
        (Op::Por, true) | (Op::Pand, false) => reached(func, a, holds).or_else(|| reached(func, b?, holds)),
        // 1 or 0 by a comparison, beside 0.
        (Op::FNe | Op::Ine, _) if whole(func, b?) == Some(0.0) => {
            let chosen = &func.ops[func.def_op(a)?];
            if chosen.kind != OpKind::Select {
                return None;
            }
            match [chosen.args[1], chosen.args[2]].map(|arm| is_zero(func, arm)) {
                [Some(false), Some(true)] => reached(func, chosen.args[0], holds),
                [Some(true), Some(false)] => reached(func, chosen.args[0], !holds),
                _ => None,
            }
        }
        (Op::FGe | Op::FGt, true) | (Op::FLt | Op::FLe | Op::Ilt | Op::Ile, false) => {
            let more = if matches!(num, Op::FGt | Op::FLe | Op::Ile) { 1.0 } else { 0.0 };
            Some((a, whole(func, b?)? + more))
        }
        (Op::FLe | Op::FLt | Op::Ile | Op::Ilt, true) | (Op::FGe | Op::FGt, false) => {
            let more = if matches!(num, Op::FLt | Op::FGe | Op::Ilt) { 1.0 } else { 0.0 };
            Some((b?, whole(func, a)? + more))
        }
        _ => None,
    }
}

fn is_zero(func: &Func, value: ValueId) -> Option<bool> {
    match func.ops[func.def_op(value)?].kind {
        OpKind::Literal(bits) => Some(bits == 0),
        _ => None,
    }
}
