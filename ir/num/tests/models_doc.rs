//! Keeps the tables of `docs/models.md` equal to the code. `PARALLAX_BLESS=1` rewrites them.

use parallax_num::{Decl, Entry, Field, Model, Op, OpSet, Rewrite, Scope, Tier, Values};
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_tables_in_the_documentation_are_those_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models.md");
    let text = std::fs::read_to_string(&path).expect("docs/models.md");
    let parts = [("fields", fields()), ("rewrites", rewrites()), ("models", models())];
    let fresh = parts.iter().fold(text.clone(), |text, (name, part)| replaced(&text, name, part));
    if text != fresh && std::env::var_os("PARALLAX_BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("docs/models.md can be written");
        return;
    }
    let line = text.lines().zip(fresh.lines()).position(|(a, b)| a != b).map_or(0, |n| n + 1);
    assert!(text == fresh, "docs/models.md is out of date from line {line}; run this test with PARALLAX_BLESS=1");
}

/// `text` with the part after `<!-- generated: NAME -->` replaced.
fn replaced(text: &str, name: &str, part: &str) -> String {
    let start = format!("<!-- generated: {name} -->\n");
    let (head, rest) = text.split_once(&start).expect("start mark");
    let (_, tail) = rest.split_once("<!-- end -->").expect("end mark");
    format!("{head}{start}\n{part}\n<!-- end -->{tail}")
}

/// Text that may stand in a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*").replace('<', "&lt;")
}

fn fields() -> String {
    let mut out = String::from("| field | values | what it decides | operations |\n|---|---|---|---|\n");
    for field in Field::ALL {
        let values = match field.values {
            Values::Words(words) => words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", "),
            Values::Pattern(text, examples) => {
                format!(
                    "{}; for example {}",
                    cell(text),
                    examples.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
                )
            }
        };
        let ops: OpSet = Op::ALL.iter().map(|row| row.op).filter(|op| field.concerns(*op)).collect();
        let _ = writeln!(out, "| `{}` | {values} | {} | {} |", field.name, cell(field.doc), ops.names().join(" "));
    }
    out
}

fn rewrites() -> String {
    let mut out = String::from("| `driver` | what it does | source |\n|---|---|---|\n");
    for info in Rewrite::ALL {
        let _ = writeln!(out, "| `{}` | {} | {} |", info.name, cell(info.doc), cell(info.source));
    }
    out
}

/// Numbers of sources in order of appearance.
struct Sources(Vec<String>);

impl Sources {
    fn number(&mut self, source: &str) -> usize {
        if let Some(at) = self.0.iter().position(|s| s == source) {
            return at;
        }
        self.0.push(source.to_string());
        self.0.len() - 1
    }
}

const IEEE: &str = "definition of this model";

fn models() -> String {
    let mut sources = Sources(vec![IEEE.to_string()]);
    let mut out = String::new();
    let all: Vec<Model> = Model::builtins();
    let (first, second): (Vec<&Model>, Vec<&Model>) = all
        .iter()
        .partition(|m| matches!(m.name(), "ieee" | "binary64" | "nv-patent" | "nv20" | "nvfp" | "nv-arb" | "nv40"));
    let nv: Vec<&Model> =
        all.iter().filter(|m| matches!(m.name(), "nv-patent" | "nv20" | "nvfp" | "nv-arb" | "nv40")).collect();
    let half: Vec<&Model> = nv.iter().copied().chain(all.iter().filter(|m| m.name() == "rogue")).collect();
    out += "| model | inherits | what it is |\n|---|---|---|\n";
    for model in &all {
        let _ = writeln!(out, "| `{}` | {} | {} |", model.name(), model.inherits().unwrap_or("-"), model.title());
    }
    let mut section = |title: &str, decl: Decl, models: &[&Model], skip_equal_to: Option<Decl>| {
        let _ = write!(out, "\n### {title}\n\n| field |");
        for model in models {
            let _ = write!(out, " `{}` |", model.name());
        }
        let _ = writeln!(out, "\n|{}", "---|".repeat(models.len() + 1));
        let listings: Vec<Vec<Entry>> = models.iter().map(|m| m.entries()).collect();
        for field in Field::ALL {
            let at =
                |decl| -> Vec<String> { listings.iter().map(|l| entry_cell(l, field, decl, &mut sources)).collect() };
            let (cells, others) = {
                let mut at = at;
                let cells = at(decl);
                (cells, skip_equal_to.map(&mut at))
            };
            // Below the first tables only what somebody says.
            let silent = |c: &String| c.is_empty() || (decl != Decl::F32 && c.ends_with(" A0") && !c.contains(": "));
            if cells.iter().all(silent) || others.is_some_and(|o| o == cells) {
                continue;
            }
            let _ = writeln!(out, "| `{}` | {} |", field.name, cells.join(" | "));
        }
    };
    section("fp32: the definitions and the NV line", Decl::F32, &first, None);
    section("fp32: the others", Decl::F32, &second, None);
    section("half, where it differs from fp32", Decl::F16, &half, Some(Decl::F32));
    section("fx12, two's complement 2.10", Decl::Fx12, &nv, None);
    out += "\n### Sources\n\n";
    for (number, source) in sources.0.iter().enumerate() {
        let _ = writeln!(out, "{number}. {}", cell(source));
    }
    // Markdown would count from 1 without this.
    out.replace("\n0. ", "\n<!-- numbered from 0 -->\n0. ")
}

fn entry_cell(entries: &[Entry], field: &Field, decl: Decl, sources: &mut Sources) -> String {
    let own: Vec<&Entry> =
        entries.iter().filter(|e| e.field == field.name && e.scope.decls().any(|d| d == decl)).collect();
    let mut parts = Vec::new();
    for entry in &own {
        let tier = match entry.tier {
            Tier::Exact => 'E',
            Tier::Measured => 'M',
            Tier::Bounded => 'B',
            Tier::Format => 'F',
            Tier::Assumed => 'A',
        };
        let source =
            if entry.model == "ieee" && entry.source.starts_with("nothing published") { IEEE } else { &entry.source };
        let number = sources.number(source);
        let ops = match own.len() {
            1 => String::new(),
            _ => format!("{}: ", scope_ops(&entry.scope, field, decl, entries)),
        };
        parts.push(format!("{ops}{} {tier}{number}", cell(&entry.value)));
    }
    parts.join("<br>")
}

/// The operations of an entry among those of its field, shortest form.
fn scope_ops(scope: &Scope, field: &Field, decl: Decl, entries: &[Entry]) -> String {
    let names = scope.ops.names();
    let mut counts: Vec<usize> = entries
        .iter()
        .filter(|e| e.field == field.name && e.scope.decls().any(|d| d == decl))
        .map(|e| e.scope.ops.names().len())
        .collect();
    counts.sort_unstable();
    // The longest list is everything else.
    if counts.last() == Some(&names.len()) && names.len() > 4 { "others".to_string() } else { names.join(" ") }
}
