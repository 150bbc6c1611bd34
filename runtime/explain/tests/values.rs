//! What instructions computed in single pixels, against products and sums by hand.

use parallax::{Draw, LoadOptions, load};
use parallax_core::num::Model;
use parallax_explain::{Explanation, Number, Options, explain};

const SIZE: u32 = 16;

fn explained(text: &str, model: &str) -> Explanation {
    let shader = load("a.fp", text.as_bytes(), &LoadOptions::default()).shader.expect("a program without errors");
    let draw = Draw::defaults(&shader.func.iface).expect("a draw without textures");
    let draw = Draw { width: SIZE, height: SIZE, ..draw };
    let parsed = |name: &str| Model::parse(name).expect("a model");
    explain(&shader, &draw, &parsed(model), &parsed("ieee"), &Options::default()).expect("a frame")
}

/// Rounded toward zero to binary32, of a number that binary64 has.
fn chopped(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near).abs() > value.abs() { f32::from_bits(near.to_bits() - 1) } else { near }
}

#[test]
fn values_are_products_and_sums_by_hand() {
    let text = "!!FP1.0\nMULR R0.xy, f[TEX0], 0.3;\nADDR R1.x, R0.x, R0.y;\nMOVR o[COLR], R1.x;\nEND\n";
    let found = explained(text, "ieee[mul.round=rtz]");
    let lines: Vec<u32> = found.values.instructions.iter().map(|place| place.line).collect();
    assert_eq!(lines[..2], [2, 3]);
    assert!(found.values.pixels.len() >= 16, "{}", found.values.pixels.len());
    let mut differing = 0;
    for (&(x, y), results) in found.values.pixels.iter().zip(&found.values.results) {
        // Texture coordinates of pixel centres are exact here.
        let [u, v] = [x, y].map(|at| (at as f32 + 0.5) / SIZE as f32);
        let exact = |a: f32| f64::from(a) * f64::from(0.3f32);
        let products = [u, v].map(|a| [chopped(exact(a)), a * 0.3]);
        let sums = [0, 1].map(|side| products[0][side] + products[1][side]);
        let want: Vec<Vec<[f32; 2]>> = vec![products.to_vec(), vec![sums]];
        let number = |number: Option<Number>| match number {
            Some(Number::Float(value)) => value as f32,
            other => panic!("{other:?}"),
        };
        let got: Vec<Vec<[f32; 2]>> =
            results[..2].iter().map(|list| list.iter().map(|both| both.map(number)).collect()).collect();
        assert_eq!(got, want, "pixel {x},{y}");
        differing += usize::from(products.iter().any(|[a, b]| a != b));
    }
    assert!(differing > 0);
}

/// The pixels that an instruction's exchange changes are those whose product another rounding changes.
#[test]
fn pixels_of_an_instruction_are_those_that_it_changes() {
    let text = "!!FP1.0\nMULR o[COLR], f[TEX0].x, 0.3;\nEND\n";
    let found = explained(text, "ieee[mul.round=rtz]");
    let first = &found.ranking.instructions[0];
    let changed: Vec<(u32, u32)> = first.pixels.iter().map(|&at| found.pixels[at as usize]).collect();
    let differs = |x: u32| {
        let u = (x as f32 + 0.5) / SIZE as f32;
        chopped(f64::from(u) * f64::from(0.3f32)) != u * 0.3
    };
    let want: Vec<(u32, u32)> = found.pixels.iter().copied().filter(|&(x, _)| differs(x)).collect();
    assert_eq!(changed, want);
    assert!(!want.is_empty() && want.len() < found.pixels.len(), "{} of {}", want.len(), found.pixels.len());
}
