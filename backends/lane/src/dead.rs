//! Drops instructions whose results nobody reads.

use crate::form::{Function, Op, Reg, Source, Stream};
use rustc_hash::FxHashSet;

/// Whether an instruction does nothing but set its results.
fn is_pure(op: Op) -> bool {
    matches!(
        op,
        Op::Step(..)
            | Op::Without
            | Op::QuadXor(..)
            | Op::QuadShuffle(_)
            | Op::HelperLanes
            | Op::Attr(_)
            | Op::System(_)
    )
}

fn count(stream: &Stream, uses: &mut [u32]) {
    for inst in &stream.code {
        for &reg in stream.uses(inst) {
            // What adds to a mask is no reader of it.
            if !stream.defs(inst).contains(&reg) {
                uses[reg as usize] += 1;
            }
        }
    }
}

fn sweep(stream: &mut Stream, uses: &mut [u32], is_kept: impl Fn(Source) -> bool) {
    let mut kept = Vec::with_capacity(stream.code.len());
    for &inst in stream.code.iter().rev() {
        let needless = match inst.op {
            Op::Keep(source) => !is_kept(source),
            op => is_pure(op) && stream.defs(&inst).iter().all(|&reg| uses[reg as usize] == 0),
        };
        if needless {
            for &reg in stream.uses(&inst) {
                uses[reg as usize] = uses[reg as usize].saturating_sub(1);
            }
        } else {
            kept.push(inst);
        }
    }
    kept.reverse();
    stream.set_code(kept);
}

/// Drops them in the body, then what the prologue keeps for nobody, then in the prologue.
pub(crate) fn drop_dead(function: &mut Function) {
    let mut uses = vec![0; function.regs.len()];
    count(&function.prologue, &mut uses);
    count(&function.body, &mut uses);
    sweep(&mut function.body, &mut uses, |_| true);
    let read: FxHashSet<Source> = {
        let regs = &function.regs;
        let source = |(reg, &count): (usize, &u32)| if count > 0 { regs[reg as Reg as usize].source } else { None };
        uses.iter().enumerate().filter_map(source).collect()
    };
    sweep(&mut function.prologue, &mut uses, |source| read.contains(&source));
}
