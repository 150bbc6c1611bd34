//! `translate --interface`: what lies where, as JSON.

use crate::args::LanguageArg;
use parallax_core::{AttrSemantic, Interp, Location, OutputRole, Stage};
use parallax_spirv_out::{Arithmetic, Assume, Fetched, Interface, Open, Texture, Translation, Unit};
use parallax_texture::{Compare, Filter, Mip, Sampler, Wrap};
use serde_json::{Value, json};

/// What is written, and where it has what the module reads and writes.
pub(super) struct Made {
    pub(super) bytes: Vec<u8>,
    pub(super) entry: String,
    pub(super) interface: Interface,
    /// Register spaces and numbers of the samplers of HLSL, of those that compare, and of the buffer of their numbers.
    pub(super) samplers: Option<[(u32, u32); 3]>,
    /// Index of the buffer of MSL that has the sizes of the shader's own buffers.
    pub(super) sizes: Option<u32>,
}

impl Made {
    /// A module as it is.
    pub(super) fn module(module: &Translation) -> Made {
        Made {
            bytes: module.words.iter().flat_map(|word| word.to_le_bytes()).collect(),
            entry: "main".to_string(),
            interface: module.interface.clone(),
            samplers: None,
            sizes: None,
        }
    }
}

/// What lies where.
pub(super) fn listing(module: &Translation, made: &Made, to: LanguageArg, model: &str) -> Value {
    let Interface { stage, inputs, banks, textures, outputs, buffers, workgroup, one_sample, counter } =
        &made.interface;
    let is_vertex = *stage == Stage::Vertex;
    // Two of the languages have no sets.
    let set = |set: u32| (!matches!(to, LanguageArg::Glsl | LanguageArg::Msl)).then_some(set);
    let inputs: Vec<Value> = inputs
        .iter()
        .map(|input| {
            let mut listed = json!({
                "name": input.name,
                "location": input.location,
                "semantic": semantic(input.semantic),
            });
            if !is_vertex {
                listed["interpolation"] = interpolation(input.interp).into();
                listed["at"] = place(input.at).into();
            }
            listed
        })
        .collect();
    let banks: Vec<Value> = banks
        .iter()
        .map(|bank| {
            json!({
                "name": bank.name,
                "set": set(bank.set),
                "binding": bank.binding,
                "vectors": bank.vectors,
                "buffer": if bank.in_storage { "storage" } else { "uniform" },
            })
        })
        .collect();
    let textures: Vec<Value> = textures
        .iter()
        .map(|texture| {
            json!({
                "unit": texture.unit,
                "shape": texture.target.name(),
                "set": set(texture.set),
                "image": texture.image,
                "sampler": texture.sampler,
                "words": texture.words,
                "faithful": texture.faithful.map(|unit| faithful(texture, &unit)),
            })
        })
        .collect();
    let outputs: Vec<Value> = outputs
        .iter()
        .map(|output| json!({ "name": output.name, "location": output.location, "semantic": role(output.role) }))
        .collect();
    let buffers: Vec<Value> = buffers
        .iter()
        .map(|buffer| {
            let access = if buffer.is_written { "read_write" } else { "read" };
            json!({ "name": buffer.name, "set": set(buffer.set), "binding": buffer.binding, "access": access })
        })
        .collect();
    let mut listing = json!({
        "model": model,
        "language": to.title(),
        "stage": stage.name(),
        "arithmetic": arithmetic(module.host.arithmetic),
        "assumes": assumes(module.host.assume),
        "entry": made.entry,
        "inputs": inputs,
        "constants": banks,
        "textures": textures,
        "outputs": outputs,
        "buffers": buffers,
        "inexact": counter.map(|(of, binding)| json!({ "set": set(of), "binding": binding })),
        "figures": {
            "bytes": made.bytes.len(),
            "words": module.words.len(),
            "primitives": module.figures.primitives,
            "functions": module.figures.routines,
            "second_programs": module.figures.second,
            "counted_operations": module.figures.inexact,
            "float_operations": module.host.operations,
        },
    });
    if *stage == Stage::Compute {
        listing["workgroup"] = json!(workgroup);
    }
    if module.host.arithmetic == Arithmetic::Native {
        let open: Vec<Value> = module.host.open.iter().map(may_differ).collect();
        listing["may_differ"] = open.into();
    }
    if *one_sample {
        listing["samples"] = 1.into();
    }
    if let Some(binding) = made.sizes {
        listing["sizes"] = json!({ "binding": binding });
    }
    if let Some([samplers, comparing, numbers]) = made.samplers {
        let register = |(space, register): (u32, u32)| json!({ "space": space, "register": register });
        listing["samplers"] =
            json!({ "list": register(samplers), "comparing": register(comparing), "numbers": register(numbers) });
    }
    listing
}

