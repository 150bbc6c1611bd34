//! `parallax identify`: which model draws what another renderer drew.

use super::run::{pixel, workers};
use crate::args::IdentifyArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, models, reading};
use crate::registry::Registry;
use crate::term::{Paint, Table, Term, print};
use parallax::{Area, Capture, Control, Engine, Flip, Status, Targets};
use parallax_explain::identify::{Decides, Fit, Identified, Look, Tried, identify, is_interrupted};
use parallax_explain::{Explanation, words};
use parallax_report::words::percent;
use parallax_text::clean;
use serde_json::{Value, json};
use std::path::Path;

/// Models of one picture that are named.
const NAMED: usize = 4;

pub(crate) fn run(args: &IdentifyArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    let registry = Registry::new(models(&args.model_file, term)?, &[])?;
    let list = registry.list(Some(&args.models))?;
    let reading = reading(&args.source)?;
    if !(args.tolerance >= 0.0 && args.tolerance.is_finite()) {
        return Err(Failure::invalid(format_args!("--tolerance {}: expected steps of 1/255 from 0", args.tolerance)));
    }
    let capture = read(&args.capture, "--capture")?;
    let mask = args.mask.as_deref().map(|path| mask(path, &capture)).transpose()?;
    let capture = placed(args, &capture, Some(term))?;
    let mask = mask.map(|mask| placed(args, &mask, None)).transpose()?;
    workers(args.threads, term)?;
    let input = Input::one(&args.file)?;
    let program = Program::load(&input, &reading);
    let shader = program.loaded.as_ref().and_then(|loaded| loaded.shader.as_ref());
    let Some(shader) = shader.filter(|_| program.status() == Status::Ok) else {
        return Err(program.problems(program.diags.clone()).into());
    };
    let (mut draw, _) = program.draw()?;
    program.resize(&mut draw, (capture.width, capture.height));
    args.samples.apply(&mut draw.samples);
    program.note_default_inputs(term);
    let mut asked: Targets = draw.targets.clone();
    args.target.apply(&mut asked);
    let flips = match args.flip.as_str() {
        "auto" => vec![Flip::None, Flip::Vertical],
        name => Flip::ALL.into_iter().filter(|flip| flip.name() == name).collect(),
    };
    let tried = Tried {
        models: &list,
        drivers: !args.no_drivers,
        targets: asked.every.into_iter().collect(),
        flips,
        tolerance: args.tolerance,
        mask: mask.map(|mask| {
            (0..mask.height).flat_map(|y| (0..mask.width).map(move |x| (x, y))).map(|at| counts(&mask, at)).collect()
        }),
        engine,
        control: Control { cancel: Some(crate::signal::watch()), ..Control::default() },
    };
    let found = match identify(shader, &draw, &capture, &tried) {
        Ok(found) => found,
        Err(problems) if is_interrupted(&problems) => {
            term.note("interrupted: nothing was identified");
            return Ok(Exit::Interrupted);
        }
        Err(problems) => return Err(program.problems(problems.diags).into()),
    };
    let name = clean(&args.capture.display().to_string());
    print(&if args.json { lines(&program, &name, &found) } else { human(&name, &found, args.top, term) })?;
    Ok(if found.looks[0].fit.explains() { Exit::Done } else { Exit::CheckFailed })
}

fn read(path: &Path, option: &str) -> Result<Capture, Failure> {
    let name = clean(&path.display().to_string());
    Capture::read(path).map_err(|message| Failure::invalid(format_args!("{option} {name}: {message}")))
}

/// The mask, which has to be as large as the capture.
fn mask(path: &Path, capture: &Capture) -> Result<Capture, Failure> {
    let mask = read(path, "--mask")?;
    let size = |of: &Capture| format!("{}x{}", of.width, of.height);
    match (mask.width, mask.height) == (capture.width, capture.height) {
        true => Ok(mask),
        false => {
            let name = clean(&path.display().to_string());
            Err(Failure::invalid(format_args!("--mask {name}: is {}, the capture is {}", size(&mask), size(capture))))
        }
    }
}

