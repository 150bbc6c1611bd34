//! Blending and the alpha test of single colours, against the tables of OpenGL 1.4 written out once more.

use super::*;
use crate::render_target::Target;
use parallax_core::num::{FixedFunctions, Storage};
use parallax_random::Random;

fn rule(field: &str, value: &str) -> TargetRule {
    FixedFunctions::IEEE.with(field, value).expect("a value").target
}

/// Blends one colour with what a target holds.
fn blended(target: Target, rule: TargetRule, blend: Blend, color: [f32; 4], held: [u64; 4]) -> [u64; 4] {
    let stores = [0, 1, 2, 3].map(|comp| Store::new(Storage::F32, target.code(comp), &rule));
    let parts: Parts<'_> = [0, 1, 2, 3].map(|n| Some(Part { plane: n, stored: n, store: &stores[n] }));
    Merger { blend, rule, outputs: Vec::new() }.blended(&parts, color.map(f64::from), Some(held))
}

/// Table 4.2 of the OpenGL 1.4 specification, by name: factors of red, green, blue and alpha.
fn factors(name: &str, s: [f32; 4], d: [f32; 4], c: [f32; 4]) -> [f32; 4] {
    let inverse = |of: [f32; 4]| of.map(|v| 1.0 - v);
    match name {
        "zero" => [0.0; 4],
        "one" => [1.0; 4],
        "src_color" => s,
        "one_minus_src_color" => inverse(s),
        "dst_color" => d,
        "one_minus_dst_color" => inverse(d),
        "src_alpha" => [s[3]; 4],
        "one_minus_src_alpha" => [1.0 - s[3]; 4],
        "dst_alpha" => [d[3]; 4],
        "one_minus_dst_alpha" => [1.0 - d[3]; 4],
        "constant_color" => c,
        "one_minus_constant_color" => inverse(c),
        "constant_alpha" => [c[3]; 4],
        "one_minus_constant_alpha" => [1.0 - c[3]; 4],
        "src_alpha_saturate" => {
            let f = s[3].min(1.0 - d[3]);
            [f, f, f, 1.0]
        }
        name => panic!("{name}"),
    }
}

fn term(source: Factor, destination: Factor, equation: Equation) -> BlendTerm {
    BlendTerm { source, destination, equation }
}

#[test]
fn every_factor_and_equation_is_that_of_opengl() {
    let mut random = Random::new(3);
    let mut unit = || (random.word() >> 40) as f32 / (1u32 << 24) as f32;
    for (source_name, source) in Factor::NAMES {
        for (held_name, destination) in Factor::NAMES {
            for (equation_name, equation) in Equation::NAMES {
                let [s, d, constant] = [(); 3].map(|()| [unit(), unit(), unit(), unit()]);
                let [sf, df] = [source_name, held_name].map(|name| factors(name, s, d, constant));
                let want: [f32; 4] = std::array::from_fn(|n| {
                    let (a, b) = (s[n] * sf[n], d[n] * df[n]);
                    match equation_name {
                        "add" => a + b,
                        "subtract" => a - b,
                        "reverse_subtract" => b - a,
                        "min" => s[n].min(d[n]),
                        _ => s[n].max(d[n]),
                    }
                });
                let color = term(source, destination, equation);
                let blend = Blend { color, alpha: color, constant, background: [0.0; 4] };
                let held = d.map(|v| u64::from(v.to_bits()));
                let found = blended(Target::Fp32, FixedFunctions::IEEE.target, blend, s, held);
                assert_eq!(
                    found.map(|word| f32::from_bits(word as u32)),
                    want,
                    "{source_name} {held_name} {equation_name}"
                );
            }
        }
    }
    // Alpha has a term of its own.
    let (color, alpha) =
        (term(Factor::One, Factor::Zero, Equation::Add), term(Factor::Zero, Factor::One, Equation::Add));
    let blend = Blend { color, alpha, constant: [0.0; 4], background: [0.0; 4] };
    assert_eq!(blended(Target::Unorm8, FixedFunctions::IEEE.target, blend, [1.0; 4], [7, 7, 7, 7]), [255, 255, 255, 7]);
}

