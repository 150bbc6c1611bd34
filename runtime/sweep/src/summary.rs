//! Results for people and programs.

use crate::error::SweepError;
use crate::part::write_synced;
use crate::plan::{Against, Plan};
use crate::plot;
use crate::run::operands;
use crate::tally::{BINADES, Class, LOWEST_BINADE, Offence, SIGNED_BUCKETS, Tally};
use parallax_num::{Decl, ulp};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The outcome of a sweep in one record.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Version of this record.
    pub schema: u32,
    /// What was swept.
    pub plan: Plan,
    /// What the inputs cover.
    pub coverage: String,
    /// Inputs evaluated.
    pub inputs: u64,
    /// Inputs with an error: result and reference finite, or the same special value, which is an error of 0.
    pub measured: u64,
    /// Share of inputs whose result is the correctly rounded one.
    pub correct: f64,
    /// Share of measured inputs with an error below one ulp.
    pub faithful: f64,
    /// Largest error, ulps.
    pub max_ulp: f64,
    /// Operands of the largest error, as hexadecimal patterns and as decimals.
    pub max_at: Vec<String>,
    /// Mean error magnitude, ulps.
    pub mean_ulp: f64,
    /// Percentiles of the error magnitude (upper bucket borders): 50, 90, 99, 99.9.
    pub percentiles: [f64; 4],
    /// Inputs where only one of result and reference is finite, or infinities differ.
    pub special_mismatch: u64,
    /// Neighbouring inputs whose results go the wrong way.
    pub not_monotonic: u64,
    /// Operands of the first of those.
    pub not_monotonic_at: Vec<String>,
    /// What the profile says, where the plan names one.
    pub legal: Option<LegalSummary>,
}

/// What a profile says of the results.
#[derive(Clone, Debug, Serialize)]
pub struct LegalSummary {
    /// Results on operands for which any result is legal.
    pub free: u64,
    /// Results outside the legal intervals.
    pub outside: u64,
    /// Share of all inputs that is.
    pub share: f64,
    /// The first result outside.
    pub first: Option<Outside>,
    /// The one furthest outside.
    pub worst: Option<Outside>,
}

/// A result outside the legal intervals.
#[derive(Clone, Debug, Serialize)]
pub struct Outside {
    /// Operands, as hexadecimal patterns and as decimals.
    pub at: Vec<String>,
    /// The result, likewise.
    pub result: String,
    /// The legal intervals, both ends included; empty where only NaN was legal.
    pub legal: Vec<[String; 2]>,
    /// Units in the last place beyond the nearest end; `None` where a NaN or an infinity stands against numbers.
    pub excess_ulp: Option<f64>,
}

impl Outside {
    fn new(plan: &Plan, offence: &Offence) -> Result<Outside, SweepError> {
        let (_, decl) = Plan::resolve(&plan.op, &plan.format)?;
        let excess = f64::from_bits(offence.excess);
        Ok(Outside {
            at: operands(plan, offence.input)?.into_iter().map(|bits| spell(bits, decl)).collect(),
            result: offence.result.clone(),
            legal: offence.legal.clone(),
            excess_ulp: Some(excess).filter(|excess| excess.is_finite()),
        })
    }

    /// One line: operands, result, what would have been legal.
    pub fn text(&self) -> String {
        let intervals: Vec<String> = self.legal.iter().map(|[low, high]| format!("[{low}, {high}]")).collect();
        let legal = if intervals.is_empty() { "NaN".to_string() } else { intervals.join(" or ") };
        let excess = self.excess_ulp.map(|ulp| format!(", {} ulp beyond", short(ulp))).unwrap_or_default();
        format!("{} gives {}; legal: {legal}{excess}", self.at.join(", "), self.result)
    }
}

