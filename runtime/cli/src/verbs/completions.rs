//! `parallax completions SHELL`.

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Exit, Failure};
use clap::CommandFactory;
use std::path::Path;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "parallax", &mut script);
    crate::term::write_to(Path::new("-"), &script)?;
    Ok(Exit::Done)
}
