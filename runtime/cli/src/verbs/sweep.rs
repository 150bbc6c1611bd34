//! `parallax sweep OP`: one operation over all inputs, and `parallax sweep merge`.

use super::models::{csv, lines, pretty};
use crate::args::{Format, SweepArgs};
use crate::exit::{Exit, Failure};
use crate::registry::Registry;
use crate::signal;
use crate::term::{Term, print};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parallax::{Engine, Operation, operation};
use parallax_num::{Decl, Op, Rule, ulp};
use parallax_sweep::{
    Against, Inputs, Plan, PlanError, Progress, Summary, SweepError, merge, place_of, run as sweep, write_results,
};
use parallax_text::{closest, parse_f64, parse_hex_u64};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shards a sweep on one machine is cut into: what an interruption can lose at most is one of them.
const SHARDS: u32 = 64;

pub(crate) fn run(args: &SweepArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    if args.op.as_deref() == Some("merge") {
        return merge_parts(args, term);
    }
    let profile = args.profile.as_deref().map(crate::load::profile).transpose()?;
    let op = match (&args.op, &profile) {
        (Some(op), _) => op,
        (None, Some(profile)) => return super::legal::run(args, profile, engine, term),
        (None, None) => return Err(Failure::invalid("`sweep` needs an operation, or --profile to check all of them")),
    };
    if let Some(dir) = &args.dir {
        let message =
            format!("unexpected `{}`; only `sweep merge` takes a folder here, use -o for results", dir.display());
        return Err(Failure::invalid(message));
    }
    let float = args.float.as_deref().unwrap_or(profile.as_ref().map_or("fp32", |profile| profile.slot.name()));
    let (op, decl) = Plan::resolve(op, float).map_err(|error| {
        let (found, names): (&str, Vec<&str>) = match &error {
            PlanError::Format(found) => (found, Decl::WITH_RULES.iter().map(|decl| decl.name()).collect()),
            _ => (op, Op::ALL.iter().map(|row| row.name).collect()),
        };
        let near = closest(found, names).filter(|near| *near != found);
        Failure::invalid(format!("{error}{}", near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))))
    })?;
    let registry = Registry::new(crate::load::models(&args.model_file, term)?, &[])?;
    let model = registry.model(args.model.as_deref().unwrap_or("ieee"), "--model")?;
    let other = match args.against.as_deref() {
        None | Some("exact") => None,
        Some(name) => Some(registry.model(name, "--against")?),
    };
    let mut plan = Plan {
        op: op.info().name.into(),
        format: decl.name().into(),
        model: model.label(),
        against: other.as_ref().map_or(Against::Exact, |m| Against::Model(m.label())),
        inputs: inputs(args, op, decl)?,
        profile: profile.as_ref().map(|profile| profile.name.clone()),
        fingerprint: String::new(),
        version: parallax_sweep::version(),
    };
    // Bad inputs are told before anything is written.
    let mut bound = plan.bind(&model, other.as_ref()).map_err(Failure::invalid)?;
    if let Some(profile) = &profile {
        bound = bound.judged_by(profile).map_err(|error| match error {
            PlanError::Unbounded { .. } => Failure::Stop(Exit::Unsupported, error.to_string()),
            error => Failure::invalid(error),
        })?;
    }
    plan.fingerprint = bound.fingerprint();
    let bound = bound.evaluated_by(|op, rule| prepared(op, rule, engine, term));
    let dir = args.output.clone().unwrap_or_else(|| Path::new("parallax-sweep").join(plan.folder()));
    let (shards, total): (Vec<u32>, u32) = match &args.shard {
        None => ((1..=SHARDS).collect(), SHARDS),
        Some(text) => {
            let (shard, total) = super::compare::shard(text)?;
            (vec![shard], total)
        }
    };
    let share = plan.count().map_err(Failure::invalid)? / u64::from(total) * shards.len() as u64;
    let watch = Watch { bar: bar(share, term), stop: signal::watch() };
    let done = pool(args, term)?.install(|| sweep(&plan, &bound, &dir, shards.iter().copied(), total, &watch));
    watch.bar.finish_and_clear();
    match done {
        Ok(()) => {}
        Err(error @ SweepError::Interrupted) => {
            term.note(&error.to_string());
            return Ok(Exit::Interrupted);
        }
        Err(error) => return Err(Failure::invalid(error)),
    }
    if args.shard.is_some() {
        term.note(&format!("shard {} of {total} is in {}", shards[0], dir.join("parts").display()));
        term.note(&format!("when all shards are there: parallax sweep merge {}", dir.display()));
        return Ok(Exit::Done);
    }
    finish(&dir, &dir, args.format, term)
}

