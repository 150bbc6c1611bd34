//! Findings as JSON lines.

use crate::load::Program;
use parallax_explain::words;
use parallax_explain::{Blame, Demotion, End, Explanation, Flip, Place, Precision, Special, Spread};
use serde_json::{Map, Value, json};

/// Version of the lines.
const SCHEMA: u32 = 1;

/// A number; what JSON cannot hold as a word.
pub(super) fn number(value: f64) -> Value {
    match value {
        v if v.is_nan() => "nan".into(),
        v if v.is_infinite() => if v > 0.0 { "inf" } else { "-inf" }.into(),
        v => json!(v),
    }
}

struct Lines<'a> {
    program: &'a Program,
    model: &'a str,
    against: &'a str,
    out: String,
}

impl Lines<'_> {
    /// Adds a line: what every line has, then its own keys.
    fn add(&mut self, kind: &str, rank: usize, place: Option<&Place>, own: Value) {
        let mut line = Map::new();
        line.insert("schema".into(), json!(SCHEMA));
        line.insert("kind".into(), json!(kind));
        line.insert("shader".into(), json!(self.program.name));
        line.insert("isa".into(), json!(self.program.loaded.as_ref().map_or("", |l| l.isa)));
        line.insert("model".into(), json!(self.model));
        line.insert("against".into(), json!(self.against));
        line.insert("rank".into(), json!(rank));
        if let Some(place) = place {
            line.insert("index".into(), json!(place.index));
            line.insert("line".into(), json!(place.line));
            line.insert("offset".into(), json!(place.offset));
            line.insert("text".into(), json!(place.text));
        }
        if let Value::Object(own) = own {
            line.extend(own);
        }
        self.out.push_str(&Value::Object(line).to_string());
        self.out.push('\n');
    }
}

/// All findings about a shader: instructions, branches, special values, stability, formats, each ranked from 1.
pub(super) fn lines(program: &Program, found: &Explanation) -> String {
    let mut lines = Lines { program, model: &found.model, against: &found.against, out: String::new() };
    for (n, blame) in found.ranking.instructions.iter().enumerate() {
        lines.add("instruction", n + 1, Some(&blame.place), instruction(n + 1, blame, found));
    }
    for (n, flip) in found.flips.iter().enumerate() {
        lines.add("branch", n + 1, Some(&flip.place), branch(flip));
    }
    for (n, special) in found.specials.iter().enumerate() {
        lines.add("special", n + 1, Some(&special.place), birth(special));
    }
    let stability = &found.stability;
    let own = json!({
        "pixels": stability.pixels, "luck": stability.luck(),
        "legal": spread(&stability.legal), "rounded": spread(&stability.rounded),
        "changed": found.whole.changed, "visible": found.whole.visible, "special": found.whole.special,
        "flips": found.whole.flips, "p99_ulp": number(found.whole.p99_ulp), "of": found.whole.pixels,
        "worst": found.worst.map(|(x, y)| [x, y]), "unlike": found.unlike, "shown": found.shown.many(),
    });
    lines.add("stability", 1, None, own);
    if let Some(vertices) = &found.vertices {
        let inputs: Vec<Value> =
            vertices.inputs.iter().map(|(name, corners)| json!({"name": name, "corners": corners})).collect();
        let alone = &vertices.alone;
        let value = json!({
            "corners": vertices.corners, "positions": vertices.positions, "inputs": inputs,
            "changed": alone.changed, "visible": alone.visible, "flips": alone.flips, "of": alone.pixels,
        });
        lines.add("vertices", 1, None, value);
    }
    for (n, around) in found.around.iter().enumerate() {
        let alone = &around.alone;
        let value = json!({
            "field": around.field, "value": around.value, "other": around.other, "tier": around.tier.name(),
            "source": around.source, "changed": alone.changed, "visible": alone.visible, "flips": alone.flips,
            "of": alone.pixels,
        });
        lines.add("around", n + 1, None, value);
    }
    for (n, precision) in found.precision.iter().enumerate() {
        lines.add("format", n + 1, Some(&precision.place), format(precision));
    }
    lines.out
}

