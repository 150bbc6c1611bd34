//! Numbers in words: percentages, ulps, and the sentence that names the worst model.

use crate::legality::{Legality, Offence};
use crate::metrics::Metrics;
use crate::report::{Outcome, Row, ShaderReport};
use crate::snapshot::Distance;
use crate::trust::Trust;
use crate::verdict::Verdict;
use parallax_num::Tier;

/// `part` of `whole` in percent. Never rounds to 0 or 100 what is neither.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".into();
    }
    let share = part as f64 / whole as f64 * 100.0;
    match () {
        () if part == 0 => "0 %".into(),
        () if part == whole => "100 %".into(),
        () if share < 0.1 => "<0.1 %".into(),
        () if share > 99.9 => ">99.9 %".into(),
        () if !(10.0..=90.0).contains(&share) => format!("{share:.1} %"),
        () => format!("{share:.0} %"),
    }
}

/// An ulp figure with about three digits.
pub fn ulps(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        v if v < 0.01 => "<0.01".into(),
        v if v < 10.0 => format!("{v:.2}").trim_end_matches('0').trim_end_matches('.').to_string(),
        v if v < 1e6 => format!("{v:.0}"),
        v => format!("{v:.1e}"),
    }
}

/// An absolute error with about three digits.
pub fn size(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        v if (0.001..1000.0).contains(&v) => {
            let text = format!("{v:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
        v if v.is_finite() => format!("{v:.1e}"),
        _ => "beyond binary64".into(),
    }
}

/// Name of a column: a to z, then aa, ab, ...
pub fn letter(n: usize) -> String {
    let last = char::from(b'a' + (n % 26) as u8);
    if n < 26 { last.to_string() } else { format!("{}{last}", letter(n / 26 - 1)) }
}

/// What is compared one by one: pixels, or the words of a kernel's buffers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// `pixel`.
    pub one: &'static str,
    /// `pixels`.
    pub many: &'static str,
}

impl Unit {
    /// Of a picture.
    pub const PIXEL: Unit = Unit { one: "pixel", many: "pixels" };
    /// Of buffers.
    pub const WORD: Unit = Unit { one: "word", many: "words" };

    fn count(self, n: u64) -> String {
        count(n, self.one, self.many)
    }
}

