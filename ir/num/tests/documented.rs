//! Values that documents fix and that models once had wrong.

use parallax_num::{Model, Op, Slot, Storage, Tier, eval};
use parallax_random::Random;

fn value(model: &str, slot: &str, op: Op, source: Storage, args: &[u64]) -> u64 {
    let model = Model::parse(model).expect(model);
    let (rule, _) = model.rule(op, &Slot::parse(slot).expect(slot), source);
    eval(op, &rule, args)
}

fn fp32(model: &str, op: Op, args: &[u64]) -> u64 {
    value(model, "fp32", op, Storage::F32, args)
}

/// PowerVR Rogue instruction set reference, 6.1.8: FEXP of a NaN is the default NaN, as of the other functions.
#[test]
fn rogue_exp2_of_nan_is_the_default_nan() {
    for op in [Op::Exp2, Op::Log2, Op::Rcp] {
        assert_eq!(fp32("rogue", op, &[0xffc1_2345]), 0x7fc0_0000, "{op}");
    }
}

/// NV_fragment_program and the patent: if (t.x < 0) t.x = 0 leaves NaN and -0 alone.
#[test]
fn nv_lit_keeps_nan_and_negative_zero() {
    for model in ["nvfp", "nv-arb", "nv-patent"] {
        assert_eq!(fp32(model, Op::LitY, &[0x7fc0_0001]), 0x7fc0_0001, "{model}");
        assert_eq!(fp32(model, Op::LitY, &[0x8000_0000]), 0x8000_0000, "{model}");
        assert_eq!(fp32(model, Op::LitY, &[0xbf80_0000]), 0, "{model}");
    }
}

/// Three documents exclude 1.0 from FRC.
#[test]
fn nv_frc_of_a_tiny_negative_number_is_below_one() {
    for model in ["nv-patent", "nvfp", "nv-arb", "nv40", "amd-rdna", "d3d11"] {
        assert_eq!(fp32(model, Op::Frac, &[0xb000_0000]), 0x3f7f_ffff, "{model}");
        assert_eq!(fp32(model, Op::Frac, &[0xbe80_0000]), 0x3f40_0000, "{model}");
    }
    assert_eq!(fp32("ieee", Op::Frac, &[0xb000_0000]), 0x3f80_0000);
}

/// Under the patent a NaN counts as an infinity of its sign, in packs too.
#[test]
fn packs_read_nan_as_the_model_says() {
    let args = [0x7fc0_0000, 0xffc0_0000, 0, 0x3f80_0000];
    assert_eq!(fp32("nv-patent", Op::PackBiased4, &args), 0xff80_00ff);
    assert_eq!(fp32("nv-patent", Op::PackUnorm4, &args), 0xff00_00ff);
    assert_eq!(fp32("nvfp", Op::PackBiased4, &args), 0xff80_8080);
}

/// Mesa's interpreter hands on the first of two zeros.
#[test]
fn tgsi_min_and_max_of_zeros_give_the_first() {
    for op in [Op::Min, Op::Max] {
        assert_eq!(fp32("tgsi", op, &[0x8000_0000, 0]), 0x8000_0000);
        assert_eq!(fp32("tgsi", op, &[0, 0x8000_0000]), 0);
    }
}

/// A conversion flushes the denormals of its source, not what would be denormal in its result.
#[test]
fn a_conversion_reads_denormals_of_its_source() {
    // 387fffff is a normal binary32 number just below the normal halves: it rounds up to the least of them.
    assert_eq!(value("nv-patent", "half", Op::Cvt, Storage::F32, &[0x387f_ffff]), 0x0400);
    assert_eq!(value("nv-patent", "fp32", Op::Cvt, Storage::F16, &[0x0001]), 0);
    assert_eq!(value("ieee", "fp32", Op::Cvt, Storage::F16, &[0x0001]), 0x3380_0000);
}

/// ARB_fragment_program 3.11.4.3: the clamp keeps NaN and -0.
#[test]
fn nv_arb_clamps_by_comparing() {
    assert_eq!(value("nv-arb", "fp32.sat", Op::Add, Storage::F32, &[0x8000_0000, 0x8000_0000]), 0x8000_0000);
    assert_eq!(value("nv-arb", "fp32.sat", Op::Add, Storage::F32, &[0x7fc0_0000, 0]), 0x7fc0_0000);
}

