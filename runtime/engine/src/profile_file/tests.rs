use super::*;
use parallax_num::{Decl, FloatFormat, Format, Judge, Legal, Model, Op, Rule, Ruling, Specials, eval};

fn highp() -> Profile {
    builtin_profile("vulkan-highp").unwrap()
}

fn f(bits: u32) -> f64 {
    f64::from(f32::from_bits(bits))
}

#[test]
fn built_in_profiles_are_read() {
    for (name, text) in PROFILES {
        let profile = parse_profile_file(name, text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(profile.name, *name);
        assert!(profile.ops().contains(&Op::Add) && profile.bounds.iter().all(|b| b.source.len() > 20), "{name}");
        assert_eq!(builtin_profile(name), Some(profile));
    }
    assert_eq!(builtin_profile("none"), None);
}

#[test]
fn bounds_are_those_of_the_document() {
    let profile = highp();
    let allows = |op, args: &[f64], result| profile.allows(op, args, result).unwrap();
    // Correctly rounded: either neighbour, nothing further.
    assert!(allows(Op::Add, &[1.0, f(0x3300_0000)], 1.0));
    assert!(allows(Op::Add, &[1.0, f(0x3300_0000)], f(0x3f80_0001)));
    assert!(!allows(Op::Add, &[1.0, f(0x3300_0000)], f(0x3f80_0002)));
    assert!(!allows(Op::Add, &[1.0, 1.0], f(0x4000_0001)));
    // Two units in the last place.
    assert!(allows(Op::Rsq, &[4.0], f(0x3f00_0002)));
    assert!(!allows(Op::Rsq, &[4.0], f(0x3f00_0003)));
    // 3 + 2 |x|.
    assert!(allows(Op::Exp2, &[0.0], f(0x3f80_0003)));
    assert!(!allows(Op::Exp2, &[0.0], f(0x3f80_0004)));
    assert!(allows(Op::Exp2, &[2.0], f(0x4080_0007)));
    assert!(!allows(Op::Exp2, &[2.0], f(0x4080_0008)));
    // Absolute near one, units in the last place beyond.
    assert!(allows(Op::Log2, &[1.0], f(0x3500_0000)));
    assert!(!allows(Op::Log2, &[1.0], f(0x3500_0001)));
    assert!(allows(Op::Log2, &[8.0], f(0x4040_0003)));
    assert!(!allows(Op::Log2, &[8.0], f(0x4040_0004)));
    // Division by zero is exact, by what is too small free.
    assert!(allows(Op::Div, &[1.0, 0.0], f64::INFINITY));
    assert!(!allows(Op::Div, &[1.0, 0.0], 1.0));
    // Free as it is, infinite when it is flushed: free wins.
    assert_eq!(profile.legal(Op::Div, &[1.0, f(0x0000_0001)]), Some(Legal::Anything));
    assert!(allows(Op::Sin, &[100.0], 7.0));
    assert!(!allows(Op::Sin, &[1.0], 0.8));
    assert_eq!(profile.allows(Op::BitsOf, &[1.0], 1.0), None);
}

#[test]
fn subnormals_may_be_flushed() {
    let profile = highp();
    let tiny = f(0x0000_0001);
    let allows = |op, args: &[f64], result| profile.allows(op, args, result).unwrap();
    assert!(allows(Op::Add, &[tiny, 0.0], tiny));
    assert!(allows(Op::Add, &[tiny, 0.0], 0.0));
    assert!(!allows(Op::Add, &[tiny, 0.0], 2.0 * tiny));
    assert!(allows(Op::Mul, &[f(0x0080_0000), 0.5], 0.0));
    // The operand, the result, or both.
    assert!(allows(Op::Mul, &[tiny, f(0x4b80_0000)], 0.0));
    assert!(allows(Op::Mul, &[tiny, f(0x4b80_0000)], tiny * f(0x4b80_0000)));
}

#[test]
fn special_values() {
    let profile = highp();
    let allows = |op, args: &[f64], result| profile.allows(op, args, result).unwrap();
    assert!(allows(Op::Add, &[f64::NAN, 1.0], 5.0));
    assert!(allows(Op::Sub, &[f64::INFINITY, f64::INFINITY], 5.0));
    assert!(allows(Op::Add, &[f64::INFINITY, 1.0], f64::INFINITY));
    assert!(!allows(Op::Add, &[f64::INFINITY, 1.0], f(0x7f7f_ffff)));
    assert!(allows(Op::Add, &[f(0x7f7f_ffff), f(0x7f7f_ffff)], f64::INFINITY));
    assert!(allows(Op::Add, &[f(0x7f7f_ffff), f(0x7f7f_ffff)], f(0x7f7f_ffff)));
    assert!(!allows(Op::Add, &[1.0, 1.0], f64::NAN));
    assert!(allows(Op::Sqrt, &[0.0], 0.0));
    // Infinite operands of operations with an error.
    assert!(allows(Op::Rsq, &[f64::INFINITY], 0.0) && !allows(Op::Rsq, &[f64::INFINITY], 1.0));
    assert!(allows(Op::Exp2, &[f64::INFINITY], f64::INFINITY) && !allows(Op::Exp2, &[f64::INFINITY], 1.0));
    assert!(allows(Op::Exp2, &[f64::NEG_INFINITY], 0.0) && !allows(Op::Log2, &[f64::INFINITY], 1.0));
    assert!(allows(Op::Div, &[f64::INFINITY, 2.0], f64::INFINITY) && !allows(Op::Div, &[f64::INFINITY, 2.0], 1.0));
    // The logarithm may be a zero, and zero times infinity NaN.
    assert!(allows(Op::Pow, &[1.0, f64::INFINITY], f64::NAN));
    // What GLSL leaves undefined.
    assert!(allows(Op::Rsq, &[-0.0], f64::NAN) && allows(Op::Log2, &[0.0], 0.0));
    assert!(allows(Op::Sqrt, &[2.0], std::f64::consts::SQRT_2));
}

#[test]
fn formulas_allow_what_their_steps_allow() {
    let profile = highp();
    // Fused, separate and everything between.
    let (a, c) = (f(0x3f80_0003), f(0xbf80_0006));
    let legal = profile.legal(Op::Mad, &[a, a, c]).unwrap();
    assert!(legal.contains(0.0) && legal.contains(f(0x2a10_0000)) && !legal.contains(f(0x3480_0000)));
    let mixed = profile.legal(Op::Lrp, &[0.25, 8.0, 4.0]).unwrap();
    assert_eq!(mixed, Legal::Intervals(vec![parallax_num::Interval { low: 5.0, high: 5.0 }]));
    assert!(profile.allows(Op::Pow, &[2.0, 3.0], 8.0).unwrap());
    assert!(!profile.allows(Op::Pow, &[2.0, 3.0], 8.1).unwrap());
    assert!(profile.allows(Op::Dot3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 32.0).unwrap());
    assert!(!profile.allows(Op::Dot3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 33.0).unwrap());
}

/// Operand tuples with all kinds of numbers.
fn tuples(count: usize, args: usize) -> Vec<Vec<f64>> {
    let mut random = parallax_random::Random::new(7);
    let mut next = move || random.word() as u32;
    let mut one = move || {
        let word = next();
        let bits = match word % 4 {
            // Around one, around the smallest normal number, anything, special values.
            _ if word % 61 == 0 => [0, 1 << 31, 0x7f80_0000, 0xff80_0000, 1, 0x7f7f_ffff][next() as usize % 6],
            0 => 0x3f00_0000 + (next() & 0x01ff_ffff),
            1 => 0x007f_0000 + (next() & 0x0001_ffff),
            2 => next() & 0x8fff_ffff | 0x3000_0000,
            _ => next(),
        };
        f64::from(f32::from_bits(bits))
    };
    (0..count).map(|_| (0..args).map(|_| one()).collect()).collect()
}

#[test]
fn models_that_claim_an_accuracy_keep_it_or_are_found_out() {
    let profile = highp();
    for (name, op, legal) in [
        ("ieee", Op::Add, true),
        ("ieee[round=rtz]", Op::Mul, true),
        ("ieee", Op::Mad, true),
        ("tgsi", Op::Mad, true),
        ("nvfp", Op::Dot4, true),
        ("tgsi", Op::Rsq, true),
        ("nvfp", Op::Rsq, true),
        ("nvfp@high", Op::Rsq, false),
        ("maxwell@low", Op::Rsq, true),
        ("maxwell@high", Op::Exp2, true),
        ("maxwell@low", Op::Sin, true),
        ("maxwell@random:3", Op::Rcp, true),
        ("ieee[fp32=half]", Op::Mul, false),
        ("ieee[fp32=fp24]", Op::Add, false),
        ("ieee[rcp.accuracy=2^-20]@low", Op::Rcp, false),
    ] {
        let model = Model::parse(name).unwrap();
        let tuples = tuples(400, op.info().args.len());
        let verdict = profile.judge(&model, op, tuples.iter().map(Vec::as_slice)).unwrap();
        assert_eq!(verdict.tried, 400);
        assert!(verdict.free < 300, "{name} {op}: {verdict:?}");
        assert_eq!(verdict.outside == 0, legal, "{name} {op}: {verdict:x?}");
    }
    // Zero times infinity may be anything where NaN is optional, so even that is legal.
    let zero_wins = Model::parse("nv-patent").unwrap();
    let pair: &[f64] = &[0.0, f64::INFINITY];
    assert_eq!(profile.judge(&zero_wins, Op::Mul, [pair]).unwrap().outside, 0);
}

#[test]
fn quick_rulings_are_those_of_the_intervals() {
    let wide = Format::Float(FloatFormat { exp: 11, frac: 44, denormals: true, specials: Specials::InfNan });
    let mut cleared = 0;
    for (name, text) in PROFILES {
        let profile = parse_profile_file(name, text).unwrap();
        for op in profile.ops().into_iter().filter(|op| op.info().args.len() <= 2) {
            let judge = Judge::new(&profile, op).unwrap();
            let rule = Rule::ieee(Decl::F32, wide).normalised(op);
            for tuple in tuples(300, op.info().args.len()) {
                let words: Vec<u64> = tuple.iter().map(|v| v.to_bits()).collect();
                let estimate = f64::from_bits(eval(op, &rule, &words));
                let near = estimate as f32;
                let steps = [0i32, 1, -1, 2, -3, 5, -8, 100].map(|n| near.to_bits().wrapping_add_signed(n));
                let others = [0, 1 << 31, 0x7f80_0000, 0x7fc0_0000, 0xff80_0000, 0x7f7f_ffff];
                for result in steps.into_iter().chain(others).map(|bits| f64::from(f32::from_bits(bits))) {
                    let full = judge.rules(&tuple, result, f64::NAN);
                    let legal = profile.legal(op, &tuple).unwrap();
                    assert_eq!(matches!(full, Ruling::Outside(_)), !legal.contains(result));
                    assert_eq!(full == Ruling::Free, legal == Legal::Anything);
                    assert_eq!(judge.rules(&tuple, result, estimate), full, "{name} {op} {tuple:?} {result:e}");
                    cleared += u64::from(full == Ruling::Inside);
                }
            }
        }
    }
    assert!(cleared > 10_000, "{cleared}");
}

#[test]
fn rulings_say_how_far_outside() {
    let profile = highp();
    let judge = Judge::new(&profile, Op::Rsq).unwrap();
    // Two units are allowed, these are five.
    assert_eq!(judge.rules(&[4.0], f(0x3f00_0005), 0.5), Ruling::Outside(3.0));
    assert_eq!(judge.rules(&[4.0], f64::NAN, 0.5), Ruling::Outside(f64::INFINITY));
    assert_eq!(judge.rules(&[4.0], f64::INFINITY, 0.5), Ruling::Outside(f64::INFINITY));
    assert_eq!(judge.rules(&[f64::NAN], 7.0, f64::NAN), Ruling::Free);
    assert!(Judge::new(&profile, Op::LitZ).is_none());
}

#[test]
fn half_arithmetic_is_legal_relaxed_precision_and_fixed_point_is_not() {
    let profile = builtin_profile("vulkan-mediump").unwrap();
    let tuples: Vec<Vec<f64>> =
        tuples(2000, 2).into_iter().filter(|t| t.iter().all(|v| (1e-3..1e2).contains(&v.abs()))).collect();
    assert!(tuples.len() > 100);
    for (name, legal) in
        [("nvfp[fp32=half]", true), ("ieee", true), ("ieee[fp32=bf16]", false), ("nvfp[fp32=fx12]", false)]
    {
        let model = Model::parse(name).unwrap();
        let verdict = profile.judge(&model, Op::Mul, tuples.iter().map(Vec::as_slice)).unwrap();
        assert_eq!(verdict.outside == 0, legal, "{name}: {verdict:x?}");
    }
}

#[test]
fn mistakes_have_places() {
    let wrong = |text: &str| parse_profile_file("p.toml", text).unwrap_err().to_string();
    assert!(wrong("").contains("p.toml:1:1: error[profile-name]"));
    assert!(
        wrong("name = \"p\"\nfracton = 9")
            .contains("p.toml:2:1: error[profile-key]: unknown key `fracton`\n  help: did you mean `fraction`?")
    );
    assert!(wrong("name = \"p\"\nfraction = 60").contains("p.toml:2:12: error[profile-value]"));
    assert!(wrong("name = \"p\"\nexponents = [3, 2]").contains("p.toml:2:13: error[profile-value]"));
    assert!(wrong("name = \"p\"\nnan = \"perhaps\"").contains("unknown word `perhaps`"));
    let bound = |body: &str| wrong(&format!("name = \"p\"\n[[bound]]\n{body}"));
    assert!(
        bound("ops = [\"exp3\"]\nulp = 1\nsource = \"x\"")
            .contains("p.toml:3:8: error[profile-key]: unknown operation `exp3`\n  help: did you mean `exp2`?")
    );
    assert!(bound("ops = [\"exp2\"]\nsource = \"x\"").contains("exactly one of"));
    assert!(bound("ops = [\"exp2\"]\nulp = 1\ncorrect = true\nsource = \"x\"").contains("exactly one of"));
    assert!(bound("ops = [\"exp2\"]\nulp = 1").contains("error[profile-source]"));
    assert!(bound("ops = [\"exp2\"]\nabsolute = \"2^x\"\nsource = \"x\"").contains("`2^x` is not a number"));
    assert!(
        bound("ops = [\"exp2\"]\nrange = [2, 1]\nulp = 1\nsource = \"x\"").contains("the lower end must come first")
    );
    assert!(bound("ops = [\"exp2\"]\nformula = \"exp(b*log(a))\"\nsource = \"x\"").contains("unknown formula"));
}

/// One bound of each new shape, at its ends, from the documents named in the profiles.
#[test]
fn bounds_of_other_specifications_are_those_of_their_documents() {
    let allows = |profile: &str, op, args: &[f64], result| {
        builtin_profile(profile).unwrap().allows(op, args, result).unwrap_or_else(|| panic!("{profile} {op}"))
    };
    // Direct3D 11: relative.
    assert!(allows("d3d11", Op::Rcp, &[1.0], f(0x3f80_0004)) && !allows("d3d11", Op::Rcp, &[1.0], f(0x3f80_0005)));
    assert!(allows("d3d11", Op::Sin, &[1.0], 0.8422) && !allows("d3d11", Op::Sin, &[1.0], 0.8425));
    // OpenCL, unsafe: 3 + floor(|2 x|) units.
    assert!(allows("opencl-unsafe", Op::Exp2, &[0.75], 0.75f64.exp2() + 4.0 * 2f64.powi(-23)));
    assert!(!allows("opencl-unsafe", Op::Exp2, &[0.75], 0.75f64.exp2() + 5.5 * 2f64.powi(-23)));
    assert!(allows("opencl", Op::Rsq, &[4.0], f(0x3f00_0002)) && !allows("opencl", Op::Rsq, &[4.0], f(0x3f00_0003)));
    assert!(allows("opencl-embedded", Op::Rsq, &[4.0], f(0x3f00_0004)));
    assert!(!allows("opencl-embedded", Op::Rsq, &[4.0], f(0x3f00_0005)));
    // Of the largest operand squared: 3 * 2^-23 for two components up to 4.
    let dot = [4.0, 1.0, 1.0, -4.0];
    assert!(
        allows("opencl", Op::Dot2, &dot, 48.0 * 2f64.powi(-23))
            && !allows("opencl", Op::Dot2, &dot, 49.0 * 2f64.powi(-23))
    );
    // Fixed point: either neighbour among steps of 2^-8, anything beyond the range.
    assert!(
        allows("gles-lowp", Op::Mul, &[0.5, 0.5 + 1.0 / 256.0], 0.25) && allows("gles-lowp", Op::Mul, &[1.5, 1.5], 9.0)
    );
    assert!(allows("gles-lowp", Op::Mul, &[0.5, 0.5 + 1.0 / 256.0], 0.25 + 1.0 / 256.0));
    assert!(!allows("gles-lowp", Op::Mul, &[0.5, 0.5], 0.25 + 1.0 / 256.0));
    // WGSL and Metal.
    assert!(allows("webgpu", Op::Div, &[1.0, 3.0], 1.0 / 3.0 + 2.4 * 2f64.powi(-25)));
    assert!(!allows("webgpu-f16", Op::Sin, &[1.0], 0.86) && allows("webgpu-f16", Op::Sin, &[1.0], 0.8455));
    assert!(allows("metal", Op::Sin, &[1.0], 0.84155) && !allows("metal", Op::Sin, &[1.0], 0.8417));
    assert!(allows("gles", Op::Exp2, &[2.0], f(0x4080_0007)) && !allows("gles", Op::Exp2, &[2.0], f(0x4080_0008)));
    // Infinities are no way out where they must be supported.
    assert!(!allows("opencl", Op::Add, &[1.0, 1.0], f64::INFINITY));
}

#[test]
fn impossible_profiles_are_refused() {
    let refused = |text: &str, what: &str| {
        let found = parse_profile_file("p.toml", &format!("name = \"p\"\n{text}")).unwrap_err().to_string();
        assert!(found.contains(what), "{found}");
    };
    refused("step = 0.5", "p.toml:2:8: error[profile-value]: fixed point also needs `largest`");
    refused("largest = 2", "p.toml:2:11: error[profile-value]: `largest` is for fixed point");
    refused("step = 2\nlargest = 1", "p.toml:3:11: error[profile-value]: `largest` must be more than one `step`");
    refused("step = -1\nlargest = 1", "expected a size above 0");
    refused("[[bound]]\nops = \"rcp\"\nrelative = -1\nsource = \"s\"", "an error bound cannot be negative");
    refused("[[bound]]\nops = \"exp2\"\nulp_floor_per_operand = 2\ncorrect = true\nsource = \"s\"", "need `ulp`");
}