/// `parallax sweep merge DIR`: what was swept is in the parts, so that most options have nothing to say.
fn merge_parts(args: &SweepArgs, term: &Term) -> Result<Exit, Failure> {
    if args.profile.is_some() {
        return Err(Failure::invalid(
            "`sweep merge` takes no --profile: results were checked when the parts were made",
        ));
    }
    for (given, option) in [
        (args.model.is_some(), "--model"),
        (!args.model_file.is_empty(), "--model-file"),
        (args.against.is_some(), "--against"),
        (args.float.is_some(), "--float"),
        (args.range.is_some(), "--range"),
        (args.all, "--all"),
        (args.random.is_some(), "--random"),
        (args.seed.is_some(), "--seed"),
        (args.shard.is_some(), "--shard"),
    ] {
        if given {
            return Err(Failure::invalid(format!(
                "`sweep merge` takes no {option}, only the folder and -o: the parts know what was swept"
            )));
        }
    }
    let Some(dir) = &args.dir else {
        return Err(Failure::invalid("`sweep merge` needs the folder of a sweep: `parallax sweep merge DIR`"));
    };
    finish(dir, args.output.as_ref().unwrap_or(dir), args.format, term)
}

pub(crate) fn pool(args: &SweepArgs, term: &Term) -> Result<rayon::ThreadPool, Failure> {
    // 0 lets the pool choose one thread per core.
    let threads = super::run::threads(args.threads, term)?.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Failure::invalid(format!("cannot start threads: {error}")))
}

/// Adds up the parts under `dir` and writes the results to `out`.
fn finish(dir: &Path, out: &Path, format: Format, term: &Term) -> Result<Exit, Failure> {
    let (plan, tally) = merge(dir).map_err(|error| match error {
        SweepError::Incomplete { .. } => Failure::Stop(Exit::Unsupported, error.to_string()),
        error => Failure::invalid(error),
    })?;
    std::fs::create_dir_all(out)
        .map_err(|e| Failure::invalid(format_args!("cannot create the folder `{}`: {e}", out.display())))?;
    let summary: Summary = write_results(out, &plan, &tally).map_err(Failure::invalid)?;
    let value = || serde_json::to_value(&summary).map_err(Failure::invalid);
    print(&match format {
        Format::Human => summary.text(),
        Format::Json => pretty(&value()?),
        Format::Jsonl => lines(std::iter::once(value()?)),
        Format::Csv => table(&summary),
    })?;
    term.note(&format!("results: {}", out.join("sweep.svg").display()));
    let outside = summary.legal.as_ref().is_some_and(|legal| legal.outside > 0);
    Ok(if outside { Exit::CheckFailed } else { Exit::Done })
}

/// The summary as a header line and a line of values.
fn table(summary: &Summary) -> String {
    let plan = &summary.plan;
    let against = match &plan.against {
        Against::Exact => "exact",
        Against::Model(model) => model,
    };
    let [p50, p90, p99, p999] = summary.percentiles.map(|p| p.to_string());
    let legal = summary.legal.as_ref();
    let cells = [
        ("op", plan.op.clone()),
        ("format", plan.format.clone()),
        ("model", plan.model.clone()),
        ("against", against.into()),
        ("coverage", summary.coverage.clone()),
        ("inputs", summary.inputs.to_string()),
        ("measured", summary.measured.to_string()),
        ("correct", summary.correct.to_string()),
        ("faithful", summary.faithful.to_string()),
        ("max_ulp", summary.max_ulp.to_string()),
        ("max_at", summary.max_at.join(", ")),
        ("mean_ulp", summary.mean_ulp.to_string()),
        ("p50", p50),
        ("p90", p90),
        ("p99", p99),
        ("p99.9", p999),
        ("special_mismatch", summary.special_mismatch.to_string()),
        ("not_monotonic", summary.not_monotonic.to_string()),
        ("profile", plan.profile.clone().unwrap_or_default()),
        ("free", legal.map(|legal| legal.free.to_string()).unwrap_or_default()),
        ("outside", legal.map(|legal| legal.outside.to_string()).unwrap_or_default()),
    ];
    csv(&cells.each_ref().map(|(name, _)| *name), std::iter::once(cells.map(|(_, value)| value).to_vec()))
}

