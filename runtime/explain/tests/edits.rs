//! Texts with changes: one that decides, and others that do nothing or next to nothing.

use parallax::{Control, Draw, Engine, LoadOptions, Manifest, load};
use parallax_core::num::Model;
use parallax_core::{OutputRole, Stage};
use parallax_explain::edits::{Drawn, Edits, Version, edits};
use parallax_explain::twins::twins;
use parallax_random::Random;
use std::collections::BTreeSet;

fn drawn(path: &str, text: &str) -> Option<Drawn> {
    let file = parallax_corpus::get(path).expect("a shader");
    let manifest = parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem())).expect("a manifest");
    let manifest = Manifest::parse(manifest.path, manifest.text().expect("text")).unwrap_or_else(|p| panic!("{p}"));
    let mut options = LoadOptions::default();
    options.lift.settings.clone_from(&manifest.options);
    let shader = load(file.path, text.as_bytes(), &options).shader?;
    let mut draw = Draw::new(&shader.func.iface, &manifest).ok()?;
    if shader.func.iface.stage == Stage::Fragment {
        (draw.width, draw.height) = (20, 20);
    }
    Some((shader, draw))
}

fn compared(path: &str, before: &str, after: &str) -> Edits {
    let model = Model::builtin("ieee").expect("a built-in model");
    let read = |_: Version, text: &str| drawn(path, text);
    edits([before, after], [&model, &model], &read, Engine::Interp, Control::default())
        .unwrap_or_else(|p| panic!("{path}: {p}"))
}

/// Words that become other ones: what computes becomes something else.
const SWAPS: [(&str, &str); 12] = [
    ("mul ", "add "),
    ("MUL ", "ADD "),
    ("mad ", "mul "),
    ("add ", "mul "),
    ("ADD ", "MUL "),
    ("OpFMul ", "OpFAdd "),
    ("OpFAdd ", "OpFMul "),
    ("fmul ", "fadd "),
    ("fadd ", "fmul "),
    ("v_mul_f32 ", "v_add_f32 "),
    ("FMUL ", "FADD "),
    ("FADD ", "FMUL "),
];

/// The comment of a language.
fn comment(folder: &str) -> &'static str {
    match folder {
        "attila" | "spirv" => ";",
        "spa5" | "gcn" => "//",
        _ => "#",
    }
}

#[test]
fn the_change_that_decides_is_named() {
    let mut random = Random::new(5);
    let (mut tried, mut right) = (0, 0);
    let mut sets = BTreeSet::new();
    let mut wrong = Vec::new();
    for file in parallax_corpus::shaders().filter(|file| file.folder() != "kernels") {
        let Some(text) = file.text() else { continue };
        // A vertex program in front needs its own file.
        let Some((shader, draw)) = drawn(file.path, text) else { continue };
        let colours = shader.func.iface.outputs.iter().any(|o| matches!(o.role, OutputRole::Color(_)));
        if shader.func.iface.stage != Stage::Fragment || !colours || draw.vertex.is_some() {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        let candidates: Vec<(usize, String)> = (lines.iter().enumerate())
            .filter_map(|(n, line)| {
                let (from, to) = SWAPS.iter().find(|(from, _)| {
                    line.trim_start()
                        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | ' '))
                        .starts_with(from)
                        || line.contains(&format!("= {from}"))
                })?;
                Some((n, line.replacen(from, to, 1)))
            })
            .collect();
        if candidates.is_empty() {
            continue;
        }
        for _ in 0..4 {
            let (at, changed) = candidates[random.below(candidates.len() as u64) as usize].clone();
            let mut after: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
            after[at] = changed;
            // Remarks before and behind it change nothing.
            let behind = (at + 1 + random.below(4) as usize).min(after.len());
            after.insert(behind, format!("{} a remark", comment(file.folder())));
            after.push(format!("{} the end", comment(file.folder())));
            let after = after.join("\n") + "\n";
            if drawn(file.path, &after).is_none() {
                continue;
            }
            let found = compared(file.path, text, &after);
            // What nobody sees is not to be found.
            if found.whole.changed == 0 {
                continue;
            }
            tried += 1;
            sets.insert(file.folder());
            let first = found.edits.first();
            if first
                .is_some_and(|edit| edit.before == (at..at + 1) && edit.fixed == Some(1.0) && edit.caused == Some(1.0))
                && (1..=2).contains(&found.idle)
            {
                right += 1;
            } else {
                wrong.push(format!("{} line {}: {found:?}", file.path, at + 1));
            }
            break;
        }
    }
    assert!(tried >= 40 && sets.len() >= 5, "{tried} {sets:?}");
    assert!(right * 100 >= tried * 95, "{right} of {tried}: {wrong:#?}");
}