fn counts(mask: &Capture, at: (u32, u32)) -> bool {
    mask.pixel(at).iter().take(3).any(|v| *v != 0.0)
}

/// The part that shows the shader, a pixel for a pixel.
fn placed(args: &IdentifyArgs, capture: &Capture, term: Option<&Term>) -> Result<Capture, Failure> {
    let cut = match &args.crop {
        None => capture.clone(),
        Some(text) => {
            let area = area(text)?;
            capture.crop(area).map_err(|message| Failure::invalid(format_args!("--crop {message}")))?
        }
    };
    let scaled = cut.reduced(args.scale);
    let (out, uneven) =
        scaled.map_err(|message| Failure::invalid(format_args!("--scale {}: {message}", args.scale)))?;
    if let Some(term) = term.filter(|_| uneven > 0) {
        term.warn(&format!(
            "{uneven} of {} blocks of {n}x{n} pixels have several colours; the pixel in the middle counts",
            out.width as usize * out.height as usize,
            n = args.scale
        ));
    }
    Ok(out)
}

/// `X,Y,WxH`.
fn area(text: &str) -> Result<Area, Failure> {
    let parsed = text.rsplit_once(',').and_then(|(place, size)| {
        let (x, y) = pixel(place).ok()?;
        let (width, height) = size.trim().split_once(['x', 'X'])?;
        Some(Area { x, y, width: width.parse().ok()?, height: height.parse().ok()? })
    });
    parsed.ok_or_else(|| {
        Failure::invalid(format_args!("--crop {text}: expected X,Y,WIDTHxHEIGHT, such as 10,20,640x480"))
    })
}

/// `97.2 % of pixels equal, the rest within 1/255`.
fn harm(fit: &Fit) -> String {
    let equal = format!("{} of pixels equal", percent(fit.equal, fit.pixels));
    match fit {
        fit if fit.equal == fit.pixels => "all pixels equal".into(),
        fit if fit.close == fit.pixels => format!("{equal}, the rest within 1/255"),
        fit => {
            let close = percent(fit.close, fit.pixels);
            format!("{equal}, {close} within 1/255, the rest by up to {}/255", words::value(fit.largest.round()))
        }
    }
}

/// How the picture is stored and turned over, where that is not plain.
fn way(look: &Look) -> String {
    let flip = match look.flip {
        Flip::None => String::new(),
        flip => format!(", flip {}", flip.name()),
    };
    format!("{}{flip}", look.target)
}

