//! Loop-invariant code motion: what does not change from iteration to iteration is computed before the loop.
//!
//! Pure and read ops whose operands come from outside a loop give the same bits in every iteration and in all four lanes, so
//! they move in front of it. Ops inside a branch of the loop move too, except costly ones, which may not be needed at
//! all.

use crate::edit::has_control;
use parallax_core::{Effect, EntityRef, Func, OpId, OpKind, RegionId, Shader, State, ValueId};
use parallax_num::Family;

/// Runs the pass.
pub fn run<S: State>(shader: &mut Shader<S>) {
    let func = &mut shader.func;
    let mut has_loop = false;
    if has_control(func) {
        func.walk(|_, op| has_loop |= func.ops[op].kind == OpKind::Loop);
    }
    if has_loop {
        let mut inside = vec![0; func.values.len()];
        region(func, func.body, &mut inside, 0);
    }
}

/// Handles the loops of a region, inner ones first. `inside` tells the innermost loop around each value's definition, as
/// a number of nested loops; `depth` is that of the region.
fn region(func: &mut Func, at: RegionId, inside: &mut [u32], depth: u32) {
    let old = std::mem::take(&mut func.regions[at].ops);
    let mut new = Vec::with_capacity(old.len());
    for op in old {
        let is_loop = func.ops[op].kind == OpKind::Loop;
        let inner_depth = depth + u32::from(is_loop);
        for n in 0..func.ops[op].regions.len() {
            let inner = func.ops[op].regions[n];
            for param in func.regions[inner].params.clone() {
                inside[param.index()] = inner_depth;
            }
            region(func, inner, inside, inner_depth);
        }
        if is_loop {
            let body = func.ops[op].regions[0];
            hoist(func, body, inside, inner_depth, true, &mut new);
        }
        mark(func, op, inside, depth);
        new.push(op);
    }
    func.regions[at].ops = new;
}

fn mark(func: &Func, op: OpId, inside: &mut [u32], depth: u32) {
    for result in &func.ops[op].results {
        inside[result.index()] = depth;
    }
}

/// Moves what is the same in every iteration from a region of a loop to `new`. `always` tells that every iteration runs it.
fn hoist(func: &mut Func, at: RegionId, inside: &mut [u32], depth: u32, always: bool, new: &mut Vec<OpId>) {
    let mut ops = std::mem::take(&mut func.regions[at].ops);
    ops.retain(|&op| {
        let data = &func.ops[op];
        let is_fixed = |arg: &ValueId| inside[arg.index()] < depth;
        if data.args.iter().all(is_fixed) && may_move(data.kind, always) {
            mark(func, op, inside, depth - 1);
            new.push(op);
            return false;
        }
        for n in 0..func.ops[op].regions.len() {
            // The region of an inner loop was handled before; what is fixed for that loop stands here already.
            if func.ops[op].kind != OpKind::Loop {
                let still = always && func.ops[op].kind == OpKind::Block;
                hoist(func, func.ops[op].regions[n], inside, depth, still, new);
            }
        }
        true
    });
    func.regions[at].ops = ops;
}

fn may_move(kind: OpKind, always: bool) -> bool {
    let costly = match kind {
        OpKind::Num(op) => op.info().family == Family::Recipe,
        OpKind::Tex(_) => true,
        _ => false,
    };
    matches!(kind.effect(), Effect::Pure | Effect::Read) && (always || !costly)
}
