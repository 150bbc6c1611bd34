//! Targets of floats and bytes, from all containers.

use super::*;
use parallax_core::num::{FixedFunctions, Format, Op, eval, ulp};

fn stored(from: Storage, target: Target, words: &[u64]) -> Vec<u64> {
    let bits = |bits: u32, words: &[u64]| Plane::from_words(bits, words);
    let all: Vec<Vec<u64>> = Processor::all()
        .into_iter()
        .map(|processor| {
            let mut out = bits(target.code(0).bits(), &vec![0; words.len()]);
            let from_words = bits(from.bits(), words);
            Store::new(from, target.code(0), &FixedFunctions::IEEE.target).run(
                processor,
                from_words.as_row(),
                [None; 3],
                out.as_row_mut(),
            );
            out.to_words()
        })
        .collect();
    assert!(all.iter().all(|one| *one == all[0]), "levels of instructions differ");
    all.into_iter().next().unwrap()
}

fn f32s(values: &[f32]) -> Vec<u64> {
    values.iter().map(|v| u64::from(v.to_bits())).collect()
}

#[test]
fn eight_bit_values_round_exactly() {
    for (v, want) in [
        (0.0, 0),
        (-0.0, 0),
        (-1.0, 0),
        (f64::NAN, 0),
        (f64::NEG_INFINITY, 0),
        (f64::INFINITY, 255),
        (1.0, 255),
        (0.5, 128),
        (0.5f64.next_down(), 127),
        (1.0f64.next_down(), 255),
        (f64::from_bits(1), 0),
        (f64::MIN_POSITIVE, 0),
    ] {
        assert_eq!(unorm8(v), want, "{v:e}");
    }
    for k in 0..=255u8 {
        assert_eq!(unorm8(f64::from(k) / 255.0), k);
        // The borders between k and k + 1 lie at (k + 0.5) / 255, which only k = 127 can meet exactly.
        let border = (f64::from(k) + 0.5) / 255.0;
        if border < 1.0 && k != 127 {
            assert!(unorm8(border.next_down()) == k && unorm8(border.next_up()) == k + 1);
        }
    }
}

/// All 65,536 halves and all s12 numbers against integers: the byte nearest to 255 v, where v = n / 2^s.
#[test]
fn every_half_and_every_s12_number_becomes_the_nearest_byte() {
    let nearest = |n: i64, s: u32| {
        let scaled = 255 * n;
        let (whole, rest, half) = (scaled >> s, scaled & ((1 << s) - 1), 1i64 << (s - 1));
        whole + i64::from(rest > half || rest == half && whole & 1 == 1)
    };
    let halves: Vec<u64> = (0..=0xffff).collect();
    let bytes = stored(Storage::F16, Target::Unorm8, &halves);
    for (&half, &byte) in halves.iter().zip(&bytes) {
        let (field, fraction) = ((half >> 10 & 31) as u32, (half & 0x3ff) as i64);
        let want = match (half >> 15, field) {
            (_, 31) if fraction != 0 => 0,
            (1, _) => 0,
            (_, 15..) => 255,
            // In steps of 2^-25 and up: field 1 is 2^-14, with ten more bits.
            (_, 0) => nearest(fraction, 24),
            (_, field) => nearest((fraction | 0x400) << field, 25),
        };
        assert_eq!(byte as i64, want, "{half:04x}");
    }
    let s12: Vec<u64> = (-2048i32..=2047).map(|n| u64::from(n as u32)).collect();
    let bytes = stored(Format::FX12.storage(), Target::Unorm8, &s12);
    for (n, &byte) in (-2048i64..=2047).zip(&bytes) {
        assert_eq!(byte as i64, nearest(n.clamp(0, 1024), 10), "{n}");
    }
}

/// All halves to fp16 and back from wider containers: the same bits, NaNs quiet with their payload.
#[test]
fn every_half_survives_the_way_through_wider_containers() {
    let halves: Vec<u64> = (0..=0xffff).collect();
    assert_eq!(stored(Storage::F16, Target::Fp16, &halves), halves);
    let singles = stored(Storage::F16, Target::Fp32, &halves);
    let doubles: Vec<u64> = values(Storage::F16, &halves).into_iter().map(f64::to_bits).collect();
    for (from, words) in [(Storage::F32, &singles), (Storage::F64, &doubles)] {
        for (&half, back) in halves.iter().zip(stored(from, Target::Fp16, words)) {
            let is_nan = half & 0x7c00 == 0x7c00 && half & 0x3ff != 0;
            assert_eq!(back, if is_nan { half | 0x200 } else { half }, "{half:04x}");
        }
    }
}

/// Around every half: its neighbours' midpoint and the binary32 numbers beside it.
#[test]
fn ties_between_halves_go_to_the_even_one() {
    for half in 0..0x7c00u64 {
        let [low, high] = [half, half + 1].map(|h| ulp::to_f64(h, Storage::F16));
        // The largest half and what would come after it.
        let high = if high.is_finite() { high } else { 65536.0 };
        let middle = ((low + high) / 2.0) as f32;
        assert_eq!(f64::from(middle) * 2.0, low + high);
        let even = if half & 1 == 0 { half } else { half + 1 };
        let words = f32s(&[middle.next_down(), middle, middle.next_up(), -middle]);
        assert_eq!(stored(Storage::F32, Target::Fp16, &words), [half, even, half + 1, even | 0x8000]);
    }
}

