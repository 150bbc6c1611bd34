//! What a layout leaves over: jumps to where control goes anyway, scopes nothing leaves.

use super::Step;
use std::collections::BTreeSet;

/// Makes a program shorter without changing what it does.
pub(super) fn trim(steps: &mut Vec<Step>) {
    drop_jumps(steps, &mut Vec::new(), None);
    let mut used = BTreeSet::new();
    targets(steps, &mut used);
    unwrap_scopes(steps, &used);
}

/// Drops jumps to where control goes anyway. `ends`: labels whose end follows directly; `again`: the loop whose next
/// iteration does.
fn drop_jumps(steps: &mut Vec<Step>, ends: &mut Vec<u32>, again: Option<u32>) {
    let count = steps.len();
    for (n, step) in steps.iter_mut().enumerate() {
        let last = n + 1 == count;
        let mut none = Vec::new();
        let (ends, again) = if last { (&mut *ends, again) } else { (&mut none, None) };
        match step {
            Step::If(_, then, other) | Step::IfBelow(_, then, other) => {
                drop_jumps(then, ends, again);
                drop_jumps(other, ends, again);
            }
            Step::Scope(label, body) => {
                ends.push(*label);
                drop_jumps(body, ends, again);
                ends.pop();
            }
            Step::Loop(label, body) => drop_jumps(body, &mut Vec::new(), Some(*label)),
            _ => {}
        }
    }
    let needless = match steps.last() {
        Some(Step::Break(label)) => ends.contains(label),
        Some(Step::Continue(label)) => again == Some(*label),
        _ => false,
    };
    if needless {
        steps.pop();
    }
}

fn targets(steps: &[Step], used: &mut BTreeSet<u32>) {
    for step in steps {
        match step {
            Step::If(_, then, other) | Step::IfBelow(_, then, other) => {
                targets(then, used);
                targets(other, used);
            }
            Step::Scope(_, body) | Step::Loop(_, body) => targets(body, used),
            Step::Break(label) => {
                used.insert(*label);
            }
            _ => {}
        }
    }
}

/// Dissolves scopes nothing leaves, and those around nothing but a loop: leaving the loop is the same.
fn unwrap_scopes(steps: &mut Vec<Step>, used: &BTreeSet<u32>) {
    let mut out = Vec::with_capacity(steps.len());
    for mut step in steps.drain(..) {
        match &mut step {
            Step::If(_, then, other) | Step::IfBelow(_, then, other) => {
                unwrap_scopes(then, used);
                unwrap_scopes(other, used);
            }
            Step::Scope(_, body) | Step::Loop(_, body) => unwrap_scopes(body, used),
            _ => {}
        }
        match step {
            Step::Scope(label, body) if !used.contains(&label) => out.extend(body),
            Step::Scope(label, mut body) => match body.as_mut_slice() {
                [Step::Loop(inner, steps)] => {
                    rename(steps, label, *inner);
                    out.extend(body);
                }
                _ => out.push(Step::Scope(label, body)),
            },
            step => out.push(step),
        }
    }
    *steps = out;
}

/// Has `from` left where `to` was left.
fn rename(steps: &mut [Step], from: u32, to: u32) {
    for step in steps {
        match step {
            Step::If(_, then, other) | Step::IfBelow(_, then, other) => {
                rename(then, from, to);
                rename(other, from, to);
            }
            Step::Scope(_, body) | Step::Loop(_, body) => rename(body, from, to),
            Step::Break(label) if *label == from => *label = to,
            _ => {}
        }
    }
}