/// What a module that looks up itself is bound to, and what is written into it.
fn faithful(texture: &Texture, unit: &Unit) -> Value {
    let Sampler { filter, mip, wrap, border, compare, .. } = unit.sampler;
    let minify = unit.sampler.minify.unwrap_or(filter);
    let wraps = &wrap[..texture.target.coordinates().min(3)];
    let compare = Compare::NAMES.iter().find(|(_, known)| *known == compare).map(|(name, _)| *name);
    json!({
        "image_shape": texture.shape().name(),
        "image_texels": texture.fetched().map(|texels| match texels {
            Fetched::Unorm8 => "unorm8",
            Fetched::Binary32 => "binary32",
            Fetched::Words => "words",
        }),
        "format": unit.format.name(),
        "filter": filter_name(filter),
        "minify": filter_name(minify),
        "mip": match mip {
            Mip::None => "none",
            Mip::Nearest => "nearest",
            Mip::Linear => "linear",
        },
        "wrap": (!texture.target.is_cube()).then(|| wraps.iter().map(|&wrap| wrap_name(wrap)).collect::<Vec<_>>()),
        "border": wraps.contains(&Wrap::Border).then(|| border.map(|word| format!("{word:08x}"))),
        "compare": texture.target.is_shadow().then_some(compare),
    })
}

const fn filter_name(filter: Filter) -> &'static str {
    match filter {
        Filter::Nearest => "nearest",
        Filter::Linear => "linear",
    }
}

const fn wrap_name(wrap: Wrap) -> &'static str {
    match wrap {
        Wrap::Repeat => "repeat",
        Wrap::Mirror => "mirror",
        Wrap::Clamp => "clamp",
        Wrap::Border => "border",
    }
}

const fn arithmetic(arithmetic: Arithmetic) -> &'static str {
    match arithmetic {
        Arithmetic::Faithful => "faithful",
        Arithmetic::Mixed => "mixed",
        Arithmetic::Native => "native",
    }
}

/// Execution modes of the module, all for 32 bits.
fn assumes(assume: Assume) -> Vec<&'static str> {
    let all = [
        (assume.rte, "RoundingModeRTE"),
        (assume.denorm_preserve, "DenormPreserve"),
        (assume.any(), "SignedZeroInfNanPreserve"),
    ];
    all.into_iter().filter(|(is_assumed, _)| *is_assumed).map(|(_, name)| name).collect()
}

/// An operation whose bits may be others, and the fields of its rule that the device may see otherwise.
fn may_differ(open: &Open) -> Value {
    let rules: serde_json::Map<String, Value> =
        open.rules.iter().map(|(field, value)| (field.to_string(), value.as_str().into())).collect();
    let instructions: Vec<Value> =
        open.instructions.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
    json!({ "operation": open.operation, "slot": open.slot, "rules": rules, "instructions": instructions })
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

/// What an output stands for; what the next stage reads has the words of its inputs.
fn role(role: OutputRole) -> String {
    match role {
        OutputRole::Color(n) | OutputRole::FrontColor(n) => semantic(AttrSemantic::Color(n)),
        OutputRole::Fog => semantic(AttrSemantic::Fog),
        OutputRole::TexCoord(n) => semantic(AttrSemantic::TexCoord(n)),
        OutputRole::Generic(n) => semantic(AttrSemantic::Generic(n)),
        OutputRole::Position => semantic(AttrSemantic::Position),
        OutputRole::Depth | OutputRole::SampleDepth(_) => "depth".to_string(),
        OutputRole::SampleMask => "sample_mask".to_string(),
        OutputRole::Stencil => "stencil".to_string(),
        OutputRole::PointSize => "point_size".to_string(),
        OutputRole::ClipDistance(n) => format!("clip_distance {n}"),
        OutputRole::FixedFunction(n) => format!("fixed_function {n}"),
        OutputRole::Watch => "watch".to_string(),
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
