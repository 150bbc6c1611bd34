//! A manifest to start from: every input of a shader by its own name, with the values it has without one.

use crate::bound_image::target;
use crate::draw::{BUFFER_WORDS, Draw, is_supplied};
use parallax_core::{AttrSemantic, BankDecl, Interface, Stage, TexTarget, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Vectors of one bank that are written out; the others keep their defaults.
const VECTORS: u32 = 64;

/// The text of a manifest that draws a shader as it is drawn without one. `effect` groups it with the same effect in other
/// instruction sets; `options` are the frontend options it is read with.
pub fn template<'o>(
    iface: &Interface,
    draw: &Draw,
    effect: &str,
    options: impl IntoIterator<Item = (&'o String, &'o String)>,
) -> String {
    let mut out = String::new();
    let stage = iface.stage.name();
    let _ = write!(
        out,
        "# What the shader is drawn with. Every value below is what it has without this file.\n\
         effect = {}          # groups the same effect across instruction sets\n\
         title = {}\n\
         # about = \"Why this shader is interesting.\"\n\
         stage = \"{stage}\"\n",
        quoted(effect),
        quoted(effect),
    );
    let _ = match iface.stage {
        Stage::Compute => {
            let [x, y, z] = draw.grid;
            write!(out, "\n[dispatch]\ngrid = [{x}, {y}, {z}]           # workgroups along x, y and z\n")
        }
        _ => write!(
            out,
            "size = [{}, {}]          # pixels\n\
             # target = \"unorm8\"       # what colours are stored as: fp32, fp16, unorm8\n",
            draw.width, draw.height
        ),
    };
    let mut options = options.into_iter().peekable();
    if options.peek().is_some() {
        out.push_str("\n[options]\n");
        options.for_each(|(name, value)| {
            let _ = writeln!(out, "{} = {}", quoted(name), quoted(value));
        });
    }
    attributes(&mut out, iface, draw);
    constants(&mut out, iface, draw);
    for texture in &iface.textures {
        let named = iface.units.iter().find(|unit| unit.unit == texture.unit);
        let head = match named {
            Some(named) => {
                format!("[binding.{}]              # {}", quoted(&named.name), described(iface, &named.name))
            }
            None => format!("[[textures]]\nunit = {}                   # ", texture.unit),
        };
        let _ = write!(
            out,
            "\n{head}{shape}\n\
             source = \"noise\"           # noise, checker, gradient, normals; or file = \"NAME.png\" in its place\n\
             seed = {seed}                   # of noise\n\
             filter = \"linear\"          # linear, nearest\n\
             wrap = \"repeat\"            # repeat, mirror, clamp, border\n",
            shape = shape(texture.target),
            seed = u32::from(texture.unit) + 1,
        );
    }
    memory(&mut out, iface);
    out
}

/// The names that a program has for a binding, in front of what it is.
fn described(iface: &Interface, name: &str) -> String {
    let names = iface.aliases.iter().filter(|alias| alias.of == name).map(|alias| alias.name.as_str());
    let names: Vec<&str> = names.collect();
    if names.is_empty() { String::new() } else { format!("{}: ", names.join(", ")) }
}

fn memory(out: &mut String, iface: &Interface) {
    for buffer in iface.buffers.iter().filter(|buffer| buffer.workgroup.is_none()) {
        let (head, names) = (quoted(&buffer.name), described(iface, &buffer.name));
        let what = match &buffer.image {
            None => "a buffer of words".to_string(),
            Some(image) => match target(image.shape) {
                None => "a buffer of texels; size = [1024]".to_string(),
                Some(target) => shape(target).to_string(),
            },
        };
        let _ = write!(
            out,
            "\n[binding.{head}]              # {names}{what}\n\
             source = \"zeros\"           # zeros, iota, random, uniform; or words = [\"3f800000\"], or file = \"NAME.npy\"\n"
        );
        let _ = match &buffer.image {
            None => writeln!(out, "count = {BUFFER_WORDS}                # words"),
            Some(image) if image.any_format => {
                writeln!(out, "format = \"{}\"         # the program reads any", image.format.name())
            }
            Some(image) => writeln!(out, "format = \"{}\"", image.format.name()),
        };
    }
}

