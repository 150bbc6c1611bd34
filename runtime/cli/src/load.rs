//! From inputs to loaded shaders and draws, with problems as data.

use crate::args::SourceArgs;
use crate::draw::{Origin, draw_all};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::term::Term;
use parallax::{Draw, LoadOptions, Loaded, Problems, Status};
use parallax_num::Model;
use parallax_text::{Diag, LineMap};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The user's models.
pub(crate) fn models(files: &[PathBuf], term: &Term) -> Result<Vec<Model>, Failure> {
    let _ = (files, term);
    Ok(Vec::new())
}

/// `--from` and `--set` as the engine takes them.
pub(crate) fn options(args: &SourceArgs) -> Result<LoadOptions, Failure> {
    let mut options = LoadOptions { isa: args.from.clone(), ..LoadOptions::default() };
    for text in &args.settings {
        let Some((name, value)) = text.split_once('=') else {
            return Err(Failure::invalid(format_args!("--set {text}: expected NAME=VALUE")));
        };
        options.lift.settings.insert(name.trim().to_string(), value.trim().to_string());
    }
    if let Some(isa) = &options.isa
        && parallax::frontend(isa).is_none()
    {
        let known: Vec<&str> = parallax::FRONTENDS.iter().map(|f| f.name).collect();
        return Err(Failure::invalid(format_args!("--from {isa}: instruction sets are {}", known.join(", "))));
    }
    Ok(options)
}

/// A shader that was read, with its problems.
pub(crate) struct Program {
    /// Name as printed.
    pub(crate) name: String,
    /// What the engine made of it; `None` when the bytes could not be had.
    pub(crate) loaded: Option<Loaded>,
    /// All problems, those of reading the file included.
    pub(crate) diags: Vec<Diag>,
}

impl Program {
    /// Reads and lifts.
    pub(crate) fn load(input: &Input, options: &LoadOptions) -> Program {
        match &input.bytes {
            Ok(bytes) => {
                let loaded = parallax::load(&input.name, bytes, options);
                Program { name: input.name.clone(), diags: loaded.diags.clone(), loaded: Some(loaded) }
            }
            Err(error) => {
                let mut diag =
                    Diag::invalid("file", parallax_text::Span::default(), format!("cannot read it: {error}"));
                diag.span = None;
                Program { name: input.name.clone(), loaded: None, diags: vec![diag] }
            }
        }
    }

    /// Whether it can be run.
    pub(crate) fn status(&self) -> Status {
        Status::of(&self.diags)
    }

    /// The text problems are located in.
    pub(crate) fn text(&self) -> &str {
        self.loaded.as_ref().map_or("", |l| &l.text)
    }

    /// Draws all problems on standard error.
    pub(crate) fn draw(&self, term: &Term) {
        draw_problems(&self.name, self.text(), &self.diags, term);
    }

    /// The shader, or all problems drawn and the exit code they ask for.
    pub(crate) fn runnable(&self, term: &Term) -> Result<&Loaded, Failure> {
        self.draw(term);
        match (&self.loaded, self.status()) {
            (Some(loaded), Status::Ok) => Ok(loaded),
            (_, status) => Err(Failure::Silent(exit_of(status))),
        }
    }
}

/// Draws problems on standard error.
pub(crate) fn draw_problems(name: &str, text: &str, diags: &[Diag], term: &Term) {
    if !diags.is_empty() {
        let origin = if text.is_empty() { Origin::binary(name) } else { Origin::text(name, text) };
        term.error_text(&draw_all(diags, &origin, term.colour_err));
    }
}

/// The exit code a status asks for.
pub(crate) fn exit_of(status: Status) -> Exit {
    match status {
        Status::Ok => Exit::Done,
        Status::Unsupported => Exit::Unsupported,
        Status::Invalid => Exit::Invalid,
        Status::Internal => Exit::Internal,
    }
}

/// A problem as JSON: code, kind, severity, message, help, and the place where there is one.
pub(crate) fn diag_json(diag: &Diag, text: &str, map: &LineMap) -> Value {
    let mut value = json!({
        "code": diag.code,
        "kind": diag.kind.name(),
        "severity": if diag.is_error() { "error" } else { "warning" },
        "message": diag.message,
        "help": diag.help,
    });
    if let (Some(span), Some(object)) = (diag.span, value.as_object_mut()) {
        if !text.is_empty() {
            let place = map.place(text, span.start);
            object.insert("line".into(), json!(place.line));
            object.insert("column".into(), json!(place.column));
        }
        object.insert("offset".into(), json!(span.start));
    }
    value
}

/// What is known about an effect.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    pub(crate) effect: String,
    pub(crate) title: String,
    pub(crate) about: String,
}

/// The manifest of an input: what is drawn, and what it is about.
pub(crate) fn draw_of(input: &Input, loaded: &Loaded) -> Result<(Draw, About), Problems> {
    let at_program = |diags| Problems::new(&input.name, &loaded.text, diags);
    let shader = loaded.shader.as_ref().ok_or_else(|| at_program(Vec::new()))?;
    let about = About { effect: effect_name(&input.name), ..About::default() };
    Ok((Draw::defaults(&shader.func.iface).map_err(at_program)?, about))
}

/// File name without folder and extension.
pub(crate) fn effect_name(name: &str) -> String {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_string()
}

/// `WxH` in pixels.
pub(crate) fn size(text: &str) -> Result<(u32, u32), Failure> {
    let parsed = text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let Some((width, height)) = parsed else {
        return Err(Failure::invalid(format_args!("--size {text}: expected WIDTHxHEIGHT, such as 640x480")));
    };
    match parallax::check_size(width, height) {
        None => Ok((width, height)),
        Some(diag) => {
            let help: String = diag.help.iter().map(|h| format!("; {h}")).collect();
            Err(Failure::invalid(format_args!("--size {text}: {}{help}", diag.message)))
        }
    }
}

/// Counts of ops by name, for summaries.
pub(crate) fn op_counts(func: &parallax_core::Func) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    func.walk(|_, op| {
        if let parallax_core::OpKind::Num(op) = func.ops[op].kind {
            *counts.entry(op.name().to_string()).or_insert(0) += 1;
        }
    });
    counts
}