#[test]
fn special_values_are_stored_as_the_table_says() {
    let words = [0x7fc0_0001, 0x7f80_0001, 0xff80_0000, 0x8000_0000, 0x477f_efff, 0x477f_f000, 0x0000_0001];
    assert_eq!(stored(Storage::F32, Target::Fp32, &words), words);
    assert_eq!(stored(Storage::F32, Target::Fp16, &words), [0x7e00, 0x7e00, 0xfc00, 0x8000, 0x7bff, 0x7c00, 0x0000]);
    assert_eq!(stored(Storage::F32, Target::Unorm8, &words), [0, 0, 0, 0, 255, 255, 0]);
    let doubles = [1e300, -1e300, 1e-300, -1e-300, f64::NAN, 0.1].map(f64::to_bits);
    assert_eq!(
        stored(Storage::F64, Target::Fp32, &doubles),
        [0x7f80_0000, 0xff80_0000, 0, 0x8000_0000, 0x7fc0_0000, 0x3dcc_cccd]
    );
    assert_eq!(stored(Storage::F64, Target::Unorm8, &doubles), [255, 0, 0, 0, 0, 26]);
    let s12 = [0xffff_f800, 0xffff_fc00, 0, 1, 0x200, 0x7ff];
    assert_eq!(stored(Format::FX12.storage(), Target::Fp16, &s12), [0xc000, 0xbc00, 0, 0x1400, 0x3800, 0x3fff]);
    assert_eq!(stored(Format::FX12.storage(), Target::Fp32, &s12)[3], 0x3a80_0000);
}

/// A binary64 number just above a tie of binary16 that binary32 would round onto the tie.
#[test]
fn containers_are_rounded_once() {
    let tie = 1.0 + 2f64.powi(-11);
    let above = (tie + 2f64.powi(-40)).to_bits();
    assert_eq!(stored(Storage::F64, Target::Fp16, &[tie.to_bits(), above]), [0x3c00, 0x3c01]);
    let border = 127.5f64 / 255.0;
    let below = (border - 2f64.powi(-45)).to_bits();
    assert_eq!(stored(Storage::F64, Target::Unorm8, &[border.to_bits(), below]), [128, 127]);
}

/// Rows and single words give the same.
#[test]
fn rows_agree_with_single_words() {
    let words: Vec<u64> = (0..70_000u64).map(|n| n.wrapping_mul(0x9e37_79b9) & 0xffff_ffff).collect();
    let rule = Rule { source: Storage::F32, ..Rule::ieee(Decl::F16, Format::F16) };
    let one: Vec<u64> = words.iter().map(|&word| eval(Op::Cvt, &rule, &[word])).collect();
    assert_eq!(stored(Storage::F32, Target::Fp16, &words), one);
    let bytes: Vec<u64> = words.iter().map(|&word| u64::from(unorm8(f64::from(f32::from_bits(word as u32))))).collect();
    assert_eq!(stored(Storage::F32, Target::Unorm8, &words), bytes);
}

#[test]
fn outputs_find_their_target() {
    let mut targets = Targets::all(Target::Unorm8);
    targets.by_output.insert(1, Target::Fp16);
    let of = |role| targets.of(role, Type::F32);
    assert_eq!(of(OutputRole::Color(0)), Some(Target::Unorm8));
    assert_eq!(of(OutputRole::Color(1)), Some(Target::Fp16));
    assert_eq!((of(OutputRole::Depth), of(OutputRole::Generic(1))), (None, None));
    assert_eq!(targets.of(OutputRole::Color(0), Type::Pred), None);
    assert_eq!(Targets::default().of(OutputRole::Color(0), Type::F32), None);
    assert!(Target::ALL.iter().all(|&target| Target::from_name(target.name()) == Some(target)));
}

/// All binary32 patterns to binary16, by their rule: `cargo test -p parallax --release every_single -- --ignored`.
#[test]
#[ignore = "long"]
fn every_single_becomes_the_nearest_half() {
    singles_to_halves(1);
}

#[test]
fn many_singles_become_the_nearest_half() {
    singles_to_halves(4_099);
}

fn singles_to_halves(stride: usize) {
    let rule = Rule { source: Storage::F32, ..Rule::ieee(Decl::F16, Format::F16) };
    let step = stride << 16;
    for first in (0..1u64 << 32).step_by(step) {
        let words: Vec<u64> = (first..(first + step as u64).min(1 << 32)).step_by(stride).collect();
        for (&word, wanted) in words.iter().zip(convert(&rule, &words)) {
            assert_eq!(u64::from(half_of_single(word as u32)), wanted, "{word:08x}");
        }
    }
}
