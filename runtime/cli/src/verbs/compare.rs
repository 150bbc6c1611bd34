//! `parallax compare`: the main job. Arguments become a plan, the plan is carried out, and what was found is told.

mod captures;
mod folder;
mod human;
mod job;
mod listing;
#[cfg(feature = "report")]
mod page;
mod plan;
mod shards;
mod strips;
mod tell;

use crate::args::{CompareArgs, ProgressArg};
use crate::exit::{Exit, Failure};
use crate::term::{Term, print};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parallax::Engine;
use parallax_report::Merged;
use plan::{Plan, Work, plan};
pub(super) use shards::shard;
use std::sync::atomic::{AtomicUsize, Ordering};

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
            let tally = Tally::new(inputs.len(), args.progress, term);
            let (report, exits) =
                job.compare(&inputs, &tally, |shader, report| telling.of_shader(shader, report, term))?;
            telling.finish(report, &exits, shard, term)
        }
    }
}

/// Progress in shaders.
struct Tally<'t> {
    bar: ProgressBar,
    /// The number of shaders and where lines about them go, if there are to be some.
    lines: Option<(usize, &'t Term)>,
    done: AtomicUsize,
}

impl<'t> Tally<'t> {
    fn new(total: usize, how: ProgressArg, term: &'t Term) -> Tally<'t> {
        let lines = (how == ProgressArg::Json && !term.quiet).then_some((total, term));
        let bar = if how == ProgressArg::Json { ProgressBar::hidden() } else { bar(total as u64, term) };
        let tally = Tally { bar, lines, done: AtomicUsize::new(0) };
        tally.tell(0, None);
        tally
    }

    fn begin(&self, shader: &str) {
        self.bar.set_message(shader.to_string());
    }

    fn end(&self, shader: &str) {
        self.bar.inc(1);
        self.tell(self.done.fetch_add(1, Ordering::Relaxed) + 1, Some(shader));
    }

    /// Threads may overtake each other between counting and telling: the greatest number is the newest.
    fn tell(&self, done: usize, shader: Option<&str>) {
        if let Some((total, term)) = self.lines {
            let line = serde_json::json!({"kind": "progress", "done": done, "total": total, "shader": shader});
            term.note(&line.to_string());
        }
    }
}

/// A bar that counts shaders.
pub(super) fn bar(total: u64, term: &Term) -> ProgressBar {
    let bar = ProgressBar::new(total);
    // Hidden where standard error is no terminal; the library looks at that itself.
    bar.set_draw_target(if term.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} shaders, {elapsed} elapsed, {eta} left  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