/// `1 pixel`, `3 pixels`.
pub fn count(n: u64, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// How visible a difference is: first how far it strikes the eye, then on which share of the pixels. A pixel that is drawn
/// in one picture alone is plainly visible.
fn severity(m: &Metrics) -> (Verdict, f64) {
    (Verdict::of(m).max(Verdict::Bits), m.visible() as f64 / m.pixels.max(1) as f64)
}

/// How two models' pictures differ, in a few words.
pub fn distance(d: &Distance) -> String {
    match (d.visible(), d.differ) {
        (0, 0) => "equal".into(),
        (0, _) => "bits only".into(),
        (n, _) => format!("{} up to {}/255", percent(n, d.pixels), d.max8),
    }
}

/// `exact 41 %, measured 20 %, assumed 39 % (round 37, mad 2)`: executed operations by the least known field that decided
/// them, and for assumed ones which fields those are, in percent of all operations.
pub fn trust(trust: &Trust) -> String {
    if trust.operations == 0 {
        return "no arithmetic".into();
    }
    let share = |n: u64| percent(n, trust.operations);
    let mut parts = Vec::new();
    for (tier, &n) in Tier::ALL.iter().zip(&trust.by_tier).filter(|(_, n)| **n > 0) {
        let mut text = format!("{tier} {}", share(n));
        if *tier == Tier::Assumed {
            let fields = trust.decided.iter().filter(|d| d.tier == Tier::Assumed);
            let fields: Vec<String> =
                fields.map(|d| format!("{} {}", d.field, share(d.operations).trim_end_matches(" %"))).collect();
            text.push_str(&format!(" ({})", fields.join(", ")));
        }
        parts.push(text);
    }
    parts.join(", ")
}

/// Operations whose results a profile does not allow: `not legal: rsq 12 of 128, up to 4 ulp beyond`.
pub fn legality(found: &Legality) -> String {
    if found.outside == 0 {
        return format!("all {} checked results are legal", found.judged);
    }
    let offence = |o: &Offence| {
        let beyond =
            if o.beyond.is_finite() { format!("up to {} ulp beyond", ulps(o.beyond)) } else { "not a number".into() };
        format!("{} {} of {}, {beyond}", o.op, o.outside, o.judged)
    };
    format!("not legal: {}", found.offences.iter().map(offence).collect::<Vec<_>>().join(", "))
}

/// What would come of the assumptions being wrong; empty where there are none that decided anything.
pub fn varied(trust: &Trust) -> String {
    if trust.varied.is_empty() {
        return String::new();
    }
    let named = |list: Vec<String>| match list.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        [most @ .., last] => Some(format!("{} and {last}", most.join(", "))),
    };
    let seen = trust.varied.iter().filter(|v| v.distance.visible() > 0).map(|v| {
        let d = &v.distance;
        format!("{}={} ({} of pixels, up to {}/255)", v.field, v.value, percent(d.visible(), d.pixels), d.max8)
    });
    let quiet = trust.varied.iter().filter(|v| v.distance.visible() == 0).map(|v| v.field.to_string());
    match (named(seen.collect()), named(quiet.collect())) {
        (Some(seen), None) => format!("other values of assumed fields would change pixels: {seen}"),
        (Some(seen), Some(quiet)) => {
            format!("other values of assumed fields would change pixels: {seen}; other values of {quiet} change none")
        }
        (None, Some(quiet)) => format!("other values of assumed fields would change no pixel: {quiet}"),
        (None, None) => String::new(),
    }
}

/// The same for tables: `round=rtz 0.8 % ≤1; unseen: mad, rsq`.
#[cfg(feature = "html")]
pub(crate) fn varied_briefly(trust: &Trust) -> String {
    let seen = trust.varied.iter().filter(|v| v.distance.visible() > 0).map(|v| {
        let d = &v.distance;
        format!("{}={} {} ≤{}", v.field, v.value, percent(d.visible(), d.pixels), d.max8)
    });
    let quiet: Vec<&str> =
        trust.varied.iter().filter(|v| v.distance.visible() == 0).map(|v| v.field.as_ref()).collect();
    let quiet = (!quiet.is_empty()).then(|| format!("unseen: {}", quiet.join(", ")));
    let seen: Vec<String> = seen.collect();
    let seen = (!seen.is_empty()).then(|| seen.join(", "));
    seen.into_iter().chain(quiet).collect::<Vec<_>>().join("; ")
}

/// What differs, in plain words, without the model's name.
pub fn harm(m: &Metrics, unit: Unit) -> String {
    let mut parts = Vec::new();
    if m.pixels8_changed > 0 {
        parts.push(format!(
            "{} of {} change, by up to {}/255 ({})",
            percent(m.pixels8_changed, m.pixels),
            unit.many,
            m.max8,
            Verdict::steps(m.max8).words()
        ));
    }
    if m.coverage_flips > 0 {
        let verb = if m.coverage_flips == 1 { "flips" } else { "flip" };
        parts.push(format!("{} {verb} coverage", unit.count(m.coverage_flips)));
    }
    if m.special_mismatch > 0 {
        let verb = if m.special_mismatch == 1 { "gains or loses" } else { "gain or lose" };
        let what = count(m.special_mismatch, "component", "components");
        parts.push(format!("{what} {verb} NaN or infinity"));
    }
    if m.out_of_fuel > 0 {
        let verb = if m.out_of_fuel == 1 { "runs" } else { "run" };
        parts.push(format!("{} {verb} out of fuel", unit.count(m.out_of_fuel)));
    }
    if parts.is_empty() {
        if m.identical() {
            return "bit for bit equal to the reference".into();
        }
        let share = percent(m.components - m.equal, m.components);
        let most = ulps(m.max_ulp);
        return format!("no visible {} changes; {share} of components differ, by at most {most} ulp", unit.one);
    }
    parts.join("; ")
}

