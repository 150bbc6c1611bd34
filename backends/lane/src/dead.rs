//! Drops instructions whose results nobody reads.

use crate::form::{Function, Op, Site, SiteKind, Source, Stream};

/// Whether an instruction does nothing but set its results.
fn is_pure(op: Op, sites: &[Site]) -> bool {
    if let Op::Call(site) = op {
        return matches!(sites[site as usize].kind, SiteKind::Redo(_) | SiteKind::Call(_));
    }
    matches!(
        op,
        Op::Step(..)
            | Op::Without
            | Op::QuadXor(..)
            | Op::QuadShuffle(_)
            | Op::HelperLanes
            | Op::Turn
            | Op::PixelX
            | Op::Attr(_)
            | Op::System(_)
    )
}

fn count(stream: &Stream, uses: &mut [u32]) {
    for inst in &stream.code {
        let (read, set) = stream.parts(inst);
        for &reg in read {
            // What adds to a mask is no reader of it.
            let adds = match *set {
                [] => false,
                [one] => one == reg,
                _ => set.contains(&reg),
            };
            if !adds {
                uses[reg as usize] += 1;
            }
        }
    }
}

fn sweep(stream: &mut Stream, sites: &[Site], uses: &mut [u32], is_kept: impl Fn(Source) -> bool) {
    let mut keep = vec![true; stream.code.len()];
    let mut dead = false;
    for (inst, keep) in stream.code.iter().zip(&mut keep).rev() {
        let needless = match inst.op {
            Op::Keep(source) => !is_kept(source),
            op => is_pure(op, sites) && stream.defs(inst).iter().all(|&reg| uses[reg as usize] == 0),
        };
        if needless {
            (*keep, dead) = (false, true);
            for &reg in stream.uses(inst) {
                uses[reg as usize] = uses[reg as usize].saturating_sub(1);
            }
        }
    }
    if dead {
        let mut keep = keep.into_iter();
        stream.code.retain(|_| keep.next().unwrap_or(true));
    }
}

/// Drops them in the body, then what the prologue keeps for nobody, then in the prologue.
pub(crate) fn drop_dead(function: &mut Function) {
    let mut uses = vec![0; function.regs.len()];
    count(&function.prologue, &mut uses);
    count(&function.body, &mut uses);
    sweep(&mut function.body, &function.sites, &mut uses, |_| true);
    if function.prologue.code.is_empty() {
        return;
    }
    let (vectors, masks) = function.kept;
    let (mut vectors, mut masks) = (vec![false; vectors as usize], vec![false; masks as usize]);
    for (data, _) in function.regs.iter().zip(&uses).filter(|(_, count)| **count > 0) {
        match data.source {
            Some(Source::KeptVector(n)) => vectors[n as usize] = true,
            Some(Source::KeptMask(n)) => masks[n as usize] = true,
            _ => {}
        }
    }
    sweep(&mut function.prologue, &function.sites, &mut uses, |source| match source {
        Source::KeptVector(n) => vectors[n as usize],
        Source::KeptMask(n) => masks[n as usize],
        _ => true,
    });
}
