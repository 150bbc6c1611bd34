//! Pairs of blocks: two blocks of a workgroup, one behind the other, whose instructions alternate. What both have alike is computed
//! once.

use crate::form::{Function, Group, Op, Reg, SiteKind, Source};
use parallax_core::{OpKind, SysVal};

/// Of each register whether both blocks of every pair hold the same in it, where blocks have so many lanes.
pub fn alike_in_pairs(function: &Function, lanes: u32) -> Vec<bool> {
    let Some(Group { size, .. }) = function.group else { return vec![false; function.regs.len()] };
    let of_source = |source: Option<Source>| !matches!(source, Some(Source::PixelY));
    let mut alike: Vec<bool> = function.regs.iter().map(|data| of_source(data.source)).collect();
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for inst in &function.body.code {
            let (uses, defs) = function.body.parts(inst);
            let all = |alike: &[bool]| uses.iter().all(|&reg| alike[reg as usize]);
            if is_computed_once(function, inst.op, size, lanes) && all(&alike) {
                continue;
            }
            for &def in defs {
                is_new |= std::mem::replace(&mut alike[def as usize], false);
            }
        }
    }
    alike
}

/// Whether an instruction gives both blocks of a pair the same, if its operands are.
fn is_computed_once(function: &Function, op: Op, [x, y, _]: [u32; 3], lanes: u32) -> bool {
    match op {
        Op::Step(..) | Op::Move | Op::Merge(_) | Op::Without => true,
        Op::System(SysVal::LocalX) => x == lanes,
        Op::System(SysVal::LocalY) => x.is_multiple_of(2 * lanes),
        Op::System(SysVal::LocalZ) => x.saturating_mul(y).is_multiple_of(2 * lanes),
        Op::System(
            SysVal::GroupX | SysVal::GroupY | SysVal::GroupZ | SysVal::GridX | SysVal::GridY | SysVal::GridZ,
        ) => true,
        // Between two barriers no lane changes a word that another one reads.
        Op::Call(site) => matches!(
            function.sites[site as usize].kind,
            SiteKind::Ir(OpKind::BufferLoad { .. } | OpKind::BufferSize { .. })
        ),
        _ => false,
    }
}

/// Whether what an instruction does concerns both blocks of a pair at once: where the code goes on, and how.
pub fn is_for_both(op: Op) -> bool {
    matches!(op, Op::Label(_) | Op::Mode(_) | Op::Barrier(_)) || op.jumps_to().is_some()
}

/// Whether a register holds the same for both blocks, of those that are known to.
pub(crate) fn is_alike(alike: &[bool], reg: Reg) -> bool {
    alike.get(reg as usize).copied().unwrap_or(false)
}