fn row_refused(row: &Row) -> bool {
    row.refused.is_some()
}

/// The row that does most harm: one without result, then the most visible difference, then special values, then the largest
/// error. `None` without any row besides the reference.
pub fn worst<'a>(rows: &'a [Row], reference: &str) -> Option<&'a Row> {
    let key = |r: &Row| {
        let m = &r.metrics;
        let (severity, share) = severity(m);
        (row_refused(r), severity, share, m.special_mismatch, m.max8, m.max_ulp, m.components - m.equal)
    };
    // The first of equals, in the order of the models.
    rows.iter().filter(|r| r.model != reference).reduce(|best, row| if key(row) > key(best) { row } else { best })
}

/// One sentence for a shader: the worst model and the visible harm, or why there is no answer.
pub fn sentence(shader: &ShaderReport, reference: &str, baseline: &str) -> String {
    match &shader.outcome {
        Outcome::Refused { unsupported, problems } => {
            let first = problems.first().map_or("no reason given", |p| p.message.as_str());
            let more = match problems.len() {
                0 | 1 => String::new(),
                n => format!(" (and {} more)", n - 1),
            };
            let word = if *unsupported { "not analysed, unsupported" } else { "not analysed, invalid" };
            format!("{word}: {first}{more}")
        }
        Outcome::Compared(rows) => {
            let Some(row) = worst(rows, reference) else { return "no model other than the reference".into() };
            let (m, unit) = (&row.metrics, shader.unit());
            if let Some(reason) = &row.refused {
                return format!("{}: no result, {reason}", row.model);
            }
            if m.pixels == 0 {
                return "no pixel is covered: nothing was compared".into();
            }
            let others: Vec<&str> = rows
                .iter()
                .filter(|r| r.model != reference && r.model != row.model && r.metrics == row.metrics)
                .map(|r| r.model.as_str())
                .collect();
            if m.identical() && m.out_of_fuel == 0 {
                return match &shader.target {
                    None => "every model gives the reference's bits".into(),
                    Some(target) => {
                        format!("no difference reaches the {target} target: every model stores the same words")
                    }
                };
            }
            if m.visible() == 0 && m.special_mismatch == 0 && m.out_of_fuel == 0 {
                let share = percent(m.components - m.equal, m.components);
                return format!(
                    "no model changes a visible {} of {reference}; {} differs most: {share} of components, by at most {} ulp",
                    unit.one,
                    row.model,
                    ulps(m.max_ulp)
                );
            }
            let alike = match others.as_slice() {
                [] => String::new(),
                [one] => format!(" ({one} the same)"),
                [one, two] => format!(" ({one} and {two} the same)"),
                many => format!(" ({} others the same)", many.len()),
            };
            let target = shader.target.as_ref().map(|t| format!(" in the {t} target")).unwrap_or_default();
            let first = vendors(rows, reference, baseline, unit);
            let furthest = if first.is_empty() { String::new() } else { format!("furthest from {reference} is ") };
            let against = against_baseline(rows, row, reference, baseline, unit);
            format!("{first}{furthest}{}{alike}: {}{target}{against}", row.model, harm(m, unit))
        }
    }
}

/// The model whose result is most visibly unlike the baseline's.
fn unlike_baseline<'a>(rows: &'a [Row], reference: &str) -> Option<(&'a Row, Distance)> {
    // The reference is no vendor.
    let vendors = rows.iter().filter(|r| r.model != reference);
    let others = vendors.filter_map(|r| Some((r, r.from_baseline?))).filter(|(_, d)| d.visible() > 0);
    let key = |d: &Distance| (Verdict::between(d), d.visible());
    others.reduce(|best, next| if key(&next.1) > key(&best.1) { next } else { best })
}

