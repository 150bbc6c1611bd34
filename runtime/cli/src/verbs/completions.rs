//! `parallax completions SHELL` and `parallax man`.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::{Exit, Failure};
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use parallax_num::{Decl, Model, Op};
use std::path::Path;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut known(Cli::command()), "parallax", &mut script);
    crate::term::write_to(Path::new("-"), &script)?;
    Ok(Exit::Done)
}

pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut page = command.clone();
    if let Some(verb) = &args.verb {
        let verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let Some(found) = command.find_subcommand(verb) else {
            let near = parallax_text::closest(verb, verbs.iter().copied());
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(Failure::invalid(format_args!("unknown command `{verb}`{hint}")));
        };
        page = found.clone().name(format!("parallax-{verb}")).version(env!("CARGO_PKG_VERSION"));
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(|e| Failure::Stop(Exit::Internal, e.to_string()))?;
    crate::term::write_to(Path::new("-"), &text)?;
    Ok(Exit::Done)
}

/// The command with what a shell can offer for its arguments: models and their groups, instruction sets, operations,
/// profiles, formats. Paths are offered by the shell itself. What may be typed beyond that, such as settings of a model, still may:
/// this is for scripts alone.
fn known(command: Command) -> Command {
    let models: Vec<&'static str> = Model::builtin_names().to_vec();
    let mut lists: Vec<String> = Model::groups();
    lists.extend(models.iter().map(|name| name.to_string()));
    lists.sort();
    lists.dedup();
    let sets: Vec<&'static str> = parallax::FRONTENDS.iter().map(|f| f.name).collect();
    let profiles: Vec<&'static str> = parallax::PROFILES.iter().map(|(name, _)| *name).collect();
    let mut operations: Vec<&'static str> = Op::ALL.iter().map(|row| row.name).collect();
    operations.push("merge");
    let formats: Vec<&'static str> = Decl::WITH_RULES.iter().map(|decl| decl.name()).collect();
    command.mut_subcommands(|verb| {
        let name = verb.get_name().to_string();
        verb.mut_args(|arg| {
            let values: Vec<String> = match (name.as_str(), arg.get_id().as_str()) {
                (_, "model" | "reference" | "against" | "diff") | ("models", "name") => owned(&models),
                (_, "models") => lists.clone(),
                (_, "from") | ("isas", "isa" | "name") => owned(&sets),
                (_, "profile") => owned(&profiles),
                ("sweep", "op") => owned(&operations),
                ("sweep", "float") | ("explain", "demote") => owned(&formats),
                _ => return arg,
            };
            arg.value_parser(PossibleValuesParser::new(values))
        })
    })
}

fn owned(names: &[&'static str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}
