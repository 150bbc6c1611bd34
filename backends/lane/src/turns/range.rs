//! The greatest number that a value can be, where every batch is a workgroup.

use parallax_core::{OpKind, SysVal};
use parallax_step::{Function as Steps, Inst, Kind, Prim, Ty};

/// Of each value the greatest number that it is in any lane; `u32::MAX` where nothing is known.
pub(super) fn greatest(steps: &Steps) -> Vec<u32> {
    let mut most = vec![u32::MAX; steps.values.len()];
    let [x, y, z] = steps.workgroup.map(|count| count.saturating_sub(1));
    steps.walk(|_, number| {
        let op = &steps.ops[number as usize];
        let value = match op.kind {
            Kind::Step(inst) => of_step(&inst, &most),
            Kind::Ir(OpKind::Sys(SysVal::LocalX)) => Some(x),
            Kind::Ir(OpKind::Sys(SysVal::LocalY)) => Some(y),
            Kind::Ir(OpKind::Sys(SysVal::LocalZ)) => Some(z),
            _ => None,
        };
        if let (Some(result), Some(value)) = (op.results().next(), value) {
            most[result as usize] = value;
        }
    });
    most
}

fn of_step(inst: &Inst, most: &[u32]) -> Option<u32> {
    if inst.ty != Ty::I32 {
        return None;
    }
    let arg = |n: usize| most[inst.args()[n] as usize];
    // The least number with as many digits, all of them ones.
    let ones = |value: u32| u32::MAX.checked_shr(value.leading_zeros()).unwrap_or(0);
    match inst.prim {
        Prim::Const => Some(inst.imm as u32),
        Prim::Add => arg(0).checked_add(arg(1)),
        Prim::Mul => arg(0).checked_mul(arg(1)),
        Prim::And => Some(arg(0).min(arg(1))),
        Prim::Or | Prim::Xor => Some(ones(arg(0)).max(ones(arg(1)))),
        Prim::Select => inst.args()[1..].iter().map(|&arg| most[arg as usize]).max(),
        Prim::Shl => {
            let amount = arg(1);
            // Shifted by less it would be less.
            (amount < 32).then(|| u64::from(arg(0)) << amount).and_then(|value| u32::try_from(value).ok())
        }
        // A shift leaves less, by whatever amount.
        Prim::Shr => Some(arg(0)),
        _ => None,
    }
}