fn attributes(out: &mut String, iface: &Interface, draw: &Draw) {
    let mut known = BTreeSet::new();
    let is_vertex = iface.stage == Stage::Vertex;
    for (attr, values) in iface.attrs.iter().zip(&draw.attributes) {
        // An input that is interpolated in several ways is declared several times.
        if !is_supplied(attr.semantic) || attr.semantic == AttrSemantic::Preset || !known.insert(&attr.name) {
            continue;
        }
        let (key, what) = match is_vertex {
            true => ("values", "one per vertex"),
            false => ("corners", "top left, top right, bottom left, bottom right"),
        };
        let _ = write!(out, "\n[[attributes]]\nsemantic = {}\n{key} = [            # {what}\n", quoted(&attr.name));
        for value in values {
            let _ = writeln!(out, "  {},", vector(value));
        }
        out.push_str("]\n");
    }
}

fn constants(out: &mut String, iface: &Interface, draw: &Draw) {
    let named: BTreeSet<(usize, u32)> = iface.constants.iter().map(|c| (usize::from(c.bank), c.index)).collect();
    let mut lines = String::new();
    let mut known = BTreeSet::new();
    for constant in iface.constants.iter().filter(|constant| known.insert(&constant.name)) {
        let bank = draw.banks.get(usize::from(constant.bank)).map_or(&[][..], |bank| bank.as_flattened());
        let from = constant.index as usize * 4 + usize::from(constant.comp);
        let words = usize::from(constant.count) * constant.ty.bits() as usize / 32;
        let Some(words) = bank.get(from..from + words) else { continue };
        let numbers = match constant.ty {
            Type::F32 => words.iter().map(number).collect::<Vec<_>>(),
            Type::Float(_) => doubles(words).map(|bits| format!("{:?}", f64::from_bits(bits))).collect(),
            Type::I64 => doubles(words).map(|bits| (bits as i64).to_string()).collect(),
            _ => words.iter().map(|&word| (word as i32).to_string()).collect(),
        };
        let comment = match constant.ty {
            Type::F32 => "",
            Type::Float(_) => "    # of 64 bits",
            _ => "    # integers",
        };
        let _ = writeln!(lines, "{} = [{}]{comment}", quoted(&constant.name), numbers.join(", "));
    }
    for (number, (bank, values)) in iface.banks.iter().zip(&draw.banks).enumerate() {
        let unnamed = (0..bank.len).zip(values).filter(|(index, _)| !named.contains(&(number, *index)));
        for (index, value) in unnamed.take(VECTORS as usize) {
            let _ = writeln!(lines, "{} = {}", quoted(&spelling(bank, index)), vector(value));
        }
        if bank.len > VECTORS {
            let _ = writeln!(lines, "# {} has {} vectors; those after these keep their defaults", bank.name, bank.len);
        }
    }
    if !lines.is_empty() {
        let _ = write!(out, "\n[constants]\n{lines}");
    }
}

/// A vector of a bank as a program spells it.
fn spelling(bank: &BankDecl, index: u32) -> String {
    if bank.by_bytes { format!("{}[{:#x}]", bank.name, 16 * index) } else { format!("{}[{index}]", bank.name) }
}

fn shape(target: TexTarget) -> &'static str {
    match target {
        TexTarget::D1 | TexTarget::Shadow1D => "a line; size = [256]",
        TexTarget::D2Samples => "an image with samples; size = [256, 256]",
        TexTarget::D2SamplesArray => "images with samples in layers; size = [256, 256, 4]",
        TexTarget::D2 | TexTarget::Rect | TexTarget::Shadow2D | TexTarget::ShadowRect => "an image; size = [256, 256]",
        TexTarget::D3 => "a volume; size = [32, 32, 32]",
        TexTarget::Cube | TexTarget::ShadowCube => "a cube; size = [128]",
        TexTarget::D1Array | TexTarget::Shadow1DArray => "lines in layers; size = [256, 4]",
        TexTarget::D2Array | TexTarget::Shadow2DArray => "images in layers; size = [256, 256, 4]",
        TexTarget::CubeArray | TexTarget::ShadowCubeArray => "cubes in layers; size = [128, 4]",
    }
}

/// Four numbers that read back as the same bits.
fn vector(words: &[u32; 4]) -> String {
    format!("[{}]", words.iter().map(number).collect::<Vec<_>>().join(", "))
}

/// A binary32 number.
fn number(word: &u32) -> String {
    match f32::from_bits(*word) {
        v if v.is_finite() => format!("{v:?}"),
        _ => format!("\"{word:#010x}\""),
    }
}

/// Pairs of words, the low one first.
fn doubles(words: &[u32]) -> impl Iterator<Item = u64> {
    words.as_chunks::<2>().0.iter().map(|[low, high]| u64::from(*low) | u64::from(*high) << 32)
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
