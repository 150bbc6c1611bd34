//! What a manifest says about colours on their way to the target.

use super::tree::{Tree, Value, span};
use crate::merge::{AlphaTest, Blend, BlendTerm, Equation, Factor};
use parallax_text::Diag;
use parallax_texture::Compare;

/// Reads `[blend]`: factors and equation of all components, those of alpha in a table of their own, the constant of the factors and the
/// background.
pub(super) fn blend(tree: &mut Tree, value: &Value<'_>) -> Option<Blend> {
    let table = tree.table(value)?;
    let color = BlendTerm { source: Factor::One, destination: Factor::Zero, equation: Equation::Add };
    let mut blend = Blend { color, alpha: color, constant: [0.0; 4], background: [0.0, 0.0, 0.0, 1.0] };
    let mut alpha = None;
    const KEYS: [&str; 6] = ["source", "destination", "equation", "alpha", "constant", "background"];
    for (key, value) in tree.entries(table, &KEYS) {
        match key.name {
            "constant" => blend.constant = color_of(tree, value)?,
            "background" => blend.background = color_of(tree, value)?,
            "alpha" => alpha = Some(value),
            name => term(tree, name, value, &mut blend.color),
        }
    }
    blend.alpha = blend.color;
    if let Some(value) = alpha {
        let table = tree.table(value)?;
        for (key, value) in tree.entries(table, &KEYS[..3]) {
            term(tree, key.name, value, &mut blend.alpha);
        }
    }
    Some(blend)
}

fn term(tree: &mut Tree, name: &str, value: &Value<'_>, term: &mut BlendTerm) {
    match name {
        "source" => term.source = tree.word(value, &Factor::NAMES).unwrap_or(term.source),
        "destination" => term.destination = tree.word(value, &Factor::NAMES).unwrap_or(term.destination),
        _ => term.equation = tree.word(value, &Equation::NAMES).unwrap_or(term.equation),
    }
}

fn color_of(tree: &mut Tree, value: &Value<'_>) -> Option<[f32; 4]> {
    tree.vector(value, 4).map(|words| words.map(f32::from_bits))
}

/// Reads `[alpha_test]`.
pub(super) fn alpha_test(tree: &mut Tree, value: &Value<'_>) -> Option<AlphaTest> {
    let table = tree.table(value)?;
    let (mut compare, mut reference) = (None, None);
    for (key, value) in tree.entries(table, &["compare", "reference"]) {
        match key.name {
            "compare" => compare = tree.word(value, &Compare::NAMES),
            _ => {
                reference = tree.number(value).map(f32::from_bits);
                if reference.is_some_and(|number| !(0.0..=1.0).contains(&number)) {
                    tree.error(span(value), "manifest-alpha", "the reference value lies outside 0 to 1");
                }
            }
        }
    }
    if let (Some(compare), Some(reference)) = (compare, reference) {
        return Some(AlphaTest { compare, reference });
    }
    let message = "an alpha test needs `compare`, such as \"greater\", and `reference`, from 0 to 1";
    tree.error(span(value), "manifest-missing", message);
    None
}

/// Reads `dither`: no document gives the pattern of any unit, so that only its absence can be drawn.
pub(super) fn dither(tree: &mut Tree, value: &Value<'_>) {
    if tree.boolean(value) == Some(true) {
        let message = "dithering is not supported: drivers switch it on, but no document gives the pattern of any unit";
        tree.report(Diag::unsupported("manifest-dither", span(value), message));
    }
}
