//! Numbers in the order in which code names things.

use crate::form::{Function, Label, Op, Reg, SiteKind};

/// Numbers labels in order, without those that nothing jumps to.
fn labels(function: &mut Function) {
    let mut is_target = vec![false; function.labels as usize];
    for label in function.body.code.iter().filter_map(|inst| inst.op.jumps_to()) {
        is_target[label as usize] = true;
    }
    let is_needless = |op: Op| matches!(op, Op::Label(label) if !is_target[label as usize]);
    function.body.code.retain(|inst| !is_needless(inst.op));
    let mut numbers = vec![Label::MAX; function.labels as usize];
    let mut next = 0;
    for inst in &mut function.body.code {
        if let Some(label) = inst.op.label_mut() {
            let number = &mut numbers[*label as usize];
            if *number == Label::MAX {
                *number = next;
                next += 1;
            }
            *label = *number;
        }
    }
    function.labels = next;
}

/// Numbers registers, sites and calls in the order in which code names them, without those that nothing names any more.
pub(crate) fn in_order(function: &mut Function) {
    labels(function);
    let Function { regs, prologue, body, sites, calls, .. } = function;
    let mut numbers = vec![Reg::MAX; regs.len()];
    let mut named = Vec::with_capacity(regs.len());
    let mut name = |reg: Reg| {
        let number = &mut numbers[reg as usize];
        if *number == Reg::MAX {
            *number = named.len() as Reg;
            named.push(regs[reg as usize]);
        }
        *number
    };
    prologue.rename(&mut name);
    body.rename(&mut name);
    *regs = named;
    if sites.is_empty() {
        return calls.clear();
    }
    let (mut own, mut known) = (Vec::with_capacity(sites.len()), Vec::with_capacity(calls.len()));
    let mut numbers = vec![u32::MAX; calls.len()];
    for inst in prologue.code.iter_mut().chain(&mut body.code) {
        let Op::Call(site) = &mut inst.op else { continue };
        let mut data = sites[*site as usize].clone();
        if let SiteKind::Redo(call) | SiteKind::Call(call) = &mut data.kind {
            let number = &mut numbers[*call as usize];
            if *number == u32::MAX {
                *number = known.len() as u32;
                known.push(calls[*call as usize]);
            }
            *call = *number;
        }
        *site = own.len() as u32;
        own.push(data);
    }
    (*sites, *calls) = (own, known);
}
