//! `parallax dis` and `parallax as`: machine words to text and back.

use crate::args::{AsArgs, DisArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::language::{Refusal, Translator};
use crate::load::draw_problems;
use crate::term::{Term, write_to};
use parallax::{
    Engine, FRONTENDS, Frontend, Labelled, Layout, LayoutRequest, LoadOptions, Machine, Problems, Resolved, Source,
    Status,
};
use parallax_text::Diag;
use std::io::{self, IsTerminal};
use std::path::Path;

/// The instruction set with machine words, if there is one only.
fn only() -> Option<&'static Frontend> {
    let mut all = FRONTENDS.iter().copied().filter(|f| f.machine.is_some());
    all.next().filter(|_| all.next().is_none())
}

/// Names of the instruction sets with machine words.
fn known() -> String {
    FRONTENDS.iter().filter(|f| f.machine.is_some()).map(|f| f.name).collect::<Vec<_>>().join(", ")
}

/// `--from`, as far as there is such an instruction set, and `--order`.
fn options(from: Option<&str>, order: Option<&str>) -> Result<LoadOptions, Failure> {
    match from {
        Some(isa) if parallax::frontend(isa).is_none() => {
            Err(Failure::invalid(format_args!("--from {isa}: unknown instruction set; expected {}", known())))
        }
        _ => {
            let layout = LayoutRequest { order: order.map(str::to_string), ..LayoutRequest::default() };
            Ok(LoadOptions { isa: from.map(str::to_string), layout, ..LoadOptions::default() })
        }
    }
}

/// The machine words of an instruction set.
fn machine(frontend: &Frontend) -> Result<Machine, Failure> {
    frontend.machine.ok_or_else(|| {
        Failure::Stop(Exit::Unsupported, format!("{} has no machine words; these have: {}", frontend.name, known()))
    })
}

/// How words lie, as far as the instruction set has such an order.
fn layout(resolved: &Resolved<'_>) -> Result<Layout, Failure> {
    resolved.layout.of(resolved.frontend).map_err(|diag| {
        let help: String = diag.help.iter().map(|line| format!("; {line}")).collect();
        Failure::invalid(format_args!("--order: {}{help}", diag.message))
    })
}

fn source(input: &Input) -> Result<&Source, Failure> {
    input.source.as_ref().map_err(|e| Failure::invalid(format_args!("{}: {e}", input.name)))
}

fn refuse(input: &Input, diags: &[Diag]) -> Failure {
    Problems::new(&input.name, "", diags.to_vec()).into()
}

/// What a frontend reads of an input, and how it lies.
fn resolve<'a>(input: &'a Input, source: &'a Source, options: &'a LoadOptions) -> Result<Resolved<'a>, Failure> {
    if source.diags().iter().any(Diag::is_error) {
        return Err(refuse(input, source.diags()));
    }
    source.resolve(options).map_err(|diag| match diag.code {
        "engine-unrecognised" | "engine-empty" => {
            let name = &input.name;
            Failure::invalid(format_args!("{name}: not recognised; name the instruction set: --from {}", known()))
        }
        _ => refuse(input, &[diag]),
    })
}

