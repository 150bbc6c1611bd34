//! Attributes in triangles, against the formulas in plain arithmetic.

use super::*;
use parallax_core::num::{Decl, Model, Slot, Storage};
use parallax_core::{Func, Shader, Stage, Symbolic};
use parallax_random::Random;

fn perspective(model: &str) -> Perspective {
    let model = Model::parse(model).expect("a model");
    Perspective::of(&Shader::<Symbolic>::new(Func::new("t", "t", Stage::Fragment)).bind(&model).state)
}

/// Values over w and 1/w of places in a triangle; none is special.
fn places() -> Vec<[f32; 2]> {
    let mut random = Random::new(5);
    let mut number = || (random.word() >> 40) as f32 / (1u32 << 20) as f32 + 0.01;
    (0..2000).map(|n| [if n % 2 == 0 { number() } else { -number() }, number()]).collect()
}

#[test]
fn the_default_is_the_nearest_quotient() {
    let ieee = perspective("ieee");
    for [over_w, inverse_w] in places() {
        assert_eq!(ieee.at(over_w, inverse_w, 7.0), (over_w / inverse_w).to_bits());
    }
}

#[test]
fn a_reciprocal_is_rounded_before_its_product() {
    // A unit whose reciprocal is the nearest: two roundings in the place of one.
    let exact = perspective("ieee[raster_interpolation=times-rcp]");
    let mut differ = 0;
    for [over_w, inverse_w] in places() {
        let want = over_w * (1.0 / inverse_w);
        assert_eq!(exact.at(over_w, inverse_w, 7.0), want.to_bits());
        differ += usize::from(want != over_w / inverse_w);
    }
    assert!(differ > 200, "{differ}");
    // That of a function unit with a table.
    let volta = perspective("volta");
    let rule = |op| Model::parse("volta").expect("a model").rule(op, &Slot::plain(Decl::F32), Storage::F32).0;
    for [over_w, inverse_w] in places() {
        let w = eval(Op::Rcp, &rule(Op::Rcp), &[u64::from(inverse_w.to_bits())]);
        let want = over_w * f32::from_bits(w as u32);
        assert_eq!(volta.at(over_w, inverse_w, 7.0), want.to_bits());
    }
}

/// Binary32 next to an exact sum or product toward zero.
fn cut(exact: f64) -> f32 {
    let near = exact as f32;
    if f64::from(near).abs() <= exact.abs() { near } else { f32::from_bits(near.to_bits() - 1) }
}

#[test]
fn vc4_cuts_a_product_and_a_sum() {
    let vc4 = perspective("vc4");
    assert_eq!(vc4.how, Interpolation::SlopeTimesW);
    for [over_w, inverse_w] in places() {
        let w = 1.0 / inverse_w;
        let product = cut(f64::from(over_w) * f64::from(w));
        // Of numbers of about one size, binary64 holds the sum.
        let first = if product.abs() < 1.0 { 0.75 } else { 3.0 };
        if product.abs() < 1e-6 || product.abs() > 1e6 {
            continue;
        }
        let want = cut(f64::from(product) + f64::from(first));
        assert_eq!(vc4.at(over_w, inverse_w, first), want.to_bits(), "{over_w} {inverse_w}");
    }
}

#[test]
fn rows_are_what_single_places_are() {
    let places = places();
    for model in ["ieee", "volta", "g80", "vc4", "v3d", "swiftshader", "ieee[raster_interpolation=times-rcp]"] {
        let perspective = perspective(model);
        let mut row: Vec<u32> = places.iter().map(|place| place[0].to_bits()).collect();
        let inverse_w: Vec<u32> = places.iter().map(|place| place[1].to_bits()).collect();
        perspective.row(&mut row, &inverse_w, 1.25);
        for (word, [over_w, inverse_w]) in row.into_iter().zip(&places) {
            assert_eq!(word, perspective.at(*over_w, *inverse_w, 1.25), "{over_w} {inverse_w} under {model}");
        }
    }
}

#[test]
fn places_in_a_triangle_are_two_fused_steps() {
    let component = Barycentric { first: 0.1, more: [0.3, -0.7] };
    for [i, j] in places().into_iter().map(|[a, b]| [a.abs() % 1.0, b % 1.0]) {
        let want = (-0.7f32).mul_add(j, 0.3f32.mul_add(i, 0.1));
        assert_eq!(component.at([i, j]), want.to_bits());
    }
}

#[test]
fn colors_are_read_as_the_unit_does() {
    for (value, short) in
        [(1.0f32, 1.0f32), (1.0 + 1.0 / 8192.0, 1.0), (1.0 + 3.0 / 8192.0, 1.0 + 1.0 / 2048.0), (-0.3, -0.299_987_8)]
    {
        assert_eq!(f32::from_bits(color(value.to_bits(), ColorAttribute::Float20)), short, "{value}");
    }
    let clamped = |value: f32| f32::from_bits(color(value.to_bits(), ColorAttribute::Clamped));
    assert_eq!([-1.0, 0.5, 2.0, f32::NAN].map(clamped), [0.0, 0.5, 1.0, 0.0]);
    assert_eq!(color(0x3f80_0001, ColorAttribute::Binary32), 0x3f80_0001);
}
