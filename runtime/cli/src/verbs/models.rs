//! `parallax models`: the list, one model field by field or as its file, what differs between two.

use crate::args::{Format, ModelsArgs};
use crate::exit::{Exit, Failure};
use crate::registry::Registry;
use crate::term::{Paint, Table, Term, print};
use parallax_num::{Model, Tier};
use parallax_text::{cell, clean_json};
use serde_json::json;

pub(crate) fn run(args: &ModelsArgs, term: &Term) -> Result<Exit, Failure> {
    let registry = Registry::new(crate::load::models(&args.model_file, term)?, &[])?;
    let text = match (&args.diff, &args.name) {
        (Some(pair), _) => {
            let a = registry.model(&pair[0], "--diff")?;
            let b = registry.model(&pair[1], "--diff")?;
            diff(&a, &b, args.format, term)
        }
        (None, Some(name)) if args.toml => file(name, &registry.model(name, "NAME")?)?.to_string(),
        (None, Some(name)) => show(&registry.model(name, "NAME")?, args.format, term),
        (None, None) => list(&registry.all(), args.format, term),
    };
    print(&text)?;
    Ok(Exit::Done)
}

/// The file of a built-in model, which `name` named.
fn file(name: &str, model: &Model) -> Result<&'static str, Failure> {
    Model::builtin_file(name).ok_or_else(|| {
        let bare = model.name();
        Failure::invalid(if Model::builtin_file(bare).is_some() {
            format!(
                "--toml {name}: only whole models have files; `parallax models --toml {bare}` prints one to copy, and settings become \
                 [[set]] tables in the copy"
            )
        } else {
            format!("--toml {name}: `{bare}` is not built in; its file is yours, given with --model-file")
        })
    })
}

/// Place of a model's class in listings.
fn class(model: &Model) -> usize {
    let of = model.lineage();
    Model::classes().iter().position(|class| of.is_some_and(|l| l.class == *class)).unwrap_or(usize::MAX)
}

/// How many lines of a model's listing have each tier.
fn tiers(model: &Model) -> Vec<(Tier, usize)> {
    let entries = model.entries();
    let count = |tier| entries.iter().filter(|e| e.tier == tier).count();
    Tier::ALL.into_iter().map(|t| (t, count(t))).filter(|(_, n)| *n > 0).collect()
}

fn list(models: &[Model], format: Format, term: &Term) -> String {
    let value = |m: &Model| {
        let tiers: serde_json::Map<String, serde_json::Value> =
            tiers(m).into_iter().map(|(t, n)| (t.name().to_string(), json!(n))).collect();
        let of = m.lineage();
        json!({
            "name": m.name(), "title": m.title(), "inherits": m.inherits(), "vendor": of.map(|l| l.vendor),
            "year": of.map(|l| l.year), "class": of.map(|l| l.class), "tiers": tiers,
        })
    };
    match format {
        Format::Json => pretty(&models.iter().map(value).collect()),
        Format::Jsonl => lines(models.iter().map(value)),
        Format::Csv => csv(
            &["name", "title", "inherits", "vendor", "year", "class"],
            models.iter().map(|m| {
                let of = m.lineage();
                vec![
                    m.name().into(),
                    m.title().into(),
                    m.inherits().unwrap_or("").into(),
                    of.map_or("", |l| l.vendor).into(),
                    of.map_or(String::new(), |l| l.year.to_string()),
                    of.map_or("", |l| l.class).into(),
                ]
            }),
        ),
        Format::Human => {
            // The user's models have no class and stand last.
            let mut sorted: Vec<(usize, &Model)> = models.iter().map(|m| (class(m), m)).collect();
            parallax_text::sort_by_key(&mut sorted, |(class, _)| *class);
            let mut table = Table::new(&["class", "vendor", "year", "model", "fields by tier", "what it is"]);
            let mut last = None;
            for (class, m) in sorted {
                let tiers: Vec<String> = tiers(m).into_iter().map(|(t, n)| format!("{} {n}", t.name())).collect();
                let of = m.lineage();
                // Each class is named once.
                let first = last.replace(class) != Some(class);
                table.row(vec![
                    (Paint::Dim, if first { of.map_or("yours", |l| l.class).into() } else { String::new() }),
                    (Paint::Dim, of.map_or("", |l| l.vendor).into()),
                    (Paint::Dim, of.map_or(String::new(), |l| l.year.to_string())),
                    (Paint::Bold, m.name().into()),
                    (Paint::Plain, tiers.join(", ")),
                    (Paint::Plain, m.title().into()),
                ]);
            }
            let groups = Model::groups().join(", ");
            let hint = format!(
                "\nGroups for `--models`: {groups}; patterns such as 'nv*' too.\n`parallax models NAME` prints every field with \
                 its source; `--diff A B` what differs.\n"
            );
            format!("{}{}", table.print(term, ""), term.paint(Paint::Dim, &hint))
        }
    }
}

