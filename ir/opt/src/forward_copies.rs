//! Copy propagation: uses of values that are copies of others take the original.
//!
//! Copies are `select p, a, a`; a region result for which every way out passes the same outer value, which must be the
//! initial operand too where a lane may hold that; a loop parameter that starts as a value and is never given anything but
//! that value or itself.

use crate::edit::{Subst, has_control};
use parallax_core::analysis::{CrossedOnDemand, Tree};
use parallax_core::{Func, OpId, OpKind, Shader, State, ValueId};

/// Runs the pass.
pub fn run<S: State>(shader: &mut Shader<S>) {
    let func = &mut shader.func;
    // A copy found may make others visible; nests of regions settle from the inside out.
    for _ in 0..4 {
        let subst = find(func);
        if subst.is_empty() {
            return;
        }
        subst.apply(func);
    }
}

fn find(func: &Func) -> Subst {
    let mut subst = Subst::default();
    if !has_control(func) {
        for &op in &func.regions[func.body].ops {
            if matches!(func.ops[op].kind, OpKind::Select) {
                equal_choices(func, op, &mut subst);
            }
        }
        return subst;
    }
    let tree = Tree::new(func);
    let crossed = CrossedOnDemand::new(func, &tree);
    for &op in tree.order() {
        let data = &func.ops[op];
        match data.kind {
            OpKind::Select => equal_choices(func, op, &mut subst),
            OpKind::If | OpKind::Block | OpKind::Loop => {
                if data.kind == OpKind::Loop {
                    let params = &func.regions[data.regions[0]].params;
                    for (n, &param) in params.iter().enumerate() {
                        let first = subst.get(data.args[n]);
                        if first != param && only_gets(func, &tree, &subst, op, n, first, param) {
                            subst.set(param, first);
                        }
                    }
                }
                for n in 0..data.results.len() {
                    let Some((value, in_all_lanes)) = only_result(func, &tree, &subst, op, n) else { continue };
                    if in_all_lanes || !crossed.contains(data.results[n]) {
                        subst.set(data.results[n], value);
                    }
                }
            }
            _ => {}
        }
    }
    subst
}

/// Replaces a `select` between a value and itself.
fn equal_choices(func: &Func, op: OpId, subst: &mut Subst) {
    let data = &func.ops[op];
    let (a, b) = (subst.get(data.args[1]), subst.get(data.args[2]));
    if a == b {
        subst.set(data.results[0], a);
    }
}

/// Whether every back edge passes `first` or the parameter itself.
fn only_gets(func: &Func, tree: &Tree, subst: &Subst, op: OpId, n: usize, first: ValueId, param: ValueId) -> bool {
    tree.edges(op).filter(|&edge| matches!(func.ops[edge].kind, OpKind::Continue(_))).all(|edge| {
        let next = subst.get(func.ops[edge].args[n]);
        next == first || next == param
    })
}

/// The value from outside that executing lanes hold as result `n`: what every way out passes and, where lanes may run out
/// of fuel, the initial operand. Also whether it is the initial operand, which the other lanes hold.
fn only_result(func: &Func, tree: &Tree, subst: &Subst, op: OpId, n: usize) -> Option<(ValueId, bool)> {
    let initial = subst.get(func.ops[op].initial()[n]);
    let mut found = None;
    for edge in tree.edges(op) {
        let data = &func.ops[edge];
        let value = match data.kind {
            OpKind::Continue(_) => initial,
            _ => subst.get(data.args[n]),
        };
        if found.is_some_and(|f| f != value) {
            return None;
        }
        found = Some(value);
    }
    let value = found?;
    (!tree.is_defined_inside(func, value, op)).then_some((value, value == initial))
}