fn instruction(rank: usize, blame: &Blame, found: &Explanation) -> Value {
    let fields: Vec<Value> = blame
        .fields
        .iter()
        .map(|f| {
            json!({
                "field": f.field, "op": f.op, "value": f.value, "other": f.other, "tier": f.tier.name(),
                "source": f.source, "fixed": number(f.fixed), "caused": number(f.caused), "deed": words::deed(f),
            })
        })
        .collect();
    let pairs = found.ranking.pairs.iter().filter(|pair| pair.ranks.contains(&rank)).map(|pair| {
        let other = if pair.ranks[0] == rank { pair.ranks[1] } else { pair.ranks[0] };
        json!({"rank": other, "fixed": number(pair.fixed)})
    });
    json!({
        "fixed": number(blame.fixed), "caused": number(blame.caused), "pixels": blame.pixels.len(), "of": found.pixels.len(),
        "visible": blame.visible, "special": blame.special, "p99_ulp": number(blame.p99_ulp), "fields": fields,
        "pairs": pairs.collect::<Vec<_>>(),
    })
}

fn branch(flip: &Flip) -> Value {
    let operands = |pair: Option<[f64; 2]>| pair.map(|pair| pair.map(number));
    json!({
        "op": flip.op, "pixel": [flip.pixel.0, flip.pixel.1], "pixels": flip.pixels,
        "operands": operands(flip.found), "expected": operands(flip.expected), "margin": flip.margin().map(number),
    })
}

fn birth(special: &Special) -> Value {
    let chain: Vec<Value> =
        special.chain.iter().map(|p| json!({"index": p.index, "line": p.line, "text": p.text})).collect();
    let (output, end) = match &special.end {
        End::Output(output) => (Some(output), None),
        End::Number(place) => (None, Some(json!({"index": place.index, "line": place.line, "text": place.text}))),
    };
    json!({
        "op": special.op, "operands": special.operands.iter().copied().map(number).collect::<Vec<_>>(),
        "value": number(special.value), "expected": special.expected.map(number),
        "pixel": [special.pixel.0, special.pixel.1], "output": output, "end": end, "reached": number(special.reached),
        "reached_expected": number(special.reached_expected), "chain": chain, "components": special.components,
    })
}

fn spread(spread: &Spread) -> Value {
    json!({
        "runs": spread.runs, "changed": spread.changed, "visible": spread.visible, "more": spread.more,
        "outputs": spread.outputs.iter().map(|(name, most)| (name.clone(), number(*most))).collect::<Map<_, _>>(),
        "steps": spread.steps, "pixel": spread.pixel.map(|(x, y)| [x, y]),
    })
}

fn format(precision: &Precision) -> Value {
    json!({
        "format": precision.format, "added_ulp": number(precision.added_ulp),
        "condition": number(precision.condition), "lost_bits": precision.lost_bits,
        "range": precision.range.map(|(low, high)| [number(low), number(high)]), "holds": precision.holds.name(),
    })
}

/// What `--demote` found, as one line.
pub(super) fn demotion(program: &Program, model: &str, found: &Demotion) -> String {
    let mut lines = Lines { program, model, against: model, out: String::new() };
    let place = |p: &Place| json!({"index": p.index, "line": p.line, "text": p.text});
    let own = json!({
        "format": found.format, "demoted": found.demoted.iter().map(place).collect::<Vec<_>>(),
        "kept": found.kept.iter().map(|(p, n)| json!({"index": p.index, "line": p.line, "text": p.text, "visible": n}))
            .collect::<Vec<_>>(),
        "visible": found.visible, "pixels": found.pixels,
    });
    lines.add("demotion", 1, None, own);
    lines.out
}