/// An operation by an engine.
pub(crate) fn prepared(op: Op, rule: &Rule, engine: Engine, term: &Term) -> Operation {
    let (operation, note) = operation(op, rule, engine);
    if let Some(reason) = note.filter(|_| engine.asks_for_machine_code()) {
        term.note(&format!("{reason}; the interpreter evaluates it, with the same results"));
    }
    operation
}

/// Tells the progress bar, and stops when the user asks.
pub(crate) struct Watch {
    pub(crate) bar: ProgressBar,
    pub(crate) stop: &'static AtomicBool,
}

impl Progress for Watch {
    fn advance(&self, inputs: u64) {
        self.bar.inc(inputs);
    }
    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

pub(crate) fn bar(total: u64, term: &Term) -> ProgressBar {
    let bar = ProgressBar::new(total);
    // Hidden where standard error is no terminal; the library looks at that itself.
    bar.set_draw_target(if term.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
    let style = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} inputs, {per_sec}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn inputs(args: &SweepArgs, op: Op, decl: Decl) -> Result<Inputs, Failure> {
    if let Some(text) = &args.range {
        let Some((first, last)) = text.split_once("..") else {
            return Err(Failure::invalid(format!(
                "`--range {text}` is not a range; write `0.5..2` or `0x3f000000..0x40000000`"
            )));
        };
        let (first, last) = (place_of(end(first, decl)?, decl), place_of(end(last, decl)?, decl));
        if first > last {
            return Err(Failure::invalid(format!(
                "`--range {text}` is empty: its first value is greater than its last"
            )));
        }
        refuse_sample(args, "a range is always swept completely")?;
        return Ok(Inputs::Unary { first, last });
    }
    let chosen = match Plan::default_inputs(op, decl) {
        Inputs::Stratified { per_cell, random, seed } => {
            Inputs::Stratified { per_cell, random: args.random.unwrap_or(random), seed: args.seed.unwrap_or(seed) }
        }
        Inputs::Tuples { random, seed } => {
            Inputs::Tuples { random: args.random.unwrap_or(random), seed: args.seed.unwrap_or(seed) }
        }
        Inputs::Unary { first, last } => {
            let whole = format!("`{}` is swept over every input; --range A..B selects a part", op.info().name);
            refuse_sample(args, &whole)?;
            Inputs::Unary { first, last }
        }
        Inputs::Pairs => {
            refuse_sample(args, &format!("`{}` in {decl} is swept over all pairs", op.info().name))?;
            Inputs::Pairs
        }
    };
    let everything = matches!(chosen, Inputs::Unary { .. } | Inputs::Pairs);
    if args.all && !everything {
        let message = format!(
            "`{}` has too many inputs in {decl} for --all; without it, a stated sample is swept",
            op.info().name
        );
        return Err(Failure::invalid(message));
    }
    Ok(chosen)
}

/// Nothing is drawn where every input is taken.
fn refuse_sample(args: &SweepArgs, why: &str) -> Result<(), Failure> {
    let options = [("--random", args.random.is_some()), ("--seed", args.seed.is_some())];
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::invalid(format!("{option} is for sampled sweeps; {why}"))),
        None => Ok(()),
    }
}

/// An end of a range: a number, or a pattern with `0x`.
fn end(text: &str, decl: Decl) -> Result<u64, Failure> {
    let text = text.trim();
    let format = decl.format();
    if let Some(hex) = text.strip_prefix("0x") {
        let bits = parse_hex_u64(hex).filter(|bits| bits >> format.bits().min(63) <= u64::from(format.bits() == 64));
        let bits = bits.ok_or_else(|| Failure::invalid(format!("`{text}` is not a pattern of {decl}")))?;
        if ulp::to_f64(bits, format.storage()).is_nan() {
            return Err(Failure::invalid(format!("`{text}` is NaN; the ends of a range must be numbers")));
        }
        return Ok(bits);
    }
    let value = match text {
        "inf" | "+inf" => f64::INFINITY,
        "-inf" => f64::NEG_INFINITY,
        "nan" | "NaN" => return Err(Failure::invalid("the ends of a range cannot be NaN")),
        _ => parse_f64(text)
            .ok_or_else(|| Failure::invalid(format!("`{text}` is not a number; write `0.5` or `0x3f000000`")))?,
    };
    Ok(ulp::from_f64(value, &Rule::ieee(decl, format)))
}
