//! Values that documents fix and that models once had wrong.

use parallax_num::{Model, Op, Slot, Storage, Tier, eval};

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
    assert_eq!((closed, strict), (0x3f00_0004, 0x3f00_0003));
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
