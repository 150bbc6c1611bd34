//! Results as JSON lines and CSV: one record per shader and model, the same keys in both.

use crate::legality::Legality;
use crate::metrics::PixelComponent;
use crate::report::{Outcome, Report, ShaderReport};
use crate::trust::Trust;
use crate::verdict::Verdict;
use parallax_num::Tier;
use parallax_text::{cell, clean_json};
use serde::Serialize;
use std::collections::BTreeMap;

/// Value of the key `schema`; changes when a key does.
pub const SCHEMA: &str = "parallax-compare/4";

/// Where the largest ulp error is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArgMax {
    /// Column.
    pub x: u32,
    /// Row, from the top.
    pub y: u32,
    /// Component, such as `OUT[0].x`.
    pub component: String,
    /// The model's bits in the declared format, hexadecimal.
    pub found: String,
    /// The model's value.
    pub found_value: f64,
    /// The reference's bits in the declared format, hexadecimal.
    pub expected: String,
    /// The reference's value before rounding to the declared format.
    pub expected_value: f64,
    /// The model's bits of every sample of the pixel, `-` where it is not covered; absent where pixels have one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found_samples: Vec<String>,
    /// The reference's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected_samples: Vec<String>,
}

/// One record. Figures are `None` (JSON null, an empty CSV field) when the shader did not run or nothing was compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Path as given.
    pub shader: String,
    /// Instruction set.
    pub isa: String,
    /// Model label.
    pub model: String,
    /// Lowest trust of any rule in use, whether or not it decided anything.
    pub lowest_tier: Option<&'static str>,
    /// `ok`, `unsupported` or `invalid`.
    pub status: &'static str,
    /// Render target whose words are compared; `None` for what the shader computed.
    pub target: Option<String>,
    /// Model that figures are distances from.
    pub reference: String,
    /// Width of the draw in pixels; 0 where nothing was drawn.
    pub width: u32,
    /// Height of the draw in pixels.
    pub height: u32,
    /// Hash of the result's bits, hexadecimal: equal where and only where everything that is compared is.
    pub result: Option<String>,
    /// Pixels covered under the model or the reference.
    pub pixels: Option<u64>,
    /// Share of components with equal bits, 0 to 1.
    pub equal: Option<f64>,
    /// Largest ulp error.
    pub max_ulp: Option<f64>,
    /// Mean ulp error.
    pub mean_ulp: Option<f64>,
    /// Median of the ulp errors.
    pub median_ulp: Option<f64>,
    /// 99th percentile of the ulp errors.
    pub p99_ulp: Option<f64>,
    /// Leading bits in which 99 of 100 components agree with the reference.
    pub correct_bits: Option<u32>,
    /// Largest absolute error.
    pub max_abs: Option<f64>,
    /// Root of the mean square of the absolute errors.
    pub rms: Option<f64>,
    /// Components whose reference is near zero, and whose bits differ.
    pub near_zero: Option<u64>,
    /// Components of different special class.
    pub special_mismatch: Option<u64>,
    /// Pixels whose coverage flips.
    pub coverage_flips: Option<u64>,
    /// Pixels whose 8-bit colour changes.
    pub pixels8_changed: Option<u64>,
    /// Largest change of an 8-bit value.
    pub max8: Option<u8>,
    /// How visible the difference from the reference is: a name of [`Verdict`](crate::Verdict).
    pub verdict: Option<&'static str>,
    /// The first model of the report with the same result.
    pub same_as: Option<String>,
    /// Pixels whose output words differ from the baseline's (`ieee`), or that only one of the two covers.
    pub baseline_differ: Option<u64>,
    /// Pixels that look different from the baseline's in 8 bits.
    pub baseline_pixels8: Option<u64>,
    /// Largest difference of an 8-bit value from the baseline's.
    pub baseline_max8: Option<u8>,
    /// What decided the executed operations, in a sample of them; `None` where there was no arithmetic or no result.
    pub trust: Option<TrustRecord>,
    /// Where the largest ulp error is.
    pub argmax: Option<ArgMax>,
    /// Whether results are legal in the profile asked for; absent where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legality: Option<LegalityRecord>,
    /// Why there is no result: the first problem, with line and column where it has them; absent where there is one. Not in CSV.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Whether the operations of a shader gave legal results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalityRecord {
    /// The profile.
    pub profile: String,
    /// Results judged.
    pub judged: u64,
    /// Those for which anything is legal.
    pub free: u64,
    /// Those that are not legal.
    pub outside: u64,
    /// Operations with such results.
    pub offences: Vec<OffenceRecord>,
}

