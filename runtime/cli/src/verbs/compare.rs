//! `parallax compare`: the main job. Arguments become a plan, the plan is carried out, and what was found is told.

mod folder;
mod human;
mod job;
mod listing;
#[cfg(feature = "report")]
mod page;
mod plan;
mod shards;
mod tell;

use crate::args::CompareArgs;
use crate::exit::{Exit, Failure};
use crate::term::{Term, print};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parallax::Engine;
use parallax_report::Merged;
use plan::{Plan, Work, plan};
pub(super) use shards::shard;

pub(crate) fn run(args: &CompareArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    let Plan { work, telling } = plan(args, engine, term)?;
    match work {
        Work::Finished => {
            term.note("this shard is already finished");
            Ok(Exit::Done)
        }
        Work::Merge(Merged { report, exits }) => {
            telling.folder.as_deref().map_or(Ok(()), folder::prepare)?;
            for shader in &report.shaders {
                print(&telling.of_shader(shader, &report, term))?;
            }
            telling.finish(report, &exits.into_iter().map(Exit::of_code).collect::<Vec<_>>(), None, term)
        }
        Work::Run(job, inputs, shard) => {
            telling.folder.as_deref().map_or(Ok(()), folder::prepare)?;
            let (report, exits) =
                job.compare(&inputs, term, |shader, report| telling.of_shader(shader, report, term))?;
            telling.finish(report, &exits, shard, term)
        }
    }
}

/// Progress in shaders.
pub(super) fn bar(total: u64, term: &Term) -> ProgressBar {
    let bar = ProgressBar::new(total);
    // Hidden where standard error is no terminal; the library looks at that itself.
    bar.set_draw_target(if term.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} shaders, {elapsed} elapsed, {eta} left  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