fn show(model: &Model, format: Format, term: &Term) -> String {
    let entries = model.entries();
    let value = |e: &parallax_num::Entry| {
        json!({
            "model": model.label(), "field": e.field, "scope": e.scope.to_string(), "value": e.value,
            "tier": e.tier.name(), "source": e.source, "set_by": e.model,
        })
    };
    match format {
        Format::Json => pretty(&json!({
            "name": model.name(), "label": model.label(), "title": model.title(), "about": model.about(),
            "inherits": model.inherits(), "fields": entries.iter().map(value).collect::<Vec<_>>(),
        })),
        Format::Jsonl => lines(entries.iter().map(value)),
        Format::Csv => csv(
            &["field", "scope", "value", "tier", "source", "set_by"],
            entries.iter().map(|e| {
                let scope = e.scope.to_string();
                vec![e.field.into(), scope, e.value.clone(), e.tier.name().into(), e.source.clone(), e.model.clone()]
            }),
        ),
        Format::Human => {
            let mut table = Table::new(&["field", "value", "tier", "source", "scope"]);
            for e in &entries {
                let tier = match e.tier {
                    Tier::Exact | Tier::Measured => Paint::Green,
                    Tier::Bounded | Tier::Format => Paint::Plain,
                    Tier::Assumed => Paint::Dim,
                };
                table.row(vec![
                    (Paint::Bold, e.field.into()),
                    (Paint::Plain, e.value.clone()),
                    (tier, e.tier.name().into()),
                    (Paint::Dim, e.source.clone()),
                    (Paint::Plain, e.scope.to_string()),
                ]);
            }
            let heading = term.paint(Paint::Bold, &model.label());
            let parent = model.inherits().map(|p| format!(" (on top of {p})")).unwrap_or_default();
            format!("{heading}: {}{parent}\n{}\n\n{}", model.title(), model.about(), table.print(term, ""))
        }
    }
}

fn diff(a: &Model, b: &Model, format: Format, term: &Term) -> String {
    let differences = a.diff(b);
    let (la, lb) = (a.label(), b.label());
    let value = |d: &parallax_num::Difference| {
        json!({
            "field": d.field, "scope": d.scope.to_string(),
            "a": { "model": la, "value": d.a.0, "tier": d.a.1.name() },
            "b": { "model": lb, "value": d.b.0, "tier": d.b.1.name() },
        })
    };
    match format {
        Format::Json => pretty(&differences.iter().map(value).collect()),
        Format::Jsonl => lines(differences.iter().map(value)),
        Format::Csv => csv(
            &["field", "scope", "a", "a_tier", "b", "b_tier"],
            differences.iter().map(|d| {
                let (a, b) = (d.a.clone(), d.b.clone());
                vec![d.field.into(), d.scope.to_string(), a.0, a.1.name().into(), b.0, b.1.name().into()]
            }),
        ),
        Format::Human if differences.is_empty() => format!("{la} and {lb} compute the same\n"),
        Format::Human => {
            let mut table = Table::new(&["field", &la, "tier", &lb, "tier", "scope"]);
            for d in &differences {
                table.row(vec![
                    (Paint::Bold, d.field.into()),
                    (Paint::Plain, d.a.0.clone()),
                    (Paint::Dim, d.a.1.name().into()),
                    (Paint::Plain, d.b.0.clone()),
                    (Paint::Dim, d.b.1.name().into()),
                    // Lists of operations are long: last, where they push nothing aside.
                    (Paint::Plain, d.scope.to_string()),
                ]);
            }
            table.print(term, "")
        }
    }
}

/// One JSON document.
pub(crate) fn pretty(value: &serde_json::Value) -> String {
    clean_json(format!("{value:#}\n"))
}

/// One JSON object per line.
pub(crate) fn lines(values: impl Iterator<Item = serde_json::Value>) -> String {
    clean_json(values.map(|v| format!("{v}\n")).collect())
}

/// Comma-separated values; fields are quoted where they must be.
pub(crate) fn csv(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let field = |text: &str| {
        let text = cell(text);
        if text.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.into_owned()
        }
    };
    let line = |cells: &mut dyn Iterator<Item = &str>| cells.map(field).collect::<Vec<_>>().join(",") + "\n";
    let mut out = line(&mut header.iter().copied());
    for row in rows {
        out.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    out
}
