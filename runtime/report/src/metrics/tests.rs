use super::*;
use crate::frame::tests::{one_channel, one_exact};
use crate::snapshot::Snapshot;
use parallax::{FrameSamples, Stored, Target};
use parallax_core::exec::Plane;

fn measured(found: &Frame, reference: &Frame) -> Metrics {
    let (found, reference) = (FrameRead::new(found), FrameRead::new(reference));
    let all = measure(&found, &reference);
    let counts = Metrics {
        pixels: all.pixels,
        components: all.components,
        equal: all.equal,
        pixels_changed: all.pixels_changed,
        special_mismatch: all.special_mismatch,
        coverage_flips: all.coverage_flips,
        pixels8_changed: all.pixels8_changed,
        max8: all.max8,
        special_at: all.special_at.clone(),
        out_of_fuel: all.out_of_fuel,
        ..Metrics::default()
    };
    // As texts, since NaN is not itself.
    let counted = count(&found, &reference);
    assert_eq!(format!("{counted:?}"), format!("{counts:?}"), "counts are the same without figures");
    all
}

#[test]
fn a_frame_does_not_differ_from_itself() {
    let frame = one_channel(2, &[0.0, 1.0, f32::NAN, f32::INFINITY]);
    let m = measured(&frame, &frame);
    assert!(m.identical());
    assert_eq!((m.pixels, m.components, m.equal, m.measured, m.numbers), (4, 4, 4, 1, 2));
    assert_eq!((m.max_ulp, m.mean_ulp, m.p99_ulp), (0.0, 0.0, 0.0));
    assert_eq!(m.special_mismatch, 0);
}

#[test]
fn errors_are_steps_at_the_expected_value() {
    let third = 1.0f64 / 3.0;
    let found = one_channel(3, &[third as f32, 1.0, f32::from_bits(0x3f80_0003)]);
    let reference = one_exact(3, &[third, 1.0, 1.0]);
    let m = measured(&found, &reference);
    assert_eq!((m.equal, m.components, m.max_ulp), (2, 3, 3.0));
    // The rounding of 1/3 is a third of a step.
    let rounding = (f64::from(third as f32) - third) / 2f64.powi(-25);
    assert_eq!(m.mean_ulp, (rounding + 3.0) / 3.0);
    assert_eq!(m.p99_ulp, 3.0);
    let at = m.argmax.unwrap();
    assert_eq!((at.x, at.y, at.component.as_str()), (2, 0, "OUT[0].x"));
    assert_eq!((at.found_bits.as_str(), at.expected_bits.as_str()), ("3f800003", "3f800000"));
}

/// One against zero is 7e44 ulps, a true number that says nothing and ruins every mean.
#[test]
fn what_is_near_zero_is_measured_by_absolute_error_alone() {
    let found = one_channel(5, &[1.0, 1e-30, 0.5, 0.0, 0.001]);
    let m = measured(&found, &one_exact(5, &[0.0, 0.0, 0.5, 0.0, 0.0005]));
    // The scale is 0.5, so that 0.0005 is just above the floor.
    assert_eq!((m.components, m.equal, m.near_zero, m.measured, m.numbers), (5, 2, 2, 2, 5));
    assert_eq!(m.max_abs, 1.0);
    assert!(m.max_ulp < 2f64.powi(25), "{}", m.max_ulp);
    assert_eq!(m.rms, ((1.0 + 1e-60 + f64::powi(f64::from(0.001f32) - 0.0005, 2)) / 5.0).sqrt());
    assert_eq!(m.correct_bits, 0);
}

#[test]
fn half_the_errors_do_not_exceed_the_median() {
    let found: Vec<f32> = (0..200).map(|n| f32::from_bits(0x3f80_0000 + n)).collect();
    let m = measured(&one_channel(200, &found), &one_exact(200, &[1.0; 200]));
    assert_eq!((m.median_ulp, m.p99_ulp, m.max_ulp), (99.0, 197.0, 199.0));
    // 2^-23 * 197 is at most 2^-15: two of the two hundred may be worse, and are not.
    assert_eq!(m.correct_bits, 15);
}

#[test]
fn bytes_of_the_reference_come_from_what_its_format_holds() {
    // In binary64 just below the middle between two bytes; rounded to binary32 just above it.
    let middle = 0.5 / 255.0;
    let above = f64::from(middle as f32);
    assert!(above > middle, "the example needs a number that rounds up");
    let m = measured(&one_channel(1, &[above as f32]), &one_exact(1, &[middle - 1e-16]));
    assert_eq!((m.equal, m.pixels8_changed), (1, 0));
}

