//! `parallax sweep --profile P` without an operation: for every operation and model, whether results are legal.

use crate::args::{Format, SweepArgs};
use crate::exit::{Exit, Failure};
use crate::registry::Registry;
use crate::signal;
use crate::term::{Paint, Table, Term, print};
use crate::verbs::models::{csv, lines, pretty};
use crate::verbs::sweep::{Watch, bar, pool, prepared};
use parallax::Engine;
use parallax_num::{Model, Op, Profile};
use parallax_sweep::{Against, BoundPlan, Inputs, Plan, PlanError, Summary, Tally, run_shard};
use rayon::prelude::*;
use serde_json::json;

/// Hashed inputs of every operation, besides the combinations of corner values.
const RANDOM: u64 = 1 << 14;

/// One operation under one model.
struct Row {
    op: &'static str,
    model: String,
    summary: Summary,
}

/// Everything that was asked.
struct Judged {
    profile: String,
    models: Vec<String>,
    rows: Vec<Row>,
    /// Operations the profile says nothing about.
    unbounded: Vec<&'static str>,
}

pub(crate) fn run(args: &SweepArgs, profile: &Profile, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    for (given, option) in [
        (args.against.is_some(), "--against"),
        (args.range.is_some(), "--range"),
        (args.shard.is_some(), "--shard"),
        (args.output.is_some(), "-o"),
        (args.model.is_some(), "--model"),
        (args.float.is_some(), "--float"),
    ] {
        if given {
            let mend = if option == "--model" { "; write --models for several" } else { "" };
            return Err(Failure::invalid(format!("{option} needs an operation: `sweep OP {option} ..`{mend}")));
        }
    }
    let registry = Registry::new(crate::load::models(&args.model_file, term)?, &[])?;
    let models = registry.list(args.models.as_deref())?;
    let decl = profile.slot;
    // What can be swept at all, in the order of the operations.
    let all = Op::ALL.iter().filter_map(|row| Plan::resolve(row.name, decl.name()).ok()).map(|(op, _)| op);
    let (bounded, unbounded): (Vec<Op>, Vec<Op>) = all.partition(|op| profile.ops().contains(op));
    if bounded.is_empty() {
        return Err(Failure::Stop(Exit::Unsupported, format!("profile `{}` bounds no operation", profile.name)));
    }
    let mut plans = Vec::new();
    for op in bounded {
        let sample = Inputs::Tuples { random: args.random.unwrap_or(RANDOM), seed: args.seed.unwrap_or(1) };
        let complete = Plan::default_inputs(op, decl);
        let everything = matches!(complete, Inputs::Unary { .. } | Inputs::Pairs);
        // All patterns of a narrow format are few.
        let few = everything && complete.count(decl, op.info().args.len()) <= 1 << 16;
        let inputs = if few || args.all && everything { complete } else { sample };
        for model in &models {
            let mut plan = plan(op, profile, model, inputs.clone());
            let bound = plan.bind(model, None).and_then(|bound| bound.judged_by(profile)).map_err(Failure::invalid)?;
            plan.fingerprint = bound.fingerprint();
            plans.push((op, plan, bound.evaluated_by(|op, rule| prepared(op, rule, engine, term))));
        }
    }
    let total =
        plans.iter().map(|(_, plan, _)| plan.count()).sum::<Result<u64, PlanError>>().map_err(Failure::invalid)?;
    let watch = Watch { bar: bar(total, term), stop: signal::watch() };
    let mut judged = Judged {
        profile: profile.name.clone(),
        models: models.iter().map(Model::label).collect(),
        rows: Vec::new(),
        unbounded: unbounded.iter().map(|op| op.info().name).collect(),
    };
    // Each is small: they run side by side.
    let judge = |(_, plan, bound): &(Op, Plan, BoundPlan)| run_shard(plan, bound, 1, 1, &watch);
    let tallies: Vec<Option<Tally>> = pool(args, term)?.install(|| plans.par_iter().map(judge).collect());
    let interrupted = tallies.iter().any(Option::is_none);
    for ((op, plan, _), tally) in plans.iter().zip(tallies) {
        let Some(tally) = tally else { continue };
        let summary = Summary::new(plan, &tally).map_err(Failure::invalid)?;
        judged.rows.push(Row { op: op.info().name, model: plan.model.clone(), summary });
    }
    watch.bar.finish_and_clear();
    print(&judged.print(args.format, term))?;
    if interrupted {
        term.note("interrupted; the rows above are complete, the others were not checked");
        return Ok(Exit::Interrupted);
    }
    Ok(if judged.rows.iter().any(|row| row.outside() > 0) { Exit::CheckFailed } else { Exit::Done })
}

