//! Running shards.

use crate::error::SweepError;
use crate::part::{Part, part_path, read_part, write_part};
use crate::plan::PlanError;
use crate::plan::{BLOCK, BoundPlan, Plan};
use crate::tally::Tally;
use crate::worker::Worker;
use parallax_num::{Decl, Op};
use rayon::prelude::*;
use std::path::Path;

/// Told how far a sweep is; may stop it.
pub trait Progress: Sync {
    /// `inputs` more were evaluated.
    fn advance(&self, inputs: u64);
    /// Whether to stop before the next block.
    fn stop(&self) -> bool {
        false
    }
}

/// Runs the shards of `shards` that have no finished part under `dir` yet, one after the other, each on all threads. Every
/// finished shard is kept, whatever happens to later ones.
pub fn run(
    plan: &Plan,
    bound: &BoundPlan,
    dir: &Path,
    shards: impl IntoIterator<Item = u32>,
    total: u32,
    progress: &dyn Progress,
) -> Result<(), SweepError> {
    let parts = dir.join("parts");
    std::fs::create_dir_all(&parts).map_err(|error| file_error("create", &parts, error))?;
    for shard in shards {
        if shard == 0 || shard > total {
            return Err(PlanError::Shard { shard, total }.into());
        }
        let path = part_path(dir, shard, total);
        if path.exists() {
            let part = read_part(&path)?;
            if part.plan != *plan {
                let message = "belongs to another sweep; choose another folder".to_string();
                return Err(SweepError::Part { path: path.display().to_string(), message });
            }
            progress.advance(part.tally.inputs);
            continue;
        }
        let tally = run_shard(plan, bound, shard, total, progress).ok_or(SweepError::Interrupted)?;
        write_part(&path, &Part::new(plan.clone(), shard, total, tally))?;
    }
    Ok(())
}

pub(crate) fn file_error(what: &'static str, path: &Path, error: std::io::Error) -> SweepError {
    SweepError::File { what, path: path.display().to_string(), error }
}

/// Evaluates one shard: the blocks whose number is `shard - 1` modulo `total`. `None` when it was stopped.
pub fn run_shard(plan: &Plan, bound: &BoundPlan, shard: u32, total: u32, progress: &dyn Progress) -> Option<Tally> {
    let count = plan.inputs.count(bound.decl, bound.arity);
    let blocks: Vec<u64> =
        (0..count.div_ceil(BLOCK)).filter(|b| b % u64::from(total) == u64::from(shard - 1)).collect();
    let merged = blocks
        .par_iter()
        .map_init(
            || Worker::new(bound, &plan.inputs),
            |worker, &block| {
                if progress.stop() {
                    return None;
                }
                let start = block * BLOCK;
                let len = BLOCK.min(count - start);
                let tally = worker.block(plan, start, len, count);
                progress.advance(len);
                Some(tally)
            },
        )
        .try_reduce_with(|mut sum, tally| {
            sum.merge(&tally);
            Some(sum)
        });
    // Without blocks there is nothing to reduce, and nothing was stopped.
    merged.unwrap_or_else(|| Some(Tally::new(bound.arity)))
}

/// How many of `count` inputs shard number `shard` of `total` evaluates.
pub(crate) fn shard_inputs(count: u64, shard: u32, total: u32) -> u64 {
    let (shard, total, blocks) = (u64::from(shard - 1), u64::from(total), count.div_ceil(BLOCK));
    let own = blocks.saturating_sub(shard).div_ceil(total);
    // The last block may be short.
    let missing = if blocks > 0 && (blocks - 1) % total == shard { blocks * BLOCK - count } else { 0 };
    own * BLOCK - missing
}

/// The operands of input number `n`, for naming an input in a report.
pub(crate) fn operands(plan: &Plan, n: u64) -> Result<Vec<u64>, PlanError> {
    let (op, decl): (Op, Decl) = Plan::resolve(&plan.op, &plan.format)?;
    let mut rows = vec![vec![0]; op.info().args.len()];
    plan.inputs.fill(decl, n, &mut rows);
    Ok(rows.into_iter().map(|row| row[0]).collect())
}