impl LegalSummary {
    fn new(plan: &Plan, tally: &Tally) -> Result<LegalSummary, SweepError> {
        let rulings = &tally.legal;
        let outside = |offence: &Option<Offence>| offence.as_ref().map(|o| Outside::new(plan, o)).transpose();
        Ok(LegalSummary {
            free: rulings.free,
            outside: rulings.outside,
            share: if tally.inputs == 0 { 0.0 } else { rulings.outside as f64 / tally.inputs as f64 },
            first: outside(&rulings.first)?,
            worst: outside(&rulings.worst)?,
        })
    }
}

impl Summary {
    /// Condenses a tally.
    pub fn new(plan: &Plan, tally: &Tally) -> Result<Summary, SweepError> {
        let (op, decl) = Plan::resolve(&plan.op, &plan.format)?;
        let share = |n: u64, of: u64| if of == 0 { 0.0 } else { n as f64 / of as f64 };
        let name = |n: u64| -> Result<Vec<String>, SweepError> {
            Ok(operands(plan, n)?.into_iter().map(|bits| spell(bits, decl)).collect())
        };
        let max_at = if tally.measured > 0 && tally.max.0 > 0 { name(tally.max.1)? } else { Vec::new() };
        let not_monotonic_at = match tally.first_not_monotonic {
            Some(n) => name(n)?,
            None => Vec::new(),
        };
        Ok(Summary {
            schema: 1,
            plan: plan.clone(),
            coverage: plan.inputs.describe(decl, op.info().args.len()),
            inputs: tally.inputs,
            measured: tally.measured,
            correct: share(tally.correct, tally.inputs),
            faithful: share(tally.faithful, tally.measured),
            max_ulp: tally.max_ulp(),
            max_at,
            mean_ulp: tally.mean_ulp(),
            percentiles: [0.5, 0.9, 0.99, 0.999].map(|p| tally.percentile(p)),
            special_mismatch: tally.special_mismatch,
            not_monotonic: tally.not_monotonic,
            not_monotonic_at,
            legal: plan.profile.is_some().then(|| LegalSummary::new(plan, tally)).transpose()?,
        })
    }

    /// A few lines for a terminal.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let against = match &self.plan.against {
            Against::Exact => "the exact value".to_string(),
            Against::Model(model) => model.clone(),
        };
        let _ = writeln!(out, "{} in {} under {}, against {against}", self.plan.op, self.plan.format, self.plan.model);
        let _ = writeln!(out, "  inputs             {}", self.coverage);
        let _ = writeln!(out, "  correctly rounded  {:.6} %", self.correct * 100.0);
        let _ =
            writeln!(out, "  faithful           {:.6} % of {} measured results", self.faithful * 100.0, self.measured);
        let _ = write!(out, "  largest error      {} ulp", short(self.max_ulp));
        let _ = if self.max_at.is_empty() { writeln!(out) } else { writeln!(out, " at {}", self.max_at.join(", ")) };
        let _ = writeln!(out, "  mean error         {} ulp", short(self.mean_ulp));
        let [p50, p90, p99, p999] = self.percentiles.map(short);
        let _ = writeln!(out, "  percentiles        50 %: {p50}, 90 %: {p90}, 99 %: {p99}, 99.9 %: {p999}");
        let _ = writeln!(out, "  special values     {} differ", self.special_mismatch);
        let _ = write!(out, "  not monotonic      {} places", self.not_monotonic);
        let _ = if self.not_monotonic_at.is_empty() {
            writeln!(out)
        } else {
            writeln!(out, ", the first at {}", self.not_monotonic_at.join(", "))
        };
        if let (Some(legal), Some(profile)) = (&self.legal, &self.plan.profile) {
            let _ = match legal.outside {
                0 => writeln!(out, "  {profile:<17}  all inside; {} of these are free", legal.free),
                n => writeln!(
                    out,
                    "  {profile:<17}  {n} OUTSIDE ({:.6} %); {} are free",
                    legal.share * 100.0,
                    legal.free
                ),
            };
            for (what, offence) in [("first", &legal.first), ("worst", &legal.worst)] {
                if let Some(offence) = offence {
                    let _ = writeln!(out, "    {what:<15}  {}", offence.text());
                }
            }
        }
        out
    }
}

