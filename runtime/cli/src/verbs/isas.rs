//! `parallax isas`: what can be read.

use super::models::{csv, lines, pretty};
use crate::args::{Format, IsasArgs};
use crate::exit::{Exit, Failure};
use crate::input::{Input, Place};
use crate::load::draw_problems;
use crate::term::{Paint, Table, Term, print};
use parallax::{FRONTENDS, Layout, LoadOptions, Machine};
use serde_json::json;

/// Counts instruction forms in programs of the instruction set; texts are assembled. Programs of others are left out where
/// a folder or the corpus has them.
fn coverage(machine: &Machine, isa: &str, args: &IsasArgs, term: &Term) -> Result<Exit, Failure> {
    let options = LoadOptions::default();
    let mut binaries = Vec::new();
    let mut exit = Exit::Done;
    for input in Input::all(&args.programs, term) {
        let source = match &input.source {
            Ok(source) => source,
            Err(error) => {
                term.note(&format!("{}: {error}", input.name));
                exit = Exit::Invalid;
                continue;
            }
        };
        let Some(resolved) = source.resolve(&options).ok().filter(|resolved| resolved.frontend.name == isa) else {
            // Archives hold all kinds of things, as folders do.
            if source.path.is_empty() && args.programs.iter().any(|path| Place::Disk(path.clone()) == input.place) {
                term.note(&format!("{}: not a program of {isa}", input.name));
                exit = Exit::Invalid;
            }
            continue;
        };
        let bytes = &*resolved.bytes;
        if !(machine.is_text)(bytes) {
            binaries.push(bytes.to_vec());
            continue;
        }
        let text = String::from_utf8_lossy(bytes);
        let (words, diags) = (machine.assemble)(&text, &Layout::default(), false);
        if words.is_none() {
            draw_problems(&input.name, &text, &diags, term);
            exit = Exit::Invalid;
        }
        binaries.extend(words);
    }
    print(&(machine.coverage)(&binaries))?;
    Ok(exit)
}

pub(crate) fn run(args: &IsasArgs, term: &Term) -> Result<Exit, Failure> {
    if let Some(name) = &args.name {
        let known: Vec<&str> = FRONTENDS.iter().map(|f| f.name).collect();
        let frontend = parallax::frontend(name).ok_or_else(|| {
            Failure::invalid(format_args!("{name}: unknown instruction set; expected {}", known.join(", ")))
        })?;
        let Some(machine) = frontend.machine else {
            return Err(Failure::Stop(Exit::Unsupported, format!("{name} has no table of machine words to print")));
        };
        if args.coverage {
            return coverage(&machine, frontend.name, args, term);
        }
        print(&(machine.page)())?;
        return Ok(Exit::Done);
    }
    let values = || {
        FRONTENDS.iter().map(|f| {
            let settings: Vec<_> =
                f.settings.iter().map(|s| json!({ "name": s.name, "values": s.values, "about": s.doc })).collect();
            json!({
                "isa": f.name, "title": f.title, "extensions": f.extensions, "dialects": f.dialects,
                "options": settings,
            })
        })
    };
    let text = match args.format {
        Format::Json => pretty(&values().collect()),
        Format::Jsonl => lines(values()),
        Format::Csv => csv(
            &["isa", "title", "extensions", "dialects"],
            FRONTENDS.iter().map(|f| vec![f.name.into(), f.title.into(), f.extensions.join(" "), f.dialects.join(" ")]),
        ),
        Format::Human => {
            let mut table = Table::new(&["isa", "files", "dialects", "what it is"]);
            for f in FRONTENDS {
                table.row(vec![
                    (Paint::Bold, f.name.into()),
                    (Paint::Plain, f.extensions.iter().map(|e| format!(".{e}")).collect::<Vec<_>>().join(" ")),
                    (Paint::Plain, f.dialects.join(" ")),
                    (Paint::Plain, f.title.into()),
                ]);
            }
            let mut out = table.print(term, "");
            for f in FRONTENDS.iter().filter(|f| !f.settings.is_empty()) {
                out.push_str(&format!("\n{} options (--set NAME=VALUE, the default first):\n", f.name));
                let mut table = Table::new(&["name", "values", "meaning"]);
                for s in f.settings {
                    table.row(vec![
                        (Paint::Bold, s.name.into()),
                        (Paint::Plain, s.values.join(", ")),
                        (Paint::Plain, s.doc.into()),
                    ]);
                }
                out.push_str(&table.print(term, "  "));
            }
            out
        }
    };
    print(&text)?;
    Ok(Exit::Done)
}
