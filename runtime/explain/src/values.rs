//! What each instruction computed in some pixels, under the model and under the other arithmetic.

use crate::blame::Place;
use crate::scene::Scene;
use crate::trace::{LANES, Record, Traced};
use parallax_core::{EntityRef, Func, OpId, SourceId, Type, ValueId};
use std::collections::BTreeMap;

/// Results of an instruction that are kept, and instructions of a program.
const MOST_RESULTS: usize = 8;
const MOST_INSTRUCTIONS: usize = 1024;

/// What a value is.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Number {
    /// A float.
    Float(f64),
    /// An integer, a predicate or a condition code.
    Word(u64),
}

impl Number {
    /// Whether it is the same number: zeros of both signs differ, a NaN equals a NaN.
    pub fn is_same(self, other: Number) -> bool {
        match (self, other) {
            (Number::Float(a), Number::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (a, b) => a == b,
        }
    }
}

/// A result under the model and under the other arithmetic; `None` where it was never computed.
pub type Both = [Option<Number>; 2];

/// The last results of each instruction in some pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Instructions with results, in the order of the program.
    pub instructions: Vec<Place>,
    /// Column and row of the pixels.
    pub pixels: Vec<(u32, u32)>,
    /// By pixel, then by instruction: the results that other instructions read or that leave the program, in the order in which they
    /// are computed, which for most instructions is x, y, z, w.
    pub results: Vec<Vec<Vec<Both>>>,
}

/// Takes the values out of quads that ran under observation.
pub(crate) fn values(scene: &Scene<'_>, records: &[Traced]) -> Values {
    let func = scene.sides.func();
    let results = results(func);
    let mut out = Values {
        instructions: results.iter().map(|(source, _)| Place::new(scene.sides, Some(*source))).collect(),
        ..Values::default()
    };
    for ((x, y), [own, other]) in records {
        for lane in 0..LANES {
            let pixel = (x + lane as u32 % 2, y + lane as u32 / 2);
            if pixel.0 >= scene.draw.width || pixel.1 >= scene.draw.height {
                continue;
            }
            let both = |&value: &ValueId| [own, other].map(|record| number(func, record, value, lane));
            out.pixels.push(pixel);
            out.results.push(results.iter().map(|(_, values)| values.iter().map(both).collect()).collect());
        }
    }
    out
}

fn number(func: &Func, record: &Record, value: ValueId, lane: usize) -> Option<Number> {
    match func.ty(value) {
        Type::Float(_) => record.float(value, lane).map(Number::Float),
        _ => record.word(value, lane).map(Number::Word),
    }
}

/// The results of each instruction that others read, or that leave the program.
fn results(func: &Func) -> Vec<(SourceId, Vec<ValueId>)> {
    let source = |op: OpId| func.ops[op].origins.iter().min().copied();
    let mut found: BTreeMap<usize, (SourceId, Vec<ValueId>)> = BTreeMap::new();
    func.walk(|_, user| {
        let data = &func.ops[user];
        for &value in &*data.args {
            let Some(own) = func.def_op(value).and_then(source) else { continue };
            // What an instruction writes for itself is a step on its way; an op without results takes it out of the program.
            if source(user) == Some(own) && !data.results.is_empty() {
                continue;
            }
            let (_, values) = found.entry(own.index()).or_insert((own, Vec::new()));
            if !values.contains(&value) {
                values.push(value);
            }
        }
    });
    found
        .into_values()
        .take(MOST_INSTRUCTIONS)
        .map(|(source, mut values)| {
            parallax_text::sort_by_key(&mut values, |value| value.index());
            values.truncate(MOST_RESULTS);
            (source, values)
        })
        .collect()
}