/// Colours over bytes, as a + (1 - a): all alphas, sources and destinations of a grid.
#[test]
fn bytes_are_blended_by_the_arithmetic_of_the_unit() {
    let over = term(Factor::SrcAlpha, Factor::OneMinusSrcAlpha, Equation::Add);
    let blend = Blend { color: over, alpha: over, constant: [0.0; 4], background: [0.0; 4] };
    let mut differ = [0; 3];
    for alpha in 0..=255u64 {
        for source in (0..=255u64).step_by(5) {
            for held in (0..=255u64).step_by(3) {
                let color = [source, source, source, alpha].map(|byte| byte as f32 / 255.0);
                let find =
                    |value: &str| blended(Target::Unorm8, rule("target_blend", value), blend, color, [held; 4])[0];
                let exact = source * alpha + held * (255 - alpha);
                // Products of bytes: the nearest, the one below.
                let part = |round: u64| (source * alpha + round) / 255 + (held * (255 - alpha) + round) / 255;
                let [nearest, below] = [127, 0].map(|round| part(round).min(255));
                let shifted = |a: u64, b: u64| (a * b + (a * b) / 256 + 128) / 256;
                let gallivm = (shifted(source, alpha) + shifted(held, 255 - alpha)).min(255);
                let found = ["codes", "codes-floor", "gallivm"].map(find);
                assert_eq!(found, [nearest, below, gallivm], "{source} {alpha} {held}");
                let single = find("binary32");
                // Quotients by 255 and their products are off by less than a thousandth of a byte.
                let off = (single as f64 - exact as f64 / 255.0).abs();
                assert!(off < 0.501, "{source} {alpha} {held}: {single}");
                for (differ, found) in differ.iter_mut().zip(found) {
                    *differ += u32::from(found != single);
                }
            }
        }
    }
    assert!(differ.iter().all(|&count| count > 1000), "{differ:?}");
}

#[test]
fn sources_are_clamped_where_the_target_is() {
    let add = term(Factor::One, Factor::One, Equation::Add);
    let blend = Blend { color: add, alpha: add, constant: [0.0; 4], background: [0.0; 4] };
    let ieee = FixedFunctions::IEEE.target;
    // Minus one is nothing for bytes, and NaN is; for signed bytes it is the lowest.
    let color = [-1.0, 2.0, f32::NAN, 0.25];
    assert_eq!(blended(Target::Unorm8, ieee, blend, color, [51; 4]), [51, 255, 51, 115]);
    assert_eq!(blended(Target::Snorm8, ieee, blend, color, [0x40; 4])[..3], [0xc1, 0x7f, 0x40]);
    let half = blended(Target::Fp16, ieee, blend, color, [0x3c00; 4]);
    assert_eq!((half[0], half[1], half[3]), (0, 0x4200, 0x3d00));
}

#[test]
fn srgb_is_blended_as_light() {
    let over = term(Factor::SrcAlpha, Factor::OneMinusSrcAlpha, Equation::Add);
    let blend = Blend { color: over, alpha: over, constant: [0.0; 4], background: [0.0; 4] };
    // Half of white over black is 0.5 of its light, code 188; half of it by codes would be 128.
    let words = blended(Target::Srgb8, FixedFunctions::IEEE.target, blend, [1.0, 1.0, 1.0, 0.5], [0, 0, 0, 255]);
    assert_eq!(words[..3], [188; 3]);
    assert_eq!(words[3], 191);
}

#[test]
fn targets_without_alpha_have_one() {
    let add = term(Factor::DstAlpha, Factor::Zero, Equation::Add);
    let blend = Blend { color: add, alpha: add, constant: [0.0; 4], background: [0.0; 4] };
    let words = blended(Target::Rgb565, FixedFunctions::IEEE.target, blend, [1.0, 0.5, 0.0, 0.25], [0; 4]);
    assert_eq!(words, [31, 32, 0, 0]);
}

#[test]
fn alphas_are_tested_as_the_unit_does() {
    let ieee = FixedFunctions::IEEE.target;
    let stored = rule("target_alpha", "stored");
    let bytes = Store::new(Storage::F32, Target::Unorm8.code(3), &stored);
    for (name, compare) in Compare::NAMES {
        let test = AlphaTest { compare, reference: 0.5 };
        for (alpha, less, equal) in [(0.25, true, false), (0.5, false, true), (0.75, false, false)] {
            let want = match name {
                "never" => false,
                "less" => less,
                "equal" => equal,
                "less_equal" => less || equal,
                "greater" => !less && !equal,
                "not_equal" => !equal,
                "greater_equal" => !less,
                _ => true,
            };
            assert_eq!(test.keeps(alpha, None, &ieee), want, "{alpha} {name}");
            assert_eq!(test.keeps(alpha, Some(&bytes), &stored), want, "{alpha} {name}");
        }
    }
    // 0.501 and 0.5 are both stored as 128.
    let equal = AlphaTest { compare: Compare::Equal, reference: 0.5 };
    assert!(equal.keeps(0.501, Some(&bytes), &stored) && !equal.keeps(0.501, Some(&bytes), &ieee));
    // The reference of a float target is a half.
    let half = AlphaTest { compare: Compare::Equal, reference: 0.1 };
    let single = Store::new(Storage::F32, Target::Fp32.code(3), &stored);
    let tenth = Code::HALF.decode(0x2e66);
    assert!(half.keeps(tenth, Some(&single), &stored) && !half.keeps(tenth, Some(&single), &ieee));
    // Beyond 1 an alpha for bytes is 1.
    let one = AlphaTest { compare: Compare::LessEqual, reference: 1.0 };
    assert!(one.keeps(7.0, Some(&bytes), &ieee) && !one.keeps(7.0, None, &ieee) && !one.keeps(f64::NAN, None, &ieee));
}