fn named(look: &Look, most: usize) -> String {
    let names: Vec<String> = look.models.iter().take(most).map(|name| clean(name)).collect();
    let more = look.models.len().saturating_sub(most);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

/// What tells the first from the next.
fn decided(found: &Explanation) -> String {
    let by_vertices =
        found.vertices.as_ref().is_some_and(|v| v.alone.error > 0.0 && v.alone.error >= 0.5 * found.whole.error);
    if by_vertices {
        return "the vertex program".into();
    }
    let around = found.around.iter().max_by(|a, b| a.alone.error.total_cmp(&b.alone.error));
    if let Some(most) = around.filter(|most| most.alone.error >= 0.5 * found.whole.error) {
        return format!("{} = {} instead of {}, around the shader", most.field, most.value, most.other);
    }
    let Some(first) = found.ranking.instructions.first() else {
        return format!("{} pixels, and no single instruction", found.whole.changed);
    };
    let place = match (first.place.index, first.place.line) {
        (None, _) => "the end".to_string(),
        (_, 0) => format!("byte {}", words::at(&first.place)),
        (_, line) => format!("line {line}"),
    };
    let field = first.fields.first().map_or(String::new(), |field| format!(", {}", words::field(field)));
    format!("{place}, {}{field}", clean(&first.place.text))
}

fn human(name: &str, found: &Identified, top: usize, term: &Term) -> String {
    let first = &found.looks[0];
    let mut out = String::new();
    if first.fit.explains() {
        let models = term.paint(Paint::Bold, &named(first, NAMED));
        out.push_str(&format!("{name}: {models} ({}): {}\n", way(first), harm(&first.fit)));
    } else {
        let said = term.paint(Paint::Bold, "no model explains it");
        out.push_str(&format!(
            "{name}: {said}; the closest is {} ({}): {}\n",
            named(first, NAMED),
            way(first),
            harm(&first.fit)
        ));
    }
    if let Some(unlike) = &found.unlike {
        let [(left, right), (upper, lower)] = [unlike.columns, unlike.rows];
        out.push_str(&format!(
            "  {} pixels are further away, in columns {left} to {right} and rows {upper} to {lower} of the draw\n",
            unlike.pixels
        ));
    }
    if found.undrawn > 0 {
        out.push_str(&format!("  {} pixels of the capture are not drawn and do not count\n", found.undrawn));
    }
    match &found.decides {
        Some(Decides { next, rules }) => {
            let second = &found.looks[*next];
            let rank = if *next == 1 { "second".to_string() } else { format!("number {}", next + 1) };
            let names = named(second, NAMED);
            out.push_str(&format!("  {rank} {names} ({}), told apart by {}\n", way(second), decided(rules)));
        }
        None => out.push_str("  all models draw this picture\n"),
    }
    let mut table = Table::new(&[">#", "models", "target", ">equal", ">within 1/255", ">largest"]);
    for (n, look) in found.looks.iter().take(top).enumerate() {
        let plain = |text: String| (Paint::Plain, text);
        table.row(vec![
            plain((n + 1).to_string()),
            plain(named(look, NAMED)),
            plain(way(look)),
            plain(percent(look.fit.equal, look.fit.pixels)),
            plain(percent(look.fit.close, look.fit.pixels)),
            plain(format!("{}/255", words::value(f64::from(look.fit.largest as f32)))),
        ]);
    }
    out.push_str(&table.print(term, "  "));
    let left = found.looks.len().saturating_sub(top);
    if left > 0 {
        out.push_str(&format!("  and {left} more pictures (--top {})\n", found.looks.len()));
    }
    for (model, why) in &found.failed {
        out.push_str(&format!("  no picture under {}: {}\n", clean(model), clean(why)));
    }
    out
}

fn lines(program: &Program, name: &str, found: &Identified) -> String {
    let mut out = String::new();
    for (n, look) in found.looks.iter().enumerate() {
        let fit = &look.fit;
        let mut line = json!({
            "schema": 1, "shader": program.name, "capture": name, "rank": n + 1, "models": look.models,
            "target": look.target.name(), "flip": look.flip.name(), "pixels": fit.pixels, "equal": fit.equal,
            "close": fit.close, "largest": fit.largest, "error": fit.error, "explains": fit.explains(),
        });
        if n == 0 {
            line["undrawn"] = json!(found.undrawn);
            line["unlike"] = found.unlike.as_ref().map_or(Value::Null, |unlike| {
                json!({"columns": [unlike.columns.0, unlike.columns.1], "rows": [unlike.rows.0, unlike.rows.1], "pixels": unlike.pixels})
            });
            line["decides"] = found.decides.as_ref().map_or(Value::Null, rules);
        }
        out.push_str(&line.to_string());
        out.push('\n');
    }
    out
}

fn rules(decides: &Decides) -> Value {
    let why = &decides.rules;
    let first = why.ranking.instructions.first();
    let field = first.and_then(|blame| blame.fields.first());
    json!({
        "rank": decides.next + 1, "model": why.model, "against": why.against,
        "line": first.map(|blame| blame.place.line), "offset": first.map(|blame| blame.place.offset),
        "text": first.map(|blame| &blame.place.text), "op": field.map(|field| field.op),
        "field": field.map(|field| field.field), "value": field.map(|field| &field.value), "other": field.map(|field| &field.other),
    })
}
