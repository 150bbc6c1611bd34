//! The parallax command: argument parsing, printing, exit codes. Everything it does is a call to a library below it.

mod args;
mod draw;
mod eval;
mod exit;
mod input;
mod language;
mod load;
mod registry;
mod signal;
mod term;
mod verbs;

use args::{Cli, EngineArg, Verb};
use clap::Parser;
use exit::{Exit, Failure};
use parallax::{Engine, Level, Status};
use std::io::{self, Write};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use term::Term;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(said) => return leave(&said),
    };
    let term = Term::new(cli.color, cli.quiet);
    let result = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let engine = choose(&cli, &term)?;
        run(&cli.verb, engine, &term)
    }));
    let exit = match result {
        Ok(Ok(exit)) => exit,
        Ok(Err(Failure::Silent(exit))) => exit,
        Ok(Err(Failure::Stop(exit, message))) => {
            term.fatal(&message);
            exit
        }
        Ok(Err(Failure::Problems(problems))) => {
            load::draw_problems(&problems.name, &problems.text, &problems.diags, &term);
            Status::of(&problems.diags).into()
        }
        Ok(Err(Failure::Typed(problems))) => {
            let origin = draw::Origin::text(&problems.name, &problems.text);
            term.error_text(&draw::draw_all(&problems.diags, &origin, term.colour_err));
            Exit::Invalid
        }
        // Whoever reads standard output has seen enough.
        Ok(Err(Failure::Pipe)) => Exit::Done,
        Err(_) => {
            term.fatal("this is a bug in parallax; please report it with the command and its input");
            Exit::Internal
        }
    };
    ExitCode::from(exit as u8)
}

/// Says which engine executes. Machine code pays off over many fragments: who asks for single quads gets the interpreter.
fn choose(cli: &Cli, term: &Term) -> Result<Engine, Failure> {
    let engine = match cli.engine {
        EngineArg::Auto if matches!(cli.verb, Verb::Eval(_) | Verb::Explain(_)) => Engine::Interp,
        EngineArg::Auto => Engine::Auto,
        EngineArg::Interp => Engine::Interp,
        EngineArg::Jit => Engine::Jit,
        EngineArg::JitAvx2 => Engine::JitAvx2,
        EngineArg::JitAvx512 => Engine::JitAvx512,
    };
    if let Some(note) = note_of_slowness(cli.engine, &cli.verb, Engine::has_machine_code()) {
        term.note(&note);
    }
    // Code is listed for processors that are not this one, too.
    let is_listing = matches!(&cli.verb, Verb::Dis(args) if args.native);
    if let Some(level) = engine.level().filter(|level| !level.is_supported() && !is_listing) {
        let message = format!(
            "--engine {engine}: this processor lacks {}; `--engine auto` uses what it has, with the same results",
            level.needs()
        );
        return Err(Failure::Stop(Exit::Unsupported, message));
    }
    Ok(engine)
}

/// What is said where the interpreter runs because the processor has no machine code.
fn note_of_slowness(engine: EngineArg, verb: &Verb, has_machine_code: bool) -> Option<String> {
    let asked = match (engine, verb) {
        (EngineArg::Jit, _) => "--engine jit: ",
        (EngineArg::Auto, Verb::Run(_) | Verb::Compare(_) | Verb::Identify(_) | Verb::Bench(_) | Verb::Sweep(_)) => "",
        _ => return None,
    };
    let needs = Level::Avx2.needs();
    (!has_machine_code)
        .then(|| format!("{asked}this processor lacks {needs}; the interpreter runs instead, with the same results"))
}

/// Usage errors leave with exit code 2, help and version with 0 if they could be printed.
fn leave(said: &clap::Error) -> ExitCode {
    // The library leaves some control characters of what was typed.
    let printed = match std::env::args_os().any(|word| word.to_string_lossy().contains(char::is_control)) {
        true if said.use_stderr() => writeln!(io::stderr(), "{}", term::shown(&said.render().to_string()).trim_end()),
        _ => said.print(),
    };
    match printed.and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Term::new(args::ColorArg::Auto, false).fatal(&format!("cannot write standard output: {error}"));
            ExitCode::from(Exit::Invalid as u8)
        }
        _ => ExitCode::from(u8::try_from(said.exit_code()).unwrap_or(Exit::Invalid as u8)),
    }
}

fn run(verb: &Verb, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    match verb {
        Verb::Info(args) => verbs::info::run(args, term),
        Verb::Check(args) => verbs::check::run(args, term),
        Verb::Lift(args) => verbs::lift::run(args, term),
        Verb::Translate(args) => verbs::translate::run(args, term),
        Verb::Dis(args) => verbs::machine::dis(args, engine, term),
        Verb::As(args) => verbs::machine::assemble(args, term),
        Verb::Run(args) => verbs::run::run(args, engine, term),
        Verb::Compare(args) => verbs::compare::run(args, engine, term),
        Verb::Explain(args) => verbs::explain::run(args, engine, term),
        Verb::Identify(args) => verbs::identify::run(args, engine, term),
        Verb::Bench(args) => verbs::bench::run(args, engine, term),
        Verb::Models(args) => verbs::models::run(args, term),
        Verb::Sweep(args) => verbs::sweep::run(args, engine, term),
        Verb::Isas(args) => verbs::isas::run(args, term),
        Verb::Eval(args) => eval::run(args, engine, term),
        Verb::Manifest(args) => verbs::manifest::run(args, term),
        Verb::Man(args) => verbs::completions::man(args),
        Verb::Completions(args) => verbs::completions::run(args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_without_machine_code_is_named_once() {
        let note = |line: &str, has_machine_code: bool| {
            let cli = Cli::try_parse_from(line.split(' ')).expect("a command line");
            note_of_slowness(cli.engine, &cli.verb, has_machine_code)
        };
        let said = note("parallax compare", false).expect("a note");
        assert!(said.starts_with("this processor lacks AVX2") && said.ends_with("with the same results"), "{said}");
        assert!(note("parallax eval --engine jit", false).expect("a note").starts_with("--engine jit: this"));
        for line in ["parallax run x.tgsi --engine interp", "parallax eval", "parallax models"] {
            assert_eq!(note(line, false), None, "{line}");
        }
        assert_eq!(note("parallax compare --engine jit", true), None);
    }
}
