//! One program or many of them, and where their translations go.

use crate::args::TranslateArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::term::{Term, is_stdout, print};
use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What became of one program.
pub(super) struct Made {
    /// What there is to say of it, in a line or more.
    pub(super) line: String,
    pub(super) exit: Exit,
    /// How large the translation is.
    pub(super) bytes: usize,
    /// How long it took: reading the program, binding the model, translating.
    pub(super) took: Duration,
}

impl Made {
    /// A program without a translation.
    pub(super) fn none(line: String, exit: Exit) -> Made {
        Made { line, exit, bytes: 0, took: Duration::ZERO }
    }
}

/// What translations are, and what is written beside each.
pub(super) struct Form {
    pub(super) title: &'static str,
    pub(super) extension: &'static str,
    /// Whether it is no text.
    pub(super) is_binary: bool,
    /// The ending of the file beside, and the argument that names it for one program.
    pub(super) beside: (&'static str, &'static str),
}

/// Where a translation goes: itself, and what is written beside it.
#[derive(Copy, Clone)]
pub(super) struct Places<'a> {
    pub(super) output: Option<&'a Path>,
    pub(super) beside: Option<&'a Path>,
}

/// Translates the programs that the command names, each by `one`.
pub(super) fn run(
    args: &TranslateArgs,
    form: &Form,
    beside: Option<&Path>,
    term: &Term,
    mut one: impl FnMut(&Input, Places<'_>) -> Result<Made, Failure>,
) -> Result<Exit, Failure> {
    let is_one = args.files.len() == 1 && !args.files[0].is_dir();
    if is_one {
        let output = args.output.as_deref().or((!args.check).then_some(Path::new("-")));
        let to_stdout = output.is_some_and(is_stdout);
        if form.is_binary && to_stdout && io::stdout().is_terminal() && !args.force {
            return Err(Failure::invalid("not writing binary data to the terminal; use -o FILE or --force"));
        }
        let made = one(&Input::one(&args.files[0])?, Places { output, beside })?;
        // Standard output belongs to the translation where it is written there; what --check finds is the answer elsewhere.
        match to_stdout || !args.check {
            true => term.note(&made.line),
            false => print(&format!("{}\n", made.line))?,
        }
        return Ok(made.exit);
    }
    let (ending, argument) = form.beside;
    if beside.is_some() {
        return Err(Failure::invalid(format_args!("{argument} is for one file; a folder as -o gets those of all")));
    }
    let folder = args.output.as_deref();
    if folder.is_none() && !args.check {
        return Err(Failure::invalid("several files need a folder to write to: -o FOLDER"));
    }
    let inputs = Input::all(&args.files, term);
    let shared = shared(&inputs);
    let cancel = crate::signal::watch();
    let (mut exit, mut done, mut bytes) = (Exit::Done, 0, 0);
    let mut times: Vec<(Duration, &str)> = Vec::new();
    let mut written = HashSet::new();
    let start = Instant::now();
    for input in &inputs {
        // What was translated before stays, and is counted below.
        if cancel.load(Ordering::Relaxed) {
            exit = Exit::Interrupted;
            break;
        }
        let output = folder.map(|folder| place(folder, &input.name[shared..], form.extension));
        if let Some(output) = output.as_ref().filter(|output| !written.insert((*output).clone())) {
            print(&format!("{}: not written, since another program is {}\n", input.name, output.display()))?;
            exit = exit.worse(Exit::Invalid);
            continue;
        }
        let beside = output.as_ref().map(|output| output.with_extension(ending));
        if let Some(parent) = output.as_deref().and_then(Path::parent) {
            std::fs::create_dir_all(parent).map_err(|e| Failure::invalid(format_args!("{}: {e}", parent.display())))?;
        }
        // What fails does not keep the others from being tried.
        let made = match one(input, Places { output: output.as_deref(), beside: beside.as_deref() }) {
            Ok(made) => made,
            Err(Failure::Stop(exit, message)) => Made::none(format!("{}: {message}", input.name), exit),
            Err(Failure::Problems(problems)) => {
                let found = problems.diags.first().map_or("problems", |diag| &diag.message);
                Made::none(format!("{}: {found}", input.name), parallax::Status::of(&problems.diags).into())
            }
            Err(Failure::Silent(exit)) => Made::none(format!("{}: not read", input.name), exit),
            Err(other) => return Err(other),
        };
        if made.exit == Exit::Done {
            (done, bytes) = (done + 1, bytes + made.bytes);
            times.push((made.took, &input.name));
        }
        exit = exit.worse(made.exit);
        print(&format!("{}\n", made.line))?;
    }
    print(&format!("{done} of {} programs are {} now, {bytes} bytes\n", inputs.len(), form.title))?;
    if let Some((longest, name)) = times.iter().max() {
        let total: Duration = times.iter().map(|(took, _)| took).sum();
        let mean = total / times.len() as u32;
        // Times are no part of the answer, which is the same each time.
        term.note(&format!(
            "{:.2?} in all, {mean:.2?} for each translation; {name} took {longest:.2?}",
            start.elapsed()
        ));
    }
    Ok(exit)
}

/// How much of the names is a folder that all programs are in.
fn shared(inputs: &[Input]) -> usize {
    let Some(first) = inputs.first() else { return 0 };
    let folders = first.name.match_indices('/').map(|(at, _)| at + 1);
    folders.filter(|&at| inputs.iter().all(|input| input.name.starts_with(&first.name[..at]))).max().unwrap_or(0)
}

/// The file for a program: named as it, with the extension of its own set kept in the name.
fn place(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let stem: String = name.chars().map(|c| if c == ':' || c == '\\' { '_' } else { c }).collect();
    let stem = stem.trim_start_matches(['/', '.']).replace('.', "_");
    folder.join(format!("{stem}.{extension}"))
}