/// An operation with results that are not legal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OffenceRecord {
    /// Its name.
    pub op: String,
    /// Results judged.
    pub judged: u64,
    /// Those that are not legal.
    pub outside: u64,
    /// Operands of the worst, hexadecimal.
    pub args: Vec<String>,
    /// Its result, hexadecimal.
    pub result: String,
    /// Units in the last place beyond what is legal; null for NaN and infinities in the place of numbers.
    pub beyond: Option<f64>,
}

/// How far a result can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrustRecord {
    /// Component operations looked at.
    pub operations: u64,
    /// Share of those whose least known deciding field has the tier, 0 to 1; all tiers.
    pub tiers: BTreeMap<&'static str, f64>,
    /// Share of operations decided by each field that is not exact, by tier and field: `assumed.round`.
    pub fields: BTreeMap<String, f64>,
    /// Assumed fields with the other value that changes most.
    pub varied: Vec<VariedRecord>,
}

/// An assumed field with another value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariedRecord {
    /// Field of the model.
    pub field: String,
    /// The other value; `low` and `high` are the ends of an error bound.
    pub value: String,
    /// Share of the sampled pixels whose words change.
    pub differ: f64,
    /// Share of the sampled pixels that look different in 8 bits.
    pub pixels8: f64,
    /// Largest change of an 8-bit value.
    pub max8: u8,
}

impl From<&Trust> for TrustRecord {
    fn from(t: &Trust) -> TrustRecord {
        let share = |n: u64, of: u64| n as f64 / of.max(1) as f64;
        TrustRecord {
            operations: t.operations,
            tiers: Tier::ALL.iter().zip(t.by_tier).map(|(tier, n)| (tier.name(), share(n, t.operations))).collect(),
            fields: (t.decided.iter())
                .map(|d| (format!("{}.{}", d.tier, d.field), share(d.operations, t.operations)))
                .collect(),
            varied: (t.varied.iter())
                .map(|v| VariedRecord {
                    field: v.field.to_string(),
                    value: v.value.to_string(),
                    differ: share(v.distance.differ, v.distance.pixels),
                    pixels8: share(v.distance.visible(), v.distance.pixels),
                    max8: v.distance.max8,
                })
                .collect(),
        }
    }
}

impl From<&PixelComponent> for ArgMax {
    fn from(p: &PixelComponent) -> ArgMax {
        ArgMax {
            x: p.x,
            y: p.y,
            component: p.component.clone(),
            found: p.found_bits.clone(),
            found_value: p.found,
            expected: p.expected_bits.clone(),
            expected_value: p.expected,
            found_samples: p.found_samples.clone(),
            expected_samples: p.expected_samples.clone(),
        }
    }
}

fn legality(found: &Legality, profile: &str) -> LegalityRecord {
    let offences = found.offences.iter().map(|o| OffenceRecord {
        op: o.op.to_string(),
        judged: o.judged,
        outside: o.outside,
        args: o.args.clone(),
        result: o.result.clone(),
        beyond: Some(o.beyond).filter(|v| v.is_finite()),
    });
    LegalityRecord {
        profile: profile.to_string(),
        judged: found.judged,
        free: found.free,
        outside: found.outside,
        offences: offences.collect(),
    }
}

