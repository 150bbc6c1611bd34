//! `translate --to spirv` and to languages: modules, and texts of them.

#[cfg(feature = "vulkan")]
use super::check;
use super::listing::{Made as Listed, listing};
use super::many::{Form, Made, Places, run as run_many};
use crate::args::{ArithmeticArg, AssumeArg, ConstantsArg, LanguageArg, LookupsArg, TranslateArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, Reading, draw_problems, models, reading};
use crate::registry::Registry;
use crate::term::{Term, write_to};
use parallax::{Compiled, Engine, Optimise};
use parallax_core::{AttrSemantic, OpKind, Stage, verify};
use parallax_spirv_out::{Arithmetic, Assume, Lookups, Options, Translation, Unit, locations, translate};
use parallax_step::Programs;
use parallax_texture::{Sampler, TexelFormat, Unit as Bound};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

pub(super) fn run(args: &TranslateArgs, term: &Term) -> Result<Exit, Failure> {
    if args.manifest_out.is_some() {
        return Err(Failure::invalid("--manifest-out is for instruction sets; --interface says what a module reads"));
    }
    if args.form.is_some() {
        return Err(Failure::invalid(
            "--form is for instruction sets; --to says whether a shader becomes a module or a text",
        ));
    }
    let unsupported = |message: String| Err(Failure::Stop(Exit::Unsupported, message));
    if let Some(name) = args.to.text_name() {
        if cfg!(not(feature = "texts")) {
            return unsupported(format!(
                "--to {name}: this parallax was built without the feature `texts`; build it with `--features texts`"
            ));
        }
        if !args.assume.is_empty() {
            return Err(Failure::invalid("--assume is for modules (--to spirv): no text can state it"));
        }
        if args.check && args.to != LanguageArg::Wgsl {
            return Err(Failure::invalid(
                "--check draws with modules and WGSL (--to spirv, --to wgsl); other texts need their compilers",
            ));
        }
        if args.check && cfg!(not(feature = "wgsl")) {
            return unsupported(
                "--check: this parallax was built without the feature `wgsl`, which reads the text; build it with `--features vulkan,texts,wgsl`".to_string(),
            );
        }
    }
    if args.check && cfg!(not(feature = "vulkan")) {
        return unsupported(
            "--check: this parallax was built without the feature `vulkan`; build it with `--features vulkan`"
                .to_string(),
        );
    }
    if args.picture.is_some() && (args.files.len() != 1 || args.files[0].is_dir()) {
        return Err(Failure::invalid("--picture is for one program"));
    }
    let reading = reading(&args.source)?;
    let next = args.next.as_deref().map(|path| next(path, &reading, term)).transpose()?.unwrap_or_default();
    let options = Options { next: &next, ..options(args)? };
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote)?;
    let mut programs = Programs::default();
    let form = Form {
        title: args.to.title(),
        extension: args.to.extension(),
        is_binary: args.to == LanguageArg::Spirv,
        beside: ("json", "--interface"),
    };
    run_many(args, &form, args.interface.as_deref(), term, |input, places| {
        one(args, options, input, &reading, &registry, &mut programs, places, term)
    })
}

/// What the fragment shader behind vertex shaders reads, and where its module does.
fn next(path: &Path, reading: &Reading, term: &Term) -> Result<Vec<(AttrSemantic, u32)>, Failure> {
    let program = Program::load(&Input::one(path)?, reading);
    let loaded = program.runnable(term)?;
    match loaded.shader.as_ref().map(|shader| &shader.func.iface) {
        Some(iface) if iface.stage == Stage::Fragment => Ok(locations(iface)),
        _ => Err(Failure::invalid(format_args!("--next: {} is no fragment shader", path.display()))),
    }
}

fn options(args: &TranslateArgs) -> Result<Options<'static>, Failure> {
    let assume = Assume {
        rte: args.assume.contains(&AssumeArg::Rte),
        denorm_preserve: args.assume.contains(&AssumeArg::DenormPreserve),
    };
    let arithmetic = match args.arithmetic {
        Some(ArithmeticArg::Faithful) => Arithmetic::Faithful,
        Some(ArithmeticArg::Native) => Arithmetic::Native,
        Some(ArithmeticArg::Mixed) if assume != Assume::ALL => {
            let message = "--arithmetic mixed is for devices that promise something: --assume rte,denorm-preserve";
            return Err(Failure::invalid(message));
        }
        None if assume != Assume::ALL => Arithmetic::Faithful,
        Some(ArithmeticArg::Mixed) | None => Arithmetic::Mixed,
    };
    let constants_in_storage = args.constants == ConstantsArg::Storage;
    let flag_inexact = args.flag_inexact;
    Ok(Options { flag_inexact, constants_in_storage, arithmetic, assume, lookups: Lookups::Native, next: &[] })
}