fn plan(op: Op, profile: &Profile, model: &Model, inputs: Inputs) -> Plan {
    Plan {
        op: op.info().name.into(),
        format: profile.slot.name().into(),
        model: model.label(),
        against: Against::Exact,
        inputs,
        profile: Some(profile.name.clone()),
        fingerprint: String::new(),
        version: parallax_sweep::version(),
    }
}

impl Row {
    fn outside(&self) -> u64 {
        self.summary.legal.as_ref().map_or(0, |legal| legal.outside)
    }

    fn free(&self) -> u64 {
        self.summary.legal.as_ref().map_or(0, |legal| legal.free)
    }

    fn status(&self) -> &'static str {
        if self.outside() > 0 {
            "outside"
        } else if self.free() == self.summary.inputs {
            "free"
        } else {
            "inside"
        }
    }

    fn json(&self, profile: &str) -> serde_json::Value {
        let legal = &self.summary.legal;
        json!({
            "profile": profile, "op": self.op, "model": self.model, "status": self.status(),
            "coverage": self.summary.coverage, "inputs": self.summary.inputs,
            "free": self.free(), "outside": self.outside(),
            "share": legal.as_ref().map_or(0.0, |legal| legal.share),
            "first": legal.as_ref().map(|legal| &legal.first),
            "worst": legal.as_ref().map(|legal| &legal.worst),
        })
    }
}

impl Judged {
    fn print(&self, format: Format, term: &Term) -> String {
        let unbounded = |op: &&str| json!({ "profile": self.profile, "op": op, "model": null, "status": "no_bound" });
        let all = || self.rows.iter().map(|row| row.json(&self.profile)).chain(self.unbounded.iter().map(unbounded));
        match format {
            Format::Json => pretty(&all().collect()),
            Format::Jsonl => lines(all()),
            Format::Csv => {
                let header = ["profile", "op", "model", "status", "inputs", "free", "outside", "share", "worst"];
                let row = |row: &Row| {
                    let legal = row.summary.legal.as_ref();
                    let worst = legal.and_then(|l| l.worst.as_ref()).map(|w| w.text()).unwrap_or_default();
                    let share = legal.map_or(0.0, |l| l.share).to_string();
                    let counts = [row.summary.inputs, row.free(), row.outside()].map(|n| n.to_string());
                    let mut cells = vec![self.profile.clone(), row.op.into(), row.model.clone(), row.status().into()];
                    cells.extend(counts);
                    cells.extend([share, worst]);
                    cells
                };
                let empty = |op: &&str| {
                    let mut cells = vec![self.profile.clone(), (*op).into(), String::new(), "no_bound".into()];
                    cells.resize(header.len(), String::new());
                    cells
                };
                csv(&header, self.rows.iter().map(row).chain(self.unbounded.iter().map(empty)))
            }
            Format::Human => self.human(term),
        }
    }

    /// Operations down, models across; then the worst of everything outside.
    fn human(&self, term: &Term) -> String {
        let titles: Vec<&str> = std::iter::once("op").chain(self.models.iter().map(String::as_str)).collect();
        let mut table = Table::new(&titles);
        let mut offences = String::new();
        for rows in self.rows.chunk_by(|a, b| a.op == b.op) {
            let mut cells = vec![(Paint::Bold, rows[0].op.to_string())];
            // What an interruption left out keeps its column.
            for model in &self.models {
                let Some(row) = rows.iter().find(|row| row.model == *model) else {
                    cells.push((Paint::Dim, "-".into()));
                    continue;
                };
                let inputs = row.summary.inputs.max(1) as f64;
                cells.push(match row.status() {
                    "outside" => (Paint::Red, format!("OUTSIDE {:.3} %", row.outside() as f64 / inputs * 100.0)),
                    "free" => (Paint::Dim, "free".into()),
                    _ => (Paint::Green, "inside".into()),
                });
                if let Some(worst) = row.summary.legal.as_ref().and_then(|legal| legal.worst.as_ref()) {
                    let (op, n, of) = (row.op, row.outside(), row.summary.inputs);
                    offences += &format!("  {op} under {model}: {n} of {of} outside; worst: {}\n", worst.text());
                }
            }
            table.row(cells);
        }
        let mut out = format!("{}: are results legal?\n", term.paint(Paint::Bold, &self.profile));
        out += &table.print(term, "");
        if !offences.is_empty() {
            out += &format!("\nOutside:\n{offences}");
        }
        if !self.unbounded.is_empty() {
            out += &format!("\nNot bounded by {}: {}\n", self.profile, self.unbounded.join(", "));
        }
        let counts: Vec<u64> = self.rows.iter().map(|row| row.summary.inputs).collect();
        if let (Some(least), Some(most)) = (counts.iter().min(), counts.iter().max()) {
            out += &format!(
                "{least} to {most} inputs per operation and model; `sweep OP --profile ..` checks all inputs\n"
            );
        }
        out
    }
}