/// Less than a bound is not equal to it: results of operands whose exact value is short would reach the end.
#[test]
fn strict_bounds_leave_out_their_ends() {
    let strict = fp32("ieee[rcp.accuracy=<2^-21]@high", Op::Rcp, &[0x4000_0000]);
    let closed = fp32("ieee[rcp.accuracy=2^-21]@high", Op::Rcp, &[0x4000_0000]);
    assert_eq!((closed, strict), (0x3f00_0002, 0x3f00_0001));
    for (op, x, want) in [(Op::Rcp, 0x3f80_0000, 0x3f80_0000), (Op::Exp2, 0, 0x3f80_0000), (Op::Log2, 0x3f80_0000, 0)] {
        for probe in ["low", "high", "random:3"] {
            assert_eq!(fp32(&format!("nvfp@{probe}"), op, &[x]), want, "{op} {probe}");
        }
    }
}

/// What an older chip's document fixes is an assumption about its successor.
#[test]
fn nv40_claims_nothing_for_itself_that_only_its_predecessor_says() {
    let model = Model::parse("nv40").expect("nv40");
    let (_, tier) = model.rule(Op::FLt, &Slot::parse("fp32").expect("a slot"), Storage::F32);
    assert_eq!(tier, Tier::Assumed);
}

/// Each step of a chain follows its own rule, so a probe moves pow, nrm and a*rcp(b).
#[test]
fn probes_move_chains() {
    for (model, op, args) in [
        ("nvfp", Op::Pow, vec![0x4040_0000, 0x3fc0_0000]),
        ("nvfp", Op::Nrm, vec![0x3f80_0000, 0x3f80_0000, 0x3f80_0000, 0x4040_0000]),
        ("amd-gcn", Op::Div, vec![0x3f80_0000, 0x4040_0000]),
    ] {
        assert_ne!(fp32(&format!("{model}@low"), op, &args), fp32(&format!("{model}@high"), op, &args), "{model} {op}");
    }
}

/// Truncating the exponent away: the random choice is the same part of the bound in every binade and for both signs.
#[test]
fn random_choices_have_the_symmetries_of_a_function_unit() {
    let rcp = |x: u64| fp32("ieee[rcp.accuracy=2^-18]@random:9", Op::Rcp, &[x]);
    for fraction in [0x12_3456, 0x45_6789, 0x7f_ffff] {
        let one = rcp(0x3f80_0000 | fraction);
        assert_eq!(rcp(0x4080_0000 | fraction), one - (2 << 23));
        assert_eq!(rcp(0xbf80_0000 | fraction), one | 1 << 31);
    }
}

/// Error below 2^-22 for operands from 1 to below 2 (RSQ: below 4), scaled by the exponent: at powers of two as elsewhere. In
/// integers: r and 1 in steps of 2^-24, operands in steps of 2^-23.
#[test]
fn probes_of_reciprocals_keep_to_their_bounds_at_powers_of_two() {
    let mut random = Random::new(7);
    for (model, strict) in [("nv-patent", true), ("nvfp", true), ("nv-arb", true), ("nv40", true), ("d3d9", false)] {
        let inside = |distance: u128, end: u128| if strict { distance < end } else { distance <= end };
        for probe in ["low", "high", "random:5", "nearest"] {
            let name = format!("{model}@{probe}");
            for n in 0..200u64 {
                let fraction = if n < 40 { 0 } else { random.word() & 0x7f_ffff };
                let exponent = (n % 40) as i32 - 20;
                let x = ((127 + exponent) as u64) << 23 | fraction;
                let m = u128::from(1 << 23 | fraction);
                // r * 2^exponent in steps of 2^-24: at most 1, where the result is a power of two, plus the bound.
                let scaled = |word: u64, exponent: i32| {
                    let (field, fraction) = ((word >> 23) as i32, u128::from(1 << 23 | word & 0x7f_ffff));
                    let shift = field - 127 + exponent + 1;
                    if shift >= 0 { fraction << shift } else { fraction >> -shift }
                };
                let r = scaled(fp32(&name, Op::Rcp, &[x]), exponent);
                // |r m - 1| against 2^-22 m, all in steps of 2^-47.
                assert!(inside((r * m).abs_diff(1 << 47), 4 * m), "{name} rcp {x:x}");
                let (half, odd) = (exponent >> 1, exponent & 1);
                let r = scaled(fp32(&name, Op::Rsq, &[x]), half);
                // r - 2^-22 and r + 2^-22, squared, times the operand: below and above 1.
                let product = |r: u128| r * r * (m << odd);
                let (low, high) = (product(r - 4), product(r + 4));
                let one = 1u128 << 71;
                assert!(low < one && one < high || !strict && low <= one && one <= high, "{name} rsq {x:x}");
            }
        }
    }
}

