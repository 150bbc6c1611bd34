//! Multisampled draws against a rasteriser of their own, which knows no bands, quads or batches: exact orientation tests per
//! sample, attributes from their plane, means in integers.

use parallax::{
    Compiled, Control, Draw, Engine, Frame, FrameSamples, Geometry, LoadOptions, Manifest, Optimise, Samples, Target,
    Targets, Workers, compile, load, run_draw,
};
use parallax_core::OutputRole;
use parallax_core::num::Model;
use parallax_random::Random;

const COUNTS: [u32; 5] = [1, 2, 4, 8, 16];

fn compiled(text: &str) -> Compiled {
    compiled_with(text, Optimise::Yes)
}

fn compiled_with(text: &str, optimise: Optimise) -> Compiled {
    let loaded = load("test.tgsi", text.as_bytes(), &LoadOptions::default());
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    compile(&shader, &Model::builtin("ieee").expect("built in"), optimise, Engine::Interp).expect("a valid shader")
}

fn defaults(compiled: &Compiled) -> Draw {
    Draw::defaults(&compiled.shader.func.iface).expect("a draw")
}

fn run(compiled: &Compiled, draw: &Draw) -> Frame {
    run_draw(compiled, draw, &Workers::serial(), Control::default()).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn samples(frame: &Frame) -> &FrameSamples {
    frame.samples.as_ref().expect("samples")
}

/// The channel number of a component of an output.
fn number(frame: &Frame, name: &str) -> usize {
    frame.channels.iter().position(|c| c.name() == name).unwrap_or_else(|| panic!("no {name}"))
}

fn single(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

/// A triangle in the window, in 1/256 pixel.
type Window = [[i64; 2]; 3];

fn orient(a: [i64; 2], b: [i64; 2], p: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Whether a point belongs to a triangle: inside, or on an edge that is a top or a left one.
fn belongs(triangle: &Window, p: [i64; 2]) -> bool {
    let area = orient(triangle[0], triangle[1], triangle[2]);
    area != 0
        && (0..3).all(|n| {
            let (a, b, c) = (triangle[n], triangle[(n + 1) % 3], triangle[(n + 2) % 3]);
            match orient(a, b, p).signum() * area.signum() {
                0 if a[1] == b[1] => c[1] > a[1],
                // Seen along its row, the edge lies to the left of the third corner.
                0 => {
                    let right = (c[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (c[1] - a[1]);
                    right * (b[1] - a[1]).signum() > 0
                }
                side => side > 0,
            }
        })
}

/// Where a sample of a pixel is, in 1/256 pixel.
fn at(pixel: [u32; 2], position: [i8; 2]) -> [i64; 2] {
    [0, 1].map(|axis| i64::from(pixel[axis]) * 256 + 128 + i64::from(position[axis]) * 16)
}

fn mask(triangle: &Window, pixel: [u32; 2], positions: &[[i8; 2]]) -> u32 {
    positions.iter().enumerate().fold(0, |mask, (n, &p)| mask | u32::from(belongs(triangle, at(pixel, p))) << n)
}

/// The sample a partly covered pixel has its centroid at.
fn centroid(mask: u32, count: usize) -> Option<usize> {
    (0..count).find(|n| mask >> n & 1 != 0).filter(|_| mask.count_ones() as usize != count)
}

/// Windows are powers of two wide and high, so that corners on the grid of 1/256 pixel are binary32 numbers.
const SIZE: [u32; 2] = [16, 8];

fn clip(point: [i64; 2]) -> [f32; 4] {
    let x = point[0] as f32 / (128.0 * SIZE[0] as f32) - 1.0;
    let y = 1.0 - point[1] as f32 / (128.0 * SIZE[1] as f32);
    [x, y, 0.0, 1.0]
}

/// Triangles, many of them thin, some with corners on samples and edges along pixels.
fn random_triangles(random: &mut Random, count: u64) -> Vec<Window> {
    let point = |random: &mut Random| {
        let grid = random.pick(&[1, 16, 128, 256]);
        [0, 1].map(|axis| {
            let steps = i64::from(SIZE[axis]) * 256 / grid;
            (random.below((steps + steps / 2) as u64) as i64 - steps / 4) * grid
        })
    };
    (0..count)
        .map(|_| {
            let (a, b) = (point(random), point(random));
            let c = match random.below(3) {
                0 => [a[0] + random.below(512) as i64 - 256, a[1] + random.below(512) as i64 - 256],
                1 => [b[0], a[1]],
                _ => point(random),
            };
            [a, b, c]
        })
        .collect()
}

/// A draw of triangles with an attribute `p + q x + r y` of the window in every component.
fn triangles(compiled: &Compiled, windows: &[Window], plane: [f32; 3], samples: Samples) -> Draw {
    let mut draw = defaults(compiled);
    [draw.width, draw.height] = SIZE;
    draw.geometry = Geometry::Triangles(windows.iter().flatten().map(|&p| clip(p)).collect());
    let value = |p: &[i64; 2]| (plane[0] + plane[1] * p[0] as f32 / 256.0 + plane[2] * p[1] as f32 / 256.0).to_bits();
    for attribute in &mut draw.attributes {
        *attribute = windows.iter().flatten().map(|p| [value(p); 4]).collect();
    }
    draw.samples = samples;
    draw
}

/// A plane all of whose values in the window are exact in binary32.
fn random_plane(random: &mut Random) -> [f32; 3] {
    [0, 1, 2].map(|_| random.below(17) as f32 / 4.0 - 2.0)
}

fn value(plane: [f32; 3], point: [i64; 2]) -> f32 {
    plane[0] + plane[1] * (point[0] as f32 / 256.0) + plane[2] * (point[1] as f32 / 256.0)
}

const PLACES: &str = "FRAG\n\
    DCL IN[0], GENERIC[0], LINEAR\n\
    DCL IN[1], GENERIC[1], LINEAR, CENTROID\n\
    DCL OUT[0], COLOR\n\
    DCL SV[0], SAMPLEMASK\n\
    DCL OUT[1], GENERIC[1]\n\
    IMM[0] INT32 {1, 0, 99, 0}\n\
    IMM[1] FLT32 {0.375, -0.4375, 0.0, 0.0}\n\
    MOV OUT[0].x, IN[0]\n\
    MOV OUT[0].y, IN[1]\n\
    INTERP_CENTROID OUT[0].z, IN[0]\n\
    INTERP_SAMPLE OUT[0].w, IN[1], IMM[0].xxxx\n\
    MOV OUT[1].x, SV[0].xxxx\n\
    INTERP_SAMPLE OUT[1].y, IN[0], IMM[0].zzzz\n\
    INTERP_OFFSET OUT[1].z, IN[0], IMM[1]\n\
    END\n";

/// Coverage of every sample, the centroid, and attributes at centre, centroid, samples and offsets, last triangle on top.
#[test]
fn coverage_and_places_agree_with_exact_tests() {
    let mut random = Random::new(11);
    let shader = compiled(PLACES);
    let mut partly = 0;
    for round in 0..120 {
        let count = COUNTS[round % 5] as usize;
        let number_of = 1 + random.below(3);
        let (windows, plane) = (random_triangles(&mut random, number_of), random_plane(&mut random));
        let mut set = Samples::standard(count as u32).unwrap();
        if round % 3 == 0 {
            set.positions.iter_mut().for_each(|p| *p = [0, 1].map(|_| random.below(16) as i8 - 8));
        }
        let frame = run(&shader, &triangles(&shader, &windows, plane, set.clone()));
        let channels = ["OUT[0].x", "OUT[0].y", "OUT[0].z", "OUT[0].w", "OUT[1].x", "OUT[1].y", "OUT[1].z"];
        let channels = channels.map(|name| number(&frame, name));
        for pixel in 0..frame.pixels() {
            let place = [pixel as u32 % SIZE[0], pixel as u32 / SIZE[0]];
            let masks: Vec<u32> = windows.iter().map(|w| mask(w, place, &set.positions)).collect();
            let all = masks.iter().fold(0, |all, mask| all | mask);
            assert_eq!(frame.coverage(pixel), all, "{windows:?} {place:?} {count}");
            assert_eq!(frame.covered[pixel], all != 0);
            for sample in 0..count {
                let Some(&mask) = masks.iter().rev().find(|mask| *mask >> sample & 1 != 0) else { continue };
                let words = channels.map(|channel| match &frame.samples {
                    Some(samples) => samples.words[channel].get(pixel * count + sample),
                    None => frame.channels[channel].words.get(pixel),
                });
                let centre = at(place, [0, 0]);
                let second = set.positions.get(1).map_or(centre, |&p| at(place, p));
                let centroid = centroid(mask, count).map_or(centre, |n| at(place, set.positions[n]));
                partly += u32::from(centroid != centre);
                let offset = [centre[0] + 96, centre[1] - 112];
                let want = [centre, centroid, centroid, second].map(|point| value(plane, point));
                assert_eq!([0, 1, 2, 3].map(|n| single(words[n])), want, "{windows:?} {place:?} {sample}");
                assert_eq!(words[4], u64::from(mask));
                assert_eq!([5, 6].map(|n| single(words[n])), [centre, offset].map(|point| value(plane, point)));
            }
        }
    }
    assert!(partly > 1000, "{partly}");
}

const PER_SAMPLE: &str = "FRAG\n\
    DCL IN[0], GENERIC[0], LINEAR\n\
    DCL IN[1], GENERIC[1], LINEAR, SAMPLE\n\
    DCL SV[0], SAMPLEID\n\
    DCL SV[1], SAMPLEPOS\n\
    DCL OUT[0], COLOR\n\
    DCL OUT[1], GENERIC[1]\n\
    MOV OUT[0].x, IN[0]\n\
    MOV OUT[0].y, IN[1]\n\
    DDX OUT[0].z, IN[1]\n\
    MOV OUT[1].x, SV[0].xxxx\n\
    MOV OUT[1].yz, SV[1].xxyy\n\
    END\n";

/// A shader that reads its sample number runs once per sample, its attributes where they are declared.
#[test]
fn shaders_that_ask_for_samples_run_for_each() {
    let mut random = Random::new(12);
    let shader = compiled(PER_SAMPLE);
    for round in 0..40 {
        let count = COUNTS[1 + round % 4] as usize;
        let (windows, plane) = (random_triangles(&mut random, 2), random_plane(&mut random));
        let set = Samples::standard(count as u32).unwrap();
        let frame = run(&shader, &triangles(&shader, &windows, plane, set.clone()));
        let samples = samples(&frame);
        assert!(samples.per_sample);
        let covered: u64 = (0..frame.pixels())
            .flat_map(|pixel| {
                let place = [pixel as u32 % SIZE[0], pixel as u32 / SIZE[0]];
                windows.iter().map(|w| mask(w, place, &set.positions).count_ones()).collect::<Vec<_>>()
            })
            .map(u64::from)
            .sum();
        assert_eq!((frame.fragments, frame.discarded), (covered, 0));
        for at_sample in (0..samples.covered.len()).filter(|&n| samples.covered[n]) {
            let (pixel, sample) = (at_sample / count, at_sample % count);
            let place = [pixel as u32 % SIZE[0], pixel as u32 / SIZE[0]];
            let word = |name: &str| samples.words[number(&frame, name)].get(at_sample);
            let [x, y] = set.positions[sample];
            assert_eq!(single(word("OUT[0].x")), value(plane, at(place, [0, 0])));
            assert_eq!(single(word("OUT[0].y")), value(plane, at(place, [x, y])));
            assert_eq!(single(word("OUT[0].z")), plane[1]);
            assert_eq!(word("OUT[1].x"), sample as u64);
            let position = [x, y].map(|step| (f32::from(step) + 8.0) / 16.0);
            assert_eq!([single(word("OUT[1].y")), single(word("OUT[1].z"))], position);
        }
        // Told not to, it runs per pixel: sample 0, everything at the centre.
        let draw = triangles(&shader, &windows, plane, Samples { per_sample: Some(false), ..set });
        let frame = run(&shader, &draw);
        let samples = frame.samples.as_ref().unwrap();
        assert!(!samples.per_sample);
        for at_sample in (0..samples.covered.len()).filter(|&n| samples.covered[n]) {
            let word = |name: &str| samples.words[number(&frame, name)].get(at_sample);
            assert_eq!((word("OUT[0].x"), word("OUT[1].x")), (word("OUT[0].y"), 0));
        }
    }
}

const VARIED: &str = "FRAG\n\
    DCL IN[0], GENERIC[0], PERSPECTIVE\n\
    DCL IN[1], GENERIC[1], LINEAR, CENTROID\n\
    DCL IN[2], POSITION, LINEAR\n\
    DCL OUT[0], COLOR\n\
    DCL OUT[1], POSITION\n\
    DCL TEMP[0]\n\
    IMM[0] FLT32 {3.7, -0.5, 0.0, 1.0}\n\
    MUL TEMP[0], IN[0], IMM[0].xxxx\n\
    FRC TEMP[0], TEMP[0]\n\
    DDY TEMP[0].y, TEMP[0]\n\
    ADD TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy\n\
    KILL_IF TEMP[0].zzzz\n\
    MAD OUT[0], TEMP[0], IN[1], IN[2]\n\
    MOV OUT[1].z, IN[2].zzzz\n\
    END\n";

/// Shading every sample gives what as many draws with one sample give, each at the position of one of them.
#[test]
fn shading_per_sample_is_a_draw_for_every_sample() {
    let mut random = Random::new(13);
    let shader = compiled(VARIED);
    for round in 0..20 {
        let count = COUNTS[1 + round % 4];
        let set = Samples { per_sample: Some(true), ..Samples::standard(count).unwrap() };
        let mut draw = triangles(&shader, &random_triangles(&mut random, 3), [0.0; 3], set.clone());
        if round == 0 {
            draw.geometry = Geometry::Quad;
            draw.attributes = defaults(&shader).attributes;
        } else {
            if let Geometry::Triangles(vertices) = &mut draw.geometry {
                for vertex in vertices {
                    let w = random.pick(&[0.5f32, 1.0, 2.0, 3.0]);
                    *vertex = [vertex[0] * w, vertex[1] * w, 0.25, w];
                }
            }
            for word in draw.attributes.iter_mut().flatten().flatten() {
                *word = (random.below(1000) as f32 / 100.0 - 5.0).to_bits();
            }
        }
        let frame = run(&shader, &draw);
        let samples = samples(&frame);
        let (mut fragments, mut discarded) = (0, 0);
        for (sample, position) in set.positions.iter().enumerate() {
            draw.samples = Samples { positions: vec![*position], per_sample: Some(true) };
            let one = run(&shader, &draw);
            assert!(one.samples.is_none());
            (fragments, discarded) = (fragments + one.fragments, discarded + one.discarded);
            for pixel in 0..frame.pixels() {
                let at = pixel * count as usize + sample;
                assert_eq!(samples.covered[at], one.covered[pixel]);
                for (words, channel) in samples.words.iter().zip(&one.channels) {
                    assert_eq!(words.get(at), channel.words.get(pixel), "{} {pixel} {sample}", channel.name());
                }
            }
        }
        assert_eq!((frame.fragments, frame.discarded), (fragments, discarded));
        assert!(discarded > 0 || round > 0);
    }
}

/// The mean of binary32 numbers that are multiples of 2^-40 below 2^40: an exact sum in integers, one conversion.
fn mean(words: &[f32]) -> f32 {
    let sum: i128 = words.iter().map(|&w| (f64::from(w) * 2f64.powi(40)) as i128).sum();
    (sum as f32) / (words.len() as f32) * 2f32.powi(-40)
}

#[test]
fn pixels_are_the_exact_means_of_their_samples() {
    let mut random = Random::new(14);
    let shader = compiled(PER_SAMPLE);
    let mut inexact = 0;
    for round in 0..20 {
        let count = COUNTS[1 + round % 4] as usize;
        let windows = random_triangles(&mut random, 3);
        let set = Samples::standard(count as u32).unwrap();
        let mut draw = triangles(&shader, &windows, [0.0; 3], set);
        for word in draw.attributes.iter_mut().flatten().flatten() {
            *word = (random.below(1 << 20) as f32 / 1024.0 / 3.0).to_bits();
        }
        let frame = run(&shader, &draw);
        let samples = samples(&frame);
        for channel in [number(&frame, "OUT[0].x"), number(&frame, "OUT[0].y")] {
            for pixel in 0..frame.pixels() {
                let words: Vec<f32> =
                    (0..count).map(|n| single(samples.words[channel].get(pixel * count + n))).collect();
                // The numbers of the test are multiples of 2^-40: nothing is lost.
                assert!(words.iter().all(|&w| ((f64::from(w) * 2f64.powi(40)) as i128) as f32 * 2f32.powi(-40) == w));
                let found = single(frame.channels[channel].words.get(pixel));
                assert_eq!(found, mean(&words), "{words:?}");
                inexact +=
                    u32::from(words.iter().copied().map(f64::from).sum::<f64>() != f64::from(found) * count as f64);
            }
        }
        // What is no colour is that of the first covered sample.
        let ids = number(&frame, "OUT[1].x");
        for pixel in 0..frame.pixels() {
            let first = frame.coverage(pixel).trailing_zeros();
            let want = if first < 32 { u64::from(first) } else { 0 };
            assert_eq!(frame.channels[ids].words.get(pixel), want);
        }
        // Render targets: samples are stored, then averaged.
        // An exponent that components share is not resolved.
        for target in Target::ALL.into_iter().filter(|t| t.is_of_colors() && *t != Target::Rgb9E5) {
            draw.targets = Targets::all(target);
            let stored = run(&shader, &draw);
            let samples = stored.samples.as_ref().unwrap();
            let channel = number(&stored, "OUT[0].y");
            let kept = samples.stored[channel].as_ref().expect("a target");
            let pixels = &stored.channels[channel].stored.as_ref().expect("a target").words;
            assert_eq!(stored.channels[channel].words, frame.channels[channel].words);
            if target == Target::Unorm8 {
                for pixel in 0..frame.pixels() {
                    let sum: u64 = (0..count).map(|n| kept.get(pixel * count + n)).sum();
                    assert_eq!(pixels.get(pixel) as f64, (sum as f64 / count as f64).round_ties_even());
                }
            }
            if target == Target::Fp32 {
                assert_eq!(pixels, &stored.channels[channel].words);
            }
        }
    }
    assert!(inexact > 100, "{inexact}");
}

/// A mask written by the shader takes samples away, a discarded fragment all of them; what was there before stays.
#[test]
fn masks_and_kills_take_samples_away() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], GENERIC[1], CONSTANT\nDCL OUT[0], COLOR\n\
                DCL OUT[1], SAMPLEMASK\nIMM[0] FLT32 {1.0, 0, 0, 0}\nMOV OUT[0].x, IN[0]\nMOV OUT[1].x, IN[1].xxxx\n\
                KILL_IF IN[0].yyyy\nEND\n";
    let shader = compiled(text);
    let whole = [[-256, -256], [256 * 40, -256], [-256, 256 * 40]];
    let mut draw = triangles(&shader, &[whole, whole], [0.0; 3], Samples::standard(4).unwrap());
    let set = |draw: &mut Draw, first: [f32; 2], second: [f32; 2], masks: [u32; 2]| {
        let colour = |[x, kill]: [f32; 2]| [[x.to_bits(), kill.to_bits(), 0, 0]; 3];
        draw.attributes[0] = [colour(first), colour(second)].concat();
        draw.attributes[1] = [[[masks[0]; 4]; 3], [[masks[1]; 4]; 3]].concat();
    };
    set(&mut draw, [1.0, 0.0], [3.0, 0.0], [0xffff_fff7, 0b0101]);
    let frame = run(&shader, &draw);
    let pixel = |frame: &Frame, pixel: usize| {
        let words = &samples(frame).words[number(frame, "OUT[0].x")];
        (frame.coverage(pixel), [0, 1, 2, 3].map(|n| single(words.get(pixel * 4 + n))))
    };
    for n in [0, 37, frame.pixels() - 1] {
        assert_eq!(pixel(&frame, n), (0b0111, [3.0, 1.0, 3.0, 0.0]));
        assert_eq!(single(frame.channels[number(&frame, "OUT[0].x")].words.get(n)), 1.75);
        // The first covered sample's mask.
        assert_eq!(frame.channels[number(&frame, "OUT[1].x")].words.get(n), 0b0101);
    }
    assert_eq!(frame.discarded, 0);
    // The second triangle is discarded: the first stays.
    set(&mut draw, [1.0, 0.0], [3.0, -1.0], [0b1110, 0b0101]);
    let frame = run(&shader, &draw);
    assert_eq!(pixel(&frame, 5), (0b1110, [0.0, 1.0, 1.0, 1.0]));
    assert_eq!(frame.discarded, frame.fragments / 2);
    // A mask without any sample is as good as a kill; shading per sample, each looks for its own bit.
    set(&mut draw, [1.0, 0.0], [3.0, 0.0], [0b1010, 0]);
    for per_sample in [None, Some(true)] {
        draw.samples.per_sample = per_sample;
        let frame = run(&shader, &draw);
        assert_eq!(pixel(&frame, 5), (0b1010, [0.0, 1.0, 0.0, 1.0]));
        let share = if per_sample.is_some() { 6.0 / 8.0 } else { 0.5 };
        assert_eq!(frame.discarded as f64, frame.fragments as f64 * share);
    }
    // One sample has no mask.
    draw.samples = Samples::default();
    let frame = run(&shader, &draw);
    assert!(frame.samples.is_none());
    assert_eq!(frame.channels[number(&frame, "OUT[0].x")].values()[5], 3.0);
}

/// The quad covers every sample, so that sampling changes nothing but what asks for it.
#[test]
fn covered_pixels_are_the_same_with_any_number_of_samples() {
    let shader = compiled(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID\nDCL OUT[0], COLOR\nSIN OUT[0], IN[0].yyyy\nEND\n",
    );
    let mut draw = defaults(&shader);
    (draw.width, draw.height) = (33, 17);
    let one = run(&shader, &draw);
    for count in &COUNTS[1..] {
        draw.samples = Samples::standard(*count).unwrap();
        let frame = run(&shader, &draw);
        assert_eq!((&frame.channels, &frame.covered), (&one.channels, &one.covered));
        assert_eq!(frame.fragments, one.fragments);
        assert!((0..frame.pixels()).all(|pixel| frame.coverage(pixel) == u32::MAX >> (32 - count)));
    }
}

#[test]
fn frames_do_not_depend_on_threads_or_passes() {
    let mut random = Random::new(15);
    for text in [PLACES, PER_SAMPLE, VARIED] {
        let (shader, plain) = (compiled(text), compiled_with(text, Optimise::No));
        let four = Workers::new(4).unwrap();
        for count in [4, 8] {
            let windows = random_triangles(&mut random, 6);
            let mut draw = triangles(&shader, &windows, random_plane(&mut random), Samples::standard(count).unwrap());
            (draw.width, draw.height) = (200, 100);
            let serial = run(&shader, &draw);
            assert!(serial.covered.contains(&true));
            assert_eq!(run_draw(&shader, &draw, &four, Control::default()).unwrap(), serial);
            assert_eq!(run(&plain, &draw), serial);
        }
    }
}

#[test]
fn impossible_samples_are_refused() {
    let shader = compiled(PLACES);
    let mut draw = defaults(&shader);
    let codes = |draw: &Draw| {
        let diags = run_draw(&shader, draw, &Workers::serial(), Control::default()).unwrap_err().diags;
        diags.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    draw.samples.positions = vec![[0; 2]; 3];
    assert_eq!(codes(&draw), ["draw-samples"]);
    draw.samples.positions = Vec::new();
    assert_eq!(codes(&draw), ["draw-samples"]);
    draw.samples.positions = vec![[0, 8], [0, 0]];
    assert_eq!(codes(&draw), ["draw-samples"]);
    draw.samples = Samples::standard(16).unwrap();
    (draw.width, draw.height) = (4096, 1024);
    assert_eq!(codes(&draw), ["draw-samples"]);
    (draw.width, draw.height) = (16, 4);
    assert!(run_draw(&shader, &draw, &Workers::serial(), Control::default()).is_ok());
}

#[test]
fn manifests_say_how_pixels_are_sampled() {
    let shader = compiled(PLACES);
    let text = "size = [8, 4]\n[samples]\ncount = 2\nper_sample = true\npositions = [[-3, 2], [7, -8]]\n";
    let draw = Draw::new(&shader.shader.func.iface, &Manifest::parse("m.toml", text).unwrap()).unwrap();
    let frame = run(&shader, &draw);
    assert_eq!((samples(&frame).per_sample, &samples(&frame).positions), (true, &vec![[-3, 2], [7, -8]]));
    let x = frame.channel(OutputRole::Color(0), 0).expect("a colour");
    let words = &samples(&frame).words[number(&frame, &x.name())];
    assert_eq!([0, 1].map(|n| single(words.get(n))), [(0.5 - 3.0 / 16.0) / 8.0, (0.5 + 7.0 / 16.0) / 8.0]);
    assert_eq!(x.values()[0], (0.5 + 2.0 / 16.0) / 8.0);
}
