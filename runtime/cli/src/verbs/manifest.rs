//! `parallax manifest`: a manifest to start from.

use crate::args::ManifestArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, effect_name, reading};
use crate::term::{Term, is_stdout, write_to};
use parallax::{Draw, manifest_template};

pub(crate) fn run(args: &ManifestArgs, term: &Term) -> Result<Exit, Failure> {
    let reading = reading(&args.source)?;
    let program = Program::load(&Input::one(&args.file)?, &reading);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Err(Failure::Silent(Exit::from(program.status()))) };
    let iface = &shader.func.iface;
    let draw = Draw::defaults(iface).map_err(|found| program.problems(found.diags))?;
    if !is_stdout(&args.output) && args.output.exists() && !args.force {
        let path = args.output.display();
        return Err(Failure::invalid(format_args!("`{path}` is there already; --force writes over it")));
    }
    let text = manifest_template(iface, &draw, &effect_name(&program.name), &reading.options().lift.settings);
    write_to(&args.output, text.as_bytes())?;
    Ok(Exit::Done)
}