pub(crate) fn dis(args: &DisArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    if args.native {
        return super::lift::native(args, engine.level(), term);
    }
    let input = Input::one(&args.file)?;
    let options = options(args.from.as_deref(), args.order.as_deref())?;
    let translated = Translator::new(args.compiler.clone()).translate(&input, &options);
    let source = match translated.as_deref() {
        None => source(&input)?,
        Some(Ok(translation)) => &translation.source,
        Some(Err(Refusal { text, diags })) => {
            let problems = Problems { name: input.name.clone(), text: text.clone(), diags: diags.clone() };
            return Err(problems.into());
        }
    };
    let resolved = resolve(&input, source, &options)?;
    let (machine, bytes) = (machine(resolved.frontend)?, &*resolved.bytes);
    let layout = layout(&resolved)?;
    if !bytes.is_empty() && (machine.is_text)(bytes) {
        let name = &input.name;
        return Err(Failure::invalid(format_args!(
            "{name}: this is text, not machine words; `parallax as` assembles it"
        )));
    }
    let mut out = String::new();
    let mut diags = source.diags().to_vec();
    // The vendor's own tools print jumps as numbers.
    let entries = match args.vendor {
        false => machine.list_plain.filter(|_| !args.exact).unwrap_or(machine.list_labels)(bytes, &layout),
        true => {
            let lines = (machine.list)(bytes, &layout, false);
            // The same instructions, behind the lines of a header.
            let places: Vec<_> = (machine.list_labels)(bytes, &layout).into_iter().map(|entry| entry.bytes).collect();
            let header = places.len().saturating_sub(lines.len());
            let place = |n: usize| places.get(header + n).cloned().unwrap_or_default();
            let entry = |(n, line)| Labelled { label: None, bytes: place(n), line };
            lines.into_iter().enumerate().map(entry).collect()
        }
    };
    for Labelled { label, bytes: place, line } in entries {
        out.extend(label.into_iter().flat_map(|label| [label, ":\n".to_string()]));
        let (text, problem) = match line {
            Ok(text) => (text, None),
            Err((text, diag)) => (text, Some(diag)),
        };
        out.push_str(&text);
        if args.offsets {
            let word: String = bytes[place.clone()].iter().map(|b| format!("{b:02x}")).collect();
            out.push_str(&format!(" // {:04x}: {word}", place.start));
        }
        if let Some(diag) = problem {
            let at = diag.span.map_or(0, |s| s.start);
            out.push_str(&format!(" // byte {at}: {}", diag.message));
            diags.push(*diag);
        }
        out.push('\n');
    }
    write_to(&args.output, out.as_bytes())?;
    draw_problems(&input.name, "", &diags, term);
    Ok(Exit::from(Status::of(&diags)))
}

pub(crate) fn assemble(args: &AsArgs, term: &Term) -> Result<Exit, Failure> {
    let input = Input::one(&args.file)?;
    let mut options = options(args.from.as_deref(), args.order.as_deref())?;
    let source = source(&input)?;
    // A text with too many errors to be recognised gets them told.
    let failure = source.resolve(&options).err();
    let unknown = failure.is_some_and(|diag| matches!(diag.code, "engine-unrecognised" | "engine-empty"));
    if let Some(only) = only().filter(|f| unknown && f.machine.is_some_and(|m| (m.is_text)(source.bytes()))) {
        options.isa = Some(only.name.to_string());
    }
    let resolved = resolve(&input, source, &options)?;
    let (machine, bytes) = (machine(resolved.frontend)?, &*resolved.bytes);
    if !(machine.is_text)(bytes) {
        let name = &input.name;
        return Err(Failure::invalid(format_args!("{name}: this is not text; `parallax dis` lists machine words")));
    }
    let text = match parallax::utf8(bytes) {
        Ok(text) => text,
        Err(diag) => return Err(Problems::new(&input.name, String::from_utf8_lossy(bytes), vec![*diag]).into()),
    };
    let (words, diags) = (machine.assemble)(text, &layout(&resolved)?, true);
    draw_problems(&input.name, text, &diags, term);
    let Some(words) = words else { return Ok(Exit::from(Status::of(&diags))) };
    if args.hex {
        let line = |word: &[u8]| word.iter().map(|b| format!("{b:02x}")).collect::<String>() + "\n";
        let text: String = words.chunks(16).map(line).collect();
        write_to(&args.output, text.as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.output == Path::new("-") && io::stdout().is_terminal() && !args.force {
        return Err(Failure::invalid("not writing binary data to the terminal; use -o FILE, --hex or --force"));
    }
    write_to(&args.output, &words)?;
    Ok(Exit::Done)
}