/// The records of one shader of a report, one per model.
pub fn records(shader: &ShaderReport, report: &Report) -> Vec<Record> {
    let profile = report.profile.as_deref();
    let blank = |model: &str| Record {
        schema: SCHEMA,
        shader: shader.name.clone(),
        isa: shader.isa.clone(),
        model: model.to_string(),
        lowest_tier: None,
        status: shader.status(),
        target: shader.target.clone(),
        reference: report.reference.clone(),
        width: shader.size.0,
        height: shader.size.1,
        result: None,
        pixels: None,
        equal: None,
        max_ulp: None,
        mean_ulp: None,
        median_ulp: None,
        p99_ulp: None,
        correct_bits: None,
        max_abs: None,
        rms: None,
        near_zero: None,
        special_mismatch: None,
        coverage_flips: None,
        pixels8_changed: None,
        max8: None,
        verdict: None,
        same_as: None,
        baseline_differ: None,
        baseline_pixels8: None,
        baseline_max8: None,
        trust: None,
        argmax: None,
        legality: None,
        reason: None,
    };
    match &shader.outcome {
        Outcome::Refused { problems, .. } => {
            let reason = problems.first().map(|problem| match problem.place {
                Some((line, column)) => format!("{line}:{column}: {}", problem.message),
                None => problem.message.clone(),
            });
            report.models.iter().map(|m| Record { reason: reason.clone(), ..blank(m) }).collect()
        }
        Outcome::Compared(rows) => rows
            .iter()
            .map(|row| {
                let m = &row.metrics;
                if row.refused.is_some() {
                    let status = shader.row_status(row);
                    let reason = row.refused.clone();
                    return Record { lowest_tier: Some(row.tier.name()), status, reason, ..blank(&row.model) };
                }
                let measured = m.measured > 0;
                // Squares of binary64 numbers can leave its range.
                let number = |v: f64| Some(v).filter(|v| m.numbers > 0 && v.is_finite());
                let from = row.from_baseline;
                Record {
                    lowest_tier: Some(row.tier.name()),
                    trust: row.trust.as_ref().filter(|t| t.operations > 0).map(TrustRecord::from),
                    result: row.result.map(|hash| format!("{hash:032x}")),
                    pixels: Some(m.pixels),
                    equal: m.equal_share(),
                    max_ulp: measured.then_some(m.max_ulp),
                    mean_ulp: measured.then_some(m.mean_ulp),
                    median_ulp: measured.then_some(m.median_ulp),
                    p99_ulp: measured.then_some(m.p99_ulp),
                    correct_bits: measured.then_some(m.correct_bits),
                    max_abs: number(m.max_abs),
                    rms: number(m.rms),
                    near_zero: Some(m.near_zero),
                    special_mismatch: Some(m.special_mismatch),
                    coverage_flips: Some(m.coverage_flips),
                    pixels8_changed: Some(m.pixels8_changed),
                    max8: Some(m.max8),
                    verdict: (m.pixels > 0).then(|| Verdict::of(m).name()),
                    same_as: Some(rows[row.same_as].model.clone()),
                    baseline_differ: from.map(|d| d.differ),
                    baseline_pixels8: from.map(|d| d.visible()),
                    baseline_max8: from.map(|d| d.max8),
                    // An argument of the maximum is only of interest where something is off.
                    argmax: m.argmax.as_ref().filter(|_| m.max_ulp > 0.0).map(ArgMax::from),
                    legality: row.legality.as_ref().zip(profile).map(|(found, profile)| legality(found, profile)),
                    ..blank(&row.model)
                }
            })
            .collect(),
    }
}

/// All records as JSON lines.
pub fn jsonl(report: &Report) -> String {
    report.shaders.iter().map(|shader| jsonl_of(shader, report)).collect()
}

/// The records of one shader as JSON lines.
pub fn jsonl_of(shader: &ShaderReport, report: &Report) -> String {
    // Only strings and finite or null numbers: cannot fail.
    records(shader, report)
        .iter()
        .map(|record| clean_json(serde_json::to_string(record).unwrap_or_default()) + "\n")
        .collect()
}