#[expect(clippy::too_many_arguments, reason = "what the command says, and one program")]
fn one(
    args: &TranslateArgs,
    options: Options<'_>,
    input: &Input,
    reading: &Reading,
    registry: &Registry,
    programs: &mut Programs,
    places: Places<'_>,
    term: &Term,
) -> Result<Made, Failure> {
    let start = Instant::now();
    let program = Program::load(input, reading);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Ok(Made::none(String::new(), Exit::Internal)) };
    let model = registry.model(args.model.as_deref().unwrap_or(loaded.model), "--model")?;
    let compiled = parallax::compile(shader, &model, Optimise::Yes, Engine::Interp)
        .map_err(|found| program.problems(found.diags))?;
    let units = match args.lookups {
        LookupsArg::Native => Vec::new(),
        LookupsArg::Faithful => units(&program, &compiled)?,
    };
    let options = match args.lookups {
        LookupsArg::Native => options,
        LookupsArg::Faithful => Options { lookups: Lookups::Faithful(&units), ..options },
    };
    let translated = verify(&compiled.shader)
        .and_then(|shader| translate(shader, programs, options))
        .and_then(|module| Ok((output(&module, args.to).map_err(|diag| vec![diag])?, module)));
    let took = start.elapsed();
    let (listed, module) = match translated {
        Ok(translated) => translated,
        Err(diags) => {
            draw_problems(&program.name, program.text(), &diags, term);
            let line = format!("{} under {}: no translation", program.name, compiled.model());
            return Ok(Made::none(line, parallax::Status::of(&diags).into()));
        }
    };
    if let Some(output) = places.output {
        write_to(output, &listed.bytes)?;
    }
    if let Some(path) = places.beside {
        let listing = listing(&module, &listed, args.to, compiled.model());
        write_to(path, format!("{listing:#}\n").as_bytes())?;
    }
    let mut line = summary(&program.name, &module, compiled.model());
    if args.to != LanguageArg::Spirv {
        line += &format!("; {} bytes of {}", listed.bytes.len(), args.to.title());
    }
    #[cfg(feature = "vulkan")]
    let exit = match args.check {
        true => {
            let module = drawn(module, &listed, args.to)?;
            check::run(args, &program, &compiled, &model, &module, &mut line, term)?
        }
        false => Exit::Done,
    };
    #[cfg(not(feature = "vulkan"))]
    let exit = Exit::Done;
    Ok(Made { line, exit, bytes: listed.bytes.len(), took })
}

/// The module that is drawn: of a text the one that a compiler makes of it.
#[cfg(feature = "vulkan")]
fn drawn(module: Translation, listed: &Listed, to: LanguageArg) -> Result<Translation, Failure> {
    #[cfg(feature = "wgsl")]
    if to == LanguageArg::Wgsl {
        let text = String::from_utf8_lossy(&listed.bytes);
        let words = crate::language::words_of_wgsl(&text)
            .map_err(|message| Failure::Stop(Exit::Internal, format!("--check: naga refuses the text: {message}")))?;
        return Ok(Translation { words, interface: listed.interface.clone(), ..module });
    }
    let _ = (listed, to);
    Ok(module)
}

/// What the manifest says of texture units that the program has.
fn units(program: &Program, compiled: &Compiled) -> Result<Vec<(u16, Unit)>, Failure> {
    let func = &compiled.shader.func;
    let mut numbers = BTreeSet::new();
    func.walk(|_, op| {
        if let OpKind::Tex(tex) = func.ops[op].kind {
            numbers.insert(tex.unit);
        }
    });
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let (draw, _) = program.draw()?;
    let unit = |number: u16| match draw.textures.get(number)? {
        Bound::Constant(_) => Some((number, Unit { format: TexelFormat::Rgba32F, sampler: Sampler::default() })),
        Bound::Image { image, sampler } => Some((number, Unit { format: image.format(), sampler: *sampler })),
    };
    Ok(numbers.into_iter().filter_map(unit).collect())
}

/// What is written: the module, or its text.
#[cfg(feature = "texts")]
fn output(module: &Translation, to: LanguageArg) -> Result<Listed, parallax_text::Diag> {
    use parallax_spirv_out::{Language, text};
    let language = match to {
        LanguageArg::Wgsl => Language::Wgsl,
        LanguageArg::Glsl => Language::Glsl,
        LanguageArg::Hlsl => Language::Hlsl,
        LanguageArg::Msl => Language::Msl,
        _ => return Ok(Listed::module(module)),
    };
    let made = text(module, language)?;
    Ok(Listed {
        bytes: made.text.into_bytes(),
        entry: made.entry,
        interface: made.interface,
        sizes: made.sizes,
        samplers: made.samplers.map(|heap| [heap.samplers, heap.comparing, heap.numbers]),
    })
}

/// What is written: the module.
#[cfg(not(feature = "texts"))]
fn output(module: &Translation, _: LanguageArg) -> Result<Listed, parallax_text::Diag> {
    Ok(Listed::module(module))
}

/// One line on what was made.
fn summary(name: &str, made: &Translation, model: &str) -> String {
    let figures = made.figures;
    let mut text = format!("{name} under {model}: {} words, {} functions", made.words.len(), figures.routines);
    if figures.second > 0 {
        text += &format!("; {} operations are decided by a second program where the first is open", figures.second);
    }
    let host = &made.host;
    match host.arithmetic {
        Arithmetic::Faithful => {}
        Arithmetic::Mixed => text += &format!("; {} primitives are float instructions", host.operations),
        Arithmetic::Native => {
            text += &format!(
                "; {} operations are the device's, of which {} kinds may give other bits",
                host.operations,
                host.open.len()
            );
        }
    }
    if figures.inexact > 0 {
        text += &format!("; lanes of {} operations are counted where they are not exact", figures.inexact);
    }
    text
}
