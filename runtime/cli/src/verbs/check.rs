//! `parallax check`: validation with all problems.

use super::models::{csv, lines, pretty};
use crate::args::{CheckArgs, Format};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, diag_json, reading};
use crate::term::{Paint, Term, print};
use parallax::Status;
use parallax_text::LineMap;
use serde_json::{Value, json};

pub(crate) fn run(args: &CheckArgs, term: &Term) -> Result<Exit, Failure> {
    let reading = reading(&args.source)?;
    let inputs = Input::all(&args.files, term);
    let mut exit = Exit::Done;
    let mut values = Vec::new();
    let mut rows = Vec::new();
    for input in &inputs {
        let mut program = Program::load(input, &reading);
        program.look_for_uninitialised(input);
        let status = program.status();
        exit = exit.worse(Exit::from(status));
        match args.format {
            Format::Human => {
                program.show(term);
                print(&line(&program, status, term))?;
            }
            Format::Jsonl => print(&lines(std::iter::once(value(&program, status))))?,
            Format::Json => values.push(value(&program, status)),
            Format::Csv => {
                let map = LineMap::new(program.text());
                rows.extend(program.diags.iter().map(|d| {
                    let d = diag_json(d, program.text(), &map);
                    let field = |key: &str| match &d[key] {
                        Value::Null => String::new(),
                        Value::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    let mut row = vec![program.name.clone(), status.name().to_string()];
                    row.extend(["line", "column", "severity", "kind", "code", "message"].map(field));
                    row
                }));
                if program.diags.is_empty() {
                    let mut row = vec![program.name.clone(), status.name().to_string()];
                    row.resize(8, String::new());
                    rows.push(row);
                }
            }
        }
    }
    match args.format {
        Format::Json => print(&pretty(&Value::Array(values)))?,
        Format::Csv => {
            let header = ["file", "status", "line", "column", "severity", "kind", "code", "message"];
            print(&csv(&header, rows.into_iter()))?;
        }
        Format::Human | Format::Jsonl => {}
    }
    Ok(exit)
}

fn line(program: &Program, status: Status, term: &Term) -> String {
    let errors = program.diags.iter().filter(|d| d.is_error()).count();
    let (paint, word) = match status {
        Status::Ok => (Paint::Green, "ok"),
        Status::Unsupported => (Paint::Yellow, "unsupported"),
        Status::Invalid => (Paint::Red, "invalid"),
        Status::Internal => (Paint::Red, "internal error"),
    };
    let what = match &program.loaded {
        Some(loaded) if status == Status::Ok => format!("{}, {} instructions", loaded.isa, loaded.instructions()),
        _ if errors == 1 => "1 error".into(),
        _ => format!("{errors} errors"),
    };
    format!("{}: {} ({what})\n", parallax_text::clean(&program.name), term.paint(paint, word))
}

fn value(program: &Program, status: Status) -> Value {
    let map = LineMap::new(program.text());
    let problems: Vec<Value> = program.diags.iter().map(|d| diag_json(d, program.text(), &map)).collect();
    json!({
        "file": program.name,
        "isa": program.loaded.as_ref().map_or("", |l| l.isa),
        "status": status.name(),
        "problems": problems,
    })
}