/// All records as CSV with a header line. Where results were judged by a profile, `judged` and `outside` follow. `trust` reads `tier share tier share`, shares from 0 to 1; `argmax` reads `x y component found expected`, bits in hexadecimal.
pub fn csv(report: &Report) -> String {
    let lines: String = report.shaders.iter().map(|shader| csv_of(shader, report)).collect();
    csv_header(report.profile.is_some()) + &lines
}

/// The header line of the CSV; `judged` where results were judged by a profile.
pub(crate) fn csv_header(judged: bool) -> String {
    let judged = judged.then_some(["judged", "outside"]);
    let header = [
        "schema",
        "shader",
        "isa",
        "model",
        "lowest_tier",
        "status",
        "target",
        "reference",
        "width",
        "height",
        "result",
        "pixels",
        "equal",
        "max_ulp",
        "mean_ulp",
        "median_ulp",
        "p99_ulp",
        "correct_bits",
        "max_abs",
        "rms",
        "near_zero",
        "special_mismatch",
        "coverage_flips",
        "pixels8_changed",
        "max8",
        "verdict",
        "same_as",
        "baseline_differ",
        "baseline_pixels8",
        "baseline_max8",
        "trust",
        "argmax",
    ];
    lines(|writer| writer.write_record(header.into_iter().chain(judged.into_iter().flatten())))
}