fn short(v: f64) -> String {
    if v != 0.0 && (v.abs() < 1e-4 || v.abs() >= 1e7) { format!("{v:.3e}") } else { format!("{v:.4}") }
}

fn spell(bits: u64, decl: Decl) -> String {
    let storage = decl.format().storage();
    format!("{} ({})", ulp::hex(bits, storage), ulp::decimal(bits, storage))
}

/// Writes `sweep.json`, `sweep.csv` (errors by binade), `special.csv` (special-value matrix), `sweep.jsonl` (both as lines)
/// and `sweep.svg` into `dir`.
pub fn write_results(dir: &Path, plan: &Plan, tally: &Tally) -> Result<Summary, SweepError> {
    let summary = Summary::new(plan, tally)?;
    let text = serde_json::to_string_pretty(&summary)
        .map_err(|error| SweepError::Part { path: dir.display().to_string(), message: error.to_string() })?;
    write_synced(&dir.join("sweep.json"), (text + "\n").as_bytes())?;
    let mut csv = String::from("exponent,max_ulp");
    let mut lines = String::new();
    for name in SIGNED_BUCKETS {
        let _ = write!(csv, ",{name}");
    }
    csv.push('\n');
    for row in 0..BINADES {
        let counts = &tally.binades[row * SIGNED_BUCKETS.len()..(row + 1) * SIGNED_BUCKETS.len()];
        if counts.iter().all(|c| *c == 0) {
            continue;
        }
        let exponent = row as i32 + LOWEST_BINADE;
        let max = f64::from_bits(tally.binade_max[row]);
        let list: Vec<String> = counts.iter().map(u64::to_string).collect();
        let _ = writeln!(csv, "{exponent},{max},{}", list.join(","));
        let _ = writeln!(
            lines,
            "{{\"schema\":1,\"kind\":\"binade\",\"exponent\":{exponent},\"max_ulp\":{max},\"counts\":[{}]}}",
            list.join(",")
        );
    }
    write_synced(&dir.join("sweep.csv"), csv.as_bytes())?;
    let (special, mut more) = matrix(tally);
    if let Some(legal) = &summary.legal {
        let mut line = json(legal, dir)?;
        // The same two keys in front as every line.
        line.replace_range(..1, "{\"schema\":1,\"kind\":\"legal\",");
        let _ = writeln!(more, "{line}");
    }
    write_synced(&dir.join("special.csv"), special.as_bytes())?;
    write_synced(&dir.join("sweep.jsonl"), (lines + &more).as_bytes())?;
    write_synced(&dir.join("sweep.svg"), plot(&summary, tally).as_bytes())?;
    Ok(summary)
}

fn json(record: &impl Serialize, dir: &Path) -> Result<String, SweepError> {
    serde_json::to_string(record)
        .map_err(|error| SweepError::Part { path: dir.display().to_string(), message: error.to_string() })
}

/// The special-value matrix as CSV and as JSON lines.
fn matrix(tally: &Tally) -> (String, String) {
    let mut csv = String::from("operands");
    let mut lines = String::new();
    for name in Class::NAMES {
        let _ = write!(csv, ",{name}");
    }
    csv.push('\n');
    let rows = tally.matrix.len() / Class::COUNT;
    for row in 0..rows {
        let counts = &tally.matrix[row * Class::COUNT..(row + 1) * Class::COUNT];
        if counts.iter().all(|c| *c == 0) {
            continue;
        }
        let operands = if rows == Class::COUNT {
            Class::NAMES[row].to_string()
        } else {
            format!("{} {}", Class::NAMES[row / Class::COUNT], Class::NAMES[row % Class::COUNT])
        };
        let list: Vec<String> = counts.iter().map(u64::to_string).collect();
        let _ = writeln!(csv, "{operands},{}", list.join(","));
        let _ = writeln!(
            lines,
            "{{\"schema\":1,\"kind\":\"special\",\"operands\":\"{operands}\",\"results\":[{}]}}",
            list.join(",")
        );
    }
    (csv, lines)
}
