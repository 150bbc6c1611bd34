//! `parallax translate`: a shader as a module for other engines, with the model's bits, or as a program of another instruction set.

#[cfg(feature = "vulkan")]
mod check;
mod program;

use crate::args::{ArithmeticArg, ConstantsArg, TranslateArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, draw_problems, models, reading};
use crate::registry::Registry;
use crate::term::{Term, is_stdout, write_to};
use parallax::{Engine, Optimise};
use parallax_core::{AttrSemantic, Interp, Location, verify};
use parallax_spirv_out::{Interface, Options, Translation, translate};
use parallax_step::Programs;
use serde_json::{Value, json};
use std::io::{self, IsTerminal};
use std::path::Path;

pub(crate) fn run(args: &TranslateArgs, term: &Term) -> Result<Exit, Failure> {
    if let Some(name) = args.to.target() {
        return program::run(args, name, term);
    }
    if args.manifest_out.is_some() {
        return Err(Failure::invalid("--manifest-out is for instruction sets; --interface says what a module reads"));
    }
    let [file] = &args.files[..] else {
        return Err(Failure::invalid("a module is made of one file; several are for instruction sets (--to tgsi)"));
    };
    if args.arithmetic != ArithmeticArg::Faithful {
        let message = "--arithmetic: the device's own float instructions are not written yet; `faithful` is";
        return Err(Failure::Stop(Exit::Unsupported, message.to_string()));
    }
    if let Some(name) = args.to.text_name() {
        let message = format!(
            "--to {name}: texts are not written yet; translate to SPIR-V and let naga make one: `naga shader.spv shader.{}`",
            args.to.extension()
        );
        return Err(Failure::Stop(Exit::Unsupported, message));
    }
    if args.check && cfg!(not(feature = "vulkan")) {
        let message = "--check: this parallax was built without the feature `vulkan`";
        return Err(Failure::Stop(Exit::Unsupported, message.to_string()));
    }
    let stdout = Path::new("-");
    let output = args.output.as_deref().or((!args.check).then_some(stdout));
    if output.is_some_and(is_stdout) && io::stdout().is_terminal() && !args.force {
        return Err(Failure::invalid("not writing binary data to the terminal; use -o FILE or --force"));
    }
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote)?;
    let program = Program::load(&Input::one(file)?, &reading(&args.source)?);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Ok(Exit::Internal) };
    let model = registry.model(args.model.as_deref().unwrap_or(loaded.model), "--model")?;
    let compiled = parallax::compile(shader, &model, Optimise::Yes, Engine::Interp)
        .map_err(|found| program.problems(found.diags))?;
    let constants_in_storage = args.constants == ConstantsArg::Storage;
    let options = Options { flag_inexact: args.flag_inexact, constants_in_storage };
    let made = verify(&compiled.shader).and_then(|shader| translate(shader, &mut Programs::default(), options));
    let made = match made {
        Ok(made) => made,
        Err(diags) => {
            draw_problems(&program.name, program.text(), &diags, term);
            return Ok(parallax::Status::of(&diags).into());
        }
    };
    if let Some(output) = output {
        let bytes: Vec<u8> = made.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        write_to(output, &bytes)?;
    }
    if let Some(path) = &args.interface {
        let listing = listing(&made, compiled.model());
        write_to(path, format!("{listing:#}\n").as_bytes())?;
    }
    term.note(&summary(&program.name, &made, compiled.model()));
    #[cfg(feature = "vulkan")]
    if args.check {
        return check::run(args, &program, &compiled, &model, &made, term);
    }
    Ok(Exit::Done)
}

/// One line on what was made.
fn summary(name: &str, made: &Translation, model: &str) -> String {
    let figures = made.figures;
    let mut text = format!(
        "{name} under {model}: {} words, {} functions; {} operations are decided by a second program where the first is open",
        made.words.len(),
        figures.routines,
        figures.second
    );
    if figures.inexact > 0 {
        text += &format!("; lanes of {} operations are counted where they are not exact", figures.inexact);
    }
    text
}

/// What lies where.
fn listing(made: &Translation, model: &str) -> Value {
    let Interface { inputs, banks, textures, outputs, counter } = &made.interface;
    let inputs: Vec<Value> = inputs
        .iter()
        .map(|input| {
            json!({
                "name": input.name,
                "location": input.location,
                "semantic": semantic(input.semantic),
                "interpolation": interpolation(input.interp),
                "at": place(input.at),
            })
        })
        .collect();
    let banks: Vec<Value> = banks
        .iter()
        .map(|bank| json!({ "name": bank.name, "set": bank.set, "binding": bank.binding, "vectors": bank.vectors, "buffer": if bank.in_storage { "storage" } else { "uniform" } }))
        .collect();
    let textures: Vec<Value> = textures
        .iter()
        .map(|texture| {
            json!({
                "unit": texture.unit,
                "shape": texture.target.name(),
                "set": texture.set,
                "image": texture.image,
                "sampler": texture.sampler,
            })
        })
        .collect();
    let outputs: Vec<Value> =
        outputs.iter().map(|output| json!({ "name": output.name, "location": output.location })).collect();
    json!({
        "model": model,
        "arithmetic": "faithful",
        "entry": "main",
        "inputs": inputs,
        "constants": banks,
        "textures": textures,
        "outputs": outputs,
        "inexact": counter.map(|(set, binding)| json!({ "set": set, "binding": binding })),
        "figures": {
            "words": made.words.len(),
            "primitives": made.figures.primitives,
            "functions": made.figures.routines,
            "second_programs": made.figures.second,
            "counted_operations": made.figures.inexact,
        },
    })
}

fn semantic(semantic: AttrSemantic) -> String {
    match semantic {
        AttrSemantic::Position => "position".to_string(),
        AttrSemantic::Color(n) => format!("color {n}"),
        AttrSemantic::Fog => "fog".to_string(),
        AttrSemantic::TexCoord(n) => format!("texcoord {n}"),
        AttrSemantic::Generic(n) => format!("generic {n}"),
        AttrSemantic::Face => "face".to_string(),
        AttrSemantic::PointCoord => "point_coord".to_string(),
        AttrSemantic::Preset => "preset".to_string(),
    }
}

const fn place(at: Location) -> &'static str {
    match at {
        Location::Center => "center",
        Location::Centroid => "centroid",
        Location::Sample => "sample",
    }
}

const fn interpolation(interp: Interp) -> &'static str {
    match interp {
        Interp::Perspective => "perspective",
        Interp::Linear => "linear",
        Interp::Flat => "flat",
        Interp::Color => "color",
        Interp::OverW => "over_w",
    }
}