/// Whether vendors differ among each other, which the reference says nothing about.
fn vendors(rows: &[Row], reference: &str, baseline: &str, unit: Unit) -> String {
    let others: Vec<&Row> = rows.iter().filter(|r| r.model != baseline && r.model != reference).collect();
    if reference == baseline || others.is_empty() || rows.iter().all(|r| r.from_baseline.is_none()) {
        return String::new();
    }
    match unlike_baseline(rows, reference) {
        None => format!("no model looks different from {baseline}; "),
        Some((row, d)) => format!(
            "{} looks different from {baseline} at {} of {}, by up to {}/255 ({}); ",
            row.model,
            percent(d.visible(), d.pixels),
            unit.many,
            d.max8,
            Verdict::between(&d).words()
        ),
    }
}

/// What plain binary32 does to the same shader, where that is not what the sentence is about.
fn against_baseline(rows: &[Row], worst: &Row, reference: &str, baseline: &str, unit: Unit) -> String {
    let plain = rows.iter().find(|r| r.model == baseline && reference != baseline && r.refused.is_none());
    match plain.map(|r| &r.metrics) {
        Some(m) if *m != worst.metrics && worst.model != baseline => match m.visible() {
            0 => format!("; under {baseline} nothing visible changes"),
            n => {
                let share = percent(n, m.pixels);
                format!("; under {baseline} {share} of {}, by up to {}/255", unit.many, m.max8)
            }
        },
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn percentages_do_not_round_to_the_ends() {
        assert_eq!(percent(0, 10), "0 %");
        assert_eq!(percent(1, 1_000_000), "<0.1 %");
        assert_eq!(percent(999_999, 1_000_000), ">99.9 %");
        assert_eq!(percent(31, 100), "31 %");
        assert_eq!(percent(314, 10_000), "3.1 %");
        assert_eq!(percent(0, 0), "–");
    }

    #[test]
    fn ulps_have_three_digits() {
        for (value, want) in
            [(0.0, "0"), (0.001, "<0.01"), (0.5, "0.5"), (2.568, "2.57"), (431.2, "431"), (7.3e36, "7.3e36")]
        {
            assert_eq!(ulps(value), want);
        }
    }

    #[test]
    fn columns_have_letters_and_errors_three_digits() {
        assert_eq!([0, 25, 26, 27, 701, 702].map(letter), ["a", "z", "aa", "ab", "zz", "aaa"]);
        let want = [(0.0, "0"), (0.5, "0.5"), (1.0 / 255.0, "0.0039"), (3e-9, "3.0e-9"), (1e30, "1.0e30")];
        want.into_iter().for_each(|(value, text)| assert_eq!(size(value), text));
    }

    /// The reference may look unlike the baseline, and stand first: it is no vendor.
    #[test]
    fn vendors_are_set_beside_the_baseline_and_the_reference_is_none() {
        let from = |mut row: Row, differ8, max8| {
            row.from_baseline = Some(Distance { pixels: 1000, differ: 1000, differ8, max8, flips: 0 });
            row
        };
        let plain = from(row("ieee", 900, 90, 0), 0, 0);
        let exact = from(row("binary64", 0, 0, 0), 900, 90);
        let vendor = from(row("v", 910, 91, 0), 30, 20);
        let all = shader("s", vec![plain.clone(), exact.clone(), vendor]);
        assert_eq!(
            sentence(&all, "binary64", "ieee"),
            "v looks different from ieee at 3.0 % of pixels, by up to 20/255 (plainly visible); furthest from binary64 is v: 91.0 % of \
             pixels change, by up to 91/255 (another picture); under ieee 90 % of pixels, by up to 90/255"
        );
        let same = shader("s", vec![plain.clone(), exact, from(row("v", 900, 90, 0), 0, 0)]);
        let text = sentence(&same, "binary64", "ieee");
        assert!(
            text.starts_with("no model looks different from ieee; furthest from binary64 is ieee (v the same): 90 %"),
            "{text}"
        );
    }

    #[test]
    fn trust_names_what_is_assumed() {
        let decided = |field, tier, operations| crate::trust::Decided { field: Cow::Borrowed(field), tier, operations };
        let varied_to = |field, value, differ8| crate::trust::Varied {
            field: Cow::Borrowed(field),
            value: Cow::Borrowed(value),
            distance: Distance { pixels: 100, differ: 50, differ8, max8: 9, flips: 0 },
        };
        let mut found = Trust { operations: 1000, ..Trust::default() };
        found.by_tier[Tier::Exact as usize] = 410;
        found.by_tier[Tier::Format as usize] = 200;
        found.by_tier[Tier::Assumed as usize] = 390;
        found.decided = vec![
            decided("round", Tier::Assumed, 370),
            decided("mad", Tier::Assumed, 25),
            decided("lrp", Tier::Format, 7),
        ];
        assert_eq!(trust(&found), "exact 41 %, format 20 %, assumed 39 % (round 37, mad 2.5)");
        assert_eq!(varied(&found), "");
        found.varied = vec![varied_to("round", "rtz", 12), varied_to("mad", "separate", 0)];
        let text = "other values of assumed fields would change pixels: round=rtz (12 % of pixels, up to 9/255); other values of mad change none";
        assert_eq!(varied(&found), text);
        found.varied.remove(0);
        assert_eq!(varied(&found), "other values of assumed fields would change no pixel: mad");
    }

    #[test]
    fn harm_is_said_in_plain_words() {
        let mut m = Metrics { pixels: 100, components: 400, equal: 300, max_ulp: 12.0, ..Metrics::default() };
        assert_eq!(harm(&m, Unit::PIXEL), "no visible pixel changes; 25 % of components differ, by at most 12 ulp");
        m.pixels8_changed = 31;
        m.max8 = 48;
        m.coverage_flips = 112;
        m.special_mismatch = 1;
        assert_eq!(
            harm(&m, Unit::PIXEL),
            "31 % of pixels change, by up to 48/255 (plainly visible); 112 pixels flip coverage; \
             1 component gains or loses NaN or infinity"
        );
    }

    fn row(model: &str, pixels8_changed: u64, max8: u8, coverage_flips: u64) -> Row {
        let metrics =
            Metrics { pixels: 1000, components: 4000, pixels8_changed, max8, coverage_flips, ..Metrics::default() };
        Row {
            model: model.into(),
            tier: parallax_num::Tier::Exact,
            refused: None,
            metrics,
            from_baseline: None,
            trust: None,
            legality: None,
            result: None,
            same_as: 0,
            picture: Vec::new(),
            looks_like_reference: false,
            heat: None,
        }
    }

    fn shader(name: &str, rows: Vec<Row>) -> ShaderReport {
        let subject = crate::report::Subject { name: name.into(), ..Default::default() };
        ShaderReport { outcome: Outcome::Compared(rows), ..ShaderReport::refused(subject, false, Vec::new()) }
    }

    /// The largest share of pixels is not the most visible difference: it may be off by one step.
    #[test]
    fn the_sentence_names_the_most_visible_difference() {
        let everywhere =
            shader("everywhere", vec![row("binary64", 0, 0, 0), row("a", 1000, 1, 0), row("b", 30, 20, 0)]);
        let somewhere = shader("somewhere", vec![row("binary64", 0, 0, 0), row("a", 0, 0, 40), row("b", 20, 90, 0)]);
        let named = |s: &ShaderReport| worst(s.rows(), "binary64").map(|r| r.model.clone());
        assert_eq!((named(&everywhere), named(&somewhere)), (Some("b".into()), Some("b".into())));
    }
}
