//! Scenes of Shadertoy: `mainImage` and the variables it expects.

use crate::glsl::Numbers;
use crate::tokens::{Kind, Tokens};
use std::ops::Range;

/// Uniforms of Shadertoy with their types, sizes of arrays, and values that make pictures: ten seconds from the start,
/// textures and a viewport of the sizes that are drawn without a manifest.
const UNIFORMS: &[(&str, &str, &str, Value)] = &[
    ("iResolution", "vec3", "", Value::Floats([128.0, 128.0, 1.0, 0.0])),
    ("iTime", "float", "", Value::Floats([10.0, 0.0, 0.0, 0.0])),
    ("iGlobalTime", "float", "", Value::Floats([10.0, 0.0, 0.0, 0.0])),
    ("iTimeDelta", "float", "", Value::Floats([1.0 / 60.0, 0.0, 0.0, 0.0])),
    ("iFrameRate", "float", "", Value::Floats([60.0, 0.0, 0.0, 0.0])),
    ("iFrame", "int", "", Value::Words([600, 0, 0, 0])),
    ("iMouse", "vec4", "", Value::Floats([0.0; 4])),
    ("iDate", "vec4", "", Value::Floats([2000.0, 0.0, 1.0, 43200.0])),
    ("iSampleRate", "float", "", Value::Floats([44100.0, 0.0, 0.0, 0.0])),
    ("iChannelTime", "float", "[4]", Value::Floats([10.0, 0.0, 0.0, 0.0])),
    ("iChannelResolution", "vec3", "[4]", Value::Floats([256.0, 256.0, 1.0, 0.0])),
];

enum Value {
    Floats([f32; 4]),
    Words([u32; 4]),
}

/// What stands behind a scene. Rows are counted from the bottom there.
pub(crate) const MAIN: &str = "\nvoid main() { vec4 parallax_colour = vec4(0.0, 0.0, 0.0, 1.0); \
    mainImage(parallax_colour, vec2(gl_FragCoord.x, iResolution.y - gl_FragCoord.y)); \
    FragColor = vec4(parallax_colour.xyz, 1.0); }\n";

/// What a scene uses of Shadertoy.
pub(crate) struct Scene {
    /// Declarations, in one line.
    pub(crate) preamble: String,
    pub(crate) defaults: Vec<(String, [u32; 4])>,
}

impl Scene {
    pub(crate) fn of(tokens: &Tokens<'_>, bindings: &mut Numbers) -> Scene {
        let mut preamble = String::from("precision highp float; precision highp int; precision highp sampler2D; ");
        preamble.push_str("layout(location = 0) out vec4 FragColor; ");
        let mut defaults = Vec::new();
        for (name, ty, size, value) in UNIFORMS {
            if *name != "iResolution" && !tokens.mentions(name) {
                continue;
            }
            let binding = bindings.take(1);
            preamble.push_str(&format!(
                "layout(set = 0, binding = {binding}) uniform uniform_{name} {{ {ty} {name}{size}; }}; "
            ));
            let words = match value {
                Value::Floats(values) => values.map(f32::to_bits),
                Value::Words(words) => *words,
            };
            match size.is_empty() {
                true => defaults.push((name.to_string(), words)),
                false => defaults.extend((0..4).map(|n| (format!("{name}[{n}]"), words))),
            }
        }
        for channel in 0..4 {
            let name = format!("iChannel{channel}");
            if tokens.mentions(&name) {
                let binding = bindings.take(1);
                preamble.push_str(&format!("layout(set = 0, binding = {binding}) uniform sampler2D {name}; "));
            }
        }
        Scene { preamble, defaults }
    }
}

/// The words of a literal of a scalar or vector type.
pub(crate) fn constant(tokens: &Tokens<'_>, ty: &str, place: Range<usize>) -> Option<[u32; 4]> {
    let (kind, count) = match ty {
        "float" | "int" | "uint" | "bool" => (ty, 1),
        _ => {
            let count = ty.chars().last()?.to_digit(10).filter(|count| (2..=4).contains(count))?;
            match &ty[..ty.len() - 1] {
                "vec" => ("float", count as usize),
                "ivec" => ("int", count as usize),
                "uvec" => ("uint", count as usize),
                "bvec" => ("bool", count as usize),
                _ => return None,
            }
        }
    };
    let is_call = tokens.at(place.start) == ty && tokens.at(place.start + 1) == "(" && place.len() > 3;
    let inside = if is_call { place.start + 2..place.end - 1 } else { place };
    let mut words = Vec::new();
    let mut at = inside.start;
    while at < inside.end {
        let is_negative = tokens.at(at) == "-";
        at += usize::from(is_negative);
        words.push(word(tokens, at, kind, is_negative)?);
        at += 1;
        if at < inside.end && tokens.at(at) != "," {
            return None;
        }
        at += 1;
    }
    let mut out = [0; 4];
    match words[..] {
        [one] => out[..count].fill(one),
        _ if words.len() == count => out[..count].copy_from_slice(&words),
        _ => return None,
    }
    Some(out)
}

fn word(tokens: &Tokens<'_>, at: usize, kind: &str, is_negative: bool) -> Option<u32> {
    let text = tokens.at(at);
    match (kind, text) {
        ("bool", "true") => return Some(1),
        ("bool", "false") => return Some(0),
        _ => {}
    }
    if tokens.kind(at) != Some(Kind::Number) {
        return None;
    }
    let plain = text.trim_end_matches(['f', 'F', 'u', 'U']);
    match kind {
        "float" => {
            let value: f32 = plain.parse().ok()?;
            Some(if is_negative { -value } else { value }.to_bits())
        }
        "int" | "uint" => {
            let value: u32 = plain.parse().ok()?;
            Some(if is_negative { value.wrapping_neg() } else { value })
        }
        _ => None,
    }
}