/// Hillesland and Lastra 2004, R300: products err from -0.99 to 0.13 ulp, quotients from -2.87 to 0.09 ulp, by default too.
#[test]
fn r300_products_and_quotients_lie_in_their_measured_ranges() {
    let mut random = Random::new(8);
    let (mut cut, mut raised) = (0, 0);
    for _ in 0..200_000 {
        let [a, b] = [0; 2].map(|_| 1 << 16 | random.below(1 << 16));
        let word = |significand: u64| 0x3f80_0000 | (significand & 0xffff) << 7;
        // Of a result in [1, 4) or (1/2, 2): significand and exponent.
        let split = |word: u64| (1 << 16 | word >> 7 & 0xffff, (word >> 23) as i32 - 127);
        let (got, exponent) = split(fp32("ati-r300", Op::Mul, &[word(a), word(b)]));
        let exact = a * b;
        let top = 63 - exact.leading_zeros() as i32;
        // Steps of the result's binade, in parts of the exact product.
        let step = 1i64 << (top - 16);
        let result = (got as i64) << (16 + exponent);
        let error = result - exact as i64;
        assert!(100 * error >= -99 * step && 100 * error <= 13 * step, "{a:x} * {b:x}: {error} of {step}");
        if error > 0 {
            raised += 1
        } else {
            cut += 1
        }
        let (got, exponent) = split(fp32("ati-r300", Op::Div, &[word(a), word(b)]));
        // got * 2^(exponent - 16) - a / b, times b, in steps of 2^-17, which is half a step of the smaller binade.
        let error = ((got * b) as i64) * if exponent < 0 { 1 } else { 2 } - ((a << 17) as i64);
        let step = (if a < b { 1 } else { 2 }) * b as i64;
        assert!(100 * error >= -287 * step && 100 * error <= 9 * step, "{a:x} / {b:x}: {error} of {step}");
    }
    assert!(cut > 190_000 && raised > 500, "{cut} {raised}");
}

/// Mesa, vc4_program.c: the angle in turns is a product of the chopping MUL.
#[test]
fn vc4_chops_its_angles() {
    let mut chopped = 0;
    for n in 0..2000u32 {
        let x = f32::from_bits(0x3c00_0000 + n * 0x1_2f6b);
        let exact = f64::from(x) * f64::from(f32::from_bits(0x3e22_f983));
        // Both have 24 bits: the product is exact, and its leading 24 bits are left.
        let turns = f64::from_bits(exact.to_bits() & !0x1fff_ffff) as f32;
        chopped += usize::from(turns != exact as f32);
        for op in [Op::Sin, Op::Cos] {
            let want = fp32("ieee[trig=turns(3f800000)]", op, &[turns.to_bits().into()]);
            assert_eq!(fp32("vc4", op, &[x.to_bits().into()]), want, "{op} {x:e}");
        }
    }
    assert!(chopped > 800, "{chopped}");
}

/// What a page says of one field for one operation is all that its tier says.
#[test]
fn tiers_are_those_of_a_field_for_an_operation() {
    for (name, op, field, tier) in [
        ("g80", Op::Rsq, "rsq", Tier::Format),
        ("g80", Op::Log2, "log2", Tier::Format),
        ("fermi", Op::Rsq, "rsq", Tier::Format),
        ("fermi", Op::Log2, "log2", Tier::Format),
        ("maxwell", Op::Rcp, "unit", Tier::Measured),
        ("maxwell", Op::Pow, "unit", Tier::Assumed),
        ("maxwell", Op::Nrm, "unit", Tier::Assumed),
        ("pascal", Op::Pow, "unit", Tier::Assumed),
        ("volta", Op::Nrm, "unit", Tier::Assumed),
        ("maxwell", Op::Min, "minmax_zero", Tier::Format),
        ("swiftshader", Op::Log2, "unit", Tier::Measured),
        ("d3d9", Op::Log2, "log_special", Tier::Format),
        ("d3d11", Op::PackHalf2, "denorm_out", Tier::Format),
        ("amd-rdna", Op::Sin, "trig", Tier::Format),
        ("nv-patent", Op::Mul, "zero_mul", Tier::Format),
    ] {
        let model = Model::parse(name).expect(name);
        let (_, fields) = model.fields(op, &Slot::parse("fp32").expect("a slot"), Storage::F32);
        let found = fields.iter().find(|(known, _)| known.name == field).map(|(_, tier)| *tier);
        assert_eq!(found, Some(tier), "{name} {op} {field}");
    }
}

/// An `exact` or `measured` setting names a document and a place in it.
#[test]
fn what_is_exact_or_measured_names_a_document_and_a_place() {
    for model in Model::builtins().iter().filter(|model| !model.is_definition()) {
        for setting in model.settings().iter().filter(|s| s.tier <= Tier::Measured) {
            // A list of documents, each with its place, before what it says.
            let document = setting.source.split([';', ':']).next().unwrap_or_default();
            let place = document.split_once(", ").map(|(_, place)| place);
            assert!(
                place.is_some_and(|place| place.len() > 2),
                "{} {}: {}",
                model.name(),
                setting.field.name,
                setting.source
            );
        }
    }
}
