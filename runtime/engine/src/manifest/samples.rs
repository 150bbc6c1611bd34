//! The samples of a manifest.

use super::tree::{Tree, Value, span};
use crate::samples::{SAMPLE_COUNTS, Samples};

/// Reads `[samples]`.
pub(super) fn read(tree: &mut Tree, value: &Value<'_>) -> Option<Samples> {
    let table = tree.table(value)?;
    let before = tree.errors();
    let (mut count, mut positions, mut per_sample) = (None, None, None);
    for (key, value) in tree.entries(table, &["count", "positions", "per_sample"]) {
        match key.name {
            "count" => {
                let number = tree.integer(value, u32::MAX);
                count = number.map(|number| (number, span(value)));
                if number.is_some_and(|number| !SAMPLE_COUNTS.contains(&number)) {
                    let message = "a pixel has 1, 2, 4, 8 or 16 samples";
                    tree.error(span(value), "manifest-samples", message);
                }
            }
            "positions" => positions = tree.positions(value).map(|positions| (positions, span(value))),
            _ => per_sample = tree.boolean(value),
        }
    }
    if tree.errors() > before {
        return None;
    }
    let Some((count, _)) = count else {
        tree.error(span(value), "manifest-missing", "samples need `count`: 1, 2, 4, 8 or 16");
        return None;
    };
    let mut samples = Samples { per_sample, ..Samples::standard(count)? };
    if let Some((positions, at)) = positions {
        if positions.len() != samples.positions.len() {
            let message = format!("{} positions for {count} samples", positions.len());
            tree.error(at, "manifest-samples", message);
            return None;
        }
        samples.positions = positions;
    }
    Some(samples)
}