/// What is written as CSV.
fn lines(write: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to a vector cannot fail; all lines of a table have as many fields.
    let _ = write(&mut writer);
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// The records of one shader as CSV, without header.
pub(crate) fn csv_of(shader: &ShaderReport, report: &Report) -> String {
    lines(|writer| records(shader, report).into_iter().try_for_each(|r| csv_line(writer, r, report.profile.is_some())))
}

fn csv_line(writer: &mut csv::Writer<Vec<u8>>, r: Record, judged: bool) -> csv::Result<()> {
    let whole = |v: Option<u64>| v.map(|v| v.to_string()).unwrap_or_default();
    let real = |v: Option<f64>| v.map(|v| v.to_string()).unwrap_or_default();
    let tiers = r.trust.iter().flat_map(|t| &t.tiers).filter(|(_, share)| **share > 0.0);
    let trust = tiers.map(|(tier, share)| format!("{tier} {share}")).collect::<Vec<_>>().join(" ");
    let argmax =
        r.argmax.map(|a| format!("{} {} {} {} {}", a.x, a.y, a.component, a.found, a.expected)).unwrap_or_default();
    let counts = r.legality.as_ref().map(|l| [l.judged, l.outside].map(|n| n.to_string())).unwrap_or_default();
    let cells = [
        r.schema,
        &r.shader,
        &r.isa,
        &r.model,
        r.lowest_tier.unwrap_or_default(),
        r.status,
        r.target.as_deref().unwrap_or_default(),
        &r.reference,
        &r.width.to_string(),
        &r.height.to_string(),
        r.result.as_deref().unwrap_or_default(),
        &whole(r.pixels),
        &real(r.equal),
        &real(r.max_ulp),
        &real(r.mean_ulp),
        &real(r.median_ulp),
        &real(r.p99_ulp),
        &whole(r.correct_bits.map(u64::from)),
        &real(r.max_abs),
        &real(r.rms),
        &whole(r.near_zero),
        &whole(r.special_mismatch),
        &whole(r.coverage_flips),
        &whole(r.pixels8_changed),
        &whole(r.max8.map(u64::from)),
        r.verdict.unwrap_or_default(),
        r.same_as.as_deref().unwrap_or_default(),
        &whole(r.baseline_differ),
        &whole(r.baseline_pixels8),
        &whole(r.baseline_max8.map(u64::from)),
        &trust,
        &argmax,
    ];
    let counts = counts.iter().map(String::as_str).filter(|_| judged);
    writer.write_record(cells.into_iter().chain(counts).map(|text| cell(text).into_owned()))
}

/// Every pair of different results as CSV with a header line: which models, and how many pixels differ. `a` and `b` are
/// the first models with their results.
pub fn pairs(report: &Report) -> String {
    let lines: String = report.shaders.iter().map(pairs_of).collect();
    pairs_header() + &lines
}

/// The header line of the pairs.
pub(crate) fn pairs_header() -> String {
    lines(|writer| writer.write_record(["schema", "shader", "a", "b", "pixels", "differ", "pixels8", "max8", "flips"]))
}

/// The pairs of one shader, without header.
pub(crate) fn pairs_of(shader: &ShaderReport) -> String {
    let model = |row: usize| shader.rows()[row].model.as_str();
    lines(|writer| {
        shader.pairs.iter().filter(|p| p.a != p.b).try_for_each(|pair| {
            let d = &pair.distance;
            let figures = [d.pixels, d.differ, d.visible(), u64::from(d.max8), d.flips].map(|n| n.to_string());
            let head = [SCHEMA, &shader.name, model(pair.a), model(pair.b)];
            let cells = head.into_iter().chain(figures.iter().map(String::as_str));
            writer.write_record(cells.map(|text| cell(text).into_owned()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Comparison;
    use crate::frame::tests::{one_channel, one_exact};
    use crate::report::{Problem, Subject};

    fn sample() -> Report {
        let reference = one_exact(2, &[0.5, 0.25]);
        let frame = one_channel(2, &[0.5, 0.5]);
        let mut comparison = Comparison::new(&reference, Some(&frame), crate::Detail::default());
        comparison.add("ieee", Tier::Exact, &frame);
        comparison.refuse("half", Tier::Format, "the loops do not end");
        let subject = |name: &str| Subject { name: name.into(), isa: "tgsi".into(), ..Subject::default() };
        Report {
            command: "parallax compare".into(),
            tool: "parallax 0".into(),
            reference: "binary64".into(),
            models: vec!["ieee".into(), "half".into()],
            shaders: vec![
                comparison.finish(subject("a,b.tgsi")),
                ShaderReport::refused(
                    subject("bad.tgsi"),
                    false,
                    vec![Problem { place: Some((1, 1)), message: "no".into() }],
                ),
            ],
            unfinished: 0,
            baseline: "ieee".into(),
            ..Report::default()
        }
    }

    #[test]
    fn every_shader_has_a_line_per_model_with_the_documented_keys() {
        let text = jsonl(&sample());
        let lines: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(lines.len(), 4);
        for line in &lines {
            let mut keys: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
            keys.sort_unstable();
            let mut want: Vec<&str> =
                "schema shader isa model lowest_tier trust status target reference width height result pixels equal max_ulp mean_ulp median_ulp p99_ulp correct_bits \
                 max_abs rms near_zero special_mismatch coverage_flips pixels8_changed max8 verdict same_as \
                 baseline_differ baseline_pixels8 baseline_max8 argmax"
                    .split_whitespace()
                    .collect();
            if line["status"] != "ok" {
                want.push("reason");
            }
            want.sort_unstable();
            assert_eq!(keys, want);
        }
        assert_eq!(lines[0]["status"], "ok");
        assert_eq!(lines[0]["argmax"]["x"], 1);
        assert_eq!((&lines[1]["status"], &lines[1]["lowest_tier"]), (&"unsupported".into(), &"format".into()));
        assert_eq!((&lines[2]["status"], &lines[2]["reason"]), (&"invalid".into(), &"1:1: no".into()));
        assert!(lines[1]["equal"].is_null() && lines[2]["equal"].is_null());
    }

    #[test]
    fn csv_quotes_and_leaves_blanks() {
        let text = csv(&sample());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[0].starts_with(
            "schema,shader,isa,model,lowest_tier,status,target,reference,width,height,result,pixels,equal,"
        ));
        assert!(lines[1].starts_with("parallax-compare/4,\"a,b.tgsi\",tgsi,ieee,exact,ok,,binary64,2,1,"));
        assert!(lines[3].ends_with("invalid,,binary64,0,0,,,,,,,,,,,,,,,,,,,,,,"));
    }
}