#[test]
fn special_values_are_kept_apart_from_ulps() {
    let found = one_channel(4, &[f32::NAN, f32::INFINITY, f32::INFINITY, 1.0]);
    let reference = one_exact(4, &[1.0, f64::NEG_INFINITY, 1e300, 1.0]);
    let m = measured(&found, &reference);
    // 1e300 is no binary32 number: infinity is what it rounds to.
    assert_eq!((m.special_mismatch, m.measured, m.max_ulp), (2, 1, 0.0));
    assert_eq!(m.special_at.map(|p| (p.x, p.y)), Some((0, 0)));
}

#[test]
fn coverage_flips_take_no_part_in_ulps() {
    let mut found = one_channel(2, &[9.0, 1.0]);
    found.covered[0] = false;
    let m = measured(&found, &one_exact(2, &[1.0, 1.0]));
    assert_eq!((m.pixels, m.components, m.coverage_flips, m.max_ulp), (2, 1, 1, 0.0));
    assert!(!m.identical());
}

#[test]
fn pixels_covered_at_other_samples_flip() {
    let sampled = |covered: [bool; 4], words: [f32; 4]| {
        let mut frame = one_channel(2, &[(words[0] + words[1]) / 2.0, (words[2] + words[3]) / 2.0]);
        frame.covered = vec![covered[0] || covered[1], covered[2] || covered[3]];
        frame.samples = Some(FrameSamples {
            positions: vec![[4, 4], [-4, -4]],
            per_sample: false,
            covered: covered.to_vec(),
            words: vec![Plane::U32(words.map(f32::to_bits).to_vec())],
            stored: vec![None],
        });
        frame
    };
    let found = sampled([true, true, true, false], [1.0, 3.0, 2.0, 0.0]);
    let reference = sampled([true, true, false, true], [1.0, 1.0, 0.0, 2.0]);
    let m = measured(&found, &reference);
    assert_eq!((m.pixels, m.components, m.equal, m.coverage_flips), (2, 2, 1, 1));
    let at = m.argmax.unwrap();
    assert_eq!((at.x, at.found_samples), (0, vec!["3f800000".to_string(), "40400000".to_string()]));
    assert_eq!(at.expected_samples, ["3f800000", "3f800000"]);
    assert_eq!(found.sample_bits(0, 1), [Some(u64::from(2f32.to_bits())), None]);
    // The second pixel looks the same, but by other samples.
    let (a, b) = (Snapshot::new(&found), Snapshot::new(&reference));
    let distance = a.distance(&b).unwrap();
    assert_eq!((distance.pixels, distance.differ, distance.flips), (2, 2, 1));
    assert_eq!(crate::comparison::thin(&found, 2).coverage(0), 0b11);
}

#[test]
fn eight_bit_changes_are_counted_per_pixel() {
    let m = measured(&one_channel(2, &[0.2, 0.25]), &one_exact(2, &[0.2 + 10.0 / 255.0, 0.25 + 1e-9]));
    assert_eq!((m.pixels8_changed, m.max8, m.pixels_changed), (1, 10, 1));
}

#[test]
fn targets_are_compared_by_what_they_hold() {
    let stored = |mut frame: Frame, words: &[u8]| {
        frame.channels[0].stored = Some(Stored { target: Target::Unorm8, comp: 0, words: Plane::U8(words.to_vec()) });
        frame
    };
    let found = stored(one_channel(3, &[0.1, 0.2, f32::NAN]), &[26, 51, 0]);
    let m = measured(&found, &stored(one_exact(3, &[0.1, 0.204, 0.0]), &[26, 52, 0]));
    // One step of 1/255; NaN is a byte like any other.
    assert_eq!((m.equal, m.components, m.measured, m.max_ulp, m.special_mismatch), (2, 3, 3, 1.0, 0));
    assert_eq!((m.pixels8_changed, m.max8), (1, 1));
    let at = m.argmax.unwrap();
    assert_eq!((at.x, at.found, at.found_bits.as_str(), at.expected_bits.as_str()), (1, 0.2, "33", "34"));
}

#[test]
fn nothing_covered_is_no_agreement() {
    let mut frame = one_channel(1, &[1.0]);
    frame.covered[0] = false;
    assert_eq!(measured(&frame, &frame).equal_share(), None);
}

#[test]
fn thread_count_does_not_change_a_bit() {
    let n = 3 * CHUNK + 17;
    let exact: Vec<f64> = (0..n).map(|i| 1.0 / (i as f64 + 3.0)).collect();
    let rough: Vec<f32> = exact.iter().map(|v| (*v as f32) * 1.0001).collect();
    let (a, b) = (one_channel(n as u32, &rough), one_exact(n as u32, &exact));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| measured(&a, &b))
    };
    assert_eq!(run(1), run(3));
}
