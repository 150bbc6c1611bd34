//! `translate --check`: the module on the Vulkan device that is present against the engine.

use crate::args::TranslateArgs;
use crate::exit::{Exit, Failure};
use crate::load::{Program, size};
use crate::term::{Term, write_to};
use parallax::{Compiled, Engine, Model, unorm8};
use parallax_report::PictureFile;
use parallax_spirv_out::Translation;
use parallax_vulkan::{Compared, Comparison, Device, Picture, check, varied};
use std::fmt::Write;
use std::path::Path;

pub(super) fn run(
    args: &TranslateArgs,
    program: &Program,
    compiled: &Compiled,
    model: &Model,
    made: &Translation,
    text: &mut String,
    term: &Term,
) -> Result<Exit, Failure> {
    let unsupported = |message: String| Failure::Stop(Exit::Unsupported, message);
    let device = Device::open().map_err(|problem| unsupported(format!("--check: no Vulkan device: {problem}")))?;
    let iface = &compiled.shader.func.iface;
    let (mut draw, _) = program.draw()?;
    program.note_default_inputs(term);
    if let Some(text) = args.size.as_deref() {
        program.resize(&mut draw, size(text)?);
    }
    let draw = draw.with_vertices(iface, model, Engine::Auto)?.into_owned();
    let _ = write!(text, "\n  on {} ({})", device.name(), device.driver());
    let (mut differs, mut failed) = (false, 0);
    for number in 0..=args.random {
        let (name, draw) = match number {
            0 => ("the manifest's inputs".to_string(), draw.clone()),
            seed => (format!("random inputs {seed}"), varied(&draw, iface, seed)),
        };
        match check(&device, compiled, made, &draw) {
            Ok(found) => {
                if let Some(path) = args.picture.as_deref().filter(|_| number == 0) {
                    write_picture(path, found.picture.as_ref())?;
                }
                differs |= !found.is_equal();
                let _ = write!(text, "\n  {name}: {}", told(&found));
            }
            Err(problem) => {
                failed += 1;
                let _ = write!(text, "\n  {name}: not compared: {problem}");
            }
        }
    }
    Ok(match (differs, failed) {
        (true, _) => Exit::CheckFailed,
        (false, failed) if failed > args.random => Exit::Unsupported,
        _ => Exit::Done,
    })
}

/// The first colour as a PNG.
fn write_picture(path: &Path, picture: Option<&Picture>) -> Result<(), Failure> {
    let Some(Picture { size: [width, height], pixels }) = picture else {
        return Err(Failure::Stop(Exit::Unsupported, "--picture: the program draws no colour".into()));
    };
    let byte = |word: u32| unorm8(f64::from(f32::from_bits(word)));
    let pixels: Vec<[u8; 4]> = pixels.iter().map(|pixel| pixel.map_or([0; 4], |words| words.map(byte))).collect();
    let bytes = PictureFile::png((*width, *height), &pixels)?;
    write_to(path, &bytes)
}

/// What a comparison found, in one line or more.
fn told(found: &Comparison) -> String {
    let of = match found.of {
        Compared::Pixels => "pixels",
        Compared::Vertices => "vertices",
        Compared::Words => "words of buffers",
    };
    let mut text = match found.is_equal() {
        true => format!("equal in all {} {of}", found.pixels),
        false => format!("different; {} {of} were compared", found.pixels),
    };
    if found.left_out > 0 {
        let _ =
            write!(text, "; {} were not, at the edges of triangles, whose neighbours are not known", found.left_out);
    }
    if found.counted > 0 {
        let _ = write!(text, "; {} results may not be the model's, as the module counted", found.counted);
    }
    if found.coverage > 0 {
        let _ = write!(text, "\n    {} pixels are discarded on one side alone", found.coverage);
    }
    for difference in &found.differences {
        let [x, y] = difference.at;
        let place = match found.of {
            Compared::Pixels => format!("pixel {x}, {y}"),
            Compared::Vertices => format!("vertex {x}"),
            Compared::Words => format!("word {x}"),
        };
        let _ = write!(
            text,
            "\n    {}: {} {of}, by up to {} steps; {} are NaN on one side alone; {place} has {:08x} and should have {:08x}",
            difference.what,
            difference.pixels,
            difference.distance,
            difference.nan,
            difference.found,
            difference.expected
        );
    }
    text
}
