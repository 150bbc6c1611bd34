//! What a page shows of an explanation pixel by pixel: where an instruction changes the picture, and what each one computed.

use crate::base64;
use crate::blamed::BLAMED;
use crate::picture::compressed;
use parallax_explain::{Explanation, Number, Values, words};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The evidence of one explanation, packed: Base64 of a zlib stream behind one byte of no meaning, of a JSON object with
///
/// - `pixels`: column and row of each pixel in which instructions were exchanged,
/// - `changes`: for each of the first instructions of the ranking, the places in `pixels` of those that its exchange changes,
/// - `instructions`: line (0 in binaries), place and text of each instruction with results,
/// - `traced`: column and row of the pixels whose values are known,
/// - `values`: for each of these pixels and each instruction, its results: a number where both arithmetics have the same, else a
///   pair, the other arithmetic's first. Numbers are texts; an empty one was never computed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Evidence(String);

impl Evidence {
    /// The packed bytes as text; empty for no evidence.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl From<&Explanation> for Evidence {
    fn from(found: &Explanation) -> Evidence {
        let Values { instructions, pixels, results } = &found.values;
        if pixels.is_empty() {
            return Evidence::default();
        }
        let changes: Vec<&[u32]> = found.ranking.instructions.iter().take(BLAMED).map(|b| &*b.pixels).collect();
        let place = |place: &parallax_explain::Place| json!([place.line, words::at(place), place.text]);
        let of_pixel = |pixel: &Vec<Vec<parallax_explain::Both>>| -> Value {
            pixel.iter().map(|results| results.iter().map(both).collect::<Value>()).collect()
        };
        let data = json!({
            "pixels": found.pixels,
            "changes": changes,
            "instructions": instructions.iter().map(place).collect::<Value>(),
            "traced": pixels,
            "values": results.iter().map(of_pixel).collect::<Value>(),
        });
        Evidence(base64::encode(&compressed(data.to_string().as_bytes())))
    }
}

/// A result under both arithmetics.
fn both([own, other]: &parallax_explain::Both) -> Value {
    let text = |number: &Option<Number>| match number {
        None => String::new(),
        Some(Number::Float(value)) => words::value(*value),
        Some(Number::Word(word)) => word.to_string(),
    };
    match (own, other) {
        (Some(own), Some(other)) if own.is_same(*other) => json!(text(&Some(*own))),
        (None, None) => json!(""),
        _ => json!([text(other), text(own)]),
    }
}
