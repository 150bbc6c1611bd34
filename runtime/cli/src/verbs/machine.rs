//! `parallax dis` and `parallax as`: machine words to text and back.

use crate::args::{AsArgs, DisArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::draw_problems;
use crate::term::{Term, write_to};
use parallax::{FRONTENDS, Frontend, Labelled, Layout, Machine};
use std::io::{self, IsTerminal};
use std::path::Path;

/// The instruction set with machine words, if there is one only.
fn only() -> Option<&'static Frontend> {
    let mut all = FRONTENDS.iter().filter(|f| f.machine.is_some());
    all.next().filter(|_| all.next().is_none())
}

/// What `--from` names, else what is recognised, else `default`.
fn machine(
    from: Option<&str>,
    name: &str,
    bytes: &[u8],
    default: Option<&'static Frontend>,
) -> Result<Machine, Failure> {
    let known = || FRONTENDS.iter().filter(|f| f.machine.is_some()).map(|f| f.name).collect::<Vec<_>>().join(", ");
    let frontend = match from {
        Some(isa) => parallax::frontend(isa)
            .ok_or_else(|| Failure::invalid(format_args!("--from {isa}: instruction sets are {}", known())))?,
        None => parallax::sniff(name, bytes).or(default).ok_or_else(|| {
            Failure::invalid(format_args!("{name}: not recognised; name the instruction set: --from {}", known()))
        })?,
    };
    frontend.machine.ok_or_else(|| {
        Failure::Stop(Exit::Unsupported, format!("{} has no machine words; those have: {}", frontend.name, known()))
    })
}

fn bytes(input: &Input) -> Result<&[u8], Failure> {
    input.bytes.as_deref().map_err(|e| Failure::invalid(format_args!("{}: {e}", input.name)))
}

pub(crate) fn dis(args: &DisArgs, term: &Term) -> Result<Exit, Failure> {
    let input = Input::read(&args.file);
    let bytes = bytes(&input)?;
    let machine = machine(args.from.as_deref(), &input.name, bytes, None)?;
    if !bytes.is_empty() && (machine.is_text)(bytes) {
        let name = &input.name;
        return Err(Failure::invalid(format_args!(
            "{name}: this is a text, not machine words; `parallax as` assembles it"
        )));
    }
    let mut out = String::new();
    let mut diags = Vec::new();
    let layout = Layout::default();
    // The vendor's own tools print jumps as numbers.
    let entries = match args.vendor {
        false => (machine.list_labels)(bytes, &layout),
        true => {
            let lines = (machine.list)(bytes, &layout, false).into_iter();
            lines.map(|line| Labelled { label: None, bytes: 0..0, line }).collect()
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
    Ok(if diags.is_empty() { Exit::Done } else { Exit::Invalid })
}

pub(crate) fn assemble(args: &AsArgs, term: &Term) -> Result<Exit, Failure> {
    let input = Input::read(&args.file);
    let bytes = bytes(&input)?;
    // A text with too many errors to be recognised gets them told.
    let default = only().filter(|f| f.machine.is_some_and(|m| (m.is_text)(bytes)));
    let machine = machine(args.from.as_deref(), &input.name, bytes, default)?;
    if !(machine.is_text)(bytes) {
        let name = &input.name;
        return Err(Failure::invalid(format_args!("{name}: this is no text; `parallax dis` lists machine words")));
    }
    let text = match parallax::utf8(bytes) {
        Ok(text) => text,
        Err(diag) => {
            draw_problems(&input.name, &String::from_utf8_lossy(bytes), &[*diag], term);
            return Ok(Exit::Invalid);
        }
    };
    let (words, diags) = (machine.assemble)(text, &Layout::default(), true);
    draw_problems(&input.name, text, &diags, term);
    let Some(words) = words else { return Ok(Exit::Invalid) };
    if args.hex {
        let line = |word: &[u8]| word.iter().map(|b| format!("{b:02x}")).collect::<String>() + "\n";
        let text: String = words.chunks(16).map(line).collect();
        write_to(&args.output, text.as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.output == Path::new("-") && io::stdout().is_terminal() && !args.force {
        return Err(Failure::invalid("binary data would go to the terminal; give -o FILE, --hex or --force"));
    }
    write_to(&args.output, &words)?;
    Ok(Exit::Done)
}