/// The larger one of two changes comes first, and neither does all of it.
#[test]
fn changes_are_ranked_by_what_they_do() {
    let text = "!!FP1.0\nMULR R0.x, f[TEX0].x, 0.5;\nMULR R0.y, f[TEX0].y, 0.5;\nMOVR o[COLR].x, R0.x;\nMOVR o[COLR].y, R0.y;\nEND\n";
    let after = text.replace("f[TEX0].x, 0.5", "f[TEX0].x, 0.51").replace("f[TEX0].y, 0.5", "f[TEX0].y, 0.9");
    let model = Model::builtin("ieee").expect("a built-in model");
    let read = |_: Version, text: &str| {
        let shader = load("a.fp", text.as_bytes(), &LoadOptions::default()).shader?;
        let draw = Draw { width: 12, height: 12, ..Draw::defaults(&shader.func.iface).ok()? };
        Some((shader, draw))
    };
    let of = |texts, models| edits(texts, models, &read, Engine::Interp, Control::default());
    let found = of([text, &after], [&model, &model]).expect("two programs");
    let lines: Vec<usize> = found.edits.iter().map(|edit| edit.after.start).collect();
    assert_eq!((lines, found.idle), (vec![2, 1], 0));
    assert!(found.edits[0].fixed > Some(0.9) && found.edits[0].fixed < Some(1.0), "{found:?}");
    // Nothing differs without a change, but under two models.
    assert_eq!(of([text, text], [&model, &model]).expect("one program").whole.changed, 0);
    let coarse = Model::parse("ieee[fp32.mul.format=float(1.8.11)]").expect("a model");
    let found = of([text, text], [&model, &coarse]).expect("one program");
    assert!(found.whole.changed > 0 && found.edits.is_empty());
    // What is no program cannot be explained.
    assert!(of([text, "!!FP1.0\nMULQ\nEND\n"], [&model, &model]).is_err());
}

/// One effect in two instruction sets; in the second one, one literal is another.
#[test]
fn the_literal_that_parts_twins_is_named() {
    let model = Model::builtin("ieee").expect("a built-in model");
    let (mut tried, mut right) = (0, 0);
    let mut wrong = Vec::new();
    for (effect, from, to) in [
        ("toon", "1.22", "1.23"),
        ("plasma", "0.25", "0.26"),
        ("eclipse", "0.35", "0.36"),
        ("sine_hash", "0.5", "0.51"),
        ("mandelbrot", "4.0", "4.1"),
        ("voronoi", "0.5", "0.51"),
        ("toon", "7.0", "6.9"),
        ("nebula", "0.5", "0.49"),
    ] {
        let [first, second] = ["attila", "tgsi"].map(|set| format!("{set}/{effect}.{set}"));
        let [Some(a), Some(b)] = [&first, &second].map(|path| parallax_corpus::get(path).and_then(|file| file.text()))
        else {
            continue;
        };
        let changed = b.replacen(from, to, 1);
        let programs = [drawn(&first, a).expect("a program"), drawn(&second, &changed).expect("a program")];
        let plain = drawn(&second, b).expect("a program");
        let of = |b: &Drawn| {
            twins([&programs[0], b], [&model, &model], Engine::Interp, Control::default()).expect("two pictures")
        };
        let (same, found) = (of(&plain), of(&programs[1]));
        if found.whole.error <= 4.0 * same.whole.error {
            continue;
        }
        tried += 1;
        let wanted: f32 = to.parse().expect("a number");
        let named = |birth: &parallax_explain::twins::Birth| {
            birth.value.abs() as f32 == wanted || birth.place.text.contains(to)
        };
        match found.births.first().is_some_and(named) {
            true => right += 1,
            false => wrong.push(format!("{effect} {from}: {:?}", found.births)),
        }
    }
    assert!(tried >= 3 && right == tried, "{right} of {tried}: {wrong:#?}");
}
